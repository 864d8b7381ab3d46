"""3.6: the whole search: its budget, its clock, and the move that it chooses."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from arena.games import ToyGame
from autograder.grading.edition import drawn_once
from autograder.grading.recognise import recognise
from tests.hidden.ps3_connect_four.oracle import (
    GAME,
    SMALL,
    Fan,
    argmax,
    clear_best,
    draw_fan,
    finished,
    line,
    near_ends,
    random_game,
)
from tests.hidden.ps3_connect_four.trees import at

pytestmark = pytest.mark.exercise("3.6")


@drawn_once
def clear_fan(edition: Random, lengths: list[int], forced: int, simulations: int) -> tuple[Fan, list[int]]:
    """A drawn fan whose search is not decided by ties, and how often each branch is visited."""
    while True:
        fan = draw_fan(edition, lengths, forced)
        visits = fan.uct(simulations)
        if visits is not None and clear_best(visits, 0.5):
            return fan, visits


def search(student: Any, game: Any, state: Any, seed: int, **budget: Any) -> tuple[int, Any]:
    return student.uct(game, state, student.rng(seed), **budget)


class Work:
    """A clock that moves with the work: `step` seconds for each move played in a game that the grader owns.

    Looking at it costs next to nothing, so it does not matter how often that is done, only that it is done in time.
    """

    def __init__(self, watched: Any, begin: float, step: float) -> None:
        self.watched, self.begin, self.step, self.reads = watched, begin, step, 0
        self._counted, self._plays = 0, 0

    @property
    def plays(self) -> int:
        new = self.watched.calls[self._counted :]
        self._counted += len(new)
        self._plays += sum(method == "play" for method, _, _ in new)
        return self._plays

    def __call__(self, *arguments: Any) -> float:
        self.reads += 1
        return self.begin + self.step * (self.plays + 1e-3 * self.reads)


def jumping(begin: float) -> Callable[..., float]:
    """A clock that is read once as `begin`, and from then on a year later."""
    now = iter([begin])
    return lambda *arguments: next(now, begin + 3e7)


@pytest.mark.hint("how often does your loop run?")
def test_the_root_counts_every_simulation(student, edition):
    """the root counts exactly the simulations that were asked for, from one up, and so do its children"""
    for simulations in (1, 2, edition.randint(8, 40)):
        action, root = search(student, GAME, GAME.start(), edition.getrandbits(30), simulations=simulations)
        assert action in range(7)
        assert (root.num_visits, root.parent, root.action, root.state) == (simulations, None, None, GAME.start())
        assert sum(student.each(list(student.children(root).values()), "num_visits")) == simulations


@pytest.mark.hint("which of the four phases sees c, and which sees the sign?")
def test_every_simulation_goes_where_the_bound_is_highest(student, edition):
    """visits and sums are those of UCT with c = 1/sqrt 2, for both players at the root, at odd and at even depth"""
    for forced in (0, 1):
        for number in (edition.randint(10, 14), edition.randint(20, 36)):
            fan, visits = clear_fan(edition, [1, 2, 3] if forced else [4, 3, 2], forced, number)
            action, root = search(student, fan.game, "root", edition.getrandbits(30), simulations=number)
            children = [at(student, root, branch) for branch in range(3)]
            results = [sum(fan.results(branch, n)) for branch, n in enumerate(visits)]
            assert student.each(children, "num_visits") == visits
            assert student.each(children, "q") == results
            assert (action, root.q) == (argmax(visits), -sum(results))
    depth, branch = 2, fan.lengths.index(3)  # the last tree, one level down
    if visits[branch] > 1:
        below = at(student, root, branch, 0)
        assert (below.num_visits, below.q) == (visits[branch] - depth + 1, -fan.results(branch, 1)[0] * (visits[branch] - 1))


@pytest.mark.hint("who chooses at the second level, and whom does it serve?")
def test_the_other_player_answers_well(student, edition):
    """a move that is good only while the other player errs is passed over for a draw, for both colours"""
    #   root -> a: one answer loses, the other wins for the one who answers;  root -> b: a draw whatever comes
    for forced in (0, 1):
        good = edition.randrange(2)
        moves = {"root": ["a", "b"], "a": ["a0", "a1"], "b": ["b0", "b1"]} | ({"start": ["root"]} if forced else {})
        game = ToyGame(moves, {f"a{good}": -1.0, f"a{1 - good}": 1.0}, start="start" if forced else "root")
        action, root = search(student, game, "root", edition.getrandbits(30), simulations=150)
        # Of 150 simulations 60 and more go to b whatever the first rollouts said: the answer is found at the 2nd or 3rd look.
        assert action == 1


@pytest.mark.hint("most visits, best mean, highest bound: which one chooses the move?")
def test_the_move_is_the_one_with_most_visits(student, edition):
    """the move is the action with most visits, where mean and bound would choose others"""
    found = 0
    while found < 2:  # the bound: after so many simulations the next one would go elsewhere
        number = edition.randint(8, 30)
        fan, visits = clear_fan(edition, [2, 3, 4], 0, number)
        scores = fan.scores(visits)
        if clear_best(scores) and argmax(scores) != argmax(visits):
            found += 1
            action, _ = search(student, fan.game, "root", edition.getrandbits(30), simulations=number)
            recognise(action, {"the bound guides the search, but who chooses the move at its end?": argmax(scores)})
            assert action == argmax(visits)
    #   three lines of four moves, each to a coin: with four simulations one line is seen twice
    moves = {"root": ["b0.1", "b1.1", "b2.1"]}
    moves |= {f"b{b}.{d}": [f"b{b}.{d + 1}"] for b in range(3) for d in (1, 2, 3)}
    moves |= {f"b{b}.4": [f"w{b}", f"l{b}"] for b in range(3)}  # five plies: player 0 made the last move
    coins = ToyGame(moves, {f"w{b}": -1.0 for b in range(3)} | {f"l{b}": 1.0 for b in range(3)}, start="root")
    told, tries = 0, 0
    while told < 2 and tries < 100:  # a quarter of the searches tell: fewer than two of 100 come once in 1e11 editions
        tries += 1
        action, root = search(student, coins, "root", edition.getrandbits(30), simulations=4)
        statistics = student.both([at(student, root, branch) for branch in range(3)], "num_visits", "q")
        visits = [n for n, _ in statistics]
        if sorted(visits) == [1, 1, 2] and max(q / n for n, q in statistics) > statistics[visits.index(2)][1] / 2:
            told += 1
            assert action == visits.index(2)
    assert told == 2


@pytest.mark.hint("how is an exam without a clock different from one with it?")
def test_exactly_one_budget(student, edition):
    """without a budget, with two, and with one that is too small the call is an error"""
    budgets = [{}, {"simulations": 10, "seconds": 1.0}, {"simulations": 0}, {"simulations": -1}, {"seconds": -0.5}]
    budgets += [{"simulations": 1, "seconds": 0.0}, {"simulations": 0, "seconds": 1.0}, {"simulations": 5, "seconds": -1.0}]
    for budget in budgets:
        with student.raises(ValueError):
            search(student, GAME, GAME.start(), 1, **budget, clock=jumping(edition.uniform(-5, 5)))
    for budget in ({}, {"simulations": 0}, {"seconds": -1.0}):  # a single legal action is no exception
        with student.raises(ValueError):
            search(student, line(5, 1.0), "s0", 1, **budget, clock=jumping(0.0))


@pytest.mark.hint("what is there to search where the game is over?")
def test_a_finished_game_is_an_error(student, edition):
    """where the game is over, won by either player or drawn, the call is an error"""
    for winner in (0, 1, None):
        for budget in ({"simulations": 10}, {"seconds": 1.0}):
            with student.raises(ValueError):
                search(student, GAME, finished(edition, winner), 1, **budget, clock=jumping(0.0))


@pytest.mark.hint("when, after which simulation, is the clock looked at, and which clock is it?")
def test_the_search_stops_in_time(student, edition):
    """no simulation begins once the time is up on the given clock, and none is saved before, wherever the clock begins"""
    for begin in (edition.uniform(-9e3, -1e3), 0.0, edition.uniform(1e3, 9e3)):
        ply, budget = 9, edition.randint(35, 65)
        fan = Fan([ply] * 3, [0.0] * 3, edition.randrange(2))  # 135 plays until everything is in the tree
        watched = student.watch(fan.game)
        step = edition.choice([1e-4, 1e-3, 20.0])
        work, seconds = Work(watched, begin, step), (budget - 0.5) * step
        _, root = search(student, watched, watched.token("root"), edition.getrandbits(30), seconds=seconds, clock=work)
        # A simulation plays at most `ply` moves, and the last one began before the time was up.
        assert work.reads >= 2
        assert budget <= work.plays < budget + ply
        assert root.num_visits >= budget // ply


@pytest.mark.hint("what is left to play when the time was up before the search began?")
def test_at_least_one_simulation(student, edition):
    """a budget of no time, and a clock that jumps, still give one simulation and a legal move"""
    for seconds in (0.0, 1.0, 0):
        begin = edition.uniform(-1e3, 1e3)
        action, root = search(student, GAME, GAME.start(), edition.getrandbits(30), seconds=seconds, clock=jumping(begin))
        assert (root.num_visits, action in range(7)) == (1, True)
    _, root = search(student, GAME, GAME.start(), 1, seconds=0.0)
    assert root.num_visits == 1  # without a clock of the caller's, too
    _, root = search(student, GAME, GAME.start(), 1, simulations=5, clock=jumping(0.0))
    assert root.num_visits == 5  # a budget of simulations does not ask what time it is


@pytest.mark.hint("how long does one think about the only move there is?")
def test_a_single_legal_move_is_played_at_once(student, edition):
    """with one legal action it is returned without any simulation, whatever the budget"""
    last = [states[-2] for states in (random_game(edition, SMALL) for _ in range(60)) if len(states) == 10]
    boards = [(SMALL, last[0])]
    column = edition.randrange(7)
    while True:  # Connect Four with one open column
        states = random_game(edition)
        single = [state for state in states if len(GAME.legal_actions(state)) == 1]
        if single:
            boards.append((GAME, single[0]))
            break
    only = line(6, edition.choice([-1.0, 0.0, 1.0]))
    boards += [(only, "s0"), (only, "s3")]
    for game, state in boards:
        for budget in ({"simulations": 500}, {"seconds": 1e6}):
            watched = student.watch(game)
            action, root = search(student, watched, watched.token(state), column, **budget, clock=jumping(0.0))
            assert [action] == game.legal_actions(state)
            assert root.num_visits == 0
            assert sum(method == "play" for method, _, _ in watched.calls) <= 1  # a child, perhaps; no rollout


@pytest.mark.hint("what is played after the end of a game?")
def test_the_game_is_only_played_by_its_rules(student, edition):
    """every move that the search plays is legal, and none is played after the end of a game"""
    (state, _, _), *_ = near_ends(edition, 1)
    watched = student.watch(GAME)
    search(student, watched, watched.token(state), edition.getrandbits(30), simulations=12)
    plays = [(at, action) for method, at, action in watched.calls if method == "play"]
    assert plays and all(action in GAME.legal_actions(at) for at, action in plays)


@pytest.mark.hint("where do your random numbers come from?")
def test_a_search_repeats_with_its_rng(student, edition):
    """the same rng builds the same tree again, another rng another one, and no other generator is used"""
    seed = edition.getrandbits(30)

    def sums(seed: int) -> list[float]:
        roots = [root for _, root in (search(student, GAME, GAME.start(), seed + 7 * n, simulations=30) for n in range(3))]
        return [q for root in roots for q in student.each([child for _, child in sorted(student.children(root).items())], "q")]

    before = student.disturb(edition.getrandbits(30))
    first = sums(seed)
    assert student.global_state() == before
    student.disturb(edition.getrandbits(30))
    assert first == sums(seed)
    # 21 sums of four or five games each, and more: equal by luck less than once in 1e8 tries.
    assert first != sums(seed + 1)


@pytest.mark.hint("what does your search overlook: its own win, or the other player's?")
def test_the_one_right_move_is_found(student, edition):
    """near the end of a game the one right move is found: a win, a block, a win in three plies, for both colours"""
    boards = near_ends(edition, 2)
    found = [search(student, GAME, state, edition.getrandbits(30), simulations=n)[0] for state, _, n in boards]
    # Of 3,456 such searches, 24 boards of each kind with 24 seeds each, none missed its move. Were it one in 1,000, four of
    # twelve would be missed once in 1e9 editions.
    assert sum(action == right for action, (_, right, _) in zip(found, boards, strict=True)) >= 9
