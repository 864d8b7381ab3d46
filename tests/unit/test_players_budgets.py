"""Every player of ours, for any budget: a legal move when the game goes on, a sentence when it is over."""

import random
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from arena.games import Game, State
from arena.match import Player
from arena.players.network import Network, NetworkPlayer, search_all
from arena.players.perfect import PerfectPlayer
from arena.players.random import RandomPlayer
from arena.players.rules import compiled
from arena.players.uct import UCTPlayer, visit_counts

NAMES = ("tic_tac_toe", "connect_four", "othello")
BUDGETS = (1, 2, 3, 7, 8, 50)
# The first column is full, and in the second position every other column too.
FULL_FIRST = "O....../X....../O....../X....../O....../X......"
ONE_LEFT = "OXXOOX./XOOXXO./OXXOOX./XOOXXOX/OXXOOXO/XOOXXOX"


def some_positions(game: Game, count: int, rng: random.Random) -> Iterator[State]:
    """Yield unfinished positions of random games, the last one of each game among them."""
    for _ in range(count):
        state, line = game.start(), []
        while game.outcome(state) is None:
            line.append(state)
            state = game.play(state, rng.choice(game.legal_actions(state)))
        yield from {rng.choice(line), line[-1]}


def finished(game: Game, rng: random.Random) -> State:
    """A position where the game is over."""
    state = game.start()
    while game.outcome(state) is None:
        state = game.play(state, rng.choice(game.legal_actions(state)))
    return state


def answering(number: float, at_illegal: float = 0.0) -> Network:
    """A network that gives `number` for every legal action and for the value, and `at_illegal` for the other actions."""

    def network(planes: np.ndarray, allowed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        values = np.full(len(planes), min(number, 1.0), np.float32)
        return np.where(allowed, np.float32(number), np.float32(at_illegal)), values

    return network


NETWORKS = {"equal": answering(0.1), "nothing": answering(0.0), "nan": answering(float("nan"), float("nan")),
            "nan where it is legal": answering(float("nan")), "illegal": answering(0.0, 1.0), "endless": answering(float("inf"))}


@pytest.mark.parametrize("simulations", BUDGETS)
def test_uct_plays_a_legal_column_with_any_budget(simulations: int) -> None:
    rules, rng = compiled("connect_four"), random.Random(1)
    crowded = [rules.game.parse(text) for text in (FULL_FIRST, ONE_LEFT)]
    assert [rules.game.legal_actions(state) for state in crowded] == [[1, 2, 3, 4, 5, 6], [6]]
    for state in [*crowded, *some_positions(rules.game, 30, rng)]:
        for seed in range(4):
            assert UCTPlayer().choose(state, simulations, random.Random(seed)) in rules.game.legal_actions(state)


def test_one_simulation_draws_among_the_legal_columns_by_the_seed() -> None:
    state = compiled("connect_four").game.parse(FULL_FIRST)
    moves = [UCTPlayer().choose(state, 1, random.Random(seed)) for seed in range(200)]
    assert moves == [UCTPlayer().choose(state, 1, random.Random(seed)) for seed in range(200)]
    assert set(moves) == {1, 2, 3, 4, 5, 6}
    assert visit_counts(state, 1, 1.0, 5).sum() == 0


@pytest.mark.parametrize("exploration", [float("nan"), float("inf"), float("-inf")])
def test_an_exploration_that_is_no_number_is_refused(exploration: float) -> None:
    with pytest.raises(ValueError, match="must be a finite number, not"):
        UCTPlayer(exploration).choose((0, 0), 100, random.Random(1))


@pytest.mark.usefixtures("computing")
@pytest.mark.parametrize("kind", NETWORKS)
@pytest.mark.parametrize("name", NAMES)
def test_a_network_s_player_plays_a_legal_move_with_any_budget_and_whatever_the_network_says(name: str, kind: str) -> None:
    rules = compiled(name)
    player = NetworkPlayer(rules, NETWORKS[kind])
    for state in some_positions(rules.game, 6, random.Random(2)):
        for simulations in (0, *BUDGETS):
            assert player.choose(state, simulations, random.Random(1)) in rules.game.legal_actions(state)


@pytest.mark.usefixtures("computing")
def test_what_a_network_gives_to_illegal_actions_is_in_no_policy() -> None:
    rules = compiled("connect_four")
    states = [rules.game.parse(text) for text in (FULL_FIRST, ONE_LEFT)]
    for simulations in (0, 5):
        policies, _ = search_all(rules, NETWORKS["illegal"], states, simulations)
        assert policies[0, 0] == 0 and policies.sum(axis=1) == pytest.approx(1) and policies[1, 6] == 1
    priors, _ = search_all(rules, NETWORKS["equal"], states, 0)  # right answers of the network stay unchanged
    assert priors[0].tolist() == [0, *[pytest.approx(0.1)] * 6]


@pytest.mark.parametrize("name, make", [
    *((name, lambda rules: NetworkPlayer(rules, answering(0.1))) for name in NAMES),
    *((name, lambda rules: RandomPlayer(rules.game)) for name in NAMES),
    ("connect_four", lambda rules: UCTPlayer()),
    ("connect_four", lambda rules: PerfectPlayer()),
])
def test_where_the_game_is_over_a_player_says_so(name: str, make: Callable[..., Player]) -> None:
    rules = compiled(name)
    player = make(rules)
    for seed in range(5):
        state = finished(rules.game, random.Random(seed))
        for simulations in (1, 30):
            with pytest.raises(ValueError, match="the game is over|a game that goes on"):
                player.choose(state, simulations, random.Random(1))


def test_a_budget_below_the_smallest_is_refused_in_a_sentence() -> None:
    rules = compiled("connect_four")
    for simulations in (0, -1):
        with pytest.raises(ValueError, match=f"at least 1 simulation, not {simulations}"):
            UCTPlayer().choose(rules.game.start(), simulations, random.Random(1))
    with pytest.raises(ValueError, match="0 simulations \\(the network alone\\) or more, not -1"):
        NetworkPlayer(rules, answering(0.1)).choose(rules.game.start(), -1, random.Random(1))
