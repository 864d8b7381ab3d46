"""5.12 and 5.13 on random games: many trees, long ways, any states, and no change to the caller's tensors."""

import numpy as np
import pytest

from arena.games import ToyGame
from autograder.grading.hidden_checks.known_mistakes import ask
from tests.hidden.generators import draw_game, draw_policy, states_of
from tests.hidden.laws import near
from tests.hidden.ps5_alphazero.nodes import keep, keep_network, plant, plant_many
from tests.hidden.ps5_alphazero.oracle import Scripted, line
from tests.hidden.ps5_alphazero.test_together import LEFT, RIGHT, TOY, answers, tree_to, walk_to


@pytest.mark.exercise("5.12")
@pytest.mark.hint("how do you tell two leaves apart, and which of them are finished?")
def test_leaves_of_any_game(student, edition):
    """leaves with any states, equal and finished ones among them: every unfinished leaf has its own row, in order

    Promised: log_p, value: (B, A) and (B,), the network's answers about the leaves where the game goes on, in the order of
    walks; finished leaves are left out, so that B may be smaller than the number of roots, and even 0.
    """
    for shape in ("bushy", "line", "wide", "forced", "over"):
        game = draw_game(edition, shape)
        for number in (1, edition.randint(2, 9)):
            states = [game.start(), *edition.choices(states_of(game), k=number - 1)]
            net = Scripted(game, seed=edition.getrandbits(20))
            roots = student.many("Node", [(game, state) for state in states])
            walks, log_p, value = student.collect(game, student.network(net), roots, 1.5, student.rng(1))
            waiting = [state for state in states if game.outcome(state) is None]
            ask("states can be equal, and a draw is an end too: for which leaves do you call the network?")
            assert [leaf for _, leaf in walks] == roots
            assert (net.asked, net.strange) == ([net.boards(waiting)] if waiting else [], 0)
            ask("which row of the answer belongs to which leaf?")
            assert (log_p.shape, value.shape) == ((len(waiting), game.num_actions), (len(waiting),))
            for row, worth, state in zip(log_p, value, waiting, strict=True):
                priors, right = net.about(state)
                assert np.exp(row[game.legal_actions(state)]) == near(np.array(priors))
                assert worth == near(right)


@pytest.mark.exercise("5.12")
@pytest.mark.hint("how many network calls do many trees need, and what if only one leaf is unfinished?")
def test_a_hundred_trees_are_one_question(student, edition):
    """for any number of trees the network is called once, and a single leaf is a batch of one

    Promised: Walk down in every tree once and evaluate all leaves in one network call.
    """
    for kinds in (["a", "s0", "over", "b"] * 26, ["over", "over", "c", "over"]):
        kinds = edition.sample(kinds, len(kinds))
        net, roots = Scripted(TOY, seed=edition.getrandbits(20)), [tree_to(student, kind) for kind in kinds]
        walks, log_p, value = student.collect(TOY, student.network(net), roots, 1.5, student.rng(1))
        waiting = [kind for kind in kinds if kind != "over"]
        assert [leaf.state for _, leaf in walks[:30]] == kinds[:30]
        ask("how many network calls do many trees need: do you limit the batch?")
        assert (net.asked, net.strange, len(walks)) == ([net.boards(waiting)], 0, len(kinds))
        ask("which shape does the answer for a single leaf have: is a batch of one still a batch?")
        assert (log_p.shape, value.shape) == ((len(waiting), 2), (len(waiting),))


@pytest.mark.exercise("5.12")
@pytest.mark.hint("who owns the list of roots, and where does the second walk go?")
def test_the_next_walks_go_on_from_where_the_trees_are(student, edition):
    """a second call with the same list goes on from the trees as they are now; the list does not change

    Promised: Walk down in every tree once and evaluate all leaves in one network call. Args: roots: the roots of different
    games, at least one; the sequence is not changed.
    """
    net, roots = Scripted(TOY, seed=edition.getrandbits(20)), student.many("Node", [(TOY, "s0")] * 3)
    kept, module, rng = keep(student, roots), keep_network(student, net), student.rng(1)
    for root, priors in [(None, None), *zip(roots, (LEFT, RIGHT, LEFT))]:
        if root is not None:
            root.P = priors
        walks, _, _ = student.collect(TOY, module, kept, 1.5, rng)
        ask("the list of roots is the caller's: is it unchanged after the call?")
        assert student.read(kept) == roots
        ask("a tree has grown: where does the next walk go?")
        ways = [to if len(net.asked) > place + 1 else "s0" for place, to in enumerate(("a", "over", "a"))]
        assert [leaf.state for _, leaf in walks] == ways
    assert len(net.asked) == 4


@pytest.mark.exercise("5.12")
@pytest.mark.hint("which rng breaks the ties on the way down?")
def test_ties_are_broken_by_the_given_rng(student, edition):
    """among equal bounds the same rng walks the same ways, another rng others, and no other generator is used

    Promised: rng: draws among equal bounds, in `select`.
    """
    wide = ToyGame({"s0": [f"s{number}" for number in range(1, 9)]}, {})
    net = keep_network(student, Scripted(wide))
    seed, ways = edition.getrandbits(30), []
    for number in (seed, seed, seed + 1):
        roots, before = plant_many(student, [(wide, "s0", [0.125] * 8, [0] * 8, [0.0] * 8)] * 12), student.disturb(number)
        walks, _, _ = student.collect(wide, net, roots, 1.5, student.rng(number))
        ways.append([leaf.state for _, leaf in walks])
        assert student.global_state() == before
    ask("which rng breaks the ties on the way down?")
    assert ways[0] == ways[1] != ways[2]  # equal by chance once in 7e10 tries
    ask("does every tree get its own draws from rng, or do all trees share one draw?")
    assert len(set(ways[0])) > 1  # each tree has its own draws; the same in all twelve once in 9e9 tries


# -- 5.13 ---------------------------------------------------------------------------------------------


@pytest.mark.exercise("5.13")
@pytest.mark.hint("how far up does a value go, and what is an answer of exactly 0?")
def test_values_go_up_the_whole_way(student, edition):
    """on paths of one ply and of sixty every node gets the visit and the value for its own mover, also a value of 0

    Promised: Each value is backed up along its own path, so that every tree is as if `search` had done one simulation in it
    alone.
    """
    for plies, outcome, value in ((60, edition.choice([1.0, -1.0]), None), (1, None, 0.0),
                                  (edition.randint(9, 30), None, 0.75)):
        game = line(plies + 1 if outcome is None else plies, outcome or 0.0)
        visits = [edition.randint(0, 5) for _ in range(plies)]
        means = [edition.choice([0.5, -1.0]) if n else 0.0 for n in visits]
        nodes = plant_many(student, [(game, f"s{ply}", [1.0], [n], [q]) for ply, (n, q) in enumerate(zip(visits, means))])
        leaf = student.Node(game, f"s{plies}")
        student.scatter([([(node, 0) for node in nodes], leaf)], *answers(student, [] if value is None else [[1.0]],
                                                                          [] if value is None else [value], 1))
        worth = outcome if value is None else value
        ask("is an answer of exactly 0 an answer like any other?" if value == 0 else
            "how far up does a value go: does every node on the way get it?")
        right = [(n * q + worth * (-1) ** (plies - ply)) / (n + 1) for ply, (n, q) in enumerate(zip(visits, means))]
        assert student.each(nodes, "N") == [[n + 1] for n in visits]
        assert [mean for means_of in student.each(nodes, "Q") for mean in means_of] == near(right)
        assert leaf.P == ([] if value is None else near([1.0])) and leaf.N == [0] * (value is not None)


@pytest.mark.exercise("5.13")
@pytest.mark.hint("does a leaf keep the probability of each of its own actions, also a probability of 0?")
def test_priors_of_any_leaf(student, edition):
    """leaves of random games, also finished ones, get the probabilities of their own actions, also 0 and 1

    Promised: A leaf of an unfinished game gets its priors (the probabilities of its own actions, a list of floats), and its
    value is the network's;
    """
    for shape in ("bushy", "wide", "forced", "line"):
        game = draw_game(edition, shape)
        while shape == "wide" and len(game.legal_actions(game.start())) < 9:
            game = draw_game(edition, shape)
        states = [game.start(), *edition.choices(states_of(game), k=edition.choice([5, 11]) if shape != "wide" else 140)]
        leaves, rows, wanted = student.many("Node", [(game, state) for state in states]), [], []
        for state in states:
            actions = game.legal_actions(state)
            priors = draw_policy(edition, actions, kind=edition.choice(["any", "one", "zeros"])) if actions else {}
            wanted.append([priors[action] for action in actions])
            if actions:
                rows.append([priors.get(action, 0.0) for action in range(game.num_actions)])
        student.scatter([([], leaf) for leaf in leaves], *answers(student, rows, [0.5] * len(rows), game.num_actions))
        stored = student.each(leaves, "P")
        ask("there can be many trees: does the last leaf get its answer like the first?"
            if all(map(is_near, stored[:10], wanted[:10])) else
            "does a leaf keep the probability of each of its own actions, also a probability of 0?")
        for priors, right in zip(stored, wanted, strict=True):
            assert priors == near(right)


def is_near(priors: list[float], right: list[float]) -> bool:
    return bool(priors == near(right))


@pytest.mark.exercise("5.13")
@pytest.mark.hint("does scatter change the answers, or the list of walks?")
def test_the_answers_stay_as_they_are(student, edition):
    """walks, log_p and value do not change: a second call with them gives the same results

    Promised: walks, log_p and value are not changed.
    """
    worth = edition.uniform(0.2, 0.9)
    kept = [keep(student, each) for each in answers(student, [[0.25, 0.75]], [worth], 2)]
    before = [student.read(each) for each in kept]
    for _ in range(2):
        root, leaf = plant(student, TOY, "s0", [0.5, 0.5]), student.Node(TOY, "a")
        walks = keep(student, [([(root, 0)], leaf)])
        for visits in (1, 2):  # the same walk again is another visit
            student.scatter(walks, *kept)
            ask("the list of walks is the caller's: is it unchanged after the call?")
            assert student.read(walks) == [([(root, 0)], leaf)]
            ask("do you use every answer again, also after an earlier call?")
            assert leaf.P == near([0.25, 0.75])
            assert (root.N, root.Q) == ([visits, 0], near([-worth, 0.0]))
        ask("the network's answers are the caller's tensors: are they unchanged after the call?")
        assert [student.read(each) for each in kept] == before
    path, leaf = walk_to(student, "b")
    walks = keep(student, [(path, leaf)])
    student.scatter(walks, *kept)
    ask("a path of several plies is the caller's too: has it the same order afterwards?")
    assert student.read(walks) == [(path, leaf)]
