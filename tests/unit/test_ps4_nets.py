"""The stored games and networks of problem set 4: numbers only, small, legal, and strong enough to help a search."""

import numpy as np
import pytest
import torch

from arena import nets
from arena.games import Othello
from arena.match import play_match
from arena.players.random import RandomPlayer
from assets.make import nets_page
from assets.make import ps4_nets as command

GAME = Othello()


@pytest.mark.parametrize("name", ["othello6_games", "othello6_policy", "othello6_value"])
def test_the_files_are_small_and_hold_nothing_but_numbers(name):
    path = nets.find(name)
    assert path.stat().st_size < 1_000_000
    with np.load(path, allow_pickle=False) as archive:
        assert {archive[key].dtype.kind for key in archive.files} <= {"f", "i"}


def test_every_stored_game_is_legal_and_goes_to_its_end():
    results, passes, games = set(), 0, nets.games()
    assert len(games) == len(set(map(tuple, games))) >= 1000
    for actions in games:
        state = GAME.start()
        for action in actions:
            state = GAME.play(state, action)
        results.add(GAME.outcome(state))
        passes += 36 in actions
    assert results == {1.0, 0.0, -1.0}
    assert passes > 100


@pytest.mark.usefixtures("computing")
def test_the_command_makes_the_stored_games():
    """The first game again; about 0.3 s."""
    assert command.play_stored_game(0) == nets.games()[0]


def test_an_example_turns_with_its_action():
    examples = command.tensors(nets.games()[:3])
    planes, actions, results = command.turned(examples, np.random.default_rng(0))
    states = [state for game in nets.games()[:3] for state, _, _ in command.ps4_puct.examples(GAME, game)]
    same = 0
    for i, state in enumerate(states):
        policy = np.arange(37) == examples[1][i].item()
        images = [(GAME.planes(image).tobytes(), int(moved.argmax())) for image, moved in GAME.symmetries(state, policy)]
        assert (planes[i].numpy().tobytes(), actions[i].item()) in images
        same += bool((planes[i] == examples[0][i]).all())
    assert torch.equal(results, examples[2])
    assert same < len(states) / 2  # most were turned


@pytest.mark.first_shows
@pytest.mark.usefixtures("repetition")
@pytest.mark.parametrize("name", ["value", "policy"])
@pytest.mark.usefixtures("one_thread")
def test_each_network_alone_beats_random(name):
    """40 games; README.md has 200. At a true score of .9 it is below .7 once in 10,000 times, and this seed is fixed."""
    result = play_match(GAME, command.players()[name], RandomPlayer(GAME), 40, 1, seed=1)
    assert result.faults == ()
    assert result.score >= 0.7


def test_a_section_replaces_its_own_part_of_the_page(tmp_path, monkeypatch):
    monkeypatch.setattr(nets_page, "PAGE", tmp_path / "README.md")
    for heading, text in [("Connect Four", "net"), ("The table", "| a |"), ("The games", "old"), ("The games", "new")]:
        nets_page.write_section(heading, text)
    page = (tmp_path / "README.md").read_text()
    assert page == nets_page.INTRODUCTION + "\n## The games\n\nnew\n\n## The table\n\n| a |\n\n## Connect Four\n\nnet\n"
