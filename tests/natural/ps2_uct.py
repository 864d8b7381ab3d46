# %% 2.0: exploring draws among the other arms only, never the one with the best mean
def epsilon_greedy(counts, totals, epsilon, rng):
    means = [total / count if count else 0.0 for count, total in zip(counts, totals)]
    best = max(means)
    arms = range(len(counts))
    best_arm = rng.choice([arm for arm in arms if means[arm] == best])
    if len(counts) > 1 and rng.random() < epsilon:
        return rng.choice([arm for arm in arms if arm != best_arm])
    return best_arm

# %% 2.0: the 2 of another paper's UCB1 stands under the root beside c
def ucb1(counts, totals, exploration, rng):
    untried = [arm for arm, count in enumerate(counts) if count == 0]
    if untried:
        return rng.choice(untried)
    pulls = sum(counts)
    bounds = [
        total / count + exploration * math.sqrt(2 * math.log(pulls) / count)
        for count, total in zip(counts, totals)
    ]
    highest = max(bounds)
    return rng.choice([arm for arm, bound in enumerate(bounds) if bound == highest])

# %% 2.0: the greedy choice is always the first of several arms with the best mean
def epsilon_greedy(counts, totals, epsilon, rng):
    if rng.random() < epsilon:
        return rng.randrange(len(counts))
    means = []
    for count, total in zip(counts, totals):
        means.append(total / count if count > 0 else 0.0)
    return means.index(max(means))

# %% 2.1: draws from the module random instead of rng
def random_policy(game, state, rng):
    actions = game.legal_actions(state)
    if len(actions) == 0:
        raise ValueError("the game is over")
    return random.choice(actions)

# %% 2.1: off by one, the last legal action is never drawn (unless it is the only one)
def random_policy(game, state, rng):
    actions = game.legal_actions(state)
    if not actions:
        raise ValueError("the game is over")
    return actions[int(rng.random() * (len(actions) - 1))]

# %% 2.1: no error of its own where the game is over, rng.choice raises an IndexError
def random_policy(game, state, rng):
    return rng.choice(game.legal_actions(state))

# %% 2.2: a game that ends with exactly the last allowed move is taken for cut
def simulate(game, state, policy, rng, max_plies=None, verbose=False):
    sign, plies = 1.0, 0
    while max_plies is None or plies < max_plies:
        outcome = game.outcome(state)
        if outcome is not None:
            if verbose:
                print(f"after {plies} plies: {sign * outcome}")
            return sign * outcome
        action = policy(game, state, rng)
        if verbose:
            print(f"player {game.player(state)} plays {action}")
        state = game.play(state, action)
        sign = -sign
        plies += 1
    if verbose:
        print("cut: 0")
    return 0.0

# %% 2.2: max_plies = 0 counts as no limit
def simulate(game, state, policy, rng, max_plies=None, verbose=False):
    plies = 0
    while game.outcome(state) is None:
        if max_plies and plies == max_plies:
            return 0.0
        action = policy(game, state, rng)
        if verbose:
            print(f"ply {plies + 1}: player {game.player(state)} plays {action}")
        state = game.play(state, action)
        plies += 1
    value = game.outcome(state)
    if plies % 2 == 1:
        value = -value
    if verbose:
        print(f"result {value}")
    return value

# %% 2.2: the result is told for player 0, whoever is to move at the beginning
def simulate(game, state, policy, rng, max_plies=None, verbose=False):
    plies = 0
    while game.outcome(state) is None and plies != max_plies:
        action = policy(game, state, rng)
        if verbose:
            print(f"ply {plies + 1}: player {game.player(state)} plays {action}")
        state = game.play(state, action)
        plies += 1
    value = game.outcome(state)
    if value is None:
        value = 0.0
    elif game.player(state) == 1:
        value = -value
    if verbose:
        print(f"result {value}")
    return value

# %% 2.3: a draw (outcome 0) is taken for a game that goes on
def is_terminal(self, game):
    return bool(game.outcome(self.state))

TreeNode.is_terminal = is_terminal

# %% 2.3: a node without children is never fully expanded, not even where the game is over
def is_fully_expanded(self, game):
    if not self.children:
        return False
    return all(action in self.children for action in game.legal_actions(self.state))

TreeNode.is_fully_expanded = is_fully_expanded

# %% 2.3: fully expanded only with a child for each of nine squares, legal or not
def is_fully_expanded(self, game):
    if game.outcome(self.state) is not None:
        return True
    return len(self.children) == 9

TreeNode.is_fully_expanded = is_fully_expanded

# %% 2.4: the first untried action instead of a draw among them
def expand(game, node, rng):
    for action in game.legal_actions(node.state):
        if action not in node.children:
            child = TreeNode(game.play(node.state, action), node, action)
            node.children[action] = child
            return child
    raise ValueError("nothing to expand")

# %% 2.4: the child is not told its action
def expand(game, node, rng):
    untried = [action for action in game.legal_actions(node.state) if action not in node.children]
    if not untried:
        raise ValueError("nothing to expand")
    action = rng.choice(untried)
    child = TreeNode(game.play(node.state, action), node)
    node.children[action] = child
    return child

# %% 2.4: draws among all legal actions, so a child that is there already is thrown away for a new one
def expand(game, node, rng):
    if node.is_terminal(game) or node.is_fully_expanded(game):
        raise ValueError("nothing to expand")
    action = rng.choice(game.legal_actions(node.state))
    child = TreeNode(game.play(node.state, action), parent=node, action=action)
    node.children[action] = child
    return child

# %% 2.5: stops below the root, which has no parent
def backpropagate(node, value):
    while node.parent is not None:
        node.num_visits += 1
        node.total_value += value
        value = -value
        node = node.parent

# %% 2.5: the sign is flipped before the first addition, so the leaf gets -value already
def backpropagate(node, value):
    while node is not None:
        value = -value
        node.num_visits += 1
        node.total_value += value
        node = node.parent

# %% 2.5: total_value is kept as a mean, not as a sum
def backpropagate(node, value):
    while node is not None:
        node.num_visits += 1
        node.total_value += (value - node.total_value) / node.num_visits
        value = -value
        node = node.parent

# %% 2.6: c stands under the root, which only shows when it is not 1 or 0
def ucb(node, exploration):
    if node.num_visits == 0:
        return math.inf
    bonus = math.sqrt(exploration * math.log(node.parent.num_visits) / node.num_visits)
    return -node.total_value / node.num_visits + bonus

# %% 2.6: without exploration a node not visited yet counts 0, not infinity
def ucb(node, exploration):
    mean = -node.total_value / node.num_visits if node.num_visits else 0.0
    if exploration == 0:
        return mean
    if node.num_visits == 0:
        return math.inf
    return mean + exploration * math.sqrt(math.log(node.parent.num_visits) / node.num_visits)

# %% 2.6: the child's mean without the minus, in the view of the wrong player
def ucb(node, exploration):
    if node.num_visits == 0:
        return math.inf
    mean = node.total_value / node.num_visits
    return mean + exploration * math.sqrt(math.log(node.parent.num_visits) / node.num_visits)

# %% 2.7: always the first of the children with the highest bound
def best_child(node, exploration, rng):
    if not node.children:
        raise ValueError("no children")
    return max(node.children.values(), key=lambda child: ucb(child, exploration))

# %% 2.7: the list of the best is not begun anew when a higher bound comes
def best_child(node, exploration, rng):
    if not node.children:
        raise ValueError("no children")
    highest, best = -math.inf, []
    for child in node.children.values():
        bound = ucb(child, exploration)
        if bound >= highest:
            highest = bound
            best.append(child)
    return rng.choice(best)

# %% 2.7: a bound must be above -1 to be noticed, so without exploration only lost children give None
def best_child(node, exploration, rng):
    if not node.children:
        raise ValueError("no children")
    children = list(node.children.values())
    rng.shuffle(children)
    best, highest = None, -1.0
    for child in children:
        bound = ucb(child, exploration)
        if bound > highest:
            best, highest = child, bound
    return best

# %% 2.8: goes on as soon as there is some child, although others are still missing
def select(game, node, exploration, rng):
    while node.children:
        node = best_child(node, exploration, rng)
    return node

# %% 2.8: the end of the game is not asked for, and a finished node counts as fully expanded
def select(game, node, exploration, rng):
    while node.is_fully_expanded(game):
        node = best_child(node, exploration, rng)
    return node

# %% 2.8: one step down only
def select(game, node, exploration, rng):
    if node.is_fully_expanded(game) and not node.is_terminal(game):
        node = best_child(node, exploration, rng)
    return node

# %% 2.9: evaluate is asked at finished leaves too, their outcome is not used
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        if evaluate is None:
            value = simulate(game, leaf.state, random_policy, rng)
        else:
            value = evaluate(leaf.state)
        backpropagate(leaf, value)
    action = max(root.children, key=lambda a: root.children[a].num_visits)
    return action, root

# %% 2.9: the final move is the one with the best mean, not the one with most visits
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        if leaf.is_terminal(game):
            value = game.outcome(leaf.state)
        elif evaluate is not None:
            value = evaluate(leaf.state)
        else:
            value = simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    return best_child(root, 0.0, rng).action, root

# %% 2.9: a node is only expanded at its second visit, so the first simulation values the root itself
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if leaf.num_visits > 0 and not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        if leaf.is_terminal(game):
            value = game.outcome(leaf.state)
        elif evaluate is not None:
            value = evaluate(leaf.state)
        else:
            value = simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    if not root.children:
        return rng.choice(game.legal_actions(state)), root
    action = max(root.children, key=lambda a: root.children[a].num_visits)
    return action, root

# %% 2.10: the mean is off by one, N has grown already when the old sum is rebuilt
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    if state not in Q:
        Q[state] = {action: 0.0 for action in game.legal_actions(state)}
        N[state] = {action: 0 for action in game.legal_actions(state)}
        return evaluate(state)
    untried = [action for action in N[state] if N[state][action] == 0]
    if untried:
        action = rng.choice(untried)
    else:
        log_total = math.log(sum(N[state].values()))
        bounds = {a: Q[state][a] + exploration * math.sqrt(log_total / N[state][a]) for a in N[state]}
        highest = max(bounds.values())
        action = rng.choice([a for a in bounds if bounds[a] == highest])
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    N[state][action] += 1
    Q[state][action] = (N[state][action] * Q[state][action] + value) / (N[state][action] + 1)
    return value

# %% 2.10: entries are made before the outcome is asked, so finished states stand in the tables
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    new = state not in N
    if new:
        Q[state] = {action: 0.0 for action in game.legal_actions(state)}
        N[state] = {action: 0 for action in game.legal_actions(state)}
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    if new:
        return evaluate(state)
    total = sum(N[state].values())

    def bound(action):
        if N[state][action] == 0:
            return math.inf
        return Q[state][action] + exploration * math.sqrt(math.log(total) / N[state][action])

    highest = max(bound(action) for action in N[state])
    action = rng.choice([action for action in N[state] if bound(action) == highest])
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    N[state][action] += 1
    Q[state][action] += (value - Q[state][action]) / N[state][action]
    return value

# %% 2.10: hands the mean Q upwards and not the result of this simulation
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    if state not in N:
        Q[state] = {action: 0.0 for action in game.legal_actions(state)}
        N[state] = {action: 0 for action in game.legal_actions(state)}
        return evaluate(state)
    visits = sum(N[state].values())
    bounds = {}
    for action, count in N[state].items():
        if count == 0:
            bounds[action] = math.inf
        else:
            bounds[action] = Q[state][action] + exploration * math.sqrt(math.log(visits) / count)
    highest = max(bounds.values())
    action = rng.choice([action for action in bounds if bounds[action] == highest])
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    N[state][action] += 1
    Q[state][action] += (value - Q[state][action]) / N[state][action]
    return Q[state][action]

# %% 2.11: on_move gets the state and not the root
def self_play(game, num_simulations, exploration, rng, on_move=None):
    state = game.start()
    actions = []
    while game.outcome(state) is None:
        action, _ = search(game, state, num_simulations, exploration, rng)
        if on_move is not None:
            on_move(state, action)
        actions.append(action)
        state = game.play(state, action)
    return actions

# %% 2.11: every search gets a new random.Random(0), whatever rng the caller gave
def self_play(game, num_simulations, exploration, rng, on_move=None):
    state = game.start()
    actions = []
    while game.outcome(state) is None:
        action, root = search(game, state, num_simulations, exploration, random.Random(0))
        if on_move is not None:
            on_move(root, action)
        actions.append(action)
        state = game.play(state, action)
    return actions

# %% 2.11: at most nine moves, enough for Tic-Tac-Toe only
def self_play(game, num_simulations, exploration, rng, on_move=None):
    state = game.start()
    actions = []
    for _ in range(9):
        if game.outcome(state) is not None:
            break
        action, root = search(game, state, num_simulations, exploration, rng)
        if on_move is not None:
            on_move(root, action)
        actions.append(action)
        state = game.play(state, action)
    return actions
