"""The validation of `challenge_player`: the players play as they say, and the page has their figures."""

import random
from pathlib import Path

import pytest

from arena.challenge.sprt import FAILED, PASSED, UNDECIDED
from arena.games import ConnectFour
from arena.match import play_match
from arena.players.uct import UCTPlayer
from autograder.selftest.exam_validation import improved_page
from autograder.selftest.exam_validation import page as validation_page
from autograder.selftest.exam_validation.improved import AsGraded, count, measure
from autograder.selftest.exam_validation.improved_players import ALL, BROKEN, IMPROVEMENTS, KEPT

GAME = ConnectFour()
PLAYERS = IMPROVEMENTS | BROKEN


@pytest.mark.usefixtures("computing")
@pytest.mark.parametrize("name", PLAYERS)
def test_every_player_plays_whole_games_without_a_fault(name: str) -> None:
    match = play_match(GAME, AsGraded(PLAYERS[name]), UCTPlayer(), 4, (20, 20), 5, progress=False)
    assert match.faults == () and len(match.games) == 4


@pytest.mark.usefixtures("computing")
@pytest.mark.parametrize("text", [KEPT, ALL])
def test_a_kept_tree_brings_its_visits_to_the_next_move(text: str) -> None:
    player, rng = AsGraded(text), random.Random(1)
    state = GAME.play(GAME.start(), player.choose(GAME.start(), 200, rng))
    answers = player._player.root.children
    state = GAME.play(state, max(answers, key=lambda action: answers[action].num_visits))
    player.choose(state, 1, rng)
    assert player._player.root.num_visits > 1  # with a fresh tree the move has the one simulation
    player.new_game()
    assert player._player.root is None


@pytest.mark.usefixtures("computing")
def test_the_score_comes_pair_by_pair_and_a_stopped_measurement_goes_on() -> None:
    whole = list(measure(IMPROVEMENTS["another c, 1"], "Random", None, 12))
    *_, again = measure(IMPROVEMENTS["another c, 1"], "Random", {**whole[0], "pairs": whole[0]["pairs"][:5]}, 12)
    assert len(again["pairs"]) == 6 and again["pairs"] == whole[-1]["pairs"]
    assert again["interval"][0] <= again["score"] <= again["interval"][1]


@pytest.mark.usefixtures("repetition")
def test_tactics_are_counted_and_are_no_overrun() -> None:
    """The command counts 1,000 moves; see its command."""
    counts = count(moves=40, simulations=10)
    assert (counts["moves"], counts["overruns"]) == (40, 0) and 0.3 < counts["most"] < 1


def figures(passed: int = 0) -> dict:
    return {PASSED: passed, FAILED: 50 - passed, UNDECIDED: 0, "games": 20.0}


@pytest.fixture
def kept() -> dict:
    score = {"pairs": [0.5, 1.0], "score": 0.75, "interval": [0.3, 0.9], "cpu_s": 8.0}
    counted = {"moves": 1000, "simulations": 20, "overruns": 0, "most": 0.61}
    return {"proofs / Stone": score, **dict.fromkeys(BROKEN, figures()), "counted": counted}


def test_what_does_not_hold_is_said(kept: dict) -> None:
    assert improved_page.misses(kept) == []
    broken = next(iter(BROKEN))
    assert improved_page.misses(kept | {broken: figures(2)}) == [f"{broken} passed 2 of 50 exams"]
    assert "an overrun 3 times" in improved_page.misses(kept | {"counted": {**kept["counted"], "overruns": 3}})[0]


def test_the_page_keeps_its_other_part_whichever_is_written(kept: dict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(validation_page, "PAGE", tmp_path / "exam_validation.md")
    validation_page.write_page({}, "Measured.")
    alone = validation_page.PAGE.read_text()
    for _ in range(2):
        assert improved_page.write_section(kept, "Measured later.") == 0
    both = validation_page.PAGE.read_text()
    assert "\nMeasured.\n" in alone and "\nMeasured later.\n" in both
    assert both.startswith(alone) and both.count(validation_page.IMPROVED) == 1
    assert "| proofs | Stone | 4 | .750 | .300 to .900 | 2.00 |" in both and "61% of what is allowed" in both
    validation_page.write_page({}, "Measured.")
    assert validation_page.PAGE.read_text() == both


def test_the_published_page_has_every_broken_improvement_and_the_counted_moves() -> None:
    part = validation_page.improved_part()
    assert all(f"| {name} | Stone |" in part for name in IMPROVEMENTS)
    assert all(f"| {name} |" in part for name in BROKEN) and "1,000\ncounted moves" in part
