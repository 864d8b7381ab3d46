"""5.8 on random games, and promises for every episode: its rng, its arguments, nothing left of the game before."""

from typing import Any

import numpy as np
import pytest

from arena.games import ToyGame
from autograder.grading.hidden_checks.known_mistakes import ask
from tests.hidden.generators import draw_game, draw_over, draw_whole, states_of
from tests.hidden.ps5_alphazero.nodes import hang, keep, made, plant
from tests.hidden.ps5_alphazero.oracle import Scripted, line, random_game, table_game
from tests.hidden.ps5_alphazero.test_play import HISTORY, differences, examples_of, policy_at

pytestmark = pytest.mark.exercise("5.8")


@pytest.mark.hint("can an opening be finished, come from illegal moves, or have more than four moves?")
def test_openings_of_any_game(student, edition):
    """in games of one move or many, with any states, each opening comes from at most four moves and is not finished

    Promised: The number of random moves is 1, 2, 3 or 4, each equally likely, and every legal action is equally likely. The
    returned state is never finished, unless the start is: as in 4.8 the opening stops before a move that would end the
    game.
    """
    for shape in ("line", "bushy", "wide", "forced"):
        game, rng = draw_game(edition, shape), student.rng(edition.getrandbits(30))
        reached, layer = {game.start()}, {game.start()}
        for _ in range(4):
            layer = {after for state in layer for action in game.legal_actions(state)
                     if game.outcome(after := game.play(state, action)) is None}
            reached |= layer
        assert set(student.many("opening", [(game, rng)] * 30)) <= reached
    ask("the game is over at its start: what is left but the start?")
    for over in draw_over(edition):
        assert student.many("opening", [(over, student.rng(edition.getrandbits(30)))] * 8) == [over.start()] * 8


@pytest.mark.hint("whose result does each position learn, and who owns the list history?")
def test_examples_of_any_game(student, edition):
    """games of up to 60 moves, with gaps between the actions and any states: each mover's result, and `history` stays as it is

    Promised: The value is the game's result for the player to move at the example's state: the mover's view; `game.player`
    gives that player. Each state is there with all its symmetries, each distinct pair of state and policy once, and the
    policy moves with the board. The finished state has no policy, and is no example. `history` is not changed.
    """
    for shape in ("line", "bushy", "forced", "wide"):
        game = draw_game(edition, shape, values=draw_whole)
        states = random_game(edition, game)
        history = [(state, policy_at(edition, game, state)) for state in states[:-1]]
        kept = keep(student, history)
        for _ in range(3):  # an odd number: a list that is reversed twice is as before
            ask("which positions are examples, with which policies, and for whom is each result?")
            assert differences(student.make_examples(game, kept, states[-1]), examples_of(game, history, states[-1])) == ([], [])
        ask("the list history is the caller's: is it unchanged after the call?")
        read_back = HISTORY(student.read(kept))
        assert [state for state, _ in read_back] == states[:-1]
        assert [policy.tolist() for _, policy in read_back] == [policy.tolist() for _, policy in history]
        ask("are these the examples of this game, or do you keep some of the game before?")
        later = history[len(history) // 2 :]
        student.many_of(kept, "clear", [()])
        student.many_of(kept, "extend", [(later,)])  # the same list, and another game
        assert differences(student.make_examples(game, kept, states[-1]), examples_of(game, later, states[-1])) == ([], [])


@pytest.mark.hint("which action belongs to each entry of the policy, and to which child?")
def test_a_move_in_any_game(student, edition):
    """the action with most visits is played, whatever its number; the state and the whole policy are remembered

    Promised: The policy is always that of the visits at temperature 1, however the move is chosen. config: the first
    `exploring_plies` moves of the history are drawn from this policy by rng, the only source of chance; each later move is
    an action with most visits.
    """
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
            rng = student.rng(edition.getrandbits(30))
            assert [student.play_move(game, root, history, config, rng) for _ in range(2)] == [child] * 2
            assert [state for state, _ in HISTORY(student.read(history))] == [game.start()] * 3


def spread(game: Any, actions: list[int], visits: list[int]) -> list[float]:
    """The shares of the visits, at their actions' places."""
    policy = np.zeros(game.num_actions)
    policy[actions] = np.array(visits) / sum(visits)
    return policy.tolist()


@pytest.mark.hint("which generator makes every draw of an episode: for the noise, the search, the move?")
def test_episodes_repeat_with_their_rng(student, edition):
    """the same rng gives the same games, another rng others; only rng draws noise, ties and moves

    Promised: `rng` is the only source of chance: for the opening, the noise, the ties of the search and the moves.
    """
    # s0 is forced. Of 2 simulations from s0 one ends at m, the other at one of 12 by a tie; 2 more go where the noise says;
    # then one of the (up to) three visited moves is drawn.
    game = ToyGame({"s0": ["m"], "m": [f"n{n}" for n in range(12)], **{f"n{n}": [f"end{n}"] for n in range(12)}}, {})
    net, config = keep(student, made(student, "TableNet", game, {})), student.Config(simulations=2, exploring_plies=3)
    seed, games = edition.getrandbits(30), []
    for number, times in ((seed, 24), (seed, 5), (seed + 1, 24)):
        rng, before = student.rng(number), student.disturb(edition.getrandbits(30))
        episodes = student.many("execute_episode", [(game, net, config, rng)] * times)
        games.append([{state: (policy.tolist(), value) for state, policy, value in examples} for examples in episodes])
        assert student.global_state() == before
    assert games[0][:5] == games[1] != games[2][:5]
    through = [episode for episode in games[0] + games[2] if "m" in episode]
    ask("what draws the noise of an episode and breaks its ties: rng, or your own generator?")
    visited = [{place for place, share in enumerate(episode["m"][0]) if share} for episode in through if "s0" in episode]
    # Half of 48 games begin at s0. By chance one of 12 is visited in all of these once in 5e8 tries.
    assert visited and not set.intersection(*visited), (
        "some games must begin at s0, and no action may be visited in all of these: the noise differs"
    )
    ask("what draws the moves of an episode: rng, or your own generator, which starts again every time?")
    # One number in [0, 1) for all games would be in all parts of the summed shares that were played: once in 2e9.
    played = [(episode["m"][0], int(state[1:])) for episode in through for state in episode if state[0] == "n"]
    begun, ended = ([sum(shares[: place + more]) for shares, place in played] for more in (0, 1))
    assert max(begun) >= min(ended) - 1e-6
    ask("what draws the noise of an episode: rng, or your own generator, which starts again every time?")
    # only the noise: one move, and the visits follow the priors because all is drawn
    game, config = ToyGame({"s0": ["x", "y"]}, {}), student.Config(simulations=30)
    net = keep(student, made(student, "TableNet", game, {}))
    episodes = student.many("execute_episode", [(game, net, config, student.rng(seed))] * 12)
    assert len({tuple(policy.tolist()) for examples in episodes for _, policy, _ in examples}) > 2


@pytest.mark.hint("how long can a game be, and what does the next game know of it?")
def test_a_long_game_and_a_short_one(student, edition):
    """games of one ply, of three and of more than two hundred: each gives its own examples

    Promised: Play one game of the network against itself and return its examples.
    """
    rng = student.rng(edition.getrandbits(30))
    for plies, value in ((1, -1.0), (edition.randint(201, 208), 1.0), (1, 1.0), (3, -1.0)):
        game = line(plies, value)
        config = student.Config(simulations=2 if plies < 10 else 1)
        examples = student.execute_episode(game, keep(student, made(student, "TableNet", game, {})), config, rng)
        ask("how long can a game be: do you play every game to its end?" if plies > 100 else
            "what does a game know of the games before it?")
        assert 1 <= len(examples) <= plies
        history = [(f"s{ply}", np.ones(1)) for ply in range(plies - len(examples), plies)]
        assert len(examples) >= plies - 4 and differences(examples, examples_of(game, history, f"s{plies}")) == ([], [])


@pytest.mark.hint("a state is 0, '' or (): do you mistake it for something else?")
def test_an_episode_of_any_game(student, edition):
    """states of any kind and actions of any number: all moves are legal, each state has one policy, and its mover's result

    Promised: Play one game of the network against itself and return its examples.
    """
    for first in (0, "", ()):
        game = table_game({first: {3: "a", 11: "b"}, "a": {2: "lost", 7: "drawn"}, "b": {5: "a2"}, "a2": {0: "won"}},
                          {"lost": -1.0, "drawn": 0.0, "won": 1.0}, 12, {})
        net, config = Scripted(game, seed=edition.getrandbits(20)), student.Config(simulations=edition.randint(4, 9))
        for _ in range(3):
            examples = student.execute_episode(game, student.network(net), config, student.rng(edition.getrandbits(30)))
            ask("a state is 0, '' or (): do you mistake it for the end of the game?")
            assert 1 <= len(examples) <= 3
            ask("which policy and which result does each position of a game have, for any states and actions?")
            policies = [policy for _, policy, _ in examples]
            assert [policy for policy in policies if len(policy) != 12 or policy.sum() != pytest.approx(1.0, abs=1e-6)] == []
            assert way_is_possible(game, examples) or way_is_possible(game, examples[::-1]), (  # in either order
                "the states must follow each other by moves that their policies allow, with the result of the end for each mover"
            )
        assert net.strange == 0


def way_is_possible(game: Any, examples: list[tuple[Any, np.ndarray, float]]) -> bool:
    """Whether the states follow each other by moves that their policies allow, with the right values for the last state."""
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
