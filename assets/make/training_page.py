"""Write the tables of docs/training.md that come from the networks' logs: `python -m assets.make.training_page`.

A row that the log has not yet is left out. `python -m assets.make.ship_net NAME --tables` measures it.
"""

import re
from collections.abc import Iterator
from statistics import median

import numpy as np

from arena.files import write_atomic
from arena.games import ConnectFour
from arena.shipped import CHECKOUT
from arena.strength import STRATA
from arena.strength.positions import positions
from assets.make.nets_page import read_log
from assets.make.ship_net import SEEDS, SIMULATIONS
from trainer.measure import ALPHAZERO_JL, CRITICAL, PUBLIC_SETS, Row, cell
from trainer.strength import PUBLIC

PAGE = CHECKOUT / "docs" / "training.md"
NETS = ("connect_four", *SEEDS)
COUNTS = SIMULATIONS["connect_four"]
HEAD = f"| mistakes, % | {' | '.join(STRATA)} |\n|{'---|' * 7}\n"
MINUTES = ((4, 10.5), (20, 30.5), (50, 60.5))  # the parts of an hour's run that are compared


def counted(net: str, row: Row) -> list[tuple[int, int]]:
    """Return mistakes and positions of each stratum, as the network's log has them; nothing if the row is not measured."""
    for line in read_log(f"{net}.strength"):
        if Row(line["table"], line["simulations"], line["threats"]) == row and len(line["mistakes"]) == len(STRATA):
            return [(wrong, count) for wrong, count in (line["mistakes"][stratum] for stratum in STRATA)]
    return []


def public_table() -> str:
    """Return the network that ships beside chance and AlphaZero.jl."""
    lines = [("a random move", [f"{rate:.1f}" for rate in by_chance()])]
    for threats in (True, False):
        for count in COUNTS if threats else COUNTS[1:]:
            lines.append(row_of(Row(PUBLIC_SETS, count, threats)))
    for iteration, of_strata in ALPHAZERO_JL.items():
        lines.append((f"AlphaZero.jl, 600 simulations, {iteration}", [cell(round(10 * rate), 1000) for rate in of_strata]))
    return table(lines)


def critical_table() -> str:
    """Return the network that ships at the half for reporting."""
    return table([row_of(Row(CRITICAL, count)) for count in COUNTS])


def row_of(row: Row) -> tuple[str, list[str]]:
    """Return the name and the cells of a row of the network that ships."""
    name = name_of(row.simulations) + ("" if row.threats else ", without wins by threats")
    return name, cells(counted(NETS[0], row))


def seeds_table() -> str:
    """Return the three networks at the public sets, and their median where all are measured."""
    lines = []
    for count in COUNTS:
        nets = [counted(net, Row(PUBLIC_SETS, count)) for net in NETS]
        lines += [(f"{name_of(count)}, seed {seed}", cells(counts)) for seed, counts in enumerate(nets)]
        if all(nets):
            rates = zip(*([wrong / of for wrong, of in counts] for counts in nets), strict=True)
            lines.append((f"{name_of(count)}, median", [f"{100 * median(rate):.1f}" for rate in rates]))
    return table(lines)


def hour_table() -> str:
    """Return the means of the measurements during each run, in parts of the hour."""
    columns = [f"{words}: minutes {first} to {last:.0f}" for words in ("alone", "100 simulations") for first, last in MINUTES]
    head = f"| mistakes, % | {' | '.join(columns)} |\n|{'---|' * 7}\n"
    lines_of_table = []
    for seed, net in enumerate(NETS):
        lines = [line for line in read_log(net) if "mistakes at 100" in line]
        rates = [np.mean([line[f"mistakes at {count}"] for line in lines if first <= line["minutes"] < last])
                  for count in (0, 100) for first, last in MINUTES]  # fmt: skip
        lines_of_table.append((f"seed {seed}", [f"{100 * rate:.1f}" for rate in rates]))
    return table(lines_of_table, head)


def by_chance() -> list[float]:
    """Return the share of mistakes of a random legal move at each public set, in %."""
    game, rates = ConnectFour(), []
    for stratum in STRATA:
        there = [position for position in positions(PUBLIC) if position.stratum == stratum]
        moves = [[position.is_mistake(column) for column in game.legal_actions(position.state)] for position in there]
        rates.append(100 * float(np.mean([np.mean(mistaken) for mistaken in moves])))
    return rates


def name_of(count: int) -> str:
    """Return "network alone" or "100 simulations"."""
    return f"{count} simulations" if count else "network alone"


def cells(counts: list[tuple[int, int]]) -> list[str]:
    """Return a cell for each stratum."""
    return [cell(wrong, count) for wrong, count in counts]


def table(lines: list[tuple[str, list[str]]], head: str = HEAD) -> str:
    """Return the lines of a table; a row without cells is left out."""
    return head + "".join(f"| {name} | {' | '.join(row)} |\n" for name, row in lines if row)


def tables() -> Iterator[tuple[str, str]]:
    """Yield the words before each table of the page, and the table."""
    yield "**What the hour brings.**", hour_table()
    yield "## The public sets\n", public_table()
    yield "## Our own positions\n", critical_table()
    yield "## Three seeds\n", seeds_table()


def with_tables(page: str) -> str:
    """Return the page with today's tables: each replaces the first table after its words."""
    for words, today in tables():
        before, marker, after = page.partition(words)
        old = re.search(r"(?:^\|.*\n)+", after, re.MULTILINE)
        page = before + marker + (after[: old.start()] + today + after[old.end() :] if old else after)
    return page


if __name__ == "__main__":
    write_atomic(PAGE, with_tables(PAGE.read_text(encoding="utf-8")))
    print(f"written: {PAGE}")
