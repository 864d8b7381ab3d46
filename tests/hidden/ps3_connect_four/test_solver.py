"""3.8: what is proven, how it is carried up the tree, and a search that uses it."""

from random import Random
from typing import Any

import pytest

from arena.games import ToyGame
from tests.hidden.ps3_connect_four.oracle import (
    GAME,
    SMALL,
    argmax,
    clear_best,
    draw_fan,
    exact_value,
    finished,
    line,
    near_ends,
    random_game,
)
from tests.hidden.ps3_connect_four.trees import Spot, at, chain, plant

pytestmark = pytest.mark.exercise("3.8")

WIDE = ToyGame({"s0": ["a", "b", "c"], "a": ["a1", "a2", "a3"], "b": ["b1"], "c": ["c1", "c2"]},
               {"a1": 1.0, "a2": 1.0, "a3": 1.0, "b1": -1.0, "c1": 0.0, "c2": 1.0})  # fmt: skip


def wide(student: Any, edition: Random, below: dict[int, list[int]]) -> Any:
    """The tree over WIDE with these actions below the root, and below them; in any order."""
    spot = Spot(9, 0.0, {a: Spot(4, 0.0, {b: Spot(1, 0.0) for b in edition.sample(bs, len(bs))}) for a, bs in below.items()})
    return plant(student, WIDE, "s0", spot)


def proofs(student: Any, nodes: list[Any]) -> list[Any]:
    return student.each(nodes, "proven")


@pytest.mark.hint("which ending proves a win, which a loss, and which nothing?")
def test_the_end_of_a_game_proves_itself(student, edition):
    """a won or lost leaf is proven as its outcome, for the player to move; a draw and an unfinished game are not"""
    for state, value in [("a1", 1.0), ("b1", -1.0), ("c1", None), ("a", None)]:
        leaf = student.Node(WIDE, state)
        student.prove(leaf)
        assert leaf.proven == value
    for winner, value in [(0, -1.0), (1, -1.0), (None, None)]:
        leaf = student.Node(GAME, finished(edition, winner))
        student.prove(leaf)
        assert leaf.proven == value
    leaf = student.Node(GAME, GAME.start())
    student.prove(leaf)
    assert leaf.proven is None


@pytest.mark.hint("my opponent is lost there: what does that make me?")
def test_one_lost_child_wins(student, edition):
    """a node with one child proven -1 is proven +1, whatever else is there or not there yet"""
    #   b -> b1: the player to move at b1 has lost, so b's player has won; s0's other moves may be better: not proven
    for below in ({1: [0]}, {0: [1], 1: [0]}, {1: [0], 2: [0, 1], 0: []}):
        root = wide(student, edition, below)
        student.prove(at(student, root, 1, 0))
        assert proofs(student, [at(student, root, 1, 0), at(student, root, 1), root]) == [-1.0, 1.0, None]
        assert [at(student, root, a).proven for a in below if a != 1] == [None] * (len(below) - 1)


@pytest.mark.hint("how many of the moves must lose, and are all of them in the tree?")
def test_a_loss_needs_every_legal_action(student, edition):
    """a node is proven -1 only when every legal action has a child and each of them is proven +1"""
    root = wide(student, edition, {0: [0, 1]})
    for action in edition.sample([0, 1], 2):
        student.prove(at(student, root, 0, action))
        assert proofs(student, [at(student, root, 0, action), at(student, root, 0), root]) == [1.0, None, None]
    for last in range(3):  # all three are there; the last one proven decides
        root = wide(student, edition, {0: [0, 1, 2], 2: [0]})
        order = [action for action in range(3) if action != last] + [last]
        for number, action in enumerate(order):
            student.prove(at(student, root, 0, action))
            assert at(student, root, 0).proven == (-1.0 if number == 2 else None)
        assert (root.proven, at(student, root, 2).proven) == (1.0, None)


@pytest.mark.hint("is a draw a loss?")
def test_a_draw_saves_a_lost_position(student, edition):
    """a node with a drawn child is not proven lost, in whatever order its children come"""
    for order in ((0, 1), (1, 0)):
        root = wide(student, edition, {2: [0, 1]})
        for action in order:
            student.prove(at(student, root, 2, action))
        nodes = [at(student, root, 2, 0), at(student, root, 2, 1), at(student, root, 2), root]
        assert proofs(student, nodes) == [None, 1.0, None, None]
    moves = [f"e{number}" for number in range(9)]
    many = ToyGame({"r": moves}, dict.fromkeys(moves, 1.0) | {moves[-1]: 0.0}, start="r")
    root = plant(student, many, "r", Spot(9, 0.0, {action: Spot(1) for action in range(9)}))
    children = student.children(root)
    for action in range(1, 8):
        children[action].proven = 1.0
    student.prove(children[0])
    assert (children[0].proven, root.proven) == (1.0, None)  # the last of nine is a draw
    children[8].proven = 1.0
    student.prove(children[0])
    assert root.proven == -1.0


@pytest.mark.hint("how far up does a proof go?")
def test_a_proof_climbs_as_far_as_it_holds(student, edition):
    """along a forced line a win and a loss take turns up to the root, from leaves at odd and at even depth"""
    for plies in (edition.choice([3, 5]), edition.choice([4, 6])):
        for value in (-1.0, 1.0):
            nodes = chain(student, line(plies, value), plies)
            student.prove(nodes[-1])
            assert proofs(student, nodes) == [value * (-1) ** (plies - depth) for depth in range(plies + 1)]
    nodes = chain(student, line(4, 0.0), 4)
    student.prove(nodes[-1])
    assert proofs(student, nodes) == [None] * 5


@pytest.mark.hint("is a proof a statistic? Which field is it for?")
def test_a_proof_changes_no_statistics(student, edition):
    """visits, sums and children are the same after a proof"""
    root = wide(student, edition, {0: [0, 1, 2], 1: [0]})
    nodes = [root, at(student, root, 1), at(student, root, 1, 0), at(student, root, 0)]
    student.prove(nodes[2])
    assert student.each(nodes, "num_visits") == [9, 4, 1, 4]
    assert student.each(nodes, "q") == [0.0] * 4
    assert sorted(student.children(root)) == [0, 1]


def random_toy(edition: Random, plies: int, forced: bool, endings: list[float]) -> ToyGame:
    """A drawn game tree of two or three actions a ply, with these outcomes at its ends."""
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
    """Three drawn games for each player to move, all of this exact value."""
    games: list[ToyGame] = []
    while len(games) < 6:
        game = random_toy(edition, 3, len(games) >= 3, endings)
        if exact_value(game, "r") == value:
            games.append(game)
    return games


@pytest.mark.hint("what follows when everything below a node is known?")
def test_with_time_enough_every_win_and_loss_is_proven(student, edition):
    """in small games the root is proven when it is won or lost, and never in a draw"""
    # Without draws every simulation ends in a node that is new, so that 39 of them prove everything.
    for value in (1.0, -1.0):
        games = toys(edition, value, [-1.0, 1.0])
        found = student.many("solve", [(game, "r", 60, student.rng(edition.getrandbits(30))) for game in games])
        assert [root.proven for _, root in found] == [value] * 6
        for game, (action, root) in zip(games, found, strict=True):
            assert action in game.legal_actions("r") and root.num_visits <= 39
            assert exact_value(game, game.play("r", action)) == -value
    games = toys(edition, 0.0, [-1.0, 0.0, 1.0])
    found = student.many("solve", [(game, "r", 60, student.rng(edition.getrandbits(30))) for game in games])
    assert [(root.proven, root.num_visits) for _, root in found] == [(None, 60)] * 6


@pytest.mark.hint("when is there nothing left to find out?")
def test_the_search_ends_when_the_root_is_proven(student, edition):
    """the search is over as soon as the root is proven won or lost, and not before its budget in a draw"""
    #   root -> one move that wins at once: proven when it is tried, with the first or the second simulation
    wins = ToyGame({"r": ["w", "d"]}, {"w": -1.0, "d": 0.0}, start="r")
    found = student.many("solve", [(wins, "r", 50, student.rng(edition.getrandbits(30)))] * 12)
    assert [action for action, _ in found] == [0] * 12
    assert {root.num_visits for _, root in found} <= {1, 2}
    assert [root.proven for _, root in found] == [1.0] * 12
    #   every move of the root loses at once: proven when both are tried
    lost = ToyGame({"r": ["a", "b"]}, {"a": 1.0, "b": 1.0}, start="r")
    action, root = student.solve(lost, "r", 50, student.rng(1))
    assert (action in (0, 1), root.num_visits, root.proven) == (True, 2, -1.0)
    drawn = ToyGame({"r": ["a", "b"], "b": ["c"]}, {}, start="r")
    number = edition.randint(10, 40)
    _, root = student.solve(drawn, "r", number, student.rng(1))
    assert (root.num_visits, root.proven) == (number, None)


@pytest.mark.hint("what is different from uct while nothing is proven?")
def test_while_nothing_is_proven_it_is_uct(student, edition):
    """as long as no end of the game is in the tree, visits and sums are those of UCT with c = 1/sqrt 2, for both players"""
    for forced in (0, 1):
        visits, number = None, 0
        while visits is None or not clear_best(visits, 0.5):
            number = edition.randint(14, 24)
            fan = draw_fan(edition, [25, 26, 27], forced)
            visits = fan.uct(number)
        action, root = student.solve(fan.game, "root", number, student.rng(edition.getrandbits(30)))
        children = [at(student, root, branch) for branch in range(3)]
        assert student.each(children, "num_visits") == visits
        assert student.each(children, "q") == [sum(fan.results(branch, n)) for branch, n in enumerate(visits)]
        assert (action, root.proven) == (argmax(visits), None)


@pytest.mark.hint("does a move that is proven lost deserve another visit?")
def test_a_proven_child_is_passed_over(student, edition):
    """a move that is proven to lose gets no further visit, at the root and below it"""
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
    #   below: r -> x or y; at x the move to l is proven lost after two visits, so that x is as good as its draw
    below = ToyGame({"r": ["x", "y"], "x": ["l", "d"], "l": ["l1"], "d": ["d1"], "y": ["y1"]}, {"l1": -1.0}, start="r")
    _, root = student.solve(below, "r", 120, student.rng(edition.getrandbits(30)))
    assert at(student, root, 0, 0).num_visits == 2


@pytest.mark.hint("a proven win, many visits, a proven loss: which comes first?")
def test_a_proven_loss_is_never_chosen(student, edition):
    """the move is not one that is proven to lose, even when it has most visits, unless every move is"""
    #   r -> a or b. a wins unless the one good answer of twelve comes; b is drawn
    moves = {"r": ["a", "b"], "a": [f"a{n}" for n in range(12)], "a0": ["x"], "b": ["y"], "y": ["z"], "z": ["e"]}
    moves |= {f"a{n}": [f"w{n}"] for n in range(1, 12)}
    game = ToyGame(moves, {"x": 1.0} | {f"w{n}": -1.0 for n in range(1, 12)}, start="r")
    # Move a is proven lost with its 14th visit, so that with 27 simulations b has 13 of them; or else b has 14 and more.
    found = student.many("solve", [(game, "r", 27, student.rng(edition.getrandbits(30)))] * 6)
    assert [action for action, _ in found] == [1] * 6
    assert [root.num_visits for _, root in found] == [27] * 6


@pytest.mark.hint("how many visits does a move need that certainly wins?")
def test_one_visit_is_enough_for_a_proven_win(student, edition):
    """a child that is proven lost for the other player is chosen, although other moves have more visits"""
    state, right, _ = next(case for case in near_ends(edition, 1))
    for _ in range(3):
        action, root = student.solve(GAME, state, 60, student.rng(edition.getrandbits(30)))
        assert (action, root.proven) == (right, 1.0)
        assert at(student, root, right).proven == -1.0


@pytest.mark.hint("what does your search overlook: its own win, or the other player's?")
def test_a_proving_search_finds_the_one_right_move(student, edition):
    """near the end of a game the one right move is found, for both colours"""
    boards = near_ends(edition, 2)
    found = [student.solve(GAME, state, n, student.rng(edition.getrandbits(30)))[0] for state, _, n in boards]
    assert sum(action == right for action, (_, right, _) in zip(found, boards, strict=True)) >= 9  # see 3.6 for the chance


@pytest.mark.hint("what is the result of Tic-Tac-Toe here, and what can be proven of it?")
def test_proofs_agree_with_exact_play(student, edition):
    """near the end of Tic-Tac-Toe a proof is never wrong, and the move keeps the best result"""
    states = []
    for empties in (3, 4, 4) * 3:
        game = random_game(edition, SMALL)
        while len(game) <= 10 - empties:
            game = random_game(edition, SMALL)
        states.append(game[9 - empties])
    found = student.many("solve", [(SMALL, state, 300, student.rng(edition.getrandbits(30))) for state in states])
    values = [exact_value(SMALL, state) for state in states]
    proven = [root.proven for _, root in found]
    assert all(proof in (None, value) for proof, value in zip(proven, values, strict=True))
    assert proven.count(None) - values.count(0.0) <= 2
    assert all(action in SMALL.legal_actions(state) for state, (action, _) in zip(states, found, strict=True))
    kept = [exact_value(SMALL, SMALL.play(state, action)) for state, (action, _) in zip(states, found, strict=True)]
    # A proof or a best move was missing in none of 6,126 positions. Even with one in 2,000 three of nine are once in 1e8.
    assert sum(after == -value for after, value in zip(kept, values, strict=True)) >= 7


@pytest.mark.hint("what does the root of a new tree know: state, parent, action and visits?")
def test_a_new_tree_with_its_numbers(student, edition):
    """the root is new, at the given state, and counts every simulation; a single legal move is searched like others"""
    number = edition.randint(5, 30)
    for state in (GAME.start(), random_game(edition)[edition.choice([1, 2, 3])]):  # too early for a proof
        action, root = student.solve(GAME, state, number, student.rng(edition.getrandbits(30)))
        assert (root.state, root.parent, root.action, root.num_visits) == (state, None, None, number)
        assert action in GAME.legal_actions(state)
    action, root = student.solve(line(8, 0.0), "s0", number, student.rng(1))
    assert (action, root.num_visits, root.proven) == (0, number, None)


@pytest.mark.hint("what is there to search where the game is over, or without a simulation?")
def test_nothing_to_solve_is_an_error(student, edition):
    """where the game is over, and without a simulation, the call is an error"""
    for winner in (0, 1, None):
        with student.raises(ValueError):
            student.solve(GAME, finished(edition, winner), 10, student.rng(1))
    for number in (0, -1):
        with student.raises(ValueError):
            student.solve(GAME, GAME.start(), number, student.rng(1))


@pytest.mark.hint("where do your random numbers come from?")
def test_a_proving_search_repeats_with_its_rng(student, edition):
    """the same rng builds the same tree again, another rng another one, and no other generator is used"""
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
