"""The AlphaZero at the beginning of problem set 5: its gradient, its search, and that it learns."""

import numpy as np
import pytest

from arena.games.tic_tac_toe import TicTacToe
from arena.show.learning import Network, Search, boards, episode, lost_games, positions, watch_learning

GAME = TicTacToe()


def loss(net: Network, planes: np.ndarray, pi: np.ndarray, z: np.ndarray) -> float:
    policy, value, _, _ = net.forward(planes)
    return float(((z - value) ** 2 - np.where(pi > 0, pi * np.log(policy), 0).sum(1)).mean())


def flat() -> Search:
    """Return a search with a network that knows nothing."""
    return Search(np.full((len(positions()), 9), 1 / 9), np.zeros(len(positions())))


@pytest.mark.usefixtures("repetition")
def test_every_position_that_goes_on_is_known():
    assert len(positions()) == 4520 and boards().shape == (4520, 18)


@pytest.mark.usefixtures("repetition")
def test_a_step_goes_down_the_loss():
    net, rng = Network(np.random.default_rng(1)), np.random.default_rng(2)
    planes = boards()[rng.choice(4520, 32, replace=False)]
    free = planes[:, :9] + planes[:, 9:] == 0
    pi, z = free / free.sum(1, keepdims=True), rng.choice([-1.0, 0.0, 1.0], 32)
    before = loss(net, planes, pi, z)
    for _ in range(20):
        net.learn(planes, pi, z)
    assert loss(net, planes, pi, z) < before - 0.2


@pytest.mark.usefixtures("repetition")
def test_the_search_takes_a_win_and_stops_a_loss():
    assert flat().visits(GAME.parse("XX./OO./..."), 50).argmax() == 2
    assert flat().visits(GAME.parse("XX./O../..."), 200).argmax() == 2


@pytest.mark.usefixtures("repetition")
def test_an_episode_tells_the_result_to_each_mover():
    rng = np.random.default_rng(3)
    for _ in range(20):
        record = episode(flat(), 5, rng)
        results = [z for _, _, z in record]
        assert all(later == -earlier for earlier, later in zip(results, results[1:]))
        assert all(pi.sum() == pytest.approx(1) and not pi[planes.sum(0) > 0].any() for planes, pi, _ in record)


@pytest.mark.usefixtures("repetition")
def test_a_player_who_takes_the_first_free_square_loses_and_one_who_searches_seldom():
    naive, games = lost_games(lambda state: GAME.legal_actions(state)[0])
    careful, more = lost_games(lambda state: int(flat().visits(state, 300).argmax()))
    assert naive / games > 0.3 and careful / more < 0.05


@pytest.mark.usefixtures("repetition")
def test_it_learns_and_shows_it(capsys: pytest.CaptureFixture):
    progress = watch_learning(6, 40)
    first, last = progress.lost["the network alone"][0], progress.lost["the network alone"][-1]
    assert progress.games == [0, 40, 80, 120, 160, 200, 240] and last < first / 2
    assert "0 games" in capsys.readouterr().out and progress._repr_png_().startswith(b"\x89PNG")
