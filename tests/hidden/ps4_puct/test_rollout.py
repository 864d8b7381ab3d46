"""4.7's rollouts: some plies drawn from the priors, then a cut and the value there."""

from itertools import product
from random import Random
from typing import Any

import pytest

from arena.games import IllegalMove, ToyGame
from autograder.grading.edition import drawn_once
from autograder.grading.hidden_checks.known_mistakes import ask, recognise
from autograder.sandbox.table_game import Table, TableGame
from tests.hidden.generators import draw_game, draw_policy, states_of
from tests.hidden.laws import near
from tests.hidden.ps4_puct.oracle import BOARD, FOUR, OTHELLO, Evaluate, Row, before_a_win, fan, line, random_game

pytestmark = pytest.mark.exercise("4.7")


def rollout(student: Any, game: Any, evaluate: Any, state: Any, depth: int = 5, seed: int = 1) -> float:
    return student.MonteCarloPlayer(game, evaluate, depth=depth).rollout(state, student.rng(seed))


@pytest.mark.hint("where a rollout is cut: which value counts, and for which player?")
def test_a_rollout_is_cut_after_depth_plies(student, edition):
    """after depth plies the value of the reached state counts, for the player to move where the rollout began

    Promised: Returns, for the player to move at `state`, the outcome if the game is over after at most `depth` plies (0 plies
    too), else the value of evaluate(...) at the state reached.
    Promised: If they are not given, they are 3, 5, 5 and 10.
    """
    game = line(160)
    values = [round(edition.uniform(0.1, 0.9), 3) for _ in range(160)]
    for depth, begin in (
        (5, edition.randrange(8)),
        (2, edition.randrange(8)),
        (1, 3),
        (edition.choice([3, 4]), 2),
        (0, 6),
        (edition.randint(9, 12), 3),
        (150, edition.randrange(4)),
    ):
        evaluate = Evaluate({f"s{ply}": ({0: 1.0}, value) for ply, value in enumerate(values)})
        got = rollout(student, game, evaluate, f"s{begin}", depth)
        value = values[begin + depth]
        if got != near(value * (-1) ** depth):
            recognise(got, {
                "Who is to move at the cut, and who was to move when the rollout began?": -value * (-1) ** depth,
                "How many plies did you play before the cut?": values[begin + depth + 1] * (-1) ** (depth + 1),
                "Whose value is it at the cut: of the reached state, or of the state before?":
                    values[begin + depth - 1] * (-1) ** depth if depth else -2.0,
                "What is a state worth where the rollout is cut?": 0.0,
                "After how many plies does a rollout end, whether the game is over or not?": -1.0 * (-1) ** (160 - begin),
            })  # fmt: skip
        if depth == 0:
            ask("depth is 0: which state is evaluated, and for whom is its value?")
        elif depth > 5:
            ask("how many plies does a rollout have: exactly the player's own depth, even a large one?")
        else:
            ask("where a rollout is cut: which value counts, and for which player?")
        assert got == near(value * (-1) ** depth)
        assert evaluate.states and evaluate.states[-1] == f"s{begin + depth}", "the state after the rollout must be evaluated"
    ask("what is the depth when it is not given?")
    assert student.MonteCarloPlayer(game, evaluate).rollout("s2", student.rng(1)) == near(-values[7])


@pytest.mark.hint("a game ends on the way, or with the last ply: what is it worth for the player who began?")
def test_a_game_that_ends_in_a_rollout_counts_with_its_outcome(student, edition):
    """a game that ends within depth plies counts with its outcome, for the player to move at the beginning; a draw is 0

    Promised: Returns, for the player to move at `state`, the outcome if the game is over after at most `depth` plies (0
    plies too), else the value of evaluate(...) at the state reached.
    """
    for outcome in (-1.0, 1.0, 0.0):
        game = line(12, outcome)
        evaluate = Evaluate({f"s{ply}": ({0: 1.0}, 0.6) for ply in range(12)})
        for plies, depth in ((1, 5), (4, 5), (0, 5), (3, edition.randint(4, 9)), (5, 5), (2, 2), (3, 3), (0, 0)):
            got = rollout(student, game, evaluate, f"s{12 - plies}", depth)
            if not outcome:
                ask("is a draw an outcome like the others?")
            elif got == -outcome * (-1) ** plies:
                ask("for whom is the outcome at the end, and who was to move when the rollout began?")
            elif plies == depth:
                ask("do you ask for the outcome again after the last ply?")
            else:
                ask("the game ends before the cut: what is the rollout worth?")
            assert got == outcome * (-1) ** plies
        ask("the game is over: do you still call the network?")
        assert "s12" not in evaluate.states
        ask("how many plies does a rollout have before the cut?")
        assert rollout(student, game, evaluate, "s6", 5) == near(-0.6)


@pytest.mark.hint("which actions can a ply take, and with which probability: the likeliest, or a draw from the priors?")
def test_a_rollout_draws_its_moves_from_the_priors(student, edition):
    """each ply is drawn by rng in proportion to the priors, and an action with prior 0 never comes

    Promised: Play at most `depth` plies from `state`, each drawn by rng from the priors, and return the value there.
    """
    after, shares = {"a": -1.0, "b": 1.0, "c": 0.0, "d": -0.5, "e": 0.5, "f": 0.25}, [0.1, 0.35, 0.25, 0.0, 0.2, 0.1]
    player = student.MonteCarloPlayer(fan(after), student.answers({"s0": (dict(enumerate(shares)), 0.3)}, ({}, 0.0)))
    before, seed = student.disturb(edition.getrandbits(30)), edition.getrandbits(30)
    values = student.many_of(player, "rollout", [("s0", student.rng(seed))] * 400)
    again = student.many_of(player, "rollout", [("s0", student.rng(seed))] * 400)
    ask("which generator draws the plies, and which generators may you not use?")
    assert student.global_state() == before
    assert again == values
    ask("which actions can a ply take, and with which probability: the likeliest, or a draw from the priors?")
    for outcome, share in zip(after.values(), shares, strict=True):
        margin = 6.2 * (400 * share * (1 - share)) ** 0.5  # one of six once in 3e8 tries
        assert abs(values.count(0.0 - outcome) - 400 * share) <= margin


@drawn_once
def forced_rollouts(edition: Random) -> list[tuple[Any, dict, int, list[tuple[Any, float]]]]:
    """Games of any shape whose priors allow one way only: (game, evaluations, depth, (state, value of a rollout from it))."""
    games = [(draw_game(edition, shape), edition.choice([0, 1, 2, 3, 5, 12]))
             for shape in ("bushy", "line", "wide", "forced", "over", "bushy", "line")]  # fmt: skip
    cases = []
    for game, depth in [*games, *((pairs(edition), depth) for depth in (3, 4, 4, 5, 5))]:
        evaluations = {
            state: (draw_policy(edition, game.legal_actions(state), kind="one"), round(edition.uniform(-1, 1), 3))
            for state in states_of(game) if game.outcome(state) is None
        }  # fmt: skip
        states = edition.sample(states_of(game), min(12, len(evaluations) + 1))
        states += [game.start()] if game.start() not in states else []
        cases.append((game, evaluations, depth, [(state, right_value(game, evaluations, state, depth)) for state in states]))
    for game, depth in ((BOARD, 5), (FOUR, edition.randint(3, 6)), (OTHELLO, 5), (OTHELLO, 40)):
        cases.append(one_way_from(edition, game, edition.sample(random_game(edition, game)[0], 2), depth, {}))
    for game in (BOARD, FOUR):
        case = None
        while case is None or case[-1][0][1] > 0.9:  # else a win that is taken would have the same value
            state, other = before_a_win(edition, game)
            first = {a: float(a == other) for a in game.legal_actions(state)}, round(edition.uniform(-1, 1), 3)
            case = one_way_from(edition, game, [state], 4, {state: first})
        cases.append(case)
    return cases


def one_way_from(edition: Random, game: Any, states: list[Any], depth: int, evaluations: dict[Any, tuple[Row, float]]) -> tuple:
    """A case of `forced_rollouts` in a real game; some answers of evaluate may be there already."""
    for state in states:
        add_one_way(edition, game, state, depth, evaluations)
    return game, evaluations, depth, [(state, right_value(game, evaluations, state, depth)) for state in states]


def add_one_way(edition: Random, game: Any, state: Any, depth: int, evaluations: dict[Any, tuple[Row, float]]) -> None:
    """Add answers of evaluate along one random way from `state`: its actions are certain. Two ways that meet go on together."""
    for _ in range(depth + 1):
        if game.outcome(state) is not None:
            return
        if state not in evaluations:
            action = edition.choice(game.legal_actions(state))
            evaluations[state] = {a: float(a == action) for a in game.legal_actions(state)}, round(edition.uniform(-1, 1), 3)
        priors, _ = evaluations[state]
        state = game.play(state, max(priors, key=priors.__getitem__))


def pairs(edition: Random) -> TableGame:
    """A game of four plies with the same two actions at every state, but the likely action differs from state to state."""
    states = [f"{word:b}" for word in range(1, 32)]  # the start is "1", after action 0 comes "10"
    table: Table = {state: ((len(state) + 1) % 2, {bit: f"{state}{bit}" for bit in (0, 1)}, None) for state in states[:15]}
    return TableGame(table | {end: (0, {}, edition.choice([-1.0, 0.0, 1.0])) for end in states[15:]}, "1", 2, {}, IllegalMove)


def right_value(game: Any, evaluations: dict, state: Any, depth: int) -> float:
    """The value of a rollout whose moves are certain, for the player to move at `state`."""
    if game.outcome(state) is not None:
        return game.outcome(state)
    priors, value = evaluations[state]
    if depth == 0:
        return value
    return 0.0 - right_value(game, evaluations, game.play(state, max(priors, key=priors.__getitem__)), depth - 1)


@pytest.mark.hint("for whom is the value at the end of a rollout, from any beginning and after any number of plies?")
def test_rollouts_in_any_game(student, edition):
    """in any game, from any state, with any depth, a rollout has the value of its end for the player to move at its start

    Promised: Returns, for the player to move at `state`, the outcome if the game is over after at most `depth` plies (0
    plies too), else the value of evaluate(...) at the state reached.
    """
    for game, evaluations, depth, right in forced_rollouts(edition):
        player = student.MonteCarloPlayer(game, student.answers(evaluations, ({0: 1.0}, 0.9)), depth=depth)
        rng = student.rng(edition.getrandbits(30))
        got = student.many_of(player, "rollout", [(state, rng) for state, _ in right])
        if isinstance(game, TableGame) and set(game.legal_actions(game.start())) == {0, 1} and len(states_of(game)) == 31:
            ask("which priors choose a ply: those of the reached state, or of an earlier state?")
        else:
            ask("for whom is the value at the end of a rollout, from any beginning and after any number of plies?")
        assert got == near([value for _, value in right])


@pytest.mark.hint("is every ply of a rollout drawn from its priors, also the last one, and can an unlikely action come?")
def test_every_ply_is_drawn(student, edition):
    """each of five plies takes its unlikely action now and then, as often as the prior says

    Promised: Play at most `depth` plies from `state`, each drawn by rng from the priors, and return the value there.
    """
    #   five plies with two actions each; the value at the cut says which five actions came
    names = ["".join(word) for plies in range(6) for word in product("01", repeat=plies)]
    game = ToyGame({name: [f"{name}0", f"{name}1"] for name in names}, {}, start="")
    likely = [edition.randrange(2) for _ in range(5)]
    evaluations = {name: ({likely[len(name)]: 0.96, 1 - likely[len(name)]: 0.04}, 0.0) for name in names[:31]}
    evaluations |= {name: ({0: 1.0}, number / 32) for number, name in enumerate(names[31:])}
    player = student.MonteCarloPlayer(game, student.answers(evaluations, ({0: 1.0}, -1.0)))
    values = student.many_of(player, "rollout", [("", student.rng(edition.getrandbits(30)))] * 600)
    assert {0.0 - value for value in values} <= {number / 32 for number in range(32)}
    ways = [names[31 + round(-32 * value)] for value in values]
    for ply, action in enumerate(likely):
        # 24 of 600, a deviation of 4.8: none once in 4e10, and 31 too many once in 2e8
        assert 0 < sum(way[ply] != str(action) for way in ways) < 55
