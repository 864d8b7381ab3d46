"""The command line: `python -m trainer train | strength`; `make train` and `make strength` call it."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from itertools import compress
from pathlib import Path
from typing import Annotated, Literal

import torch
import typer
from rich import box
from rich.console import Console
from rich.live import Live
from rich.status import Status
from rich.table import Table

from arena.command_line import run
from arena.errors import Interrupted, UserError
from arena.near_miss import meant_or_listed
from arena.players.network import Flags, Network, Numbers, asking, faster_dtype
from arena.players.rules import CompiledRules, compiled
from arena.progress import LEAST_DONE, duration, waiting
from trainer.learner import LearnSettings
from trainer.measure import expected_work, full, measured, quick
from trainer.metrics import Metrics
from trainer.nets import NetMaker
from trainer.page import write_page
from trainer.selfplay import PlaySettings
from trainer.training_run import CHECKPOINT, Run, RunSettings, load_trained, read_settings

app = typer.Typer(help="Train networks by self-play and measure them.", no_args_is_help=True, add_completion=False,
                  pretty_exceptions_enable=False)
BUDGETS = [0, 100, 600]  # simulations for the measurements of a network
FOLDER = Path(__file__).resolve().parents[1] / "build" / "train"
GAMES = {
    "connect_four": (
        PlaySettings(simulations=64, full_share=1.0, considered=7, value_scale=0.1, random_share=0.95, random_plies=(1, 20),
                     drawn_plies=4),
        LearnSettings(reuse=3.0, window_last=400_000), NetMaker(blocks=4)),
    "othello": (
        PlaySettings(games=128, simulations=64, full_share=1.0, considered=12, value_scale=0.1, random_share=0.8,
                     random_plies=(1, 16), drawn_plies=3),
        LearnSettings(reuse=3.0), NetMaker(blocks=3)),
    "tic_tac_toe": (
        PlaySettings(games=64, simulations=32, quick_simulations=8, random_share=0.5, random_plies=(1, 4), drawn_plies=5),
        LearnSettings(window_first=5_000, window_last=30_000), NetMaker(channels=32, blocks=1)),
}  # fmt: skip


@app.command()
def train(
    game: Annotated[str, typer.Argument(help="connect_four, othello or tic_tac_toe")],
    minutes: Annotated[float, typer.Option(min=0.1, help="length of the run; the learning rate falls until its end")] = 30.0,
    iterations: Annotated[int | None, typer.Option(min=1, help="number of iterations, instead of minutes")] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="self-play processes; one for each core by default")] = None,
    seed: Annotated[int, typer.Option(help="seed of the random draws")] = 0,
    net: Annotated[str, typer.Option(help="'residual', or a module with a Policy such as your ps5_alphazero.py")] = "residual",
    channels: Annotated[int | None, typer.Option(min=1, help="channels of the residual network")] = None,
    blocks: Annotated[int | None, typer.Option(min=1, help="residual blocks of the network")] = None,
    start: Annotated[Path | None, typer.Option(help="a net.npz to begin with; it may have fewer blocks")] = None,
    random_share: Annotated[float | None, typer.Option(min=0, max=1, help="share of games with random first moves")] = None,
    device: Annotated[Literal["cpu", "cuda"] | None, typer.Option(help="by default cuda, if the machine has it")] = None,
    dtype: Annotated[Literal["float32", "bfloat16"] | None, typer.Option(help="by default the faster one here")] = None,
    folder: Annotated[Path | None, typer.Option(help="folder of the run; build/train/GAME by default")] = None,
    measure: Annotated[float, typer.Option(min=0, help="minutes between two measurements of strength")] = 2.0,
) -> None:
    """Train a network; the same command continues a run that was stopped.

    Exit codes: 0 done, 2 a problem to solve first, 130 stopped by Ctrl-C (finished work is kept).

    Example: python -m trainer train connect_four --minutes 30
    """
    rules = _rules(game)
    play, learn, made = GAMES[game]
    made = replace(made, kind=net, channels=channels or made.channels, blocks=blocks or made.blocks)
    play = play if random_share is None else replace(play, random_share=random_share)
    if start is not None:  # the first games are good already: keep more of them, and change less in a step
        learn = replace(learn, learning_rate=learn.learning_rate / 2, window_first=learn.window_last // 3)
    if device == "cuda" and not torch.cuda.is_available():
        raise UserError("torch finds no CUDA device here; without --device the CPU is used")
    device = device or ("cuda" if torch.cuda.is_available() else "cpu")
    limit = ("iterations", iterations) if iterations else ("minutes", minutes)
    torch.set_num_threads(1)
    folder = folder or FOLDER / game
    folder.mkdir(parents=True, exist_ok=True)  # report a wrong path now, before there is work to lose
    begun = (folder / CHECKPOINT).exists()  # then the type of numbers is known: it is timed once, at the first start
    with waiting("preparing"):  # the rules are compiled, and the types of numbers timed
        numbers: str = dtype or (read_settings(folder)["dtype"] if begun else faster_dtype(rules, made(rules), device))
    settings = RunSettings(game, play, learn, made, workers or os.cpu_count() or 1, seed, device, numbers, start=str(start or ""))
    training = Run(settings, folder, limit)
    console = Console()
    try:
        # not beside the table of a terminal
        with waiting("training", console, drawn=False, detail=lambda: _how_far(training)):
            _watch(training, console, measure)
    except KeyboardInterrupt:
        raise Interrupted(f"stopped; the same command goes on from iteration {len(training.metrics)}") from None
    finally:
        training.close()
    console.print(f"{training.folder}/net.npz, {training.folder}/index.html", highlight=False, soft_wrap=True)


def _watch(run: Run, console: Console, measure: float) -> None:
    """Iterate to the end, with a table that grows and a measurement now and then."""
    table = LiveTable()
    for metrics in run.metrics[-8:]:
        table.add(metrics)
    measured_at = run.metrics[-1].minutes if run.metrics else 0.0
    with Live(console=console, get_renderable=lambda: table.render(console.width, _how_far(run)), refresh_per_second=2):
        while run.progress < 1:
            metrics = run.iterate()
            if metrics.minutes - measured_at >= measure or run.progress >= 1:
                measured_at = metrics.minutes
                metrics = run.note(quick(run.rules, asking(run.learner.averaged, run.settings.device), run.settings.seed))
            table.add(metrics)
            run.save()
            write_page(run.folder / "index.html", run.settings, run.metrics)


def _how_far(run: Run) -> str:
    """Return "iteration 12, 40 % done, about 18 min left"."""
    part = run.progress
    done = [f"{part:.0%} done"] if part else []
    left = [f"about {duration(run.spent_s * (1 - part) / part)} left"] if part >= LEAST_DONE else []
    return ", ".join([f"iteration {len(run.metrics)}", *done, *left])


class LiveTable:
    """The latest iterations, a row each, and the latest measurement below."""

    ROWS = 16
    WIDE, LEFT_OUT = 72, ("unique", "entropy")

    def __init__(self) -> None:
        self.rows: list[Metrics] = []
        self.strength = ""

    def add(self, metrics: Metrics) -> None:
        """Show one more iteration."""
        self.rows = [*self.rows[1 - self.ROWS :], metrics]
        if metrics.strength:
            figures = ", ".join(f"{name} {value:.3f}" for name, value in metrics.strength.items())
            self.strength = f"at {metrics.minutes:.1f} minutes: {figures}"

    def render(self, width: int, how_far: str) -> Table:
        """Return the table with its present rows; where `width` characters are too few, without the columns of LEFT_OUT."""
        table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), caption="\n".join(filter(None, [how_far, self.strength])))
        heads = ("iter", "min", "games", "window", "unique", "policy", "entropy", "value", "sim/s")
        shown = [head not in self.LEFT_OUT or width >= self.WIDE for head in heads]
        for head in compress(heads, shown):
            table.add_column(head, justify="right", overflow="fold")
        for row in self.rows:
            loss = row.losses
            losses = [f"{value:.3f}" for value in (loss.policy, loss.entropy, loss.value)] if loss else [""] * 3
            counts = (f"{row.iteration}", f"{row.minutes:.1f}", f"{row.games_so_far:,}", f"{row.window:,}")
            table.add_row(*compress((*counts, f"{row.unique:.2f}", *losses, f"{row.rate:,.0f}"), shown))
        return table


@app.command()
def strength(
    net: Annotated[Path, typer.Argument(help="weights that `train` wrote: net.npz")],
    game: Annotated[str, typer.Option(help="connect_four, othello or tic_tac_toe")] = "connect_four",
    simulations: Annotated[
        list[int], typer.Option(min=0, help="simulations of the network's search; 0 is the network alone")
    ] = BUDGETS,
    games: Annotated[int, typer.Option(min=0, help="games of each match, an even number; 0: no matches")] = 400,
    seed: Annotated[int, typer.Option(help="seed of the openings and games")] = 0,
) -> None:
    """Measure a network: mistakes at solved positions, scores against the ladder with intervals.

    Example: python -m trainer strength build/train/connect_four/net.npz --games 100
    """
    rules = _rules(game)
    if not net.is_file():
        raise UserError(f"{net} does not exist")
    try:
        loaded = load_trained(rules, net)
    except (ValueError, OSError) as error:
        raise UserError(str(error)) from None
    console, budgets, games = Console(), tuple(simulations), games + games % 2
    with console.status("") as status, waiting("measuring", console, drawn=False, detail=lambda: str(status.status)):
        seen = HowFar(status, expected_work(rules, budgets, games))
        for line in full(rules, seen.counting(measured(rules, loaded)), budgets, games, seed):
            console.print(line, highlight=False, soft_wrap=True)
            seen.end_line()


class HowFar:
    """Shows the number of positions that were evaluated, and about how much time is left."""

    def __init__(self, status: Status, work: list[float]) -> None:
        """Begin; `work` is the work of each line, in one unit."""
        self.status, self.work = status, work
        self.lines = self.asked = 0
        self.began = time.monotonic()
        self.left = ""

    def counting(self, network: Network) -> Network:
        """Return the network; what it is asked is counted and shown."""
        def counted(planes: Numbers, legal: Flags) -> tuple[Numbers, Numbers]:
            self.asked += len(planes)
            self.status.update(f"{self.asked:,} positions evaluated{self.left}")
            return network(planes, legal)

        return counted

    def end_line(self) -> None:
        """Count a line of the result."""
        self.lines += 1
        done, total = sum(self.work[: self.lines]), sum(self.work)
        if done >= LEAST_DONE * total:
            seconds = (time.monotonic() - self.began) * (total - done) / done
            self.left = f", about {duration(seconds)} left"


def _rules(game: str) -> CompiledRules:
    if game not in GAMES:
        raise UserError(f"no game is called {game!r}{meant_or_listed(game, GAMES)}")
    return compiled(game)


if __name__ == "__main__":
    run(app)
