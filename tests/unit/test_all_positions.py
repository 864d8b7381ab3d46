"""The positions of all kinds: drawn as they come, scored by the solver, and measured beside the critical ones."""

import json
import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from arena.games import ConnectFour
from arena.players import book
from arena.players.perfect import PerfectPlayer
from arena.players.rules import compiled
from arena.players.solver import UNKNOWN, Solver
from arena.strength import STRATA
from arena.strength.positions import POSITIONS, Answer, Position, positions, sign, stratum_of
from arena.strength.uncertainty import mean_error, rate_errors, share_error
from assets.make.all_positions import labelled
from assets.make.quality_positions import STONES, Draft, positions_of_a_game, write
from trainer import measure
from trainer.strength import ALL_POSITIONS, asked, is_critical

GAME = ConnectFour()
LOST = GAME.parse("......./......./......./......./X....../XX.OOO.")  # X to move: O wins at once whatever X does


@pytest.fixture(scope="module")
def perfect() -> PerfectPlayer:
    return PerfectPlayer(Solver(20))


def test_there_are_a_thousand_of_each_stratum_and_no_two_are_alike() -> None:
    found = positions(ALL_POSITIONS)
    assert Counter(position.stratum for position in found) == dict.fromkeys(STRATA, 1000)
    assert len({book.key_of(position.state) for position in found}) == 6000


def test_the_strata_are_those_of_their_stones_and_scores() -> None:
    for position in positions(ALL_POSITIONS):
        legal = [column for column, score in enumerate(position.scores) if score is not None]
        assert GAME.outcome(position.state) is None and legal == GAME.legal_actions(position.state)
        assert stratum_of(position.state, max(position.scores[column] for column in legal)) == position.stratum


def test_they_are_won_drawn_and_lost_and_often_no_mistake_is_possible() -> None:
    """in the critical file every position has a mistake, and none is lost"""
    kinds = Counter(max(score for score in position.scores if score is not None) > 0 for position in positions(ALL_POSITIONS))
    lost = sum(max(score for score in position.scores if score is not None) < 0 for position in positions(ALL_POSITIONS))
    critical = sum(map(is_critical, positions(ALL_POSITIONS)))
    assert min(kinds.values()) > 600 and lost > 600 and 1000 < critical < 5000


@pytest.mark.usefixtures("computing")
def test_a_random_sample_solved_again_has_the_same_scores(perfect: PerfectPlayer) -> None:
    rng = random.Random()  # other positions in every run: a wrong position is found soon
    late = [position for position in positions(ALL_POSITIONS) if sum(position.state).bit_count() >= 12]
    early = [position for position in positions(ALL_POSITIONS) if sum(position.state).bit_count() <= 7]
    for position in rng.sample(late, 60):
        assert perfect.solver.scores(position.state) == list(position.scores), position
    for position in rng.sample(early, 60):  # solved by the book
        found = perfect.scores(position.state)
        assert [found.get(column) for column in range(7)] == list(position.scores), position


def test_the_same_seed_draws_the_first_positions_of_the_file_again(perfect: PerfectPlayer, tmp_path: Path) -> None:
    """the late games are quick to solve: of a stratum that is not yet complete, the first found are always the same"""
    draft = Draft(tmp_path / "draft.json", 0, 5, labelled)
    draft.collect("end", perfect)
    frozen = [position for position in positions(ALL_POSITIONS) if position.stratum == "end-easy"][:5]
    again = [(tuple(row[:2]), tuple(None if score == UNKNOWN else score for score in row[2])) for row in draft.rows["end-easy"]]
    assert again == [(position.state, position.scores) for position in frozen]


def test_two_drafts_of_a_seed_are_the_same_file(perfect: PerfectPlayer, tmp_path: Path) -> None:
    for name in ("one", "two"):
        draft = Draft(tmp_path / f"{name}.json", 3, 4, labelled)
        draft.collect("middle", perfect)
        write(draft.rows, tmp_path / f"{name}.npz")
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()
    assert len(json.loads((tmp_path / "one.json").read_text())["rows"]["middle-easy"]) == 4


def test_a_lost_position_is_kept_here(perfect: PerfectPlayer) -> None:
    stratum, (own, other, scores) = labelled(LOST, list(STRATA), perfect)
    assert stratum == "begin-easy" and (own, other) == LOST and max(score for score in scores if score != UNKNOWN) < 0


def test_no_position_is_left_out_but_for_its_stratum(perfect: PerfectPlayer) -> None:
    """the two quick questions give the same strata as the exact score"""
    states = [state for seed in range(20) for state in positions_of_a_game(STONES["middle"], random.Random(seed))[:3]]
    for wanted in (["middle-easy"], ["middle-medium"], list(STRATA), []):
        for state in states:
            found = labelled(state, wanted, perfect)
            stratum = stratum_of(state, perfect.score(state))
            assert (found and found[0]) == (stratum if stratum in wanted else None)


def test_the_file_is_as_small_as_the_first() -> None:
    assert ALL_POSITIONS.stat().st_size < 1.1 * POSITIONS.stat().st_size


# -- errors ---------------------------------------------------------------------------------------


def test_the_error_of_a_share_by_hand() -> None:
    assert share_error(0.5, 98) == pytest.approx(0.05)  # 50 of 100, one of each added: sqrt(.25 / 100)
    assert share_error(0.0, 8) == pytest.approx(0.0948683)  # 1 of 10: sqrt(.09 / 10)
    assert mean_error({"a": 0.03, "b": 0.04}) == pytest.approx(0.025)


def test_the_error_is_the_spread_of_repeated_measurements() -> None:
    """4,000 measurements at 100 positions: their spread is known to 1.2 %, four times that is the margin"""
    shares = np.random.default_rng(0).binomial(100, 0.3, 4000) / 100
    assert share_error(0.3, 100) == pytest.approx(shares.std(), rel=0.05)


def test_each_stratum_has_an_error_of_its_own() -> None:
    scores = (1, -1, None, None, None, None, None)
    easy, end = (Position(stratum, (0, 0), scores) for stratum in ("begin-easy", "end-easy"))
    told = [Answer(easy, 0), Answer(easy, 1), Answer(end, 0)]
    assert rate_errors(told) == {"begin-easy": pytest.approx(share_error(0.5, 2)), "end-easy": pytest.approx(share_error(0.0, 1))}


def test_a_network_is_asked_where_a_mistake_is_possible_and_only_there() -> None:
    asked_about = []

    def rightmost(planes: np.ndarray, allowed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        asked_about.append(len(planes))
        order = np.arange(1, 8) * allowed
        return (order / order.sum(axis=1, keepdims=True)).astype(np.float32), np.zeros(len(planes), np.float32)

    chosen = random.Random(1).sample(positions(ALL_POSITIONS), 200)
    told = asked(compiled("connect_four"), rightmost, 0, chosen)
    critical = [position for position in chosen if len({sign(score) for score in position.scores if score is not None}) > 1]
    assert sum(asked_about) == len(critical) and 20 < len(critical) < 180
    assert [answer.position for answer in told] == chosen
    for answer in told:
        legal = GAME.legal_actions(answer.position.state)
        assert answer.action == (legal[-1] if answer.position in critical else legal[0])
        assert answer.position in critical or not any(map(answer.position.is_mistake, legal))


# -- both tables ----------------------------------------------------------------------------------


def test_strength_tells_both_tables_with_errors_and_with_whom_to_compare() -> None:
    """a network that knows nothing, alone: the first line of each table has the shares of the leftmost legal column"""
    def equal(planes: np.ndarray, allowed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return (allowed / allowed.sum(axis=1, keepdims=True)).astype(np.float32), np.zeros(len(planes), np.float32)

    rules = compiled("connect_four")
    lines = list(measure.full(rules, equal, (0,), 2, 0))
    assert len(lines) == len(measure.expected_work(rules, (0,), 2))
    heads = [line.partition(",")[0] for line in lines]
    assert heads[0] == "mistakes at critical positions" and heads[2] == "mistakes at positions of all kinds"
    for line, path in ((lines[1], POSITIONS), (lines[3], ALL_POSITIONS)):
        there = [position for position in positions(path) if position.stratum == "begin-easy"]
        wrong = sum(position.is_mistake(GAME.legal_actions(position.state)[0]) for position in there)
        error = share_error(wrong / 1000, 1000)
        assert line.startswith(f"0 simulations | {wrong / 10:.1f} ± {100 * error:.1f} | ")
    assert "AlphaZero.jl" in lines[4] and "make ladder" in lines[4]
