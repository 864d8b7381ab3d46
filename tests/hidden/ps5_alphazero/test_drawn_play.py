"""5.8 on drawn games, and what holds for every episode: its rng, its arguments, no trace of the game before."""

from typing import Any

import numpy as np
import pytest

from arena.games import ToyGame
from tests.hidden.generators import draw_game, states_of
from tests.hidden.ps5_alphazero.nodes import hang, keep, keep_network, plant
from tests.hidden.ps5_alphazero.oracle import Scripted, line, random_game
from tests.hidden.ps5_alphazero.test_drawn_search import table_game
from tests.hidden.ps5_alphazero.test_play import HISTORY, examples_of, policy_at, same

pytestmark = pytest.mark.exercise("5.8")


@pytest.mark.hint("what tells a finished state from one that goes on, and how few moves can a game have?")
def test_openings_of_any_game(student, edition):
    """in games of one move or many, with states of any kind, each opening is reached in at most four moves and goes on"""
    for shape in ("line", "bushy", "wide", "forced"):
        game, rng = draw_game(edition, shape), student.rng(edition.getrandbits(30))
        reached, layer = {game.start()}, {game.start()}
        for _ in range(4):
            layer = {after for state in layer for action in game.legal_actions(state)
                     if game.outcome(after := game.play(state, action)) is None}
            reached |= layer
        assert set(student.many("opening", [(game, rng)] * 30)) <= reached


@pytest.mark.hint("whose result is it, and which list is the caller's?")
def test_examples_of_any_game(student, edition):
    """games of up to 60 moves, with gaps between the actions and states of any kind: each mover's result, and nothing changes"""
    for shape in ("line", "bushy", "forced", "wide"):
        game = draw_game(edition, shape)
        states = random_game(edition, game)
        history = [(state, policy_at(edition, game, state)) for state in states[:-1]]
        kept = keep(student, history)
        for _ in range(3):  # an odd number: a list that is turned round twice is as it was
            assert same(student.make_examples(game, kept, states[-1]), examples_of(game, history, states[-1]))
        found = HISTORY(student.read(kept))
        assert [state for state, _ in found] == states[:-1]
        assert [policy.tolist() for _, policy in found] == [policy.tolist() for _, policy in history]


@pytest.mark.hint("which action belongs to which entry of the policy, and to which child?")
def test_a_move_in_any_game(student, edition):
    """the action with most visits is played, whatever its number; the state and the whole policy are remembered"""
    for _ in range(6):
        game = draw_game(edition, edition.choice(["wide", "forced", "line"]))
        actions = game.legal_actions(game.start())
        for exploring in (0, 4):
            favourite = edition.randrange(len(actions))
            visits = [7 if index == favourite else 0 if exploring else 6 for index in range(len(actions))]
            root = plant(student, game, game.start(), [1 / len(actions)] * len(actions), visits)
            child = student.Node(game, game.play(game.start(), actions[favourite]))
            hang(root, {favourite: child}, len(actions))
            history = keep(student, [])
            config = student.Config(exploring_plies=exploring)
            assert student.play_move(game, root, history, config, student.rng(edition.getrandbits(30))) == child
            remembered = HISTORY(student.read(history))
            assert [state for state, _ in remembered] == [game.start()]
            assert remembered[0][1].tolist() == pytest.approx(spread(game, actions, visits), abs=1e-6)


def spread(game: Any, actions: list[int], visits: list[int]) -> list[float]:
    """The shares of the visits at their actions' places."""
    policy = np.zeros(game.num_actions)
    policy[actions] = np.array(visits) / sum(visits)
    return policy.tolist()


@pytest.mark.hint("where does every draw of an episode come from?")
def test_episodes_repeat_with_their_rng(student, edition):
    """the same rng gives the same games again, another rng others, and no other generator is used from start to end"""
    tree = {"s0": ["a", "b", "c"], "a": ["d", "e", "f"], "b": ["g", "h", "i"], "c": ["j", "k", "l"]}
    game, config = ToyGame(tree, {"d": 1.0, "g": -1.0, "l": 1.0}), student.Config(simulations=9, exploring_plies=2)
    net = keep_network(student, Scripted(game, seed=edition.getrandbits(20)))
    seed, games = edition.getrandbits(30), []
    for number in (seed, seed, seed + 1):
        rng, before = student.rng(number), student.disturb(edition.getrandbits(30))
        episodes = student.many("execute_episode", [(game, net, config, rng)] * 6)
        games.append([(state, policy.tolist(), value) for examples in episodes for state, policy, value in examples])
        assert student.global_state() == before
    assert games[0] == games[1] != games[2]


@pytest.mark.hint("what is the second game told of the first?")
def test_a_long_game_and_a_short_one(student, edition):
    """games of one ply, of forty, and of another game in between, with the same network class: each has its own examples"""
    rng = student.rng(edition.getrandbits(30))
    for plies, value in ((1, -1.0), (40, 1.0), (1, 1.0), (3, -1.0)):
        game = line(plies, value)
        config = student.Config(simulations=2)
        examples = student.execute_episode(game, student.network(Scripted(game, seed=1)), config, rng)
        assert 1 <= len(examples) <= plies
        history = [(f"s{ply}", np.ones(1)) for ply in range(plies - len(examples), plies)]
        assert len(examples) >= plies - 4 and same(examples, examples_of(game, history, f"s{plies}"))


@pytest.mark.hint("what is asked of a game with states such as 0, () and ''?")
def test_an_episode_of_any_game(student, edition):
    """states of any kind and actions of any number go through a whole episode: legal moves, one policy a state, the result"""
    for first in (0, "", ()):
        game = table_game({first: {3: "a", 11: "b"}, "a": {2: "lost", 7: "drawn"}, "b": {5: "a2"}, "a2": {0: "won"}},
                          {"lost": -1.0, "drawn": 0.0, "won": 1.0}, 12, {})
        net, config = Scripted(game, seed=edition.getrandbits(20)), student.Config(simulations=edition.randint(4, 9))
        for _ in range(3):
            examples = student.execute_episode(game, student.network(net), config, student.rng(edition.getrandbits(30)))
            assert 1 <= len(examples) <= 3
            assert all(len(policy) == 12 and policy.sum() == pytest.approx(1.0, abs=1e-6) for _, policy, _ in examples)
            assert way_is_possible(game, examples) or way_is_possible(game, examples[::-1])  # in either order
        assert net.strange == 0


def way_is_possible(game: Any, examples: list[tuple[Any, np.ndarray, float]]) -> bool:
    """Whether the states follow each other by moves that their policies allow, with the values of an end after the last."""
    known = states_of(game)
    if any(state not in known or game.outcome(state) is not None for state, _, _ in examples):
        return False
    states = [state for state, _, _ in examples]
    for (state, policy, _), after in zip(examples, [*states[1:], None]):
        allowed = [game.play(state, action) for action in game.legal_actions(state) if policy[action] > 0]
        ends = [each for each in allowed if game.outcome(each) is not None]
        if not (after in allowed if after is not None else ends):
            return False
    results = [game.outcome(end) for end in ends]  # for the player to move at the end
    values = [value for _, _, value in examples]
    return any(values == [result * (-1) ** (len(values) - ply) for ply in range(len(values))] for result in results)
