"""3.7: the tree that is kept between the moves."""

from random import Random
from typing import Any

import pytest

from arena.games import ToyGame
from autograder.grading.edition import drawn_once
from autograder.grading.hidden_checks.known_mistakes import ask
from tests.hidden.choices import argmax, clear_best
from tests.hidden.ps3_connect_four.oracle import GAME, C, Fan, FanRollout, draw_fan, finished, near_ends, random_game
from tests.hidden.ps3_connect_four.trees import at, visits_of

pytestmark = pytest.mark.exercise("3.7")


@drawn_once
def clear_fan(edition: Random, forced: int, number: int, c: float = C, fractions: bool = False) -> tuple[Fan, list[int]]:
    """A random fan of long branches whose search is not decided by ties, and how often each branch is visited."""
    while True:
        fan = draw_fan(edition, [5, 6, 7], forced, fractions)
        visits = fan.uct(number, c)
        if visits is not None and clear_best(visits, 0.5):
            return fan, visits


def choose(student: Any, searcher: Any, state: Any, simulations: int, edition: Random) -> int:
    return searcher.choose(state, simulations, student.rng(edition.getrandbits(30)))


def top(searcher: Any) -> Any:
    """The root of the kept tree; there must be one."""
    root = searcher.root
    assert root is not None
    return root


def branches(student: Any, searcher: Any, name: str) -> list[float]:
    return student.each([at(student, top(searcher), branch) for branch in range(3)], name)


@pytest.mark.hint("how many simulations do you make, from which state, and which method moves the root?")
def test_choose_runs_so_many_simulations_from_its_state(student, edition):
    """choose runs the given number of simulations from the given state, for both colours, and does not move the root

    Promised: Run `simulations` simulations from `state` and return the action with most visits.
    """
    for plies in (edition.choice([0, 4, 6]), edition.choice([3, 5])):
        state, searcher = random_game(edition)[plies], student.Searcher(GAME)
        number = edition.randint(1, 30)
        action = choose(student, searcher, state, number, edition)
        ask("do you return a legal action?")
        assert action in GAME.legal_actions(state)
        ask("which method moves the root: choose itself, or observe when it gets a move?")
        assert (top(searcher).state, top(searcher).parent) == (state, None)
        ask("how many simulations does one call of choose make?")
        assert top(searcher).num_visits == number
        ask("at which node does the backup begin: does the new child count its own simulation?")
        assert sum(visits_of(student, top(searcher)).values()) == number


@pytest.mark.hint("does each searcher have its own tree, or do all searchers share one?")
def test_two_searchers_do_not_share_a_tree(student, edition):
    """two searchers that take turns have separate trees

    Promised: A player that keeps its tree while a game goes on.
    """
    first, second = student.Searcher(GAME), student.Searcher(GAME)
    choose(student, first, GAME.start(), 10, edition)
    choose(student, second, GAME.start(), 15, edition)
    assert (top(first).num_visits, top(second).num_visits) == (10, 15)
    first.observe(edition.randrange(7))
    assert (top(second).num_visits, top(second).state) == (15, GAME.start())


@pytest.mark.hint("do you use the searcher's own c, and pass the rollout's rewards unchanged to backup?")
def test_it_searches_as_uct_does(student, edition):
    """visits and sums are those of UCT with the searcher's own rollout and c, at odd and at even depth

    Promised: c: the exploration constant of the tree policy.
    Promised: rollout: rollout(game, state, rng) -> rewards;
    Promised: Run `simulations` simulations from `state` and return the action with most visits.
    """
    for forced, c in ((0, C), (1, C), (0, 0.3), (1, edition.uniform(1.0, 2.0)), (0, 0.0), (1, 0.0)):
        number = edition.randint(12, 24)
        fan, visits = clear_fan(edition, forced, number, c, fractions=True)
        rollout = FanRollout(fan)
        searcher = student.Searcher(fan.game, rollout, c)
        action = choose(student, searcher, "root", number, edition)
        asked, known = list(map(str, rollout.states)), [f"b{b}.{d}" for b in range(3) for d in range(1, fan.lengths[b] + 1)]
        ask("the searcher has its own rollout: do you use it?")
        assert asked, "the search must ask for evaluations"
        ask("at which node does the rollout begin: at the new leaf, or above it?")
        assert set(asked) <= set(known)
        ask("the rollout's rewards are (player 0's, player 1's): do you exchange them before backup?"
            if c == C else "which exploration constant does the tree policy get: the searcher's own?" if c else
            "is c = 0 a constant like any other, or do you treat it as no constant?")  # fmt: skip
        sums = [sum(fan.results(branch, n)) for branch, n in enumerate(visits)]
        assert branches(student, searcher, "num_visits") == visits
        assert branches(student, searcher, "q") == pytest.approx(sums, abs=1e-6)
        ask("do you call the rollout once for every new leaf, and for no other state?")
        seen = [f"b{b}.{d}" for b, n in enumerate(visits) for d in range(1, min(n, fan.lengths[b] - 1) + 1)]
        ends = [f"b{b}.{fan.lengths[b]}" for b in range(3)]  # no rollout is needed for these
        assert sorted(state for state in asked if state not in ends) == sorted(seen)
        ask("the tree is right: which number chooses the move at the end, visits, mean or bound?")
        assert action == argmax(visits)


@pytest.mark.hint("which rollout do you use when none is given?")
def test_without_a_rollout_it_plays_at_random(student, edition):
    """without its own rollout the searcher uses the default policy, and c = 1/sqrt 2

    Promised: rollout: rollout(game, state, rng) -> rewards; None stands for `default_policy`.
    """
    for forced in (0, 1):
        number = edition.randint(12, 24)
        fan, visits = clear_fan(edition, forced, number)
        searcher = student.Searcher(fan.game)
        assert choose(student, searcher, "root", number, edition) == argmax(visits)
        assert branches(student, searcher, "num_visits") == visits


@pytest.mark.hint("the rollout has an argument rng: which generator do you pass?")
def test_the_rollout_gets_the_rng(student, edition):
    """the rollout is called with the rng that choose was given

    Promised: rng: the only source of chance; passed to `tree_policy` and to the rollout.
    """
    fan, _ = clear_fan(edition, 0, 6)
    rollout, rngs = FanRollout(fan), [student.keep(student.rng(edition.getrandbits(30))) for _ in range(2)]
    searcher = student.Searcher(fan.game, rollout)
    for rng in rngs:
        searcher.choose("root", 3, rng)
    ask("the same state again: do you make the given number of new simulations, on top of the earlier ones?")
    assert len(rollout.rngs) == 6
    ask("the rollout has an argument rng: which generator do you pass?")
    assert rollout.rngs == [rngs[0]] * 3 + [rngs[1]] * 3


@drawn_once
def nearly_as_often(edition: Random) -> tuple[Fan, list[int], int]:
    """A fan with the visits after some dozens of simulations: an action with one visit or two less has the best mean."""
    while True:
        number = edition.randint(24, 60)
        fan = draw_fan(edition, [8, 9, 10], 0, fractions=True)
        visits = fan.uct(number)
        if visits is None or not clear_best(visits, 0.5):
            continue
        best = argmax([sum(fan.results(b, n)) / n for b, n in enumerate(visits)])
        if best != argmax(visits) and visits[best] >= 0.9 * max(visits):
            return fan, visits, number


@pytest.mark.hint("most visits, most rewards, best mean or highest bound: which of these chooses the move?")
def test_a_searcher_plays_the_move_with_most_visits(student, edition):
    """the move is the action with most visits, also where the best mean or bound is another action's

    Promised: Run `simulations` simulations from `state` and return the action with most visits.
    """
    tested = 0
    while tested < 3:
        number, c = edition.randint(8, 16), edition.choice([C, 1.0])
        fan, visits = clear_fan(edition, 0, number, c, fractions=True)
        means = [sum(fan.results(b, n)) / n for b, n in enumerate(visits)]
        scores = fan.scores(visits, c)
        if clear_best(scores) and clear_best(means) and argmax(visits) not in (argmax(means), argmax(scores)):
            tested += 1
            assert choose(student, student.Searcher(fan.game, FanRollout(fan), c), "root", number, edition) == argmax(visits)
    ask("two actions have nearly as many visits: which of them is the move?")
    fan, visits, number = nearly_as_often(edition)
    assert choose(student, student.Searcher(fan.game, FanRollout(fan)), "root", number, edition) == argmax(visits)


@pytest.mark.hint("which part of the tree do you keep, and which part do you drop?")
def test_the_tree_follows_the_move_that_was_played(student, edition):
    """after a move its child is the root, with its visits, its sum and its own children, for the best move or any other

    Promised: The child under `action` becomes the root, with its visits, q and children, and its parent becomes None.
    """
    for forced in (0, 1):
        number = edition.randint(14, 24)
        fan, visits = clear_fan(edition, forced, number)
        for branch in range(3):
            searcher = student.Searcher(fan.game)
            choose(student, searcher, "root", number, edition)
            kept = at(student, top(searcher), branch)
            below = student.children(kept)
            searcher.observe(branch)
            ask("the move has a child in the tree: do you keep this child?")
            assert searcher.root is not None
            ask("one move was played: which child is the new root, and how many plies further down?")
            assert top(searcher).state == f"b{branch}.1"
            ask("is the new root the child itself, or another node that the child's children do not know?")
            assert searcher.root == kept and kept.state == f"b{branch}.1"
            ask("does the new root keep its visits?")
            assert kept.num_visits == visits[branch]
            ask("q of the new root is for the player who moved into it: has this player changed?")
            assert kept.q == sum(fan.results(branch, visits[branch]))
            ask("does the new root keep its own children?")
            assert student.children(kept) == below


@pytest.mark.hint("which players' moves lead from one of your moves to the next?")
def test_it_follows_the_moves_of_both_players(student, edition):
    """after the searcher's move and the answer the root is two plies lower, at any depth, with the visits of that node

    Promised: Follow a move that was played at the root, by either player.
    """
    number = edition.randint(20, 30)
    fan, visits = clear_fan(edition, edition.randrange(2), number)
    branch = argmax(visits)
    searcher = student.Searcher(fan.game)
    choose(student, searcher, "root", number, edition)
    kept = visits[branch] + 1
    for moves, state in (((branch, 0), f"b{branch}.2"), ((0, 0), f"b{branch}.4")):
        for action in moves:
            searcher.observe(action)
        kept, more = kept - 2, edition.randint(2, 5)
        ask("which players' moves lead to your next turn: does the root follow both players, one ply each?")
        assert top(searcher).state == state
        choose(student, searcher, state, more, edition)
        questions = {
            more: "the root already has this state: does choose still begin a fresh tree?",
            kept + 1: "a single action is legal: does choose search it with all simulations, like several actions?",
            kept: "do the simulations reach the root, and do you add them to its visits?",
        }
        ask(questions.get(top(searcher).num_visits, "how many visits does the root have after this number of new simulations?"))
        kept += more
        assert (top(searcher).state, top(searcher).num_visits) == (state, kept)


@pytest.mark.hint("where does the next backup end, and what keeps the old tree in memory?")
def test_the_new_root_has_no_parent(student, edition):
    """the new root's parent is None, and later simulations do not change the old tree

    Promised: The child under `action` becomes the root, with its visits, q and children, and its parent becomes None.
    """
    fan, visits = clear_fan(edition, 0, 18)
    branch, more = argmax(visits), edition.randint(5, 9)
    searcher = student.Searcher(fan.game)
    choose(student, searcher, "root", 18, edition)
    old = top(searcher)
    searcher.observe(branch)
    assert top(searcher).parent is None
    choose(student, searcher, f"b{branch}.1", more, edition)
    assert top(searcher).parent is None
    assert (old.num_visits, top(searcher).num_visits) == (18, visits[branch] + more)
    assert top(searcher).q == sum(fan.results(branch, visits[branch])) + more * fan.results(branch, 1)[0]


@pytest.mark.hint("does the kept tree belong to the given state?")
def test_another_state_gives_a_fresh_tree(student, edition):
    """a state that is not the root's, such as one of a new game, is searched with a fresh tree

    Promised: The search continues the kept tree if its root is at `state`; else a fresh tree begins there.
    """
    searcher = student.Searcher(GAME)
    states = random_game(edition)
    for state in (states[2], states[5], GAME.start(), states[3]):
        number = edition.randint(3, 12)
        choose(student, searcher, state, number, edition)
        assert (top(searcher).state, top(searcher).num_visits, top(searcher).parent) == (state, number, None)


@pytest.mark.hint("a move was never tried: which node could you keep?")
def test_an_unseen_move_gives_a_fresh_tree(student, edition):
    """after a move that the tree never tried, and before any search, nothing is kept, and the next search is fresh

    Promised: If there is no such child, or no tree, nothing is kept: root is None.
    """
    searcher = student.Searcher(GAME)
    searcher.observe(edition.randrange(7))
    assert searcher.root is None
    for number in (1, 2):
        choose(student, searcher, GAME.start(), number, edition)
        tried = student.children(top(searcher))
        ask("does the kept tree belong to the given state?")
        assert len(tried) == number
        ask("a move was never tried: which node could you keep?")
        unseen = edition.choice([action for action in range(7) if action not in tried])
        searcher.observe(unseen)
        searcher.observe(unseen)  # and the answer to this move, which the searcher does not know either
        assert searcher.root is None
        state, more = GAME.play(GAME.play(GAME.start(), unseen), unseen), edition.randint(3, 9)
        choose(student, searcher, state, more, edition)
        assert (top(searcher).state, top(searcher).num_visits) == (state, more)


@drawn_once
def kept_visits_decide(edition: Random) -> tuple[Fan, list[int], int]:
    """A fan with the visits of 21 simulations, and a number of first ones; the later ones do not favour the same branch."""
    while True:
        (fan, visits), first = clear_fan(edition, edition.randrange(2), 21, fractions=True), edition.randint(5, 18)
        before = fan.uct(first)
        new = before and [n - m for n, m in zip(visits, before, strict=True)]
        if new and clear_best(new, 0.5) and argmax(new) != argmax(visits):
            return fan, visits, first


@pytest.mark.hint("which visits count: all visits of a child, or only the new ones?")
def test_the_same_state_is_searched_on(student, edition):
    """a second search of the same state adds the new simulations to the old ones

    Promised: simulations: at least 1; they are added to the visits that the root already has.
    """
    fan, visits, first = kept_visits_decide(edition)
    searcher = student.Searcher(fan.game, FanRollout(fan))
    choose(student, searcher, "root", first, edition)
    root = top(searcher)
    action = choose(student, searcher, "root", 21 - first, edition)
    ask("the root has this state: do you continue the tree, with the given number of new simulations?")
    assert searcher.root == root and root.num_visits == 21
    ask("which visits count: all visits of a child, or only the new ones?")
    assert (branches(student, searcher, "num_visits"), action) == (visits, argmax(visits))


@pytest.mark.hint("the game is over: what can choose return?")
def test_nothing_to_search_is_an_error(student, edition):
    """when the game is over, with a fresh or a kept tree, and without a simulation, choose is an error

    Promised: ValueError: the game is over at `state`, or simulations < 1.
    """
    searcher = student.Searcher(GAME)
    for winner in (0, 1, None):
        with student.raises(ValueError):
            choose(student, searcher, finished(edition, winner), 10, edition)
    ask("without a simulation there is no search: is this an error, also with a kept tree?")
    for number in (0, 8, -1, 0):  # a fresh tree, and a kept one
        if number == 8:
            choose(student, searcher, GAME.start(), number, edition)
            continue
        with student.raises(ValueError):
            choose(student, searcher, GAME.start(), number, edition)
    ask("the game is over at the kept root: what can choose return?")
    game = ToyGame({"s0": ["s1", "s2"]}, {"s1": edition.choice([-1.0, 0.0])})
    searcher = student.Searcher(game)
    choose(student, searcher, "s0", 6, edition)
    searcher.observe(0)
    with student.raises(ValueError):
        choose(student, searcher, "s1", 6, edition)


@pytest.mark.hint("the budget is large, and one action wins: how many simulations do you make?")
def test_a_large_budget_is_made_to_its_end(student, edition):
    """thousands of simulations are made to the last one, also when one of the actions wins at once

    Promised: simulations: at least 1; they are added to the visits that the root already has.
    """
    searcher, made = student.Searcher(ToyGame({"s0": ["won", "lost", "drawn"]}, {"won": -1.0, "lost": 1.0})), 0
    for number in (edition.randint(3001, 3100), edition.randint(200, 300)):
        made += number
        assert choose(student, searcher, "s0", number, edition) == 0
        root = top(searcher)
        assert (root.num_visits, sum(visits_of(student, root).values())) == (made, made)


@pytest.mark.hint("does your function use only the given rng: no other generator, and no seed of its own?")
def test_a_game_repeats_with_its_rng(student, edition):
    """the same rng gives the same moves again, another rng gives others, and no other generator is used

    Promised: rng: the only source of chance; passed to `tree_policy` and to the rollout.
    """
    seed = edition.getrandbits(30)

    def game(seed: int) -> list[int]:
        searcher, rng, state, actions = student.Searcher(GAME), student.rng(seed), GAME.start(), []
        for _ in range(10):
            actions.append(searcher.choose(state, 3, rng))
            assert actions[-1] in GAME.legal_actions(state)
            state = GAME.play(state, actions[-1])
            searcher.observe(actions[-1])
            if GAME.outcome(state) is not None:
                break
        return actions

    before = student.disturb(edition.getrandbits(30))
    first = game(seed)
    assert student.global_state() == before
    student.disturb(edition.getrandbits(30))
    assert first == game(seed)
    # With three simulations a move is nearly random: seven equal moves of seven columns come twice once in 1e11 tries.
    assert not first == game(seed + 1) == game(seed + 2), "three seeds must not all give the same game"


@pytest.mark.hint("what does your search not see: its own win, or the other player's?")
def test_a_searcher_finds_the_one_right_move(student, edition):
    """near the end of a game the one right move is found, for both colours, also with a kept tree

    Promised: Run `simulations` simulations from `state` and return the action with most visits.
    """
    boards, good = near_ends(edition, 1), 0
    for state, right, number in boards:
        searcher = student.Searcher(GAME)
        choose(student, searcher, state, number // 2, edition)
        good += choose(student, searcher, state, number - number // 2, edition) == right
    assert good >= 4  # see 3.6 for the probability
