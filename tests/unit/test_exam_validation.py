"""The validation of the exam: the compiled flaws are real, the exams judge them, and the page gives the required results."""

import random
from pathlib import Path

import pytest

from arena.challenge.sprt import FAILED, PASSED, UNDECIDED
from arena.games import ConnectFour, after
from arena.match import random_openings
from arena.players.uct import UCTPlayer, visit_counts
from autograder.problem_sets.bank.answers import load_bank
from autograder.selftest.exam_validation import page as validation_page
from autograder.selftest.exam_validation.exams import GAMES, TRUE_SCORES, examine, measure, simulated
from autograder.selftest.exam_validation.flawed_uct import FlawedPlayer, flawed_search
from autograder.selftest.exam_validation.flaws import BROKEN_PLAYERS, PS2, PS3, Flaw

GAME = ConnectFour()
STATES = [after(GAME, line) for plies in (0, 3, 8, 15, 22) for line in random_openings(GAME, 4, plies, random.Random(plies))]
LATE = [after(GAME, line) for plies in (24, 27, 30) for line in random_openings(GAME, 20, plies, random.Random(plies))]


@pytest.mark.usefixtures("repetition")
@pytest.mark.parametrize("exploration", [0.0, 0.2, 1.0, 2.0])
def test_without_a_flaw_it_is_the_ladder_s_own_search(exploration: float) -> None:
    for seed, state in enumerate(STATES):
        visits, _ = flawed_search(state, 300, exploration, seed, Flaw.RIGHT)
        assert visits.tolist() == visit_counts(state, 300, exploration, seed).tolist()
        copied, genuine = (player.choose(state, 300, random.Random(seed))
                           for player in (FlawedPlayer(Flaw.RIGHT, exploration), UCTPlayer(exploration)))
        assert copied == genuine


@pytest.mark.parametrize("flaw", [flaw for flaw in Flaw if flaw != Flaw.RIGHT], ids=lambda flaw: flaw.name)
def test_every_flaw_plays_other_moves(flaw: Flaw) -> None:
    states = STATES + LATE  # some flaws appear only when columns are full, or when games end in draws
    moves = [[FlawedPlayer(which).choose(state, 100, random.Random(seed)) for seed, state in enumerate(states)]
             for which in (flaw, Flaw.RIGHT)]
    assert moves[0] != moves[1]


@pytest.mark.usefixtures("computing")
def test_every_flaw_is_a_broken_player_and_every_answer_is_in_its_bank() -> None:
    assert {player.flaw for player in BROKEN_PLAYERS} == set(Flaw)
    assert len({player.words for player in BROKEN_PLAYERS}) == len(BROKEN_PLAYERS)
    titles = {ps: {answer.title for answer in load_bank(Path(f"tests/wrong/{ps}.py"))} for ps in (PS2, PS3)}
    assert [player.answer for player in BROKEN_PLAYERS if player.answer and player.answer not in titles[player.ps]] == []


@pytest.mark.usefixtures("repetition")
def test_the_reference_passes_and_broken_players_do_not() -> None:
    """The seeds are fixed; the full run has 200 exams here, and 50 of each of the others."""
    assert examine(UCTPlayer(), 5)[PASSED] == 5
    for flaw in (Flaw.NO_FLIP, Flaw.LOG_OF_CHILD, Flaw.FINAL_RANDOM):
        assert examine(FlawedPlayer(flaw), 3)[FAILED] == 3
    assert examine(UCTPlayer(exploration=0.0), 3)[FAILED] == 3


def test_a_true_score_comes_with_its_interval_and_what_was_lost_off_the_board() -> None:
    figures = measure(FlawedPlayer(Flaw.FINAL_INDEX), 100)
    assert figures["interval"][0] < figures["score"] < figures["interval"][1]
    assert "not legal" in figures["faults"][0][0]
    assert figures == measure(FlawedPlayer(Flaw.FINAL_INDEX), 100)


def figures(score: float, passed: int = 0, exams: int = 50) -> dict:
    return {"score": score, "interval": [max(0.0, score - 0.03), min(1.0, score + 0.03)], PASSED: passed,
            FAILED: exams - passed, UNDECIDED: 0, "games": 70.0}


@pytest.fixture
def kept() -> dict:
    """Figures for which every required claim is true."""
    broken = {f"broken {player.words}": figures(0.2) for player in BROKEN_PLAYERS}
    return {"reference": figures(0.79, 200, 200), **broken, "python NO_FLIP": figures(0.22)}


def test_nothing_is_said_when_everything_holds(kept: dict) -> None:
    assert validation_page.misses(kept) == []


@pytest.mark.parametrize("name, spoilt, sentence", [
    ("reference", figures(0.79, 199, 200), "the reference did not pass every exam"),
    ("broken no sign flip", figures(0.24, 1), "no sign flip: its true score is 0.240, and it passed 1"),
    ("python NO_FLIP", figures(0.6), "no sign flip: 0.600 in Python, 0.200 compiled"),
])
def test_what_does_not_hold_is_said(name: str, spoilt: dict, sentence: str, kept: dict) -> None:
    sentences = validation_page.misses(kept | {name: spoilt})
    assert len(sentences) == 1 and sentence in sentences[0]


def test_too_few_weak_players_are_not_enough(kept: dict) -> None:
    strong = {name: figures(0.6, 9) for name in list(kept)[20:] if name.startswith("broken")}
    assert "broken players have a true score" in validation_page.misses(kept | strong)[-1]


@pytest.mark.usefixtures("computing")
def test_the_page_has_every_figure(kept: dict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(validation_page, "PAGE", tmp_path / "exam_validation.md")
    passing = figures(0.58, 7) | {"caught_by": ["3.6 test_the_most_visited_is_played"], "may_enter": False}
    exams = {"simulated 0.5": simulated(0.5)}
    validation_page.write_page(kept | {"broken the final move has the highest bound": passing} | exams, "Measured.")
    page = (tmp_path / "exam_validation.md").read_text()
    assert "\nMeasured.\n" in page
    assert "| no sign flip | .200 | .170 to .230 | 0 | 50 | 0 | 70 |" in page
    assert "7 of 50 | ps3_connect_four: `3.6 test_the_most_visited_is_played` | no |" in page
    assert "| .500 | 0 | 20,000 | 0 | 8" in page and "| 0.2 | 0.0 | 87.8 |" in page


def test_the_published_page_is_of_the_players_that_there_are() -> None:
    page = validation_page.PAGE.read_text()
    assert all(f"| {player.words} |" in page for player in BROKEN_PLAYERS)
    assert GAMES == 1000 and TRUE_SCORES == (0.50, 0.55, 0.70, 0.79)
