"""3.6: the whole search: its budget, its clock, and the move that it chooses."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from arena.games import ToyGame
from autograder.grading.edition import drawn_once
from autograder.grading.hidden_checks.known_mistakes import ask, recognise
from tests.hidden.choices import argmax, clear_best
from tests.hidden.ps3_connect_four.oracle import GAME, SMALL, Fan, draw_fan, finished, line, near_ends, random_game
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


@pytest.mark.hint("how many simulations are made: as many as the budget says, no more and no fewer?")
def test_the_root_counts_every_simulation(student, edition):
    """the root counts exactly the simulations that were asked for, from one up, and so do its children"""
    made = 0
    for simulations in (1, 2, edition.randint(8, 40)):
        action, root = search(student, GAME, GAME.start(), edition.getrandbits(30), simulations=simulations)
        made += simulations
        ask("how many simulations are made: as many as the budget says, no more and no fewer?")
        if root.num_visits != simulations:
            recognise(root.num_visits, {"Does each search begin with a new tree, or with the visits of an earlier one?": made})
        assert root.num_visits == simulations
        ask("at which node does the backup begin: does the new child count its own simulation?")
        assert sum(student.each(list(student.children(root).values()), "num_visits")) == simulations
        ask("what does the root of a new tree know: which action led to it, and from which parent?")
        assert (root.parent, root.action, root.state) == (None, None, GAME.start())
        ask("what is returned: an action of this game?")
        assert action in range(7)


@pytest.mark.hint("at which node does the rollout begin, and whose rewards go to the backup?")
def test_the_first_visits_bring_the_results_below(student, edition):
    """each move's first visit brings it the result of the game below it, for both players at the root"""
    got, wanted = [], []
    for forced in (0, 1, 0, 1):
        fan = draw_fan(edition, [4, 3, 2], forced)
        _, root = search(student, fan.game, "root", edition.getrandbits(30), simulations=3)
        got += student.each([at(student, root, branch) for branch in range(3)], "q")
        wanted += [fan.results(branch, 1)[0] for branch in range(3)]
    if got != wanted:
        recognise(got, {
            "Have the two rewards changed places on their way to the backup?": [-reward for reward in wanted],
            "How many rollouts does one simulation add to a node?": [2 * reward for reward in wanted],
            "Does the new child get the result of its own rollout: at which node does the backup begin?": [0.0] * len(wanted),
            "Are the rewards turned around where the second player is at the root?":
                [reward * (-1) ** (place // 3 % 2) for place, reward in enumerate(wanted)],
        })  # fmt: skip
    assert got == wanted
    ask("what does a leaf bring where the game is over already: nothing, or the result?")
    for forced in (0, 1):
        fan = draw_fan(edition, [1, 1, 1], forced)
        _, root = search(student, fan.game, "root", edition.getrandbits(30), simulations=3)
        results = [fan.results(branch, 1)[0] for branch in range(3)]
        assert student.each([at(student, root, branch) for branch in range(3)], "q") == results


@pytest.mark.hint("which exploration constant does the tree policy get, in every simulation and at every depth?")
def test_every_simulation_goes_where_the_bound_is_highest(student, edition):
    """visits and sums are those of UCT with c = 1/sqrt 2, for both players at the root, at odd and at even depth"""
    cases, roots, actions = [], [], []
    for forced in (0, 1):
        for number in (edition.randint(10, 14), edition.randint(20, 36)):
            fan, visits = clear_fan(edition, [1, 2, 3] if forced else [4, 3, 2], forced, number)
            action, root = search(student, fan.game, "root", edition.getrandbits(30), simulations=number)
            cases.append((fan, number, visits))
            roots.append(root)
            actions.append(action)
    children = [[at(student, root, branch) for branch in range(3)] for root in roots]
    found = [n for three in children for n in student.each(three, "num_visits")]
    wanted = [n for _, _, visits in cases for n in visits]
    if found != wanted:
        greedy = [n for fan, number, visits in cases for n in fan.uct(number, 0.0) or visits]
        recognise(found, {"Is anything explored: which c does the tree policy get?": greedy})
    assert found == wanted
    ask("what does each visit add to q, also where the leaf is the end of the game?")
    results = [[sum(fan.results(branch, n)) for branch, n in enumerate(visits)] for fan, _, visits in cases]
    assert [student.each(three, "q") for three in children] == results
    assert [root.q for root in roots] == [-sum(sums) for sums in results]
    ask("the visits are right: which number chooses the move at the end, and is it the same for both players?")
    best = [argmax(visits) for _, _, visits in cases]
    if actions != best:
        worst = [argmax([-n for n in visits]) for _, _, visits in cases]
        (fan, number, _), again = cases[-1], edition.getrandbits(30)
        more = {search(student, fan.game, "root", again + seed, simulations=number)[0] for seed in range(12)}
        recognise((actions, len(more) > 1), {
            "The tree is the same and the move another: is it drawn, or the one with most visits?": (actions, True),
            "Is it the least visited action that is chosen?": (worst, False),
            "Is the second player's move another one than that with most visits: whose are the visits?":
                (best[:2] + worst[2:], False),
        })  # fmt: skip
    assert actions == best
    (fan, _, visits), root = cases[-1], roots[-1]  # the last tree, one level down
    depth, branch = 2, fan.lengths.index(3)
    if visits[branch] > 1:
        ask("does the tree grow below the first level as at the root?")
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


@pytest.mark.hint("most visits, most rewards, best mean or highest bound: which one chooses the move?")
def test_the_move_is_the_one_with_most_visits(student, edition):
    """the move is the action with most visits, where mean and bound would choose others"""
    actions, wanted, highest = [], [], []
    while len(actions) < 3:  # the bound: after so many simulations the next one would go elsewhere
        number = edition.randint(8, 30)
        fan, visits = clear_fan(edition, [2, 3, 4], 0, number)
        scores = fan.scores(visits)
        if clear_best(scores) and argmax(scores) != argmax(visits):
            actions.append(search(student, fan.game, "root", edition.getrandbits(30), simulations=number)[0])
            wanted.append(argmax(visits))
            highest.append(argmax(scores))
    recognise(actions, {"the bound guides the search, but who chooses the move at its end?": highest})
    assert actions == wanted
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
    ask("two searches with different generators: is it rng that draws their moves, or do they make the same ones?")
    assert told == 2


@pytest.mark.hint("what is exactly one budget, and how small may it be?")
def test_exactly_one_budget(student, edition):
    """without a budget, with two, and with one that is too small the call is an error"""
    few, negative = "how many simulations are the fewest that may be asked for?", "may the seconds be fewer than none?"
    none, two = "what ends a search without a budget: is that a search?", "two budgets in one call: which one would count?"
    zero = "a budget of 0 was given, and it is not None: is it counted as a budget?"
    budgets: list[tuple[str, dict]] = [
        (none, {}), (two, {"simulations": 10, "seconds": 1.0}), (few, {"simulations": 0}), (few, {"simulations": -1}),
        (negative, {"seconds": -0.5}), (zero, {"simulations": 1, "seconds": 0.0}), (zero, {"simulations": 0, "seconds": 1.0}),
        ("two budgets, one of them too small: is that one budget?", {"simulations": 5, "seconds": -1.0}),
    ]  # fmt: skip
    for question, budget in budgets:
        ask(question)
        with student.raises(ValueError):
            search(student, GAME, GAME.start(), 1, **budget, clock=jumping(edition.uniform(-5, 5)))
    ask("is the budget checked before a single legal action is returned?")
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


@pytest.mark.hint("is it the given clock that is read, before the first simulation and after each?")
def test_the_search_stops_in_time(student, edition):
    """no simulation begins once the time is up on the given clock, and none is saved before, wherever the clock begins"""
    saved = "is time left over: may another simulation begin as long as fewer than `seconds` have passed, and in which unit?"
    # A clock from 0 and short seconds first: there who reads another clock, or takes it to begin at 0, comes to an end.
    for begin in (0.0, edition.uniform(1e3, 9e3), edition.uniform(-9e3, -1e3)):
        ply, budget = 9, edition.randint(35, 65)
        fan = Fan([ply] * 3, [0.0] * 3, edition.randrange(2))  # 135 plays until everything is in the tree
        watched = student.watch(fan.game)
        step = edition.choice([1e-4, 1e-3, 20.0]) if begin else 1e-4
        work, seconds = Work(watched, begin, step), (budget - 0.5) * step
        _, root = search(student, watched, watched.token("root"), edition.getrandbits(30), seconds=seconds, clock=work)
        ask("is it the given clock that is read, before the first simulation and after each?")
        assert work.reads >= 2
        # A simulation plays at most `ply` moves, and the last one began before the time was up.
        ask("a clock may begin at any number: is it the difference of two readings that counts?" if begin else saved)
        assert work.plays >= budget
        ask("is the clock read after every simulation, does another begin after that, and from when do the seconds count?")
        assert work.plays < budget + ply
        ask(saved)
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
            ask("what is returned where one action is legal: that action, whatever its number?")
            assert [action] == game.legal_actions(state)
            ask("how long does one think about the only move there is?")
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


@pytest.mark.hint("which generator may your function draw from or seed: any but the rng that is given?")
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
    if found != [right for _, right, _ in boards]:
        places = [GAME.legal_actions(state).index(right) for state, right, _ in boards]
        recognise(found, {"Is the move an action, or its place among the legal ones?": places})
    # Of 3,456 such searches, 24 boards of each kind with 24 seeds each, none missed its move. Were it one in 1,000, four of
    # twelve would be missed once in 1e9 editions.
    assert sum(action == right for action, (_, right, _) in zip(found, boards, strict=True)) >= 9
