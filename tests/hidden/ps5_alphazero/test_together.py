"""5.12 and 5.13: many games, one batch."""

import math
from random import Random
from typing import Any

import numpy as np
import pytest

from arena.games import ToyGame
from autograder.grading.hidden_checks.known_mistakes import ask, recognise
from tests.hidden.ps5_alphazero.nodes import (
    asked_in_eval_mode,
    contents,
    gradients_stay_off,
    hang,
    keep_network,
    left_in_training,
    plant,
)
from tests.hidden.ps5_alphazero.oracle import BOARD, COLUMNS, IMPOSSIBLE, Scripted, position, searched

#        s0           "over" is finished, and lost for the player to move there
#      /    \         under a and b the game goes on
#     a      over
#   b   c
TOY = ToyGame({"s0": ["a", "over"], "a": ["b", "c"], "b": ["d", "e"], "c": ["f", "g"]}, {"over": -1.0, "d": 0.0, "e": 1.0})
LEFT, RIGHT = [0.9, 0.1], [0.1, 0.9]


def answers(student: Any, probabilities: list[list[float]], values: list[float], actions: int) -> list[Any]:
    """A network's answers: tensors (B, A) of log p, finite where p is 0, and (B,)."""
    rows = np.array(probabilities, float).reshape(len(values), actions)
    log_p = np.where(rows > 0, np.log(rows + (rows == 0)), IMPOSSIBLE)
    return [student.tensor(log_p.astype(np.float32)), student.tensor(np.array(values, np.float32))]


def deep(student: Any, first: int) -> tuple[Any, Any]:
    """A root s0 over a searched child a: the walk goes to a and on to its action `first`."""
    root, child = plant(student, TOY, "s0", LEFT, [1, 0], [0.3, 0.0]), plant(student, TOY, "a", LEFT if first == 0 else RIGHT)
    hang(root, {0: child}, 2)
    return root, child


@pytest.mark.exercise("5.12")
@pytest.mark.hint("how often do you call the network, for which leaves, and in which order?")
def test_all_leaves_go_into_one_question(student, edition):
    """one walk for each tree, in order, and one network call for all unfinished leaves

    Promised: Walk down in every tree once and evaluate all leaves in one network call.
    """
    worth = {state: ([edition.uniform(0.2, 0.8), 0.1], edition.uniform(-0.9, 0.9)) for state in ("s0", "a", "b", "c")}
    net, kinds = Scripted(TOY, worth), ["s0", "a", "over", "b", "c", "over", "a"]
    for number, kind in enumerate((edition.sample(kinds, 7), edition.sample(kinds, 7)), start=1):
        roots = [tree_to(student, leaf) for leaf in kind]
        walks, log_p, value = student.collect(TOY, student.network(net), roots, 1.5, student.rng(edition.getrandbits(30)))
        waiting = [leaf for leaf in kind if leaf != "over"]
        ask("does every tree get its own walk, from its root down to a leaf, in the order of the trees?")
        assert [leaf.state for _, leaf in walks] == kind
        ask("how often do you call the network for many leaves?")
        assert len(net.asked) + net.strange == number
        boards = net.asked[-1] if net.asked else []
        if boards != net.boards(waiting):
            recognise(boards, {
                "the game is over at a leaf: do you need the network there?": net.boards(kind),
                "in which order are the leaves in the batch?": net.boards(waiting[::-1]),
                "does each leaf have its own row, even when two games share a state?": net.boards(list(dict.fromkeys(waiting)))})
        ask("for which leaves do you call the network, and in which order?")
        assert (boards, net.strange) == (net.boards(waiting), 0)
        ask("for which leaves are there rows in the answer: also for finished ones?")
        assert (log_p.shape, value.shape) == ((len(waiting), 2), (len(waiting),))
        priors = np.array([worth[leaf][0] for leaf in waiting])
        if np.exp(log_p) != pytest.approx(priors, abs=1e-5):
            recognise(log_p, {"which of the two do you return: the probabilities, or their logarithms?": priors}, tolerance=1e-5)
        ask("do you return the network's answers unchanged, in the order of the walks?")
        assert np.exp(log_p) == pytest.approx(priors, abs=1e-5)
        assert value == pytest.approx([worth[leaf][1] for leaf in waiting], abs=1e-6)


def tree_to(student: Any, leaf: str) -> Any:
    """A root from which the walk goes to this leaf."""
    if leaf in ("b", "c"):
        return deep(student, "bc".index(leaf))[0]
    return plant(student, TOY, "s0", {"s0": None, "a": LEFT, "over": RIGHT}[leaf])


@pytest.mark.exercise("5.12")
@pytest.mark.hint("which nodes and which numbers does a path hold, beside the leaf?")
def test_each_walk_is_its_own_way_down(student, edition):
    """a path holds every node on the way with the index taken there, and the leaf hangs where the path ends

    Promised: walks: (path, leaf) from `select`, one for each root, in their order.
    """
    root, child = deep(student, 1)
    fresh, short = student.Node(TOY, "s0"), plant(student, TOY, "s0", LEFT)
    walks, _, _ = student.collect(TOY, student.network(Scripted(TOY)), [short, fresh, root], 1.5, student.rng(1))
    assert [path for path, _ in walks] == [[(short, 0)], [], [(root, 0), (child, 1)]]
    assert [leaf.state for _, leaf in walks] == ["a", "s0", "c"]
    assert walks[1][1] == fresh
    assert short.children == [walks[0][1], None]
    assert child.children == [None, walks[2][1]]
    ties = [plant(student, TOY, "s0", [0.5, 0.5]) for _ in range(30)]  # rng decides on each way down
    walks, _, _ = student.collect(TOY, student.network(Scripted(TOY)), ties, 1.5, student.rng(edition.getrandbits(30)))
    ask("do you walk down once in each tree: does the leaf hang where its path ends, and is nothing else added?")
    for (path, leaf), root in zip(walks, ties, strict=True):
        assert path == [(root, 0)] or path == [(root, 1)]
        assert root.children == [leaf if action == path[0][1] else None for action in (0, 1)]
    net, many = Scripted(TOY), edition.choice([130, 260])
    roots = student.many("Node", [(TOY, "s0")] * many)
    walks, _, value = student.collect(TOY, student.network(net), roots, 1.5, student.rng(1))
    ask("hundreds of trees: is there still one call of the network for all of them?")
    assert (len(walks), len(value), len(net.asked), net.strange) == (many, many, 1, 0)


@pytest.mark.exercise("5.12")
@pytest.mark.hint("a game is finished: do you need the network?")
def test_finished_leaves_are_not_asked_about(student, edition):
    """if all leaves are finished the network is not called, and its answers are an empty batch

    Promised: finished leaves are left out, so that B may be smaller than the number of roots, and even 0. The network is
    called once, in eval mode and with gradients off; it is not called when every leaf is finished.
    """
    for outcome in (-1.0, 0.0, 1.0):
        game = ToyGame({"s0": ["a", "over"], "a": ["b"]}, {"over": outcome})
        net = Scripted(game)
        roots = [plant(student, game, "s0", RIGHT) for _ in range(edition.randint(2, 4))]
        walks, log_p, value = student.collect(game, student.network(net), roots, 1.5, student.rng(1))
        assert [leaf.state for _, leaf in walks] == ["over"] * len(roots)
        ask("a drawn game is finished, too: for which leaves do you call the network?" if outcome == 0 else
            "a game is finished: do you need the network?")  # fmt: skip
        assert (net.asked, net.strange) == ([], 0)
        assert (log_p.shape, value.shape) == ((0, 2), (0,))


@pytest.mark.exercise("5.12")
@pytest.mark.hint("in which mode do you call a network, and do you need a gradient here?")
def test_the_batch_is_asked_in_eval_mode_and_without_a_gradient(student, edition):
    """for any mode of the network before, it gets the batch in eval mode, with gradients off

    Promised: The network is called once, in eval mode and with gradients off; it is not called when every leaf is finished.
    Afterwards gradients are recorded as before.
    """
    net = keep_network(student, Scripted(TOY))
    for mode in ("train", "eval", "train"):
        student.call_and_keep(f"torch.nn.Module.{mode}", net)
        student.collect(TOY, net, [student.Node(TOY, "s0")], 1.5, student.rng(1))
    question = [student.tensor(TOY.planes("s0")[None]), student.tensor(np.ones((1, 2), bool))]
    asked_in_eval_mode(student, net, question, 3)
    roots = [student.Node(TOY, "s0")]
    gradients_stay_off(student, net, question, lambda: student.collect(TOY, net, roots, 1.5, student.rng(1)))
    for head_only in (False, True):
        net = left_in_training(student, TOY, head_only)
        _, log_p, value = student.collect(TOY, net, [student.Node(TOY, "s0")], 1.5, student.rng(1))
        ask("which shape does the answer for a single leaf have: is a batch of one still a batch?")
        assert (log_p.shape, value.shape) == ((1, 2), (1,))
        ask("is only the network itself in eval mode, or also every layer in it?")
        assert value == pytest.approx([np.tanh(0.5)], abs=1e-5)


@pytest.mark.exercise("5.12")
@pytest.mark.hint("when do you count a visit: on the way down, or on the way back?")
def test_collecting_counts_nothing(student, edition):
    """no visit, no value and no prior changes while leaves are collected

    Promised: No node is changed, except that `select` adds nodes.
    """
    root, child = deep(student, 0)
    before = contents(root), contents(child)
    walks, _, _ = student.collect(TOY, student.network(Scripted(TOY)), [root, student.Node(TOY, "s0")], 1.5, student.rng(1))
    ask("when do you count a visit: on the way down, or on the way back?")
    assert (contents(root), contents(child)) == before
    ask("when does a leaf get its priors: in collect, or in scatter?")
    assert [contents(leaf) for _, leaf in walks] == [([], [0, 0], [0.0, 0.0])] * 2


@pytest.mark.exercise("5.12")
@pytest.mark.hint("which c do you use on the way down: the given one?")
def test_the_walk_uses_c(student, edition):
    """with c = 0 the walk follows the better mean, with a large c the larger prior

    Promised: walks: (path, leaf) from `select`, one for each root, in their order.
    """
    leaves = []
    for c in (0.0, edition.uniform(20.0, 50.0)):
        root = plant(student, TOY, "s0", LEFT, [3, 3], [-0.5, 0.5])
        hang(root, {0: student.Node(TOY, "a"), 1: student.Node(TOY, "over")}, 2)
        walks, _, _ = student.collect(TOY, student.network(Scripted(TOY)), [root], c, student.rng(1))
        leaves += [leaf.state for _, leaf in walks]
    assert leaves == ["over", "a"]


@pytest.mark.exercise("5.12")
@pytest.mark.hint("what does the network get for each board?")
def test_many_boards_travel_with_their_legal_actions(student, edition):
    """a batch of many games holds every board as its mover sees it, in order, with its own legal actions

    Promised: log_p, value: (B, A) and (B,), the network's answers about the leaves where the game goes on, in the order of
    walks;
    """
    for game in (BOARD, COLUMNS):
        states = [position(edition, edition.randint(0, 4), game) for _ in range(12)]
        net = Scripted(game, seed=edition.getrandbits(20))
        roots = student.many("Node", [(game, state) for state in states])
        _, log_p, value = student.collect(game, student.network(net), roots, 1.5, student.rng(1))
        ask("which boards does the network get, whose stones are on plane 0, and in which order?")
        assert (net.asked, net.strange) == ([net.boards(states)], 0)
        ask("which actions does your mask call legal on each board?")
        assert [list(np.flatnonzero(row)) for row in net.legal[0]] == [game.legal_actions(state) for state in states]
        assert value == pytest.approx([net.about(state)[1] for state in states], abs=1e-6)


# -- 5.13 ---------------------------------------------------------------------------------------------


def walk_to(student: Any, leaf: str) -> tuple[list[tuple[Any, int]], Any]:
    """An invented walk to a new node: no ply to s0, one to a and over, two to b."""
    end = student.Node(TOY, leaf)
    if leaf == "s0":
        return [], end
    root = plant(student, TOY, "s0", [0.5, 0.5])
    if leaf in ("a", "over"):
        return [(root, ["a", "over"].index(leaf))], end
    return [(root, 0), (plant(student, TOY, "a", [0.5, 0.5]), 0)], end


@pytest.mark.exercise("5.13")
@pytest.mark.hint("finished leaves have no answer: which answer belongs to which leaf?")
def test_every_leaf_gets_its_own_answer(student, edition):
    """the answers go to the unfinished leaves, in their order; finished leaves take none

    Promised: log_p, value: (B, A) and (B,), the answers about the leaves where the game goes on, in the order of walks.
    """
    kinds = edition.sample(["a", "over", "s0", "over", "b"], 5)
    walks = [walk_to(student, kind) for kind in kinds]
    evaluations = [(p, edition.uniform(0.1, 0.9)) for p in (0.2, 0.4, 0.7)]
    log_p, value = answers(student, [[p, 1 - p] for p, _ in evaluations], [v for _, v in evaluations], 2)
    student.scatter(walks, log_p, value)
    left, backed, right = iter(evaluations), [], []
    for kind, (path, leaf) in zip(kinds, walks, strict=True):
        p, worth = (None, -1.0) if kind == "over" else next(left)
        priors, got = [] if p is None else [p, 1 - p], leaf.P
        if got != pytest.approx(priors, abs=1e-5):
            recognise(got, {"is log p a probability?": [math.log(prior) for prior in priors],
                            "what does a leaf get beside the value, also a leaf with an empty path?": []}, tolerance=1e-5)
        ask("finished leaves have no answer: which answer belongs to which leaf?")
        assert got == pytest.approx(priors, abs=1e-5)
        if not path:
            ask("the leaf is the root itself, with no way above it: where does the value go?")
            assert (leaf.N, leaf.Q) == ([0, 0], [0.0, 0.0])
        else:
            node, index = path[-1]
            backed.append(node.Q[index] if len(node.Q) == 2 else None)
            right.append((kind, -worth))
    wanted = [mean for _, mean in right]
    if None not in backed and backed != pytest.approx(wanted, abs=1e-6):
        recognise(backed, {
            "for whom is a value at the leaf, and for whom one ply up?": [-mean for mean in wanted],
            "for whom is the outcome of a finished leaf?": [-mean if kind == "over" else mean for kind, mean in right],
            "for whom is the network's value at a leaf?": [mean if kind == "over" else -mean for kind, mean in right],
            "where do you begin to change the sign: at the root, or at the leaf?":
                [-mean if kind == "b" else mean for kind, mean in right],
            "does a finished leaf bring a result?": [0.0 if kind == "over" else mean for kind, mean in right],
        }, tolerance=1e-6)
    ask("which value goes up from which leaf: the answer's or the outcome, and with which sign?")
    assert backed == pytest.approx(wanted, abs=1e-6)


@pytest.mark.exercise("5.13")
@pytest.mark.hint("who is to move at the leaf, and at each node on the way?")
def test_values_change_their_sign_on_the_way_up(student, edition):
    """each action on the way gets one visit, and the value with the sign of its own mover

    Promised: Each value is backed up along its own path, so that every tree is as if `search` had done one simulation in it
    alone.
    """
    (above, leaf), worth = (walk_to(student, "b")), edition.uniform(0.2, 0.9)
    student.scatter([(above, leaf)], *answers(student, [[0.5, 0.5]], [worth], 2))
    (root, _), (child, _) = above
    ask("which actions on the way get a visit from one walk, and how many visits?")
    assert (root.N, child.N, leaf.N) == ([1, 0], [1, 0], [0, 0])
    ask("who is to move at the leaf, and at each node on the way?")
    assert root.Q == pytest.approx([worth, 0.0], abs=1e-6)
    assert child.Q == pytest.approx([-worth, 0.0], abs=1e-6)
    assert leaf.Q == [0.0, 0.0]


@pytest.mark.exercise("5.13")
@pytest.mark.hint("what is a finished leaf worth, and for whom?")
def test_finished_leaves_bring_their_outcome(student, edition):
    """a finished leaf is worth its outcome every time it is reached, also in a draw, and needs no answer

    Promised: the value of a finished leaf is its outcome.
    """
    ends = ToyGame({"s0": ["lost", "drawn", "won"]}, {"lost": -1.0, "drawn": 0.0, "won": 1.0})
    root, nothing = plant(student, ends, "s0", [0.2, 0.3, 0.5]), answers(student, [], [], 3)
    leaves = {index: student.Node(ends, state) for index, state in enumerate(("lost", "drawn", "won"))}
    for index in (0, 1, 2, 0):
        student.scatter([([(root, index)], leaves[index])], *nothing)
    ask("how many visits does a finished leaf bring each time it is reached?")
    assert root.N == [2, 1, 1]
    got = root.Q
    if got != pytest.approx([1.0, 0.0, -1.0], abs=1e-9):
        recognise(got, {"is Q the sum of the results, or their mean?": [2.0, 0.0, -1.0],
                        "is every finished leaf lost for the player to move?": [1.0] * 3})
    ask("what is a finished leaf worth, and for whom?")
    assert got == pytest.approx([1.0, 0.0, -1.0], abs=1e-9)
    ask("does a finished leaf need priors?")
    assert [leaf.P for leaf in leaves.values()] == [[]] * 3


@pytest.mark.exercise("5.13")
@pytest.mark.hint("one more result comes: how does a mean change?")
def test_results_join_the_earlier_ones(student, edition):
    """a tree that was searched before gets one more visit, and its mean changes by its share

    Promised: Each value is backed up along its own path, so that every tree is as if `search` had done one simulation in it
    alone.
    """
    visits, mean, worth = edition.randint(2, 9), edition.uniform(-0.5, 0.5), edition.uniform(-0.9, 0.9)
    root, leaf = plant(student, TOY, "s0", [0.5, 0.5], [visits, 1], [mean, 0.25]), student.Node(TOY, "a")
    student.scatter([([(root, 0)], leaf)], *answers(student, [[0.3, 0.7]], [worth], 2))
    ask("how many visits does one walk bring?")
    assert root.N == [visits + 1, 1]
    ask("one more result comes: by which number of visits do you divide?")
    assert root.Q == pytest.approx([(visits * mean - worth) / (visits + 1), 0.25], abs=1e-6)
    assert root.P == [0.5, 0.5]


@pytest.mark.exercise("5.13")
@pytest.mark.hint("at which of the answer's places are the leaf's own actions?")
def test_a_leaf_keeps_the_priors_of_its_own_actions(student, edition):
    """a leaf takes from its answer the probabilities of its own actions, in their order

    Promised: A leaf of an unfinished game gets its priors (the probabilities of its own actions, a list of floats), and its
    value is the network's;
    """
    states = [position(edition, plies) for plies in (2, 5, 3)]
    leaves, wanted, full = student.many("Node", [(BOARD, state) for state in states]), [], []
    net = Scripted(BOARD, seed=edition.getrandbits(20))
    for state in states:
        wanted.append(net.about(state)[0])
        row = np.zeros(9)
        row[BOARD.legal_actions(state)] = wanted[-1]
        full.append(row.tolist())
    student.scatter([([], leaf) for leaf in leaves], *answers(student, full, [0.1, 0.2, 0.3], 9))
    for leaf, priors in zip(leaves, wanted, strict=True):
        assert leaf.P == pytest.approx(priors, abs=1e-5)


def clear_cases(edition: Random, game: Any, plies: tuple[int, ...], simulations: int, c: float) -> tuple[Scripted, list, list]:
    """A network and positions in whose searches no two bounds are so close that rounding could decide."""
    while True:
        net = Scripted(game, seed=edition.getrandbits(20))
        states = [position(edition, number, game) for number in plies]
        searches = [searched(net, state, simulations, c) for state in states]
        if min(gap for _, gap in searches) > 1e-5:
            return net, states, [root for root, _ in searches]


@pytest.mark.exercise("5.13")
@pytest.mark.hint("does every tree look as after a search of this tree alone?")
def test_together_is_the_same_as_one_by_one(student, edition):
    """many trees together have the visits and means of single searches, with one network call in each round

    Promised: Each value is backed up along its own path, so that every tree is as if `search` had done one simulation in it
    alone.
    """
    for game, plies in ((BOARD, (5, 2, 4, 6)), (COLUMNS, (0, 9))):
        simulations, c = edition.randint(20, 30), edition.uniform(1.0, 2.0)
        net, states, wanted = clear_cases(edition, game, plies, simulations, c)
        roots = student.many("Node", [(game, state) for state in states])
        student.search_together(game, student.network(net), roots, simulations, c, student.rng(1))
        for root, right in zip(roots, wanted, strict=True):
            assert root.N == right.N
            assert root.Q == pytest.approx(right.Q, abs=1e-4)
        assert len(net.asked) <= simulations + 1 and len(net.asked[0]) == len(states)
