"""The page of a training run: its curves and its settings."""

from __future__ import annotations

import json
from dataclasses import asdict
from html import escape
from io import StringIO
from pathlib import Path

from trainer.metrics import Metrics
from trainer.training_run import RunSettings

# panel title, axis, and the keys of the rows that are drawn in it
PANELS = (
    ("loss by part", "nats, squared error", ("policy", "entropy", "value")),
    ("strength over time", "share",
     ("mistakes at 0", "mistakes at 100", "score against Stone", "lost at 25", "score against random")),
    ("games played", "games", ("games so far",)),
    ("simulations a second of a core", "1/s", ("rate",)),
    ("window", "examples", ("window",)),
    ("different positions in the window", "share", ("unique",)),
)


def write_page(path: Path, settings: RunSettings, metrics: list[Metrics]) -> None:
    """Write the page as one file without links to other files."""
    given = {name: escape(json.dumps(value)) for name, value in asdict(settings).items()}
    made = "\n".join(f"<tr><th>{escape(name)}</th><td>{value}</td></tr>" for name, value in given.items())
    last = metrics[-1]
    path.write_text(
        f"""<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(settings.game)}: a training run</title>
<style>body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem }}
svg {{ width: 100%; height: auto }} th {{ text-align: left; padding-right: 1rem; vertical-align: top }}</style>
<h1>{escape(settings.game)}: {last.minutes:.1f} minutes of training</h1>
<p>{last.iteration} iterations, {last.games_so_far:,} games, {last.simulations_so_far:,} simulations.</p>
{curves([entry.row() for entry in metrics])}
<h2>Settings</h2><table>{made}</table></html>
""",
        encoding="utf-8",
    )


def curves(rows: list[dict[str, float]]) -> str:
    """Return all panels as one SVG picture, from the lines of log.jsonl; every horizontal axis is in minutes."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(13, 7), layout="constrained")
    for axes, (title, unit, names) in zip(figure.subplots(2, 3).flat, PANELS, strict=True):
        for name in names:
            points = [(row["minutes"], row[name]) for row in rows if name in row]
            if points:
                axes.plot(*zip(*points, strict=True), label=name, marker="o" if len(points) < 40 else None, markersize=3)
        axes.set(title=title, xlabel="minutes", ylabel=unit, ylim=(0, None))
        if len(names) > 1 and axes.get_legend_handles_labels()[0]:
            axes.legend()
    drawn = StringIO()
    figure.savefig(drawn, format="svg")
    text = drawn.getvalue()
    return text[text.index("<svg") :]
