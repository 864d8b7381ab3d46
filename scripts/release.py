"""What a release hands to students: their repository, the wheel of `arena`, a zip of each problem set, the site.

    python -m scripts.release [--address https://github.com/you/mcts]

writes them into build/release, from the last commit and from build/docs. build/release/student is a git repository ready to push:
each release is a commit on top of the one before. It hands out nothing that holds a line of our solutions or hidden checks: if
something does, it says so, and the last release stays as it was.
"""

import argparse
import io
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from pathlib import Path

from arena.files import write_atomic
from autograder.course.new_course import handout
from autograder.paths import REPOSITORY
from autograder.selftest.leaks import leaks
from scripts.student_repository import NotReleased, Source, lay_out, publish, source_of

SITE = REPOSITORY / "build" / "docs"
RELEASE = REPOSITORY / "build" / "release"
STUDENT = "student"  # the students' repository, in the folder of a release
NOTES = "notes.md"  # what is new, for the page of the release
CHANGELOG, UNRELEASED = "CHANGELOG.md", "Unreleased"


def main(arguments: list[str]) -> int:
    """Write the files of a release; return 1 if one of them holds what belongs to staff, 2 if none can be made."""
    parser = argparse.ArgumentParser(description="Write what a release hands to students into build/release.")
    parser.add_argument("--address", default="", help="address of the students' repository: https://host/owner/name")
    given = parser.parse_args(arguments)
    if not (SITE / "index.html").is_file():
        print(f"{SITE} has no site: run `make docs` first")
        return 2
    RELEASE.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory(dir=RELEASE.parent) as beside:
        room = Path(beside) / RELEASE.name
        if (RELEASE / STUDENT).is_dir():
            shutil.copytree(RELEASE / STUDENT, room / STUDENT, symlinks=True)
        try:
            notes = write_release(committed(Path(folder)), room, source_of(REPOSITORY), given.address)
        except (NotReleased, ValueError) as error:
            print(f"release: {error}")
            return 2
        shutil.make_archive(str(room / "documentation"), "zip", SITE)
        leaked = [line for path in sorted(room.iterdir()) for line in leaks(path)]
        if not leaked:
            shutil.rmtree(RELEASE, ignore_errors=True)
            room.rename(RELEASE)
    for line in leaked or [*notes, *sorted(str(path) for path in RELEASE.iterdir())]:
        print(line)
    return 1 if leaked else 0


def committed(folder: Path) -> Path:
    """Lay out the last commit in a folder: other files of the checkout are not part of a release."""
    packed = subprocess.run(["git", "archive", "HEAD"], cwd=REPOSITORY, stdout=subprocess.PIPE, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
    return folder


def write_release(checkout: Path, to: Path, source: Source, address: str = "") -> list[str]:
    """Write the students' repository, the wheel, the zips and the notes of a checkout into a folder; return what to say of it.

    Args:
        to: a folder; its `student`, if it is there, has the releases before this one.

    Raises:
        NotReleased: there are changes in `student` that are not committed.
        ValueError: the address has another form.
    """
    version = tomllib.loads((checkout / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    log = checkout / CHANGELOG
    news = changes(log.read_text(encoding="utf-8") if log.is_file() else "")
    if version not in news and UNRELEASED in news:
        news = {version: news.pop(UNRELEASED), **news}
    now = news.get(version, {})
    for_all = "\n\n".join(f"## {heading}\n\n{text}" for heading, text in now.items())
    for_students = "\n\n".join(f"## {number}\n\n{text}" for number, parts in news.items()
                               if number != UNRELEASED and (text := part_for("students", parts)))
    with tempfile.TemporaryDirectory() as folder:
        files = Path(folder) / STUDENT
        lay_out(checkout, files, for_students, address)
        commit = publish(files, to / STUDENT, f"Release {version}", part_for("students", now), source)
        _wheel(files, to)
        for path in sorted((files / "assignments").iterdir()):
            write_atomic(to / f"{path.name}.zip", handout(path))
    write_atomic(to / NOTES, f"{for_all or f'Release {version}'}\n")
    notes = [f"{CHANGELOG} has no part for {reader} under {version}, so the notes of this release have none"
            for reader in ("students", "instructors") if not part_for(reader, now)]
    return [*notes, f"the students' repository: commit {commit[:10]}" if commit else "the students' repository has not changed"]


def _wheel(files: Path, to: Path) -> None:
    """Build the wheel of the students' repository, in its folder of files, where the build leaves some of its own."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--wheel-dir", to, files], check=True)


def changes(changelog: str) -> dict[str, dict[str, str]]:
    """Return what a changelog in the form of Keep a Changelog says: version -> heading of a part -> its text.

    A version is a heading of the second level, such as `## [0.2.0] - 2027-01-31` or `## [Unreleased]`; parts are of the third.
    """
    by_version: dict[str, dict[str, str]] = {}
    for section in re.split(r"^## ", changelog, flags=re.M)[1:]:
        title, *parts = re.split(r"^### ", section, flags=re.M)
        version = re.match(r"\[?v?([^\]\s]+)", title)
        split = (part.partition("\n") for part in parts)
        by_version[version[1] if version else ""] = {heading.strip(): text.strip() for heading, _, text in split if text.strip()}
    return by_version


def part_for(reader: str, parts: dict[str, str]) -> str:
    """Return the text of the part for "students" or "instructors"; "" if there is none."""
    return next((text for heading, text in parts.items() if reader in heading.casefold()), "")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
