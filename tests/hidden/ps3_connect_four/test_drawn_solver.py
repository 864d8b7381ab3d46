"""3.8 on random games, and what a proof must not change."""

import math
from random import Random
from typing import Any

import pytest

from arena.games import ToyGame
from autograder.grading.edition import drawn_once
from autograder.grading.hidden_checks.known_mistakes import ask
from tests.hidden.choices import argmax, clear_best
from tests.hidden.generators import draw_game, draw_whole, exact
from tests.hidden.ps3_connect_four.drawn import going_on, one_ply, uneven, won_by_one_of_seven
from tests.hidden.ps3_connect_four.oracle import C, Fan, draw_fan, line
from tests.hidden.ps3_connect_four.trees import Spot, at, chain, plant

pytestmark = pytest.mark.exercise("3.8")


@pytest.mark.hint("the leaf proves nothing: may prove write anything, and at which node above does it stop?")
def test_nothing_more_is_written_where_nothing_is_proved(student, edition):
    """prove writes nothing for a leaf that proves nothing, and nothing above the first node that is not proven

    Promised: at the first node for which neither holds, nothing more is written.
    """
    # r -> a, b, c;  a -> d (a draw), w (won for a's opponent), g (goes on)
    game = ToyGame({"r": ["a", "b", "c"], "a": ["d", "w", "g"], "g": ["e"], "b": ["f"], "f": ["h"]}, {"w": 1.0}, start="r")
    below = Spot(4, 0.0, {0: Spot(1), 1: Spot(1), 2: Spot(1)})
    for leaf, value in ((0, None), (2, None), (1, 1.0)):
        root = plant(student, game, "r", Spot(6, 0.0, {0: below, 1: Spot(2), 2: Spot(1)}))
        at(student, root, 1).proven = -1.0  # the root gets no news of this proof yet
        at(student, root, 2).proven = 1.0
        student.prove(at(student, root, 0, leaf))
        nodes = [root, *(at(student, root, *path) for path in [(0,), (1,), (2,), (0, 0), (0, 1), (0, 2)])]
        wanted = [None, None, -1.0, 1.0, None, None, None]
        wanted[4 + leaf] = value
        assert student.each(nodes, "proven") == wanted


@pytest.mark.hint("the same leaf comes again: may the rest of the tree have changed since the first time?")
def test_a_leaf_that_comes_again_proves_again(student, edition):
    """the same leaf proves its parent as soon as the other moves are proven, however often the leaf came before

    Promised: a node whose legal actions all have children, every one proven +1.0, is proven -1.0;
    """
    game = ToyGame({"r": ["a", "b"]}, {"a": 1.0, "b": 1.0}, start="r")
    root = plant(student, game, "r", Spot(2, 0.0, {0: Spot(1), 1: Spot(1)}))
    leaf, other = (at(student, root, action) for action in edition.sample([0, 1], 2))
    student.prove(leaf)
    assert student.each([leaf, other, root], "proven") == [1.0, None, None]
    other.proven = 1.0
    student.prove(leaf)
    assert student.each([leaf, other, root], "proven") == [1.0, 1.0, -1.0]


@pytest.mark.hint("how far up does a proof go?")
def test_a_proof_climbs_a_long_way(student, edition):
    """along a forced line of dozens of plies a proof reaches the root, from leaves at odd and at even depth

    Promised: Then, going up: a node with a child proven -1.0 is proven +1.0; a node whose legal actions all have children,
    every one proven +1.0, is proven -1.0;
    """
    for plies in (edition.choice([31, 45]), edition.choice([108, 120])):
        value = edition.choice([-1.0, 1.0])
        nodes = chain(student, line(plies, value), plies)
        student.prove(nodes[-1])
        assert student.each(nodes, "proven") == [value * (-1) ** (plies - depth) for depth in range(plies + 1)]


@pytest.mark.hint("what is the result of this game, and which results can be proven?")
def test_proofs_are_right_in_any_game(student, edition):
    """in random games of every shape no proof is wrong, with enough simulations it exists, and the move keeps the result

    Promised: Then, going up: a node with a child proven -1.0 is proven +1.0; a node whose legal actions all have children,
    every one proven +1.0, is proven -1.0;
    """
    shapes = {"bushy": 7, "wide": 7, "line": 3}
    cases = [case for shape, number in shapes.items() for case in going_on(edition, number, shape, values=draw_whole)]
    rng = student.rng(edition.getrandbits(30))
    results = student.many("solve", [(game, state, 100, rng) for game, state in cases])
    for (game, state), (action, root) in zip(cases, results, strict=True):
        value = exact(game, state)
        assert action in game.legal_actions(state) and root.state == state
        assert root.proven in (None, value) and root.num_visits <= 100
        assert root.proven is not None or root.num_visits == 100
        if root.proven == 1.0:
            assert exact(game, game.play(state, action)) == -1.0
    wide = [(case, root) for case, (_, root) in zip(cases, results, strict=True) if len(case[0].legal_actions(case[1])) > 4]
    # If every move ends the game, twelve simulations have tried all moves.
    ends = [(game, state, root) for (game, state), root in wide
            if all(game.outcome(game.play(state, action)) is not None for action in game.legal_actions(state))]  # fmt: skip
    assert [(game, state, root) for game, state, root in ends if root.proven != (exact(game, state) or None)] == []
    over = draw_game(edition, "over")
    with student.raises(ValueError):
        student.solve(over, over.start(), 5, student.rng(1))


@pytest.mark.hint("which moves are proven to win or to lose, and do you play a move that keeps the best result?")
def test_the_one_good_move_may_be_any(student, edition):
    """the only win, or the only draw, among many moves is chosen, first and last too; if all moves lose, any may be chosen

    Promised: The action leads to a child proven -1.0, if there is one; else to the child with the most visits among the
    children that are not proven +1.0; if all are, any legal action.
    """
    for best, rest in ((1.0, 0.0), (0.0, -1.0), (1.0, -1.0)):
        for place in (0, -1, 3):
            results = [rest] * edition.randint(5, 12)
            results[place] = best
            game, state, actions = one_ply(edition, results, edition.randrange(2))
            action, root = student.solve(game, state, edition.randint(25, 40), student.rng(edition.getrandbits(30)))
            assert action == actions[place] and root.proven == (best or None)
    game, state, actions = one_ply(edition, [-1.0] * edition.randint(5, 12))
    action, root = student.solve(game, state, 30, student.rng(edition.getrandbits(30)))
    assert action in actions and (root.proven, root.num_visits) == (-1.0, len(actions))
    ask("every move that was tried loses and others are untried: which legal action do you return?")
    for tried in (1, len(actions) - 1):
        action, root = student.solve(game, state, tried, student.rng(edition.getrandbits(30)))
        assert action in actions and (root.proven, root.num_visits) == (None, tried)


def with_lost_moves(fan: Fan, lost: int) -> ToyGame:
    """The fan's game with `lost` more moves at its root, which lose at once."""
    data = fan.game.data()
    data["transitions"]["root"] += [f"lost{number}" for number in range(lost)]
    return ToyGame(data["transitions"], data["values"] | {f"lost{number}": 1.0 for number in range(lost)}, data["start"])


def shares(fan: Fan, lost: int, simulations: int, counted: bool, c: float = C) -> list[int] | None:
    """The visits of the fan's branches beside moves that lose at once; `counted`: these moves' visits count for the bound's N."""
    visits = [1, 1, 1]
    while sum(visits) + lost < simulations:
        total = sum(visits) + (lost if counted else 0)
        sums = [sum(fan.results(branch, n)) for branch, n in enumerate(visits)]
        scores = [q / n + c * math.sqrt(2 * math.log(total) / n) for q, n in zip(sums, visits, strict=True)]
        if not clear_best(scores):
            return None
        visits[argmax(scores)] += 1
    return visits


@drawn_once
def draw_lost(edition: Random) -> tuple[Fan, int, int, list[int], list[int]]:
    """A fan, a number of lost moves and of simulations, the visits, and the visits when lost moves do not count in N."""
    while True:
        fan, lost = draw_fan(edition, [25, 26, 27], edition.randrange(2)), edition.randint(20, 30)
        number = lost + edition.randint(9, 18)
        right, wrong = (shares(fan, lost, number, counted) for counted in (True, False))
        if right and wrong and right != wrong and clear_best(right, 0.5):
            return fan, lost, number, right, wrong


@pytest.mark.hint("N is the number of the parent's visits: which children's visits are among them?")
def test_the_visits_of_proven_children_count(student, edition):
    """beside moves that are proven to lose, UCT visits the others with all visits of the parent as N

    Promised: Every simulation goes down like `tree_policy` with c = C, but skips children that are proven;
    """
    for _ in range(2):
        fan, lost, number, visits, mistaken = draw_lost(edition)
        action, root = student.solve(with_lost_moves(fan, lost), "root", number, student.rng(edition.getrandbits(30)))
        counts = student.each([at(student, root, branch) for branch in range(3 + lost)], "num_visits")
        if counts[:3] != visits:
            other = any(counts[:3] == shares(fan, lost, number, True, c / 20) for c in range(61))
            left_out = counts[:3] == mistaken
            ask("Which exploration constant guides the way down: the C of this set?" if other and not left_out else
                "N is the parent's visits: do you leave out those of proven children?" if left_out and not other else
                "which c is in the bound, and which N: do you leave out the visits of proven children?")  # fmt: skip
        assert counts == [*visits, *[1] * lost]
        ask("which of the children that are not proven lost has most visits?")
        assert action == argmax(visits)


@pytest.mark.hint("does rng draw the first move of each search, or is it always the same?")
def test_one_simulation_proves_or_tries_any_move(student, edition):
    """with one simulation every move comes equally often, and every end of a rollout can come; each search makes a new tree

    Promised: rng: the only source of chance; passed to `expand` and `default_policy`.
    Promised: Search at `state` like `uct`, with proofs, and return the move and the root.
    """
    game = ToyGame({"s0": ["a", "b", "c"], **{s: [f"{s}w", f"{s}l"] for s in "abc"}},
                   {f"{s}{end}": value for s in "abc" for end, value in (("w", 1.0), ("l", -1.0))})  # fmt: skip
    results = student.many("solve", [(game, "s0", 1, student.rng(edition.getrandbits(30)))] * 80)
    actions, roots = [action for action, _ in results], [root for _, root in results]
    assert set(actions) == {0, 1, 2} and not uneven([actions.count(action) for action in range(3)]), (
        f"three equally likely actions, chosen {[actions.count(action) for action in range(3)]} times"
    )
    ask("does rng draw every move of a rollout, each legal move equally likely, in a new tree each time?")
    assert set(student.each(roots, "q")) == {-1.0, 1.0} and len(set(roots)) == 80
    assert set(student.each(roots, "num_visits")) == {1}


@pytest.mark.hint("every state has one legal move: how far down does your search go?")
def test_a_single_move_is_searched_to_its_proof(student, edition):
    """a single legal action is searched like several: the line below it is proven as soon as its end is in the tree

    Promised: A single legal action is searched like others: it may be proven.
    """
    short, long, value = edition.randint(25, 40), edition.randint(102, 108), edition.choice([-1.0, 1.0])
    budgets = ((short, short - 1), (long, long + 9))
    roots: list[Any] = [student.solve(line(plies, value), "s0", number, student.rng(1)) for plies, number in budgets]
    assert [action for action, _ in roots] == [0, 0]
    assert [root.num_visits for _, root in roots] == [short - 1, long]
    assert [root.proven for _, root in roots] == [None, value * (-1) ** long]


@pytest.mark.hint("can each of the seven columns be your answer, also the first and the last?")
def test_each_of_seven_moves_may_be_the_one_that_wins(student, edition):
    """if any of seven moves wins at once, this move is chosen, for both players

    Promised: The action leads to a child proven -1.0, if there is one;
    """
    for place, game in won_by_one_of_seven(edition):
        action, root = student.solve(game, "r", edition.randint(14, 20), student.rng(edition.getrandbits(30)))
        assert (action, root.proven) == (place, 1.0)
