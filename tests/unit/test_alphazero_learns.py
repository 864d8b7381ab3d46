"""ps5's reference learns Tic-Tac-Toe from the rules alone: afterwards it loses no game, whatever the replies are."""

import importlib.util
import random
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import torch

from arena.games import ConnectFour, TicTacToe, result_for

SOURCE = Path(__file__).resolve().parents[2] / "solutions" / "ps5_alphazero.py"
ITERATIONS, SIMULATIONS = 9, 50


@pytest.fixture(scope="module")
def lesson() -> ModuleType:
    """The solved lesson as a module; its visible checks are registered and do not run."""
    spec = importlib.util.spec_from_file_location("solved_ps5_alphazero", SOURCE)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses need their module in sys.modules
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def training(lesson: ModuleType) -> Any:
    """A run of 9 iterations: 17 seconds of one core, measured."""
    torch.manual_seed(0)
    game = TicTacToe()
    run = lesson.new_training(game, lesson.make_net(game), lesson.Config(simulations=SIMULATIONS), 0)
    lesson.learn(run, ITERATIONS, lesson.play_together, lesson.train_with_gate)
    return run


def losses(lesson: ModuleType, net: Any, player: int, simulations: int) -> int:
    """The number of different final positions, over all possible replies, in which `player` has lost."""
    game, choose = TicTacToe(), lesson.best_move_of(TicTacToe(), net, simulations, seed=0)
    todo, seen, lost = [game.start()], set(), 0
    while todo:
        state = todo.pop()
        if state in seen:
            continue
        seen.add(state)
        if game.outcome(state) is not None:
            lost += result_for(game, state, player) < 0
        elif game.player(state) == player:
            todo.append(game.play(state, choose(state)))
        else:
            todo += [game.play(state, action) for action in game.legal_actions(state)]
    return lost


@pytest.mark.usefixtures("repetition")
def test_it_never_loses_whatever_is_replied(lesson: ModuleType, training: Any) -> None:
    assert [losses(lesson, training.net, player, SIMULATIONS) for player in (0, 1)] == [0, 0]


@pytest.mark.usefixtures("repetition")
def test_an_untrained_network_does_lose(lesson: ModuleType) -> None:
    torch.manual_seed(0)
    net = lesson.make_net(TicTacToe())
    assert min(losses(lesson, net, player, 10) for player in (0, 1)) > 0


@pytest.mark.usefixtures("repetition")
def test_a_run_that_was_saved_goes_on_exactly(lesson: ModuleType, tmp_path: Path) -> None:
    game, config = TicTacToe(), lesson.Config(simulations=5, games=4, window=300)

    def begun() -> Any:
        torch.manual_seed(1)
        return lesson.new_training(game, lesson.make_net(game, 4, 8), config, 1)

    through, stopped, resumed = begun(), begun(), begun()
    lesson.learn(through, 4, lesson.play_together, lesson.train_with_gate)
    lesson.learn(stopped, 2, lesson.play_together, lesson.train_with_gate)
    lesson.save_checkpoint(stopped, str(tmp_path / "run.pt"))
    random.random()  # another process would stand elsewhere, too
    lesson.resume_checkpoint(resumed, str(tmp_path / "run.pt"))
    lesson.learn(resumed, 2, lesson.play_together, lesson.train_with_gate)
    assert resumed.iteration == through.iteration == 4
    for name, weights in through.net.state_dict().items():
        assert torch.equal(weights, resumed.net.state_dict()[name]), name
    assert [(state, value) for state, _, value in resumed.window] == [(state, value) for state, _, value in through.window]


@pytest.mark.usefixtures("repetition")
def test_in_step_and_one_by_one_tell_of_the_same_games(lesson: ModuleType) -> None:
    game, config = ConnectFour(), lesson.Config(simulations=8, games=3)
    torch.manual_seed(2)
    run = lesson.new_training(game, lesson.make_net(game, 4, 8), config, 2)
    for self_play in (lesson.play_one_by_one, lesson.play_together):
        examples = self_play(run)
        assert len(examples) > 30
        for state, policy, value in examples:
            legal = game.legal_actions(state)
            assert value in (-1.0, 0.0, 1.0) and abs(policy.sum() - 1) < 1e-9
            assert all(policy[action] == 0 for action in range(7) if action not in legal)
