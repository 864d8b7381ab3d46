# %% [markdown]
# # Problem set 2: bandits, then trees

# %%
import math
import random
from collections.abc import Callable

from arena.check import check, expect, expect_error, expect_true, run_all
from arena.games import FIVE_SIMULATIONS, Game, State, TicTacToe, ToyGame, after

Policy = Callable[[Game, State, random.Random], int]  # (game, state, rng) -> action
Evaluate = Callable[[State], float]  # state -> value for the player to move there

# %% exercise="2.0" title="bandits" points=8
def epsilon_greedy(counts: list[int], totals: list[float], epsilon: float, rng: random.Random) -> int:
    """Choose an arm: a uniformly random one with probability `epsilon`, else one with the best mean.

    Args:
        counts: pulls so far, one entry per arm.
        totals: summed reward so far, one entry per arm. The mean of an arm never pulled is 0.
        epsilon: in [0, 1]; 0 never explores, 1 always does.
        rng: decides whether to explore, which arm to explore, and ties between best means.

    Returns the arm's index, 0 to len(counts) - 1.

    Source: Sutton and Barto (2018), sections 2.2 to 2.4.
    """
    # TODO 2.0: first toss for exploration; otherwise compare the means, ties by rng. About 5 lines.
    raise NotImplementedError("exercise 2.0 (epsilon_greedy) is not written yet")


def ucb1(counts: list[int], totals: list[float], exploration: float, rng: random.Random) -> int:
    """Choose the arm with the highest upper confidence bound, mean + c sqrt(ln n / n_i).

    Args:
        counts: pulls n_i so far, one entry per arm; their sum is n.
        totals: summed reward so far, one entry per arm.
        exploration: c >= 0; 0 always takes the best mean.
        rng: decides among several arms never pulled, and among equal bounds.

    Returns the arm's index. Arms never pulled come first: their bound is infinite.

    Source: Auer, Cesa-Bianchi and Fischer (2002), figure 1, where c = sqrt 2.
    """
    # TODO 2.0: an infinite bound for an untried arm, the formula for the others; ties by rng.
    #           About 6 lines.
    raise NotImplementedError("exercise 2.0 (ucb1) is not written yet")

# %% check="2.0"
@check("2.0", "bandits")
def check_2_0():
    """each rule picks the arm that a pencil picks"""
    rng = random.Random(0)
    expect(epsilon_greedy([10, 10, 10], [4.0, 6.0, 5.0], 0.0, rng), 1, what="epsilon_greedy with epsilon 0")
    expect(ucb1([100, 4], [60.0, 2.0], 1.0, rng), 1, what="ucb1 with c = 1")
    expect(ucb1([100, 4], [60.0, 2.0], 0.0, rng), 0, what="ucb1 with c = 0")

# %% exercise="2.1" title="random_policy" points=2
def random_policy(game: Game, state: State, rng: random.Random) -> int:
    """Return a legal action at `state`, each with the same probability.

    Args:
        game: gives the legal actions.
        state: a state where the game goes on.
        rng: the only source of chance.

    Raises:
        ValueError: the game is over at `state`, so there is no action to choose.
    """
    # TODO 2.1: draw one of the legal actions with rng. About 4 lines.
    raise NotImplementedError("exercise 2.1 (random_policy) is not written yet")

# %% check="2.1"
@check("2.1", "random_policy")
def check_2_1():
    """every legal action comes up, and no other"""
    game, rng = TicTacToe(), random.Random(1)
    state = after(game, [4, 0, 8])
    seen = {random_policy(game, state, rng) for _ in range(200)}
    expect(sorted(seen), [1, 2, 3, 5, 6, 7], what="actions seen in 200 draws")
    expect_error(ValueError, lambda: random_policy(game, after(game, [0, 3, 1, 4, 2]), rng), what="a finished game")

# %% exercise="2.2" title="simulate" points=8
def simulate(
    game: Game,
    state: State,
    policy: Policy,
    rng: random.Random,
    max_plies: int | None = None,
    verbose: bool = False,
) -> float:
    """Play from `state` to the end with `policy` for both players and return the result.

    Args:
        state: where to begin; if the game is over there, no move is made.
        policy: policy(game, state, rng) -> action; it chooses for whoever is to move.
        max_plies: stop after that many moves with the value 0.0; None plays to the end.
        verbose: print a trace, one line per move and one for the result.

    Returns the value for the player to move at `state`, in [-1, 1]: +1 if that player wins in the
    end, 0 for a draw, -1 if the other does. A game that ends within max_plies moves counts.
    """
    # TODO 2.2: play until the outcome is known or the moves are used up. The outcome belongs to the
    #           player to move at the END: whose value is asked for? About 9 lines, 2 of them the trace.
    raise NotImplementedError("exercise 2.2 (simulate) is not written yet")

# %% check="2.2"
@check("2.2", "simulate")
def check_2_2():
    """the result belongs to the player to move where the simulation began"""
    game, rng = TicTacToe(), random.Random(2)

    def lowest(game, state, rng):
        return game.legal_actions(state)[0]

    expect(simulate(game, game.start(), lowest, rng), 1.0, what="the value of the empty board")
    expect(simulate(game, after(game, [0]), lowest, rng), -1.0, what="the value one ply later")
    expect(simulate(game, game.start(), lowest, rng, max_plies=6), 0.0, what="the value when cut after 6 plies")

# %% exercise="2.3" title="TreeNode" points=6
class TreeNode:
    """One state in the search tree, with what the simulations through it have told.

    Fields:
        state: the state; `parent`: the node above, None at the root; `action`: what led here from the parent.
        children: {action: TreeNode}, empty at first.
        num_visits: simulations that came through here.
        total_value: sum of their results, each for the player to move at `state` (the mover's view).
    """

    def __init__(self, state: State, parent: "TreeNode | None" = None, action: int | None = None) -> None:
        self.state = state
        self.parent = parent
        self.action = action
        self.children: dict[int, TreeNode] = {}
        self.num_visits = 0
        self.total_value = 0.0

    def is_terminal(self, game: Game) -> bool:
        """Return whether the game is over at this node, whatever children it has."""
        # TODO 2.3: ask the game. 1 line.
        raise NotImplementedError("exercise 2.3 (is_terminal) is not written yet")

    def is_fully_expanded(self, game: Game) -> bool:
        """Return whether every legal action has its child.

        A node where the game is over has no legal action, so nothing is missing there: True.
        """
        # TODO 2.3: compare the children with the legal actions. 1 line.
        raise NotImplementedError("exercise 2.3 (is_fully_expanded) is not written yet")

# %% check="2.3"
@check("2.3", "TreeNode")
def check_2_3():
    """a node knows when its game is over and when nothing is left to try"""
    root = TreeNode("s0")
    expect(root.is_terminal(FIVE_SIMULATIONS), False, what="is_terminal of s0")
    expect(root.is_fully_expanded(FIVE_SIMULATIONS), False, what="is_fully_expanded without children")

# %% exercise="2.4" title="expand" points=10
def expand(game: Game, node: TreeNode, rng: random.Random) -> TreeNode:
    """Add one new child to `node`, for an action without a child yet, and return the child.

    Args:
        node: a node where the game goes on and at least one legal action has no child.
        rng: draws the action, each untried one with the same probability.

    The child knows its state, its parent and its action; it stands in `node.children[action]`, with no
    visits. Exactly one child is added: adding all at once, as some textbooks do, is not right here.

    Raises:
        ValueError: the game is over at `node`, or every legal action has its child already.

    Source: Browne et al. (2012), algorithm 2, Expand.
    """
    # TODO 2.4: find the untried actions, draw one, hang its child into the tree. About 7 lines.
    raise NotImplementedError("exercise 2.4 (expand) is not written yet")

# %% check="2.4"
@check("2.4", "expand")
def check_2_4():
    """each call adds one new child, and the last untried action is not the end of it"""
    game, rng = TicTacToe(), random.Random(4)
    node = TreeNode(after(game, [4, 0, 8, 2, 1]))
    for number in range(1, 5):
        expand(game, node, rng)
        expect(len(node.children), number, what=f"children after {number} calls")
    expect_error(ValueError, lambda: expand(game, node, rng), what="expand with nothing left to try")

# %% exercise="2.5" title="backpropagate" points=10
def backpropagate(node: TreeNode | None, value: float) -> None:
    """Add the result of one simulation to every node from `node` up to the root.

    Args:
        node: the leaf where the simulation started.
        value: result for the player to move at the leaf, in [-1, 1] (+1 win, 0 draw, -1 loss).

    Each node gets one visit; its `total_value` changes by `value` or `-value`, in the mover's
    view: the sign flips at every ply on the way up.

    Source: Kocsis and Szepesvari (2006), with the sign of two-player games.
    """
    # TODO 2.5: walk from the leaf to the root; each player sees the other's result with
    #           the opposite sign. About 4 lines.
    raise NotImplementedError("exercise 2.5 (backpropagate) is not written yet")

# %% check="2.5"
@check("2.5", "backpropagate")
def check_2_5():
    """a win at the leaf is a loss one ply up"""
    root = TreeNode("s0")
    child = TreeNode("s2", root, 1)
    leaf = TreeNode("s5", child, 0)
    backpropagate(leaf, 1.0)
    expect([n.total_value for n in (root, child, leaf)], [1.0, -1.0, 1.0], what="total_value of root, child, leaf")

# %% exercise="2.6" title="ucb" points=10
def ucb(node: TreeNode, exploration: float) -> float:
    """Return the upper confidence bound of `node`, for the player who chooses at its parent.

    Args:
        node: a node with a parent.
        exploration: c >= 0, the weight of the bonus; 0 is the mean alone.

    Returns -W/n + c sqrt(ln N / n) with W, n the node's total_value and num_visits and N the visits
    of its parent; math.inf when the node has no visit yet.

    Source: Kocsis and Szepesvari (2006), section 2.3; the minus because W is in the mover's view.
    """
    # TODO 2.6: the formula, and infinity where it would divide by zero. About 4 lines.
    raise NotImplementedError("exercise 2.6 (ucb) is not written yet")

# %% check="2.6"
@check("2.6", "ucb")
def check_2_6():
    """the bound is the mean for the parent's player plus the bonus"""
    parent = TreeNode("s0")
    node = TreeNode("s1", parent, 0)
    expect(ucb(node, 1.0), math.inf, what="ucb without a visit")
    parent.num_visits, node.num_visits, node.total_value = 10, 4, -1.0
    expect(ucb(node, 0.0), 0.25, what="ucb with c = 0")
    expect(ucb(node, 1.0), 1.0087, what="ucb with c = 1", tolerance=1e-4)

# %% exercise="2.7" title="best_child" points=7
def best_child(node: TreeNode, exploration: float, rng: random.Random) -> TreeNode:
    """Return the child of `node` with the highest upper confidence bound.

    Args:
        node: a node with at least one child.
        exploration: c, handed on to `ucb`.
        rng: draws among the children whose bounds are equal and highest.

    Raises:
        ValueError: the node has no children.
    """
    # TODO 2.7: bounds of all children, the highest, a draw among those who have it. About 5 lines.
    raise NotImplementedError("exercise 2.7 (best_child) is not written yet")

# %% check="2.7"
@check("2.7", "best_child")
def check_2_7():
    """the highest bound is chosen, not the highest total"""
    parent = TreeNode("s0")
    parent.num_visits = 4
    for action, (visits, total) in enumerate([(3, -1.0), (1, 0.0)]):
        child = TreeNode(f"s{action + 1}", parent, action)
        child.num_visits, child.total_value = visits, total
        parent.children[action] = child
    expect(best_child(parent, 0.0, random.Random(7)).action, 0, what="action of the best child, c = 0")
    expect(best_child(parent, 1.0, random.Random(7)).action, 1, what="action of the best child, c = 1")

# %% exercise="2.8" title="select" points=8
def select(game: Game, node: TreeNode, exploration: float, rng: random.Random) -> TreeNode:
    """Descend from `node` along the best children and return the node where the tree can grow.

    Args:
        node: where to begin, usually the root.
        exploration, rng: handed on to `best_child`.

    Returns the first node on the way where the game is over or some legal action has no child yet;
    that may be `node` itself.

    Source: Browne et al. (2012), algorithm 2, TreePolicy.
    """
    # TODO 2.8: go to the best child while the node is fully expanded and not over. About 3 lines.
    raise NotImplementedError("exercise 2.8 (select) is not written yet")

# %% check="2.8"
@check("2.8", "select")
def check_2_8():
    """selection stops where something is left to try, and where the game is over"""
    game, rng = FIVE_SIMULATIONS, random.Random(8)
    root = TreeNode("s0")
    expect(select(game, root, 1.0, rng).state, "s0", what="state reached without any child")

# %% exercise="2.9" title="search" points=14
def search(
    game: Game,
    state: State,
    num_simulations: int,
    exploration: float,
    rng: random.Random,
    evaluate: Evaluate | None = None,
) -> tuple[int, TreeNode]:
    """Build a tree at `state` with so many simulations and return the move and the root.

    Args:
        num_simulations: at least 1. Each is one select, one expand, one value, one backpropagate.
        exploration: c of `ucb`.
        evaluate: evaluate(state) -> value for the player to move there, asked once for each new
            node where the game goes on; None stands for one `simulate` with `random_policy`.

    Returns (action, root): the action with most visits (any of them when tied), and the root with
    root.num_visits == num_simulations. Where the game is over, the value is game.outcome.
    Expanding all children of a node at once is a right answer here too.

    Raises:
        ValueError: the game is over at `state`, or num_simulations < 1.

    Source: Browne et al. (2012), algorithm 2, UctSearch; but the final move is the one with most
    visits ("robust child"), not the one with the best mean.
    """
    # TODO 2.9: num_simulations times the four phases; then compare the root's children by visits.
    #           About 12 lines.
    raise NotImplementedError("exercise 2.9 (search) is not written yet")

# %% check="2.9"
@check("2.9", "search")
def check_2_9():
    """five simulations on the toy tree give the numbers found by hand"""
    game = FIVE_SIMULATIONS
    action, root = search(game, "s0", 5, 1.0, random.Random(9), game.evaluate)
    expect(root.num_visits, 5, what="num_visits of the root")
    expect(root.total_value, -58.0, what="total_value of the root")
    expect(game.play("s0", action), "s2", what="the move, as the state it leads to")

# %% exercise="2.10" title="recursive_search" points=8
def recursive_search(
    game: Game,
    state: State,
    Q: dict[State, dict[int, float]],
    N: dict[State, dict[int, int]],
    exploration: float,
    rng: random.Random,
    evaluate: Evaluate,
) -> float:
    """Run ONE simulation from `state` over tables instead of nodes; return its value.

    Args:
        Q: Q[s][a], mean result of action a at s, for the player to move at s. Filled in place.
        N: N[s][a], how often a was taken at s. Filled in place, with the same keys as Q.
        exploration: c; the bound of an action is Q[s][a] + c sqrt(ln n / N[s][a]), n the sum of N[s].
        rng: draws among untried actions, and among equal bounds.
        evaluate: evaluate(state) -> value for the player to move there.

    Returns the value for the player to move at `state`; the caller negates it. Where the game is
    over that is the outcome, and no entry is made. A state not yet in the tables gets 0.0 and 0 for
    every legal action, and its value is evaluate(state). Elsewhere one action is taken, an
    untried one first, else the one with the highest bound, and its mean and count are updated.
    """
    # TODO 2.10: three cases: over, new, known. `choose_edge` picks the action in the third.
    #            About 12 lines.
    raise NotImplementedError("exercise 2.10 (recursive_search) is not written yet")

# %%
def search_with_tables(
    game: Game,
    state: State,
    num_simulations: int,
    exploration: float,
    rng: random.Random,
    evaluate: Evaluate | None = None,
) -> tuple[int, dict[State, dict[int, float]], dict[State, dict[int, int]]]:
    """Run `recursive_search` so many times; return the action with most visits, Q and N."""
    Q: dict[State, dict[int, float]] = {}
    N: dict[State, dict[int, int]] = {}
    if evaluate is None:

        def evaluate(state: State) -> float:
            return simulate(game, state, random_policy, rng)

    for _ in range(num_simulations):
        recursive_search(game, state, Q, N, exploration, rng, evaluate)
    return max(N[state], key=N[state].get), Q, N

# %% check="2.10"
@check("2.10", "recursive_search")
def check_2_10():
    """six simulations over tables count what five over nodes counted"""
    game = FIVE_SIMULATIONS
    _, Q, N = search_with_tables(game, "s0", 6, 1.0, random.Random(10), game.evaluate)
    expect(N["s0"], {0: 1, 1: 4}, what="N[s0]")

# %% exercise="2.11" title="self_play" points=4
def self_play(
    game: Game,
    num_simulations: int,
    exploration: float,
    rng: random.Random,
    on_move: Callable[[TreeNode, int], None] | None = None,
) -> list[int]:
    """Play a whole game from game.start(), every move of both players by `search`.

    Args:
        num_simulations, exploration, rng: handed on to `search`, a new tree for every move.
        on_move: called as on_move(root, action) after each search, before the move is played.

    Returns the actions in the order in which they were played.
    """
    # TODO 2.11: search, report, play, until the game is over. About 8 lines.
    raise NotImplementedError("exercise 2.11 (self_play) is not written yet")

# %% check="2.11"
@check("2.11", "self_play")
def check_2_11():
    """the game is played to its end and every move was reported"""
    game, reported = TicTacToe(), []
    actions = self_play(game, 20, 1.0, random.Random(11), lambda root, action: reported.append(action))
    expect(reported, actions, what="the actions reported to on_move")
    expect_true(game.outcome(after(game, actions)) is not None, what="the game is over at the end")

# %% check="joint" points=5
@check("joint", "everything together")
def check_joint():
    """your search, on your own functions, wins and blocks"""
    game = TicTacToe()
    action, _ = search(game, after(game, [0, 3, 1, 4]), 300, 1.0, random.Random(12))
    expect(action, 2, what="the move")

# %% [markdown] answer="2.13" points=5
# Your answer here.

# %%
if __name__ == "__main__":
    run_all()
