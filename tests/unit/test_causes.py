"""What kept a submission from its points: each cause once, with all that it cost; and what a class has in common."""

import random
from collections import Counter

import pytest

from autograder.grading.outcomes import _SENTENCES, MEANING, Wording, finding
from autograder.grading.report import Check, ExerciseReport, Outcome, Report
from autograder.pages.causes import _OF_ARENA, STOPPED, Kind, causes, kind_of
from autograder.pages.course.class_counts import help_first, lesson, lost_properties, mistakes, stopped
from autograder.problem_sets.source import load
from autograder.sandbox.errors import (
    Costly,
    Died,
    OutOfMemory,
    Overdrawn,
    Raised,
    TooSlow,
    Unsendable,
    WallClockTimeout,
    WrongType,
)
from autograder.submission.parse import Cell
from autograder.submission.read import Submission

PS = load("ps2_uct")
CODE = Submission(PS, "notebook", (Cell("cell 3", "def f():\n    return 1 / 0\n", "2.5", "code"),), "", "0")
POINTS = 10.0
PROPERTIES = ("a win is a loss one ply up", "a draw stays a draw", "every node gets a visit")


def exercise(id: str, outcome: Outcome, hint: str | None = None, first: int = 0, **more: object) -> ExerciseReport:
    """An exercise of which every property has this outcome, and the advice is on one of them."""
    hints = [hint if place == first else None for place in range(len(PROPERTIES))]
    checks = tuple(Check(f"test_{place}", line, outcome, hints[place]) for place, line in enumerate(PROPERTIES))
    points = POINTS if outcome == Outcome.PASSED else 0.0
    return ExerciseReport(id, f"title {id}", outcome, points, POINTS, checks, **more)


def report(*exercises: ExerciseReport, note: str = "") -> Report:
    return Report(PS.name, "module", "0" * 64, 0.0, POINTS * len(exercises), note, ()).with_exercises(exercises)


ENDS = [
    (Raised(["ZeroDivisionError"], "cell 3", 2, ""), Kind.CRASH), (Raised(["IllegalMove"], "cell 3", 2, ""), Kind.CRASH),
    (Raised([""], "cell 3", 2, ""), Kind.CRASH), (Raised(["TypeError"], "", 0, ""), Kind.CRASH),
    (Died("your code ended its own process"), Kind.CRASH), (Died("your code crashed the interpreter"), Kind.CRASH),
    (OutOfMemory("", ""), Kind.LIMIT), (Overdrawn("", ""), Kind.LIMIT), (Unsendable(""), Kind.LIMIT), (Costly(""), Kind.LIMIT),
    (TooSlow(""), Kind.TIME), (WallClockTimeout(""), Kind.TIME), (WrongType("a list", "3", "an int"), Kind.TYPE),
    (AssertionError("2 == 3"), Kind.MISTAKE),
]


@pytest.mark.parametrize("error, kind", ENDS, ids=lambda value: type(value).__name__)
def test_advice_as_the_grader_gives_it_has_its_kind(error, kind):
    check = finding(Wording("test_0", PROPERTIES[0], "Who is to move?"), error, CODE)
    assert kind_of(exercise("2.5", check.outcome, check.hint)) == kind


def test_every_sentence_of_the_grader_on_an_error_is_tried_above():
    kinds = {kind for either, _ in _SENTENCES for kind in (either if isinstance(either, tuple) else (either,))}
    assert kinds <= {type(error) for error, _ in ENDS} and set(MEANING) == _OF_ARENA


@pytest.mark.parametrize("question", [
    "Ties: which child wins?", "Is the sign right? Value: for whom?", "Error: is none the right answer here?", "What is N?",
])
def test_a_question_is_no_exception(question):
    assert kind_of(exercise("2.5", Outcome.NOT_YET, question)) == Kind.MISTAKE


def test_one_cause_stands_once_with_all_that_it_cost():
    crash = "NameError in cell 2, line 1: `import numpie`"
    seen = causes(report(
        exercise("2.0", Outcome.NOT_YET, crash), exercise("2.1", Outcome.PASSED), exercise("2.2", Outcome.NOT_YET, crash),
        exercise("2.3", Outcome.NOT_YET, "Who is to move?"), exercise("2.4", Outcome.NOT_YET, "Who is to move?"),
        exercise("2.5", Outcome.NOT_WRITTEN), exercise("2.6", Outcome.NOT_WRITTEN), exercise("2.7", Outcome.NOT_WRITTEN),
        exercise("2.8", Outcome.NOT_YET, crash, extra=True), exercise("joint", Outcome.NOT_YET, waits_for=("2.0",)),
    ))
    assert [(cause.kind, [exercise.id for exercise in cause.exercises], cause.gain) for cause in seen] == [
        (Kind.UNWRITTEN, ["2.5", "2.6", "2.7"], 30.0), (Kind.CRASH, ["2.0", "2.2", "2.8"], 20.0), (Kind.MISTAKE, ["2.3"], 10.0),
        (Kind.MISTAKE, ["2.4"], 10.0), (Kind.WAITING, ["joint"], 10.0)]


def test_two_exercises_that_took_too_long_have_a_cause_each():
    slow, large = "Your code used up its time", "Your code needed more memory than a submission may use"
    seen = causes(report(*(exercise(id, Outcome.TOO_SLOW if hint == slow else Outcome.NOT_YET, hint)
                           for id, hint in (("2.0", slow), ("2.1", large), ("2.2", slow), ("2.3", large)))))
    assert [(cause.kind, [exercise.id for exercise in cause.exercises]) for cause in seen] == [
        (Kind.TIME, ["2.0"]), (Kind.LIMIT, ["2.1"]), (Kind.TIME, ["2.2"]), (Kind.LIMIT, ["2.3"])]


def test_what_costs_only_optional_exercises_gains_their_points():
    seen = causes(report(exercise("2.0", Outcome.PASSED), exercise("2.15", Outcome.NOT_YET, "Who is to move?", extra=True)))
    assert [(cause.extra, cause.gain) for cause in seen] == [(True, 10.0)]


def test_an_optional_exercise_is_none_of_the_causes_that_cost_points():
    (entry,) = help_first({"ada": report(
        exercise("2.0", Outcome.NOT_YET, "Who is to move?"), exercise("2.1", Outcome.NOT_WRITTEN),
        exercise("2.15", Outcome.NOT_YET, "Who is to move?", extra=True))})
    assert entry.sentence.endswith("(costs 10; 10 more by 1 other cause)")


def test_what_the_note_explains_is_one_cause():
    seen = causes(report(exercise("2.0", Outcome.NOT_WRITTEN), exercise("2.1", Outcome.NOT_WRITTEN), note="Skipped: SyntaxError"))
    assert [(cause.kind, cause.gain, cause.line, cause.hint) for cause in seen] == [(Kind.NOTE, 20.0, "", None)]


def test_nobody_reads_of_what_is_undecided_or_dropped():
    undecided = exercise("2.0", Outcome.GRADER_FAULT)
    dropped = ExerciseReport("2.1", "", Outcome.NOT_YET, 0.0, 0.0, ())
    assert causes(report(undecided, dropped, exercise("2.2", Outcome.PASSED))) == []


HINTS = {
    Kind.CRASH: (Outcome.NOT_YET, "IndexError in cell 4, line 2: `return moves[7]`"),
    Kind.LIMIT: (Outcome.NOT_YET, "Your code needed more memory than a submission may use"),
    Kind.TIME: (Outcome.TOO_SLOW, "Your code used up its time"),
    Kind.TYPE: (Outcome.NOT_YET, "The docstring promises a list, and your code gives an int"),
    Kind.MISTAKE: (Outcome.NOT_YET, "Who is to move?"),
    Kind.UNWRITTEN: (Outcome.NOT_WRITTEN, None),
}


@pytest.mark.parametrize("seed", range(50))
def test_the_sentences_about_a_drawn_class_are_true(seed):
    """the causes are drawn first, so they are known; all properties are lost in each of them"""
    dice = random.Random(seed)
    ids, students = ("2.0", "2.1", "2.2", "2.3"), [f"s{number}" for number in range(dice.randint(1, 40))]
    known = {}  # (student, exercise) -> kind and the property of the advice
    for student in students:
        for id in ids:
            if dice.random() < 0.6:
                known[student, id] = dice.choice(list(HINTS)), dice.choice((0, 0, 0, 1, 2))
    reports = {student: report(*(
        exercise(id, *HINTS[known[student, id][0]], first=known[student, id][1]) if (student, id) in known
        else exercise(id, Outcome.PASSED) for id in ids)) for student in students}

    of_property = Counter((id, place) for (_, id), (kind, place) in known.items() if kind == Kind.MISTAKE)
    counted = {(entry.exercise.id, int(entry.check[-1])): len(entry.mistaken) for entry in lost_properties(reports)}
    assert {key: number for key, number in counted.items() if number} == of_property
    shared = [number for number in sorted(of_property.values(), reverse=True) if number > 1]
    assert [len(entry.mistaken) for entry in mistakes(lost_properties(reports))] == shared[:3]
    assert {entry.kind: (set(entry.students), entry.exercises) for entry in stopped(reports)} == {
        kind: ({student for (student, _), (of, _) in known.items() if of == kind},
               Counter(id for (_, id), (of, _) in known.items() if of == kind))
        for kind in STOPPED if kind in {of for of, _ in known.values()}}
    first, *others = lesson(reports, lost_properties(reports), None, None)
    for entry, sentence in zip(mistakes(lost_properties(reports)), [first, *others], strict=False):
        number = f"{len(entry.mistaken)} of {len(reports)}"
        what = f"{entry.exercise.id} title {entry.exercise.id} (worth {entry.exercise.max_points:g})"
        assert sentence == f"{number} fail {what}. Required: “{entry.line}”."
    failing = {kind for kind, _ in known.values()} - {Kind.UNWRITTEN}
    if not shared:
        assert first == ("No two students make the same mistake." if failing else "No exercise that was written fails.")

    helped = help_first(reports)
    assert [entry.points for entry in helped] == sorted(report.points for report in reports.values() if report.points < 30.0)
    for entry in helped:
        worst, *others = causes(reports[entry.student])
        more = sum(other.gain for other in others)
        rest = f"; {more:g} more by {len(others)} other cause" if more else ")"
        assert entry.sentence.startswith(worst.exercises[0].id) and f"(costs {worst.gain:g}{rest}" in entry.sentence
