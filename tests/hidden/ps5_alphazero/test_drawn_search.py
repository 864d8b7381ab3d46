"""5.3 to 5.7 on random games: any action numbers, any states, any statistics."""

from random import Random
from typing import Any

import numpy as np
import pytest

from arena.games import IllegalMove, ToyGame
from autograder.grading.hidden_checks.known_mistakes import ask
from autograder.sandbox.table_game import TableGame
from tests.hidden.generators import draw_count, draw_game, draw_policy, states_of
from tests.hidden.laws import near
from tests.hidden.ps5_alphazero.nodes import contents, hang, keep_network, made, plant, plant_many
from tests.hidden.ps5_alphazero.oracle import Scripted, is_limit_at_zero, puct, table_game

SHAPES = ("bushy", "line", "wide", "forced", "over")


def draw_states(edition: Random, number: int) -> list[tuple[TableGame, Any]]:
    """Positions of random games, the start of each among them; some are finished."""
    spots = []
    for turn in range(number):
        game = draw_game(edition, SHAPES[turn % len(SHAPES)])
        spots += [(game, game.start()), (game, edition.choice(states_of(game)))]
    return spots


def draw_numbers(edition: Random, game: TableGame, state: Any) -> tuple[list[float], list[int], list[float]]:
    """P, N and Q of a node: priors of any kind, visits from 0 on, means of visited actions."""
    actions = game.legal_actions(state)
    visits = [draw_count(edition) for _ in actions]
    means = [edition.choice([0.0, 1.0, -1.0, edition.uniform(-1, 1)]) if n else 0.0 for n in visits]
    return list(draw_policy(edition, actions).values()) if actions else [], visits, means


@pytest.mark.exercise("5.3")
@pytest.mark.hint("which part of the network's answer does a node get: at which places, and for which states?")
def test_any_state_of_any_game(student, edition):
    """a node of any game gets its priors and its value, or its outcome; states are texts, numbers or tuples, also empty ones

    Promised: Where the game goes on, `node.P` becomes the network's probabilities of `node.actions`, as a list of floats,
    and the network's value is returned as a float. Where the game is over the value is the true outcome, the network is not
    called, and P stays empty.
    """
    for first, worth in ((0, 0.0), ("", edition.choice([1.0, -1.0])), ((), edition.uniform(-0.999, -0.98))):
        game = table_game({first: {2: "won", 5: "lost"}}, {}, 7, {})
        ask("a state is 0, '' or (): do you treat it as no state?")
        net = Scripted(game, {first: ([0.0, 0.0, 0.25, 0.0, 0.0, 0.75, 0.0], worth)})
        node = student.Node(game, first)
        got = student.evaluate(game, student.network(net), node)
        assert node.P == near(net.about(first)[0])
        if worth:
            ask("the network is very sure: do you return its value unchanged?")
        assert got == near(net.about(first)[1])
    for shape in SHAPES:
        game = draw_game(edition, shape)
        states = [game.start(), *edition.sample(states_of(game), min(4, len(states_of(game))))]
        choices = [state for state in states if len(game.legal_actions(state)) > 1][:1]
        sure = {state: (np.eye(game.num_actions)[edition.choice(game.legal_actions(state))].tolist(), 0.0)
                for state in choices}  # one action has all the probability, the others none
        net = Scripted(game, sure, seed=edition.getrandbits(20))
        module = student.network(net)
        nodes = student.many("Node", [(game, state) for state in states])
        values = student.many("evaluate", [(game, module, node) for node in nodes])
        asked = []
        for state, node, value in zip(states, nodes, values, strict=True):
            outcome, (priors, worth) = game.outcome(state), net.about(state)
            asked += [] if outcome is not None else [net.boards([state])]
            ask("what is a state worth when the game goes on, and what when it is over?")
            assert value == near(worth if outcome is None else outcome)
            ask("does a node get the unchanged probability of each of its own actions, also when it is 0?")
            assert node.P == near(priors if outcome is None else [])
        assert (net.asked, net.strange) == (asked, 0)


@pytest.mark.exercise("5.3")
@pytest.mark.hint("a node was evaluated before: what does a second evaluation change?")
def test_a_node_is_evaluated_whenever_it_is_asked_for(student, edition):
    """a second evaluation asks the given network again, and keeps N, Q and children

    Promised: Where the game goes on, `node.P` becomes the network's probabilities of `node.actions`, as a list of floats,
    and the network's value is returned as a float.
    """
    game = draw_game(edition, "wide")
    scripts = [Scripted(game, seed=edition.getrandbits(20)) for _ in range(2)]
    _, visits, means = draw_numbers(edition, game, game.start())
    node, child = plant_many(student, [(game, game.start(), [], visits, means)] * 2)
    hang(node, {0: child}, len(visits))
    nets = [keep_network(student, script) for script in scripts]
    for times, place in ((1, 0), (2, 0), (1, 1)):
        node.P = []
        priors, worth = scripts[place].about(game.start())
        got = student.evaluate(game, nets[place], node)
        ask("does evaluate call the given network every time?")
        assert got == near(worth)
        assert node.P == near(priors)
        ask("does an evaluation keep the visits and means that a node already has?")
        assert (node.N, node.Q) == (visits, means)
        assert len(scripts[place].asked) == times
    assert node.children == [child] + [None] * (len(visits) - 1)


@pytest.mark.exercise("5.4")
@pytest.mark.hint("is your formula right with no visit, with one action or many, with priors of 0, and with any c?")
def test_the_bounds_of_any_node(student, edition):
    """one action or twelve, no visit or a thousand, priors of 0 and of 1, c of 0 and large: the bounds follow the formula

    Promised: Returns Q + c P sqrt(max(1, sum of N)) / (1 + N) for each action. `node` is not changed.
    """
    spots = []
    for game, state in draw_states(edition, 15):
        if game.outcome(state) is None:
            priors, visits, means = draw_numbers(edition, game, state)
            share = edition.choice([1.0, 1.0, 0.5])  # the formula takes unchanged priors, whatever their sum
            spots.append((game, state, [share * p for p in priors], visits, means))
    nodes = plant_many(student, spots)
    weights = [edition.choice([0.0, 1.0, 1.5, edition.uniform(0, 40)]) for _ in nodes]
    for got, c, (_, _, priors, visits, means) in zip(student.many("ucb", list(zip(nodes, weights))), weights, spots, strict=True):
        right = puct(means, priors, visits, c)
        if got != near(right):
            ask(question_about_bounds(got, right, priors))
        assert got == near(right)
    for node, (_, _, *numbers) in zip(nodes, spots, strict=True):
        assert list(contents(node)) == numbers


def question_about_bounds(got: list[float], right: list[float], priors: list[float]) -> str:
    """The question about a node with wrong bounds, by the actions that have these bounds."""
    wrong = [(bound, right_bound, p) for bound, right_bound, p in zip(got, right, priors) if bound != near(right_bound)]
    if all(p < 0.01 for _, _, p in wrong):
        return "a prior is 0, or nearly 0: what is the bonus of this action?"
    if max(right) > 5 and all(bound < right_bound for bound, right_bound, _ in wrong):
        return "how large can a bonus be: do you set a limit that the formula does not have?"
    if sum(priors) < 0.9:
        return "do you use unchanged priors, whatever their sum is?"
    return "is your formula right with no visit, with one action or many, with priors of 0, and with any c?"


@pytest.mark.exercise("5.4")
@pytest.mark.hint("do you compute every bound from the node's present numbers, or keep some from an earlier call?")
def test_the_bounds_follow_the_node(student, edition):
    """the same node with other visits, means or priors, or with another c, has other bounds

    Promised: Returns Q + c P sqrt(max(1, sum of N)) / (1 + N) for each action.
    """
    game = draw_game(edition, "wide")
    state, node = game.start(), student.Node(game, game.start())
    for _ in range(4):
        priors, visits, means = draw_numbers(edition, game, state)
        node.P, node.N, node.Q = priors, visits, means
        for c in (edition.uniform(0.5, 3.0), 0.0):
            assert student.ucb(node, c) == near(puct(means, priors, visits, c))
    ask("some children are ends of the game: does the formula know that?")
    game = ToyGame({"s0": ["won", "lost", "drawn", "on"], "on": ["end"]}, {"won": -1.0, "lost": 1.0})
    node = plant(student, game, "s0", priors := [0.4, 0.3, 0.2, 0.1], visits := [3, 2, 1, 4], means := [1.0, -1.0, 0.0, 0.5])
    hang(node, dict(enumerate(student.many("Node", [(game, state) for state in ("won", "lost", "drawn", "on")]))), 4)
    assert student.ucb(node, 1.5) == near(puct(means, priors, visits, 1.5))


@pytest.mark.exercise("5.5")
@pytest.mark.hint("of which type is the policy: a numpy array, or something else?")
def test_the_policy_is_an_array_of_its_own(student, edition):
    """the policy is a new numpy array at every call: a later call does not change an earlier policy

    Promised: Returns a new array of numpy, (A,) float64, one entry for each of the game's num_actions, proportional to N^(1
    / tau), 0.0 at illegal actions, with the sum 1.
    """
    game = draw_game(edition, "wide")
    size = len(game.legal_actions(game.start()))
    roots = [plant(student, game, game.start(), [1 / size] * size, np.eye(size, dtype=int)[place].tolist()) for place in (0, 1)]
    for tau in (1.0, 0.0):
        first, _ = (made(student, "action_probs", game, root, tau) for root in roots)
        read = student.read(first)
        ask("what happens to a policy when you make the next one: is each a new array?")
        assert read == [float(action == game.legal_actions(game.start())[0]) for action in range(game.num_actions)]
        assert len(first.strides) == 1  # an array has these, a list and a tensor do not


@pytest.mark.exercise("5.5")
@pytest.mark.hint("which exponent do you use at this temperature, and is each action's share at its own entry?")
def test_the_policy_of_any_root(student, edition):
    """any number of actions, visits from 0 to a thousand, any temperature: N^(1 / tau) over its sum; N does not change

    Promised: At 0 the most visited action has probability 1, and tied actions share it equally, as in 4.4; probability 1
    for one of the tied actions is also right here. No temperature above 0 causes an overflow, or a sum of 0. Returns a new
    array of numpy, (A,) float64, one entry for each of the game's num_actions, proportional to N^(1 / tau), 0.0 at illegal
    actions, with the sum 1. `root` is not changed.
    """
    spots = []
    for game, state in draw_states(edition, 15):
        priors, visits, means = draw_numbers(edition, game, state)
        if visits:
            visits[edition.randrange(len(visits))] = edition.choice([1, 2, 1001])
            spots.append((game, state, priors, visits, means))
    nodes, calls, wanted = plant_many(student, spots), [], []
    for node, (game, state, _, visits, _) in zip(nodes, spots, strict=True):
        tau = edition.choice([1.0, 1, 0.05, 0.3, 0.5, 0.7, 3.0, 60.0, edition.uniform(0.1, 5.0)])
        powers = (np.array(visits) / max(visits)) ** (1 / tau)
        policy = np.zeros(game.num_actions)
        policy[game.legal_actions(state)] = powers / powers.sum()
        calls.append((game, node, tau))
        wanted.append(policy)
    for got, right in zip(student.many("action_probs", calls), wanted, strict=True):
        ask("which exponent do you use at this temperature, and is each action's share at its own entry?")
        if got.shape == right.shape and ((got == 0) & (right > 0)).any():
            ask("does an action with few visits keep its small share?")
        assert got == near(right)
    ask("at temperature 0, which action gets everything, and at which entry?")
    for got, (game, state, _, visits, _) in zip(student.many("action_probs", [(game, node, 0.0) for game, node, _ in calls]),
                                                spots, strict=True):
        counts = dict.fromkeys(range(game.num_actions), 0) | dict(zip(game.legal_actions(state), visits, strict=True))
        assert got.shape == (game.num_actions,) and is_limit_at_zero(dict(enumerate(got)), counts), (
            "at temperature 0 the most visited actions must have all the probability"
        )
    ask("you make a policy of the root's counts: may the counts change?")
    assert student.each(nodes, "N") == [visits for _, _, _, visits, _ in spots]


@pytest.mark.exercise("5.6")
@pytest.mark.hint("do you find a child by its action, whatever fields it has and wherever its state appears?")
def test_any_child_of_any_root(student, edition):
    """each child is found by its action, also one without visits, a finished one, and one whose state another action reaches too

    Promised: action: an action of the game, not an index. Returns the child after `action` itself, with its P, N, Q and
    children; if there is no child yet, a new Node at the state after it. `root` is not changed. Raises: IllegalMove: the
    action is not legal at `root`, as `game.play` says.
    """
    # 3 and 7 lead to the same state, and there is a child only after 7; 12 ends the game; nothing is known after 20.
    for root_state, same, end, other in ((0, (), 5, 6), ("", "same", "end", "other")):
        game = table_game({root_state: {3: same, 7: same, 12: end, 20: other}, same: {1: "z"}, other: {2: "z"}},
                          {end: edition.choice([-1.0, 0.0, 1.0]), "z": 0.0}, 21, {})
        root = plant(student, game, root_state, [0.25] * 4, [0, 1, 2, 0])
        known, finished = plant(student, game, same, [1.0], [0], [0.0]), student.Node(game, end)
        known.noisy = True
        below = student.Node(game, "z")
        hang(known, {0: below}, 1)
        hang(root, {1: known, 2: finished}, 4)
        ask("do you find a child by its action, and return it unchanged, also if unvisited or finished?")
        assert student.swap_root(game, root, 7) == known
        assert student.swap_root(game, root, 12) == finished
        ask("a child already has its noise: do you keep its field noisy and its priors?")
        assert (known.P, known.N, known.noisy) == ([1.0], [0], True)
        ask("nothing of `root` changes: does every child keep its own children?")
        assert known.children == [below]
        for action, state in ((3, same), (20, other)):
            new = student.swap_root(game, root, action)
            ask("two actions can lead to the same state: do you find a child by its state, or by its action?")
            assert new not in (known, finished, root)
            assert (new.state, new.P, new.N) == (state, [], [0])
        assert root.children == [None, known, finished, None]
        for illegal in (0, 1, 2, 4, 21, -1):
            with student.raises(IllegalMove):
                student.swap_root(game, root, illegal)


@pytest.mark.exercise("5.7")
@pytest.mark.hint("what does the noise change with a single action, and with a prior of 1?")
def test_noise_for_one_action_and_for_many(student, edition):
    """a single prior stays 1, and each of two, six or twelve actions gets its noise, also with priors of 0 and of 1

    Promised: P becomes (1 - epsilon) P + epsilon eta, with eta drawn from a Dirichlet distribution over the legal actions
    whose parameters are all 10 / (number of legal actions);
    """
    rng = student.rng(edition.getrandbits(30))
    for size, times in ((1, 2), (2, 8), (12, 8), (6, 8)):
        game = table_game({"": {3 * action: f"s{action}" for action in range(size)}}, {}, 40, {})
        nodes = student.many("Node", [(game, "")] * times)
        for node in nodes:
            node.P = np.eye(size)[size // 2].tolist()
        student.many("add_dirichlet_noise", [(node, rng, 1.0) for node in nodes])
        ask("do you also mark a node with a single action as noisy?" if size == 1 else "do you mark every node as noisy?")
        assert student.each(nodes, "noisy") == [True] * times
        rows = student.each(nodes, "P")
        assert [row for row in rows if len(row) != size] == []
        eta = np.array(rows)
        ask("what is the sum of the priors after the noise, for any number of actions?")
        assert eta.sum(axis=1) == near(np.ones(times)) and (eta >= 0).all(), "the noise must be above 0 and have the sum 1"
        ask("does a node with a prior of 1 get noise like any other?")
        assert size == 1 or (eta.max(axis=1) < 1 - 1e-6).all(), "the noise must not go to one action alone"


@pytest.mark.exercise("5.7")
@pytest.mark.hint("is a node noisy when epsilon is 0, or when there is only one action?")
def test_noise_that_changes_nothing_counts_too(student, edition):
    """after a call with epsilon 0, or at a node with one action, the node is noisy, and no later call changes it

    Promised: `node.noisy` becomes True, and a node that is already noisy is not changed: noise is added once.
    """
    game = table_game({"": {4: "one"}, "one": {2: "z", 9: "y"}}, {}, 10, {})
    rng = student.rng(edition.getrandbits(30))
    for state, priors, epsilon in (("", [1.0], 0.25), ("one", [0.5, 0.5], 0.0)):
        node = plant(student, game, state, priors)
        student.add_dirichlet_noise(node, rng, epsilon)
        assert node.noisy is True
        student.add_dirichlet_noise(node, rng, 0.75)
        assert node.P == near(priors)
