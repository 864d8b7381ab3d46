"""The tables on the terminal after the grading of a class."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from arena.challenge.report import PLAYED
from arena.challenge.sprt import VERDICTS
from autograder.course.summary import Summary
from autograder.gradebook.policy.people_names import Names, read_names
from autograder.grading.report import Outcome
from autograder.pages.charts import histogram
from autograder.plain_text import plain_text

if TYPE_CHECKING:
    from autograder.course.challenge.class_exams import Challenge
    from autograder.gradebook.marks.final_marks import MarkChange

WIDE = 72  # characters; a narrower table has heads of two lines
NAMES = 26  # characters that the column of names has on a wide terminal
MOST_NAMED = 10  # changed marks that are named on the terminal
STYLES = dict(zip(Outcome, ("green", "red", "bright_black", "yellow", "bold magenta"), strict=True))


def print_summary(console: Console, summary: Summary) -> None:
    """Print the outcomes per exercise, the points of the class, the remarks, and the two last lines."""
    console.print(_outcomes(summary, console.width))
    console.print(_points(summary, console.width))
    if summary.challenge:
        console.print(_ladder(summary.challenge, console.width))
    names = read_names(summary.course)
    for remark in summary.remarks:
        console.print(f"note: {names.in_sentence(remark)}", markup=False, highlight=False)
    if summary.nothing_changed:
        console.print("nothing changed since the last run", highlight=False)
    else:
        reports, changes = summary.reports_changed, summary.changes_of_points
        console.print(f"{reports} report{' is' if reports == 1 else 's are'} new or changed, "
                      f"{changes} change{'' if changes == 1 else 's'} of points in changes.csv", highlight=False)
    if number := len(summary.to_mark or ()):
        console.print(f"to be marked by hand: {number} submission{'' if number == 1 else 's'}", highlight=False)
    _print_mark_changes(console, summary.mark_changes, names)
    if summary.known:
        console.print(f"{summary.known} exercise{' was' if summary.known == 1 else 's were'} known from before, because nothing "
                      "that decides them has changed", highlight=False)
    if number := len(summary.change_texts):
        console.print(f"{number} student{'' if number == 1 else 's'} should be told, a text for each: {summary.texts_at}",
                      markup=False, highlight=False, soft_wrap=True)
    total, faults = len(summary.reports), summary.faults
    console.print(f"graded {total} of {total} submission{'' if total == 1 else 's'}, "
                  f"{faults} grader fault{'' if faults == 1 else 's'}", highlight=False)
    console.print(str(summary.page), markup=False, highlight=False, soft_wrap=True)


def print_changes(console: Console, summary: Summary) -> None:
    """Print every change of points of a run, with its cause."""
    names = read_names(summary.course)
    for change in summary.changes:
        line = names.at_start(str(change), change.student)
        console.print(f"  {plain_text(line)}", markup=False, highlight=False)
    if not summary.changes:
        console.print(f"no points of {summary.ps} are others than before", highlight=False)


def _print_mark_changes(console: Console, changes: Sequence[MarkChange], names: Names) -> None:
    """Say whose final marks are others than after the run before: by hand, by an extension, by another submission."""
    if changes:
        have = "mark has" if len(changes) == 1 else "marks have"
        console.print(f"{len(changes)} final {have} changed, see final.csv:", highlight=False)
    for change in changes[:MOST_NAMED]:
        line = names.at_start(str(change), change.student)
        console.print(f"  {plain_text(line)}", markup=False, highlight=False)
    if len(changes) > MOST_NAMED:
        console.print(f"  and {len(changes) - MOST_NAMED} more", highlight=False)


def _table(title: str, first: str, others: Iterable[str], width: int) -> Table:
    """Return a table of names and numbers; names wrap where `width` characters do not hold them, and nothing is cut off."""
    table = Table(box=box.SIMPLE_HEAD, padding=0, title=title, title_justify="left")
    table.add_column(first, overflow="fold", min_width=min(NAMES, width // 3))
    for head in others:
        lines = head.replace(" ", "\n") if width < WIDE else head
        table.add_column(lines, no_wrap=True, justify="right", min_width=max(map(len, lines.split("\n"))))
    return table


def _outcomes(summary: Summary, width: int) -> Table:
    reports = list(summary.reports.values())
    heads = ("points", *(outcome.removeprefix("grader ") for outcome in Outcome))
    table = _table(f"{summary.ps}: outcomes", "exercise", heads, width)
    for place, exercise in enumerate(reports[0].exercises):
        counts = Counter(report.exercises[place].outcome for report in reports)
        cells = [f"[{STYLES[outcome]}]{counts[outcome]}[/]" if counts[outcome] else "" for outcome in Outcome]
        most = "dropped" if exercise.dropped else f"+{exercise.max_points:g}" if exercise.extra else f"{exercise.max_points:g}"
        table.add_row(escape(f"{exercise.id} {exercise.title}"), most, *cells)
    return table


def _ladder(challenge: Challenge, width: int) -> Table:
    """The results against each bot of the ladder, the highest bot on top."""
    entered = sum(report.outcome == PLAYED for report in challenge.reports.values())
    title = f"challenge: {entered} of {len(challenge.reports)} have a player"
    table = _table(title, "bot", ("points", *VERDICTS), width)
    met = Counter((rung.name, rung.verdict) for report in challenge.reports.values() for rung in report.rungs)
    for rung in reversed(challenge.ladder.climbed):
        table.add_row(escape(rung.name), f"{rung.points:g}", *(str(met[rung.name, verdict] or "") for verdict in VERDICTS))
    return table


def _points(summary: Summary, width: int) -> Table:
    rows = histogram([report.points for report in summary.reports.values()])
    longest = min(30, width - 24)
    tallest = max(count for _, count in rows)
    table = Table("points", "submissions", box=box.SIMPLE_HEAD, title="points of the class", title_justify="left")
    for label, count in rows:
        table.add_row(label, f"{'█' * -(-longest * count // tallest)} {count or ''}")
    return table
