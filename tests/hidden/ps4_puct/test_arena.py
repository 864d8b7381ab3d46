"""4.8: the interval, one game, and a match."""

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from arena.games import ToyGame
from autograder.grading.hidden_checks.answer_types import node
from autograder.grading.hidden_checks.known_mistakes import ask, recognise
from tests.hidden.laws import near
from tests.hidden.ps4_puct.oracle import BOARD, FOUR, OTHELLO, fan, line, random_game

pytestmark = pytest.mark.exercise("4.8")

# four plies; 100 states after two of them
PAIRS = [f"w{a}{b}" for a in range(10) for b in range(10)]
WIDE = ToyGame(
    {"w": [f"w{a}" for a in range(10)]}
    | {f"w{a}": [f"w{a}{b}" for b in range(10)] for a in range(10)}
    | {pair: [f"{pair}x", f"{pair}y"] for pair in PAIRS}
    | {f"{pair}{last}": ["end"] for pair in PAIRS for last in "xy"},
    {"end": -1.0},
    start="w",
)


class Seat:
    """A player whose moves are made here. It remembers the arguments of its calls and the beginnings of games.

    `log` is shared between the two seats of a match: (name, "new game") or (name, state, simulations, rng).
    """

    def __init__(self, name: str, log: list, move: Callable[[Any], int]) -> None:
        self.name, self.log, self.move = name, log, move

    def choose(self, state: Any = None, simulations: Any = None, rng: Any = None) -> int:
        hash((state, rng))  # what cannot be a key is neither a state nor a generator: an error in the worker, not here
        action = self.move(state)
        self.log.append((self.name, state, simulations, rng))
        return action

    def new_game(self) -> None:
        self.log.append((self.name, "new game"))

    def over_there(self, student: Any) -> Any:
        return student.FunctionPlayer(self.choose, self.new_game)


def lowest(game: Any) -> Callable[[Any], int]:
    return lambda state: game.legal_actions(state)[0]


def by_salt(game: Any, salt: int) -> Callable[[Any], int]:
    """Any legal action, but always the same action at a state."""
    return lambda state: Random(repr((state, salt))).choice(game.legal_actions(state))


def play_out(game: Any, state: Any, moves: tuple[Callable, Callable]) -> float:
    """The result for the player who has moves[0] and plays where game.player is 0."""
    while (outcome := game.outcome(state)) is None:
        state = game.play(state, moves[game.player(state)](state))
    return outcome if game.player(state) == 0 else 0.0 - outcome


def moves_of(game: Any, state: Any, moves: tuple[Callable, Callable]) -> int:
    """The number of moves in a game of `play_out`."""
    made = 0
    while game.outcome(state) is None:
        state, made = game.play(state, moves[game.player(state)](state)), made + 1
    return made


def match(student: Any, game: Any, moves: tuple[Callable, Callable], n: int, seed: int, **fields: Any) -> tuple[tuple, list]:
    """The score of a match between two seats, and its log."""
    log: list = []
    seats = [Seat(name, log, move).over_there(student) for name, move in zip(("first", "second"), moves, strict=True)]
    return student.Arena(game, *seats, **fields).play_games(n, seed), log


def games_of(log: list) -> list[list]:
    """The log, split into games: each begins with the first of two "new game"."""
    games: list[list] = []
    for number, event in enumerate(log):
        if event[1] == "new game" and (number == 0 or log[number - 1][1] != "new game"):
            games.append([])
        if games:
            games[-1].append(event)
    return games


def openings_of(log: list) -> list[tuple[str, Any]]:
    """Who moved first, and where, in every game."""
    moves = [[event for event in game if event[1] != "new game"] for game in games_of(log)]
    return [(game[0][0], game[0][1]) for game in moves if game]


def wilson(p: float, n: int, z: float) -> list[float]:
    """The two ends of the interval."""
    middle, spread = p + z * z / 2 / n, z * (p * (1 - p) / n + z * z / 4 / n / n) ** 0.5
    return [(middle - spread) / (1 + z * z / n), (middle + spread) / (1 + z * z / n)]


def first_like(got: tuple[float, float], intervals: list[list[float]]) -> list[float]:
    """The first of `intervals` that equals `got`; none if no interval does."""
    return next((ends for ends in intervals if list(got) == near(ends)), [])


@pytest.mark.hint("which z, what is under the root, what divides the whole, and are the ends returned unchanged?")
def test_wilsons_interval(student, edition):
    """the interval is Wilson's, for many scores and numbers of games

    Promised: Return the ends (low, high) of Wilson's 95 % interval, with z = 1.96.
    """

    for p, n in ((edition.uniform(0.1, 0.9), edition.randint(10, 400)), (0.0, edition.randint(2, 50)), (0.5, 1)):
        z = 1.96
        right, got = wilson(p, n, z), student.wilson(p, n)
        if list(got) != near(right):
            middle, spread = p + z * z / 2 / n, z * (p * (1 - p) / n + z * z / 4 / n / n) ** 0.5
            plain, unsquared = z * (p * (1 - p) / n) ** 0.5, z * (p * (1 - p) / n + z * z / 4 / n) ** 0.5
            recognise(list(got), {
                "How wide is your interval where all games are won, and is it Wilson's?": [p - plain, p + plain],
                "Which number divides the whole formula?": [middle - spread, middle + spread],
                "Is the score a share, or a number of games?": [right[0] * n, right[1] * n] if n > 1 else [-1.0, -1.0],
                "Which power of n is in each part of the root?":
                    [(middle - unsquared) / (1 + z * z / n), (middle + unsquared) / (1 + z * z / n)],
                "Which z does the docstring name?": first_like(got, [wilson(p, n, other) for other in (2.0, 1.959964, 1.645)]),
                "Do you round the ends?": first_like(got, [[round(end, digits) for end in right] for digits in range(1, 6)]),
            })  # fmt: skip
            if p == 0:
                ask("no game is won: are the ends those of the formula, or do you cut them off?")
        assert got == near(right)
    #   7 of 10: (.7 + .19208 -+ 1.96 sqrt(.021 + .009604)) / 1.38416
    assert student.wilson(0.7, 10) == pytest.approx((0.396779, 0.892212), abs=1e-4)
    ask("all games are won: are the ends those of the formula, or do you cut them off?")
    assert student.wilson(1.0, 20) == pytest.approx((0.838870, 1.0), abs=1e-4)


@pytest.mark.hint("for whom is the outcome at the end, and which player is players[0]?")
def test_a_games_result_is_for_players_0(student, edition):
    """the result is for players[0], whoever moved last, and 0 in a draw; players[i] moves for player i

    Promised: Play one game from `state` and return its result for players[0]: +1.0, 0.0 or -1.0.
    """
    wanted = {1.0, 0.0, -1.0}
    while wanted:
        game = edition.choice([BOARD, FOUR, OTHELLO])
        moves = by_salt(game, edition.getrandbits(30)), by_salt(game, edition.getrandbits(30))
        state = game.start() if game is FOUR else random_game(edition, game)[0][edition.randrange(3)]
        right = play_out(game, state, moves)
        if right not in wanted:
            continue
        wanted.remove(right)
        log: list = []
        seats = tuple(Seat(name, log, move).over_there(student) for name, move in zip("AB", moves, strict=True))
        rngs = tuple(student.call_and_keep("random.Random", number) for number in (1, 2))
        got = student.Arena(game, *seats).play_game(seats, state, rngs)
        asked = [event for event in log if event[1] != "new game"]
        ask("what decides who moves: the game's player, or the number of moves?")
        assert [event for event in asked if event[0] != "AB"[game.player(event[1])]] == []
        if len(asked) < moves_of(game, state, moves):
            ask("when is a game over, and do you play every legal action, also action 0?")
        elif not right:
            ask("what is a draw worth, for either player?")
        else:
            ask("for whom is the outcome at the end, and which player is players[0]?")
        assert got == right
        ask("which generator does each player get?")
        assert [event for event in asked if event[3] != rngs["AB".index(event[0])]] == []


@pytest.mark.hint("do you look at the outcome before you ask for a move, and for whom is the outcome?")
def test_a_game_that_begins_at_the_end_has_its_result(student, edition):
    """a state in which the game is over gives its result at once, for players[0]

    Promised: Play one game from `state` and return its result for players[0]: +1.0, 0.0 or -1.0.
    """
    for plies in (1, 2):
        for outcome in (1.0, 0.0, -1.0):
            game = line(plies, outcome)
            seats = tuple(Seat(name, [], lambda state: 0).over_there(student) for name in "AB")
            got = student.Arena(game, *seats).play_game(seats, f"s{plies}", (student.rng(1), student.rng(2)))
            assert got == outcome * (-1) ** plies


@pytest.mark.hint("who loses when an action is not legal?")
def test_an_illegal_action_loses(student, edition):
    """a player who chooses an illegal action loses the game, for either seat, and the match goes on

    Promised: An action that is not legal loses the game for the player who chose it.
    """
    game = BOARD
    for seat in (0, 1):
        for bad in (edition.randint(9, 99), -1):
            moves = [lowest(game), lowest(game)]
            moves[seat] = lambda state, bad=bad: bad
            log: list = []
            seats = tuple(Seat(name, log, move).over_there(student) for name, move in zip("AB", moves, strict=True))
            got = student.Arena(game, *seats).play_game(seats, game.start(), (student.rng(1), student.rng(2)))
            assert got == (-1.0 if seat == 0 else 1.0)
    ask("where must the action be legal: anywhere in the game, or in exactly this state?")
    taken = game.play(game.start(), 4)  # and an action that was legal a move ago
    seats = tuple(Seat(name, [], lambda state: 4).over_there(student) for name in "AB")
    assert student.Arena(game, *seats).play_game(seats, taken, (student.rng(1), student.rng(2))) == 1.0
    ask("one player may have both seats: how do you know whose turn it is, and whose generator it gets?")
    log = []
    both = Seat("A", log, lambda state: 99 if game.player(state) else game.legal_actions(state)[0]).over_there(student)
    assert student.Arena(game, both, both).play_game((both, both), game.start(), (student.rng(1), student.rng(2))) == 1.0
    assert len({node(event[3]) for event in log if event[1] != "new game"}) == 2
    ask("what does an illegal action end, one game or the match, and who loses?")
    (wins, draws, losses, *_), _ = match(student, game, (lambda state: 77, lowest(game)), 6, edition.getrandbits(30))
    assert (wins, draws, losses) == (0, 0, 6)


@pytest.mark.hint("when is a player told that a new game begins, and how often in each game?")
def test_both_players_begin_each_game_anew(student, edition):
    """both players get new_game once, before the first move of every game

    Promised: Both get new_game() once, before the first move.
    """
    _, log = match(student, BOARD, (lowest(BOARD), by_salt(BOARD, edition.getrandbits(30))), 6, edition.getrandbits(30), plies=2)
    beginnings = [event for event in log if event[1] == "new game"]
    assert len(beginnings) == 12
    games = games_of(log)
    assert len(games) == 6
    for game in games:
        assert sorted(event[0] for event in game[:2]) == ["first", "second"]
        assert [event for event in game[:2] if event[1] != "new game"] == []


@pytest.mark.hint("what must be equal in the two games of an opening, and what must be different?")
def test_each_opening_is_played_with_both_colours(student, edition):
    """each opening is played twice, and the two players change places for the second game

    Promised: n / 2 openings are drawn from `seed`; each is played twice, once with either player as players[0], in any
    order.
    """
    for plies, n, few in ((2, 16, 3), (3, 80, 20)):  # at most so few of 100 in eight draws, of 200 in forty: once in 9e6
        _, log = match(student, WIDE, (lowest(WIDE), lowest(WIDE)), n, edition.getrandbits(30), plies=plies)
        began = openings_of(log)
        ask("how many games does a match have?")
        assert len(began) == n
        firsts, seconds = (sorted(str(state) for name, state in began if name == who) for who in ("first", "second"))
        if not (firsts and seconds):
            ask("who moves first in the second game of an opening?")
        else:
            ask("what must be equal in the two games of an opening, and what must be different?")
        assert firsts == seconds  # for any order of the games
        ask("where does each game begin: at the start of the game, or at an opening?" if WIDE.start() in firsts else
            "how many openings does a match draw from its own seed: one, a few, or one for every two games?")  # fmt: skip
        assert len(set(firsts)) > few


@pytest.mark.hint("who has won in the game with swapped colours?")
def test_wins_draws_and_losses_are_those_of_the_first_player(student, edition):
    """all games count for the first player: wins, draws, losses, the score with draws as halves, and its interval

    Promised: Play n games and return the first player's score.
    Promised: In the score a draw counts as half a win; its interval is that of `wilson`.
    """
    game = fan({"a": -1.0, "b": 0.0, "c": 1.0})  # one move, and the player who makes the move chooses: a win, a draw, a loss
    rounds, given = [], []
    for half in (2, 3, 4, edition.randint(2, 4)):
        while True:
            plans = [[edition.randrange(3) for _ in range(half)] for _ in range(2)]
            results = [1.0 - action for action in plans[0]] + [action - 1.0 for action in plans[1]]
            wins, draws, losses = (results.count(value) for value in (1.0, 0.0, -1.0))
            if wins and draws and wins != losses:
                break
        turns = [iter(plan * 9) for plan in plans]  # more than enough, for a match that is too long
        got, _ = match(student, game, tuple(lambda state, turn=turn: next(turn) for turn in turns), 2 * half, 1, plies=0)
        rounds.append((plans, wins, draws, losses))
        given.append(got)
    counts, wanted = [list(got[:3]) for got in given], [[wins, draws, losses] for _, wins, draws, losses in rounds]
    if counts != wanted:
        unturned = [[1.0 - action for plan in plans for action in plan] for plans, *_ in rounds]
        recognise(counts, {
            "The colours are swapped: who has won?":
                [[results.count(value) for value in (1.0, 0.0, -1.0)] for results in unturned],
            "For whom is the outcome at the end of a game, and whose points do you count?": [row[::-1] for row in wanted],
            "What is a drawn game: a win, a loss, or neither?": [[wins, 0, draws + losses] for wins, draws, losses in wanted],
        })  # fmt: skip
        ask("do you count every win, draw and loss, and for the first player?")
    assert counts == wanted
    shares = [(wins + draws / 2) / (wins + draws + losses) for wins, draws, losses in wanted]
    if [got[3] for got in given] != near(shares):
        recognise([got[3] for got in given], {
            "What is a draw worth?": [wins / (wins + draws + losses) for wins, draws, losses in wanted],
            "Do draws count among the games?": [wins / (wins + losses) for wins, _, losses in wanted],
        })  # fmt: skip
    ask("what is a draw worth in the score, and by how many games do you divide?")
    assert [got[3] for got in given] == near(shares)
    ask("the interval of which score, and over how many games?")
    for (wins, draws, losses), score, got in zip(wanted, shares, given, strict=True):
        n, z2 = wins + draws + losses, 1.96**2
        root = 1.96 * (score * (1 - score) / n + z2 / 4 / n / n) ** 0.5
        assert list(got[4:]) == near([(score + z2 / 2 / n - root) / (1 + z2 / n), (score + z2 / 2 / n + root) / (1 + z2 / n)])


@pytest.mark.hint("what is a draw worth in the score?")
def test_a_match_of_draws_is_a_half(student, edition):
    """a match with only draws has the score one half, and so has a match of a player with itself

    Promised: In the score a draw counts as half a win; its interval is that of `wilson`.
    Promised: first, second, the players, who may be one object;
    """
    game = line(7, 0.0)
    got, _ = match(student, game, (lowest(game), lowest(game)), 4, edition.getrandbits(30), plies=2)
    assert got[:4] == (0, 4, 0, 0.5)
    game = fan({"a": 0.0, "b": -1.0})  # one move: a is a draw, b a win for the player who moves
    got, _ = match(student, game, (lambda state: 0, lambda state: 1), 2, edition.getrandbits(30), plies=0)
    assert got[:4] == (0, 1, 1, 0.25)
    alone = Seat("alone", [], lambda state: 1).over_there(student)
    ask("a player may meet itself: how do you know which of the two has won?")
    assert student.Arena(game, alone, alone, plies=0).play_games(2, edition.getrandbits(30))[:4] == (1, 0, 1, 0.5)


@pytest.mark.hint("what may change the openings, and what may not?")
def test_openings_come_from_the_seed_alone(student, edition):
    """the same seed gives the same openings, for any players and any budget; another seed gives others

    Promised: Two seeds share an opening only by luck. The openings depend on the seed alone: a longer match has the openings
    of a shorter match, and more.
    """
    seed = edition.randrange(10**6)
    before = student.disturb(edition.getrandbits(30))

    def openings(seed: int, salt: int, simulations: int) -> list[Any]:
        moves = (by_salt(WIDE, salt), by_salt(WIDE, salt + 1))
        return [state for _, state in openings_of(match(student, WIDE, moves, 16, seed, simulations=simulations, plies=3)[1])]

    first = openings(seed, edition.getrandbits(20), 5)
    ask("do the openings depend on anything except the seed: on the budget, or on the players?")
    assert openings(seed, edition.getrandbits(20), 50) == first
    for other in (seed + 1, seed + 2):
        shared = Counter(openings(other, edition.getrandbits(20), 5)) & Counter(first)
        ask("do the openings change with the seed?" if shared.total() == 16 else
            "seeds near each other, such as 1, 2 and 3: do they have nearly all openings in common?")  # fmt: skip
        assert shared.total() <= 12, "of eight openings six at the most may be those of the seed before"  # once in 4e8
    ask("which generator draws the openings, and which generators may you not use?")
    assert student.global_state() == before
    ask("how many random moves does an opening have?")
    assert [state for state in first if state[:-1] not in PAIRS] == []


@pytest.mark.hint("one player draws more numbers: does the other player's play change?")
def test_each_player_has_a_generator_of_its_own(student, edition):
    """each player gets its own generator, the same one in the whole match, and the budget of the arena

    Promised: Each player has its own generator for the whole match, made from the seed: the same seed gives the same match.
    Promised: simulations, each player's budget for a move;
    """
    budget, seed = edition.choice([1, 3, 49, 51, 90, 800]), edition.getrandbits(30)  # a number different from the usual 50
    luck = []
    for _ in range(2):
        _, log = match(student, BOARD, (lowest(BOARD), lowest(BOARD)), 4, seed, simulations=budget, plies=2)
        moves = [event for event in log if event[1] != "new game"]
        ask("how many simulations does a player get for a move, and which field gives the number?")
        assert moves and [event for event in moves if event[2] != budget] == [], (
            "every move must be asked for with the given budget"
        )
        rngs = {name: {node(event[3]) for event in moves if event[0] == name} for name in ("first", "second")}
        ask("which generator does a player get in the game with swapped colours?")
        assert [len(own) for own in rngs.values()] == [1, 1]
        (mine,), (theirs,) = rngs["first"], rngs["second"]
        ask("one player draws more numbers: does the other player's play change?")
        assert mine != theirs
        luck.append([student.draw(mine), student.draw(theirs)])
    ask("what makes the players' generators: does the same seed give the same match?")
    assert luck[0] == luck[1]  # made from the seed


@pytest.mark.hint("when do you call progress, with which two numbers, and what if progress is None?")
def test_progress_is_told_after_every_game(student, edition):
    """progress(games so far, n) is called after each game, and a match also works without it

    Promised: After each game `progress(games so far, n)` is called, if it is given.
    """
    reports, n = [], 2 * edition.randint(2, 3)
    match(student, BOARD, (lowest(BOARD), lowest(BOARD)), n, 1, progress=lambda *how_far: reports.append(how_far))
    wanted = [(done, n) for done in range(1, n + 1)]
    if reports != wanted:
        recognise(reports, {
            "When do you call progress: before a game, or after it?": [(done, n) for done in range(n)],
            "After which games do you call progress: only after the last game?": [(n, n)],
        })  # fmt: skip
    assert reports == wanted


@pytest.mark.hint("how many games does each opening need, and can a match have no opening?")
def test_an_odd_number_of_games_is_an_error(student, edition):
    """a match of an odd number of games, or of none, raises ValueError

    Promised: ValueError: n is not an even number, at least 2.
    """
    for n in (0, 1, 2 * edition.randint(1, 9) + 1, -2):
        with student.raises(ValueError):
            match(student, BOARD, (lowest(BOARD), lowest(BOARD)), n, 1)
