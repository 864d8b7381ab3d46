"""`make width` and `explain --lines`: the probes in the code, the branches that are named, and the records of accepted ones."""

import io
import marshal
from collections.abc import Callable
from pathlib import Path
from types import CodeType
from typing import Any

import pytest
from rich.console import Console

from arena.errors import UserError
from autograder.course.unrun_lines import ONE_BY_ONE, unrun_lines
from autograder.grading.config import Settings
from autograder.grading.edition import public_secret
from autograder.grading.grade import grade_read
from autograder.grading.probes import NEVER_FALSE, NEVER_RUN, NEVER_TRUE, RAN, Branch, outermost, probes, with_front
from autograder.grading.reference import module_submission, our_submission
from autograder.grading.watched_run import Watch, run_watched
from autograder.problem_sets.source import load, module_text
from autograder.sandbox.session import Session
from autograder.selftest.width import branches as width
from autograder.selftest.width.record import RIGHT_ANSWER, entry_for, load_records, misfits, name_of, outdated
from autograder.submission.parse import Cell

PS2 = load("ps2_uct")
TEST = "node.num_visits == 0"  # the condition of 2.6


def unrun(code: str, call: Callable[[dict[str, Any]], object]) -> list[tuple[int, str, str]]:
    """Load code with probes, as the sandbox does, make a call, and return the branches that it did not run."""
    submission = module_submission(PS2, "")
    cells = (*with_front(submission).cells[:1], Cell("a cell", code, "2.5", "code"))
    noted = probes(cells)
    space: dict[str, Any] = {}
    for each in marshal.loads(noted.code):
        assert isinstance(each, CodeType)
        exec(each, space)
    call(space)
    inside = [branch for branch in noted.branches if branch.number != branch.loaded]
    return [(branch.line, branch.kind, branch.text) for branch in outermost(inside, frozenset(space[RAN]))]


@pytest.mark.parametrize(
    "body, given, wanted",
    [
        ("if x > 0:\n        return 1\n    return 2", 1, [(2, NEVER_FALSE, "x > 0")]),
        ("if x > 0:\n        return 1\n    return 2", -1, [(2, NEVER_TRUE, "x > 0")]),
        ("if not x:\n        return 1\n    else:\n        return 2", 1, [(2, NEVER_FALSE, "x")]),
        ("return 1 if x else 2", 1, [(2, NEVER_FALSE, "x")]),
        ("return x or 7", 1, [(2, NEVER_FALSE, "x")]),
        ("if x > 0 and x > 1:\n        return 1", 2, [(2, NEVER_FALSE, "x > 0"), (2, NEVER_FALSE, "x > 1")]),
        ("if x < 0 and x > 1:\n        return 1", 2, [(2, NEVER_TRUE, "x < 0")]),
        ("return [y for y in range(x) if y < 5]", 3, [(2, NEVER_FALSE, "y < 5")]),
        ("for y in range(x):\n        y += 1\n        break\n    else:\n        y = 2", 0, [(3, NEVER_RUN, "y += 1")]),
        ("while x:\n        x -= 1", 0, [(2, NEVER_TRUE, "x")]),
        ("try:\n        x = 1 // x\n    except ZeroDivisionError:\n        x = 7", 1, [(5, NEVER_RUN, "x = 7")]),
        ("def inner():\n        return x\n    return 7", 1, [(3, NEVER_RUN, "return x")]),
        ("return (lambda y: 1 if y else 2)(x)", 1, [(2, NEVER_FALSE, "y")]),
        ("match x:\n        case 1:\n            x = 1\n        case _:\n            x = 2", 1, [(6, NEVER_RUN, "x = 2")]),
        ('"""Words."""\n    return x', 1, []),
        ("global y\n    y = x", 1, []),
    ],
)
def test_a_branch_that_was_not_run_is_named_once(body: str, given: int, wanted: list[tuple[int, str, str]]) -> None:
    assert unrun(f"def f(x):\n    {body}\n", lambda space: space["f"](given)) == wanted


def test_probes_change_neither_results_nor_the_lines_of_an_error() -> None:
    code = "from __future__ import annotations\ndef f(x: Unknown):\n    '''Words.'''\n    y = x and [1]\n    return y[x]\n"
    seen: list[Any] = []

    def call(space: dict[str, Any]) -> None:
        seen.extend([space["f"].__doc__, space["f"].__annotations__])
        with pytest.raises(IndexError) as caught:
            space["f"](3)
        seen.append([line.lineno for line in caught.traceback][-1])

    unrun(code, call)
    assert seen == ["Words.", {"x": "Unknown"}, 4]  # the line counts from 0


def test_a_lambda_with_a_name_and_the_methods_of_a_class_are_functions_too() -> None:
    code = "f = lambda x: 1 if x else 2\nclass A:\n    most = 3 if f else 4\n    def g(self, x):\n        return x and 1\n"
    assert unrun(code, lambda space: (space["f"](1), space["A"]().g(0))) == [(1, NEVER_FALSE, "x"), (5, NEVER_TRUE, "x")]


def test_a_cell_that_is_not_python_is_left_to_the_sandbox() -> None:
    noted = probes([Cell("a", "def f(:\n", None, "code"), Cell("b", "def g():\n    return 1\n", None, "code")])
    assert marshal.loads(noted.code)[0] is None and {branch.label for branch in noted.branches} == {"b"}


@pytest.mark.usefixtures("processes")
def test_the_table_names_what_no_check_runs_and_what_no_check_would_run_without_some(tmp_path: Path) -> None:
    """2.6 as it is has no hole. A branch that is never run, and a condition whose checks are left out, are named."""
    assert over(tmp_path, "2.6") == (0, "0 branches of our solution that no check runs")
    noted, watch = probes(with_front(our_submission(PS2)).cells), Watch()
    run_watched(our_submission(PS2), noted, Settings(public_secret()), watch, "2.6")
    (yes,) = (branch.number for branch in noted.branches if branch.exercise == "2.6" and branch.text == TEST
              and branch.kind == NEVER_TRUE)
    needed = [check for check, ran in watch.ran.items() if yes in ran]
    assert needed and over(tmp_path, "2.6", needed) == (1, f"==== 2.6 ucb: never true: {TEST}")
    with pytest.MonkeyPatch.context() as patch:
        solution = module_submission(PS2, with_an_unrun_line(module_text(PS2, solution=True)))
        patch.setattr(width, "our_submission", lambda problem_set: solution)
        assert over(tmp_path, "2.6") == (1, "==== 2.6 ucb: never true: exploration == 123456")


UCB = """
def ucb(node, exploration):
    if node.num_visits == 0:
        return math.inf
    return node.total_value / node.num_visits + exploration * math.sqrt(math.log(node.parent.num_visits) / node.num_visits)
"""


def with_an_unrun_line(text: str) -> str:
    line = f"    if {TEST}:\n"
    assert text.count(line) == 1
    return text.replace(line, f"    if exploration == 123456:\n        return 7.0\n{line}")


def over(room: Path, exercise: str, without: list[str] | None = None) -> tuple[int, str]:
    """Return the exit code of a run over one exercise, and the line that names a hole, or says that there is none."""
    shown = io.StringIO()
    run = width.Run(Console(file=shown, width=200), exercise, without or (), records=room, right=None, room=room)
    code = run.over(["ps2_uct"])
    return code, next(line for line in shown.getvalue().splitlines() if line.startswith(("====", "0 branches of our solution")))


def over_right_answer(room: Path, title: str, code: str) -> tuple[int, list[str]]:
    """Return the exit code of a run of 2.6 over this right answer alone, and the lines that name its branches."""
    (room / "ps2_uct.py").write_text(f"# %% {title}\n{code}")
    shown = io.StringIO()
    ended = width.Run(Console(file=shown, width=200), "2.6", records=room, right=room, room=room).over(["ps2_uct"])
    return ended, [line for line in shown.getvalue().splitlines() if line.startswith("====")]


@pytest.mark.usefixtures("processes")
def test_a_branch_of_a_right_answer_is_named_until_it_has_a_reason(tmp_path: Path) -> None:
    title, code = "a number that nobody gives", with_an_unrun_line(UCB)
    assert over_right_answer(tmp_path, title, code) == (1, [f"==== {title}: ucb: never true: exploration == 123456"])
    branch = a_branch("exploration == 123456")
    (tmp_path / "ps2_uct.toml").write_text(entry_for(branch, title).replace('why = ""', 'why = "nobody gives it"'))
    assert over_right_answer(tmp_path, title, code) == (0, [])
    (known,) = load_records("ps2_uct", tmp_path, RIGHT_ANSWER)
    assert outdated([known], {name_of(branch, title)}) == []
    assert outdated([known], {name_of(branch, "another")})[0].endswith(f"no such branch: {known.line()}")


BEST_CHILD = """
def tied(scores):
    return [place for place, score in enumerate(scores) if score == max(scores)]


def best_child(node, exploration, rng):
    children = list(node.children.values())
    if not children:
        raise ValueError("a node without children")
    return children[rng.choice(tied([ucb(child, exploration) for child in children]))]
"""


@pytest.mark.usefixtures("processes")
def test_a_helper_of_a_right_answer_may_be_run_by_the_checks_of_any_exercise(tmp_path: Path) -> None:
    """The checks of 2.6 never come to `tied`, but those of 2.7 do; nobody comes to `spare`."""
    assert over_right_answer(tmp_path, "with a helper", UCB + BEST_CHILD) == (0, [])
    spare = "def spare(scores):\n    return scores[0]\n"
    assert over_right_answer(tmp_path, "with two", f"{UCB}{BEST_CHILD}\n\n{spare}") == (
        1, ["==== with two: spare: never run: return scores[0]"])


@pytest.mark.usefixtures("processes")
def test_a_run_in_which_nothing_was_noted_is_not_a_good_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Watch, "_noted", lambda self: set())
    shown = io.StringIO()
    run = width.Run(Console(file=shown, width=200), "2.6", records=tmp_path, right=None, room=tmp_path)
    assert run.over(["ps2_uct"]) == 1
    assert "ps2_uct 2.6: no branch was watched, so nothing is known of it" in shown.getvalue()


@pytest.mark.usefixtures("processes")
def test_staff_see_the_lines_of_a_submission_that_no_check_ran(tmp_path: Path) -> None:
    folder = tmp_path / "ps2_uct"
    folder.mkdir()
    (folder / "ps2_uct.py").write_text(with_an_unrun_line(module_text(PS2, solution=True)), encoding="utf-8")
    text = unrun_lines(folder, "ps2_uct")
    after = text.partition("2.6 ucb, passed: ")[2].splitlines()
    assert after[0].startswith("1 of ") and after[1].endswith(": return 7.0") and after[2].startswith("2.7 ")


@pytest.mark.usefixtures("processes")
def test_a_submission_whose_cells_end_the_process_is_not_watched(tmp_path: Path) -> None:
    folder = tmp_path / "ps2_uct"
    folder.mkdir()
    text = module_text(PS2, solution=True).replace("\nimport random\n", "\nimport os, random\n_ = os._exit(0)\n", 1)
    (folder / "ps2_uct.py").write_text(text, encoding="utf-8")
    assert unrun_lines(folder, "ps2_uct").endswith(ONE_BY_ONE)


@pytest.mark.usefixtures("processes")
def test_probes_are_in_no_ordinary_grading(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[str] = []
    request = Session.request
    monkeypatch.setattr(Session, "request", lambda self, *message: sent.append(repr(message)) or request(self, *message))
    grade_read(module_submission(PS2, module_text(PS2, solution=False)), Settings(public_secret()))
    assert sent and not [message for message in sent if RAN in message]


def a_branch(text: str = TEST) -> Branch:
    return Branch(3, "ps2_uct.py", "2.6", "ucb", 851, NEVER_TRUE, text, None, 1)


def test_a_record_with_a_reason_is_read_and_a_stale_one_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "ps2_uct.toml"
    path.write_text(entry_for(a_branch()).replace('why = ""', 'why = "so it is"'))
    records = load_records("ps2_uct", tmp_path)
    assert misfits(records, {"2.6"}, [a_branch()], [a_branch()]) == []
    assert misfits(records, {"2.7"}, [], []) == []
    run, gone = misfits(records, {"2.6"}, [a_branch()], []), misfits(records, {"2.6"}, [a_branch("x")], [a_branch("x")])
    assert run == [f"accepted as never run, but a check runs it: 2.6 ucb: never true: {TEST}"]
    assert gone == [f"accepted as never run, but our solution has no such branch: 2.6 ucb: never true: {TEST}"]


@pytest.mark.parametrize("spoilt, message", [('why = ""', "says nothing under why"), ('why = "so"', "appears twice")])
def test_a_record_says_why_and_is_there_once(spoilt: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "ps2_uct.toml").write_text(2 * entry_for(a_branch()).replace('why = ""', spoilt))
    with pytest.raises(UserError, match=message):
        load_records("ps2_uct", tmp_path)
