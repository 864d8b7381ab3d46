"""4.5 and 4.6 on random games: any actions, values and priors that are close together, and every state of a game."""

from random import Random
from typing import Any

import pytest

from arena.games import IllegalMove
from autograder.grading.edition import drawn_once
from autograder.grading.hidden_checks.known_mistakes import ask
from autograder.sandbox.table_game import Table, TableGame
from tests.hidden.generators import states_of
from tests.hidden.ps4_puct.oracle import BOARD, FOUR, OTHELLO, PASS, Evaluate, Row, draw_shape, fan, opinion, random_game

Evaluations = dict[Any, tuple[Row, float]]
BUDGETS = (0, 1, 50, 300, 800, 1600)  # of the arena; these players do not use it


def close_values(edition: Random, number: int, low: float, high: float) -> list[float]:
    """So many different numbers, some of them only some millionths apart, highest last."""
    middle = edition.uniform(low + 0.01, high - 0.01)
    values = [edition.choice([middle, edition.uniform(low, high)]) + place * 4e-6 for place in range(number)]
    return sorted(values)


def worths(game: Any, evaluations: Evaluations, state: Any) -> Row:
    """The worth of each action for the player who takes it, one ply deep."""
    below = {a: game.play(state, a) for a in game.legal_actions(state)}
    return {
        a: 0.0 - (evaluations[after][1] if game.outcome(after) is None else game.outcome(after)) for a, after in below.items()
    }


@drawn_once
def drawn_choices(edition: Random) -> list[tuple[Any, Evaluations, list[tuple[Any, list[int]]], list[tuple[Any, int]]]]:
    """Games with the answers of evaluate; for each state the best actions by value, and the one with the highest prior."""
    cases = []
    shapes = ("wide", "bushy", "wide", "forced", "line", "bushy", "wide", "large")
    for game in [*(draw_shape(edition, shape) for shape in shapes), two_moves()]:
        unfinished = [state for state in states_of(game) if game.outcome(state) is None]
        values = close_values(edition, len(unfinished), -1.0, 1.0)
        edition.shuffle(values)
        evaluations: Evaluations = {}
        for state, value in zip(unfinished, values, strict=True):
            actions = game.legal_actions(state)
            priors = close_values(edition, len(actions), 0.0, edition.choice([1.0, 0.03]))
            evaluations[state] = dict(zip(edition.sample(actions, len(actions)), priors)), value
        by_value, by_prior = [], []
        for state in edition.sample(unfinished, min(10, len(unfinished))):
            row = worths(game, evaluations, state)
            if sum(abs(worth - max(row.values())) < 1e-6 for worth in row.values()) == row_ties(row):
                by_value.append((state, [a for a in row if row[a] == max(row.values())]))
            by_prior.append((state, max(evaluations[state][0], key=evaluations[state][0].__getitem__)))
        cases.append((game, evaluations, by_value, by_prior))
    return cases + [real_choices(edition, game) for game in (BOARD, FOUR, OTHELLO)]


def real_choices(edition: Random, game: Any) -> tuple[Any, Evaluations, list[tuple[Any, list[int]]], list[tuple[Any, int]]]:
    """The same at the states of a random game, the last ones too, where a move may win at once."""
    states, think = random_game(edition, game)[0], opinion(game, edition.getrandbits(30))
    evaluations, by_value, by_prior = {}, [], []
    for state in (states[0], *edition.sample(states[1:-2], 2), states[-2]):
        below = [game.play(state, action) for action in game.legal_actions(state)]
        evaluations |= {place: think(place) for place in (state, *below) if game.outcome(place) is None}
        row = worths(game, evaluations, state)
        by_value.append((state, [a for a in row if row[a] == max(row.values())]))
        by_prior.append((state, max(evaluations[state][0], key=evaluations[state][0].__getitem__)))
    return game, evaluations, by_value, by_prior


def two_moves() -> TableGame:
    """A game of two moves with the actions 1 to 7: most places are legal actions, but not the action at that place."""
    table: Table = {"": (0, {action: f"{action}" for action in range(1, 8)}, None)}
    table |= {f"{first}": (1, {second: f"{first}{second}" for second in range(1, 8)}, None) for first in range(1, 8)}
    table |= {f"{first}{second}": (0, {}, (first + second) % 3 - 1.0) for first in range(1, 8) for second in range(1, 8)}
    return TableGame(table, "", 8, {}, IllegalMove)


def row_ties(row: Row) -> int:
    """How many actions share exactly the highest worth."""
    return list(row.values()).count(max(row.values()))


@pytest.mark.exercise("4.5")
@pytest.mark.hint("with which value does your search for the best begin: with the worst possible one?")
def test_a_move_is_made_where_all_is_lost(student, edition):
    """when every action loses one of them is played, each equally often; the same when every action wins

    Promised: rng: breaks ties, each tied action with the same probability.
    """
    for outcome in (1.0, -1.0):
        number = edition.randint(2, 5)
        game = fan({f"s{place}": outcome for place in range(1, number + 1)})
        player = student.ValuePlayer(game, evaluate=Evaluate({}))
        taken = student.many_of(player, "choose", [("s0", 0, student.rng(edition.getrandbits(30)))] * 600)
        if len(set(taken)) < number:
            more = student.many_of(player, "choose", [("s0", 800, student.rng(1))] * (40 * number))
            ask("does this player use `simulations` for anything?" if len(set(more)) == number else
                "all actions are equally good or bad: may each be played?")  # fmt: skip
        assert set(taken) <= set(range(number))
        # more than 6.4 deviations: once in 5e9. If the first counts twice, it comes 8 deviations too often or more.
        if len(set(taken)) == number:
            ask("all actions are equally good or bad: does each have the same chance, also the first?")
        expected = 600 / number
        margin = 6.4 * (expected * (1 - 1 / number)) ** 0.5
        counts = [taken.count(action) for action in range(number)]
        assert [count for count in counts if abs(count - expected) > margin] == []
    #   eight equal actions, then four that are better and equal: the eight no longer count
    better = {f"b{place}": ({0: 1.0}, 0.5 if place < 8 else -0.25) for place in range(12)}
    player = student.ValuePlayer(fan(dict.fromkeys(better)), evaluate=student.answers(better, ({}, 0.0)))
    taken = student.many_of(player, "choose", [("s0", 9, student.rng(edition.getrandbits(30)))] * 160)
    ask("other actions are equal too, but worse: have all of the best ones the same chance?")
    assert set(taken) <= {8, 9, 10, 11}
    assert max(taken.count(action) for action in (8, 9, 10, 11)) < 76  # 40 for each, a deviation of 5.5: 36 above once in 3e10


def with_any_budget(student: Any, edition: Random, right: list[tuple]) -> list[tuple]:
    """The arguments of `choose` at each of these states: all budgets in turn, each call with its own rng."""
    budgets = edition.sample(BUDGETS, len(BUDGETS)) * len(right)
    return [(state, budget, student.rng(edition.getrandbits(30))) for (state, _), budget in zip(right, budgets)]


def matters_not(student: Any, player: Any, calls: list[tuple], right: list[list[int]]) -> None:
    """Ask about `simulations` if a player is always wrong with some numbers of simulations, and right with another number."""

    def is_right(some: list[tuple]) -> bool:
        taken = student.many_of(player, "choose", some)
        return all(got in best_ones for got, best_ones in zip(taken, right, strict=True))

    for other in (1600, 0):
        if is_right([(state, other, rng) for state, _, rng in calls]) and not any(is_right(calls) for _ in range(4)):
            ask("does this player use `simulations` for anything?")


@pytest.mark.exercise("4.5")
@pytest.mark.hint("what is each action worth, for whom, and how close can two worths be?")
def test_the_best_reply_in_any_game(student, edition):
    """in any game, for either player, the action after which the opponent is worst off is played, even by a small margin

    Promised: Return the action after which the opponent's value is lowest, ties by rng.
    """
    for game, evaluations, right, _ in drawn_choices(edition):
        player = student.ValuePlayer(game, evaluate=student.answers(evaluations, ({}, 0.0)))
        calls = with_any_budget(student, edition, right)
        taken = student.many_of(player, "choose", calls)
        if any(got not in best_ones for (_, best_ones), got in zip(right, taken, strict=True)):
            matters_not(student, player, calls, [best_ones for _, best_ones in right])
        for (_, best_ones), got in zip(right, taken, strict=True):
            assert got in best_ones


@pytest.mark.exercise("4.5")
@pytest.mark.hint("is a value of exactly -1, 0 or 1 used unchanged?")
def test_an_opinion_may_be_extreme(student, edition):
    """values of exactly -1, 0 and 1 are used unchanged, also beside values very near to them, and for the last action

    Promised: A state after an action counts with its outcome if the game is over there (and is not evaluated), else with the
    value of evaluate(state) -> (priors, value).
    """
    cases = [((1.0, 0.0, -1.0), 2), ((1.0, 0.0), 1), ((1.0, 0.999), 1), ((-0.999, -1.0, 1.0), 1), ((0.0, 0.001), 0)]
    cases.sort(key=lambda case: any(value not in (-1.0, 0.0, 1.0) for value in case[0]))
    cases += [((3e-9, 1e-9, 2e-9), 1), ((-1e-9, -1.5e-9), 1)]  # also these are not equal
    cases += [([0.3 if place != best else 0.299 for place in range(12)], best) for best in (0, 6, 11)]
    for values, right in cases:
        order = edition.sample(range(len(values)), len(values)) if len(values) < 12 else list(range(12))
        game = fan({f"s{place}": None for place in range(1, len(values) + 1)})
        evaluations = {f"s{place + 1}": ({0: 1.0}, values[which]) for place, which in enumerate(order)}
        player, rng = (student.ValuePlayer(game, evaluate=student.answers(evaluations, ({}, 0.0))),
                       student.rng(edition.getrandbits(30)))  # fmt: skip
        if len(values) == 12:
            ask("do you look at every action, also the last, for any number of `simulations`?")
        elif any(value not in (-1.0, 0.0, 1.0) for value in values):
            ask("do you use every value unchanged: no rounding, no cut near 1?")
        assert student.many_of(player, "choose", [("s0", 3, rng)] * 30) == [order.index(right)] * 30  # no draw among two
    won = fan(dict(edition.sample([("a", -1.0), ("d", None)], 2)))
    player = student.ValuePlayer(won, evaluate=student.answers({"d": ({0: 1.0}, -1.0)}, ({}, 0.0)))
    ask("the game is won by one action, and evaluate gives -1 after another one: may each of them be played?")
    assert set(student.many_of(player, "choose", [("s0", 9, rng)] * 60)) == {0, 1}  # one of them only: once in 6e17


def ends_with(game: Any, state: Any, action: int) -> bool:
    """Whether this action is legal and ends the game."""
    return action in game.legal_actions(state) and game.outcome(game.play(state, action)) is not None


@pytest.mark.exercise("4.6")
@pytest.mark.hint("which action has the highest prior, also when all priors are small or close together?")
def test_the_likeliest_action_in_any_game(student, edition):
    """at any state of any game the action with the highest prior is played, also a small prior or a small margin

    Promised: Return the action with the highest prior of evaluate(state) -> (priors, value), ties by rng.
    """
    for game, evaluations, _, right in drawn_choices(edition):
        player = student.PolicyPlayer(game, evaluate=student.answers(evaluations, ({}, 0.0)))
        calls = with_any_budget(student, edition, right)
        taken, wanted = student.many_of(player, "choose", calls), [action for _, action in right]
        if taken != wanted:
            wrong = [(state, got, action) for (state, action), got in zip(right, taken, strict=True) if got != action]
            if all(action == 0 for _, _, action in wrong):
                ask("is action 0 an action like the others?")
            elif all(got == PASS for _, got, _ in wrong):
                ask("is the pass an action like the others, played only when it is the likeliest?")
            elif all(action > PASS for _, _, action in wrong):
                ask("how large can the number of an action be?")
            elif all(ends_with(game, state, got) for state, got, _ in wrong) and any(
                evaluations[state][0][action] - evaluations[state][0][got] > 0.02 for state, got, action in wrong
            ):
                ask("which action is the likeliest, and does this player look at the states after it?")
            matters_not(student, player, calls, [[action] for action in wanted])
        assert taken == wanted


def one_move(actions: list[int], outcome: float) -> TableGame:
    """A game of one move with exactly these actions, all of the same outcome."""
    return TableGame({"s0": (0, dict.fromkeys(actions, "end"), None), "end": (1, {}, outcome)}, "s0", 65, {}, IllegalMove)


@pytest.mark.exercise("4.6")
@pytest.mark.hint("which action has the highest prior: the first, the last, the pass or another?")
def test_any_action_may_be_the_likeliest(student, edition):
    """any action is played when it is the likeliest: the first, the last, the pass, the only one; among equals rng decides

    Promised: Return the action with the highest prior of evaluate(state) -> (priors, value), ties by rng.
    Promised: rng: breaks ties, each tied action with the same probability.
    """
    for actions in ([PASS], [0, 5, PASS], [*edition.sample(range(64), 6), 64], list(range(PASS + 1))):
        for top in {actions[0], actions[-1], edition.choice(actions)}:
            for high, more in ((0.02, 0.1), (0.02, 1e-5), (1e-4, 1e-5), (1e-10, 1e-11)):
                priors = {a: edition.uniform(0.0, high) for a in actions} | {top: high + more}
                player = student.PolicyPlayer(one_move(actions, -1.0), evaluate=student.answers({}, (priors, -1.0)))
                taken = student.many_of(player, "choose", [("s0", 5, student.rng(edition.getrandbits(30)))] * 30)
                if len(set(taken)) > 1:
                    ask("two priors differ by a little, or are both small: do you treat them as equal?")
                elif top > PASS:
                    ask("how large can the number of an action be?")
                elif PASS in (top, taken[0]):
                    ask("is the pass an action like the others, played only when it is the likeliest?")
                assert taken == [top] * 30
    even = dict.fromkeys(range(40, 48), 1 / 96) | dict.fromkeys(edition.sample(range(40), 12), 11 / 144)  # eight others before
    player = student.PolicyPlayer(one_move(list(even), 0.0), evaluate=student.answers({}, (even, 0.0)))
    taken = student.many_of(player, "choose", [("s0", 5, student.rng(edition.getrandbits(30)))] * 480)
    ask("do equal priors have the same chance, at any place in the row?")
    # 40 for each of twelve, a deviation of 6.1: 39 away once in 7e9
    assert [(action, taken.count(action)) for action in list(even)[8:] if not 1 < taken.count(action) < 79] == []
