"""5.1 and 5.2: the network and its loss."""

import math
from random import Random
from typing import Any

import numpy as np
import pytest

from autograder.grading.hidden_checks.known_mistakes import ask, recognise
from tests.hidden.ps5_alphazero.nodes import keep, made
from tests.hidden.ps5_alphazero.oracle import softmax

FINITE = np.finfo(np.float32).max


def draw_boards(edition: Random, *shape: int) -> np.ndarray:
    """Random stones, float32 (B, 2, H, W); a square has one stone at most."""
    number, _, height, width = shape
    stones = np.array([edition.choice([0, 0, 1, 2]) for _ in range(number * height * width)]).reshape(number, height, width)
    return np.stack([stones == 1, stones == 2], axis=1).astype(np.float32)


def moved_answers(student: Any, edition: Random, height: int, width: int, nets: int) -> tuple[np.ndarray, int]:
    """Which answers change with one square of a board: bool (2, 3, H W), and how many answers are distinct.

    The rows are policy and value; in each: the mover's stone in place of none, the other's in place of none, the other's in
    place of the mover's. An answer counts if it changes in one of the `nets` networks: in one, silent units hide some squares.
    """
    squares = height * width
    moved, distinct = np.zeros((2, 3, squares), bool), 0
    for _ in range(nets):
        boards = np.tile(draw_boards(edition, 1, 2, height, width).reshape(2, -1), (squares, 3, 1, 1))
        for square in range(squares):
            boards[square, :, :, square] = [[0, 0], [1, 0], [0, 1]]
        planes, legal = boards.reshape(-1, 2, height, width), np.ones((3 * squares, 5), bool)
        log_p, value = answer(student, make(student, height, width, 5, 8, 32), planes, legal)
        distinct = max(distinct, len({tuple(row) for row in log_p.round(6).tolist()}))
        for place, numbers in enumerate((log_p.reshape(squares, 3, 5), value.reshape(squares, 3, 1))):
            for pair, (first, second) in enumerate(((0, 1), (0, 2), (1, 2))):
                moved[place, pair] |= np.abs(numbers[:, first] - numbers[:, second]).max(axis=1) > 1e-6
    return moved, distinct


def draw_legal(edition: Random, number: int, actions: int) -> np.ndarray:
    """A mask (B, A) with at least two legal actions and one that is not in every row; A is at least 3."""
    legal = np.array([[edition.random() < 0.6 for _ in range(actions)] for _ in range(number)])
    for row in legal:
        yes, too, no = edition.sample(range(actions), 3)
        row[yes], row[too], row[no] = True, True, False
    return legal


def make(student: Any, *sizes: int) -> Any:
    """A network of the submission in eval mode."""
    net = student.Policy(*sizes)
    student.call_and_keep("torch.nn.Module.eval", net)
    return net


def answer(student: Any, net: Any, planes: np.ndarray, legal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """log_p (B, A) and value (B,), of these shapes."""
    log_p, value = net.forward(student.tensor(planes), student.tensor(legal))
    assert log_p.shape == legal.shape
    assert value.shape == (len(planes),)
    return log_p, value


def set_heads(student: Any, net: Any, logits: np.ndarray, value: float) -> None:
    """Let the heads give the same answer for every board: weights 0, and these biases."""
    weights = student.state(net)
    heads = {"policy_head.weight", "policy_head.bias", "value_head.weight", "value_head.bias"}
    assert heads <= set(weights)
    for name in heads:
        weights[name] = np.zeros_like(weights[name])
    weights["policy_head.bias"] = np.asarray(logits, np.float32)
    weights["value_head.bias"] = np.array([value], np.float32)
    student.load_state(net, weights)


@pytest.mark.exercise("5.1")
@pytest.mark.hint("how many numbers does each head give for one board, for any sizes and any number of boards?")
def test_shapes_follow_batch_and_sizes(student, edition):
    """log_p is (B, A) and value (B,), for any board, any number of actions, channels from 1 on, and a batch of one

    Promised: log_p: (B, A). For legal actions the logarithm of the probability, a softmax over the logits of the legal
    actions alone. For illegal actions a finite number of at most -1e9, so that p = 0 and 0 * log_p = 0. A row without any
    legal action has such numbers everywhere, and never a nan. value: (B,) in [-1, 1], for the player to move.
    """
    for sizes, number in (((3, 3, 9), 4), ((2, edition.randint(4, 6), edition.randint(3, 8), 3, 5), 1), ((6, 7, 7, 4, 6), 2),
                          ((1, edition.randint(2, 9), 2, 1, 1), 3)):
        planes, legal = draw_boards(edition, number, 2, *sizes[:2]), draw_legal(edition, number, max(3, sizes[2]))[:, : sizes[2]]
        log_p, value = make(student, *sizes).forward(student.tensor(planes), student.tensor(legal))
        ask("how many logits does each board have, and is a batch of one board still a batch?")
        assert log_p.shape == (number, sizes[2])
        if value.shape != (number,):
            recognise(value.shape, {"is the value one number for each board, or a row with one number?": (number, 1),
                                    "the batch has one board: which dimension do you remove?": ()})
        ask("how many numbers does the value head give for one board, and is a batch of one still a batch?")
        assert value.shape == (number,)


def is_of_a_head(name: str) -> bool:
    """Whether a weight is one of a head's: the layer's whole name counts, so `policy_head_hidden` is a layer of the body."""
    return name.split(".")[0] in ("policy_head", "value_head")


@pytest.mark.exercise("5.1")
@pytest.mark.hint("how many features do the heads read, and how many numbers does each head give?")
def test_heads_have_their_names_and_sizes(student, edition):
    """policy_head and value_head read `hidden` features and give A logits and one number

    Promised: policy_head: nn.Linear(hidden, num_actions, with bias), whose outputs are the logits, one for each action.
    value_head: nn.Linear(hidden, 1, with bias), whose output goes through tanh into [-1, 1]: that is the value.
    """
    hidden, actions = edition.randint(5, 9), edition.randint(3, 6)
    weights = student.state(student.Policy(3, 4, actions, 2, hidden))
    shapes = {name: weights[name].shape for name in weights if is_of_a_head(name)}
    right = {"policy_head.weight": (actions, hidden), "policy_head.bias": (actions,),
             "value_head.weight": (1, hidden), "value_head.bias": (1,)}
    ask("which names and which type of layer does the docstring give the two heads?")
    assert set(shapes) == set(right)
    ask("do the layers use the sizes that the constructor is given, or other numbers?")
    assert shapes == right
    usual = student.state(student.Policy(2, 3, actions))
    ask("hidden is not given: how many features do the heads read?")
    assert [usual[name].shape for name in shapes] == [(actions, 64), (actions,), (1, 64), (1,)]


def mistaken_policies(logits: np.ndarray, legal: np.ndarray) -> dict[str, np.ndarray]:
    """The legal probabilities exp(log_p) of known mistakes, with the hint to each."""
    every = softmax(np.tile(logits, (len(legal), 1)))
    right = softmax(np.where(legal, logits, -np.inf))
    return {hint: values[legal] for hint, values in {
        "which share of the probability does your softmax give to illegal actions?": every,
        "how often do you apply a softmax to the logits?": softmax(np.where(legal, every, -1e9)),
        "is the softmax over the actions of a board, or over the boards of the batch?":
            legal / np.maximum(legal.sum(axis=0), 1),
        "does the network return probabilities, or their logarithms?": np.exp(right),
        "which actions does the mask remove: those where legal is True, or the others?": np.zeros(legal.shape),
        "you set a logit to 0: how much does its action still add to the softmax?": softmax(np.where(legal, logits, 0.0)),
        "does every board have its own legal actions, or all boards those of the first?":
            softmax(np.where(legal[0], logits, -np.inf) * np.ones(legal.shape)),
    }.items()}


@pytest.mark.exercise("5.1")
@pytest.mark.hint("which logits does the softmax see, and along which dimension do you apply it?")
def test_the_softmax_goes_over_the_legal_actions(student, edition):
    """the probabilities are the softmax of the legal actions' logits, for any logits of illegal actions

    Promised: For legal actions the logarithm of the probability, a softmax over the logits of the legal actions alone.
    """
    net = make(student, 3, 3, 5, 2, 4)
    planes, legal = draw_boards(edition, 3, 2, 3, 3), draw_legal(edition, 3, 5)
    for high in (2.0, 60.0):  # the highest logit is an illegal one, in the second round by far
        logits = np.array([edition.uniform(-2, 2) for _ in range(5)])
        logits[int(np.flatnonzero(~legal[0])[0])] = high
        set_heads(student, net, logits, 0.0)
        log_p, _ = answer(student, net, planes, legal)
        got, right = log_p[legal], np.log(softmax(np.where(legal, logits, -np.inf))[legal])
        likely = right > -20
        ask("which logits does the softmax see, how often, along which dimension, and do you take its logarithm?")
        if got[likely] != pytest.approx(right[likely], abs=1e-4):
            more = np.exp(got[likely]) - np.exp(right[likely])
            added = {"do you add a number to the probabilities before you take their logarithm?": 0 * more + abs(more.mean())}
            recognise(more, added, tolerance=1e-5)
            recognise(np.exp(got), mistaken_policies(logits, legal), tolerance=1e-5)
        assert got[likely] == pytest.approx(right[likely], abs=1e-4)
        ask("how low is log p of a very unlikely legal action: do you limit it, or add a number?")
        assert got == pytest.approx(right, abs=1e-4)


@pytest.mark.exercise("5.1")
@pytest.mark.hint("which finite number does an impossible action get?")
def test_illegal_actions_are_impossible_and_finite(student, edition):
    """log_p of an illegal action is finite and at most -1e9, for legal logits of any size

    Promised: For illegal actions a finite number of at most -1e9, so that p = 0 and 0 * log_p = 0.
    """
    net = make(student, 3, 3, 4, 2, 4)
    legal = draw_legal(edition, 4, 4)
    for lowest in (0.0, -300.0, 300.0):
        logits = np.array([lowest, lowest - 1, lowest - 2, lowest])
        set_heads(student, net, logits, 0.0)
        log_p, _ = answer(student, net, draw_boards(edition, 4, 2, 3, 3), legal)
        ask("what is -inf times 0 in the loss, and what is a large finite number times 0?")
        assert (log_p[~legal] >= -FINITE).all(), f"illegal actions must have a finite number, came {log_p[~legal]}"
        ask("the softmax moves all logits: how low must log p of an illegal action be in the result?")
        assert (log_p[~legal] <= -1e9).all(), f"illegal actions must have at most -1e9, came {log_p[~legal]}"
        ask("what is the sum of the probabilities of the legal actions?")
        assert np.exp(log_p[legal]).sum() == pytest.approx(4.0, abs=1e-4)
        ask("the logits are far from 0: do they keep their distances from each other?")
        assert log_p[legal] == pytest.approx(np.log(softmax(np.where(legal, logits, -np.inf))[legal]), abs=1e-3)


@pytest.mark.exercise("5.1")
@pytest.mark.hint("a board has no legal action: what does the softmax give, and which numbers should be there?")
def test_a_row_without_legal_actions_has_no_nan(student, edition):
    """a row without a legal action has finite numbers of at most -1e9 everywhere, and changes no other row

    Promised: A row without any legal action has such numbers everywhere, and never a nan.
    """
    net, planes = make(student, 3, 3, 4, 2, 4), draw_boards(edition, 2, 2, 3, 3)
    legal = np.array([[False] * 4, [True] * 4])
    log_p, value = answer(student, net, planes, legal)
    assert (log_p[0] <= -1e9).all() and (log_p[0] >= -FINITE).all(), (
        f"illegal actions must have at most -1e9, and a finite number, came {log_p[0]}"
    )
    assert np.exp(log_p[1]).sum() == pytest.approx(1.0, abs=1e-5)
    assert (np.abs(value) <= 1.0).all(), f"values must be in [-1, 1], came {value}"


@pytest.mark.exercise("5.1")
@pytest.mark.hint("which function moves any number into [-1, 1]?")
def test_the_value_is_the_tanh_of_its_head(student, edition):
    """the value is tanh of value_head's output: 0 at 0, near +-1 far out, negative below 0

    Promised: value_head: nn.Linear(hidden, 1, with bias), whose output goes through tanh into [-1, 1]: that is the value.
    """
    net, legal = make(student, 3, 3, 4, 2, 4), np.ones((2, 4), bool)
    for number in (edition.uniform(0.3, 1.2), edition.uniform(-1.2, -0.3), 0.0, 20.0, -20.0):
        set_heads(student, net, np.zeros(4), number)
        _, value = answer(student, net, draw_boards(edition, 2, 2, 3, 3), legal)
        if value != pytest.approx([math.tanh(number)] * 2, abs=1e-5):
            recognise(value, {
                "between which two numbers must a value be, and which value is a draw?": [1 / (1 + math.exp(-number))] * 2,
                "what keeps the value inside [-1, 1]?": [number] * 2,
            }, tolerance=1e-5)
        assert value == pytest.approx([math.tanh(number)] * 2, abs=1e-5)


@pytest.mark.exercise("5.1")
@pytest.mark.hint("may the answer for a board depend on other boards in the batch?")
def test_each_board_is_answered_by_itself(student, edition):
    """in eval mode a board has the same answers alone, again, and with others in any order

    Promised: In eval mode a board has the same answers at every call, and they do not depend on the other boards of the
    batch.
    """
    net = make(student, 3, 3, 5, 4, 8)
    planes, legal = draw_boards(edition, 4, 2, 3, 3), draw_legal(edition, 4, 5)
    log_p, value = answer(student, net, planes, legal)
    ask("does forward draw random numbers that eval mode does not switch off?")
    assert np.exp(answer(student, net, planes, legal)[0]) == pytest.approx(np.exp(log_p), abs=1e-4)
    ask("may the answer for a board depend on other boards in the batch?")
    for number in range(4):
        alone, worth = answer(student, net, planes[number : number + 1], legal[number : number + 1])
        assert np.exp(alone[0]) == pytest.approx(np.exp(log_p[number]), abs=1e-4)
        assert worth[0] == pytest.approx(value[number], abs=1e-4)
    again, _ = answer(student, net, planes[::-1], legal[::-1])
    assert np.exp(again[::-1]) == pytest.approx(np.exp(log_p), abs=1e-4)


@pytest.mark.exercise("5.1")
@pytest.mark.hint("does every square of both planes reach the heads?")
def test_the_answers_depend_on_both_planes_and_every_square(student, edition):
    """a stone of either player on any square changes the policy and the value, and it matters whose stone it is

    Promised: A new network already sees the whole board: a stone of either player on any square can change both answers,
    and the same stone on another square can give others. So no square is left out, and no head begins at 0.
    """
    moved, distinct = moved_answers(student, edition, 3, 3, 5)
    ask("does the network read both planes: the mover's own stones, and the other player's?")
    assert moved[:, :2].any(axis=(0, 2)).all(), (
        "a stone on either plane must change an answer: first the mover's squares, then the other player's"
    )
    ask("two boards differ in whose stone is on a square: can the network tell them apart?")
    assert moved[:, 2].any(), "the mover's stone in place of the other player's must change an answer"
    ask("do all squares reach the heads, also at the edges of the board, and do they give different answers?")
    assert distinct > 9
    assert moved.all(), "a stone on every square must change both answers: policy and value, by whose stone it is, by square"


@pytest.mark.exercise("5.1")
@pytest.mark.hint("which layers does the optimizer know, and which layers does the gradient reach?")
def test_both_heads_train_the_body(student, edition):
    """each head's gradient changes that head and layers of the body; at least one layer is changed by both, and none by neither

    All that is not fixed is among the weights, which no two new networks share: with the same weights two networks agree.
    Promised: You choose the body before the heads. Both heads train at least one of its layers, and no layer is unused.
    `parameters()` has the weights of all layers, and every new network draws its own.
    """
    planes, legal = draw_boards(edition, 12, 2, 3, 3), np.ones((12, 5), bool)
    none, policy = np.zeros(12, np.float32), np.array([[1, 0, 0, 0, -1]] * 12, np.float32)
    trained, body, nets, begun = [], set(), [], []
    for head, gradients in (("policy_head", (policy, none)), ("value_head", (0 * policy, none + 1))):
        net = student.Policy(3, 3, 5, 6, 24)
        before = student.state(net)
        nets.append(net)
        begun.append(before)
        for _ in range(3):  # a layer that begins at 0 hides the layers before it in the first step
            step(student, net, planes, legal, gradients)
        after = student.state(net)
        assert set(after) == set(before) and f"{head}.weight" in before
        assert not np.array_equal(before[f"{head}.weight"], after[f"{head}.weight"]), (
            f"the gradient must change the weights of {head}"
        )
        body = {name for name in layers(student, net, after) if not is_of_a_head(name) and before[name].ndim > 1}
        student.load_state(net, after)
        trained.append({name for name in body if not np.array_equal(before[name], after[name])})
    ask("are the layers of the body fields of self, where the optimizer finds them, or in a Python list?")
    assert body, "the network must have layers besides its two heads"
    for head, names in zip(("policy", "value"), trained, strict=True):
        ask(f"does the {head}'s gradient reach the body, or do detach or no_grad cut it off?")
        assert names, f"the gradient of the {head} must change a layer of the body"
    ask("which layers of the body do both heads train, and which layers does no head train?")
    assert trained[0] & trained[1], (
        f"both heads must train a layer of the body: the policy trains {trained[0]}, the value {trained[1]}"
    )
    assert trained[0] | trained[1] == body
    ask("which generator draws the first weights: do two new networks begin with the same ones?")
    assert [name for name in body if not np.array_equal(begun[0][name], begun[1][name])], "two new networks must differ"
    ask("are all layers fields of self, where the optimizer finds them: do you keep some in a Python list?")
    student.load_state(nets[1], student.state(nets[0]))
    for net in nets:
        student.call_and_keep("torch.nn.Module.eval", net)
    answers = [answer(student, net, planes, legal) for net in nets]
    for first, second in zip(*answers, strict=True):
        assert first == pytest.approx(second, abs=1e-4)


def layers(student: Any, net: Any, weights: dict[str, np.ndarray]) -> set[str]:
    """The names of what the optimizer knows: all of it, and no buffer, becomes 1/2 here."""
    size = sum(value.size for value in weights.values())
    known = student.call_and_keep("torch.nn.Module.parameters", net)
    student.call_and_keep("torch.nn.utils.vector_to_parameters", student.tensor(np.full(size, 0.5, np.float32)), known)
    return {name for name, value in student.state(net).items() if (value == 0.5).all()}


def step(student: Any, net: Any, planes: np.ndarray, legal: np.ndarray, gradients: tuple[np.ndarray, np.ndarray]) -> None:
    """One step of gradient descent with these gradients of log_p and value."""
    optimizer = student.call_and_keep("torch.optim.SGD", student.call_and_keep("torch.nn.Module.parameters", net), lr=0.1)
    outputs = student.call_and_keep("torch.nn.Module.__call__", net, student.tensor(planes), student.tensor(legal))
    student.call_and_keep("torch.autograd.backward", outputs, [student.tensor(each) for each in gradients])
    student.call_and_keep("torch.optim.SGD.step", optimizer)


# -- 5.2 ----------------------------------------------------------------------------------------------


def draw_batch(edition: Random, number: int, actions: int) -> tuple[np.ndarray, ...]:
    """log_p, value, pi, z as float32; illegal actions have log_p = -1e9 and pi = 0."""
    legal = draw_legal(edition, number, actions)
    logits = np.array([[edition.uniform(-2, 2) for _ in range(actions)] for _ in range(number)])
    pi = np.array([[edition.random() for _ in range(actions)] for _ in range(number)]) * legal
    log_p = np.where(legal, np.log(softmax(np.where(legal, logits, -np.inf)) + ~legal), -1e9)
    value, z = (np.array([edition.uniform(-0.9, 0.9) for _ in range(number)]) for _ in range(2))
    return tuple(each.astype(np.float32) for each in (log_p, value, pi / pi.sum(axis=1, keepdims=True), z))


def parts(log_p: np.ndarray, value: np.ndarray, pi: np.ndarray, z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The two terms of every example, in float64."""
    log_p, value, pi, z = (np.asarray(each, np.float64) for each in (log_p, value, pi, z))
    return (z - value) ** 2, -(pi * log_p).sum(axis=1)


def tensors(student: Any, arrays: tuple[np.ndarray, ...]) -> list[Any]:
    return [student.tensor(np.asarray(each, np.float32)) for each in arrays]


def mistaken_losses(got: float, log_p: np.ndarray, value: np.ndarray, pi: np.ndarray, z: np.ndarray) -> dict[str, float]:
    """The losses of known mistakes for a batch, with the hint to each; of a mistake with a free number the nearest loss."""
    squares, entropies = parts(log_p, value, pi, z)
    log_p, value, pi, z = (np.asarray(each, np.float64) for each in (log_p, value, pi, z))
    right, p, favourite = (squares + entropies).mean(), np.exp(log_p), log_p[np.arange(len(z)), pi.argmax(axis=1)]
    own = -(pi * np.log(pi + (pi == 0))).sum(axis=1)  # the entropy of the targets
    spread = -(p * np.maximum(log_p, -1e4)).sum(axis=1).mean()  # and of the network
    added = [squares.mean() - (pi * np.log(p + small)).sum(axis=1).mean() for small in (0.1, 0.01, 1e-3, 1e-4)]
    weighed = [right + weight * spread for weight in (-1.0, -0.1, -0.01, -0.001, 0.001, 0.01, 0.1, 1.0)]
    return {
        "over what is the policy term a sum, and over what a mean?": squares.mean() + entropies.mean() / log_p.shape[1],
        "is the loss of a batch the sum or the mean of its examples?": (squares + entropies).sum(),
        "the search likes a move: should its probability lower the loss or raise it?": squares.mean() - entropies.mean(),
        "how many numbers does (z - v) hold: one for each example, or one for each pair?":
            (np.subtract.outer(z, value) ** 2).mean() + entropies.mean(),
        "what do you take of the difference of the values: its absolute value, or its square?":
            np.sqrt(squares).mean() + entropies.mean(),
        "is there a factor before the squared error that the formula does not have?": squares.mean() / 2 + entropies.mean(),
        "your loss function may take a softmax itself: does it expect log p, p or logits?":
            squares.mean() - (pi * np.log(softmax(p))).sum(axis=1).mean(),
        "do all actions count by their share in pi, or only the most visited one?": squares.mean() - favourite.mean(),
        "is the policy's term a squared error, or a cross-entropy?": squares.mean() + ((pi - p) ** 2).sum(axis=1).mean(),
        "does the formula subtract the entropy of the targets?": right - own.mean(),
        "do you also learn the policies of lost games?": (squares + entropies * (z > -1)).mean(),
        "does the formula multiply the policy's term by the result?": (squares + entropies * z).mean(),
        "where is the value's term?": entropies.mean(),
        "where is the policy's term?": squares.mean(),
        "log p is a logarithm: do you add a small number and take it again?": min(added, key=lambda loss: abs(loss - got)),
        "does the formula have a term for the entropy of the network's own policy?":
            min(weighed, key=lambda loss: abs(loss - got)),
    }


@pytest.mark.exercise("5.2")
@pytest.mark.hint("what are the two terms of one example, which is a sum, which is a mean, and with which sign?")
def test_the_loss_of_a_small_batch(student, edition):
    """two examples, four actions: the number computed by hand

    Promised: Returns a tensor without dimensions that carries the gradient: (z - v)^2 - sum over actions of pi log p,
    averaged over the batch.
    """
    # (1/2 - 1)^2 + ln 4 = .25 + 1.3863 and (0 + 1)^2 + (ln 2 + ln 4) / 2 = 1 + 1.0397; the mean is 1.8380
    log_p = np.log([[0.25, 0.25, 0.25, 0.25], [0.5, 0.25, 0.125, 0.125]])
    pi, value, z = np.array([[0, 0, 1, 0], [0.5, 0.5, 0, 0]]), np.array([0.5, 0.0]), np.array([1.0, -1.0])
    got = student.loss(*tensors(student, (log_p, value, pi, z)))
    ask("is the loss one number for the whole batch, or one for each example?")
    assert got.shape == ()
    if got != pytest.approx(1.8380, abs=1e-4):
        recognise(got, mistaken_losses(float(got), log_p, value, pi, z), tolerance=1e-5)
    ask("what are the two terms of one example, which is a sum, which is a mean, and with which sign?")
    assert got == pytest.approx(1.8380, abs=1e-4)


@pytest.mark.exercise("5.2")
@pytest.mark.hint("what are the two terms of one example, which is a sum, which is a mean, and with which sign?")
def test_the_loss_follows_the_formula(student, edition):
    """squared error plus cross-entropy, summed over actions and averaged over batches of any size

    Promised: Returns a tensor without dimensions that carries the gradient: (z - v)^2 - sum over actions of pi log p,
    averaged over the batch.
    """
    for number, actions in ((3, 7), (1, 5), (5, 5), (8, 3)):
        batch = draw_batch(edition, number, actions)
        squares, entropies = parts(*batch)
        got = student.loss(*tensors(student, batch))
        assert got.shape == ()
        if got != pytest.approx((squares + entropies).mean(), rel=1e-4):
            recognise(got, mistaken_losses(float(got), *batch), tolerance=1e-6)
        assert got == pytest.approx((squares + entropies).mean(), rel=1e-4)


@pytest.mark.exercise("5.2")
@pytest.mark.hint("an answer is sure and right: what is its loss, and do you limit anything before?")
def test_a_perfect_answer_costs_nothing(student, edition):
    """when the network's answers equal the targets, and are sure, the loss is 0, with illegal actions or without

    Promised: Returns a tensor without dimensions that carries the gradient: (z - v)^2 - sum over actions of pi log p,
    averaged over the batch.
    """
    best = [edition.randrange(6) for _ in range(4)]
    pi = np.eye(6)[best]
    z = np.array([1.0, -1.0, 0.0, edition.uniform(-1, 1)])
    assert student.loss(*tensors(student, (np.where(pi > 0, 0.0, -1e9), z, pi, z))) == pytest.approx(0.0, abs=1e-6)


@pytest.mark.exercise("5.2")
@pytest.mark.hint("does the loss keep its graph, so that a gradient can flow back?")
def test_the_gradient_agrees_with_finite_differences(student, edition):
    """the gradient that flows to log_p and value is that of the formula, number by number

    Promised: Returns a tensor without dimensions that carries the gradient: (z - v)^2 - sum over actions of pi log p,
    averaged over the batch.
    """
    batch = draw_batch(edition, 3, 4)
    log_p, value = (keep(student, student.tensor(each, requires_grad=True)) for each in batch[:2])
    result = made(student, "loss", log_p, value, *tensors(student, batch[2:]))
    student.call_and_keep("torch.Tensor.backward", result)
    ask("does the gradient reach both log_p and value, or do detach or no_grad cut one off?")
    assert value.grad is not None and log_p.grad is not None
    wanted = [differences(batch, place) for place in (0, 1)]
    ask("is the gradient of log_p and value that of the formula: do you detach anything?")
    assert value.grad == pytest.approx(wanted[1], abs=1e-4)
    assert at_the_logits(log_p.grad, batch) == pytest.approx(at_the_logits(wanted[0], batch), abs=1e-4)


def at_the_logits(gradient: np.ndarray, batch: tuple[np.ndarray, ...]) -> np.ndarray:
    """The gradient at a network's logits: a second softmax of log p changes the gradient of log p, but not this one."""
    assert gradient.shape == batch[0].shape
    return gradient - np.exp(batch[0]) * gradient.sum(axis=1, keepdims=True)


def differences(batch: tuple[np.ndarray, ...], place: int, width: float = 1e-3) -> np.ndarray:
    """The gradient of the mean loss with respect to one of its arguments, by central differences."""
    gradient = np.zeros(batch[place].shape)
    for index in np.ndindex(gradient.shape):
        sides = []
        for sign in (1, -1):
            moved = [np.maximum(np.array(each, np.float64), -1e3) for each in batch]  # -1e9 would hide the difference
            moved[place][index] += sign * width
            sides.append(sum(parts(*moved)).mean())
        gradient[index] = (sides[0] - sides[1]) / (2 * width)
    return gradient


@pytest.mark.exercise("5.2")
@pytest.mark.hint("which of its arguments may loss change?")
def test_the_targets_stay_as_they_are(student, edition):
    """answers and targets do not change, and the same call gives the same loss again

    Promised: The arguments are not changed.
    """
    batch = draw_batch(edition, 40, 7)  # in float32 many policies sum to nearly 1: a division by the sum changes them
    kept = [keep(student, each) for each in tensors(student, batch)]
    first, second = student.loss(*kept), student.loss(*kept)
    assert first == pytest.approx(second, abs=1e-9)
    for tensor, each in zip(kept, batch, strict=True):
        assert student.read(tensor) == each.tolist()
