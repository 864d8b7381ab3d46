"""The planes that a network gets beside the stones: right in every position, in both types of numbers, saved nowhere."""

import random
from pathlib import Path

import numpy as np
import pytest
import torch

from arena.games import State
from arena.players.bitboard import winning_squares
from arena.players.network import load_net, new_net, save_net
from arena.players.planes import rule_planes
from arena.players.rules import CompiledRules, compiled, legal

GAMES = ("connect_four", "othello")


def positions_of_random_games(rules: CompiledRules, count: int) -> list[State]:
    game, rng, states = rules.game, random.Random(4), []
    for _ in range(count):
        state = game.start()
        while game.outcome(state) is None:
            states.append(state)
            state = game.play(state, rng.choice(game.legal_actions(state)))
    return states


def stones(rules: CompiledRules, states: list[State]) -> torch.Tensor:
    boards = [[own >> rules.bits & 1 for own in rules.bits_of(state)] for state in states]
    return torch.tensor(np.array(boards), dtype=torch.float32)


def shown(rules: CompiledRules, own: int, theirs: int) -> np.ndarray:
    """Return the squares that a plane of patterns must show, (H, W)."""
    if rules.name == "connect_four":
        return winning_squares(own, own | theirs) >> rules.bits & 1
    actions = legal(rules.number, own, theirs)  # a pass is not a square
    return (actions >> np.arange(36) & 1).reshape(6, 6)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("name", GAMES)
def test_the_squares_are_those_of_the_rules_for_both_players(name: str, dtype: torch.dtype) -> None:
    rules = compiled(name)
    states = positions_of_random_games(rules, 60)
    boards = stones(rules, states)
    planes = rule_planes(rules).to(dtype)(boards.to(dtype)).float()
    assert torch.equal(planes[:, :2], boards)
    for state, seen in zip(states, planes.numpy(), strict=True):
        own, theirs = rules.bits_of(state)
        assert (seen[2] == shown(rules, own, theirs)).all() and (seen[3] == shown(rules, theirs, own)).all()


def test_in_connect_four_each_player_has_the_rows_that_it_comes_to_when_all_columns_are_filled_in_turn() -> None:
    """Column by column the first player, who began, gets the odd rows from the bottom, and the second player the even ones."""
    rules = compiled("connect_four")
    states = positions_of_random_games(rules, 3)
    for state, seen in zip(states, rule_planes(rules)(stones(rules, states))[:, 4], strict=True):
        sign = 1 if rules.game.player(state) == 0 else -1
        assert seen.tolist() == [[sign * (-1) ** row] * 7 for row in range(5, -1, -1)]


def test_in_othello_the_sign_says_who_moves_last() -> None:
    rules = compiled("othello")
    states = positions_of_random_games(rules, 3)
    for state, seen in zip(states, rule_planes(rules)(stones(rules, states))[:, 4], strict=True):
        free = 36 - sum(own.bit_count() for own in rules.bits_of(state))
        assert (seen == (1 if free % 2 else -1)).all()


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("stones_only", [False, True])
def test_weights_say_whether_a_network_has_the_planes(name: str, stones_only: bool, tmp_path: Path) -> None:
    rules = compiled(name)
    net = new_net(rules, 4, 1, stones_only)
    save_net(net, tmp_path / "net.npz")
    loaded = load_net(rules, tmp_path / "net.npz")
    planes, allowed = stones(rules, [rules.game.start()]), torch.ones(1, rules.num_actions, dtype=torch.bool)
    with torch.no_grad():
        assert torch.equal(loaded(planes, allowed)[1], net.eval()(planes, allowed)[1])
    assert (loaded.more_planes is None) == stones_only
    assert not any("more_planes" in weight for weight in net.state_dict())


@pytest.mark.parametrize("weight, bias", [((3,), (4,)), ((4, 5, 3, 3), ())])
def test_arrays_of_other_shapes_are_no_network(weight: tuple[int, ...], bias: tuple[int, ...], tmp_path: Path) -> None:
    np.savez(tmp_path / "net.npz", **{"stem.weight": np.zeros(weight), "stem.bias": np.zeros(bias)})
    with pytest.raises(ValueError, match="holds no network for connect_four"):
        load_net(compiled("connect_four"), tmp_path / "net.npz")


def test_tic_tac_toe_has_stones_alone() -> None:
    assert new_net(compiled("tic_tac_toe"), 4, 1).more_planes is None
