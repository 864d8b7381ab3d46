"""Everything together: the student's own functions learn from the rules alone."""

from typing import Any

import numpy as np
import pytest

from arena.games import ToyGame
from autograder.grading.hidden_checks.known_mistakes import ask
from tests.hidden.ps5_alphazero.nodes import made
from tests.hidden.ps5_alphazero.oracle import BOARD

NEEDS = ("5.1", "5.2", "5.3", "5.4", "5.5", "5.6", "5.7", "5.8", "5.9", "5.10", "5.11", "5.12", "5.13")
pytestmark = pytest.mark.exercise("joint", needs=NEEDS, cpu_s=12.0)


def choice_of(edition: Any) -> tuple[ToyGame, int]:
    """A game of one choice and two forced moves, and the winning action for the player who chooses."""
    right = edition.randrange(3)
    ends = {f"end{action}": (-1.0 if action != right else 1.0) for action in range(3)}
    ways = {"s0": ["a0", "a1", "a2"], **{f"a{action}": [f"end{action}"] for action in range(3)}}
    return ToyGame(ways, ends), right


def run(student: Any, game: Any, net: Any, self_play: str, iterations: int, **settings: Any) -> Any:
    """A training run of the student's, with the given self-play and training."""
    config = student.Config(simulations=16, games=12, **settings)
    training = made(student, "new_training", game, net, config, 5)
    student.learn(training, iterations, student.functions[self_play], student.functions["train_with_gate"])
    return training


@pytest.mark.hint("do the examples reach the training with their games' results, for the player to move?")
def test_self_play_teaches_who_wins(student, edition):
    """after a few iterations, one game at a time or in lockstep, the network knows the winning move and who wins at each state"""
    game, right = choice_of(edition)
    states = ["s0", "a0", "a1", "a2"]
    planes = np.array([game.planes(state) for state in states])
    for self_play in ("play_one_by_one", "play_together"):
        net = student.PencilNet(1, 7, 3)
        training = run(student, game, net, self_play, 3, epochs=8, batch_size=16, learning_rate=0.1, weight_decay=0.0)
        assert training.iteration == 3
        ask("do the examples reach the training with their games' results, for the player to move?")
        for state, policy, value in training.window:
            assert state in states
            if state != "s0":  # here the winner is already decided
                assert value == (-1.0 if state == f"a{right}" else 1.0)
                assert policy == pytest.approx(np.eye(3)[0], abs=1e-9)
        log_p, value = net_answers(student, net, planes)
        ask("do you train the network in every iteration, both its answers, in the direction that lowers the loss?")
        assert np.exp(log_p[0, right]) > 0.5
        assert [v > 0 for v in value[1:]] == [action != right for action in range(3)]


def net_answers(student: Any, net: Any, planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The present answers of a PencilNet, computed here."""
    weights = student.state(net)
    assert {name: value.shape for name, value in weights.items()} == {
        "policy_head.weight": (3, 14), "policy_head.bias": (3,), "value_head.weight": (1, 14), "value_head.bias": (1,)}
    rows = planes.reshape(len(planes), -1)
    logits = rows @ weights["policy_head.weight"].T + weights["policy_head.bias"]
    log_p = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    return log_p, np.tanh(rows @ weights["value_head.weight"][0] + weights["value_head.bias"][0])


@pytest.mark.hint("which of your functions do not fit each other?")
def test_a_network_of_ones_own_goes_through_the_loop(student, edition):
    """your own network plays Tic-Tac-Toe against itself and trains, and `keep_or_restore` decides whether it is kept"""
    net = made(student, "make_net", BOARD, 4, 16)
    before = student.state(net)
    training = run(student, BOARD, net, "play_together", 1, epochs=1, batch_size=64, learning_rate=0.01, gate=0.0, gate_pairs=1)
    after = student.state(net)
    ask("does a trained iteration count, and does the training change the weights of the network?")
    assert training.iteration == 1
    assert set(before) == set(after) and [name for name in before if not np.array_equal(before[name], after[name])] != []
    ask("an illegal action: does it bring a nan into the loss, and so into the weights?")
    assert [name for name, value in after.items() if not np.isfinite(value).all()] == []
    window = training.window
    ask("which examples does the window hold: every position of every game, with symmetries, policy and result?")
    assert 12 * 5 <= len(window) <= 12 * 9 * 8
    assert [policy for _, policy, _ in window if len(policy) != 9 or not abs(policy.sum() - 1) < 1e-6] == []
    assert [value for _, _, value in window if value not in (-1.0, 0.0, 1.0)] == []
