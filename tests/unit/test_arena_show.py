"""Pictures: they render, show the right things, and stay small for a large tree."""

import random
import re
import xml.etree.ElementTree as ElementTree
from itertools import combinations
from types import SimpleNamespace

import pytest

from arena.errors import UserError
from arena.games import FIVE_SIMULATIONS, ConnectFour, Othello, TicTacToe, after
from arena.games.boards import board_text, changed
from arena.show.board import draw_board
from arena.show.cards import WIDEST, Card, draw_cards, line
from arena.show.diagram import AROUND, Arrow, Box, draw_row
from arena.show.grow import positions, result, watch_tree
from arena.show.nodes import child_nodes, ucb_text
from arena.show.recorded import SIMULATIONS, recorded_search
from arena.show.step import Phases, step
from arena.show.tree import MAX_WIDTH, NEW, PATH, draw_tables, draw_tree


class Node:
    """A node with the fields that the pictures need."""

    def __init__(self, state, parent=None, action=None):
        self.state, self.parent, self.action = state, parent, action
        self.children, self.num_visits, self.total_value = {}, 0, 0.0


def grow(game, node, action, visits=0, total=0.0):
    node.children[action] = child = Node(game.play(node.state, action), node, action)
    child.num_visits, child.total_value = visits, total
    return child


def expand(game, node, rng):
    return grow(game, node, rng.choice([a for a in game.legal_actions(node.state) if a not in node.children]))


def select(game, node, exploration, rng):
    while node.children and len(node.children) == len(game.legal_actions(node.state)):
        node = min(node.children.values(), key=lambda child: child.num_visits)
    return node


def backpropagate(node, value):
    while node is not None:
        node.num_visits, node.total_value = node.num_visits + 1, node.total_value + value
        node, value = node.parent, -value


def big_tree(game, num_nodes, seed):
    rng = random.Random(seed)
    root = Node(game.start())
    for _ in range(num_nodes):
        node = select(game, root, 1.0, rng)
        leaf = node if game.outcome(node.state) is not None else expand(game, node, rng)
        backpropagate(leaf, rng.choice([-1.0, 0.0, 1.0]))
    return root


def texts(drawing):
    """Return the words of a rendered picture, and check that the picture is well-formed."""
    elements = (element for element in ElementTree.fromstring(drawing).iter() if element.tag.endswith("text"))
    return " ".join("".join(element.itertext()) for element in elements)


def num_edges(picture):
    return picture.svg.count("<line ")


def test_a_tree_shows_board_value_visits_and_ucb():
    game = TicTacToe()
    root = Node(game.parse("XO./.X./..O"))
    root.num_visits, root.total_value = 3, -1.0
    child = grow(game, root, 2, visits=2, total=1.0)
    words = texts(draw_tree(game, root, exploration=1.0).svg).replace("\xa0", " ")
    assert "X to move" in words and "O to move" in words
    assert "W −1  n 3" in words and "W 1  n 2" in words
    assert f"UCB {-0.5 + (1.0986 / 2) ** 0.5:.2f}" in words  # -1/2 + sqrt(ln 3 / 2)
    assert words.count("UCB") == 1  # the root has no parent
    assert child.num_visits == 2  # drawing changes nothing


@pytest.mark.parametrize("game", [TicTacToe(), ConnectFour(), Othello()], ids=repr)
def test_a_big_tree_stays_readable_and_says_what_is_hidden(game):
    root = big_tree(game, 2000, seed=1)
    drawn = draw_tree(game, root, max_children=3)
    assert drawn.num_nodes <= 1 + 3 + 2 * MAX_WIDTH
    assert f"+ {len(root.children) - 3} more" in texts(drawn.svg)
    assert float(re.search(r' width="([\d.]+)pt"', draw_tree(game, root).svg)[1]) <= WIDEST


def test_depth_and_width_can_be_chosen():
    game = TicTacToe()
    root = big_tree(game, 300, seed=2)
    assert draw_tree(game, root, max_depth=1, max_children=3).num_nodes == 4
    assert draw_tree(game, root, max_depth=0).num_nodes == 1


@pytest.mark.parametrize("seed", range(5))
def test_cards_never_overlap_and_a_parent_is_above_the_middle_of_its_children(seed):
    rng = random.Random(seed)
    cards = [Card([line("m" * rng.randint(1, 20))])]
    for _ in range(40):
        cards.append(Card([line("m" * rng.randint(1, 20))] * rng.randint(1, 3)))
        rng.choice(cards[:-1]).children.append(cards[-1])
    drawn = ElementTree.fromstring(draw_cards(cards[:1]).svg)
    boxes = [[float(shape.get(name)) for name in ("x", "y", "width", "height")] for shape in drawn if shape.tag.endswith("rect")]
    assert len(boxes) == len(cards)
    for a, b in combinations(boxes, 2):
        assert any(left[place] + left[place + 2] <= right[place] for left, right in ((a, b), (b, a)) for place in (0, 1))
    for card in cards:
        if card.children:
            assert card.x == pytest.approx((card.children[0].x + card.children[-1].x) / 2)


def test_the_visited_path_is_drawn_and_coloured_however_deep():
    game = TicTacToe()
    root = Node(game.start())
    path = [root]
    for action in (0, 1, 2, 3, 5, 4):
        path.append(grow(game, path[-1], action))
    plain, coloured = draw_tree(game, root, max_depth=2), draw_tree(game, root, max_depth=2, path=path)
    assert num_edges(plain) == 2 and PATH not in plain.svg
    assert num_edges(coloured) == 6 and coloured.svg.count(f'stroke="{PATH}"') == 6 + 7  # edges and cards
    assert draw_tree(game, root, highlight=[path[1]]).svg.count(NEW) == 1


def test_children_may_live_in_a_list():
    game = FIVE_SIMULATIONS
    root = Node("s0")
    root.children = [Node("s1", root, 0), Node("s2", root, 1)]
    assert [node.state for node in child_nodes(root)] == ["s1", "s2"]
    assert num_edges(draw_tree(game, root)) == 2


def test_an_unvisited_node_has_infinite_ucb():
    root = Node("s0")
    root.num_visits = 1
    assert ucb_text(grow(FIVE_SIMULATIONS, root, 0), 1.0) == "∞"


@pytest.mark.parametrize("game, actions, words", [
    (TicTacToe(), [4, 0], "X to move"), (TicTacToe(), [0, 3, 1, 4, 2], "X has won"), (ConnectFour(), [3, 3, 2], "O to move"),
    (TicTacToe(), [0, 1, 2, 4, 3, 5, 7, 6, 8], "draw"), (FIVE_SIMULATIONS, [1, 0], "over, for player 0")])
def test_a_board_is_a_drawing_with_a_text_beside_it(game, actions, words):
    before, state = after(game, actions[:-1]), after(game, actions)
    board = draw_board(game, state, before=before)
    assert words in texts(board._repr_svg_())
    assert str(board) == game.text(state)


@pytest.mark.parametrize("game", [TicTacToe(), ConnectFour(), Othello(), FIVE_SIMULATIONS], ids=lambda game: type(game).__name__)
def test_a_game_that_only_gives_a_text_is_drawn_just_so(game):
    """Like a game of problem set 1: only the text of its board is known."""
    plain = SimpleNamespace(num_actions=game.num_actions, **{name: getattr(game, name) for name in (
        "start", "player", "legal_actions", "play", "outcome", "text")})
    before, state = game.start(), game.play(game.start(), game.legal_actions(game.start())[0])
    assert draw_board(plain, state, before=before) == draw_board(game, state, before=before)
    assert board_text(plain, state) == board_text(game, state)


def test_an_othello_board_has_discs_the_numbers_of_the_legal_squares_and_the_count_of_stones():
    game = Othello()
    before, state = game.start(), after(game, [8])
    drawing = draw_board(game, state, before=before)
    assert drawing.svg.count("<circle") == 5 and drawing.svg.count("#ffe9a8") == 1  # the new stone, not the turned one
    assert changed(game, before, state) == {(1, 2)}
    words = texts(drawing.svg)
    assert "O to move, X 4 : O 1" in words
    assert [word for word in words.split() if word.isdigit() and int(word) > 4] == ["7", "9", "19"]
    assert board_text(game, state).split("\n")[1] == "  .  7  X  9  .  ."
    assert board_text(TicTacToe(), TicTacToe().start()) == "...\n...\n..."


def test_a_pass_can_be_seen_in_a_board_and_in_a_tree():
    game = Othello()
    root = Node(game.parse("XO..../....../....../....../....../....../O to move"))
    child = grow(game, root, 36, visits=1, total=1.0)
    root.num_visits = 1
    grow(game, child, 2, visits=1, total=-1.0)
    assert "O must pass, X 1 : O 1" in texts(draw_board(game, root.state).svg)
    assert "O must pass" in board_text(game, root.state)
    words = texts(draw_tree(game, root).svg)
    assert "O must pass" in words and "X to move" in words and "X has won" in words
    assert "36" in words.split()


def toy_steps(**changed):
    phases = {"select": select, "expand": expand, "evaluate": FIVE_SIMULATIONS.evaluate, "backpropagate": backpropagate}
    root = Node("s0")
    return root, step(FIVE_SIMULATIONS, root, Phases(**phases | changed), num_simulations=3, rng=random.Random(0))


def test_step_runs_the_four_phases_and_prints_what_changed():
    game = FIVE_SIMULATIONS
    root = Node("s0")
    root.num_visits, root.total_value = 2, -30.0
    grow(game, root, 0, visits=1, total=20.0)
    s2 = grow(game, root, 1, visits=1, total=10.0)
    grow(game, s2, 1)
    phases = Phases(lambda *_: s2, expand, game.evaluate, backpropagate)
    steps = step(game, root, phases, exploration=1.0, rng=random.Random(0))
    assert [page.phase for page in steps.pages] == ["selection", "expansion", "simulation", "backpropagation"]
    assert str(steps) == "\n".join([
        "simulation 1 of 1",
        "  selection        s0: action 1, UCB −9.17, over −19.17",
        "                   ends at s2",
        "  expansion        action 0 leads from s2 to the new node s5",
        "  simulation       the outcome: −14 for player 0, who is to move at s5",
        "  backpropagation  s5: n 0 → 1, W 0 → −14",
        "                   s2: n 1 → 2, W 10 → 24",
        "                   s0: n 2 → 3, W −30 → −44"])
    assert root.num_visits == 3  # the tree has grown, and a second call continues from here


def test_a_page_keeps_the_tree_as_it_was_in_its_phase():
    _, steps = toy_steps()
    expansions = [num_edges(page.picture) for page in steps.pages if page.phase == "expansion"]
    selections = [num_edges(page.picture) for page in steps.pages if page.phase == "selection"]
    assert (selections, expansions) == ([0, 1, 2], [1, 2, 3])
    assert "n 0 → 1" in texts(steps.pages[3].picture.svg)


def test_step_shows_what_a_wrong_backpropagate_really_does():
    def only_the_leaf(node, value):
        node.num_visits, node.total_value = node.num_visits + 1, node.total_value + value

    _, steps = toy_steps(backpropagate=only_the_leaf)
    assert "s0: n 0 → 0, W 0 → 0" in steps.trace

    def the_wrong_branch(node, value):
        backpropagate(node, value)
        root = node
        while root.parent is not None:
            root = root.parent
        for child in root.children.values():
            child.num_visits += 10

    _, steps = toy_steps(backpropagate=the_wrong_branch)
    assert steps.pages[7].lines[-1].endswith("n 11 → 21, W 20 → 20") or steps.pages[7].lines[-1].endswith("n 11 → 21, W 10 → 10")


@pytest.mark.parametrize("phase, wrong", [("select", lambda *_: None), ("expand", lambda *_: Node("s1"))])
def test_step_names_the_function_that_left_the_tree(phase, wrong):
    with pytest.raises(ValueError, match=f"{phase} returned"):
        toy_steps(**{phase: wrong})


def test_step_lets_a_stub_say_that_it_is_not_written():
    def stub(*_):
        raise NotImplementedError("exercise 2.4 (expand) is not written yet")

    with pytest.raises(NotImplementedError, match="2.4"):
        toy_steps(expand=stub)


def test_steps_are_pages_that_all_show_without_scripts():
    _, steps = toy_steps()
    html = steps._repr_html_()
    assert html.count("<figure") == html.count("<svg") == 12
    before_script = html.partition("<script>")[0]
    assert "display:none" in before_script.partition("<figure")[0]  # the controls wait for the script
    assert "hidden" not in before_script


def test_a_tree_can_be_saved_as_a_file(tmp_path):
    picture = draw_tree(FIVE_SIMULATIONS, Node("s0"))
    picture.save(tmp_path / "tree.svg")
    assert (tmp_path / "tree.svg").read_text(encoding="utf-8") == picture._repr_svg_()


# ---- the tree of a tiny game

@pytest.mark.parametrize("squares, number, best", [(2, 5, 0), (3, 16, 1), (4, 53, 1)])
def test_a_tiny_game_s_tree_grows_to_its_end_and_its_results_go_up(squares, number, best):
    tree = watch_tree(squares)
    assert tree.num_positions == len(positions(squares)) == number and result("." * squares) == best
    boards = [page.picture.svg.count(">X<") + page.picture.svg.count(">O<") for page in tree.pages]
    assert len(set(boards)) == 1  # what comes later keeps its place, and is hidden
    hidden = [page.picture.svg.count('visibility="hidden"') for page in tree.pages]
    assert hidden == sorted(hidden, reverse=True) and hidden[0] > hidden[-1] == 0


def test_both_sides_play_as_well_as_they_can():
    assert {board: result(board) for board in ("X..", ".X.", "..X", "X.O", "XO.", "XOX")} == {
        "X..": 0, ".X.": 1, "..X": 0, "X.O": 1, "XO.": 0, "XOX": 0}
    assert result("XOO.X") == -1
    with pytest.raises(ValueError, match="2 to 4 squares"):
        watch_tree(5)


def test_a_growing_tree_is_a_picture_that_moves_by_itself_where_no_scripts_run():
    tree = watch_tree(3)
    root = ElementTree.fromstring(tree._repr_svg_())
    assert [child.text for child in root if child.tag.endswith("title")] == ["the game tree of 3 squares in a row"]
    assert "X wins" in next(child.text for child in root if child.tag.endswith("desc"))
    assert "prefers-reduced-motion:no-preference" in tree.svg and "<script" not in tree.svg
    assert tree._repr_html_().count("<figure") == len(tree.pages) == 7
    assert str(tree).startswith("1. the tree grows: the empty board: X begins")


def test_a_recorded_search_goes_through_its_phases_and_says_where_it_ends():
    game, root, recorded = recorded_search()
    steps = step(game, root, recorded, num_simulations=len(SIMULATIONS), rng=random.Random(1))
    assert len(steps.pages) == 4 * len(SIMULATIONS) and root.num_visits == len(SIMULATIONS)
    assert sum(child.num_visits for child in root.children.values()) == root.num_visits
    with pytest.raises(UserError, match="run the cell again"):
        step(game, root, recorded, rng=random.Random(1))


# ---- boxes and arrows, and tables

def shapes_of(drawing, tag):
    return [shape for shape in ElementTree.fromstring(drawing).iter() if shape.tag.endswith(f"}}{tag}")]


LOOP = [Box("network\n5.1"), Box("search"), Box("window\n5.10\nmany games")]


@pytest.mark.parametrize("arrows", [["p, v", "visits"], ["p, v", "visits", "training"], ["", "visits"]])
def test_boxes_stand_in_a_row_with_an_arrow_to_the_next_one_and_perhaps_back(arrows):
    drawn = draw_row(LOOP, [Arrow(text) for text in arrows], title="a loop", describe="it goes round").svg
    assert all(text in texts(drawn) for text in ["many games", *arrows]) and "it goes round" in drawn
    boxes = [[float(box.get(name)) for name in ("x", "y", "width", "height")] for box in shapes_of(drawn, "rect")
             if box.get("stroke") != "none"]
    middles = {round(y + height / 2, 1) for _, y, _, height in boxes}
    assert len(boxes) == 3 and len(middles) == 1
    ends = [tuple(map(float, head.get("points").split()[0].split(","))) for head in shapes_of(drawn, "polygon")]
    forward = sorted(x for x, y in ends if round(y, 1) in middles)
    assert forward == pytest.approx([boxes[1][0], boxes[2][0]], abs=0.2)  # an arrow ends at the left side of the next box
    back = [x for x, y in ends if round(y, 1) not in middles]
    assert back == pytest.approx([boxes[0][0] + boxes[0][2] / 2] * (len(arrows) - 2), abs=0.2)
    widest = [max(text.width for text in box.lines) + 2 * AROUND for box in LOOP]
    assert [wide for _, _, wide, _ in boxes] == pytest.approx(widest, abs=0.1)
    width, height = map(float, re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', drawn).groups())
    assert all(0 <= x and x + wide <= width and 0 <= y and y + tall <= height for x, y, wide, tall in boxes)


def test_every_text_of_a_diagram_stands_on_white_so_that_a_dark_page_shows_it():
    arrows = [Arrow("p, v"), Arrow("visits"), Arrow("training")]
    drawn = draw_row(LOOP, arrows, title="a loop", describe="", heading="the loop").svg
    whites = [[float(box.get(name)) for name in ("x", "y", "width", "height")] for box in shapes_of(drawn, "rect")
              if box.get("fill") == "white"]
    written = [(float(text.get("x")), float(text.get("y"))) for text in shapes_of(drawn, "text")]
    assert len(written) == 10
    assert all(any(x <= a <= x + width and y <= b <= y + height for x, y, width, height in whites) for a, b in written)
    with pytest.raises(ValueError, match="3 boxes have 2 arrows, or 3 in a loop, not 4"):
        draw_row(LOOP, [Arrow()] * 4, title="", describe="")


def test_tables_are_drawn_as_a_tree_with_the_most_visited_actions():
    game = TicTacToe()
    start = game.start()
    center = game.play(start, 4)
    tables = SimpleNamespace(
        N={start: {0: 1, 2: 5, 4: 9, 8: 0}, center: {0: 6, 1: 2}},
        Q={start: {0: -1.0, 2: 0.25, 4: 0.5, 8: 0.0}, center: {0: -0.001, 1: -0.5}},
        P={start: {0: 0.1, 2: 0.2, 4: 0.6, 8: 0.1}, center: {0: 0.9, 1: 0.1}})
    drawn = draw_tables(game, tables, start, plies=2, width=2)
    words = texts(drawn.svg).replace("\xa0\xa0", " ")
    assert drawn.num_nodes == 1 + 2 + 2 and all(f"N {count}" in words for count in (5, 9, 6, 2)) and "N 1" not in words
    assert "Q 0.50 P 0.60" in words and "Q 0 P 0.90" in words and "−0.00" not in words
    assert "action 4 0: N 6, Q 0, P 0.90" in drawn.svg
    assert draw_tables(game, tables, start, plies=0).num_nodes == 1
