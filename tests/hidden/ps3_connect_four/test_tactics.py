"""3.9: a policy that takes a win and blocks a loss, and the rollout that it makes."""

from random import Random
from typing import Any

import pytest

from arena.games import ToyGame
from autograder.grading.edition import drawn_once
from tests.hidden.ps3_connect_four.oracle import GAME, SMALL, finished, line, near_ends, random_game, rewards_of

pytestmark = pytest.mark.exercise("3.9")


def winning(game: Any, state: Any) -> list[int]:
    """The actions that win at once."""
    return [action for action in game.legal_actions(state) if game.outcome(game.play(state, action)) == -1.0]


def allowed(game: Any, state: Any) -> list[int]:
    """The actions that the first fitting rule leaves."""
    legal = game.legal_actions(state)
    safe = [action for action in legal if not winning(game, game.play(state, action))]
    return winning(game, state) or safe or legal


def drawn(student: Any, game: Any, state: Any, edition: Random, number: int) -> list[int]:
    return student.many("tactical_action", [(game, state, student.rng(edition.getrandbits(30)))] * number)


@pytest.mark.hint("win first, or block first?")
def test_a_win_is_taken(student, edition):
    """an action that wins at once is taken, for both colours, also when the other player threatens to win"""
    for state, right, number in near_ends(edition, 2):
        if number == 100:  # depth 1
            assert drawn(student, GAME, state, edition, 12) == [right] * 12
    both = GAME.parse("......./......./......./......./OOO..../XXX....")
    assert drawn(student, GAME, both, edition, 12) == [3] * 12


@pytest.mark.hint("after which of your moves can the other player win at once?")
def test_a_threat_is_blocked(student, edition):
    """where the other player threatens to win, the blocking action is taken, for both colours"""
    for state, right, number in near_ends(edition, 2):
        if number == 150:  # depth 2
            assert drawn(student, GAME, state, edition, 12) == [right] * 12


@drawn_once
def with_unsafe_actions(edition: Random) -> list[tuple[Any, list[int]]]:
    """Six positions of random games, in each an unsafe action, with what the rules leave; in three of them several safe ones."""
    cases: list[tuple[Any, list[int]]] = []
    while len(cases) < 6:
        state = edition.choice(random_game(edition)[8:-1] or [GAME.start()])
        legal, right = GAME.legal_actions(state), allowed(GAME, state)
        if len(right) < min(len(legal), 6):
            if len(cases) >= 3 and (winning(GAME, state) or len(right) < 2):
                continue
            cases.append((state, right))
    return cases


@pytest.mark.hint("can a move of yours make a square free for the other player?")
def test_no_move_prepares_the_other_player_s_win(student, edition):
    """in positions of random games exactly the actions come that the rules leave, and all of them"""
    cases = with_unsafe_actions(edition)
    rng = student.rng(edition.getrandbits(30))
    for state, right in cases:
        seen = student.many("tactical_action", [(GAME, state, rng)] * (10 + 18 * len(right)))
        assert set(seen) <= set(right)
        assert set(seen) == set(right)  # one of five is missed once in 1e9: 5 x .8^100, one of two once in 1e13


@pytest.mark.hint("which of several winning, or safe, or lost moves comes?")
def test_chance_decides_among_equals(student, edition):
    """among the actions that a rule leaves each comes equally often"""
    w, d = -1.0, 0.0
    names = edition.sample(["p", "q", "r", "t"], 4)

    def game(ends: list[float]) -> ToyGame:
        return ToyGame({"s0": names}, dict(zip(names, ends, strict=True)))

    threats = {"s0": names, **{name: [f"{name}0"] for name in names}}
    lost = {"s0": names, **{name: [f"{name}{k}" for k in range(place + 1)] for place, name in enumerate(names)}}
    cases = [
        (game([w, d, w, w]), {0, 2, 3}),  # three wins
        (game([d, d, d, d]), {0, 1, 2, 3}),  # nothing to win and nothing to lose
        (ToyGame(threats, {f"{names[0]}0": w}), {1, 2, 3}),  # one move lets the other player win
        (ToyGame(lost, {end: w for name in names for end in lost[name]}), {0, 1, 2, 3}),  # all of them do, in one way or in more
    ]
    for toy, right in cases:
        seen = student.many("tactical_action", [(toy, "s0", student.rng(edition.getrandbits(30)))] * 360)
        # 120 expected for each of three, 90 of four, deviations 8.9 and 8.2: 56 away comes less than once in 3e9 tries.
        assert all(abs(seen.count(a) - 360 / len(right)) < 56 for a in right) and set(seen) == right


@pytest.mark.hint("is every end of a game a win?")
def test_only_a_win_is_a_win(student, edition):
    """an action that ends the game in a draw, or in a win of the other player, is no win"""
    order = edition.sample(range(3), 3)
    names = [["draw", "gift", "on"][i] for i in order]
    game = ToyGame({"s0": names, "on": ["on1"]}, {"gift": 1.0})
    seen = student.many("tactical_action", [(game, "s0", student.rng(edition.getrandbits(30)))] * 90)
    assert set(seen) == {0, 1, 2}  # one is missed once in 1e15 tries
    reply = ToyGame({"s0": ["a", "b"], "a": ["a0", "a1"], "b": ["b0"]}, {"a1": 0.0, "a0": 1.0, "b0": -1.0})
    assert set(drawn(student, reply, "s0", edition, 12)) == {0}  # after b the other player wins; after a nobody does


@pytest.mark.hint("where do your random numbers come from?")
def test_actions_and_rollouts_repeat_with_their_rng(student, edition):
    """the same rng gives the same actions and games again, another rng others, and no other generator is used"""
    seed = edition.getrandbits(30)
    moves = {f"s{ply}": [f"s{ply + 1}", f"e{ply}", f"d{ply}"] for ply in range(5)}
    game = ToyGame(moves, {f"e{ply}": 1.0 for ply in range(5)})

    def draws(seed: int) -> list[Any]:
        actions = student.many("tactical_action", [(GAME, GAME.start(), student.rng(seed))] * 14)
        return actions + student.many("tactical_rollout", [(game, "s0", student.rng(seed + 50))] * 40)

    before = student.disturb(edition.getrandbits(30))
    first = draws(seed)
    assert student.global_state() == before
    student.disturb(edition.getrandbits(30))
    assert first == draws(seed)
    other = draws(seed + 1)  # fourteen equal actions of seven once in 1e11 tries
    assert first[:14] != other[:14]
    assert len({r0 for r0, _ in first[14:]}) > 1  # half of the endings are draws: forty alike once in 1e12


@pytest.mark.hint("what can a player do where the game is over, and what does the docstring say of it?")
def test_no_action_where_the_game_is_over(student, edition):
    """where the game is over, won by either player or drawn, there is no action; the call is an error"""
    for winner in (0, 1, None):
        with student.raises(ValueError):
            student.tactical_action(GAME, finished(edition, winner), student.rng(1))


@pytest.mark.hint("outcome speaks of the player to move at the end: is that player 0 or player 1?")
def test_the_rollout_tells_the_rewards_of_both_players(student, edition):
    """the rewards are (r0, r1) from wherever it begins, for wins of either player and for draws"""
    for plies in (edition.choice([3, 5]), edition.choice([4, 6])):
        for value in (-1.0, 0.0, 1.0):
            got = student.many("tactical_rollout", [(line(plies, value), f"s{ply}", student.rng(1)) for ply in range(plies + 1)])
            assert got == [rewards_of(value, plies % 2)] * (plies + 1)
    for winner in (0, 1):
        state = finished(edition, winner)
        assert student.tactical_rollout(GAME, state, student.rng(1)) == rewards_of(1.0, winner)


@pytest.mark.hint("who plays by the rules: one player, or both?")
def test_both_players_play_by_the_rules(student, edition):
    """in the rollout both players take their wins and block, ply after ply"""
    #   player 1 has a win at the second ply, player 0 at the third; each overlooks it only by chance
    second = ToyGame({"s0": ["s1"], "s1": ["a", "b", "c", "d"], "c": ["c1"], "d": ["d1"]}, {"a": -1.0})
    third = ToyGame({"s0": ["s1"], "s1": ["s2"], "s2": ["a", "b", "c", "d"], "c": ["c1"], "d": ["d1"]}, {"a": -1.0})
    assert student.many("tactical_rollout", [(second, "s0", student.rng(edition.getrandbits(30)))] * 12) == [(-1.0, 1.0)] * 12
    assert student.many("tactical_rollout", [(third, "s0", student.rng(edition.getrandbits(30)))] * 12) == [(1.0, -1.0)] * 12
    #   at s1 one of four moves avoids the loss, and the game goes on to a draw
    block = ToyGame({"s0": ["s1"], "s1": ["a", "b", "c", "d"], **{s: [f"{s}1", f"{s}2"] for s in "abcd"}},
                    {"a1": -1.0, "b2": -1.0, "d1": -1.0})  # fmt: skip
    assert student.many("tactical_rollout", [(block, "s0", student.rng(edition.getrandbits(30)))] * 12) == [(0.0, 0.0)] * 12


@pytest.mark.hint("is the outcome looked at before the first move and after every move?")
def test_a_rollout_stops_where_the_game_is_over(student, edition):
    """a won board is told as it is without a move, and a game of Tic-Tac-Toe comes to its end"""
    watched = student.watch(GAME)
    state = finished(edition, edition.choice([0, 1, None]))
    student.tactical_rollout(watched, watched.token(state), student.rng(1))
    assert [call for call in watched.calls if call[0] == "play"] == []
    got = student.many("tactical_rollout", [(SMALL, SMALL.start(), student.rng(edition.getrandbits(30)))] * 40)
    # Two tactical players draw about two games of three, and the first wins far more often than the second.
    assert set(got) <= {(1.0, -1.0), (0.0, 0.0), (-1.0, 1.0)}
