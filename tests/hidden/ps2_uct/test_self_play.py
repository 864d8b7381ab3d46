"""2.11: a whole game, every move by search."""

from typing import Any

import pytest

from arena.games import ConnectFour, TicTacToe, ToyGame
from autograder.grading.hidden_checks.known_mistakes import ask, recognise
from tests.hidden.choices import argmax, clear_best
from tests.hidden.ps2_uct.oracle import draw_fan
from tests.hidden.ps2_uct.trees import visits_of

pytestmark = pytest.mark.exercise("2.11")

GAME, FOUR = TicTacToe(), ConnectFour()


class Reports:
    """An `on_move` that keeps its arguments. It also keeps wrong calls; the check finds these later."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, ...]] = []

    def __call__(self, *arguments: Any) -> None:
        self.calls.append(arguments)

    @property
    def actions(self) -> list[Any]:
        return [call[1] if len(call) == 2 else None for call in self.calls]

    def roots(self, number: int) -> list[Any]:
        """The reported roots, if there are `number` reports and each is a root and an action."""
        assert [len(call) for call in self.calls] == [2] * number
        swapped = int in [type(first) for first, _ in self.calls]
        recognise(swapped, {"What does on_move get first: the root of the search, or the action?": True})
        assert not swapped, "on_move gets the root first, then the action"
        return [call[0] for call in self.calls]


def replay(game: Any, actions: list[int]) -> list[Any]:
    """The states of this game from its start; every action must be legal, and the last one must end the game."""
    states = [game.start()]
    ask("is each move the move that the search at this state found, and is it played there?")
    for action in actions:
        assert action in game.legal_actions(states[-1])
        states.append(game.play(states[-1], action))
    ask("which list do you return: every move of both players, up to the end of the game?")
    assert game.outcome(states[-1]) is not None
    return states


@pytest.mark.hint("which list do you return: every move of both players, up to the end of the game?")
def test_a_whole_game_is_played(student, edition):
    """every action is legal at its state, and the last action ends the game

    Promised: Play a whole game from game.start(), every move of both players by `search`.
    """
    before: list[int] = []
    for _ in range(3):
        actions = student.self_play(GAME, edition.randint(4, 9), 1.0, student.rng(edition.getrandbits(30)))
        if before and actions[: len(before)] == before and len(actions) > len(before):
            recognise(True, {"The list of moves begins with the moves of the game before: where do you make the list?": True})
        assert len(actions) > 4  # before this ply nobody has three in a row
        replay(GAME, actions)
        before = actions
    plies, value = edition.randint(10, 12), edition.choice([1.0, -1.0])  # longer than Tic-Tac-Toe can be
    for end in (0.0, value):  # a draw ends a game as well as a win
        forced, reports = ToyGame({f"s{ply}": [f"s{ply + 1}"] for ply in range(plies)}, {f"s{plies}": end}), Reports()
        ask("can a game have any length, and end with or without a winner: what ends your loop?")
        assert student.self_play(forced, 4, 1.0, student.rng(1), reports) == [0] * plies
        ask("is every move searched and told to on_move once, also a forced move?")
        assert len(reports.calls) == plies
    lost = ToyGame({"s0": ["s1"], "s1": ["s2"], "s2": ["s3"]}, {"s3": value})
    ask("one player is lost from the first move on: is the game played to its end all the same?")
    assert student.self_play(lost, 120, 1.0, student.rng(1)) == [0, 0, 0]
    ask("does on_move get a new tree each time, whose root counts the given simulations and no more?")
    assert student.each(reports.roots(plies)[-2:], "num_visits") == [4, 4]  # one legal action is searched like several actions


@pytest.mark.hint("is every move told to on_move once, with the root of its search?")
def test_every_move_is_reported_with_its_own_tree(student, edition):
    """before each move `on_move` gets the tree of the search there, with all its simulations, and the move

    Promised: on_move: called as on_move(root, action) after each search and before the move is played.
    """
    simulations, reports = edition.randint(8, 14), Reports()
    actions = student.self_play(GAME, simulations, 1.0, student.rng(edition.getrandbits(30)), reports)
    states = replay(GAME, actions)
    ask("is every move told to on_move once, with the root of its search?")
    assert reports.actions == actions
    roots = reports.roots(len(actions))
    assert [student.children(root) == {} for root in roots] == [False] * len(roots)
    ask("which node does on_move get: the root of a search that began at this move's state?")
    assert student.each(roots, "state") == states[:-1]
    ask("does on_move get a new tree each time, whose root counts the given simulations and no more?")
    assert student.each(roots, "num_visits") == [simulations] * len(roots)


@pytest.mark.hint("what do you pass to `search`, and what chooses for the second player?")
def test_both_players_move_as_the_search_says(student, edition):
    """each move of both players is the move with most visits, in a search with the given simulations and exploration

    Promised: Play a whole game from game.start(), every move of both players by `search`.
    """
    for forced, c in [(0, 0.0), (1, 0.0), (1, 0.4), (1, 1.0), (0, 3.0), (1, 3.0)]:
        known = None
        while known is None or not clear_best(known[0]):
            simulations, fan = edition.randint(10, 18), draw_fan(edition, [1, 2, 3, 4])
            known = fan.uct(simulations, c, rollout=True)
        visits, reports = known[0], Reports()
        rng = student.rng(edition.getrandbits(30))
        actions = student.self_play(fan.behind(forced), simulations, c, rng, reports)
        again = student.many("self_play", [(fan.behind(forced), simulations, c, rng)] * 2)
        best = argmax(visits)
        ask("what do you pass to `search`, and do you play its move for both players?")
        assert [actions, *again] == [[0] * forced + [best] + [0] * (fan.lengths[best] - 1)] * 3
        ask("what do you pass to `search`: how many simulations, and which exploration?")
        children = student.children(reports.roots(len(actions))[forced])
        assert student.each([children[action] for action in sorted(children)], "num_visits") == visits
    lost = ToyGame({f"s{ply}": [f"s{ply + 1}"] * 2 for ply in range(4)}, {"s4": -1.0}, start="s0")
    long = ToyGame({f"s{ply}": [f"s{ply + 1}"] * 2 for ply in range(40)}, {"s40": 0.0}, start="s0")
    one_move = ToyGame({"s0": [f"e{place}" for place in range(6)]}, {f"e{place}": place / 20 for place in range(6)})
    c = edition.uniform(0.5, 2)
    # A move drawn by the visits is one with most visits about once in five times.
    for game, simulations in [(GAME, 32)] * 2 + [(one_move, 25)] * 8 + [(FOUR, 3), (long, 3), (lost, 60)]:
        reports = Reports()
        actions = student.self_play(game, simulations, c, student.rng(edition.getrandbits(30)), reports)
        replay(game, actions)
        ask("at every move, the first one too: does the search get all simulations, and do you play the most visited move?")
        roots = reports.roots(len(actions))
        assert student.each(roots, "num_visits") == [simulations] * len(actions)
        for root, action in zip(roots[:4], actions, strict=False):
            visits = visits_of(student, root)
            assert visits.get(action) == max(visits.values())


@pytest.mark.hint("does your function use only the given rng: no other generator, and no seed of its own?")
def test_a_game_repeats_with_its_rng(student, edition):
    """the same rng plays the same game again, and other rngs play other games

    Promised: num_simulations, exploration, rng: passed to `search`;
    """
    seed = edition.getrandbits(30)

    def games(first: int) -> list[list[int]]:
        return [student.self_play(GAME, 3, 1.0, student.rng(first + number)) for number in range(4)]

    played = games(seed)
    # With three simulations the first three moves are nearly random: four equal games of four once in 1e11 tries.
    assert played == games(seed)
    assert played != games(seed + 4)
    # A seed that each move begins with again: twelve equal draws of three in each of three games, once in 5e15.
    ask("do you pass the given rng on, from move to move?")
    line = ToyGame({f"s{ply}": [f"s{ply + 1}"] * 3 for ply in range(12)}, {})
    long = student.many("self_play", [(line, 1, 1.0, student.rng(seed + number)) for number in range(3)])
    assert [actions for actions in long if len(set(actions)) > 1] != []
    # With one simulation the move is the one child, drawn by rng: the second player's too, 20 alike once in 1e9 tries.
    game = ToyGame({"s0": ["s1", "s2", "s3"], "s1": ["a", "b", "c"], "s2": ["d", "e", "f"], "s3": ["g", "h", "i"]}, {})
    short = student.many("self_play", [(game, 1, 1.0, student.rng(seed))] * 20)
    assert {len(moves) for moves in short} == {2}
    first, second = zip(*short)
    ask("the search makes one simulation: is the move that you play the one that it tried?")
    assert len(set(first)) > 1
    ask("which rng does the second player's search get?")
    assert len(set(second)) > 1
