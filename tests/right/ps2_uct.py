# Right answers to ps2_uct in other styles. Each cell is appended to the solution; `make verify` wants all of its points.

# %% recursive backpropagate
def backpropagate(node, value):
    if node is None:
        return
    node.num_visits += 1
    node.total_value += value
    backpropagate(node.parent, -value)

# %% backpropagate with a sign and a for loop over the path
def backpropagate(node, value):
    path = []
    while node:
        path.append(node)
        node = node.parent
    for height, node in enumerate(path):
        node.num_visits = node.num_visits + 1
        node.total_value = node.total_value + (-1) ** height * value

# %% recursive select and simulate
def select(game, node, exploration, rng):
    if node.is_terminal(game) or not node.is_fully_expanded(game):
        return node
    return select(game, best_child(node, exploration, rng), exploration, rng)


def simulate(game, state, policy, rng, max_plies=None):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    if max_plies == 0:
        return 0.0
    after = game.play(state, policy(game, state, rng))
    return -simulate(game, after, policy, rng, None if max_plies is None else max_plies - 1)

# %% numpy everywhere
import numpy as np


def epsilon_greedy(counts, totals, epsilon, rng):
    counts, totals = np.array(counts), np.array(totals, dtype=float)
    means = np.divide(totals, counts, out=np.zeros_like(totals), where=counts > 0)
    best = np.flatnonzero(means == means.max())
    return rng.randrange(len(counts)) if rng.random() < epsilon else best[int(rng.random() * len(best))]


def ucb1(counts, totals, exploration, rng):
    counts, totals = np.array(counts), np.array(totals, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        bounds = np.where(counts > 0, totals / counts + exploration * np.sqrt(np.log(counts.sum()) / counts), np.inf)
    best = np.flatnonzero(bounds == bounds.max())
    return best[int(rng.random() * len(best))]


def simulate(game, state, policy, rng, max_plies=None):
    value = np.float64(1.0)
    plies = 0
    while game.outcome(state) is None:
        if plies == max_plies:
            return np.float64(0.0)
        state = game.play(state, policy(game, state, rng))
        value, plies = -value, plies + 1
    return value * game.outcome(state)


def is_terminal(self, game):
    return np.bool_(game.outcome(self.state) is not None)


def is_fully_expanded(self, game):
    return np.all(np.isin(game.legal_actions(self.state), list(self.children)))


TreeNode.is_terminal, TreeNode.is_fully_expanded = is_terminal, is_fully_expanded


def ucb(node, exploration):
    with np.errstate(divide="ignore", invalid="ignore"):
        if node.num_visits == 0:
            return np.inf
        return np.float64(-node.total_value / node.num_visits) + exploration * np.sqrt(
            np.log(node.parent.num_visits) / node.num_visits
        )


def best_child(node, exploration, rng):
    if not node.children:
        raise ValueError("no children")
    children = list(node.children.values())
    bounds = np.array([ucb(child, exploration) for child in children])
    return children[rng.choice(np.flatnonzero(bounds == bounds.max()).tolist())]

# %% numpy arrays for the untried actions and for the final move
import numpy


def expand(game, node, rng):
    untried = numpy.setdiff1d(numpy.array(game.legal_actions(node.state), dtype=int), numpy.array(list(node.children), dtype=int))
    if untried.size == 0:
        raise ValueError("nothing to expand")
    action = int(untried[rng.randrange(untried.size)])
    child = TreeNode(game.play(node.state, action), node, action)
    node.children[action] = child
    return child


def random_policy(game, state, rng):
    legal = numpy.array(game.legal_actions(state))
    if not len(legal):
        raise ValueError("the game is over")
    return legal[rng.randrange(len(legal))]


def search(game, state, num_simulations, exploration, rng, evaluate=None):
    if num_simulations < 1 or game.outcome(state) is not None:
        raise ValueError("nothing to search")
    root = TreeNode(state)
    while root.num_visits < num_simulations:
        leaf = select(game, root, exploration, rng)
        leaf = leaf if leaf.is_terminal(game) else expand(game, leaf, rng)
        outcome = game.outcome(leaf.state)
        if outcome is None:
            outcome = simulate(game, leaf.state, random_policy, rng) if evaluate is None else evaluate(leaf.state)
        backpropagate(leaf, numpy.float64(outcome))
    visits = numpy.zeros(game.num_actions)
    for action, child in root.children.items():
        visits[action] = child.num_visits
    return numpy.argmax(visits), root

# %% a random permutation breaks the ties
def best_child(node, exploration, rng):
    children = list(node.children.values())
    if not children:
        raise ValueError("no children")
    rng.shuffle(children)
    return max(children, key=lambda child: ucb(child, exploration))


def ucb1(counts, totals, exploration, rng):
    arms = list(range(len(counts)))
    rng.shuffle(arms)
    n = sum(counts)
    return max(
        arms,
        key=lambda arm: totals[arm] / counts[arm] + exploration * math.sqrt(math.log(n) / counts[arm])
        if counts[arm]
        else float("inf"),
    )


def epsilon_greedy(counts, totals, epsilon, rng):
    if rng.uniform(0, 1) < epsilon:
        return rng.choice(range(len(counts)))
    return max(range(len(counts)), key=lambda arm: (totals[arm] / max(1, counts[arm]), rng.random()))


def random_policy(game, state, rng):
    actions = list(game.legal_actions(state))
    if len(actions) == 0:
        raise ValueError("the game is over")
    rng.shuffle(actions)
    return actions.pop()

# %% a random number beside the bound breaks the ties
def best_child(node, exploration, rng):
    if len(node.children) == 0:
        raise ValueError("no children")
    ranked = sorted((ucb(child, exploration), rng.random(), action) for action, child in node.children.items())
    return node.children[ranked[-1][2]]

# %% the final tie goes to the better mean, then to the lower action
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    if num_simulations < 1 or game.outcome(state) is not None:
        raise ValueError("nothing to search")
    root = TreeNode(state)
    evaluate = evaluate or (lambda state: simulate(game, state, random_policy, rng))
    for _ in range(num_simulations):
        node = select(game, root, exploration, rng)
        if not node.is_terminal(game):
            node = expand(game, node, rng)
        backpropagate(node, evaluate(node.state) if game.outcome(node.state) is None else game.outcome(node.state))
    return max(
        root.children,
        key=lambda a: (root.children[a].num_visits, -root.children[a].total_value / root.children[a].num_visits, -a),
    ), root

# %% a list of untried actions in every node
# at home: the visible checks put children into a node by hand, past `expand`
class TreeNode(TreeNode):
    def __init__(self, state, parent=None, action=None):
        super().__init__(state, parent, action)
        self.untried = None

    def left(self, game):
        if self.untried is None:
            self.untried = list(game.legal_actions(self.state))
        return self.untried

    def is_terminal(self, game):
        return game.outcome(self.state) is not None

    def is_fully_expanded(self, game):
        return not self.left(game)


def expand(game, node, rng):
    untried = node.left(game)
    if not untried:
        raise ValueError("nothing to expand")
    action = untried.pop(rng.randrange(len(untried)))
    node.children[action] = TreeNode(game.play(node.state, action), node, action)
    return node.children[action]

# %% children in a list
# at home: the lesson's children are a dict, and the visible checks put nodes into it
class TreeNode:
    def __init__(self, state, parent=None, action=None):
        self.state, self.parent, self.action = state, parent, action
        self.children = []
        self.num_visits, self.total_value = 0, 0.0

    def is_terminal(self, game):
        return game.outcome(self.state) is not None

    def is_fully_expanded(self, game):
        return len(self.children) == len(game.legal_actions(self.state))


def expand(game, node, rng):
    tried = [child.action for child in node.children]
    untried = [action for action in game.legal_actions(node.state) if action not in tried]
    if not untried:
        raise ValueError("nothing to expand")
    action = rng.choice(untried)
    node.children.append(TreeNode(game.play(node.state, action), node, action))
    return node.children[-1]


def best_child(node, exploration, rng):
    if not node.children:
        raise ValueError("no children")
    bounds = [ucb(child, exploration) for child in node.children]
    return rng.choice([child for child, bound in zip(node.children, bounds) if bound == max(bounds)])


def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    return max(root.children, key=lambda child: child.num_visits).action, root

# %% search makes all children at once
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    if game.outcome(state) is not None or num_simulations < 1:
        raise ValueError("nothing to search")
    root = TreeNode(state)
    for _ in range(num_simulations):
        node = root
        while node.children:
            node = best_child(node, exploration, rng)
        if not node.is_terminal(game) and (node is root or node.num_visits > 0):
            for action in game.legal_actions(node.state):
                node.children[action] = TreeNode(game.play(node.state, action), node, action)
            node = best_child(node, exploration, rng)
        value = game.outcome(node.state)
        if value is None:
            value = simulate(game, node.state, random_policy, rng) if evaluate is None else evaluate(node.state)
        backpropagate(node, value)
    return max(root.children.items(), key=lambda pair: pair[1].num_visits)[0], root

# %% search keeps the path in a deque and backs up by itself
from collections import deque


def search(game, state, num_simulations, exploration, rng, evaluate=None):
    if game.outcome(state) is not None:
        raise ValueError("the game is over")
    if num_simulations <= 0:
        raise ValueError("no simulations")
    root = TreeNode(state)
    for _ in range(num_simulations):
        path = deque([root])
        while path[-1].is_fully_expanded(game) and not path[-1].is_terminal(game):
            path.append(best_child(path[-1], exploration, rng))
        if not path[-1].is_terminal(game):
            path.append(expand(game, path[-1], rng))
        leaf = path[-1]
        if leaf.is_terminal(game):
            result = game.outcome(leaf.state)
        elif evaluate is not None:
            result = evaluate(leaf.state)
        else:
            result = simulate(game, leaf.state, random_policy, rng)
        while path:
            node = path.pop()
            node.num_visits += 1
            node.total_value += result
            result = -result
    most = max(child.num_visits for child in root.children.values())
    return rng.choice([action for action, child in root.children.items() if child.num_visits == most]), root

# %% search is a recursive function inside
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    if num_simulations < 1 or game.outcome(state) is not None:
        raise ValueError("nothing to search")

    def visit(node, new):
        value = game.outcome(node.state)
        if value is None and new:
            value = evaluate(node.state) if evaluate else simulate(game, node.state, random_policy, rng)
        elif value is None:
            full = node.is_fully_expanded(game)
            child = best_child(node, exploration, rng) if full else expand(game, node, rng)
            value = -visit(child, not full)
        node.num_visits += 1
        node.total_value += value
        return value

    root = TreeNode(state)
    for _ in range(num_simulations):
        visit(root, False)
    return max(root.children.values(), key=lambda child: child.num_visits).action, root

# %% the guesses are kept in a cache
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    if num_simulations < 1 or game.outcome(state) is not None:
        raise ValueError("nothing to search")
    known = {}
    root = TreeNode(state)
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if leaf.state not in known and game.outcome(leaf.state) is not None:
            known[leaf.state] = game.outcome(leaf.state)
        if leaf.state not in known or game.outcome(leaf.state) is None:
            leaf = expand(game, leaf, rng)
        value = known.get(leaf.state, game.outcome(leaf.state))
        if value is None and evaluate is not None:
            value = known[leaf.state] = evaluate(leaf.state)
        elif value is None:
            value = simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% slots and a class of its own
class TreeNode:
    __slots__ = ("state", "parent", "action", "children", "num_visits", "total_value")

    def __init__(self, state, parent=None, action=None):
        self.state = state
        self.parent = parent
        self.action = action
        self.children = {}
        self.num_visits = 0
        self.total_value = 0.0

    def is_terminal(self, game):
        return not game.legal_actions(self.state)

    def is_fully_expanded(self, game):
        return all(action in self.children for action in game.legal_actions(self.state))

# %% a dataclass
from dataclasses import dataclass, field
from typing import Any, Optional


@dataclass(eq=False)
class TreeNode:
    state: Any
    parent: Optional["TreeNode"] = None
    action: Optional[int] = None
    children: dict = field(default_factory=dict)
    num_visits: int = 0
    total_value: float = 0.0
    depth: int = 0

    def __post_init__(self):
        self.depth = 0 if self.parent is None else self.parent.depth + 1

    def is_terminal(self, game):
        return game.outcome(self.state) is not None

    def is_fully_expanded(self, game):
        return set(self.children) == set(game.legal_actions(self.state))

# %% visits and values kept elsewhere, equal outside
class TreeNode:
    def __init__(self, state, parent=None, action=None):
        self.state, self.parent, self.action, self.children = state, parent, action, {}
        self.results = [0, 0.0]

    @property
    def num_visits(self):
        return self.results[0]

    @num_visits.setter
    def num_visits(self, visits):
        self.results[0] = visits

    @property
    def total_value(self):
        return self.results[1]

    @total_value.setter
    def total_value(self, total):
        self.results[1] = total

    def is_terminal(self, game):
        return game.outcome(self.state) is not None

    def is_fully_expanded(self, game):
        return len(self.children) == len(game.legal_actions(self.state))


def backpropagate(node, value):
    for node in ancestors(node):
        node.results = [node.results[0] + 1, node.results[1] + value]
        value = -value


def ancestors(node):
    while node is not None:
        yield node
        node = node.parent

# %% the mean is kept in the node
class TreeNode:
    def __init__(self, state, parent=None, action=None):
        self.state, self.parent, self.action = state, parent, action
        self.children, self.num_visits, self.mean = {}, 0, 0.0
        self.extra = 0.0

    @property
    def total_value(self):
        return self.mean * self.num_visits + self.extra

    @total_value.setter
    def total_value(self, total):
        self.mean, self.extra = 0.0, total

    def is_terminal(self, game):
        return game.outcome(self.state) is not None

    def is_fully_expanded(self, game):
        return not set(game.legal_actions(self.state)).difference(self.children)

# %% ucb in one expression, best child by a loop
def ucb(node, exploration):
    n, N = node.num_visits, node.parent.num_visits
    return (exploration * math.sqrt(math.log(N) * n) - node.total_value) / n if n > 0 else float("inf")


def best_child(node, exploration, rng):
    best, highest = [], -math.inf
    for child in node.children.values():
        bound = ucb(child, exploration)
        if bound > highest:
            best, highest = [child], bound
        elif bound == highest:
            best.append(child)
    if not best:
        raise ValueError("no children")
    return best[rng.randint(0, len(best) - 1)]

# %% the children's bounds in terms of the player above
def ucb(node, exploration):
    if not node.num_visits:
        return math.inf
    wins_above = -node.total_value
    return wins_above / node.num_visits + exploration * (math.log(node.parent.num_visits) / node.num_visits) ** 0.5

# %% defaultdicts for the tables
from collections import defaultdict


def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    if game.outcome(state) is not None:
        return game.outcome(state)
    if state not in Q:
        Q[state], N[state] = defaultdict(float), defaultdict(int)
        for action in game.legal_actions(state):
            Q[state][action] += 0.0
            N[state][action] += 0
        return evaluate(state)
    untried = [action for action in N[state] if N[state][action] == 0]
    if untried:
        action = rng.choice(untried)
    else:
        log = math.log(sum(N[state].values()))
        action = max(N[state], key=lambda a: (Q[state][a] + exploration * math.sqrt(log / N[state][a]), rng.random()))
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    Q[state][action] = (Q[state][action] * N[state][action] + value) / (N[state][action] + 1)
    N[state][action] += 1
    return value

# %% the tables filled by a loop instead of a recursion
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    path = []
    while state in N:
        counts = N[state]
        untried = [action for action, count in counts.items() if count == 0]
        if not untried:
            total = sum(counts.values())
            scores = {a: Q[state][a] + exploration * math.sqrt(math.log(total) / counts[a]) for a in counts}
            untried = [action for action in scores if scores[action] == max(scores.values())]
        path.append((state, rng.choice(untried)))
        state = game.play(*path[-1])
    value = game.outcome(state)
    if value is None:
        Q[state] = dict.fromkeys(game.legal_actions(state), 0.0)
        N[state] = dict.fromkeys(game.legal_actions(state), 0)
        value = evaluate(state)
    for state, action in reversed(path):
        value = -value
        N[state][action] += 1
        Q[state][action] += (value - Q[state][action]) / N[state][action]
    return value

# %% prints and warnings on the way
import sys
import warnings


put("backpropagate", "while", 'print("backing up", value, file=sys.stderr)\nwarnings.warn("this is only a warning")')


def expand(game, node, rng):
    untried = [action for action in game.legal_actions(node.state) if action not in node.children]
    print("untried:", untried)
    if not untried:
        raise ValueError("nothing to expand")
    action = rng.choice(untried)
    child = TreeNode(game.play(node.state, action), parent=node, action=action)
    node.children[action] = child
    print("new child", child.action, file=sys.stderr)
    return child

# %% imports under other names, and helpers
import math as m
from math import inf as INFINITY, log as ln, sqrt


def _bonus(n, big_n):
    return sqrt(ln(big_n) / n)


def _mean_above(node):
    return -node.total_value / node.num_visits


def ucb(node, exploration):
    return _mean_above(node) + exploration * _bonus(node.num_visits, node.parent.num_visits) if node.num_visits else INFINITY


def _best(options, score, rng):
    scores = [score(option) for option in options]
    top = max(scores)
    return rng.choice([option for option, value in zip(options, scores) if m.isclose(value, top, rel_tol=0, abs_tol=0)])


def best_child(node, exploration, rng):
    if not node.children:
        raise ValueError("no children")
    return _best(list(node.children.values()), lambda child: ucb(child, exploration), rng)

# %% type hints and keyword-only helpers
from typing import Callable, Dict, List, Optional, Tuple


def self_play(
    game: "Game",
    num_simulations: int,
    exploration: float,
    rng: random.Random,
    on_move: Optional[Callable[[TreeNode, int], None]] = None,
) -> List[int]:
    def play_on(state, *, played: List[int]) -> List[int]:
        if game.outcome(state) is not None:
            return played
        action, root = search(game, state, num_simulations, exploration, rng)
        (on_move or (lambda root, action: None))(root, action)
        return play_on(game.play(state, action), played=[*played, action])

    return play_on(game.start(), played=[])

# %% errors of its own that are ValueErrors
class GameOver(ValueError):
    pass


def random_policy(game, state, rng):
    try:
        return rng.choice(game.legal_actions(state))
    except IndexError:
        raise GameOver from None


def expand(game, node, rng):
    untried = sorted(set(game.legal_actions(node.state)) - set(node.children))
    if not untried:
        raise GameOver("nothing to expand")
    action = untried[int(rng.random() * len(untried))]
    return node.children.setdefault(action, TreeNode(game.play(node.state, action), node, action))


def best_child(node, exploration, rng):
    try:
        highest = max(ucb(child, exploration) for child in node.children.values())
    except ValueError:
        raise GameOver("no children") from None
    return rng.choice([child for child in node.children.values() if ucb(child, exploration) == highest])

# %% a single legal move is searched like any other, and rollouts have a helper
def playout(game, state, choose):
    sign = 1
    while (outcome := game.outcome(state)) is None:
        state, sign = game.play(state, choose(state)), -sign
    return sign * outcome


def search(game, state, num_simulations, exploration, rng, evaluate=None):
    if num_simulations < 1 or not game.legal_actions(state):
        raise ValueError("nothing to search")
    guess = evaluate or (lambda state: playout(game, state, lambda now: rng.choice(game.legal_actions(now))))
    root, done = TreeNode(state), 0
    while done < num_simulations:
        done += 1
        node = select(game, root, exploration, rng)
        if game.outcome(node.state) is None:
            node = expand(game, node, rng)
        outcome = game.outcome(node.state)
        backpropagate(node, guess(node.state) if outcome is None else outcome)
    visits = {action: child.num_visits for action, child in root.children.items()}
    return max(visits, key=visits.get), root

# %% one draw decides whether to explore and where
def epsilon_greedy(counts, totals, epsilon, rng):
    u = rng.random()
    if u < epsilon:
        return min(int(u / epsilon * len(counts)), len(counts) - 1)
    best, arms = -math.inf, []
    for arm in range(len(counts)):
        mean = 0 if not counts[arm] else totals[arm] / counts[arm]
        if mean > best:
            best, arms = mean, [arm]
        elif mean == best:
            arms += [arm]
    return arms[rng.randrange(len(arms))]

# %% random_policy by trial and error
def random_policy(game, state, rng):
    if game.outcome(state) is not None:
        raise ValueError("over")
    while True:
        action = rng.randrange(game.num_actions)
        try:
            game.play(state, action)
        except ValueError:
            continue
        return action

# %% the player who is better off is found by asking who is to move, and has the outcome's size
def simulate(game, state, policy, rng, max_plies=None):
    first, left = game.player(state), math.inf if max_plies is None else max_plies
    trace = []
    while (over := game.outcome(state)) is None and left > 0:
        trace.append(f"{game.player(state)}: {(action := policy(game, state, rng))}")
        state = game.play(state, action)
        left -= 1
    winner = None if not over else game.player(state) if over > 0 else 1 - game.player(state)
    trace.append(f"winner: {winner}")
    return {None: 0.0, first: abs(over or 0.0)}.get(winner, -abs(over or 0.0))

# %% a dataclass that compares by value and has no hash
from dataclasses import dataclass, field
@dataclass
class TreeNode:
    state: object
    parent: "TreeNode" = field(default=None, repr=False, compare=False)
    action: int = None
    children: dict = field(default_factory=dict, repr=False, compare=False)
    num_visits: int = 0
    total_value: float = 0
    def is_terminal(self, game):
        return game.outcome(self.state) is not None
    def is_fully_expanded(self, game):
        return len(self.children) >= len(game.legal_actions(self.state))

# %% a deque of untried actions, checked against the children
from collections import deque
def expand(game, node, rng):
    if not hasattr(node, "untried"):
        actions = game.legal_actions(node.state)
        node.untried = deque(rng.sample(actions, len(actions)))
    while node.untried and node.untried[0] in node.children:
        node.untried.popleft()
    if not node.untried:
        raise ValueError
    action = node.untried.popleft()
    node.children |= {action: TreeNode(game.play(node.state, action), action=action, parent=node)}
    return node.children[action]

# %% the children in a heap
import heapq
def best_child(node, exploration, rng):
    heap = [(-ucb(child, exploration), rng.random(), action) for action, child in node.children.items()]
    if not heap:
        raise ValueError("no children")
    heapq.heapify(heap)
    return node.children[heapq.heappop(heap)[2]]

# %% a searcher object, whose rollouts have a generator seeded from rng
class Searcher:
    def __init__(self, game, exploration, rng, evaluate):
        self.game, self.c, self.rng = game, exploration, rng
        self.dice = random.Random(rng.getrandbits(64))
        self.evaluate = evaluate if evaluate is not None else self.rollout
    def rollout(self, state):
        return simulate(self.game, state, random_policy, self.dice)
    def once(self, root):
        leaf = select(self.game, root, self.c, self.rng)
        if not leaf.is_terminal(self.game):
            leaf = expand(self.game, leaf, self.rng)
            value = self.game.outcome(leaf.state)
            value = self.evaluate(leaf.state) if value is None else value
        else:
            value = self.game.outcome(leaf.state)
        backpropagate(leaf, value)
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    if TreeNode(state).is_terminal(game) or num_simulations <= 0:
        raise ValueError("cannot search")
    searcher, root = Searcher(game, exploration, rng, evaluate), TreeNode(state)
    while root.num_visits < num_simulations:
        searcher.once(root)
    best = max(child.num_visits for child in root.children.values())
    return rng.choice([a for a, child in root.children.items() if child.num_visits == best]), root

# %% every function wrapped in a decorator
import functools
def _traced(function):
    @functools.wraps(function)
    def inner(*args, **kwargs):
        inner.calls += 1
        return function(*args, **kwargs)
    inner.calls = 0
    return inner
for _name in ("epsilon_greedy", "ucb1", "random_policy", "simulate", "expand", "backpropagate", "ucb", "best_child", "select",
              "search", "recursive_search", "self_play"):
    globals()[_name] = _traced(globals()[_name])

# %% self_play gives every move a generator of its own, seeded from rng
put("self_play", "action, root = search", "own = random.Random(rng.getrandbits(64))")
swap("self_play", "exploration, rng)", "exploration, own)")
swap("self_play", "if on_move is not None", "if on_move")

# %% numpy integers as actions, from the policy to the tree
import numpy as np


def random_policy(game, state, rng):
    valid = np.zeros(game.num_actions)
    valid[game.legal_actions(state)] = 1
    if not valid.any():
        raise ValueError("the game is over")
    return rng.choice(np.where(valid)[0])


def expand(game, node, rng):
    untried = np.array([action for action in game.legal_actions(node.state) if action not in node.children], dtype=np.int64)
    if len(untried) == 0:
        raise ValueError("nothing to expand")
    action = rng.choice(untried)
    node.children[action] = TreeNode(game.play(node.state, action), node, action)
    return node.children[action]

# %% numpy integers as moves of whole games
import numpy as np


def search(game, state, num_simulations, exploration, rng, evaluate=None):
    if game.outcome(state) is not None or num_simulations < 1:
        raise ValueError("nothing to search")
    root = TreeNode(state)
    for _ in range(num_simulations):
        node = select(game, root, exploration, rng)
        if not node.is_terminal(game):
            node = expand(game, node, rng)
        value = game.outcome(node.state)
        if value is None and evaluate is not None:
            value = evaluate(state=node.state)
        elif value is None:
            value, end = 1.0, node.state
            while game.outcome(end) is None:
                end = game.play(end, rng.choice(np.asarray(game.legal_actions(end))))
                value = -value
            value *= game.outcome(end)
        backpropagate(node, np.float32(value))
    actions = np.array(sorted(root.children))
    return [actions[np.argmax([root.children[action].num_visits for action in actions])], root]


swap("self_play", "[]", "np.zeros(0, dtype=np.int32)")
swap("self_play", "on_move(root, action)", "on_move(action=action, root=root)")
swap("self_play", "actions.append(action)", "actions = np.append(actions, np.int32(action))")

# %% numpy integers as keys of the tables, chosen by argmax over an array
import numpy as np


def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    if game.outcome(state) is not None:
        return np.float32(game.outcome(state))
    if state not in Q:
        legal = np.array(game.legal_actions(state))
        Q[state] = {action: np.float32(0) for action in legal}
        N[state] = {action: np.int32(0) for action in legal}
        return np.float32(evaluate(state=state))
    actions = list(Q[state])
    visits, means = np.array([N[state][a] for a in actions], dtype=float), np.array([Q[state][a] for a in actions])
    with np.errstate(divide="ignore", invalid="ignore"):
        bounds = np.where(visits > 0, means + exploration * np.sqrt(np.log(visits.sum()) / visits), np.inf)
    action = actions[rng.choice(np.flatnonzero(bounds == bounds.max()))]
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    Q[state][action] = (Q[state][action] * N[state][action] + value) / (N[state][action] + 1)
    N[state][action] += 1
    return value

# %% callbacks by keyword
def simulate(game, state, policy, rng, max_plies=None):
    plies = 0
    while game.outcome(state) is None and plies != max_plies:
        state = game.play(state, policy(game, state, rng=rng))
        plies += 1
    outcome = game.outcome(state)
    return 0 if outcome is None else outcome * (-1) ** plies


def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state=state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game=game, node=root, exploration=exploration, rng=rng)
        if not leaf.is_terminal(game=game):
            leaf = expand(game=game, node=leaf, rng=rng)
        value = game.outcome(leaf.state)
        if value is None:
            estimate = evaluate or (lambda state: simulate(game, state, policy=random_policy, rng=rng))
            value = estimate(state=leaf.state)
        backpropagate(node=leaf, value=value)
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% callbacks all by keyword, in another order
def simulate(game, state, policy, rng, max_plies=None):
    sign, left = 1, -1 if max_plies is None else max_plies
    while game.outcome(state) is None:
        if left == 0:
            return 0
        state = game.play(state, policy(rng=rng, state=state, game=game))
        sign, left = -sign, left - 1
    return sign * game.outcome(state)


def self_play(game, num_simulations, exploration, rng, on_move=None):
    def moves(state):
        while game.outcome(state) is None:
            action, root = search(game, state, num_simulations=num_simulations, exploration=exploration, rng=rng)
            if on_move:
                on_move(root=root, action=action)
            yield action
            state = root.children[action].state
    return tuple(moves(game.start()))

# %% float32 statistics in the nodes
import numpy as np


class TreeNode(TreeNode):
    def __init__(self, state, parent=None, action=None):
        super().__init__(state, parent, action)
        self.num_visits, self.total_value = np.int32(0), np.float32(0)


swap("backpropagate", "+= 1", "+= np.int32(1)")
swap("backpropagate", "node.total_value += value", "node.total_value = np.float32(node.total_value + np.float32(value))")


def ucb(node, exploration):
    if node.num_visits == 0:
        return np.float32(np.inf)
    n, big = np.float32(node.num_visits), np.float32(node.parent.num_visits)
    return -np.float32(node.total_value) / n + np.float32(exploration) * np.sqrt(np.log(big) / n)

# %% float32 arrays for the bandits
import numpy as np


def ucb1(counts, totals, exploration, rng):
    n, w = np.array(counts, dtype=np.float32), np.array(totals, dtype=np.float32)
    if (n == 0).any():
        return rng.choice(np.flatnonzero(n == 0))
    bounds = w / n + np.float32(exploration) * np.sqrt(np.log(n.sum()) / n)
    return rng.choice(np.flatnonzero(bounds == bounds.max()))


def epsilon_greedy(counts, totals, epsilon, rng):
    if rng.random() < epsilon:
        return np.int64(rng.randrange(len(counts)))
    means = np.array(totals, dtype=np.float32) / np.maximum(np.array(counts), 1)
    return rng.choice(np.argwhere(means == np.amax(means)).flatten())

# %% ints for floats, 0 and 1 for False and True
def simulate(game, state, policy, rng, max_plies=None):
    sign = 1
    while game.outcome(state) is None:
        if max_plies is not None:
            if max_plies <= 0:
                return 0
            max_plies -= 1
        state, sign = game.play(state, policy(game, state, rng)), -sign
    end = game.outcome(state)
    return sign * (int(end) if end == int(end) else end)


def is_terminal(self, game):
    return int(game.outcome(self.state) is not None)


def is_fully_expanded(self, game):
    return 0 if [action for action in game.legal_actions(self.state) if action not in self.children] else 1


TreeNode.is_terminal, TreeNode.is_fully_expanded = is_terminal, is_fully_expanded

# %% totals that begin as ints, and a list for the pair
class TreeNode(TreeNode):
    def __init__(self, state, parent=None, action=None):
        super().__init__(state, parent, action)
        self.total_value = 0


def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if num_simulations < 1 or root.is_terminal(game):
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        leaf = leaf if leaf.is_terminal(game) else expand(game, leaf, rng)
        if leaf.is_terminal(game):
            value = int(game.outcome(leaf.state)) if game.outcome(leaf.state) in (-1, 0, 1) else game.outcome(leaf.state)
        else:
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    best, most = None, 0
    for action, child in root.children.items():
        if child.num_visits > most:
            best, most = action, child.num_visits
    return [best, root]

# %% a class that inherits everything
class Node(TreeNode):
    pass


class TreeNode(Node):
    pass

# %% one helper for all ties
def _random_argmax(options, scores, rng):
    top = max(scores)
    return rng.choice([option for option, score in zip(options, scores) if score == top])


def _bound(mean, visits, total_visits, c):
    return math.inf if visits == 0 else mean + c * math.sqrt(math.log(total_visits) / visits)


def epsilon_greedy(counts, totals, epsilon, rng):
    arms, means = range(len(counts)), [total / count if count else 0 for count, total in zip(counts, totals)]
    return rng.choice(arms) if rng.random() < epsilon else _random_argmax(arms, means, rng)


def ucb1(counts, totals, exploration, rng):
    n = sum(counts)
    scores = [_bound(total / count if count else 0, count, n, exploration) for count, total in zip(counts, totals)]
    return _random_argmax(range(len(counts)), scores, rng)


def ucb(node, exploration):
    n = node.num_visits
    return _bound(-node.total_value / n if n else 0, n, node.parent.num_visits, exploration)


def best_child(node, exploration, rng):
    children = list(node.children.values())
    if not children:
        raise ValueError("no children")
    return _random_argmax(children, [ucb(child, exploration) for child in children], rng)

# %% the search over tables asks ucb1 which action to take
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    legal = game.legal_actions(state)
    if state not in N:
        Q[state], N[state] = {action: 0.0 for action in legal}, {action: 0 for action in legal}
        return evaluate(state)
    counts = [N[state][action] for action in legal]
    action = legal[ucb1(counts, [Q[state][action] * count for action, count in zip(legal, counts)], exploration, rng)]
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    N[state][action] += 1
    Q[state][action] += (value - Q[state][action]) / N[state][action]
    return value

# %% expand asks the node whether there is anything to do, and random_policy draws
class _Untried:
    def __init__(self, game, node):
        self.actions = [action for action in game.legal_actions(node.state) if action not in node.children]

    def legal_actions(self, state):
        return self.actions


def expand(game, node, rng):
    if node.is_terminal(game) or node.is_fully_expanded(game):
        raise ValueError("nothing to expand")
    action = random_policy(_Untried(game, node), node.state, rng)
    node.children[action] = TreeNode(game.play(node.state, action), parent=node, action=action)
    return node.children[action]

# %% all successors are made and one is followed
def simulate(game, state, policy, rng, max_plies=None):
    plies = 0
    while game.outcome(state) is None and plies != max_plies:
        after = {action: game.play(state, action) for action in game.legal_actions(state)}
        state = after[policy(game, state, rng)]
        plies += 1
    value = game.outcome(state)
    return 0.0 if value is None else value if plies % 2 == 0 else -value

# %% nodes that are as long as they have children, and can be gone through
class TreeNode(TreeNode):
    def __len__(self):
        return len(self.children)

    def __iter__(self):
        return iter(self.children.values())

    def __repr__(self):
        return f"<{self.num_visits} visits, {len(self)} children>"

# %% callbacks take some arguments by place and some by keyword
def simulate(game, state, policy, rng, max_plies=None):
    budget, sign = math.inf if max_plies is None else max_plies, 1.0
    while (result := game.outcome(state)) is None:
        if budget <= 0:
            return 0.0
        action = policy(game, rng=rng, state=state)
        state, sign, budget = game.play(state, action), -sign, budget - 1
    return sign * result


def search(game, state, num_simulations, exploration, rng, evaluate=None):
    if game.outcome(state) is not None or num_simulations < 1:
        raise ValueError("nothing to search")
    evaluate = evaluate or (lambda state: simulate(game, state, rng=rng, policy=random_policy))
    root = TreeNode(state)
    for _ in range(num_simulations):
        node = select(game, root, rng=rng, exploration=exploration)
        node = node if node.is_terminal(game) else expand(game, node, rng=rng)
        outcome = game.outcome(node.state)
        backpropagate(node, value=evaluate(state=node.state) if outcome is None else outcome)
    action, _ = max(root.children.items(), key=lambda item: item[1].num_visits)
    return action, root


def self_play(game, num_simulations, exploration, rng, on_move=None):
    played, state = [], game.start()
    while game.outcome(state) is None:
        action, root = search(game, state, num_simulations, rng=rng, exploration=exploration)
        if on_move is not None:
            on_move(root, action=action)
        state = game.play(state, action)
        played.append(action)
    return played

# %% callbacks are bound with functools.partial, and asked for what is missing
from functools import partial


def simulate(game, state, policy, rng, max_plies=None):
    choose, plies = partial(policy, rng=rng, game=game), 0
    while game.outcome(state) is None and (max_plies is None or plies < max_plies):
        state = game.play(state, choose(state=state))
        plies += 1
    return (-1) ** plies * (game.outcome(state) or 0.0)


def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    estimate = evaluate if evaluate is not None else partial(simulate, game, policy=random_policy, rng=rng)
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if game.outcome(leaf.state) is None:
            leaf = expand(game, leaf, rng)
        over = game.outcome(leaf.state)
        backpropagate(leaf, over if over is not None else estimate(state=leaf.state))
    return max(root.children, key=lambda action: root.children[action].num_visits), root


def self_play(game, num_simulations, exploration, rng, on_move=None):
    think = partial(search, game, num_simulations=num_simulations, exploration=exploration, rng=rng)
    states, actions = [game.start()], []
    while game.outcome(states[-1]) is None:
        found = dict(zip(("action", "root"), think(states[-1])))
        if on_move:
            on_move(**found)
        actions.append(found["action"])
        states.append(game.play(states[-1], found["action"]))
    return actions

# %% a numpy generator plays the rollouts, and argmax over all actions makes the move
import numpy as np


def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root, dice = TreeNode(state), np.random.default_rng(rng.getrandbits(64))
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        end, sign = leaf.state, 1.0
        if game.outcome(end) is None and evaluate is not None:
            backpropagate(leaf, evaluate(end))
            continue
        while game.outcome(end) is None:
            valid = np.zeros(game.num_actions)
            valid[game.legal_actions(end)] = 1
            end, sign = game.play(end, dice.choice(np.where(valid)[0])), -sign
        backpropagate(leaf, sign * game.outcome(end))
    visits = np.zeros(game.num_actions, dtype=int)
    for action, child in root.children.items():
        visits[action] = child.num_visits
    return np.argmax(visits), root

# %% the tree grows by numpy's integers, the argmax of random keys and of bounds
import numpy as np


def search(game, state, num_simulations, exploration, rng, evaluate=None):
    if num_simulations < 1 or not game.legal_actions(state):
        raise ValueError("nothing to search")
    root = TreeNode(state)
    for _ in range(num_simulations):
        node = root
        while game.outcome(node.state) is None:
            legal = np.array(game.legal_actions(node.state))
            untried = legal[[action not in node.children for action in legal]]
            if untried.size:
                action = untried[np.argmax([rng.random() for _ in untried])]
                node.children[action] = TreeNode(game.play(node.state, action), node, action)
                node = node.children[action]
                break
            bounds = np.array([ucb(node.children[action], exploration) for action in legal])
            node = node.children[legal[rng.choice(np.flatnonzero(bounds == bounds.max()))]]
        value = game.outcome(node.state)
        if value is None:
            value = simulate(game, node.state, random_policy, rng) if evaluate is None else evaluate(node.state)
        backpropagate(node, value)
    actions, visits = zip(*((action, child.num_visits) for action, child in root.children.items()))
    return actions[np.argmax(visits)], root


def self_play(game, num_simulations, exploration, rng, on_move=None):
    state, actions = game.start(), []
    while game.outcome(state) is None:
        action, root = search(game, state, num_simulations, exploration, rng)
        if on_move is not None:
            on_move(root, np.int64(action))
        actions.append(np.int64(action))
        state = game.play(state, actions[-1])
    return np.array(actions)

# %% single precision on the way up, in the bounds and in the tables
import numpy as np


def backpropagate(node, value):
    path = []
    while node is not None:
        path.append(node)
        node = node.parent
    changes = np.float32(value) * np.where(np.arange(len(path)) % 2, np.float32(-1), np.float32(1))
    for node, change in zip(path, changes):
        node.num_visits += 1
        node.total_value = change + np.float32(node.total_value)


def ucb(node, exploration):
    w, n, parent = np.array([node.total_value, node.num_visits, node.parent.num_visits], dtype=np.float32)
    if n == 0:
        return np.float32("inf")
    return np.float32(exploration) * np.sqrt(np.log(parent) / n) - w / n


def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    legal = game.legal_actions(state)
    if state not in N:
        Q[state] = dict(zip(legal, np.zeros(len(legal), dtype=np.float32)))
        N[state] = dict(zip(legal, np.zeros(len(legal), dtype=np.int64)))
        return evaluate(state)
    q, n = (np.array([table[state][action] for action in legal], dtype=np.float32) for table in (Q, N))
    if n.all():
        bounds = q + np.float32(exploration) * np.sqrt(np.log(n.sum()) / n)
        choices = np.flatnonzero(bounds == bounds.max())
    else:
        choices = np.flatnonzero(n == 0)
    action = legal[choices[rng.randrange(len(choices))]]
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    N[state][action] += 1
    Q[state][action] += np.float32((value - Q[state][action]) / N[state][action])
    return value

# %% whole numbers as long as they are whole
def _tidy(number):
    return int(number) if number == int(number) else number


def simulate(game, state, policy, rng, max_plies=None):
    plies = 0
    while game.outcome(state) is None and plies != max_plies:
        state, plies = game.play(state, policy(game, state, rng)), plies + 1
    result = game.outcome(state)
    return 0 if result is None else _tidy(result) if plies % 2 == 0 else _tidy(-result)


def backpropagate(node, value):
    while node is not None:
        node.num_visits, node.total_value = node.num_visits + 1, _tidy(node.total_value + value)
        node, value = node.parent, -value


def ucb(node, exploration):
    if not node.num_visits:
        return math.inf
    bonus = exploration * math.sqrt(math.log(node.parent.num_visits) / node.num_visits)
    return _tidy(bonus - node.total_value / node.num_visits)


def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    if game.outcome(state) is not None:
        return _tidy(game.outcome(state))
    if state not in N:
        Q[state], N[state] = ({action: 0 for action in game.legal_actions(state)} for _ in range(2))
        return _tidy(evaluate(state))
    q, n = Q[state], N[state]
    actions = [action for action in n if not n[action]]
    if not actions:
        log = math.log(sum(n.values()))
        scores = {action: q[action] + exploration * math.sqrt(log / n[action]) for action in n}
        actions = [action for action, score in scores.items() if score >= max(scores.values())]
    action = actions[rng.randrange(len(actions))]
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    q[action] = _tidy((q[action] * n[action] + value) / (n[action] + 1))
    n[action] += 1
    return value

# %% a finished node is refused by is_terminal, and a tie in the tables is decided by best_child
def expand(game, node, rng):
    if node.is_terminal(game):
        raise ValueError("the game is over")
    untried = list(filter(lambda action: action not in node.children, game.legal_actions(node.state)))
    if not untried:
        raise ValueError("every action has its child")
    action = rng.choice(untried)
    child = TreeNode(parent=node, action=action, state=game.play(node.state, action))
    node.children[action] = child
    return child


def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    node = TreeNode(state)
    if node.is_terminal(game):
        return game.outcome(state)
    if state not in N:
        Q[state], N[state] = {}, {}
        for action in game.legal_actions(state):
            Q[state][action], N[state][action] = 0.0, 0
        return evaluate(state)
    for action, visits in N[state].items():  # the edges as children: what is a mean here is minus a total there
        child = node.children[action] = TreeNode(None, node, action)
        child.num_visits, child.total_value = visits, -Q[state][action] * visits
    node.num_visits = sum(N[state].values())
    action = best_child(node, exploration, rng).action
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    N[state][action] += 1
    Q[state][action] += (value - Q[state][action]) / N[state][action]
    return value

# %% expand goes on while is_fully_expanded and is_terminal allow it, and the tables ask ucb1 on the way of a loop
def expand(game, node, rng):
    over, full = node.is_terminal(game), node.is_fully_expanded(game)
    if over or full:
        raise ValueError("over" if over else "full")
    actions = game.legal_actions(node.state)
    rng.shuffle(actions)
    action = next(action for action in actions if action not in node.children)
    return node.children.setdefault(action, TreeNode(game.play(node.state, action), node, action))


def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    way = []
    while state in N:
        actions, counts = list(N[state]), list(N[state].values())
        arm = ucb1(counts, [mean * count for mean, count in zip(Q[state].values(), counts)], exploration, rng)
        way.append((Q[state], N[state], actions[arm]))
        state = game.play(state, actions[arm])
    value = game.outcome(state)
    if value is None:
        value = evaluate(state)
        Q[state], N[state] = dict.fromkeys(game.legal_actions(state), 0.0), dict.fromkeys(game.legal_actions(state), 0)
    for q, n, action in way[::-1]:
        value = -value
        n[action] += 1
        q[action] += (value - q[action]) / n[action]
    return value

# %% untried arms are found before ucb1 is asked about the others, and expand looks at the outcome through a node of its own
def expand(game, node, rng):
    if TreeNode(node.state).is_terminal(game):
        raise ValueError("nothing to expand where the game is over")
    missing = set(game.legal_actions(node.state)).difference(node.children)
    if len(missing) == 0:
        raise ValueError("nothing is missing")
    action = random.Random(rng.getrandbits(64)).choice(sorted(missing))
    node.children[action] = TreeNode(game.play(node.state, action), node, action)
    return node.children[action]


def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    if (outcome := game.outcome(state)) is not None:
        return outcome
    if state not in Q:
        Q[state] = {action: 0.0 for action in game.legal_actions(state)}
        N[state] = {action: 0 for action in Q[state]}
        return evaluate(state)
    visits, means = N[state], Q[state]
    new = [action for action, count in visits.items() if count == 0]
    if new:
        action = rng.choice(new)
    else:
        totals = [means[action] * visits[action] for action in visits]
        action = [*visits][ucb1(counts=[*visits.values()], totals=totals, exploration=exploration, rng=rng)]
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    visits[action] += 1
    means[action] = means[action] + (value - means[action]) / visits[action]
    return value

# %% a tree that inherits everything, and a game that is played as a program only
class TreeNode(TreeNode):
    pass


if __name__ == "__main__":
    board = TicTacToe()
    for number in (10, 100, 1000):
        print(number, search(board, board.start(), number, 1.0, random.Random(number))[0])
    print(self_play(board, 50, 1.0, random.Random(0), on_move=lambda root, action: print(root.num_visits, action)))

# %% states are copied deeply before they are played with, and written into a trace
import copy


def simulate(game, state, policy, rng, max_plies=None):
    now, trace = copy.deepcopy(state), [game.text(state)]
    while game.outcome(now) is None and len(trace) - 1 != max_plies:
        now = game.play(now, policy(game, copy.deepcopy(now), rng))
        trace.append(game.text(now))
    result = game.outcome(now)
    return 0.0 if result is None else result * (-1) ** (len(trace) - 1)


def expand(game, node, rng):
    untried = [action for action in game.legal_actions(node.state) if action not in node.children]
    if not untried:
        raise ValueError(f"nothing to expand at {node.state!r}")
    action = rng.choice(untried)
    node.children[action] = TreeNode(game.play(copy.deepcopy(node.state), action), node, action)
    return node.children[action]


def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(copy.deepcopy(state))
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError(f"nothing to search at {state}")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(copy.deepcopy(leaf.state)) if evaluate else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    return max(root.children, key=lambda action: root.children[action].num_visits), root


def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    state = copy.deepcopy(state)
    if state not in N:
        Q[state] = {action: 0.0 for action in game.legal_actions(state)}
        N[state] = {action: 0 for action in game.legal_actions(state)}
        return evaluate(copy.deepcopy(state))
    n = sum(N[state].values())
    bounds = {a: Q[state][a] + exploration * math.sqrt(math.log(n) / N[state][a]) if N[state][a] else math.inf for a in N[state]}
    action = rng.choice([a for a in bounds if bounds[a] == max(bounds.values())])
    value = -recursive_search(game, game.play(copy.deepcopy(state), action), Q, N, exploration, rng, evaluate)
    N[state][action] += 1
    Q[state][action] += (value - Q[state][action]) / N[state][action]
    return value

# %% functions are lambdas, partials and callable objects
from functools import partial


class Backpropagation:
    def __call__(self, node, value):
        for sign in iter(lambda: 1, 0):
            node.num_visits += 1
            node.total_value += value
            node, value = node.parent, -value
            if node is None:
                return


def _highest(node, exploration, rng, *, bound):
    if not node.children:
        raise ValueError("no children")
    top = max(bound(child, exploration) for child in node.children.values())
    return rng.choice([child for child in node.children.values() if bound(child, exploration) == top])


backpropagate = Backpropagation()
ucb = lambda node, exploration: (
    math.inf if node.num_visits == 0 else
    exploration * math.sqrt(math.log(node.parent.num_visits) / node.num_visits) - node.total_value / node.num_visits)
best_child = partial(_highest, bound=ucb)
TreeNode.is_terminal = lambda self, game: game.outcome(self.state) is not None

# %% the bug in a tree as a list, from a name
_named = first_wrong_node()


def first_wrong_node():
    answer = {"node": _named[0], "kind": _named[1]}
    return [answer["node"], answer["kind"]]

# %% 2.15 as a test class would be written, one property a method
class TestBackpropagate:
    def __init__(self, backpropagate):
        self.backpropagate = backpropagate

    def chain(self, plies):
        nodes = [TreeNode(0)]
        for place in range(1, plies):
            nodes.append(TreeNode(place, nodes[-1], 0))
            nodes[-2].children[0] = nodes[-1]
        return nodes

    def every_node_is_visited(self):
        nodes = self.chain(20)
        for value in (1.0, 0.0, -1.0):
            self.backpropagate(nodes[-1], value)
        assert [node.num_visits for node in nodes] == [3] * 20

    def signs_alternate_and_results_add_up(self):
        nodes = self.chain(5)
        self.backpropagate(nodes[-1], 1.0)
        self.backpropagate(nodes[-1], 0.5)
        assert [node.total_value for node in nodes] == [1.5, -1.5, 1.5, -1.5, 1.5]

    def others_stay(self):
        nodes = self.chain(3)
        beside = nodes[1].children[1] = TreeNode("beside", nodes[1], 1)
        self.backpropagate(nodes[2], 1.0)
        assert (beside.num_visits, beside.total_value) == (0, 0.0)


def check_backpropagate(backpropagate):
    test = TestBackpropagate(backpropagate)
    test.every_node_is_visited()
    test.signs_alternate_and_results_add_up()
    test.others_stay()

# %% 2.15 with random trees against numbers worked out beside them
def check_backpropagate(backpropagate):
    rng = random.Random(215)
    nodes = [TreeNode(0)]
    for place in range(1, 60):
        parent = nodes[max(0, place - rng.randint(1, 3))]
        parent.children[len(parent.children)] = TreeNode(place, parent, len(parent.children))
        nodes.append(parent.children[len(parent.children) - 1])
    visits, totals = [0] * 60, [0.0] * 60
    for _ in range(200):
        place, value = rng.randrange(60), rng.choice([-1.0, -0.5, 0.0, 0.5, 1.0])
        backpropagate(nodes[place], value)
        node, sign = nodes[place], 1
        while node is not None:
            visits[node.state] += 1
            totals[node.state] += sign * value
            node, sign = node.parent, -sign
    assert [node.num_visits for node in nodes] == visits
    assert all(abs(node.total_value - total) < 1e-6 for node, total in zip(nodes, totals))

# %% 2.15 against an implementation of its own, on two equal trees
import copy


def _mine(node, value):
    while node:
        node.num_visits += 1
        node.total_value += value
        node, value = node.parent, -value


def check_backpropagate(backpropagate):
    leaf = TreeNode("top")
    for depth in range(15):
        leaf.children[1] = TreeNode("aside", leaf, 1)
        leaf.children[0] = TreeNode(depth, leaf, 0)
        leaf = leaf.children[0]
    twin = copy.deepcopy(leaf)
    for value in (1.0, -0.5, 0.0, 0.25):
        backpropagate(leaf, value)
        _mine(twin, value)
    while leaf:
        assert (leaf.num_visits, leaf.total_value) == (twin.num_visits, twin.total_value)
        assert all(one.num_visits == 0 for number, one in leaf.children.items() if number == 1)
        leaf, twin = leaf.parent, twin.parent

# %% 2.15 with raise in the place of assert, and an exception of its own kind
class WrongImplementation(AssertionError):
    pass


def check_backpropagate(backpropagate):
    root = TreeNode("root")
    nodes = [root]
    for depth in range(30):
        nodes.append(TreeNode(depth, nodes[-1], 0))
        nodes[-2].children = {0: nodes[-1], 1: TreeNode("other", nodes[-2], 1)}
    root.num_visits, root.total_value = 4, 2.0
    backpropagate(nodes[-1], 0.0)
    backpropagate(nodes[-1], -0.5)
    if root.num_visits != 6 or root.total_value != 1.5:
        raise WrongImplementation("root")
    for height, node in enumerate(reversed(nodes[1:])):
        if node.num_visits != 2 or node.total_value != (0.5 if height % 2 else -0.5):
            raise WrongImplementation(node.state)
    if any(node.children[1].num_visits for node in nodes[:-1]):
        raise WrongImplementation("other")

# %% 2.15 by its laws alone: the sum of neighbours, the number of calls
def check_backpropagate(backpropagate):
    path = [TreeNode(0)]
    for _ in range(24):
        path.append(TreeNode(len(path), path[-1], 0))
        path[-2].children.update({0: path[-1], 5: TreeNode("five", path[-2], 5)})
    for value in [0.5, 0.0, -1.0, 0.75]:
        backpropagate(node=path[-1], value=value)
    assert path[-1].total_value == 0.25, "what is given is what the leaf gets"
    for above, below in zip(path, path[1:]):
        assert above.total_value + below.total_value == 0, "what one wins the other loses"
        assert above.num_visits == below.num_visits == 4
        assert above.children[5].num_visits == 0
