"""2.9: the whole search, on games with exactly one result and on real positions."""

from random import Random
from typing import Any

import pytest

from arena.games import FIVE_SIMULATIONS, ConnectFour, Othello, TicTacToe, ToyGame
from autograder.grading.edition import drawn_once
from autograder.grading.hidden_checks.known_mistakes import ask, recognise
from tests.hidden.choices import argmax, clear_best
from tests.hidden.laws import near
from tests.hidden.ps2_uct.oracle import Asked, Fan, draw_fan, finished, optimal_actions, unfinished, upper_bounds
from tests.hidden.ps2_uct.trees import at, visits_of

pytestmark = pytest.mark.exercise("2.9")

GAME, FOUR, OTHELLO = TicTacToe(), ConnectFour(), Othello()
FAR = 99.0  # the answer of `evaluate` for a finished game: no search may ask


def clear_fan(
    edition: Random, lengths: list[int], simulations: int, c: float, rollout: bool = False, whole: bool = False
) -> tuple[Fan, Any]:
    """A random fan whose search is not decided by ties, its visits and results; `whole` outcomes are -1 or +1."""
    while True:
        fan = draw_fan(edition, lengths)
        if whole:
            fan.ends = [edition.choice([-1.0, 1.0]) for _ in lengths]
        known = fan.uct(simulations, c, rollout)
        if known is not None:
            return fan, known


@drawn_once
def fans_decided_by_visits(edition: Random) -> list[tuple[Fan, int, float, int]]:
    """Fans with simulations, c and the branch with most visits; in two of three mean and bound would choose other branches."""
    cases = []
    while len(cases) < 2:
        simulations, c = edition.randint(9, 16), edition.choice([1.0, 1.5, 2.0])
        fan, (visits, results) = clear_fan(edition, [1, 2, 3], simulations, c)
        means = [result / n for result, n in zip(results, visits, strict=True)]
        bounds = upper_bounds(visits, means, c)
        if clear_best(visits) and argmax(visits) not in (argmax(means), argmax(bounds)):
            cases.append((fan, simulations, c, argmax(visits)))
    while len(cases) < 3:  # the best mean has nearly as many visits
        simulations, c = edition.randint(24, 40), edition.choice([1.5, 2.0, 3.0])
        fan, (visits, results) = clear_fan(edition, [1, 2, 3], simulations, c)
        second = argmax([result / n for result, n in zip(results, visits, strict=True)])
        if clear_best(visits) and argmax(visits) != second and visits[second] >= 0.9 * max(visits):
            cases.append((fan, simulations, c, argmax(visits)))
    return cases


def statistics(student: Any, root: Any) -> tuple[int, float, list[tuple[int, float]]]:
    """Visits and total of the root, and of its children by action; children without a visit do not count."""
    children = [node for _, node in sorted(student.children(root).items())]
    own, *rows = student.both([root, *children], "num_visits", "total_value")
    return *own, [(n, total) for n, total in rows if n]


def after_one(value: float) -> tuple[int, float, list[tuple[int, float]]]:
    """The `statistics` after one simulation that gave the new child this value."""
    return 1, -value, [(1, value)]


@pytest.mark.hint("which node do you return as the root: the node of the given state?")
def test_every_search_begins_a_new_tree_at_its_state(student, edition):
    """each search begins with a new root at the given state, for either colour; the root's children are this state's moves

    Promised: Build a tree at `state` with `num_simulations` simulations and return the move and the root.
    """
    same = unfinished(edition, 4)
    for number, state in enumerate([same, same, unfinished(edition, 3)]):
        ask("which node do you return as the root: the node of the given state?")
        _, root = student.search(GAME, state, 30, 2.0, student.rng(edition.getrandbits(30)), student.answers())
        assert root.state == state
        ask("what are the parent and the action of a root?")
        assert (root.parent, root.action) == (None, None)
        ask("does this tree hold anything of an earlier search?" if number and root.num_visits > 30 else
            "how many simulations run: the given number, whatever they find?")  # fmt: skip
        assert root.num_visits == 30
        children = student.children(root)
        ask("after this number of simulations, which legal actions of the root still have no child?")
        assert sorted(children) == GAME.legal_actions(state)
        assert student.each([children[a] for a in sorted(children)], "state") == [GAME.play(state, a) for a in sorted(children)]
        ask("when the search is over, does each child still know its parent and its action?")
        ways = student.both([children[a] for a in sorted(children)], "parent", "action")
        assert ways == [(root, a) for a in sorted(children)]


@pytest.mark.hint("how many simulations run: the given number, whatever they find?")
def test_the_root_counts_every_simulation(student, edition):
    """root and children count exactly the given number of simulations, for any number from one up

    Promised: Returns (action, root): the action with most visits (any of them when tied), and the root, with
    root.num_visits == num_simulations.
    """
    for simulations in (1, 2, edition.randint(15, 40)):
        ask("how many simulations run: the given number, whatever they find?")
        evaluate = Asked()
        action, root = student.search(GAME, GAME.start(), simulations, 1.0, student.rng(edition.getrandbits(30)), evaluate)
        assert root.num_visits == simulations
        ask("root and children count different visits: do all simulations run, and does each end at the new child?")
        assert sum(student.each(list(student.children(root).values()), "num_visits")) == simulations
        ask("which value do you return first: an action of the root?")
        assert action in GAME.legal_actions(GAME.start())
        ask("how often do you call `evaluate` in one simulation?")
        assert len(evaluate.states) == simulations  # no player can win within so few plies
        ask("for which node do you call `evaluate`: the new child, or another node?")
        assert simulations > 1 or evaluate.states[0] in [GAME.play(GAME.start(), a) for a in GAME.legal_actions(GAME.start())]
    _, root = student.search(FIVE_SIMULATIONS, "s0", 60, 1.0, student.rng(1), student.answers({"s1": 20.0, "s2": 10.0}))
    ask("one move is far ahead: do the remaining simulations still run?")
    assert counted(student, root) == (60, 60)  # one move is far ahead, and still every simulation runs
    many = edition.randint(3001, 3100)
    won = ToyGame({"s0": ["w", "b"], "b": ["c"]}, {"w": -1.0})
    _, root = student.search(won, "s0", many, 1.0, student.rng(1), student.answers())
    assert counted(student, root) == (many, many)


def counted(student: Any, root: Any) -> tuple[int, int]:
    """The visits of a root, and those of its children together: a search that ends early can write the first number only."""
    return root.num_visits, sum(visits_of(student, root).values())


@pytest.mark.hint("does a single legal move get all simulations, like any other move?")
def test_a_single_legal_move_is_found_and_counted(student, edition):
    """with one legal move the search returns this move and runs all its simulations

    Promised: Returns (action, root): the action with most visits (any of them when tied), and the root, with
    root.num_visits == num_simulations.
    """
    state = unfinished(edition, 1)
    (only,) = GAME.legal_actions(state)
    value = GAME.outcome(GAME.play(state, only))  # -1.0 or 0.0, for the player to move after the move
    simulations = edition.randint(2, 6)
    action, root = student.search(GAME, state, simulations, 1.0, student.rng(1), student.answers(other=FAR))
    ask("which value do you return first: the action itself, or its place in a list?")
    assert action == only
    ask("does a single legal move get all simulations, like any other move?")
    assert (root.num_visits, root.total_value) == (simulations, -value * simulations)


@pytest.mark.hint("what is a new node worth: the answer of `evaluate`, and nothing else?")
def test_each_value_is_for_the_player_to_move_at_the_new_node(student, edition):
    """a new node has the value that `evaluate` gives, or the outcome of a finished game, for the player to move there

    Promised: evaluate: evaluate(state) -> value for the player to move there, called once in every simulation that ends at
    a state where the game goes on;
    """
    game = ToyGame({"s0": ["a"], "a": ["b"]}, {"b": 1.0})
    values = [round(edition.uniform(0.1, 0.9), 3), round(edition.uniform(-0.9, -0.1), 3)]
    rng = student.rng(edition.getrandbits(30))
    roots = [student.search(game, "s0", 1, 1.0, rng, student.answers(other=value))[1] for value in values]
    totals = student.each(roots, "total_value")
    if totals != near([-value for value in values]):
        recognise([statistics(student, root) for root in roots], {
            "For which player is the answer of `evaluate`, and where does the sign flip first?": [after_one(-v) for v in values],
            "Do you keep anything from an earlier search, such as a value?": [after_one(values[0])] * 2,
        })  # fmt: skip
    assert totals == near([-value for value in values])
    outcomes = [-1.0, round(edition.uniform(0.1, 0.9), 3), 1.0, 0.0]
    games = [ToyGame({"s0": ["a", "b"]}, {"a": outcome, "b": outcome}) for outcome in outcomes]
    roots = [student.search(over, "s0", 1, 1.0, rng, student.answers(other=FAR))[1] for over in games]
    totals = student.each(roots, "total_value")
    if totals[:3] != near([-outcome for outcome in outcomes[:3]]):
        recognise([statistics(student, root) for root in roots[:3]], {
            "For which player is the outcome, and where does the sign flip first?": [after_one(-o) for o in outcomes[:3]],
            "The game is over and its outcome is known: do you still call `evaluate`?": [after_one(FAR)] * 3,
            "A simulation ends where the game is over: do you back up the outcome?": [after_one(0.0)] * 3,
        })  # fmt: skip
    ask("a simulation ends where the game is over: which value do you back up?")
    assert totals[:3] == near([-outcome for outcome in outcomes[:3]])
    ask("the game is drawn: what is it worth, and do you treat the outcome 0 as no outcome?")
    assert totals[3] == 0.0


@pytest.mark.hint("in each simulation: which node do you select, which child is new, and which node gets a value?")
def test_five_simulations_give_the_numbers_found_by_hand(student, edition):
    """five simulations on the lesson's toy tree give the lesson's numbers, for any c and any tie

    Promised: Returns (action, root): the action with most visits (any of them when tied), and the root, with
    root.num_visits == num_simulations.
    """
    #   s0 5, -58;   s1 1, 20;   s2 4, 38;   s5 2, -28;   s6 1, 0;   the move leads to s2
    for c in (0.0, 1.0, edition.uniform(0, 20)):
        evaluate = student.answers({"s1": 20.0, "s2": 10.0}, other=FAR)
        action, root = student.search(FIVE_SIMULATIONS, "s0", 5, c, student.rng(edition.getrandbits(30)), evaluate)
        ask("in each simulation: which node do you select, which child is new, and which node gets a value?")
        own, (count, total, rows) = at(student, root, 1), statistics(student, root)
        assert (count, [n for n, _ in rows]) == (5, [1, 4])
        ask("does each simulation go on below the root's children, and add a new child there?")
        assert sorted(student.children(own)) == [0, 1]
        _, total_below, below = statistics(student, own)
        assert [n for n, _ in below] == [2, 1]
        ask("do you add each result once at every node on its way, and with which sign?")
        assert (total, [w for _, w in rows]) == (-58.0, [20.0, 38.0])
        assert (total_below, [w for _, w in below]) == (38.0, [-28.0, 0.0])
        ask("what decides the move: most visits, or fewest visits, means, bounds, order or a win?")
        assert action == 1


@pytest.mark.hint("the game is drawn: what is it worth, and do you treat the outcome 0 as no outcome?")
def test_zero_is_a_value_like_any_other(student, edition):
    """a drawn game counts 0, whatever `evaluate` would answer, and so does an unfinished game with the answer 0

    Promised: Where the game is over, its outcome is the value.
    """
    fan = draw_fan(edition, [1, 2, 1])
    fan = Fan(fan.lengths, fan.guesses, [0.0, 0.0, 0.0])
    guess = sum(fan.guesses.values())  # the one unfinished node is seen once
    evaluate = student.answers(fan.guesses, other=FAR)
    _, root = student.search(fan.game, "root", 30, 3.0, student.rng(edition.getrandbits(30)), evaluate)
    assert root.num_visits == 30
    assert root.total_value == near(-guess)
    ask("`evaluate` answers 0: is 0 a value, or no answer?")
    unsure = Fan([2, 4], {"b0.1": 0.0, "b1.1": 0.0}, [1.0, edition.choice([0.5, 0.7])])
    _, root = student.search(unsure.game, "root", 2, 1.0, student.rng(1), student.answers(unsure.guesses, other=FAR))
    assert (root.num_visits, root.total_value) == (2, 0.0)


@pytest.mark.hint("may you leave out an action of a node because this action, or another one, wins or loses?")
def test_every_action_gets_its_simulation(student, edition):
    """every action of a node is tried once before any is tried twice, whether it wins at once, loses, draws or is unknown

    Promised: Selection goes down as long as all children are there to compare.
    """
    #   w wins at once for the player who moves there, l loses, d is a draw, and x lets the other player win at once
    ends = edition.sample(["w", "l", "d", "x"], 4)
    values = {"w": -1.0, "l": 1.0, "d": 0.0, "y": -1.0, "z": 0.0}
    below = ToyGame({"s0": ["a"], "a": ends, "x": ["y", "z"]}, values)
    here = ToyGame({"s0": ends, "x": ["y", "z"]}, values)
    for game, simulations, path in ((below, 5, (0,)), (here, 4, ())):
        rng = student.rng(edition.getrandbits(30))
        for c in (0.0, 1.0):
            _, root = student.search(game, "s0", simulations, c, rng, student.answers(other=0.25))
            children = student.children(at(student, root, *path))
            assert sorted(children) == [0, 1, 2, 3]
            visits_and_totals = student.both([children[action] for action in range(4)], "num_visits", "total_value")
            assert dict(zip(ends, visits_and_totals, strict=True)) == {
                "w": (1, -1.0), "l": (1, 1.0), "d": (1, 0.0), "x": (1, 0.25),
            }  # fmt: skip


@pytest.mark.hint("for which nodes do you call `evaluate`: for each new node, once?")
def test_evaluate_is_asked_once_about_each_new_node(student, edition):
    """`evaluate` is called once for each new node where the game goes on, and never for a finished game

    Promised: evaluate: evaluate(state) -> value for the player to move there, called once in every simulation that ends at
    a state where the game goes on;
    """
    simulations = edition.randint(12, 18)
    fan, (visits, _) = clear_fan(edition, [1, 3, 4], simulations, 1.0)
    evaluate = Asked(fan.guesses)
    student.search(fan.game, "root", simulations, 1.0, student.rng(edition.getrandbits(30)), evaluate)
    new = [f"b{b}.{depth}" for b in range(3) for depth in range(1, min(visits[b], fan.lengths[b] - 1) + 1)]
    ask("the game is over and its outcome is known: do you still call `evaluate`?")
    assert not {f"b{b}.{fan.lengths[b]}" for b in range(3)} & set(evaluate.states), (
        "a finished game must not be evaluated"
    )
    ask("for which nodes do you call `evaluate`: for each new node, once?")
    assert sorted(map(str, evaluate.states)) == sorted(new)


@pytest.mark.hint("what decides the move: most visits, or fewest visits, means, bounds, order or a win?")
def test_the_move_is_the_one_with_most_visits(student, edition):
    """the move is the action with most visits, also where the best mean or bound is another action's

    Promised: Returns (action, root): the action with most visits (any of them when tied), and the root, with
    root.num_visits == num_simulations.
    """
    cases, rng = fans_decided_by_visits(edition), student.rng(edition.getrandbits(30))

    def moves(fans: list[tuple]) -> list[int]:
        return [
            student.search(fan.game, "root", simulations, c, rng, student.answers(fan.guesses, other=FAR))[0]
            for fan, simulations, c, *_ in fans
        ]

    chosen = moves(cases * 5)
    if chosen[:2] != [best for *_, best in cases[:2]]:
        fans, means, totals, bounds = [], [], [], []
        while len(fans) < 12:
            simulations, c = edition.randint(9, 16), edition.choice([1.0, 1.5, 2.0])
            fan, (visits, results) = clear_fan(edition, [1, 2, 3], simulations, c)
            mean = [result / n for result, n in zip(results, visits, strict=True)]
            scores = [argmax(score) for score in (mean, results, upper_bounds(visits, mean, c))]
            if scores[0] != scores[1 + len(fans) % 2]:  # totals and bounds in turn would choose another move than means
                fans.append((fan, simulations, c))
                for row, score in zip((means, totals, bounds), scores):
                    row.append(score)
        recognise(moves(fans), {
            "Which number must be highest: the mean, or the visits?": means,
            "Which number must be highest: the total, or the visits?": totals,
            "Which number must be highest: the bound, as on the way down, or the visits?": bounds,
        })  # fmt: skip
    assert chosen == [best for *_, best in cases] * 5
    #   branch 0 wins at once, which is 1 for the root's player; every simulation through branch 1 is 5
    fan = Fan([1, 3], {"b1.1": -5.0, "b1.2": 5.0}, [-1.0, -5.0])
    action, _ = student.search(fan.game, "root", 9, 1.0, rng, student.answers(fan.guesses, other=FAR))
    assert action == 1
    ask("do visits decide the move on a real board, too, whatever you know about the game?")
    real = [(GAME, unfinished(edition, empties), empties + 1) for empties in (9, 8, 7, 6, 5)] * 2
    real += [(FOUR, FOUR.start(), 8), (OTHELLO, OTHELLO.start(), 5)]
    real_results = student.many("search", [(game, state, number, 1.0, rng) for game, state, number in real])
    for action, root in real_results:
        visits = visits_of(student, root)
        assert visits.get(action) == max(visits.values())


@pytest.mark.hint("which c does `select` get, and does anything else decide where a simulation goes?")
def test_every_simulation_goes_where_the_bound_is_highest(student, edition):
    """visits and totals are those of UCT, for several c, at odd and at even depth

    Promised: exploration: c of `ucb`.
    """
    for c in (0.0, 0.5, 2.0):
        ask("which c does `select` get, and does anything else decide where a simulation goes?")
        simulations = edition.randint(14, 22)
        fan, (visits, results) = clear_fan(edition, [1, 2, 3, 4], simulations, c, whole=c == 2.0)
        evaluate = student.answers(fan.guesses, other=FAR)
        _, root = student.search(fan.game, "root", simulations, c, student.rng(edition.getrandbits(30)), evaluate)
        count, total, branches = statistics(student, root)
        if [n for n, _ in branches] != visits:
            others = {other: fan.uct(simulations, other) for other in (0.0, 1.0, 2.0**0.5) if other != c}
            got = [n for n, _ in branches]
            same = any(known and known[0] == got for known in others.values())
            recognise(same, {"Which c does `select` get: the given one?": True})
        assert (count, [n for n, _ in branches]) == (simulations, visits)
        ask("do you add each result at every node on its way, with the sign for the player to move there?")
        assert total == near(sum(results))
        assert [w for _, w in branches] == near([-result for result in results])
    longest = fan.lengths.index(4)  # the last tree, down to its leaves
    values = fan.results(longest, visits[longest])
    for depth in range(2, min(visits[longest], 4) + 1):
        node = at(student, root, longest, *[0] * (depth - 1))
        assert node.num_visits == visits[longest] - depth + 1
        assert node.total_value == near(sum(values[depth - 1 :]) * (-1) ** depth)


@pytest.mark.hint("does your function use only the given rng: no other generator, and no seed of its own?")
def test_a_search_repeats_with_its_rng(student, edition):
    """the same rng builds the same tree again, another rng another tree, and no other generator is used

    Promised: rng: the only source of chance, passed to `select`, `expand` and `simulate`.
    """

    def orders(seed: int) -> list[Any]:
        numbered = student.in_turn([float(number) for number in range(1, 10)])  # the first new node is worth 1, the next 2
        _, root = student.search(GAME, GAME.start(), 9, 1.0, student.rng(seed), numbered)
        children = [node for _, node in sorted(student.children(root).items())]
        searched = student.many("search", [(GAME, GAME.start(), 14, 1.0, student.rng(seed))] * 3)
        return [*student.each(children, "total_value"), *student.each([root for _, root in searched], "total_value")]

    seed = edition.getrandbits(30)
    before = student.disturb(edition.getrandbits(30))
    first = orders(seed)
    assert student.global_state() == before
    student.disturb(edition.getrandbits(30))
    # The first nine new nodes are nine moves in random order: equal by chance once in 3e5, three times once in 1e11.
    assert first == orders(seed)
    assert not first[:9] == orders(seed + 1)[:9] == orders(seed + 2)[:9], "three seeds must not all give the same order"


@pytest.mark.hint("`evaluate` is not given: how does a new node get its value?")
def test_without_evaluate_a_rollout_tells_the_value(student, edition):
    """without `evaluate` a new node gets the value of one rollout to the end, for the player to move there

    Promised: None stands for one `simulate` with `random_policy`.
    """
    for plies in (3, 4):  # two actions, each followed by as many forced moves
        moves = {"s0": ["a1", "b1"]} | {f"{x}{ply}": [f"{x}{ply + 1}"] for x in "ab" for ply in range(1, plies)}
        fork = ToyGame(moves, {f"{x}{plies}": 1.0 for x in "ab"})
        _, root = student.search(fork, "s0", 1, 1.0, student.rng(edition.getrandbits(30)))
        right = 1.0 * (-1) ** plies
        if root.total_value != right:
            recognise(statistics(student, root), {
                "From which node does the rollout start, and for which player is its value?": after_one(right),
                "Does the rollout go on to the end of the game, even of a long game?": after_one(0.0),
            })  # fmt: skip
        ask("how many rollouts give a new node its value, and how do you use the result?")
        assert root.total_value == right
    ask("without `evaluate`: from which node does the rollout start, and for whom does its value count?")
    for c in (0.5, 1.0):
        simulations = edition.randint(9, 14)
        fan, (visits, results) = clear_fan(edition, [2, 3, 4, 5], simulations, c, rollout=True)
        _, root = student.search(fan.game, "root", simulations, c, student.rng(edition.getrandbits(30)))
        count, total, branches = statistics(student, root)
        assert (count, [n for n, _ in branches]) == (simulations, visits)
        assert total == near(sum(results))
        assert [w for _, w in branches] == near([-result for result in results])
    ask("does the rollout go on to the end of the game, even of a long game?")
    plies = edition.randint(41, 44)  # as long as Connect Four
    line = ToyGame({f"s{ply}": [f"s{ply + 1}"] for ply in range(plies)}, {f"s{plies}": 1.0})
    _, root = student.search(line, "s0", 3, 1.0, student.rng(1))
    assert root.total_value == 3.0 * (-1) ** plies


@pytest.mark.hint("is every rollout a new game, with each move drawn by random_policy?")
def test_the_default_rollout_is_random(student, edition):
    """without `evaluate` each rollout is a new game, with moves drawn from all legal ones

    Promised: None stands for one `simulate` with `random_policy`.
    """
    game = ToyGame({"s0": ["a"], "a": ["b"], "b": ["w", "l"]}, {"w": 1.0, "l": -1.0})
    results = student.many("search", [(game, "s0", 2, 1.0, student.rng(edition.getrandbits(30)))] * 28)
    totals = student.each([root for _, root in results], "total_value")
    assert set(totals) <= {-2.0, 0.0, 2.0}
    # Two fair coins of +-1 each time: a sum that is never 0, or always 0, comes once in 1e8 tries.
    assert 0 < totals.count(0.0) < 28


@pytest.mark.hint("what can be played after the end of a game?")
def test_the_game_is_only_played_by_its_rules(student, edition):
    """every move that the search plays is legal, and no move is played after the end of a game

    Promised: Only legal actions are played, and none where the game is over.
    """
    state = unfinished(edition, 4)
    watched = student.watch(GAME)
    student.search(watched, watched.token(state), 14, 1.0, student.rng(edition.getrandbits(30)))
    plays = [(at, action) for method, at, action in watched.calls if method == "play"]
    assert plays and [(at, action) for at, action in plays if action not in GAME.legal_actions(at)] == [], (
        "every action that is played must be legal"
    )


@pytest.mark.hint("the game is over, or there is no simulation: what does the docstring say about this case?")
def test_nothing_to_search_is_an_error(student, edition):
    """when the game is over, or without a simulation, the call is an error

    Promised: ValueError: the game is over at `state`, or num_simulations < 1.
    """
    for value in (-1.0, 0.0):
        with student.raises(ValueError):
            student.search(GAME, finished(edition, value), 10, 1.0, student.rng(1))
    for simulations in (0, -1):
        with student.raises(ValueError):
            student.search(GAME, GAME.start(), simulations, 1.0, student.rng(1))


@pytest.mark.hint("what does your search not see: its own win, or the other player's?")
def test_near_the_end_the_move_is_optimal(student, edition):
    """near the end of a game the move is one of the best, for both colours

    Promised: With 200 simulations and c = 1 the move at a Tic-Tac-Toe position with four free squares or fewer is nearly
    always a best one.
    """
    positions = [unfinished(edition, empties) for empties in (2, 3, 4, 4) for _ in range(3)]
    rng = student.rng(edition.getrandbits(30))
    moves = student.many("search", [(GAME, state, 200, 1.0, rng) for state in positions])
    good = sum(action in optimal_actions(state) for state, (action, _) in zip(positions, moves, strict=True))
    # 200 simulations miss the best move about once in 2,000 positions (measured over all 3,430, 30 times), in the
    # hardest position once in 8: more than three misses of 12 come less than once in 1e8 editions. Mistakes miss many more.
    assert good >= 9
