"""3.7 on random games: states that are 0, "" or (), different states with the same text, actions without a child."""

import pytest

from arena.games import IllegalMove
from autograder.grading.hidden_checks.known_mistakes import ask
from autograder.sandbox.table_game import TableGame
from tests.hidden.ps3_connect_four.drawn import by_result, draw_shares, going_on, one_ply, won_by_one_of_seven
from tests.hidden.ps3_connect_four.oracle import GAME, line, random_game
from tests.hidden.ps3_connect_four.trees import at

pytestmark = pytest.mark.exercise("3.7")


@pytest.mark.hint("how many actions can a state have: does each of them get its child?")
def test_any_number_of_moves_is_searched_by_the_searcher(student, edition):
    """three moves or a dozen, each ends the game: the visits are those of UCT with the searcher's c

    Promised: Run `simulations` simulations from `state` and return the action with most visits.
    Promised: c: the exploration constant of the tree policy.
    """
    for player, c in ((0, 1.0), (1, edition.uniform(0.2, 0.6)), (edition.randrange(2), 2.0)):
        results, simulations, visits = draw_shares(edition, c)
        game, state, actions = one_ply(edition, results, player, range(20 * player, 40))
        searcher = student.Searcher(game, c=c)
        action = searcher.choose(state, simulations, student.rng(edition.getrandbits(30)))
        root = searcher.root
        assert root is not None
        counts = student.each([at(student, root, each) for each in actions], "num_visits")
        ask("which exploration constant do you use: the searcher's own c, for any number of actions?")
        assert by_result(results, counts) == by_result(results, visits)
        ask("which of all legal actions has most visits, whatever the action numbers are?")
        assert action in actions and counts[actions.index(action)] == max(counts)


@pytest.mark.hint("how do you test whether the root has the given state?")
def test_any_game_is_searched_on(student, edition):
    """in random games of every shape the root counts all simulations, also with a single move, and moves are followed

    Promised: simulations: at least 1; they are added to the visits that the root already has.
    """
    empty = edition.choice([0, "", ()])
    fork = TableGame({empty: (0, {3: "a", 9: "b"}, None), "a": (1, {}, -1.0), "b": (1, {}, 1.0)}, empty, 12, {}, IllegalMove)
    for game, state in [*going_on(edition, 6), *going_on(edition, 2, "bushy"), (fork, empty), (line(9, 1.0), "s0")]:
        searcher, rng = student.Searcher(game), student.rng(edition.getrandbits(30))
        first, second = edition.randint(1, 9), edition.randint(20, 40)
        for number in (first, first, second):  # the same call again makes a new search
            assert searcher.choose(state, number, rng) in game.legal_actions(state)
        root = searcher.root
        assert root is not None
        questions = {
            first + second: "a second call is the same as the first: do you search again, or return the earlier answer?",
            second: "a state can be 0 or empty: how do you test whether the root has this state?",
        }
        ask(questions.get(root.num_visits, "how many visits does the root have after the same call again and again?"))
        assert root.num_visits == 2 * first + second
        ask("which child is the root after a move, and is its link to the parent cut?")
        action = edition.choice(game.legal_actions(state))
        below = at(student, root, action)
        visits, after = below.num_visits, game.play(state, action)
        searcher.observe(action)
        assert searcher.root == below and below.parent is None
        if game.outcome(after) is None:
            ask("the root has the given state: do you continue its tree, with the given number of new simulations?")
            assert searcher.choose(after, first, rng) in game.legal_actions(after)
            assert searcher.root == below and below.num_visits == visits + first


@pytest.mark.hint("which method tells the searcher about the moves that were played?")
def test_only_observe_moves_the_root(student, edition):
    """a state below the root gets a fresh tree when no call of observe told the moves that lead to it

    Promised: The search continues the kept tree if its root is at `state`; else a fresh tree begins there. `choose` does not
    move the root: only `observe` follows a move.
    """
    state = random_game(edition)[edition.choice([0, 1, 2, 3])]
    for plies in (1, 2):
        searcher, rng, below = student.Searcher(GAME), student.rng(edition.getrandbits(30)), state
        searcher.choose(state, 90, rng)
        for _ in range(plies):
            below = GAME.play(below, edition.choice(GAME.legal_actions(below)))
        if GAME.outcome(below) is None:
            searcher.choose(below, 7, rng)
            root = searcher.root
            assert root is not None and (root.state, root.num_visits) == (below, 7)


@pytest.mark.hint("two states have the same text: are they the same state?")
def test_states_that_look_alike_are_not_the_same(student, edition):
    """states with equal texts, or states 0 and "", are different states: a different state gets a fresh tree

    Promised: The search continues the kept tree if its root is at `state`; else a fresh tree begins there.
    """
    states: list = [-1, -2, *edition.sample(["", 0, (), "x", 8, (1, 2)], 2)]  # -1 and -2 have the same hash
    edition.shuffle(states)
    table = {states[0]: (0, {3: states[1], 9: states[2]}, None), states[1]: (1, {0: states[3], 2: "over"}, None)}
    table |= {states[2]: (1, {1: "over"}, None), states[3]: (0, {4: "end"}, None), "over": (0, {}, -1.0), "end": (1, {}, 0.0)}
    game = TableGame(table, states[0], 12, dict.fromkeys(table, "a state"), IllegalMove)
    searcher, rng = student.Searcher(game), student.rng(edition.getrandbits(30))
    for state in [states[0], *edition.sample(states, 4), states[0], -1, -2]:
        root, number = searcher.root, edition.randint(1, 9)
        known = root.num_visits if root is not None and root.state == state else 0
        searcher.choose(state, number, rng)
        root = searcher.root
        assert root is not None and (root.state, root.num_visits) == (state, known + number)


@pytest.mark.hint("the root has no such child: what does the docstring say about this case?")
def test_an_unknown_action_keeps_nothing(student, edition):
    """after an action without a child at the root, even an illegal action, root is None

    Promised: If there is no such child, or no tree, nothing is kept: root is None.
    """
    for unknown in (7, -1, edition.randint(8, 99)):
        searcher = student.Searcher(GAME)
        searcher.choose(GAME.start(), edition.randint(10, 20), student.rng(edition.getrandbits(30)))
        searcher.observe(unknown)
        assert searcher.root is None


@pytest.mark.hint("can each of the seven columns be your answer, also the first and the last?")
def test_each_of_seven_moves_may_be_the_one_that_is_chosen(student, edition):
    """if any of seven moves wins at once, this move is chosen, for both players

    Promised: Run `simulations` simulations from `state` and return the action with most visits.
    """
    for place, game in won_by_one_of_seven(edition):
        number = edition.randint(14, 20)
        assert student.Searcher(game).choose("r", number, student.rng(edition.getrandbits(30))) == place
