"""4.8 on random games: any game and any state, matches of any length, a second match, and each player's own generator."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from autograder.grading.hidden_checks.answer_types import node
from autograder.grading.hidden_checks.known_mistakes import ask
from tests.hidden.generators import draw_game, draw_whole, states_of
from tests.hidden.laws import agrees, same_again
from tests.hidden.ps4_puct.oracle import BOARD, Evaluate, fan, line
from tests.hidden.ps4_puct.test_arena import WIDE, Seat, by_salt, lowest, match, moves_of, openings_of, play_out

pytestmark = pytest.mark.exercise("4.8")

PARTIAL = "torch.functools.partial"  # Python's own generator, by a way that every submission of this set has


def right_interval(p: float, n: int) -> tuple[float, float]:
    z2 = 1.96**2
    middle, half = p + z2 / 2 / n, 1.96 * (p * (1 - p) / n + z2 / 4 / n / n) ** 0.5
    return (middle - half) / (1 + z2 / n), (middle + half) / (1 + z2 / n)


@pytest.mark.hint("does your formula hold for one game, for thousands, for no win and for wins only?")
def test_the_interval_of_any_match(student, edition):
    """for 1 to 100,000 games and any score the interval is Wilson's

    Promised: Return the ends (low, high) of Wilson's 95 % interval, with z = 1.96.
    """
    calls = [(0.0, 1), (1.0, 1), (0.5, 1), (1.0, 100_000)]
    for most in (3, 30, 1000, 100_000) * 6:
        n = edition.randint(1, most)
        calls.append((edition.choice([0, 1, n, 2 * n, edition.randint(0, 2 * n)]) / (2 * n), n))
    agrees(student, "wilson", calls, right_interval)
    same_again(student, "wilson", calls)


def play(student: Any, game: Any, state: Any, moves: tuple) -> tuple[float, list]:
    """One game between two seats: its result, and the calls of the seats."""
    log: list = []
    seats = tuple(Seat(name, log, move).over_there(student) for name, move in zip("AB", moves, strict=True))
    got = student.Arena(game, *seats).play_game(seats, state, (student.rng(1), student.rng(2)))
    return got, [event for event in log if event[1] != "new game"]


@pytest.mark.hint("for whom is the result, whoever moves at the beginning and at the end?")
def test_a_game_from_any_state_of_any_game(student, edition):
    """from any state of any game, also a long game, the result is for players[0], and each player moves at its own turns

    Promised: Play one game from `state` and return its result for players[0]: +1.0, 0.0 or -1.0.
    """
    for shape in ("bushy", "line", "forced", "wide", "over", "line", "bushy"):
        game = draw_game(edition, shape, values=draw_whole)
        for state in edition.sample(states_of(game), min(3, len(states_of(game)))):
            moves = by_salt(game, edition.getrandbits(30)), by_salt(game, edition.getrandbits(30))
            got, asked = play(student, game, state, moves)
            if len(asked) < moves_of(game, state, moves):
                ask("what decides that a game is over: the game, or the number of moves?")
            else:
                ask("for whom is the result, whoever moves at the beginning and at the end?")
            assert got == play_out(game, state, moves)
            assert [(name, seen) for name, seen, *_ in asked if name != "AB"[game.player(seen)]] == []
    long = line(edition.randint(204, 220), edition.choice([1.0, -1.0]))
    ask("what decides that a game is over: the game, or the number of moves?")
    assert play(student, long, "s0", (lowest(long), lowest(long)))[0] == play_out(long, "s0", (lowest(long), lowest(long)))


@pytest.mark.hint("an action is legal somewhere else: is it legal here, and who loses in the middle of a game?")
def test_an_illegal_action_in_any_game(student, edition):
    """an action that is not legal at exactly that state loses for its player, in the middle of a game and at its start

    Promised: An action that is not legal loses the game for the player who chose it.
    """
    for turn in range(8):
        game = draw_game(edition, "line" if turn % 2 else "bushy", values=draw_whole)
        states, state = [], game.start()
        while game.outcome(state) is None:
            states.append(state)
            state = game.play(state, edition.choice(game.legal_actions(state)))
        wrong_at = edition.choice(states[:6])
        way = dict(zip(states, [*states[1:], None]))
        actions = range(-1, game.num_actions + 2)
        illegal = edition.choice([a for a in actions if a not in game.legal_actions(wrong_at)])

        def move(state: Any, game: Any = game, way: dict = way, wrong_at: Any = wrong_at, illegal: int = illegal) -> int:
            legal = game.legal_actions(state)
            return illegal if state == wrong_at else next((a for a in legal if game.play(state, a) == way.get(state)), legal[0])

        got, asked = play(student, game, game.start(), (move, move))
        assert got == (-1.0 if game.player(wrong_at) == 0 else 1.0)
        assert len(asked) == states.index(wrong_at) + 1


def opened(student: Any, n: int, seed: int, **fields: Any) -> list[str]:
    """The openings of a match, as the player who moved first saw them, sorted."""
    _, log = match(student, WIDE, (lowest(WIDE), lowest(WIDE)), n, seed, plies=2, **fields)
    return sorted(str(state) for _, state in openings_of(log))


@pytest.mark.hint("do the openings depend on anything except the seed: on the number of games, on the match before?")
def test_a_longer_match_has_the_openings_of_a_shorter_one(student, edition):
    """for any number of games one seed gives the same openings, and a longer match has those of a shorter match

    Promised: The openings depend on the seed alone: a longer match has the openings of a shorter match, and more.
    """
    seed = edition.getrandbits(30)
    short, long = Counter(opened(student, 4, seed)), Counter(opened(student, 10, seed, simulations=3))
    assert sum(short.values()) == 4 and sum(long.values()) == 10
    assert not short - long, "the openings of the short match must be among those of the long one"
    assert Counter(opened(student, 10, seed)) == long


@pytest.mark.hint("what does an arena remember of the match before?")
def test_a_second_match_is_a_match_of_its_own(student, edition):
    """an arena plays a second match like its first: the same openings and score by the same seed; `progress` counts from 1 again

    Promised: Each player has its own generator for the whole match, made from the seed: the same seed gives the same match.
    Promised: After each game `progress(games so far, n)` is called, if it is given.
    """
    seats: list[Any] = []
    log: list = []
    reports: list[tuple] = []
    for name in ("first", "second"):
        seats.append(Seat(name, log, by_salt(WIDE, edition.getrandbits(30))).over_there(student))
    arena = student.Arena(WIDE, *seats, plies=2, progress=lambda *how_far: reports.append(how_far))
    seed, other = 0, edition.randrange(1, 10**6)  # 0 is a seed like any other
    first, its_log = arena.play_games(8, seed), log.copy()
    log.clear()
    second = arena.play_games(8, other), openings_of(log), luck_of(student, log)
    log.clear()
    reports.clear()
    again = arena.play_games(8, seed)
    if again != first or openings_of(log) != openings_of(its_log):
        log.clear()
        fresh = student.Arena(WIDE, *seats, plies=2).play_games(8, seed)
        if fresh != first or openings_of(log) != openings_of(its_log):
            ask("is a seed of 0 a seed like any other?")
        log.clear()
    assert again == first
    assert openings_of(log) == openings_of(its_log)
    assert reports == [(done, 8) for done in range(1, 9)]
    log.clear()
    alone = student.Arena(WIDE, *seats, plies=2).play_games(8, other), openings_of(log), luck_of(student, log)
    ask("a second match has another seed: does this seed make its openings, or the first match's?")
    assert second[:2] == alone[:2]
    ask("a second match has another seed: does this seed make the players' generators, or the first match's?")
    assert second[2] == alone[2]


def luck_of(student: Any, log: list) -> dict[str, float]:
    """The next number of each player's generator after a match."""
    rngs = {event[0]: node(event[3]) for event in log if event[1] != "new game"}
    return {name: student.draw(rngs[name]) for name in sorted(rngs)}


@pytest.mark.hint("what makes the players' generators, and do they change with the seed?")
def test_the_players_generators_come_from_the_seed(student, edition):
    """another seed gives both players other draws, the same seed the same draws, in a match of any length

    Promised: Each player has its own generator for the whole match, made from the seed: the same seed gives the same match.
    """
    seeds = edition.sample(range(10**6), 2)
    luck = []
    for seed, n in ((seeds[0], 4), (seeds[1], 4), (seeds[0], 4)):
        _, log = match(student, BOARD, (lowest(BOARD), lowest(BOARD)), n, seed, plies=2)
        luck.append(luck_of(student, log))
        assert set(luck[-1]) == {"first", "second"}
    assert luck[0] == luck[2]
    assert luck[0]["first"] != luck[1]["first"] and luck[0]["second"] != luck[1]["second"]


@pytest.mark.hint("a player has its own generator: does anything else draw from this generator?")
def test_a_player_who_draws_changes_nobodys_luck(student, edition):
    """the openings and the other player's moves are the same, whether a player draws at every move or never

    Promised: The openings depend on the seed alone: a longer match has the openings of a shorter match, and more. Each
    player has its own generator for the whole match, made from the seed: the same seed gives the same match.
    """
    seed, even = edition.getrandbits(30), {state: dict.fromkeys(WIDE.legal_actions(state), 1.0) for state in states(WIDE)}
    openings, moves = [], []
    for who in ("first and second", "first", "second"):
        seen: dict[str, list[str]] = {"first": [], "second": []}
        players = []
        for name, asked in seen.items():
            seat = Seat(name, [], lambda state, asked=asked: asked.append(state) or WIDE.legal_actions(state)[0])
            players.append(drawing(student, even, asked) if name in who else seat.over_there(student))
        student.Arena(WIDE, *players, plies=2).play_games(12, seed)
        # three letters are an opening; the fourth, which the opponent sees, is the move made there: x or y
        openings.append(sorted(str(state) for asked in seen.values() for state in asked if len(str(state)) == 3))
        moves.append({name: [str(state)[3:] for state in asked if len(str(state)) == 4] for name, asked in seen.items()})
    assert len(openings[0]) == 12 and openings[0] == openings[1] == openings[2]
    assert len(moves[0]["second"]) == 6
    assert moves[0]["second"] == moves[1]["second"]  # the number that the first player drew, as the second player saw it
    assert moves[0]["first"] == moves[2]["first"]


def drawing(student: Any, priors: dict[Any, dict], asked: list) -> Any:
    """A player in the worker that draws from its generator at every move: our PolicyPlayer.choose over a given Player.

    Nothing of the submission's own PolicyPlayer is in this player. `asked` gets the states.
    """
    evaluate = Evaluate(lambda state: (priors[state], 0.0))
    evaluate.states = asked
    itself = student.call_and_keep("Player", WIDE, evaluate)
    return student.FunctionPlayer(student.call_and_keep(PARTIAL, student.functions["PolicyPlayer.choose"], itself))


def states(game: Any) -> list[Any]:
    """All unfinished states of a toy game."""
    unfinished, todo = [], [game.start()]
    while todo:
        state = todo.pop()
        if game.outcome(state) is None and state not in unfinished:
            unfinished.append(state)
            todo += [game.play(state, action) for action in game.legal_actions(state)]
    return unfinished


@pytest.mark.hint("does every game count, for the right player, in a match of any length?")
def test_the_score_of_a_long_match(student, edition):
    """in a match of many games wins, draws and losses add up to the games, each counted for the first player

    Promised: Play n games and return the first player's score.
    Promised: In the score a draw counts as half a win; its interval is that of `wilson`.
    """
    dice: dict[str, Random] = {name: Random(edition.getrandbits(30)) for name in ("first", "second")}
    made: dict[str, list[int]] = {"first": [], "second": []}

    def move(name: str) -> Any:
        def choose(state: Any) -> int:
            made[name].append(dice[name].randrange(3))
            return made[name][-1]

        return choose

    n = 2 * edition.randint(6, 20)
    game = fan({"a": -1.0, "b": 0.0, "c": 1.0})  # one move, and the player who makes the move chooses: a win, a draw, a loss
    got, _ = match(student, game, (move("first"), move("second")), n, edition.getrandbits(30), plies=0)
    results = [1.0 - action for action in made["first"]] + [action - 1.0 for action in made["second"]]
    assert len(results) == n and len(made["first"]) == n / 2
    counts = tuple(results.count(value) for value in (1.0, 0.0, -1.0))
    assert got[:3] == counts
    score = (counts[0] + counts[1] / 2) / n
    assert got[3:] == pytest.approx((score, *right_interval(score, n)), abs=1e-6)
    n = 2 * edition.randint(500, 600)  # some hundreds of wins, draws and losses
    made = {name: [edition.choice([0, 0, 1, 2]) for _ in range(n // 2)] for name in ("first", "second")}
    players = [student.FunctionPlayer(student.in_turn(actions)) for actions in made.values()]
    results = [1.0 - action for action in made["first"]] + [action - 1.0 for action in made["second"]]
    counts = tuple(results.count(value) for value in (1.0, 0.0, -1.0))
    got = student.Arena(game, *players, plies=0).play_games(n, edition.getrandbits(30))
    ask("a match has a thousand games: does each count, as one win, one draw or one loss?")
    assert got[:3] == counts
    assert got[3] == pytest.approx((counts[0] + counts[1] / 2) / n, abs=1e-6)
