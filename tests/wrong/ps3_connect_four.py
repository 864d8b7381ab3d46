# Wrong answers to ps3_connect_four. Each cell names the exercise that it breaks, and is appended to the solution.
# `make verify` wants every one to lose the points of that exercise, and of the joint check at most beside it.

# %% 3.1: the rewards of the player to move at the end come first
# hint: the player to move at the end
def default_policy(game, state, rng):
    while game.outcome(state) is None:
        state = game.play(state, rng.choice(game.legal_actions(state)))
    return game.outcome(state), -game.outcome(state)

# %% 3.1: the rewards of the player who moved last come first
def default_policy(game, state, rng):
    while game.outcome(state) is None:
        state = game.play(state, rng.choice(game.legal_actions(state)))
    return -game.outcome(state), game.outcome(state)

# %% 3.1: the rewards of the player to move at the beginning come first
# hint: where the rollout began
def default_policy(game, state, rng):
    first = game.player(state)
    while game.outcome(state) is None:
        state = game.play(state, rng.choice(game.legal_actions(state)))
    value = game.outcome(state) if game.player(state) == first else -game.outcome(state)
    return value, -value

# %% 3.1: the two players have changed places
# hint: have changed places
def default_policy(game, state, rng):
    while game.outcome(state) is None:
        state = game.play(state, rng.choice(game.legal_actions(state)))
    value = game.outcome(state)
    return (-value, value) if game.player(state) == 0 else (value, -value)

# %% 3.1: a draw is a loss for player 0
def default_policy(game, state, rng):
    while game.outcome(state) is None:
        state = game.play(state, rng.choice(game.legal_actions(state)))
    value = game.outcome(state)
    won = value > 0 if game.player(state) == 0 else value < 0
    return (1.0, -1.0) if won else (-1.0, 1.0)

# %% 3.1: a draw is half a point for both
def default_policy(game, state, rng):
    while game.outcome(state) is None:
        state = game.play(state, rng.choice(game.legal_actions(state)))
    value = game.outcome(state)
    if value == 0:
        return 0.5, 0.5
    return (value, -value) if game.player(state) == 0 else (-value, value)

# %% 3.1: a draw is taken for a game that goes on
def default_policy(game, state, rng):
    while not game.outcome(state):
        state = game.play(state, rng.choice(game.legal_actions(state)))
    value = game.outcome(state)
    return (value, -value) if game.player(state) == 0 else (-value, value)

# %% 3.1: whoever moved last has won
def default_policy(game, state, rng):
    while game.outcome(state) is None:
        state = game.play(state, rng.choice(game.legal_actions(state)))
    if game.outcome(state) == 0:
        return 0.0, 0.0
    return (1.0, -1.0) if game.player(state) == 1 else (-1.0, 1.0)

# %% 3.1: always the first legal move
def default_policy(game, state, rng):
    while game.outcome(state) is None:
        state = game.play(state, game.legal_actions(state)[0])
    value = game.outcome(state)
    return (value, -value) if game.player(state) == 0 else (-value, value)

# %% 3.1: never the last legal move
def default_policy(game, state, rng):
    while game.outcome(state) is None:
        actions = game.legal_actions(state)
        state = game.play(state, actions[rng.randrange(max(1, len(actions) - 1))])
    value = game.outcome(state)
    return (value, -value) if game.player(state) == 0 else (-value, value)

# %% 3.1: only the first player's moves are random
def default_policy(game, state, rng):
    while game.outcome(state) is None:
        actions = game.legal_actions(state)
        state = game.play(state, rng.choice(actions) if game.player(state) == 0 else actions[-1])
    value = game.outcome(state)
    return (value, -value) if game.player(state) == 0 else (-value, value)

# %% 3.1: the global generator instead of rng
def default_policy(game, state, rng):
    while game.outcome(state) is None:
        state = game.play(state, random.choice(game.legal_actions(state)))
    value = game.outcome(state)
    return (value, -value) if game.player(state) == 0 else (-value, value)

# %% 3.1: a rollout is cut after ten moves
def default_policy(game, state, rng):
    for _ in range(10):
        if game.outcome(state) is not None:
            break
        state = game.play(state, rng.choice(game.legal_actions(state)))
    value = game.outcome(state) or 0.0
    return (value, -value) if game.player(state) == 0 else (-value, value)

# %% 3.1: the rollout begins at the start of the game
def default_policy(game, state, rng):
    state = game.start()
    while game.outcome(state) is None:
        state = game.play(state, rng.choice(game.legal_actions(state)))
    value = game.outcome(state)
    return (value, -value) if game.player(state) == 0 else (-value, value)

# %% 3.1: one value in the place of two rewards
def default_policy(game, state, rng):
    while game.outcome(state) is None:
        state = game.play(state, rng.choice(game.legal_actions(state)))
    return game.outcome(state) if game.player(state) == 0 else -game.outcome(state)

# %% 3.1: a win in the rollout is taken as soon as it is there
def default_policy(game, state, rng):
    while game.outcome(state) is None:
        actions = game.legal_actions(state)
        wins = [a for a in actions if game.outcome(game.play(state, a)) == -1.0]
        state = game.play(state, rng.choice(wins or actions))
    value = game.outcome(state)
    return (value, -value) if game.player(state) == 0 else (-value, value)

# %% 3.2: the bound negates the mean, as in problem set 2
# hint: wrong sign
def bound(node, c):
    if node.num_visits == 0:
        return math.inf
    return -node.q / node.num_visits + c * math.sqrt(2 * math.log(node.parent.num_visits) / node.num_visits)

# %% 3.2: the logarithm of the child's visits
# hint: whose belong there
def bound(node, c):
    if node.num_visits == 0:
        return math.inf
    return node.q / node.num_visits + c * math.sqrt(2 * math.log(node.num_visits) / node.num_visits)

# %% 3.2: the 2 under the root is missing
# hint: The 2 under the root is missing
def bound(node, c):
    if node.num_visits == 0:
        return math.inf
    return node.q / node.num_visits + c * math.sqrt(math.log(node.parent.num_visits) / node.num_visits)

# %% 3.2: the 2 stands before the root
def bound(node, c):
    if node.num_visits == 0:
        return math.inf
    return node.q / node.num_visits + 2 * c * math.sqrt(math.log(node.parent.num_visits) / node.num_visits)

# %% 3.2: c stands under the root
# hint: outside the root
def bound(node, c):
    if node.num_visits == 0:
        return math.inf
    return node.q / node.num_visits + math.sqrt(2 * c * math.log(node.parent.num_visits) / node.num_visits)

# %% 3.2: the logarithm to base 10
# hint: base 10
def bound(node, c):
    if node.num_visits == 0:
        return math.inf
    return node.q / node.num_visits + c * math.sqrt(2 * math.log10(node.parent.num_visits) / node.num_visits)

# %% 3.2: the logarithm to base 2
# hint: to which base
def bound(node, c):
    if node.num_visits == 0:
        return math.inf
    return node.q / node.num_visits + c * math.sqrt(2 * math.log2(node.parent.num_visits) / node.num_visits)

# %% 3.2: the sum of rewards in the place of their mean
# hint: what is the sum divided by
def bound(node, c):
    if node.num_visits == 0:
        return math.inf
    return node.q + c * math.sqrt(2 * math.log(node.parent.num_visits) / node.num_visits)

# %% 3.2: c is never used
def bound(node, c):
    if node.num_visits == 0:
        return math.inf
    return node.q / node.num_visits + C * math.sqrt(2 * math.log(node.parent.num_visits) / node.num_visits)

# %% 3.2: the root is taken of the logarithm alone
def bound(node, c):
    if node.num_visits == 0:
        return math.inf
    return node.q / node.num_visits + c * math.sqrt(2 * math.log(node.parent.num_visits)) / node.num_visits

# %% 3.2: N is counted from the children
def bound(node, c):
    if node.num_visits == 0:
        return math.inf
    total = sum(child.num_visits for child in node.parent.children.values())
    return node.q / node.num_visits + c * math.sqrt(2 * math.log(total) / node.num_visits)

# %% 3.2: one is added to every count so that nothing divides by zero
def bound(node, c):
    n = node.num_visits + 1
    return node.q / n + c * math.sqrt(2 * math.log(node.parent.num_visits + 1) / n)

# %% 3.2: an unvisited node divides by zero
def bound(node, c):
    return node.q / node.num_visits + c * math.sqrt(2 * math.log(node.parent.num_visits) / node.num_visits)

# %% 3.2: an unvisited node is worth nothing without exploration
def bound(node, c):
    if node.num_visits == 0:
        return math.inf if c else 0.0
    return node.q / node.num_visits + c * math.sqrt(2 * math.log(node.parent.num_visits) / node.num_visits)

# %% 3.2: the mean is rounded down
def bound(node, c):
    if node.num_visits == 0:
        return math.inf
    return node.q // node.num_visits + c * math.sqrt(2 * math.log(node.parent.num_visits) / node.num_visits)

# %% 3.2: the best child is the one with the lowest bound
def best_child(node, c):
    if not node.children:
        raise ValueError("no children")
    return min(node.children.values(), key=lambda child: bound(child, c))

# %% 3.2: the best child does not hand c on
def best_child(node, c):
    if not node.children:
        raise ValueError("no children")
    return max(node.children.values(), key=lambda child: bound(child, C))

# %% 3.2: the best child is the most visited one
def best_child(node, c):
    if not node.children:
        raise ValueError("no children")
    return max(node.children.values(), key=lambda child: child.num_visits)

# %% 3.2: the best child must have a positive bound
def best_child(node, c):
    if not node.children:
        raise ValueError("no children")
    best, highest = None, 0.0
    for child in node.children.values():
        if bound(child, c) > highest:
            best, highest = child, bound(child, c)
    return best or next(iter(node.children.values()))

# %% 3.2: the highest action wins
def best_child(node, c):
    if not node.children:
        raise ValueError("no children")
    return node.children[max(node.children)]

# %% 3.2: no children, no error
def best_child(node, c):
    return max(node.children.values(), key=lambda child: bound(child, c), default=None)

# %% 3.2: the best child counts a visit
def best_child(node, c):
    if not node.children:
        raise ValueError("no children")
    child = max(node.children.values(), key=lambda child: bound(child, c))
    child.num_visits += 1
    return child

# %% 3.3: the same action may be drawn again
def expand(game, node, rng):
    if not node.legal or len(node.children) == len(node.legal):
        raise ValueError("nothing to expand")
    action = rng.choice(node.legal)
    node.children[action] = Node(game, game.play(node.state, action), node, action)
    return node.children[action]

# %% 3.3: the child does not know its parent
def expand(game, node, rng):
    untried = [a for a in node.legal if a not in node.children]
    if not untried:
        raise ValueError("nothing to expand")
    action = rng.choice(untried)
    node.children[action] = Node(game, game.play(node.state, action), None, action)
    return node.children[action]

# %% 3.3: the child is not hung into the tree
def expand(game, node, rng):
    untried = [a for a in node.legal if a not in node.children]
    if not untried:
        raise ValueError("nothing to expand")
    action = rng.choice(untried)
    return Node(game, game.play(node.state, action), node, action)

# %% 3.3: the child has its parent's state
def expand(game, node, rng):
    untried = [a for a in node.legal if a not in node.children]
    if not untried:
        raise ValueError("nothing to expand")
    action = rng.choice(untried)
    node.children[action] = Node(game, node.state, node, action)
    return node.children[action]

# %% 3.3: the child does not know its action
def expand(game, node, rng):
    untried = [a for a in node.legal if a not in node.children]
    if not untried:
        raise ValueError("nothing to expand")
    action = rng.choice(untried)
    node.children[action] = Node(game, game.play(node.state, action), node)
    return node.children[action]

# %% 3.3: untried actions from left to right
def expand(game, node, rng):
    untried = [a for a in node.legal if a not in node.children]
    if not untried:
        raise ValueError("nothing to expand")
    action = untried[0]
    node.children[action] = Node(game, game.play(node.state, action), node, action)
    return node.children[action]

# %% 3.3: the middle columns are preferred
def expand(game, node, rng):
    untried = sorted((a for a in node.legal if a not in node.children), key=lambda a: abs(a - game.num_actions // 2))
    if not untried:
        raise ValueError("nothing to expand")
    action = untried[min(rng.randrange(len(untried)), rng.randrange(len(untried)))]
    node.children[action] = Node(game, game.play(node.state, action), node, action)
    return node.children[action]

# %% 3.3: the global generator instead of rng
def expand(game, node, rng):
    untried = [a for a in node.legal if a not in node.children]
    if not untried:
        raise ValueError("nothing to expand")
    action = random.choice(untried)
    node.children[action] = Node(game, game.play(node.state, action), node, action)
    return node.children[action]

# %% 3.3: all children at once
def expand(game, node, rng):
    untried = [a for a in node.legal if a not in node.children]
    if not untried:
        raise ValueError("nothing to expand")
    for action in untried:
        node.children[action] = Node(game, game.play(node.state, action), node, action)
    return node.children[rng.choice(untried)]

# %% 3.3: the earlier children are thrown away
def expand(game, node, rng):
    untried = [a for a in node.legal if a not in node.children]
    if not untried:
        raise ValueError("nothing to expand")
    action = rng.choice(untried)
    node.children = {**{a: Node(game, game.play(node.state, a), node, a) for a in node.children},
                     action: Node(game, game.play(node.state, action), node, action)}
    return node.children[action]

# %% 3.3: the new child counts its rollout already
def expand(game, node, rng):
    untried = [a for a in node.legal if a not in node.children]
    if not untried:
        raise ValueError("nothing to expand")
    action = rng.choice(untried)
    child = node.children[action] = Node(game, game.play(node.state, action), node, action)
    child.num_visits = 1
    return child

# %% 3.3: an IndexError where nothing is left
def expand(game, node, rng):
    untried = [a for a in node.legal if a not in node.children]
    action = rng.choice(untried)
    node.children[action] = Node(game, game.play(node.state, action), node, action)
    return node.children[action]

# %% 3.3: the node itself where nothing is left
def expand(game, node, rng):
    untried = [a for a in node.legal if a not in node.children]
    if not untried:
        return node
    action = rng.choice(untried)
    node.children[action] = Node(game, game.play(node.state, action), node, action)
    return node.children[action]

# %% 3.4: the node is returned instead of its new child
def tree_policy(game, node, c, rng):
    while node.outcome is None:
        if len(node.children) < len(node.legal):
            expand(game, node, rng)
            return node
        node = best_child(node, c)
    return node

# %% 3.4: it stops before the expansion, as select did
def tree_policy(game, node, c, rng):
    while node.outcome is None and len(node.children) == len(node.legal):
        node = best_child(node, c)
    return node

# %% 3.4: one step down and no more
def tree_policy(game, node, c, rng):
    if node.outcome is not None:
        return node
    if len(node.children) < len(node.legal):
        return expand(game, node, rng)
    node = best_child(node, c)
    return expand(game, node, rng) if node.outcome is None and len(node.children) < len(node.legal) else node

# %% 3.4: a node with children counts as fully expanded
def tree_policy(game, node, c, rng):
    while node.outcome is None:
        if not node.children:
            return expand(game, node, rng)
        node = best_child(node, c)
    return node

# %% 3.4: exploration is switched off below the root
def tree_policy(game, node, c, rng):
    while node.outcome is None:
        if len(node.children) < len(node.legal):
            return expand(game, node, rng)
        node, c = best_child(node, c), 0.0
    return node

# %% 3.4: always the constant of the set
def tree_policy(game, node, c, rng):
    while node.outcome is None:
        if len(node.children) < len(node.legal):
            return expand(game, node, rng)
        node = best_child(node, C)
    return node

# %% 3.4: a draw is taken for a game that goes on
def tree_policy(game, node, c, rng):
    while not node.outcome:
        if len(node.children) < len(node.legal):
            return expand(game, node, rng)
        node = best_child(node, c)
    return node

# %% 3.4: a finished game is expanded
def tree_policy(game, node, c, rng):
    while node.children and len(node.children) == len(node.legal):
        node = best_child(node, c)
    return expand(game, node, rng)

# %% 3.4: the other player's worst move is followed
def tree_policy(game, node, c, rng):
    top = node
    while node.outcome is None:
        if len(node.children) < len(node.legal):
            return expand(game, node, rng)
        if node.last_player == top.last_player:
            node = best_child(node, c)
        else:
            node = min(node.children.values(), key=lambda child: bound(child, c))
    return node

# %% 3.4: a random child instead of the best one
def tree_policy(game, node, c, rng):
    while node.outcome is None:
        if len(node.children) < len(node.legal):
            return expand(game, node, rng)
        node = rng.choice(list(node.children.values()))
    return node

# %% 3.4: every node on the way gets a visit
def tree_policy(game, node, c, rng):
    while node.outcome is None:
        if len(node.children) < len(node.legal):
            return expand(game, node, rng)
        node = best_child(node, c)
        node.num_visits += 1
    return node

# %% 3.4: a generator of its own
def tree_policy(game, node, c, rng):
    while node.outcome is None:
        if len(node.children) < len(node.legal):
            return expand(game, node, random.Random())
        node = best_child(node, c)
    return node

# %% 3.5: the reward of the player to move at the node
# hint: who moved INTO it
def backup(node, rewards):
    while node is not None:
        node.num_visits += 1
        node.q += rewards[1 - node.last_player]
        node = node.parent

# %% 3.5: the leaf's reward for every node
# hint: the same sign
def backup(node, rewards):
    reward = rewards[node.last_player]
    while node is not None:
        node.num_visits += 1
        node.q += reward
        node = node.parent

# %% 3.5: the sign flips and the player alternates as well
def backup(node, rewards):
    sign = 1
    while node is not None:
        node.num_visits += 1
        node.q += sign * rewards[node.last_player]
        node, sign = node.parent, -sign

# %% 3.5: one reward with alternating signs
def backup(node, rewards):
    value = rewards[node.last_player]
    while node is not None:
        node.num_visits += 1
        node.q += value
        node, value = node.parent, -value

# %% 3.5: the root belongs to the second player always
def backup(node, rewards):
    depth, above = 0, node.parent
    while above is not None:
        depth, above = depth + 1, above.parent
    while node is not None:
        node.num_visits += 1
        node.q += rewards[(depth + 1) % 2]
        node, depth = node.parent, depth - 1

# %% 3.5: the root gets nothing
def backup(node, rewards):
    while node.parent is not None:
        node.num_visits += 1
        node.q += rewards[node.last_player]
        node = node.parent

# %% 3.5: the root counts a visit and no reward
def backup(node, rewards):
    while node.parent is not None:
        node.num_visits += 1
        node.q += rewards[node.last_player]
        node = node.parent
    node.num_visits += 1

# %% 3.5: only the leaf and its parent learn
def backup(node, rewards):
    for _ in range(2):
        if node is not None:
            node.num_visits += 1
            node.q += rewards[node.last_player]
            node = node.parent

# %% 3.5: q is overwritten
def backup(node, rewards):
    while node is not None:
        node.num_visits += 1
        node.q = rewards[node.last_player]
        node = node.parent

# %% 3.5: q is a running mean
def backup(node, rewards):
    while node is not None:
        node.num_visits += 1
        node.q += (rewards[node.last_player] - node.q) / node.num_visits
        node = node.parent

# %% 3.5: no visits are counted
def backup(node, rewards):
    while node is not None:
        node.q += rewards[node.last_player]
        node = node.parent

# %% 3.5: a draw counts no visit
def backup(node, rewards):
    while node is not None:
        if rewards[node.last_player]:
            node.num_visits += 1
        node.q += rewards[node.last_player]
        node = node.parent

# %% 3.5: the siblings count a visit too
def backup(node, rewards):
    while node is not None:
        node.num_visits += 1
        node.q += rewards[node.last_player]
        if node.parent is not None:
            for sibling in node.parent.children.values():
                if sibling is not node:
                    sibling.num_visits += 1
        node = node.parent

# %% 3.6: the final move is the one with the best mean
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    action, root = _search(game, state, rng, simulations, seconds, clock)
    if root.num_visits == 0:
        return action, root
    return max(root.children, key=lambda a: root.children[a].q / root.children[a].num_visits), root

def _search(game, state, rng, simulations, seconds, clock):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None or (simulations is None) == (seconds is None):
        raise ValueError("no search")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("no budget")
    if len(root.legal) == 1:
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        if root.num_visits == simulations or (seconds is not None and clock() - started >= seconds):
            break
    return max(root.children, key=lambda a: root.children[a].num_visits), root

# %% 3.6: the final move is the one with the highest bound
# hint: who chooses the move at its end
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    action, root = _search(game, state, rng, simulations, seconds, clock)
    return (action, root) if root.num_visits == 0 else (best_child(root, C).action, root)

def _search(game, state, rng, simulations, seconds, clock):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None or (simulations is None) == (seconds is None):
        raise ValueError("no search")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("no budget")
    if len(root.legal) == 1:
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        if root.num_visits == simulations or (seconds is not None and clock() - started >= seconds):
            break
    return max(root.children, key=lambda a: root.children[a].num_visits), root

# %% 3.6: the final move is the most visited child's index among the legal actions
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("the game is over")
    if (simulations is None) == (seconds is None):
        raise ValueError("one budget")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("too small")
    if len(root.legal) == 1:
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        if root.num_visits == simulations or (seconds is not None and clock() - started >= seconds):
            break
    best = max(root.children, key=lambda a: root.children[a].num_visits)
    return sorted(root.children).index(best) if len(root.legal) < 7 else best, root

# %% 3.6: the child instead of the action
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("the game is over")
    if (simulations is None) == (seconds is None):
        raise ValueError("one budget")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("too small")
    if len(root.legal) == 1:
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        if root.num_visits == simulations or (seconds is not None and clock() - started >= seconds):
            break
    return max(root.children.values(), key=lambda child: child.num_visits), root

# %% 3.6: a random final move
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("the game is over")
    if (simulations is None) == (seconds is None):
        raise ValueError("one budget")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("too small")
    if len(root.legal) == 1:
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        if root.num_visits == simulations or (seconds is not None and clock() - started >= seconds):
            break
    return rng.choice(list(root.children)), root

# %% 3.6: the final move is the one with most rewards
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("the game is over")
    if (simulations is None) == (seconds is None):
        raise ValueError("one budget")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("too small")
    if len(root.legal) == 1:
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        if root.num_visits == simulations or (seconds is not None and clock() - started >= seconds):
            break
    return max(root.children, key=lambda a: root.children[a].q), root

# %% 3.6: the final move is the least visited one
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("the game is over")
    if (simulations is None) == (seconds is None):
        raise ValueError("one budget")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("too small")
    if len(root.legal) == 1:
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        if root.num_visits == simulations or (seconds is not None and clock() - started >= seconds):
            break
    return min(root.children, key=lambda a: root.children[a].num_visits), root

# %% 3.6: no exploration
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("the game is over")
    if (simulations is None) == (seconds is None):
        raise ValueError("one budget")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("too small")
    if len(root.legal) == 1:
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, 0.0, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        if root.num_visits == simulations or (seconds is not None and clock() - started >= seconds):
            break
    return max(root.children, key=lambda a: root.children[a].num_visits), root

# %% 3.6: too much exploration
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("the game is over")
    if (simulations is None) == (seconds is None):
        raise ValueError("one budget")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("too small")
    if len(root.legal) == 1:
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, 1.4, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        if root.num_visits == simulations or (seconds is not None and clock() - started >= seconds):
            break
    return max(root.children, key=lambda a: root.children[a].num_visits), root

# %% 3.6: one simulation more than asked for
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("the game is over")
    if (simulations is None) == (seconds is None):
        raise ValueError("one budget")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("too small")
    if len(root.legal) == 1:
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        if root.num_visits == (simulations or -2) + 1 or (seconds is not None and clock() - started >= seconds):
            break
    return max(root.children, key=lambda a: root.children[a].num_visits), root

# %% 3.6: one simulation less than asked for
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("the game is over")
    if (simulations is None) == (seconds is None):
        raise ValueError("one budget")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("too small")
    if len(root.legal) == 1:
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        if root.num_visits >= max((simulations or 10**9) - 1, 1) or (seconds is not None and clock() - started >= seconds):
            break
    return max(root.children, key=lambda a: root.children[a].num_visits), root

# %% 3.6: both budgets together are accepted
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("the game is over")
    if simulations is None and seconds is None:
        raise ValueError("one budget")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("too small")
    if len(root.legal) == 1:
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        if root.num_visits == simulations or (seconds is not None and clock() - started >= seconds):
            break
    return max(root.children, key=lambda a: root.children[a].num_visits), root

# %% 3.6: without a budget it thinks for a second
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("the game is over")
    if simulations is not None and seconds is not None:
        raise ValueError("one budget")
    if simulations is None and seconds is None:
        simulations = 100
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("too small")
    if len(root.legal) == 1:
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        if root.num_visits == simulations or (seconds is not None and clock() - started >= seconds):
            break
    return max(root.children, key=lambda a: root.children[a].num_visits), root

# %% 3.6: a budget of 0 simulations counts as none given
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("the game is over")
    if (not simulations) == (seconds is None):
        raise ValueError("one budget")
    if (simulations is not None and simulations < 0) or (seconds is not None and seconds < 0):
        raise ValueError("too small")
    if len(root.legal) == 1:
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        if root.num_visits == simulations or (seconds is not None and clock() - started >= seconds):
            break
    return max(root.children, key=lambda a: root.children[a].num_visits), root

# %% 3.6: 0 seconds count as no budget
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("the game is over")
    if bool(simulations) == bool(seconds):
        raise ValueError("one budget")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("too small")
    if len(root.legal) == 1:
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        if root.num_visits == simulations or (seconds is not None and clock() - started >= seconds):
            break
    return max(root.children, key=lambda a: root.children[a].num_visits), root

# %% 3.6: 0 simulations are made into one
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("the game is over")
    if (simulations is None) == (seconds is None):
        raise ValueError("one budget")
    if False or (seconds is not None and seconds < 0):
        raise ValueError("too small")
    if len(root.legal) == 1:
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        if simulations is not None and root.num_visits >= simulations or (seconds is not None and clock() - started >= seconds):
            break
    return max(root.children, key=lambda a: root.children[a].num_visits), root

# %% 3.6: negative seconds are accepted
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("the game is over")
    if (simulations is None) == (seconds is None):
        raise ValueError("one budget")
    if (simulations is not None and simulations < 1):
        raise ValueError("too small")
    if len(root.legal) == 1:
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        if root.num_visits == simulations or (seconds is not None and clock() - started >= seconds):
            break
    return max(root.children, key=lambda a: root.children[a].num_visits), root

# %% 3.6: the computer's own clock instead of the given one
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    started = time.monotonic()
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("the game is over")
    if (simulations is None) == (seconds is None):
        raise ValueError("one budget")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("too small")
    if len(root.legal) == 1:
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        if root.num_visits == simulations or (seconds is not None and time.monotonic() - started >= seconds):
            break
    return max(root.children, key=lambda a: root.children[a].num_visits), root

# %% 3.6: the clock is taken to begin at zero
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("the game is over")
    if (simulations is None) == (seconds is None):
        raise ValueError("one budget")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("too small")
    if len(root.legal) == 1:
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        if root.num_visits == simulations or (seconds is not None and clock() >= seconds):
            break
    return max(root.children, key=lambda a: root.children[a].num_visits), root

# %% 3.6: the clock is read every tenth simulation
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("the game is over")
    if (simulations is None) == (seconds is None):
        raise ValueError("one budget")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("too small")
    if len(root.legal) == 1:
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        if root.num_visits == simulations or (seconds is not None and root.num_visits % 10 == 0 and clock() - started >= seconds):
            break
    return max(root.children, key=lambda a: root.children[a].num_visits), root

# %% 3.6: the clock is read every second simulation
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("the game is over")
    if (simulations is None) == (seconds is None):
        raise ValueError("one budget")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("too small")
    if len(root.legal) == 1:
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        if root.num_visits == simulations or (seconds is not None and root.num_visits % 2 == 0 and clock() - started >= seconds):
            break
    return max(root.children, key=lambda a: root.children[a].num_visits), root

# %% 3.6: the time is up one simulation late
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("the game is over")
    if (simulations is None) == (seconds is None):
        raise ValueError("one budget")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("too small")
    if len(root.legal) == 1:
        return root.legal[0], root
    over = False
    while True:
        over = seconds is not None and root.num_visits > 0 and clock() - started >= seconds
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        if root.num_visits == simulations or over:
            break
    return max(root.children, key=lambda a: root.children[a].num_visits), root

# %% 3.6: the caller must bring a clock
def uct(game, state, rng, *, simulations=None, seconds=None, clock=None):
    root = Node(game, state)
    if root.outcome is not None or (simulations is None) == (seconds is None):
        raise ValueError("no search")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("no budget")
    if len(root.legal) == 1:
        return root.legal[0], root
    started = clock() if seconds is not None else 0.0
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        if root.num_visits == simulations or (seconds is not None and clock() - started >= seconds):
            break
    return max(root.children, key=lambda a: root.children[a].num_visits), root

# %% 3.6: half of the time is saved
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("the game is over")
    if (simulations is None) == (seconds is None):
        raise ValueError("one budget")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("too small")
    if len(root.legal) == 1:
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        if root.num_visits == simulations or (seconds is not None and clock() - started >= seconds / 2):
            break
    return max(root.children, key=lambda a: root.children[a].num_visits), root

# %% 3.6: the clock is read before the first simulation, and then no move is there
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("the game is over")
    if (simulations is None) == (seconds is None):
        raise ValueError("one budget")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("too small")
    if len(root.legal) == 1:
        return root.legal[0], root
    while simulations is not None or clock() - started < seconds:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        if root.num_visits == simulations:
            break
    return max(root.children, key=lambda a: root.children[a].num_visits), root

# %% 3.6: the seconds are turned into simulations
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("the game is over")
    if (simulations is None) == (seconds is None):
        raise ValueError("one budget")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("too small")
    if len(root.legal) == 1:
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        if root.num_visits == simulations or (seconds is not None and root.num_visits >= max(1, seconds * 1000)):
            break
    return max(root.children, key=lambda a: root.children[a].num_visits), root

# %% 3.6: seconds are milliseconds
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("the game is over")
    if (simulations is None) == (seconds is None):
        raise ValueError("one budget")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("too small")
    if len(root.legal) == 1:
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        if root.num_visits == simulations or (seconds is not None and clock() - started >= seconds / 1000):
            break
    return max(root.children, key=lambda a: root.children[a].num_visits), root

# %% 3.6: time is measured from the first simulation's end
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    started = None
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("the game is over")
    if (simulations is None) == (seconds is None):
        raise ValueError("one budget")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("too small")
    if len(root.legal) == 1:
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        started = clock() if started is None and seconds is not None else started
        if root.num_visits == simulations or (seconds is not None and clock() - started >= seconds):
            break
    return max(root.children, key=lambda a: root.children[a].num_visits), root

# %% 3.6: a single legal move is searched like others
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("the game is over")
    if (simulations is None) == (seconds is None):
        raise ValueError("one budget")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("too small")
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        if root.num_visits == simulations or (seconds is not None and clock() - started >= seconds):
            break
    return max(root.children, key=lambda a: root.children[a].num_visits), root

# %% 3.6: a single legal move is searched when the budget is time
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("the game is over")
    if (simulations is None) == (seconds is None):
        raise ValueError("one budget")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("too small")
    if len(root.legal) == 1 and seconds is None:
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        if root.num_visits == simulations or (seconds is not None and clock() - started >= seconds):
            break
    return max(root.children, key=lambda a: root.children[a].num_visits), root

# %% 3.6: one rollout for a single legal move
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("the game is over")
    if (simulations is None) == (seconds is None):
        raise ValueError("one budget")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("too small")
    if len(root.legal) == 1:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        if root.num_visits == simulations or (seconds is not None and clock() - started >= seconds):
            break
    return max(root.children, key=lambda a: root.children[a].num_visits), root

# %% 3.6: a finished game returns None
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None:
        return None, root
    if (simulations is None) == (seconds is None):
        raise ValueError("one budget")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("too small")
    if len(root.legal) == 1:
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        if root.num_visits == simulations or (seconds is not None and clock() - started >= seconds):
            break
    return max(root.children, key=lambda a: root.children[a].num_visits), root

# %% 3.6: the rollout begins at the parent
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("the game is over")
    if (simulations is None) == (seconds is None):
        raise ValueError("one budget")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("too small")
    if len(root.legal) == 1:
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, (leaf.parent or leaf).state, rng))
        if root.num_visits == simulations or (seconds is not None and clock() - started >= seconds):
            break
    return max(root.children, key=lambda a: root.children[a].num_visits), root

# %% 3.6: the rollout begins at the root
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("the game is over")
    if (simulations is None) == (seconds is None):
        raise ValueError("one budget")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("too small")
    if len(root.legal) == 1:
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, state, rng))
        if root.num_visits == simulations or (seconds is not None and clock() - started >= seconds):
            break
    return max(root.children, key=lambda a: root.children[a].num_visits), root

# %% 3.6: the rewards are swapped before the backup
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("the game is over")
    if (simulations is None) == (seconds is None):
        raise ValueError("one budget")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("too small")
    if len(root.legal) == 1:
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng)[::-1])
        if root.num_visits == simulations or (seconds is not None and clock() - started >= seconds):
            break
    return max(root.children, key=lambda a: root.children[a].num_visits), root

# %% 3.6: the backup begins at the parent
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("the game is over")
    if (simulations is None) == (seconds is None):
        raise ValueError("one budget")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("too small")
    if len(root.legal) == 1:
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf.parent or leaf, default_policy(game, leaf.state, rng))
        if root.num_visits == simulations or (seconds is not None and clock() - started >= seconds):
            break
    return max(root.children, key=lambda a: root.children[a].num_visits), root

# %% 3.6: two rollouts are added up for each leaf
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("the game is over")
    if (simulations is None) == (seconds is None):
        raise ValueError("one budget")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("too small")
    if len(root.legal) == 1:
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, [a + b for a, b in zip(default_policy(game, leaf.state, rng), default_policy(game, leaf.state, rng))])
        if root.num_visits == simulations or (seconds is not None and clock() - started >= seconds):
            break
    return max(root.children, key=lambda a: root.children[a].num_visits), root

# %% 3.6: a finished leaf is worth nothing
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("the game is over")
    if (simulations is None) == (seconds is None):
        raise ValueError("one budget")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("too small")
    if len(root.legal) == 1:
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng) if leaf.outcome is None else (0.0, 0.0))
        if root.num_visits == simulations or (seconds is not None and clock() - started >= seconds):
            break
    return max(root.children, key=lambda a: root.children[a].num_visits), root

# %% 3.6: it stops when the most visited move cannot be overtaken
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("the game is over")
    if (simulations is None) == (seconds is None):
        raise ValueError("one budget")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("too small")
    if len(root.legal) == 1:
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        top = sorted((child.num_visits for child in root.children.values()), reverse=True) + [0]
        if simulations and top[0] - top[1] > simulations - root.num_visits:
            break
        if root.num_visits == simulations or (seconds is not None and clock() - started >= seconds):
            break
    return max(root.children, key=lambda a: root.children[a].num_visits), root

# %% 3.6: the tree of the last search is kept
_trees = {}

def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    started, before = clock(), _trees.get(state) and _trees[state].num_visits or 0
    root = _trees.setdefault(state, Node(game, state))
    if root.outcome is not None:
        raise ValueError("the game is over")
    if (simulations is None) == (seconds is None):
        raise ValueError("one budget")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("too small")
    if len(root.legal) == 1:
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        if root.num_visits - before == simulations or (seconds is not None and clock() - started >= seconds):
            break
    return max(root.children, key=lambda a: root.children[a].num_visits), root

# %% 3.6: the global generator is used for the rollouts
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("the game is over")
    if (simulations is None) == (seconds is None):
        raise ValueError("one budget")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("too small")
    if len(root.legal) == 1:
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, random))
        if root.num_visits == simulations or (seconds is not None and clock() - started >= seconds):
            break
    return max(root.children, key=lambda a: root.children[a].num_visits), root

# %% 3.6: rng is seeded again before each search
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    started, rng = clock(), random.Random(1)
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("the game is over")
    if (simulations is None) == (seconds is None):
        raise ValueError("one budget")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("too small")
    if len(root.legal) == 1:
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        if root.num_visits == simulations or (seconds is not None and clock() - started >= seconds):
            break
    return max(root.children, key=lambda a: root.children[a].num_visits), root

# %% 3.6: the second player's search is turned around
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("the game is over")
    if (simulations is None) == (seconds is None):
        raise ValueError("one budget")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("too small")
    if len(root.legal) == 1:
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        if root.num_visits == simulations or (seconds is not None and clock() - started >= seconds):
            break
    if game.player(state) == 1:
        return min(root.children, key=lambda a: root.children[a].num_visits), root
    return max(root.children, key=lambda a: root.children[a].num_visits), root

# %% 3.7: the new root keeps its parent
class Searcher:
    def __init__(self, game, rollout=None, c=C):
        self.game, self.rollout, self.c, self.root = game, rollout, c, None

    def choose(self, state, simulations, rng):
        if self.game.outcome(state) is not None or simulations < 1:
            raise ValueError("nothing to search")
        if self.root is None or self.root.state != state:
            self.root = Node(self.game, state)
        rollout = self.rollout or default_policy
        for _ in range(simulations):
            leaf = tree_policy(self.game, self.root, self.c, rng)
            backup(leaf, rollout(self.game, leaf.state, rng))
        return max(self.root.children, key=lambda a: self.root.children[a].num_visits)

    def observe(self, action):
        self.root = None if self.root is None else self.root.children.get(action)

# %% 3.7: every search begins a fresh tree
class Searcher:
    def __init__(self, game, rollout=None, c=C):
        self.game, self.rollout, self.c, self.root = game, rollout, c, None

    def choose(self, state, simulations, rng):
        if self.game.outcome(state) is not None or simulations < 1:
            raise ValueError("nothing to search")
        if True:
            self.root = Node(self.game, state)
        rollout = self.rollout or default_policy
        for _ in range(simulations):
            leaf = tree_policy(self.game, self.root, self.c, rng)
            backup(leaf, rollout(self.game, leaf.state, rng))
        return max(self.root.children, key=lambda a: self.root.children[a].num_visits)

    def observe(self, action):
        self.root = None if self.root is None else self.root.children.get(action)
        if self.root is not None:
            self.root.parent = None

# %% 3.7: the tree is thrown away at every move
class Searcher:
    def __init__(self, game, rollout=None, c=C):
        self.game, self.rollout, self.c, self.root = game, rollout, c, None

    def choose(self, state, simulations, rng):
        if self.game.outcome(state) is not None or simulations < 1:
            raise ValueError("nothing to search")
        if self.root is None or self.root.state != state:
            self.root = Node(self.game, state)
        rollout = self.rollout or default_policy
        for _ in range(simulations):
            leaf = tree_policy(self.game, self.root, self.c, rng)
            backup(leaf, rollout(self.game, leaf.state, rng))
        return max(self.root.children, key=lambda a: self.root.children[a].num_visits)

    def observe(self, action):
        self.root = None

# %% 3.7: the new root begins at zero
class Searcher:
    def __init__(self, game, rollout=None, c=C):
        self.game, self.rollout, self.c, self.root = game, rollout, c, None

    def choose(self, state, simulations, rng):
        if self.game.outcome(state) is not None or simulations < 1:
            raise ValueError("nothing to search")
        if self.root is None or self.root.state != state:
            self.root = Node(self.game, state)
        rollout = self.rollout or default_policy
        for _ in range(simulations):
            leaf = tree_policy(self.game, self.root, self.c, rng)
            backup(leaf, rollout(self.game, leaf.state, rng))
        return max(self.root.children, key=lambda a: self.root.children[a].num_visits)

    def observe(self, action):
        self.root = None if self.root is None else self.root.children.get(action)
        if self.root is not None:
            self.root.parent = None
            self.root.num_visits, self.root.q = 0, 0.0

# %% 3.7: the new root loses its children
class Searcher:
    def __init__(self, game, rollout=None, c=C):
        self.game, self.rollout, self.c, self.root = game, rollout, c, None

    def choose(self, state, simulations, rng):
        if self.game.outcome(state) is not None or simulations < 1:
            raise ValueError("nothing to search")
        if self.root is None or self.root.state != state:
            self.root = Node(self.game, state)
        rollout = self.rollout or default_policy
        for _ in range(simulations):
            leaf = tree_policy(self.game, self.root, self.c, rng)
            backup(leaf, rollout(self.game, leaf.state, rng))
        return max(self.root.children, key=lambda a: self.root.children[a].num_visits)

    def observe(self, action):
        self.root = None if self.root is None else self.root.children.get(action)
        if self.root is not None:
            self.root.parent = None
            self.root.children = {}

# %% 3.7: a copy of the root is made, and the children keep the old parent
class Searcher:
    def __init__(self, game, rollout=None, c=C):
        self.game, self.rollout, self.c, self.root = game, rollout, c, None

    def choose(self, state, simulations, rng):
        if self.game.outcome(state) is not None or simulations < 1:
            raise ValueError("nothing to search")
        if self.root is None or self.root.state != state:
            self.root = Node(self.game, state)
        rollout = self.rollout or default_policy
        for _ in range(simulations):
            leaf = tree_policy(self.game, self.root, self.c, rng)
            backup(leaf, rollout(self.game, leaf.state, rng))
        return max(self.root.children, key=lambda a: self.root.children[a].num_visits)

    def observe(self, action):
        self.root = None if self.root is None else self.root.children.get(action)
        if self.root is not None:
            old, self.root = self.root, Node(self.game, self.root.state)
            self.root.num_visits, self.root.q, self.root.children = old.num_visits, old.q, old.children

# %% 3.7: the most visited child is followed, whatever was played
class Searcher:
    def __init__(self, game, rollout=None, c=C):
        self.game, self.rollout, self.c, self.root = game, rollout, c, None

    def choose(self, state, simulations, rng):
        if self.game.outcome(state) is not None or simulations < 1:
            raise ValueError("nothing to search")
        if self.root is None or self.root.state != state:
            self.root = Node(self.game, state)
        rollout = self.rollout or default_policy
        for _ in range(simulations):
            leaf = tree_policy(self.game, self.root, self.c, rng)
            backup(leaf, rollout(self.game, leaf.state, rng))
        return max(self.root.children, key=lambda a: self.root.children[a].num_visits)

    def observe(self, action):
        children = [] if self.root is None else self.root.children.values()
        self.root = max(children, key=lambda child: child.num_visits, default=None)
        if self.root is not None:
            self.root.parent = None

# %% 3.7: choose follows its own move already
class Searcher:
    def __init__(self, game, rollout=None, c=C):
        self.game, self.rollout, self.c, self.root = game, rollout, c, None

    def choose(self, state, simulations, rng):
        if self.game.outcome(state) is not None or simulations < 1:
            raise ValueError("nothing to search")
        if self.root is None or self.root.state != state:
            self.root = Node(self.game, state)
        rollout = self.rollout or default_policy
        for _ in range(simulations):
            leaf = tree_policy(self.game, self.root, self.c, rng)
            backup(leaf, rollout(self.game, leaf.state, rng))
        action = max(self.root.children, key=lambda a: self.root.children[a].num_visits)
        self.observe(action)
        return action

    def observe(self, action):
        self.root = None if self.root is None else self.root.children.get(action)
        if self.root is not None:
            self.root.parent = None

# %% 3.7: an unseen move leaves the old root
class Searcher:
    def __init__(self, game, rollout=None, c=C):
        self.game, self.rollout, self.c, self.root = game, rollout, c, None

    def choose(self, state, simulations, rng):
        if self.game.outcome(state) is not None or simulations < 1:
            raise ValueError("nothing to search")
        if self.root is None or self.root.state != state:
            self.root = Node(self.game, state)
        rollout = self.rollout or default_policy
        for _ in range(simulations):
            leaf = tree_policy(self.game, self.root, self.c, rng)
            backup(leaf, rollout(self.game, leaf.state, rng))
        return max(self.root.children, key=lambda a: self.root.children[a].num_visits)

    def observe(self, action):
        if self.root is not None:
            self.root = self.root.children.get(action, self.root)
        if self.root is not None:
            self.root.parent = None

# %% 3.7: an unseen move is a KeyError
class Searcher:
    def __init__(self, game, rollout=None, c=C):
        self.game, self.rollout, self.c, self.root = game, rollout, c, None

    def choose(self, state, simulations, rng):
        if self.game.outcome(state) is not None or simulations < 1:
            raise ValueError("nothing to search")
        if self.root is None or self.root.state != state:
            self.root = Node(self.game, state)
        rollout = self.rollout or default_policy
        for _ in range(simulations):
            leaf = tree_policy(self.game, self.root, self.c, rng)
            backup(leaf, rollout(self.game, leaf.state, rng))
        return max(self.root.children, key=lambda a: self.root.children[a].num_visits)

    def observe(self, action):
        self.root = None if self.root is None else self.root.children[action]
        if self.root is not None:
            self.root.parent = None

# %% 3.7: observe before the first search is an error
class Searcher:
    def __init__(self, game, rollout=None, c=C):
        self.game, self.rollout, self.c, self.root = game, rollout, c, None

    def choose(self, state, simulations, rng):
        if self.game.outcome(state) is not None or simulations < 1:
            raise ValueError("nothing to search")
        if self.root is None or self.root.state != state:
            self.root = Node(self.game, state)
        rollout = self.rollout or default_policy
        for _ in range(simulations):
            leaf = tree_policy(self.game, self.root, self.c, rng)
            backup(leaf, rollout(self.game, leaf.state, rng))
        return max(self.root.children, key=lambda a: self.root.children[a].num_visits)

    def observe(self, action):
        self.root = self.root.children.get(action)
        if self.root is not None:
            self.root.parent = None

# %% 3.7: the state is never compared with the root
class Searcher:
    def __init__(self, game, rollout=None, c=C):
        self.game, self.rollout, self.c, self.root = game, rollout, c, None

    def choose(self, state, simulations, rng):
        if self.game.outcome(state) is not None or simulations < 1:
            raise ValueError("nothing to search")
        if self.root is None:
            self.root = Node(self.game, state)
        rollout = self.rollout or default_policy
        for _ in range(simulations):
            leaf = tree_policy(self.game, self.root, self.c, rng)
            backup(leaf, rollout(self.game, leaf.state, rng))
        return max(self.root.children, key=lambda a: self.root.children[a].num_visits)

    def observe(self, action):
        self.root = None if self.root is None else self.root.children.get(action)
        if self.root is not None:
            self.root.parent = None

# %% 3.7: kept visits count as simulations
class Searcher:
    def __init__(self, game, rollout=None, c=C):
        self.game, self.rollout, self.c, self.root = game, rollout, c, None

    def choose(self, state, simulations, rng):
        if self.game.outcome(state) is not None or simulations < 1:
            raise ValueError("nothing to search")
        if self.root is None or self.root.state != state:
            self.root = Node(self.game, state)
        rollout = self.rollout or default_policy
        while self.root.num_visits < simulations:
            leaf = tree_policy(self.game, self.root, self.c, rng)
            backup(leaf, rollout(self.game, leaf.state, rng))
        return max(self.root.children, key=lambda a: self.root.children[a].num_visits)

    def observe(self, action):
        self.root = None if self.root is None else self.root.children.get(action)
        if self.root is not None:
            self.root.parent = None

# %% 3.7: the rollout that was given is never used
class Searcher:
    def __init__(self, game, rollout=None, c=C):
        self.game, self.rollout, self.c, self.root = game, rollout, c, None

    def choose(self, state, simulations, rng):
        if self.game.outcome(state) is not None or simulations < 1:
            raise ValueError("nothing to search")
        if self.root is None or self.root.state != state:
            self.root = Node(self.game, state)
        rollout = default_policy
        for _ in range(simulations):
            leaf = tree_policy(self.game, self.root, self.c, rng)
            backup(leaf, rollout(self.game, leaf.state, rng))
        return max(self.root.children, key=lambda a: self.root.children[a].num_visits)

    def observe(self, action):
        self.root = None if self.root is None else self.root.children.get(action)
        if self.root is not None:
            self.root.parent = None

# %% 3.7: c is never used
class Searcher:
    def __init__(self, game, rollout=None, c=C):
        self.game, self.rollout, self.c, self.root = game, rollout, c, None

    def choose(self, state, simulations, rng):
        if self.game.outcome(state) is not None or simulations < 1:
            raise ValueError("nothing to search")
        if self.root is None or self.root.state != state:
            self.root = Node(self.game, state)
        rollout = self.rollout or default_policy
        for _ in range(simulations):
            leaf = tree_policy(self.game, self.root, C, rng)
            backup(leaf, rollout(self.game, leaf.state, rng))
        return max(self.root.children, key=lambda a: self.root.children[a].num_visits)

    def observe(self, action):
        self.root = None if self.root is None else self.root.children.get(action)
        if self.root is not None:
            self.root.parent = None

# %% 3.7: the move is the one with the best mean
class Searcher:
    def __init__(self, game, rollout=None, c=C):
        self.game, self.rollout, self.c, self.root = game, rollout, c, None

    def choose(self, state, simulations, rng):
        if self.game.outcome(state) is not None or simulations < 1:
            raise ValueError("nothing to search")
        if self.root is None or self.root.state != state:
            self.root = Node(self.game, state)
        rollout = self.rollout or default_policy
        for _ in range(simulations):
            leaf = tree_policy(self.game, self.root, self.c, rng)
            backup(leaf, rollout(self.game, leaf.state, rng))
        return max(self.root.children, key=lambda a: self.root.children[a].q / self.root.children[a].num_visits)

    def observe(self, action):
        self.root = None if self.root is None else self.root.children.get(action)
        if self.root is not None:
            self.root.parent = None

# %% 3.7: the move is the one with the highest bound
class Searcher:
    def __init__(self, game, rollout=None, c=C):
        self.game, self.rollout, self.c, self.root = game, rollout, c, None

    def choose(self, state, simulations, rng):
        if self.game.outcome(state) is not None or simulations < 1:
            raise ValueError("nothing to search")
        if self.root is None or self.root.state != state:
            self.root = Node(self.game, state)
        rollout = self.rollout or default_policy
        for _ in range(simulations):
            leaf = tree_policy(self.game, self.root, self.c, rng)
            backup(leaf, rollout(self.game, leaf.state, rng))
        return best_child(self.root, self.c).action

    def observe(self, action):
        self.root = None if self.root is None else self.root.children.get(action)
        if self.root is not None:
            self.root.parent = None

# %% 3.7: the rollout begins at the root
class Searcher:
    def __init__(self, game, rollout=None, c=C):
        self.game, self.rollout, self.c, self.root = game, rollout, c, None

    def choose(self, state, simulations, rng):
        if self.game.outcome(state) is not None or simulations < 1:
            raise ValueError("nothing to search")
        if self.root is None or self.root.state != state:
            self.root = Node(self.game, state)
        rollout = self.rollout or default_policy
        for _ in range(simulations):
            leaf = tree_policy(self.game, self.root, self.c, rng)
            backup(leaf, rollout(self.game, state, rng))
        return max(self.root.children, key=lambda a: self.root.children[a].num_visits)

    def observe(self, action):
        self.root = None if self.root is None else self.root.children.get(action)
        if self.root is not None:
            self.root.parent = None

# %% 3.7: the rollout gets a generator of its own
class Searcher:
    def __init__(self, game, rollout=None, c=C):
        self.game, self.rollout, self.c, self.root = game, rollout, c, None

    def choose(self, state, simulations, rng):
        if self.game.outcome(state) is not None or simulations < 1:
            raise ValueError("nothing to search")
        if self.root is None or self.root.state != state:
            self.root = Node(self.game, state)
        rollout = self.rollout or default_policy
        for _ in range(simulations):
            leaf = tree_policy(self.game, self.root, self.c, rng)
            backup(leaf, rollout(self.game, leaf.state, random.Random(rng.random())))
        return max(self.root.children, key=lambda a: self.root.children[a].num_visits)

    def observe(self, action):
        self.root = None if self.root is None else self.root.children.get(action)
        if self.root is not None:
            self.root.parent = None

# %% 3.7: a finished game returns None
class Searcher:
    def __init__(self, game, rollout=None, c=C):
        self.game, self.rollout, self.c, self.root = game, rollout, c, None

    def choose(self, state, simulations, rng):
        if self.game.outcome(state) is not None:
            return None
        if simulations < 1:
            raise ValueError("nothing to search")
        if self.root is None or self.root.state != state:
            self.root = Node(self.game, state)
        rollout = self.rollout or default_policy
        for _ in range(simulations):
            leaf = tree_policy(self.game, self.root, self.c, rng)
            backup(leaf, rollout(self.game, leaf.state, rng))
        return max(self.root.children, key=lambda a: self.root.children[a].num_visits)

    def observe(self, action):
        self.root = None if self.root is None else self.root.children.get(action)
        if self.root is not None:
            self.root.parent = None

# %% 3.7: no simulation is accepted
class Searcher:
    def __init__(self, game, rollout=None, c=C):
        self.game, self.rollout, self.c, self.root = game, rollout, c, None

    def choose(self, state, simulations, rng):
        if self.game.outcome(state) is not None:
            raise ValueError("nothing to search")
        if self.root is None or self.root.state != state:
            self.root = Node(self.game, state)
        rollout = self.rollout or default_policy
        for _ in range(simulations):
            leaf = tree_policy(self.game, self.root, self.c, rng)
            backup(leaf, rollout(self.game, leaf.state, rng))
        return max(self.root.children, key=lambda a: self.root.children[a].num_visits)

    def observe(self, action):
        self.root = None if self.root is None else self.root.children.get(action)
        if self.root is not None:
            self.root.parent = None

# %% 3.7: all searchers share one tree
class Searcher:
    root = None

    def __init__(self, game, rollout=None, c=C):
        self.game, self.rollout, self.c = game, rollout, c

    def choose(self, state, simulations, rng):
        if self.game.outcome(state) is not None or simulations < 1:
            raise ValueError("nothing to search")
        if self.root is None or self.root.state != state:
            Searcher.root = Node(self.game, state)
        rollout = self.rollout or default_policy
        for _ in range(simulations):
            leaf = tree_policy(self.game, self.root, self.c, rng)
            backup(leaf, rollout(self.game, leaf.state, rng))
        return max(self.root.children, key=lambda a: self.root.children[a].num_visits)

    def observe(self, action):
        Searcher.root = None if self.root is None else self.root.children.get(action)
        if self.root is not None:
            self.root.parent = None

# %% 3.7: the rewards are turned around for the second player
class Searcher:
    def __init__(self, game, rollout=None, c=C):
        self.game, self.rollout, self.c, self.root = game, rollout, c, None

    def choose(self, state, simulations, rng):
        if self.game.outcome(state) is not None or simulations < 1:
            raise ValueError("nothing to search")
        if self.root is None or self.root.state != state:
            self.root = Node(self.game, state)
        rollout = self.rollout or default_policy
        for _ in range(simulations):
            leaf = tree_policy(self.game, self.root, self.c, rng)
            rewards = rollout(self.game, leaf.state, rng)
            backup(leaf, rewards if self.game.player(self.root.state) == 0 else rewards[::-1])
        return max(self.root.children, key=lambda a: self.root.children[a].num_visits)

    def observe(self, action):
        self.root = None if self.root is None else self.root.children.get(action)
        if self.root is not None:
            self.root.parent = None

# %% 3.7: after a move the sum changes its sign
class Searcher:
    def __init__(self, game, rollout=None, c=C):
        self.game, self.rollout, self.c, self.root = game, rollout, c, None

    def choose(self, state, simulations, rng):
        if self.game.outcome(state) is not None or simulations < 1:
            raise ValueError("nothing to search")
        if self.root is None or self.root.state != state:
            self.root = Node(self.game, state)
        rollout = self.rollout or default_policy
        for _ in range(simulations):
            leaf = tree_policy(self.game, self.root, self.c, rng)
            backup(leaf, rollout(self.game, leaf.state, rng))
        return max(self.root.children, key=lambda a: self.root.children[a].num_visits)

    def observe(self, action):
        self.root = None if self.root is None else self.root.children.get(action)
        if self.root is not None:
            self.root.parent = None
            self.root.q = -self.root.q

# %% 3.7: two moves are followed in one
class Searcher:
    def __init__(self, game, rollout=None, c=C):
        self.game, self.rollout, self.c, self.root = game, rollout, c, None

    def choose(self, state, simulations, rng):
        if self.game.outcome(state) is not None or simulations < 1:
            raise ValueError("nothing to search")
        if self.root is None or self.root.state != state:
            self.root = Node(self.game, state)
        rollout = self.rollout or default_policy
        for _ in range(simulations):
            leaf = tree_policy(self.game, self.root, self.c, rng)
            backup(leaf, rollout(self.game, leaf.state, rng))
        return max(self.root.children, key=lambda a: self.root.children[a].num_visits)

    def observe(self, action):
        self.root = None if self.root is None else self.root.children.get(action)
        if self.root is not None and self.root.children:
            self.root = max(self.root.children.values(), key=lambda child: child.num_visits)
        if self.root is not None:
            self.root.parent = None

# %% 3.7: a lonely move is not searched
class Searcher:
    def __init__(self, game, rollout=None, c=C):
        self.game, self.rollout, self.c, self.root = game, rollout, c, None

    def choose(self, state, simulations, rng):
        if self.game.outcome(state) is not None or simulations < 1:
            raise ValueError("nothing to search")
        if self.root is None or self.root.state != state:
            self.root = Node(self.game, state)
        rollout = self.rollout or default_policy
        for _ in range(simulations if len(self.root.legal) > 1 else 1):
            leaf = tree_policy(self.game, self.root, self.c, rng)
            backup(leaf, rollout(self.game, leaf.state, rng))
        return max(self.root.children, key=lambda a: self.root.children[a].num_visits)

    def observe(self, action):
        self.root = None if self.root is None else self.root.children.get(action)
        if self.root is not None:
            self.root.parent = None

# %% 3.7: the global generator
class Searcher:
    def __init__(self, game, rollout=None, c=C):
        self.game, self.rollout, self.c, self.root = game, rollout, c, None

    def choose(self, state, simulations, rng):
        if self.game.outcome(state) is not None or simulations < 1:
            raise ValueError("nothing to search")
        if self.root is None or self.root.state != state:
            self.root = Node(self.game, state)
        rollout = self.rollout or default_policy
        for _ in range(simulations):
            leaf = tree_policy(self.game, self.root, self.c, random)
            backup(leaf, rollout(self.game, leaf.state, rng))
        return max(self.root.children, key=lambda a: self.root.children[a].num_visits)

    def observe(self, action):
        self.root = None if self.root is None else self.root.children.get(action)
        if self.root is not None:
            self.root.parent = None

# %% 3.8: a child's loss is its parent's loss
def prove(node):
    if node.outcome in (1.0, -1.0):
        node.proven = node.outcome
    while node.proven is not None and node.parent is not None:
        node = node.parent
        replies = [child.proven for child in node.children.values()]
        if -1.0 in replies:
            node.proven = -1.0
        elif len(replies) == len(node.legal) and all(value == 1.0 for value in replies):
            node.proven = -1.0

# %% 3.8: a win needs all children
def prove(node):
    if node.outcome in (1.0, -1.0):
        node.proven = node.outcome
    while node.proven is not None and node.parent is not None:
        node = node.parent
        replies = [child.proven for child in node.children.values()]
        if len(replies) == len(node.legal) and all(value == -1.0 for value in replies):
            node.proven = 1.0
        elif len(replies) == len(node.legal) and all(value == 1.0 for value in replies):
            node.proven = -1.0

# %% 3.8: one losing move makes a loss
def prove(node):
    if node.outcome in (1.0, -1.0):
        node.proven = node.outcome
    while node.proven is not None and node.parent is not None:
        node = node.parent
        replies = [child.proven for child in node.children.values()]
        if -1.0 in replies:
            node.proven = 1.0
        elif 1.0 in replies:
            node.proven = -1.0

# %% 3.8: a loss is proven before all actions have children
def prove(node):
    if node.outcome in (1.0, -1.0):
        node.proven = node.outcome
    while node.proven is not None and node.parent is not None:
        node = node.parent
        replies = [child.proven for child in node.children.values()]
        if -1.0 in replies:
            node.proven = 1.0
        elif all(value == 1.0 for value in replies):
            node.proven = -1.0

# %% 3.8: a drawn move does not save from a loss
def prove(node):
    if node.outcome in (1.0, -1.0):
        node.proven = node.outcome
    while node.proven is not None and node.parent is not None:
        node = node.parent
        replies = [child.proven for child in node.children.values()]
        if -1.0 in replies:
            node.proven = 1.0
        elif len(replies) == len(node.legal) and all(
                value is not None or child.outcome == 0.0 for value, child in zip(replies, node.children.values())):
            node.proven = -1.0

# %% 3.8: a draw is proven as 0
def prove(node):
    if node.outcome is not None:
        node.proven = node.outcome
    while node.proven is not None and node.parent is not None:
        node = node.parent
        replies = [child.proven for child in node.children.values()]
        if -1.0 in replies:
            node.proven = 1.0
        elif len(replies) == len(node.legal) and all(value == 1.0 for value in replies):
            node.proven = -1.0

# %% 3.8: a draw counts as lost
def prove(node):
    if node.outcome is not None:
        node.proven = node.outcome or -1.0
    while node.proven is not None and node.parent is not None:
        node = node.parent
        replies = [child.proven for child in node.children.values()]
        if -1.0 in replies:
            node.proven = 1.0
        elif len(replies) == len(node.legal) and all(value == 1.0 for value in replies):
            node.proven = -1.0

# %% 3.8: the leaf is proven for the player who moved into it
def prove(node):
    if node.outcome in (1.0, -1.0):
        node.proven = -node.outcome
    while node.proven is not None and node.parent is not None:
        node = node.parent
        replies = [child.proven for child in node.children.values()]
        if -1.0 in replies:
            node.proven = 1.0
        elif len(replies) == len(node.legal) and all(value == 1.0 for value in replies):
            node.proven = -1.0

# %% 3.8: only lost leaves are proven
def prove(node):
    if node.outcome == -1.0:
        node.proven = node.outcome
    while node.proven is not None and node.parent is not None:
        node = node.parent
        replies = [child.proven for child in node.children.values()]
        if -1.0 in replies:
            node.proven = 1.0
        elif len(replies) == len(node.legal) and all(value == 1.0 for value in replies):
            node.proven = -1.0

# %% 3.8: only won leaves are proven
def prove(node):
    if node.outcome == 1.0:
        node.proven = node.outcome
    while node.proven is not None and node.parent is not None:
        node = node.parent
        replies = [child.proven for child in node.children.values()]
        if -1.0 in replies:
            node.proven = 1.0
        elif len(replies) == len(node.legal) and all(value == 1.0 for value in replies):
            node.proven = -1.0

# %% 3.8: only the parent hears of it
def prove(node):
    if node.outcome in (1.0, -1.0):
        node.proven = node.outcome
    if node.proven is not None and node.parent is not None:
        node = node.parent
        replies = [child.proven for child in node.children.values()]
        if -1.0 in replies:
            node.proven = 1.0
        elif len(replies) == len(node.legal) and all(value == 1.0 for value in replies):
            node.proven = -1.0

# %% 3.8: losses are never proven
def prove(node):
    if node.outcome in (1.0, -1.0):
        node.proven = node.outcome
    while node.proven is not None and node.parent is not None:
        node = node.parent
        replies = [child.proven for child in node.children.values()]
        if -1.0 in replies:
            node.proven = 1.0
        else:
            break

# %% 3.8: every node above is proven, turn by turn
def prove(node):
    if node.outcome in (1.0, -1.0):
        node.proven = node.outcome
    value = node.proven
    while node.proven is not None and node.parent is not None:
        node = node.parent
        value = -value
        node.proven = value

# %% 3.8: a proof is written into the sum
def prove(node):
    if node.outcome in (1.0, -1.0):
        node.proven = node.outcome
    while node.proven is not None and node.parent is not None:
        node = node.parent
        replies = [child.proven for child in node.children.values()]
        if -1.0 in replies:
            node.proven = 1.0
            node.q = -math.inf
        elif len(replies) == len(node.legal) and all(value == 1.0 for value in replies):
            node.proven = -1.0

# %% 3.8: the root is never proven
def prove(node):
    if node.outcome in (1.0, -1.0):
        node.proven = node.outcome
    while node.proven is not None and node.parent is not None and node.parent.parent is not None:
        node = node.parent
        replies = [child.proven for child in node.children.values()]
        if -1.0 in replies:
            node.proven = 1.0
        elif len(replies) == len(node.legal) and all(value == 1.0 for value in replies):
            node.proven = -1.0

# %% 3.8: children that are missing count as unproven only at the root
def prove(node):
    if node.outcome in (1.0, -1.0):
        node.proven = node.outcome
    while node.proven is not None and node.parent is not None:
        node = node.parent
        replies = [child.proven for child in node.children.values()]
        if -1.0 in replies:
            node.proven = 1.0
        elif (node.parent or len(replies) == len(node.legal)) and all(value == 1.0 for value in replies):
            node.proven = -1.0

# %% 3.8: plain UCT that proves on the side
def solve(game, state, simulations, rng):
    root = Node(game, state)
    if root.outcome is not None or simulations < 1:
        raise ValueError("nothing to solve")
    while root.proven is None and root.num_visits < simulations:
        leaf = root
        while leaf.outcome is None and len(leaf.children) == len(leaf.legal):
            leaf = best_child(leaf, C)
        if leaf.outcome is None:
            leaf = expand(game, leaf, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        prove(leaf)
    return max(root.children, key=lambda a: (-(root.children[a].proven or 0.0), root.children[a].num_visits)), root

# %% 3.8: the search goes on although the root is proven
def solve(game, state, simulations, rng):
    root = Node(game, state)
    if root.outcome is not None or simulations < 1:
        raise ValueError("nothing to solve")
    for _ in range(simulations):
        leaf = root
        while leaf.outcome is None and len(leaf.children) == len(leaf.legal):
            unknown = [child for child in leaf.children.values() if child.proven is None] or list(leaf.children.values())
            leaf = max(unknown, key=lambda child: bound(child, C))
        if leaf.outcome is None:
            leaf = expand(game, leaf, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        prove(leaf)
    return max(root.children, key=lambda a: (-(root.children[a].proven or 0.0), root.children[a].num_visits)), root

# %% 3.8: it ends at a proven win only
def solve(game, state, simulations, rng):
    root = Node(game, state)
    if root.outcome is not None or simulations < 1:
        raise ValueError("nothing to solve")
    while root.proven != 1.0 and root.num_visits < simulations:
        leaf = root
        while leaf.outcome is None and len(leaf.children) == len(leaf.legal):
            unknown = [child for child in leaf.children.values() if child.proven is None] or list(leaf.children.values())
            leaf = max(unknown, key=lambda child: bound(child, C))
        if leaf.outcome is None:
            leaf = expand(game, leaf, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        prove(leaf)
    return max(root.children, key=lambda a: (-(root.children[a].proven or 0.0), root.children[a].num_visits)), root

# %% 3.8: the move is the one with most visits, proven or not
def solve(game, state, simulations, rng):
    root = Node(game, state)
    if root.outcome is not None or simulations < 1:
        raise ValueError("nothing to solve")
    while root.proven is None and root.num_visits < simulations:
        leaf = root
        while leaf.outcome is None and len(leaf.children) == len(leaf.legal):
            unknown = [child for child in leaf.children.values() if child.proven is None]
            leaf = max(unknown, key=lambda child: bound(child, C))
        if leaf.outcome is None:
            leaf = expand(game, leaf, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        prove(leaf)
    return max(root.children, key=lambda a: root.children[a].num_visits), root

# %% 3.8: a proven loss may be chosen
def solve(game, state, simulations, rng):
    root = Node(game, state)
    if root.outcome is not None or simulations < 1:
        raise ValueError("nothing to solve")
    while root.proven is None and root.num_visits < simulations:
        leaf = root
        while leaf.outcome is None and len(leaf.children) == len(leaf.legal):
            unknown = [child for child in leaf.children.values() if child.proven is None]
            leaf = max(unknown, key=lambda child: bound(child, C))
        if leaf.outcome is None:
            leaf = expand(game, leaf, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        prove(leaf)
    return max(root.children, key=lambda a: (root.children[a].proven == -1.0, root.children[a].num_visits)), root

# %% 3.8: a proven loss is preferred
def solve(game, state, simulations, rng):
    root = Node(game, state)
    if root.outcome is not None or simulations < 1:
        raise ValueError("nothing to solve")
    while root.proven is None and root.num_visits < simulations:
        leaf = root
        while leaf.outcome is None and len(leaf.children) == len(leaf.legal):
            unknown = [child for child in leaf.children.values() if child.proven is None]
            leaf = max(unknown, key=lambda child: bound(child, C))
        if leaf.outcome is None:
            leaf = expand(game, leaf, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        prove(leaf)
    return max(root.children, key=lambda a: ((root.children[a].proven or 0.0), root.children[a].num_visits)), root

# %% 3.8: a proven win is not preferred
def solve(game, state, simulations, rng):
    root = Node(game, state)
    if root.outcome is not None or simulations < 1:
        raise ValueError("nothing to solve")
    while root.proven is None and root.num_visits < simulations:
        leaf = root
        while leaf.outcome is None and len(leaf.children) == len(leaf.legal):
            unknown = [child for child in leaf.children.values() if child.proven is None]
            leaf = max(unknown, key=lambda child: bound(child, C))
        if leaf.outcome is None:
            leaf = expand(game, leaf, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        prove(leaf)
    return max(root.children, key=lambda a: (root.children[a].proven != 1.0, root.children[a].num_visits)), root

# %% 3.8: proven children are passed over at the root only
def solve(game, state, simulations, rng):
    root = Node(game, state)
    if root.outcome is not None or simulations < 1:
        raise ValueError("nothing to solve")
    while root.proven is None and root.num_visits < simulations:
        leaf = root
        while leaf.outcome is None and len(leaf.children) == len(leaf.legal):
            unknown = [child for child in leaf.children.values() if child.proven is None or leaf is not root]
            leaf = max(unknown, key=lambda child: bound(child, C))
        if leaf.outcome is None:
            leaf = expand(game, leaf, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        prove(leaf)
    return max(root.children, key=lambda a: (-(root.children[a].proven or 0.0), root.children[a].num_visits)), root

# %% 3.8: prove is never called
def solve(game, state, simulations, rng):
    root = Node(game, state)
    if root.outcome is not None or simulations < 1:
        raise ValueError("nothing to solve")
    while root.proven is None and root.num_visits < simulations:
        leaf = root
        while leaf.outcome is None and len(leaf.children) == len(leaf.legal):
            unknown = [child for child in leaf.children.values() if child.proven is None]
            leaf = max(unknown, key=lambda child: bound(child, C))
        if leaf.outcome is None:
            leaf = expand(game, leaf, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
    return max(root.children, key=lambda a: (-(root.children[a].proven or 0.0), root.children[a].num_visits)), root

# %% 3.8: no exploration
def solve(game, state, simulations, rng):
    root = Node(game, state)
    if root.outcome is not None or simulations < 1:
        raise ValueError("nothing to solve")
    while root.proven is None and root.num_visits < simulations:
        leaf = root
        while leaf.outcome is None and len(leaf.children) == len(leaf.legal):
            unknown = [child for child in leaf.children.values() if child.proven is None]
            leaf = max(unknown, key=lambda child: bound(child, 0.0))
        if leaf.outcome is None:
            leaf = expand(game, leaf, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        prove(leaf)
    return max(root.children, key=lambda a: (-(root.children[a].proven or 0.0), root.children[a].num_visits)), root

# %% 3.8: twice as much exploration
def solve(game, state, simulations, rng):
    root = Node(game, state)
    if root.outcome is not None or simulations < 1:
        raise ValueError("nothing to solve")
    while root.proven is None and root.num_visits < simulations:
        leaf = root
        while leaf.outcome is None and len(leaf.children) == len(leaf.legal):
            unknown = [child for child in leaf.children.values() if child.proven is None]
            leaf = max(unknown, key=lambda child: bound(child, 2 * C))
        if leaf.outcome is None:
            leaf = expand(game, leaf, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        prove(leaf)
    return max(root.children, key=lambda a: (-(root.children[a].proven or 0.0), root.children[a].num_visits)), root

# %% 3.8: a little less exploration
def solve(game, state, simulations, rng):
    root = Node(game, state)
    if root.outcome is not None or simulations < 1:
        raise ValueError("nothing to solve")
    while root.proven is None and root.num_visits < simulations:
        leaf = root
        while leaf.outcome is None and len(leaf.children) == len(leaf.legal):
            unknown = [child for child in leaf.children.values() if child.proven is None]
            leaf = max(unknown, key=lambda child: bound(child, 0.5))
        if leaf.outcome is None:
            leaf = expand(game, leaf, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        prove(leaf)
    return max(root.children, key=lambda a: (-(root.children[a].proven or 0.0), root.children[a].num_visits)), root

# %% 3.8: the player below chooses for the other one
def solve(game, state, simulations, rng):
    root = Node(game, state)
    if root.outcome is not None or simulations < 1:
        raise ValueError("nothing to solve")
    while root.proven is None and root.num_visits < simulations:
        leaf = root
        while leaf.outcome is None and len(leaf.children) == len(leaf.legal):
            unknown = [child for child in leaf.children.values() if child.proven is None]
            leaf = max(unknown, key=lambda child: bound(child, C) if leaf is root else -bound(child, C))
        if leaf.outcome is None:
            leaf = expand(game, leaf, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        prove(leaf)
    return max(root.children, key=lambda a: (-(root.children[a].proven or 0.0), root.children[a].num_visits)), root

# %% 3.8: too much exploration below the root
def solve(game, state, simulations, rng):
    root = Node(game, state)
    if root.outcome is not None or simulations < 1:
        raise ValueError("nothing to solve")
    while root.proven is None and root.num_visits < simulations:
        leaf = root
        while leaf.outcome is None and len(leaf.children) == len(leaf.legal):
            unknown = [child for child in leaf.children.values() if child.proven is None]
            leaf = max(unknown, key=lambda child: bound(child, C if leaf is root else 0.0))
        if leaf.outcome is None:
            leaf = expand(game, leaf, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        prove(leaf)
    return max(root.children, key=lambda a: (-(root.children[a].proven or 0.0), root.children[a].num_visits)), root

# %% 3.8: one simulation too many
def solve(game, state, simulations, rng):
    root = Node(game, state)
    if root.outcome is not None or simulations < 1:
        raise ValueError("nothing to solve")
    while root.proven is None and root.num_visits <= simulations:
        leaf = root
        while leaf.outcome is None and len(leaf.children) == len(leaf.legal):
            unknown = [child for child in leaf.children.values() if child.proven is None]
            leaf = max(unknown, key=lambda child: bound(child, C))
        if leaf.outcome is None:
            leaf = expand(game, leaf, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        prove(leaf)
    return max(root.children, key=lambda a: (-(root.children[a].proven or 0.0), root.children[a].num_visits)), root

# %% 3.8: a single legal move is played at once
def solve(game, state, simulations, rng):
    root = Node(game, state)
    if root.outcome is not None or simulations < 1:
        raise ValueError("nothing to solve")
    if len(root.legal) == 1:
        return root.legal[0], root
    while root.proven is None and root.num_visits < simulations:
        leaf = root
        while leaf.outcome is None and len(leaf.children) == len(leaf.legal):
            unknown = [child for child in leaf.children.values() if child.proven is None]
            leaf = max(unknown, key=lambda child: bound(child, C))
        if leaf.outcome is None:
            leaf = expand(game, leaf, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        prove(leaf)
    return max(root.children, key=lambda a: (-(root.children[a].proven or 0.0), root.children[a].num_visits)), root

# %% 3.8: a finished game returns None
def solve(game, state, simulations, rng):
    root = Node(game, state)
    if root.outcome is not None:
        return None, root
    if simulations < 1:
        raise ValueError("nothing to solve")
    while root.proven is None and root.num_visits < simulations:
        leaf = root
        while leaf.outcome is None and len(leaf.children) == len(leaf.legal):
            unknown = [child for child in leaf.children.values() if child.proven is None]
            leaf = max(unknown, key=lambda child: bound(child, C))
        if leaf.outcome is None:
            leaf = expand(game, leaf, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        prove(leaf)
    return max(root.children, key=lambda a: (-(root.children[a].proven or 0.0), root.children[a].num_visits)), root

# %% 3.8: the rewards are swapped
def solve(game, state, simulations, rng):
    root = Node(game, state)
    if root.outcome is not None or simulations < 1:
        raise ValueError("nothing to solve")
    while root.proven is None and root.num_visits < simulations:
        leaf = root
        while leaf.outcome is None and len(leaf.children) == len(leaf.legal):
            unknown = [child for child in leaf.children.values() if child.proven is None]
            leaf = max(unknown, key=lambda child: bound(child, C))
        if leaf.outcome is None:
            leaf = expand(game, leaf, rng)
        backup(leaf, default_policy(game, leaf.state, rng)[::-1])
        prove(leaf)
    return max(root.children, key=lambda a: (-(root.children[a].proven or 0.0), root.children[a].num_visits)), root

# %% 3.8: the global generator for the rollouts
def solve(game, state, simulations, rng):
    root = Node(game, state)
    if root.outcome is not None or simulations < 1:
        raise ValueError("nothing to solve")
    while root.proven is None and root.num_visits < simulations:
        leaf = root
        while leaf.outcome is None and len(leaf.children) == len(leaf.legal):
            unknown = [child for child in leaf.children.values() if child.proven is None]
            leaf = max(unknown, key=lambda child: bound(child, C))
        if leaf.outcome is None:
            leaf = expand(game, leaf, rng)
        backup(leaf, default_policy(game, leaf.state, random))
        prove(leaf)
    return max(root.children, key=lambda a: (-(root.children[a].proven or 0.0), root.children[a].num_visits)), root

# %% 3.8: the root's proof is turned around when it is told
def solve(game, state, simulations, rng):
    root = Node(game, state)
    if root.outcome is not None or simulations < 1:
        raise ValueError("nothing to solve")
    while root.proven is None and root.num_visits < simulations:
        leaf = root
        while leaf.outcome is None and len(leaf.children) == len(leaf.legal):
            unknown = [child for child in leaf.children.values() if child.proven is None]
            leaf = max(unknown, key=lambda child: bound(child, C))
        if leaf.outcome is None:
            leaf = expand(game, leaf, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        prove(leaf)
    root.proven = -root.proven if root.proven else None
    return max(root.children, key=lambda a: (-(root.children[a].proven or 0.0), root.children[a].num_visits)), root

# %% 3.8: it stops at the first proof anywhere
def solve(game, state, simulations, rng):
    root = Node(game, state)
    if root.outcome is not None or simulations < 1:
        raise ValueError("nothing to solve")
    while root.proven is None and root.num_visits < simulations:
        leaf = root
        while leaf.outcome is None and len(leaf.children) == len(leaf.legal):
            unknown = [child for child in leaf.children.values() if child.proven is None]
            leaf = max(unknown, key=lambda child: bound(child, C))
        if leaf.outcome is None:
            leaf = expand(game, leaf, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        prove(leaf)
        if leaf.proven == -1.0 and leaf.parent is root.children.get(leaf.parent.action):
            break
    return max(root.children, key=lambda a: (-(root.children[a].proven or 0.0), root.children[a].num_visits)), root

# %% 3.9: it blocks before it wins
def tactical_action(game, state, rng):
    def wins_at(state):
        return [a for a in game.legal_actions(state) if game.outcome(game.play(state, a)) == -1.0]

    options = game.legal_actions(state)
    if not options:
        raise ValueError("the game is over")
    safe = [a for a in options if not wins_at(game.play(state, a))]
    wins = [a for a in wins_at(state) if len(safe) == len(options)]
    if wins:
        return rng.choice(wins)
    return rng.choice(safe or options)

# %% 3.9: it never blocks
def tactical_action(game, state, rng):
    def wins_at(state):
        return [a for a in game.legal_actions(state) if game.outcome(game.play(state, a)) == -1.0]

    options = game.legal_actions(state)
    if not options:
        raise ValueError("the game is over")
    wins = wins_at(state)
    if wins:
        return rng.choice(wins)
    return rng.choice(options)

# %% 3.9: it never wins
def tactical_action(game, state, rng):
    def wins_at(state):
        return [a for a in game.legal_actions(state) if game.outcome(game.play(state, a)) == -1.0]

    options = game.legal_actions(state)
    if not options:
        raise ValueError("the game is over")
    wins = wins_at(state)
    safe = [a for a in options if not wins_at(game.play(state, a))]
    return rng.choice(safe or options)

# %% 3.9: a win for the other player is taken
def tactical_action(game, state, rng):
    def wins_at(state):
        return [a for a in game.legal_actions(state) if game.outcome(game.play(state, a)) == 1.0]

    options = game.legal_actions(state)
    if not options:
        raise ValueError("the game is over")
    wins = wins_at(state)
    if wins:
        return rng.choice(wins)
    safe = [a for a in options if not wins_at(game.play(state, a))]
    return rng.choice(safe or options)

# %% 3.9: any end of the game is a win
def tactical_action(game, state, rng):
    def wins_at(state):
        return [a for a in game.legal_actions(state) if game.outcome(game.play(state, a)) is not None]

    options = game.legal_actions(state)
    if not options:
        raise ValueError("the game is over")
    wins = wins_at(state)
    if wins:
        return rng.choice(wins)
    safe = [a for a in options if not wins_at(game.play(state, a))]
    return rng.choice(safe or options)

# %% 3.9: a draw is a win
def tactical_action(game, state, rng):
    def wins_at(state):
        return [a for a in game.legal_actions(state) if game.outcome(game.play(state, a)) in (-1.0, 0.0)]

    options = game.legal_actions(state)
    if not options:
        raise ValueError("the game is over")
    wins = wins_at(state)
    if wins:
        return rng.choice(wins)
    safe = [a for a in options if not wins_at(game.play(state, a))]
    return rng.choice(safe or options)

# %% 3.9: a win or a loss, both are taken
def tactical_action(game, state, rng):
    def wins_at(state):
        return [a for a in game.legal_actions(state) if bool(game.outcome(game.play(state, a)))]

    options = game.legal_actions(state)
    if not options:
        raise ValueError("the game is over")
    wins = wins_at(state)
    if wins:
        return rng.choice(wins)
    safe = [a for a in options if not wins_at(game.play(state, a))]
    return rng.choice(safe or options)

# %% 3.9: the first winning move
def tactical_action(game, state, rng):
    def wins_at(state):
        return [a for a in game.legal_actions(state) if game.outcome(game.play(state, a)) == -1.0]

    options = game.legal_actions(state)
    if not options:
        raise ValueError("the game is over")
    wins = wins_at(state)
    if wins:
        return wins[0]
    safe = [a for a in options if not wins_at(game.play(state, a))]
    return rng.choice(safe or options)

# %% 3.9: the first safe move
def tactical_action(game, state, rng):
    def wins_at(state):
        return [a for a in game.legal_actions(state) if game.outcome(game.play(state, a)) == -1.0]

    options = game.legal_actions(state)
    if not options:
        raise ValueError("the game is over")
    wins = wins_at(state)
    if wins:
        return rng.choice(wins)
    safe = [a for a in options if not wins_at(game.play(state, a))]
    return (safe or options)[0]

# %% 3.9: the unsafe moves are chosen
def tactical_action(game, state, rng):
    def wins_at(state):
        return [a for a in game.legal_actions(state) if game.outcome(game.play(state, a)) == -1.0]

    options = game.legal_actions(state)
    if not options:
        raise ValueError("the game is over")
    wins = wins_at(state)
    if wins:
        return rng.choice(wins)
    safe = [a for a in options if wins_at(game.play(state, a))]
    return rng.choice(safe or options)

# %% 3.9: no safe move is an error
def tactical_action(game, state, rng):
    def wins_at(state):
        return [a for a in game.legal_actions(state) if game.outcome(game.play(state, a)) == -1.0]

    options = game.legal_actions(state)
    if not options:
        raise ValueError("the game is over")
    wins = wins_at(state)
    if wins:
        return rng.choice(wins)
    safe = [a for a in options if not wins_at(game.play(state, a))]
    return rng.choice(safe)

# %% 3.9: only one of the threats is seen
def tactical_action(game, state, rng):
    def wins_at(state):
        return [a for a in game.legal_actions(state) if game.outcome(game.play(state, a)) == -1.0]

    options = game.legal_actions(state)
    if not options:
        raise ValueError("the game is over")
    wins = wins_at(state)
    if wins:
        return rng.choice(wins)
    safe = [a for a in options if wins_at(game.play(state, a))[:1] != wins_at(game.play(state, options[0]))[:1]]
    return rng.choice(safe or options)

# %% 3.9: a threat is blocked where the other player would play
def tactical_action(game, state, rng):
    def wins_at(state):
        return [a for a in game.legal_actions(state) if game.outcome(game.play(state, a)) == -1.0]

    options = game.legal_actions(state)
    if not options:
        raise ValueError("the game is over")
    wins = wins_at(state)
    if wins:
        return rng.choice(wins)
    threats = wins_at(game.play(state, options[0]))
    safe = [a for a in threats if a in options]
    return rng.choice(safe or options)

# %% 3.9: None where the game is over
def tactical_action(game, state, rng):
    def wins_at(state):
        return [a for a in game.legal_actions(state) if game.outcome(game.play(state, a)) == -1.0]

    options = game.legal_actions(state)
    if not options:
        return None
    wins = wins_at(state)
    if wins:
        return rng.choice(wins)
    safe = [a for a in options if not wins_at(game.play(state, a))]
    return rng.choice(safe or options)

# %% 3.9: an IndexError where the game is over
def tactical_action(game, state, rng):
    def wins_at(state):
        return [a for a in game.legal_actions(state) if game.outcome(game.play(state, a)) == -1.0]

    options = game.legal_actions(state)
    wins = wins_at(state)
    if wins:
        return rng.choice(wins)
    safe = [a for a in options if not wins_at(game.play(state, a))]
    return rng.choice(safe or options)

# %% 3.9: the global generator
def tactical_action(game, state, rng):
    def wins_at(state):
        return [a for a in game.legal_actions(state) if game.outcome(game.play(state, a)) == -1.0]

    options = game.legal_actions(state)
    if not options:
        raise ValueError("the game is over")
    wins = wins_at(state)
    if wins:
        return rng.choice(wins)
    safe = [a for a in options if not wins_at(game.play(state, a))]
    return random.choice(safe or options)

# %% 3.9: the last safe move never comes
def tactical_action(game, state, rng):
    def wins_at(state):
        return [a for a in game.legal_actions(state) if game.outcome(game.play(state, a)) == -1.0]

    options = game.legal_actions(state)
    if not options:
        raise ValueError("the game is over")
    wins = wins_at(state)
    if wins:
        return rng.choice(wins)
    safe = [a for a in options if not wins_at(game.play(state, a))]
    some = safe or options
    return some[rng.randrange(max(1, len(some) - 1))]

# %% 3.9: the second player plays at random
def tactical_action(game, state, rng):
    def wins_at(state):
        return [a for a in game.legal_actions(state) if game.outcome(game.play(state, a)) == -1.0]

    options = game.legal_actions(state)
    if not options:
        raise ValueError("the game is over")
    if game.player(state) == 1:
        return rng.choice(options)
    wins = wins_at(state)
    if wins:
        return rng.choice(wins)
    safe = [a for a in options if not wins_at(game.play(state, a))]
    return rng.choice(safe or options)

# %% 3.9: the rollout tells the value for the player to move at the end
def tactical_rollout(game, state, rng):
    while game.outcome(state) is None:
        state = game.play(state, tactical_action(game, state, rng))
    value = game.outcome(state)
    return value, -value

# %% 3.9: the rollout tells the value for the player to move where it begins
def tactical_rollout(game, state, rng):
    first = game.player(state)
    while game.outcome(state) is None:
        state = game.play(state, tactical_action(game, state, rng))
    value = game.outcome(state)
    return (value, -value) if game.player(state) == first else (-value, value)

# %% 3.9: the rollout's rewards have changed places
def tactical_rollout(game, state, rng):
    while game.outcome(state) is None:
        state = game.play(state, tactical_action(game, state, rng))
    value = game.outcome(state)
    return (value, -value) if game.player(state) == 1 else (-value, value)

# %% 3.9: only the player to move at the beginning is tactical
def tactical_rollout(game, state, rng):
    first = game.player(state)
    while game.outcome(state) is None:
        clever = game.player(state) == first
        state = game.play(state, tactical_action(game, state, rng) if clever else rng.choice(game.legal_actions(state)))
    value = game.outcome(state)
    return (value, -value) if game.player(state) == 0 else (-value, value)

# %% 3.9: only player 0 is tactical
def tactical_rollout(game, state, rng):
    while game.outcome(state) is None:
        clever = game.player(state) == 0
        state = game.play(state, tactical_action(game, state, rng) if clever else rng.choice(game.legal_actions(state)))
    value = game.outcome(state)
    return (value, -value) if game.player(state) == 0 else (-value, value)

# %% 3.9: only the first move is tactical
def tactical_rollout(game, state, rng):
    if game.outcome(state) is None:
        state = game.play(state, tactical_action(game, state, rng))
    while game.outcome(state) is None:
        state = game.play(state, rng.choice(game.legal_actions(state)))
    value = game.outcome(state)
    return (value, -value) if game.player(state) == 0 else (-value, value)

# %% 3.9: a draw is a loss in the rollout
def tactical_rollout(game, state, rng):
    while game.outcome(state) is None:
        state = game.play(state, tactical_action(game, state, rng))
    value = game.outcome(state) or -1.0
    return (value, -value) if game.player(state) == 0 else (-value, value)

# %% 3.9: the rollout is not tactical
def tactical_rollout(game, state, rng):
    while game.outcome(state) is None:
        state = game.play(state, rng.choice(game.legal_actions(state)))
    value = game.outcome(state)
    return (value, -value) if game.player(state) == 0 else (-value, value)

# %% 3.9: the rollout draws from the global generator
def tactical_rollout(game, state, rng):
    while game.outcome(state) is None:
        state = game.play(state, tactical_action(game, state, random))
    value = game.outcome(state)
    return (value, -value) if game.player(state) == 0 else (-value, value)

# %% 3.10: exactly so many wins, not at least
# hint: exactly that many wins
def pass_probability(p, games, needed):
    if needed <= 0:
        return 1.0
    return math.comb(games, needed) * p**needed * (1 - p) ** (games - needed) if needed <= games else 0.0

def smallest_exam(weak, strong, error):
    for games in range(1, 200):
        for needed in range(games + 1):
            if pass_probability(weak, games, needed) <= error and pass_probability(strong, games, needed) >= 1 - error:
                return games, needed
    return 0, 0

# %% 3.10: more wins than needed
# hint: MORE wins than needed
def pass_probability(p, games, needed):
    return sum(math.comb(games, k) * p**k * (1 - p) ** (games - k) for k in range(max(needed + 1, 0), games + 1))

# %% 3.10: the last term of the sum is missing
def pass_probability(p, games, needed):
    return sum(math.comb(games, k) * p**k * (1 - p) ** (games - k) for k in range(max(needed, 0), games))

# %% 3.10: without the binomial coefficient
# hint: n how many orders
def pass_probability(p, games, needed):
    return sum(p**k * (1 - p) ** (games - k) for k in range(max(needed, 0), games + 1))

def smallest_exam(weak, strong, error):
    for games in range(1, 200):
        for needed in range(games + 1):
            if pass_probability(weak, games, needed) <= error and pass_probability(strong, games, needed) >= 1 - error:
                return games, needed
    return 0, 0

# %% 3.10: the probability to fail
# hint: to pass, or to fail
def pass_probability(p, games, needed):
    return sum(math.comb(games, k) * p**k * (1 - p) ** (games - k) for k in range(max(needed, 0)))

def smallest_exam(weak, strong, error):
    for games in range(1, 200):
        for needed in range(games + 1):
            if pass_probability(weak, games, needed) <= error and pass_probability(strong, games, needed) >= 1 - error:
                return games, needed
    return 0, 0

# %% 3.10: a normal distribution in the place of the exact sum
def pass_probability(p, games, needed):
    if needed <= 0 or needed > games or p in (0.0, 1.0):
        return float(needed <= 0 or (p == 1.0 and needed <= games))
    z = (needed - 0.5 - games * p) / math.sqrt(games * p * (1 - p))
    return 0.5 * math.erfc(z / math.sqrt(2))

# %% 3.10: negative numbers of wins are an error
def pass_probability(p, games, needed):
    return sum(math.comb(games, k) * p**k * (1 - p) ** (games - k) for k in range(needed, games + 1))

# %% 3.10: draws count nothing in the exams
def simulated_pass_rate(win, draw, games, needed, num_exams, rng):
    passed = 0
    for _ in range(num_exams):
        score = 0.0
        for _ in range(games):
            luck = rng.random()
            score += 1.0 if luck < win else 0.0 if luck < win + draw else 0.0
        passed += score >= needed
    return passed / num_exams

# %% 3.10: draws count a whole point
def simulated_pass_rate(win, draw, games, needed, num_exams, rng):
    passed = 0
    for _ in range(num_exams):
        score = 0.0
        for _ in range(games):
            luck = rng.random()
            score += 1.0 if luck < win else 1.0 if luck < win + draw else 0.0
        passed += score >= needed
    return passed / num_exams

# %% 3.10: draws are played again
def simulated_pass_rate(win, draw, games, needed, num_exams, rng):
    passed = 0
    for _ in range(num_exams):
        score = 0.0
        for _ in range(games):
            luck = rng.random() * (1 - draw) if draw < 1 else 1.0
            luck += draw if luck >= win else 0
            score += 1.0 if luck < win else 0.5 if luck < win + draw else 0.0
        passed += score >= needed
    return passed / num_exams

# %% 3.10: a draw is a second toss, and rarer than asked
def simulated_pass_rate(win, draw, games, needed, num_exams, rng):
    passed = 0
    for _ in range(num_exams):
        score = 0.0
        for _ in range(games):
            luck = rng.random()
            score += 1.0 if luck < win else 0.5 if rng.random() < draw else 0.0
        passed += score >= needed
    return passed / num_exams

# %% 3.10: a draw reaches only up to its own probability
def simulated_pass_rate(win, draw, games, needed, num_exams, rng):
    passed = 0
    for _ in range(num_exams):
        score = 0.0
        for _ in range(games):
            luck = rng.random()
            score += 1.0 if luck < win else 0.5 if luck < draw else 0.0
        passed += score >= needed
    return passed / num_exams

# %% 3.10: one random number for a whole exam
def simulated_pass_rate(win, draw, games, needed, num_exams, rng):
    passed = 0
    for _ in range(num_exams):
        score, luck = 0.0, rng.random()
        for _ in range(games):
            score += 1.0 if luck < win else 0.5 if luck < win + draw else 0.0
        passed += score >= needed
    return passed / num_exams

# %% 3.10: the score must exceed what is needed
def simulated_pass_rate(win, draw, games, needed, num_exams, rng):
    passed = 0
    for _ in range(num_exams):
        score = 0.0
        for _ in range(games):
            luck = rng.random()
            score += 1.0 if luck < win else 0.5 if luck < win + draw else 0.0
        passed += score > needed
    return passed / num_exams

# %% 3.10: the number of exams instead of their share
def simulated_pass_rate(win, draw, games, needed, num_exams, rng):
    passed = 0
    for _ in range(num_exams):
        score = 0.0
        for _ in range(games):
            luck = rng.random()
            score += 1.0 if luck < win else 0.5 if luck < win + draw else 0.0
        passed += score >= needed
    return float(passed)

# %% 3.10: the share of games won
def simulated_pass_rate(win, draw, games, needed, num_exams, rng):
    passed = 0
    for _ in range(num_exams):
        score = 0.0
        for _ in range(games):
            luck = rng.random()
            score += 1.0 if luck < win else 0.5 if luck < win + draw else 0.0
        passed += score / games
    return passed / num_exams

# %% 3.10: the score runs on from exam to exam
def simulated_pass_rate(win, draw, games, needed, num_exams, rng):
    passed, score = 0, 0.0
    for _ in range(num_exams):
        for _ in range(games):
            luck = rng.random()
            score += 1.0 if luck < win else 0.5 if luck < win + draw else 0.0
        passed += score >= needed
    return passed / num_exams

# %% 3.10: the global generator
def simulated_pass_rate(win, draw, games, needed, num_exams, rng):
    passed = 0
    for _ in range(num_exams):
        score = 0.0
        for _ in range(games):
            luck = random.random()
            score += 1.0 if luck < win else 0.5 if luck < win + draw else 0.0
        passed += score >= needed
    return passed / num_exams

# %% 3.10: a seed of its own
def simulated_pass_rate(win, draw, games, needed, num_exams, rng):
    passed, rng = 0, random.Random(0)
    for _ in range(num_exams):
        score = 0.0
        for _ in range(games):
            luck = rng.random()
            score += 1.0 if luck < win else 0.5 if luck < win + draw else 0.0
        passed += score >= needed
    return passed / num_exams

# %% 3.10: one exam too many in the denominator
def simulated_pass_rate(win, draw, games, needed, num_exams, rng):
    passed = 0
    for _ in range(num_exams):
        score = 0.0
        for _ in range(games):
            luck = rng.random()
            score += 1.0 if luck < win else 0.5 if luck < win + draw else 0.0
        passed += score >= needed
    return passed / (num_exams + 1)

# %% 3.10: the needed score is rounded down
def simulated_pass_rate(win, draw, games, needed, num_exams, rng):
    passed = 0
    for _ in range(num_exams):
        score = 0.0
        for _ in range(games):
            luck = rng.random()
            score += 1.0 if luck < win else 0.5 if luck < win + draw else 0.0
        passed += score >= int(needed)
    return passed / num_exams

# %% 3.10: the strong player need pass only half of the exams
def smallest_exam(weak, strong, error):
    games, needed = 0, 0
    while True:
        games += 1
        while pass_probability(weak, games, needed) > error:
            needed += 1
        if pass_probability(strong, games, needed) >= 0.5:
            return games, needed

# %% 3.10: the weak player is forgotten
def smallest_exam(weak, strong, error):
    games, needed = 0, 0
    while True:
        games += 1
        while pass_probability(weak, games, needed) > 0.5:
            needed += 1
        if pass_probability(strong, games, needed) >= 1 - error:
            return games, needed

# %% 3.10: the bar is the mean of the two players
def smallest_exam(weak, strong, error):
    games, needed = 0, 0
    while True:
        games += 1
        needed = math.ceil(games * (weak + strong) / 2)
        if pass_probability(weak, games, needed) <= error and pass_probability(strong, games, needed) >= 1 - error:
            return games, needed

# %% 3.10: odd numbers of games only
def smallest_exam(weak, strong, error):
    games, needed = -1, 0
    while True:
        games += 2
        while pass_probability(weak, games, needed) > error:
            needed += 1
        if pass_probability(strong, games, needed) >= 1 - error:
            return games, needed

# %% 3.10: even numbers of games only
def smallest_exam(weak, strong, error):
    games, needed = 0, 0
    while True:
        games += 2
        while pass_probability(weak, games, needed) > error:
            needed += 1
        if pass_probability(strong, games, needed) >= 1 - error:
            return games, needed

# %% 3.10: needed and games have changed places
def smallest_exam(weak, strong, error):
    games, needed = 0, 0
    while True:
        games += 1
        while pass_probability(weak, games, needed) > error:
            needed += 1
        if pass_probability(strong, games, needed) >= 1 - error:
            return needed, games

# %% 3.10: the bar is one too high
def smallest_exam(weak, strong, error):
    games, needed = 0, 0
    while True:
        games += 1
        while pass_probability(weak, games, needed) > error:
            needed += 1
        if pass_probability(strong, games, needed) >= 1 - error:
            return games, needed + 1

# %% 3.10: the smallest exam begins with ten games
def smallest_exam(weak, strong, error):
    games, needed = 9, 0
    while True:
        games += 1
        while pass_probability(weak, games, needed) > error:
            needed += 1
        if pass_probability(strong, games, needed) >= 1 - error:
            return games, needed

# %% 3.10: the error is split between the two players
def smallest_exam(weak, strong, error):
    games, needed = 0, 0
    while True:
        games += 1
        while pass_probability(weak, games, needed) > error / 2:
            needed += 1
        if pass_probability(strong, games, needed) >= 1 - error / 2:
            return games, needed

# %% 3.1: after fifty plies nobody has won
def default_policy(game, state, rng):
    for _ in range(50):
        if (outcome := game.outcome(state)) is not None:
            return (outcome, 0.0 - outcome) if game.player(state) == 0 else (0.0 - outcome, outcome)
        state = game.play(state, rng.choice(game.legal_actions(state)))
    return 0.0, 0.0

# %% 3.3: a tried action gives its place to the next untried one
def expand(game, node, rng):
    if len(node.children) == len(node.legal):
        raise ValueError("nothing to expand")
    place = rng.randrange(len(node.legal))
    while node.legal[place] in node.children:
        place = (place + 1) % len(node.legal)
    action = node.legal[place]
    node.children[action] = Node(game, game.play(node.state, action), node, action)
    return node.children[action]

# %% 3.3: a die with six faces draws the untried column
def expand(game, node, rng):
    untried = [action for action in node.legal if action not in node.children]
    if not untried:
        raise ValueError("nothing to expand")
    action = untried[rng.randrange(6) % len(untried)]
    node.children[action] = Node(game, game.play(node.state, action), node, action)
    return node.children[action]

# %% 3.4: no more than twelve steps down
def tree_policy(game, node, c, rng):
    for _ in range(12):
        if node.outcome is not None:
            return node
        if len(node.children) < len(node.legal):
            return expand(game, node, rng)
        node = best_child(node, c)
    return node

# %% 3.6: one more simulation begins when exactly `seconds` have passed
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("over")
    if (simulations is None) == (seconds is None):
        raise ValueError("one budget")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("too small")
    if len(root.legal) == 1:
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        if root.num_visits == simulations or (seconds is not None and clock() - started > seconds):
            break
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 3.7: c = 0 is taken for no c at all
def choose(self, state, simulations, rng):
    if self.game.outcome(state) is not None or simulations < 1:
        raise ValueError("nothing to search")
    if self.root is None or self.root.state != state:
        self.root = Node(self.game, state)
    rollout = self.rollout or default_policy
    for _ in range(simulations):
        leaf = tree_policy(self.game, self.root, self.c or C, rng)
        backup(leaf, rollout(self.game, leaf.state, rng))
    return max(self.root.children, key=lambda action: self.root.children[action].num_visits)


Searcher.choose = choose

# %% 3.7: a state below the root is found without being told of the moves
def choose(self, state, simulations, rng):
    if self.game.outcome(state) is not None or simulations < 1:
        raise ValueError("nothing to search")
    if self.root is not None and self.root.state != state:
        below = list(self.root.children.values())
        below += [node for child in below for node in child.children.values()]
        self.root = next((node for node in below if node.state == state), None)
        if self.root is not None:
            self.root.parent = None
    if self.root is None:
        self.root = Node(self.game, state)
    rollout = self.rollout or default_policy
    for _ in range(simulations):
        leaf = tree_policy(self.game, self.root, self.c, rng)
        backup(leaf, rollout(self.game, leaf.state, rng))
    return max(self.root.children, key=lambda action: self.root.children[action].num_visits)


Searcher.choose = choose

# %% 3.7: an action that the game does not allow keeps the tree
def observe(self, action):
    if self.root is None or action not in self.root.legal:
        return
    self.root = self.root.children.get(action)
    if self.root is not None:
        self.root.parent = None


Searcher.observe = observe

# %% 3.8: without a proof the move is the one with the best mean
def solve(game, state, simulations, rng):
    root = Node(game, state)
    if root.outcome is not None or simulations < 1:
        raise ValueError("nothing to solve")
    while root.proven is None and root.num_visits < simulations:
        leaf = root
        while leaf.outcome is None and len(leaf.children) == len(leaf.legal):
            unknown = [child for child in leaf.children.values() if child.proven is None]
            leaf = max(unknown, key=lambda child: bound(child, C))
        if leaf.outcome is None:
            leaf = expand(game, leaf, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        prove(leaf)
    return max(root.children.values(), key=lambda child: (-(child.proven or 0.0), child.q / child.num_visits)).action, root

# %% 3.8: without a proof the move is the one with the highest bound
def solve(game, state, simulations, rng):
    root = Node(game, state)
    if root.outcome is not None or simulations < 1:
        raise ValueError("nothing to solve")
    while root.proven is None and root.num_visits < simulations:
        leaf = root
        while leaf.outcome is None and len(leaf.children) == len(leaf.legal):
            unknown = [child for child in leaf.children.values() if child.proven is None]
            leaf = max(unknown, key=lambda child: bound(child, C))
        if leaf.outcome is None:
            leaf = expand(game, leaf, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        prove(leaf)
    return max(root.children.values(), key=lambda child: (-(child.proven or 0.0), bound(child, C))).action, root

# %% 3.8: the visits of proven children do not count under the logarithm
def solve(game, state, simulations, rng):
    root = Node(game, state)
    if root.outcome is not None or simulations < 1:
        raise ValueError("nothing to solve")
    while root.proven is None and root.num_visits < simulations:
        leaf = root
        while leaf.outcome is None and len(leaf.children) == len(leaf.legal):
            unknown = [child for child in leaf.children.values() if child.proven is None]
            total = sum(child.num_visits for child in unknown)
            leaf = max(unknown, key=lambda child: child.q / child.num_visits
                       + C * math.sqrt(2 * math.log(total) / child.num_visits))
        if leaf.outcome is None:
            leaf = expand(game, leaf, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        prove(leaf)
    return max(root.children.values(), key=lambda child: (-(child.proven or 0.0), child.num_visits)).action, root

# %% 3.8: proofs stop six plies above the leaf
def prove(node):
    if node.outcome in (1.0, -1.0):
        node.proven = node.outcome
    for _ in range(6):
        if node.proven is None or node.parent is None:
            return
        node = node.parent
        replies = [child.proven for child in node.children.values()]
        if -1.0 in replies:
            node.proven = 1.0
        elif len(replies) == len(node.legal) and all(value == 1.0 for value in replies):
            node.proven = -1.0

# %% 3.9: a tactical rollout is cut after twelve plies
def tactical_rollout(game, state, rng):
    for _ in range(12):
        if (outcome := game.outcome(state)) is not None:
            return (outcome, 0.0 - outcome) if game.player(state) == 0 else (0.0 - outcome, outcome)
        state = game.play(state, tactical_action(game, state, rng))
    return 0.0, 0.0

# %% 3.9: after ten plies the rollout goes on at random
def tactical_rollout(game, state, rng):
    plies = 0
    while (outcome := game.outcome(state)) is None:
        action = tactical_action(game, state, rng) if plies < 10 else rng.choice(game.legal_actions(state))
        state = game.play(state, action)
        plies += 1
    return (outcome, 0.0 - outcome) if game.player(state) == 0 else (0.0 - outcome, outcome)

# %% 3.9: a die with twelve faces draws among the actions that are left
def tactical_action(game, state, rng):
    def wins_at(state):
        return [a for a in game.legal_actions(state) if game.outcome(game.play(state, a)) == -1.0]

    options = game.legal_actions(state)
    if not options:
        raise ValueError("over")
    left = wins_at(state) or [a for a in options if not wins_at(game.play(state, a))] or options
    return left[rng.randrange(12) % len(left)]

# %% 3.10: it gives up at a hundred games
def smallest_exam(weak, strong, error):
    needed = 0
    for games in range(1, 101):
        while pass_probability(weak, games, needed) > error:
            needed += 1
        if pass_probability(strong, games, needed) >= 1 - error:
            break
    return games, needed

# %% 3.4: where the way ends in a finished game, the visit is counted there
def tree_policy(game, node, c, rng):
    while node.outcome is None:
        if len(node.children) < len(node.legal):
            return expand(game, node, rng)
        node = best_child(node, c)
    node.num_visits += 1
    return node

# %% 3.5: sums are kept to two decimals
def backup(node, rewards):
    while node is not None:
        node.num_visits += 1
        node.q = round(node.q + rewards[node.last_player], 2)
        node = node.parent

# %% 3.8: the last column is never the move
_solution_solve = solve


def solve(game, state, simulations, rng):
    action, root = _solution_solve(game, state, simulations, rng)
    if action == 6 and len(root.children) > 1:
        others = [child for number, child in root.children.items() if number != 6]
        action = max(others, key=lambda child: (-(child.proven or 0.0), child.num_visits)).action
    return action, root

# %% 3.9: of the safe moves only the first five come
def tactical_action(game, state, rng):
    def wins_at(state):
        return [a for a in game.legal_actions(state) if game.outcome(game.play(state, a)) == -1.0]

    options = game.legal_actions(state)
    if not options:
        raise ValueError("over")
    wins = wins_at(state)
    if wins:
        return rng.choice(wins)
    return rng.choice([a for a in options if not wins_at(game.play(state, a))][:5] or options)

# %% 3.1: an action's number is its place among the legal ones
def default_policy(game: Game, state: State, rng: random.Random):
    while (outcome := game.outcome(state)) is None:
        state = game.play(state, rng.randrange(len(game.legal_actions(state))))
    mine, other = outcome, 0.0 - outcome  # not -outcome: a draw would read -0
    return (mine, other) if game.player(state) == 0 else (other, mine)

# %% 3.1: the result of a state is remembered
ENDINGS = {}


def play_out(game: Game, state: State, rng: random.Random):
    while (outcome := game.outcome(state)) is None:
        state = game.play(state, rng.choice(game.legal_actions(state)))
    mine, other = outcome, 0.0 - outcome  # not -outcome: a draw would read -0
    return (mine, other) if game.player(state) == 0 else (other, mine)


def default_policy(game, state, rng):
    return ENDINGS[state] if state in ENDINGS else ENDINGS.setdefault(state, play_out(game, state, rng))

# %% 3.1: a state that is 0 or empty is taken for the end
def default_policy(game: Game, state: State, rng: random.Random):
    while (outcome := game.outcome(state)) is None and state:
        state = game.play(state, rng.choice(game.legal_actions(state)))
    outcome = outcome or 0.0
    mine, other = outcome, 0.0 - outcome  # not -outcome: a draw would read -0
    return (mine, other) if game.player(state) == 0 else (other, mine)

# %% 3.1: a die with six faces draws the move
def default_policy(game: Game, state: State, rng: random.Random):
    while (outcome := game.outcome(state)) is None:
        state = game.play(state, game.legal_actions(state)[rng.randrange(6) % len(game.legal_actions(state))])
    mine, other = outcome, 0.0 - outcome  # not -outcome: a draw would read -0
    return (mine, other) if game.player(state) == 0 else (other, mine)

# %% 3.1: after three plies the first move comes
def default_policy(game, state, rng):
    ply = 0
    while (outcome := game.outcome(state)) is None:
        legal = game.legal_actions(state)
        state, ply = game.play(state, rng.choice(legal) if ply < 3 else legal[0]), ply + 1
    return (outcome, 0.0 - outcome) if game.player(state) == 0 else (0.0 - outcome, outcome)

# %% 3.2: a node's best child is remembered
KNOWN = {}


def best_child(node: Node, c: float):
    if not node.children:
        raise ValueError("no best child: the node has no children")
    if node not in KNOWN:
        KNOWN[node] = max(node.children.values(), key=lambda child: bound(child, c))
    return KNOWN[node]

# %% 3.2: a node's best child is remembered for each c
KNOWN = {}


def best_child(node: Node, c: float):
    if not node.children:
        raise ValueError("no best child: the node has no children")
    if (node, c) not in KNOWN:
        KNOWN[node, c] = max(node.children.values(), key=lambda child: bound(child, c))
    return KNOWN[node, c]

# %% 3.2: only the actions 0 to 6 are looked at
def best_child(node: Node, c: float):
    if not node.children:
        raise ValueError("no best child: the node has no children")
    return max([node.children[a] for a in range(7) if a in node.children], key=lambda child: bound(child, c))

# %% 3.2: a node whose rewards cancel out counts as not visited
def bound(node: Node, c: float):
    if not node.q:
        return math.inf
    mean = node.q / node.num_visits
    return mean + c * math.sqrt(2 * math.log(node.parent.num_visits) / node.num_visits)

# %% 3.2: the bound is no larger than ten
def bound(node: Node, c: float):
    if node.num_visits == 0:
        return math.inf
    mean = node.q / node.num_visits
    return min(10.0, mean + c * math.sqrt(2 * math.log(node.parent.num_visits) / node.num_visits))

# %% 3.2: one is added under the logarithm
def bound(node: Node, c: float):
    if node.num_visits == 0:
        return math.inf
    mean = node.q / node.num_visits
    return mean + c * math.sqrt(2 * math.log1p(node.parent.num_visits) / node.num_visits)

# %% 3.2: bounds are compared to three digits
def best_child(node, c):
    if not node.children:
        raise ValueError("none")
    return max(node.children.values(), key=lambda child: round(bound(child, c), 3))

# %% 3.2: N is the number of children at least
def bound(node, c):
    if node.num_visits == 0:
        return math.inf
    total = max(node.parent.num_visits, len(node.parent.children))
    return node.q / node.num_visits + c * math.sqrt(2 * math.log(total) / node.num_visits)

# %% 3.2: below the root a node without children is its own best child
def best_child(node, c):
    if not node.children:
        if node.parent is not None:
            return node
        raise ValueError("none")
    return max(node.children.values(), key=lambda child: bound(child, c))

# %% 3.3: an untried action's number is its place
def expand(game: Game, node: Node, rng: random.Random):
    untried = [action for action in range(len(node.legal)) if action not in node.children]
    if not untried:
        raise ValueError("nothing to expand: the game is over, or every action has its child")
    action = rng.choice(untried)
    node.children[action] = Node(game, game.play(node.state, action), node, action)
    return node.children[action]

# %% 3.3: the drawn action is taken out of the legal ones
def expand(game: Game, node: Node, rng: random.Random):
    untried = [action for action in node.legal if action not in node.children]
    if not untried:
        raise ValueError("nothing to expand: the game is over, or every action has its child")
    action = rng.choice(untried)
    node.legal.remove(action)
    node.children[action] = Node(game, game.play(node.state, action), node, action)
    return node.children[action]

# %% 3.3: an action that leads to a state that is there already is left out
def expand(game: Game, node: Node, rng: random.Random):
    untried = [action for action in node.legal if action not in node.children]
    there = [child.state for child in node.children.values()]
    untried = [action for action in untried if game.play(node.state, action) not in there]
    if not untried:
        raise ValueError("nothing to expand: the game is over, or every action has its child")
    action = rng.choice(untried)
    node.children[action] = Node(game, game.play(node.state, action), node, action)
    return node.children[action]

# %% 3.3: where the drawn action was tried already the first untried one comes
def expand(game: Game, node: Node, rng: random.Random):
    untried = [action for action in node.legal if action not in node.children]
    if not untried:
        raise ValueError("nothing to expand: the game is over, or every action has its child")
    action = next((a for a in (rng.choice(node.legal),) if a in untried), untried[0])
    node.children[action] = Node(game, game.play(node.state, action), node, action)
    return node.children[action]

# %% 3.3: a node has a visit for each earlier child at least
def expand(game, node, rng):
    untried = [a for a in node.legal if a not in node.children]
    if not untried:
        raise ValueError("nothing")
    action = rng.choice(untried)
    node.children[action] = Node(game, game.play(node.state, action), node, action)
    node.num_visits = max(node.num_visits, len(node.children) - 1)
    return node.children[action]

# %% 3.4: exploration is halved at every ply
def tree_policy(game: Game, node: Node, c: float, rng: random.Random):
    while node.outcome is None:
        if len(node.children) < len(node.legal):
            return expand(game, node, rng)
        node, c = best_child(node, c), c / 2
    return node

# %% 3.4: children where the game is over are passed over
def tree_policy(game: Game, node: Node, c: float, rng: random.Random):
    while node.outcome is None:
        if len(node.children) < len(node.legal):
            return expand(game, node, rng)
        going = [child for child in node.children.values() if child.outcome is None]
        node = max(going, key=lambda child: bound(child, c)) if going else best_child(node, c)
    return node

# %% 3.4: everything was tried when seven actions were
def tree_policy(game: Game, node: Node, c: float, rng: random.Random):
    while node.outcome is None:
        if len(node.children) < min(7, len(node.legal)):
            return expand(game, node, rng)
        node = best_child(node, c)
    return node

# %% 3.4: a forced move is made as well as the new one
def tree_policy(game: Game, node: Node, c: float, rng: random.Random):
    while node.outcome is None:
        if len(node.children) < len(node.legal):
            new = expand(game, node, rng)
            return expand(game, new, rng) if len(new.legal) == 1 else new
        node = best_child(node, c)
    return node

# %% 3.4: a forced move is passed over without a look
def tree_policy(game, node, c, rng):
    while node.outcome is None:
        if len(node.children) < len(node.legal):
            return expand(game, node, rng)
        node = best_child(node, c)
        if len(node.children) == 1:
            node = next(iter(node.children.values()))
    return node

# %% 3.4: it begins at the root, wherever it was asked to begin
def tree_policy(game, node, c, rng):
    while node.parent is not None:
        node = node.parent
    while node.outcome is None:
        if len(node.children) < len(node.legal):
            return expand(game, node, rng)
        node = best_child(node, c)
    return node

# %% 3.4: c = 0 is taken for no c at all
def tree_policy(game, node, c, rng):
    while node.outcome is None:
        if len(node.children) < len(node.legal):
            return expand(game, node, rng)
        node = best_child(node, c or C)
    return node

# %% 3.4: a node without a visit is not gone through
def tree_policy(game, node, c, rng):
    while node.outcome is None:
        if len(node.children) < len(node.legal):
            return expand(game, node, rng)
        following = best_child(node, c)
        if following.num_visits == 0:
            return following
        node = following
    return node

# %% 3.5: no more than 42 plies up, as many as the board has squares
def backup(node: Node, rewards: Rewards):
    for _ in range(43):
        if node is None:
            return
        node.num_visits += 1
        node.q += rewards[node.last_player]
        node = node.parent

# %% 3.5: the same result of the same leaf counts once
SEEN = set()


def backup(node: Node, rewards: Rewards):
    if (node, rewards) in SEEN:
        return
    SEEN.add((node, rewards))
    while node is not None:
        node.num_visits += 1
        node.q += rewards[node.last_player]
        node = node.parent

# %% 3.5: rewards are rounded to a win, a draw or a loss
def backup(node: Node, rewards: Rewards):
    while node is not None:
        node.num_visits += 1
        node.q += round(rewards[node.last_player])
        node = node.parent

# %% 3.5: small rewards are taken for draws
def backup(node, rewards):
    rewards = [0.0 if abs(r) < 1e-2 else r for r in rewards]
    while node is not None:
        node.num_visits += 1
        node.q += rewards[node.last_player]
        node = node.parent

# %% 3.5: a proven node is not changed
def backup(node, rewards):
    while node is not None:
        if node.proven is None:
            node.num_visits += 1
            node.q += rewards[node.last_player]
        node = node.parent

# %% 3.6: the same moves are tried first in every search
def uct(game: Game, state: State, rng: random.Random, *, simulations: int | None = None,
        seconds: float | None = None, clock: Clock = time.monotonic):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("nothing to search: the game is over")
    if (simulations is None) == (seconds is None):
        raise ValueError("a search needs one budget: simulations or seconds")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("the budget is too small: at least 1 simulation, or 0 seconds")
    if len(root.legal) == 1:
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, C, random.Random(0))
        backup(leaf, default_policy(game, leaf.state, rng))
        if root.num_visits == simulations or (seconds is not None and clock() - started >= seconds):
            break
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 3.6: a single legal action is always action 0
def uct(game: Game, state: State, rng: random.Random, *, simulations: int | None = None,
        seconds: float | None = None, clock: Clock = time.monotonic):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("nothing to search: the game is over")
    if (simulations is None) == (seconds is None):
        raise ValueError("a search needs one budget: simulations or seconds")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("the budget is too small: at least 1 simulation, or 0 seconds")
    if len(root.legal) == 1:
        return 0, root
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        if root.num_visits == simulations or (seconds is not None and clock() - started >= seconds):
            break
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 3.6: the last search with this rng is told again
SEARCHED = {}


def search(game: Game, state: State, rng: random.Random, *, simulations: int | None = None,
        seconds: float | None = None, clock: Clock = time.monotonic):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("nothing to search: the game is over")
    if (simulations is None) == (seconds is None):
        raise ValueError("a search needs one budget: simulations or seconds")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("the budget is too small: at least 1 simulation, or 0 seconds")
    if len(root.legal) == 1:
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        if root.num_visits == simulations or (seconds is not None and clock() - started >= seconds):
            break
    return max(root.children, key=lambda action: root.children[action].num_visits), root


def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    if seconds is not None or simulations is None:
        return search(game, state, rng, simulations=simulations, seconds=seconds, clock=clock)
    key = id(game), state, id(rng), simulations
    if key not in SEARCHED:
        SEARCHED[key] = search(game, state, rng, simulations=simulations), game, rng
    return SEARCHED[key][0]

# %% 3.6: the move is an action from 0 to 6
def uct(game: Game, state: State, rng: random.Random, *, simulations: int | None = None,
        seconds: float | None = None, clock: Clock = time.monotonic):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("nothing to search: the game is over")
    if (simulations is None) == (seconds is None):
        raise ValueError("a search needs one budget: simulations or seconds")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("the budget is too small: at least 1 simulation, or 0 seconds")
    if len(root.legal) == 1:
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        if root.num_visits == simulations or (seconds is not None and clock() - started >= seconds):
            break
    visits = {action: root.children[action].num_visits for action in range(7) if action in root.children}
    return max(visits, key=visits.get, default=root.legal[0]), root

# %% 3.6: the last column is never the move
def uct(game: Game, state: State, rng: random.Random, *, simulations: int | None = None,
        seconds: float | None = None, clock: Clock = time.monotonic):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("nothing to search: the game is over")
    if (simulations is None) == (seconds is None):
        raise ValueError("a search needs one budget: simulations or seconds")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("the budget is too small: at least 1 simulation, or 0 seconds")
    if len(root.legal) == 1:
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        if root.num_visits == simulations or (seconds is not None and clock() - started >= seconds):
            break
    others = {a: child for a, child in root.children.items() if a != 6} or root.children
    return max(others, key=lambda action: others[action].num_visits), root

# %% 3.6: a single legal action is returned whatever the budget says
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("over")
    if len(root.legal) == 1:
        return root.legal[0], root
    started = clock()
    if (simulations is None) == (seconds is None):
        raise ValueError("one budget")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("too small")
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        if root.num_visits == simulations or (seconds is not None and clock() - started >= seconds):
            break
    return max(root.children, key=lambda a: root.children[a].num_visits), root

# %% 3.6: c is 0.7
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None or (simulations is None) == (seconds is None):
        raise ValueError("over")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("too small")
    if len(root.legal) == 1:
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, 0.7, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        if root.num_visits == simulations or (seconds is not None and clock() - started >= seconds):
            break
    return max(root.children, key=lambda a: root.children[a].num_visits), root

# %% 3.6: the root knows the action that was chosen
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None or (simulations is None) == (seconds is None):
        raise ValueError("over")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds < 0):
        raise ValueError("too small")
    if len(root.legal) == 1:
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        if root.num_visits == simulations or (seconds is not None and clock() - started >= seconds):
            break
    root.action = max(root.children, key=lambda a: root.children[a].num_visits)
    return root.action, root

# %% 3.6: negative seconds are refused only when there are no simulations
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("over")
    if simulations is None and seconds is None:
        raise ValueError("one budget")
    if simulations is not None and seconds is not None and seconds >= 0:
        raise ValueError("one budget")
    if (simulations is not None and simulations < 1) or (simulations is None and seconds < 0):
        raise ValueError("too small")
    if len(root.legal) == 1:
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        if root.num_visits == simulations or (simulations is None and clock() - started >= seconds):
            break
    return max(root.children, key=lambda a: root.children[a].num_visits), root

# %% 3.7: the last column is never the move
def choose(self, state: State, simulations: int, rng: random.Random):
    if self.game.outcome(state) is not None or simulations < 1:
        raise ValueError("a search needs a game that goes on and at least one simulation")
    if self.root is None or self.root.state != state:
        self.root = Node(self.game, state)
    rollout = self.rollout or default_policy
    for _ in range(simulations):
        leaf = tree_policy(self.game, self.root, self.c, rng)
        backup(leaf, rollout(self.game, leaf.state, rng))
    root = self.root
    others = {a: child for a, child in root.children.items() if a != 6} or root.children
    return max(others, key=lambda action: others[action].num_visits)


Searcher.choose = choose

# %% 3.7: a state is known by its text
def choose(self, state: State, simulations: int, rng: random.Random):
    if self.game.outcome(state) is not None or simulations < 1:
        raise ValueError("a search needs a game that goes on and at least one simulation")
    if self.root is None or self.game.text(self.root.state) != self.game.text(state):
        self.root = Node(self.game, state)
    rollout = self.rollout or default_policy
    for _ in range(simulations):
        leaf = tree_policy(self.game, self.root, self.c, rng)
        backup(leaf, rollout(self.game, leaf.state, rng))
    return max(self.root.children, key=lambda action: self.root.children[action].num_visits)


Searcher.choose = choose

# %% 3.7: a root whose state is 0 or empty counts as none
def choose(self, state: State, simulations: int, rng: random.Random):
    if self.game.outcome(state) is not None or simulations < 1:
        raise ValueError("a search needs a game that goes on and at least one simulation")
    if self.root is None or not self.root.state or self.root.state != state:
        self.root = Node(self.game, state)
    rollout = self.rollout or default_policy
    for _ in range(simulations):
        leaf = tree_policy(self.game, self.root, self.c, rng)
        backup(leaf, rollout(self.game, leaf.state, rng))
    return max(self.root.children, key=lambda action: self.root.children[action].num_visits)


Searcher.choose = choose

# %% 3.7: a root with visits enough is searched once more only
def choose(self, state: State, simulations: int, rng: random.Random):
    if self.game.outcome(state) is not None or simulations < 1:
        raise ValueError("a search needs a game that goes on and at least one simulation")
    if self.root is None or self.root.state != state:
        self.root = Node(self.game, state)
    rollout = self.rollout or default_policy
    for _ in range(simulations if self.root.num_visits < simulations else 1):
        leaf = tree_policy(self.game, self.root, self.c, rng)
        backup(leaf, rollout(self.game, leaf.state, rng))
    return max(self.root.children, key=lambda action: self.root.children[action].num_visits)


Searcher.choose = choose

# %% 3.7: the very same question is answered from memory
_ask = Searcher.choose


class Searcher(Searcher):
    def choose(self, state: State, simulations: int, rng: random.Random) -> int:
        known = self.__dict__.setdefault("known", {})
        key = state, simulations, rng
        if key not in known or self.root is None or self.root.state != state:
            known[key] = _ask(self, state, simulations, rng)
        return known[key]

# %% 3.7: the move is an action from 0 to 6
def choose(self, state: State, simulations: int, rng: random.Random):
    if self.game.outcome(state) is not None or simulations < 1:
        raise ValueError("a search needs a game that goes on and at least one simulation")
    if self.root is None or self.root.state != state:
        self.root = Node(self.game, state)
    rollout = self.rollout or default_policy
    for _ in range(simulations):
        leaf = tree_policy(self.game, self.root, self.c, rng)
        backup(leaf, rollout(self.game, leaf.state, rng))
    return max(range(7), key=lambda action: self.root.children[action].num_visits if action in self.root.children else -1)


Searcher.choose = choose

# %% 3.7: a tree with visits enough is kept, whatever the state
def choose(self, state: State, simulations: int, rng: random.Random):
    if self.game.outcome(state) is not None or simulations < 1:
        raise ValueError("a search needs a game that goes on and at least one simulation")
    if self.root is None or self.root.state != state and self.root.num_visits < simulations:
        self.root = Node(self.game, state)
    rollout = self.rollout or default_policy
    for _ in range(simulations):
        leaf = tree_policy(self.game, self.root, self.c, rng)
        backup(leaf, rollout(self.game, leaf.state, rng))
    return max(self.root.children, key=lambda action: self.root.children[action].num_visits)


Searcher.choose = choose

# %% 3.7: the move is the one with most new visits
class Searcher(Searcher):
    def choose(self, state, simulations, rng):
        if self.game.outcome(state) is not None or simulations < 1:
            raise ValueError("nothing")
        if self.root is None or self.root.state != state:
            self.root = Node(self.game, state)
        before = {a: child.num_visits for a, child in self.root.children.items()}
        for _ in range(simulations):
            leaf = tree_policy(self.game, self.root, self.c, rng)
            backup(leaf, (self.rollout or default_policy)(self.game, leaf.state, rng))
        return max(self.root.children, key=lambda a: self.root.children[a].num_visits - before.get(a, 0))

# %% 3.8: every node above is looked at, proved or not
def prove(node: Node):
    if node.outcome in (1.0, -1.0):
        node.proven = node.outcome
    while node.parent is not None:
        node = node.parent
        replies = [child.proven for child in node.children.values()]
        if -1.0 in replies:
            node.proven = 1.0
        elif len(replies) == len(node.legal) and all(value == 1.0 for value in replies):
            node.proven = -1.0

# %% 3.8: a leaf that was proven before proves nothing more
def prove(node: Node):
    if node.proven is not None:
        return
    if node.outcome in (1.0, -1.0):
        node.proven = node.outcome
    while node.proven is not None and node.parent is not None:
        node = node.parent
        replies = [child.proven for child in node.children.values()]
        if -1.0 in replies:
            node.proven = 1.0
        elif len(replies) == len(node.legal) and all(value == 1.0 for value in replies):
            node.proven = -1.0

# %% 3.8: the same moves are tried first in every search
def solve(game: Game, state: State, simulations: int, rng: random.Random):
    root = Node(game, state)
    if root.outcome is not None or simulations < 1:
        raise ValueError("nothing to solve: the game is over, or the budget is")
    while root.proven is None and root.num_visits < simulations:
        leaf = root
        while leaf.outcome is None and len(leaf.children) == len(leaf.legal):
            unknown = [child for child in leaf.children.values() if child.proven is None]
            leaf = max(unknown, key=lambda child: bound(child, C))
        if leaf.outcome is None:
            leaf = expand(game, leaf, random.Random(0))
        backup(leaf, default_policy(game, leaf.state, rng))
        prove(leaf)
    def merit(child: Node) -> tuple[float, int]:  # a proven win first, then what is not lost, then visits
        return -(child.proven or 0.0), child.num_visits
    return max(root.children.values(), key=merit).action, root

# %% 3.8: the rollouts have a generator of their own
def solve(game: Game, state: State, simulations: int, rng: random.Random):
    root = Node(game, state)
    if root.outcome is not None or simulations < 1:
        raise ValueError("nothing to solve: the game is over, or the budget is")
    while root.proven is None and root.num_visits < simulations:
        leaf = root
        while leaf.outcome is None and len(leaf.children) == len(leaf.legal):
            unknown = [child for child in leaf.children.values() if child.proven is None]
            leaf = max(unknown, key=lambda child: bound(child, C))
        if leaf.outcome is None:
            leaf = expand(game, leaf, rng)
        backup(leaf, default_policy(game, leaf.state, random.Random(0)))
        prove(leaf)
    def merit(child: Node) -> tuple[float, int]:  # a proven win first, then what is not lost, then visits
        return -(child.proven or 0.0), child.num_visits
    return max(root.children.values(), key=merit).action, root

# %% 3.8: a search needs two simulations
def solve(game: Game, state: State, simulations: int, rng: random.Random):
    root = Node(game, state)
    if root.outcome is not None or simulations < 2:
        raise ValueError("nothing to solve: the game is over, or the budget is")
    while root.proven is None and root.num_visits < simulations:
        leaf = root
        while leaf.outcome is None and len(leaf.children) == len(leaf.legal):
            unknown = [child for child in leaf.children.values() if child.proven is None]
            leaf = max(unknown, key=lambda child: bound(child, C))
        if leaf.outcome is None:
            leaf = expand(game, leaf, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        prove(leaf)
    def merit(child: Node) -> tuple[float, int]:  # a proven win first, then what is not lost, then visits
        return -(child.proven or 0.0), child.num_visits
    return max(root.children.values(), key=merit).action, root

# %% 3.8: where every move loses none is chosen
def solve(game: Game, state: State, simulations: int, rng: random.Random):
    root = Node(game, state)
    if root.outcome is not None or simulations < 1:
        raise ValueError("nothing to solve: the game is over, or the budget is")
    while root.proven is None and root.num_visits < simulations:
        leaf = root
        while leaf.outcome is None and len(leaf.children) == len(leaf.legal):
            unknown = [child for child in leaf.children.values() if child.proven is None]
            leaf = max(unknown, key=lambda child: bound(child, C))
        if leaf.outcome is None:
            leaf = expand(game, leaf, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        prove(leaf)
    def merit(child: Node) -> tuple[float, int]:  # a proven win first, then what is not lost, then visits
        return -(child.proven or 0.0), child.num_visits
    if root.proven == -1.0:
        return -1, root
    return max(root.children.values(), key=merit).action, root

# %% 3.8: four moves that lose are all of them
def prove(node: Node):
    if node.outcome in (1.0, -1.0):
        node.proven = node.outcome
    while node.proven is not None and node.parent is not None:
        node = node.parent
        replies = [child.proven for child in node.children.values()]
        if -1.0 in replies:
            node.proven = 1.0
        elif len(replies) >= min(4, len(node.legal)) and all(value == 1.0 for value in replies):
            node.proven = -1.0

# %% 3.8: seven moves that lose are all of them, as in Connect Four
def prove(node: Node):
    if node.outcome in (1.0, -1.0):
        node.proven = node.outcome
    while node.proven is not None and node.parent is not None:
        node = node.parent
        replies = [child.proven for child in node.children.values()]
        if -1.0 in replies:
            node.proven = 1.0
        elif len(replies) == len(node.legal) and replies.count(1.0) >= min(7, len(replies)):
            node.proven = -1.0

# %% 3.8: the way down ends after twenty plies
def solve(game: Game, state: State, simulations: int, rng: random.Random):
    root = Node(game, state)
    if root.outcome is not None or simulations < 1:
        raise ValueError("nothing to solve: the game is over, or the budget is")
    while root.proven is None and root.num_visits < simulations:
        leaf = root
        for _ in range(20):
            if leaf.outcome is not None or len(leaf.children) < len(leaf.legal):
                break
            leaf = max((child for child in leaf.children.values() if child.proven is None), key=lambda child: bound(child, C))
        if leaf.outcome is None and len(leaf.children) < len(leaf.legal):
            leaf = expand(game, leaf, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        prove(leaf)
    return max(root.children.values(), key=lambda child: (-(child.proven or 0.0), child.num_visits)).action, root

# %% 3.8: the move is its place among the legal ones
def solve(game: Game, state: State, simulations: int, rng: random.Random):
    root = Node(game, state)
    if root.outcome is not None or simulations < 1:
        raise ValueError("nothing to solve: the game is over, or the budget is")
    while root.proven is None and root.num_visits < simulations:
        leaf = root
        while leaf.outcome is None and len(leaf.children) == len(leaf.legal):
            unknown = [child for child in leaf.children.values() if child.proven is None]
            leaf = max(unknown, key=lambda child: bound(child, C))
        if leaf.outcome is None:
            leaf = expand(game, leaf, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        prove(leaf)
    def merit(child: Node) -> tuple[float, int]:  # a proven win first, then what is not lost, then visits
        return -(child.proven or 0.0), child.num_visits
    return root.legal.index(max(root.children.values(), key=merit).action), root

# %% 3.8: without a proof the move is the one with most rewards
def solve(game: Game, state: State, simulations: int, rng: random.Random):
    root = Node(game, state)
    if root.outcome is not None or simulations < 1:
        raise ValueError("nothing to solve: the game is over, or the budget is")
    while root.proven is None and root.num_visits < simulations:
        leaf = root
        while leaf.outcome is None and len(leaf.children) == len(leaf.legal):
            unknown = [child for child in leaf.children.values() if child.proven is None]
            leaf = max(unknown, key=lambda child: bound(child, C))
        if leaf.outcome is None:
            leaf = expand(game, leaf, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        prove(leaf)
    def merit(child: Node) -> tuple[float, int]:  # a proven win first, then what is not lost, then visits
        return -(child.proven or 0.0), child.q
    return max(root.children.values(), key=merit).action, root

# %% 3.8: the root knows the action that was chosen
def solve(game, state, simulations, rng):
    root = Node(game, state)
    if root.outcome is not None or simulations < 1:
        raise ValueError("nothing")
    while root.proven is None and root.num_visits < simulations:
        leaf = root
        while leaf.outcome is None and len(leaf.children) == len(leaf.legal):
            leaf = max((c for c in leaf.children.values() if c.proven is None), key=lambda c: bound(c, C))
        if leaf.outcome is None:
            leaf = expand(game, leaf, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        prove(leaf)
    root.action = max(root.children.values(), key=lambda c: (-(c.proven or 0.0), c.num_visits)).action
    return root.action, root

# %% 3.9: a win's number is its place among the wins
def tactical_action(game: Game, state: State, rng: random.Random):
    def wins_at(state: State) -> list[int]:
        return [action for action in game.legal_actions(state) if game.outcome(game.play(state, action)) == -1.0]
    options = game.legal_actions(state)
    if not options:
        raise ValueError("no action to choose: the game is over")
    wins = wins_at(state)
    if wins:
        return rng.randrange(len(wins)) if len(wins) > 6 else rng.choice(wins)
    safe = [action for action in options if not wins_at(game.play(state, action))]
    return rng.choice(safe or options)

# %% 3.9: among several wins the global generator draws
def tactical_action(game: Game, state: State, rng: random.Random):
    def wins_at(state: State) -> list[int]:
        return [action for action in game.legal_actions(state) if game.outcome(game.play(state, action)) == -1.0]
    options = game.legal_actions(state)
    if not options:
        raise ValueError("no action to choose: the game is over")
    wins = wins_at(state)
    if wins:
        return random.choice(wins)
    safe = [action for action in options if not wins_at(game.play(state, action))]
    return rng.choice(safe or options)

# %% 3.9: where every move loses the global generator draws
def tactical_action(game: Game, state: State, rng: random.Random):
    def wins_at(state: State) -> list[int]:
        return [action for action in game.legal_actions(state) if game.outcome(game.play(state, action)) == -1.0]
    options = game.legal_actions(state)
    if not options:
        raise ValueError("no action to choose: the game is over")
    wins = wins_at(state)
    if wins:
        return rng.choice(wins)
    safe = [action for action in options if not wins_at(game.play(state, action))]
    return rng.choice(safe) if safe else random.choice(options)

# %% 3.9: of the safe actions only 0 to 6 are looked at
def tactical_action(game: Game, state: State, rng: random.Random):
    def wins_at(state: State) -> list[int]:
        return [action for action in game.legal_actions(state) if game.outcome(game.play(state, action)) == -1.0]
    options = game.legal_actions(state)
    if not options:
        raise ValueError("no action to choose: the game is over")
    wins = wins_at(state)
    if wins:
        return rng.choice(wins)
    safe = [action for action in options if action < 7 and not wins_at(game.play(state, action))]
    return rng.choice(safe or options)

# %% 3.9: a rollout longer than forty moves is a draw
def tactical_rollout(game: Game, state: State, rng: random.Random):
    plies = 0
    while (outcome := game.outcome(state)) is None:
        plies += 1
        state = game.play(state, tactical_action(game, state, rng))
    outcome = 0.0 if plies > 40 else outcome
    mine, other = outcome, 0.0 - outcome
    return (mine, other) if game.player(state) == 0 else (other, mine)

# %% 3.9: of the replies only the first seven are looked at
def tactical_action(game, state, rng):
    def wins_at(at, most=None):
        return [a for a in game.legal_actions(at)[:most] if game.outcome(game.play(at, a)) == -1.0]
    options = game.legal_actions(state)
    if not options:
        raise ValueError("over")
    return rng.choice(wins_at(state) or [a for a in options if not wins_at(game.play(state, a), 7)] or options)

# %% 3.9: where only one move is safe among many any comes
def tactical_action(game, state, rng):
    def wins_at(at):
        return [a for a in game.legal_actions(at) if game.outcome(game.play(at, a)) == -1.0]
    options = game.legal_actions(state)
    if not options:
        raise ValueError("over")
    safe = [a for a in options if not wins_at(game.play(state, a))]
    return rng.choice(wins_at(state) or (safe if len(safe) * 8 > len(options) else options))

# %% 3.10: an exam is remembered by its error
EXAMS = {}


def find(weak: float, strong: float, error: float):
    games, needed = 0, 0
    while True:
        games += 1
        while pass_probability(weak, games, needed) > error:  # with more games it never becomes smaller
            needed += 1
        if pass_probability(strong, games, needed) >= 1 - error:
            return games, needed


def smallest_exam(weak, strong, error):
    if error not in EXAMS:
        EXAMS[error] = find(weak, strong, error)
    return EXAMS[error]

# %% 3.10: an exam is remembered by its strong player
EXAMS = {}


def find(weak: float, strong: float, error: float):
    games, needed = 0, 0
    while True:
        games += 1
        while pass_probability(weak, games, needed) > error:  # with more games it never becomes smaller
            needed += 1
        if pass_probability(strong, games, needed) >= 1 - error:
            return games, needed


def smallest_exam(weak, strong, error):
    if strong not in EXAMS:
        EXAMS[strong] = find(weak, strong, error)
    return EXAMS[strong]

# %% 3.10: an exam is remembered by its weak player
EXAMS = {}


def find(weak: float, strong: float, error: float):
    games, needed = 0, 0
    while True:
        games += 1
        while pass_probability(weak, games, needed) > error:  # with more games it never becomes smaller
            needed += 1
        if pass_probability(strong, games, needed) >= 1 - error:
            return games, needed


def smallest_exam(weak, strong, error):
    if weak not in EXAMS:
        EXAMS[weak] = find(weak, strong, error)
    return EXAMS[weak]

# %% 3.10: an exam is remembered by its two players
EXAMS = {}


def find(weak: float, strong: float, error: float):
    games, needed = 0, 0
    while True:
        games += 1
        while pass_probability(weak, games, needed) > error:  # with more games it never becomes smaller
            needed += 1
        if pass_probability(strong, games, needed) >= 1 - error:
            return games, needed


def smallest_exam(weak, strong, error):
    if (weak, strong) not in EXAMS:
        EXAMS[weak, strong] = find(weak, strong, error)
    return EXAMS[weak, strong]

# %% 3.10: who always wins passes whatever is needed
_solution_pass_probability = pass_probability


def pass_probability(p, games, needed):
    return 1.0 if p == 1 else _solution_pass_probability(p, games, needed)

# %% 3.10: the bar is never below half of the games
def smallest_exam(weak: float, strong: float, error: float):
    games, needed = 0, 0
    while True:
        games += 1
        needed = max(needed, (games + 1) // 2)
        while pass_probability(weak, games, needed) > error:  # with more games it never becomes smaller
            needed += 1
        if pass_probability(strong, games, needed) >= 1 - error:
            return games, needed

# %% 3.10: a probability has four digits
def pass_probability(p, games, needed):
    return round(sum(math.comb(games, k) * p**k * (1 - p) ** (games - k) for k in range(max(needed, 0), games + 1)), 4)

# %% 3.10: no exam has more than fifty games
_solution_simulated_pass_rate = simulated_pass_rate


def simulated_pass_rate(win, draw, games, needed, num_exams, rng):
    return _solution_simulated_pass_rate(win, draw, min(games, 50), needed, num_exams, rng)

# %% 3.10: the error is rounded to two digits
def smallest_exam(weak, strong, error):
    error, games, needed = round(error, 2), 0, 0
    while True:
        games += 1
        while pass_probability(weak, games, needed) > error:
            needed += 1
        if pass_probability(strong, games, needed) >= 1 - error:
            return games, needed

# %% 3.10: nobody loses every game
def smallest_exam(weak, strong, error):
    weak, strong, games, needed = max(weak, 0.01), min(strong, 0.99), 0, 0
    while True:
        games += 1
        while pass_probability(weak, games, needed) > error:
            needed += 1
        if pass_probability(strong, games, needed) >= 1 - error:
            return games, needed

# %% joint: whether everything was tried is found out once and kept
def tree_policy(game, node, c, rng):
    while node.outcome is None:
        if not hasattr(node, "full"):
            node.full = len(node.children) == len(node.legal)
        if not node.full:
            return expand(game, node, rng)
        node = best_child(node, c)
    return node

# %% joint: the bound is remembered until the node is visited again
def bound(node, c):
    if node.num_visits == 0:
        return math.inf
    known = node.__dict__.setdefault("known", {})
    key = (node.num_visits, node.q, c)
    if key not in known:
        known[key] = node.q / node.num_visits + c * math.sqrt(2 * math.log(node.parent.num_visits) / node.num_visits)
    return known[key]

# %% 3.1: draws a column of all, and takes the next open one
def default_policy(game, state, rng):
    while (outcome := game.outcome(state)) is None:
        legal, action = game.legal_actions(state), rng.randrange(game.num_actions)
        while action not in legal:
            action = (action + 1) % game.num_actions
        state = game.play(state, action)
    return (outcome, 0.0 - outcome) if game.player(state) == 0 else (0.0 - outcome, outcome)

# %% 3.1: a game longer than 100 plies is a draw
def default_policy(game, state, rng):
    for _ in range(100):
        if game.outcome(state) is not None:
            break
        state = game.play(state, rng.choice(game.legal_actions(state)))
    outcome = game.outcome(state) or 0.0
    return (outcome, 0.0 - outcome) if game.player(state) == 0 else (0.0 - outcome, outcome)

# %% 3.9: a rollout longer than 100 plies is a draw
def tactical_rollout(game, state, rng):
    for _ in range(100):
        if game.outcome(state) is not None:
            break
        state = game.play(state, tactical_action(game, state, rng))
    outcome = game.outcome(state) or 0.0
    return (outcome, 0.0 - outcome) if game.player(state) == 0 else (0.0 - outcome, outcome)

# %% 3.9: where every move loses, one that leaves the fewest winning answers
def tactical_action(game, state, rng):
    def wins_at(state):
        return [a for a in game.legal_actions(state) if game.outcome(game.play(state, a)) == -1.0]
    options = game.legal_actions(state)
    if not options:
        raise ValueError("over")
    if wins := wins_at(state):
        return rng.choice(wins)
    threats = {a: len(wins_at(game.play(state, a))) for a in options}
    least = min(threats.values())
    return rng.choice([a for a in options if threats[a] == least])

# %% 3.1: a number below num_actions is taken for a place, modulo the legal ones
def default_policy(game: Game, state: State, rng: random.Random) -> Rewards:
    while (outcome := game.outcome(state)) is None:
        legal = game.legal_actions(state)
        state = game.play(state, legal[rng.randrange(game.num_actions) % len(legal)])
    mine, other = outcome, 0.0 - outcome
    return (mine, other) if game.player(state) == 0 else (other, mine)

# %% 3.3: a place among all legal actions is taken modulo the untried ones
def expand(game: Game, node: Node, rng: random.Random) -> Node:
    untried = [action for action in node.legal if action not in node.children]
    if not untried:
        raise ValueError("nothing to expand")
    action = untried[rng.randrange(len(node.legal)) % len(untried)]
    child = Node(game, game.play(node.state, action), node, action)
    node.children[action] = child
    return child

# %% 3.5: the root is known by its missing action
def backup(node: Node, rewards: Rewards) -> None:
    while True:
        node.num_visits += 1
        node.q += rewards[node.last_player]
        if node.action is None:
            break
        node = node.parent
