"""2.1 and 2.2: one random move, and one game from a position to the end."""

from random import Random
from typing import Any

import pytest

from arena.games import ConnectFour, IllegalMove, TicTacToe, ToyGame
from autograder.grading.edition import drawn_once
from autograder.grading.hidden_checks.known_mistakes import ask, recognise
from autograder.sandbox.table_game import TableGame
from tests.hidden.generators import draw_game, draw_over
from tests.hidden.laws import near
from tests.hidden.ps2_uct.drawn import fork, line, playable, spread
from tests.hidden.ps2_uct.oracle import finished, random_game, unfinished

GAME = TicTacToe()


class Script:
    """A policy that plays a fixed list of moves and remembers its arguments.

    It answers any arguments, so that a wrong call is the submission's mistake and not a fault of the grader.
    """

    def __init__(self, actions: list[int]) -> None:
        self.actions, self.states, self.rngs = actions, [], []

    def __call__(self, *arguments: Any) -> int:
        _, state, rng = arguments if len(arguments) == 3 else (None, None, None)
        self.states.append(state)
        self.rngs.append(rng)
        return self.actions[min(len(self.states), len(self.actions)) - 1] if self.actions else 0


def a_game(edition: Random) -> tuple[list[Any], list[int]]:
    """The states of one random game from its start, and the moves between them."""
    states = random_game(edition)
    moves = [
        next(action for action in GAME.legal_actions(before) if GAME.play(before, action) == after)
        for before, after in zip(states, states[1:], strict=False)
    ]
    return states, moves


@pytest.mark.exercise("2.1")
@pytest.mark.hint("which actions do you draw from: all actions, the legal ones, or their places in a list?")
def test_every_legal_action_is_drawn_equally_often(student, edition):
    """every legal action comes up equally often, and no other action ever

    Promised: Return a legal action at `state`, each with the same probability.
    """
    state = unfinished(edition, 5)
    drawn = student.many("random_policy", [(GAME, state, student.rng(edition.getrandbits(30)))] * 1000)
    assert set(drawn) <= set(GAME.legal_actions(state))
    recognise(len(set(drawn)), {"The same action comes every time: does the given rng draw it?": 1})
    ask("can you draw every legal action, also the first and the last?")
    assert set(drawn) == set(GAME.legal_actions(state))
    ask("does every legal action have the same chance, at any place in the list?")
    # 200 expected for each of five: chi-squared with 4 degrees of freedom, above 43 once in 1e8 tries.
    assert sum((drawn.count(action) - 200) ** 2 / 200 for action in GAME.legal_actions(state)) < 43
    ask("does a draw depend on the draw before?")
    # One draw in five repeats the draw before, about 200: a fair draw does not know the last one.
    assert 120 < sum(previous == next for previous, next in zip(drawn, drawn[1:], strict=False)) < 280


@pytest.mark.exercise("2.1")
@pytest.mark.hint("what knows which actions are legal: your code, or the game?")
def test_only_the_game_says_what_is_legal(student, edition):
    """the action is legal in any game: with full columns, few actions, or other states

    Promised: game: gives the legal actions.
    """
    toy, namesake = ToyGame({"s0": ["a", "b"], "a": ["c"]}, {}), ToyGame({"s0": ["b"], "b": ["a"]}, {})
    four = ConnectFour()
    full = four.start()
    column = edition.randrange(7)
    for _ in range(6):
        full = four.play(full, column)
    rng = student.rng(edition.getrandbits(30))
    drawn = student.many("random_policy", [(four, full, rng)] * 60)
    assert column not in drawn and set(drawn) <= set(range(7))
    assert student.many("random_policy", [(toy, "a", rng)] * 3 + [(namesake, "b", rng)] * 3) == [0] * 6
    drawn = student.many("random_policy", [(toy, "s0", rng)] * 40 + [(namesake, "s0", rng)] * 20)
    assert set(drawn[:40]) == {0, 1} and set(drawn[40:]) == {0}  # another game with the same names of states


@pytest.mark.exercise("2.1")
@pytest.mark.hint("can legal actions have any numbers, with gaps between them?")
def test_any_number_of_legal_actions_is_drawn_from_alike(student, edition):
    """one to sixty legal actions with any numbers: each is drawn equally often, and no other action ever

    Promised: Return a legal action at `state`, each with the same probability.
    """
    rng, unevenness = student.rng(edition.getrandbits(30)), 0.0
    for width in (3, 4, 6, 7, 9, 12):
        game = fork(edition, width)
        drawn = student.many("random_policy", [(game, 0, rng)] * 500)
        assert set(drawn) <= set(game.legal_actions(0))
        unevenness += spread(drawn, game.legal_actions(0))
    ask("does every legal action have the same chance, even when there are many?")
    assert unevenness < 118  # chi-squared with 35 degrees of freedom: above 106 once in 2e8 editions
    game = TableGame({0: (0, dict.fromkeys(sorted(edition.sample(range(1000), 60)), 1), None), 1: (1, {}, -1.0)}, 0, 1000, {},
                     IllegalMove)  # fmt: skip
    places = [game.legal_actions(0).index(action) // 20 for action in student.many("random_policy", [(game, 0, rng)] * 900)]
    ask("does every legal action have the same chance, even when there are sixty?")
    # 300 expected for each third. The remainder of a number below a hundred gives 360, 360 and 180: 72, with a deviation of 15.
    assert spread(places, [0, 1, 2]) < 43
    ask("can legal actions have any numbers, also when only one action is legal?")
    games = [fork(edition, 1) for _ in range(3)] + [playable(edition) for _ in range(12)]
    drawn = student.many("random_policy", [(game, game.start(), rng) for game in games])
    legal = [game.legal_actions(game.start()) for game in games]
    assert [(action, own) for action, own in zip(drawn, legal, strict=True) if action not in own] == []
    two = sorted(edition.sample(range(1000), 2))  # of a thousand actions
    game = TableGame({0: (0, dict.fromkeys(two, 1), None), 1: (1, {}, -1.0)}, 0, 1000, {}, IllegalMove)
    drawn = student.many("random_policy", [(game, 0, rng)] * 200)
    ask("two of many actions are legal: does each of them have the same chance?")
    assert set(drawn) == set(two)
    assert 58 < drawn.count(two[0]) < 142  # 100, with a deviation of 7.1: left once in 4e8 tries


@pytest.mark.exercise("2.1")
@pytest.mark.hint("does your function use only the given rng: no other generator, and no seed of its own?")
def test_random_moves_come_from_rng_alone(student, edition):
    """the same rng draws the same actions again, another rng draws others, and no other generator is used

    Promised: rng: the only source of chance.
    """
    seed, start = edition.getrandbits(30), GAME.start()

    def draws(seed: int) -> list[int]:
        return student.many("random_policy", [(GAME, start, student.rng(seed))] * 12)

    before = student.disturb(edition.getrandbits(30))
    first = draws(seed)
    assert student.global_state() == before
    student.disturb(edition.getrandbits(30))
    assert first == draws(seed)
    assert first != draws(seed + 1)  # equal by chance once in 9^12 tries


@pytest.mark.exercise("2.1")
@pytest.mark.hint("the game is over, so no action is legal: what does the docstring say about this case?")
def test_no_action_where_the_game_is_over(student, edition):
    """when the game is over, won or drawn, the call is an error

    Promised: ValueError: the game is over at `state`, so there is no action to choose.
    """
    for value in (-1.0, 0.0):
        with student.raises(ValueError):
            student.random_policy(GAME, finished(edition, value), student.rng(1))
    for over in draw_over(edition):
        with student.raises(ValueError):
            student.random_policy(over, over.start(), student.rng(1))


@pytest.mark.exercise("2.2")
@pytest.mark.hint("the outcome is for the player to move at the end: is this the player who asked?")
def test_the_value_belongs_to_the_player_who_asked(student, edition):
    """an outcome at the end is a win or a loss for the player at the beginning, by the number of plies

    Promised: Returns the value for the player to move at `state`, in [-1, 1]: the outcome at the end as this player sees
    it, +1 for a win, 0 for a draw, -1 for a loss, or a number between them where a game counts in that way.
    """
    few = [0, *edition.sample(range(1, 9), 3)]
    for value in (-1.0, 1.0):
        values = student.many("simulate", [(line(n, value), "s0", student.in_turn([0]), student.rng(1)) for n in few])
        if not set(values) <= {-1.0, 1.0}:
            recognise(True, {"One game, won or lost: which two values are possible?": True})
        assert values == pytest.approx([value if n % 2 == 0 else -value for n in few], abs=1e-12)
    plies = edition.randint(390, 410)  # a game can be long
    ask("if no max_plies is given: does your function play a long game to its end?")
    assert student.simulate(line(plies, -1.0), "s0", student.in_turn([0]), student.rng(1)) == near(-1.0 * (-1) ** plies)


@pytest.mark.exercise("2.2")
@pytest.mark.hint("what chooses the moves of the two players?")
def test_the_policy_chooses_every_move_of_both_players(student, edition):
    """the policy is asked once at every position from the given one to the end, and its moves are played

    Promised: Play from `state` to the end with `policy` for both players and return the result.
    Promised: policy: policy(game, state, rng) -> action; it is asked once for each move, of either player.
    """
    policy, begin = Script([0]), edition.choice([1, 2])
    student.simulate(line(8, 1.0), f"s{begin}", policy, student.rng(1))
    expected = [f"s{ply}" for ply in range(begin, 8)]
    if policy.states != expected:
        recognise(policy.states, {
            "Do you ask the policy at all?": [],
            "What chooses the second player's moves?": expected[::2],
            "What chooses the first player's moves?": expected[1::2],
            "From which state does the game begin: the given one?": [f"s{ply}" for ply in range(8)],
            "How often do you ask the policy for one move?": [state for state in expected for _ in range(2)],
        })  # fmt: skip
    assert policy.states == expected
    ask("do you play the policy's action, at every state?")
    states, moves = a_game(edition)
    first = edition.choice([0, 1, 2])
    policy, watched = Script(moves[first:]), student.watch(GAME)
    student.simulate(watched, watched.token(states[first]), policy, student.rng(1))
    assert policy.states == [watched.token(state) for state in states[first:-1]]
    plays = [(state, action) for method, state, action in watched.calls if method == "play"]
    assert set(zip(states[first:-1], moves[first:], strict=True)) <= set(plays)  # extra calls for other moves do no harm


@pytest.mark.exercise("2.2")
@pytest.mark.hint("for whom is the value when the second player is to move at `state`?")
def test_both_colours_see_the_same_game_from_their_side(student, edition):
    """from each position of one game the result is a win for the winner and a loss for the other player

    Promised: Returns the value for the player to move at `state`, in [-1, 1]: the outcome at the end as this player sees
    it, +1 for a win, 0 for a draw, -1 for a loss, or a number between them where a game counts in that way.
    """
    states, moves = a_game(edition)
    while GAME.outcome(states[-1]) == 0.0:
        states, moves = a_game(edition)
    winner = GAME.player(states[-2])
    values = [student.simulate(GAME, state, student.in_turn(moves[ply:]), student.rng(1)) for ply, state in enumerate(states)]
    assert values == [1.0 if GAME.player(state) == winner else -1.0 for state in states]


@pytest.mark.exercise("2.2")
@pytest.mark.hint("what is a draw worth, and for which player?")
def test_a_draw_is_zero_for_both(student, edition):
    """a drawn game is worth 0 for either player, from any position

    Promised: Returns the value for the player to move at `state`, in [-1, 1]: the outcome at the end as this player sees
    it, +1 for a win, 0 for a draw, -1 for a loss, or a number between them where a game counts in that way.
    """
    states, moves = a_game(edition)
    while GAME.outcome(states[-1]) != 0.0:
        states, moves = a_game(edition)
    starts = [0, edition.choice([1, 3, 5]), edition.choice([2, 4, 6]), 9]
    values = [student.simulate(GAME, states[ply], student.in_turn(moves[ply:]), student.rng(1)) for ply in starts]
    assert values == [0.0, 0.0, 0.0, 0.0]


@pytest.mark.exercise("2.2")
@pytest.mark.hint("max_plies counts the moves of both players: after how many moves do you stop?")
def test_a_game_that_is_cut_is_worth_nothing(student, edition):
    """a game that is not over after max_plies moves is worth 0, and no further move is made

    Promised: max_plies: stop after that many moves with the value 0.0;
    """
    cuts = [1, *edition.sample(range(2, 7), 2), 0]
    policies = [Script([0]) for _ in cuts]
    games = [(line(8, -1.0), "s0", policy, student.rng(1), cut) for policy, cut in zip(policies, cuts, strict=True)]
    values = student.many("simulate", games)
    *seen, at_once = [policy.states for policy in policies]
    assert seen == [[f"s{ply}" for ply in range(cut)] for cut in cuts[:-1]]
    ask("does max_plies = 0 mean no limit, or no move?")
    assert at_once == []
    ask("what is a game worth if it is cut before anybody has won?")
    assert values == [0.0] * 4


@pytest.mark.exercise("2.2")
@pytest.mark.hint("do you test for the end of the game before or after the limit of moves?")
def test_a_game_that_ends_with_the_last_allowed_move_counts(student, edition):
    """a game that ends within max_plies moves counts, also when the last allowed move ends it

    Promised: A game that ends within max_plies moves counts.
    """
    value = edition.choice([-1.0, 1.0])
    for plies in (edition.choice([3, 5]), edition.choice([2, 4, 6])):
        game, policies, wanted = line(plies, value), [Script([0]) for _ in range(3)], value * (-1) ** plies
        cuts = (plies, plies + 1, 40)
        values = student.many("simulate", [(game, "s0", policy, student.rng(1), cut) for policy, cut in zip(policies, cuts)])
        if values != [wanted] * 3 and len(policies[0].states) == plies:
            recognise(values, {"The last allowed move ends the game: is this a game that was cut?": [0.0, wanted, wanted]})
        ask("the last allowed move ends the game: does its outcome count, and for whom?")
        assert values == [wanted] * 3
        ask("the game is over, and no move is allowed: what is the game worth?")
        assert student.simulate(game, f"s{plies}", student.in_turn([0]), student.rng(1), max_plies=0) == value


@pytest.mark.exercise("2.2")
@pytest.mark.hint("which generator should the policy draw from?")
def test_the_policy_draws_from_the_given_rng(student, edition):
    """the policy gets the given rng, at every move

    Promised: rng: passed to the policy, and used for nothing else.
    """
    rngs = [student.keep(student.rng(edition.getrandbits(30))) for _ in range(2)]
    for rng in rngs:
        policy = Script([0])
        student.simulate(line(3, 1.0), "s0", policy, rng)
        assert policy.rngs == [rng] * 3


@pytest.mark.exercise("2.2")
@pytest.mark.hint("what draws from rng: your function, or the policy?")
def test_only_the_policy_draws(student, edition):
    """with a policy that draws nothing, rng is unchanged, with a limit of moves and without

    Promised: rng: passed to the policy, and used for nothing else.
    """
    seed = edition.getrandbits(30)
    rng = student.keep(student.rng(seed))
    student.many("simulate", [(line(4, 1.0), "s0", student.in_turn([0]), rng, cut) for cut in (None, 2)])
    assert student.draw(rng) == Random(seed).random()


@drawn_once
def played_games(edition: Random) -> tuple[list[tuple], list[float]]:
    """Games with a state, the moves from there to the end, and a limit of moves; and the values."""
    drawn, right = [], []
    for number in range(40):
        game = playable(edition) if number % 8 else draw_game(edition, "over")
        if number % 4 == 1:
            game = draw_game(edition, "bushy", values=lambda dice: dice.choice([-0.5, -0.25, 0.25, 0.5]))
        state, moves = game.start(), []
        for _ in range(edition.choice([0, 0, 1])):  # begin after the first move: the other player asks
            if game.outcome(state) is None:
                state = game.play(state, edition.choice(game.legal_actions(state)))
        end = state
        while game.outcome(end) is None:
            moves.append(edition.choice(game.legal_actions(end)))
            end = game.play(end, moves[-1])
        cut = edition.choice([None, None, len(moves), edition.randint(0, len(moves) + 2)])
        drawn.append((game, state, moves, cut))
        right.append(0.0 if cut is not None and cut < len(moves) else game.outcome(end) * (-1) ** len(moves))
    return drawn, right


@pytest.mark.exercise("2.2")
@pytest.mark.hint("for which player is the returned value, and after which moves?")
def test_any_game_is_played_as_the_policy_says(student, edition):
    """in any game, from any state, with or without a limit, the value is that of the game which the policy plays

    Promised: Play from `state` to the end with `policy` for both players and return the result.
    Promised: Returns the value for the player to move at `state`, in [-1, 1]: the outcome at the end as this player sees
    it, +1 for a win, 0 for a draw, -1 for a loss, or a number between them where a game counts in that way.
    """
    drawn, right = played_games(edition)
    calls = [(game, state, student.in_turn(moves), student.rng(1), cut) for game, state, moves, cut in drawn]
    got = student.many("simulate", calls)
    recognise(got, {"A game may end with half a win: is the outcome itself the value?": [(x > 0) - (x < 0) for x in right]})
    assert got == near(right)


@pytest.mark.exercise("2.2")
@pytest.mark.hint("do you play a new game at every call?")
def test_every_game_is_played_anew(student, edition):
    """a second call plays a new game, in which the policy can choose other moves

    Promised: Play from `state` to the end with `policy` for both players and return the result.
    """
    game = ToyGame({"s0": ["w", "l"]}, {"w": -1.0, "l": 1.0})  # for the player to move after the move
    moves = [0, 1, 1, 0, *edition.choices([0, 1], k=4)]
    policy, rng = Script(moves), student.rng(1)
    values = student.many("simulate", [(game, "s0", policy, rng)] * len(moves))
    assert values == [-1.0 if move else 1.0 for move in moves]
