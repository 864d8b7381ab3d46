"""docs/large_class.md and its picture, from the figures of `autograder.selftest.endurance.large_class`."""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot  # noqa: E402

from arena.files import write_atomic  # noqa: E402

PAGE, PICTURE = Path("docs/large_class.md"), Path("docs/figures/large_class.svg")
MIB, KIB = 2**20, 2**10
BUSY = 0.3  # cores used by other programs; above this, the machine counts as busy
Figures = dict[str, float]  # the figures of one class, by name
MEMORY = ("all_bytes", "main_bytes")
DISK = ("gradebook_bytes", "reports_bytes", "autograded_bytes", "feedback_bytes")

TEXT = """# A large class

    python -m autograder.selftest.endurance.large_class {sizes}

makes classes of these sizes, grades each in its own course folder as `make grade` does, feedback included, and writes
this page. Every second student hands in a right answer to problem set 2, the others hand in a wrong answer. The answers
come from `tests/right/` and `tests/wrong/` in turn. Each gets its own extra line, so that no two notebooks have the same bytes
and none is in the cache. The script ends with an error unless every right answer got all points, every wrong answer lost its
exercise and at most the joint check, and there was no grader fault.

![Time and memory over the number of submissions](figures/large_class.svg)

{classes}
Time is wall-clock time. Core-seconds are the CPU time of the grader and all its child processes, counted by the kernel. Memory
is a peak. For all processes together it is measured every half second, and a shared page counts once. For the grader's own
process the kernel records the peak. Disk space is the sum of the files' lengths.

The cost of each further submission:

{steps}
{conditions} {commits}
"""


def write_page(kept: dict[int, Figures], commits: str) -> None:
    """Write page and picture from the figures so far, by number of submissions; `commits` says what was measured."""
    sizes = sorted(kept)
    draw(kept)
    parts = {"classes": _classes(kept), "steps": _steps(kept), "conditions": _conditions(kept), "commits": commits}
    write_atomic(PAGE, TEXT.format(sizes=" ".join(map(str, sizes)), **parts))


def draw(kept: dict[int, Figures], path: Path = PICTURE) -> None:
    """Draw time and memory over the number of submissions."""
    sizes = sorted(kept)
    pyplot.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "large class", "font.size": 9})
    picture, (left, right) = pyplot.subplots(1, 2, figsize=(8, 3), layout="constrained")
    minutes = [kept[size]["core_seconds"] / 60 for size in sizes]
    left.plot(sizes, minutes, "o-", color="tab:blue", label="core-minutes")
    left.plot(sizes, [kept[size]["seconds"] / 60 for size in sizes], "s-", color="tab:orange", label="minutes by the clock")
    left.plot([0, sizes[-1]], [0, minutes[-1]], ":", color="grey", label="in proportion")
    right.plot(sizes, [kept[size]["all_bytes"] / MIB for size in sizes], "o-", color="tab:blue", label="all processes")
    right.plot(sizes, [kept[size]["main_bytes"] / MIB for size in sizes], "s-", color="tab:orange", label="the grader's own")
    for axes, what in ((left, "time, minutes"), (right, "most memory, MiB")):
        axes.set(xlabel="submissions", ylabel=what, xlim=(0, None), ylim=(0, None))
        axes.legend(frameon=False)
        axes.spines[["top", "right"]].set_visible(False)
    path.parent.mkdir(parents=True, exist_ok=True)
    picture.savefig(path, metadata={"Date": None})
    pyplot.close(picture)


def _classes(kept: dict[int, Figures]) -> str:
    heads = ("submissions", "time", "core-s each", "memory, all", "memory, grader", "gradebook.db", "reports/", "autograded/",
             "feedback/")
    rows = []
    for size in sorted(kept):
        figures = kept[size]
        minutes, seconds = divmod(round(figures["seconds"]), 60)
        bytes_of = (figures[name] for name in (*MEMORY, *DISK))
        rows.append((f"{size:,}", f"{minutes} min {seconds:02} s", f"{figures['core_seconds'] / size:.2f}",
                     *(f"{count / MIB:.{1 if count < 100 * MIB else 0}f} MiB" for count in bytes_of)))
    return _table(heads, rows)


def _steps(kept: dict[int, Figures]) -> str:
    """The cost of each further submission, from one class to the next larger class."""
    sizes = sorted(kept)
    heads = ("from and to", "core-s", "memory, all", "memory, grader", "gradebook.db", "reports/", "autograded/", "feedback/")
    rows = []
    for few, many in zip(sizes, sizes[1:], strict=False):
        more = {name: (kept[many][name] - kept[few][name]) / (many - few) for name in ("core_seconds", *MEMORY, *DISK)}
        core_s = f"{more.pop('core_seconds'):.2f}"
        rows.append((f"{few:,} to {many:,}", core_s, *(f"{each / KIB:.0f} KiB" for each in more.values())))
    return _table(heads, rows)


def _table(heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in (heads, ("---:",) * len(heads), *rows)) + "\n"


def _conditions(kept: dict[int, Figures]) -> str:
    """Describe the machine and the load by other programs."""
    workers = sorted({figures["workers"] for figures in kept.values()})
    others = [f"{kept[size]['cores_of_others']:.1f}" for size in sorted(kept)]
    cores = sorted({figures["cores"] for figures in kept.values()})
    nice = max(figures["niceness"] for figures in kept.values())
    yielding = f" The grader ran at low priority (nice {nice})." if nice > 0 else ""
    busy = any(figures["cores_of_others"] > BUSY for figures in kept.values())
    contended = (
        " On such a busy machine, the wall-clock time includes waiting for other programs. Core-seconds are higher than on a "
        "quiet machine: caches are shared, and a process that waits for an answer reads its CPU time ten times a second."
    )
    return (
        f"Conditions: {_listed(cores)} cores, {_listed(workers)} workers; other programs used {_listed(others)} cores "
        f"meanwhile, in the order of the rows.{yielding}{contended if busy else ''}"
    )


def _listed(values: list[float] | list[str]) -> str:
    *most, last = map(str, values)
    return f"{', '.join(most)} and {last}" if most else last
