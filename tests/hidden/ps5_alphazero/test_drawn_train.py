"""5.9 and 5.10: a training that takes nothing from the training before, and windows of any size."""

from random import Random
from typing import Any

import numpy as np
import pytest

from arena.games import after
from autograder.grading.hidden_checks.known_mistakes import ask
from tests.hidden.full_games import full_game
from tests.hidden.ps5_alphazero.nodes import keep_function
from tests.hidden.ps5_alphazero.oracle import COLUMNS, Pencil, draw_pencil
from tests.hidden.ps5_alphazero.test_train import (
    STATES,
    TREE,
    Passes,
    Story,
    begin,
    draw_examples,
    network,
    rows,
    targets,
    values_of,
    weights_of,
)


@pytest.mark.exercise("5.9")
@pytest.mark.hint("the first batch begins: which gradients are already there?")
def test_the_first_step_has_its_own_gradient_too(student, edition):
    """gradients from an earlier backward of other code do not move the weights

    Promised: The optimizer makes one step for each batch, with the gradient of `loss` for this batch alone.
    """
    pencil, rate = draw_pencil(edition, 30, 2), edition.uniform(0.3, 0.6)
    examples = draw_examples(edition, pencil, edition.sample(STATES, 4))
    net, optimizer = network(student, pencil, rate)
    question = [student.tensor(TREE.planes("n1")[None]), student.tensor(np.ones((1, 2), bool))]
    outputs = student.call_and_keep("torch.nn.Module.__call__", net, *question)
    left_over = [np.array([[0.0, 3.0]], np.float32), np.array([5.0], np.float32)]
    student.call_and_keep("torch.autograd.backward", outputs, [student.tensor(each) for each in left_over])
    student.train_policy(TREE, net, optimizer, examples, student.Config(epochs=1, batch_size=4), student.rng(1))
    wanted, weights = pencil.step(*targets(examples), rate), weights_of(student, net, pencil)
    for name, value in wanted.weights.items():
        assert weights[name] == pytest.approx(value, abs=2e-5)


@pytest.mark.exercise("5.9")
@pytest.mark.hint("does every training learn its own examples, also from a list that was used before?")
def test_the_second_training_learns_its_own_examples(student, edition):
    """a second call, with other examples or the same list, with another network or the same one, trains like the first

    Promised: Train the network on `examples` and return the mean loss of the last epoch.
    """
    pencil, rate = draw_pencil(edition, 30, 2), 0.4
    nets = [network(student, pencil, rate) for _ in range(2)]
    config, stages = student.Config(epochs=1, batch_size=5), [pencil, pencil]
    for place in (0, 0, 1, 0):
        examples = draw_examples(edition, stages[place], edition.sample(STATES, 3))
        mean = student.train_policy(TREE, *nets[place], examples, config, student.rng(1))
        assert mean == pytest.approx(stages[place].losses(*targets(examples)).mean(), abs=1e-4)
        stages[place] = stages[place].step(*targets(examples), rate)
        weights = weights_of(student, nets[place][0], pencil)
        for name, value in stages[place].weights.items():
            assert weights[name] == pytest.approx(value, abs=5e-5)
    ask("what does the optimizer keep from one training to the next: do you take it away?")
    net, _ = network(student, pencil, rate)
    weights = student.call_and_keep("torch.nn.Module.parameters", net)
    optimizer = student.call_and_keep("torch.optim.SGD", weights, lr=rate, momentum=0.9)
    for _ in range(2):
        student.train_policy(TREE, net, optimizer, examples, config, student.rng(1))
    once = pencil.step(*targets(examples), rate)
    twice, weights = once.step(*targets(examples), rate), weights_of(student, net, pencil)
    for name, value in twice.weights.items():  # the momentum adds .9 of the first step to the second
        assert weights[name] == pytest.approx(value + 0.9 * (once.weights[name] - pencil.weights[name]), abs=5e-5)
    ask("does every training learn its own examples, also from a list that was used before?")
    kept, rng = student.keep(examples), student.rng(2)
    for _ in range(3):
        mean = student.train_policy(TREE, *nets[0], kept, config, rng)
        assert mean == pytest.approx(stages[0].losses(*targets(examples)).mean(), abs=1e-4)
        stages[0] = stages[0].step(*targets(examples), rate)


@pytest.mark.exercise("5.9")
@pytest.mark.hint("what can end a training before its last epoch?")
def test_every_epoch_is_run(student, edition):
    """all epochs are run with every example, even if the loss does not change or becomes worse

    Promised: config: `epochs` times every example is used exactly once, in batches of `batch_size`;
    """
    for rate, epochs, copies, size in ((0.0, edition.randint(8, 11), 30, 200), (30.0, 5, 5, edition.choice([2, 3]))):
        pencil = draw_pencil(edition, 30, 2)
        net, optimizer = network(student, pencil, rate)
        seen, examples = Passes(student, net), draw_examples(edition, pencil, STATES[:5]) * copies
        config = student.Config(epochs=epochs, batch_size=size)
        student.train_policy(TREE, net, optimizer, examples, config, student.rng(1))
        sizes = [min(size, len(examples) - begun) for begun in range(0, len(examples), size)]
        assert [len(boards) for boards in seen.boards] == sizes * epochs


@pytest.mark.exercise("5.9")
@pytest.mark.hint("does an example that is there twice count twice, and does a value of 0 count like any other?")
def test_any_examples_make_their_step(student, edition):
    """equal states with different targets, draws, and policies with 1 on one action: each example has its share of the step

    Promised: The optimizer makes one step for each batch, with the gradient of `loss` for this batch alone.
    """
    pencil, rate = draw_pencil(edition, 30, 2), edition.uniform(0.2, 0.5)
    drawn = [("n1", [1.0, 0.0], 0.0), *[("n1", [0.0, 1.0], 1.0)] * 2, ("n2", [0.5, 0.5], -1.0), ("n3", [0.25, 0.75], 0.0)]
    examples = [(state, np.array(pi), z) for state, pi, z in edition.sample(drawn, 5)]
    net, optimizer = network(student, pencil, rate)
    mean = student.train_policy(TREE, net, optimizer, examples, student.Config(epochs=2, batch_size=5), student.rng(1))
    once = pencil.step(*targets(examples), rate)
    wanted, weights = once.step(*targets(examples), rate), weights_of(student, net, pencil)
    won = [example for example in examples if example[2]]
    lasting = pencil.step(*targets(won), rate).step(*targets(won), rate)
    ask("do drawn games teach like any other games?" if
        np.allclose(weights["value_head.bias"], lasting.weights["value_head.bias"], rtol=0, atol=5e-5) else
        "does an example that is there twice count twice, with its own targets?")
    for name, value in wanted.weights.items():
        assert weights[name] == pytest.approx(value, abs=5e-5)
    assert mean == pytest.approx(once.losses(*targets(examples)).mean(), abs=1e-4)


@pytest.mark.exercise("5.9")
@pytest.mark.hint("how large may a gradient be: is each step made with the whole gradient?")
def test_a_board_full_of_stones_has_a_large_gradient(student, edition):
    """a nearly full board of Connect Four moves the weights by the whole gradient, however large it is

    Promised: The optimizer makes one step for each batch, with the gradient of `loss` for this batch alone.
    """
    state = after(COLUMNS, full_game(edition)[:39])
    action = edition.choice(COLUMNS.legal_actions(state))
    small = {name: 0.01 * weight for name, weight in draw_pencil(edition, 84, 7).weights.items()}
    pencil, pi, rate = Pencil(small), np.eye(7)[action], edition.uniform(0.3, 0.6)
    net, optimizer = network(student, pencil, rate)
    student.train_policy(COLUMNS, net, optimizer, [(state, pi, 1.0)], student.Config(epochs=1, batch_size=1), student.rng(1))
    wanted, weights = pencil.step(rows(COLUMNS, [state]), pi[None], np.array([1.0]), rate), weights_of(student, net, pencil)
    for name, value in wanted.weights.items():
        assert weights[name] == pytest.approx(value, abs=5e-5)


# -- 5.10 ---------------------------------------------------------------------------------------------


class Alike(Story):
    """A story in which every example of every iteration is the same, and every callback returns something."""

    def self_play(self, *arguments: Any) -> list[tuple[str, np.ndarray, float]]:
        return [("n1", np.array([0.5, 0.5]), 1.0) for _ in super().self_play(*arguments)]

    def train(self, *arguments: Any) -> None:  # type: ignore[override]
        super().train(*arguments)

    def on_iteration(self, *arguments: Any) -> bool:  # type: ignore[override]
        super().on_iteration(*arguments)
        return True


def draw_story(edition: Random) -> tuple[int, list[int]]:
    """The size of a window and the numbers of new examples of some iterations, 0 among the later ones."""
    return edition.randint(1, 9), [edition.randint(1, 12), 0, *(edition.randint(0, 12) for _ in range(edition.randint(1, 4)))]


@pytest.mark.exercise("5.10")
@pytest.mark.hint("many examples are equal: which ones count, and what happens in an iteration without new ones?")
def test_equal_examples_count_each(student, edition):
    """equal examples are kept like others, an iteration without new ones also trains, and no callback's result ends the run

    Promised: Run `num_iterations` iterations: play, store, train, and call `on_iteration`.
    """
    for _ in range(3):
        window, new = draw_story(edition)
        training, story = begin(student, window), Alike(new)
        student.learn(training, len(new), story.self_play, story.train, story.on_iteration)
        sizes, held = [], 0
        for number in new:
            held = min(window, held + number)
            sizes.append(held)
        events = story.events
        ask("can a result of on_iteration or train end the run?")
        assert events.count("play") == len(new)
        ask("does an iteration without new examples count, and train, like any other?")
        assert events.count("train") == events.count("told") == len(new)
        ask("many examples are equal: which ones does the window hold?")
        assert [len(values) for values in story.values()] == sizes
        assert len(values_of(training)) == held
        assert (story.events, training.iteration) == (["play", "train", "told"] * len(new), len(new))


@pytest.mark.exercise("5.10")
@pytest.mark.hint("how many examples does a full window hold, and which ones?")
def test_windows_of_any_size(student, edition):
    """for windows of any size, and any number of new examples, the newest stay, oldest first

    Promised: When it holds more than `config.window` examples the oldest leave, before `train` is called.
    """
    for long in (True, False, False, False):
        window, new = draw_story(edition)
        new += [1] * 8 if long else []  # the first run is a long one
        training, story, other = begin(student, window), Story(new), begin(student, 50)
        student.learn(training, len(new), story.self_play, story.train)
        held, wanted = [], []
        for turn, number in enumerate(new, start=1):
            held = [*held, *(10.0 * turn + k for k in range(number))][-window:]
            wanted.append(held)
        assert story.values() == wanted
        assert values_of(training) == held
        assert (values_of(other), other.iteration) == ([], 0)  # another run knows nothing of this one
    ask("a run goes on with too many examples in its window: how many are left before the training?")
    training, story = begin(student, 3), Story([1])
    training.window = [("s0", np.array([0.25, 0.75]), float(value)) for value in range(7)]
    student.learn(training, 1, story.self_play, story.train)
    assert story.values() == [[5.0, 6.0, 10.0]]


@pytest.mark.exercise("5.10")
@pytest.mark.hint("a second call has the same arguments as the first: what does it do?")
def test_the_same_call_again_goes_on(student, edition):
    """a second call with the same arguments runs the same number of iterations more

    Promised: num_iterations: the number of additional iterations, for any `training.iteration`.
    """
    training, number = begin(student, 50), edition.randint(1, 3)
    games = [[("n1", np.array([0.5, 0.5]), float(value))] for value in range(2 * number)]
    play = keep_function(student, student.in_turn(games), "self_play")
    train = keep_function(student, student.answers(other=0.5), "train")
    for turn in (1, 2):
        student.learn(training, number, play, train)
        assert (values_of(training), training.iteration) == ([float(value) for value in range(turn * number)], turn * number)
