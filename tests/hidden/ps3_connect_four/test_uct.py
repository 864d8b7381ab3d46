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
from tests.hidden.ps3_connect_four.trees import at, visits_of

pytestmark = pytest.mark.exercise("3.6")


@drawn_once
def clear_fan(edition: Random, lengths: list[int], forced: int, simulations: int) -> tuple[Fan, list[int]]:
    """A random fan whose search is not decided by ties, and how often each branch is visited."""
    while True:
        fan = draw_fan(edition, lengths, forced)
        visits = fan.uct(simulations)
        if visits is not None and clear_best(visits, 0.5):
            return fan, visits


def search(student: Any, game: Any, state: Any, seed: int, **budget: Any) -> tuple[int, Any]:
    return student.uct(game, state, student.rng(seed), **budget)


class Work:
    """A clock that moves with the work: `step` seconds for each move played in a game of the grader.

    A look at the clock costs almost nothing. So the number of looks does not matter, only that they come in time.
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


@pytest.mark.hint("how many simulations do you make: exactly the number in the budget?")
def test_the_root_counts_every_simulation(student, edition):
    """the root counts exactly the given number of simulations, from one up, and so do its children

    Promised: Returns (action, root): the action with most visits (any of them when tied), and the root, which counts the
    simulations in num_visits.
    """
    made = 0
    for simulations in (1, 2, edition.randint(8, 40)):
        action, root = search(student, GAME, GAME.start(), edition.getrandbits(30), simulations=simulations)
        made += simulations
        ask("how many simulations do you make: exactly the number in the budget?")
        if root.num_visits != simulations:
            recognise(root.num_visits, {"Does each search begin with a new tree, or with the visits of an earlier search?": made})
        assert root.num_visits == simulations
        ask("at which node does the backup begin: does the new child count its own simulation?")
        visits = visits_of(student, root).values()
        assert sum(visits) == simulations
        ask("which simulation makes a child: the one that visits it, or one before?")
        assert 0 not in visits
        ask("what does the root of a new tree know: which action led to it, and from which parent?")
        assert (root.parent, root.action, root.state) == (None, None, GAME.start())
        ask("do you return an action of this game?")
        assert action in range(7)


@pytest.mark.hint("at which node does the rollout begin, and whose rewards go to the backup?")
def test_the_first_visits_bring_the_results_below(student, edition):
    """each move's first visit adds the result of the game below it, whichever player is to move at the root

    Promised: Every simulation goes down by `tree_policy`, plays on by `default_policy` and ends with `backup`, from the leaf.
    """
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
            "Do you exchange the rewards when the second player is at the root?":
                [reward * (-1) ** (place // 3 % 2) for place, reward in enumerate(wanted)],
        })  # fmt: skip
    assert got == wanted
    ask("the game is over at the leaf: which result does this simulation add?")
    for forced in (0, 1):
        fan = draw_fan(edition, [1, 1, 1], forced)
        _, root = search(student, fan.game, "root", edition.getrandbits(30), simulations=3)
        results = [fan.results(branch, 1)[0] for branch in range(3)]
        assert student.each([at(student, root, branch) for branch in range(3)], "q") == results


@pytest.mark.hint("which exploration constant does the tree policy get, in every simulation and at every depth?")
def test_every_simulation_goes_where_the_bound_is_highest(student, edition):
    """visits and sums are those of UCT with c = 1/sqrt 2, whichever player is to move at the root, at odd and at even depth

    Promised: Every simulation goes down by `tree_policy`, plays on by `default_policy` and ends with `backup`, from the leaf.
    The exploration constant is C.
    """
    cases, roots, actions = [], [], []
    for forced in (0, 1):
        for number in (edition.randint(10, 14), edition.randint(20, 36)):
            fan, visits = clear_fan(edition, [1, 2, 3] if forced else [4, 3, 2], forced, number)
            action, root = search(student, fan.game, "root", edition.getrandbits(30), simulations=number)
            cases.append((fan, number, visits))
            roots.append(root)
            actions.append(action)
    children = [[at(student, root, branch) for branch in range(3)] for root in roots]
    counts = [n for three in children for n in student.each(three, "num_visits")]
    wanted = [n for _, _, visits in cases for n in visits]
    if counts != wanted:
        greedy = [n for fan, number, visits in cases for n in fan.uct(number, 0.0) or visits]
        recognise(counts, {"Do you explore at all: which c does the tree policy get?": greedy})
    assert counts == wanted
    ask("what does each visit add to q, also when the leaf is the end of the game?")
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
            "The tree is the same and the move differs: do you draw the move, or take most visits?": (actions, True),
            "Do you choose the least visited action?": (worst, False),
            "For the second player, too: do you return the move with most visits?":
                (best[:2] + worst[2:], False),
        })  # fmt: skip
    assert actions == best
    (fan, _, visits), root = cases[-1], roots[-1]  # the last tree, one level down
    depth, branch = 2, fan.lengths.index(3)
    if visits[branch] > 1:
        ask("does the tree grow below the first level in the same way as at the root?")
        below = at(student, root, branch, 0)
        assert (below.num_visits, below.q) == (visits[branch] - depth + 1, -fan.results(branch, 1)[0] * (visits[branch] - 1))


@pytest.mark.hint("who chooses at the second level, and for which player is this choice good?")
def test_the_other_player_answers_well(student, edition):
    """a draw is chosen before a move that is good only if the other player makes a mistake, for both colours

    Promised: Every simulation goes down by `tree_policy`, plays on by `default_policy` and ends with `backup`, from the leaf.
    Promised: Returns (action, root): the action with most visits (any of them when tied), and the root, which counts the
    simulations in num_visits.
    """
    #   root -> a: one answer loses, the other wins for the player who answers;  root -> b: always a draw
    for forced in (0, 1):
        good = edition.randrange(2)
        moves = {"root": ["a", "b"], "a": ["a0", "a1"], "b": ["b0", "b1"]} | ({"start": ["root"]} if forced else {})
        game = ToyGame(moves, {f"a{good}": -1.0, f"a{1 - good}": 1.0}, start="start" if forced else "root")
        action, root = search(student, game, "root", edition.getrandbits(30), simulations=150)
        # Of 150 simulations 60 and more go to b whatever the first rollouts said: the answer is found at the 2nd or 3rd look.
        assert action == 1


@pytest.mark.hint("most visits, most rewards, best mean or highest bound: which of these chooses the move?")
def test_the_move_is_the_one_with_most_visits(student, edition):
    """the move is the action with most visits, also where the best mean or bound is another action's

    Promised: Returns (action, root): the action with most visits (any of them when tied), and the root, which counts the
    simulations in num_visits.
    """
    actions, wanted, highest = [], [], []
    while len(actions) < 3:  # the bound: with more simulations the next one would go elsewhere
        number = edition.randint(8, 30)
        fan, visits = clear_fan(edition, [2, 3, 4], 0, number)
        scores = fan.scores(visits)
        if clear_best(scores) and argmax(scores) != argmax(visits):
            actions.append(search(student, fan.game, "root", edition.getrandbits(30), simulations=number)[0])
            wanted.append(argmax(visits))
            highest.append(argmax(scores))
    recognise(actions, {"the bound guides the search: what chooses the move at its end?": highest})
    assert actions == wanted
    #   three lines of four moves, each to a coin: with four simulations one line is seen twice
    moves = {"root": ["b0.1", "b1.1", "b2.1"]}
    moves |= {f"b{b}.{d}": [f"b{b}.{d + 1}"] for b in range(3) for d in (1, 2, 3)}
    moves |= {f"b{b}.4": [f"w{b}", f"l{b}"] for b in range(3)}  # five plies: player 0 made the last move
    coins = ToyGame(moves, {f"w{b}": -1.0 for b in range(3)} | {f"l{b}": 1.0 for b in range(3)}, start="root")
    shown, tries = 0, 0
    while shown < 2 and tries < 100:  # a quarter of the searches show it: fewer than two of 100 come once in 1e11 editions
        tries += 1
        action, root = search(student, coins, "root", edition.getrandbits(30), simulations=4)
        statistics = student.both([at(student, root, branch) for branch in range(3)], "num_visits", "q")
        visits = [n for n, _ in statistics]
        if sorted(visits) == [1, 1, 2] and max(q / n for n, q in statistics) > statistics[visits.index(2)][1] / 2:
            shown += 1
            assert action == visits.index(2)
    ask("two searches with different generators: does rng draw every move of a rollout, any legal move?")
    assert shown == 2
    #   six branches that win, one of them at once: the seventh simulation gives any of them a second visit
    ask("one move wins at once, and another one has more visits: which of them do you play?")
    for place in (0, 5) * 6:  # the second visit goes to the win at once in all of them once in 1e9 editions, if it is drawn
        wins = Fan([1 if branch == place else 3 for branch in range(6)], [-1.0] * 6, edition.randrange(2))
        action, root = search(student, wins.game, "root", edition.getrandbits(30), simulations=7)
        visits = student.each([at(student, root, branch) for branch in range(6)], "num_visits")
        assert (action, max(visits)) == (visits.index(max(visits)), 2)


@pytest.mark.hint("what is exactly one budget, and how small may it be?")
def test_exactly_one_budget(student, edition):
    """without a budget, with two budgets, and with a budget that is too small the call is an error

    Promised: ValueError: the game is over at `state`; not exactly one of simulations and seconds is given; simulations < 1;
    or seconds < 0.
    Promised: A single legal action is returned at once: no simulation, num_visits 0. But the arguments are checked first.
    """
    few, negative = "what is the smallest number of simulations that a caller may ask for?", "may the seconds be negative?"
    none, two = "no budget is given: when would such a search end?", "two budgets in one call: which of them would count?"
    zero = "a budget of 0 is given, and 0 is not None: do you count it as a budget?"
    budgets: list[tuple[str, dict]] = [
        (none, {}), (two, {"simulations": 10, "seconds": 1.0}), (few, {"simulations": 0}), (few, {"simulations": -1}),
        (negative, {"seconds": -0.5}), (zero, {"simulations": 1, "seconds": 0.0}), (zero, {"simulations": 0, "seconds": 1.0}),
        ("both budgets are given, one of them too small: is the call refused?", {"simulations": 5, "seconds": -1.0}),
    ]  # fmt: skip
    for question, budget in budgets:
        ask(question)
        with student.raises(ValueError):
            search(student, GAME, GAME.start(), 1, **budget, clock=jumping(edition.uniform(-5, 5)))
    ask("do you check the budget before you return a single legal action?")
    for budget in ({}, {"simulations": 0}, {"seconds": -1.0}):  # a single legal action is not an exception
        with student.raises(ValueError):
            search(student, line(5, 1.0), "s0", 1, **budget, clock=jumping(0.0))


@pytest.mark.hint("what is there to search when the game is over?")
def test_a_finished_game_is_an_error(student, edition):
    """when the game is over, won by either player or drawn, the call is an error

    Promised: ValueError: the game is over at `state`;
    """
    for winner in (0, 1, None):
        for budget in ({"simulations": 10}, {"seconds": 1.0}):
            with student.raises(ValueError):
                search(student, GAME, finished(edition, winner), 1, **budget, clock=jumping(0.0))


@pytest.mark.hint("do you read the given clock, before the first simulation and after each?")
def test_the_search_stops_in_time(student, edition):
    """by the given clock no simulation begins after the time is up, and simulations go on until then; a clock can begin anywhere

    Promised: The clock is read after each simulation, and no other simulation begins once `seconds` have passed on it since
    the call.
    Promised: clock: clock() -> seconds, never decreasing, from any beginning. No other clock is read.
    """
    saved = "time is left: do you begin another simulation while fewer than `seconds` have passed, and in which unit?"
    # A clock from 0 and short seconds first: code that reads another clock, or assumes a beginning at 0, still ends there.
    for begin in (0.0, edition.uniform(1e3, 9e3), edition.uniform(-9e3, -1e3)):
        ply, budget = 9, edition.randint(35, 65)
        fan = Fan([ply] * 3, [0.0] * 3, edition.randrange(2))  # 135 plays until everything is in the tree
        watched = student.watch(fan.game)
        step = edition.choice([1e-4, 1e-3, 20.0]) if begin else 1e-4
        work, seconds = Work(watched, begin, step), (budget - 0.5) * step
        _, root = search(student, watched, watched.token("root"), edition.getrandbits(30), seconds=seconds, clock=work)
        ask("do you read the given clock, before the first simulation and after each?")
        assert work.reads >= 2
        # A simulation plays at most `ply` moves, and the last one began before the time was up.
        ask("a clock can begin at any number: do you use the difference of two readings?" if begin else saved)
        assert work.plays >= budget
        ask("do you read the clock after every simulation, when do you stop, and from when do the seconds count?")
        assert work.plays < budget + ply
        ask(saved)
        assert root.num_visits >= budget // ply


@pytest.mark.hint("the time is up before the search begins: which move can you play?")
def test_at_least_one_simulation(student, edition):
    """a budget of no time, and a clock that jumps, still give one simulation and a legal move

    Promised: At least one simulation is always made.
    """
    for seconds in (0.0, 1.0, 0):
        begin = edition.uniform(-1e3, 1e3)
        action, root = search(student, GAME, GAME.start(), edition.getrandbits(30), seconds=seconds, clock=jumping(begin))
        assert (root.num_visits, action in range(7)) == (1, True)
    _, root = search(student, GAME, GAME.start(), 1, seconds=0.0)
    assert root.num_visits == 1  # also without a clock of the caller
    _, root = search(student, GAME, GAME.start(), 1, simulations=5, clock=jumping(0.0))
    assert root.num_visits == 5  # a budget of simulations does not need the time


@pytest.mark.hint("there is only one legal move: how long should a search think about it?")
def test_a_single_legal_move_is_played_at_once(student, edition):
    """with one legal action this action is returned without any simulation, for any budget

    Promised: A single legal action is returned at once: no simulation, num_visits 0.
    """
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
            ask("one action is legal: do you return this action itself, whatever its number?")
            assert [action] == game.legal_actions(state)
            ask("there is only one legal move: how long should a search think about it?")
            assert root.num_visits == 0
            assert sum(method == "play" for method, _, _ in watched.calls) <= 1  # a child is allowed here, a rollout is not


@pytest.mark.hint("what can be played after the end of a game?")
def test_the_game_is_only_played_by_its_rules(student, edition):
    """every move that the search plays is legal, and no move is played after the end of a game

    Promised: Every simulation goes down by `tree_policy`, plays on by `default_policy` and ends with `backup`, from the leaf.
    """
    (state, _, _), *_ = near_ends(edition, 1)
    watched = student.watch(GAME)
    search(student, watched, watched.token(state), edition.getrandbits(30), simulations=12)
    plays = [(at, action) for method, at, action in watched.calls if method == "play"]
    assert plays and [(at, action) for at, action in plays if action not in GAME.legal_actions(at)] == [], (
        "every action that is played must be legal"
    )


@pytest.mark.hint("the budget is large, and one action wins: how many simulations do you make?")
def test_a_large_budget_is_used_up(student, edition):
    """thousands of simulations are made to the last one, also when one of the actions wins at once

    Promised: Search at `state` until the budget is used up and return the move and the root.
    """
    ends = ToyGame({"s0": ["won", "lost", "drawn"]}, {"won": -1.0, "lost": 1.0})
    number = edition.randint(3001, 3200)
    action, root = search(student, ends, "s0", edition.getrandbits(30), simulations=number)
    assert (action, root.num_visits) == (0, number)
    assert sum(visits_of(student, root).values()) == number


@pytest.mark.hint("does your function use only the given rng: no other generator, and no seed of its own?")
def test_a_search_repeats_with_its_rng(student, edition):
    """the same rng builds the same tree again, another rng builds another, and no other generator is used

    Promised: rng: the only source of chance; passed to `tree_policy` and `default_policy`.
    """
    seed = edition.getrandbits(30)

    def sums(seed: int) -> list[float]:
        roots = [root for _, root in (search(student, GAME, GAME.start(), seed + 7 * n, simulations=30) for n in range(3))]
        return [q for root in roots for q in student.each([child for _, child in sorted(student.children(root).items())], "q")]

    before = student.disturb(edition.getrandbits(30))
    first = sums(seed)
    assert student.global_state() == before
    student.disturb(edition.getrandbits(30))
    assert first == sums(seed)
    # 21 sums of four or five games each, and more: equal by chance less than once in 1e8 tries.
    assert first != sums(seed + 1)
    ask("rng goes to tree_policy and default_policy: does every simulation draw from rng itself?")
    rngs = [student.keep(student.rng(seed)) for _ in range(2)]
    for rng, simulations in zip(rngs, (1, 9), strict=True):
        student.uct(GAME, GAME.start(), rng, simulations=simulations)
    assert student.draw(rngs[0]) != student.draw(rngs[1]), "a longer search must draw more from its rng"


@pytest.mark.hint("what does your search not see: its own win, or the other player's?")
def test_the_one_right_move_is_found(student, edition):
    """near the end of a game the one right move is found: a win, a block, a win in three plies, for both colours

    Promised: Returns (action, root): the action with most visits (any of them when tied), and the root, which counts the
    simulations in num_visits.
    """
    boards = near_ends(edition, 2)
    moves = [search(student, GAME, state, edition.getrandbits(30), simulations=n)[0] for state, _, n in boards]
    if moves != [right for _, right, _ in boards]:
        places = [GAME.legal_actions(state).index(right) for state, right, _ in boards]
        recognise(moves, {"Do you return an action, or its place among the legal actions?": places})
    # Of 3,456 such searches, 24 boards of each kind with 24 seeds each, none missed its move. With one miss in 1,000, four
    # of twelve would be missed once in 1e9 editions.
    assert sum(action == right for action, (_, right, _) in zip(moves, boards, strict=True)) >= 9
