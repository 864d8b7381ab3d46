"""4.0 on random games, logits and sizes: every promise of the docstrings, beyond the games and batches of the lesson."""

from random import Random

import numpy as np
import pytest

from autograder.grading.edition import drawn_once
from autograder.grading.hidden_checks.known_mistakes import ask, recognise
from tests.hidden.generators import draw_game, draw_logits, draw_whole
from tests.hidden.laws import leaves_arguments, same_again
from tests.hidden.ps4_puct.oracle import BOARD, line, random_game
from tests.hidden.ps4_puct.test_training import CROSS_ENTROPY, MSE, Learner, right_examples, sizes, softmax

pytestmark = pytest.mark.exercise("4.0")

LOSSES = ("policy_loss", "value_loss")
L1 = "torch.nn.functional.l1_loss"  # |w - y|, a loss that the lesson does not have


@drawn_once
def drawn_games(edition: Random) -> list[tuple]:
    """(game, states, actions) of games of every shape; two thirds of them are long enough for both players to move."""
    shapes = ("bushy", "line", "wide", "over", "forced", "bushy", "forced", "line")
    games = [draw_game(edition, shape, values=draw_whole) for shape in shapes]
    return [(game, *random_game(edition, game)) for game in [*games, line(60), line(61, 1.0)] for _ in range(2)]


@pytest.mark.hint("what tells you who is to move and how the game ended: this game itself?")
def test_examples_of_any_game(student, edition):
    """in games of any length, with any actions and states, each action gives its example with its own player's result

    Promised: Returns one (state, action, result) per action, in order: the state before the action, the action, and the
    result of the game for the player to move at that state: +1.0, 0.0 or -1.0.
    Promised: The list is only read.
    """
    played = drawn_games(edition)
    calls = [(game, actions) for game, _, actions in played]
    answers = student.many("examples", calls)
    ask("is there one example for every action, in short and long games?")
    assert [len(got) for got in answers] == [len(actions) for _, _, actions in played]
    ask("what tells you who is to move and how the game ended: this game itself?")
    assert answers == [right_examples(*case) for case in played]
    same_again(student, "examples", calls)
    ask("is the given list of actions unchanged after the call?")
    for call in calls[:4]:
        leaves_arguments(student, "examples", [call])
    (states, actions), (other_states, other_actions) = random_game(edition, BOARD), random_game(edition, BOARD)
    kept = student.keep(actions)
    assert student.examples(BOARD, kept) == right_examples(BOARD, states, actions)
    ask("the same list holds another game now: do you replay it again?")
    student.many_of(kept, "clear", [()])
    student.many_of(kept, "extend", [(other_actions,)])
    assert student.examples(BOARD, kept) == right_examples(BOARD, other_states, other_actions)  # the same list, but another game


@pytest.mark.hint("what decides that a game is over: the number of actions, or its outcome?")
def test_every_part_of_a_game_is_an_error(student, edition):
    """each game that was left before its end raises ValueError, and a finished game does not

    Promised: ValueError: the game is not over after these actions.
    """
    for game, _, actions in drawn_games(edition)[::3]:
        if actions:
            with student.raises(ValueError):
                student.examples(game, actions[: edition.randrange(len(actions))])
        assert len(student.examples(game, actions)) == len(actions)


@drawn_once
def losses(edition: Random, name: str, number: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Random arguments of one of the two losses, of one to some dozens of examples; logits up to thousands in size."""
    cases = []
    for case in range(number):
        batch = edition.choice([1, 2, 3, 8, 40])
        if name == "value_loss":
            values = [edition.choice([-1.0, 0.0, 1.0, edition.uniform(-1, 1)]) for _ in range(batch)]
            results = [edition.choice([-1.0, 0.0, 1.0]) for _ in range(batch)]
            cases.append((np.array(values, np.float32), np.array(results, np.float32)))
            continue
        size = edition.choice([1, 2, 9, 37, 65])
        kind = ("near", "far", "equal", "apart")[case % 4]
        logits = np.stack([draw_logits(edition, size, kind=kind) for _ in range(batch)]) * (40 if case % 16 == 5 else 1)
        actions = [edition.randrange(size) for _ in range(batch)]
        actions[0], actions[-1] = edition.choice([(0, size - 1), (size - 1, 0)])
        cases.append((logits, np.array(actions)))
    return cases


def right_loss(name: str, predictions: np.ndarray, labels: np.ndarray) -> float:
    if name == "value_loss":
        return float(((predictions.astype(float) - labels) ** 2).mean())
    above = predictions.astype(float) - predictions.max(axis=1, keepdims=True)
    return float((np.log(np.exp(above).sum(axis=1)) - above[np.arange(len(labels)), labels]).mean())


def right_gradient(name: str, predictions: np.ndarray, labels: np.ndarray) -> np.ndarray:
    if name == "value_loss":
        return 2 * (predictions.astype(float) - labels) / len(labels)
    above = predictions.astype(float) - predictions.max(axis=1, keepdims=True)
    return (softmax(above) - np.eye(predictions.shape[1])[labels]) / len(labels)


@pytest.mark.hint("does every action count in the same way, also the first and the last, in batches of any size?")
def test_the_losses_of_any_batch(student, edition):
    """both losses are right for one example and for many, for every action, and for logits that are far apart

    Promised: logits: (B, A) float32, before softmax; they may lie far apart, by 100 and more.
    Promised: Return the mean cross-entropy of the actions that were played, a scalar tensor with a gradient.
    Promised: Return the mean squared error of the values, a scalar tensor with a gradient.
    """
    for name in LOSSES:
        cases = losses(edition, name, 16)
        calls = [(student.tensor(predictions), student.tensor(labels)) for predictions, labels in cases]
        answers = list(zip(cases, student.many(name, calls), strict=True))
        for (predictions, labels), got in sorted(answers, key=lambda answer: np.ptp(answer[0][0])):
            rounding = 1e-6 + 5e-7 * float(np.abs(predictions).max())  # a logit of 200 has a step of 1.5e-5 in float32
            right = pytest.approx(right_loss(name, predictions, labels), rel=1e-5, abs=rounding)
            if got != right and max(np.ptp(predictions), abs(predictions).max() / 4) > 20 and not leaves_an_action_out(
                name, predictions, labels, got
            ):
                ask("logits are large or far apart: what happens to exp(z), to a tiny probability and to its logarithm?")
            assert got == right


def leaves_an_action_out(name: str, predictions: np.ndarray, labels: np.ndarray, got: float) -> bool:
    """Whether this is the loss without the examples of the first action, or of the last."""
    others = [labels != action for action in (0, predictions.shape[-1] - 1) if (labels != action).any()]
    return name == "policy_loss" and any(
        got == pytest.approx(right_loss(name, predictions[rows], labels[rows])) for rows in others
    )


@pytest.mark.hint("through which part of the formula does the gradient flow, and through which part not?")
def test_the_gradients_of_the_losses(student, edition):
    """the gradient of each loss is that of its formula, at every output and for every example

    Promised: Return the mean cross-entropy of the actions that were played, a scalar tensor with a gradient.
    Promised: Return the mean squared error of the values, a scalar tensor with a gradient.
    """
    for name in LOSSES:
        for predictions, labels in losses(edition, name, 8):
            outputs = student.keep(student.tensor(predictions, requires_grad=True))
            loss = student.call_and_keep(name, outputs, student.tensor(labels))
            student.call_and_keep("torch.Tensor.backward", loss)
            got = outputs.grad
            ask("does a gradient flow from the loss back to the outputs, or does the graph begin at a new tensor?")
            assert got is not None
            ask("through which part of the formula does the gradient flow, and through which part not?")
            assert got.shape == predictions.shape
            rounding = 2e-5 + 5e-7 * float(np.abs(predictions).max())  # logits can be thousands, and float32 has 7 digits
            assert got == pytest.approx(right_gradient(name, predictions, labels), rel=1e-4, abs=rounding)


@pytest.mark.hint("the same tensor holds other numbers now: do you compute the loss again?")
def test_a_loss_is_worked_out_anew(student, edition):
    """other numbers give another loss, even in the same tensor or with the same targets; the targets do not change

    Promised: Return the mean cross-entropy of the actions that were played, a scalar tensor with a gradient.
    Promised: Return the mean squared error of the values, a scalar tensor with a gradient.
    Promised: Both tensors are only read.
    """
    for name in LOSSES:
        while True:  # the loss of the negated outputs, and the loss of other targets, must differ clearly
            predictions, labels = losses(edition, name, 1)[0]
            other = labels[::-1].copy()
            right = [right_loss(name, predictions, labels),
                     right_loss(name, -predictions, labels), right_loss(name, -predictions, other)]  # fmt: skip
            if min(abs(right[1] - right[0]), abs(right[2] - right[1]), abs(right[2] - right[0])) > 0.01:
                break
        outputs, targets = student.keep(student.tensor(predictions)), student.keep(student.tensor(labels))
        got = [getattr(student, name)(outputs, targets)]
        ask("are the given targets unchanged after the call?")
        assert student.read(targets) == labels.tolist()
        ask("are the given outputs unchanged after the call?")
        assert student.read(outputs) == np.float32(predictions).tolist()
        ask("the same tensor holds other numbers now: do you compute the loss again?")
        student.many_of(outputs, "neg_", [()])
        got += [getattr(student, name)(outputs, targets), getattr(student, name)(outputs, student.tensor(other))]
        assert [float(loss) for loss in got] == pytest.approx(right, rel=1e-5, abs=1e-4)
        assert student.read(targets) == labels.tolist()


@pytest.mark.hint("how large is each batch, for any batch size, and how large is the last batch?")
def test_an_epoch_of_any_size(student, edition):
    """an epoch of any number of examples and any batch size uses each example once and returns the mean loss

    Promised: Train on every example exactly once and return the mean loss.
    Promised: Returns the mean over the n examples of the loss that each example had when its batch was trained.
    """
    for examples, batch_size in (
        (1, 1),
        (edition.randint(20, 40), edition.randint(7, 16)),
        (12, 12),
        (5, edition.randint(6, 200)),
    ):
        targets = np.array([[edition.choice([-1.0, 1.0]) * edition.uniform(0.3, 1)] for _ in range(examples)], np.float32)
        learner = Learner(student, examples, 1, 0.25)
        got = learner.epoch(MSE, targets, batch_size, edition.getrandbits(30))
        ask("how large is each batch, for any batch size, and how large is the last batch?")
        moved = learner.weights()[0] / targets[:, 0]
        wanted = [0.5 / size for size in sizes(examples, batch_size)]
        assert sorted(moved.tolist(), reverse=True) == pytest.approx(wanted, abs=1e-4)
        assert got == pytest.approx(float((targets.astype(float) ** 2).mean()), rel=1e-5)
        ask("which loss do you train with: the given function?")
        learner = Learner(student, examples, 1, 0.25)
        got = learner.epoch(L1, targets, batch_size, edition.getrandbits(30))
        moved = learner.weights()[0] * np.sign(targets[:, 0])  # the slope of |w - y| is 1, over the size of the batch
        assert sorted(moved.tolist(), reverse=True) == pytest.approx([share / 2 for share in wanted], abs=1e-4)
        assert got == pytest.approx(float(np.abs(targets.astype(float)).mean()), rel=1e-5)


@pytest.mark.hint("your epoch begins: which gradients may already be in the parameters?")
def test_what_lay_in_the_gradients_before_is_forgotten(student, edition):
    """gradients that the network has from elsewhere when the epoch begins do not change the weights

    Promised: optimizer: makes one step for each batch, with the gradient of that batch alone; earlier gradients do not
    count.
    """
    learner = Learner(student, 4, 3, 0.5)
    labels = np.array([edition.randrange(3) for _ in range(4)])
    outputs = student.call_and_keep("torch.nn.Module.__call__", learner.net, learner.inputs)
    loss = student.call_and_keep(CROSS_ENTROPY, outputs, student.tensor((labels + 1) % 3))
    student.call_and_keep("torch.Tensor.backward", loss)
    learner.epoch(CROSS_ENTROPY, labels, 4, edition.getrandbits(30))
    right = 0.5 * (np.eye(3)[:, labels] - 1 / 3) / 4
    assert learner.weights() == pytest.approx(right, abs=1e-4)


@pytest.mark.hint("what do you move when you shuffle: the examples themselves, or their indices?")
def test_an_epoch_leaves_its_examples_as_they_are(student, edition):
    """an epoch does not change inputs and targets, and a later epoch has a new order

    Promised: Inputs and targets are not changed.
    Promised: rng: shuffles the examples; another state of rng gives another order.
    """
    learner, values = Learner(student, 1, 1, 0.25), [[1.0], [0.7], [0.5], [0.25], [0.1]]
    inputs, targets = np.ones((5, 1), np.float32), np.array(values, np.float32)
    kept = student.keep(student.tensor(inputs)), student.keep(student.tensor(targets))
    rng, ends = student.rng(edition.getrandbits(30)), set()
    for epoch in range(7):
        student.load_state(learner.net, {"weight": np.zeros((1, 1), np.float32)})
        student.train_epoch(learner.net, student.functions[MSE], *kept, learner.optimizer, 1, rng)
        ends.add(round(float(learner.weights()[0, 0]), 5))
        if epoch > 3:  # by chance five shuffled examples keep their order once in 120 times
            assert student.read(kept[0]) == inputs.tolist()
            assert student.read(kept[1]) == targets.tolist()
    ask("does a second epoch over the same examples also train?")
    assert 0.0 not in ends  # every epoch has trained
    ask("all examples fit into one batch: does the network get rows of its own, so that a layer may write into them?")
    layers = [student.call_and_keep("torch.nn.Hardtanh", 0.0, 0.5, inplace=True), learner.net]
    student.train_epoch(student.call_and_keep("torch.nn.Sequential", *layers), student.functions[MSE], *kept, learner.optimizer,
                        edition.choice([5, 64]), rng)
    assert student.read(kept[0]) == inputs.tolist()
    ask("does every epoch draw a new order?")
    assert len(ends) > 1  # the last value of one weight shows the order; the same of 120 seven times: once in 3e12


@pytest.mark.hint("does each example keep its shape, and come with its own target?")
def test_an_epoch_over_planes(student, edition):
    """examples of several dimensions are trained unchanged, with their own targets, also of several dimensions

    Promised: inputs: (n, ...) float32;
    """
    filters = student.call_and_keep("torch.nn.Conv2d", 2, 3, 2, bias=False)
    student.load_state(filters, {"weight": np.zeros((3, 2, 2, 2), np.float32)})
    optimizer = student.call_and_keep("torch.optim.SGD", student.call_and_keep("torch.nn.Module.parameters", filters), lr=0.5)
    net = student.call_and_keep("torch.nn.Sequential", filters, student.call_and_keep("torch.nn.Flatten"))
    labels = np.array([edition.randrange(3) for _ in range(8)])
    inputs = student.tensor(np.eye(8, dtype=np.float32).reshape(8, 2, 2, 2))
    loss, rng = student.functions[CROSS_ENTROPY], student.rng(edition.getrandbits(30))
    targets = student.tensor(np.eye(3, dtype=np.float32)[labels])  # of the shape of the outputs, so their order matters
    student.train_epoch(net, loss, inputs, targets, optimizer, 8, rng)
    got = student.state(filters).get("weight", np.zeros(0))
    assert got.shape == (3, 2, 2, 2)
    swapped_gradient = -np.log(softmax(np.eye(3)[:, labels], 0))  # the gradient if the loss takes the targets for the logits
    turned = {"In which order does `loss` take outputs and targets?": (-0.5 * swapped_gradient / 8).ravel()}
    recognise(got.reshape(3, 8).ravel(), turned, tolerance=1e-4)
    assert got.reshape(3, 8) == pytest.approx(0.5 * (np.eye(3)[:, labels] - 1 / 3) / 8, abs=1e-4)
