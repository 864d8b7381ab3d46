# %% 3.1: the first reward belongs to who was to move where the rollout began, not to player 0
def default_policy(game, state, rng):
    sign = 1.0
    while game.outcome(state) is None:
        state = game.play(state, rng.choice(game.legal_actions(state)))
        sign = -sign
    value = sign * game.outcome(state)
    return value, -value

# %% 3.1: "while not outcome" does not stop at a draw
def default_policy(game, state, rng):
    while not game.outcome(state):
        state = game.play(state, rng.choice(game.legal_actions(state)))
    outcome = game.outcome(state)
    if game.player(state) == 0:
        return outcome, -outcome
    return -outcome, outcome

# %% 3.1: the moves come from the module random, not from rng
def default_policy(game, state, rng):
    outcome = game.outcome(state)
    while outcome is None:
        state = game.play(state, random.choice(game.legal_actions(state)))
        outcome = game.outcome(state)
    if game.player(state) == 0:
        return outcome, -outcome
    return -outcome, outcome

# %% 3.2: the survey's 2 C_p before the root as well as the 2 under it
def bound(node, c):
    if node.num_visits == 0:
        return math.inf
    mean = node.q / node.num_visits
    return mean + 2 * c * math.sqrt(2 * math.log(node.parent.num_visits) / node.num_visits)

# %% 3.2: the minus of problem set 2 is kept although q belongs to the one who chooses
def bound(node, c):
    if node.num_visits == 0:
        return math.inf
    mean = -node.q / node.num_visits
    return mean + c * math.sqrt(2 * math.log(node.parent.num_visits) / node.num_visits)

# %% 3.2: best_child ignores its c and always compares with the constant C
def best_child(node, c):
    if not node.children:
        raise ValueError("no children")
    return max(node.children.values(), key=lambda child: bound(child, C))

# %% 3.3: the new child is not told its parent
def expand(game, node, rng):
    untried = [action for action in node.legal if action not in node.children]
    if not untried:
        raise ValueError("nothing to expand")
    action = rng.choice(untried)
    child = Node(game, game.play(node.state, action), action=action)
    node.children[action] = child
    return child

# %% 3.3: node.legal serves as the list of untried actions and gets shorter
def expand(game, node, rng):
    if not node.legal:
        raise ValueError("nothing to expand")
    if len(node.children) == len(game.legal_actions(node.state)):
        raise ValueError("nothing to expand")
    action = rng.choice(node.legal)
    while action in node.children:
        action = rng.choice(node.legal)
    node.legal.remove(action)
    child = Node(game, game.play(node.state, action), node, action)
    node.children[action] = child
    return child

# %% 3.3: the untried actions come from the left, nothing is drawn
def expand(game, node, rng):
    for action in node.legal:
        if action not in node.children:
            node.children[action] = Node(game, game.play(node.state, action), node, action)
            return node.children[action]
    raise ValueError("nothing to expand")

# %% 3.4: "while not outcome" goes on at a drawn end, where there are no children
def tree_policy(game, node, c, rng):
    while not node.outcome:
        if len(node.children) < len(node.legal):
            return expand(game, node, rng)
        node = best_child(node, c)
    return node

# %% 3.4: c is not handed on, the constant of the set is used
def tree_policy(game, node, c, rng):
    while node.outcome is None:
        if len(node.children) < len(node.legal):
            return expand(game, node, rng)
        node = best_child(node, C)
    return node

# %% 3.4: expands only where there is no child at all, so every node gets one child
def tree_policy(game, node, c, rng):
    while node.outcome is None:
        if not node.children:
            return expand(game, node, rng)
        node = best_child(node, c)
    return node

# %% 3.5: the reward of the leaf's player is given to every node
def backup(node, rewards):
    reward = rewards[node.last_player]
    while node is not None:
        node.num_visits += 1
        node.q += reward
        node = node.parent

# %% 3.5: stops before the root
def backup(node, rewards):
    while node.parent is not None:
        node.num_visits += 1
        node.q += rewards[node.last_player]
        node = node.parent

# %% 3.5: flips the sign at every ply as in set 2, the other player's own reward is never read
def backup(node, rewards):
    reward = rewards[node.last_player]
    while node is not None:
        node.num_visits += 1
        node.q += reward
        reward = -reward
        node = node.parent

# %% 3.6: a budget of 0.0 seconds is taken for no budget
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("the game is over")
    if bool(simulations) == bool(seconds):
        raise ValueError("exactly one of simulations and seconds")
    if simulations is not None and simulations < 1:
        raise ValueError("at least one simulation")
    if seconds is not None and seconds < 0:
        raise ValueError("no negative time")
    if len(root.legal) == 1:
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        if simulations and root.num_visits >= simulations:
            break
        if seconds and clock() - started >= seconds:
            break
    action = max(root.children, key=lambda a: root.children[a].num_visits)
    return action, root

# %% 3.6: the clock is taken to begin at 0
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("the game is over")
    if (simulations is None) == (seconds is None):
        raise ValueError("exactly one of simulations and seconds")
    if simulations is not None and simulations < 1:
        raise ValueError("at least one simulation")
    if seconds is not None and seconds < 0:
        raise ValueError("no negative time")
    if len(root.legal) == 1:
        return root.legal[0], root
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        if simulations is not None and root.num_visits == simulations:
            break
        if seconds is not None and clock() >= seconds:
            break
    action = max(root.children, key=lambda a: root.children[a].num_visits)
    return action, root

# %% 3.6: a single legal action is returned before the budget has been checked
def uct(game, state, rng, *, simulations=None, seconds=None, clock=time.monotonic):
    started = clock()
    root = Node(game, state)
    if root.outcome is not None:
        raise ValueError("the game is over")
    if len(root.legal) == 1:
        return root.legal[0], root
    if (simulations is None) == (seconds is None):
        raise ValueError("exactly one of simulations and seconds")
    if simulations is not None and simulations < 1:
        raise ValueError("at least one simulation")
    if seconds is not None and seconds < 0:
        raise ValueError("no negative time")
    while True:
        leaf = tree_policy(game, root, C, rng)
        backup(leaf, default_policy(game, leaf.state, rng))
        if simulations is not None and root.num_visits == simulations:
            break
        if seconds is not None and clock() - started >= seconds:
            break
    action = max(root.children, key=lambda a: root.children[a].num_visits)
    return action, root

# %% 3.7: the simulations are the total of the root's visits, those that were kept are not made again
def choose(self, state, simulations, rng):
    if simulations < 1 or self.game.outcome(state) is not None:
        raise ValueError("nothing to search")
    if self.root is None or self.root.state != state:
        self.root = Node(self.game, state)
    rollout = self.rollout if self.rollout is not None else default_policy
    while self.root.num_visits < simulations:
        leaf = tree_policy(self.game, self.root, self.c, rng)
        backup(leaf, rollout(self.game, leaf.state, rng))
    return max(self.root.children, key=lambda action: self.root.children[action].num_visits)

Searcher.choose = choose

# %% 3.7: an action without a child leaves the old root standing
def observe(self, action):
    if self.root is not None and action in self.root.children:
        self.root = self.root.children[action]
        self.root.parent = None

Searcher.observe = observe

# %% 3.7: the kept tree is continued whatever the state
def choose(self, state, simulations, rng):
    if simulations < 1 or self.game.outcome(state) is not None:
        raise ValueError("nothing to search")
    if self.root is None:
        self.root = Node(self.game, state)
    rollout = self.rollout if self.rollout is not None else default_policy
    for _ in range(simulations):
        leaf = tree_policy(self.game, self.root, self.c, rng)
        backup(leaf, rollout(self.game, leaf.state, rng))
    return max(self.root.children, key=lambda action: self.root.children[action].num_visits)

Searcher.choose = choose

# %% 3.8: a loss is concluded from the children that are there, missing ones are forgotten
def prove(node):
    if node.outcome == 1.0 or node.outcome == -1.0:
        node.proven = node.outcome
    while node.proven is not None and node.parent is not None:
        node = node.parent
        if any(child.proven == -1.0 for child in node.children.values()):
            node.proven = 1.0
        elif all(child.proven == 1.0 for child in node.children.values()):
            node.proven = -1.0
        else:
            return

# %% 3.8: a draw is written down as proven 0
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
        else:
            break

# %% 3.8: the final move is the most visited of those that are not lost, a proven win is not preferred
def solve(game, state, simulations, rng):
    root = Node(game, state)
    if root.outcome is not None or simulations < 1:
        raise ValueError("nothing to solve")
    for _ in range(simulations):
        node = root
        while node.outcome is None and len(node.children) == len(node.legal):
            open_children = [child for child in node.children.values() if child.proven is None]
            node = max(open_children, key=lambda child: bound(child, C))
        if node.outcome is None:
            node = expand(game, node, rng)
        backup(node, default_policy(game, node.state, rng))
        prove(node)
        if root.proven is not None:
            break
    candidates = [child for child in root.children.values() if child.proven != 1.0]
    if not candidates:
        candidates = list(root.children.values())
    return max(candidates, key=lambda child: child.num_visits).action, root

# %% 3.9: the first winning action instead of a draw among all of them
def tactical_action(game, state, rng):
    def winning(position):
        for action in game.legal_actions(position):
            if game.outcome(game.play(position, action)) == -1.0:
                return action
        return None

    if game.outcome(state) is not None:
        raise ValueError("the game is over")
    win = winning(state)
    if win is not None:
        return win
    legal = game.legal_actions(state)
    safe = [action for action in legal if winning(game.play(state, action)) is None]
    return rng.choice(safe if safe else legal)

# %% 3.9: rule 3 is forgotten, where every move loses there is nothing to draw from
def tactical_action(game, state, rng):
    def wins(position):
        return [a for a in game.legal_actions(position) if game.outcome(game.play(position, a)) == -1.0]

    if game.outcome(state) is not None:
        raise ValueError("the game is over")
    if wins(state):
        return rng.choice(wins(state))
    safe = [action for action in game.legal_actions(state) if not wins(game.play(state, action))]
    return rng.choice(safe)

# %% 3.9: only the player who begins the rollout is tactical, the other one moves at random
def tactical_rollout(game, state, rng):
    me = game.player(state)
    while game.outcome(state) is None:
        if game.player(state) == me:
            action = tactical_action(game, state, rng)
        else:
            action = rng.choice(game.legal_actions(state))
        state = game.play(state, action)
    outcome = game.outcome(state)
    if game.player(state) == 0:
        return outcome, 0.0 - outcome
    return 0.0 - outcome, outcome

# %% 3.10: a negative number of needed wins goes into math.comb, which refuses it
def pass_probability(p, games, needed):
    total = 0.0
    for k in range(needed, games + 1):
        total += math.comb(games, k) * p**k * (1 - p) ** (games - k)
    return total

# %% 3.10: a second random number decides on the draw, so draws come too rarely
def simulated_pass_rate(win, draw, games, needed, num_exams, rng):
    passed = 0
    for _ in range(num_exams):
        score = 0.0
        for _ in range(games):
            if rng.random() < win:
                score += 1
            elif rng.random() < draw:
                score += 0.5
        if score >= needed:
            passed += 1
    return passed / num_exams

# %% 3.10: an exam must be passed with more than the needed score, not at least
def simulated_pass_rate(win, draw, games, needed, num_exams, rng):
    passed = 0
    for _ in range(num_exams):
        score = 0.0
        for _ in range(games):
            luck = rng.random()
            if luck < win:
                score += 1.0
            elif luck < win + draw:
                score += 0.5
        if score > needed:
            passed += 1
    return passed / num_exams
