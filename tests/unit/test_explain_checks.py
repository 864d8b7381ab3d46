"""`explain` answers a complaint about any hidden check: inputs, expected, what came, the promise, the command again."""

import ast
import csv
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from autograder.course.explain import GIVEN_AWAY, explain, explain_to_student
from autograder.course.promise import docstrings, quoted
from autograder.grading.config import Settings
from autograder.grading.edition import course_secret, public_secret
from autograder.grading.hidden_checks.collect import hidden_suite
from autograder.grading.hidden_checks.suite_run import SuiteRun
from autograder.grading.outcomes import NOT_TRIED, UNTRIED
from autograder.grading.report import Outcome
from autograder.grading.submission_runner import SubmissionRunner
from autograder.paths import REPOSITORY
from autograder.problem_sets.bank.answers import Answer, load_bank, submission_text
from autograder.problem_sets.rules import JOINT
from autograder.problem_sets.source import load, names
from autograder.submission.read import read_folder
from tests import students
from tests.speeds import again

BYTES = re.compile(r"Plain\(|HandleId|Special\(| object at 0x|b'\\x|cannot be shown")
SAMPLE = {  # a check, and a wrong answer that fails it
    "ps1_games": ("test_every_line_of_a_wide_and_of_a_high_board", "1.3: no rising diagonals"),
    "ps2_uct": ("test_the_value_changes_its_sign_at_every_ply", "2.5: backpropagate does not flip the sign"),
    "ps3_connect_four": ("test_the_bound_of_any_node", "3.2: the bound negates the mean, as in problem set 2"),
    "ps4_puct": ("test_a_move_is_made_where_all_is_lost", "4.5: the likeliest action is played"),
    "ps5_alphazero": ("test_priors_are_the_probabilities_of_the_nodes_actions", "5.3: P holds logarithms"),
}


def hand_in(folder: Path, ps: str, answer: Answer) -> Path:
    """Write the solution with this answer in it; return the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{ps}.py").write_text(submission_text(load(ps), answer), encoding="utf-8")
    return folder


def missing(text: str) -> list[str]:
    """What an assistant would look for in this answer to a complaint, and not find."""
    body, _, promise = text.partition("The lesson")
    parts = {
        "inputs": re.search(r"^>> \S", body, re.MULTILINE),
        "expected": re.search(r"^  (?:expected: \S|it says:  \S)", body, re.MULTILINE),
        "came": re.search(r"^  (?:came:     \S|\S+ = \S|it says:  \S)", body, re.MULTILINE),
        "the promise": re.search(r"^    \S", promise, re.MULTILINE),
        "the command": re.search(r"^again: .+ --check \S+ --ps \S+", promise, re.MULTILINE),
    }
    return [name for name, present in parts.items() if not present] + BYTES.findall(body)


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("ps", ["ps2_uct", *map(again, sorted(SAMPLE.keys() - {"ps2_uct"}))])
def test_a_sample_answers_a_complaint(ps: str, tmp_path: Path) -> None:
    check, title = SAMPLE[ps]
    (answer,) = [answer for answer in load_bank(REPOSITORY / "tests" / "wrong" / f"{ps}.py") if answer.title == title]
    text = explain(hand_in(tmp_path, ps, answer), ps, check)
    assert text.splitlines()[0] == f"{answer.exercise} {check}: not yet"
    assert missing(text) == [], text


GREEDY = "test_greedy_takes_the_best_mean"
SUM = """def epsilon_greedy(counts, totals, epsilon, rng):
    return max(range(len(totals)), key=lambda arm: totals[arm])
"""


@pytest.fixture(scope="module")
def ada(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A submission to a course with an edition of its own."""
    course = tmp_path_factory.mktemp("course")
    course_secret(course)
    return students.hand_in(course, "ada", "ps2_uct", students.solved("ps2_uct", SUM))


@pytest.mark.usefixtures("processes")
def test_a_student_reads_a_twin_and_not_the_inputs_of_the_course(ada: Path) -> None:
    hidden = re.findall(r"epsilon_greedy\((\[[^]]+\])", explain(ada, "ps2_uct", GREEDY))
    page = explain_to_student(ada, "ps2_uct", GREEDY)
    assert hidden and not any(counts in page for counts in hidden)
    assert "  expected: " in page and "  came: " in page and "&gt;&gt; epsilon_greedy(" in page
    assert "an arm with the best mean" in page


@pytest.mark.parametrize("check", [
    "test_the_first_wrong_node_and_the_mistake_are_named", again("test_a_wrong_implementation_is_caught[wrong0]")])
@pytest.mark.usefixtures("processes")
def test_a_student_reads_no_answer_that_is_judged_itself(check: str, tmp_path: Path) -> None:
    code = "def first_wrong_node():\n    return ('A', 'sign kept')\n\n\ndef check_backpropagate(backpropagate):\n    pass\n"
    (tmp_path / "ps2_uct.py").write_text(students.solved("ps2_uct", code))
    page = explain_to_student(tmp_path, "ps2_uct", check)
    assert GIVEN_AWAY in page and "expected:" not in page and "&gt;&gt;" not in page


def failed_by(ps: str, exercise: str, folder: Path) -> Iterator[tuple[Answer, set[str]]]:
    """The wrong answers of an exercise, each with the checks that it fails.

    The answers that fail much come first, if `make verify` has written its matrix; without it they come in their order.
    """
    answers = [answer for answer in load_bank(REPOSITORY / "tests" / "wrong" / f"{ps}.py") if answer.exercise == exercise]
    matrix = REPOSITORY / "build" / "verify" / f"{ps}_matrix.csv"
    rows = list(csv.DictReader(matrix.open(encoding="utf-8"))) if matrix.is_file() else []
    caught = {answer.title: sum(bool(row.get(answer.title)) for row in rows if row["exercise"] == exercise) for answer in answers}
    for answer in sorted(answers, key=lambda answer: -caught[answer.title]):
        runner = SubmissionRunner(read_folder(hand_in(folder, ps, answer), ps))
        try:
            run = SuiteRun(runner, Settings(public_secret()), exercise=exercise)
            run.run()
        finally:
            runner.close()
        lost = (finding for finding in run.findings[exercise] if finding.outcome != Outcome.PASSED)
        yield answer, {finding.name for finding in lost if finding.line not in (NOT_TRIED, UNTRIED)}


EXERCISES = [(ps, exercise) for ps in names() for exercise in (*(each.id for each in load(ps).exercises), JOINT)]


@pytest.mark.usefixtures("processes", "repetition")
@pytest.mark.parametrize("ps, exercise", EXERCISES)
def test_every_check_of_an_exercise_answers_a_complaint(ps: str, exercise: str, tmp_path: Path) -> None:
    waiting = {check.name for check in hidden_suite(ps).checks if check.exercise == exercise}
    assert waiting
    poor: dict[str, list[str]] = {}
    for answer, failed in failed_by(ps, exercise, tmp_path):
        for check in sorted(waiting & failed):
            if lost := missing(explain(tmp_path, ps, check)):
                poor[f"{check} with '{answer.title}'"] = lost
        waiting -= failed
        if not waiting:
            break
    assert poor == {}
    assert waiting == set(), "no wrong answer of the bank fails these checks"


@cache
def elsewhere(ps: str) -> str:
    """What students read outside the exercise of a check: the text of the lesson, the given code, the other docstrings."""
    cells = [cell.stub if cell.markdown else "\n".join(docstrings_of(cell.stub)) for cell in load(ps).cells
             if cell.role in ("prose", "given", "exercise")]
    return " ".join("\n".join(cells).replace("\n# ", " ").replace("**", "").split())


def docstrings_of(code: str) -> list[str]:
    nodes = [node for node in ast.walk(ast.parse(code)) if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    return [text for node in nodes if (text := ast.get_docstring(node))]


@pytest.mark.usefixtures("computing")  # it reads all suites
def test_what_a_check_quotes_stands_in_the_lesson() -> None:
    wrong = []
    for ps in names():
        for check in hidden_suite(ps).checks:
            own = " ".join(" ".join(text for _, text in docstrings(load(ps), check)).split())
            wrong += [f"{ps} {check.name}: {quote}" for quote in quoted(check) if quote not in own and quote not in elsewhere(ps)]
    assert wrong == []


def test_a_check_may_quote_several_sentences_and_a_number_ends_none() -> None:
    def check() -> None:
        """A line

        Promised: the mover is 0 when both have the same number of stones, else
        1. The observation is not changed.
        Promised: num_simulations < 1.
        """

    (one, *_) = hidden_suite("ps2_uct").checks
    sentences = ["the mover is 0 when both have the same number of stones, else 1. The observation is not changed.",
                 "num_simulations < 1."]
    assert quoted(replace(one, function=check)) == sentences
