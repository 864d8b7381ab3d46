"""Move quality: the frozen positions have the solver's values, mistakes are counted, and points follow from the file."""

import json
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from arena.challenge.ladder import load_ladder
from arena.challenge.move_quality import quality_points
from arena.games import ConnectFour
from arena.players import book
from arena.players.perfect import PerfectPlayer
from arena.players.random import RandomPlayer
from arena.players.uct import UCTPlayer
from arena.strength import STRATA
from arena.strength.drawing import judged
from arena.strength.positions import MOVES_A_GAME, Position, answers, mistake_rates, positions, rates, sample, stratum_of
from assets.make import quality_positions
from assets.make.quality_positions import Draft

GAME = ConnectFour()
LADDER = load_ladder()
# X (to move) has three at the bottom: column 3 wins at once; O threatens nothing, so all other moves win later or not
POSITION = Position("begin-easy", GAME.parse("......./......./......./......./OO...../XXX...O"), (-2, 0, 3, 18, None, 0, -1))


class Scripted:
    """Returns the given answers, and records the beginnings of games; an exception in the list is raised."""

    def __init__(self, *script: object) -> None:
        self.script, self.asked, self.began = script, 0, []

    def new_game(self) -> None:
        self.began.append(self.asked)

    def choose(self, state: tuple[int, int], simulations: int, rng: random.Random) -> int:
        self.asked += 1
        answer = self.script[(self.asked - 1) % len(self.script)]
        if isinstance(answer, BaseException):
            raise answer
        return answer


# -- the positions --------------------------------------------------------------------------------


def test_there_are_a_thousand_of_each_stratum_and_no_two_are_alike() -> None:
    assert Counter(position.stratum for position in positions()) == dict.fromkeys(STRATA, 1000)
    assert len({book.key_of(position.state) for position in positions()}) == 6000


def test_at_every_position_one_move_is_a_mistake_and_another_is_not() -> None:
    for position in positions():
        legal = GAME.legal_actions(position.state)
        assert GAME.outcome(position.state) is None
        assert legal == [column for column, score in enumerate(position.scores) if score is not None]
        assert len({position.is_mistake(column) for column in legal}) == 2


def test_the_strata_are_those_of_their_stones_and_scores() -> None:
    for position in positions():
        best = max(score for score in position.scores if score is not None)
        assert stratum_of(position.state, best) == position.stratum


@pytest.mark.usefixtures("repetition")
def test_a_random_sample_solved_again_has_the_same_scores(perfect: PerfectPlayer) -> None:
    """From 12 stones on without the book, where a position takes little time; with fewer stones only two of them."""
    rng = random.Random()  # other positions in every run: a wrong position is found soon
    late = [position for position in positions() if sum(position.state).bit_count() >= 12]
    early = [position for position in positions() if 8 <= sum(position.state).bit_count() <= 11]
    for position in rng.sample(late, 60) + rng.sample(early, 2):
        assert perfect.solver.scores(position.state) == list(position.scores), position


def test_a_sample_has_as_many_of_each_and_depends_on_its_generator() -> None:
    first, same, other = (sample(7, random.Random(seed)) for seed in (1, 1, 2))
    assert Counter(position.stratum for position in first) == dict.fromkeys(STRATA, 7)
    assert first == same != other and len(set(first)) == 42


@pytest.mark.parametrize("text, reason", [
    ("......./......./......./......./OO...../XXX...O", None),
    ("......./......./......./......./X....../XX.OOO.", "X has lost: O wins at once whatever X does"),
])
def test_a_position_without_a_choice_is_not_taken(text: str, reason: str | None, perfect: PerfectPlayer) -> None:
    assert (judged(GAME.parse(text), list(STRATA), perfect) is None) == (reason is not None)


class Stopped(PerfectPlayer):
    """It is stopped at the second position that it scores."""

    scored = 0

    def scores(self, state: tuple[int, int]) -> dict[int, int]:
        self.scored += 1
        if self.scored == 2:
            raise KeyboardInterrupt
        return super().scores(state)


def test_the_same_seed_finds_the_same_positions_stopped_or_not(
    perfect: PerfectPlayer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quality_positions, "KEEP_EVERY_S", 0.0)
    whole = Draft(tmp_path / "whole.json", 7, 2)
    whole.collect("middle", perfect)
    with pytest.raises(KeyboardInterrupt):
        Draft(tmp_path / "stopped.json", 7, 2).collect("middle", Stopped(perfect.solver))
    again = Draft(tmp_path / "stopped.json", 7, 2)
    assert sum(map(len, again.rows.values())) == 1
    again.collect("middle", perfect)
    assert json.loads((tmp_path / "stopped.json").read_text()) == json.loads((tmp_path / "whole.json").read_text())
    with pytest.raises(SystemExit, match="begun with"):
        Draft(tmp_path / "whole.json", 8, 2)


# -- mistakes -------------------------------------------------------------------------------------


def test_a_mistake_is_a_worse_sign_and_not_a_slower_win() -> None:
    assert [column for column in (0, 1, 2, 3, 5, 6) if POSITION.is_mistake(column)] == [0, 1, 5, 6]


def test_rates_are_shares_of_a_stratum() -> None:
    chosen = [POSITION] * 4 + [replace(POSITION, stratum="end-easy")]
    assert mistake_rates(Scripted(3, 0, 3, 3, 6), 1, 1, chosen) == {"begin-easy": 0.25, "end-easy": 1.0}


@pytest.mark.parametrize("answer, reason", [
    (9, "9"), ("left", "left"), (None, "None"), (ValueError("oops"), "ValueError: oops"),
])
def test_no_move_is_a_mistake_with_its_reason(answer: object, reason: str) -> None:
    results = answers(Scripted(answer), 1, 1, [POSITION])
    assert results[0].is_mistake and results[0].action is None and reason in results[0].fault
    assert rates(results) == {"begin-easy": 1.0}


def test_what_is_not_written_is_no_mistake() -> None:
    with pytest.raises(NotImplementedError):
        answers(Scripted(NotImplementedError("3.6")), 1, 1, [POSITION])


def test_a_player_begins_anew_as_often_as_in_games_and_after_a_fault() -> None:
    player = Scripted(*[3] * 20, ValueError("oops"), *[3] * 30)
    answers(player, 1, 1, [POSITION] * 40)
    assert player.began == [0, MOVES_A_GAME, 21, 2 * MOVES_A_GAME]


def test_the_same_seed_gives_the_same_answers() -> None:
    chosen = sample(3, random.Random(4))
    first, same, other = (answers(RandomPlayer(GAME), 1, seed, chosen) for seed in (1, 1, 2))
    assert first == same != other


@pytest.mark.usefixtures("computing")
def test_perfect_play_makes_no_mistake_and_more_search_makes_fewer(perfect: PerfectPlayer) -> None:
    chosen = [position for position in sample(40, random.Random(5)) if not position.stratum.startswith("begin")]
    assert set(mistake_rates(perfect, 0, 1, chosen).values()) == {0.0}
    few, many = (sum(mistake_rates(UCTPlayer(), simulations, 1, chosen).values()) for simulations in (10, 2000))
    assert many < few


# -- points ---------------------------------------------------------------------------------------


def test_points_are_the_share_of_a_random_player_s_mistakes_that_was_not_made() -> None:
    random_rates = dict(zip(STRATA, (0.5, 0.5, 0.4, 0.4, 0.25, 0.25)))
    ladder = replace(LADDER, quality=replace(LADDER.quality, points=10.0, random=random_rates))
    half = {stratum: rate / 2 for stratum, rate in random_rates.items()}
    assert quality_points(half, ladder) == 5.0
    assert quality_points(dict.fromkeys(STRATA, 0.0), ladder) == 10.0
    assert quality_points(random_rates, ladder) == 0.0
    # by hand: marks 1, 0 (worse than random also gives 0), 0, 1/2, 1/5, 0: 1.7 of 6 is 2.8 of 10 points
    assert quality_points(dict(zip(STRATA, (0.0, 0.9, 0.4, 0.2, 0.2, 0.25))), ladder) == 2.8


def test_the_file_tells_what_a_random_player_gives_away() -> None:
    for stratum, rate in LADDER.quality.random.items():
        there = [position for position in positions() if position.stratum == stratum]
        exact = [
            sum(position.is_mistake(column) for column in GAME.legal_actions(position.state))
            / len(GAME.legal_actions(position.state))
            for position in there
        ]
        assert rate == pytest.approx(sum(exact) / len(exact), abs=0.005)
