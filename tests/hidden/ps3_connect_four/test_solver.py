"""3.8: proven results, their way up the tree, and a search that uses them."""

from random import Random
from typing import Any

import pytest

from arena.games import ToyGame
from autograder.grading.hidden_checks.known_mistakes import ask, recognise
from tests.hidden.choices import argmax, clear_best
from tests.hidden.ps3_connect_four.oracle import (
    GAME,
    SMALL,
    C,
    Fan,
    bounds,
    draw_fan,
    exact_value,
    finished,
    line,
    near_ends,
    random_game,
)
from tests.hidden.ps3_connect_four.trees import Spot, at, chain, plant, visits_of

pytestmark = pytest.mark.exercise("3.8")

WIDE = ToyGame({"s0": ["a", "b", "c"], "a": ["a1", "a2", "a3"], "b": ["b1"], "c": ["c1", "c2"]},
               {"a1": 1.0, "a2": 1.0, "a3": 1.0, "b1": -1.0, "c1": 0.0, "c2": 1.0})  # fmt: skip


def wide(student: Any, edition: Random, below: dict[int, list[int]]) -> Any:
    """The tree over WIDE with these actions below the root, and with these below them, in any order."""
    spot = Spot(9, 0.0, {a: Spot(4, 0.0, {b: Spot(1, 0.0) for b in edition.sample(bs, len(bs))}) for a, bs in below.items()})
    return plant(student, WIDE, "s0", spot)


def proofs(student: Any, nodes: list[Any]) -> list[Any]:
    return student.each(nodes, "proven")


@pytest.mark.hint("which endings prove a win, a loss, or nothing?")
def test_the_end_of_a_game_proves_itself(student, edition):
    """a won or lost leaf is proven as its outcome, for the player to move; a draw or an unfinished game proves nothing

    Promised: only a won or lost game proves something. The leaf's `proven` becomes its outcome, +1.0 or -1.0.
    """
    questions = {
        1.0: "the player to move at the leaf has won: does the leaf prove something?",
        -1.0: "the player to move at the leaf has lost: does the leaf prove something?",
        0.0: "does a game that ends in a draw prove a win or a loss?",
        None: "the game goes on at the leaf: does the leaf prove something?",
    }
    leaves = [(WIDE, "a1"), (WIDE, "b1"), (WIDE, "c1"), (WIDE, "a")]
    leaves += [(GAME, finished(edition, winner)) for winner in (0, 1, None)] + [(GAME, GAME.start())]
    for game, state in leaves:
        leaf = student.Node(game, state)
        student.prove(leaf)
        ask(questions[game.outcome(state)])
        value = game.outcome(state) or None
        if value:
            recognise(leaf.proven, {"For which player is `proven`: for the player to move at the leaf, or the other?": -value})
        assert leaf.proven == value


@pytest.mark.hint("one move leads to a lost state of the opponent: how many such moves does a win need?")
def test_one_lost_child_wins(student, edition):
    """a node with one child proven -1 is proven +1, whatever its other children are, and if some are missing

    Promised: Then, going up: a node with a child proven -1.0 is proven +1.0;
    """
    #   t -> r, u;  r -> x, y, z: the player to move at x has lost, and nothing is known of y and z
    game = ToyGame({"t": ["r", "u"], "r": ["x", "y", "z"], "u": ["v"], "y": ["y1"], "z": ["z1"]}, {"x": -1.0}, start="t")
    for there in ([0], [0, 1], edition.sample(range(3), 3)):
        top = plant(student, game, "t", Spot(9, 0.0, {0: Spot(5, 0.0, {action: Spot(1, 0.0) for action in there})}))
        student.prove(at(student, top, 0, 0))
        proof = at(student, top, 0).proven
        recognise(proof, {"At the child my opponent is lost: what does this prove for me?": -1.0})
        assert proof == 1.0
    #   b -> b1: the player to move at b1 has lost, so b's player has won; s0's other moves may be better: not proven
    for below in ({1: [0]}, {0: [1], 1: [0]}, {1: [0], 2: [0, 1], 0: []}):
        root = wide(student, edition, below)
        student.prove(at(student, root, 1, 0))
        ask("one move leads to a lost state of the opponent: how many such moves does a win need?")
        assert proofs(student, [at(student, root, 1, 0), at(student, root, 1)]) == [-1.0, 1.0]
        ask("one move loses: what must you know of all other legal actions before the node itself is proven?")
        assert root.proven is None
        ask("do you prove any node that is not on the way from the leaf to the root?")
        assert [at(student, root, a).proven for a in below if a != 1] == [None] * (len(below) - 1)


@pytest.mark.hint("how many of the moves must lose, and must all of them be in the tree?")
def test_a_loss_needs_every_legal_action(student, edition):
    """a node is proven -1 only when every legal action has a child and each child is proven +1

    Promised: Then, going up: a node with a child proven -1.0 is proven +1.0; a node whose legal actions all have children,
    every one proven +1.0, is proven -1.0;
    """
    root = wide(student, edition, {0: [0, 1]})
    for action in edition.sample([0, 1], 2):
        student.prove(at(student, root, 0, action))
        assert proofs(student, [at(student, root, 0, action), at(student, root, 0), root]) == [1.0, None, None]
    for last in range(3):  # all three are there; the last proven child decides
        root = wide(student, edition, {0: [0, 1, 2], 2: [0]})
        order = [action for action in range(3) if action != last] + [last]
        for number, action in enumerate(order):
            student.prove(at(student, root, 0, action))
            ask("how many of the moves must lose before the node is lost?" if number < 2 else
                "all legal actions have children, and the opponent wins below each: what is the node?")  # fmt: skip
            assert at(student, root, 0).proven == (-1.0 if number == 2 else None)
        ask("a node above is proven now: how far up does the proof go, does it reach the root?")
        assert (root.proven, at(student, root, 2).proven) == (1.0, None)
    moves = [f"e{number}" for number in range(9)]
    many = ToyGame({"r": moves}, dict.fromkeys(moves, 1.0), start="r")
    for number in (4, 7, 8):
        root, children = some_children(student, edition, many, number)
        for child in children[1:]:
            child.proven = 1.0
        student.prove(children[0])
        ask("all children are proven to lose, and one legal action has no child yet: is the node lost?")
        assert root.proven is None
    #   r -> w, y: the leaf w is won for its player, and y was proven lost before
    brothers = ToyGame({"r": ["w", "y"], "y": ["y1"]}, {"w": 1.0, "y1": 1.0}, start="r")
    root = plant(student, brothers, "r", Spot(5, 0.0, {0: Spot(2, 0.0), 1: Spot(2, 0.0)}))
    at(student, root, 1).proven = -1.0
    student.prove(at(student, root, 0))
    ask("the leaf is won for its player, and a child beside it is proven lost: which children do you look at?")
    assert root.proven == 1.0


def some_children(student: Any, edition: Random, game: Any, number: int) -> tuple[Any, list[Any]]:
    """The node at the start of a game with `number` children, whichever they are, each visited once."""
    root, rng = student.Node(game, game.start()), student.rng(edition.getrandbits(30))
    children = [student.expand(game, root, rng) for _ in range(number)]
    for node, visits in [(root, number), *((child, 1) for child in children)]:
        node.num_visits = visits
    return root, children


@pytest.mark.hint("is a draw a loss?")
def test_a_draw_saves_a_lost_position(student, edition):
    """a node with a drawn child is not proven lost, in any order of its children

    Promised: a node whose legal actions all have children, every one proven +1.0, is proven -1.0;
    """
    for order in ((0, 1), (1, 0)):
        root = wide(student, edition, {2: [0, 1]})
        for action in order:
            student.prove(at(student, root, 2, action))
        nodes = [at(student, root, 2, 0), at(student, root, 2, 1), at(student, root, 2), root]
        assert proofs(student, nodes) == [None, 1.0, None, None]
    moves = [f"e{number}" for number in range(9)]
    many = ToyGame({"r": moves}, dict.fromkeys(moves, 1.0), start="r")
    root = plant(student, many, "r", Spot(9, 0.0, {action: Spot(1) for action in range(9)}))
    first, *others, last = student.children(root).values()  # in the order in which the submission has them
    for child in others:
        child.proven = 1.0
    student.prove(first)
    ask("nearly all of many moves lose: must all moves lose before the node is lost?")
    assert (first.proven, root.proven) == (1.0, None)  # the last of nine is not proven
    last.proven = 1.0
    student.prove(first)
    ask("the same leaf comes again, and more nodes are proven now: does its proof go up again?")
    assert root.proven == -1.0


@pytest.mark.hint("how far up does a proof go?")
def test_a_proof_climbs_as_far_as_it_holds(student, edition):
    """along a forced line win and loss alternate up to the root, from leaves at odd and at even depth

    Promised: Then, going up: a node with a child proven -1.0 is proven +1.0; a node whose legal actions all have children,
    every one proven +1.0, is proven -1.0;
    """
    for plies in (edition.choice([3, 5]), edition.choice([4, 6])):
        for value in (-1.0, 1.0):
            nodes = chain(student, line(plies, value), plies)
            student.prove(nodes[-1])
            assert proofs(student, nodes) == [value * (-1) ** (plies - depth) for depth in range(plies + 1)]
    nodes = chain(student, line(4, 0.0), 4)
    student.prove(nodes[-1])
    assert proofs(student, nodes) == [None] * 5


@pytest.mark.hint("is a proof a statistic, and which field may it change?")
def test_a_proof_changes_no_statistics(student, edition):
    """a proof does not change visits, sums or children

    Promised: Nothing but `proven` is written.
    """
    root = wide(student, edition, {0: [0, 1, 2], 1: [0]})
    nodes = [root, at(student, root, 1), at(student, root, 1, 0), at(student, root, 0)]
    student.prove(nodes[2])
    assert student.each(nodes, "num_visits") == [9, 4, 1, 4]
    assert student.each(nodes, "q") == [0.0] * 4
    assert sorted(student.children(root)) == [0, 1]


def random_toy(edition: Random, plies: int, forced: bool, endings: list[float]) -> ToyGame:
    """A random game tree of two or three actions a ply, with these outcomes at its ends."""
    moves: dict[str, list[str]] = {"start": ["r"]} if forced else {}
    values, level = {}, ["r"]
    for ply in range(plies):
        below = []
        for state in level:
            if ply and edition.random() < 0.2:
                values[state] = edition.choice(endings)
            else:
                moves[state] = [f"{state}{number}" for number in range(edition.randint(2, 3))]
                below += moves[state]
        level = below
    values |= {state: edition.choice(endings) for state in level}
    return ToyGame(moves, values, start="start" if forced else "r")


def toys(edition: Random, value: float, endings: list[float]) -> list[ToyGame]:
    """Three random games for each player to move, all of this exact value."""
    games: list[ToyGame] = []
    while len(games) < 6:
        game = random_toy(edition, 3, len(games) >= 3, endings)
        if exact_value(game, "r") == value:
            games.append(game)
    return games


@pytest.mark.hint("when is there nothing left to search for?")
def test_the_search_ends_when_the_root_is_proven(student, edition):
    """the search ends as soon as the root is proven won or lost; in a draw it uses its whole budget

    Promised: simulations: the largest number of simulations, at least 1; fewer are made when the root is proven earlier.
    Promised: The action leads to a child proven -1.0, if there is one;
    Promised: Draws stay None.
    """
    #   root -> one move that wins at once: proven when it is tried, in the first or the second simulation
    wins = ToyGame({"r": ["w", "d"]}, {"w": -1.0, "d": 0.0}, start="r")
    results = student.many("solve", [(wins, "r", 50, student.rng(edition.getrandbits(30)))] * 12)
    values = [root.proven for _, root in results]
    ask("a won game is in the tree: do you call prove after each backup?" if None in values else
        "for which player is the root's proof: do you change its sign?")  # fmt: skip
    assert values == [1.0] * 12
    ask("the root is proven: is there anything left to search for?")
    assert {root.num_visits for _, root in results} <= {1, 2}
    ask("one child is proven lost for the opponent, another has as many visits: which one do you play?")
    assert [action for action, _ in results] == [0] * 12
    #   every move of the root loses at once: proven when both are tried
    lost = ToyGame({"r": ["a", "b"]}, {"a": 1.0, "b": 1.0}, start="r")
    action, root = student.solve(lost, "r", 50, student.rng(1))
    ask("every move of the root loses: what is the root?")
    assert root.proven == -1.0
    ask("the root is proven, won or lost: is there anything left to search for?")
    assert root.num_visits == 2
    ask("every move loses: do you still play one of the legal actions?")
    assert action in (0, 1)
    drawn = ToyGame({"r": ["a", "b"], "b": ["c"]}, {}, start="r")
    number = edition.randint(10, 40)
    _, root = student.solve(drawn, "r", number, student.rng(1))
    ask("nothing can be proven: how many simulations do you make, the whole budget?")
    assert root.num_visits == number
    ask("every game from the root is a draw: is the root proven?")
    assert root.proven is None
    ask("nothing can be proven: how many simulations do you make, the whole budget, even a large one?")
    lopsided = ToyGame({"r": ["a", "b"], "b": ["c"]}, {"a": 1.0}, start="r")  # all but a few simulations go to one child
    for game in (drawn, lopsided):
        number = edition.randint(3001, 3100)
        _, root = student.solve(game, "r", number, student.rng(1))
        assert root.num_visits == number
        assert sum(visits_of(student, root).values()) == number


def searched_with(cases: list[tuple[Fan, int, list[int]]], counts: list[list[int]], c: float) -> bool:
    """Whether these are the visits of UCT with this exploration constant."""
    return counts == [fan.uct(number, c) for fan, number, _ in cases]


def drawn_at_once(fan: Fan) -> Fan:
    """The same fan, but its draw comes with the first move: an end of the game in the tree that proves nothing."""
    return Fan([length if end else 1 for length, end in zip(fan.lengths, fan.ends, strict=True)], fan.ends, fan.forced)


@pytest.mark.hint("what differs from uct while nothing is proven?")
def test_while_nothing_is_proven_it_is_uct(student, edition):
    """while nothing is proven, visits and sums are those of UCT with c = 1/sqrt 2, whoever is to move at the root

    Promised: Every simulation goes down like `tree_policy` with c = C, but skips children that are proven;
    """
    cases: list[tuple[Fan, int, list[int]]] = []
    while len(cases) < 4:
        fan, number = draw_fan(edition, [25, 26, 27], len(cases) % 2), edition.randint(14, 24)
        fan = drawn_at_once(fan) if len(cases) > 1 else fan  # no end of the game is in the tree, or a draw
        visits = fan.uct(number)
        if visits is not None and clear_best(visits, 0.5) and visits not in (fan.uct(number, 0.5), fan.uct(number, 1.0)):
            cases.append((fan, number, visits))
    solved = [student.solve(fan.game, "root", number, student.rng(edition.getrandbits(30))) for fan, number, _ in cases]
    children = [[at(student, root, branch) for branch in range(3)] for _, root in solved]
    counts, sums = ([student.each(three, name) for three in children] for name in ("num_visits", "q"))
    wanted = [visits for _, _, visits in cases]
    if counts != wanted:
        swapped = [Fan(fan.lengths, [-end for end in fan.ends], fan.forced).uct(number) for fan, number, _ in cases]
        other = any(searched_with(cases, counts, c / 20) for c in range(61))
        recognise((other, counts == swapped), {
            "Which exploration constant guides the way down: the C of this set?": (True, False),
            "Have the two rewards changed places on their way to the backup?": (False, True),
        })  # fmt: skip
    ask("a drawn game proves nothing: is it visited again, as often as UCT says?" if counts[:2] == wanted[:2] else
        "nothing is proven yet: which bound chooses each child, and where does the rollout begin?")  # fmt: skip
    assert counts == wanted
    ask("which player's rewards go to the backup, and how many rollouts does a simulation make?")
    assert sums == [[sum(fan.results(branch, n)) for branch, n in enumerate(visits)] for fan, _, visits in cases]
    ask("nothing is proven: what chooses the move at the end, and what is the root's proof?")
    assert [(action, root.proven) for action, root in solved] == [(argmax(visits), None) for visits in wanted]


@pytest.mark.hint("who chooses at the second level, and whose rewards does q hold there?")
def test_the_other_player_chooses_as_uct_does(student, edition):
    """below a forced move the other player chooses as UCT does, by that player's own rewards

    Promised: Every simulation goes down like `tree_policy` with c = C, but skips children that are proven;
    """
    visits: list[int] | None = None
    while visits is None or not clear_best(visits, 0.5):
        fan, number = draw_fan(edition, [25, 26, 27], 1), edition.randint(16, 26)
        visits = below_a_forced_move(fan, number)
    _, root = student.solve(fan.game, "start", number, student.rng(edition.getrandbits(30)))
    ask("a single action is legal: do you play it at once, or search as with several actions?")
    assert root.num_visits == number
    ask("who chooses at the second level, and whose rewards does q hold there?")
    below = at(student, root, 0)
    counts = student.each([at(student, below, branch) for branch in range(3)], "num_visits")
    if counts != visits:
        recognise(counts, {"Is the exploration constant the same below the root as at the root?": fan.uct(number - 1, 0.0)})
    assert counts == visits


def below_a_forced_move(fan: Fan, simulations: int) -> list[int] | None:
    """The visits of the fan's branches under a root with one move; N is their sum plus one: the first visit ended above."""
    visits = [1, 1, 1]
    while sum(visits) + 1 < simulations:
        sums = [sum(fan.results(branch, n)) for branch, n in enumerate(visits)]
        scores = bounds(visits, sums, sum(visits) + 1, C)
        if not clear_best(scores):
            return None
        visits[argmax(scores)] += 1
    return visits


@pytest.mark.hint("nothing is proven: most visits, most rewards, best mean or highest bound, which of these chooses the move?")
def test_without_a_proof_most_visits_choose(student, edition):
    """without a proof the move is the action with most visits, also where the best mean or bound is another action's

    Promised: else to the child with the most visits among the children that are not proven +1.0;
    """
    tested = 0
    while tested < 2:
        fan, number = draw_fan(edition, [25, 26, 27], 0), edition.randint(8, 22)
        visits = fan.uct(number)
        if visits and clear_best(visits, 0.5) and clear_best(fan.scores(visits)) and argmax(fan.scores(visits)) != argmax(visits):
            tested += 1
            action, _ = student.solve(fan.game, "root", number, student.rng(edition.getrandbits(30)))
            assert action == argmax(visits)
    #   three lines of six moves, each to a coin: with four simulations one line is seen twice, and nothing is proven
    moves = {"r": ["a1", "b1", "c1"]} | {f"{b}{d}": [f"{b}{d + 1}"] for b in "abc" for d in range(1, 6)}
    moves |= {f"{b}6": [f"w{b}", f"l{b}"] for b in "abc"}
    coins = ToyGame(moves, {f"w{b}": -1.0 for b in "abc"} | {f"l{b}": 1.0 for b in "abc"}, start="r")
    rng, shown = student.rng(edition.getrandbits(30)), 0
    for action, root in student.many("solve", [(coins, "r", 4, rng)] * 100):
        statistics = student.both([at(student, root, branch) for branch in range(3)], "num_visits", "q")
        assert [n for n, _ in statistics if n <= 0] == []
        visits = [n for n, _ in statistics]
        if sorted(visits) == [1, 1, 2] and max(q / n for n, q in statistics) > statistics[visits.index(2)][1] / 2:
            assert action == visits.index(2)
            shown += 1
        if shown == 2:
            break
    ask("what draws the moves of your rollouts: the given rng, each time from all legal moves?")
    assert shown == 2  # a quarter of the searches show it: fewer than two of 100 come once in 1e11 tries


@pytest.mark.hint("everything below a node is known: what follows for the node?")
def test_with_time_enough_every_win_and_loss_is_proven(student, edition):
    """in small games the root is proven if it is won or lost, and never in a draw

    Promised: Then, going up: a node with a child proven -1.0 is proven +1.0; a node whose legal actions all have children,
    every one proven +1.0, is proven -1.0;
    Promised: Every simulation goes down like `tree_policy` with c = C, but skips children that are proven;
    Promised: The action leads to a child proven -1.0, if there is one; else to the child with the most visits among the
    children that are not proven +1.0; if all are, any legal action.
    """
    # Without draws every simulation ends in a new node, so that 39 simulations prove everything.
    for value in (1.0, -1.0):
        games = toys(edition, value, [-1.0, 1.0])
        results = student.many("solve", [(game, "r", 60, student.rng(edition.getrandbits(30))) for game in games])
        values = [root.proven for _, root in results]
        if values != [value] * 6 and any(root.proven is None and root.num_visits < 60 for _, root in results):
            ask("which proof ends the search: the proof of any node, or the root's?")
        assert values == [value] * 6
        for game, (action, root) in zip(games, results, strict=True):
            ask("does every simulation reach something new, or do you visit proven nodes again?")
            assert action in game.legal_actions("r") and root.num_visits <= 39
            ask("some children are proven: do you play a move that keeps the best result?")
            assert exact_value(game, game.play("r", action)) == -value
    games = toys(edition, 0.0, [-1.0, 0.0, 1.0])
    results = student.many("solve", [(game, "r", 60, student.rng(edition.getrandbits(30))) for game in games])
    ask("a draw is the best result: is anything proven, and do you use the whole budget?")
    assert [(root.proven, root.num_visits) for _, root in results] == [(None, 60)] * 6


@pytest.mark.hint("a move is proven to lose: is another visit useful?")
def test_a_proven_child_is_passed_over(student, edition):
    """a move that is proven to lose gets no further visit, at the root and below it

    Promised: Every simulation goes down like `tree_policy` with c = C, but skips children that are proven;
    """
    #   r -> a -> a1: the player who went to a has lost;  b and c lead to long draws
    for forced in (0, 1):
        moves = {"r": ["a", "b", "c"], "a": ["a1"]} | ({"start": ["r"]} if forced else {})
        moves |= {s: [f"{s}{s}"] for s in ("b", "c", "bb", "cc", "bbbb")}
        game = ToyGame(moves, {"a1": -1.0}, start="start" if forced else "r")
        number = edition.randint(150, 200)
        action, root = student.solve(game, "r", number, student.rng(edition.getrandbits(30)))
        # Move a, which has lost once, is tried again before the tenth simulation: -1 + sqrt(ln N) > sqrt(2 ln N / N).
        assert student.each([at(student, root, 0), at(student, root, 0, 0)], "num_visits") == [2, 1]
        assert root.num_visits == number and at(student, root, 0).proven == 1.0
        assert action in (1, 2)
    ask("a move is proven to lose: is another visit useful, at the root or anywhere below?")
    #   below: r -> x or y; at x the move to l is proven lost after two visits, so that x is as good as its draw
    below = ToyGame({"r": ["x", "y"], "x": ["l", "d"], "l": ["l1"], "d": ["d1"], "y": ["y1"]}, {"l1": -1.0}, start="r")
    _, root = student.solve(below, "r", 120, student.rng(edition.getrandbits(30)))
    assert at(student, root, 0, 0).num_visits == 2


@pytest.mark.hint("a proven win, many visits, a proven loss: which of them comes first?")
def test_a_proven_loss_is_never_chosen(student, edition):
    """a move that is proven to lose is never chosen, even if it has most visits, unless every move loses

    Promised: The action leads to a child proven -1.0, if there is one; else to the child with the most visits among the
    children that are not proven +1.0; if all are, any legal action.
    """
    #   r -> a or b. a wins unless the one good answer of twelve comes; b is drawn
    moves = {"r": ["a", "b"], "a": [f"a{n}" for n in range(12)], "a0": ["x"], "b": ["y"], "y": ["z"], "z": ["e"]}
    moves |= {f"a{n}": [f"w{n}"] for n in range(1, 12)}
    game = ToyGame(moves, {"x": 1.0} | {f"w{n}": -1.0 for n in range(1, 12)}, start="r")
    # Move a is proven lost with its 14th visit. So with 27 simulations b has 13 of them; or else b has 14 and more.
    results = student.many("solve", [(game, "r", 27, student.rng(edition.getrandbits(30)))] * 6)
    assert [action for action, _ in results] == [1] * 6
    assert [root.num_visits for _, root in results] == [27] * 6


@pytest.mark.hint("one move certainly wins: how many visits does it need to be chosen?")
def test_one_visit_is_enough_for_a_proven_win(student, edition):
    """a child that is proven lost for the other player is chosen, even if other moves have more visits

    Promised: The action leads to a child proven -1.0, if there is one;
    """
    state, right, _ = next(case for case in near_ends(edition, 1))
    for _ in range(3):
        action, root = student.solve(GAME, state, 60, student.rng(edition.getrandbits(30)))
        if action != right:
            place = GAME.legal_actions(state).index(right)
            recognise(action, {"Do you return an action, or its place among the legal actions?": place})
        assert (action, root.proven) == (right, 1.0)
        assert at(student, root, right).proven == -1.0


@pytest.mark.hint("what does your search not see: its own win, or the other player's?")
def test_a_proving_search_finds_the_one_right_move(student, edition):
    """near the end of a game the one right move is found, for both colours

    Promised: The action leads to a child proven -1.0, if there is one; else to the child with the most visits among the
    children that are not proven +1.0;
    """
    boards = near_ends(edition, 2)
    moves = [student.solve(GAME, state, n, student.rng(edition.getrandbits(30)))[0] for state, _, n in boards]
    if moves != [right for _, right, _ in boards]:
        places = [GAME.legal_actions(state).index(right) for state, right, _ in boards]
        recognise(moves, {"Do you return an action, or its place among the legal actions?": places})
    assert sum(action == right for action, (_, right, _) in zip(moves, boards, strict=True)) >= 9  # see 3.6 for the probability


@pytest.mark.hint("what is the result of Tic-Tac-Toe here, and which results can be proven?")
def test_proofs_agree_with_exact_play(student, edition):
    """near the end of Tic-Tac-Toe no proof is wrong, and the move keeps the best result

    Promised: Then, going up: a node with a child proven -1.0 is proven +1.0; a node whose legal actions all have children,
    every one proven +1.0, is proven -1.0;
    """
    states = []
    for empties in (3, 4, 4) * 3:
        game = random_game(edition, SMALL)
        while len(game) <= 10 - empties:
            game = random_game(edition, SMALL)
        states.append(game[9 - empties])
    results = student.many("solve", [(SMALL, state, 300, student.rng(edition.getrandbits(30))) for state in states])
    values = [exact_value(SMALL, state) for state in states]
    proven = [root.proven for _, root in results]
    assert [(proof, value) for proof, value in zip(proven, values, strict=True) if proof not in (None, value)] == []
    assert proven.count(None) - values.count(0.0) <= 2
    legal = map(SMALL.legal_actions, states)
    assert [(action, own) for (action, _), own in zip(results, legal, strict=True) if action not in own] == []
    kept = [exact_value(SMALL, SMALL.play(state, action)) for state, (action, _) in zip(states, results, strict=True)]
    # A proof or a best move was missing in none of 6,126 positions. Even with one in 2,000 three of nine are once in 1e8.
    assert sum(after == -value for after, value in zip(kept, values, strict=True)) >= 7


@pytest.mark.hint("what does the root of a new tree know: state, parent, action and visits?")
def test_a_new_tree_with_its_numbers(student, edition):
    """the root is new, at the given state, and counts every simulation; a single legal move is searched like several

    Promised: Search at `state` like `uct`, with proofs, and return the move and the root.
    Promised: A single legal action is searched like others: it may be proven.
    """
    number = edition.randint(5, 30)
    for state in (GAME.start(), random_game(edition)[edition.choice([1, 2, 3])]):  # too early for a proof
        action, root = student.solve(GAME, state, number, student.rng(edition.getrandbits(30)))
        ask("what does the root of a new tree know: which state, and which action and parent before it?")
        assert (root.state, root.parent, root.action) == (state, None, None)
        ask("nothing is proven: how many simulations does the root count?")
        assert root.num_visits == number
        assert action in GAME.legal_actions(state)
    ask("a single action is legal: do you play it at once, or search as with several actions?")
    action, root = student.solve(line(8, 0.0), "s0", number, student.rng(1))
    assert (action, root.num_visits, root.proven) == (0, number, None)


@pytest.mark.hint("the game is over, or there is no simulation: what does the docstring say about this case?")
def test_nothing_to_solve_is_an_error(student, edition):
    """when the game is over, or without a simulation, the call is an error

    Promised: ValueError: the game is over at `state`, or simulations < 1.
    """
    for winner in (0, 1, None):
        with student.raises(ValueError):
            student.solve(GAME, finished(edition, winner), 10, student.rng(1))
    ask("the number of simulations is below 1: what does the docstring say about this case?")
    for number in (0, -1):
        with student.raises(ValueError):
            student.solve(GAME, GAME.start(), number, student.rng(1))


@pytest.mark.hint("does your function use only the given rng: no other generator, and no seed of its own?")
def test_a_proving_search_repeats_with_its_rng(student, edition):
    """the same rng builds the same tree again, another rng builds another, and no other generator is used

    Promised: rng: the only source of chance; passed to `expand` and `default_policy`.
    """
    seed = edition.getrandbits(30)

    def sums(seed: int) -> list[float]:
        roots = [student.solve(GAME, GAME.start(), 30, student.rng(seed + 7 * n))[1] for n in range(3)]
        return [q for root in roots for q in student.each([child for _, child in sorted(student.children(root).items())], "q")]

    before = student.disturb(edition.getrandbits(30))
    first = sums(seed)
    assert student.global_state() == before
    student.disturb(edition.getrandbits(30))
    assert first == sums(seed)
    assert first != sums(seed + 1)  # 21 sums of four or five games each: see 3.6
    ask("rng goes to expand and default_policy: does every simulation draw from rng itself?")
    rngs = [student.keep(student.rng(seed)) for _ in range(2)]
    for rng, simulations in zip(rngs, (1, 9), strict=True):
        student.solve(GAME, GAME.start(), simulations, rng)
    assert student.draw(rngs[0]) != student.draw(rngs[1]), "a longer search must draw more from its rng"
