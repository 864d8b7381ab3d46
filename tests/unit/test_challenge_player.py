"""`challenge_player` of problem set 3: it is counted with its tactics in mind, and the better of it and `uct` counts."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from arena.challenge.kinds import IMPROVED, LADDER_SETS, UCT
from arena.challenge.ladder import LADDER, load_ladder
from arena.challenge.own_player import load_entry
from arena.challenge.report import GRADER_FAULT, NOT_READY, PLAYED, ChallengeReport
from arena.games import ConnectFour
from arena.match import play_match
from arena.players.uct import UCTPlayer
from arena.strength.openings import line_to, quiet_draws
from autograder.challenge.exam.whole_exam import better_of, run_exam_of
from autograder.challenge.model import Conditions, ExamResult, Measured
from autograder.challenge.player.query_budget import CountedLooks, allowed
from autograder.challenge.player.sandboxed import contestant
from autograder.submission.payload import read_payload
from autograder.submission.read import read_folder
from solutions import ps3_connect_four as ps3
from tests.ladders import quick_ladder
from tests.students import solved

GAME, PS = ConnectFour(), "ps3_connect_four"
SOLVED = solved(PS)
TACTICS = "\n\n# %%\ndef challenge_player(game):\n    return Searcher(game, tactical_rollout)\n"
WORSE = "\n\n# %%\nclass Worse:\n    def choose(self, state, simulations, rng):\n        return {}[state]\n" \
        "\n\ndef challenge_player(game):\n    return Worse()\n"
SIMULATIONS = 20


def written(folder: Path, code: str) -> Path:
    """The folder of a submission: our solution, and this code below it."""
    (folder / f"{PS}.py").write_text(SOLVED + code)
    return folder


# -- what is counted -------------------------------------------------------------------------------


class Asked:
    """The game as a watched search sees it: states are names, and each call is counted."""

    def __init__(self, counted: CountedLooks) -> None:
        self.num_actions, self._counted = GAME.num_actions, counted

    def __getattr__(self, method: str):
        return lambda *given: self._counted.answer(method, *given)


def positions(number: int, seed: int):
    """Unfinished positions of random games, with any number of stones."""
    rng = random.Random(seed)
    while number:
        state = GAME.start()
        for _ in range(rng.randrange(36)):
            if GAME.outcome(state) is None:
                state = GAME.play(state, rng.choice(GAME.legal_actions(state)))
        if GAME.outcome(state) is None and len(GAME.legal_actions(state)) > 1:
            number -= 1
            yield state


def counted(state, search, simulations: int = SIMULATIONS) -> CountedLooks:
    """One move of a search, which may make another number of simulations than it is asked for."""
    game = CountedLooks(state, SIMULATIONS)
    search(Asked(game), game.token(state), random.Random(1), simulations)
    return game


@pytest.mark.usefixtures("repetition")
def test_a_player_with_tactics_is_never_an_overrun() -> None:
    def tactical(game, state, rng, simulations):
        ps3.Searcher(game, ps3.tactical_rollout).choose(state, simulations, rng)

    games = [counted(state, tactical) for state in positions(60, seed=1)]
    assert [game.overrun for game in games if game.overrun] == []
    used = max(game.asked["play"] / allowed(game.root, SIMULATIONS)["play"] for game in games)
    assert used > 0.3, "the allowance is far from what tactics need: is a look still counted?"


def test_plain_and_proving_searches_are_no_overruns_and_six_times_the_simulations_are() -> None:
    def uct(game, state, rng, simulations):
        ps3.uct(game, state, rng, simulations=simulations)

    def solve(game, state, rng, simulations):
        ps3.solve(game, state, simulations, rng)

    for state in positions(20, seed=2):
        assert counted(state, uct).overrun is None and counted(state, solve).overrun is None
    early = GAME.start()
    assert counted(early, uct, 6 * SIMULATIONS).overrun.question == "play"


def test_a_look_is_two_plies_and_each_action_once() -> None:
    game = CountedLooks(GAME.start(), 1)
    start = game.token(GAME.start())

    def play(at: str, action: int) -> str:
        return game.answer("play", at, action)

    below = {action: play(start, action) for action in range(7)}
    replies = {(action, reply): play(below[action], reply) for action in range(7) for reply in range(7)}
    play(start, 3)
    assert game.asked["play"] == 1  # 57 calls, one look
    third = play(replies[3, 3], 0)
    assert [play(below[3], reply) for reply in range(7)] and game.asked["play"] == 2  # the look has moved on by one ply
    play(third, 0)
    assert game.asked["play"] == 3
    play(start, 0)
    assert game.asked["play"] == 4  # a new simulation begins


# -- the player in its sandbox ----------------------------------------------------------------------


@pytest.mark.usefixtures("repetition")
def test_it_plays_in_the_sandbox_and_its_watched_moves_are_counted(tmp_path: Path) -> None:
    submission = read_folder(written(tmp_path, TACTICS), PS)
    player = contestant(submission, load_ladder(), secret=b"autumn", kind=IMPROVED)
    player.watched_one_in = 3
    openings = [line_to(quiet_draws()[1000])]
    try:
        match = play_match(GAME, player, UCTPlayer(), 2, (SIMULATIONS, SIMULATIONS), 7, openings=openings, progress=False)
    finally:
        player.end()
        player.runner.close()
    assert (player.kind, match.faults, player.overruns, player.uncounted) == (IMPROVED, (), [], 0) and player.watched > 2


@pytest.mark.first_shows
@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("code, outcome", [(WORSE, UCT), (TACTICS, None), ("", UCT)])
def test_the_better_of_the_two_counts(tmp_path: Path, code: str, outcome: str | None) -> None:
    (tmp_path / LADDER.name).write_text(quick_ladder("Random"))
    conditions = Conditions(b"the better one", load_ladder(tmp_path / LADDER.name))
    result = run_exam_of(read_payload(written(tmp_path, code), PS), conditions)
    assert result.report.outcome == PLAYED and not result.failure
    if not code:
        assert result.report.note == "" and not any(part.startswith(IMPROVED) for part in result.measured.cpu_s)
        return
    assert ("` played the games below; `" in result.report.note) and result.report.note.endswith(" points.")
    assert outcome is None or result.report.note.startswith(f"`{outcome}` played")
    assert {f"{IMPROVED} quality", "quality"} <= set(result.measured.cpu_s)


def exam(outcome: str = PLAYED, points: float = 0.0, note: str = "") -> ExamResult:
    return ExamResult(ChallengeReport(PS, "0", outcome, note, points), Measured({"Sand": 1.0}, {}, 5))


def test_equal_players_leave_it_at_uct_and_a_fault_of_the_grader_decides_nothing() -> None:
    equal = better_of(exam(points=8), exam(points=8)).report
    assert equal.note == "`uct` played the games below; `challenge_player` alone has 8 points."
    best = better_of(exam(points=8), exam(points=9.5))
    assert best.report.points == 9.5 and best.measured == Measured({"Sand": 1.0, f"{IMPROVED} Sand": 1.0}, {}, 10)
    assert better_of(exam(points=8), exam(GRADER_FAULT)).report.has_fault
    broken = better_of(exam(points=8), exam(NOT_READY, note="Not entered yet: an exception."))
    assert broken.report.points == 8 and "`challenge_player` did not play: Not entered yet: an exception." in broken.report.note


# -- at home ----------------------------------------------------------------------------------------


def test_it_climbs_at_home_between_uct_and_the_open_player(tmp_path: Path) -> None:
    code = TACTICS + "\n\ndef open_player(game, state, rng):\n    return game.legal_actions(state)[0]\n"
    entry = load_entry(written(tmp_path, code), load_ladder(), print, LADDER_SETS)
    assert [player.kind for player in entry.players] == [UCT, IMPROVED, "open_player"]
    player = entry.players[1]
    player.new_game()
    assert player.choose(GAME.start(), SIMULATIONS, random.Random(1)) in range(7)
