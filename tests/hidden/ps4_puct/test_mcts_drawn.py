"""4.3 on random games: any states, any actions, any priors, any order of roots, and several searches in turn."""

from random import Random
from typing import Any

import pytest

from arena.games import IllegalMove, ToyGame
from autograder.grading.edition import drawn_once
from autograder.grading.hidden_checks.known_mistakes import ask
from autograder.sandbox.table_game import TableGame
from tests.hidden.generators import draw_policy, states_of
from tests.hidden.laws import near
from tests.hidden.ps4_puct.oracle import (
    BOARD,
    FOUR,
    OTHELLO,
    Evaluate,
    Row,
    Tables,
    before_a_win,
    draw_shape,
    draw_toy,
    opinion,
    random_game,
    searched,
)

pytestmark = pytest.mark.exercise("4.3")

Evaluations = dict[Any, tuple[Row, float]]


def draw_evaluations(edition: Random, game: Any) -> Evaluations:
    """The answers of `evaluate` at every unfinished state: priors of any kind and any sum, some 0, and values up to -1 and 1."""
    evaluations, whole = {}, edition.choice([1.0, 0.3, 2.5])
    for state in states_of(game):
        if game.outcome(state) is None:
            priors = draw_policy(edition, game.legal_actions(state), kind=edition.choice(["any", "any", "zeros", "tiny", "one"]))
            priors = {action: whole * p for action, p in priors.items()}
            evaluations[state] = priors, edition.choice([0.0, 1.0, -1.0, *[round(edition.uniform(-1, 1), 3) for _ in range(5)]])
    return evaluations


@drawn_once
def drawn_searches(edition: Random) -> list[tuple[Any, Evaluations, float, list[Any], Tables, list[float]]]:
    """Games of every shape with roots in any order, and the right values and tables of a search; no tie decides in them."""
    cases = []
    for shape in ("bushy", "wide", "line", "forced", "over", "bushy", "large"):
        known = None
        while known is None:
            game = draw_shape(edition, shape)
            evaluations, c = draw_evaluations(edition, game), edition.choice([0.1, 1.5, 1.5, 6.0, 15.0, 100.0])
            states = states_of(game)
            others = edition.choices(states, k=3)
            roots = [state for root in (states[0], *others, states[0]) for state in [root] * edition.randint(1, 9)]
            known = searched(game, evaluations.get, c, roots)
        cases.append((game, evaluations, c, roots, *known))
    return [*cases, hopeless_priors(edition)]


def hopeless_priors(edition: Random) -> tuple[Any, Evaluations, float, list[Any], Tables, list[float]]:
    """One move that loses with every action but one, whose prior is 0: after some losses its score is the best."""
    while True:
        actions = sorted(edition.sample(range(20), edition.randint(2, 4)))
        good, result = edition.choice(actions), edition.choice([0.0, -1.0])
        table: dict = {"s": (0, {action: f"after {action}" for action in actions}, None)}
        table |= {f"after {action}": (1, {}, result if action == good else 1.0) for action in actions}
        priors = draw_policy(edition, [action for action in actions if action != good], kind="any") | {good: 0.0}
        evaluations, roots = {"s": ({action: priors[action] for action in actions}, 0.25)}, ["s"] * 20
        game = TableGame(table, "s", 20, {}, IllegalMove)
        known = searched(game, evaluations.get, 1.5, roots)
        if known is not None and known[0].N["s"][good] > 1:
            return game, evaluations, 1.5, roots, *known


def same_as(mcts: Any, right: Tables | dict[str, dict]) -> None:
    """Whether all four tables hold the same as ours."""
    tables = right if isinstance(right, dict) else vars(right)
    assert mcts.N == tables["N"]
    assert mcts.outcomes == tables["outcomes"]
    for got, wanted in ((mcts.Q, tables["Q"]), (mcts.P, tables["P"])):
        assert set(got) == set(wanted)
        assert [(state, row, got[state]) for state, row in wanted.items() if got[state] != near(row)] == []


def never_taken(right: dict[Any, dict[int, int]], got: dict[Any, dict[int, int]], priors: dict[Any, Row]) -> bool:
    """Whether the search should have taken an action with prior 0, and has not."""
    return any(visits and priors[state][action] == 0 and not got.get(state, {}).get(action)
               for state, row in right.items() for action, visits in row.items())  # fmt: skip


@pytest.mark.hint("is every state a separate key: an empty state, 0, or two states with the same text?")
def test_a_search_over_any_game(student, edition):
    """in games of any shape, from any states in any order, values, tables and evaluations are those of PUCT

    Promised: Run ONE simulation from `state` and return its value for the player to move at `state`.
    """
    for game, evaluations, c, roots, right, wanted in drawn_searches(edition):
        evaluate = Evaluate(evaluations)
        mcts, rng = student.MCTS(game, evaluate, c), student.rng(edition.getrandbits(30))
        values = student.many_of(mcts, "search", [(root, rng) for root in roots])
        ask("is every state a separate key: an empty state, 0, or two states with the same text?")
        priors = {state: row for state, row in mcts.P.items() if state in right.P}
        if any(row.keys() != right.P[state].keys() for state, row in priors.items()):
            ask("do the rows of a state have an entry for every legal action, also for an action with prior 0?")
        elif any(row != near(right.P[state]) for state, row in priors.items()):
            ask("do you keep the priors unchanged?")
        elif never_taken(right.N, mcts.N, right.P):
            ask("an action has prior 0, and all others lose: can its score be the best?")
        assert values == near(wanted)
        assert evaluate.states == right.asked
        same_as(mcts, right)


@drawn_once
def real_searches(edition: Random) -> list[tuple[Any, int, list[Any], dict[str, dict], list[Any], list[float]]]:
    """Dozens of simulations in each real game: the game, the salt of `opinion`, roots, our tables, the states asked, values."""
    cases = []
    for game in (BOARD, FOUR, OTHELLO):
        known = None
        while known is None:
            states, _ = random_game(edition, game)
            salt, first = edition.getrandbits(30), edition.randrange(len(states) - 3)
            roots = [states[first]] * 20 + [states[first + 2]] * 5 + [states[first]] * 5
            before = None if game is OTHELLO else before_a_win(edition, game)[0]
            roots += [] if before is None else [before] * 8
            known = searched(game, opinion(game, salt), 1.5, roots)
            if known and before is not None and passed_over(game, before, known[0].N[before]) == 0:
                known = None
        right, wanted = known
        tables = {name: getattr(right, name) for name in ("outcomes", "Q", "N", "P")}
        cases.append((game, salt, roots, tables, right.asked, wanted))
    return cases


@pytest.mark.hint("is a real game searched like any other: by its states, its actions and its outcomes alone?")
def test_a_search_over_the_real_games(student, edition):
    """in Tic-Tac-Toe, Connect Four and Othello values, tables and evaluations are those of PUCT

    Promised: Run ONE simulation from `state` and return its value for the player to move at `state`.
    """
    for game, salt, roots, tables, asked, wanted in real_searches(edition):
        evaluate = Evaluate(opinion(game, salt))
        mcts, rng = student.MCTS(game, evaluate), student.rng(edition.getrandbits(30))
        assert student.many_of(mcts, "search", [(root, rng) for root in roots]) == near(wanted)
        assert evaluate.states == asked
        same_as(mcts, tables)


def passed_over(game: Any, state: Any, N: dict[int, int]) -> int:
    """How many visits went to moves that do not win at once."""
    return sum(count for action, count in N.items() if game.outcome(game.play(state, action)) != -1.0)


@drawn_once
def long_search(edition: Random) -> tuple[Any, Evaluations, Tables, list[float]]:
    """A game with hundreds of simulations from its start, in which also the late results change the means.

    Two moves at least are still explored after 250 of them.
    """
    while True:
        game, evaluations = draw_toy(edition, 2)
        known, forgetful = (searched(game, evaluations.get, 1.5, [game.start()] * 600, longest=most) for most in (600, 100))
        early = searched(game, evaluations.get, 1.5, [game.start()] * 250)
        if known and forgetful and early and known[0].Q[game.start()] != near(forgetful[0].Q[game.start()]):
            later = [count - early[0].N[game.start()][action] for action, count in known[0].N[game.start()].items()]
            if sum(count > 2 for count in later) > 1:
                return game, evaluations, *known


@pytest.mark.hint("what changes after some hundreds of simulations: how large can a count become?")
def test_hundreds_of_simulations_in_one_search(student, edition):
    """the last of some hundreds of simulations is like the first: the counts grow, and the score decides

    Promised: Else the best action by `puct` (ties by rng) is taken, its N grows by 1 and its Q becomes the mean.
    """
    game, evaluations, right, wanted = long_search(edition)
    mcts, rng = student.MCTS(game, student.answers(evaluations, ({}, 0.0))), student.rng(edition.getrandbits(30))
    assert student.many_of(mcts, "search", [(game.start(), rng)] * len(wanted)) == near(wanted)
    same_as(mcts, right)


@pytest.mark.hint("which rows belong to this object, and which rows to another object?")
def test_searches_beside_each_other(student, edition):
    """two searches in turn, over two games or over one game with two networks, learn nothing from each other

    Promised: Each object has its own tables, empty at first.
    """
    searches = [case for case in drawn_searches(edition) if len(case[0].data()[0]) > 1][:3]
    pairs = [(case, student.MCTS(case[0], student.answers(case[1], ({}, 0.0)), case[2])) for case in searches + searches[:1]]
    turned = {state: (priors, 0.0 - value) for state, (priors, value) in searches[0][1].items()}
    pairs[-1] = (searches[0], student.MCTS(searches[0][0], student.answers(turned, ({}, 0.0)), searches[0][2]))
    rng, values = student.rng(edition.getrandbits(30)), [[] for _ in pairs]
    for turn in range(12):
        for (case, mcts), got in zip(pairs, values):
            if turn < len(case[3]):
                got.append(mcts.search(case[3][turn], rng))
    for (case, _), got in list(zip(pairs, values))[:3]:
        assert got == near(case[5][:12])


@pytest.mark.hint("do equal scores have the same chance, also with visits?")
def test_ties_of_visited_actions_are_drawn(student, edition):
    """among any number of equal scores, at any depth, rng decides, each equally often

    Promised: Else the best action by `puct` (ties by rng) is taken, its N grows by 1 and its Q becomes the mean.
    Promised: Ties: each tied action has the same probability.
    """
    #   top - above0 - at0, where the tie is, and so on, 60 times: the draw belongs to the rng at the start of the simulation
    places = range(60)
    moves = {f"above{n}": [f"at{n}"] for n in places} | {f"at{n}": [f"s{n} {action}" for action in range(5)] for n in places}
    game = ToyGame({"top": [f"above{n}" for n in places]} | moves, {}, start="top")
    evaluations = {f"above{n}": ({0: 1.0}, 0.0) for n in places} | {
        f"at{n}": (dict.fromkeys(range(5), 0.2), 0.0) for n in places
    }  # fmt: skip
    before = student.disturb(edition.getrandbits(30))
    mcts, rngs = student.MCTS(game, student.answers(evaluations, ({}, 0.0))), [
        student.rng(edition.getrandbits(30)) for _ in places
    ]  # fmt: skip
    student.many_of(mcts, "search", [(f"above{n}", rng) for n, rng in zip(places, rngs) for _ in range(4)])
    ask("which generator draws, at every depth, and which generators may you not use?")
    assert student.global_state() == before
    ask("do equal scores have the same chance, also with visits?")
    N = mcts.N
    taken = [N.get(f"at{n}", {}) for n in places]
    assert [row for row in taken if sorted(row.values()) != [0, 0, 0, 1, 1]] == []  # a visited action has a smaller bonus
    # 24 of 60 for each, a deviation of 3.8: 23 away once in 1e9
    assert [n for action in range(5) if not 1 < (n := sum(row.get(action, 0) for row in taken)) < 47] == []


@pytest.mark.hint("scores are equal: does anything except rng decide, such as the prior or the visits?")
def test_ties_of_unlike_actions_are_drawn(student, edition):
    """actions with equal scores have the same chance, for any priors and visits, and the same rng draws the same

    Promised: Else the best action by `puct` (ties by rng) is taken, its N grows by 1 and its Q becomes the mean.
    Promised: Ties: each tied action has the same probability.
    """
    #   with c = 0 only the means count, and all games are drawn: three choices at each of 84 roots, each among three
    roots = [f"at{n}" for n in range(84)]
    game = ToyGame({"top": roots} | {root: [f"{root} {action}" for action in range(3)] for root in roots}, {}, start="top")
    priors = dict(enumerate(edition.sample([0.1, 0.2, 0.7], 3)))

    def visits(seed: int) -> list[dict[int, int]]:
        mcts, rng = student.MCTS(game, student.answers({}, (priors, 0.0)), 0.0), student.rng(seed)
        student.many_of(mcts, "search", [(root, rng) for root in roots for _ in range(4)])
        N = mcts.N
        return [N.get(root, {}) for root in roots]

    seed = edition.getrandbits(30)
    taken = visits(seed)
    assert [row for row in taken if sum(row.values()) != 3] == []
    # 84 of 252 for each, a deviation of 7.5: 45 away once in 5e8; all three once each at 19 of 84 roots, at none once in 1e9
    assert [n for action in range(3) if not 39 < (n := sum(row.get(action, 0) for row in taken)) < 129] == []
    assert 0 < sum(sorted(row.values()) == [1, 1, 1] for row in taken) < 43
    assert visits(seed) == taken
