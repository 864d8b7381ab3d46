"""1.6, 1.9 and 1.10 on random games: few or many actions, short or long games, states of any type, several games in turn."""

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from arena.games import IllegalMove, ToyGame
from autograder.grading.edition import drawn_once
from autograder.grading.hidden_checks.known_mistakes import ask
from autograder.sandbox.table_game import TableGame
from tests.hidden.full_games import full_game
from tests.hidden.generators import SHAPES, draw_game, draw_whole, exact, states_of
from tests.hidden.laws import follows_its_rng, near
from tests.hidden.ps1_games.boards import FOUR, RULES, TTT, ask_of_all, facts, plies, replay, send
from tests.hidden.ps1_games.small_boards import Columns

SYMMETRIC = (1, 0, 3, 4)  # X on 1 and 3, O on 0 and 4: a reflection in the long diagonal changes nothing


@drawn_once
def games(edition: Random, number: int) -> list[TableGame]:
    """Games of every shape. Many of them use the same names for different states."""
    return [draw_game(edition, SHAPES[k % len(SHAPES)], values=draw_whole) for k in range(number)]


def some_states(game: TableGame, edition: Random, most: int) -> list[Any]:
    """The start, and some other states."""
    start, *others = states_of(game)
    return [start, *edition.sample(others, min(most - 1, len(others)))]


@pytest.mark.exercise("1.6")
@pytest.mark.hint("does your answer hold for any game and any state, also after calls with other games?")
def test_transitions_of_any_game(student, edition):
    """in any game every legal action has its successor and every end its outcome, whatever games were asked before

    Promised: The function works for any game: it asks the game about `state` and never looks into `state`.
    """
    calls = [(game, state) for game in games(edition, 15) for state in some_states(game, edition, 12)]
    twins = TableGame({0: (0, {3: 1, 9: 1, 20: 2}, None), 1: (1, {}, 0.0), 2: (1, {}, 1.0)}, 0, 40, {}, IllegalMove)
    calls += [(twins, state) for state in states_of(twins)] + [(wide(12, 0, lambda k, n: 0.0), "s0")]
    edition.shuffle(calls)
    wanted = [({action: game.play(at, action) for action in game.legal_actions(at)}, game.outcome(at)) for game, at in calls]
    answers = student.many("transitions", calls)
    ask_of_all([call for call, got, right in zip(calls, answers, wanted, strict=True) if got != right], {
        "Two actions lead to the same state: does your answer hold both actions?": lambda call: meeting(*call),
        "A state may be 0 or empty: does your function treat such a state as no state?": lambda call: not call[1],
        "How large can the number of an action be?": lambda call: max(call[0].legal_actions(call[1]), default=0) > 8,
    })  # fmt: skip
    assert answers == wanted
    ask("does your answer depend on anything except this game and this state?")
    assert student.many("transitions", calls[::-1]) == wanted[::-1]


def meeting(game: TableGame, state: Any) -> bool:
    """Whether two actions lead to the same state."""
    after = [game.play(state, action) for action in game.legal_actions(state)]
    return len(set(after)) < len(after)


def long_game(length: int, value: float) -> TableGame:
    """A game of `length` forced moves. `value` is the outcome for the player to move at the end. States are whole numbers."""
    table = {k: (k % 2, {0: k + 1}, None) for k in range(length)}
    return TableGame({**table, length: (length % 2, {}, value)}, 0, 1, {}, IllegalMove)


@pytest.mark.exercise("1.9")
@pytest.mark.hint("does a rollout end exactly when the game ends, and never earlier?")
def test_long_games_are_played_to_the_end(student, edition):
    """a game of sixty moves, and one of more than two hundred, is played to its end, and the result is the outcome at that end

    Promised: Play from `state` to the end, every legal action equally likely, and return the result.
    """
    calls, wanted = [], []
    for length in (13, 24, 41, 42, 43, 59, 60, edition.randint(201, 230)):
        for value in (-1.0, 1.0):
            calls.append((long_game(length, value), 0, student.rng(length)))
            wanted.append(value * (-1) ** length)
    assert student.many("random_playout", calls) == wanted


def evenly(game: Any, state: Any, legal: list[int]) -> list[int]:
    """Every legal action is equally likely."""
    return [1] * len(legal)


def eagerly(game: Any, state: Any, legal: list[int]) -> list[int]:
    """A player who takes every win at once."""
    wins = [int(game.outcome(game.play(state, action)) == -1.0) for action in legal]
    return wins if any(wins) else evenly(game, state, legal)


def to_the_middle(game: Any, state: Any, legal: list[int]) -> list[int]:
    """A player of Connect Four who prefers the columns in the middle."""
    return [4 - abs(3 - action) for action in legal]


def chances(game: Any, state: Any, memo: dict[Any, Counter], weights: Callable[..., list[int]] = evenly) -> Counter:
    """The probability of each result of a random game, for the player to move at `state`; `weights` of the legal actions."""
    if state not in memo:
        outcome, distribution = game.outcome(state), Counter()
        if outcome is not None:
            distribution[outcome] = 1.0
        else:
            legal = game.legal_actions(state)
            shares = weights(game, state, legal)
            for action, share in zip(legal, shares, strict=True):
                for result, chance in chances(game, game.play(state, action), memo, weights).items() if share else ():
                    distribution[0.0 - result] += chance * share / sum(shares)
        memo[state] = distribution
    return memo[state]


def distance(results: list[float], expected: Counter) -> float:
    """Chi-squared of these results; infinite if an impossible result came.

    There are at most three results, so two degrees of freedom: by chance above 46 once in e ** 23, about 1e10, tries.
    """
    if not set(results) <= set(expected):
        return float("inf")
    number = len(results)
    return sum((results.count(result) - number * chance) ** 2 / (number * chance) for result, chance in expected.items())


@pytest.mark.exercise("1.9")
@pytest.mark.hint("is every legal action equally likely at every move of both players, with a new draw each time?")
def test_results_come_as_often_as_they_should(student, edition):
    """in any game each result comes as often as it should when every legal action is equally likely

    Promised: Play from `state` to the end, every legal action equally likely, and return the result.
    """
    number, calls, wanted = 100, [], []
    for game in games(edition, 10):
        calls += [(game, game.start(), student.rng(edition.getrandbits(30)))] * number
        wanted.append(chances(game, game.start(), {}))
    results = student.many("random_playout", calls)
    for place, expected in enumerate(wanted):
        assert distance(results[place * number : (place + 1) * number], expected) < 46


def wide(actions: int, before: int, outcome: Any) -> TableGame:
    """A game of `before` forced moves and then one choice. The place of the chosen action decides the outcome.

    After the first action come half as many numbers that are not actions: a draw among all numbers up to the last is unfair.
    """
    table = {f"s{k}": (k % 2, {k: f"s{k + 1}"}, None) for k in range(before)}
    spare = (actions + 1) // 2
    table[f"s{before}"] = before % 2, {place + spare * (place > 0): f"end {place}" for place in range(actions)}, None
    table |= {f"end {place}": ((before + 1) % 2, {}, outcome(place, actions)) for place in range(actions)}
    return TableGame(table, "s0", max(actions + spare, before), {}, IllegalMove)


TWO_MOVES = TableGame(  # a win if the second player chooses the same place as the first player, else a loss
    {"s0": (0, {k: f"after {k}" for k in range(3)}, None), "same": (0, {}, 1.0), "other": (0, {}, -1.0)}
    | {f"after {k}": (1, {place: "same" if place == k else "other" for place in range(3)}, None) for k in range(3)},
    "s0", 3, {}, IllegalMove,
)  # fmt: skip


@pytest.mark.exercise("1.9")
@pytest.mark.hint("with many legal actions, is the last action as likely as the first?")
def test_many_actions_are_equally_likely(student, edition):
    """all of five actions, and all of twelve, are equally likely, for the player who begins and for the other player

    Promised: Play from `state` to the end, every legal action equally likely, and return the result.
    """
    thirds, edges = (lambda k, n: k * 3 // n - 1.0), (lambda k, n: {0: -1.0, n - 1: 1.0}.get(k, 0.0))
    parts = lambda k, n: 0.0 if k == n // 2 else -1.0 if k < n // 2 else 1.0  # noqa: E731
    rng = student.rng(edition.getrandbits(30))
    results = student.many("random_playout", [(TWO_MOVES, "s0", rng)] * 400)  # each move is drawn by itself
    ask("is each of two moves drawn separately, so that every action can follow every first move?")
    assert distance(results, chances(TWO_MOVES, "s0", {})) < 46
    ask("with many legal actions, is each action equally likely: the first, the last, and those in the middle?")
    # With eight random bits for 200 actions the first 56 are twice as likely: 87, with a deviation of 19.
    large = [(200, 0, thirds, 900)]
    shapes = [*large, (12, 0, thirds, 400), (12, 1, thirds, 400), (5, 0, thirds, 400), (5, 1, edges, 900), (5, 0, parts, 900)]
    for actions, before, outcome, number in [*shapes, (edition.randint(6, 11), edition.randint(5, 12), edges, 400)]:
        game = wide(actions, before, outcome)
        results = student.many("random_playout", [(game, "s0", rng)] * number)
        # See `distance`. A die with six faces, used for twelve actions, never plays half of them: 200 or more. When the
        # first and last of five actions, or the last two, are half as likely as the others: 84, with a deviation of 17.
        assert distance(results, chances(game, "s0", {})) < 46


@pytest.mark.exercise("1.9")
@pytest.mark.hint("on a real board: is every legal action equally likely, even at the side, or where it wins or stops a win?")
def test_every_action_is_equally_likely_on_real_boards(student, edition):
    """near the end of real games each result comes as often as it should, also where a player overlooks a win

    Promised: Play from `state` to the end, every legal action equally likely, and return the result.
    """
    # See `distance`. Where the middle is preferred: 84 or more, with a deviation of 18. Where a win is never overlooked, there is
    # one result, which half of the fair games or fewer have: 36 times in a row once in 7e10 tries.
    cases = [*((name, eagerly, 1.0, 36) for name in RULES), ("ConnectFour", to_the_middle, 0.8, 105)]
    for name, weights, difference, number in cases:
        state, expected = telling_state(edition, name, weights, difference)
        theirs, rng = getattr(student, name)(), student.rng(edition.getrandbits(30))
        mine = send(student, [facts(RULES[name], state)])[0]
        results = student.many("random_playout", [(theirs, mine, rng)] * number)
        assert distance(results, expected) < 46 and len(set(results)) > 1


@drawn_once
def telling_state(edition: Random, name: str, weights: Callable[..., list[int]], difference: float) -> tuple[Any, Counter]:
    """A state near the end of a game, and its `chances`; with `weights`, chi-squared of each result grows by `difference`.

    With `eagerly`, there is one result only.
    """
    rules = RULES[name]
    while True:
        line = plies(TTT, edition) if name == "TicTacToe" else replay(FOUR, full_game(edition))
        for state, action in line[::-1]:
            left = sum(sign == 0 for row in facts(rules, state).board for sign in row)
            if action is None or not 2 <= left <= 5:
                continue
            fair, other = chances(rules, state, {}), chances(rules, state, {}, weights)
            if weights is eagerly and len(other) > 1:
                continue
            if sum((other[value] - chance) ** 2 / chance for value, chance in fair.items()) >= difference:
                return state, fair


@pytest.mark.exercise("1.9")
@pytest.mark.hint("does your function use only the given rng, and does every rollout draw new moves?")
def test_the_seed_makes_the_playouts(student, edition):
    """for one game and one state: one seed repeats the results, another seed changes them, and only rng is used

    Promised: rng: the only source of chance.
    """
    game = wide(12, edition.randint(0, 3), lambda k, n: k % 3 - 1.0)
    follows_its_rng(student, "random_playout", lambda rng: (game, "s0", rng), edition, 60)  # equal by chance once in 3 ** 60


@pytest.mark.exercise("1.10")
@pytest.mark.hint("is the value exact in any game, also after calls with other games?")
def test_values_of_any_game(student, edition):
    """in any game the value is exact, at the start and further down; nothing is left over from another game

    Promised: Return the exact value of `state` for the player to move there, when both play as well as possible.
    """
    drawn = games(edition, 15) + [draw_game(edition, values=lambda dice: dice.uniform(-1, 1)) for _ in range(5)]
    calls = [(game, state) for game in drawn for state in some_states(game, edition, 6)]
    for place in range(12):  # one of twelve moves is the best
        calls.append((wide(12, place % 3, lambda k, n, best=place: -1.0 if k == best else 1.0), "s0"))
    calls += [(long_game(length, -1.0), 0) for length in (42, 59, 60)]
    edition.shuffle(calls)
    wanted = [exact(game, state) for game, state in calls]
    values = student.many("negamax", calls)
    ask_of_all([call for call, got, right in zip(calls, values, wanted, strict=True) if got != near(right)], {
        "Does your search go to the end of a long game?": lambda call: longest(*call) > 20,
        "A state may be 0 or empty: does your function treat such a state as no state?": lambda call: not call[1],
        "Does your search look at all moves of a state, even when there are many?": lambda call: most_actions(*call) > 4,
    })  # fmt: skip
    assert values == near(wanted)
    ask("is the value exact in any game, also after calls with other games?")
    assert student.many("negamax", calls[::-1]) == near(wanted[::-1])
    ask("a short and a long way can lead to one state: is its value known where it is needed?")
    meeting = ToyGame({"s0": ["x", "y"], "y": ["z"], "z": ["x"], "x": ["e", "f"]}, {"e": edition.uniform(-1, 1), "f": 0.5})
    watched = student.watch(meeting)
    assert student.negamax(watched, watched.token("s0")) == near(exact(meeting, "s0"))
    small = [Columns(2, 3, run) for run in edition.sample((2, 3), 2)]  # one board, two games
    state = edition.choice(small[0].line(edition)[:2])[0]
    mine = send(student, [state])[0]
    ask("two games may have the same states: does a call without a memo begin with an empty one, on boards too?")
    assert [student.negamax(game.theirs(student), mine) for game in small] == [game.exact(state) for game in small]


def longest(game: TableGame, state: Any) -> int:
    """The largest number of plies from a state to the end."""
    return max((1 + longest(game, game.play(state, action)) for action in game.legal_actions(state)), default=0)


def most_actions(game: TableGame, state: Any) -> int:
    """The largest number of actions at a state, or at a state one ply later."""
    reached: dict[Any, float] = {}
    exact(game, state, reached)
    return max(len(game.legal_actions(reached_state)) for reached_state in reached)


@pytest.mark.exercise("1.10")
@pytest.mark.hint("does each call fill memo with every state that can be reached, also with states that an earlier call reached?")
def test_memo_after_any_game(student, edition):
    """values in memo are used, nothing behind them is entered; afterwards memo holds every other state that can be reached

    Promised: Afterwards memo holds every state that can be reached from `state`, finished ones too, with its value: no
    state is left out, even if one move already wins. But the search stops at a state that memo held before: what is reached
    only through such a state is not looked at and not entered.
    """
    for game in games(edition, 10):
        start, *others = [state for state in states_of(game) if game.outcome(state) is None] or states_of(game)
        for known in ({}, {state: edition.choice([-0.5, 0.0, 0.25]) for state in edition.sample(others, len(others) // 3)}):
            wanted = dict(known)
            value = exact(game, start, wanted)
            memo = student.keep(known)
            ask("memo now holds other values: does your answer follow from these values, or from an earlier call?" if known else
                "does each call fill memo with every reached state, also with states that an earlier call reached?")  # fmt: skip
            assert student.negamax(game, start, memo) == near(value)
            stored = student.read(memo)
            assert type(stored) is dict and set(stored) == set(wanted)
            assert [entry for entry in stored.values() if type(entry) not in (int, float)] == [] and stored == near(wanted)


@pytest.mark.exercise("1.10")
@pytest.mark.hint("does memo hold every state with a computed value in the end, however many states there are?")
def test_memo_holds_hundreds_of_states(student, edition):
    """after a game of some hundred states memo holds each of them with its value

    Promised: Afterwards memo holds every state that can be reached from `state`, finished ones too, with its value: no
    state is left out, even if one move already wins.
    """
    first, second = edition.randint(20, 40), edition.randint(8, 12)
    table = {"s": (0, {k: f"{k}" for k in range(first)}, None)}
    table |= {f"{k}": (1, {j: f"{k} {j}" for j in range(second)}, None) for k in range(first)}
    table |= {f"{k} {j}": (0, {}, edition.choice([-1.0, 0.0, 1.0])) for k in range(first) for j in range(second)}
    game, wanted, memo = TableGame(table, "s", 40, {}, IllegalMove), {}, student.keep({})
    assert student.negamax(game, "s", memo) == near(exact(game, "s", wanted))
    assert student.read(memo) == wanted


@pytest.mark.exercise("1.10")
@pytest.mark.hint("does the function look into memo at every call?")
def test_a_memo_that_was_emptied_is_filled_again(student, edition):
    """when the caller empties the dict, the next call fills it again; with another value in memo the answer changes

    Promised: Afterwards memo holds every state that can be reached from `state`, finished ones too, with its value:
    Promised: A value in memo is not computed again.
    """
    game = draw_game(edition, "forced")
    values: dict[Any, float] = {}
    value, memo = exact(game, game.start(), values), student.keep({})
    for _ in range(2):
        assert student.negamax(game, game.start(), memo) == near(value)
        assert student.read(memo) == near(values)
        student.many_of(memo, "pop", [(state,) for state in values])
    assert student.negamax(game, game.start(), student.keep({game.start(): 0.75})) == 0.75


@pytest.mark.exercise("1.10")
@pytest.mark.hint("one position is the mirror image of another: does memo hold both of them?")
def test_every_position_has_its_own_entry(student, edition):
    """for the board games memo holds every reachable position, also both of two mirror images

    Promised: Afterwards memo holds every state that can be reached from `state`, finished ones too, with its value: no
    state is left out, even if one move already wins.
    """
    state = TTT.start()
    turn = edition.choice([lambda a: a, lambda a: 8 - a, lambda a: 3 * (a % 3) + 2 - a // 3])
    for action in map(turn, SYMMETRIC):
        state = TTT.play(state, action)
    wanted: dict[Any, float] = {}
    exact(TTT, state, wanted)
    memo = student.keep({})
    assert student.negamax(student.TicTacToe(), send(student, [facts(TTT, state)])[0], memo) == wanted[state]
    positions = send(student, [facts(TTT, reached_state) for reached_state in wanted])
    values = student.many_of(memo, "get", [(position,) for position in positions])
    assert values == list(wanted.values())
