"""5.9 and 5.10: one training, and the loop around it."""

from itertools import combinations_with_replacement, permutations
from random import Random
from typing import Any

import numpy as np
import pytest

from arena.games import ToyGame
from autograder.grading.hidden_checks.known_mistakes import ask, recognise
from autograder.sandbox.errors import Refused
from tests.hidden.ps5_alphazero.conftest import EXAMPLES
from tests.hidden.ps5_alphazero.oracle import BOARD, Pencil, draw_pencil, position, shares

# Seven states with two actions each; the planes are 1 at the state's own number, so each example has its own weights.
TREE = ToyGame({f"n{i}": [f"n{2 * i}", f"n{2 * i + 1}"] for i in range(1, 8)}, {}, start="n1")
STATES = [f"n{i}" for i in range(1, 8)]


def rows(game: Any, states: list[Any]) -> np.ndarray:
    """The planes of these states, each as one row."""
    return np.array([game.planes(state).ravel() for state in states], float)


def draw_examples(edition: Random, pencil: Pencil, states: list[str]) -> list[tuple[str, np.ndarray, float]]:
    """An example for each state, with a value far from the network's value."""
    _, values = pencil.answers(rows(TREE, states))
    return [(state, np.array(shares(edition, 2)), float(-np.copysign(edition.uniform(0.5, 1.0), value)))
            for state, value in zip(states, values, strict=True)]


def targets(examples: list[tuple[str, np.ndarray, float]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """x, pi and z of examples of TREE."""
    states, policies, values = zip(*examples, strict=True)
    return rows(TREE, list(states)), np.array(policies), np.array(values)


def network(student: Any, pencil: Pencil, rate: float) -> tuple[Any, Any]:
    """A PencilNet in the worker with these weights, and plain gradient descent for it."""
    actions, size = pencil.weights["policy_head.weight"].shape
    net = student.PencilNet(1, size // 2, actions)
    student.load_state(net, {name: value.astype(np.float32) for name, value in pencil.weights.items()})
    weights = student.call_and_keep("torch.nn.Module.parameters", net)
    return net, student.call_and_keep("torch.optim.SGD", weights, lr=rate)


def weights_of(student: Any, net: Any, pencil: Pencil) -> dict[str, np.ndarray]:
    """The present weights of a PencilNet, with the names and sizes that it had at first."""
    weights = student.state(net)
    assert {name: value.shape for name, value in weights.items()} == {name: w.shape for name, w in pencil.weights.items()}
    return weights


class Passes:
    """The calls of a network during its training: the boards of every pass, as bytes."""

    def __init__(self, student: Any, net: Any) -> None:
        self.boards: list[list[bytes]] = []
        self.legal: list[np.ndarray] = []
        student.call_and_keep("torch.nn.Module.register_forward_pre_hook", net, student.with_arrays(self._note))

    def _note(self, *arguments: Any) -> None:
        inputs = arguments[-1] if arguments and isinstance(arguments[-1], (tuple, list)) else ()
        arrays = [each for each in inputs if isinstance(each, np.ndarray)]
        self.boards.append([board.tobytes() for board in arrays[0]] if arrays and arrays[0].ndim else [])
        self.legal.append(arrays[1] if len(arrays) > 1 else np.zeros(0))

    def epochs(self, number: int) -> list[list[bytes]]:
        """The boards in their order, cut into `number` epochs."""
        boards = [board for batch in self.boards for board in batch]
        size = max(1, len(boards) // number)
        return [boards[start : start + size] for start in range(0, len(boards), size)]


def question_about_step(weights: dict[str, np.ndarray], pencil: Pencil, examples: list[tuple], rate: float) -> str:
    """The question about one step for one batch with wrong weights, by these weights."""

    def is_at(other: Pencil, *names: str) -> bool:
        return all(np.allclose(weights[name], other.weights[name], rtol=0, atol=2e-5) for name in names or weights)

    x, pi, z = targets(examples)
    right, every = pencil.step(x, pi, z, rate), range(len(z))
    policy, value = (("policy_head.weight", "policy_head.bias"), ("value_head.weight", "value_head.bias"))
    if is_at(pencil):
        return "do you make a step at all, and before or after you zero the gradient?"
    if is_at(pencil.step(x, pi, z, -rate)):
        return "does your step follow the gradient, or go against it?"
    if is_at(right, *value) and is_at(pencil, *policy):
        return "does the policy also learn, like the value?"
    if is_at(right, *policy) and is_at(pencil, *value):
        return "does the value also learn, like the policy?"
    if is_at(pencil.step(x, pi, -z, rate)):
        return "for whom is the value of an example: do you change its sign again?"
    if any(is_at(pencil.step(x, pi[list(order)], z[list(order)], rate)) for order in permutations(every)):
        return "you shuffle the examples: do a state and its targets stay together?"
    parts = [row for size in every for row in combinations_with_replacement(every, size + 1)]
    if any(is_at(pencil.step(x[list(row)], pi[list(row)], z[list(row)], rate)) for row in parts):
        return "do you use every example once in an epoch?"
    went, wanted = (np.concatenate([(after[name] - pencil.weights[name]).ravel() for name in pencil.weights])
                    for after in (weights, right.weights))
    if np.allclose(went * np.linalg.norm(wanted), wanted * np.linalg.norm(went), rtol=0, atol=1e-4 * went @ went):
        return "do you change the gradient before the step: scale it, or limit its length?"
    if np.ptp(np.abs(went[np.abs(wanted) > 1e-4])) < 1e-3 * np.abs(went).max():
        return "which optimizer makes the step: the given one, or one of your own?"
    return "which gradient makes the step: that of the loss of this batch alone, for both heads?"


@pytest.mark.exercise("5.9")
@pytest.mark.hint("which gradient makes the step, and in which order do zero, backward and step come?")
def test_one_step_moves_the_weights_as_computed(student, edition):
    """one batch, one step: every weight moves against the gradient of the mean loss; the loss before it is returned

    Promised: The optimizer makes one step for each batch, with the gradient of `loss` for this batch alone. The mean is
    over the examples, not over the batches: the loss of each batch, before its step, counts once for each of its examples.
    """
    rng = student.rng(edition.getrandbits(30))
    for turn in range(2):  # two networks with as many examples
        pencil, rate = draw_pencil(edition, 30, 2), edition.uniform(0.3, 0.8)
        examples = draw_examples(edition, pencil, edition.sample(STATES, 5))
        net, optimizer = network(student, pencil, rate)
        mean = student.train_policy(TREE, net, optimizer, examples, student.Config(epochs=1, batch_size=8), rng)
        wanted, weights = pencil.step(*targets(examples), rate), weights_of(student, net, pencil)
        if any(weights[name] != pytest.approx(value, abs=2e-5) for name, value in wanted.weights.items()):
            ask("does a second training learn its own examples, or do you keep something from the first?" if turn else
                question_about_step(weights, pencil, examples, rate))
        for name, value in wanted.weights.items():
            assert weights[name] == pytest.approx(value, abs=2e-5)
        ask("which loss do you return: that of the batch before its step?")
        assert mean == pytest.approx(pencil.losses(*targets(examples)).mean(), abs=1e-4)


@pytest.mark.exercise("5.9")
@pytest.mark.hint("the next batch begins: is the last batch's gradient gone?")
def test_every_step_has_a_gradient_of_its_own(student, edition):
    """several epochs of one batch: each step has the gradient at its own weights, and the last epoch's loss is returned

    Promised: The optimizer makes one step for each batch, with the gradient of `loss` for this batch alone. The mean is
    over the examples, not over the batches: the loss of each batch, before its step, counts once for each of its examples.
    """
    pencil, rate, epochs = draw_pencil(edition, 30, 2), 0.4, edition.randint(3, 4)
    examples = draw_examples(edition, pencil, edition.sample(STATES, 4))
    net, optimizer = network(student, pencil, rate)
    mean = student.train_policy(TREE, net, optimizer, examples, student.Config(epochs=epochs, batch_size=4), student.rng(1))
    stages = [pencil]
    for _ in range(epochs):
        stages.append(stages[-1].step(*targets(examples), rate))
    losses = [stage.losses(*targets(examples)).mean() for stage in stages]
    weights = weights_of(student, net, pencil)
    slope = weights["value_head.weight"]
    if slope != pytest.approx(stages[-1].weights["value_head.weight"], abs=5e-5):
        fewer = [stage for stage in stages[1:-1] if np.allclose(slope, stage.weights["value_head.weight"], rtol=0, atol=5e-5)]
        recognise(bool(fewer), {"how many epochs do you run: as many as the config says?": True})
    for name, value in stages[-1].weights.items():
        assert weights[name] == pytest.approx(value, abs=5e-5)
    ask("from which epoch is the returned loss, and over what is it a mean?")
    if mean != pytest.approx(losses[-2], abs=1e-4):
        recognise(mean, {"from which epoch is the loss?": losses[0], "one epoch's loss, or all of them?": sum(losses[:-1]),
                         "one epoch's loss, or the mean of all?": sum(losses[:-1]) / epochs,
                         "when do you take a batch's loss: before its step, or after?": losses[-1]}, tolerance=1e-4)
    assert mean == pytest.approx(losses[-2], abs=1e-4)


@pytest.mark.exercise("5.9")
@pytest.mark.hint("which examples does an epoch leave out, or use twice?")
def test_an_epoch_takes_every_example_once(student, edition):
    """each epoch uses every example once, in full batches and a last one with the remaining examples

    Promised: config: `epochs` times every example is used exactly once, in batches of `batch_size`; the last batch of an
    epoch holds the remaining examples.
    """
    for size, sizes in ((3, [3, 3, 1]), (4, [4, 3]), (7, [7]), (1, [1] * 7), (20, [7])):
        pencil = draw_pencil(edition, 30, 2)
        net, optimizer = network(student, pencil, 0.01)
        seen, examples = Passes(student, net), draw_examples(edition, pencil, STATES)
        student.train_policy(TREE, net, optimizer, examples, student.Config(epochs=2, batch_size=size),
                             student.rng(edition.getrandbits(30)))
        ask("how many examples does each batch have, and what happens to those that do not fill the last one?")
        assert [len(boards) for boards in seen.boards] == 2 * sizes
        every = sorted(TREE.planes(state).tobytes() for state in STATES)
        ask("which examples does an epoch leave out, or use twice?")
        assert [sorted(epoch) for epoch in seen.epochs(2)] == [every, every]


@pytest.mark.exercise("5.9")
@pytest.mark.hint("does every batch end in its own step, from the weights after the batch before?")
def test_a_batch_begins_where_the_one_before_ended(student, edition):
    """an epoch of several batches has as many steps, each from the weights after the step before

    Promised: The optimizer makes one step for each batch, with the gradient of `loss` for this batch alone.
    """
    pencil, rate, number = draw_pencil(edition, 30, 2), 0.4, edition.randint(2, 4)
    alike = draw_examples(edition, pencil, [edition.choice(STATES)]) * number  # so that their order does not matter
    net, optimizer = network(student, pencil, rate)
    student.train_policy(TREE, net, optimizer, alike, student.Config(epochs=1, batch_size=1), student.rng(1))
    stages, weights = [pencil], weights_of(student, net, pencil)
    for _ in range(number):
        stages.append(stages[-1].step(*targets(alike[:1]), rate))
    slope = weights["value_head.weight"]
    if slope != pytest.approx(stages[-1].weights["value_head.weight"], abs=5e-5):
        summed, heap = pencil, dict.fromkeys(weights, 0.0)
        for _ in range(number):  # each gradient is added to the earlier ones
            after = summed.step(*targets(alike[:1]), rate)
            heap = {name: heap[name] + after.weights[name] - summed.weights[name] for name in heap}
            summed = Pencil({name: summed.weights[name] + heap[name] for name in heap})
        kept = {"the next batch begins: is the earlier gradient gone?": summed.weights["value_head.weight"]}
        recognise(slope, kept, tolerance=5e-5)
        if np.allclose(slope, stages[1].weights["value_head.weight"], rtol=0, atol=5e-5):
            ask("two examples may be equal: do you train on both?")
    for name, value in stages[-1].weights.items():
        assert weights[name] == pytest.approx(value, abs=5e-5)


@pytest.mark.exercise("5.9")
@pytest.mark.hint("does every batch end in its own step?")
def test_every_batch_makes_its_step(student, edition):
    """each example moves its own weights by its share of its batch; a last single example is a batch of one

    Promised: The optimizer makes one step for each batch, with the gradient of `loss` for this batch alone. The mean is
    over the examples, not over the batches: the loss of each batch, before its step, counts once for each of its examples.
    """
    pencil, rate = draw_pencil(edition, 30, 2), 1e-3
    examples = draw_examples(edition, pencil, STATES)
    net, optimizer = network(student, pencil, rate)
    mean = student.train_policy(TREE, net, optimizer, examples, student.Config(epochs=1, batch_size=3),
                                student.rng(edition.getrandbits(30)))
    x, pi, z = targets(examples)
    p, v = pencil.answers(x)
    weights = weights_of(student, net, pencil)
    places = x.argmax(axis=1)
    moved = weights["value_head.weight"][0, places] - pencil.weights["value_head.weight"][0, places]
    share = sorted(moved / (-rate * 2 * (v - z) * (1 - v**2)))
    ask("does every batch make a step for its own examples, each with its share of the batch?")
    assert share == pytest.approx([1 / 3] * 6 + [1.0], rel=0.05)
    slopes = weights["policy_head.weight"][:, places] - pencil.weights["policy_head.weight"][:, places]
    alone = -rate * (p - pi).T  # of a batch of one; a third of it in a batch of three
    assert np.minimum(np.abs(slopes - alone), np.abs(slopes - alone / 3)).max() < 0.1 * np.abs(alone).max() + 1e-6
    losses = pencil.losses(x, pi, z)
    ask("the returned loss is of which batches: of the last one, or of all in the epoch?"
        if np.abs(losses - mean).min() < 4e-3 else
        "is the loss a mean over the examples or over the batches: how much does a short batch count?")
    assert mean == pytest.approx(losses.mean(), abs=0.01)


@pytest.mark.exercise("5.9")
@pytest.mark.hint("where does the order of the examples come from?")
def test_every_epoch_is_shuffled_by_rng(student, edition):
    """the order is new in every epoch and for every rng, the same for the same rng; no other generator is used

    Promised: rng: the only source of chance: it shuffles the examples anew for every epoch.
    """
    pencil, seed, orders = draw_pencil(edition, 30, 2), edition.getrandbits(30), []
    examples, nets = draw_examples(edition, pencil, STATES), [network(student, pencil, 0.01) for _ in range(3)]
    before = student.disturb(edition.getrandbits(30))  # making a network draws from torch's generator
    for number, (net, optimizer) in zip((seed, seed, seed + 1), nets, strict=True):
        seen = Passes(student, net)
        student.train_policy(TREE, net, optimizer, examples, student.Config(epochs=3, batch_size=2), student.rng(number))
        orders.append(seen.epochs(3))
    ask("do you shuffle the examples again for every epoch?")
    first, second, third = orders[0]
    assert not first == second == third, "three epochs must not have the same order"  # once in 2e7
    assert not first == second[::-1] == third, "an epoch must not turn the order round"
    ask("where does the order of the examples come from: from rng, or from another generator?")
    assert orders[0] == orders[1] != orders[2]  # equal by chance once in 1e11 tries
    assert student.global_state() == before


@pytest.mark.exercise("5.9")
@pytest.mark.hint("in which mode do you train a network, from the first epoch to the last?")
def test_the_network_is_trained_in_train_mode(student, edition):
    """a network left in eval mode is put in train mode before its first call, and stays in it for all epochs

    Promised: The network is in train mode during the training.
    """
    pencil = draw_pencil(edition, 30, 2)
    net, optimizer = network(student, pencil, 0.5)
    # Dropout with p = 1 passes nothing on in train mode and everything in eval mode: only then do these weights move.
    linear = student.call_and_keep("torch.nn.Linear", 30, 1)
    net.value_head = student.call_and_keep("torch.nn.Sequential", student.call_and_keep("torch.nn.Dropout", 1.0), linear)
    weights = student.call_and_keep("torch.nn.Module.parameters", net)
    optimizer = student.call_and_keep("torch.optim.SGD", weights, lr=0.5)
    student.call_and_keep("torch.nn.Module.eval", net)
    first = student.state(linear)
    student.train_policy(TREE, net, optimizer, draw_examples(edition, pencil, STATES), student.Config(epochs=3, batch_size=7),
                         student.rng(1))
    after = student.state(linear)
    assert set(after) == set(first) == {"weight", "bias"}
    assert np.array_equal(first["weight"], after["weight"]), "dropout of everything stops these weights, in train mode only"
    assert not np.array_equal(first["bias"], after["bias"]), "the bias must change: it is trained"


@pytest.mark.exercise("5.9")
@pytest.mark.hint("which actions does your mask call legal during the training?")
def test_the_network_sees_each_states_legal_actions(student, edition):
    """in training, too, the network is given the planes and the legal actions of every state

    Promised: It gets the planes and the legal actions of each batch's states, as `as_batch` makes them.
    """
    net = student.PencilNet(3, 3, 9)
    optimizer = student.call_and_keep("torch.optim.SGD", student.call_and_keep("torch.nn.Module.parameters", net), lr=0.01)
    states = [position(edition, plies) for plies in (1, 3, 5)]
    examples = [(state, np.eye(9)[BOARD.legal_actions(state)[0]], 0.5) for state in states]
    seen = Passes(student, net)
    student.train_policy(BOARD, net, optimizer, examples, student.Config(epochs=1, batch_size=1), student.rng(1))
    legal = {BOARD.planes(state).tobytes(): [[action in BOARD.legal_actions(state) for action in range(9)]] for state in states}
    given_masks = {board: mask.tolist() for boards, mask in zip(seen.boards, seen.legal, strict=True) for board in boards}
    assert given_masks == legal


@pytest.mark.exercise("5.9")
@pytest.mark.hint("the list of examples is the caller's: do you change it, and what does the docstring say if it is empty?")
def test_the_callers_examples_stay_as_they_are(student, edition):
    """the given list does not change, nor its order; an empty list is an error

    Promised: examples: any sequence of (state, policy (A,), value), at least one; it is not changed.
    """
    pencil = draw_pencil(edition, 30, 2)
    net, optimizer = network(student, pencil, 0.01)
    examples = draw_examples(edition, pencil, STATES)
    kept = student.keep(examples)
    student.train_policy(TREE, net, optimizer, kept, student.Config(epochs=3, batch_size=2), student.rng(edition.getrandbits(30)))
    read_back = EXAMPLES(student.read(kept))
    ask("you shuffle a list: is the caller's list in the same order afterwards?")
    assert [state for state, _, _ in read_back] == STATES
    assert [value for _, _, value in read_back] == [value for _, _, value in examples]
    with student.raises(ValueError):
        student.train_policy(TREE, net, optimizer, [], student.Config(), student.rng(1))
    ask("examples are any sequence: do you use methods that only a list has?")
    mean = student.train_policy(TREE, net, optimizer, tuple(examples), student.Config(epochs=1, batch_size=9), student.rng(1))
    assert mean > 0


# -- 5.10 ---------------------------------------------------------------------------------------------


class Story:
    """self_play, train and on_iteration of the grader, and a record of the order of their calls.

    The examples of iteration k have the values 10 k, 10 k + 1, and so on.
    """

    def __init__(self, new: list[int], stop: str = "") -> None:
        self.new, self.stop = iter(new), stop
        self.events: list[str] = []
        self.trained: list[Any] = []
        self.given: list[Any] = []
        self.rounds = 0

    def _happens(self, event: str, arguments: tuple) -> None:
        self.events.append(event)
        self.given.append(arguments[0] if arguments else None)
        if event == self.stop:
            raise Refused("error", "stop here")

    def self_play(self, *arguments: Any) -> list[tuple[str, np.ndarray, float]]:
        self._happens("play", arguments)
        self.rounds += 1
        return [("n1", np.array([0.5, 0.5]), 10.0 * self.rounds + k) for k in range(next(self.new, 0))]

    def train(self, *arguments: Any) -> float:
        self.trained.append(arguments[1] if len(arguments) > 1 else None)
        self._happens("train", arguments)
        return 0.5

    def on_iteration(self, *arguments: Any) -> None:
        self._happens("told", arguments)

    def values(self) -> list[list[float]]:
        """The values that each training was given."""
        return [[value for _, _, value in EXAMPLES(examples)] for examples in self.trained]


def begin(student: Any, window: int) -> Any:
    """A run that has not begun, without a network: learn needs none."""
    return student.Training(TREE, None, None, student.Config(window=window), student.rng(1))


def values_of(training: Any) -> list[float]:
    return [value for _, _, value in training.window]


@pytest.mark.exercise("5.10")
@pytest.mark.hint("where do the examples live between two iterations, and what does train get?")
def test_earlier_games_are_learnt_from_again(student, edition):
    """each training gets the examples of all iterations so far, oldest first

    Promised: train: train(training, examples) learns from the whole window, a list, oldest example first.
    """
    training, story = begin(student, 100), Story([2, 3, 1])
    student.learn(training, 3, story.self_play, story.train)
    trained, held = story.values(), values_of(training)
    ask("when do you call train: in every iteration, or once at the end?")
    assert len(trained) == 3
    if trained != [[10, 11], [10, 11, 20, 21, 22], [10, 11, 20, 21, 22, 30]]:
        recognise(trained, {
            "from which examples does train learn: only the new ones, or all in the window?" if len(held) > 1 else
            "where do the examples live between two iterations?": [[10, 11], [20, 21, 22], [30]],
            "in which order are the examples in the window?": [[10, 11], [20, 21, 22, 10, 11], [30, 20, 21, 22, 10, 11]]})
    ask("where do the examples live between two iterations, and what does train get?")
    assert trained == [[10, 11], [10, 11, 20, 21, 22], [10, 11, 20, 21, 22, 30]]
    assert held == [10, 11, 20, 21, 22, 30]
    other, story = begin(student, 100), Story([1])
    student.learn(other, 1, story.self_play, story.train)
    ask("does every run have its own window, or do two runs share one?")
    assert (story.values(), values_of(other), values_of(training)) == ([[10]], [10], held)


def windows(new: list[int], size: int, mistake: str) -> list[list[float]]:
    """The examples of each training if a full window is treated in a wrong way."""
    held, given = [], []
    for turn, number in enumerate(new, start=1):
        games = [10.0 * turn + k for k in range(number)]
        if mistake == "cut late":
            given.append(held + games)
            held = (held + games)[-size:]
            continue
        if mistake == "emptied" and len(held) + number > size:
            held = []
        held = held + games
        held = {"oldest stay": held[:size], "emptied": held[-size:], "never full": held}[mistake]
        given.append(held)
    return given


@pytest.mark.exercise("5.10")
@pytest.mark.hint("which examples leave when the window is full, and does any leave before it is full?")
def test_the_oldest_leave_a_full_window(student, edition):
    """before each training only the newest config.window examples stay; examples are counted, not games

    Promised: When it holds more than `config.window` examples the oldest leave, before `train` is called.
    """
    new = [2, 2, 2, 7, 1]
    training, story = begin(student, 5), Story(new)
    student.learn(training, 5, story.self_play, story.train)
    trained = story.values()
    wanted = [[10, 11], [10, 11, 20, 21], [11, 20, 21, 30, 31], [42, 43, 44, 45, 46], [43, 44, 45, 46, 50]]
    if trained != wanted:
        recognise(trained, {
            "which examples leave a full window: the oldest, or the newest?": windows(new, 5, "oldest stay"),
            "when do the oldest leave a full window: before the training, or after it?": windows(new, 5, "cut late"),
            "how many examples leave a full window: all of them?": windows(new, 5, "emptied"),
            "what does config.window count, and what happens when there are more?": windows(new, 5, "never full")})
    assert trained == wanted
    assert values_of(training) == [43, 44, 45, 46, 50]


@pytest.mark.exercise("5.10")
@pytest.mark.hint("does a second call begin with nothing?")
def test_a_second_call_goes_on(student, edition):
    """a second call begins with the window and the iteration of the run so far

    Promised: num_iterations: the number of additional iterations, for any `training.iteration`.
    """
    training, story = begin(student, 4), Story([2, 1, 2])
    training.window = [("n2", np.array([0.5, 0.5]), value) for value in (1.0, 2.0, 3.0)]
    training.iteration = earlier = edition.randint(3, 30)
    student.learn(training, 2, story.self_play, story.train)
    trained = story.values()
    ask("how many iterations does a call run: this number more, or until the count reaches it?")
    assert len(trained) == 2
    ask("does a second call begin with an empty window?")
    assert trained == [[2, 3, 10, 11], [3, 10, 11, 20]]
    ask("from which number does a second call count its iterations?")
    assert training.iteration == earlier + 2
    student.learn(training, 1, story.self_play, story.train)
    ask("does a second call begin with nothing?")
    assert story.values()[2:] == [[11, 20, 30, 31]]
    assert training.iteration == earlier + 3


@pytest.mark.exercise("5.10")
@pytest.mark.hint("which step comes first in an iteration, and which comes last?")
def test_the_order_of_an_iteration(student, edition):
    """each iteration plays, trains and calls on_iteration, each with the run as argument; with num_iterations 0 nothing is called

    Promised: Run `num_iterations` iterations: play, store, train, and call `on_iteration`.
    """
    training, story, number = begin(student, 9), Story([1] * 5), edition.randint(2, 4)
    student.learn(training, number, story.self_play, story.train, story.on_iteration)
    ask("how often do you call on_iteration: once, or at the end of each iteration?")
    assert story.events.count("told") == number
    ask("which step comes first in an iteration, and which comes last?")
    assert story.events == ["play", "train", "told"] * number
    ask("which arguments do self_play, train and on_iteration get?")
    assert story.given == [training] * 3 * number
    student.learn(training, 0, story.self_play, story.train, story.on_iteration)
    ask("no iteration is asked for: what happens?")
    assert len(story.events) == 3 * number
    assert training.iteration == number


@pytest.mark.exercise("5.10")
@pytest.mark.hint("when does an iteration count: before the training, before on_iteration, or after it?")
def test_an_iteration_counts_when_it_is_finished(student, edition):
    """when on_iteration is called the iteration is counted; an iteration whose training fails does not count

    Promised: on_iteration: called with `training` at the end of each iteration, when `iteration` has been counted. The new
    examples join the window of the earlier iterations. When it holds more than `config.window` examples the oldest leave,
    before `train` is called. The iteration is counted after `train`.
    """
    for stop, counted in (("told", 1), ("train", 0)):
        training, story = begin(student, 9), Story([2, 2], stop)
        with student.raises(ValueError):
            student.learn(training, 2, story.self_play, story.train, story.on_iteration)
        assert training.iteration == counted
        assert values_of(training) == [10, 11]
