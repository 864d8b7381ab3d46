"""4.0: examples from stored games, two losses, and an epoch."""

from random import Random
from typing import Any

import numpy as np
import pytest

from autograder.grading.recognise import recognise
from tests.hidden.ps4_puct.oracle import BOARD, FOUR, OTHELLO, PASS, othello_pass, random_game

pytestmark = pytest.mark.exercise("4.0")

MSE = "torch.nn.functional.mse_loss"
CROSS_ENTROPY = "torch.nn.functional.cross_entropy"


def right_examples(game: Any, states: list[Any], actions: list[int]) -> list[tuple]:
    """The examples of a game, by asking who has won it: player 0, player 1 or nobody."""
    end = states[-1]
    for_player_0 = game.outcome(end) * (1 if game.player(end) == 0 else -1)
    return [(s, a, for_player_0 * (1 if game.player(s) == 0 else -1)) for s, a in zip(states, actions)]


def game_that_ended(edition: Random, game: Any, for_player_0: float) -> tuple[list[Any], list[int]]:
    while True:
        states, actions = random_game(edition, game)
        end = states[-1]
        if game.outcome(end) * (1 if game.player(end) == 0 else -1) == for_player_0:
            return states, actions


@pytest.mark.hint("who is to move in each position, and how did the game end for them?")
def test_each_example_carries_the_result_for_its_own_player(student, edition):
    """the result is for the player to move at the example's state, whoever won, and 0 in a draw"""
    for result in (1.0, -1.0, 0.0):
        for game in (BOARD, OTHELLO if result else BOARD):
            states, actions = game_that_ended(edition, game, result)
            right = right_examples(game, states, actions)
            got = student.examples(game, actions)
            results = [result for _, _, result in got]
            recognise(results, {
                "Whose result is it: of the one who moved last, or of the one who moves here?": [-r for _, _, r in right],
                "Is the result the same for both players?": [result] * len(right),
            } if result else {})  # fmt: skip
            assert results == [r for _, _, r in right]
    states, actions = game_that_ended(edition, FOUR, edition.choice([1.0, -1.0]))
    assert student.examples(FOUR, actions) == right_examples(FOUR, states, actions)


@pytest.mark.hint("is it the state in which the action was chosen?")
def test_an_example_is_the_state_before_its_action(student, edition):
    """there is one example for every action, in order, with the state in which it was chosen; a pass is one, the end is none"""
    states, actions, ply = othello_pass(edition)
    got = student.examples(OTHELLO, actions)
    assert [action for _, action, _ in got] == actions and actions[ply] == PASS
    assert [state for state, _, _ in got] == states[:-1]


@pytest.mark.hint("which result does a game have that is not over?")
def test_a_game_that_is_not_over_is_an_error(student, edition):
    """examples of a game that is not over raise ValueError"""
    _, actions = random_game(edition, BOARD)
    for some in (actions[: edition.randrange(1, len(actions))], []):
        with student.raises(ValueError):
            student.examples(BOARD, some)


def cross_entropy(logits: np.ndarray, actions: np.ndarray) -> np.ndarray:
    """-log softmax at the actions, one number for each row."""
    return np.log(np.exp(logits).sum(axis=1)) - logits[np.arange(len(actions)), actions]


def softmax(logits: np.ndarray, axis: int = 1) -> np.ndarray:
    return np.exp(logits) / np.exp(logits).sum(axis=axis, keepdims=True)


@pytest.mark.hint("logits or probabilities, over which axis, a mean or a sum?")
def test_the_policy_loss_is_the_mean_cross_entropy_of_logits(student, edition):
    """the policy loss is the mean over the batch of -log softmax(logits) at the action that was played"""
    for batch, size in ((edition.randint(2, 5), 37), (1, 5)):
        logits = np.array([[edition.uniform(-3, 3) for _ in range(size)] for _ in range(batch)], dtype=np.float32)
        actions = np.array([edition.randrange(size) for _ in range(batch)])
        got = student.policy_loss(student.tensor(logits), student.tensor(actions))
        each = cross_entropy(logits.astype(float), actions)
        known = {
            "Does cross_entropy not apply softmax itself?": cross_entropy(softmax(logits), actions).mean(),
            "One number for each example is summed: should a loss grow with the batch?": each.sum() + 0.0,
            "Is the mean over the batch, or over the actions as well?": each.mean() / size,
            "What is missing between the probability and its loss?": -softmax(logits)[np.arange(batch), actions].mean(),
        }
        if batch > 1:
            over_the_batch = softmax(logits, 0)[np.arange(batch), actions]
            known["Over which axis do the probabilities sum to 1?"] = -np.log(over_the_batch).mean()
        else:
            del known["One number for each example is summed: should a loss grow with the batch?"]
        recognise(got, known, tolerance=1e-5)
        assert got == pytest.approx(each.mean(), abs=1e-4)
    flat = student.policy_loss(student.tensor(np.zeros((2, 4), np.float32)), student.tensor(np.array([3, 0])))
    assert flat == pytest.approx(1.386294, abs=1e-5)  # ln 4


@pytest.mark.hint("is every value compared with its own result, and only with that?")
def test_the_value_loss_is_the_mean_squared_error(student, edition):
    """the value loss is the mean over the batch of the squared difference between value and result"""
    for batch in (edition.randint(3, 6), 1):
        while True:
            values = np.array([edition.uniform(-1, 1) for _ in range(batch)], dtype=np.float32)
            results = np.array([edition.choice([-1.0, 0.0, 1.0]) for _ in range(batch)], dtype=np.float32)
            crossed = ((values[:, None].astype(float) - results[None, :]) ** 2).mean()
            if batch == 1 or abs(crossed - ((values - results) ** 2).mean()) > 0.05:
                break
        got = student.value_loss(student.tensor(values), student.tensor(results))
        gap = (values - results).astype(float)
        known = {
            "One number for each example is summed: should a loss grow with the batch?": (gap**2).sum(),
            "Which power of the difference does the formula have?": np.abs(gap).mean(),
            "Is every value compared with its own result, and only with that?": crossed,
        }
        right = (gap**2).mean()
        others = {hint: value for hint, value in known.items() if abs(value - right) > 1e-4}  # equal results: equal values
        recognise(got, others, tolerance=1e-6)
        assert got == pytest.approx(right, abs=1e-5)


@pytest.mark.hint("what happens to the gradient when a tensor becomes a plain number?")
def test_the_losses_have_a_gradient(student, edition):
    """both losses are tensors through which a gradient flows"""
    logits = student.tensor(np.zeros((2, 5), np.float32), requires_grad=True)
    values = student.tensor(np.zeros(3, np.float32), requires_grad=True)
    for loss in (
        student.call_and_keep("policy_loss", logits, student.tensor(np.array([1, 2]))),
        student.call_and_keep("value_loss", values, student.tensor(np.ones(3, np.float32))),
    ):
        assert loss.requires_grad is True


class Learner:
    """A linear network over there whose examples do not touch each other: example i moves column i of the weights only.

    So what an epoch did to an example, how often and in a batch of which size, can be read off its own weights.
    """

    def __init__(self, student: Any, examples: int, outputs: int, rate: float) -> None:
        self.student, self.shape = student, (outputs, examples)
        self.net = student.call_and_keep("torch.nn.Linear", examples, outputs, bias=False)
        student.load_state(self.net, {"weight": np.zeros((outputs, examples), np.float32)})
        parameters = student.call_and_keep("torch.nn.Module.parameters", self.net)
        self.optimizer = student.call_and_keep("torch.optim.SGD", parameters, lr=rate)
        self.inputs = student.tensor(np.eye(examples, dtype=np.float32))

    def epoch(self, loss: str, targets: np.ndarray, batch_size: int, seed: int) -> float:
        """Let the submission train for one epoch; its answer."""
        student = self.student
        return student.train_epoch(self.net, student.functions[loss], self.inputs, student.tensor(targets), self.optimizer,
                                   batch_size, student.rng(seed))  # fmt: skip

    def weights(self) -> np.ndarray:
        found = self.student.state(self.net).get("weight", np.zeros(0))
        assert found.shape == self.shape
        return found


def sizes(examples: int, batch_size: int) -> list[int]:
    """For every example the size of the batch that it is in, the smallest first."""
    rest = examples % batch_size
    return [rest] * rest + [batch_size] * (examples - rest)


@pytest.mark.hint("is every example used once, the last ones too, and is the old gradient forgotten?")
def test_every_example_is_used_once_in_an_epoch(student, edition):
    """an epoch makes one step for each batch, each example is in one of them, and the last may be smaller"""
    for examples, batch_size in ((7, 3), (8, 3), (6, 3), (2, 5), (5, 1)):
        rate = round(edition.uniform(0.2, 0.4), 3)
        targets = np.array([[edition.choice([-1.0, 1.0]) * edition.uniform(0.3, 1.0)] for _ in range(examples)], dtype=np.float32)
        learner = Learner(student, examples, 1, rate)
        learner.epoch(MSE, targets, batch_size, edition.getrandbits(30))
        moved = learner.weights()[0] / targets[:, 0]  # of w towards y by rate * 2 (y - 0) / size of the batch
        wanted = [2 * rate / size for size in sizes(examples, batch_size)]
        assert sorted(moved.tolist(), reverse=True) == pytest.approx(wanted, abs=1e-4)


@pytest.mark.hint("which gradient does backward() add to?")
def test_old_gradients_are_forgotten(student, edition):
    """each step uses the gradient of its own batch, also in the epochs that follow"""
    rate, labels = 0.5, np.array([edition.randrange(3) for _ in range(4)])
    learner, right = Learner(student, 4, 3, rate), np.zeros((3, 4))
    for _ in range(3):
        learner.epoch(CROSS_ENTROPY, labels, 4, edition.getrandbits(30))
        right += rate * (np.eye(3)[:, labels] - softmax(right, 0)) / 4
    assert learner.weights() == pytest.approx(right, abs=1e-4)


@pytest.mark.hint("does a small last batch count as much as a full one?")
def test_an_epoch_returns_the_mean_loss_of_the_examples(student, edition):
    """train_epoch returns the mean over all examples of the loss before the step of their batch"""
    for examples, batch_size in ((7, 3), (5, 4), (4, 9)):
        targets = np.array([[edition.uniform(0.3, 1.0)] for _ in range(examples)], dtype=np.float32)
        got = Learner(student, examples, 1, 0.1).epoch(MSE, targets, batch_size, edition.getrandbits(30))
        assert got == pytest.approx(float((targets**2).mean()), abs=1e-5)


@pytest.mark.hint("which generator shuffles, and which ones belong to others?")
def test_rng_shuffles_the_examples(student, edition):
    """the order comes from rng alone: another seed gives other batches, the same seed the same"""
    targets = np.ones((7, 1), np.float32)
    seeds = [edition.getrandbits(30) for _ in range(12)]
    alone = []
    for seed in (*seeds, seeds[0]):
        learner = Learner(student, 7, 1, 0.25)
        before = student.disturb(edition.getrandbits(30))
        learner.epoch(MSE, targets, 3, seed)
        assert student.global_state() == before
        alone.append(int(learner.weights()[0].argmax()))  # the one that is a batch of its own moves farthest
    assert alone[0] == alone[-1]
    assert len(set(alone)) > 1  # twelve times the same of seven: once in 2e9
    orders = set()
    for seed in seeds:  # one weight for five examples: where it ends tells in which of 120 orders they came
        learner = Learner(student, 1, 1, 0.25)
        learner.inputs = student.tensor(np.ones((5, 1), np.float32))
        learner.epoch(MSE, np.array([[1.0], [-1.0], [0.5], [-0.25], [0.1]], np.float32), 1, seed)
        orders.add(round(float(learner.weights()[0, 0]), 5))
    assert len(orders) > 5  # no more than five orders in twelve draws of 120: once in 2e8


@pytest.mark.hint("which layers behave otherwise in training?")
def test_an_epoch_is_trained_in_training_mode(student, edition):
    """the network is in training mode during the epoch and after it"""
    learner = Learner(student, 3, 1, 0.5)
    linear, drop = learner.net, student.call_and_keep("torch.nn.Dropout", 1.0)  # in training it lets nothing through
    learner.net = student.call_and_keep("torch.nn.Sequential", linear, drop)
    student.call_and_keep("torch.nn.Module.eval", learner.net)
    learner.epoch(MSE, np.ones((3, 1), np.float32), 2, edition.getrandbits(30))
    assert student.state(linear).get("weight", np.ones(1)) == pytest.approx(np.zeros((1, 3)), abs=1e-9)
    assert learner.net.training is True
