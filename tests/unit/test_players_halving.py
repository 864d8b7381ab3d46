"""The root's other rule: sequential halving shares the simulations out as its source says, and the policy is improved."""

import numpy as np
import pytest

from arena.games import ConnectFour
from arena.players.network import Asking, Network
from arena.players.puct import Forest, Settings, completed_values, improved_policy, new_forest, plant
from arena.players.rules import compiled

RULES, GAME = compiled("connect_four"), ConnectFour()


def stones_left(planes: np.ndarray, allowed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Equal priors; a position is good for whoever has more stones in the left columns."""
    values = (planes[:, 0, :, :3].sum((1, 2)) - planes[:, 1, :, :3].sum((1, 2))) / 50
    return (allowed / allowed.sum(axis=1, keepdims=True)).astype(np.float32), values.astype(np.float32)


def nothing(planes: np.ndarray, allowed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    priors, values = stones_left(planes, allowed)
    return priors, 0 * values


def searched(budget: int, considered: int, network: Network, noise: list[float], state: tuple[int, int] = (0, 0)) -> Forest:
    forest = new_forest(1, budget, RULES.num_actions)
    plant(RULES.number, forest, 0, *state)
    forest.plan[0], forest.noise[0] = considered, noise
    asking, budgets = Asking(RULES, 1), np.array([budget], np.int32)
    while asking.step(forest, budgets, Settings(), network):
        pass
    return forest


@pytest.mark.parametrize("budget, considered, visits", [
    (7, 7, [1, 1, 1, 1, 1, 1, 1]),  # one each
    (32, 7, [1, 1, 1, 1, 4, 12, 12]),  # 7 x 1, 3 x 3, 2 x 5 and 2 x 3 that are left over
    (16, 4, [0, 0, 0, 2, 2, 6, 6]),  # 4 x 2, 2 x 4
    (5, 1, [0, 0, 0, 0, 0, 0, 5]),
])  # fmt: skip
def test_each_round_shares_its_simulations_and_leaves_the_worse_half_out(budget: int, considered: int, visits: list[int]) -> None:
    noise = [0.1 * action for action in range(7)]  # alone decides, where all values are equal
    forest = searched(budget, considered, nothing, noise)
    assert forest.visits[0, 0].sum() == budget
    assert forest.visits[0, 0].tolist() == visits


def test_where_nothing_was_found_the_improved_policy_is_the_prior() -> None:
    forest = searched(20, 7, nothing, [0.0] * 7)
    assert np.allclose(improved_policy(forest, 0, Settings()), 1 / 7)


def test_better_values_get_more_of_the_policy_and_unvisited_actions_the_mixed_value() -> None:
    forest = searched(8, 2, stones_left, [9, 0, 0, 0, 0, 0, 8])
    values, policy = completed_values(forest, 0), improved_policy(forest, 0, Settings())
    assert (forest.visits[0, 0] > 0).tolist() == [True, *[False] * 5, True]
    assert values[0] > values[1] > values[6] and len(set(values[1:6].tolist())) == 1
    assert policy[0] > policy[1] > policy[6] and policy.sum() == pytest.approx(1)
    mean = (values[0] + values[6]) / 2  # of equal priors
    assert values[1] == pytest.approx((forest.value[0, 0] + 8 * mean) / 9)


def test_moves_that_are_proved_to_lose_get_no_simulation_and_no_share() -> None:
    """The other player threatens to complete the bottom row, in column 4 alone."""
    forest = searched(24, 7, nothing, [0.0] * 7, GAME.parse("......./......./......./......./X....../XOOO..X"))
    assert np.flatnonzero(forest.visits[0, 0]).tolist() == [4] == np.flatnonzero(improved_policy(forest, 0, Settings())).tolist()
