"""A class whose work comes from the downloads of platforms and whose pages go back to them; graded with reports made by hand."""

import csv
import subprocess
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from autograder.course.feedback import feedback
from autograder.course.storage.report_store import ReportStore
from autograder.gradebook.marks.final_marks import forget_mark_changes, write_final
from autograder.gradebook.marks.read_marks import read_marks
from tests.commands import autograder_here
from tests.gradebook.conftest import PS, SmallClass
from tests.students import stub

PACKED = (2026, 11, 1, 8, 0, 0)


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

    def collect(self, *zips: Path, status: int = 0) -> str:
        return self.run("collect", self.folder, *zips, "--ps", PS, status=status).stdout

    def give_back(self, way: str, *options: object, status: int = 0) -> str:
        """Run the command for one set and return all that it printed."""
        done = self.run("return", self.folder, way, "--ps", PS, *options, status=status)
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

    def note_marks(self) -> None:
        with self.small.gradebook() as gradebook:
            write_final(self.folder, read_marks(self.folder, gradebook))
        forget_mark_changes(self.folder)

    def packed(self, way: str) -> dict[str, str]:
        """The members of returned/<ps>/<way>.zip, with their text."""
        with zipfile.ZipFile(self.folder / "returned" / PS / f"{way}.zip") as archive:
            assert archive.testzip() is None
            return {name: archive.read(name).decode() for name in archive.namelist()}

    def table(self, way: str) -> list[dict[str, str]]:
        with (self.folder / "returned" / PS / f"{way}.csv").open(newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))


def work_of(student: str) -> str:
    """A hand-in that no other student has."""
    return stub(PS, f"NAME = {student!r}")
