"""Run the benchmarks, print the table, write build/bench.json: `python -m bench [NAME]`."""
import json
import sys
from importlib import import_module
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from arena.near_miss import meant_or_listed
from autograder.progress import ProgressBar
from bench import AGAINST, NothingMeasured, Row

BENCHMARKS = ("uct_vs_openspiel_python", "compiled_uct_vs_openspiel_cpp", "solver_vs_bitbully", "referee_cost",
              "hidden_run", "slowest_right_answer", "grading_vs_nbgrader", "grading_as_handed_in", "class_page",
              "feedback_pages", "returned_pages", "board_without_server", "tab", "selfplay", "training")     # modules here
RESULTS = Path("build/bench.json")


def main(only: str | None = None) -> int:
    """Run one benchmark, or all; return the exit status.

    0: all were measured. 1: one was not, because its peer is not installed, or because a side did not do its work; the others
    are written. 2: no benchmark has that name.
    """
    if only and only not in BENCHMARKS:
        print(f"no benchmark is called {only!r}{meant_or_listed(only, BENCHMARKS)}")
        return 2
    console = Console()
    chosen, bar, measured, unmeasured = [only] if only else BENCHMARKS, ProgressBar(console), list[Row](), list[str]()
    bar.start("benchmarks", len(chosen))
    for name in chosen:
        try:
            rows = import_module(f"bench.{name}").rows()
        except NothingMeasured as error:
            console.print(f"{name}: {error}", markup=False, highlight=False)
            rows = []
        unmeasured += [] if rows else [name]
        measured += rows
        bar.step(name)
    bar.end()
    for against in AGAINST:
        if rows := [row for row in measured if row.against == against]:
            console.print(_table(rows, f"against {against}", console.width))
    for row in measured:
        console.print(f"{row.name}: {row.how}", style="dim", highlight=False)
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps([row.to_dict() for row in measured], indent=2) + "\n")
    console.print(f"written to {RESULTS}")
    if unmeasured:
        console.print(f"not measured: {', '.join(unmeasured)}", markup=False, highlight=False)
    return 1 if unmeasured else 0


def _table(measured: list[Row], title: str, width: int) -> Table:
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))  # every name fits 80 columns
    table.add_column("benchmark", overflow="fold", no_wrap=width >= 80)
    table.add_column("unit", overflow="fold")
    for heading in ("ours", "peer", "ratio", "goal"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in measured:
        ratio = f"[{'green' if row.ratio >= row.goal else 'red'}]{row.ratio:.2f}[/]"
        table.add_row(row.name, row.unit, f"{row.ours:,.1f}", f"{row.peer:,.1f}", ratio, f"{row.goal:g}")
    return table


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
