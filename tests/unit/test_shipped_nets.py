"""The networks that `make train` made and that ship: small, numbers only, documented, and as strong as documented."""

import json
import random
import re
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

from arena import nets
from arena.players.network import Network, asking, load_net
from arena.players.random import RandomPlayer
from arena.players.rules import compiled
from arena.strength.positions import sample
from assets.make import nets_page, ship_net
from assets.make.nets_page import FOLDER
from assets.make.ship_net import HEADINGS, command
from trainer.__main__ import GAMES
from trainer.measure import random_lines
from trainer.strength import losses, match, mean_rate, mistakes, moves
from trainer.training_run import RunSettings

pytestmark = pytest.mark.usefixtures("one_thread")


def shipped(game: str) -> Network:
    return asking(load_net(compiled(game), nets.find(game)))


@pytest.mark.parametrize("name", HEADINGS)
def test_a_net_is_small_holds_numbers_and_has_its_log_curves_and_section(name: str) -> None:
    path = nets.find(name)
    assert path.stat().st_size < 2_000_000
    with np.load(path, allow_pickle=False) as archive:
        assert {archive[name].dtype for name in archive.files} == {np.dtype(np.float32)}
    rows = [json.loads(line) for line in (FOLDER / f"{name}.log.jsonl").read_text().splitlines()]
    assert [row["iteration"] for row in rows] == list(range(1, len(rows) + 1)) and len(rows) > 5
    assert (FOLDER / f"{name}.svg").read_text().startswith("<svg")
    section = (FOLDER / "README.md").read_text().split(f"\n## {HEADINGS[name]}\n")[1].split("\n## ")[0]
    assert re.search(r"^    (make train GAME=\w+ MINUTES=|python -m trainer train \w+ --minutes )\d+", section, re.MULTILINE)
    assert f"{rows[-1]['games so far']:,.0f} games" in section


def test_the_command_says_what_is_not_the_game_s_own() -> None:
    settings = json.loads(json.dumps(asdict(RunSettings("connect_four", *GAMES["connect_four"]))))
    assert command(settings, 30.2) == "make train GAME=connect_four MINUTES=30"
    settings["start"], settings["net"]["blocks"], settings["play"]["random_share"] = "a.npz", 5, 0.5
    own = "python -m trainer train connect_four --minutes 60 --start a.npz --blocks 5 --random-share 0.5"
    assert command(settings, 60) == own


def test_tic_tac_toe_loses_no_game_there_is() -> None:
    rules, network = compiled("tic_tac_toe"), shipped("tic_tac_toe")
    games, lost = losses(rules.game, lambda states: moves(rules, network, states, 25))
    assert games > 100 and lost == 0


@pytest.mark.usefixtures("repetition")
def test_connect_four_makes_few_mistakes_and_fewer_with_a_search() -> None:
    rules, network = compiled("connect_four"), shipped("connect_four")
    chosen = sample(40, random.Random(8))
    alone, searched = (mean_rate(mistakes(rules, network, simulations, chosen)) for simulations in (0, 100))
    assert searched < 0.045 and searched < alone < 0.12


@pytest.mark.usefixtures("repetition")
def test_othello_beats_random_moves() -> None:
    rules = compiled("othello")
    result = match(rules, shipped("othello"), RandomPlayer(rules.game), (50, 1), random_lines(rules, 10, 3), 3)
    assert result.score >= 0.95


@pytest.mark.usefixtures("repetition")
def test_a_measurement_again_replaces_the_figures_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "README.md"
    page.write_bytes(nets_page.PAGE.read_bytes())
    monkeypatch.setattr(nets_page, "PAGE", page)
    monkeypatch.setattr(ship_net, "full", lambda *settings: iter(["the one figure"]))
    before = nets_page.read_sections()
    nets_page.write_section("Othello by self-play", before["Othello by self-play"])
    assert nets_page.read_sections() == before

    ship_net.measure_again("seeds/connect_four_1")
    after = nets_page.read_sections()
    text = after.pop("Connect Four, seed 1")
    assert "connect_four_1.npz GAME=connect_four\n\n    the one figure\n\nSettings: game" in text
    old = before.pop("Connect Four, seed 1")
    assert text.partition("    make strength")[0] == old.partition("    make strength")[0]
    assert text.partition("Settings: ")[2] == old.partition("Settings: ")[2] and after == before
