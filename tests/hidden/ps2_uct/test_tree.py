"""2.3 to 2.5: the methods of a node, how the tree grows, and how a result travels up."""

from random import Random
from typing import Any

import pytest

from arena.games import ConnectFour, TicTacToe, ToyGame
from autograder.grading.hidden_checks.known_mistakes import ask, recognise
from tests.hidden.laws import near
from tests.hidden.ps2_uct.oracle import finished, unfinished
from tests.hidden.ps2_uct.trees import Spot, at, chain, nodes_at, plant

GAME = TicTacToe()
TOY = ToyGame({"s0": ["a", "b", "c"], "a": ["d", "e"], "b": ["f"], "c": ["g", "h"]}, {"d": 1.0, "g": -1.0})
LINE = ToyGame({f"s{ply}": [f"s{ply + 1}"] for ply in range(20)}, {"s20": -1.0})
WON = ToyGame({"s0": ["a", "b", "c"], "b": ["d"]}, {"a": -1.0, "d": -1.0})


def grown(student: Any, game: Any, state: Any, number: int, edition: Random) -> tuple[Any, list[Any]]:
    """A node and the results of `number` calls of expand, in order."""
    node, rng = student.TreeNode(state), student.rng(edition.getrandbits(30))
    return node, [student.expand(game, node, rng) for _ in range(number)]


@pytest.mark.exercise("2.3")
@pytest.mark.hint("which outcomes can a finished game have?")
def test_only_a_finished_game_is_terminal(student, edition):
    """a node is terminal exactly where the game is over, with any outcome: win, draw, loss or a fraction

    Promised: Return whether the game is over at this node.
    """
    if not student.TreeNode("s20").is_terminal(LINE) and student.TreeNode("s0").is_terminal(LINE):
        recognise(True, {"What does is_terminal tell: that the game is over, or that it goes on?": True})
    for value in (1.0, 0.0, edition.uniform(-1, 1)):
        assert student.TreeNode("s1").is_terminal(ToyGame({"s0": ["s1"]}, {"s1": value})) is True
    for value in (-1.0, 0.0):
        assert student.TreeNode(finished(edition, value)).is_terminal(GAME) is True
    ask("a new node has no children: does this mean that its game is over?")
    for empties in (9, 4, 2):
        assert student.TreeNode(unfinished(edition, empties)).is_terminal(GAME) is False


@pytest.mark.exercise("2.3")
@pytest.mark.hint("does a node without children mean a game without moves?")
def test_terminal_has_nothing_to_do_with_children_and_visits(student, edition):
    """children, visits and values do not decide whether a node is terminal

    Promised: The children do not matter.
    """
    root = plant(student, TOY, "s0", Spot(9, -3.0, {0: Spot(4, 2.0), 1: Spot(3, 1.0), 2: Spot(1, 0.0)}))
    leaf = student.TreeNode("d", None, 0)
    leaf.num_visits, leaf.total_value = edition.randint(1, 9), 1.0
    student.link(leaf, student.TreeNode("e", leaf, 0), 0)
    assert root.is_terminal(TOY) is False
    assert at(student, root, 1).is_terminal(TOY) is False
    ask("a node has children and its game is over: which of the two facts makes the node terminal?")
    assert leaf.is_terminal(TOY) is True


@pytest.mark.exercise("2.3")
@pytest.mark.hint("how many children can this node have?")
def test_fully_expanded_when_every_legal_action_has_its_child(student, edition):
    """a node is fully expanded when every legal action has its child, and not before

    Promised: Return whether every legal action has its child here.
    """
    game, state = GAME, unfinished(edition, 3)
    legal = edition.sample(game.legal_actions(state), 3)
    questions = ["is a node with legal actions and no child fully expanded?", "is one child enough for three legal actions?",
                 "are two children enough for three legal actions?",
                 "each legal action has its child: do you also ask for visits, or for a child of an illegal action?"]
    for place, number in enumerate((0, 1, 2, 3, 1, 2)):  # each in its own tree
        root = plant(student, game, state, Spot(below={action: Spot() for action in legal[:number]}))
        ask(questions[number] if place < 4 else "the same state in another tree: do the children there count here?")
        assert root.is_fully_expanded(game) is (number == 3)
    ask("which state, parent and action does a new node have, also for the first action of a game?")
    node = student.TreeNode(state, root, 0)
    assert (node.action, node.parent, node.state) == (0, root, state)


@pytest.mark.exercise("2.3")
@pytest.mark.hint("what decides: the children, or their visits?")
def test_fully_expanded_does_not_ask_for_visits(student, edition):
    """visits do not make a node fully expanded: children count, visited or not

    Promised: Return whether every legal action has its child here.
    """
    few = plant(student, TOY, "s0", Spot(edition.randint(3, 50), 1.0, {0: Spot(2, 1.0), 1: Spot(1, 0.0)}))
    all_of_them = plant(student, TOY, "s0", Spot(0, 0.0, {0: Spot(), 1: Spot(), 2: Spot()}))
    assert few.is_fully_expanded(TOY) is False
    assert all_of_them.is_fully_expanded(TOY) is True
    assert at(student, all_of_them, 1).is_fully_expanded(TOY) is False


@pytest.mark.exercise("2.3")
@pytest.mark.hint("the game is over and no action is legal: which action could be missing?")
def test_nothing_is_missing_where_the_game_is_over(student, edition):
    """a node where the game is over is fully expanded, because it has no action to try

    Promised: If the game is over there is no legal action, so no child is missing: True.
    """
    assert student.TreeNode("d").is_fully_expanded(TOY) is True
    assert student.TreeNode("s1").is_fully_expanded(LINE) is False
    assert student.TreeNode("s1").is_fully_expanded(ToyGame({"s0": ["s1"]}, {})) is True  # the same name in another game
    assert student.TreeNode(finished(edition, -1.0)).is_fully_expanded(GAME) is True  # some squares may be empty
    assert student.TreeNode(finished(edition, 0.0)).is_fully_expanded(GAME) is True


@pytest.mark.exercise("2.4")
@pytest.mark.hint("do you return the new child, and put it into its parent's children under its action?")
def test_parent_and_child_know_each_other(student, edition):
    """the new child is returned, is among its parent's children under its action, and knows its parent

    Promised: The child has its state, its parent and its action, is stored in `node.children[action]` and has no visits.
    """
    node, (child,) = grown(student, GAME, unfinished(edition, 6), 1, edition)
    recognise(child == node, {"Which node do you return: the given node, or its new child?": True})
    ask("how many children does one call add to the tree?")
    assert len(student.children(node)) == 1
    ask("is the new child in its parent's children, and does it know its own action?")
    assert student.children(node) == {child.action: child}
    grandchild = student.expand(GAME, child, student.rng(edition.getrandbits(30)))
    assert student.children(node) == {child.action: child}
    assert student.children(child) == {grandchild.action: grandchild}
    ask("which node is the parent of the new child: the expanded node, another node, or none?")
    assert [node.parent, child.parent, grandchild.parent] == [None, node, child]


@pytest.mark.exercise("2.4")
@pytest.mark.hint("which state belongs to the child: the state before the move, or the state after it?")
def test_the_new_child_has_the_state_after_its_action(student, edition):
    """the new child's state is the parent's state after the child's action, in any game

    Promised: The child has its state, its parent and its action, is stored in `node.children[action]` and has no visits.
    """
    for game, state in [(GAME, unfinished(edition, 4)), (ConnectFour(), ConnectFour().start()), (TOY, "s0")]:
        node, (child,) = grown(student, game, state, 1, edition)
        action, legal = child.action, game.legal_actions(state)
        ask("which number does the child's action have: the game's, or its place in a list?")
        assert action in legal
        if action < len(legal) and child.state != game.play(state, action):
            recognise(child.state, {
                "Which number does the child's action have: the game's, or its place in a list?": game.play(state, legal[action])
            })  # fmt: skip
        ask("which state belongs to the child: the state before the move, or the state after it?")
        assert child.state == game.play(state, action)
        assert node.state == state


@pytest.mark.exercise("2.4")
@pytest.mark.hint("which function counts visits and results: expand or backpropagate?")
def test_the_new_child_begins_at_zero(student, edition):
    """the new child has no visits, no value and no children, and the parent's statistics do not change

    Promised: The child has its state, its parent and its action, is stored in `node.children[action]` and has no visits.
    """
    node = student.TreeNode(unfinished(edition, 5))
    node.num_visits, node.total_value = 7, -2.5
    child = student.expand(GAME, node, student.rng(edition.getrandbits(30)))
    assert (child.num_visits, child.total_value, student.children(child)) == (0, 0.0, {})
    ask("does expand change the visits or the total of the parent?")
    assert (node.num_visits, node.total_value) == (7, -2.5)
    _, (over,) = grown(student, WON, "b", 1, edition)
    assert (over.num_visits, over.total_value) == (0, 0.0)  # whatever the game says of this state


@pytest.mark.exercise("2.4")
@pytest.mark.hint("how many children does one call add, and does the call use anything of other trees?")
def test_every_call_adds_exactly_one_child(student, edition):
    """each call adds one new child, until every legal action has its child; each tree starts again

    Promised: Each call adds exactly one child.
    """
    state, earlier = unfinished(edition, 4), set()
    for _ in range(2):
        node, rng, children = student.TreeNode(state), student.rng(edition.getrandbits(30)), {}
        for number in range(1, 5):
            child = student.expand(GAME, node, rng)
            children[child.action] = child
            ask("does each call add one child, for an action that has none yet?")
            assert len(student.children(node)) == number
        ask("do you draw an action that already has its child, or leave one out?")
        assert set(children) == set(GAME.legal_actions(state))
        ask("does the node itself stay in its place, with the children that it had?")
        assert student.children(node) == children and node.state == state
        ask("is the child of this tree a new node, or a node of another tree?")
        assert not earlier & set(children.values()), "the new children must be new objects"
        earlier = set(children.values())


@pytest.mark.exercise("2.4")
@pytest.mark.hint("what happens to the children that are already there?")
def test_earlier_children_keep_their_statistics(student, edition):
    """earlier children keep their place, their visits, their value and their own children

    Promised: Each call adds exactly one child.
    """
    node, (first,) = grown(student, TOY, "s0", 1, edition)
    below = student.expand(TOY, first, student.rng(1))
    first.num_visits, first.total_value = 5, 2.5
    rest = [student.expand(TOY, node, student.rng(edition.getrandbits(30))) for _ in range(2)]
    assert student.children(node) == {child.action: child for child in [first, *rest]}
    assert (first.num_visits, first.total_value) == (5, 2.5)
    assert student.children(first).get(below.action) == below


@pytest.mark.exercise("2.4")
@pytest.mark.hint("can you draw any of the untried actions?")
def test_the_action_is_drawn_among_the_untried(student, edition):
    """any untried action may be the next, at the first call and at the second

    Promised: rng: draws the action, each untried action with the same probability.
    """
    nodes, rng = student.many("TreeNode", [("s0",)] * 48), student.rng(edition.getrandbits(30))
    for _ in range(2):
        children = student.many("expand", [(WON, node, rng) for node in nodes])
        assert set(student.each(children, "action")) == {0, 1, 2}  # by chance an action is missed once in 9e7 tries


@pytest.mark.exercise("2.4")
@pytest.mark.hint("does your function use only the given rng: no other generator, and no seed of its own?")
def test_expansion_repeats_with_its_rng(student, edition):
    """the same rng adds the same children again in the same order, and other rngs add other children

    Promised: rng: draws the action, each untried action with the same probability.
    """
    seed = edition.getrandbits(30)

    def order(seed: int) -> list[int]:
        node, rng = student.TreeNode(GAME.start()), student.rng(seed)
        return student.each(student.many("expand", [(GAME, node, rng)] * 9), "action")

    orders = [order(seed + number) for number in range(3)]
    assert orders[0] == order(seed)
    assert not orders[0] == orders[1] == orders[2], (  # equal by chance once in 1e11 tries
        "three seeds must not all give the same order"
    )


@pytest.mark.exercise("2.4")
@pytest.mark.hint("what should happen when there is no action left to try?")
def test_nothing_to_expand_is_an_error(student, edition):
    """when the game is over, or every action has its child, expand is an error

    Promised: ValueError: the game is over at `node`, or every legal action has its child already.
    """
    for value in (-1.0, 0.0):
        with student.raises(ValueError):
            student.expand(GAME, student.TreeNode(finished(edition, value)), student.rng(1))
    node, _ = grown(student, GAME, unfinished(edition, 3), 3, edition)
    with student.raises(ValueError):
        student.expand(GAME, node, student.rng(1))
    assert len(student.children(node)) == 3


@pytest.mark.exercise("2.5")
@pytest.mark.hint("does the loop reach the root itself?")
def test_every_node_up_to_the_root_gets_one_visit(student, edition):
    """every node from the leaf to the root, both included, gets one more visit, also after a draw

    Promised: Each node gets one visit;
    """
    nodes = chain(student, LINE, edition.randint(11, 13))  # deeper than Tic-Tac-Toe can be
    student.backpropagate(nodes[-1], 0.0)
    visits, above = student.each(nodes, "num_visits"), len(nodes) - 1
    recognise(visits, {
        "The root got no visit: does your loop stop before it?": [0] + [1] * above,
        "The given node got no visit: where does the loop begin?": [1] * above + [0],
        "Only the given node got a visit: which other nodes took part in the simulation?": [0] * above + [1],
        "Only the two ends got a visit: which nodes on the way up does your code leave out?": [1] + [0] * (above - 1) + [1],
        "No node got a visit: does every result count as a visit, also a draw?": [0] * (above + 1),
    })  # fmt: skip
    ask("does every node on the way get one visit, on a long way too?")
    assert visits == [1] * len(nodes)
    ask("what does a draw add to a total?")
    assert [node.total_value for node in nodes[-2:]] == [0.0, 0.0]


@pytest.mark.exercise("2.5")
@pytest.mark.hint("who is to move at each node on the way up?")
def test_the_value_changes_its_sign_at_every_ply(student, edition):
    """a win at the leaf is a loss one ply up, a win two plies up, and so on to the root

    Promised: its `total_value` changes by `value` or `-value`, in the mover's view: the sign flips at every ply on the way
    up.
    """
    #   root   child   leaf        the player to move at the leaf wins
    #    +1  <-  -1  <-  +1
    for plies in (edition.choice([3, 5]), 2, edition.choice([4, 6])):
        nodes = chain(student, LINE, plies)
        student.backpropagate(nodes[-1], 1.0)
        totals, right = student.each(nodes, "total_value"), [(-1.0) ** (plies - depth) for depth in range(plies + 1)]
        recognise(totals, {
            "Every node got the value with the same sign: for whom is the result one ply up?": [1.0] * (plies + 1),
            "Does the sign flip before the first node, or after it?": [-value for value in right],
            "Does the sign flip once, or at every ply?": [-1.0] * plies + [1.0],
            "The root's total did not change: does your loop stop before it?": [0.0, *right[1:]],
            "The total of the given node did not change: where does the loop begin?": [*right[:-1], 0.0],
            "No total has changed: where do you add the result?": [0.0] * (plies + 1),
            "Only one total has changed: which other nodes took part in the simulation?": [0.0] * plies + [1.0],
            "Only the two ends have a new total: which node comes after this one on the way up?": [
                right[0], *[0.0] * (plies - 1), 1.0],
            "Values are in [-1, 1]: what is a win there for the other player?": [
                float((plies - depth) % 2 == 0) for depth in range(plies + 1)],
        })  # fmt: skip
        if totals != right:
            same_signs = all(total * value > 0 for total, value in zip(totals, right))
            recognise(same_signs, {"What changes on the way up: the size of the result, or only its sign?": True})
        assert totals == right


@pytest.mark.exercise("2.5")
@pytest.mark.hint("do you add the value unchanged: not cut, not rounded, not with the other sign?")
def test_the_leaf_gets_the_value_as_it_is(student, edition):
    """the given node gets the value itself: a win, a loss, a number between them, or one of a toy game

    Promised: value: the result for the player to move at the leaf (+1 win, 0 draw, -1 loss; in a toy game it may leave [-1,
    1]). It is added as it is, never cut or rounded.
    """
    for value in (1.0, -1.0, edition.uniform(0.1, 0.9), -14.0):
        root, leaf = chain(student, LINE, 1)
        student.backpropagate(leaf, value)
        assert leaf.total_value == near(value)
        assert root.total_value == near(-value)


@pytest.mark.exercise("2.5")
@pytest.mark.hint("which nodes did this simulation go through?")
def test_nodes_beside_the_path_stay_as_they_were(student, edition):
    """only the nodes on the way to the root change: no sibling, and no node below the leaf

    Promised: Add the result of one simulation to every node from `node` up to the root.
    """
    tree = Spot(6, 1.0, {0: Spot(3, -2.0, {0: Spot(1, 1.0), 1: Spot(1, 1.0)}), 1: Spot(2, 1.0), 2: Spot()})
    root = plant(student, TOY, "s0", tree)
    student.backpropagate(at(student, root, 0), edition.choice([-1.0, 1.0]))
    nodes = nodes_at(student, root, [(), (0,), (1,), (2,), (0, 0), (0, 1)])
    assert student.each(nodes, "num_visits") == [7, 4, 2, 0, 1, 1]
    assert student.each(nodes[2:], "total_value") == [1.0, 0.0, 1.0, 1.0]


@pytest.mark.exercise("2.5")
@pytest.mark.hint("do you add each result to the earlier total, at the leaf and at every node above it?")
def test_results_add_up(student, edition):
    """several results through one node add up, from leaves at odd and at even depths

    Promised: Add the result of one simulation to every node from `node` up to the root.
    """
    nodes = chain(student, LINE, 3)
    visits, totals = [0, 0, 0, 0], [0.0, 0.0, 0.0, 0.0]
    for depth in (3, 2, 3, 1, 0):
        value = edition.choice([-1.0, -0.5, 0.5, 1.0])
        student.backpropagate(nodes[depth], value)
        for above in range(depth + 1):
            visits[above] += 1
            totals[above] += value * (-1) ** (depth - above)
    ask("does every call count one more visit at each node on the way, also when the same result comes again?")
    assert student.each(nodes, "num_visits") == visits
    ask("do you add each result to the earlier total?")
    assert student.each(nodes, "total_value") == totals
    leaf = student.TreeNode("leaf", nodes[-1], 0)  # it knows its parent, and is not among the parent's children
    student.backpropagate(leaf, 0.5)
    ask("the parents tell the way up: do you ask for anything else on the way to the root?")
    assert student.each([leaf, *nodes], "num_visits") == [1, *(count + 1 for count in visits)]
    alone, little = student.TreeNode("s0"), edition.uniform(1e-9, 1e-8)
    student.backpropagate(alone, little)
    ask("do you add every result unchanged, also a small one?")
    assert student.each([alone], "total_value") == [pytest.approx(little, rel=1e-3)]
