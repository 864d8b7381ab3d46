"""1.9 and 1.10: the value of a position, by a random game and exactly."""

from random import Random
from typing import Any

import pytest

from arena.games import ToyGame
from autograder.grading.hidden_checks.known_mistakes import ask, recognise
from tests.hidden.full_games import full_game
from tests.hidden.ps1_games.boards import (
    FOUR,
    RULES,
    TTT,
    ask_of_all,
    facts,
    finished,
    ongoing,
    over_with_open_mask,
    replay,
    send,
    with_empties,
)


def line(length: int, value: float) -> ToyGame:
    """A game of `length` forced moves; `value` is the outcome for the player to move at its end."""
    return ToyGame({f"s{ply}": [f"s{ply + 1}"] for ply in range(length)}, {f"s{length}": value})


def playouts(student: Any, game: Any, state: Any, rng: Any, number: int = 1) -> tuple[list[float], Any]:
    """The results of `number` rollouts of a game of the grader, and the game with a record of all calls."""
    watched = student.watch(game)
    return student.many("random_playout", [(watched, watched.token(state), rng)] * number), watched


def moves_made(watched: Any) -> list[tuple[Any, int]]:
    """(state, action) of every move, in order; refused moves do not count."""
    plays = [(state, action) for method, state, action in watched.calls if method == "play"]
    return [(state, action) for state, action in plays if action in watched.game.legal_actions(state)]


def visited(watched: Any) -> list[Any]:
    """The states that moves led to, in order."""
    return [watched.game.play(state, action) for state, action in moves_made(watched)]


def followed(watched: Any) -> list[Any]:
    """The states in which moves were made, in order. `play` is pure: code may make all successors and follow one of them."""
    return list(dict.fromkeys(state for state, _ in moves_made(watched)))


def ended(watched: Any) -> Any:
    """The finished state at which a rollout ended: the last state whose outcome was asked for, if there is one."""
    asked = [state for method, state, _ in watched.calls if method == "outcome"]
    return next((state for state in reversed(asked) if watched.game.outcome(state) is not None), None)


@pytest.mark.exercise("1.9")
@pytest.mark.hint("the outcome is for the player to move at the end: is this the player who asked?")
def test_the_result_belongs_to_the_player_who_asked(student, edition):
    """an outcome at the end is a win or a loss for the player at the beginning, by the number of plies

    Promised: Returns the value for the player to move at `state`: +1.0 if that player wins in the end, 0.0 for a draw, -1.0
    if the other does.
    """
    lengths = [0, 1, 2, 11, *edition.sample(range(3, 10), 2)]
    cases = [(n, value) for value in (-1.0, 1.0) for n in lengths]
    results = [playouts(student, line(n, value), "s0", student.rng(n))[0][0] for n, value in cases]
    wanted = [value * (-1) ** n for n, value in cases]
    if results != wanted:
        recognise(results, {
            "The outcome is for the player to move at the end: is this the player who asked?":
                [value for _, value in cases],
            "Who is to move after an even number of plies?": [-value for value in wanted],
        })  # fmt: skip
        ask_of_all([(n, got) for (n, _), got, right in zip(cases, results, wanted, strict=True) if got != right], {
            "When the game is already over, is there a move to make, and what is the result?": lambda case: case[0] == 0,
            "Does a rollout go on to the end of the game, even of a long game?": lambda case: case[1] == 0.0,
        })  # fmt: skip
    assert results == wanted


@pytest.mark.exercise("1.9")
@pytest.mark.hint("what is a draw worth, and for which player?")
def test_a_draw_is_worth_nothing_to_either(student, edition):
    """a drawn game is worth 0 for either player, after any number of plies

    Promised: Returns the value for the player to move at `state`: +1.0 if that player wins in the end, 0.0 for a draw, -1.0
    if the other does.
    """
    results = [playouts(student, line(n, 0.0), "s0", student.rng(n))[0][0] for n in (0, 1, 4, 5)]
    assert results == [0.0] * 4


@pytest.mark.exercise("1.9")
@pytest.mark.hint("for whom is the result when player 1 is to move at `state`?")
def test_both_players_see_the_end_from_their_side(student, edition):
    """a game that X wins is a win if X was to move at `state`, a loss if O was; a game that O wins is the opposite

    Promised: Returns the value for the player to move at `state`: +1.0 if that player wins in the end, 0.0 for a draw, -1.0
    if the other does.
    """
    states = ongoing(edition, FOUR, 6, at_least=14)
    results, wanted, has_refused = [], [], False
    for state in states:
        (result,), watched = playouts(student, FOUR, state, student.rng(edition.getrandbits(30)))
        end = ended(watched)
        ask("how does the rollout know that the game is over?")
        assert end is not None
        won = FOUR.player(end) != FOUR.player(state)  # for the player to move at `state`: now the other one moves
        results.append(result)
        wanted.append(0.0 if FOUR.outcome(end) == 0 else 1.0 if won else -1.0)
        has_refused |= len(moves_made(watched)) < sum(method == "play" for method, _, _ in watched.calls)
    if results != wanted:
        for_x = [value * (-1) ** FOUR.player(state) for state, value in zip(states, wanted, strict=True)]
        recognise(results, {
            "Does an action that `play` refuses count as a ply, and among which actions do you choose by chance?":
                results if has_refused else None,
            "Is this the result for X, or for the player to move?": for_x,
        })  # fmt: skip
    ask("for whom is the result when player 1 is to move at `state`?")
    assert results == wanted


@pytest.mark.exercise("1.9")
@pytest.mark.hint("the moves are forced: how does the game end, and is that good for the player to move at `state`?")
def test_a_playout_on_boards_with_one_way_to_go(student, edition):
    """on a board with one open column the rollout's result is the outcome of filling this column, for either player

    Promised: Returns the value for the player to move at `state`: +1.0 if that player wins in the end, 0.0 for a draw, -1.0
    if the other does.
    """
    game, rng = student.ConnectFour(), student.rng(edition.getrandbits(30))
    for moves in (full_game(edition), full_game(edition, won=True)):
        states = [state for state, action in replay(FOUR, moves) if action is not None and len(FOUR.legal_actions(state)) == 1]
        calls = [(game, state, rng) for state in send(student, [facts(FOUR, state) for state in states])]
        end = replay(FOUR, moves)[-1][0]
        wanted = [FOUR.outcome(end) * (1 if FOUR.player(state) == FOUR.player(end) else -1) for state in states]
        results = student.many("random_playout", calls)
        if results != wanted:
            for_x = [value * (-1) ** FOUR.player(state) for state, value in zip(states, wanted, strict=True)]
            recognise(results, {"On a board, too: is this the result for X, or for the player to move at `state`?": for_x})
        assert results == wanted


@pytest.mark.exercise("1.9")
@pytest.mark.hint("which object knows what is legal, and when the game is over?")
def test_a_playout_is_a_legal_game_to_its_end(student, edition):
    """a rollout plays legal moves from the given state until the game is over, and then stops

    Promised: Play from `state` to the end, every legal action equally likely, and return the result.
    """
    for game in RULES.values():
        for state in ongoing(edition, game, 2):
            results, watched = playouts(student, game, state, student.rng(edition.getrandbits(30)))
            path, end = followed(watched), ended(watched)
            assert path and path[0] == state, "the way must begin at the state itself"
            for before, after in zip(path, [*path[1:], end], strict=True):
                assert after in [game.play(before, action) for action in game.legal_actions(before)]
            assert results == [game.outcome(end) * (-1) ** len(path)]


@pytest.mark.exercise("1.9")
@pytest.mark.hint("is there anything to play when the game is over?")
def test_a_finished_game_is_worth_its_outcome(student, edition):
    """in a finished game no move is made, and the result is the outcome

    Promised: state: where to begin; if the game is over there, no move is made.
    """
    for game in RULES.values():
        for value in (-1.0, 0.0):
            end = finished(edition, game, value)[-1][0]
            results, watched = playouts(student, game, end, student.rng(1))
            assert results == [value] and visited(watched) == []
    for name in RULES:
        ask("the game is over, and the state's mask still shows squares: which method tells that the game is over?")
        assert student.random_playout(*over_with_open_mask(student, edition, name), student.rng(1)) == -1.0


@pytest.mark.exercise("1.9")
@pytest.mark.hint("does your function use only the given rng: no other generator, and no seed of its own?")
def test_chance_comes_from_rng_alone(student, edition):
    """the same rng plays the same games again, another rng plays others, and no other generator is used

    Promised: rng: the only source of chance.
    """
    seed = edition.getrandbits(30)

    def games(seed: int) -> list[Any]:
        return visited(playouts(student, TTT, TTT.start(), student.rng(seed), 3)[1])

    before = student.disturb(edition.getrandbits(30))
    first = games(seed)
    ask("does a random number come from another generator than the given rng?")
    assert student.global_state() == before
    student.disturb(edition.getrandbits(30))
    ask("the same seed gives other moves: which moves do not come from the given rng?")
    assert first == games(seed)
    ask("another seed gives the same games: do you draw from the given rng?")
    assert first != games(seed + 1)  # equal by chance only once in millions of millions: at least fifteen moves


def exact_values(game: Any, state: Any, memo: dict[Any, float]) -> dict[Any, float]:
    """The value of every state that can be reached from `state`, for the player to move there."""
    if state not in memo:
        memo[state] = game.outcome(state)
        if memo[state] is None:
            after = [game.play(state, action) for action in game.legal_actions(state)]
            memo[state] = max(-exact_values(game, successor, memo)[successor] for successor in after)
    return memo


def drawn_tree(edition: Random) -> ToyGame:
    """A game of four plies in which many paths lead to the same state; the values at its end are random."""
    moves: dict[str, list[str]] = {}
    level = ["a"]
    for below in ("bcd", "efgh", "ijkl", "mnopqr"):
        for state in level:
            moves[state] = edition.sample(list(below), 3)
        level = sorted({after for state in level for after in moves[state]})
    return ToyGame(moves, {state: edition.choice([-1.0, -0.5, 0.0, 0.5, 1.0]) for state in level}, start="a")


@pytest.mark.exercise("1.10")
@pytest.mark.hint("for which player is the value of the state after a move?")
def test_the_value_flips_at_every_ply(student, edition):
    """along forced moves the value is the outcome at the end, with the sign for an even or odd number of plies

    Promised: Return the exact value of `state` for the player to move there, when both play as well as possible.
    """
    lengths = [0, 1, 2, edition.choice([4, 6]), edition.choice([3, 5])]
    cases, values = [(n, value) for value in (-1.0, 1.0, 0.0) for n in lengths], []
    for n, value in cases:
        watched = student.watch(line(n, value))
        values.append(student.negamax(watched, watched.token("s0")))
    wanted = [value * (-1) ** n for n, value in cases]
    if values != wanted:
        recognise(values, {
            "Your opponent's gain is your loss: where is the minus?": [value for _, value in cases],
            "A default dict lives from call to call: does each call without a memo begin with an empty dict?":
                [values[0]] * len(values),
            "An outcome is already for the player to move: do you negate it once more?": [-value for value in wanted],
            "With which value does your best begin: can every move be worse than this?": [never_lost(*case) for case in cases],
        })  # fmt: skip
    assert values == wanted


def never_lost(plies: int, value: float) -> float:
    """The values along forced moves, if the search for the best move begins at 0."""
    return value if plies == 0 else max(0.0, -never_lost(plies - 1, value))


@pytest.mark.exercise("1.10")
@pytest.mark.hint("who chooses at the second ply, and what is best for that player?")
def test_both_players_choose_what_is_best_for_them(student):
    """on a small tree the value is the value computed by hand, at every state

    Promised: Return the exact value of `state` for the player to move there, when both play as well as possible.
    """
    #          s0              s0 = max(-a, -b, -k) = max(-1, -.5, -0) = 0
    #       /   |   \
    #      a    b    k         a = max(-d, -e) = max(1, -1) = 1,  b = -c = .5,  k = -z = 0
    #     / \   |    |
    #    d   e  c    z         d = -1, e = 1, z = 0;  c = max(-m, -n) = max(-.5, -1) = -.5
    #          / \
    #         m   n            m = .5, n = 1, each for the player to move there
    game = ToyGame(
        {"s0": ["a", "b", "k"], "a": ["d", "e"], "b": ["c"], "c": ["m", "n"], "k": ["z"]},
        {"d": -1.0, "e": 1.0, "m": 0.5, "n": 1.0, "z": 0.0},
    )
    watched = student.watch(game)
    wanted = {"a": 1.0, "b": 0.5, "c": -0.5, "k": 0.0, "s0": 0.0}
    values = {state: student.negamax(watched, watched.token(state)) for state in wanted}
    if values != wanted:
        mistakes = {
            "Which comes first, the minus or the max: do you take the best move, or the worst?":
                lambda state, after: -max(after),
            "A minus, and also a min for the second player: do you change the view twice?":
                lambda state, after: (min if game.player(state) else max)(-value for value in after),
            "Is a value the mean over the moves, or the value of the best move?": lambda state, after: -sum(after) / len(after),
            "Is this always the value of the first move, or the value of the best move?": lambda state, after: -after[0],
            "Is this always the value of the last move, or the value of the best move?": lambda state, after: -after[-1],
        }  # fmt: skip
        known = {hint: [by_rule(game, state, rule) for state in wanted] for hint, rule in mistakes.items()}
        for_x = [value * (-1) ** game.player(state) for state, value in wanted.items()]
        known["Is this X's value at every state, or the value for the player to move there?"] = for_x
        known["A value can lie between two whole numbers: do you round anything?"] = [1.0, 0.0, 0.0, 0.0, 0.0]
        recognise(list(values.values()), known)
    assert values == wanted


def by_rule(game: Any, state: Any, rule: Any) -> float:
    """The value of a state if rule(state, values of the next states) gives it."""
    after = [by_rule(game, game.play(state, action), rule) for action in game.legal_actions(state)]
    return rule(state, after) if after else game.outcome(state)


@pytest.mark.exercise("1.10")
@pytest.mark.hint("does your function treat X and O in the same way, and a draw as a result?")
def test_exact_values_on_the_board(student, edition):
    """on Tic-Tac-Toe boards the value is the value of perfect play, for both players, also in finished games

    Promised: Return the exact value of `state` for the player to move there, when both play as well as possible.
    """
    states = [with_empties(edition, empties) for empties in (1, 2, 2, 3, 3, 4, 4, 5)]
    states += [finished(edition, TTT, value)[-1][0] for value in (-1.0, 0.0)]
    game, memo = student.TicTacToe(), {}
    calls = [(game, state) for state in send(student, [facts(TTT, state) for state in states])]
    assert student.many("negamax", calls) == [exact_values(TTT, state, memo)[state] for state in states]


# The first move of s0 is worth .5. Below b the answer d is so good that a search may drop b and never see e. At z the
# first move wins.
EAGER = ToyGame(
    {"s0": ["a", "b", "z"], "a": ["c"], "b": ["d", "e"], "d": ["f"], "e": ["g"], "z": ["w", "x"], "x": ["y"]},
    {"c": 0.5, "f": 1.0, "g": 0.0, "w": -1.0, "y": 0.0},
)


@pytest.mark.exercise("1.10")
@pytest.mark.hint("which states does memo hold afterwards, with which values, and for which player?")
def test_memo_holds_every_position_with_its_value(student, edition):
    """afterwards memo holds exactly the states that can be reached, each with its exact value

    Promised: Afterwards memo holds every state that can be reached from `state`, finished ones too, with its value: no
    state is left out, even if one move already wins.
    """
    for game in (drawn_tree(edition), line(3, -1.0), EAGER):
        watched, memo = student.watch(game), student.keep({})
        student.negamax(watched, watched.token(game.start()), memo)
        values = exact_values(game, game.start(), {})
        stored, wanted = student.read(memo), {watched.token(state): value for state, value in values.items()}
        if stored != wanted:
            missing = [state for state in values if watched.token(state) not in stored]
            over = [state for state in values if game.outcome(state) is not None]
            questions = {
                "An empty dict counts as False: do you fill the caller's own dict?": not stored,
                "Does a finished state also get an entry in memo?": missing == over,
                "Does memo also hold the state of the call itself?": missing == [game.start()],
                "Does your search leave out moves when a move already wins or is good enough?": missing,
                "For whom is each value in memo: for the player to move at that state, or for the other player?":
                    stored == {token: -value for token, value in wanted.items()},
            }  # fmt: skip
            ask_of_all([stored], {question: lambda _, fits=fits: fits for question, fits in questions.items()})
        assert stored == wanted


@pytest.mark.exercise("1.10")
@pytest.mark.hint("two orders of the same moves lead to the same position: how often do you compute its value?")
def test_no_position_is_worked_out_twice(student, edition):
    """the value of a position that many orders of moves reach is computed only once

    Promised: A value in memo is not computed again.
    """
    depth = edition.randint(9, 11)  # at least 1,024 lines of play, and two positions in each ply
    moves = {f"{ply}{side}": [f"{ply + 1}l", f"{ply + 1}r"] for ply in range(depth) for side in "lr"}
    game = ToyGame({"s": ["0l", "0r"], **moves}, {f"{depth}l": -1.0, f"{depth}r": 1.0}, start="s")
    watched = student.watch(game)
    value = student.negamax(watched, watched.token("s"))
    ask("does the search go on to the end of the game, even after many plies?")
    assert value == exact_values(game, "s", {})["s"]
    ask("two orders of the same moves lead to the same position: how often do you compute its value?")
    assert sum(method == "play" for method, _, _ in watched.calls) <= 4 * (4 * depth + 2)  # each move once: 4 * depth + 2


@pytest.mark.exercise("1.10")
@pytest.mark.hint("does your function look into memo first, before it plays anything, and use the value there unchanged?")
def test_what_memo_knows_is_not_worked_out_again(student, edition):
    """values in memo are used unchanged, and the states behind them are not looked at

    Promised: A value in memo is not computed again.
    Promised: But the search stops at a state that memo held before: what is reached only through such a state is not looked
    at and not entered.
    """
    game = ToyGame({"s0": ["a", "b"], "a": ["c"], "b": ["d"], "c": ["e"]}, {"e": 1.0, "d": -1.0})
    watched, known = student.watch(game), round(edition.uniform(-0.9, -0.1), 3)
    a, b, start = (watched.token(state) for state in ("a", "b", "s0"))
    memo = student.keep({a: known, b: 1.0})
    assert student.negamax(watched, start, memo) == -known
    assert student.read(memo) == {a: known, b: 1.0, start: -known}
    assert not {state for _, state, _ in watched.calls} & {"c", "d", "e"}, "states behind a value of memo must not be looked at"
    ask("Python takes 0 for False: do you treat a value of 0 in memo as known?")
    assert student.negamax(watched, a, student.keep({a: 0.0})) == 0.0


@pytest.mark.exercise("1.10")
@pytest.mark.hint("what is left of the last call when the next call begins?")
def test_without_memo_every_call_begins_anew(student, edition):
    """without a memo each call begins with nothing, even when another game's states look the same

    Promised: None begins with an empty memo, at every call.
    """
    for value in (1.0, -1.0, edition.choice([0.0, 0.25])):
        watched = student.watch(line(2, value))
        assert student.negamax(watched, watched.token("s0")) == value
    watched, memo = student.watch(line(2, -1.0)), student.keep({})
    assert student.negamax(watched, watched.token("s0"), memo) == -1.0
    again = student.watch(line(2, 1.0))
    assert student.negamax(again, again.token("s0"), student.keep({})) == 1.0
