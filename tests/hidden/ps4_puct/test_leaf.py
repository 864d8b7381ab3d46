"""4.2: one state for the network."""

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

from autograder.grading.hidden_checks.known_mistakes import ask, recognise
from autograder.sandbox.codec import Special
from tests.hidden.ps4_puct.oracle import BOARD, OTHELLO, PASS, Row, othello, othello_pass, random_game

pytestmark = pytest.mark.exercise("4.2")


class Net:
    """A network's forward pass: it answers with fixed numbers, and keeps the planes that it was given."""

    def __init__(self, probabilities: list[float], value: float) -> None:
        self.answer = np.array([probabilities], np.float32), np.array([value], np.float32)
        self.planes: list[Any] = []

    def __call__(self, *planes: Any) -> tuple[np.ndarray, np.ndarray]:
        self.planes += planes
        return self.answer


def network(student: Any, forward: Callable[..., Any]) -> Any:
    """A network in the worker that stays the same for many calls."""
    special = student.network(forward)
    return student.keep(Special(special.name, (special.value[0], ("planes",))))


def probabilities(edition: Random, number: int = 37) -> list[float]:
    """Possible answers of a network: positive numbers with the sum 1, in float32."""
    weights = [edition.uniform(0.01, 1) ** 2 for _ in range(number)]
    return [float(np.float32(weight / sum(weights))) for weight in weights]


def right_priors(state: Any, p: list[float], game: Any = OTHELLO) -> Row:
    legal = game.legal_actions(state)
    total = sum(p[action] for action in legal)
    return {action: p[action] / total for action in legal}


def leaf(student: Any, state: Any, p: list[float], value: float = 0.25, game: Any = OTHELLO) -> tuple[Row, float]:
    return student.evaluate_leaf(game, student.network(Net(p, value)), state)


@pytest.mark.hint("is each prior the network's own number for this action, divided by the sum of the legal ones?")
def test_the_priors_are_the_legal_part_made_to_sum_to_1(student, edition):
    """exactly the legal actions have a prior, in proportion to the network's numbers, and the priors sum to 1

    Promised: priors: {action: probability} with every legal action as a key and no other key; plain floats that sum to 1,
    in proportion to the network's probabilities.
    """
    positions = [(OTHELLO, othello(edition, plies)) for plies in (0, edition.choice([7, 9]), edition.choice([12, 14]))]
    for game, state in [*positions, (BOARD, random_game(edition, BOARD)[0][edition.randint(2, 4)])]:
        p, legal = probabilities(edition, game.num_actions), game.legal_actions(state)
        if len(legal) > 2:
            p[edition.choice(legal)] = 0.0  # still legal
        got, _ = leaf(student, state, p, game=game)
        if got.keys() != dict.fromkeys(legal).keys():
            everybody = {"What happens to the illegal actions: are they still among the keys?": list(range(game.num_actions))}
            recognise(sorted(got), everybody)
        ask("which actions have a prior: all legal ones, also those with 0 from the network, and no others?")
        assert got.keys() == dict.fromkeys(legal).keys()
        ask("is each prior the network's own number for this action, divided by the sum of the legal ones?")
        right = right_priors(state, p, game)
        if got != pytest.approx(right, abs=1e-5):
            shifted = {a: np.exp(p[a]) for a in legal}
            by_place = dict(zip(legal, p))
            others = 1 - sum(p[a] for a in range(game.num_actions) if a not in legal)
            known = {
                "What is the sum of the legal ones without the illegal ones?": {a: p[a] for a in legal},
                "Which number does the network give each action?": dict.fromkeys(legal, 1 / len(legal)),
                "Are the network's numbers already probabilities?": {a: s / sum(shifted.values()) for a, s in shifted.items()},
                "Whose probability is it: of the action, or of its place among the legal ones?":
                    {a: q / sum(by_place.values()) for a, q in by_place.items()},
                "What divides the numbers: the sum of exactly the legal ones?": {a: p[a] / others for a in legal},
            }  # fmt: skip
            recognise([got[a] for a in legal], {hint: [row[a] for a in legal] for hint, row in known.items()}, tolerance=1e-4)
        assert got == pytest.approx(right, abs=1e-5)
        assert sum(got.values()) == pytest.approx(1.0, abs=1e-6)
    ask("another network, or another state with the same actions: is your answer a new one?")
    state = OTHELLO.start()
    for _ in range(2):
        p, value = probabilities(edition), round(edition.uniform(-0.9, 0.9), 3)
        assert leaf(student, state, p, value)[0] == pytest.approx(right_priors(state, p), abs=1e-5)


@pytest.mark.hint("is the pass an action like the others?")
def test_the_pass_has_its_prior(student, edition):
    """the pass has the prior 1 when it is the only legal action; when another action is legal it has no prior

    Promised: priors: {action: probability} with every legal action as a key and no other key;
    """
    states, _, ply = othello_pass(edition)
    p = probabilities(edition)
    p[PASS] = 0.001
    got, value = leaf(student, states[ply], p)
    assert got == pytest.approx({PASS: 1.0}, abs=1e-6)
    ask("a single action is legal: where does the value of the state come from?")
    recognise(value, {"Who is to move here, and for whom is the network's value?": -0.25}, tolerance=1e-6)
    assert value == pytest.approx(0.25, abs=1e-6)
    ask("is the pass an action like the others, and legal only at some states?")
    p = [0.5 / 36] * 36 + [0.5]
    assert leaf(student, states[0], p)[0] == pytest.approx(dict.fromkeys(OTHELLO.legal_actions(states[0]), 0.25), abs=1e-5)


@pytest.mark.hint("who is the player to move, for the network and for your function?")
def test_the_value_is_the_networks_own(student, edition):
    """the value is the network's value, for the player to move, for either player

    Promised: value: a plain float for the player to move at `state`, the network's value.
    """
    for plies in (edition.choice([2, 4, 6]), edition.choice([3, 5, 7])):
        value = round(edition.uniform(0.1, 0.9), 3) * edition.choice([-1, 1])
        _, got = leaf(student, othello(edition, plies), probabilities(edition), value)
        recognise(got, {"Who is to move here, and for whom is the network's value?": -value}, tolerance=1e-6)
        assert got == pytest.approx(value, abs=1e-6)


@pytest.mark.hint("which input does the network need, of which shape and which type?")
def test_the_network_sees_the_planes_of_the_state_once(student, edition):
    """the network is called once, with the state's own planes as float32 of shape (1, 2, H, W)

    Promised: net: net(planes (1, 2, H, W) float32) -> (probabilities (1, A), values (1,)), A = game.num_actions. It is called
    once, without gradients, in evaluation mode, and left in that mode;
    """
    for plies in (edition.choice([2, 4, 6]), edition.choice([3, 5, 7])):
        state, net = othello(edition, plies), Net(probabilities(edition), 0.5)
        student.evaluate_leaf(OTHELLO, student.network(net), state)
        ask("how often do you call the network for one state?")
        assert len(net.planes) == 1
        seen = net.planes[0]
        ask("which shape does a batch of one state have?")
        assert isinstance(seen, np.ndarray) and seen.shape == (1, 2, 6, 6), (
            "the network must get one batch of planes, an array of shape (1, 2, 6, 6)"
        )
        ask("which type of number does the network take?")
        assert seen.dtype == np.float32
        ask("whose stones are in the first plane, whose in the second, and who is to move?")
        assert (seen[0] == OTHELLO.planes(state)).all(), "the network must get the planes of the position"


@pytest.mark.hint("which layers behave differently in training, and what does PyTorch keep for a backward pass?")
def test_the_network_is_asked_without_gradients_and_not_in_training(student, edition):
    """the network is in evaluation mode when it is called and afterwards, and no gradients are recorded

    Promised: It is called once, without gradients, in evaluation mode, and left in that mode;
    """
    net = network(student, Net(probabilities(edition), 0.5))
    net.training = True
    student.evaluate_leaf(OTHELLO, net, othello(edition, 4))
    asked = net.modes
    ask("in which mode is the network during the call, and in which mode afterwards?")
    assert [training for training, _ in asked] == [False]
    assert net.training is False
    ask("no backward pass follows: must PyTorch record anything for one?")
    assert [recorded for _, recorded in asked] == [False]


def masked(state: Any, edition: Random, legal_too: float = 0.0) -> list[float]:
    """Probabilities that are all on illegal actions, except for `legal_too` on each legal one."""
    legal = OTHELLO.legal_actions(state)
    illegal = [action for action in range(37) if action not in legal]
    p = [legal_too] * 37
    for action in illegal:
        p[action] = 0.0
    for action in edition.sample(illegal, 2):
        p[action] = 0.5
    return p


@pytest.mark.hint("what is 0 divided by 0, and which priors does the docstring give instead?")
def test_where_all_is_masked_the_legal_actions_are_equally_likely(student, edition):
    """if the network gives every legal action 0, they are equally likely, and the network's value still counts

    Promised: If these are 0 for all legal actions together, all legal actions are equally likely, and `warnings.warn` gives
    a warning, each time.
    """
    passes, _, ply = othello_pass(edition)
    for state in (othello(edition, 0), othello(edition, edition.choice([5, 8])), passes[ply]):
        legal = OTHELLO.legal_actions(state)
        got, value = leaf(student, state, masked(state, edition), -0.375)
        ask("the legal ones sum to 0: which actions are equally likely, all or the legal ones?")
        assert got.keys() == dict.fromkeys(legal).keys()
        ask("what is 0 divided by 0, and which priors does the docstring give instead?")
        assert got == pytest.approx(dict.fromkeys(legal, 1 / len(legal)), abs=1e-6)
        ask("the priors say nothing here: does the value of the network still count?")
        assert value == pytest.approx(-0.375, abs=1e-6)


@pytest.mark.hint("is a very small number the same as 0?")
def test_a_little_that_is_left_still_counts(student, edition):
    """very small probabilities of the legal actions keep their proportions

    Promised: plain floats that sum to 1, in proportion to the network's probabilities.
    """
    state = othello(edition, 0)
    legal = OTHELLO.legal_actions(state)
    p = masked(state, edition)
    weights = [edition.randint(1, 9) for _ in legal]
    for action, weight in zip(legal, weights, strict=True):
        p[action] = weight * 1e-7
    wanted = {action: weight / sum(weights) for action, weight in zip(legal, weights, strict=True)}
    assert leaf(student, state, p)[0] == pytest.approx(wanted, abs=1e-4)


class Listening:
    """Counts the warnings that are given in the worker, from its creation on."""

    def __init__(self, student: Any) -> None:
        self.student = student
        recorder = student.call_and_keep("warnings.catch_warnings", record=True)
        self.heard = student.call_and_keep("warnings.catch_warnings.__enter__", recorder)
        student.call_and_keep("warnings.simplefilter", "always")

    def count(self) -> int:
        heard = self.student.read(self.heard)
        return len(heard) if isinstance(heard, list) else 0

    def usual(self, game: Any, state: Any) -> int:
        """What can come with one answer without a reason to warn: warnings of a library, or about something else."""
        net = network(self.student, Net([1 / game.num_actions] * game.num_actions, 0.5))
        self.student.evaluate_leaf(game, net, state)  # a library warns only once; here it shall warn again
        before = self.count()
        self.student.evaluate_leaf(game, net, state)
        return self.count() - before


@pytest.mark.hint("how does Python give a warning, and when is there a reason for a warning?")
def test_a_masked_answer_is_warned_about_and_no_other(student, edition):
    """a warning is given each time when the legal actions have no probability left, and at no other time

    Promised: If these are 0 for all legal actions together, all legal actions are equally likely, and `warnings.warn` gives a
    warning, each time.
    """
    state = othello(edition, 0)
    ordinary = probabilities(edition)
    leaf(student, state, ordinary)  # a library warns only once; here it shall warn again
    ears, counts = Listening(student), [0]
    for p in (ordinary, masked(state, edition), ordinary, masked(state, edition)):
        leaf(student, state, p)
        counts.append(ears.count())
    usual, first, again, second = given = [after - before for before, after in zip(counts, counts[1:])]
    if given == [0, 0, 0, 0]:
        ask("how does Python give a warning, and do you give one each time when nothing is left?")
    elif len(set(given)) == 1:
        ask("when is there a reason for a warning, and when is there none?")
    assert usual == again  # warnings of a library, if there are any
    assert first == second == usual + 1
