"""The perfect player never loses a won or drawn position: samples of the full run of `exam_validation.perfect_check`."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.errors import UserError
from arena.games import ConnectFour, after
from arena.players.perfect import PerfectPlayer
from arena.players.random import RandomPlayer
from arena.players.solver import Solver
from autograder.selftest.exam_validation import perfect_check
from bench import bitbully
from tests.speeds import again

GAME = ConnectFour()


@pytest.fixture(scope="module")
def seed(request: pytest.FixtureRequest) -> int:
    """Other positions each night; before a commit the same ones, which cost the same. A failure shows it."""
    return random.randrange(1 << 30) if request.config.getoption("--speed") == "all" else 1


class Careless(PerfectPlayer):
    """Plays any move."""

    def choose(self, state: tuple[int, int], simulations: int, rng: random.Random) -> int:
        return RandomPlayer(GAME).choose(state, simulations, rng)


class Slow(PerfectPlayer):
    """Gives no win away, but plays slowly."""

    def choose(self, state: tuple[int, int], simulations: int, rng: random.Random) -> int:
        scores = self.scores(state)
        best = max(scores.values())
        return min((column for column in scores if (scores[column] > 0) == (best > 0)), key=scores.__getitem__)


def late(lowest: int, highest: int, count: int, rng: random.Random, asked: Iterator = perfect_check.lines_of) -> Iterator:
    """The later half of the positions, which are solved quickly."""
    return asked(max(lowest, 14), highest, count, rng)


@pytest.mark.usefixtures("computing")
@pytest.mark.parametrize("of_all_lengths, late_ones", [(2, 60), again(5, 170)])
def test_it_makes_no_mistake(
    perfect: PerfectPlayer, seed: int, of_all_lengths: int, late_ones: int, monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert list(perfect_check.mistakes(perfect, of_all_lengths, seed)) == [None] * of_all_lengths
    monkeypatch.setattr(perfect_check, "lines_of", late)
    assert list(perfect_check.mistakes(perfect, late_ones, seed)) == [None] * late_ones


@pytest.mark.parametrize("player, message", [(Careless, "makes the result worse"), (Slow, "takes longer")])
def test_mistakes_would_be_seen(player: type[PerfectPlayer], message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(perfect_check, "lines_of", late)
    faults = [fault for fault in perfect_check.mistakes(player(Solver(20)), 40, 1) if fault]
    assert any(message in fault for fault in faults)


@pytest.mark.usefixtures("computing")
def test_it_wins_from_the_empty_board_against_every_rung(perfect: PerfectPlayer, seed: int) -> None:
    assert list(perfect_check.first(perfect, 6, seed)) == [None] * 6
    assert any(perfect_check.first(Careless(), 6, 1))


@pytest.mark.usefixtures("repetition")
def test_it_never_loses_from_a_drawn_opening(perfect: PerfectPlayer, seed: int) -> None:
    assert list(perfect_check.drawn(perfect, 4, seed)) == [None] * 4
    assert any(perfect_check.drawn(Careless(), 8, 1))


def test_it_takes_any_of_the_best_moves_and_no_other(perfect: PerfectPlayer, seed: int) -> None:
    rng = random.Random(seed)
    for line in late(14, 30, 20, rng):
        state = after(GAME, line)
        scores = perfect.scores(state)
        best = {column for column, score in scores.items() if score == max(scores.values())}
        assert {perfect.choose(state, 0, rng) for _ in range(40)} <= best


def test_without_bitbully_one_line_says_how_to_install_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    monkeypatch.setattr(bitbully.BitBully.__init__, "__defaults__", (tmp_path / "python",))
    with pytest.raises(UserError, match="pip install bitbully"):
        list(perfect_check.bitbully(PerfectPlayer(Solver(12)), 1))
    from bench import solver_vs_bitbully

    assert solver_vs_bitbully.rows() == []
    assert "left out" in capsys.readouterr().out
