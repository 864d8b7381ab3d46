"""The report of a challenge as text, for the gradebook's notebook and the class page."""

from __future__ import annotations

from arena.challenge.report import PLAYED, ChallengeReport, RungReport
from arena.challenge.sprt import PASSED

FAULT = "The grader failed here, not you: no points are given or taken. Your instructor sees this too. The next run plays again."
OPEN = "undecided"  # shown instead of points while the points are not known


def in_short(report: ChallengeReport) -> str:
    """Return one line for a table: the highest rung that the player passed."""
    if report.has_fault:
        return f"{OPEN} ({report.outcome})"
    if report.outcome != PLAYED:
        return report.outcome
    passed = [rung.name for rung in report.rungs if rung.verdict == PASSED]
    open_ = [f"{rung.name} {rung.verdict}" for rung in report.rungs if rung.verdict != PASSED]
    return ", ".join([f"up to {passed[-1]}" if passed else "no rung", *open_])


def report_text(report: ChallengeReport) -> str:
    """Return the report as text, one line per rung."""
    if report.has_fault:
        return f"challenge   {report.outcome.upper()}   {OPEN}\n    {FAULT}\n"
    lines = [f"challenge   {report.outcome.upper()}   {report.points:g} of {report.max_points:g} points"]
    if report.outcome != PLAYED:
        lines.append(f"    {report.note}")
    lines += [f"    {rung_text(rung)}" for rung in report.matches]
    if report.quality:
        lines.append(f"    move quality: {report.quality.points:g} of {report.quality.max_points:g} points")
    return "\n".join(lines) + "\n"


def rung_text(rung: RungReport) -> str:
    """Return one line about one match."""
    counts = " ".join(str(sum(pair)) for pair in (rung.wins, rung.draws, rung.losses))
    low, high = rung.interval
    return (
        f"{rung.name:<9} {rung.verdict:<10} score {rung.score:.3f} ({low:.2f} to {high:.2f}) in {len(rung.games)} games "
        f"(won, drawn, lost: {counts}), {rung.points:g} of {rung.max_points:g} points"
    )
