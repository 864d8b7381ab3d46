# Wrong answers to ps3_connect_four. Each cell names the exercise that it breaks, and is appended to the solution.
# `make verify` wants every one to lose the points of that exercise, and of the joint check at most beside it.
# A cell: `# %% 2.5: what is wrong`, `# hint: ` words of the hint, and `swap` or `put` (autograder/problem_sets/bank/edits.py).
# `# home` marks a natural mistake: the visible check catches it too (tests/unit/test_natural_mistakes.py).

# %% 3.1: the rewards of the player to move at the end come first
# hint: the player to move at the end
swap("default_policy", "(mine, other) if game.player(state) == 0 else (other, mine)", "mine, other")

# %% 3.1: the rewards of the player who moved last come first
# hint: or for the player who moved last?
swap("default_policy", "(mine, other) if game.player(state) == 0 else (other, mine)", "other, mine")

# %% 3.1: the rewards of the player to move at the beginning come first
# hint: which player's reward must come first?
# home
put("default_policy", "while", "first = game.player(state)")
swap("default_policy", "(mine, other) if game.player(state) == 0 else (other, mine)",
     "(mine, other) if game.player(state) == first else (other, mine)")

# %% 3.1: the two players have changed places
# hint: have changed places
swap("default_policy", "game.player(state) == 0", "game.player(state) == 1")

# %% 3.1: a draw is a loss for player 0
# hint: Which reward does each player get for a draw?
swap("default_policy", "mine, other = outcome, 0.0 - outcome",
     "mine, other = (1.0, -1.0) if outcome > 0 or outcome == 0 == 1 - game.player(state) else (-1.0, 1.0)")

# %% 3.1: a draw is half a point for both
# hint: Which reward does each player get for a draw?
put("default_policy", "return", "if outcome == 0:\n    return 0.5, 0.5")

# %% 3.1: a draw is taken for a game that goes on
# hint: IndexError in ps3_connect_four.py
# home
swap("default_policy", "(outcome := game.outcome(state)) is None", "not (outcome := game.outcome(state))")

# %% 3.1: whoever moved last has won
# hint: Has the player who moved last always won
swap("default_policy", "mine, other = outcome, 0.0 - outcome", "mine, other = -abs(outcome), abs(outcome)")

# %% 3.1: always the first legal move
# hint: Is it always the first legal move, or does rng draw a move?
swap("default_policy", "rng.choice(game.legal_actions(state))", "game.legal_actions(state)[0]")

# %% 3.1: never the last legal move
# hint: Can every legal move come, also the first and the last
put("default_policy", "state =", "legal = game.legal_actions(state)")
swap("default_policy", "rng.choice(game.legal_actions(state))", "legal[rng.randrange(max(1, len(legal) - 1))]")

# %% 3.1: only the first player's moves are random
# hint: Do you draw the moves of both players
swap("default_policy", "rng.choice(game.legal_actions(state))",
     "rng.choice(game.legal_actions(state)) if game.player(state) == 0 else game.legal_actions(state)[-1]")

# %% 3.1: the global generator instead of rng
# hint: Does your function use only the given rng
# home
swap("default_policy", "rng.choice", "random.choice")

# %% 3.1: a rollout is cut after ten moves
# hint: Does your rollout stop after some number of moves
swap("default_policy", "while (outcome := game.outcome(state)) is None:",
     "for _ in range(10):\n    if game.outcome(state) is not None:\n        break")
put("default_policy", "mine, other =", "outcome = game.outcome(state) or 0.0")

# %% 3.1: the rollout begins at the start of the game
# hint: and is there a move to play when the game is over?
put("default_policy", "while", "state = game.start()")

# %% 3.1: one value in the place of two rewards
# hint: and your code gives a float
swap("default_policy", "return (mine, other) if game.player(state) == 0 else (other, mine)",
     "return mine if game.player(state) == 0 else other")

# %% 3.1: a win in the rollout is taken as soon as it is there
# hint: what does a random player know about its moves?
put("default_policy", "state =",
    "wins = [action for action in game.legal_actions(state) if game.outcome(game.play(state, action)) == -1.0]")
swap("default_policy", "rng.choice(game", "rng.choice(wins or game")

# %% 3.2: the bound negates the mean, as in problem set 2
# hint: wrong sign
# home
swap("bound", "node.q /", "-node.q /")

# %% 3.2: the logarithm of the child's visits
# hint: The child's visits are under the logarithm
swap("bound", "node.parent.num_visits", "node.num_visits")

# %% 3.2: the 2 under the root is missing
# hint: The 2 under the root is missing
swap("bound", "2 * math.log(node.parent.num_visits", "math.log(node.parent.num_visits")

# %% 3.2: the 2 stands before the root
# hint: Where is the 2: under the root, or before the root?
swap("bound", "c * math.sqrt(2 *", "2 * c * math.sqrt(")

# %% 3.2: c stands under the root
# hint: outside the root
swap("bound", "c * math.sqrt(2", "math.sqrt(c * 2")

# %% 3.2: the logarithm to base 10
# hint: base 10
swap("bound", "math.log(node.parent.num_visits", "math.log10(node.parent.num_visits")

# %% 3.2: the logarithm to base 2
# hint: to which base
swap("bound", "math.log(node.parent.num_visits", "math.log2(node.parent.num_visits")

# %% 3.2: the sum of rewards in the place of their mean
# hint: The mean is a sum divided by a number: by which number?
swap("bound", "node.q / node.num_visits", "node.q")

# %% 3.2: c is never used
# hint: With c = 0 there is still a bonus: do you use the given c?
swap("bound", "+ c *", "+ C *")

# %% 3.2: the root is taken of the logarithm alone
# hint: only the logarithm, or the whole fraction?
swap("bound", "math.sqrt(2 * math.log(node.parent.num_visits) / node.num_visits)",
     "math.sqrt(2 * math.log(node.parent.num_visits)) / node.num_visits")

# %% 3.2: N is counted from the children
# hint: or add up those of the children?
swap("bound", "node.parent.num_visits", "sum(child.num_visits for child in node.parent.children.values())")

# %% 3.2: one is added to every count so that nothing divides by zero
# hint: Is n the number of the node's visits, or one more?
swap("bound", "if node.num_visits == 0:\n    return math.inf", "visits = node.num_visits + 1")
swap("bound", "node.q / node.num_visits", "node.q / visits")
swap("bound", "math.log(node.parent.num_visits) / node.num_visits", "math.log(node.parent.num_visits + 1) / visits")

# %% 3.2: an unvisited node divides by zero
# hint: ZeroDivisionError in ps3_connect_four.py
swap("bound", "if node.num_visits == 0:\n    return math.inf\nmean", "mean")

# %% 3.2: an unvisited node is worth nothing without exploration
# hint: What do you know about a node without a visit
swap("bound", "return math.inf", "return math.inf if c else 0.0")

# %% 3.2: the mean is rounded down
# hint: Do you round the mean, or divide with //?
swap("bound", "= node.q /", "= node.q //")

# %% 3.2: the best child is the one with the lowest bound
# hint: Do you choose the lowest bound?
swap("best_child", "max(node.children.values(", "min(node.children.values(")

# %% 3.2: the best child does not hand c on
# hint: Which c do you pass on: the given one?
# home
swap("best_child", "bound(child, c", "bound(child, C")

# %% 3.2: the best child is the most visited one
# hint: Which number must be highest: the visits, or the bound?
swap("best_child", "bound(child, c)", "child.num_visits")

# %% 3.2: the best child must have a positive bound
# hint: With which bound does your comparison begin
swap("best_child", "return max(node.children.values(), key=lambda child: bound(child, c))",
     "best, highest = next(iter(node.children.values())), 0.0\nfor child in node.children.values():\n"
     "    if bound(child, c) > highest:\n        best, highest = child, bound(child, c)\nreturn best")

# %% 3.2: the highest action wins
# hint: Which number must be highest: the action, or the bound?
swap("best_child", "max(node.children.values(), key=lambda child: bound(child, c))", "node.children[max(node.children)]")

# %% 3.2: no children, no error
# hint: The docstring promises a node, and your code gives None
swap("best_child", 'raise ValueError("no best child: the node has no children")', "return None")

# %% 3.2: the best child counts a visit
# hint: does best_child change any number?
swap("best_child", "return max(node.children.values(), key=lambda child: bound(child, c))",
     "child = max(node.children.values(), key=lambda child: bound(child, c))\nchild.num_visits += 1\nreturn child")

# %% 3.2: the survey's 2 C_p before the root as well as the 2 under it
# hint: Do you pass c on unchanged, or larger?
# home
swap("bound", "c * math.sqrt", "2 * c * math.sqrt")

# %% 3.3: the same action may be drawn again
# hint: Can your function draw an action that already has its child?
swap("expand", "rng.choice(untried)", "rng.choice(node.legal)")

# %% 3.3: the child does not know its parent
# hint: how does backup find the way up?
# home
swap("expand", "node, action)", "None, action)")

# %% 3.3: the child is not hung into the tree
# hint: Do you put the new child into its parent's children
swap("expand", "node.children[action] = Node(game, game.play(node.state, action), node, action)\nreturn node.children[action]",
     "return Node(game, game.play(node.state, action), node, action)")

# %% 3.3: the child has its parent's state
# hint: Which state does the child have: the state of its parent
swap("expand", "game.play(node.state, action)", "node.state")

# %% 3.3: the child does not know its action
# hint: Does the child know the action that led to it
swap("expand", "node, action)", "node)")

# %% 3.3: untried actions from left to right
# hint: Is it always the first untried action
# home
swap("expand", "rng.choice(untried)", "untried[0]")

# %% 3.3: the middle columns are preferred
# hint: Is every untried action equally
swap("expand", "rng.choice(untried)",
     "min(rng.choice(untried), rng.choice(untried), key=lambda action: abs(action - game.num_actions // 2))")

# %% 3.3: the global generator instead of rng
# hint: Does your function use only the given rng
swap("expand", "rng.choice", "random.choice")

# %% 3.3: all children at once
# hint: How many children does one call add?
put("expand", "action = rng",
    "for other in untried:\n    node.children[other] = Node(game, game.play(node.state, other), node, other)")

# %% 3.3: the earlier children are thrown away
# hint: Are the earlier children still the same nodes
put("expand", "return",
    "for other in list(node.children):\n    node.children[other] = Node(game, game.play(node.state, other), node, other)")

# %% 3.3: the new child counts its rollout already
# hint: Which function counts visits and rewards: expand or backup?
put("expand", "return", "node.children[action].num_visits = 1")

# %% 3.3: an IndexError where nothing is left
# hint: IndexError in ps3_connect_four.py
swap("expand",
     'if not untried:\n    raise ValueError("nothing to expand: the game is over, or every action has its child")\naction',
     "action")

# %% 3.3: the node itself where nothing is left
# hint: No action is left to try
swap("expand", 'raise ValueError("nothing to expand: the game is over, or every action has its child")', "return node")

# %% 3.3: a child that loses for its player proves the parent at once
# hint: which function writes what is proven, expand or prove?
put("expand", "return node.children[action]", """if node.children[action].outcome == -1.0:
    node.proven = 1.0""")

# %% 3.4: with c = 0 a node with one child is never expanded again
# hint: does the tree grow exactly here, by one child
swap("tree_policy", "< len(node.legal)", "< len(node.legal) and (c > 0 or not node.children)")

# %% 3.4: the node is returned instead of its new child
# hint: What do you return: the node with an untried action
swap("tree_policy", "return expand(game, node, rng)", "expand(game, node, rng)\nreturn node")

# %% 3.4: it stops before the expansion, as select did
# hint: An action is untried: does the tree grow exactly here
swap("tree_policy", "return expand(game, node, rng)", "return node")

# %% 3.4: one step down and no more
# hint: how many steps down does your function go?
swap("tree_policy", "node = best_child(node, c)",
     "node = best_child(node, c)\n"
     "return expand(game, node, rng) if node.outcome is None and len(node.children) < len(node.legal) else node")

# %% 3.4: a node with children counts as fully expanded
# hint: An action is untried: does the tree grow exactly here
# home
swap("tree_policy", "len(node.children) < len(node.legal)", "not node.children")

# %% 3.4: exploration is switched off below the root
# hint: Is the exploration below the root the same as at the root?
swap("tree_policy", "best_child(node, c)", "best_child(node, c)\nc = 0.0")

# %% 3.4: always the constant of the set
# hint: Which c do you pass on to best_child: the given one?
# home
swap("tree_policy", "best_child(node, c", "best_child(node, C")

# %% 3.4: a draw is taken for a game that goes on
# hint: ValueError in ps3_connect_four.py
# home
swap("tree_policy", "node.outcome is None", "not node.outcome")

# %% 3.4: a finished game is expanded
# hint: ValueError in ps3_connect_four.py
swap("tree_policy", "node.outcome is None", "True")

# %% 3.4: the other player's worst move is followed
# hint: and whose rewards does q hold there?
put("tree_policy", "while", "top = node")
swap("tree_policy", "best_child(node, c)",
     "(best_child(node, c) if node.last_player == top.last_player else\n"
     "        min(node.children.values(), key=lambda child: bound(child, c)))")

# %% 3.4: a random child instead of the best one
# hint: do you go to the best child, or draw the next node?
swap("tree_policy", "best_child(node, c)", "rng.choice(list(node.children.values()))")

# %% 3.4: every node on the way gets a visit
# hint: Which function counts visits: tree_policy, or backup?
swap("tree_policy", "best_child(node, c)", "best_child(node, c)\nnode.num_visits += 1")

# %% 3.4: a generator of its own
# hint: Does your function use only the given rng
swap("tree_policy", "node, rng)", "node, random.Random())")

# %% 3.5: the reward of the player to move at the node
# hint: who moved INTO it
swap("backup", "node.last_player", "1 - node.last_player")

# %% 3.5: the leaf's reward for every node
# hint: the same sign
# home
put("backup", "while", "reward = rewards[node.last_player]")
swap("backup", "rewards[node.last_player]\nnode", "reward\nnode")

# %% 3.5: the sign flips and the player alternates as well
# hint: Your nodes all have the same sign
put("backup", "while", "sign = 1")
swap("backup", "+= rewards[node.last_player]", "+= sign * rewards[node.last_player]")
swap("backup", "node = node.parent", "node, sign = node.parent, -sign")

# %% 3.5: one reward with alternating signs
# hint: one for each player, or one reward with alternating signs?
# home
put("backup", "while", "value = rewards[node.last_player]")
swap("backup", "rewards[node.last_player]\nnode = node.parent", "value\nnode, value = node.parent, -value")

# %% 3.5: the root belongs to the second player always
# hint: Does the way up depend on the player to move at the root?
put("backup", "while", "depth, above = 0, node.parent\nwhile above is not None:\n    depth, above = depth + 1, above.parent")
swap("backup", "rewards[node.last_player]\nnode = node.parent", "rewards[(depth + 1) % 2]\nnode, depth = node.parent, depth - 1")

# %% 3.5: the root gets nothing
# hint: or does the root get its reward too?
# home
swap("backup", "node is not None", "node.parent is not None")

# %% 3.5: the root counts a visit and no reward
# hint: or does the root get its reward too?
swap("backup", "+= rewards[node.last_player]", "+= rewards[node.last_player] if node.parent else 0.0")

# %% 3.5: only the leaf and its parent learn
# hint: How far up does the loop go: to the parent, or to the root?
put("backup", "node.num_visits", "if node is not leaf and node is not leaf.parent:\n    return")
put("backup", "while", "leaf = node")

# %% 3.5: q is overwritten
# hint: Is q the sum of all rewards, or only the last reward?
swap("backup", "node.q +=", "node.q =")

# %% 3.5: q is a running mean
# hint: Is q the sum of the rewards, or their mean?
swap("backup", "+= rewards[node.last_player]", "+= (rewards[node.last_player] - node.q) / node.num_visits")

# %% 3.5: no visits are counted
# hint: Do you count the visit, and not only add the reward?
swap("backup", "node.num_visits += 1\nnode.q", "node.q")

# %% 3.5: a draw counts no visit
# hint: Does a simulation that ends in a draw count as a visit
swap("backup", "node.num_visits += 1", "node.num_visits += rewards[node.last_player] != 0")

# %% 3.5: the siblings count a visit too
# hint: Which nodes did this simulation go through?
put("backup", "node =",
    "for sibling in node.parent.children.values() if node.parent else ():\n    sibling.num_visits += sibling is not node")

# %% 3.6: the final move is the one with the best mean
# hint: Most visits, most rewards, best mean or highest bound
swap("uct", "root.children[action].num_visits", "root.children[action].q / root.children[action].num_visits")

# %% 3.6: the final move is the one with the highest bound
# hint: what chooses the move at its end?
swap("uct", "max(root.children, key=lambda action: root.children[action].num_visits)", "best_child(root, C).action")

# %% 3.6: the final move is the most visited child's index among the legal actions
# hint: or its place among the legal actions?
swap("uct", "return max(root.children, key=lambda action: root.children[action].num_visits)",
     "best = max(root.children, key=lambda action: root.children[action].num_visits)\n"
     "return sorted(root.children).index(best) if len(root.legal) < 7 else best")

# %% 3.6: the child instead of the action
# hint: The docstring promises an int, and your code gives an object
swap("uct", "max(root.children, key=lambda action: root.children[action].num_visits)",
     "max(root.children.values(), key=lambda child: child.num_visits)")

# %% 3.6: a random final move
# hint: do you draw the move, or take most visits?
swap("uct", "max(root.children, key=lambda action: root.children[action].num_visits)", "rng.choice(list(root.children))")

# %% 3.6: the final move is the one with most rewards
# hint: Most visits, most rewards, best mean or highest bound
swap("uct", "root.children[action].num_visits", "root.children[action].q")

# %% 3.6: the final move is the least visited one
# hint: Do you choose the least visited action?
swap("uct", "max(", "min(")

# %% 3.6: no exploration
# hint: Do you explore at all: which c does the tree policy get?
swap("uct", "C,", "0.0,")

# %% 3.6: too much exploration
# hint: Which exploration constant does the tree policy get
swap("uct", "C,", "1.4,")

# %% 3.6: one simulation more than asked for
# hint: exactly the number in the budget?
swap("uct", "== simulations", "== (simulations or -2) + 1")

# %% 3.6: one simulation less than asked for
# hint: exactly the number in the budget?
swap("uct", "== simulations", ">= max((simulations or 10**9) - 1, 1)")

# %% 3.6: both budgets together are accepted
# hint: Two budgets in one call: which of them would count?
swap("uct", "(simulations is None) == (seconds is None)", "simulations is None and seconds is None")

# %% 3.6: without a budget it thinks for a second
# hint: No budget is given: when would such a search end?
swap("uct", "(simulations is None) == (seconds is None)", "simulations is not None and seconds is not None")
put("uct", "if (simulations is not None and", "if simulations is None and seconds is None:\n    simulations = 100")

# %% 3.6: a budget of 0 simulations counts as none given
# hint: and 0 is not None: do you count it as a budget?
swap("uct", "(simulations is None) == (seconds is None)", "(not simulations) == (seconds is None)")
swap("uct", "simulations < 1", "simulations < 0")

# %% 3.6: 0 seconds count as no budget
# hint: and 0 is not None: do you count it as a budget?
# home
swap("uct", "(simulations is None) == (seconds is None)", "bool(simulations) == bool(seconds)")

# %% 3.6: 0 simulations are made into one
# hint: smallest number of simulations that a caller may ask for?
swap("uct", "(simulations is not None and simulations < 1) or", "")
swap("uct", "root.num_visits == simulations", "simulations is not None and root.num_visits >= simulations")

# %% 3.6: negative seconds are accepted
# hint: May the seconds be negative?
swap("uct", " or (seconds is not None and seconds < 0)", "")

# %% 3.6: the computer's own clock instead of the given one
# hint: before the first simulation and after each?
put("uct", "started =", "clock = time.monotonic")

# %% 3.6: the clock is taken to begin at zero
# hint: do you use the difference of two readings?
# home
swap("uct", "clock() - started", "clock()")

# %% 3.6: the clock is read every second simulation
# hint: when do you stop, and from when do the seconds count?
swap("uct", "clock() - started >= seconds", "root.num_visits % 2 == 0 and clock() - started >= seconds")

# %% 3.6: the time is up one simulation late
# hint: when do you stop, and from when do the seconds count?
put("uct", "leaf =", "over = seconds is not None and root.num_visits > 0 and clock() - started >= seconds")
swap("uct", "(seconds is not None and clock() - started >= seconds)", "over")

# %% 3.6: the caller must bring a clock
# hint: TypeError in ps3_connect_four.py
swap("uct", "clock: Clock = time.monotonic", "clock: Clock | None = None")
swap("uct", "started = clock()", "started = clock() if seconds is not None else 0.0")

# %% 3.6: half of the time is saved
# hint: and in which unit?
swap("uct", "clock() - started >= seconds", "clock() - started >= seconds / 2")

# %% 3.6: the clock is read before the first simulation, and then no move is there
# hint: ValueError in ps3_connect_four.py
swap("uct", "while True", "while simulations is not None or clock() - started < seconds")
swap("uct", "root.num_visits == simulations or (seconds is not None and clock() - started >= seconds)",
     "root.num_visits == simulations")

# %% 3.6: the seconds are turned into simulations
# hint: before the first simulation and after each?
swap("uct", "clock() - started >= seconds", "root.num_visits >= max(1, seconds * 1000)")

# %% 3.6: seconds are milliseconds
# hint: and in which unit?
swap("uct", "clock() - started >= seconds", "clock() - started >= seconds / 1000")

# %% 3.6: time is measured from the first simulation's end
# hint: when do you stop, and from when do the seconds count?
swap("uct", "started = clock()", "started = None")
put("uct", "if root.num_visits", "started = clock() if started is None and seconds is not None else started")

# %% 3.6: a single legal move is searched like others
# hint: how long should a search think about it?
swap("uct", "if len(root.legal) == 1:\n    return root.legal[0], root\nwhile", "while")

# %% 3.6: a single legal move is searched when the budget is time
# hint: how long should a search think about it?
swap("uct", "len(root.legal) == 1", "len(root.legal) == 1 and seconds is None")

# %% 3.6: one rollout for a single legal move
# hint: how long should a search think about it?
put("uct", "return root.legal", "leaf = tree_policy(game, root, C, rng)\nbackup(leaf, default_policy(game, leaf.state, rng))")

# %% 3.6: a finished game returns None
# hint: The docstring promises an int, and your code gives None
swap("uct", 'raise ValueError("nothing to search: the game is over")', "return None, root")

# %% 3.6: the rollout begins at the parent
# hint: At which node does the rollout begin
swap("uct", "leaf.state", "(leaf.parent or leaf).state")

# %% 3.6: the rollout begins at the root
# hint: At which node does the rollout begin
swap("uct", "leaf.state", "root.state")

# %% 3.6: the rewards are swapped before the backup
# hint: Have the two rewards changed places on their way to the
swap("uct", "default_policy(game, leaf.state, rng)", "default_policy(game, leaf.state, rng)[::-1]")

# %% 3.6: the backup begins at the parent
# hint: Does the new child get the result of its own rollout
swap("uct", "backup(leaf", "backup(leaf.parent or leaf")

# %% 3.6: two rollouts are added up for each leaf
# hint: How many rollouts does one simulation add to a node?
swap("uct", "default_policy(game, leaf.state, rng)",
     "[a + b for a, b in zip(default_policy(game, leaf.state, rng), default_policy(game, leaf.state, rng))]")

# %% 3.6: a finished leaf is worth nothing
# hint: which result does this simulation add?
swap("uct", "default_policy(game, leaf.state, rng)",
     "default_policy(game, leaf.state, rng) if leaf.outcome is None else (0.0, 0.0)")

# %% 3.6: it stops when the most visited move cannot be overtaken
# hint: exactly the number in the budget?
put("uct", "if root.num_visits",
    "top = sorted((child.num_visits for child in root.children.values()), reverse=True) + [0]\n"
    "if simulations and top[0] - top[1] > simulations - root.num_visits:\n    break")

# %% 3.6: the tree of the last search is kept
# hint: Does each search begin with a new tree
_trees = {}
swap("uct", "root = Node(game, state)", "root = _trees.setdefault(state, Node(game, state))\nbefore = root.num_visits")
swap("uct", "root.num_visits ==", "root.num_visits - before ==")

# %% 3.6: the global generator is used for the rollouts
# hint: Does your function use only the given rng
swap("uct", "leaf.state, rng", "leaf.state, random")

# %% 3.6: rng is seeded again before each search
# hint: does rng draw every move of a rollout
put("uct", "started =", "rng = random.Random(1)")

# %% 3.6: the second player's search is turned around
# hint: do you return the move with most visits?
put("uct", "return max",
    "if game.player(state) == 1:\n    return min(root.children, key=lambda action: root.children[action].num_visits), root")

# %% 3.6: all children of the root are made before the first simulation
# hint: the one that visits it, or one before?
put("uct", "while True:", "root.children = {a: Node(game, game.play(state, a), root, a) for a in root.legal}")

# %% 3.7: the new root keeps its parent
# hint: and what keeps the old tree in memory?
swap("Searcher.observe", "(action)\nif self.root is not None:\n    self.root.parent = None", "(action)")

# %% 3.7: every search begins a fresh tree
# hint: does choose still begin a fresh tree?
swap("Searcher.choose", "self.root is None or self.root.state != state", "True")

# %% 3.7: the tree is thrown away at every move
# hint: The move has a child in the tree: do you keep this child?
swap("Searcher.observe", "None if self.root is None else self.root.children.get(action)", "None")

# %% 3.7: the new root begins at zero
# hint: Does the new root keep its visits?
swap("Searcher.observe", "parent = None", "parent = None\nself.root.num_visits = 0\nself.root.q = 0.0")

# %% 3.7: the new root loses its children
# hint: Does the new root keep its own children?
swap("Searcher.observe", "parent = None", "parent = None\nself.root.children = {}")

# %% 3.7: a copy of the root is made, and the children keep the old parent
# hint: or another node that the child's children do not know?
put("Searcher.observe", "self.root.parent",
    "old, self.root = self.root, Node(self.game, self.root.state)\n"
    "self.root.num_visits, self.root.q, self.root.children = old.num_visits, old.q, old.children")

# %% 3.7: the most visited child is followed, whatever was played
# hint: One move was played: which child is the new root
swap("Searcher.observe", "None if self.root is None else self.root.children.get(action)",
     "max([] if self.root is None else self.root.children.values(), key=lambda child: child.num_visits, default=None)")

# %% 3.7: choose follows its own move already
# hint: choose itself, or observe when it gets a move?
swap("Searcher.choose", "return max(self.root.children, key=lambda action: self.root.children[action].num_visits)",
     "action = max(self.root.children, key=lambda action: self.root.children[action].num_visits)\nself.observe(action)\n"
     "return action")

# %% 3.7: an unseen move leaves the old root
# hint: A move was never tried: which node could you keep?
# home
swap("Searcher.observe", "None if self.root is None else self.root.children.get(action)",
     "self.root and self.root.children.get(action, self.root)")

# %% 3.7: an unseen move is a KeyError
# hint: KeyError in ps3_connect_four.py
swap("Searcher.observe", "self.root.children.get(action)", "self.root.children[action]")

# %% 3.7: observe before the first search is an error
# hint: AttributeError in ps3_connect_four.py
swap("Searcher.observe", "self.root = None if self.root is None else", "self.root =")

# %% 3.7: the state is never compared with the root
# hint: Does the kept tree belong to the given state?
# home
swap("Searcher.choose", " or self.root.state != state", "")

# %% 3.7: kept visits count as simulations
# hint: on top of the earlier ones?
# home
swap("Searcher.choose", "for _ in range(simulations)", "while self.root.num_visits < simulations")

# %% 3.7: the rollout that was given is never used
# hint: The searcher has its own rollout: do you use it?
swap("Searcher.choose", "rollout = self.rollout or", "rollout =")

# %% 3.7: c is never used
# hint: Which exploration constant does the tree policy get
swap("Searcher.choose", "self.root, self.c", "self.root, C")

# %% 3.7: the move is the one with the best mean
# hint: Most visits, most rewards, best mean or highest bound
swap("Searcher.choose", "num_visits", "q / self.root.children[action].num_visits")

# %% 3.7: the move is the one with the highest bound
# hint: The tree is right: which number chooses the move at the end
swap("Searcher.choose", "max(self.root.children, key=lambda action: self.root.children[action].num_visits)",
     "best_child(self.root, self.c).action")

# %% 3.7: the rollout begins at the root
# hint: At which node does the rollout begin: at the new leaf
swap("Searcher.choose", "self.game, leaf.state", "self.game,state")

# %% 3.7: the rollout gets a generator of its own
# hint: The rollout has an argument rng
swap("Searcher.choose", "state, rng", "state, random.Random(rng.random())")

# %% 3.7: a finished game returns None
# hint: The docstring promises an int, and your code gives None
swap("Searcher.choose", 'raise ValueError("a search needs a game that goes on and at least one simulation")',
     'if self.game.outcome(state) is not None:\n    return None\nraise ValueError("nothing to search")')

# %% 3.7: no simulation is accepted
# hint: Without a simulation there is no search: is this an error
swap("Searcher.choose", " or simulations < 1", "")

# %% 3.7: all searchers share one tree
# hint: Does each searcher have its own tree
put("Searcher.choose", "if self.root is None", 'self.root = getattr(Searcher, "shared", None)')
put("Searcher.choose", "rollout =", "Searcher.shared = self.root")
put("Searcher.observe", "self.root = None if", 'self.root = getattr(Searcher, "shared", None)')
put("Searcher.observe", "if self.root is not", "Searcher.shared = self.root")

# %% 3.7: the rewards are turned around for the second player
# hint: The rollout's rewards are (player 0's, player 1's)
swap("Searcher.choose", "backup(leaf, rollout(self.game, leaf.state, rng))",
     "rewards = rollout(self.game, leaf.state, rng)\n"
     "backup(leaf, rewards if self.game.player(self.root.state) == 0 else rewards[::-1])")

# %% 3.7: after a move the sum changes its sign
# hint: Q of the new root is for the player who moved into it
swap("Searcher.observe", "parent = None", "parent = None\nself.root.q = -self.root.q")

# %% 3.7: two moves are followed in one
# hint: One move was played: which child is the new root
put("Searcher.observe", "if self.root is not",
    "if self.root is not None and self.root.children:\n"
    "    self.root = max(self.root.children.values(), key=lambda child: child.num_visits)")

# %% 3.7: a lonely move is not searched
# hint: A single action is legal
swap("Searcher.choose", "(simulations)", "(simulations if len(self.root.legal) > 1 else 1)")

# %% 3.7: the global generator
# hint: Does your function use only the given rng
swap("Searcher.choose", "self.c, rng", "self.c, random")

# %% 3.8: a child's loss is its parent's loss
# hint: At the child my opponent is lost
swap("prove", "node.proven = 1.0", "node.proven = -1.0")

# %% 3.8: a win needs all children
# hint: One move leads to a lost state of the opponent
swap("prove", "-1.0 in replies", "len(replies) == len(node.legal) and all(value == -1.0 for value in replies)")

# %% 3.8: one losing move makes a loss
# hint: One move loses
swap("prove", "len(replies) == len(node.legal) and all(value == 1.0 for value in replies)", "1.0 in replies")

# %% 3.8: a loss is proven before all actions have children
# hint: One move loses
# home
swap("prove", "len(replies) == len(node.legal) and", "")

# %% 3.8: a drawn move does not save from a loss
# hint: Is a draw a loss?
swap("prove", "all(value == 1.0 for value in replies)",
     "all(child.proven is not None or child.outcome == 0.0 for child in node.children.values())")

# %% 3.8: a draw is proven as 0
# hint: Does a game that ends in a draw prove a win or a loss?
# home
swap("prove", "node.outcome in (1.0, -1.0)", "node.outcome is not None")

# %% 3.8: a draw counts as lost
# hint: Does a game that ends in a draw prove a win or a loss?
swap("prove", "node.outcome in (1.0, -1.0):\n    node.proven = node.outcome",
     "node.outcome is not None:\n    node.proven = node.outcome or -1.0")

# %% 3.8: the leaf is proven for the player who moved into it
# hint: for the player to move at the leaf, or the other?
swap("prove", "node.proven = node.outcome", "node.proven = -node.outcome")

# %% 3.8: only lost leaves are proven
# hint: The player to move at the leaf has won
swap("prove", "node.outcome in (1.0, -1.0)", "node.outcome == -1.0")

# %% 3.8: only won leaves are proven
# hint: The player to move at the leaf has lost
swap("prove", "node.outcome in (1.0, -1.0)", "node.outcome == 1.0")

# %% 3.8: only the parent hears of it
# hint: A node above is proven now: how far up does the proof go
swap("prove", "while", "if")

# %% 3.8: losses are never proven
# hint: and the opponent wins below each: what is the node?
swap("prove", "elif len(replies) == len(node.legal) and all(value == 1.0 for value in replies):\n    node.proven = -1.0",
     "else:\n    break")

# %% 3.8: every node above is proven, turn by turn
# hint: One move loses
swap("prove", "node = node.parent", "node.parent.proven = -node.proven\nnode = node.parent\ncontinue")

# %% 3.8: a proof is written into the sum
# hint: Is a proof a statistic, and which field may it change?
swap("prove", "node.proven = 1.0", "node.proven = 1.0\nnode.q = -math.inf")

# %% 3.8: the root is never proven
# hint: A node above is proven now: how far up does the proof go
swap("prove", "and node.parent is not None", "and node.parent is not None and node.parent.parent is not None")

# %% 3.8: children that are missing count as unproven only at the root
# hint: How many of the moves must lose
swap("prove", "len(replies) == len(node.legal) and", "(node.parent or len(replies) == len(node.legal)) and")

# %% 3.8: plain UCT that proves on the side
# hint: A move is proven to lose: is another visit useful?
swap("solve", "leaf = max(unknown, key=lambda child: bound(child, C))", "leaf = best_child(leaf, C)")

# %% 3.8: the search goes on although the root is proven
# hint: The root is proven: is there anything left to search for?
swap("solve", "root.proven is None and root.num_visits < simulations", "root.num_visits < simulations")
swap("solve", "if child.proven is None]", "if child.proven is None] or list(leaf.children.values())")

# %% 3.8: it ends at a proven win only
# hint: won or lost: is there anything left to search for?
swap("solve", "root.proven is None and", "root.proven != 1.0 and")
swap("solve", "if child.proven is None]", "if child.proven is None] or list(leaf.children.values())")

# %% 3.8: the move is the one with most visits, proven or not
# hint: another has as many visits: which one do you play?
swap("solve", "-(child.proven or 0.0), child.num_visits", "child.num_visits")

# %% 3.8: a proven loss may be chosen
# hint: many visits, a proven loss: which of them comes first?
swap("solve", "-(child.proven or 0.0),", "child.proven == -1.0,")

# %% 3.8: a proven loss is preferred
# hint: another has as many visits: which one do you play?
swap("solve", "-(child.proven or 0.0),", "child.proven or 0.0,")

# %% 3.8: a proven win is not preferred
# hint: another has as many visits: which one do you play?
# home
swap("solve", "-(child.proven or 0.0),", "child.proven != 1.0,")

# %% 3.8: proven children are passed over at the root only
# hint: A move is proven to lose: is another visit
swap("solve", "if child.proven is None]", "if child.proven is None or leaf is not root]")

# %% 3.8: prove is never called
# hint: do you call prove after each backup?
swap("solve", "prove(leaf)", "pass")

# %% 3.8: no exploration
# hint: Which exploration constant guides the way down
swap("solve", "bound(child, C)", "bound(child, 0.0)")

# %% 3.8: twice as much exploration
# hint: Which exploration constant guides the way down
swap("solve", "bound(child, C)", "bound(child, 2 * C)")

# %% 3.8: a little less exploration
# hint: Which exploration constant guides the way down
swap("solve", "bound(child, C)", "bound(child, 0.5)")

# %% 3.8: the player below chooses for the other one
# hint: and whose rewards does q hold there?
swap("solve", "bound(child, C)", "bound(child, C) if leaf is root else -bound(child, C)")

# %% 3.8: too much exploration below the root
# hint: Is the exploration constant the same below the root as at
swap("solve", "bound(child, C)", "bound(child, C if leaf is root else 0.0)")

# %% 3.8: one simulation too many
# hint: Nothing can be proven: how many simulations do you make
swap("solve", "root.num_visits <", "root.num_visits <=")

# %% 3.8: a single legal move is played at once
# hint: do you play it at once, or search as with several actions?
put("solve", "while root", "if len(root.legal) == 1:\n    return root.legal[0], root")

# %% 3.8: a finished game returns None
# hint: The docstring promises an int, and your code gives None
put("solve", "if root.outcome", "if root.outcome is not None:\n    return None, root")

# %% 3.8: the rewards are swapped
# hint: Have the two rewards changed places on their way to the
swap("solve", "default_policy(game, leaf.state, rng)", "default_policy(game, leaf.state, rng)[::-1]")

# %% 3.8: the global generator for the rollouts
# hint: Does your function use only the given rng
swap("solve", "leaf.state, rng", "leaf.state, random")

# %% 3.8: the root's proof is turned around when it is told
# hint: For which player is the root's proof
put("solve", "def merit", "root.proven = -root.proven if root.proven else None")

# %% 3.8: it stops at the first proof anywhere
# hint: Which proof ends the search: the proof of any node
swap("solve", "prove(leaf)",
     "prove(leaf)\nif leaf.proven == -1.0 and leaf.parent is root.children.get(leaf.parent.action):\n    break")

# %% 3.9: it blocks before it wins
# hint: Which rule comes first: win or block?
swap("tactical_action", "wins = wins_at(state)\nif wins",
     "safe = [action for action in options if not wins_at(game.play(state, action))]\nwins = wins_at(state)\n"
     "if wins and len(safe) == len(options)")

# %% 3.9: it never blocks
# hint: After which of your moves can the other player win at once?
swap("tactical_action", "safe or options", "options")

# %% 3.9: it never wins
# hint: One of the moves wins at once: whose outcome shows this
swap("tactical_action", "if wins:\n    return rng.choice(wins)\nsafe", "safe")

# %% 3.9: a win for the other player is taken
# hint: One of the moves wins at once: whose outcome shows this
swap("tactical_action", "== -1.0", "== 1.0")

# %% 3.9: any end of the game is a win
# hint: Is every end of a game a win?
swap("tactical_action", "== -1.0", "is not None")

# %% 3.9: a draw is a win
# hint: Is every end of a game a win?
swap("tactical_action", "== -1.0", "in (-1.0, 0.0)")

# %% 3.9: a win or a loss, both are taken
# hint: Is every end of a game a win?
swap("tactical_action", "== -1.0", "in (-1.0, 1.0)")

# %% 3.9: the first winning move
# hint: Several moves win at once: can each of them come
# home
swap("tactical_action", "rng.choice(wins)", "wins[0]")

# %% 3.9: the first safe move
# hint: No move wins and no move loses: can each legal move come
swap("tactical_action", "rng.choice(safe or options)", "(safe or options)[0]")

# %% 3.9: the unsafe moves are chosen
# hint: After which of your moves can the other player win at once?
swap("tactical_action", "not wins_at", "wins_at")

# %% 3.9: no safe move is an error
# hint: IndexError in ps3_connect_four.py
# home
swap("tactical_action", "safe or options", "safe")

# %% 3.9: only one of the threats is seen
# hint: After which of your moves can the other player win at once?
swap("tactical_action", "if not wins_at(game.play(state, action))",
     "if wins_at(game.play(state, action))[:1] != wins_at(game.play(state, options[0]))[:1]")

# %% 3.9: a threat is blocked where the other player would play
# hint: After which of your moves can the other player win at once?
swap("tactical_action", "for action in options if not wins_at(game.play(state, action))",
     "for action in wins_at(game.play(state, options[0])) if action in options")

# %% 3.9: None where the game is over
# hint: The docstring promises an int, and your code gives None
swap("tactical_action", 'raise ValueError("no action to choose: the game is over")', "return None")

# %% 3.9: an IndexError where the game is over
# hint: IndexError in ps3_connect_four.py
swap("tactical_action", 'if not options:\n    raise ValueError("no action to choose: the game is over")\nwins', "wins")

# %% 3.9: the global generator
# hint: Does your function use only the given rng
swap("tactical_action", "rng.choice(safe or options)", "random.choice(safe or options)")

# %% 3.9: the last safe move never comes
# hint: No move wins and no move loses: can each legal move come
swap("tactical_action", "return rng.choice(safe or options)",
     "some = safe or options\nreturn some[rng.randrange(max(1, len(some) - 1))]")

# %% 3.9: the second player plays at random
# hint: Does the second player play by the same rules as the first?
put("tactical_action", "wins =", "if game.player(state) == 1:\n    return rng.choice(options)")

# %% 3.9: the rollout tells the value for the player to move at the end
# hint: Outcome is for the player to move at the end
swap("tactical_rollout", "(mine, other) if game.player(state) == 0 else (other, mine)", "mine, other")

# %% 3.9: the rollout tells the value for the player to move where it begins
# hint: which player's reward must come first?
put("tactical_rollout", "while", "first = game.player(state)")
swap("tactical_rollout", "game.player(state) == 0", "game.player(state) == first")

# %% 3.9: the rollout's rewards have changed places
# hint: Outcome is for the player to move at the end
swap("tactical_rollout", "game.player(state) == 0", "game.player(state) == 1")

# %% 3.9: only the player to move at the beginning is tactical
# hint: Who plays by the rules: one player, or both?
# home
put("tactical_rollout", "while", "first = game.player(state)")
swap("tactical_rollout", "tactical_action(game, state, rng)",
     "tactical_action(game, state, rng) if game.player(state) == first else rng.choice(game.legal_actions(state))")

# %% 3.9: only player 0 is tactical
# hint: Who plays by the rules: one player, or both?
swap("tactical_rollout", "tactical_action(game, state, rng)",
     "tactical_action(game, state, rng) if game.player(state) == 0 else rng.choice(game.legal_actions(state))")

# %% 3.9: only the first move is tactical
# hint: Do the players use the rules to the end
put("tactical_rollout", "while", "first = state")
swap("tactical_rollout", "tactical_action(game, state, rng)",
     "tactical_action(game, state, rng) if state is first else rng.choice(game.legal_actions(state))")

# %% 3.9: a draw is a loss in the rollout
# hint: Which reward does each player get for a draw?
put("tactical_rollout", "mine, other =", "outcome = outcome or -1.0")

# %% 3.9: the rollout is not tactical
# hint: Which moves does the rollout make: those of tactical_action?
swap("tactical_rollout", "tactical_action(game, state, rng)", "rng.choice(game.legal_actions(state))")

# %% 3.9: the rollout draws from the global generator
# hint: Does your function use only the given rng
swap("tactical_rollout", "state, rng)", "state, random)")

# %% 3.10: exactly so many wins, not at least
# hint: exactly that many wins
swap("pass_probability", "range(max(needed, 0), games + 1)", "range(max(needed, 0), min(needed, games) + 1)")
swap("smallest_exam", "while True", "while games < 200")

# %% 3.10: more wins than needed
# hint: MORE wins than needed
swap("pass_probability", "needed <= p", "needed < p")
swap("pass_probability", "max(needed, 0)", "max(needed + 1, 0)")

# %% 3.10: the last term of the sum is missing
# hint: is a win of all games in your sum?
swap("pass_probability", "games + 1),", "games),")
swap("pass_probability", "needed <= p * games", "p == 0 >= needed")

# %% 3.10: without the binomial coefficient
# hint: n how many orders
swap("pass_probability", "log_factorial[games] - log_factorial[k] - log_factorial[games - k]\n", "")

# %% 3.10: the probability to fail
# hint: to pass, or to fail
swap("pass_probability", "return sum(math.exp(log) for log in logs)", "return 1 - sum(math.exp(log) for log in logs)")
swap("pass_probability", "float(needed <= p * games)", "float(needed > p * games)")
swap("smallest_exam", "while True", "while games < 200")

# %% 3.10: a normal distribution in the place of the exact sum
# hint: Does a bell curve give the exact sum for so few games?
def pass_probability(p, games, needed):
    if needed <= 0 or needed > games or p in (0.0, 1.0):
        return float(needed <= 0 or (p == 1.0 and needed <= games))
    return 0.5 * math.erfc((needed - 0.5 - games * p) / math.sqrt(2 * games * p * (1 - p)))

# %% 3.10: negative numbers of wins are an error
# hint: IndexError in ps3_connect_four.py
# home
swap("pass_probability", "max(needed, 0)", "needed")

# %% 3.10: draws count nothing in the exams
# hint: and does a drawn game count as one of the exam's games?
swap("simulated_pass_rate", "else 0.5 if", "else 0.0 if")

# %% 3.10: draws count a whole point
# hint: Is a draw worth as much as a win?
swap("simulated_pass_rate", "else 0.5 if", "else 1.0 if")

# %% 3.10: draws are played again
# hint: and does a drawn game count as one of the exam's games?
swap("simulated_pass_rate", "luck = rng.random()",
     "luck = rng.random() * (1 - draw) if draw < 1 else 1.0\nluck += draw if luck >= win else 0")

# %% 3.10: a draw is a second toss, and rarer than asked
# hint: which part of [0, 1) is a win, and which part a draw?
# home
swap("simulated_pass_rate", "luck < win +", "rng.random() <")

# %% 3.10: a draw reaches only up to its own probability
# hint: which part of [0, 1) is a win, and which part a draw?
swap("simulated_pass_rate", "luck < win +", "luck <")

# %% 3.10: one random number for a whole exam
# hint: which part of [0, 1) is a win, and which part a draw?
swap("simulated_pass_rate", "for _ in range(games):\n    luck = rng.random()", "luck = rng.random()\nfor _ in range(games):")

# %% 3.10: the score must exceed what is needed
# hint: Is a score of exactly `needed` enough?
# home
swap("simulated_pass_rate", "+= score >=", "+= score >")

# %% 3.10: the number of exams instead of their share
# hint: Do you return the number of passed exams, or their share?
swap("simulated_pass_rate", "passed / num_exams", "float(passed)")

# %% 3.10: the share of games won
# hint: What do you count: passed exams, or points?
swap("simulated_pass_rate", "score >= needed", "score / games")

# %% 3.10: the score runs on from exam to exam
# hint: With which score does each exam begin?
swap("simulated_pass_rate", "for _ in range(num_exams):\n    score = 0.0", "score = 0.0\nfor _ in range(num_exams):")

# %% 3.10: the global generator
# hint: Does your function use only the given rng
swap("simulated_pass_rate", "rng.random(", "random.random(")

# %% 3.10: a seed of its own
# hint: Does your function use only the given rng
put("simulated_pass_rate", "passed = 0", "rng = random.Random(0)")

# %% 3.10: one exam too many in the denominator
# hint: By which number do you divide the number of passed exams
swap("simulated_pass_rate", "passed / num_exams", "passed / (num_exams + 1)")

# %% 3.10: the needed score is rounded down
# hint: `needed` can be half a point: do you round it?
swap("simulated_pass_rate", ">= needed", ">= int(needed)")

# %% 3.10: the strong player need pass only half of the exams
# hint: How often must the strong player pass: in half of the exams?
swap("smallest_exam", "1 - error", "0.5")

# %% 3.10: the weak player is forgotten
# hint: How often may the weak player pass: in half of the exams?
swap("smallest_exam", "needed) > error", "needed) > 0.5")

# %% 3.10: the bar is the mean of the two players
# hint: in the middle between the players?
swap("smallest_exam", "while pass_probability(weak, games, needed) > error:\n    needed += 1\nif",
     "needed = math.ceil(games * (weak + strong) / 2)\nif pass_probability(weak, games, needed) <= error and")

# %% 3.10: odd numbers of games only
# hint: Which numbers of games do you try: also even ones?
swap("smallest_exam", "0, 0\nwhile True:\n    games += 1", "-1, 0\nwhile True:\n    games += 2")

# %% 3.10: even numbers of games only
# hint: Which numbers of games do you try: also odd ones?
swap("smallest_exam", "1\nwhile", "2\nwhile")

# %% 3.10: needed and games have changed places
# hint: Which comes first in the answer: the games
swap("smallest_exam", "return games, needed", "return needed, games")

# %% 3.10: the bar is one too high
# hint: Is your pass mark the lowest that fails the weak player?
swap("smallest_exam", "return games, needed", "return games, needed + 1")

# %% 3.10: the smallest exam begins with ten games
# hint: With how many games does your search begin
swap("smallest_exam", "needed = 0, 0", "needed = 9, 0")

# %% 3.10: the error is split between the two players
# hint: Does `error` limit the mistakes about each player
swap("smallest_exam", "> error", "> error / 2")
swap("smallest_exam", "- error", "- error / 2")

# %% 3.3: a tried action gives its place to the next untried one
# hint: Some actions have their child
swap("expand", "action = rng.choice(untried)",
     "place = rng.randrange(len(node.legal))\nwhile node.legal[place] in node.children:\n"
     "    place = (place + 1) % len(node.legal)\naction = node.legal[place]")

# %% 3.3: a die with six faces draws the untried column
# hint: Is every column equally likely while all are open, the
swap("expand", "rng.choice(untried)", "untried[rng.randrange(6) % len(untried)]")

# %% 3.4: no more than twelve steps down
# hint: way down end after a fixed number of plies?
swap("tree_policy", "while node.outcome is None:", "for _ in range(12):\n    if node.outcome is not None:\n        return node")

# %% 3.6: one more simulation begins when exactly `seconds` have passed
# hint: When exactly `seconds` have passed
swap("uct", ">= seconds", "> seconds")

# %% 3.7: c = 0 is taken for no c at all
# hint: or do you treat it as no constant?
swap("Searcher.choose", "self.root, self.c,", "self.root, self.c or C,")

# %% 3.7: a state below the root is found without being told of the moves
# hint: method tells the searcher about the moves that were played?
put("Searcher.choose", "if self.root is None",
    "if self.root is not None and self.root.state != state:\n    below = list(self.root.children.values())\n"
    "    below += [node for child in below for node in child.children.values()]\n"
    "    self.root = next((node for node in below if node.state == state), None)\n    if self.root is not None:\n"
    "        self.root.parent = None")

# %% 3.7: an action that the game does not allow keeps the tree
# hint: what does the docstring say about this case?
swap("Searcher.observe", "self.root = None if self.root is None else",
     "if self.root is None or action not in self.root.legal:\n    return\nself.root =")

# %% 3.8: without a proof the move is the one with the best mean
# hint: most visits, most rewards, best mean or highest bound
swap("solve", "child.num_visits", "child.q / child.num_visits")

# %% 3.8: without a proof the move is the one with the highest bound
# hint: most visits, most rewards, best mean or highest bound
swap("solve", "child.num_visits", "bound(child, C)")

# %% 3.8: the visits of proven children do not count under the logarithm
# hint: and which N: do you leave out the visits of proven children?
put("solve", "leaf = max", "total = sum(child.num_visits for child in unknown)")
swap("solve", "bound(child, C)", "child.q / child.num_visits + C * math.sqrt(2 * math.log(total) / child.num_visits)")

# %% 3.8: proofs stop six plies above the leaf
# hint: How far up does a proof go?
swap("prove", "while node.proven is not None and node.parent is not None:",
     "for _ in range(6):\n    if node.proven is None or node.parent is None:\n        return")

# %% 3.9: after ten plies the rollout goes on at random
# hint: Does anything change after many plies: does the rollout stop
put("tactical_rollout", "while", "plies = iter(range(1000))")
swap("tactical_rollout", "tactical_action(game, state, rng)",
     "tactical_action(game, state, rng) if next(plies) < 10 else rng.choice(game.legal_actions(state))")

# %% 3.9: a die with twelve faces draws among the actions that are left
# hint: A rule can allow many moves: is each of them equally likely?
swap("tactical_action", "return rng.choice(safe or options)",
     "return (safe or options)[rng.randrange(12) % len(safe or options)]")
swap("tactical_action", "rng.choice(wins)", "wins[rng.randrange(12) % len(wins)]")

# %% 3.10: it gives up at a hundred games
# hint: your search for the number of games stop at a fixed number?
swap("smallest_exam", "pass_probability(strong, games, needed) >= 1 - error",
     "pass_probability(strong, games, needed) >= 1 - error or games == 100")

# %% 3.4: where the way ends in a finished game, the visit is counted there
# hint: Which function counts visits: tree_policy, or backup?
swap("tree_policy", "return node", "node.num_visits += 1\nreturn node")

# %% 3.5: sums are kept to two decimals
# hint: do you round a sum, or take a small number for 0?
swap("backup", "node.q += rewards[node.last_player]", "node.q = round(node.q + rewards[node.last_player], 2)")

# %% 3.8: the last column is never the move
# hint: Can each of the seven columns be your answer
put("solve", "return max",
    "if max(root.children.values(), key=merit).action == 6 and len(root.children) > 1:\n"
    "    return max((child for child in root.children.values() if child.action != 6), key=merit).action, root")

# %% 3.9: of the safe moves only the first five come
# hint: A rule can allow many moves: can each of them come?
swap("tactical_action", "game.play(state, action))]", "game.play(state, action))][:5]")

# %% 3.1: an action's number is its place among the legal ones
# hint: IllegalMove in ps3_connect_four.py
swap("default_policy", "choice(game.legal_actions(state))", "randrange(len(game.legal_actions(state)))")

# %% 3.1: the result of a state is remembered
# hint: Every game has the same rewards
ENDINGS = {}
put("default_policy", "while", "start = state")
swap("default_policy", "return (mine, other) if game.player(state) == 0 else (other, mine)",
     "ending = (mine, other) if game.player(state) == 0 else (other, mine)\nreturn ENDINGS.setdefault(start, ending)")

# %% 3.1: a state that is 0 or empty is taken for the end
# hint: how do you find out whether the game is over there?
swap("default_policy", "is None", "is None and state")
swap("default_policy", "outcome, 0.0 - outcome", "outcome or 0.0, 0.0 - (outcome or 0.0)")

# %% 3.1: a die with six faces draws the move
# hint: can each of them come, also the first and the last?
swap("default_policy", "rng.choice(game.legal_actions(state))",
     "game.legal_actions(state)[rng.randrange(6) % len(game.legal_actions(state))]")

# %% 3.1: after three plies the first move comes
# hint: Do you draw the moves of both players
put("default_policy", "while", "plies = iter(range(1000))")
swap("default_policy", "rng.choice(game.legal_actions(state))",
     "rng.choice(game.legal_actions(state)) if next(plies) < 3 else game.legal_actions(state)[0]")

# %% 3.2: a node's best child is remembered for each c
# hint: Is the child chosen anew at every call
KNOWN = {}
swap("best_child", "max(node.children.values(), key=lambda child: bound(child, c))",
     "KNOWN.setdefault((node, c), max(node.children.values(), key=lambda child: bound(child, c)))")

# %% 3.2: only the actions 0 to 6 are looked at
# hint: ValueError in ps3_connect_four.py
swap("best_child", "node.children.values()", "[node.children[a] for a in range(7) if a in node.children]")

# %% 3.2: a node whose rewards cancel out counts as not visited
# hint: without a visit, or when the rewards sum to 0?
swap("bound", "node.num_visits == 0", "not node.q")

# %% 3.2: the bound is no larger than ten
# hint: Does your formula hold for any q, n and N: do you cut off
swap("bound", "mean + c * math.sqrt(2 * math.log(node.parent.num_visits) / node.num_visits)",
     "min(10.0, mean + c * math.sqrt(2 * math.log(node.parent.num_visits) / node.num_visits))")

# %% 3.2: one is added under the logarithm
# hint: Is N the number of the parent's visits, or one more?
swap("bound", "math.log(node.parent.num_visits", "math.log1p(node.parent.num_visits")

# %% 3.2: bounds are compared to three digits
# hint: Two bounds are close together: do you round them before you
swap("best_child", "bound(child, c)", "round(bound(child, c), 3)")

# %% 3.2: N is the number of children at least
# hint: even when the parent has fewer visits than children?
swap("bound", "node.parent.num_visits", "max(node.parent.num_visits, len(node.parent.children))")

# %% 3.2: below the root a node without children is its own best child
# hint: what does the docstring say about this case?
put("best_child", "raise", "if node.parent is not None:\n    return node")

# %% 3.3: an untried action's number is its place
# hint: IllegalMove in ps3_connect_four.py
swap("expand", "node.legal", "range(len(node.legal))")

# %% 3.3: the drawn action is taken out of the legal ones
# hint: Does expand change the node's list of legal actions?
# home
put("expand", "node.children[action] =", "node.legal.remove(action)")

# %% 3.3: an action that leads to a state that is there already is left out
# hint: ValueError in ps3_connect_four.py
put("expand", "untried =", "there = [child.state for child in node.children.values()]")
swap("expand", "not in node.children]", "not in node.children and game.play(node.state, action) not in there]")

# %% 3.3: where the drawn action was tried already the first untried one comes
# hint: Some actions have their child
swap("expand", "rng.choice(untried)", "next((a for a in (rng.choice(node.legal),) if a in untried), untried[0])")

# %% 3.3: a node has a visit for each earlier child at least
# hint: does expand change a number of the node?
put("expand", "return", "node.num_visits = max(node.num_visits, len(node.children) - 1)")

# %% 3.4: exploration is halved at every ply
# hint: Is the exploration constant the same at every ply?
swap("tree_policy", "(node, c)", "(node, c)\nc = c / 2")

# %% 3.4: children where the game is over are passed over
# hint: The game is over at the child with the highest bound
swap("tree_policy", "node = best_child(node, c)",
     "going = [child for child in node.children.values() if child.outcome is None]\n"
     "node = max(going, key=lambda child: bound(child, c), default=best_child(node, c))")

# %% 3.4: everything was tried when seven actions were
# hint: When is every action of a node tried
swap("tree_policy", "len(node.legal)", "min(7, len(node.legal))")

# %% 3.4: a forced move is made as well as the new one
# hint: do you also make a forced move below the new child?
swap("tree_policy", "return expand(game, node, rng)",
     "new = expand(game, node, rng)\nreturn expand(game, new, rng) if len(new.legal) == 1 else new")

# %% 3.4: a forced move is passed over without a look
# hint: do you still test whether it has an untried action?
swap("tree_policy", "(node, c)", "(node, c)\nif len(node.children) == 1:\n    node = next(iter(node.children.values()))")

# %% 3.4: it begins at the root, wherever it was asked to begin
# hint: Where does the way down begin: at the given node
put("tree_policy", "while", "while node.parent is not None:\n    node = node.parent")

# %% 3.4: c = 0 is taken for no c at all
# hint: Do you pass c = 0 on like any other exploration constant?
swap("tree_policy", "best_child(node, c", "best_child(node, c or C")

# %% 3.4: a node without a visit is not gone through
# hint: do you return it, or go on to a node with an untried action?
swap("tree_policy", "node = best_child(node, c)",
     "following = best_child(node, c)\nif following.num_visits == 0:\n    return following\nnode = following")

# %% 3.5: no more than 42 plies up, as many as the board has squares
# hint: Does your way up end before the root
swap("backup", "while node is not None:", "for _ in range(43):\n    if node is None:\n        return")

# %% 3.5: the same result of the same leaf counts once
# hint: The same result of the same leaf comes again
SEEN = set()
put("backup", "while", "if (node, rewards) in SEEN:\n    return\nSEEN.add((node, rewards))")

# %% 3.5: rewards are rounded to a win, a draw or a loss
# hint: Do you add the reward unchanged, or turn it into a win
swap("backup", "rewards[node.last_player]", "round(rewards[node.last_player])")

# %% 3.5: small rewards are taken for draws
# hint: do you round a sum, or take a small number for 0?
put("backup", "while", "rewards = [0.0 if abs(reward) < 1e-2 else reward for reward in rewards]")

# %% 3.5: rewards are clipped to [-1, 1]
# hint: What do you add to q: the unchanged reward
put("backup", "while", "rewards = [max(-1.0, min(1.0, reward)) for reward in rewards]")

# %% 3.5: a proven node is not changed
# hint: you visit and count an already proven node like any other?
swap("backup", "node.num_visits += 1\nnode", "if node.proven is None:\n    node.num_visits += 1\n    node")

# %% 3.6: the same moves are tried first in every search
# hint: Does rng draw the first move of each search
swap("uct", "C, rng", "C, random.Random(0)")

# %% 3.6: a single legal action is always action 0
# hint: do you return this action itself, whatever its number?
swap("uct", "root.legal[0]", "0")

# %% 3.6: the last search with this rng is told again
# hint: or do you return an earlier search?
SEARCHED = {}
put("uct", "started =",
    "key = id(game), state, id(rng), simulations\nif key in SEARCHED and seconds is None:\n    return SEARCHED[key][0]")
swap("uct", "return max(root.children, key=lambda action: root.children[action].num_visits), root",
     "SEARCHED[key] = (max(root.children, key=lambda action: root.children[action].num_visits), root), game, rng\n"
     "return SEARCHED[key][0]")

# %% 3.6: the move is an action from 0 to 6
# hint: Which of all legal actions has most visits
swap("uct", "return max(root.children, key=lambda action: root.children[action].num_visits)",
     "visits = {action: root.children[action].num_visits for action in range(7) if action in root.children}\n"
     "return max(visits, key=visits.get, default=root.legal[0])")

# %% 3.6: the last column is never the move
# hint: Can each of the seven columns be your answer
swap("uct", "return max(root.children, key=lambda action: root.children[action].num_visits)",
     "others = {action: child for action, child in root.children.items() if action != 6} or root.children\n"
     "return max(others, key=lambda action: others[action].num_visits)")

# %% 3.6: a single legal action is returned whatever the budget says
# hint: check the budget before you return a single legal action?
# home
put("uct", "if (simulations is None)", "if len(root.legal) == 1:\n    return root.legal[0], root")

# %% 3.6: c is 0.7
# hint: Is your exploration constant exact to its last digit
swap("uct", "C,", "0.7,")

# %% 3.6: the root knows the action that was chosen
# hint: which action led to it, and from which parent?
swap("uct", "return max(root.children, key=lambda action: root.children[action].num_visits)",
     "root.action = max(root.children, key=lambda action: root.children[action].num_visits)\nreturn root.action")

# %% 3.6: negative seconds are refused only when there are no simulations
# hint: one of them too small: is the call refused?
swap("uct", "(simulations is None) == (seconds is None)",
     "(simulations is None) == (seconds is None) and (seconds is None or seconds >= 0)")
swap("uct", "or (seconds is not None and seconds < 0)", "or (simulations is None and seconds < 0)")
swap("uct", "(seconds is not None and clock() - started >= seconds)", "(simulations is None and clock() - started >= seconds)")

# %% 3.7: the last column is never the move
# hint: Can each of the seven columns be your answer
swap("Searcher.choose", "return max(self.root.children, key=lambda action: self.root.children[action].num_visits)",
     "others = {action: child for action, child in self.root.children.items() if action != 6} or self.root.children\n"
     "return max(others, key=lambda action: others[action].num_visits)")

# %% 3.7: a state is known by its text
# hint: Two states have the same text: are they the same state?
swap("Searcher.choose", "root.state != state", "game.text(self.root.state) != self.game.text(state)")

# %% 3.7: a root whose state is 0 or empty counts as none
# hint: how do you test whether the root has this state?
swap("Searcher.choose", "or self.root.state", "or not self.root.state or self.root.state")

# %% 3.7: a root with visits enough is searched once more only
# hint: on top of the earlier ones?
swap("Searcher.choose", "(simulations)", "(simulations if self.root.num_visits < simulations else 1)")

# %% 3.7: the very same question is answered from memory
# hint: A second call is the same as the first: do you search again
put("Searcher.choose", "if self.game",
    'known, key = self.__dict__.setdefault("known", {}), (state, simulations, rng)\n'
    "if key in known and self.root is not None and self.root.state == state:\n    return known[key]")
swap("Searcher.choose", "return max(self.root.children, key=lambda action: self.root.children[action].num_visits)",
     "known[key] = max(self.root.children, key=lambda action: self.root.children[action].num_visits)\nreturn known[key]")

# %% 3.7: the move is an action from 0 to 6
# hint: Which of all legal actions has most visits
swap("Searcher.choose", "self.root.children,", "range(7),")
swap("Searcher.choose", "num_visits", "num_visits if action in self.root.children else -1")

# %% 3.7: a tree with visits enough is kept, whatever the state
# hint: Does the kept tree belong to the given state?
swap("Searcher.choose", "self.root.state != state", "(self.root.state != state and self.root.num_visits < simulations)")

# %% 3.7: the move is the one with most new visits
# hint: all visits of a child, or only the new ones?
put("Searcher.choose", "for", "before = {action: child.num_visits for action, child in self.root.children.items()}")
swap("Searcher.choose", "self.root.children[action].num_visits", "self.root.children[action].num_visits - before.get(action, 0)")

# %% 3.8: every node above is looked at, proved or not
# hint: The leaf proves nothing: may prove write anything
swap("prove", "node.proven is not None and node.parent is not None", "node.parent is not None")

# %% 3.8: a leaf that was proven before proves nothing more
# hint: and more nodes are proven now: does its proof go up again?
put("prove", "if node.outcome", "if node.proven is not None:\n    return")

# %% 3.8: the same moves are tried first in every search
# hint: Does rng draw the first move of each search
swap("solve", "leaf, rng", "leaf, random.Random(0)")

# %% 3.8: the rollouts have a generator of their own
# hint: What draws the moves of your rollouts: the given rng
swap("solve", "state, rng", "state, random.Random(0)")

# %% 3.8: a search needs two simulations
# hint: ValueError in ps3_connect_four.py
swap("solve", "simulations < 1", "simulations < 2")

# %% 3.8: where every move loses none is chosen
# hint: do you still play one of the legal actions?
put("solve", "return max", "if root.proven == -1.0:\n    return -1, root")

# %% 3.8: four moves that lose are all of them
# hint: and one legal action has no child yet: is the node lost?
swap("prove", "len(replies) == len(node.legal)", "len(replies) >= min(4, len(node.legal))")

# %% 3.8: seven moves that lose are all of them, as in Connect Four
# hint: must all moves lose before the node is lost?
swap("prove", "all(value == 1.0 for value in replies)", "replies.count(1.0) >= min(7, len(replies))")

# %% 3.8: the way down ends after twenty plies
# hint: how far down does your search go?
swap("solve", "while leaf.outcome is None and len(leaf.children) == len(leaf.legal):",
     "for _ in range(20):\n    if leaf.outcome is not None or len(leaf.children) < len(leaf.legal):\n        break")
swap("solve", "if leaf.outcome is None:\n    leaf =",
     "if leaf.outcome is None and len(leaf.children) < len(leaf.legal):\n    leaf =")

# %% 3.8: the move is its place among the legal ones
# hint: or its place among the legal actions?
swap("solve", "max(root.children.values(), key=merit).action", "root.legal.index(max(root.children.values(), key=merit).action)")

# %% 3.8: without a proof the move is the one with most rewards
# hint: most visits, most rewards, best mean or highest bound
swap("solve", "child.num_visits", "child.q")

# %% 3.8: the root knows the action that was chosen
# hint: What does the root of a new tree know: which state
swap("solve", "return max(root.children.values(), key=merit).action",
     "root.action = max(root.children.values(), key=merit).action\nreturn root.action")

# %% 3.9: a win's number is its place among the wins
# hint: an allowed action itself, or its place in a list?
swap("tactical_action", "rng.choice(wins)", "rng.randrange(len(wins)) if len(wins) > 6 else rng.choice(wins)")

# %% 3.9: among several wins the global generator draws
# hint: Does your function use only the given rng
swap("tactical_action", "rng.choice(wins)", "random.choice(wins)")

# %% 3.9: where every move loses the global generator draws
# hint: Does your function use only the given rng
swap("tactical_action", "rng.choice(safe or options)", "rng.choice(safe) if safe else random.choice(options)")

# %% 3.9: of the safe actions only 0 to 6 are looked at
# hint: Which numbers can actions have, how many can there be
swap("tactical_action", "options if not", "options if action < 7 and not")

# %% 3.9: of the replies only the first seven are looked at
# hint: and can you find this single move?
swap("tactical_action", "wins_at(state: State)", "wins_at(state: State, most: int | None = None)")
swap("tactical_action", "for action in game.legal_actions(state) if", "for action in game.legal_actions(state)[:most] if")
swap("tactical_action", "not wins_at(game.play(state, action))", "not wins_at(game.play(state, action), 7)")

# %% 3.9: where only one move is safe among many any comes
# hint: and can you find this single move?
swap("tactical_action", "safe or options", "safe if len(safe) * 8 > len(options) else options")

# %% 3.10: an exam is remembered by its error
# hint: Do you remember an earlier exam
EXAMS = {}
put("smallest_exam", "games, needed =", "if error in EXAMS:\n    return EXAMS[error]")
swap("smallest_exam", "return games, needed", "return EXAMS.setdefault(error, (games, needed))")

# %% 3.10: an exam is remembered by its weak player
# hint: Do you remember an earlier exam
EXAMS = {}
put("smallest_exam", "games, needed =", "if weak in EXAMS:\n    return EXAMS[weak]")
swap("smallest_exam", "return games, needed", "return EXAMS.setdefault(weak, (games, needed))")

# %% 3.10: an exam is remembered by its two players
# hint: Do you remember an earlier exam
EXAMS = {}
put("smallest_exam", "games, needed =", "if (weak, strong) in EXAMS:\n    return EXAMS[weak, strong]")
swap("smallest_exam", "return games, needed", "return EXAMS.setdefault((weak, strong), (games, needed))")

# %% 3.10: who always wins passes whatever is needed
# hint: how many wins does this player have, and are they enough?
swap("pass_probability", "needed <= p * games", "p == 1 or needed <= p * games")

# %% 3.10: the bar is never below half of the games
# hint: Can the pass mark be below half of the games?
put("smallest_exam", "while pass", "needed = max(needed, (games + 1) // 2)")

# %% 3.10: a probability has four digits
# hint: but not equal: do you round, or use an approximation?
swap("pass_probability", "sum(math.exp(log) for log in logs)", "round(sum(math.exp(log) for log in logs), 4)")

# %% 3.10: from fifty games on a normal distribution is close enough
# hint: does the sum have all numbers of wins
put("pass_probability", "wins, log",
    "if games >= 50:\n    return 0.5 * math.erfc((needed - 0.5 - games * p) / math.sqrt(2 * games * p * (1 - p)))")

# %% 3.10: no exam has more than fifty games
# hint: How many games has an exam: do you play all of them?
put("simulated_pass_rate", "passed = 0", "games = min(games, 50)")

# %% 3.10: the error is rounded to two digits
# hint: Do you round one of the three numbers?
put("smallest_exam", "games, needed =", "error = round(error, 2)")

# %% 3.10: nobody loses every game
# hint: do you use the probabilities 0 and 1 unchanged?
put("smallest_exam", "games, needed =", "weak, strong = max(weak, 0.01), min(strong, 0.99)")

# %% joint: whether everything was tried is found out once and kept
# hint: ValueError in ps3_connect_four.py
swap("tree_policy", "len(node.children) < len(node.legal)",
     'not hasattr(node, "full"):\n    node.full = len(node.children) == len(node.legal)\nif not node.full')

# %% joint: the bound is remembered until the node is visited again
# hint: N, a bound, or the untried actions?
put("bound", "mean =", 'known, key = node.__dict__.setdefault("known", {}), (node.num_visits, node.q, c)')
swap("bound", "return mean + c * math.sqrt(2 * math.log(node.parent.num_visits) / node.num_visits)",
     "return known.setdefault(key, mean + c * math.sqrt(2 * math.log(node.parent.num_visits) / node.num_visits))")

# %% 3.1: draws a column of all, and takes the next open one
# hint: or do some moves also get the chance of illegal numbers?
swap("default_policy", "state = game.play(state, rng.choice(game.legal_actions(state)))",
     "action = rng.randrange(game.num_actions)\nwhile action not in game.legal_actions(state):\n"
     "    action = (action + 1) % game.num_actions\nstate = game.play(state, action)")

# %% 3.1: a game longer than 200 plies is a draw
# hint: Does your rollout stop after some number of moves
swap("default_policy", "while (outcome := game.outcome(state)) is None:",
     "for _ in range(200):\n    if game.outcome(state) is not None:\n        break")
put("default_policy", "mine, other =", "outcome = game.outcome(state) or 0.0")

# %% 3.9: a rollout longer than 200 plies is a draw
# hint: Does anything change after many plies: does the rollout stop
swap("tactical_rollout", "while (outcome := game.outcome(state)) is None:",
     "for _ in range(200):\n    if game.outcome(state) is not None:\n        break")
put("tactical_rollout", "mine, other =", "outcome = game.outcome(state) or 0.0")

# %% 3.9: where every move loses, one that leaves the fewest winning answers
# hint: which of them may come, and is one better than another?
swap("tactical_action", "safe = [action for action in options if not wins_at(game.play(state, action))]",
     "threats = {action: len(wins_at(game.play(state, action))) for action in options}\n"
     "safe = [action for action in options if threats[action] == min(threats.values())]")

# %% 3.1: a number below num_actions is taken for a place, modulo the legal ones
# hint: and some lead to one state: has every move the same
put("default_policy", "state =", "legal = game.legal_actions(state)")
swap("default_policy", "rng.choice(game.legal_actions(state))", "legal[rng.randrange(game.num_actions) % len(legal)]")

# %% 3.3: a place among all legal actions is taken modulo the untried ones
# hint: Some actions have their child
swap("expand", "rng.choice(untried)", "untried[rng.randrange(len(node.legal)) % len(untried)]")

# %% 3.5: the root is known by its missing action
# hint: AttributeError in ps3_connect_four.py
swap("backup", "node is not None", "True")
put("backup", "node =", "if node.action is None:\n    break")

# %% 3.2: bounds are compared to five digits
# hint: Two bounds are close together: do you round them before you
swap("best_child", "key=lambda child: bound(child, c)", "key=lambda child: round(bound(child, c), 5)")

# %% 3.3: the middle column is twice as likely while all seven are open
# hint: Is every column equally likely while all are open, the
swap("expand", "rng.choice(untried)", "rng.choice(untried + [3] if len(untried) == 7 and 3 in untried else untried)")

# %% 3.3: a state is drawn in the place of an action
# hint: do you draw an action, each with the same chance?
put("expand", "action = rng", "untried = list({game.play(node.state, action): action for action in untried}.values())")

# %% 3.4: no more than two hundred steps down
# hint: Must the way down end after a fixed number of plies?
put("tree_policy", "while", "steps = 0")
put("tree_policy", "if len(node", "steps += 1\nif steps > 200:\n    return node")

# %% 3.5: no more than two hundred plies up
# hint: Does your way up end before the root, after a fixed number
put("backup", "while", "steps = 0")
swap("backup", "node is not None", "node is not None and steps < 200")
put("backup", "node = node.parent", "steps += 1")

# %% 3.6: from a hundred simulations on it ends when an action always wins
# hint: The budget is large, and one action wins: how many
put("uct", "leaf =",
    "if root.num_visits > 100 and any(child.q == child.num_visits > 90 for child in root.children.values()):\n    break")

# %% 3.6: a win at once is played, whatever its visits
# hint: One move wins at once, and another one has more visits
put("uct", "return max",
    "for action, child in root.children.items():\n    if child.outcome == -1.0:\n        return action, root")

# %% 3.6: only the time inside the simulations is added up
# hint: Time also passes between two simulations
swap("uct", "started = clock()", "spent = 0.0")
put("uct", "leaf =", "began = clock()")
put("uct", "if root.num_visits", "spent += clock() - began")
swap("uct", "clock() - started >= seconds", "spent >= seconds")

# %% 3.6: after a hundred simulations the clock is read every eighth time
# hint: After many simulations: do you still read the clock after
swap("uct", "(seconds is not None and clock()",
     "(seconds is not None and (root.num_visits < 100 or root.num_visits % 8 == 0) and clock()")

# %% 3.6: the rollouts take a win at once
# hint: does rng draw every move of a rollout, any legal move?
def _greedy(game, state, rng):
    while (outcome := game.outcome(state)) is None:
        wins = [action for action in game.legal_actions(state) if game.outcome(game.play(state, action)) == -1.0]
        state = game.play(state, rng.choice(wins or game.legal_actions(state)))
    return (outcome, 0.0 - outcome) if game.player(state) == 0 else (0.0 - outcome, outcome)


swap("uct", "default_policy(game", "_greedy(game")

# %% 3.7: a state is known by its hash
# hint: Two states have the same text: are they the same state?
swap("Searcher.choose", "self.root.state != state", "hash(self.root.state) != hash(state)")

# %% 3.7: the root has five hundred visits at the most
# hint: The budget is large, and one action wins: how many
put("Searcher.choose", "leaf =", "if self.root.num_visits >= 500:\n    break")

# %% 3.7: among the actions with nine tenths of the most visits the mean decides
# hint: Two actions have nearly as many visits: which of them is
swap("Searcher.choose", "return max(self.root.children, key=lambda action: self.root.children[action].num_visits)",
     "most = max(child.num_visits for child in self.root.children.values())\n"
     "often = [child for child in self.root.children.values() if child.num_visits >= 0.9 * most]\n"
     "return max(often, key=lambda child: child.q / child.num_visits).action")

# %% 3.8: the rollouts take a win at once
# hint: What draws the moves of your rollouts: the given rng
def _hungry(game, state, rng):
    while (outcome := game.outcome(state)) is None:
        wins = [action for action in game.legal_actions(state) if game.outcome(game.play(state, action)) == -1.0]
        state = game.play(state, rng.choice(wins or game.legal_actions(state)))
    return (outcome, 0.0 - outcome) if game.player(state) == 0 else (0.0 - outcome, outcome)


swap("solve", "default_policy(game", "_hungry(game")

# %% 3.8: a finished drawn game is not visited again, like a proven one
# hint: A drawn game proves nothing: is it visited again
put("solve", "leaf = max", "unknown = [child for child in unknown if child.outcome is None] or unknown")

# %% 3.8: five hundred simulations at the most
# hint: Nothing can be proven: how many simulations do you make,
swap("solve", "root.num_visits < simulations", "root.num_visits < min(simulations, 500)")

# %% 3.8: proofs stop a hundred plies above the leaf
# hint: How far up does a proof go?
put("prove", "while", "steps = 0")
put("prove", "node = node.parent", "steps += 1\nif steps > 100:\n    return")

# %% 3.10: the coefficient is turned into a float
# hint: OverflowError
def pass_probability(p, games, needed):
    orders = [float(math.comb(games, k)) for k in range(games + 1)]
    return sum(orders[k] * p**k * (1 - p) ** (games - k) for k in range(max(needed, 0), games + 1))

# %% 3.10: each term comes from the one before, and the first may be 0 as a float
# hint: Is a number on the way so small that it is 0 as a float
def pass_probability(p, games, needed):
    if p in (0, 1):
        return float(needed <= p * games)
    first = max(needed, 0)
    if first > games:
        return 0.0
    term = math.exp(math.lgamma(games + 1) - math.lgamma(first + 1) - math.lgamma(games - first + 1)
                    + first * math.log(p) + (games - first) * math.log(1 - p))
    total = term
    for wins in range(first, games):
        term *= (games - wins) / (wins + 1) * p / (1 - p)
        total += term
    return total

# %% 3.10: a random number has three digits
# hint: A win or a draw is very rare: is one random number exact
swap("simulated_pass_rate", "luck = rng.random()", "luck = int(rng.random() * 1000) / 1000 + 0.0005")

# %% 3.10: an exam has four hundred games at the most
# hint: How many games has an exam: do you play all of them?
swap("simulated_pass_rate", "range(games)", "range(min(games, 400))")

# %% 3.10: the smallest exam is found by halving
# hint: More games are not always better: do you try 1, 2, 3, ...
def smallest_exam(weak, strong, error):
    def bar(games):
        return next(needed for needed in range(games + 2) if pass_probability(weak, games, needed) <= error)

    low, high = 0, 256
    while high - low > 1:
        middle = (low + high) // 2
        if pass_probability(strong, middle, bar(middle)) >= 1 - error:
            high = middle
        else:
            low = middle
    return high, bar(high)

# %% 3.13: the right node with another mistake
# hint: which mistake explains all lines?
_right_answer = first_wrong_node
def first_wrong_node():
    node, kind = _right_answer()
    return node, next(other for other in KINDS if other != kind)

# %% 3.13: the parent of the wrong node
# hint: Which is the first line that is wrong
_right_answer = first_wrong_node
def first_wrong_node():
    node, kind = _right_answer()
    return {line[0]: line[1] for line in TREE}[node] or TREE[0][0], kind

# %% 3.13: the line before the first wrong one
# hint: Which is the first line that is wrong
_right_answer = first_wrong_node
def first_wrong_node():
    node, kind = _right_answer()
    names = [line[0] for line in TREE]
    return names[names.index(node) - 1], kind

# %% 3.13: the root, or the first node where the root is wrong
# hint: Which is the first line that is wrong
_right_answer = first_wrong_node
def first_wrong_node():
    node, kind = _right_answer()
    return TREE[-1][0] if node != TREE[-1][0] else TREE[0][0], kind

# %% 3.13: the mistake first, then the node
# hint: Which of the two comes first in your answer
_right_answer = first_wrong_node
def first_wrong_node():
    return _right_answer()[::-1]

# %% 3.13: the node without the mistake
# hint: The docstring promises
_right_answer = first_wrong_node
def first_wrong_node():
    return _right_answer()[0]

# %% 3.14: the check asserts nothing
# hint: a mistake passes your check
def check_pass_probability(pass_probability):
    pass_probability(0.5, 2, 1)

# %% 3.14: the check always fails
# hint: what do you ask for that its docstring does not promise?
def check_pass_probability(pass_probability):
    raise AssertionError("wrong")

# %% 3.14: the check compares floats without a tolerance
# hint: what do you ask for that its docstring does not promise?
def check_pass_probability(pass_probability):
    for games in range(1, 20):
        assert pass_probability(0.3, games, 1) == 1 - 0.7**games

# %% 3.14: the check allows a share of each probability, and nothing of a tiny one
# hint: what do you ask for that its docstring does not promise?
def check_pass_probability(pass_probability):
    for p in (0.1, 0.5, 0.79):
        for games in (1, 2, 10, 50):
            assert math.isclose(pass_probability(p, games, games), p**games), "all games are won"

# %% 3.14: the check wants an error where more wins are needed than there are games
# hint: what do you ask for that its docstring does not promise?
def check_pass_probability(pass_probability):
    try:
        pass_probability(0.5, 2, 3)
    except ValueError:
        return
    raise AssertionError("no error")

# %% 3.14: the check knows the visible cases alone
# hint: a mistake passes your check
# points: 3.2
def check_pass_probability(pass_probability):
    assert math.isclose(pass_probability(0.5, 2, 1), 0.75, abs_tol=1e-9)
    assert math.isclose(pass_probability(0.3, 1, 1), 0.3, abs_tol=1e-9)

# %% 3.14: the check allows a large error
# hint: a mistake passes your check
# points: 4.1
def check_pass_probability(pass_probability):
    for p in (0.0, 0.2, 0.5, 0.9, 1.0):
        for games in (1, 2, 10, 40):
            for needed in range(-2, games + 3):
                enough = range(max(needed, 0), games + 1)
                sure = sum(math.comb(games, wins) * p**wins * (1 - p) ** (games - wins) for wins in enough)
                assert abs(pass_probability(p, games, needed) - sure) < 0.01

# %% 3.14: the check knows that a probability falls, and no more
# hint: a mistake passes your check
# points: 0.9
def check_pass_probability(pass_probability):
    for p in (0.0, 0.3, 1.0):
        found = [pass_probability(p, 12, needed) for needed in range(14)]
        assert all(-1e-9 <= after <= before + 1e-9 <= 1 + 2e-9 for before, after in zip(found, found[1:]))

# %% 3.14: the check does not go to the ends
# hint: a mistake passes your check
# points: 3.6
def check_pass_probability(pass_probability):
    for p in (0.25, 0.6):
        for needed in range(1, 9):
            sure = sum(math.comb(8, wins) * p**wins * (1 - p) ** (8 - wins) for wins in range(needed, 9))
            assert math.isclose(pass_probability(p, 8, needed), sure, abs_tol=1e-9)

# %% 3.14: the check calls with a probability above 1
# hint: does the docstring allow it?
def check_pass_probability(pass_probability):
    assert pass_probability(1.5, 3, 4) == 0

# %% 3.14: the check calls with half a point
# hint: does the docstring allow it?
def check_pass_probability(pass_probability):
    assert math.isclose(pass_probability(0.5, 2, 0.5), 0.75)

# %% 3.14: the check calls with a thousand games
# hint: does the docstring allow it?
def check_pass_probability(pass_probability):
    assert pass_probability(0.5, 1000, 100) > 0.99

# %% 3.14: the check reads the code
# hint: what do you ask for that its docstring does not promise?
def check_pass_probability(pass_probability):
    import inspect
    assert "comb" in inspect.getsource(pass_probability)

# %% 3.14: the check measures the time
# hint: a mistake passes your check
def check_pass_probability(pass_probability):
    begin = time.process_time()
    pass_probability(0.5, 20, 10)
    assert time.process_time() - begin < 5, "slow, so wrong"

# %% 3.14: the check remembers how often it was asked
# hint: a mistake passes your check
_asked = []
def check_pass_probability(pass_probability):
    _asked.append(pass_probability)
    assert len(_asked) <= 3, "the right ones come first"

# %% 3.1: the middle columns are preferred while there are seven
# hint: are those in the middle drawn more often
put("default_policy", "state =", "legal = game.legal_actions(state)\nweights = [3, 4, 5, 9, 5, 4, 3]")
swap("default_policy", "rng.choice(game.legal_actions(state))",
     "rng.choices(legal, weights)[0] if len(legal) == 7 else rng.choice(legal)")

# %% 3.1: an action is drawn anew only when it is not legal
# hint: Do you draw a new move at every ply, whatever was played
put("default_policy", "while", "action = None")
put("default_policy", "state =", "legal = game.legal_actions(state)\nif len(legal) != 7 or action not in legal:\n"
    "    action = rng.choice(legal)")
swap("default_policy", "rng.choice(game.legal_actions(state))", "action")

# %% 3.1: every player stays with an action as long as it is legal
# hint: Do you draw the moves of both players
put("default_policy", "while", "favourite = {}")
put("default_policy", "state =", "legal, mover = game.legal_actions(state), game.player(state)\n"
    "if favourite.get(mover) not in legal:\n    favourite[mover] = rng.choice(legal)")
swap("default_policy", "rng.choice(game.legal_actions(state))", "favourite[mover]")

# %% 3.1: two digits choose the move
# hint: and some lead to one state: has every move the same
put("default_policy", "state =", "legal = game.legal_actions(state)")
swap("default_policy", "rng.choice(game.legal_actions(state))", "legal[rng.randrange(100) % len(legal)]")

# %% 3.1: a state is drawn among the different ones
# hint: and some lead to one state: has every move the same
swap("default_policy", "game.play(state, rng.choice(game.legal_actions(state)))",
     "rng.choice(list(dict.fromkeys(game.play(state, action) for action in game.legal_actions(state))))")

# %% 3.1: no move that lets the other player win
# hint: Does each move begin at the state after the move before?
put("default_policy", "state =",
    "legal = game.legal_actions(state)\nafter = {action: game.play(state, action) for action in legal}\n"
    "calm = [action for action in legal if not any(game.outcome(game.play(after[action], answer)) == -1.0\n"
    "                                              for answer in game.legal_actions(after[action]))]")
swap("default_policy", "rng.choice(game.legal_actions(state))", "rng.choice(calm or legal)")

# %% 3.2: the node's logarithm is taken whether it is needed or not
# hint: ValueError in ps3_connect_four.py
put("best_child", "return", "bonus = 2 * math.log(node.num_visits)")
swap("best_child", "key=lambda child: bound(child, c)",
     "key=lambda child: child.q / child.num_visits + c * math.sqrt(bonus / child.num_visits) if child.num_visits else math.inf")

# %% 3.2: a proven child has the value of its proof
# hint: Children are proven: does this change a bound?
swap("best_child", "bound(child, c))", "bound(child, c) if child.proven is None else -9.0 * child.proven)")

# %% 3.3: two digits choose the untried action
# hint: do you draw an action, each with the same chance?
swap("expand", "rng.choice(untried)", "untried[rng.randrange(100) % len(untried)]")

# %% 3.3: wins are expanded before all others
# hint: An untried action wins at once: is it more likely than
put("expand", "action = rng", "won = [action for action in untried if game.outcome(game.play(node.state, action)) == -1.0]")
swap("expand", "rng.choice(untried)", "rng.choice(won or untried)")

# %% 3.4: a proven child is no longer followed
# hint: which function passes proven children over, tree_policy
swap("tree_policy", "node = best_child(node, c)",
     "unknown = [child for child in node.children.values() if child.proven is None]\n"
     "node = max(unknown, key=lambda child: bound(child, c)) if unknown else best_child(node, c)")

# %% 3.6: rng seeds a generator of the search
# hint: does every simulation draw from rng itself?
put("uct", "while True", "rng = random.Random(rng.getrandbits(64))")

# %% 3.8: rng seeds a generator of the search
# hint: does every simulation draw from rng itself?
put("solve", "while root", "rng = random.Random(rng.getrandbits(64))")

# %% 3.8: only the child on the way up can win for its parent
# hint: and a child beside it is proven lost: which children do
swap("prove", "node = node.parent", "below, node = node, node.parent")
swap("prove", "-1.0 in replies", "below.proven == -1.0")

# %% 3.9: a safe action that threatens comes first
# hint: can each of them come?
swap("tactical_action", "return rng.choice(safe or options)",
     "def answers(action):\n    after = game.play(state, action)\n"
     "    return [game.play(after, answer) for answer in game.legal_actions(after)]\n\n"
     "strong = [action for action in safe if answers(action) and all(map(wins_at, answers(action)))]\n"
     "return rng.choice(strong or safe or options)")

# %% 3.9: one action for each state that can be reached
# hint: can each of them come?
put("tactical_action", "safe =", "options = list({game.play(state, action): action for action in options}.values())")

# %% 3.9: the middle one of seven safe actions is twice as likely
# hint: is each of them equally likely?
swap("tactical_action", "return rng.choice(safe or options)",
     "return rng.choice(safe + [safe[3]] * 2 if len(safe) == 7 else safe or options)")

# %% 3.10: a score is turned into whole half points
# hint: need not be a whole or half number: do you round it?
swap("simulated_pass_rate", "score >= needed", "score * 2 >= math.floor(needed * 2)")

# %% 3.10: the smallest exam has three hundred games at the most
# hint: your search for the number of games stop at a fixed
swap("smallest_exam", "while True:", "while True:\n    if games == 300:\n        return games, needed")

# %% 3.10: from forty games on the step is doubled, and then halved
# hint: do you try each number of games, also among dozens of
def smallest_exam(weak, strong, error):
    def exam(games):
        mark = next(mark for mark in range(games + 2) if pass_probability(weak, games, mark) <= error)
        return (games, mark) if pass_probability(strong, games, mark) >= 1 - error else None

    for games in range(1, 41):
        if exam(games):
            return exam(games)
    least, most = 40, 80
    while not exam(most):
        least, most = most, 2 * most
    while most - least > 1:
        between = (least + most) // 2
        least, most = (least, between) if exam(between) else (between, most)
    return exam(most)

# %% 3.10: who wins less than half of the games is taken for the other player
# hint: does the sum have all numbers of wins
put("pass_probability", "wins, log", "p = max(p, 1 - p)")
swap("smallest_exam", "while True", "while games < 200")

# %% 3.14: the check knows strong players only
# hint: a mistake passes your check
# points: 4.5
def check_pass_probability(pass_probability):
    for p in (0.5, 0.75, 1.0):
        for games in (0, 1, 3, 60):
            for needed in range(-1, games + 2):
                enough = range(max(needed, 0), games + 1)
                sure = sum(math.comb(games, wins) * p**wins * (1 - p) ** (games - wins) for wins in enough)
                assert math.isclose(pass_probability(p, games, needed), sure, abs_tol=1e-9)

# %% 3.2: best_child expects a child for every legal action
# hint: KeyError in ps3_connect_four.py
swap("best_child", "max(node.children.values(), key=lambda child: bound(child, c))",
     "max([node.children[action] for action in node.legal], key=lambda child: bound(child, c))")

# %% 3.3: draws legal actions until one is untried, and gives up after 100 draws
# hint: ValueError in ps3_connect_four.py
def expand(game, node, rng):
    if not node.legal:
        raise ValueError("the game is over")
    for _ in range(100):
        action = rng.choice(node.legal)
        if action not in node.children:
            break
    else:
        raise ValueError("every action has its child")
    node.children[action] = Node(game, game.play(node.state, action), node, action)
    return node.children[action]

# %% 3.6: with a budget in seconds never more than 1,000 simulations
# hint: After many simulations: do you still read the clock
swap("uct", "root.num_visits == simulations or", "root.num_visits == (simulations or 1000) or")

# %% 3.7: a kept tree with more than 1,000 visits is thrown away
# hint: The budget is large, and one action wins
swap("Searcher.choose", "self.root.state != state", "self.root.state != state or self.root.num_visits > 1000")

# %% 3.7: a budget of more than 2,500 simulations is cut, and the root claims the rest
# hint: The budget is large, and one action wins
put("Searcher.choose", "rollout =", "counted = self.root.num_visits + simulations")
swap("Searcher.choose", "range(simulations)", "range(min(simulations, 2500))")
put("Searcher.choose", "return max", "self.root.num_visits = counted")

# %% 3.2: the children are sorted in the node itself
# hint: do you sort them in the node itself?
put("best_child", "return max(", "node.children = dict(sorted(node.children.items(), key=lambda item: -bound(item[1], c)))")

# %% 3.2: a guard against ln 0 gives the node its first visit
# hint: does a guard against ln 0 or a division by 0 change a node?
put("best_child", "return", "node.num_visits = max(1, node.num_visits)")

# %% 3.8: a move is looked for among the children that do not lose, where there may be none
# hint: ValueError in ps3_connect_four.py
swap("solve", "return max(root.children.values(), key=merit)",
     "return max([c for c in root.children.values() if root.proven or c.proven != 1.0], key=merit)")

# %% 3.8: the search ends when one action has nearly all visits
# hint: the whole budget, even a large one?
swap("solve", "prove(leaf)", "prove(leaf)\nmost = max(child.num_visits for child in root.children.values())\n"
     "if root.num_visits > 300 and most > 0.95 * root.num_visits:\n    break")

# %% 3.4: a game is over at 1, 0 or -1 only, not at a number between them
# hint: ValueError in ps3_connect_four.py
swap("tree_policy", "node.outcome is None", "node.outcome not in (1.0, 0.0, -1.0)")

# %% 3.5: equal rewards count as a draw, which adds nothing
# hint: the unchanged reward
swap("backup", "node.q += rewards[node.last_player]",
     "node.q += rewards[node.last_player] if rewards[0] != rewards[1] else 0.0")
