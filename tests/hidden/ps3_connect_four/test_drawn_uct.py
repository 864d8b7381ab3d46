"""3.6 on random games: any number of actions, any action numbers, and a budget of time that is used up exactly."""

from typing import Any

import pytest

from arena.games import ToyGame
from autograder.grading.hidden_checks.answer_types import real
from autograder.grading.hidden_checks.known_mistakes import ask
from tests.hidden.generators import draw_game
from tests.hidden.ps3_connect_four.drawn import by_result, draw_shares, going_on, one_ply, uneven, won_by_one_of_seven
from tests.hidden.ps3_connect_four.oracle import Fan
from tests.hidden.ps3_connect_four.trees import at

pytestmark = pytest.mark.exercise("3.6")


@pytest.mark.hint("how many actions can a state have: does each of them get its child?")
def test_any_number_of_moves_is_searched_as_uct_does(student, edition):
    """three moves or a dozen, each ends the game: the visits are those of UCT, and the move has most of them

    Promised: Returns (action, root): the action with most visits (any of them when tied), and the root, which counts the
    simulations in num_visits.
    Promised: The exploration constant is C.
    """
    for player, nearly, numbers in ((0, None, range(20, 40)), (1, 0.7, range(40)), (0, None, range(20, 40))):
        results, simulations, visits = draw_shares(edition, nearly=nearly)
        worst = results.index(min(results))  # the worst action comes first, so that the first action is never right by default
        results, visits = results[worst:] + results[:worst], visits[worst:] + visits[:worst]
        game, state, actions = one_ply(edition, results, player, numbers)
        action, root = student.uct(game, state, student.rng(edition.getrandbits(30)), simulations=simulations)
        counts = student.each([at(student, root, each) for each in actions], "num_visits")
        ask("is your exploration constant exact to its last digit, and the same for any number of actions?")
        assert by_result(results, counts) == by_result(results, visits)
        ask("which of all legal actions has most visits, whatever the action numbers are?")
        assert action in actions and counts[actions.index(action)] == max(counts)


@pytest.mark.hint("how many simulations do you make, what happens with a single legal move, and after the end of a game?")
def test_any_game_is_searched(student, edition):
    """in random games of every shape: the given number of simulations, a single move at once, an error when the game is over

    Promised: Returns (action, root): the action with most visits (any of them when tied), and the root, which counts the
    simulations in num_visits. A single legal action is returned at once: no simulation, num_visits 0.
    Promised: ValueError: the game is over at `state`;
    """
    for game, state in [*going_on(edition, 9), *going_on(edition, 2, "line")]:
        number, legal = edition.randint(1, 12), game.legal_actions(state)
        action, root = student.uct(game, state, student.rng(edition.getrandbits(30)), simulations=number)
        ask("which actions does this game allow, and which state does the root have?")
        assert action in legal and root.state == state
        ask("how many simulations do you make, and how many with a single legal move?")
        assert root.num_visits == (number if len(legal) > 1 else 0)
    ask("what is there to search when the game is over?")
    over = draw_game(edition, "over")
    with student.raises(ValueError):
        student.uct(over, over.start(), student.rng(1), simulations=3)


@pytest.mark.hint("when exactly `seconds` have passed: does one more simulation begin?")
def test_the_time_is_up_when_it_has_passed(student, edition):
    """when exactly `seconds` have passed no other simulation begins, for a clock with any beginning and any unit

    Promised: The clock is read after each simulation, and no other simulation begins once `seconds` have passed on it since
    the call.
    Promised: clock: clock() -> seconds, never decreasing, from any beginning. No other clock is read.
    """
    for begin in (float(edition.randint(-900, -1)), float(edition.randint(1, 900))):
        fan, tick, number = Fan([7] * 3, [0.0] * 3, edition.randrange(2)), edition.choice([0.125, 1.0, 16.0]), 6
        watched = student.watch(fan.game)

        def clock(*arguments: Any) -> float:
            """A clock: one tick for each game that was played to its end, or two if the player tries each move first."""
            ends = sum(method == "play" and str(at).endswith(".6") for method, at, _ in watched.calls)  # noqa: B023
            return begin + tick * ends  # noqa: B023

        student.uct(watched, watched.token("root"), student.rng(edition.getrandbits(30)), seconds=number * tick, clock=clock)
        assert clock() - begin == number * tick
    fan = Fan([3] * 3, [0.0] * 3)  # now the time passes between the simulations, a second at each look at the clock
    seconds = [*map(float, range(3000)), 1e9]  # the last one ends a search that counts only a part of them
    ticking = student.keep(student.in_turn(seconds))  # it answers there, without a message
    _, root = student.uct(fan.game, "root", student.rng(edition.getrandbits(30)), seconds=1200.0, clock=ticking)
    looks = real(student._ask("call", ticking, [], {}))
    ask("after many simulations: do you still read the clock after each of them?")
    assert looks > root.num_visits and looks >= 1200
    ask("time also passes between two simulations: do your seconds count from the call on, or only inside the simulations?")
    assert looks < 1210  # each look takes a second; whoever looks more than once in a simulation makes fewer of them


@pytest.mark.hint("does each call build a new tree, or do you return an earlier search?")
def test_every_search_is_a_new_one(student, edition):
    """a second call, also with the same rng, searches again in a new tree and does not change the old tree

    Promised: Every call makes a new tree.
    """
    fan, rng = Fan([4, 3, 2], [0.0, 0.0, 0.0]), student.rng(edition.getrandbits(30))
    number, game = edition.randint(4, 20), fan.game
    roots = [student.uct(game, "root", rng, simulations=number)[1] for _ in range(2)]
    roots += [student.uct(game, "root", rng, simulations=number + 5)[1]]
    assert roots[0] != roots[1] and roots[0] != roots[2]
    assert student.each(roots, "num_visits") == [number, number, number + 5]


@pytest.mark.hint("does rng draw the first move of each search, or is it always the same?")
def test_one_simulation_tries_any_move(student, edition):
    """with one simulation each move comes equally often, and the rollout below can end in every possible way

    Promised: rng: the only source of chance; passed to `tree_policy` and `default_policy`.
    """
    game = ToyGame({"s0": ["a", "b", "c"], **{s: [f"{s}w", f"{s}l"] for s in "abc"}},
                   {f"{s}{end}": value for s in "abc" for end, value in (("w", 1.0), ("l", -1.0))})  # fmt: skip
    rng = student.rng(edition.getrandbits(30))
    results = [student.uct(game, "s0", rng, simulations=1) for _ in range(60)]
    actions, sums = [action for action, _ in results], student.each([root for _, root in results], "q")
    assert set(actions) == {0, 1, 2} and not uneven([actions.count(action) for action in range(3)]), (
        f"three equally likely actions, chosen {[actions.count(action) for action in range(3)]} times"
    )
    ask("does rng draw every move of a rollout, each legal move equally likely, in each search anew?")
    assert set(sums) == {-1.0, 1.0}  # by chance one of three moves is missed once in 1e10 tries


@pytest.mark.hint("can each of the seven columns be your answer, also the first and the last?")
def test_each_of_seven_moves_may_be_the_best(student, edition):
    """if any of seven moves wins at once, this move is chosen, for both players

    Promised: Returns (action, root): the action with most visits (any of them when tied), and the root, which counts the
    simulations in num_visits.
    """
    for place, game in won_by_one_of_seven(edition):
        action, _ = student.uct(game, "r", student.rng(edition.getrandbits(30)), simulations=edition.randint(14, 20))
        assert action == place
