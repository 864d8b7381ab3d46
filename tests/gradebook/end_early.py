"""Grade a course again and again from the same state, end each run at another of its writes, and go on.

    python end_early.py COURSE ROOM kill|full MOMENT...

COURSE: its submissions were replaced by others whose reports are in the cache, so that a run needs no worker. Each run works on
a copy in ROOM. A moment is the number of a write: a file that is put in place, a note that is removed, a commit of the gradebook.
At this moment the run is killed, or the disk is full from then on; moment 0 never comes. Printed is a line for each moment: what
the run after it told of points and of marks, its number of writes, and whether the first run had reached its log.
"""

import errno
import json
import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from sqlalchemy.orm import Session

from autograder.course.pipeline import grade_course
from autograder.course.roster import handed_in

course, room, how = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
(ps,) = handed_in(course)
writes = 0


def counting(act: Callable[..., object], moment: int) -> Callable[..., object]:
    """The same act, which counts itself and ends the run at the moment."""
    def counted(*arguments: object, **options: object) -> object:
        global writes
        writes += 1
        if how == "kill" and writes == moment:
            os.kill(os.getpid(), signal.SIGKILL)
        if how == "full" and writes >= moment > 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(arguments[0]))
        return act(*arguments, **options)

    return counted


def run(place: Path, moment: int) -> None:
    """Grade in a process of its own, so that the next one finds nothing of it."""
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return
    try:
        os.replace, os.unlink = counting(os.replace, moment), counting(os.unlink, moment)
        if how == "kill":  # SQLite's own error for a full disk: the tests with a small disk
            Session.commit = counting(Session.commit, moment)
        summary = grade_course(place, ps, 1)
        marks = [str(change) for change in summary.mark_changes]
        (place / "told.json").write_text(json.dumps({"marks": marks, "writes": writes}))
    finally:
        os._exit(0)


grade_course(shutil.copytree(course, room / "warm"), ps, 1)  # the imports of all runs
shutil.rmtree(room / "warm")
for moment in map(int, sys.argv[4:] or ["0"]):
    place = shutil.copytree(course, room / str(moment))
    lines = (place / "log.jsonl").read_text().count("\n")
    if moment:
        run(place, moment)
        (place / "told.json").unlink(missing_ok=True)
    reached = (place / "log.jsonl").read_text().count("\n") > lines
    run(place, 0)
    recorded = json.loads((place / "told.json").read_text())
    changes = (place / "changes.csv").read_text()
    print(json.dumps({"moment": moment, "changes": changes, "reached": reached, **recorded}), flush=True)
    shutil.rmtree(place)
