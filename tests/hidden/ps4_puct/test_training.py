"""4.0: examples from stored games, two losses, and an epoch."""

from itertools import permutations
from random import Random
from typing import Any

import numpy as np
import pytest

from autograder.grading.edition import drawn_once
from autograder.grading.hidden_checks.known_mistakes import ask, recognise
from tests.hidden.ps4_puct.oracle import BOARD, FOUR, OTHELLO, othello_pass, random_game

pytestmark = pytest.mark.exercise("4.0")

MSE = "torch.nn.functional.mse_loss"
CROSS_ENTROPY = "torch.nn.functional.cross_entropy"


def right_examples(game: Any, states: list[Any], actions: list[int]) -> list[tuple]:
    """The examples of a game, by the question who has won: player 0, player 1 or nobody."""
    end = states[-1]
    for_player_0 = game.outcome(end) * (1 if game.player(end) == 0 else -1)
    return [(s, a, for_player_0 * (1 if game.player(s) == 0 else -1)) for s, a in zip(states, actions)]


def game_that_ended(edition: Random, game: Any, for_player_0: float) -> tuple[list[Any], list[int]]:
    while True:
        states, actions = random_game(edition, game)
        end = states[-1]
        if game.outcome(end) * (1 if game.player(end) == 0 else -1) == for_player_0:
            return states, actions


def drawn_games_of_nine_plies(edition: Random) -> list[tuple[list[Any], list[int]]]:
    """Two different games of Tic-Tac-Toe; both are drawn and have nine actions."""
    games = [game_that_ended(edition, BOARD, 0.0) for _ in range(2)]
    while games[0] == games[1]:
        games[1] = game_that_ended(edition, BOARD, 0.0)
    return games


@pytest.mark.hint("is this the state in which the action was chosen?")
def test_an_example_is_the_state_before_its_action(student, edition):
    """there is one example for every action, in order, with the state before it; a pass is an example, the end is none

    Promised: Returns one (state, action, result) per action, in order: the state before the action, the action, and the
    result of the game for the player to move at that state: +1.0, 0.0 or -1.0.
    """
    with_a_pass = othello_pass(edition)[:2]
    before: list[Any] = []
    for game, states, actions in [(OTHELLO, *with_a_pass), *[(BOARD, *case) for case in drawn_games_of_nine_plies(edition)]]:
        got = student.examples(game, actions)
        if [action for _, action, _ in got] != actions:
            recognise(got == before, {"Is this the given game, or an earlier game of the same length?": True})
        ask("one example for each action, in order: is a pass an example, and is the end of the game one?")
        assert [action for _, action, _ in got] == actions
        ask("is this the state in which the action was chosen, or another state?")
        assert [state for state, _, _ in got] == states[:-1]
        before = got


@pytest.mark.hint("who is to move in each position, and how did the game end for this player?")
def test_each_example_carries_the_result_for_its_own_player(student, edition):
    """the result is for the player to move at the example's state, whoever won, and 0 in a draw

    Promised: Returns one (state, action, result) per action, in order: the state before the action, the action, and the
    result of the game for the player to move at that state: +1.0, 0.0 or -1.0.
    """
    for result in (1.0, -1.0, 0.0):
        for game in (BOARD, OTHELLO if result else BOARD):
            states, actions = game_that_ended(edition, game, result)
            right = [r for _, _, r in right_examples(game, states, actions)]
            results = [r for _, _, r in student.examples(game, actions)]
            if results != right and result and game is BOARD:
                recognise(results, {
                    "For whom is the result: for the player who moved last, or the player to move here?": [-r for r in right],
                    "Is the result the same for both players?": results[:1] * len(right),
                })  # fmt: skip
            if not result:
                ask("what is a draw worth, for either player?")
            elif game is OTHELLO:
                ask("who is to move in each position, also after a pass, and how did the game end for this player?")
            assert results == right
    states, actions = game_that_ended(edition, FOUR, edition.choice([1.0, -1.0]))
    ask("who is to move in each position, and how did the game end for this player?")
    assert student.examples(FOUR, actions) == right_examples(FOUR, states, actions)


@pytest.mark.hint("a game is not over: what does the docstring say about this case?")
def test_a_game_that_is_not_over_is_an_error(student, edition):
    """examples of a game that is not over raise ValueError

    Promised: ValueError: the game is not over after these actions.
    """
    _, actions = random_game(edition, BOARD)
    for some in (actions[: edition.randrange(1, len(actions))], []):
        with student.raises(ValueError):
            student.examples(BOARD, some)


def cross_entropy(logits: np.ndarray, actions: np.ndarray) -> np.ndarray:
    """-log softmax at the actions, one number for each row."""
    return np.log(np.exp(logits).sum(axis=1)) - logits[np.arange(len(actions)), actions]


def softmax(logits: np.ndarray, axis: int = 1) -> np.ndarray:
    return np.exp(logits) / np.exp(logits).sum(axis=axis, keepdims=True)


def mistaken_losses(logits: np.ndarray, actions: np.ndarray, each: np.ndarray) -> dict[str, float]:
    """The losses of some wrong formulas, with the hint to each; `each` are the right losses of the examples."""
    batch, size = logits.shape
    of_all = np.array([cross_entropy(logits.astype(float), np.full(batch, action)) for action in range(size)])
    played = np.arange(batch), actions
    return {
        "Does cross_entropy not apply softmax itself?": cross_entropy(softmax(logits), actions).mean(),
        "You sum one number for each example: should a loss grow with the batch?": each.sum() + 0.0,
        "Is the mean over the batch only, or also over the actions?": each.mean() / size,
        "What is missing between the probability and its loss?": -softmax(logits)[played].mean(),
        "Does the loss use the log-probability of the played action alone, or also those of the others?":
            0.9 * each.mean() + 0.1 * of_all.mean(),
        "Over which axis do the probabilities sum to 1?": -np.log(softmax(logits, 0)[played]).mean(),
    }  # fmt: skip


@pytest.mark.hint("which function of each row, over which axis, do you take at the action, and then a mean or a sum?")
def test_the_policy_loss_is_the_mean_cross_entropy_of_logits(student, edition):
    """the policy loss is the mean over the batch of -log softmax(logits) at the action that was played

    Promised: Return the mean cross-entropy of the actions that were played, a scalar tensor with a gradient.
    """
    for batch, size in ((edition.randint(2, 5), 37), (1, 5)):
        logits = np.array([[edition.uniform(-3, 3) for _ in range(size)] for _ in range(batch)], dtype=np.float32)
        actions = np.array([edition.randrange(size) for _ in range(batch)])
        got = student.policy_loss(student.tensor(logits), student.tensor(actions))
        each = cross_entropy(logits.astype(float), actions)
        if got != pytest.approx(each.mean(), abs=1e-4):
            recognise(got, mistaken_losses(logits, actions, each), tolerance=1e-5)
        assert got == pytest.approx(each.mean(), abs=1e-4)
    flat = student.policy_loss(student.tensor(np.zeros((2, 4), np.float32)), student.tensor(np.array([3, 0])))
    assert flat == pytest.approx(1.386294, abs=1e-5)  # ln 4


@pytest.mark.hint("does every example count: do you square value minus result, unchanged, and then take the mean?")
def test_the_value_loss_is_the_mean_squared_error(student, edition):
    """the value loss is the mean over the batch of the squared difference between value and result

    Promised: Return the mean squared error of the values, a scalar tensor with a gradient.
    """
    for batch in (edition.randint(3, 6), 1):
        while True:
            values = np.array([edition.uniform(-1, 1) for _ in range(batch)], dtype=np.float32)
            results = np.array([edition.choice([-1.0, 0.0, 1.0]) for _ in range(batch)], dtype=np.float32)
            crossed = ((values[:, None].astype(float) - results[None, :]) ** 2).mean()
            if batch == 1 or abs(crossed - ((values - results) ** 2).mean()) > 0.05:
                break
        got = student.value_loss(student.tensor(values), student.tensor(results))
        gap = (values - results).astype(float)
        right = (gap**2).mean()
        if got != pytest.approx(right, abs=1e-5):
            recognise(got, {
                "You sum one number for each example: should a loss grow with the batch?": (gap**2).sum(),
                "Which power of the difference does the formula have?": np.abs(gap).mean(),
                "Do you compare every value with its own result only?": crossed,
                "Is there a root that the formula does not have?": float(right) ** 0.5,
                "Do you also square a large difference?": np.where(np.abs(gap) < 1, gap**2 / 2, np.abs(gap) - 0.5).mean(),
                "Is there a factor that the formula does not have?": right / 2,
                "Which examples count: also those of drawn games?": (gap**2 * (results != 0)).mean(),
                "Do you subtract anything from the differences before you square them?": gap.var(),
            }, tolerance=1e-6)  # fmt: skip
        assert got == pytest.approx(right, abs=1e-5)


@pytest.mark.hint("a tensor becomes a plain number: what happens to the gradient?")
def test_the_losses_have_a_gradient(student, edition):
    """both losses are tensors through which a gradient flows

    Promised: Return the mean cross-entropy of the actions that were played, a scalar tensor with a gradient.
    Promised: Return the mean squared error of the values, a scalar tensor with a gradient.
    """
    logits = student.tensor(np.zeros((2, 5), np.float32), requires_grad=True)
    values = student.tensor(np.zeros(3, np.float32), requires_grad=True)
    for loss in (
        student.call_and_keep("policy_loss", logits, student.tensor(np.array([1, 2]))),
        student.call_and_keep("value_loss", values, student.tensor(np.ones(3, np.float32))),
    ):
        assert loss.requires_grad is True


class Learner:
    """A linear network in the worker with independent examples: example i changes only column i of the weights.

    So each example's own weights show what an epoch did to it: how often, and in a batch of which size.
    """

    def __init__(self, student: Any, examples: int, outputs: int, rate: float) -> None:
        self.student, self.shape = student, (outputs, examples)
        self.net = student.call_and_keep("torch.nn.Linear", examples, outputs, bias=False)
        student.load_state(self.net, {"weight": np.zeros((outputs, examples), np.float32)})
        parameters = student.call_and_keep("torch.nn.Module.parameters", self.net)
        self.optimizer = student.call_and_keep("torch.optim.SGD", parameters, lr=rate)
        self.inputs = student.tensor(np.eye(examples, dtype=np.float32))

    def epoch(self, loss: str, targets: np.ndarray, batch_size: int, seed: int) -> float:
        """The result of one training epoch by the submission."""
        student = self.student
        return student.train_epoch(self.net, student.functions[loss], self.inputs, student.tensor(targets), self.optimizer,
                                   batch_size, student.rng(seed))  # fmt: skip

    def weights(self) -> np.ndarray:
        weight = self.student.state(self.net).get("weight", np.zeros(0))
        assert weight.shape == self.shape
        return weight


def sizes(examples: int, batch_size: int) -> list[int]:
    """For every example the size of its batch, the smallest first."""
    rest = examples % batch_size
    return [rest] * rest + [batch_size] * (examples - rest)


def kept_gradients(examples: int, batch_size: int) -> list[float]:
    """How far each example is moved, over the step of one example, if the gradient of each batch is added to the next."""
    steps = -(-examples // batch_size)
    in_batch = [batch_size] * (examples // batch_size) + [examples % batch_size][: examples % batch_size]
    return [(steps - turn) / size for turn, size in enumerate(in_batch) for _ in range(size)]


@pytest.mark.hint("at each step: which examples are in the batch, and do you use exactly this batch's gradient?")
def test_every_example_is_used_once_in_an_epoch(student, edition):
    """an epoch makes one step for each batch, each example is in one batch, and the last batch may be smaller

    Promised: Train on every example exactly once and return the mean loss.
    Promised: optimizer: makes one step for each batch, with the gradient of that batch alone;
    """
    for examples, batch_size, scale in ((6, 3, 1), (7, 3, 1), (8, 3, 1), (2, 5, 1), (5, 1, 1), (4, 2, 1e4)):
        rate = round(edition.uniform(0.2, 0.4), 3)
        signs = [edition.choice([-1.0, 1.0]) for _ in range(examples)]
        targets = np.array([[scale * sign * edition.uniform(0.3, 1.0)] for sign in signs], dtype=np.float32)
        learner = Learner(student, examples, 1, rate)
        learner.epoch(MSE, targets, batch_size, edition.getrandbits(30))
        weights = learner.weights()[0]
        moved = sorted((weights / targets[:, 0]).tolist(), reverse=True)  # w towards y by rate * 2 (y - 0) / size of the batch
        wanted = [2 * rate / size for size in sizes(examples, batch_size)]
        if scale > 1:
            ask("how large may a gradient be: is every step made with the whole gradient?")
        if moved != pytest.approx(wanted, abs=1e-4):
            rest = examples % batch_size
            if min(np.abs(moved)) < 1e-6:
                ask("is every example in one batch, and in one only?")
            recognise(moved, {
                "Some examples do not fill a whole batch: what happens to them?":
                    [2 * rate / batch_size] * (examples - rest) + [0.0] * rest,
                "Which gradients are there when the optimizer makes its step?": [0.0] * examples,
                "When do you clear the gradient of the previous batch?":
                    sorted((2 * rate * share for share in kept_gradients(examples, batch_size)), reverse=True),
            }, tolerance=1e-4)  # fmt: skip
            apart = sorted((2 * rate / 3 * targets[:, 0]).tolist())
            recognise(sorted(weights.tolist()), {"Does each input come with its own target?": apart}, tolerance=1e-4)
        assert moved == pytest.approx(wanted, abs=1e-4)


@pytest.mark.hint("how often does the optimizer step in an epoch: once for each batch?")
def test_an_epoch_has_one_step_for_each_batch(student, edition):
    """the optimizer makes exactly one step for each batch, for a large loss, a small loss or a loss of 0

    Promised: optimizer: makes one step for each batch, with the gradient of that batch alone;
    """
    for turn, (examples, batch_size) in enumerate(((6, 3), (7, 3), (1, 4), (edition.randint(8, 20), 1), (418, 4))):
        learner = Learner(student, 1, 1, 0.5)
        parameters = student.call_and_keep("torch.nn.Module.parameters", learner.net)
        learner.optimizer = student.call_and_keep("torch.optim.SGD", parameters, lr=0.5, weight_decay=0.02)
        student.load_state(learner.net, {"weight": np.ones((1, 1), np.float32)})
        learner.inputs = student.tensor(np.zeros((examples, 1), np.float32))  # no gradient: a step only takes off a hundredth
        targets = [[0.0 if turn % 2 else edition.choice([1e-4, 1.0, 1e3])] for _ in range(examples)]  # the outputs are 0
        learner.epoch(MSE, np.array(targets, np.float32), batch_size, edition.getrandbits(30))
        steps = -(-examples // batch_size)
        if turn % 2:
            ask("how many steps does an epoch make, also when the loss is already 0?")
        elif steps > 100:
            ask("an epoch has more than a hundred batches: do you make a step for each?")
        assert learner.weights() == pytest.approx(np.full((1, 1), 0.99**steps), abs=1e-5)


@pytest.mark.hint("to which gradient does backward() add?")
def test_old_gradients_are_forgotten(student, edition):
    """each step uses the gradient of its own batch, also in later epochs

    Promised: optimizer: makes one step for each batch, with the gradient of that batch alone; earlier gradients do not
    count.
    """
    rate, labels = 0.5, np.array([edition.randrange(3) for _ in range(4)])
    learner, right = Learner(student, 4, 3, rate), np.zeros((3, 4))
    for _ in range(3):
        learner.epoch(CROSS_ENTROPY, labels, 4, edition.getrandbits(30))
        right += rate * (np.eye(3)[:, labels] - softmax(right, 0)) / 4
    assert learner.weights() == pytest.approx(right, abs=1e-4)


@pytest.mark.hint("the mean of which losses: of the examples or of the batches, before the step or after it?")
def test_an_epoch_returns_the_mean_loss_of_the_examples(student, edition):
    """train_epoch returns the mean over all examples of the loss before the step of their batch

    Promised: Returns the mean over the n examples of the loss that each example had when its batch was trained.
    """
    for examples, batch_size in ((6, 3), (7, 3), (5, 4), (4, 9)):
        targets = np.array([[edition.uniform(0.3, 1.0)] for _ in range(examples)], dtype=np.float32)
        got = Learner(student, examples, 1, 0.1).epoch(MSE, targets, batch_size, edition.getrandbits(30))
        right = float((targets**2).mean())
        if got != pytest.approx(right, abs=1e-5):
            after = right * (1 - 0.2 / min(examples, batch_size)) ** 2
            recognise(got, {
                "When do you read the loss of a batch: before its step, or after it?": after,
                "Is it a sum, or the mean over the examples?": right * examples,
                "Do you divide by the number of losses that you added?": right * -(-examples // batch_size),
            }, tolerance=1e-5)  # fmt: skip
        if examples % batch_size:
            ask("does a small last batch count as much as a full batch?")
        assert got == pytest.approx(right, abs=1e-5)


@drawn_once
def telling_targets(edition: Random) -> tuple[list[float], dict[tuple[int, ...], float]]:
    """Four targets, and the mean loss of an epoch for each order of the four examples: no two are alike.

    One weight begins at 0. With inputs of 1, batches of one and a rate of one half it is the last target after each step.
    """
    while True:
        targets = [edition.uniform(-1, 1) for _ in range(4)]
        before = {order: [0.0, *(targets[index] for index in order)] for order in permutations(range(4))}
        means = {order: sum((w - y) ** 2 for w, y in zip(row, row[1:])) / 4 for order, row in before.items()}
        row = sorted(means.values())
        if min(high - low for low, high in zip(row, row[1:])) > 1e-4:
            return targets, means


@pytest.mark.hint("which generator shuffles the examples, and is there a new order in every epoch?")
def test_rng_shuffles_the_examples(student, edition):
    """rng alone decides the order: another seed gives other batches, the same seed the same, and any order can come

    Promised: rng: shuffles the examples; another state of rng gives another order.
    """
    targets, means = telling_targets(edition)
    learner, loss = Learner(student, 1, 1, 0.5), student.functions[MSE]
    tensors = [student.tensor(np.array(column, np.float32).reshape(-1, 1)) for column in ([1.0] * 4, targets, [1.0], [0.0])]
    inputs, kept_targets, single, nothing = map(student.keep, tensors)
    seeds = [edition.getrandbits(30) for _ in range(36)]
    before, calls = student.disturb(edition.getrandbits(30)), []
    for seed in (*seeds, *seeds[:6]):  # an epoch, and another of one example with the target 0, after which the weight is 0
        rng = student.rng(seed)
        calls += [(learner.net, loss, *pair, learner.optimizer, 1, rng) for pair in ((inputs, kept_targets), (single, nothing))]
    losses = student.many("train_epoch", calls[:-1])[::2]
    ask("which generator shuffles: rng, or a generator that others use?")
    assert student.global_state() == before
    orders = [next((order for order, mean in means.items() if abs(mean - got) < 4e-5), None) for got in losses]
    ask("at each step: which examples are in the batch, and do you use exactly this batch's gradient?")
    assert None not in orders
    ask("what do you move when you shuffle: the examples themselves, or their indices?")
    assert student.read(kept_targets) == np.array(targets, np.float32).reshape(-1, 1).tolist()
    ask("does a second epoch over the same examples also train?")
    assert learner.weights()[0, 0] == pytest.approx(targets[orders[-1][-1]], abs=1e-5)
    ask("does the same rng give the same order?")
    assert orders[36:] == orders[:6]
    ask("do you shuffle the examples again in every epoch?")
    assert len(set(orders)) > 1
    ask("can the examples come in any order, or only in a few orders?")
    assert len(set(orders)) > 9  # 36 draws of 24 orders give nine or fewer once in 1e9; where an example stays, there are six
    ask("of many examples, can one of the first be trained last, or does each stay among its neighbours?")
    values = [number / 32 for number in range(24)]  # the weight is the target of the last example
    examples = [student.keep(student.tensor(np.array(column, np.float32).reshape(-1, 1))) for column in ([1.0] * 24, values)]
    ends = []
    for _ in range(19):
        student.train_epoch(learner.net, loss, *examples, learner.optimizer, 1, student.rng(edition.getrandbits(30)))
        ends.append(24 - 32 * float(learner.weights()[0, 0]))
    assert max(ends) > 8.5  # none of the first 16 comes once in 1e9


@pytest.mark.hint("in which mode is the network from the first batch on, and which layers depend on the mode?")
def test_an_epoch_is_trained_in_training_mode(student, edition):
    """the network is in training mode during the epoch and after it

    Promised: net: net(inputs of a batch) -> outputs; the function puts it into training mode and leaves it there.
    """
    for turn in ("all", "a part"):
        learner = Learner(student, 3, 1, 0.5)
        linear, drop = learner.net, student.call_and_keep("torch.nn.Dropout", 1.0)  # in training mode it lets nothing through
        learner.net = student.call_and_keep("torch.nn.Sequential", linear, drop)
        student.call_and_keep("torch.nn.Module.eval", learner.net if turn == "all" else drop)
        learner.epoch(MSE, np.ones((3, 1), np.float32), 2, edition.getrandbits(30))
        if turn == "a part":
            ask("a part of the network was in evaluation mode: which call sets the mode of all parts?")
        assert student.state(linear).get("weight", np.ones(1)) == pytest.approx(np.zeros((1, 3)), abs=1e-9)
        assert student.each([learner.net, drop], "training") == [True, True]
