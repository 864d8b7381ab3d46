"""Submissions that want points without work, or want to harm the grader.

They get no point and cause no grader fault, and their report contains no word of a hidden input.
"""

import os
import re
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games import ConnectFour, TicTacToe, ToyGame
from autograder.grading.hidden_checks import suite_run as suite
from autograder.grading.hidden_checks.observed_game import ObservedGame
from autograder.grading.report import Outcome
from autograder.sandbox.errors import Refused
from tests.unit.graded import PS, ROOT, answer, grade, lost, outcomes, solution_and, solved

pytestmark = pytest.mark.usefixtures("processes")

FUNCTIONS = sorted({name for exercise in PS.exercises for name in exercise.functions if "." not in name} | {"search_with_tables"})


def everything_is(expression: str) -> str:
    """A submission in which every function, and every field of a node, gives this answer."""
    functions = "\n".join(f"{name} = _answer" for name in FUNCTIONS)
    return solution_and(f"""
import numpy as np
def _answer(*args, **kwargs): return {expression}
{functions}
class TreeNode:
    def __init__(self, *args, **kwargs): pass
    def __getattr__(self, name):
        if name.startswith("__"): raise AttributeError(name)
        return _answer if name.startswith("is_") else _answer()
    def __eq__(self, other): return True
    def __hash__(self): return 0
""")


# Answers that an honest worker never gives: the submission has found its end of the connection and sends its own answers.
TAKE_OVER = """
import os, socket, codec
def _take_over():
    connection, number, requests = socket.socket(fileno=3), None, bytearray()
    import sys
    frame = sys._getframe()
    while "number" not in frame.f_locals or frame.f_locals["number"] is None: frame = frame.f_back
    connection.sendall(codec.frame(codec.encode((frame.f_locals["number"], "ok", []))))
    while True:
        head = connection.recv(4, socket.MSG_WAITALL)
        if len(head) < 4: os._exit(0)
        body = connection.recv(codec.frame_size(head), socket.MSG_WAITALL)
        number, operation, arguments = codec.decode(body, lambda n: n, lambda name, value: name)
        connection.sendall(codec.frame(codec.encode((number, *LIE))))
"""


def faults(graded) -> list[str]:
    checks = [check for exercise in graded.report.exercises for check in exercise.checks]
    return [check.name for check in checks if check.outcome == Outcome.GRADER_FAULT]


def earns_nothing(module: str) -> None:
    graded = grade(module)
    assert graded.report.points == 0.0, {exercise.id: exercise.points for exercise in graded.report.exercises if exercise.points}
    assert faults(graded) == [] and graded.cacheable, graded.staff


@pytest.mark.first_shows
@pytest.mark.parametrize(
    "expression",
    [
        "np.ones((2, 2))",
        "np.zeros(1)",
        "float('nan')",
        "2**120",
        "{0: {0: np.ones(2)}}",
        "[[np.ones(2)], {1: 2}]",
        "True",
        "(10**9, TreeNode())",
        "type('Same', (float,), {'__eq__': lambda self, other: True, '__hash__': lambda self: 0})(1.0)",
    ],
)
def test_one_answer_for_everything_earns_nothing(expression):
    earns_nothing(everything_is(expression))


@pytest.mark.usefixtures("repetition")
@pytest.mark.first_shows
@pytest.mark.parametrize(
    "lie", ["'ok', None", "'ok', codec.HandleId(0)", "'error', [['ValueError'], 'ps2_uct.py', 1, False, '']", "'ok', True"]
)
def test_a_worker_that_speaks_for_itself_earns_nothing(lie):
    earns_nothing(solution_and(TAKE_OVER.replace("LIE", f"({lie})") + "_take_over()"))


@pytest.mark.usefixtures("repetition")
def test_a_patched_interpreter_helps_nobody():
    earns_nothing(
        everything_is("Same()")
        + """
import builtins, sys
class Same:
    __eq__ = __ne__ = __lt__ = __gt__ = __le__ = __ge__ = __contains__ = lambda *args: True
    __bool__ = lambda self: True
    __hash__ = lambda self: 0
for name in ("sorted", "max", "min", "abs", "sum", "all", "any", "AssertionError", "ValueError"): setattr(builtins, name, Same)
sys.modules["pytest"] = sys.modules["autograder"] = sys.modules["_pytest"] = Same()
"""
    )


@pytest.mark.usefixtures("repetition")
def test_faults_cannot_be_ordered():
    """a check that ends in a grader fault costs no points, so no student may be able to cause such a fault"""
    graded = grade(
        solution_and("""
import os, signal
def backpropagate(node, value):
    for number in range(1, 65):
        try: os.kill(1, number)
        except OSError: pass
    pid = os.fork()
    if pid == 0:
        x = [bytearray(1 << 20) for _ in range(200)]
        os._exit(0)
    os.kill(os.getpid(), signal.SIGKILL)
def ucb(node, exploration):
    os.close(3)
def best_child(node, exploration, rng):
    while True: os.write(3, os.urandom(4096))
""")
    )
    assert faults(graded) == [] and {"2.5", "2.6", "2.7"} <= set(lost(graded))


HIDING = """
def ucb(node, exploration):
    words = f"{'to' + 'ld'} {exploration!r} {vars(node)!r}"
    print(words)
    error = type(words, (ValueError,), {"__module__": words})(words)
    error.__notes__ = [words]
    error.__cause__ = KeyError(words)
    exec(compile("\\n" * 7 + "raise error", words, "exec"), {"error": error, "__name__": words})
def backpropagate(node, value):
    raise NotImplementedError(f"exercise {'to' + 'ld'} {value} is not written yet")
def random_policy(game, state, rng):
    raise Exception(f"{'to' + 'ld'} {state}")
"""


def test_hidden_inputs_stay_hidden():
    """no argument of a function comes back in the student's report, in any form"""
    graded = grade(solution_and(HIDING))
    as_json = graded.report.to_json()
    assert "told" not in as_json and "num_visits" not in as_json
    hints = {check.hint for exercise in graded.report.exercises for check in exercise.checks if check.hint}
    of_errors = re.compile(r"(An exception of your own|Exception)( in ps2_uct\.py, line \d+: `(.*)`)?$")
    own = {match[3] for match in map(of_errors.match, hints) if match and match[3]}
    assert own and own <= {line.strip() for line in HIDING.splitlines()}  # quoted from the file, and not evaluated
    questions = {check.hint for exercise in graded.report.exercises for check in exercise.checks if check.outcome == "not yet"}
    assert all(of_errors.match(hint) or "waits for" in hint or hint in questions for hint in hints)
    assert any("told" in text for text in graded.staff["checks"].values())  # staff may read it


def test_loading_tells_nothing_but_places():
    graded = grade(solution_and("raise ValueError('<script>alert(1)</script>')\nraise type('<b>', (Exception,), {})()"))
    assert "<" not in graded.report.note and "an exception of your own in ps2_uct.py" in graded.report.note


def test_a_loader_that_was_spoilt_costs_its_own_work_and_nothing_of_ours():
    graded = grade(
        solution_and(
            "import cell_text, loader, stand_ins, worker, codec\n"
            "for module in (cell_text, loader, stand_ins, worker, codec, codec.encoding, codec.decoding):\n"
            "    for name in list(vars(module)):\n        if not name.startswith('__'): setattr(module, name, None)"
        )
    )
    assert faults(graded) == []


@pytest.mark.usefixtures("repetition")
def test_a_node_full_of_children_ends_by_its_time(monkeypatch):
    monkeypatch.setattr(suite, "EXERCISE_CPU_S", 1.0)
    graded = grade(
        solution_and("""
_expand = expand
def expand(game, node, rng):
    child = _expand(game, node, rng)
    node.children = [child] * 300_000
    return child
""")
    )
    assert faults(graded) == [] and "2.4" in lost(graded)


def test_nothing_is_left_on_the_host():
    """no file beside the submission, none in the repository, none in the folder for temporary files"""
    before = _state()
    grade(
        solution_and("""
import os, tempfile
places = ["/", "/tmp", ".", "..", "/opt/site/arena", "/opt/worker", "/dev/shm", "/proc/1/root/tmp", "/proc/self/cwd"]
for top in places:
    try: open(os.path.join(top, "left-by-a-student"), "w").write("x")
    except OSError: pass
""")
    )
    assert _state() == before


def _state() -> list[str]:
    import tempfile

    places = (ROOT, ROOT / "arena", ROOT / "autograder" / "sandbox", ROOT / "tests", tempfile.gettempdir(), "/dev/shm")
    return [str(place) for place in places if os.path.isdir(place) and "left-by-a-student" in os.listdir(place)]


# -- a game with questions from students ----------------------------------------------------------------

plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**127), 2**127) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.tuples(inner) | st.dictionaries(st.integers(), inner, max_size=2),
    max_leaves=5,
)
tokens = st.sampled_from(["state 0", "state 1", "state 99"]) | plain
methods = (
    st.sampled_from(["start", "player", "legal_actions", "play", "outcome", "text", "planes", "__class__", "game", "calls"])
    | plain
)


@pytest.mark.usefixtures("repetition")
@settings(deadline=None, max_examples=300)
@given(
    st.sampled_from([TicTacToe(), ConnectFour(), ToyGame({"a": ["b"]}, {"b": 1.0}, start="a")]),
    st.lists(st.tuples(methods, tokens, st.integers(-3, 9) | plain) | st.lists(plain, max_size=4).map(tuple), max_size=8),
)
def test_a_watched_game_answers_or_refuses_whatever_it_is_asked(game, questions):
    watched = ObservedGame(game)
    watched.answer("start")
    for question in questions:
        try:
            assert isinstance(watched.answer(*question), (str, int, float, list, np.ndarray, type(None)))
        except (Refused, TypeError, LookupError, ValueError, AttributeError, ArithmeticError):
            pass  # the session turns these into an error of the student's


def test_grading_a_hostile_submission_comes_to_an_end(monkeypatch):
    """a submission that sends messages without end, and one that forks without end"""
    monkeypatch.setattr(suite, "EXERCISE_CPU_S", 1.0)
    start = time.process_time()
    graded = grade(
        solution_and("""
import os
def simulate(game, state, policy, rng, max_plies=None, verbose=False):
    while True: policy(game, state, rng)
def expand(game, node, rng):
    while os.fork() >= 0: pass
""")
    )
    assert faults(graded) == [] and {"2.2", "2.4"} <= set(lost(graded)) and "2.5" not in lost(graded)
    assert outcomes(graded)["2.2"] == "too slow"
    assert time.process_time() - start < 200


def test_the_solution_is_not_harmed_by_its_neighbours_in_this_process():
    assert lost(solved()) == [] and lost(grade(answer("right", "prints and warnings on the way"))) == []
