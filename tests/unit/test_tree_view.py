"""The tree for the screen: it reads the nodes of every problem set, says what a student's node lacks, and runs the phases."""

import json
import math
import random
import re
from types import SimpleNamespace

import pytest

from arena.board.bundle import bundle
from arena.board.tree_page import tree_html
from arena.board.tree_view import TreeView
from arena.games import FIVE_SIMULATIONS, ConnectFour, TicTacToe
from arena.show.nodes import UnreadableNode
from arena.show.step import Phases
from solutions import ps2_uct, ps3_connect_four, ps4_puct, ps5_alphazero

GAME = TicTacToe()
BOARD = GAME.parse("X.O/.X./..O")


def asked(view, **request):
    reply = view.answer(request)
    assert json.loads(json.dumps(reply, allow_nan=False)) == reply  # what JSON can hold, and nothing else
    return reply


def root_of(view):
    reply = asked(view, kind="start")["nodes"]["r"]
    return reply["node"], {child["action"]: child for child in reply["children"]}


def uct_tree(simulations=40):
    return ps2_uct.search(GAME, BOARD, simulations, 1.0, random.Random(5))[1]


def phases(rng):
    return Phases(ps2_uct.select, ps2_uct.expand, lambda state: ps2_uct.simulate(GAME, state, ps2_uct.random_policy, rng),
                  ps2_uct.backpropagate)


def watching(expand):
    """Simulations from a bare root, with this `expand`."""
    return TreeView(GAME, ps2_uct.TreeNode(BOARD),
                    phases=Phases(ps2_uct.select, expand, lambda state: 0.0, ps2_uct.backpropagate))


def test_a_node_has_its_board_its_numbers_and_the_two_terms_of_its_bound():
    tree = uct_tree()
    node, children = root_of(TreeView(GAME, tree, exploration=0.5))
    assert (node["rows"], node["words"], node["n"]) == (["X.O", ".X.", "..O"], "X to move", 40)
    assert node["N"] is node["parts"] is None
    child, own = children["5"], tree.children[5]
    assert (child["n"], child["W"], child["N"], child["last"]) == (own.num_visits, own.total_value, 40, [[1, 2]])
    assert child["parts"] == pytest.approx([-own.total_value / own.num_visits, 0.5 * math.sqrt(math.log(40) / own.num_visits)])
    assert sum(child["parts"]) == pytest.approx(ps2_uct.ucb(own, 0.5))
    assert child["prior"] is None and child["chooser"] == "X" and child["words"] == "O to move"


def test_a_node_without_a_visit_has_no_bound():
    tree = ps2_uct.TreeNode(BOARD)
    ps2_uct.expand(GAME, tree, random.Random(1))
    _, children = root_of(TreeView(GAME, tree))
    assert [child["parts"] for child in children.values()] == [None]


def test_the_nodes_of_problem_set_3_show_the_same_bounds_as_their_own_formula():
    game = ConnectFour()
    tree = ps3_connect_four.uct(game, game.start(), random.Random(3), simulations=60)[1]
    _, children = root_of(TreeView(game, tree))
    for action, child in tree.children.items():
        assert sum(children[str(action)]["parts"]) == pytest.approx(ps3_connect_four.bound(child, ps3_connect_four.C))


def test_the_tables_of_problem_set_4_are_a_tree_with_priors():
    mcts = ps4_puct.MCTS(ps4_puct.HAND, lambda state: ps4_puct.SAID[state])
    for _ in range(5):
        mcts.search("s0", random.Random(1))
    view = TreeView(ps4_puct.HAND, mcts, exploration=1.5)
    node, children = root_of(view)
    scores = ps4_puct.puct(mcts.Q["s0"], mcts.N["s0"], mcts.P["s0"])
    assert node["n"] == sum(mcts.N["s0"].values())
    assert {int(action): sum(child["parts"]) for action, child in children.items()} == pytest.approx(scores)
    assert [child["prior"] for child in children.values()] == [0.6, 0.4]
    assert asked(view, kind="nodes", ids=["r.0"])["nodes"]["r.0"]["node"]["rows"] == ["s1"]


def test_the_tables_of_exercise_2_10_are_a_tree_without_priors():
    toy, q, n = FIVE_SIMULATIONS, {}, {}
    for _ in range(6):
        ps2_uct.recursive_search(toy, "s0", q, n, 1.0, random.Random(1), toy.evaluate)
    _, children = root_of(TreeView(toy, SimpleNamespace(Q=q, N=n)))
    assert {action: (child["n"], child["prior"]) for action, child in children.items()} == {
        str(action): (visits, None) for action, visits in n["s0"].items()}


def test_the_nodes_of_problem_set_5_show_the_priors_of_their_actions():
    game = FIVE_SIMULATIONS
    root = ps5_alphazero.Node(game, "s0")
    net = ps5_alphazero.TableNet(game, {"s0": ([0.7, 0.3], 0.0), "s1": ([0.5, 0.5], -0.5), "s2": ([0.5, 0.5], 0.1)})
    ps5_alphazero.search(game, net, root, 4, 1.5, random.Random(1))
    _, children = root_of(TreeView(game, root, exploration=1.5))
    assert [sum(child["parts"]) for child in children.values()] == pytest.approx(ps5_alphazero.ucb(root, 1.5))
    assert [child["prior"] for child in children.values()] == pytest.approx([0.7, 0.3])


@pytest.mark.parametrize("spoil, sentence", [
    (lambda node: delattr(node, "num_visits"), "no `num_visits`"),
    (lambda node: delattr(node, "state"), "no `state`"),
    (lambda node: setattr(node, "total_value", None), "`total_value` of the node is None"),
    (lambda node: setattr(node, "total_value", math.nan), "`total_value` of the node is nan"),
    (lambda node: setattr(node, "num_visits", [1, 2]), "`num_visits` of the node is of type list"),
    (lambda node: setattr(node, "state", "<script>"), "the game cannot show the node")])
def test_an_odd_node_is_a_sentence_beside_its_sound_siblings(spoil, sentence):
    tree = uct_tree()
    spoil(tree.children[5])
    reply = asked(TreeView(GAME, tree), kind="start")["nodes"]["r"]
    faults = [child["fault"] for child in reply["children"] if "fault" in child]
    assert len(faults) == 1 and sentence in faults[0] and len(reply["children"]) == 5


@pytest.mark.parametrize("children", [None, 7, "none", object()])
def test_children_of_an_odd_kind_are_a_sentence_at_their_parent(children):
    tree = uct_tree()
    tree.children[5].children = children
    _, shown = root_of(TreeView(GAME, tree))
    assert "a dictionary or a list was expected" in shown["5"]["note"] and shown["5"]["children"] == 0


def test_a_property_that_raises_is_a_sentence():
    class Node:
        state, num_visits, total_value = BOARD, 1, 0.0

        @property
        def children(self):
            raise RuntimeError("<b>no</b>")

    assert asked(TreeView(GAME, Node()), kind="start") == {"error": "`children` of the node raised RuntimeError"}


def test_a_tree_that_leads_back_to_itself_is_read_node_by_node():
    tree = ps2_uct.TreeNode(BOARD)
    tree.children[0] = tree
    deep = "r" + ".0" * 50
    assert asked(TreeView(GAME, tree), kind="nodes", ids=[deep])["nodes"][deep]["node"]["n"] == 0


@pytest.mark.parametrize("tree", [None, 3, "tree", {}, SimpleNamespace(state=BOARD)])
def test_what_is_no_tree_is_refused_by_a_sentence(tree):
    with pytest.raises(UnreadableNode, match=r"is not a search tree"):
        TreeView(GAME, tree)


@pytest.mark.parametrize("request_", [
    {}, {"kind": "none"}, {"kind": []}, None, 3, {"kind": "nodes"}, {"kind": "nodes", "ids": [3]},
    {"kind": "nodes", "ids": ["r.x"]}, {"kind": "nodes", "ids": ["r.77"]}, {"kind": "nodes", "ids": ["r"] * 3000},
    {"kind": "phase"}])
def test_a_request_of_any_kind_gets_a_sentence(request_):
    reply = TreeView(GAME, uct_tree()).answer(request_)
    assert list(reply) == ["error"] and len(reply["error"]) < 150


def test_a_simulation_goes_phase_by_phase_and_each_reply_has_the_tree_of_its_moment():
    rng = random.Random(2)
    tree = uct_tree()
    view = TreeView(GAME, tree, phases=phases(rng), rng=rng)
    replies = [asked(view, kind="phase") for _ in range(5)]
    assert [reply["name"] for reply in replies] == ["selection", "expansion", "simulation", "backpropagation", "selection"]
    selection, expansion, simulation, backpropagation, again = replies
    assert selection["path"] == expansion["path"][:-1] and expansion["new"] == expansion["path"][-1:]
    assert expansion["nodes"][expansion["new"][0]]["node"]["n"] == 0
    assert list(simulation["notes"]) == expansion["new"] and "a rollout" in simulation["notes"][expansion["new"][0]]
    assert backpropagation["before"]["r"][0] == 40 and backpropagation["nodes"]["r"]["node"]["n"] == 41 == tree.num_visits
    assert (backpropagation["simulation"], again["simulation"]) == (1, 2)


def test_a_function_that_is_not_written_is_a_sentence_and_the_next_request_begins_a_new_simulation():
    def expand(game, node, rng):
        raise NotImplementedError("exercise 2.4 (expand) is not written yet")

    view = watching(expand)
    assert asked(view, kind="phase")["name"] == "selection"
    assert asked(view, kind="phase") == {"error": "exercise 2.4 (expand) is not written yet"}
    assert asked(view, kind="phase")["name"] == "selection"


def test_a_new_node_that_is_not_put_into_the_tree_is_a_sentence():
    def expand(game, node, rng):
        return ps2_uct.TreeNode(game.play(node.state, 1), node, 1)

    view = watching(expand)
    asked(view, kind="phase")
    assert "not among the `children` of its parent" in asked(view, kind="phase")["error"]


def test_the_page_of_a_tree_holds_the_most_visited_nodes_and_shows_every_text_as_text():
    rules = {name: getattr(GAME, name) for name in ("num_actions", "start", "player", "legal_actions", "play", "outcome")}
    odd = SimpleNamespace(**rules, text=lambda state: "</script><script>alert(1)</script>\u202e" + "x" * 10_000)
    view = TreeView(odd, uct_tree())
    page = tree_html(view, title="</title><script>alert(2)</script>", words="<b>", max_nodes=20)
    assert page.count("<script") == 2 and "alert(2)</script>" not in page and "<b>" not in page
    assert "default-src 'none'" in page and "://" not in page.split("<script", 1)[0]
    held = json.loads(page.split('id="held">')[1].split("</script>")[0])
    assert held["count"] <= 20 and held["phases"] == [] and "r" in held["nodes"]


def test_a_bundle_is_one_script_without_imports_in_which_each_file_stands_once():
    script = bundle("tree.js")
    assert "import " not in script and "export " not in script
    names = re.findall(r"^(?:async )?(?:function|const|let) (\w+)", script, re.M)
    assert {"tree", "layout", "picture", "outline", "phases", "drawBoard"} <= set(names)
    assert len(names) == len(set(names))  # what they declare is one scope
