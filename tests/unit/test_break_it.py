"""Tests of "break it": the implementations and the banks, points by caught mistakes, sentences that tell no mistake, limits."""

import ast
import json
import time
from contextlib import suppress
from dataclasses import asdict, replace
from functools import lru_cache
from importlib import import_module
from types import SimpleNamespace

import numpy as np
import pytest

from arena.check import NOT_YET, PASSED
from autograder.grading.edition import public_secret
from autograder.grading.grade import Settings, grade_exercise
from autograder.grading.hidden_checks import suite_run as suite
from autograder.grading.hidden_checks.collect import hidden_suite
from autograder.grading.hidden_checks.own_time import StuckError
from autograder.grading.hidden_checks.suite_run import SuiteRun
from autograder.grading.outcomes import NOT_TRIED, UNTRIED, Finding, partial_credit
from autograder.grading.reference import our_submission
from autograder.grading.report import ExerciseReport, Outcome, first_lost
from autograder.grading.submission_runner import EXERCISE_CPU_S, SubmissionRunner
from autograder.paths import REPOSITORY
from autograder.problem_sets.bank.answers import Answer, load_bank
from autograder.problem_sets.source import load, names
from autograder.sandbox.errors import Refused
from autograder.sandbox.inside.implementations import MOST_SENT, stand_in
from autograder.selftest.verify.at_home import verdicts_of
from autograder.submission.parse import Cell
from tests.hidden.break_it import (
    MOST_CALLS,
    MOST_NODES_SENT,
    OUR_OWN,
    Called,
    DecidedError,
    OutsideError,
    function_of,
    implementations,
    need,
    number,
    whole,
)
from tests.hidden.ps1_games.test_break import MOST_SENT as MOST_SQUARES_SENT
from tests.hidden.ps2_uct.test_break import MOST_NODES
from tests.hidden.ps2_uct.test_break import run as run_backpropagate

SETS = [ps for ps in names() if (REPOSITORY / "tests" / "hidden" / ps / "implementations.py").exists()]
SETTINGS = Settings(public_secret())
WRONG = implementations("ps2_uct", "wrong")


# -- the implementations and the banks -------------------------------------------------------------


def statements(code: str) -> list[str]:
    return [ast.dump(statement) for statement in ast.parse(code).body]


@pytest.mark.usefixtures("computing")
@pytest.mark.parametrize("ps", SETS)
def test_every_wrong_implementation_is_a_cell_of_the_wrong_answers(ps):
    bank = load_bank(REPOSITORY / "tests" / "wrong" / f"{ps}.py")
    for wrong in implementations(ps, "wrong"):
        codes = [answer.code for answer in bank if answer.name == wrong.title]  # two exercises may have a cell of one title
        assert codes, f"tests/wrong/{ps}.py has no cell {wrong.title!r}"
        assert statements(wrong.code) in map(statements, codes), f"{wrong.title!r} has other code in tests/wrong/{ps}.py"
        assert wrong.hint.endswith("?") and "\n" not in wrong.hint


@pytest.mark.parametrize("ps", SETS)
def test_every_right_implementation_is_a_cell_of_the_right_answers_or_a_part_of_one(ps):
    bank = {answer.name: answer.code for answer in load_bank(REPOSITORY / "tests" / "right" / f"{ps}.py")}
    ours, *others = implementations(ps, "right")
    assert ours.title == OUR_OWN and not ours.code and others
    for entry in others:
        if entry.title in bank:
            assert statements(entry.code) == statements(bank[entry.title]), \
                f"{entry.title!r} has other code in tests/right/{ps}.py"
        else:
            assert any(set(statements(entry.code)) <= set(statements(code)) for code in bank.values()), \
                f"no cell of tests/right/{ps}.py holds the code of {entry.title!r}"


@pytest.mark.parametrize("ps", SETS)
def test_titles_and_hints_are_all_different(ps):
    every = [*implementations(ps, "right"), *implementations(ps, "wrong")]
    for texts in ([entry.title for entry in every], [entry.hint for entry in every if entry.hint]):
        assert len(set(texts)) == len(texts)


# -- points and sentences --------------------------------------------------------------------------


def graded(check: str, settings: Settings = SETTINGS) -> ExerciseReport:
    """Our solution of ps2 with this check of backpropagate, graded."""
    return grade_exercise(with_check(check), "2.15", settings)


def with_check(check: str):
    ours = our_submission(load("ps2_uct"))
    return replace(ours, cells=(*ours.cells, Cell("mine", check, None, "code")))


def named(title: str) -> str:
    return next(answer.code for answer in load_bank(REPOSITORY / "tests" / "wrong" / "ps2_uct.py") if answer.name == title)


@lru_cache(maxsize=1)
def visits_alone() -> ExerciseReport:
    return graded(named("the check looks at visits alone"))


def by_kind(report: ExerciseReport):
    right = [check for check in report.checks if "[right" in check.name]
    return right, [check for check in report.checks if "[wrong" in check.name]


def as_json(report: ExerciseReport) -> str:
    return json.dumps(asdict(report), ensure_ascii=False)


def finding_with(outcome: Outcome, credited: bool) -> Finding:
    return Finding("check", "a line", outcome, None, partial_credit=credited)


def test_points_go_by_the_share_of_wrong_ones_and_need_every_right_one():
    right, lost = finding_with(Outcome.PASSED, False), finding_with(Outcome.NOT_YET, False)
    caught, missed, slow = (finding_with(outcome, True) for outcome in (Outcome.PASSED, Outcome.NOT_YET, Outcome.TOO_SLOW))
    assert partial_credit([right, right, caught, caught]) == 1.0
    assert partial_credit([right, right, caught, missed, missed, slow]) == 0.25
    assert partial_credit([right, missed]) == 0.0
    assert partial_credit([right, lost, caught, caught]) == 0.0
    assert partial_credit([caught, finding_with(Outcome.TOO_SLOW, False)]) == 0.0


@pytest.mark.usefixtures("computing")
def test_a_part_of_the_points_for_a_part_of_the_mistakes():
    report = visits_alone()
    right, wrong = by_kind(report)
    assert len(right) == len(implementations("ps2_uct", "right")) and len(wrong) == len(WRONG)
    assert report.extra and report.max_points == 5.0 and report.points == 2.5
    assert {check.outcome for check in right} == {Outcome.PASSED}
    assert sum(check.outcome == Outcome.PASSED for check in wrong) == len(WRONG) / 2


@pytest.mark.usefixtures("processes")
def test_the_report_names_the_caught_ones_and_asks_about_the_others():
    _, wrong = by_kind(visits_alone())
    for check, implementation in zip(wrong, WRONG, strict=True):
        if check.outcome == Outcome.PASSED:
            assert check.line == f"caught: {implementation.title}" and check.hint is None
        else:
            assert check.line.endswith(implementation.hint) and implementation.title not in as_json(visits_alone())


@pytest.mark.usefixtures("processes")
def test_no_code_of_an_implementation_is_in_a_report():
    text = as_json(visits_alone())
    hidden = [implementation for kind in ("right", "wrong") for implementation in implementations("ps2_uct", kind)]
    lines = {line.strip() for implementation in hidden for line in implementation.code.split("\n")}
    assert not [line for line in lines if len(line) > 8 and line in text]


def says_of_none(report: ExerciseReport) -> bool:
    """Whether a report has no word on any wrong implementation."""
    return not any(text in as_json(report) for implementation in WRONG for text in (implementation.title, implementation.hint))


@pytest.mark.usefixtures("processes")
def test_an_error_of_the_check_itself_is_quoted_though_it_comes_after_a_missed_mistake():
    report = graded("""
def check_backpropagate(backpropagate):
    root = TreeNode("a")
    leaf = TreeNode("b", root, 0)
    backpropagate(leaf, 1.0)
    first = {1: "once"}[root.num_visits]      # a KeyError where a wrong one leaves the root out
""")
    hints = [check.hint for check in report.checks if check.hint]
    assert len(hints) == 1 and hints[0].startswith("KeyError in mine, line 6: `first = ")


@pytest.mark.usefixtures("processes")
def test_a_check_that_rejects_a_right_one_earns_nothing_and_learns_nothing():
    report = graded('def check_backpropagate(backpropagate):\n    raise AssertionError("wrong")\n')
    _, wrong = by_kind(report)
    assert report.points == 0.0 and report.outcome == Outcome.NOT_YET
    assert {(check.line, check.outcome, check.hint) for check in wrong} == {(NOT_TRIED, Outcome.NOT_YET, None)}
    assert says_of_none(report)


@pytest.mark.usefixtures("processes")
def test_what_was_not_written_tells_no_mistake():
    stub = 'def check_backpropagate(backpropagate):\n    raise NotImplementedError("exercise 2.15 (x) is not written yet")\n'
    report = graded(stub)
    assert report.outcome == Outcome.NOT_WRITTEN and report.points == 0.0
    assert {check.line for check in by_kind(report)[1]} == {UNTRIED} and says_of_none(report)


CALLS_ALWAYS = "def check_backpropagate(backpropagate):\n    while True:\n        backpropagate(None, 1.0)\n"
UNTIL_VISITED = '''
_right_check = check_backpropagate
def check_backpropagate(backpropagate):
    leaf = TreeNode("leaf")
    while leaf.num_visits == 0:
        backpropagate(leaf, 0.0)
    _right_check(backpropagate)
'''


@pytest.mark.usefixtures("processes")
def test_calls_without_end_are_told_as_such_and_tell_no_mistake():
    report = graded(CALLS_ALWAYS)
    assert report.outcome == Outcome.NOT_YET and report.points == 0.0 and says_of_none(report)
    assert "calls backpropagate more than 3,000 times" in (first_lost(report.checks).hint or "")


@pytest.mark.usefixtures("processes")
def test_a_refused_call_is_the_end_whatever_the_check_hides():
    hidden = "try:\n            backpropagate(None, 1.0)\n        except ValueError:\n            pass"
    report = graded(CALLS_ALWAYS.replace("backpropagate(None, 1.0)", hidden))
    assert report.outcome == Outcome.NOT_YET and report.points == 0.0 and says_of_none(report)
    assert "calls backpropagate more than 3,000 times" in (first_lost(report.checks).hint or "")


@pytest.mark.usefixtures("processes")
def test_one_wrong_one_that_holds_a_check_up_costs_its_own_part_alone():
    report = graded(UNTIL_VISITED)
    slow = [check for check in report.checks if check.outcome != Outcome.PASSED]
    titles = {WRONG[by_kind(report)[1].index(check)].title for check in slow}
    assert {"a draw is no visit", "the root is left out"} >= titles and titles
    assert report.points == 5.0 - 0.5 * len(slow)
    assert not any(title in as_json(report) for title in titles)


# -- the order -------------------------------------------------------------------------------------


def order(sha256: str, secret: bytes = b"a secret") -> list[int]:
    checks = [check for check in hidden_suite("ps2_uct").checks if check.exercise == "2.15"]
    runner = SimpleNamespace(problem_set=load("ps2_uct"), submission=SimpleNamespace(sha256=sha256))
    run = SuiteRun(runner, Settings(secret))
    assert all(check.fresh for check in checks)
    return run._order(checks)


def test_nobody_can_foretell_the_order_and_it_is_the_same_again():
    first = order("a")
    assert first == order("a") and sorted(first) == list(range(len(first)))
    assert first not in [order("b"), order("a", b"another"), list(range(len(first)))]
    begins = {tuple(sorted(order(str(sha))[:3])) for sha in range(50)}
    assert len(begins) > 25, "the first three processes are mostly the same implementations"


def test_checks_that_share_a_process_keep_their_order():
    checks = [check for check in hidden_suite("ps2_uct").checks if check.exercise == "2.5"]
    assert SuiteRun(SimpleNamespace(), Settings(b""))._order(checks) == list(range(len(checks)))


@pytest.mark.usefixtures("processes")
def test_findings_come_in_the_order_of_the_suite():
    names = [check.name for check in hidden_suite("ps2_uct").checks if check.exercise == "2.15"]
    assert [check.name for check in visits_alone().checks] == names


# -- at home ---------------------------------------------------------------------------------------


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("exams, wanted", [(1000, PASSED), (1001, NOT_YET)])
def test_exams_of_more_games_than_the_lesson_allows_are_refused_at_home(exams, wanted):
    code = f"""
def check_pass_probability(pass_probability):
    for _ in range({exams}):
        assert math.isclose(pass_probability(0.5, 300, 0), 1.0, abs_tol=1e-9)
"""
    verdict, text = verdicts_of(load("ps3_connect_four"), Answer("many games", "3.14", code), {"3.14"})["3.14"]
    assert verdict == wanted and ("300,000 games" in text) == (wanted == NOT_YET)


# -- calls of an implementation --------------------------------------------------------------------


def called(code: str = "") -> Called:
    return Called(function_of("ps2_uct", "2.5", "backpropagate", code), run_backpropagate)


def test_the_limit_of_calls():
    function = called()
    for _ in range(MOST_CALLS):
        assert function([[(-1, 0, 0.0)], 0, 1.0], {}) == (None, [(1, 1.0)])
    with pytest.raises(DecidedError):
        function([[(-1, 0, 0.0)], 0, 1.0], {})
    assert function.overrun == "more than 3,000 times" and function.refused


def test_the_limit_of_nodes_in_all_calls():
    function, rows = called(), [(place - 1, 0, 0.0) for place in range(MOST_NODES)]
    for _ in range(MOST_NODES_SENT // MOST_NODES):
        function([rows, 0, 1.0], {})
    with pytest.raises(DecidedError):
        function([[(-1, 0, 0.0)], 0, 1.0], {})
    assert function.overrun.startswith("with more than 100,000 nodes")


@pytest.mark.parametrize("ps, most, unit", [("ps1_games", MOST_SQUARES_SENT, "squares"), ("ps2_uct", MOST_NODES_SENT, "nodes")])
def test_the_lesson_tells_how_much_a_check_may_send(ps, most, unit):
    lesson = " ".join(cell.stub for cell in load(ps).cells if cell.markdown)
    assert f"up to {MOST_CALLS:,} times, with {most:,} {unit} in all" in " ".join(lesson.replace("\n# ", " ").split())
    assert unit == "nodes" or any(f'most={most:_}, unit="{unit}"' in cell.stub for cell in load(ps).cells)  # the visible check


def test_an_exception_of_an_implementation_tells_its_kind_alone():
    function = called('def backpropagate(node, value):\n    raise KeyError("told")\n')
    with pytest.raises(Refused) as refused:
        function([[(-1, 0, 0.0)], 0, 1.0], {})
    assert refused.value.reply == ("error", "the implementation raised KeyError") and function.raised
    assert refused.value.__suppress_context__


def test_the_grader_s_own_limit_is_no_exception_of_the_implementation():
    def waits(*_):
        raise StuckError("long enough")

    with pytest.raises(StuckError):
        Called(waits, lambda function: function())([], {})


@pytest.mark.parametrize("rows, place, value", [
    ([(0, 0, 0.0)], 0, 1.0), ([(1, 0, 0.0), (0, 0, 0.0)], 0, 1.0), ([(-1, 0, 0.0), (2, 0, 0.0), (1, 0, 0.0)], 2, 1.0),
    ([(-1, 0, 0.0)], 1, 1.0), ([(-1, 0, 0.0)], -2, 1.0), ([(-1, 0, 0.0)], True, 1.0), ([(-1, 0, 0.0)], None, 1.0), ([], 0, 1.0),
    ([(-2, 0, 0.0)], 0, 1.0), ([(True, 0, 0.0)], 0, 1.0), ([(None, 0, 0.0)], 0, 1.0), ([()], 0, 1.0), ([7], 0, 1.0), (7, 0, 1.0),
    ([(-1, -1, 0.0)], 0, 1.0), ([(-1, True, 0.0)], 0, 1.0), ([(-1, 0, "0")], 0, 1.0), ([(-1, 0, float("nan"))], 0, 1.0),
    ([(-1, 10**300, 0.0)], 0, 1.0), ([(-1, 0, 0.0)], 0, float("nan")), ([(-1, 0, 0.0)], 0, 10**300), ([(-1, 0, 0.0)], 0, "1"),
    ([(-1, 0, 0.0)], 0, True), ([(-1, 0, 0.0)], 0, None), ([(-1, 0, 0.0)] * (MOST_NODES + 1), 0, 1.0),
])
def test_what_the_docstring_does_not_allow_never_reaches_an_implementation(rows, place, value):
    reached = []
    with pytest.raises(OutsideError):
        run_backpropagate(lambda *arguments: reached.append(arguments), rows, place, value)
    assert not reached


def test_the_longest_path_is_no_exception_in_any_right_implementation():
    rows = [(place - 1, 0, 0.0) for place in range(MOST_NODES)]
    after = [(1, (-1.0) ** (MOST_NODES - 1 - place)) for place in range(MOST_NODES)]
    for right in implementations("ps2_uct", "right"):
        assert called(right.code)([rows, MOST_NODES - 1, 1.0], {}) == (None, after)


def test_need_and_the_kinds_of_numbers():
    need(True, "never")
    with pytest.raises(OutsideError, match="a word"):
        need(False, "a word")
    assert whole(3) and whole(-10**9) and not any(map(whole, (True, 10**9 + 1, 1.0, "1", None, float("nan"), [])))
    assert number(3) and number(-0.5) and not any(map(number, (True, 1e10, float("inf"), float("nan"), "1", None, 10**300, [])))


# -- the stand-in in the sandbox -------------------------------------------------------------------


class Node:
    def __init__(self, parent=None):
        self.parent, self.children, self.num_visits, self.total_value = parent, {}, 0, 0.0
        if parent is not None:
            parent.children[len(parent.children)] = self


def sent(node) -> tuple[list, int]:
    """The rows and the place that a call with this node sends."""
    asked = []

    def ask(args, named):
        asked.append(args)
        return None, [(visits, total) for _, visits, total in args[0]]

    stand_in("tree", ask)(node, 1.0)
    (rows, place, _), = asked
    return rows, place


def refused(rows, place) -> bool:
    try:
        run_backpropagate(lambda *_: None, rows, place, 1.0)
    except OutsideError:
        return True
    return False


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("length", [1, 2, 3, 400, 5 * MOST_SENT])
def test_parents_in_a_circle_end_and_are_refused(length):
    nodes = [Node() for _ in range(length)]
    for node, above in zip(nodes, [*nodes[1:], nodes[0]], strict=True):
        node.parent, above.children[0] = above, node
    assert refused(*sent(nodes[0]))
    below = Node(nodes[0])
    assert refused(*sent(below))


@pytest.mark.usefixtures("processes")
def test_huge_trees_end_and_are_refused():
    root = Node()
    root.children = {place: Node() for place in range(10 * MOST_SENT)}
    assert len(sent(root)[0]) == MOST_SENT and refused(*sent(root))
    leaf = root = Node()
    for _ in range(50_000):
        leaf = Node(leaf)
    assert refused(*sent(leaf)) and refused(*sent(root))


@pytest.mark.usefixtures("processes")
def test_every_new_parent_ends_too():
    class Growing(Node):
        parent = property(lambda self: Growing(), lambda self, value: None)

    assert refused(*sent(Growing()))


@pytest.mark.usefixtures("processes")
def test_a_tree_travels_parents_first_also_if_a_parent_does_not_know_its_child():
    root = Node()
    path = [root]
    for _ in range(5):
        path.append(Node(path[-1]))
        Node(path[-2])
    path[2].children.clear()
    rows, place = sent(path[-1])
    assert all(above < here for here, (above, _, _) in enumerate(rows)) and not refused(rows, place)
    steps = 0
    while rows[place][0] >= 0:
        place, steps = rows[place][0], steps + 1
    assert steps == 5 and place == 0


# -- what it costs the grader ----------------------------------------------------------------------

def worst(ps: str):
    """The dearest call that a set allows, and what it counts."""
    if ps == "ps1_games":
        return [np.zeros((40, 40)), 0, 5], 1600
    if ps == "ps3_connect_four":
        return [0.37, 300, 0], 300
    if ps == "ps4_puct":
        rows = [dict.fromkeys(range(200), value) for value in (0.5, 3, 0.25)]
        return rows, 200
    if ps == "ps5_alphazero":
        return [([0.005] * 200, [3] * 200, [0.5] * 200, False), 7], 200
    return [[(place - 1, 0, 0.0) for place in range(500)], 499, 1.0], 500


def break_of(ps: str):
    return import_module(f"tests.hidden.{ps}.test_break").BREAK


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("ps", SETS)
def test_what_a_check_may_send_is_counted_before_it_is_done_and_never_reaches_the_limit_of_the_grader_s_time(ps):
    """The dearest check that a set allows, on every implementation: a tenth of it is measured."""
    broken, (arguments, counts) = break_of(ps), worst(ps)
    assert broken.size(*arguments) == counts
    calls = min(MOST_CALLS, broken.most // counts)
    begin = time.process_time()
    for kind in ("right", "wrong"):
        for place in range(len(implementations(ps, kind))):
            function = broken._called(kind, place)
            for _ in range(calls // 10):
                with suppress(Refused):
                    function(arguments, {})
            function.sent = broken.most
            with pytest.raises(DecidedError):
                function(arguments, {})
            assert function.overrun.startswith(f"with more than {broken.most:,} ")
    assert 10 * (time.process_time() - begin) < 1.5 * suite.MOST_OF_OURS_S  # half of what it may cost


@pytest.mark.usefixtures("repetition")
def test_many_boards_are_refused_by_their_squares_and_told_so():
    code = "import numpy as np\n\n\ndef check_has_run(has_run):\n    for _ in range(2_900):\n" \
        "        has_run(np.ones((40, 40)), 0, 5)\n"
    ours = our_submission(load("ps1_games"))
    report = grade_exercise(replace(ours, cells=(*ours.cells, Cell("mine", code, None, "code"))), "1.14", SETTINGS)
    assert (report.outcome, report.points) == (Outcome.NOT_YET, 0.0)
    assert "calls has_run with more than 800,000 squares in all" in (first_lost(report.checks).hint or "")


DEAR = '''
import codec
import sys


def check_backpropagate(backpropagate):
    frame = sys._getframe()
    while not hasattr(frame.f_locals.get("self"), "connection"):
        frame = frame.f_back
    worker = frame.f_locals["self"]
    data = codec.framed((0, "callback", [[[(-1, 0, 0.0)], 0, 1.0], {}]))
    while True:
        worker.connection.sendall(data)
        worker.receive()
'''


@pytest.mark.usefixtures("processes")
def test_all_processes_of_an_exercise_together_have_one_limit_of_the_grader_s_time(monkeypatch):
    """The limit is below what a check may ask for: its sentence names the grader's time, and says nothing of a slow check."""
    monkeypatch.setattr(suite, "MOST_OF_OURS_S", 0.03)
    monkeypatch.setattr("tests.hidden.break_it.MOST_CALLS", 10**9)  # a fast machine answers 3,000 calls in this time
    runner = SubmissionRunner(with_check(DEAR))
    run = SuiteRun(runner, SETTINGS, exercise="2.15")
    try:
        run.run()
    finally:
        runner.close()
    findings = run.findings["2.15"]
    right = [finding for finding in findings if not finding.partial_credit]
    assert {finding.outcome for finding in right} == {Outcome.NOT_YET}
    assert all((finding.hint or "").startswith("The grader stopped: ") and "not too slow" in finding.hint for finding in right)
    assert runner.cpu_s < 20


def test_the_grader_may_answer_longer_where_an_exercise_may_work_longer():
    run = SuiteRun(SimpleNamespace(submission=None), Settings(b""))
    longer = {}
    for cpu_s in (1.0, EXERCISE_CPU_S, 10 * EXERCISE_CPU_S):
        run.settings = Settings(b"", cpu_s=(("2.9", cpu_s),))
        run._findings = lambda *_, cpu_s=cpu_s: longer.update({cpu_s: run._now.longer}) or []
        run.host_lock = SimpleNamespace()
        checks = [check for check in hidden_suite("ps2_uct").checks if check.exercise == "2.9"]
        run._attempt(load("ps2_uct").exercise("2.9"), checks, "ours")
    assert longer == {1.0: 1.0, EXERCISE_CPU_S: 1.0, 10 * EXERCISE_CPU_S: 10.0}
