"""4.2 on random games: boards of any shape, any legal actions, and a network whose answer depends on the board."""

import zlib
from random import Random
from typing import Any

import numpy as np
import pytest

from autograder.grading.edition import drawn_once
from autograder.grading.hidden_checks.known_mistakes import ask
from tests.hidden.generators import draw_policy, states_of
from tests.hidden.laws import near
from tests.hidden.ps4_puct.oracle import FOUR, OTHELLO, Row, draw_shape, line, othello, random_game
from tests.hidden.ps4_puct.test_leaf import Listening, Net, masked, network, probabilities

pytestmark = pytest.mark.exercise("4.2")

Answer = tuple[np.ndarray, np.ndarray]


class Seeing:
    """A network with another answer for each board: the answer is drawn from the planes."""

    def __init__(self, num_actions: int, salt: int) -> None:
        self.num_actions, self.salt, self.asked = num_actions, salt, 0

    def __call__(self, planes: Any = None) -> Answer:
        self.asked += 1
        seen = planes.tobytes() + repr(planes.shape).encode() if isinstance(planes, np.ndarray) else b"no planes"
        dice = Random(zlib.crc32(seen, self.salt))
        policy = draw_policy(dice, list(range(self.num_actions)), kind=dice.choice(["any", "even", "tiny"]))
        scale = dice.choice([1.0, 1.0, 0.5, 4.0])  # the network may give all actions together any sum
        value = dice.choice([0.0, 1.0, -1.0, dice.uniform(-1, 1)])
        return np.array([[scale * p for p in policy.values()]], np.float32), np.array([value], np.float32)

    def right(self, game: Any, state: Any) -> tuple[Row, float]:
        """The right answer of evaluate_leaf."""
        p, v = self(np.asarray(game.planes(state))[None])
        legal = game.legal_actions(state)
        total = sum(float(p[0, action]) for action in legal)
        return {action: float(p[0, action]) / total for action in legal}, float(v[0])


@drawn_once
def boards(edition: Random) -> list[tuple[Any, list[Any]]]:
    """Games with some of their unfinished states: tables of any shape, Connect Four, whose board is no square, and a line."""
    games = [draw_shape(edition, shape) for shape in ("large", "wide", "line", "forced", "bushy")]
    chosen = [(game, [state for state in states_of(game) if game.outcome(state) is None]) for game in games]
    chosen.append((FOUR, random_game(edition, FOUR)[0][:-1]))
    chosen.append((line(3), ["s0", "s1", "s2"]))  # one action in the whole game: its probabilities have the shape (1, 1)
    return [(game, [states[0], *edition.sample(states, min(3, len(states)))]) for game, states in chosen]


@pytest.mark.hint("does the network see this board unchanged, and does every legal action here get its own prior?")
def test_any_board_and_any_actions(student, edition):
    """on boards of any size, with any legal actions, priors and value are this network's answer, at each call

    Promised: priors: {action: probability} with every legal action as a key and no other key; plain floats that sum to 1,
    in proportion to the network's probabilities.
    """
    for game, states in boards(edition):
        for salt in edition.sample(range(1000), 2):
            seeing = Seeing(game.num_actions, salt)
            net = network(student, seeing)
            calls = [(game, net, state) for state in (*states, *reversed(states))]
            answers = student.many("evaluate_leaf", calls)
            ask("do you call the network every time, also for a state that you have seen before?")
            assert seeing.asked == len(calls)
            for (_, _, state), (priors, value) in zip(calls, answers, strict=True):
                wanted, its_value = seeing.right(game, state)
                ask("does the network see this board unchanged, and does every legal action here get its own prior?")
                assert priors == near(wanted)
                ask("is the value the network's own value for this board, unchanged?")
                assert value == pytest.approx(its_value, abs=1e-6)


@pytest.mark.hint("a sum can be small, or 0: when are all legal actions equally likely?")
def test_very_little_is_not_nothing(student, edition):
    """legal probabilities as small as a millionth of a millionth are divided by their sum, without a warning

    Promised: plain floats that sum to 1, in proportion to the network's probabilities.
    """
    state = othello(edition, edition.choice([0, 6]))
    legal = OTHELLO.legal_actions(state)
    usual = Listening(student).usual(OTHELLO, state)
    for smallest in (1e-9, 1e-12, 1e-36):
        p, weights = masked(state, edition), [edition.randint(1, 9) for _ in legal]
        for action, weight in zip(legal, weights, strict=True):
            p[action] = weight * smallest
        ears = Listening(student)
        got, _ = student.evaluate_leaf(OTHELLO, network(student, Net(p, 0.5)), state)
        assert got == pytest.approx({a: w / sum(weights) for a, w in zip(legal, weights, strict=True)}, rel=1e-4)
        assert ears.count() == usual


@pytest.mark.hint("nothing is left: what are the priors, what is the value, and how often do you warn?")
def test_nothing_left_on_any_board(student, edition):
    """when all legal actions have 0 they are equally likely, with one warning and one call of the network each time

    Promised: If these are 0 for all legal actions together, all legal actions are equally likely, and `warnings.warn` gives
    a warning, each time.
    """
    for game, states in boards(edition)[:4]:
        legal = [game.legal_actions(state) for state in states]
        usual = Listening(student).usual(game, states[0])
        for state, actions in list(zip(states, legal))[:2]:
            p = [0.0 if action in actions else 0.5 for action in range(game.num_actions)]
            net = Net(p, -0.5)
            kept, ears = network(student, net), Listening(student)
            for times in (1, 2):
                priors, value = student.evaluate_leaf(game, kept, state)
                assert priors == near(dict.fromkeys(actions, 1 / len(actions))) and value == -0.5
                ask("nothing is left: how often do you call the network?")
                assert len(net.planes) == times
                ask("nothing is left: do you give one warning each time?")
                assert ears.count() == times * (usual + 1)
                ask("nothing is left: what are the priors, and what is the value?")


@pytest.mark.hint("which switch do you change for the call, and do you switch it back?")
def test_gradients_are_off_for_the_question_only(student, edition):
    """the network is always called in evaluation mode and without gradients; afterwards gradients are recorded again

    Promised: It is called once, without gradients, in evaluation mode, and left in that mode; afterwards gradients are
    recorded as before.
    """
    net = network(student, Net(probabilities(edition), 0.25))
    for _ in range(2):
        net.training = True
        student.evaluate_leaf(OTHELLO, net, othello(edition, edition.randint(0, 9)))
        ask("in which mode is the network at every call, the first and the later ones?")
        assert net.training is False
        ask("which switch do you change for the call, and do you switch it back?")
        values = student.tensor(np.zeros(3, np.float32), requires_grad=True)
        assert student.call_and_keep("value_loss", values, student.tensor(np.ones(3, np.float32))).requires_grad is True
    assert net.modes == [(False, False)] * 2


@pytest.mark.hint("what does your call of the network change: modes, weights, or the recording of gradients?")
def test_all_is_left_as_the_docstring_says(student, edition):
    """every part of the network is in evaluation mode, its weights stay trainable, and gradients that were off stay off

    Promised: It is called once, without gradients, in evaluation mode, and left in that mode; afterwards gradients are
    recorded as before.
    """
    net, weights = network(student, Net(probabilities(edition), 0.25)), student.call_and_keep("torch.nn.Conv2d", 2, 2, 1)
    student.call_and_keep("torch.nn.Module.add_module", net, "part", weights)
    values, results = student.tensor(np.zeros(3, np.float32), requires_grad=True), student.tensor(np.ones(3, np.float32))
    for recorded, trains in ((False, net), (True, net), (True, weights)):  # the last time only a part is in training mode
        student.call_and_keep("torch.set_grad_enabled", recorded)
        student.call_and_keep("torch.nn.Module.train", trains)
        student.evaluate_leaf(OTHELLO, net, othello(edition, edition.randint(0, 9)))
        ask("were gradients recorded before your call, and are they recorded again afterwards?")
        assert student.call_and_keep("value_loss", values, results).requires_grad is recorded
    ask("which parts does a network have, and which call sets the mode of all parts?")
    assert net.modes == [(False, False)] * 3
    assert student.each([net, weights], "training") == [False] * 2
    ask("can the weights still be trained after your call?")
    assert student.call_and_keep("torch.nn.Module.get_parameter", weights, "weight").requires_grad is True
