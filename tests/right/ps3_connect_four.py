# Right answers to ps3_connect_four in other styles. Each cell is appended to the solution; `make verify` wants all of its points.

# %% recursive backup and tree_policy
def backup(node, rewards):
    if node is None:
        return
    node.num_visits += 1
    node.q += rewards[node.last_player]
    backup(node.parent, rewards)


def tree_policy(game, node, c, rng):
    if node.outcome is not None:
        return node
    if set(node.children) != set(node.legal):
        return expand(game, node, rng)
    return tree_policy(game, best_child(node, c), c, rng)


def default_policy(game, state, rng):
    outcome = game.outcome(state)
    if outcome is None:
        return default_policy(game, game.play(state, rng.choice(game.legal_actions(state))), rng)
    rewards = [0.0, 0.0]
    rewards[game.player(state)] += outcome
    rewards[1 - game.player(state)] -= outcome
    return tuple(rewards)

# %% numpy everywhere
import numpy as np


def default_policy(game, state, rng):
    while game.outcome(state) is None:
        legal = np.array(game.legal_actions(state))
        state = game.play(state, int(legal[int(rng.random() * len(legal))]))
    sign = np.array([1.0, -1.0]) if game.player(state) == 0 else np.array([-1.0, 1.0])
    return tuple(sign * game.outcome(state))


def bound(node, c):
    with np.errstate(divide="ignore", invalid="ignore"):
        if not node.num_visits:
            return np.inf
        return np.float64(node.q) / node.num_visits + c * np.sqrt(2 * np.log(node.parent.num_visits) / node.num_visits)


def best_child(node, c):
    children = list(node.children.values())
    if not children:
        raise ValueError("no children")
    return children[np.argmax([bound(child, c) for child in children])]


def expand(game, node, rng):
    untried = np.setdiff1d(np.array(node.legal, dtype=int), np.array(list(node.children), dtype=int))
    if untried.size == 0:
        raise ValueError("nothing to expand")
    action = int(untried[rng.randrange(untried.size)])
    child = node.children[action] = Node(game, game.play(node.state, action), node, action)
    return child


def pass_probability(p, games, needed):
    wins = np.arange(max(needed, 0), games + 1)
    with np.errstate(under="ignore", divide="ignore", invalid="ignore"):
        if games < 1000:
            return np.float64(sum(math.comb(games, int(k)) * p ** int(k) * (1 - p) ** int(games - k) for k in wins))
        log_factorial = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, games + 1)))])
        logs = log_factorial[games] - log_factorial[wins] - log_factorial[games - wins]
        logs = logs + np.where(wins == 0, 0.0, wins * np.log(p)) + np.where(wins == games, 0.0, (games - wins) * np.log1p(-p))
        return np.exp(logs).sum()


def simulated_pass_rate(win, draw, games, needed, num_exams, rng):
    luck = np.array([[rng.random() for _ in range(games)] for _ in range(num_exams)])
    scores = (luck < win).sum(axis=1) + 0.5 * ((luck >= win) & (luck < win + draw)).sum(axis=1)
    return np.mean(scores >= needed)

# %% a node class of one's own, with a list of untried actions and children in a list
# at home: the lesson's children are a dict, and the visible checks put nodes into it
class Node:
    def __init__(self, game, state, parent=None, action=None):
        self.state, self.parent, self.action = state, parent, action
        self.untried = game.legal_actions(state)
        self.outcome = game.outcome(state)
        self.last_player = 1 - game.player(state)
        self.children, self.num_visits, self.q, self.proven = [], 0, 0.0, None
        self.number_of_actions = len(self.untried)


def best_child(node, c):
    if not node.children:
        raise ValueError("no children")
    return max(node.children, key=lambda child: bound(child, c))


def expand(game, node, rng):
    if not node.untried:
        raise ValueError("nothing to expand")
    action = node.untried.pop(rng.randrange(len(node.untried)))
    node.children.append(Node(game, game.play(node.state, action), node, action))
    return node.children[-1]


def tree_policy(game, node, c, rng):
    while node.outcome is None:
        if node.untried:
            return expand(game, node, rng)
        node = best_child(node, c)
    return node


def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    started, root = clock(), Node(game, state)
    if root.outcome is not None or (simulations is None) == (seconds is None):
        raise ValueError("over, or not one budget")
    if (simulations if seconds is None else seconds + 1) < 1:
        raise ValueError("too small")
    if root.number_of_actions == 1:
        return root.untried[0], root
    while root.num_visits == 0 or (root.num_visits < simulations if seconds is None else clock() < started + seconds):
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
    return max(root.children, key=lambda child: child.num_visits).action, root


def choose(self, state, simulations, rng):
    if self.game.outcome(state) is not None or simulations < 1:
        raise ValueError("nothing to search")
    if not self.root or self.root.state != state:
        self.root = Node(self.game, state)
    for _ in range(simulations):
        leaf = tree_policy(self.game, self.root, self.c, rng)
        backup(leaf, (self.rollout or default_policy)(self.game, leaf.state, rng))
    return max(self.root.children, key=lambda child: child.num_visits).action


def observe(self, action):
    found = [child for child in self.root.children if child.action == action] if self.root else []
    self.root = found[0] if found else None
    if found:
        self.root.parent = None


Searcher.choose, Searcher.observe = choose, observe


def prove(node):
    if node.outcome:
        node.proven = node.outcome
    while node.parent and node.proven is not None:
        node = node.parent
        known = [child.proven for child in node.children]
        if any(value == -1 for value in known):
            node.proven = 1.0
        elif known.count(1.0) == node.number_of_actions:
            node.proven = -1.0
        else:
            return


def solve(game, state, simulations, rng):
    root = Node(game, state)
    if root.outcome is not None or simulations < 1:
        raise ValueError("nothing to solve")
    for _ in range(simulations):
        node = root
        while node.outcome is None and not node.untried:
            node = max((child for child in node.children if child.proven is None), key=lambda child: bound(child, C))
        node = expand(game, node, rng) if node.outcome is None else node
        backup(node, default_policy(game, node.state, rng))
        prove(node)
        if root.proven is not None:
            break
    for wanted in (-1.0, None, 1.0):
        some = [child for child in root.children if child.proven == wanted]
        if some:
            return max(some, key=lambda child: child.num_visits).action, root

# %% the clock is read twice in every simulation, and the deadline is worked out first
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    if [simulations, seconds].count(None) != 1:
        raise ValueError("one budget, please")
    if game.outcome(state) is not None:
        raise ValueError("the game is over")
    if seconds is None and simulations <= 0 or simulations is None and seconds < 0:
        raise ValueError("no budget")
    root = Node(game, state)
    if len(root.legal) == 1:
        return root.legal[0], root
    deadline = math.inf if seconds is None else clock() + seconds
    done = 0
    while done == 0 or (done < simulations if seconds is None else clock() < deadline and clock() < deadline):
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        done += 1
    best = max(child.num_visits for child in root.children.values())
    return rng.choice([action for action, child in root.children.items() if child.num_visits == best]), root

# %% the single legal move stands in the tree, without a visit
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("over")
    if simulations is None and seconds is None or simulations is not None and seconds is not None:
        raise ValueError("budget")
    if simulations is not None and simulations < 1 or seconds is not None and seconds < 0:
        raise ValueError("budget")
    if len(game.legal_actions(state)) == 1:
        return expand(game, root, rng).action, root
    enough = (lambda: root.num_visits >= simulations) if seconds is None else (lambda: clock() - started >= seconds)
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        if enough():
            return max(root.children.values(), key=lambda child: child.num_visits).action, root

# %% ties are broken at random, everywhere
def best_child(node, c):
    children = list(node.children.values())
    if not children:
        raise ValueError("no children")
    random.shuffle(children)
    return max(children, key=lambda child: bound(child, c))

# %% best_child begins with the lowest reward that a game gives
def best_child(node: Node, c: float) -> Node:
    if not node.children:
        raise ValueError("this node has no children yet")
    chosen, highest = None, -1.0
    for child in node.children.values():
        score = bound(child, c)
        if score >= highest:
            chosen, highest = child, score
    return chosen


# %% the last of several best children
def best_child(node, c):
    best, highest = None, -math.inf
    for child in node.children.values():
        if bound(child, c) >= highest:
            best, highest = child, bound(child, c)
    if best is None:
        raise ValueError("no children")
    return best

# %% expand shuffles the untried actions
def expand(game, node, rng):
    untried = sorted(set(node.legal) - set(node.children))
    rng.shuffle(untried)
    if not untried:
        raise ValueError("nothing to expand")
    action = untried.pop()
    return node.children.setdefault(action, Node(game, game.play(node.state, action), parent=node, action=action))

# %% the searcher looks outcomes up instead of rolling out where the game is over
def choose(self, state, simulations, rng):
    if simulations <= 0 or self.game.outcome(state) is not None:
        raise ValueError("nothing to do")
    root = self.root if self.root is not None and self.root.state == state else Node(self.game, state)
    self.root = root
    rollout = default_policy if self.rollout is None else self.rollout
    wanted = root.num_visits + simulations
    while root.num_visits < wanted:
        leaf = tree_policy(self.game, root, self.c, rng)
        if leaf.outcome is None:
            rewards = rollout(self.game, leaf.state, rng)
        else:
            rewards = (leaf.outcome, -leaf.outcome) if leaf.last_player == 1 else (-leaf.outcome, leaf.outcome)
        backup(leaf, rewards)
    visits = {child.num_visits: action for action, child in root.children.items()}
    return visits[max(visits)]


def observe(self, action):
    if self.root is None:
        return
    below = self.root.children.pop(action, None)
    if below is not None:
        below.parent = None
    self.root = below


Searcher.choose, Searcher.observe = choose, observe

# %% proofs by recursion, and a search that filters with the proof
def prove(node):
    if node is None:
        return
    if node.outcome is not None:
        if node.outcome == 0:
            return
        node.proven = float(node.outcome)
    else:
        proofs = {child.proven for child in node.children.values()}
        if -1.0 in proofs:
            node.proven = 1.0
        elif proofs == {1.0} and sorted(node.children) == list(node.legal):
            node.proven = -1.0
    if node.proven:
        prove(node.parent)


def solve(game, state, simulations, rng):
    if game.outcome(state) is not None or simulations < 1:
        raise ValueError("nothing to solve")
    root = Node(game, state)

    def way(node):
        if node.outcome is not None:
            return node
        if len(node.children) < len(node.legal):
            return expand(game, node, rng)
        return way(max(node.children.values(), key=lambda child: -1e9 if child.proven is not None else bound(child, C)))

    for _ in range(simulations):
        leaf = way(root)
        prove(leaf)  # before the backup: the order does not matter
        backup(leaf, default_policy(game, leaf.state, rng))
        if root.proven:
            break
    ranks = {-1.0: 2, None: 1, 1.0: 0}
    return max(root.children, key=lambda a: (ranks[root.children[a].proven], root.children[a].num_visits)), root

# %% tactics that look no further than they must
def tactical_action(game, state, rng):
    actions = game.legal_actions(state)
    if not actions:
        raise ValueError("over")
    rng.shuffle(actions)  # then the first that fits is any of them
    after_each = [(action, game.play(state, action)) for action in actions]
    for action, below in after_each:
        if game.outcome(below) == -1:
            return action
    for action, below in after_each:
        if not any(game.outcome(game.play(below, reply)) == -1 for reply in game.legal_actions(below)):
            return action
    return actions[0]


def tactical_rollout(game, state, rng):
    outcome, plies, first = game.outcome(state), 0, game.player(state)
    while outcome is None:
        state = game.play(state, tactical_action(game, state, rng))
        outcome, plies = game.outcome(state), plies + 1
    r0 = outcome * (-1) ** (plies + first)
    return r0, -r0

# %% exams by dynamic programming and by two random numbers a game
def pass_probability(p, games, needed):
    chances = [1.0]
    for _ in range(games):
        chances = [a * (1 - p) + b * p for a, b in zip([*chances, 0.0], [0.0, *chances])]
    return round(sum(chance for wins, chance in enumerate(chances) if wins >= needed), 12)


def simulated_pass_rate(win, draw, games, needed, num_exams, rng):
    def game():
        if rng.random() < win:
            return 2
        return 1 if rng.random() * (1 - win) < draw else 0

    return sum(sum(game() for _ in range(games)) >= 2 * needed for _ in range(num_exams)) / num_exams


def smallest_exam(weak, strong, error):
    for games in range(1, 10_000):
        for needed in range(games + 1):
            if pass_probability(weak, games, needed) <= error:
                if 1 - pass_probability(strong, games, needed) <= error:
                    return games, needed
                break

# %% numpy chooses the moves, seeded by rng, and they stay numpy integers
import numpy as np


def default_policy(game, state, rng):
    dice = np.random.RandomState(rng.getrandbits(32))
    while game.outcome(state) is None:
        state = game.play(state, dice.choice(np.array(game.legal_actions(state))))
    value = game.outcome(state)
    return np.array([value, -value] if game.player(state) == 0 else [-value, value])


def expand(game, node, rng):
    untried = np.array([action for action in node.legal if action not in node.children])
    if len(untried) == 0:
        raise ValueError("nothing to expand")
    action = untried[rng.randrange(len(untried))]
    node.children[action] = Node(game, game.play(node.state, action), node, action)
    return node.children[action]


def tactical_action(game, state, rng):
    def wins_at(at):
        return np.array([game.outcome(game.play(at, action)) == -1.0 for action in np.array(game.legal_actions(at))], dtype=bool)

    legal = np.array(game.legal_actions(state))
    if legal.size == 0:
        raise ValueError("over")
    wins = wins_at(state)
    safe = np.array([not wins_at(game.play(state, action)).any() for action in legal])
    left = legal[wins] if wins.any() else legal[safe] if safe.any() else legal
    return left[rng.randrange(len(left))]

# %% all positions after a move are made, and one of them is taken
def default_policy(game, state, rng):
    while game.outcome(state) is None:
        state = rng.choice([game.play(state, action) for action in game.legal_actions(state)])
    value = game.outcome(state)
    return [value, 0.0 - value] if game.player(state) == 0 else [0.0 - value, value]


def expand(game, node, rng):
    positions = {action: game.play(node.state, action) for action in node.legal if action not in node.children}
    if not positions:
        raise ValueError("nothing to expand")
    action = rng.choice(sorted(positions))
    node.children[action] = Node(game, positions[action], node, action)
    return node.children[action]

# %% the whole search in one function, which looks at all positions after each move
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    deadline = None if seconds is None else clock() + seconds
    root = Node(game=game, state=state)
    if root.outcome is not None or (simulations is None) is (seconds is None):
        raise ValueError("over, or not one budget")
    if simulations is not None and simulations <= 0 or seconds is not None and seconds < 0:
        raise ValueError("too small")
    if len(root.legal) == 1:
        return [root.legal[0], root]
    while root.num_visits < (simulations or 1) or (deadline is not None and clock() < deadline):
        leaf = tree_policy(game=game, node=root, c=C, rng=rng)
        at = leaf.state
        while game.outcome(at) is None:
            at = rng.choice([game.play(at, action) for action in game.legal_actions(at)])
        value = game.outcome(at)
        backup(leaf, [value, -value] if game.player(at) == 0 else [-value, value])
    return sorted(root.children.items(), key=lambda item: -item[1].num_visits)[0][0], root

# %% the rollout is called with the names of its parameters
def choose(self, state, simulations, rng):
    if simulations < 1 or self.game.outcome(state) is not None:
        raise ValueError("nothing to search")
    if self.root is None or not self.root.state == state:
        self.root = Node(self.game, state)
    rollout = default_policy if self.rollout is None else self.rollout
    for _ in range(simulations):
        leaf = tree_policy(self.game, self.root, c=self.c, rng=rng)
        backup(node=leaf, rewards=rollout(game=self.game, state=leaf.state, rng=rng))
    return max(self.root.children.values(), key=lambda child: child.num_visits).action


Searcher.choose = choose

# %% sums and bounds in float32, visits in numpy's integers
import numpy as np


swap("backup", "node.num_visits += 1", "node.num_visits = np.int32(node.num_visits + 1)")
swap("backup", "node.q += rewards[node.last_player]", "node.q = np.float32(node.q + rewards[node.last_player])")


def bound(node, c):
    if node.num_visits == 0:
        return np.float32(np.inf)
    return np.float32(node.q / node.num_visits + c * np.sqrt(2 * np.log(node.parent.num_visits) / node.num_visits))

# %% whole numbers for rewards, proofs and probabilities that are whole
def whole(value):
    return int(value) if value == int(value) else value


_solution_default_policy, _solution_prove, _solution_pass_probability = default_policy, prove, pass_probability


def default_policy(game, state, rng):
    return tuple(map(whole, _solution_default_policy(game, state, rng)))


def tactical_rollout(game, state, rng):
    while game.outcome(state) is None:
        state = game.play(state, tactical_action(game, state, rng))
    return default_policy(game, state, rng)  # it tells the rewards of a finished game


def prove(node):
    _solution_prove(node)
    while node is not None and node.proven is not None:
        node.proven, node = whole(node.proven), node.parent


def pass_probability(p, games, needed):
    return whole(_solution_pass_probability(p, games, needed))

# %% a class that inherits everything
class Searcher(Searcher):
    pass

# %% a class that inherits its manners from one of one's own
class TreeKeeper:
    def __init__(self, game, rollout=None, c=C):
        self.game, self.rollout, self.c, self.root = game, rollout, c, None

    def observe(self, action):
        child = self.root.children.get(action) if self.root else None
        if child:
            child.parent = None
        self.root = child


class Searcher(TreeKeeper):
    def choose(self, state, simulations, rng):
        if simulations < 1 or self.game.outcome(state) is not None:
            raise ValueError("nothing to search")
        if not (self.root and self.root.state == state):
            self.root = Node(self.game, state)
        for _ in range(simulations):
            leaf = tree_policy(self.game, self.root, self.c, rng)
            backup(leaf, (self.rollout or default_policy)(self.game, leaf.state, rng))
        best = max(child.num_visits for child in self.root.children.values())
        return rng.choice([action for action, child in self.root.children.items() if child.num_visits == best])

# %% one helper tells the rewards of every ending
def rewards_at(game, state):
    outcome = game.outcome(state)
    return None if outcome is None else (outcome, -outcome)[:: 1 if game.player(state) == 0 else -1]


def play_out(game, state, choose):
    while rewards_at(game, state) is None:
        state = game.play(state, choose(state))
    return rewards_at(game, state)


def default_policy(game, state, rng):
    return play_out(game, state, lambda at: rng.choice(game.legal_actions(at)))


def tactical_rollout(game, state, rng):
    return play_out(game, state, lambda at: tactical_action(game, at, rng))

# %% the solver hides proven children while tree_policy goes down
def solve(game, state, simulations, rng):
    root = Node(game, state)
    if root.outcome is not None or simulations < 1:
        raise ValueError("nothing to solve")
    while root.proven is None and root.num_visits < simulations:
        node = root
        while node.outcome is None and len(node.children) == len(node.legal):
            everything = node.children
            node.children = {action: child for action, child in everything.items() if child.proven is None}
            best = best_child(node, C)
            node.children = everything
            node = best
        leaf = tree_policy(game, node, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        prove(leaf)
    won = [action for action, child in root.children.items() if child.proven == -1]
    open_ = [action for action, child in root.children.items() if child.proven is None]
    return max(won or open_ or root.children, key=lambda action: root.children[action].num_visits), root

# %% the game's own rules are asked again in place of the node's fields
swap("tree_policy", "node.outcome is None", "game.outcome(node.state) is None")
swap("tree_policy", "len(node.children) < len(node.legal)",
     "any(action not in node.children for action in game.legal_actions(node.state))")


def prove(node):
    if node.outcome:
        node.proven = node.outcome
    while node.proven and node.parent is not None:
        node = node.parent
        if any(child.proven == -1 for child in node.children.values()):
            node.proven = 1
        elif all(action in node.children and node.children[action].proven == 1 for action in node.legal):
            node.proven = -1

# %% exams by fractions and by sums of drawn half points
from fractions import Fraction


def pass_probability(p, games, needed):
    chance = Fraction(p)
    terms = (math.comb(games, k) * chance**k * (1 - chance) ** (games - k) for k in range(max(needed, 0), games + 1))
    return float(sum(terms)) if games <= 60 else float(sum(map(float, terms)))


def simulated_pass_rate(win, draw, games, needed, num_exams, rng):
    points = [rng.choices([1, 0.5, 0], [win, draw, max(0.0, 1 - win - draw)], k=games) for _ in range(num_exams)]
    return sum(sum(exam) >= needed for exam in points) / len(points)


def smallest_exam(weak, strong, error):
    def tail(p, games):
        chances = [math.comb(games, k) * p**k * (1 - p) ** (games - k) for k in range(games + 1)]
        return [math.fsum(chances[k:]) for k in range(games + 2)]

    games = 1
    while True:
        needed = next(k for k, chance in enumerate(tail(weak, games)) if chance <= error)
        if tail(strong, games)[needed] >= 1 - error:
            return [games, needed]
        games += 1

# %% a rollout plays the argmax of random keys, and one that hits numpy's mask
import numpy as np


def default_policy(game, state, rng):
    while (outcome := game.outcome(state)) is None:
        keys = np.full(game.num_actions, -np.inf)
        for action in game.legal_actions(state):
            keys[action] = rng.random()
        state = game.play(state, np.argmax(keys))
    rewards = np.array([outcome, -outcome])
    return rewards if game.player(state) == 0 else rewards[::-1]


def tactical_action(game, state, rng):
    def winning(at):
        wins = np.zeros(game.num_actions, dtype=bool)
        for action in np.array(game.legal_actions(at), dtype=np.int64):
            wins[action] = game.outcome(game.play(at, action)) == -1
        return wins

    legal = np.zeros(game.num_actions, dtype=bool)
    legal[game.legal_actions(state)] = True
    if not legal.any():
        raise ValueError("the game is over")
    wins = winning(state)
    if not wins.any():
        safe = np.array([legal[a] and not winning(game.play(state, a)).any() for a in np.arange(game.num_actions)])
        wins = safe if safe.any() else legal
    return rng.choice(np.where(wins)[0])

# %% a numpy generator draws each move of a rollout from np.flatnonzero
import numpy as np


def default_policy(game, state, rng):
    dice = np.random.default_rng(rng.getrandbits(64))
    while game.outcome(state) is None:
        valid = np.isin(np.arange(game.num_actions), game.legal_actions(state))
        state = game.play(state, dice.choice(np.flatnonzero(valid)))
    sign = 1 - 2 * game.player(state)
    return np.float32(sign * game.outcome(state)), np.float32(-sign * game.outcome(state))

# %% every successor is made before one is followed: in a dict of the actions
def successors(game, state):
    return {action: game.play(state, action) for action in game.legal_actions(state)}


def default_policy(game, state, rng):
    while (after := successors(game, state)):
        state = after[rng.choice(list(after))]
    value = game.outcome(state)
    rewards = {game.player(state): value, 1 - game.player(state): 0.0 - value}
    return rewards[0], rewards[1]


def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    began = clock()
    after = successors(game, state)
    if not after or (simulations is None) == (seconds is None):
        raise ValueError("over, or not one budget")
    if (seconds is None and simulations < 1) or (simulations is None and seconds < 0):
        raise ValueError("too small a budget")
    root = Node(game, state)
    if len(after) == 1:
        (action,) = after
        return action, root
    while True:
        leaf = tree_policy(game, root, C, rng)
        at = leaf.state
        while game.outcome(at) is None:
            below = successors(game, at)
            at = below[rng.choice(sorted(below))]
        value = game.outcome(at)
        backup(leaf, (value, -value) if game.player(at) == 0 else (-value, value))
        if root.num_visits == simulations or seconds is not None and clock() - began >= seconds:
            return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% every successor is made before one is followed: recursively, and for all children of a node
def default_policy(game, state, rng):
    after = [game.play(state, action) for action in game.legal_actions(state)]
    if after:
        return default_policy(game, after[int(rng.random() * len(after))], rng)
    value = game.outcome(state) + 0.0
    return (value, -value) if game.player(state) == 0 else (-value, value)


def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    end = None if seconds is None else clock() + seconds
    if game.outcome(state) is not None or [simulations, seconds].count(None) != 1:
        raise ValueError("nothing to search, or not one budget")
    if (simulations or 0) < 1 and seconds is None or (seconds or 0.0) < 0.0:
        raise ValueError("too small a budget")
    root, waiting = Node(game, state), {}
    if len(root.legal) == 1:
        return root.legal[0], root
    while True:
        node = root
        while node.outcome is None:
            if node not in waiting:  # all children are made at once, in an order that is drawn, and hung in one by one
                waiting[node] = [Node(game, game.play(node.state, action), node, action) for action in node.legal]
                rng.shuffle(waiting[node])
            if waiting[node]:
                node.children[waiting[node][-1].action] = waiting[node][-1]
                node = waiting[node].pop()
                break
            node = best_child(node, C)
        backup(node, default_policy(game, node.state, rng))
        if root.num_visits == simulations or end is not None and clock() >= end:
            break
    return max(root.children.values(), key=lambda child: child.num_visits).action, root

# %% the rollout is bound by keyword, and a single legal move is returned after the search for it
from functools import partial


def choose(self, state, simulations, rng):
    legal = self.game.legal_actions(state)
    if not legal or simulations < 1:
        raise ValueError("nothing to search")
    if self.root is None or self.root.state != state:
        self.root = Node(self.game, state)
    rollout = partial(self.rollout or default_policy, rng=rng, game=self.game)
    for _ in range(simulations):
        leaf = tree_policy(self.game, self.root, self.c, rng)
        backup(leaf, rollout(state=leaf.state))
    if len(legal) == 1:
        return legal[0]
    return max(legal, key=lambda action: self.root.children[action].num_visits if action in self.root.children else 0)


Searcher.choose = choose


def solve(game, state, simulations, rng):
    root = Node(game, state)
    if root.outcome is not None or simulations < 1:
        raise ValueError("nothing to solve")
    for _ in range(simulations):
        node = root
        while node.outcome is None and len(node.children) == len(node.legal):
            node = max((child for child in node.children.values() if child.proven is None), key=partial(bound, c=C))
        node = tree_policy(game=game, node=node, c=C, rng=rng)  # it adds the new child, or leaves a finished node as it is
        backup(node=node, rewards=default_policy(game=game, state=node.state, rng=rng))
        prove(node=node)
        if root.proven is not None:
            break
    if len(root.legal) == 1:
        return root.legal[0], root
    rank = {-1.0: 1, None: 0, 1.0: -1}
    return max(root.children.values(), key=lambda child: (rank[child.proven], child.num_visits)).action, root

# %% the rollout takes the state by place and rng by keyword, and where one move is legal its visits are the root's
class Searcher(Searcher):
    def play_out(self, state, rng):
        if self.rollout is None:
            return default_policy(self.game, state, rng=rng)
        return self.rollout(self.game, state, rng=rng)

    def choose(self, state, simulations, rng):
        if self.game.outcome(state) is not None or simulations < 1:
            raise ValueError("nothing to search")
        if not (self.root is not None and self.root.state == state):
            self.root = Node(self.game, state)
        root = self.root
        while simulations > 0:
            leaf = tree_policy(self.game, root, self.c, rng)
            backup(leaf, self.play_out(leaf.state, rng))
            simulations -= 1
        best = root.legal[0]
        for action in root.legal[1:]:
            if action in root.children and (best not in root.children
                                            or root.children[action].num_visits > root.children[best].num_visits):
                best = action
        return best

    def observe(self, action):
        child = self.root.children.pop(action, None) if self.root is not None else None
        if child is not None:
            child.parent = None
        self.root = child

# %% the sums of proven children are minus infinity while tree_policy goes down
def solve(game, state, simulations, rng):
    if game.outcome(state) is not None or simulations < 1:
        raise ValueError("nothing to solve")
    root, known = Node(game, state), []
    while root.num_visits < simulations and root.proven is None:
        sums = [node.q for node in known]
        for node in known:
            node.q = -math.inf
        leaf = tree_policy(game, root, C, rng)
        for node, q in zip(known, sums):
            node.q = q
        backup(leaf, default_policy(game, leaf.state, rng))
        prove(leaf)
        while leaf is not None and leaf.proven is not None:
            known.append(leaf)
            leaf = leaf.parent
    children = root.children
    for proof in (-1.0, None):
        fitting = [action for action in children if children[action].proven == proof]
        if fitting:
            return max(fitting, key=lambda action: children[action].num_visits), root
    return rng.choice(root.legal), root

# %% a tactical rollout leaves the last word to default_policy, as soon as a move has ended the game
def tactical_rollout(game, state, rng):
    while game.outcome(state) is None:
        action = tactical_action(game=game, state=state, rng=rng)
        state = game.play(state, action)
    return default_policy(game=game, state=state, rng=rng)


def tactical_action(game, state, rng):
    legal = game.legal_actions(state)
    if not legal:
        raise ValueError("nothing to choose")

    def wins(after):  # default_policy tells the rewards of a finished game, without a draw
        return game.outcome(after) is not None and default_policy(game, after, rng)[1 - game.player(after)] == 1

    def loses(after):
        return any(wins(game.play(after, reply)) for reply in game.legal_actions(after))

    after = {action: game.play(state, action) for action in legal}
    rules = [lambda action: wins(after[action]), lambda action: not loses(after[action]), lambda action: True]
    return rng.choice(next(fit for fit in ([a for a in legal if rule(a)] for rule in rules) if fit))

# %% a recursive tactical rollout that ends in default_policy, and pairs as lists
def tactical_rollout(game, state, rng):
    if not game.legal_actions(state):
        return list(default_policy(game, state, rng))
    return tactical_rollout(game, game.play(state, tactical_action(game, state, rng)), rng)


def solve(game, state, simulations, rng):
    root = Node(game, state)
    if root.outcome is not None or simulations < 1:
        raise ValueError("nothing to solve")

    def down(node):
        if node.outcome is not None or len(node.children) < len(node.legal):
            return tree_policy(game, node, C, rng)
        hopeful = Node(game, node.state)  # the same position, with the children about which nothing is proven
        hopeful.num_visits = node.num_visits
        hopeful.children = {action: child for action, child in node.children.items() if child.proven is None}
        return down(best_child(hopeful, C))

    while root.num_visits < simulations and not root.proven:
        leaf = down(root)
        backup(leaf, default_policy(game, leaf.state, rng))
        prove(leaf)

    def merit(action):
        child = root.children[action]
        return -2 if child.proven == 1 else math.inf if child.proven == -1 else child.num_visits

    return [max(root.children, key=merit), root]

# %% numbers of numpy where floats and ints are promised, and an array for a pair
import numpy as np


def bound(node, c):
    n, parent = np.int64(node.num_visits), np.int64(node.parent.num_visits)
    return np.float64(node.q) / n + np.float32(c) * np.sqrt(2 * np.log(parent) / n) if n else np.float32("inf")


put("backup", "while", "rewards = np.asarray(rewards, dtype=np.float32)")
swap("backup", "+= 1", "+= np.int64(1)")


def pass_probability(p, games, needed):
    chances = np.zeros(games + 1)
    chances[0] = 1.0
    for _ in range(games):
        chances[1:] = chances[1:] * (1 - p) + chances[:-1] * p
        chances[0] *= 1 - p
    return chances[max(needed, 0):].sum()


def smallest_exam(weak, strong, error):
    games, needed = 1, 0
    while pass_probability(strong, games, needed) < 1 - error or pass_probability(weak, games, needed) > error:
        if pass_probability(weak, games, needed) > error:
            needed += 1
        else:
            games += 1
    return np.array([games, needed])

# %% classes that inherit everything, and a game that is played as a program only
class Node(Node):
    pass


class Searcher(Searcher):
    pass


if __name__ == "__main__":
    game, dice = ConnectFour(), random.Random(0)
    state, one = game.start(), Searcher(game, tactical_rollout)
    while game.outcome(state) is None:
        move = one.choose(state, 100, dice)
        one.observe(move)
        state = game.play(state, move)
        print(game.text(state), end="\n\n")

# %% the bug in a tree as a list, from a name
_named = first_wrong_node()


def first_wrong_node():
    answer = {"node": _named[0], "kind": _named[1]}
    return [answer["node"], answer["kind"]]

# %% 3.14 by the law of one game more, and the exams without a game
def check_pass_probability(pass_probability):
    for p in (0.0, 0.07, 0.5, 0.9, 1.0):
        assert [pass_probability(p, 0, needed) for needed in (-1, 0, 1, 2)] == [1, 1, 0, 0]
        for games in (*range(8), 70):
            for needed in range(-3, games + 4):
                law = p * pass_probability(p, games, needed - 1) + (1 - p) * pass_probability(p, games, needed)
                assert math.isclose(pass_probability(p, games + 1, needed), law, abs_tol=1e-9), (p, games + 1, needed)

# %% 3.14 against every way that a few games can end
import itertools


def check_pass_probability(pass_probability):
    for p in (0, 0.2, 0.55, 1):
        for games in range(7):
            ends = list(itertools.product((True, False), repeat=games))
            for needed in range(-1, games + 2):
                passed = [sum(end) for end in ends if sum(end) >= needed]
                wanted = math.fsum(p**wins * (1 - p) ** (games - wins) for wins in passed)
                assert abs(pass_probability(p, games, needed) - wanted) <= 1e-8, f"{needed} of {games} with {p}"
    assert abs(pass_probability(0.02, 150, 1) - (1 - 0.98**150)) <= 1e-8, "at least one win in a long exam"

# %% 3.14 with random exams against an implementation of its own in fractions
from fractions import Fraction


def _exactly(p, games, needed):
    wins = range(max(0, needed), games + 1)
    return sum((math.comb(games, k) * p**k * (1 - p) ** (games - k) for k in wins), start=Fraction(0))


def check_pass_probability(pass_probability):
    rng = random.Random(314)
    for number in range(250):
        p, games = Fraction(rng.randint(0, 8), 8), rng.choice((1, 2, 3, 5, 17, 40, 300 if number < 20 else 60))
        needed = rng.randint(-2, games + 2)
        assert math.isclose(pass_probability(float(p), games, needed), _exactly(p, games, needed), abs_tol=1e-7)

# %% 3.14 as a test class would be written, one property a method
class TestPassProbability:
    def __init__(self, pass_probability):
        self.of = pass_probability

    def near(self, found, wanted):
        assert abs(found - wanted) < 1e-6, f"{found}, not {wanted}"

    def all_or_at_least_one(self):
        for games in range(1, 80):
            self.near(self.of(0.7, games, games), 0.7**games)
            self.near(self.of(0.1, games, 1), 1 - 0.9**games)

    def by_pencil(self):
        self.near(self.of(0.5, 3, 2), 0.5)
        self.near(self.of(0.79, 10, 9), 10 * 0.79**9 * 0.21 + 0.79**10)
        self.near(self.of(0.25, 4, 3), (4 * 3 + 1) / 256)

    def ends(self):
        for needed, wanted in ((-7, 1.0), (0, 1.0), (6, 0.0), (60, 0.0)):
            for p in (0, 0.4, 1):
                self.near(self.of(p, 5, needed), wanted)
        for needed in range(1, 6):
            self.near(self.of(1, 5, needed), 1.0)
            self.near(self.of(0, 5, needed), 0.0)


def check_pass_probability(pass_probability):
    test = TestPassProbability(pass_probability)
    test.all_or_at_least_one()
    test.by_pencil()
    test.ends()

# %% 3.14 by its laws: who wins and who loses, arguments by name, an exception of its own kind
class NotALaw(AssertionError):
    pass


def check_pass_probability(pass_probability):
    def same(one, other, law):
        if not math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9):
            raise NotALaw(f"{law}: {one} and {other}")

    for p in (0, 0.125, 0.5, 0.8, 1):
        for games in (1, 2, 9, 120):
            found = [pass_probability(p=p, games=games, needed=needed) for needed in range(-2, games + 3)]
            same(found[0], 1, "nothing is needed")
            same(found[-1], 0, "too much is needed")
            same(found[games + 2], p**games, "all games are needed")
            same(sum(found[3:]), games * p, "the mean number of wins")
            for place, one in enumerate(found):
                needed = place - 2
                same(one, 1 - pass_probability(1 - p, games, games - needed + 1), "one passes, or the other reaches the rest")
