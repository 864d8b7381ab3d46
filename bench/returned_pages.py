"""Feedback pages back to the students: our zip for a platform against nbgrader's `release_feedback`, a thousand students.

Both begin with the same pages, already written, and copy them to the place from which students get them. Ours also compares each
page with the student's hand-in, report and mark, and writes the marks.
"""
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

from autograder.gradebook.course import prepare
from bench import Row, must
from tests.gradebook.conftest import SmallClass
from tests.gradebook.returning import Returning, work_of

PS = "ps2_uct"
STUDENTS, TURNS = 1000, 3
ROOM = Path("build/bench/returned")
#   the memory of a process is asked by itself: the kernel's account of a child begins with that of its parent
PEAK = ("import atexit, re\n"
        "atexit.register(lambda: print(re.search('VmHWM:.*', open('/proc/self/status').read())[0]))\n")


def rows() -> list[Row]:
    """Seconds of both commands, each a process of its own, in turns."""
    course, exchange = _graded(), (ROOM / "exchange").resolve()
    ours, peer, largest = list[float](), list[float](), {"ours": 0.0, "peer": 0.0}
    for _ in range(TURNS):
        shutil.rmtree(course.folder / "returned", ignore_errors=True)
        shutil.rmtree(exchange, ignore_errors=True)
        exchange.mkdir(mode=0o777)
        seconds, memory = _measured("autograder.__main__", ["autograder", "return", ".", "canvas", "--ps", PS], course.folder)
        must(len(course.packed("canvas")) == STUDENTS, "our zip does not have a page for each student")
        ours, largest["ours"] = [*ours, seconds], max(largest["ours"], memory)
        release = ["nbgrader", "release_feedback", PS, "--log-level=WARN", f"--Exchange.root={exchange}",
                   "--CourseDirectory.course_id=course"]
        seconds, memory = _measured("nbgrader.__main__", release, course.folder)
        must(len(list(exchange.rglob("*.html"))) == STUDENTS, "nbgrader did not release a page for each student")
        peer, largest["peer"] = [*peer, seconds], max(largest["peer"], memory)
    size = (course.folder / "returned" / PS / "canvas.zip").stat().st_size / 1e6
    page = _page_of(course, "s000").stat().st_size / 1000
    how = (f"{STUDENTS} students, one page of {page:.0f} kB each, written before; ours: `autograder return canvas`: pages "
           f"compared and packed ({size:.1f} MB), and the marks; peer: `nbgrader release_feedback`: the same pages into its "
           f"exchange; wall clock, median of {TURNS} turns; memory at most {largest['ours']:.0f} and {largest['peer']:.0f} MiB")
    return [Row("returned_pages", median(ours), median(peer), "s", 1.0, how)]


def _page_of(course: Returning, student: str) -> Path:
    return course.folder / "feedback" / student / PS / "index.html"


def _graded() -> Returning:
    """A course of which everybody has handed in on Canvas and has a page: that of one graded student under other names."""
    shutil.rmtree(ROOM, ignore_errors=True)
    folder = ROOM.resolve() / "course"
    folder.mkdir(parents=True)
    prepare(folder, PS)
    course = Returning(SmallClass(folder))
    students = {f"s{number:03}": f"leekim_{1000 + number}_{9000 + number}_ps2_uct.py" for number in range(STUDENTS)}
    course.write_roster(*({"id": student, "first_name": "Kim", "last_name": "Lee", "canvas_id": name.split("_")[1]}
                          for student, name in students.items()))
    work = work_of("s000")
    course.collect(course.download({students["s000"]: work}))
    course.grade({"s000": ("2.5",)})
    course.collect(course.download(dict.fromkeys(students.values(), work)))
    page, report = _page_of(course, "s000"), folder / "reports" / "s000" / f"{PS}.json"
    text = page.read_text()
    for student in students:
        own = page.parents[2] / student / PS
        own.mkdir(parents=True, exist_ok=True)
        for old in own.glob("*.html"):
            old.unlink()
        (own / "index.html").write_text(text.replace("<bdi>s000</bdi>", f"<bdi>{student}</bdi>"))
        (own / "timestamp.txt").write_text("2026-11-01 08:00:00 UTC")
        (own / "submission_secret.txt").write_text(student)
        (report.parents[1] / student).mkdir(exist_ok=True)
        if student != "s000":
            shutil.copy2(report, report.parents[1] / student / report.name)
    course.note_marks()
    return course


def _measured(module: str, command: list[str], folder: Path) -> tuple[float, float]:
    """Return the seconds of a command, and the MiB that it needed at most."""
    program = f"{PEAK}import runpy, sys\nsys.argv = {command}\nrunpy.run_module({module!r}, run_name='__main__')"
    began = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, env={**os.environ, "PYTHONPATH": str(Path.cwd())},
                          capture_output=True, text=True)
    seconds = time.perf_counter() - began
    must(done.returncode == 0, f"{' '.join(command[:2])} ended with {done.returncode}: {done.stderr[-500:]}")
    return seconds, int(done.stdout.rpartition("VmHWM:")[2].split()[0]) / 1024
