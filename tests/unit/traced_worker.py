"""Run as a program: do a worker's work and write down every file of ours that it imported or read.

    python -m tests.unit.traced_worker WORK FILE FOLDER...

WORK is "grading" or "exam"; each FOLDER is a submission's and has the name of its set. For a compiled file its source
counts.
"""

import json
import sys
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
read: set[str] = set()


def note(event: str, arguments: tuple) -> None:
    """Record the files that are opened, and those named in the command lines of started programs.

    An opened folder is nobody's reading: who removes a tree opens each by its bare name, and "tests" is also one of ours.
    """
    if event == "open":
        if not (ROOT / str(arguments[0])).is_dir():
            read.add(str(arguments[0]))
    elif event == "subprocess.Popen":
        read.update(str(word) for word in arguments[1])


def of_ours() -> list[str]:
    """Return the paths in the repository of all files that were imported, read, or given to a program, also in folders."""
    modules = {str(module.__file__) for module in list(sys.modules.values()) if getattr(module, "__file__", None)}
    paths = {path for name in read | modules if (path := ROOT / name).is_relative_to(ROOT)}
    files = {file for path in paths for file in (path.rglob("*.py") if path.is_dir() else [path]) if file.is_file()}
    names = {file.relative_to(ROOT) for file in files if "__pycache__" not in file.parts}
    return sorted(str(name) for name in names if not name.parts[0].startswith((".", "build")))


def main(work: str, file: str, *folders: str) -> None:
    """Do the work for each submission."""
    sys.addaudithook(note)
    if work == "exam":
        from arena.challenge.ladder import load_ladder
        from autograder.challenge.exam.whole_exam import run_exam_of as job
        from autograder.challenge.model import Conditions

        ladder = load_ladder()
        easy = [replace(rung, games=2, fail=0.001, pass_=0.002) for rung in ladder.rungs[:2]]  # the first pair decides
        quick = {"student_simulations": 5, "highest": easy[-1].name, "error_odds": 1.001}
        ladder = replace(ladder, rungs=tuple(easy), perfect=replace(ladder.perfect, games=2),
                         quality=replace(ladder.quality, each=1), **quick)
        given: object = Conditions(b"an edition", ladder)
    else:
        from autograder.grading.config import Settings
        from autograder.grading.grade import grade_payload as job

        given = Settings(b"an edition")
    from autograder.problem_sets.source import facts_of
    from autograder.sandbox.contents import sources_of
    from autograder.sandbox.profiles import profile_of
    from autograder.submission.payload import read_payload

    reports = [job(read_payload(Path(folder), Path(folder).name), given).report for folder in folders]
    # a sandbox has a copy of these, which an earlier process may have made
    read.update(str(source) for folder in folders for source, _ in sources_of(profile_of(facts_of(Path(folder).name))))
    games = [sum(len(rung.games) for rung in getattr(report, "rungs", ())) for report in reports]
    Path(file).write_text(json.dumps({"files": of_ours(), "points": [report.points for report in reports], "games": games}))


if __name__ == "__main__":
    main(*sys.argv[1:])
