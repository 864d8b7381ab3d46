"""5.1 and 5.2 on random inputs: boards of any shape, logits of any size, targets of any kind."""

from random import Random

import numpy as np
import pytest

from autograder.grading.hidden_checks.known_mistakes import ask
from tests.hidden.generators import draw_logits, draw_policy
from tests.hidden.ps5_alphazero.nodes import keep, made
from tests.hidden.ps5_alphazero.oracle import shares
from tests.hidden.ps5_alphazero.test_network import FINITE, answer, draw_boards, make, moved_answers, parts, set_heads, tensors


def mask_of(edition: Random, number: int, actions: int) -> np.ndarray:
    """A mask (B, A): the first row has one legal action, the second all, the third none."""
    legal = np.array([[edition.random() < 0.5 for _ in range(actions)] for _ in range(number)])
    legal[0], legal[1], legal[2] = np.eye(actions, dtype=bool)[edition.randrange(actions)], True, False
    return legal


def log_softmax(logits: np.ndarray, legal: np.ndarray) -> np.ndarray:
    """The logarithm of a row's softmax over its legal actions, -1e9 elsewhere."""
    apart = np.where(legal, logits - logits[legal].max(initial=-np.inf), -np.inf) if legal.any() else np.full(len(legal), -np.inf)
    return np.where(legal, apart - np.log(np.exp(apart).sum() or 1.0), -1e9)


@pytest.mark.exercise("5.1")
@pytest.mark.hint("the mask in train mode, logits far apart, a single legal action: does your network treat each case right?")
def test_the_mask_holds_for_any_logits_in_either_mode(student, edition):
    """legal actions share all probability in train and in eval mode, one action or many, for logits of any size

    Promised: The mask applies in both modes and to logits of any size, and planes and legal are not changed.
    """
    for actions in (1, edition.randint(2, 5), 12):
        net = student.Policy(2, 3, actions, 2, 3)
        for kind, mode in (("far", "eval"), ("apart", "train"), ("near", "eval"), ("equal", "train")):
            logits, legal = draw_logits(edition, actions, kind=kind), mask_of(edition, 5, actions)
            set_heads(student, net, logits, 0.5)
            student.call_and_keep(f"torch.nn.Module.{mode}", net)
            log_p, value = net.forward(student.tensor(draw_boards(edition, 5, 2, 2, 3)), student.tensor(legal))
            assert (log_p.shape, value.shape) == (legal.shape, (5,))
            ask("do you apply the mask in train mode too?" if mode == "train" else
                "logits far apart, or a single legal action: do you limit anything, or add anything?")
            right = np.array([log_softmax(logits.astype(float), row) for row in legal])
            assert log_p[legal] == pytest.approx(right[legal], rel=1e-5, abs=1e-4)
            assert (log_p[~legal] <= -1e9).all() and (log_p[~legal] >= -FINITE).all(), (
                f"illegal actions must have at most -1e9, and a finite number, came {log_p[~legal]}"
            )
            assert value == pytest.approx(np.full(5, np.tanh(0.5)), abs=1e-5)
    actions, top = 5, edition.randrange(5)
    logits = np.array([edition.uniform(-2, 2) + (2e6 if action == top else -2e6) for action in range(actions)], np.float32)
    legal = np.ones((2, actions), bool)
    legal[0, top] = False
    net = student.Policy(2, 3, actions, 2, 3)
    set_heads(student, net, logits, 0.5)
    log_p, _ = net.forward(student.tensor(draw_boards(edition, 2, 2, 2, 3)), student.tensor(legal))
    ask("an illegal action has the highest logit by far: is what you put in its place below every legal logit, of any size?")
    right = np.array([log_softmax(logits.astype(float), row) for row in legal])
    assert log_p[legal] == pytest.approx(right[legal], rel=1e-5, abs=1.0)  # 32 bits leave a quarter open here


@pytest.mark.exercise("5.1")
@pytest.mark.hint("a board is not square: which squares reach the heads?")
def test_every_square_of_a_long_board_counts(student, edition):
    """on a board with more columns than rows, or more rows than columns, a stone on any square changes both answers

    Promised: A new network already sees the whole board: a stone of either player on any square can change both answers,
    and the same stone on another square can give others. So no square is left out, and no head begins at 0.
    """
    for height, width in ((2, edition.randint(4, 6)), (edition.randint(4, 6), 3)):
        moved, _ = moved_answers(student, edition, height, width, 4)
        assert moved.all(), "a stone on every square must change both answers: policy and value, by whose stone it is, by square"
    planes, apart = np.zeros((2, 2, 8, 8), np.float32), []
    planes[0, 0, 3, 3] = planes[1, 0, 4, 4] = 1.0
    for _ in range(3):  # in one network silent units may hide both
        answers = answer(student, make(student, 8, 8, 5, 4, 8), planes, np.ones((2, 5), bool))
        apart.append(max(float(np.abs(numbers[0] - numbers[1]).max()) for numbers in answers))
    ask("one stone far from all edges, and the same stone one square further: can the network tell them apart?")
    assert max(apart) > 1e-6


@pytest.mark.exercise("5.1")
@pytest.mark.hint("does forward change the planes and the mask that it is given?")
def test_the_question_stays_as_it_is(student, edition):
    """planes and legal do not change, also without legal actions; equal calls have equal answers until the weights change

    Promised: In eval mode a board has the same answers at every call, and they do not depend on the other boards of the
    batch. The mask applies in both modes and to logits of any size, and planes and legal are not changed.
    """
    net, masks = make(student, 2, 3, 4, 2, 3), [mask_of(edition, 4, 4)] * 2
    masks[1] = np.roll(masks[0], 1, axis=0)
    boards = [draw_boards(edition, 4, 2, 2, 3) for _ in range(2)]
    planes, legal = ([keep(student, student.tensor(each)) for each in arrays] for arrays in (boards, masks))
    first, second = net.forward(planes[0], legal[0]), net.forward(planes[0], legal[0])
    assert student.read(planes[0]) == boards[0].tolist()
    assert student.read(legal[0]) == masks[0].tolist()
    ask("do equal calls have equal answers, or does the first call change something?")
    for output, repeated in zip(first, second, strict=True):
        assert output == pytest.approx(repeated, abs=1e-6)
    ask("do you compute every answer again, or return an earlier one?")
    # the same board with other legal actions, and the same legal actions for another board
    log_p, _ = net.forward(planes[0], legal[1])
    assert log_p.shape == masks[1].shape and ((log_p > -1e9) == masks[1]).all(), (
        "the logarithms must be above -1e9 just where an action is legal"
    )
    answers = net.forward(planes[1], legal[0]), net.forward(student.tensor(boards[1]), student.tensor(masks[0]))
    for output, repeated in zip(*answers, strict=True):
        assert output == pytest.approx(repeated, abs=1e-6)
    set_heads(student, net, np.zeros(4), edition.uniform(0.5, 0.9))
    assert net.forward(planes[0], legal[0])[1] != pytest.approx(first[1], abs=1e-06)


# -- 5.2 ----------------------------------------------------------------------------------------------


def draw_targets(edition: Random, number: int, actions: int) -> tuple[np.ndarray, ...]:
    """log_p, value, pi, z: logits of any size, illegal actions, policies of any kind, and wins, draws and losses."""
    rows = []
    for _ in range(number):
        legal = np.array([edition.random() < 0.7 for _ in range(actions)])
        legal[edition.randrange(actions)] = True
        pi, places = np.zeros(actions), [int(place) for place in np.flatnonzero(legal)]
        for place, share in draw_policy(edition, places).items():
            pi[place] = share
        rows.append((log_softmax(draw_logits(edition, actions).astype(float), legal), pi))
    value = [edition.choice([0.0, 1.0, -1.0, edition.uniform(-1, 1)]) for _ in range(number)]
    z = [edition.choice([0.0, 1.0, -1.0]) for _ in range(number)]
    return tuple(np.array(each, np.float32) for each in ([row[0] for row in rows], value, [row[1] for row in rows], z))


@pytest.mark.exercise("5.2")
@pytest.mark.hint("how large is the loss for a very unlikely move, and for a drawn game?")
def test_the_loss_of_any_batch(student, edition):
    """wins, draws and losses, sure and unsure answers, one example or many: each counts as in the formula

    Promised: Returns a tensor without dimensions that carries the gradient: (z - v)^2 - sum over actions of pi log p,
    averaged over the batch.
    """
    for z, value in ((0.0, 1.0), (0.0, -0.5), (1.0, 0.0), (-1.0, -0.25)):  # the policy is certain, so only the value counts
        certain = np.zeros((2, 1)), np.full(2, value), np.ones((2, 1)), np.full(2, z)
        ask("the target of a drawn game is 0: does its squared error count like that of other games?" if z == 0 else
            "how large is a wrong value's loss after a win?")  # fmt: skip
        assert student.loss(*tensors(student, certain)) == pytest.approx((z - value) ** 2, abs=1e-6)
    ask("a move is very unlikely: do you limit its logarithm, or add a small number?")
    for low in (-12.0, -30.0, -90.0, -400.0):
        unlikely = np.array([[low, 0.0]]), np.zeros(1), np.array([[1.0, 0.0]]), np.zeros(1)
        assert student.loss(*tensors(student, unlikely)) == pytest.approx(-low, rel=1e-5)
    ask("does every example of a batch have the same weight, and every action its share in pi?")
    for number in (1, 2, 3, 5, 8, 12, 40):
        batch = draw_targets(edition, number, edition.choice([1, 2, 5, 9, 12]))
        squares, entropies = parts(*batch)
        assert student.loss(*tensors(student, batch)) == pytest.approx((squares + entropies).mean(), rel=1e-4, abs=1e-5)


def draw_unlike(edition: Random) -> tuple[np.ndarray, ...]:
    """log_p, value, pi, z of three examples with four legal actions; no value is near 0."""
    log_p = [np.log(shares(edition, 4)) for _ in range(3)]
    value = [edition.choice([-1, 1]) * edition.uniform(0.3, 0.9) for _ in range(3)]
    return tuple(np.array(each, np.float32) for each in (log_p, value, [shares(edition, 4) for _ in range(3)], [1.0, -1.0, 1.0]))


@pytest.mark.exercise("5.2")
@pytest.mark.hint("do you compute every loss again, or return one of an earlier call with some of the same tensors?")
def test_the_loss_is_worked_out_anew(student, edition):
    """the loss changes if one tensor stays the same and the others change, and if the same tensors hold other numbers"""
    first, second = (draw_unlike(edition) for _ in range(2))
    kept, others = ([keep(student, each) for each in tensors(student, batch)] for batch in (first, second))
    mixed = [first, *((*second[:place], first[place], *second[place + 1 :]) for place in range(4))]
    calls = [tuple(kept), *((*others[:place], kept[place], *others[place + 1 :]) for place in range(4))]
    wanted = [sum(part.mean() for part in parts(*batch)) for batch in mixed]
    assert [float(got) for got in student.many("loss", calls)] == pytest.approx(wanted, rel=1e-4)
    student.many_of(kept[1], "neg_", [()])
    turned = sum(part.mean() for part in parts(first[0], -first[1], *first[2:]))
    assert student.loss(*kept) == pytest.approx(turned, rel=1e-4)


@pytest.mark.exercise("5.2")
@pytest.mark.hint("does every example have its gradient: also drawn games, sure values and unlikely moves?")
def test_every_example_has_its_slope(student, edition):
    """the gradient of the value is 2 (v - z) / B for wins, draws and losses; the gradient of log p follows pi, likely or not

    Promised: Returns a tensor without dimensions that carries the gradient: (z - v)^2 - sum over actions of pi log p,
    averaged over the batch.
    """
    value, z = np.array([0.5, -0.25, 0.75, 0.0, 1.0]), np.array([0.0, 1.0, -1.0, 0.0, 0.0])
    log_p = np.array([log_softmax(np.array([0.0, low]), np.ones(2, bool)) for low in (-1.0, -9.0, -25.0, -60.0, 0.0)])
    pi = np.array([[0.0, 1.0]] * 4 + [[0.5, 0.5]])
    kept = [keep(student, student.tensor(each.astype(np.float32), requires_grad=True)) for each in (log_p, value)]
    result = made(student, "loss", *kept, *tensors(student, (pi, z)))
    student.call_and_keep("torch.Tensor.backward", result)
    assert kept[0].grad is not None and kept[1].grad is not None
    assert kept[1].grad == pytest.approx(2 * (value - z) / 5, abs=1e-5)
    slopes = kept[0].grad
    assert slopes.shape == (5, 2)
    at_the_logits = slopes - np.exp(log_p) * slopes.sum(axis=1, keepdims=True)
    assert at_the_logits == pytest.approx((np.exp(log_p) - pi) / 5, abs=1e-5)
