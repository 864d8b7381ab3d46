"""3.9: a policy that takes a win and blocks a loss, and the rollout by this policy."""

from random import Random
from typing import Any

import pytest

from arena.games import ToyGame
from autograder.grading.edition import drawn_once
from autograder.grading.hidden_checks.known_mistakes import ask, recognise
from tests.hidden.ps3_connect_four.oracle import GAME, SMALL, finished, line, near_ends, random_game, rewards_of

pytestmark = pytest.mark.exercise("3.9")


def winning(game: Any, state: Any) -> list[int]:
    """The actions that win at once."""
    return [action for action in game.legal_actions(state) if game.outcome(game.play(state, action)) == -1.0]


def allowed(game: Any, state: Any) -> list[int]:
    """The actions that the first fitting rule allows."""
    legal = game.legal_actions(state)
    safe = [action for action in legal if not winning(game, game.play(state, action))]
    return winning(game, state) or safe or legal


def drawn(student: Any, game: Any, state: Any, edition: Random, number: int) -> list[int]:
    return student.many("tactical_action", [(game, state, student.rng(edition.getrandbits(30)))] * number)


@pytest.mark.hint("one of the moves wins at once: whose outcome shows this, and do you then play the move?")
def test_a_win_is_taken(student, edition):
    """an action that wins at once is taken, for both colours, also when the other player threatens to win

    Promised: Return an action that wins at once, or else one that does not lose at once, or else any action.
    """
    #   r -> a, w, b: w wins, and a and b go on for two plies
    moves = {"r": ["a", "w", "b"], "a": ["a1"], "a1": ["a2"], "b": ["b1"], "b1": ["b2"]}
    for start in ("r", "start"):
        game = ToyGame(moves if start == "r" else moves | {"start": ["r"]}, {"w": -1.0}, start=start)
        assert drawn(student, game, "r", edition, 12) == [1] * 12
        ask("does the second player play by the same rules as the first?")
    ask("which rule comes first: win or block?")
    #   r -> d, w, u: w wins, d goes on, and after u the other player wins
    threat = ToyGame({"r": ["d", "w", "u"], "d": ["d1"], "d1": ["d2"], "u": ["u1"]}, {"w": -1.0, "u1": -1.0}, start="r")
    assert drawn(student, threat, "r", edition, 30) == [1] * 30
    for state, right, number in near_ends(edition, 2):
        if number == 100:  # depth 1
            assert drawn(student, GAME, state, edition, 12) == [right] * 12
    both = GAME.parse("......./......./......./......./OOO..../XXX....")
    assert drawn(student, GAME, both, edition, 12) == [3] * 12


@pytest.mark.hint("after which of your moves can the other player win at once?")
def test_a_threat_is_blocked(student, edition):
    """when the other player threatens to win, the blocking action is taken, for both colours

    Promised: actions after which the other player has no action of that kind;
    """
    for state, right, number in near_ends(edition, 2):
        if number == 150:  # depth 2
            assert drawn(student, GAME, state, edition, 12) == [right] * 12


@pytest.mark.hint("a rule allows some moves: can each of them come, and are all equally likely?")
def test_chance_decides_among_equals(student, edition):
    """among the actions that a rule allows each comes equally often

    Promised: rng: draws among the actions that the first fitting rule leaves, each equally likely:
    """
    names = edition.sample(["p", "q", "r", "t"], 4)
    replies = {name: [f"{name}{reply}" for reply in range(place + 1)] for place, name in enumerate(names)}

    all_replies = [reply for name in names for reply in replies[name]]

    def won_at(states: list[str]) -> ToyGame:
        """Four moves with one to four replies each. A move to one of these states wins; elsewhere the game goes on."""
        moves = {"s0": names} | {name: replies[name] for name in names if name not in states}
        moves |= {reply: [f"{reply}+"] for name in names if name in moves for reply in replies[name] if reply not in states}
        return ToyGame(moves, dict.fromkeys(states, -1.0))

    cases = [
        ("several moves win at once: can each of them come, equally often?", [names[0], names[2], names[3]], {0, 2, 3}),
        ("no move wins and no move loses: can each legal move come, equally often?", [], {0, 1, 2, 3}),
        ("several moves are safe: can each of them come, equally often, and no other move?", replies[names[0]], {1, 2, 3}),
        ("every move loses at once: which of them may come, and is one better than another?", all_replies, {0, 1, 2, 3}),
    ]
    for question, won, right in cases:
        toy = won_at(won)
        seen = student.many("tactical_action", [(toy, "s0", student.rng(edition.getrandbits(30)))] * 360)
        # 120 expected for each of three, 90 of four, deviations 8.9 and 8.2: 56 away comes less than once in 3e9 tries.
        ask(question)
        assert [(a, seen.count(a)) for a in right if not abs(seen.count(a) - 360 / len(right)) < 56] == [] and set(seen) == right


@pytest.mark.hint("is every end of a game a win?")
def test_only_a_win_is_a_win(student, edition):
    """an action that ends the game in a draw, or in a win of the other player, is not a win

    Promised: actions after which the game is won by the player who took them (outcome -1.0 there);
    """
    order = edition.sample(range(3), 3)
    names = [["draw", "gift", "on"][i] for i in order]
    game = ToyGame({"s0": names, "on": ["on1"]}, {"gift": 1.0})
    seen = student.many("tactical_action", [(game, "s0", student.rng(edition.getrandbits(30)))] * 90)
    assert set(seen) == {0, 1, 2}  # by chance one is missed once in 1e15 tries
    reply = ToyGame({"s0": ["a", "b"], "a": ["a0", "a1"], "b": ["b0"]}, {"a1": 0.0, "a0": 1.0, "b0": -1.0})
    ask("the game ends with the other player's move: has that player won?")
    assert set(drawn(student, reply, "s0", edition, 12)) == {0}  # after b the other player wins; after a nobody wins


@drawn_once
def with_unsafe_actions(edition: Random) -> list[tuple[Any, list[int]]]:
    """Six positions of random games with an unsafe action and the actions that the rules allow; three have several safe ones."""
    cases: list[tuple[Any, list[int]]] = []
    while len(cases) < 6:
        state = edition.choice(random_game(edition)[8:-1] or [GAME.start()])
        legal, right = GAME.legal_actions(state), allowed(GAME, state)
        if len(right) < min(len(legal), 6):
            if len(cases) >= 3 and (winning(GAME, state) or len(right) < 2):
                continue
            cases.append((state, right))
    return cases


@pytest.mark.hint("can your move make a square free for the other player?")
def test_no_move_prepares_the_other_player_s_win(student, edition):
    """in positions of random games exactly those actions come that the rules allow, and all of them

    Promised: actions after which the other player has no action of that kind;
    """
    cases = with_unsafe_actions(edition)
    rng = student.rng(edition.getrandbits(30))
    for state, right in cases:
        seen = student.many("tactical_action", [(GAME, state, rng)] * (10 + 18 * len(right)))
        ask("after your move, do you look at each answer of the other player, also on a square that your move makes free?")
        assert set(seen) <= set(right)
        ask("the first fitting rule allows some moves: can each of them come?")
        assert set(seen) == set(right)  # by chance one of five is missed once in 1e9: 5 x .8^100, one of two once in 1e13


@pytest.mark.hint("does your function use only the given rng: no other generator, and no seed of its own?")
def test_actions_and_rollouts_repeat_with_their_rng(student, edition):
    """the same rng gives the same actions and games again, another rng gives others, and no other generator is used

    Promised: rng: draws among the actions that the first fitting rule leaves, each equally likely:
    """
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


@pytest.mark.hint("the game is over, so no action is legal: what does the docstring say about this case?")
def test_no_action_where_the_game_is_over(student, edition):
    """when the game is over, won by either player or drawn, there is no action; the call is an error

    Promised: ValueError: the game is over at `state`.
    """
    for winner in (0, 1, None):
        with student.raises(ValueError):
            student.tactical_action(GAME, finished(edition, winner), student.rng(1))


@pytest.mark.hint("outcome is for the player to move at the end: is this player 0 or player 1?")
def test_the_rollout_tells_the_rewards_of_both_players(student, edition):
    """the rewards are (r0, r1) from any beginning, for wins of either player and for draws

    Promised: Returns (r0, r1) as `default_policy` does;
    """
    for plies in (edition.choice([3, 5]), edition.choice([4, 6])):
        for value in (-1.0, 1.0, 0.0):
            ask("outcome is for the player to move at the end: is this player 0 or player 1?" if value else
                "which reward does each player get for a draw?")  # fmt: skip
            got = student.many("tactical_rollout", [(line(plies, value), f"s{ply}", student.rng(1)) for ply in range(plies + 1)])
            if got != [rewards_of(value, plies % 2)] * (plies + 1):
                mover = [rewards_of(value * (-1) ** (plies - ply), 0) for ply in range(plies + 1)]
                recognise(got, {"Here the mover's reward comes first: which player's reward must come first?": mover})
            assert got == [rewards_of(value, plies % 2)] * (plies + 1)
    ask("the game is already over: for which player is the outcome?")
    for winner in (0, 1):
        state = finished(edition, winner)
        assert student.tactical_rollout(GAME, state, student.rng(1)) == rewards_of(1.0, winner)


@pytest.mark.hint("who plays by the rules: one player, or both?")
def test_both_players_play_by_the_rules(student, edition):
    """in the rollout both players take their wins and block, ply after ply

    Promised: Play from `state` to the end, every move of both players by `tactical_action`, and return the rewards.
    """
    #   a player has a win at the first ply, at the third and at the second: only chance makes a player miss one
    others = {"c": ["c1"], "d": ["d1"], "c1": ["c2"], "d1": ["d2"], "b": ["b1"], "b1": ["b2"]}
    questions = {
        0: "which moves does the rollout make: those of tactical_action?",
        2: "do the players use the rules to the end, or at the first ply only?",
        1: "who plays by the rules: one player, or both?",
    }
    for ply, question in questions.items():
        moves = {f"s{before}": [f"s{before + 1}"] for before in range(ply)} | {f"s{ply}": ["a", "b", "c", "d"]}
        game = ToyGame(moves | others, {"a": -1.0})
        wanted = rewards_of(1.0, ply % 2)
        ask(question)
        assert student.many("tactical_rollout", [(game, "s0", student.rng(edition.getrandbits(30)))] * 12) == [wanted] * 12
    ask("do both players avoid moves after which the other player wins at once?")
    #   at s1 one of four moves avoids the loss, and the game goes on to a draw
    block = ToyGame({"s0": ["s1"], "s1": ["a", "b", "c", "d"], **{s: [f"{s}1", f"{s}2"] for s in "abcd"}},
                    {"a1": -1.0, "b2": -1.0, "d1": -1.0})  # fmt: skip
    assert student.many("tactical_rollout", [(block, "s0", student.rng(edition.getrandbits(30)))] * 12) == [(0.0, 0.0)] * 12


@pytest.mark.hint("do you look at the outcome before the first move and after every move?")
def test_a_rollout_stops_where_the_game_is_over(student, edition):
    """a rollout from a won board makes no move, and a rollout of Tic-Tac-Toe comes to its end

    Promised: if the game is over at `state`, no move is made.
    """
    watched = student.watch(GAME)
    state = finished(edition, edition.choice([0, 1, None]))
    student.tactical_rollout(watched, watched.token(state), student.rng(1))
    assert [call for call in watched.calls if call[0] == "play"] == []
    got = student.many("tactical_rollout", [(SMALL, SMALL.start(), student.rng(edition.getrandbits(30)))] * 40)
    # Two tactical players draw about two games of three, and the first wins far more often than the second.
    assert set(got) <= {(1.0, -1.0), (0.0, 0.0), (-1.0, 1.0)}
