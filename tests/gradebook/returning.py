"""A class whose work comes from the downloads of platforms and whose pages go back to them; graded with reports made by hand."""

import csv
import subprocess
import zipfile
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from arena.challenge.ladder import load_ladder
from arena.challenge.report import PLAYED, ChallengeReport, RungReport, Verdict
from arena.result import MatchResult, PlayedGame
from autograder.challenge.player.entrant import Entrant
from autograder.course.challenge.class_exams import Challenge, Result, write_reports
from autograder.course.challenge.exam_pages import write_challenge_pages
from autograder.course.feedback import feedback
from autograder.course.storage.attempts import read_attempts
from autograder.course.storage.report_store import ReportStore
from autograder.gradebook.marks.final_marks import forget_mark_changes, write_final
from autograder.gradebook.marks.read_marks import read_marks
from autograder.gradebook.recording.challenge import record_challenge
from autograder.submission.discover import Entry
from autograder.submission.payload import read_payload
from tests.commands import autograder_here
from tests.gradebook.conftest import PS, SmallClass
from tests.students import stub
from tests.tables import rows_of

PACKED = (2026, 11, 1, 8, 0, 0)
GAMES = (PlayedGame((3, 0, 3, 0, 3, 0, 6, 0), 6, 0, 0.0), PlayedGame((3, 0, 3, 0, 3, 0), 6, 1, 0.0))


@dataclass
class Returning:
    """A course, and what its commands say."""

    small: SmallClass
    roster: list[dict[str, str]] = field(default_factory=list)

    @property
    def folder(self) -> Path:
        return self.small.folder

    def write_roster(self, *people: Mapping[str, str]) -> None:
        self.roster = [dict(person) for person in people]
        columns = list(dict.fromkeys(column for person in people for column in person))
        with (self.folder / "roster.csv").open("w", newline="", encoding="utf-8") as file:
            table = csv.DictWriter(file, columns)
            table.writeheader()
            table.writerows(self.roster)

    def download(self, members: Mapping[str, str | bytes], name: str = "download.zip", date: tuple = PACKED) -> Path:
        """A zip with these members, beside the course."""
        path = self.folder.parent / name
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
            for member, content in members.items():
                made.writestr(zipfile.ZipInfo(member, date), content)
        return path

    def run(self, *words: object, status: int = 0) -> subprocess.CompletedProcess[str]:
        done = autograder_here(*words)
        assert done.returncode == status, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return done

    def collect(self, *zips: Path, status: int = 0, ps: str = PS) -> str:
        return self.run("collect", self.folder, *zips, "--ps", ps, status=status).stdout

    def give_back(self, way: str, *options: object, status: int = 0, ps: str = PS) -> str:
        """Run the command for one set, or the challenge, and return all that it printed."""
        done = self.run("return", self.folder, way, "--ps", ps, *options, status=status)
        return done.stdout + done.stderr

    def grade(self, failed: Mapping[str, tuple[str, ...]] | None = None) -> None:
        """Record, publish and note the marks of everybody who has handed in."""
        students = sorted(path.parent.name for path in (self.folder / "submitted").glob(f"*/{PS}/"))
        reports = {student: self.small.report(student, (failed or {}).get(student, ())) for student in students}
        for student, report in reports.items():
            ReportStore(self.folder, PS).put(student, report, {})
        self.small.record(**reports)
        feedback(self.folder, PS)
        self.note_marks()

    def examine(self, points: Mapping[str, tuple[str, float]]) -> None:
        """Hold the challenge: by student the set of the player, and the points of an exam of two games."""
        challenge = Challenge(load_ladder(), attempts=read_attempts(self.folder))
        for student, (ps, points_of_exam) in points.items():
            folder = self.folder / "submitted" / student / ps
            payload = read_payload(folder, ps)
            of_set = replace(self.small.report(student), problem_set=ps, sha256=payload.sha256)
            ReportStore(self.folder, ps).put(student, of_set, {})
            match, verdict = MatchResult(("you", "Stone"), GAMES), Verdict("failed", 0.0, 10.0, -7.0)
            rung = RungReport.of("Stone", 400, match, (0.0, 0.4), verdict)
            report = ChallengeReport(ps, payload.sha256, PLAYED, "", points_of_exam, simulations=400, rungs=(rung,))
            entrant = Entrant(ps, Entry(student, folder), of_set, payload.player_sha256)
            challenge.results[student] = Result(entrant, report)
            challenge.attempts.add(entrant)
        write_reports(self.folder, challenge)
        record_challenge(self.folder, challenge.reports)
        write_challenge_pages(self.folder, challenge, defaultdict(list))
        self.note_marks()

    def note_marks(self) -> None:
        with self.small.gradebook() as gradebook:
            write_final(self.folder, read_marks(self.folder, gradebook))
        forget_mark_changes(self.folder)

    def packed(self, way: str, ps: str = PS) -> dict[str, str]:
        """The members of returned/<ps>/<way>.zip, with their text."""
        with zipfile.ZipFile(self.folder / "returned" / ps / f"{way}.zip") as archive:
            assert archive.testzip() is None
            return {name: archive.read(name).decode() for name in archive.namelist()}

    def table(self, way: str, ps: str = PS) -> list[dict[str, str]]:
        return rows_of(self.folder / "returned" / ps / f"{way}.csv")


def work_of(student: str, ps: str = PS) -> str:
    """A hand-in that no other student has."""
    return stub(ps, f"NAME = {student!r}")
