"""5.3 to 5.7: a leaf, the bounds, the policy, the next root, the noise."""

import math
from typing import Any

import numpy as np
import pytest

from arena.games import IllegalMove, ToyGame
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
from tests.hidden.ps5_alphazero.oracle import (
    BOARD,
    COLUMNS,
    REVERSI,
    Scripted,
    finished,
    is_limit_at_zero,
    position,
    puct,
    random_game,
    shares,
    table_game,
)

TOY = ToyGame({"s0": ["a", "b", "c"], "a": ["d", "e"], "b": ["f"]}, {"c": -1.0, "d": 0.0, "e": 1.0, "f": -0.5})


@pytest.mark.exercise("5.3")
@pytest.mark.hint("what do you pass to the network, and how often do you call it?")
def test_one_question_about_this_state(student, edition):
    """the network is called once: a batch of one board as its mover sees it, and its legal actions

    Promised: net: net(planes, legal) -> (log_p, value), as `Policy`; it is called once, for this state only.
    """
    for game, plies in ((BOARD, edition.choice([2, 4])), (COLUMNS, edition.choice([3, 7])), (TOY, 0), (TOY, 0)):
        state = position(edition, plies, game) if plies else game.start()
        net = Scripted(game)
        student.evaluate(game, student.network(net), student.Node(game, state))
        ask("do you call the given network, or keep the answer of another one?")
        assert net.asked or net.strange, "the network must be asked"
        ask("how often do you call the network for one state?")
        assert len(net.asked) + net.strange == 1
        ask("what does a network get: how many boards, and of which types are planes and legal?")
        assert net.strange == 0 and len(net.asked[0]) == 1
        ask("which state's board does the network see, and whose stones are on plane 0?")
        assert net.asked == [net.boards([state])]
        ask("which actions does your mask call legal?")
        assert list(np.flatnonzero(net.legal[0][0])) == game.legal_actions(state)


@pytest.mark.exercise("5.3")
@pytest.mark.hint("for which player is the network's value, and for which player is the value that you return?")
def test_the_network_values_a_state_for_its_mover(student, edition):
    """when the game goes on the value is the network's, unchanged, at even and at odd depths

    Promised: Where the game goes on, `node.P` becomes the network's probabilities of `node.actions`, as a list of floats,
    and the network's value is returned as a float.
    """
    worth = edition.uniform(0.2, 0.9)
    for state, value in (("s0", worth), ("a", worth), ("b", -worth)):
        net = Scripted(TOY, {state: ([0.5, 0.25, 0.25], value)})
        got = student.evaluate(TOY, student.network(net), student.Node(TOY, state))
        if got != pytest.approx(value, abs=1e-6):
            recognise(got, {"who is to move at the leaf, and what changes the sign on the way up?": -value} if state == "s0" else
                      {"is the network's value for the first player, or for the player to move at this state?": -value},
                      tolerance=1e-6)
        assert got == pytest.approx(value, abs=1e-6)
    state = position(edition, edition.choice([1, 3]))
    net = Scripted(BOARD, seed=edition.getrandbits(20))
    got = student.evaluate(BOARD, student.network(net), student.Node(BOARD, state))
    assert got == pytest.approx(net.about(state)[1], abs=1e-6)


@pytest.mark.exercise("5.3")
@pytest.mark.hint("the game is over: what knows its result better, the network or the rules?")
def test_a_finished_game_is_worth_its_outcome(student, edition):
    """when the game is over the value is the outcome: loss, draw, win or a fraction; the network is not called

    Promised: Where the game is over the value is the true outcome, the network is not called, and P stays empty.
    """
    ends = [(TOY, "c", -1.0), (TOY, "d", 0.0), (TOY, "e", 1.0), (TOY, "f", -0.5),
            (BOARD, finished(edition, -1.0), -1.0), (BOARD, finished(edition, 0.0), 0.0)]
    for game, state, value in ends:
        net, node = Scripted(game, {state: ([1.0] * game.num_actions, 0.77)}), student.Node(game, state)
        got = student.evaluate(game, student.network(net), node)
        ask("is a draw also an outcome, or do you take 0 for a game that goes on?" if value == 0 else
            "what is a finished game worth for the player to move there: ask the network or the rules?")
        if got != value:
            recognise(got, {
                "is every finished game lost for the player to move?": -1.0,
                "for whom is the outcome of a finished game: for the player to move there, or for the winner?": -value,
                "does the network change the value of a finished game?": value + net.about(state)[1] if value else None,
            }, tolerance=1e-5)
        assert got == value
        ask("the game is over: do you still call the network?")
        assert (net.asked, net.strange) == ([], 0)
        ask("does a finished node need priors or visits?")
        assert (node.P, node.N, node.Q) == ([], [], [])


@pytest.mark.exercise("5.3")
@pytest.mark.hint("what does log_p hold, and at which of its places are the node's own actions?")
def test_priors_are_the_probabilities_of_the_nodes_actions(student, edition):
    """P holds the network's probabilities of the legal actions, in the order of actions, with the sum 1

    Promised: Where the game goes on, `node.P` becomes the network's probabilities of `node.actions`, as a list of floats,
    and the network's value is returned as a float.
    """
    for game, plies in ((BOARD, 4), (COLUMNS, 3), (REVERSI, 5)):
        state = position(edition, plies, game)
        net, node = Scripted(game, seed=edition.getrandbits(20)), student.Node(game, state)
        student.evaluate(game, student.network(net), node)
        priors = net.about(state)[0]
        got = node.P
        if got != pytest.approx(priors, abs=1e-6):
            recognise(got, {"is log p a probability?": [math.log(p) for p in priors],
                            "when does a node get its priors?": []}, tolerance=1e-5)
        assert got == pytest.approx(priors, abs=1e-6)


@pytest.mark.exercise("5.3")
@pytest.mark.hint("in which mode do you call a network, and do you need a gradient here?")
def test_asked_in_eval_mode_and_without_a_gradient(student, edition):
    """for any mode of the network before, it is called in eval mode, with gradients off

    Promised: The network is called in eval mode and with gradients off (`torch.no_grad` or `torch.inference_mode`).
    Afterwards gradients are recorded as before.
    """
    net = keep_network(student, Scripted(TOY))
    for mode in ("train", "eval", "train"):
        student.call_and_keep(f"torch.nn.Module.{mode}", net)
        student.evaluate(TOY, net, student.Node(TOY, "s0"))
    question = [student.tensor(TOY.planes("s0")[None]), student.tensor(np.ones((1, 3), bool))]
    asked_in_eval_mode(student, net, question, 3)
    gradients_stay_off(student, net, question, lambda: student.evaluate(TOY, net, student.Node(TOY, "s0")))
    for head_only in (False, True):
        worth = student.evaluate(TOY, left_in_training(student, TOY, head_only), student.Node(TOY, "s0"))
        ask("is only the network itself in eval mode, or also every layer in it?")
        assert worth == pytest.approx(math.tanh(0.5), abs=1e-5)


@pytest.mark.exercise("5.3")
@pytest.mark.hint("when do you count a visit: when a leaf is evaluated, or on the way back up?")
def test_an_evaluation_counts_no_visit(student, edition):
    """N, Q and children do not change: a visit is counted on the way back, not here

    Promised: No field of `node` but P is changed.
    """
    node = student.Node(TOY, "s0")
    student.evaluate(TOY, student.network(Scripted(TOY, {"s0": ([0.2, 0.3, 0.5], 0.5)})), node)
    assert (node.N, node.Q, node.children) == ([0] * 3, [0.0] * 3, [None] * 3)
    ask("which fields of a node does an evaluation change, beside its priors?")
    assert (node.noisy, node.state, node.actions) == (False, "s0", [0, 1, 2])


# -- 5.4 ----------------------------------------------------------------------------------------------


def mistaken_bounds(priors: list[float], visits: list[int], means: list[float], c: float) -> dict[str, Any]:
    """The bounds of known mistakes at a node with a visit, with the hint to each."""
    q, p, n, total = np.array(means), np.array(priors), np.array(visits), sum(visits)
    bonus, others = c * p * np.sqrt(total) / (1 + n), (q * n).sum() / total
    return {
        "what is under the root: the visits, or the whole fraction?": q + c * p * np.sqrt(total / (1 + n)),
        "which of the formulas has a logarithm?": q + c * p * np.sqrt(np.log(total) / (1 + n)),
        "what does c multiply: the mean, or the bonus?": c * q + p * np.sqrt(total) / (1 + n),
        "for whom is Q at this node, and who chooses here?": -q + bonus,
        "what is under the root: the visits, or one more?": q + c * p * np.sqrt(total + 1) / (1 + n),
        "what divides the bonus: the visits, or one more?":
            np.where(n > 0, q + c * p * np.sqrt(total) / np.maximum(n, 1), np.inf),
        "what divides the bonus of an action without a visit, and of one with visits?":
            q + c * p * np.sqrt(total) / np.maximum(n, 1),
        "where is the prior in the bonus?": q + c * np.sqrt(total) / (1 + n),
        "which c do you use: the given one, or a number of your own?": q + 1.5 * p * np.sqrt(total) / (1 + n),
        "where is c in the bonus?": q + p * np.sqrt(total) / (1 + n),
        "what does c multiply: the whole bonus, or the part under the root?": q + p * np.sqrt(c * total) / (1 + n),
        "what is Q of an action without a visit?": np.where(n > 0, q, -1.0) + bonus,
        "an action has no visit: do you use the others' mean, or its Q?": np.where(n > 0, q, others) + bonus,
        "can a mean be below zero?": np.maximum(q, 0.0) + bonus,
        "whose visits are in the square root: those of all actions together, or those of one?":
            q + c * p * np.sqrt(max(n)) / (1 + n),
        "whose visits are in the square root: the action's own, or those of all actions together?":
            q + c * p * np.sqrt(n) / (1 + n),
        "where is the root?": q + c * p * total / (1 + n),
        "in which order are the bounds?": np.sort(q + bonus),
        "where is the mean?": bonus,
        "where is the bonus?": q,
    }


@pytest.mark.exercise("5.4")
@pytest.mark.hint("what does c multiply, which visits are in the square root, what divides the bonus, and for whom is Q?")
def test_the_bounds_of_a_small_node(student, edition):
    """three actions, nine visits: the numbers computed by hand

    Promised: Returns Q + c P sqrt(max(1, sum of N)) / (1 + N) for each action. `node` is not changed.
    """
    # sqrt 9 = 3: .5 + 2 * .2 * 3 / 6 = .7; -.25 + 2 * .3 * 3 / 5 = .11; 0 + 2 * .5 * 3 / 1 = 3
    numbers = [0.2, 0.3, 0.5], [5, 4, 0], [0.5, -0.25, 0.0]
    node = plant(student, TOY, "s0", *numbers)
    got = student.ucb(node, 2.0)
    if got != pytest.approx([0.7, 0.11, 3.0], abs=1e-6):
        recognise(got, mistaken_bounds(*numbers, 2.0))
    assert got == pytest.approx([0.7, 0.11, 3.0], abs=1e-6)
    ask("what remains of the bounds when c is 0?")
    assert student.ucb(node, 0.0) == pytest.approx([0.5, -0.25, 0.0], abs=1e-6)
    ask("does ucb change the node?")
    assert contents(node) == numbers


@pytest.mark.exercise("5.4")
@pytest.mark.hint("without visits the square root is 0: what remains of the priors?")
def test_priors_count_before_the_first_visit(student, edition):
    """without a visit the bounds are c P: the action with the highest prior is tried first

    Promised: the maximum lets the priors count before the first visit.
    """
    priors, c = shares(edition, 3), edition.uniform(0.5, 2.5)
    got = student.ucb(plant(student, TOY, "s0", priors), c)
    ask("what are the bounds before the first visit: what decides then?")
    if got != pytest.approx([c * p for p in priors], abs=1e-6):
        recognise(got, {"without visits the square root is 0: what remains of the priors?": [0.0] * 3}, tolerance=1e-9)
    assert got == pytest.approx([c * p for p in priors], abs=1e-6)
    ask("what is under the root after the first visit: the visits, or one more?")
    assert student.ucb(plant(student, TOY, "s0", priors, [0, 1, 0], [0.0, -0.5, 0.0]), c) == pytest.approx(
        [c * priors[0], -0.5 + c * priors[1] / 2, c * priors[2]], abs=1e-6)


@pytest.mark.exercise("5.4")
@pytest.mark.hint("what does c multiply, which visits are in the square root, what divides the bonus, and for whom is Q?")
def test_the_bounds_follow_the_formula(student, edition):
    """Q + c P sqrt(max(1, sum of N)) / (1 + N) for every action, in their order, with any number of them

    Promised: Returns Q + c P sqrt(max(1, sum of N)) / (1 + N) for each action.
    """
    for game, state in ((TOY, "s0"), (BOARD, position(edition, 3)), (COLUMNS, COLUMNS.start()), (TOY, "b")):
        size = len(game.legal_actions(state))
        priors, c = shares(edition, size), edition.uniform(0.5, 3.0)
        visits = [edition.randint(0, 30) for _ in range(size - 1)] + [edition.randint(2, 9)]
        means = [round(edition.uniform(-1, 1), 3) if n else 0.0 for n in visits]
        got = student.ucb(plant(student, game, state, priors, visits, means), c)
        if got != pytest.approx(puct(means, priors, visits, c), abs=1e-6):
            recognise(got, mistaken_bounds(priors, visits, means, c))
        assert got == pytest.approx(puct(means, priors, visits, c), abs=1e-6)


# -- 5.5 ----------------------------------------------------------------------------------------------


@pytest.mark.exercise("5.5")
@pytest.mark.hint("how many entries does the policy have, and which of them belong to the node's actions?")
def test_the_policy_is_the_share_of_the_visits(student, edition):
    """at temperature 1 each action has its share of the visits, at its own place, and the others 0

    Promised: Returns a new array of numpy, (A,) float64, one entry for each of the game's num_actions, proportional to N^(1
    / tau), 0.0 at illegal actions, with the sum 1. `root` is not changed.
    """
    for game, plies in ((BOARD, edition.choice([2, 3, 4])), (COLUMNS, 2), (REVERSI, 6)):
        state = position(edition, plies, game)
        actions = game.legal_actions(state)
        visits = [edition.randint(0, 20) for _ in actions[1:]] + [edition.randint(1, 20)]
        priors = shares(edition, len(actions))
        root = plant(student, game, state, priors, visits, [edition.uniform(-1, 1) for _ in actions])
        got = student.action_probs(game, root, 1.0)
        ask("how many entries does the policy have: one for each action of the game, or only for some of them?")
        assert got.shape == (game.num_actions,)
        wanted = spread_out(game, actions, visits)
        if got != pytest.approx(wanted, abs=1e-9):
            counts = np.array(visits)
            recognise(got, {
                "at which entry is an action's share: at its index in the node, or at its own number?":
                    spread_out(game, list(range(len(actions))), visits),
                "what gives a move its share here: only its visits, or also its prior?":
                    spread_out(game, actions, counts * np.array(priors)),
                "does every visit count once, or do you add one to those of every action?": spread_out(game, actions, counts + 1),
                "which formula needs an exponential?": spread_out(game, actions, np.exp(counts / counts.sum())),
                "what is the sum of the entries of a policy?": spread_out(game, actions, visits) * sum(visits),
            })
        ask("which share of the visits does each action have, and at which entry of the policy?")
        assert got == pytest.approx(wanted, abs=1e-9)
        ask("you make a policy of the root's counts: may the counts change?")
        assert root.N == visits


def spread_out(game: Any, actions: list[int], weights: Any) -> np.ndarray:
    """The shares of these weights, at the places of these actions among all of the game's."""
    policy = np.zeros(game.num_actions)
    policy[actions] = np.array(weights) / np.sum(weights)
    return policy


@pytest.mark.exercise("5.5")
@pytest.mark.hint("do you raise a visit count to tau, or to 1 / tau?")
def test_the_temperature_sharpens_and_flattens(student, edition):
    """below 1 the most visited action gains, above 1 it loses: N to the power of 1 / tau, divided by the sum

    Promised: Returns a new array of numpy, (A,) float64, one entry for each of the game's num_actions, proportional to N^(1
    / tau), 0.0 at illegal actions, with the sum 1. `root` is not changed.
    """
    visits = [4, 1, 9]
    root = plant(student, TOY, "s0", [0.2, 0.3, 0.5], visits)
    # tau 1/2: 16, 1, 81 of 98; tau 2: 2, 1, 3 of 6
    for tau, wanted, number in ((0.5, [16 / 98, 1 / 98, 81 / 98], 0), (0.5, [16 / 98, 1 / 98, 81 / 98], 1),
                                (2.0, [2 / 6, 1 / 6, 3 / 6], 0)):
        got = student.action_probs(TOY, root, tau)
        ask("may the root's own counts change: is the second policy of a root the same as the first?" if number else
            "to which power do you raise a visit count, and what divides the powers?")
        if got != pytest.approx(wanted, abs=1e-9) and not number:
            powers = [n**tau for n in visits]
            odds = [math.exp(n / 14 / tau) for n in visits]
            recognise(got, {"do you raise a visit count to tau, or to 1 / tau?": [p / sum(powers) for p in powers],
                            "which formula needs an exponential?": [o / sum(odds) for o in odds],
                            "what does the temperature change in the policy?": [n / 14 for n in visits]})
        assert got == pytest.approx(wanted, abs=1e-9)
    tau = edition.uniform(0.3, 3.0)
    ask("do you compute the policy from the present visits, or keep it from an earlier call?")
    for visits in ([4, 1, 9], [4, 8, 9]):  # the search goes on, and the same root has other visits
        root.N = visits
        powers = [n ** (1 / tau) for n in visits]
        assert student.action_probs(TOY, root, tau) == pytest.approx([p / sum(powers) for p in powers], abs=1e-9)


@pytest.mark.exercise("5.5")
@pytest.mark.hint("at temperature 0, which action gets everything?")
def test_temperature_zero_takes_the_most_visited(student, edition):
    """at temperature 0 the most visited action has everything, for any priors and means

    Promised: At 0 the most visited action has probability 1, and tied actions share it equally, as in 4.4; probability 1
    for one of the tied actions is also right here.
    """
    state = position(edition, 2)
    actions = BOARD.legal_actions(state)
    for favourite in edition.sample(range(7), 3):
        visits = [edition.randint(0, 9) for _ in actions]
        visits[favourite] = 10
        priors, means = shares(edition, 7), [1.0 - (i == favourite) for i in range(7)]
        got = student.action_probs(BOARD, plant(student, BOARD, state, priors, visits, means), 0.0)
        if got != pytest.approx(np.eye(9)[actions[favourite]], abs=1e-12):
            by_mean, by_prior = (np.eye(9)[actions[int(np.argmax(numbers))]] for numbers in (means, priors))
            recognise(got, {
                "at temperature 0, what decides: the mean, or the visits?": by_mean,
                "at temperature 0, what decides: the prior, or the visits?": by_prior,
                "at temperature 0, do the other actions get anything?": spread_out(BOARD, actions, visits),
            })
        assert got == pytest.approx(np.eye(9)[actions[favourite]], abs=1e-12)
    ask("temperature is exactly 0, and counts may be very large: does an action with one visit fewer get a share?")
    many = student.action_probs(TOY, plant(student, TOY, "s0", [0.2, 0.3, 0.5], [10**6 - 1, 3, 10**6]), 0.0)
    assert many == pytest.approx([0.0, 0.0, 1.0], abs=1e-12)
    tied = student.action_probs(TOY, plant(student, TOY, "s0", [0.2, 0.3, 0.5], [5, 2, 5]), 0)
    ask("several actions have most visits: does one of them get everything, or each an equal share?")
    assert is_limit_at_zero(dict(enumerate(tied)), {0: 5, 1: 2, 2: 5}), (
        "at temperature 0 the most visited actions, 0 and 2, must have all the probability"
    )


@pytest.mark.exercise("5.5")
@pytest.mark.hint("how large is the highest count to the power of 1 / tau?")
def test_no_temperature_overflows(student, edition):
    """very low and very high temperatures also give numbers with the sum 1

    Promised: No temperature above 0 causes an overflow, or a sum of 0. Returns a new array of numpy, (A,) float64, one
    entry for each of the game's num_actions, proportional to N^(1 / tau), 0.0 at illegal actions, with the sum 1.
    """
    visits = [edition.randint(300, 700), 1000, 0]
    root = plant(student, TOY, "s0", [0.2, 0.3, 0.5], visits)
    for tau in (0.02, 0.001, 1e-5):
        assert student.action_probs(TOY, root, tau) == pytest.approx([0.0, 1.0, 0.0], abs=1e-6)
    ask("a low temperature is not 0: how much does an action with nearly as many visits get?")
    close = plant(student, TOY, "s0", [0.2, 0.3, 0.5], [99, 100, 0])  # .99^20 = .818, of 1.818
    assert student.action_probs(TOY, close, 0.05) == pytest.approx([0.449914, 0.550086, 0.0], abs=1e-5)
    closer = plant(student, TOY, "s0", [0.2, 0.3, 0.5], [999, 1000, 0])  # .999^200 = .8186, of 1.8186: not yet 0
    assert student.action_probs(TOY, closer, 0.005) == pytest.approx([0.450142, 0.549858, 0.0], abs=1e-3)
    closest = plant(student, TOY, "s0", [0.2, 0.3, 0.5], [1999, 2000, 0])  # .9995^2000 = .36779, of 1.36779
    assert student.action_probs(TOY, closest, 0.0005) == pytest.approx([0.268893, 0.731107, 0.0], abs=1e-3)
    ask("equal counts and a very low temperature: how small is each share before the power, and after it?")
    even = plant(student, TOY, "s0", [0.2, 0.3, 0.5], [edition.randint(2, 900)] * 3)
    assert student.action_probs(TOY, even, 0.001) == pytest.approx([1 / 3] * 3, abs=1e-6)
    ask("how high can a temperature be: do you set a limit that the docstring does not have?")
    assert student.action_probs(TOY, root, 1e4) == pytest.approx([0.5, 0.5, 0.0], abs=1e-4)  # .3^.0001 = .99988


@pytest.mark.exercise("5.5")
@pytest.mark.hint("no action has a visit: what does the docstring say about this case?")
def test_no_visits_are_an_error(student, edition):
    """without a visit there is a ValueError, for any temperature

    Promised: ValueError: no action at `root` has a visit.
    """
    for tau in (1.0, 0.0, 0.5):
        with student.raises(ValueError):
            student.action_probs(TOY, plant(student, TOY, "s0", [0.2, 0.3, 0.5]), tau)
    with student.raises(ValueError):
        student.action_probs(BOARD, student.Node(BOARD, finished(edition, 0.0)), 1.0)


# -- 5.6 ----------------------------------------------------------------------------------------------


def family(student: Any, edition: Any, game: Any, state: Any) -> tuple[Any, list[int], dict[int, Any]]:
    """A node, its actions, and visited children with invented statistics at every second index."""
    actions = game.legal_actions(state)
    root = plant(student, game, state, shares(edition, len(actions)), [index % 2 for index in range(len(actions))])
    children = {}
    for index in range(1, len(actions), 2):
        below = game.play(state, actions[index])
        size = len(game.legal_actions(below))
        children[index] = plant(student, game, below, shares(edition, size), [edition.randint(0, 5) for _ in range(size)],
                                [0.5] * size)
    hang(root, children, len(actions))
    return root, actions, children


@pytest.mark.exercise("5.6")
@pytest.mark.hint("which of the children belongs to this action, by its place among the node's actions?")
def test_the_child_itself_becomes_the_root(student, edition):
    """the child after the action is returned, the same object, with its P, N, Q and children

    Promised: Returns the child after `action` itself, with its P, N, Q and children;
    """
    for game, plies in ((COLUMNS, 5), (BOARD, 3)):  # in the first game an action is its own index
        state = position(edition, plies, game)
        root, actions, children = family(student, edition, game, state)
        before = {index: contents(child) for index, child in children.items()}
        for index, child in children.items():
            got = student.swap_root(game, root, actions[index])
            ask("is the new root the node after the action that was played?" if game is COLUMNS else
                "is the argument an action, or an index among the node's actions?")
            assert got.state == game.play(state, actions[index])
            ask("does the old root keep its children?")
            assert root.children == [children.get(place) for place in range(len(actions))]
            ask("do you return the child that the search made, or a new node in its place?" if game is COLUMNS else
                "is the argument an action, or an index among the node's actions?")
            assert got == child
            ask("does the child keep the P, N and Q that the search has found?")
            assert contents(child) == before[index]
            ask("does a change of root add any noise?")
            assert child.noisy is False


@pytest.mark.exercise("5.6")
@pytest.mark.hint("the search never tried the other player's move: which node becomes the root?")
def test_a_move_never_searched_gets_a_new_node(student, edition):
    """if no simulation has been there, a new node has the state after the action, and no statistics

    Promised: if there is no child yet, a new Node at the state after it.
    """
    for game, plies in ((BOARD, 2), (REVERSI, 4)):
        state = position(edition, plies, game)
        root, actions, _ = family(student, edition, game, state)
        new = student.swap_root(game, root, actions[0])
        below = game.play(state, actions[0])
        size = len(game.legal_actions(below))
        ask("which state does a new root have: the state before the action, or after it?")
        assert (new.state, new.actions) == (below, game.legal_actions(below))
        ask("no simulation has been at a state: which numbers does its new node have?")
        assert contents(new) == ([], [0] * size, [0.0] * size)
        assert (new.children, new.noisy) == ([None] * size, False)
        ask("another root has no child there either: does it get a node of its own?")
        assert student.swap_root(game, student.Node(game, state), actions[0]) != new
        later = student.Node(game, below)  # a search that goes on makes a child there
        hang(root, {0: later}, len(actions))
        root.N = [1, *[index % 2 for index in range(1, len(actions))]]
        again = student.swap_root(game, root, actions[0])
        ask("do you return a node of an earlier call, or the child that the root has now?" if again == new else
            "when do you make a new node: can a child exist without its own priors or visits?")
        assert again == later


@pytest.mark.exercise("5.6")
@pytest.mark.hint("does a change of root add anything to the old root, or remove anything?")
def test_the_old_root_stays_as_it_is(student, edition):
    """the old root keeps its children, its state and its numbers

    Promised: `root` is not changed.
    """
    state = position(edition, 3)
    root, actions, children = family(student, edition, BOARD, state)
    before, below = contents(root), [children.get(index) for index in range(len(actions))]
    for action in actions[:3]:
        student.swap_root(BOARD, root, action)
    assert contents(root) == before
    assert (root.children, root.state, root.actions) == (below, state, actions)


@pytest.mark.exercise("5.6")
@pytest.mark.hint("the rules do not allow a move: what should happen?")
def test_an_illegal_move_is_an_error(student, edition):
    """a taken square, a number that is not an action, and any move after the end are an IllegalMove

    Promised: IllegalMove: the action is not legal at `root`, as `game.play` says.
    """
    state = position(edition, 4)
    root = family(student, edition, BOARD, state)[0]
    taken = next(action for action in range(9) if action not in BOARD.legal_actions(state))
    for action in (taken, 9, -1):
        with student.raises(IllegalMove):
            student.swap_root(BOARD, root, action)
    with student.raises(IllegalMove):
        student.swap_root(BOARD, student.Node(BOARD, finished(edition, -1.0)), 0)


# -- 5.7 ----------------------------------------------------------------------------------------------


def noisy_priors(student: Any, game: Any, state: Any, priors: list[float], rng: Any, times: int, *epsilon: float) -> np.ndarray:
    """The priors of `times` nodes after noise: (times, actions)."""
    nodes = student.many("Node", [(game, state)] * times)
    for node in nodes:
        node.P = priors
    student.many("add_dirichlet_noise", [(node, rng, *epsilon) for node in nodes])
    rows = student.each(nodes, "P")
    assert [row for row in rows if len(row) != len(priors)] == []
    return np.array(rows)


@pytest.mark.exercise("5.7")
@pytest.mark.hint("which share of each prior remains, and what is the sum of the noise?")
def test_a_quarter_of_the_priors_is_noise(student, edition):
    """three quarters of every prior remain, the rest is noise above 0, and the sum stays 1

    Promised: epsilon: the share of the noise, in [0, 1]; .25 if the call does not name it. P becomes (1 - epsilon) P +
    epsilon eta, with eta drawn from a Dirichlet distribution over the legal actions whose parameters are all 10 / (number
    of legal actions); the sum stays 1.
    """
    state = position(edition, 4)
    priors = [*shares(edition, 4), 0.0]  # an action with prior 0 gets noise, too
    rng = student.rng(edition.getrandbits(30))
    mixed = {epsilon: noisy_priors(student, BOARD, state, priors, rng, 20, *epsilon) for epsilon in ((), (0.6,), (1.0,))}
    changed = np.abs(mixed[()] - priors).max(axis=1) > 1e-9
    ask("does every node that is not noisy yet get its noise, or only the first node?" if changed.any() else
        "where do you store the mixture of priors and noise?")
    assert changed.all(), "every node must have got noise"
    ask("what is the sum of the priors after the noise: what divides the draws, and how much of each prior remains?")
    assert [alphas for alphas, rows in mixed.items() if rows.sum(axis=1) != pytest.approx(np.ones(20), abs=1e-9)] == []
    ask("does every action have its own draw, or do all actions get the same noise?")
    assert (np.ptp(mixed[(1.0,)], axis=1) > 1e-9).all(), "each action must have its own noise"
    ask("which actions get noise: also those with prior 0?")
    assert (mixed[()][:, 4] > 0.0).all(), "an action with prior 0 must get noise too"
    ask("does every node have its own draws, from rng?")
    assert (np.ptp(mixed[()], axis=0) > 1e-9).all(), "each node must have its own noise"
    for epsilon, rows in mixed.items():
        share = epsilon[0] if epsilon else 0.25
        noise = rows - (1 - share) * np.array(priors)
        ask("how much of each prior remains: epsilon of it, or 1 - epsilon?")
        assert (noise >= -1e-12).all() and (rows[:, 4] > 0.0).all(), (
            f"the noise must not be below 0, and the action with prior 0 must get some, came {noise}"
        )
        assert (noise.max(axis=1) > share / 20).all(), (  # at least the largest fifth, less rounding
            f"the largest part of the noise must be above {share / 20}, came {noise.max(axis=1)}"
        )
    ask("which epsilon do you use: the given one, or always the default?")
    assert noisy_priors(student, BOARD, state, priors, rng, 2, 0.0) == pytest.approx(np.array([priors] * 2), abs=1e-12)
    tiny = [1 - 1.1e-5, 1e-5, 1e-6, 1e-9, 0.0]
    ask("how much remains of a prior that is close to 0?")
    assert noisy_priors(student, BOARD, state, tiny, rng, 1, 0.0) == pytest.approx(np.array([tiny]), abs=1e-10)


@pytest.mark.exercise("5.7")
@pytest.mark.hint("how does each parameter depend on the number of legal actions, and are the draws gamma draws?")
def test_the_noise_is_dirichlet_with_alpha_ten_by_actions(student, edition):
    """with n legal actions (2 or 50) each action's noise has the mean 1/n and the spread of a Dirichlet with parameters 10/n

    Promised: P becomes (1 - epsilon) P + epsilon eta, with eta drawn from a Dirichlet distribution over the legal actions
    whose parameters are all 10 / (number of legal actions);
    """
    rng = student.rng(edition.getrandbits(30))
    eta = noisy_priors(student, BOARD, position(edition, 7), [0.9, 0.1], rng, 1000, 1.0)
    variance = 1 / 4 / 11  # the parameters sum to 10, for any n
    ask("with epsilon 1 all is noise: which weight has the prior then, and which the noise?")
    # The mean of 1000 draws deviates by sqrt(variance / 1000); 6 deviations are exceeded once in 5e8 tries.
    assert np.abs(eta.mean(axis=0) - 1 / 2).max() < 6 * math.sqrt(variance / 1000)
    ask("how does each parameter depend on the number of legal actions, and are the draws gamma draws?")
    # Their variance has a relative deviation of .039 (the kurtosis is 2.54), so 24 % off is more than 6 of them. With one action
    # more or less in the parameter, 10/3 or 10, it is 43 % more or 48 % less; with .3 it is seven times as much.
    assert 0.76 * variance < ((eta - 1 / 2) ** 2).mean() < 1.24 * variance
    # For many actions the small draws show more. The sum of 50 logarithms has the mean 50 (psi(.2) - psi(10)) = -377.04 and the
    # deviation 32.4; the mean of 400 of them 1.62, of which 10 is six. With 11 in the place of 10 it is 19 more, with 9 23 less.
    game = table_game({"": {2 * action: f"s{action}" for action in range(50)}}, {}, 120, {})
    priors = edition.sample([0.1] * 10 + [0.0] * 40, 50)  # an action with prior 0 counts among the legal ones
    eta = noisy_priors(student, game, "", priors, rng, 400, 1.0)
    ask("which number do you divide by the number of legal actions, and may a parameter be below 1?")
    assert np.abs(eta.mean(axis=0) - 1 / 50).max() < 0.017  # eight deviations of .0021: the draws are skewed
    assert abs(np.log(np.maximum(eta, 1e-40)).sum(axis=1).mean() + 377.04) < 10


@pytest.mark.exercise("5.7")
@pytest.mark.hint("a root already has its noise, and the search goes on: what changes?")
def test_noise_is_added_once(student, edition):
    """a second call does not change the node; every other node still gets its noise

    Promised: `node.noisy` becomes True, and a node that is already noisy is not changed: noise is added once.
    """
    priors = shares(edition, 3)
    first, second = (plant(student, TOY, "s0", priors) for _ in range(2))
    rng = student.rng(edition.getrandbits(30))
    student.add_dirichlet_noise(first, rng)
    once = first.P
    ask("how does the next call know that a node already has its noise?")
    assert first.noisy is True
    student.add_dirichlet_noise(first, rng)
    student.add_dirichlet_noise(first, student.rng(edition.getrandbits(30)), 0.9)
    ask("a root is searched again: how often does it get noise?")
    assert first.P == once and first.noisy is True
    ask("what shows that a node already has its noise: its field noisy, or your own record?")
    for node in (second, first):  # the first once more, as a new node
        node.P, node.noisy = priors, False
        student.add_dirichlet_noise(node, rng)
        assert node.noisy is True
        assert node.P != pytest.approx(priors, abs=1e-06)  # closer by chance once in 1e12 tries
    assert first.P != once


@pytest.mark.exercise("5.7")
@pytest.mark.hint("which node of the tree gets noise, and which of its numbers change?")
def test_only_the_roots_priors_change(student, edition):
    """N, Q and children do not change, and no node below gets any noise

    Promised: Nothing but P and noisy changes, here or below.
    """
    root = plant(student, TOY, "s0", shares(edition, 3), [2, 1, 0], [0.5, -0.5, 0.0])
    below = plant(student, TOY, "a", [0.5, 0.5])
    hang(root, {0: below}, 3)
    student.add_dirichlet_noise(root, student.rng(edition.getrandbits(30)))
    ask("which of a root's numbers does the noise change: only its priors, or also means and visits?")
    assert (root.N, root.Q, root.children) == ([2, 1, 0], [0.5, -0.5, 0.0], [below, None, None])
    ask("which node of the tree gets noise: only the root, or also nodes below?")
    assert (below.P, below.noisy) == ([0.5, 0.5], False)


@pytest.mark.exercise("5.7")
@pytest.mark.hint("does your function use only the given rng: no other generator, and no seed of its own?")
def test_the_noise_repeats_with_its_rng(student, edition):
    """the same rng gives the same noise again, other rngs give others, and no other generator is used

    Promised: rng: the only source of chance: gamma draws from it, or a numpy generator seeded from it. epsilon: the share
    of the noise, in [0, 1]; .25 if the call does not name it.
    """
    seed, before = edition.getrandbits(30), student.disturb(edition.getrandbits(30))
    rows = []
    for number, *epsilon in ((seed, 0.25), (seed, 0.25), (seed,), (seed + 1,)):  # a quarter is the default
        rows.append(noisy_priors(student, TOY, "s0", [0.2, 0.3, 0.5], student.rng(number), 2, *epsilon).tolist())
    ask("does your function use only the given rng: no other generator, and no seed of its own?")
    assert rows[0] == rows[1] != rows[3]
    assert rows[0][0] != rows[0][1]
    ask("epsilon is not given: which default does the docstring give?")
    assert rows[0] == rows[2]
    ask("does your function use only the given rng: no other generator, and no seed of its own?")
    assert student.global_state() == before


@pytest.mark.exercise("5.7")
@pytest.mark.hint("a node has no priors yet: what does the docstring say about this case?")
def test_without_priors_there_is_nothing_to_mix(student, edition):
    """a node without priors (not evaluated yet, or finished) is a ValueError

    Promised: ValueError: the node has no priors yet (or the game is over there).
    """
    for game, state in ((TOY, "s0"), (TOY, "c"), (BOARD, random_game(edition)[-1])):
        with student.raises(ValueError):
            student.add_dirichlet_noise(student.Node(game, state), student.rng(1))
