# Wrong answers to ps2_uct. Each cell names the exercise that it breaks, and is appended to the solution.
# `make verify` wants every one to lose the points of that exercise, and of the joint check at most beside it.
# A cell: `# %% 2.5: what is wrong`, `# hint: ` words of the hint, and `swap` or `put` (autograder/problem_sets/bank/edits.py).
# `# home` marks a natural mistake: the visible check catches it too (tests/unit/test_natural_mistakes.py).

# %% 2.0: greedy by the sum of rewards
# hint: the sum of its rewards, or the reward per pull?
swap("epsilon_greedy", "total / count if count else 0.0 for", "total for")

# %% 2.0: exploring leaves the best arm out
# hint: can it draw every arm, also the best arm and the last arm?
# home
swap("epsilon_greedy", "return rng.randrange(len(counts))",
     "best = epsilon_greedy(counts, totals, 0.0, rng)\nreturn rng.choice([arm for arm in range(len(counts)) if arm != best])")

# %% 2.0: epsilon and 1 - epsilon change places
# hint: or choose an arm that has not the best mean?
swap("epsilon_greedy", "< epsilon", ">= epsilon")

# %% 2.0: exploring never reaches the last arm
# hint: can it draw every arm, also the best arm and the last arm?
swap("epsilon_greedy", "len(counts)", "len(counts) - 1")

# %% 2.0: greedy divides by zero for an arm never pulled
# hint: ZeroDivisionError in ps2_uct.py
swap("epsilon_greedy", " if count else 0.0", "")

# %% 2.0: greedy always pulls an arm never pulled
# hint: Which mean does the docstring give an arm without a pull?
swap("epsilon_greedy", "0.0", "math.inf")

# %% 2.0: greedy ties go to the first arm
# hint: Several means are equal and the best
# home
swap("epsilon_greedy", "rng.choice([arm for arm, mean in enumerate(means) if mean == best])", "means.index(best)")

# %% 2.0: both rules draw from the global generator
# hint: Does your function use only the given rng
swap("epsilon_greedy", "rng.random", "random.random")
swap("epsilon_greedy", "rng.randrange", "random.randrange")
swap("epsilon_greedy", "rng.choice", "random.choice")

# %% 2.0: ucb1 with the base-10 logarithm
# hint: Ln is a logarithm: to which base?
swap("ucb1", "math.log(", "math.log10(")

# %% 2.0: ucb1 with a second factor 2 under the root
# hint: a factor under your root that the formula does not have?
# home
swap("ucb1", "log_total /", "2 * log_total /")

# %% 2.0: ucb1 takes the logarithm of the arm's own pulls
# hint: the arm's own pulls, or the pulls of all arms together?
swap("ucb1", "log_total / count", "math.log(count) / count")

# %% 2.0: ucb1 never uses c
# hint: Which c do you use: the given one?
swap("ucb1", "exploration *", "")

# %% 2.0: ucb1 adds one to every count so that nothing divides by zero
# hint: Do you use an arm's own number of pulls, or one more?
swap("ucb1", "count == 0", "count < 0")
swap("ucb1", "sum(counts)", "sum(counts) + 1")
swap("ucb1", "total / count + exploration * math.sqrt(log_total / count)",
     "total / (count + 1) + exploration * math.sqrt(log_total / (count + 1))")

# %% 2.0: ucb1 takes untried arms from left to right
# hint: Several arms were never pulled: can each of them be the next
swap("ucb1", "rng.choice(untried)", "untried[0]")

# %% 2.0: ucb1 ties go to the first arm
# hint: With c = 0 three bounds are equal: do you let a bonus
swap("ucb1", "rng.choice([arm for arm, bound in enumerate(bounds) if bound == highest])", "bounds.index(highest)")

# %% 2.0: ucb1 asks only the first ten arms whether they were ever pulled
# hint: Several arms were never pulled: can each of them be the next
swap("ucb1", "enumerate(counts)", "enumerate(counts[:10])")
put("ucb1", "arms = zip", "counts = [max(1, count) for count in counts]")

# %% 2.0: ucb1 pulls every arm twice before it compares
# hint: How often do you pull every arm before you compare bounds?
swap("ucb1", "count == 0", "count < 2")

# %% 2.0: greedy ties by the global generator
# hint: Does your function use only the given rng
swap("epsilon_greedy", "rng.choice", "random.choice")

# %% 2.0: the bounds are remembered by the pulls alone
# hint: The pulls are equal, the rewards differ: does your answer?
_bounds_of = {}
put("ucb1", "highest =", "bounds = _bounds_of.setdefault((tuple(counts), exploration), bounds)")

# %% 2.0: the bounds are clipped at zero
# hint: Can a bound be below zero?
swap("ucb1", "total / count + exploration * math.sqrt(log_total / count)",
     "max(0.0, total / count + exploration * math.sqrt(log_total / count))")

# %% 2.0: the search for the best mean begins at zero
# hint: and do you compare such a number like any other?
swap("epsilon_greedy", "total / count", "max(total / count, 0.0)")

# %% 2.0: ucb1 counts the pull itself
# hint: Does your function leave the given lists unchanged?
swap("ucb1", "return rng.choice(untried)", "arm = rng.choice(untried)\ncounts[arm] += 1\nreturn arm")
swap("ucb1", "return rng.choice([arm for arm, bound in enumerate(bounds) if bound == highest])",
     "arm = rng.choice([arm for arm, bound in enumerate(bounds) if bound == highest])\ncounts[arm] += 1\nreturn arm")

# %% 2.0: at the very first pull greedy takes arm 0
# hint: No arm was ever pulled: can each arm come up, in both rules?
put("epsilon_greedy", "means = [", "if not any(counts):\n    return 0")

# %% 2.0: counts of 0 are made 1 in the caller's list
# hint: Does your function leave the given lists unchanged?
put("epsilon_greedy", "means = [", "counts[:] = [max(count, 1) for count in counts]")

# %% 2.0: exploring tries the arms that were never pulled first
# hint: When your rule explores, does every arm have the same chance
swap("epsilon_greedy", "rng.randrange(len(counts))",
     "rng.choice([arm for arm, count in enumerate(counts) if not count] or range(len(counts)))")

# %% 2.0: the coin is tossed by the global generator
# hint: Does your function use only the given rng
swap("epsilon_greedy", "rng.random", "random.random")

# %% 2.0: the answer is remembered by the list of counts
# hint: Does each call read the lists again and draw again?
_answers = {}
swap("ucb1", "return rng.choice(untried)", "return _answers.setdefault(id(counts), (rng.choice(untried), counts))[0]")
swap("ucb1", "return rng.choice([arm for arm, bound in enumerate(bounds) if bound == highest])",
     "arm = rng.choice([arm for arm, bound in enumerate(bounds) if bound == highest])\n"
     "return _answers.setdefault(id(counts), (arm, counts))[0]")

# %% 2.0: ucb1 counts its own calls for n
# hint: Which logarithm, of which number, under which root?
_calls = [0]
put("ucb1", "untried = [", "_calls[0] += 1")
swap("ucb1", "sum(counts)", "max(_calls[0], len(counts))")

# %% 2.0: bounds are compared to two digits
# hint: Do you round the bounds before you compare them?
swap("ucb1", "total / count + exploration * math.sqrt(log_total / count)",
     "round(total / count + exploration * math.sqrt(log_total / count), 1)")

# %% 2.0: ucb1's equal bounds by the global generator
# hint: Does your function use only the given rng
swap("ucb1", "rng.choice([", "random.choice([")

# %% 2.0: c = 0 becomes the constant of the proof
# hint: Do you use c = 0 like any other c, or replace it?
put("ucb1", "untried = [", "exploration = exploration or math.sqrt(2)")

# %% 2.0: means are compared to three digits
# hint: do you round a mean, cut it off, or leave out an arm?
swap("epsilon_greedy", "total / count", "round(total / count, 3)")

# %% 2.0: bounds are compared to three digits
# hint: do you round a bound, cut it off, or leave out an arm?
swap("ucb1", "total / count + exploration * math.sqrt(log_total / count)",
     "round(total / count + exploration * math.sqrt(log_total / count), 3)")

# %% 2.0: of equal bounds the arm with fewest pulls is taken
# hint: With c = 0 three bounds are equal: do you let a bonus
put("ucb1", "return rng.choice([", "least = min(count for count, bound in zip(counts, bounds) if bound == highest)")
swap("ucb1", "if bound == highest]", "if bound == highest and counts[arm] == least]")

# %% 2.0: means that differ by less than a millionth are a tie
# hint: Nearly equal is not equal
swap("epsilon_greedy", "mean == best", "best - mean < 1e-8")

# %% 2.0: the search for the best mean begins at -1,000
# hint: IndexError in ps2_uct.py
swap("epsilon_greedy", "best = max(means)", "best = max([-1000.0, *means])")

# %% 2.0: epsilon is rounded up to a tenth
# hint: explore when epsilon is small?
swap("epsilon_greedy", "rng.random() < epsilon", "rng.randint(0, 9) < 10 * epsilon")

# %% 2.0: an epsilon below a tenth explores nothing
# hint: explore when epsilon is small?
swap("epsilon_greedy", "rng.random() < epsilon", "epsilon >= 0.1 and rng.random() < epsilon")

# %% 2.0: epsilon acts in whole percents
# hint: explore when epsilon is small?
swap("epsilon_greedy", "rng.random() < epsilon", "rng.randrange(100) < 100 * epsilon")

# %% 2.0: a mean is the total times 1 / n
# hint: or multiply it by a rounded 1 / n?
swap("epsilon_greedy", "total / count if", "total * (1 / count) if")

# %% 2.0: ucb1's mean is the total times 1 / n
# hint: or multiply it by a rounded 1 / n?
swap("ucb1", "total / count +", "total * (1 / count) +")

# %% 2.0: a million stands for infinity
# hint: How large is the bound of an arm
def ucb1(counts, totals, exploration, rng):
    log_total = math.log(max(1, sum(counts)))
    bounds = [total / count + exploration * math.sqrt(log_total / count) if count else 1e6
              for count, total in zip(counts, totals, strict=True)]
    highest = max(bounds)
    return rng.choice([arm for arm, bound in enumerate(bounds) if bound == highest])

# %% 2.1: always the first legal action
# hint: The same action comes every time
swap("random_policy", "rng.choice(actions)", "actions[0]")

# %% 2.1: never the last legal action
# hint: Can you draw every legal action
# home
swap("random_policy", "rng.choice(actions)", "actions[rng.randrange(max(1, len(actions) - 1))]")

# %% 2.1: any action, legal or not
# hint: Which actions do you draw from: all actions, the legal ones
swap("random_policy", "choice(actions)", "randrange(game.num_actions)")

# %% 2.1: the global generator instead of rng
# hint: Does your function use only the given rng
# home
swap("random_policy", "rng.choice(actions", "random.choice(actions")

# %% 2.1: rng is seeded again at every call
# hint: The same action comes every time
swap("random_policy", "rng.choice(actions", "random.Random(len(actions)).choice(actions")

# %% 2.1: the global generator is seeded on the way
# hint: Does your function use only the given rng
put("random_policy", "actions =", "random.seed(7)")

# %% 2.1: None where the game is over
# hint: The docstring promises an int, and your code gives None
swap("random_policy", 'raise ValueError("no action to choose: the game is over")', "return None")

# %% 2.1: an IndexError where the game is over
# hint: IndexError in ps2_uct.py
# home
swap("random_policy", 'if not actions:\n    raise ValueError("no action to choose: the game is over")\nreturn', "return")

# %% 2.1: the centre is preferred
# hint: Does every legal action have the same chance
swap("random_policy", "return rng.choice(actions)",
     "middle = sorted(actions, key=lambda action: abs(action - game.num_actions // 2))\n"
     "return min(rng.choice(middle), rng.choice(middle), key=middle.index)")

# %% 2.1: an index into the legal actions instead of an action
# hint: Which actions do you draw from: all actions, the legal ones
swap("random_policy", "choice(actions)", "randrange(len(actions))")

# %% 2.1: the first and the last action half as often
# hint: Does every legal action have the same chance
swap("random_policy", "rng.choice(actions)", "actions[round(rng.random() * (len(actions) - 1))]")

# %% 2.1: one of ten digits draws, so that the first actions come up more often
# hint: even when there are many?
swap("random_policy", "rng.choice(actions)", "actions[int(str(rng.random())[-1]) % len(actions)]")

# %% 2.1: the place where there is only one action
# hint: also when only one action is legal?
swap("random_policy", "rng.choice(actions)", "0 if len(actions) == 1 else actions[rng.randrange(len(actions))]")

# %% 2.1: actions are counted on from the first legal one
# hint: with gaps between them?
swap("random_policy", "rng", "actions[0] + rng.randrange(len(actions)) if len(actions) < 5 else rng")

# %% 2.1: a state that is 0 or empty counts as over
# hint: ValueError in ps2_uct.py
swap("random_policy", "if not actions", "if not state or not actions")

# %% 2.1: the first ten actions only
# hint: even when there are many?
swap("random_policy", "rng.choice(actions)", "rng.choice(actions[:10])")

# %% 2.1: after some misses the first legal action is taken
# hint: Two of many actions are legal
put("random_policy", "return rng.choice", "for _ in range(200):\n"
    "    action = rng.randrange(game.num_actions)\n    if action in actions:\n        return action\nreturn actions[0]")

# %% 2.1: an action by the remainder of a number below a hundred
# hint: the same chance, even when there are sixty?
def random_policy(game, state, rng):
    legal = game.legal_actions(state)
    if not legal:
        raise ValueError("the game is over: no action is legal")
    return legal[int(100 * rng.random()) % len(legal)]

# %% 2.2: the value for the player to move at the end
# hint: The outcome is for the player to move at the end
swap("simulate", "value = 0.0 - value", "pass")

# %% 2.2: the value for the player who made the last move
# hint: The outcome is for the player to move at the end
swap("simulate", "if plies % 2 == 1:\n    value = 0.0 - value", "value = 0.0 - value")

# %% 2.2: the value for the player who moves first in the game
# hint: is the value when the second player is to move at `state`?
# home
swap("simulate", "plies % 2", "game.player(end)")

# %% 2.2: the value for the other player
# hint: The outcome is for the player to move at the end
swap("simulate", "plies % 2 == 1", "plies % 2 == 0")

# %% 2.2: a draw is a loss
# hint: What is a draw worth, and for which player?
swap("simulate", "outcome or 0.0", "-1.0 if outcome == 0 else outcome or 0.0")

# %% 2.2: a draw is False
# hint: The docstring promises a float, and your code gives a bool
swap("simulate", "return value", "return value or False")

# %% 2.2: the winner's number instead of a value
# hint: One game, won or lost: which two values are possible?
swap("simulate", "return value", "return 2 - game.player(end) if outcome else 0")

# %% 2.2: the policy is ignored
# hint: Do you ask the policy at all?
swap("simulate", "policy(game, end, rng)", "rng.choice(game.legal_actions(end))")

# %% 2.2: the policy chooses for one player only
# hint: What chooses the second player's moves?
swap("simulate", "policy(game, end, rng)", "policy(game, end, rng) if plies % 2 == 0 else rng.choice(game.legal_actions(end))")

# %% 2.2: the policy gets a generator of its own, the same every time
# hint: Which generator should the policy draw from?
put("simulate", "end, plies =", "own = random.Random(0)")
swap("simulate", "(game, end, rng)", "(game, end, own)")

# %% 2.2: the policy gets the global generator
# hint: Which generator should the policy draw from?
swap("simulate", "(game, end, rng)", "(game, end, random)")

# %% 2.2: one ply too few
# hint: Max_plies counts the moves of both players
swap("simulate", "plies != max_plies", "plies + 1 != max_plies")

# %% 2.2: one ply too many
# hint: Max_plies counts the moves of both players
swap("simulate", "plies != max_plies", "(max_plies is None or plies <= max_plies)")

# %% 2.2: a game that ends with the last allowed move is cut all the same
# hint: The last allowed move ends the game
# home
swap("simulate", "outcome or 0.0", "0.0 if plies == max_plies else outcome")
swap("simulate", "plies != max_plies", "(plies == 0 or plies != max_plies)")

# %% 2.2: max_plies 0 means no limit
# hint: or no move?
# home
swap("simulate", "plies != max_plies", "(not max_plies or plies < max_plies)")

# %% 2.2: max_plies is ignored
# hint: Max_plies counts the moves of both players
swap("simulate", " and plies != max_plies", "")

# %% 2.2: a cut game counts half
# hint: What is a game worth if it is cut before anybody has won?
swap("simulate", "return value", "return 0.5 if outcome is None else value")

# %% 2.2: the game begins at the start, wherever it stands
# hint: From which state does the game begin: the given one?
swap("simulate", "state, 0", "game.start(), 0")

# %% 2.2: at least one move is made, even after the end
# hint: IllegalMove in ps2_uct.py
swap("simulate", "(outcome := game.outcome(end)) is None and", "((outcome := game.outcome(end)) is None or plies == 0) and")

# %% 2.2: the policy is asked twice for every move
# hint: How often do you ask the policy for one move?
put("simulate", "action = policy", "policy(game, end, rng)")

# %% 2.2: the sum of five games instead of one
# hint: One game, won or lost: which two values are possible?
_one_game = simulate
def simulate(game, state, policy, rng, max_plies=None):
    return sum(_one_game(game, state, policy, rng, max_plies) for _ in range(5))

# %% 2.2: every move draws from rng itself, beside the policy
# hint: What draws from rng: your function, or the policy?
put("simulate", "action = policy", "rng.random()")

# %% 2.2: a game of two hundred plies is cut
# hint: does your function play a long game to its end?
swap("simulate", "plies != max_plies", "plies < (200 if max_plies is None else max_plies)")

# %% 2.2: a game that ends with the last move allowed has the value of the player there
# hint: The last allowed move ends the game: does its outcome count
swap("simulate", "plies % 2 == 1", "plies % 2 == 1 and plies != max_plies")

# %% 2.2: the result is remembered for each policy
# hint: Do you play a new game at every call?
_results = {}
put("simulate", "end, plies =", "key = game.text(state), id(policy), max_plies\nif key in _results:\n    return _results[key][0]")
swap("simulate", "return value", "_results[key] = value, policy\nreturn value")

# %% 2.2: max_plies counts moves of each player
# hint: Max_plies counts the moves of both players
swap("simulate", "plies != max_plies", "(max_plies is None or plies // 2 < max_plies)")

# %% 2.2: an outcome is a whole win, a draw or a whole loss
# hint: A game may end with half a win: is the outcome itself the
swap("simulate", "outcome or 0.0", "(outcome > 0) - (outcome < 0) if outcome else 0.0")

# %% 2.2: a narrow result is a draw
# hint: For which player is the returned value, and after which
swap("simulate", "outcome or 0.0", "float(round(outcome or 0.0))")

# %% 2.3: a node without children is terminal
# hint: does this mean that its game is over?
swap("TreeNode.is_terminal", "game.outcome(self.state) is not None", "not self.children")

# %% 2.3: a draw goes on
# hint: Which outcomes can a finished game have?
# home
swap("TreeNode.is_terminal", "game.outcome(self.state) is not None", "bool(game.outcome(self.state))")

# %% 2.3: only a lost game is over
# hint: Which outcomes can a finished game have?
swap("TreeNode.is_terminal", "is not None", "in (-1.0, 0.0)")

# %% 2.3: the outcome instead of whether there is one
# hint: The docstring promises True or False
swap("TreeNode.is_terminal", "is not None", "")

# %% 2.3: a visited node without children is terminal
# hint: Does a node without children mean a game without moves?
swap("TreeNode.is_terminal", "is not None", "is not None or (self.num_visits > 0 and not self.children)")

# %% 2.3: the negation of terminal
# hint: What does is_terminal tell: that the game is over
swap("TreeNode.is_terminal", "self.state) is not", "self.state) is")

# %% 2.3: any child will do for fully expanded
# hint: Is one child enough for three legal actions?
swap("TreeNode.is_fully_expanded", "len(self.children) == len(game.legal_actions(self.state))",
     "bool(self.children) or not game.legal_actions(self.state)")

# %% 2.3: fully expanded counts all actions of the game
# hint: Each legal action has its child: do you also ask for visits
# home
swap("TreeNode.is_fully_expanded", "len(game.legal_actions(self.state))",
     "game.num_actions or not game.legal_actions(self.state)")

# %% 2.3: fully expanded by visits
# hint: Each legal action has its child: do you also ask for visits
swap("TreeNode.is_fully_expanded", "len(self.children) ==", "self.num_visits >=")

# %% 2.3: one child short is full enough
# hint: Are two children enough for three legal actions?
swap("TreeNode.is_fully_expanded", "== len(game.legal_actions(self.state))", ">= len(game.legal_actions(self.state)) - 1")

# %% 2.3: fully expanded only when every child was visited
# hint: Each legal action has its child: do you also ask for visits
swap("TreeNode.is_fully_expanded", "self.children", "[child for child in self.children.values() if child.num_visits > 0]")

# %% 2.3: a finished game is never fully expanded
# hint: The game is over and no action is legal
# home
swap("TreeNode.is_fully_expanded", "return", "return bool(self.children) and")

# %% 2.3: the children are counted once for the whole class
# hint: do the children there count here?
swap("TreeNode.is_fully_expanded", "return len(self.children) == len(game.legal_actions(self.state))",
     'TreeNode.known = getattr(TreeNode, "known", set()) | {(self.state, action) for action in self.children}\n'
     "return all((self.state, action) in TreeNode.known for action in game.legal_actions(self.state))")

# %% 2.3: whether a state is over is remembered for all games
# hint: whatever the state: 0, or a state of another game?
_known_ends = {}
swap("TreeNode.is_terminal", "game.outcome(self.state) is not None",
     "_known_ends.setdefault(self.state, game.outcome(self.state) is not None)")

# %% 2.3: different states are counted instead of children
# hint: or for actions that lead to one state?
swap("TreeNode.is_fully_expanded", "len(self.children)", "len({child.state for child in self.children.values()})")
swap("TreeNode.is_fully_expanded", "len(game.legal_actions(self.state))",
     "len({game.play(self.state, action) for action in game.legal_actions(self.state)})")

# %% 2.3: the children fill the actions from the first to the last number
# hint: Each legal action has its child: do you also ask for visits
put("TreeNode.is_fully_expanded", "return", "legal = game.legal_actions(self.state)")
swap("TreeNode.is_fully_expanded", "== len(game.legal_actions(self.state))", ">= (max(legal) - min(legal) + 1 if legal else 0)")

# %% 2.3: a state that is 0 or empty is taken for none
# hint: whatever the state: 0, or a state of another game?
swap("TreeNode.is_terminal", "game.outcome(self.state", "not self.state or game.outcome(self.state")

# %% 2.3: seven children are always enough
# hint: or for actions that lead to one state?
swap("TreeNode.is_fully_expanded", "len(game.legal_actions(self.state))", "min(len(game.legal_actions(self.state)), 7)")

# %% 2.4: the same child again and again
# hint: for an action that has none yet?
swap("expand", "rng.choice(untried)", "game.legal_actions(node.state)[0]")

# %% 2.4: any legal action, tried or not
# hint: for an action that has none yet?
# home
swap("expand", "rng.choice(untried)", "rng.choice(game.legal_actions(node.state))")

# %% 2.4: the first untried action
# hint: Can you draw any of the untried actions?
# home
swap("expand", "rng.choice(untried)", "untried[0]")

# %% 2.4: the child is not hung into the tree
# hint: How many children does one call add to the tree?
swap("expand", "node.children[action] = child\nreturn", "return")

# %% 2.4: the child does not know its parent
# hint: Which node is the parent of the new child: the expanded node
swap("expand", "parent=node", "parent=None")

# %% 2.4: the child's parent is the root
# hint: Which node is the parent of the new child: the expanded node
put("expand", "child = T", "root = node\nwhile root.parent is not None:\n    root = root.parent")
swap("expand", "parent=node", "parent=root")

# %% 2.4: the child does not know its action
# hint: Is the new child in its parent's children
# home
swap("expand", ", action=action)", ")")

# %% 2.4: the child has its parent's state
# hint: Which state belongs to the child: the state before the move
swap("expand", "game.play(node.state, action)", "node.state")

# %% 2.4: the node plays the move itself
# hint: Does the node itself stay in its place
swap("expand", "child = TreeNode(game.play(node.state, action)",
     "before, node.state = node.state, game.play(node.state, action)\nchild = TreeNode(node.state")
put("expand", "return child", "if len(untried) > 1:\n    node.state = before")

# %% 2.4: all children at once, and one of them comes back
# hint: How many children does one call add to the tree?
put("expand", "action = rng",
    "for other in untried:\n    node.children[other] = TreeNode(game.play(node.state, other), node, other)")

# %% 2.4: all children at once, and the node itself comes back
# hint: Which node do you return: the given node, or its new child?
put("expand", "action = rng",
    "for other in untried:\n    node.children[other] = TreeNode(game.play(node.state, other), node, other)")
swap("expand", "return child", "return node")

# %% 2.4: the node comes back instead of the child
# hint: Which node do you return: the given node, or its new child?
swap("expand", "return child", "return node")

# %% 2.4: a finished game is returned as it is
# hint: What should happen when there is no action left to try?
put("expand", "untried = [", "if game.outcome(node.state) is not None:\n    return node")

# %% 2.4: with nothing left an old child is replaced
# hint: What should happen when there is no action left to try?
swap("expand", "not in node.children]", "not in node.children] or game.legal_actions(node.state)")

# %% 2.4: an IndexError where nothing is left
# hint: IndexError in ps2_uct.py
swap("expand",
     'if not untried:\n    raise ValueError("nothing to expand: the game is over, or every action has its child")\naction',
     "action")

# %% 2.4: the global generator instead of rng
# hint: Does your function use only the given rng
swap("expand", "rng.choice", "random.choice")

# %% 2.4: what was tried is remembered by state, in a mutable default
# hint: ValueError in ps2_uct.py
swap("expand", "rng: random.Random)", "rng: random.Random, tried={})")
swap("expand", "not in node.children]", "not in tried.setdefault(node.state, [])]")
put("expand", "child = T", "tried[node.state].append(action)")

# %% 2.4: the child counts as visited at once
# hint: Which function counts visits and results
put("expand", "return child", "child.num_visits = 1")

# %% 2.4: the parent is visited by growing
# hint: Does expand change the visits or the total of the parent?
put("expand", "return child", "node.num_visits += 1")

# %% 2.4: the children are made anew at every call
# hint: Does the node itself stay in its place
swap("expand", "return child",
     "for known in node.children:\n    node.children[known] = TreeNode(game.play(node.state, known), node, known)\n"
     "return node.children[action]")

# %% 2.4: the last untried action is never tried
# hint: ValueError in ps2_uct.py
swap("expand", "if not untried", "if not untried or len(untried) == 1 < len(game.legal_actions(node.state))")

# %% 2.4: an action that wins at once first
# hint: Can you draw any of the untried actions?
put("expand", "action = rng", "wins = [action for action in untried if game.outcome(game.play(node.state, action)) == -1]")
swap("expand", "rng.choice(untried)", "rng.choice(wins or untried)")

# %% 2.4: the lowest untried action is drawn twice as often
# hint: Is every untried action equally likely
swap("expand", "rng.choice(untried)", "rng.choice([untried[0], *untried])")

# %% 2.4: one of the six faces of a die draws
# hint: Is every untried action equally likely
swap("expand", "rng.choice(untried)", "untried[rng.randint(1, 6) % len(untried)]")

# %% 2.4: an action that leads to a state which is there already is not untried
# hint: Does each action have its own child, also when two actions
put("expand", "untried = [", "there = {child.state for child in node.children.values()}")
swap("expand", "action not in node.children]", "game.play(node.state, action) not in there]")

# %% 2.4: two actions that lead to one state share a node
# hint: also when two actions lead to one state?
put("expand", "node.children[action]",
    "twins = [twin for twin in node.children.values() if twin.state == child.state]\nchild = twins[0] if twins else child")

# %% 2.4: the global generator is seeded from rng and draws
# hint: Which generator may your function use?
swap("expand", "action = rng.choice", "random.seed(rng.random())\naction = random.choice")

# %% 2.4: actions are numbered by their place
# hint: Which number does the child's action have: the game's
swap("expand", "for action in game.legal_actions(node.state)", "for action in range(len(game.legal_actions(node.state)))")
swap("expand", "game.play(node.state, action)", "game.play(node.state, game.legal_actions(node.state)[action])")

# %% 2.5: backpropagate does not flip the sign
# hint: Every node got the value with the same sign
swap("backpropagate", "-value", "value")

# %% 2.5: the sign flips before the leaf
# hint: before the first node, or after it?
# home
put("backpropagate", "while", "value = -value")

# %% 2.5: the sign flips once and then stays
# hint: Does the sign flip once, or at every ply?
put("backpropagate", "while", "first = value")
swap("backpropagate", "-value", "-first")

# %% 2.5: the root is left out
# hint: does your loop stop before it?
# home
swap("backpropagate", "while node is", "while node.parent is")

# %% 2.5: the root is left out when it has children
# hint: does your loop stop before it?
swap("backpropagate", "node is not None", "node is not None and (node.parent is not None or not node.children)")

# %% 2.5: the leaf is left out
# hint: The given node got no visit: where does the loop begin?
put("backpropagate", "while", "node, value = node.parent, -value")

# %% 2.5: visits are forgotten
# hint: No node got a visit: does every result count as a visit
swap("backpropagate", "node.num_visits += 1\nnode.total", "node.total")

# %% 2.5: only the leaf is visited
# hint: which other nodes took part in the simulation?
swap("backpropagate", "node.num_visits += 1\nnode.total", "node.total")
put("backpropagate", "while", "node.num_visits += 1")

# %% 2.5: values are forgotten
# hint: No total has changed: where do you add the result?
swap("backpropagate", "+= value", "+= 0.0")

# %% 2.5: the value is replaced instead of added
# hint: Do you add each result to the earlier total?
swap("backpropagate", "node.total_value += value", "node.total_value = value")

# %% 2.5: 1 - v for the other player
# hint: what is a win there for the other player?
swap("backpropagate", "-value", "1 - value")

# %% 2.5: the absolute value
# hint: Every node got the value with the same sign
swap("backpropagate", "+= value", "+= abs(value)")

# %% 2.5: a draw is no visit
# hint: No node got a visit: does every result count as a visit
swap("backpropagate", "node is not None", "node is not None and value")

# %% 2.5: only wins are added
# hint: what is a win there for the other player?
swap("backpropagate", "node.total_value += value", "node.total_value += max(value, 0)")

# %% 2.5: a mean instead of a sum
# hint: Do you add each result to the earlier total?
# home
swap("backpropagate", "node.total_value += value", "node.total_value += (value - node.total_value) / node.num_visits")

# %% 2.5: the value is cut to an integer
# hint: Do you add the value unchanged: not cut, not rounded
swap("backpropagate", "node.total_value += value", "node.total_value += int(value)")

# %% 2.5: the value is clipped to [-1, 1]
# hint: Do you add the value unchanged: not cut, not rounded
put("backpropagate", "while", "value = max(-1.0, min(1.0, value))")

# %% 2.5: the value fades on the way up
# hint: What changes on the way up: the size of the result
swap("backpropagate", "-value", "-0.99 * value")

# %% 2.5: siblings of the path are visited too
# hint: Which nodes did this simulation go through?
put("backpropagate", "node, value =",
    "for sibling in node.parent.children.values() if node.parent else ():\n    sibling.num_visits += sibling is not node")

# %% 2.5: the children below the leaf get the result as well
# hint: Which nodes did this simulation go through?
put("backpropagate", "while", "for child in node.children.values():\n    child.num_visits += 1\n    child.total_value -= value")

# %% 2.5: only the leaf and the root
# hint: which nodes on the way up does your code leave out?
put("backpropagate", "while", "leaf = node")
swap("backpropagate", "node.num_visits += 1\nnode.total_value += value",
     "if node is leaf or node.parent is None:\n    node.num_visits += 1\n    node.total_value += value")

# %% 2.5: at most ten nodes up
# hint: Does every node on the way get one visit
swap("backpropagate", "while node is not None:", "for _ in range(10):\n    if node is None:\n        return")

# %% 2.5: a result that came before is not counted again
# hint: Does every call count at every node up to the root
_seen = {}
put("backpropagate", "while", "if _seen.get(id(node)) == value:\n    return\n_seen[id(node)] = value")

# %% 2.5: at most a hundred plies up
# hint: Does every call count at every node up to the root
swap("backpropagate", "while node is not None:", "for _ in range(100):\n    if node is None:\n        break")

# %% 2.5: a parent's total is made from its children's
# hint: Do you add each result to the earlier total?
put("backpropagate", "while", "leaf = node")
put("backpropagate", "node, value =",
    "if node is not leaf:\n    node.total_value = -sum(child.total_value for child in node.children.values())")

# %% 2.5: totals are rounded to two digits
# hint: Do you add the value unchanged: not cut, not rounded
swap("backpropagate", "node.total_value += value", "node.total_value = round(node.total_value + value, 2)")

# %% 2.5: what came to the parent before is flipped as well
# hint: Do you add every result unchanged, also a small one
put("backpropagate", "node, value =",
    "if node.parent is not None and node.parent.parent is None and node.parent.num_visits > 20:\n"
    "    node.parent.total_value += 0.0 if value > 0 else value")

# %% 2.5: small values are taken for draws
# hint: Do you add every result unchanged, also a small one
put("backpropagate", "while", "value = 0.0 if abs(value) < 1e-2 else value")

# %% 2.5: only a node that its parent lists passes the result on
# hint: do you ask for anything else on the way to the root?
swap("backpropagate", "node, value = node.parent, -value",
     "above = node.parent\nlisted = above is None or node in above.children.values()\n"
     "node, value = above if listed else None, -value")

# %% 2.6: the child's mean is not negated
# hint: For whom is the mean: for the player at the node
# home
swap("ucb", "-node.total_value", "node.total_value")

# %% 2.6: the base-10 logarithm
# hint: to which base?
swap("ucb", "math.log(node.parent.num_visits", "math.log10(node.parent.num_visits")

# %% 2.6: a factor 2 under the root
# hint: a factor
swap("ucb", "math.log(node.parent.num_visits", "2 * math.log(node.parent.num_visits")

# %% 2.6: the logarithm of the child's visits
# hint: Whose visits stand under the logarithm?
swap("ucb", "node.parent.num_visits", "node.num_visits")

# %% 2.6: no logarithm
# hint: Where is the logarithm?
swap("ucb", "math.log(node.parent.num_visits)", "node.parent.num_visits")

# %% 2.6: no root
# hint: Where is the root?
swap("ucb", "sqrt(math.log(node.parent.num_visits) / node.num_visits)", "log(node.parent.num_visits) / node.num_visits")

# %% 2.6: c under the root
# hint: the whole bonus, or the part under the root?
# home
swap("ucb", "exploration * math.sqrt(", "math.sqrt(exploration *")

# %% 2.6: the total instead of the mean
# hint: or the total without a division by the visits?
swap("ucb", "total_value / node.num_visits", "total_value")

# %% 2.6: the mean is rounded down
# hint: Do you round the mean down?
swap("ucb", "total_value /", "total_value //")

# %% 2.6: c is not used
# hint: what does c multiply?
swap("ucb", "mean + exploration *", "mean +")

# %% 2.6: c is always sqrt 2
# hint: Is there a factor too many, or another c than the given one?
put("ucb", "if node", "exploration = math.sqrt(2)")

# %% 2.6: the logarithm of N + 1
# hint: Is N the number of the parent's visits, or one more?
swap("ucb", "parent.num_visits", "parent.num_visits + 1")

# %% 2.6: one visit more than there were
# hint: Under the root: is n the number of the node's visits
swap("ucb", "node.num_visits)", "(node.num_visits + 1))")

# %% 2.6: a small number in the denominator makes the infinite finite
# hint: and which node should be tried first?
swap("ucb", "if node.num_visits == 0:\n    return math.inf", "visits = node.num_visits + 1e-12")
swap("ucb", "total_value / node.num_visits", "total_value / visits")
swap("ucb", "math.log(node.parent.num_visits) / node.num_visits", "math.log(max(1, node.parent.num_visits)) / visits")

# %% 2.6: a large number instead of infinity
# hint: and which node should be tried first?
swap("ucb", "math.inf", "1e9")

# %% 2.6: an unvisited node is worth nothing
# hint: and which node should be tried first?
swap("ucb", "return math.inf", "return 0.0")

# %% 2.6: infinite only when there is something to explore
# hint: and which node should be tried first?
# home
swap("ucb", "math.inf", "math.inf if exploration > 0 else 0.0")

# %% 2.6: N is the visits of the root
# hint: Which node's visits are N?
put("ucb", "mean =", "root = node\nwhile root.parent is not None:\n    root = root.parent")
swap("ucb", "node.parent.num_visits", "root.num_visits")

# %% 2.6: N is the sum over the siblings
# hint: Whose visits stand under the logarithm?
swap("ucb", "node.parent.num_visits", "max(1, sum(child.num_visits for child in node.parent.children.values()))")

# %% 2.6: minus the bonus
# hint: Is the bonus added or subtracted?
swap("ucb", "return mean +", "return mean -")

# %% 2.6: asking counts as a visit of the parent
# hint: function read the node and its parent without changing them?
swap("ucb", "return mean + exploration * math.sqrt(math.log(node.parent.num_visits) / node.num_visits)",
     "bound = mean + exploration * math.sqrt(math.log(node.parent.num_visits) / node.num_visits)\n"
     "node.parent.num_visits += 1\nreturn bound")

# %% 2.6: the bonus is at most 2
# hint: do you cut off or round the mean or the bonus?
swap("ucb", "exploration * math.sqrt(math.log(node.parent.num_visits) / node.num_visits)",
     "min(exploration * math.sqrt(math.log(node.parent.num_visits) / node.num_visits), 2.0)")

# %% 2.6: the mean is kept in [-1, 1]
# hint: do you cut off or round the mean or the bonus?
swap("ucb", "-node.total_value / node.num_visits", "max(-1.0, min(1.0, -node.total_value / node.num_visits))")

# %% 2.6: rounded to four digits
# hint: Do you round the bound?
swap("ucb", "mean + exploration * math.sqrt(math.log(node.parent.num_visits) / node.num_visits)",
     "round(mean + exploration * math.sqrt(math.log(node.parent.num_visits) / node.num_visits), 4)")

# %% 2.6: N is at least two, so that there is always a bonus
# hint: and how large is the bonus then?
swap("ucb", "node.parent.num_visits", "max(node.parent.num_visits, 2)")

# %% 2.6: a node without results has no mean and counts as new
# hint: do you treat this node as a node without a visit?
swap("ucb", "node.num_visits == 0", "node.num_visits == 0 or node.total_value == 0")

# %% 2.6: the parent has one visit for each child at least
# hint: Which node's visits are N?
swap("ucb", "node.parent.num_visits", "max(node.parent.num_visits, len(node.parent.children))")

# %% 2.6: a bound is kept until the visits change
# hint: is the bound worked out anew?
def ucb(node, exploration):
    kept = node.__dict__.setdefault("kept_bounds", {})
    if node.num_visits == 0:
        return math.inf
    visits = node.num_visits, node.parent.num_visits, exploration
    if visits not in kept:
        bonus = exploration * math.sqrt(math.log(node.parent.num_visits) / node.num_visits)
        kept[visits] = bonus - node.total_value / node.num_visits
    return kept[visits]

# %% 2.6: a guard against ln 0 gives the parent its first visit
# hint: does a guard against ln 0 or a division by 0 change the node
put("ucb", "if node.num_visits == 0", "if node.parent.num_visits == 0:\n    node.parent.num_visits = 1")

# %% 2.7: the lowest bound
# hint: Do you choose the lowest bound?
swap("best_child", "max(", "min(")

# %% 2.7: ties go to the first child
# hint: No child has a visit: can each of them be the next
# home
swap("best_child", "rng.choice([child for bound, child in bounds if bound == highest])",
     "[child for bound, child in bounds if bound == highest][0]")

# %% 2.7: ties go to the last child
# hint: No child has a visit: can each of them be the next
swap("best_child", "rng.choice([child for bound, child in bounds if bound == highest])",
     "[child for bound, child in bounds if bound == highest][-1]")

# %% 2.7: ties by the global generator
# hint: What decides between equal bounds: the given rng
swap("best_child", "rng.", "random.")

# %% 2.7: a tie between the first and the last child is never the last one's
# hint: No child has a visit: can each of them be the next
swap("best_child", "return rng.choice([child for bound, child in bounds if bound == highest])",
     "best = [child for bound, child in bounds if bound == highest]\nreturn best[rng.randrange(max(1, len(best) - 1))]")

# %% 2.7: exploration is left out
# hint: Do you pass `exploration` on, or have your bounds no bonus?
swap("best_child", "exploration", "0.0")

# %% 2.7: exploration is always 1
# hint: Which exploration do you pass on: the given one?
swap("best_child", "exploration", "1.0")

# %% 2.7: bounds below zero are all alike
# hint: With which bound does your comparison begin
swap("best_child", "(ucb(child, exploration),", "(max(0.0, ucb(child, exploration)),")

# %% 2.7: the highest action
# hint: Which number must be highest: the action, or the bound?
swap("best_child", "ucb(child, exploration)", "child.action")

# %% 2.7: the most visited child
# hint: Which number must be highest: the visits, or the bound?
swap("best_child", "ucb(child, exploration)", "child.num_visits")

# %% 2.7: the highest total
# hint: Which number of a child must be highest: action, visits
swap("best_child", "ucb(child, exploration)", "child.total_value")

# %% 2.7: unvisited children are left out
# hint: What is the bound of a child without a visit
swap("best_child", "in node.children.values()",
     "in [child for child in node.children.values() if child.num_visits] or node.children.values()")

# %% 2.7: the action instead of the child
# hint: The docstring promises a node, and your code gives an int
swap("best_child", "[child for", "[child.action for")

# %% 2.7: None without children
# hint: The docstring promises a node, and your code gives None
swap("best_child", 'raise ValueError("no best child: the node has no children")', "return None")

# %% 2.7: the node itself without children
# hint: what does the docstring say about this case?
swap("best_child", 'raise ValueError("no best child: the node has no children")', "return node")

# %% 2.7: drawn in proportion to the bounds
# hint: Do you always choose the highest bound
swap("best_child", "return rng.choice([child for bound, child in bounds if bound == highest])",
     "weights = [min(1e6, math.exp(bound)) for bound, _ in bounds]\n"
     "return rng.choices([child for _, child in bounds], weights)[0]")

# %% 2.7: a coin at each tie on the way through the children
# hint: Several children share the highest bound
swap("best_child", "return rng.choice([child for bound, child in bounds if bound == highest])",
     "best = None\nfor bound, child in bounds:\n    if bound == highest and (best is None or rng.random() < 0.5):\n"
     "        best = child\nreturn best")

# %% 2.7: only the first nine children are looked at
# hint: do you compare them without rounding, and for all children?
swap("best_child", "node.children.values()", "list(node.children.values())[:9]")

# %% 2.7: bounds are equal when they are within a tenth
# hint: Do you always choose the highest bound
swap("best_child", "bound == highest", "child.num_visits == 0 or bound > highest - 0.1")

# %% 2.7: the best child is taken out of the tree
# hint: Does best_child change the tree?
swap("best_child", "return rng.choice([child for bound, child in bounds if bound == highest])",
     "best = rng.choice([child for bound, child in bounds if bound == highest])\nreturn node.children.pop(best.action)")

# %% 2.7: ties are settled between two of the best, drawn by a coin
# hint: Several children share the highest bound
swap("best_child", "return rng.choice([child for bound, child in bounds if bound == highest])",
     "best = [child for bound, child in bounds if bound == highest]\nreturn best[rng.randrange(4) % len(best)]")

# %% 2.7: below the root a node without children is its own best child
# hint: what does the docstring say about this case?
put("best_child", "raise", "if node.parent is not None:\n    return node")

# %% 2.7: the list of the best is not begun anew when a higher bound comes
# hint: can chance choose a lower one?
# home
swap("best_child", "return rng.choice([child for bound, child in bounds if bound == highest])",
     "highest, best = -math.inf, []\nfor bound, child in bounds:\n    if bound >= highest:\n        highest = bound\n"
     "        best.append(child)\nreturn rng.choice(best)")

# %% 2.7: a bound must be above -1 to be noticed, so without exploration only lost children give None
# hint: The docstring promises a node, and your code gives None
# home
swap("best_child", "return rng.choice([child for bound, child in bounds if bound == highest])",
     "rng.shuffle(bounds)\nbest, highest = None, -1.0\nfor bound, child in bounds:\n    if bound > highest:\n"
     "        best, highest = child, bound\nreturn best")

# %% 2.7: bounds that differ by less than a millionth are a tie
# hint: Does every call compute all bounds, and compare them
swap("best_child", "if bound == highest", "if bound == highest or highest - bound < 1e-6")

# %% 2.7: the search for the best bound begins at -100
# hint: IndexError in ps2_uct.py
swap("best_child", "highest = max(bound for bound, _ in bounds)", "highest = max([-100.0, *(bound for bound, _ in bounds)])")

# %% 2.7: the best child is kept while the node gets no visit
# hint: Does every call compute all bounds, and compare them
put("best_child", "bounds = [(ucb", "kept = vars(node).setdefault('kept', {})\nif (node.num_visits, exploration) in kept:\n"
    "    return kept[node.num_visits, exploration]")
put("best_child", "return rng.choice", "best = [child for bound, child in bounds if bound == highest]\nif len(best) == 1:\n"
    "    kept[node.num_visits, exploration] = best[0]")

# %% 2.7: the best child is remembered once there is only one
# hint: Does every call compute all bounds, and compare them
put("best_child", "bounds = [",
    'known = node.__dict__.setdefault("known", {})\nif exploration in known:\n    return known[exploration]')
put("best_child", "return rng",
    "best = [child for bound, child in bounds if bound == highest]\nif len(best) == 1:\n    known[exploration] = best[0]")

# %% 2.7: the best children are put into a set, in the order of their places in memory
# hint: the nodes elsewhere in memory: is it the same child?
swap("best_child", "rng.choice([child for bound, child in bounds if bound == highest])",
     "rng.choice(list({child for bound, child in bounds if bound == highest}))")

# %% 2.8: it goes on after the end of the game
# hint: ValueError in ps2_uct.py
# home
swap("select", " and not node.is_terminal(game)", "")

# %% 2.8: one step only
# hint: Does your way end after one step?
# home
swap("select", "while node.is_fully_expanded(game)", "if node.is_fully_expanded(game)")

# %% 2.8: it descends while there are children
# hint: A legal action has no child yet
# home
swap("select", "is_fully_expanded(game) and not node.is_terminal(game)", "children")

# %% 2.8: it stops one node too early
# hint: node by node, to the node where the tree can grow?
swap("select", "node = best_child(node, exploration, rng)",
     "above, node = node, best_child(node, exploration, rng)\n"
     "if not node.is_fully_expanded(game) and above.parent is not None:\n    return above")

# %% 2.8: it stops at a node without a visit below the second level only
# hint: node by node, to the node where the tree can grow?
swap("select", "while node.is_fully_expanded(game) and not node.is_terminal(game):\n    node",
     "for _ in range(4):\n    if node.is_fully_expanded(game) and not node.is_terminal(game):\n        node")

# %% 2.8: exploration is left out
# hint: What happens to the exploration constant on the way down?
swap("select", "exploration", "0.0")

# %% 2.8: exploration is always 1
# hint: What happens to the exploration constant on the way down?
swap("select", "exploration", "1.0")

# %% 2.8: below the first step exploration is 1
# hint: happens to the exploration constant on the way down?
def select(game, node, exploration, rng):
    def descend(node, c=1.0):
        if node.is_terminal(game) or not node.is_fully_expanded(game):
            return node
        return descend(best_child(node, c, rng))
    return descend(node, exploration)

# %% 2.8: exploration only at the first step
# hint: What happens to the exploration constant on the way down?
swap("select", "(node, exploration, rng)", "(node, exploration, rng)\nexploration = 0.0")

# %% 2.8: exploration halves at every level
# hint: What happens to the exploration constant on the way down?
swap("select", "(node, exploration, rng)", "(node, exploration, rng)\nexploration = exploration / 2 if exploration < 3 else 0.1")

# %% 2.8: always the first child
# hint: Which child is the best one: does the bound decide?
swap("select", "best_child(node, exploration, rng)", "next(iter(node.children.values()))")

# %% 2.8: the best child for the root's player at every level
# hint: and what is good for that player?
put("select", "while", "sign = 1")
swap("select", "node = best_child(node, exploration, rng)",
     "for child in node.children.values():\n    child.total_value *= sign\nbest = best_child(node, exploration, rng)\n"
     "for child in node.children.values():\n    child.total_value *= sign\nnode, sign = best, -sign")

# %% 2.8: the parent of the leaf
# hint: and do you return that node?
swap("select", "return node", "return node.parent or node")

# %% 2.8: it expands on the way
# hint: Does select change the tree: a child, or a visit?
put("select", "return",
    "if not node.is_terminal(game) and node.parent is not None:\n    action = game.legal_actions(node.state)[0]\n"
    "    node.children.setdefault(action, TreeNode(game.play(node.state, action), node, action))")

# %% 2.8: it counts the visits on the way
# hint: Does select change the tree: a child, or a visit?
put("select", "node =", "node.num_visits += 1")

# %% 2.8: the path instead of the leaf
# hint: The docstring promises a node, and your code gives a list
put("select", "while", "path = [node]")
swap("select", "(node, exploration, rng)", "(node, exploration, rng)\npath.append(node)")
swap("select", "return node", "return path")

# %% 2.8: a generator of its own breaks the ties
# hint: Equal children on the way: can each of them come up
put("select", "while", "rng = random.Random(1)")

# %% 2.8: the global generator breaks the ties
# hint: Equal children on the way: can each of them come up
swap("select", "exploration, rng)", "exploration, random)")

# %% 2.8: finished children are left alone after a few visits
# hint: A finished child has the best bound
swap("select", "node = best_child(node, exploration, rng)",
     "above, node = node, best_child(node, exploration, rng)\nif node.is_terminal(game) and node.num_visits > 3:\n"
     "    live = [child for child in above.children.values() if not child.is_terminal(game)]\n"
     "    node = max(live, key=lambda child: ucb(child, exploration), default=node)")

# %% 2.8: c = 0 is taken for no c at all
# hint: Do you pass c = 0 down like any other exploration constant?
swap("select", "exploration", "exploration or 1.0")

# %% 2.8: at most a hundred plies down
# hint: Can the way be as long as the longest game?
swap("select", "while node.is_fully_expanded(game) and not node.is_terminal(game):",
     "for _ in range(100):\n    if not node.is_fully_expanded(game) or node.is_terminal(game):\n        break")

# %% 2.8: a node without a visit is where it ends
# hint: and do you return that node?
swap("select", "while", "while node.num_visits and")
swap("select", "best_child(node, exploration, rng)",
     "(best_child(node, exploration, rng) if len(node.children) <= 3 else\n"
     "        max(node.children.values(), key=lambda child: (child.num_visits == 0, -child.total_value)))")

# %% 2.8: below the first level the first of the best is taken
# hint: Equal children far below: can each of them come up
put("select", "while", "first = node")
swap("select", "best_child(node, exploration, rng)",
     "(best_child(node, exploration, rng) if node is first else\n"
     "        max(node.children.values(), key=lambda child: ucb(child, exploration)))")

# %% 2.8: a node with many actions counts as grown when half of its children are there
# hint: and stop at a node where even one action has no child?
swap("select", "is_fully_expanded(game) and not node.is_terminal(game)",
     "children and len(node.children) * 2 > len(game.legal_actions(node.state))")

# %% 2.8: the global generator is seeded by rng and handed on
# hint: Which generator does best_child get: the given one?
swap("select", "exploration, rng", "exploration, random")
put("select", "while", "random.seed(rng.getrandbits(32))")

# %% 2.8: a forced move is passed over in one step
# hint: Do you test every node, also below a forced move?
swap("select", "(node, exploration, rng)",
     "(node, exploration, rng)\nif len(node.children) == 1:\n    node = next(iter(node.children.values()))")

# %% 2.8: without a visit at the start it does not go on
# hint: and do you return that node?
put("select", "while", "if node.num_visits == 0:\n    return node")

# %% 2.8: the game is over where a node has no child
# hint: does a child below a finished game change that?
swap("select", "while node.is_fully_expanded(game) and not node.is_terminal(game)",
     "while node.children and len(node.children) >= len(game.legal_actions(node.state))")

# %% 2.8: the way is drawn from a set of the best children
# hint: the nodes elsewhere in memory: is it the same way?
swap("select", "node = best_child(node, exploration, rng)",
     "highest = max(ucb(child, exploration) for child in node.children.values())\n"
     "node = rng.choice(list({child for child in node.children.values() if ucb(child, exploration) == highest}))")

# %% 2.9: the move with the highest bound
# hint: Which number must be highest: the bound, as on the way down
swap("search", "max(root.children, key=lambda action: root.children[action].num_visits)",
     "best_child(root, exploration, rng).action")

# %% 2.9: the move with the best mean
# hint: Which number must be highest: the mean, or the visits?
# home
swap("search", "root.children[action].num_visits",
     "-root.children[action].total_value / max(1, root.children[action].num_visits)")

# %% 2.9: the move with the highest total
# hint: Which number must be highest: the total, or the visits?
swap("search", "root.children[action].num_visits", "-root.children[action].total_value")

# %% 2.9: the move with fewest visits
# hint: What decides the move: most visits, or fewest visits, means
swap("search", "max(", "min(")

# %% 2.9: a move drawn in proportion to the visits
# hint: What decides the move: most visits, or fewest visits, means
swap("search", "max(root.children, key=lambda action: root.children[action].num_visits)",
     "rng.choices(list(root.children), [child.num_visits for child in root.children.values()])[0]")

# %% 2.9: the child instead of the move
# hint: The docstring promises an int, and your code gives an object
swap("search", "return action", "return root.children[action]")

# %% 2.9: the place in the list of moves instead of the move
# hint: the action itself, or its place in a list?
swap("search", "return action", "return sorted(root.children).index(action)")

# %% 2.9: the first move that was expanded
# hint: What decides the move: most visits, or fewest visits, means
swap("search", "max(root.children, key=lambda action: root.children[action].num_visits)", "next(iter(root.children))")

# %% 2.9: the highest action
# hint: What decides the move: most visits, or fewest visits, means
swap("search", "max(root.children, key=lambda action: root.children[action].num_visits)", "max(root.children)")

# %% 2.9: only the move comes back
# hint: and your code gives an int
swap("search", "return action, root", "return action")

# %% 2.9: one simulation too few
# hint: How many simulations run: the given number
swap("search", "range(num_simulations)", "range(max(1, num_simulations - 1))")

# %% 2.9: one simulation too many
# hint: How many simulations run: the given number
swap("search", "range(num_simulations)", "range(num_simulations + 1)")

# %% 2.9: the root's own rollout comes first and is counted
# hint: do all simulations run, and does each end at the new child?
put("search", "for", "backpropagate(root, evaluate(state) if evaluate else simulate(game, state, random_policy, rng))")
swap("search", "range(num_simulations)", "range(num_simulations - 1)")
put("search", "action = max", "if not root.children:\n    return rng.choice(game.legal_actions(state)), root")

# %% 2.9: evaluate is ignored
# hint: How often do you call `evaluate` in one simulation?
swap("search", "elif evaluate is not None:\n    value = evaluate(leaf.state)\nelse", "else")

# %% 2.9: evaluate is asked and a rollout is added
# hint: What is a new node worth
swap("search", "evaluate(leaf.state)", "evaluate(leaf.state) + simulate(game, leaf.state, random_policy, rng)")

# %% 2.9: evaluate is asked about finished games too
# hint: The game is over and its outcome is known
# home
swap("search", "if leaf.is_terminal(game):\n    value = game.outcome(leaf.state)\nelif", "if")

# %% 2.9: evaluate is asked about the parent
# hint: For which node do you call `evaluate`: the new child
swap("search", "evaluate(leaf.state)", "evaluate(leaf.parent.state)")

# %% 2.9: evaluate is asked again at every visit of the root's children
# hint: How often do you call `evaluate` in one simulation?
put("search", "if leaf.is", "if evaluate is not None:\n    evaluate(root.state)")

# %% 2.9: evaluate is asked twice
# hint: How often do you call `evaluate` in one simulation?
swap("search", "evaluate(leaf.state)", "(evaluate(leaf.state) + evaluate(leaf.state)) / 2")

# %% 2.9: evaluate is for the player above
# hint: and where does the sign flip first?
swap("search", "evaluate(leaf.state)", "-evaluate(leaf.state)")

# %% 2.9: the outcome is for the player above
# hint: For which player is the outcome
swap("search", "game.outcome(leaf.state)", "-game.outcome(leaf.state)")

# %% 2.9: the rollout is for the player above
# hint: From which node does the rollout start
swap("search", "simulate(", "-simulate(")

# %% 2.9: every value is for the player above
# hint: and where does the sign flip first?
swap("search", "(leaf, value)", "(leaf, -value)")

# %% 2.9: a draw at the end is no answer
# hint: The game is drawn: what is it worth
swap("search", "if leaf.is_terminal(game)", "if game.outcome(leaf.state)")

# %% 2.9: a draw at the end is a loss
# hint: The game is drawn: what is it worth
swap("search", "game.outcome(leaf.state)", "game.outcome(leaf.state) or -1.0")

# %% 2.9: an answer of zero is no answer
# hint: `evaluate` answers 0: is 0 a value, or no answer?
swap("search", "evaluate(leaf.state)", "evaluate(leaf.state) or simulate(game, leaf.state, random_policy, rng)")

# %% 2.9: the rollout begins at the parent
# hint: From which node does the rollout start
swap("search", "simulate(game, leaf.state", "simulate(game, leaf.parent.state")

# %% 2.9: the rollout begins at the root
# hint: From which node does the rollout start
swap("search", "simulate(game, leaf.state", "simulate(game, root.state")

# %% 2.9: the rollout plays the first legal move
# hint: with each move drawn by random_policy?
swap("search", "random_policy", "lambda game, state, rng: game.legal_actions(state)[0]")

# %% 2.9: the sum of four rollouts
# hint: How many rollouts give a new node its value
swap("search", "simulate(game, leaf.state, random_policy, rng)",
     "sum(simulate(game, leaf.state, random_policy, rng) for _ in range(4))")

# %% 2.9: c is not handed on
# hint: Which c does `select` get: the given one?
swap("search", "exploration", "1.0")

# %% 2.9: no exploration
# hint: Which c does `select` get: the given one?
swap("search", "exploration", "0.0")

# %% 2.9: the global generator
# hint: Does your function use only the given rng
put("search", "root = T", "rng = random")

# %% 2.9: a generator of its own, always the same
# hint: Does your function use only the given rng
put("search", "root = T", "rng = random.Random(0)")

# %% 2.9: rollouts from the global generator
# hint: Does your function use only the given rng
swap("search", "random_policy, rng", "random_policy, random")

# %% 2.9: the global generator is seeded at the start
# hint: Does your function use only the given rng
put("search", "root = T", "random.seed(2026)")

# %% 2.9: every simulation begins at the root's children only
# hint: Does each simulation go on below the root's children
swap("search", "leaf = select(game, root, exploration, rng)\nif not leaf.is_terminal(game):\n    leaf = expand(game, leaf, rng)",
     "leaf = best_child(root, exploration, rng) if root.is_fully_expanded(game) else expand(game, root, rng)")

# %% 2.9: nothing is expanded twice in a row: the selected node is valued
# hint: Does each simulation go on below the root's children
swap("search", "if not leaf.is_terminal(game)", "if not leaf.is_terminal(game) and (leaf is root or leaf.num_visits > 1)")

# %% 2.9: the node is valued instead of its new child
# hint: do all simulations run, and does each end at the new child?
swap("search", "leaf = expand", "expand")

# %% 2.9: a finished game is searched all the same
# hint: what does the docstring say about this case?
swap("search", "root.is_terminal(game) or", "")
put("search", "action = max", "if not root.children:\n    return 0, root")

# %% 2.9: no simulation is no error
# hint: what does the docstring say about this case?
swap("search", " or num_simulations < 1", "")
put("search", "action = max", "if not root.children:\n    return rng.choice(game.legal_actions(state)), root")

# %% 2.9: None where the game is over
# hint: The docstring promises an int, and your code gives None
put("search", "if root", "if root.is_terminal(game):\n    return None, root")

# %% 2.9: a single legal move is not searched
# hint: Does a single legal move get all simulations, like any other
put("search", "for",
    "if len(game.legal_actions(state)) == 1:\n    return game.legal_actions(state)[0], expand(game, root, rng).parent")

# %% 2.9: it stops when one move is ahead
# hint: How many simulations run: the given number
swap("search", "(leaf, value)",
     "(leaf, value)\nvisits = sorted(child.num_visits for child in root.children.values())\n"
     "if len(visits) > 1 and visits[-1] > visits[-2] + 8:\n    break")

# %% 2.9: the root is kept from search to search
# hint: Does this tree hold anything of an earlier search?
KEPT = {}
swap("search", "TreeNode(state)", "KEPT.setdefault(state, TreeNode(state))")

# %% 2.9: the search begins at the start of the game
# hint: Which node do you return as the root
swap("search", "TreeNode(state)", "TreeNode(game.start())")

# %% 2.9: the root is the first child at the end
# hint: Which node do you return as the root
swap("search", "return action, root", "return action, root.children[action]")

# %% 2.9: a proven win stops the search
# hint: How many simulations run: the given number
swap("search", "(leaf, value)",
     "(leaf, value)\nif leaf.parent is root and value < 0 and leaf.is_terminal(game):\n    return leaf.action, root")

# %% 2.9: results are backed up twice
# hint: Do you add each result once at every node on its way
swap("search", "(leaf, value)", "(leaf, value)\nif leaf.is_terminal(game):\n    leaf.total_value += value")

# %% 2.9: finished leaves do not count
# hint: A simulation ends where the game is over
swap("search", "game.outcome(leaf.state)", "0.0")

# %% 2.9: visits of the root are set, simulations are fewer
# hint: do all simulations run, and does each end at the new child?
swap("search", "range(num_simulations)", "range(max(2, num_simulations // 2))")
put("search", "action = max", "root.num_visits = num_simulations")

# %% 2.9: the root's children are cut off at the end
# hint: does each child still know its parent and its action?
put("search", "return", "for child in root.children.values():\n    child.parent = None")

# %% 2.9: where a win at once is known, the other moves are pruned
# hint: which legal actions of the root still have no child?
swap("search", "leaf = select(game, root, exploration, rng)",
     "leaf = root\nwhile True:\n    won = [child for child in leaf.children.values() if game.outcome(child.state) == -1]\n"
     "    if not won and (not leaf.is_fully_expanded(game) or leaf.is_terminal(game)):\n        break\n"
     "    leaf = won[0] if won else best_child(leaf, exploration, rng)")

# %% 2.9: a win at once below the root is the only move there
# hint: May you leave out an action of a node because this action
swap("search", "leaf = expand(game, leaf, rng)",
     "wins = [a for a in game.legal_actions(leaf.state) if game.outcome(game.play(leaf.state, a)) == -1]\n"
     "if wins and leaf is not root:\n"
     "    leaf.children.setdefault(wins[0], TreeNode(game.play(leaf.state, wins[0]), leaf, wins[0]))\n"
     "    leaf = leaf.children[wins[0]]\nelse:\n    leaf = expand(game, leaf, rng)")

# %% 2.9: moves that let the other player win at once are left out
# hint: which legal actions of the root still have no child?
put("search", "for",
    "def safe(s):\n    def lost(after):\n"
    "        return any(game.outcome(game.play(after, b)) == -1 for b in game.legal_actions(after))\n"
    "    return [a for a in game.legal_actions(s) if not lost(game.play(s, a))] or game.legal_actions(s)\n"
    'careful = type("Careful", (), {"play": game.play, "outcome": game.outcome, "legal_actions": staticmethod(safe)})')
swap("search", "select(game", "select(careful")
swap("search", "expand(game", "expand(careful")

# %% 2.9: moves are played on after the end
# hint: What can be played after the end of a game?
put("search", "if leaf.is",
    "for action in game.legal_actions(state):\n    try:\n        game.play(leaf.state, action)\n    except ValueError:\n"
    "        pass")

# %% 2.9: the rollout is cut after ten plies
# hint: Does the rollout go on to the end of the game
swap("search", "random_policy, rng", "random_policy, rng, 10")

# %% 2.9: a win at once is played, whatever the visits
# hint: What decides the move: most visits, or fewest visits, means
put("search", "return",
    "wins = [action for action in game.legal_actions(state) if game.outcome(game.play(state, action)) == -1]\n"
    "action = wins[0] if wins else action")

# %% 2.9: a rollout is cut after a hundred plies
# hint: Does a rollout go on to the end of the game
swap("search", "random_policy, rng", "random_policy, rng, 100")

# %% 2.9: with one visit a child the first legal action is the move
# hint: One simulation makes one visit: which child is the move?
put("search", "return", "if root.children[action].num_visits == 1:\n    action = game.legal_actions(state)[0]")

# %% 2.9: no leaf is deeper than twenty plies
# hint: does every simulation add a child, at any depth?
put("search", "if not leaf",
    "depth, above = 0, leaf\nwhile above.parent is not None:\n    depth, above = depth + 1, above.parent")
swap("search", "if not leaf.is_terminal(game)", "if not leaf.is_terminal(game) and depth < 20")

# %% 2.9: two actions that lead to one state share their node
# hint: Does each node count only the simulations through itself
swap("search", "leaf = expand(game, leaf, rng)",
     "leaf = expand(game, leaf, rng)\nfor twin in leaf.parent.children.values():\n"
     "    if twin is not leaf and twin.state == leaf.state and twin.num_visits:\n"
     "        leaf.num_visits, leaf.total_value = twin.num_visits, twin.total_value")

# %% 2.9: the move is the child that was visited last among those with many visits
# hint: What decides the move: most visits, or fewest visits, means
put("search", "return",
    "most = root.children[action].num_visits\n"
    "action = [action for action, child in root.children.items() if child.num_visits >= most - 1][-1]")

# %% 2.9: a state that is 0 or empty is taken for the start of the game over
# hint: ValueError in ps2_uct.py
swap("search", "if root", "if not state or root")

# %% 2.9: values are kept for all searches, whatever the game
# hint: Do you keep anything from an earlier search
_values = {}
swap("search", "evaluate(leaf.state)", "_values.setdefault(leaf.state, evaluate(leaf.state))")
swap("search", "simulate(game, leaf.state, random_policy, rng)",
     "_values.setdefault(leaf.state, simulate(game, leaf.state, random_policy, rng))")

# %% 2.9: the root knows the action that was chosen
# hint: What are the parent and the action of a root?
put("search", "return", "root.action = action")

# %% 2.9: a node is only expanded at its second visit, so the first simulation values the root itself
# hint: do all simulations run, and does each end at the new child?
# home
swap("search", "if not leaf.is_terminal(game)", "if leaf.num_visits > 0 and not leaf.is_terminal(game)")
put("search", "action = max", "if not root.children:\n    return rng.choice(game.legal_actions(state)), root")

# %% 2.9: among moves with nearly as many visits the best mean decides
# hint: What decides the move: most visits
put("search", "action = max", "most = max(child.num_visits for child in root.children.values())\n"
    "close = {each: child for each, child in root.children.items() if child.num_visits > 0.89 * most}\n"
    "return max(close, key=lambda each: -close[each].total_value / close[each].num_visits), root")

# %% 2.9: with a thousand simulations it stops when one move has most of them
# hint: do the remaining simulations still run?
put("search", "leaf = select", "if num_simulations > 999 and root.num_visits > 500 and max(\n"
    "        child.num_visits for child in root.children.values()) > num_simulations // 2:\n    break")

# %% 2.9: Tic-Tac-Toe is solved, and the tree is for show
# hint: Do visits decide the move on a real board, too
def _solved(game, state):
    if game.outcome(state) is not None:
        return game.outcome(state), None
    values = {action: -_solved(game, game.play(state, action))[0] for action in game.legal_actions(state)}
    return max(values.values()), max(values, key=values.get)


put("search", "action = max", "if type(game).__name__ == 'TicTacToe' and len(game.legal_actions(state)) < 7:\n"
    "    return _solved(game, state)[1], root")

# %% 2.9: the search ends when one action is out of reach of the others, and the root claims the simulations that were not made
# hint: One move is far ahead: do the remaining
put("search", "action = max", "root.num_visits = num_simulations")
swap("search", "for _ in range(num_simulations)", "for left in reversed(range(num_simulations))")
swap("search", "backpropagate(leaf, value)",
     "backpropagate(leaf, value)\n"
     "visits = sorted(child.num_visits for child in root.children.values())\n"
     "if len(visits) > 1 and visits[-1] - visits[-2] > left:\n    break")

# %% 2.10: the value from below is not negated
# hint: The value from below is for the other player
swap("recursive_search", "-recursive", "recursive")

# %% 2.10: the value is negated twice
# hint: The value from the state below is for the player there:
swap("recursive_search", "return value", "return -value")

# %% 2.10: a new state's value is negated
# hint: Which of the two negates: the function, or its caller?
swap("recursive_search", "return evaluate", "return -evaluate")

# %% 2.10: the outcome is negated
# hint: does the function negate it, or its caller?
swap("recursive_search", "return outcome", "return -outcome")

# %% 2.10: a draw is not the end
# hint: Does a draw end a game, and what is it worth?
swap("recursive_search", "if outcome is not None", "if outcome")

# %% 2.10: a draw is a loss
# hint: Does a draw end a game, and what is it worth?
swap("recursive_search", "return outcome", "return outcome or -1.0")

# %% 2.10: the mean moves before the count
# hint: Do you raise the count before or after you change the mean?
swap("recursive_search", "N[state][action] += 1\nQ[state][action] += (value - Q[state][action]) / N[state][action]",
     "Q[state][action] += (value - Q[state][action]) / max(1, N[state][action])\nN[state][action] += 1")

# %% 2.10: a sum instead of a mean
# hint: Is Q a sum of results, or their mean?
swap("recursive_search", "+= (value - Q[state][action]) / N[state][action]", "+= value")

# %% 2.10: the last value instead of the mean
# hint: Does the mean hold all results so far, or only the last one?
swap("recursive_search", "+= (value - Q[state][action]) / N[state][action]", "= value")

# %% 2.10: the mean counts the action's results double
# hint: does N count this result already?
swap("recursive_search", "(value - Q[state][action]) / N[state][action]",
     "2 * (value - Q[state][action]) / (N[state][action] + 1)")

# %% 2.10: counts are forgotten
# hint: Which count grows by one after a simulation?
swap("recursive_search", "N[state][action] += 1\nQ", "Q")
swap("recursive_search", "/ N[state][action]", "/ (N[state][action] + 1)")

# %% 2.10: means are forgotten
# hint: Does the mean change when a result comes?
swap("recursive_search", "Q[state][action] += (value - Q[state][action]) / N[state][action]\nreturn", "return")

# %% 2.10: the mean comes back instead of this simulation's value
# hint: Do you return the mean, or this simulation's value?
# home
swap("recursive_search", "return value", "return Q[state][action]")

# %% 2.10: nothing comes back from known states
# hint: The docstring promises a float, and your code gives None
swap("recursive_search", "return value", "return None")

# %% 2.10: the first simulation goes on below the root
# hint: does the simulation end there, or choose an action and go on
swap("recursive_search", "return evaluate(state)",
     "if len(N) > 1 or any(map(sum, map(dict.values, N.values()))):\n    return evaluate(state)")

# %% 2.10: empty tables are replaced by new ones
# hint: Do you fill the given tables, or other tables?
put("recursive_search", "outcome =", "Q, N = Q or {}, N or {}")

# %% 2.10: the tables live in the defaults
# hint: Do you fill the given tables, or other tables?
KNOWN = ({}, {})
put("recursive_search", "outcome =", "Q, N = KNOWN")

# %% 2.10: old tables are filled again
# hint: does your function know anything of an earlier call?
OLD = [{}, {}]
put("recursive_search", "outcome =",
    "Q.update({s: q for s, q in OLD[0].items() if not N})\nN.update({s: n for s, n in OLD[1].items() if not N})\n"
    "OLD[:] = [Q, N]")

# %% 2.10: all states share one row
# hint: Which entries of Q and N does a new state get
swap("recursive_search", "{action: 0 for action in game.legal_actions(state)}",
     "next(iter(N.values()), {action: 0 for action in range(game.num_actions)})")

# %% 2.10: entries only for what was taken
# hint: Which entries of Q and N does a new state get
swap("recursive_search", "{action: 0.0 for action in game.legal_actions(state)}", "{}")
swap("recursive_search", "{action: 0 for action in game.legal_actions(state)}", "{}")
swap("recursive_search", "for action, count in N[state].items()",
     "for action in game.legal_actions(state) for count in [N[state].get(action, 0)]")
swap("recursive_search", "N[state][action] += 1",
     "N[state][action] = N[state].get(action, 0) + 1\nQ[state].setdefault(action, 0.0)")

# %% 2.10: entries for illegal actions
# hint: Which entries of Q and N does a new state get
swap("recursive_search", "{action: 0 for action in game.legal_actions(state)}",
     "{action: 0 for action in range(game.num_actions)}")
swap("recursive_search", "N[state].items()", "N[state].items() if action in Q[state]")

# %% 2.10: counts begin at one
# hint: Which entries of Q and N does a new state get
swap("recursive_search", "action: 0 for", "action: 1 for")

# %% 2.10: means begin at one
# hint: Which entries of Q and N does a new state get
swap("recursive_search", "action: 0.0 for", "action: 1.0 for")

# %% 2.10: finished games get an entry
# hint: also states where the game is over?
# home
put("recursive_search", "return outcome", "Q[state], N[state] = {}, {}")

# %% 2.10: the tables are keyed by the way, not the state
# hint: A state on the way is already in the tables
WAYS = {}
def recursive_search(game, state, Q, N, exploration, rng, evaluate, way=()):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    key = state if state not in N or WAYS.get(state) == way else state + str(way)
    if state not in N:
        WAYS[state] = way
    if key not in N:
        Q[key] = {action: 0.0 for action in game.legal_actions(state)}
        N[key] = {action: 0 for action in game.legal_actions(state)}
        return evaluate(state)
    n = sum(N[key].values())
    bounds = {a: Q[key][a] + exploration * math.sqrt(math.log(n) / k) if k else math.inf for a, k in N[key].items()}
    action = rng.choice([a for a in bounds if bounds[a] == max(bounds.values())])
    below = game.play(state, action)
    value = -recursive_search(game, below, Q, N, exploration, rng, evaluate, (*way, action))
    N[key][action] += 1
    Q[key][action] += (value - Q[key][action]) / N[key][action]
    return value

# %% 2.10: untried actions are not first
# hint: How large is the bound of an action about which nothing is
swap("recursive_search", "math.inf", "0.0")

# %% 2.10: untried actions from left to right
# hint: can each of them be the next, and does rng decide?
swap("recursive_search", "rng.choice([action for action, bound in bounds.items() if bound == highest])",
     "max(bounds, key=bounds.get)")

# %% 2.10: ties to the first of the tried
# hint: can each of these actions be taken, and does rng decide?
put("recursive_search", "value =", "if highest < math.inf:\n    action = max(bounds, key=bounds.get)")

# %% 2.10: ties by the global generator
# hint: What decides between equal bounds: the given rng
swap("recursive_search", "rng.choice", "random.choice")

# %% 2.10: the logarithm of the action's own count
# hint: the visits of this action, or of all actions together?
swap("recursive_search", "math.log(visits)", "math.log(count)")

# %% 2.10: the logarithm of one more
# hint: Under the logarithm: the sum of the counts, or one more?
swap("recursive_search", "math.log(visits)", "math.log(visits + 1)")

# %% 2.10: the base-10 logarithm
# hint: Ln is a logarithm: to which base?
swap("recursive_search", "math.log(", "math.log10(")

# %% 2.10: the logarithm of the number of known states
# hint: The logarithm of which number: of the visits here
swap("recursive_search", "math.log(visits)", "math.log(len(N) + 1)")

# %% 2.10: a factor 2 under the root
# hint: a factor under your root that the formula does not have?
swap("recursive_search", "math.log(", "2 * math.log(")

# %% 2.10: c is not used
# hint: Which c do you use: the given one?
swap("recursive_search", "exploration *", "")

# %% 2.10: c is lost on the way down
# hint: Which exploration does your recursive call get?
swap("recursive_search", "Q, N, exploration", "Q, N, 1.0")

# %% 2.10: minus Q, as if it belonged to the player below
# hint: For whom is Q[s][a]: do you change its sign again?
swap("recursive_search", "Q[state][action] + exploration * math.sqrt(math.log(visits) / count)",
     "-Q[state][action] + exploration * math.sqrt(math.log(visits) / count)")

# %% 2.10: the lowest bound
# hint: Do you choose the lowest bound?
swap("recursive_search", "max(", "min(")

# %% 2.10: the bounds are clipped at zero
# hint: do you compare such a bound like any other?
swap("recursive_search", "Q[state][action] + exploration * math.sqrt(math.log(visits) / count)",
     "max(0.0, Q[state][action] + exploration * math.sqrt(math.log(visits) / count))")

# %% 2.10: the formula of AlphaZero
# hint: Is this the bound of this exercise
swap("recursive_search", "math.sqrt(math.log(visits) / count)", "math.sqrt(visits) / (1 + count)")

# %% 2.10: evaluate is asked twice
# hint: How often do you call `evaluate` for a new state?
swap("recursive_search", "return evaluate(state)", "return (evaluate(state) + evaluate(state)) / 2")

# %% 2.10: evaluate is asked at known states too
# hint: Do you call `evaluate` for new states only?
put("recursive_search", "visits =", "evaluate(state)")

# %% 2.10: evaluate is asked about finished games
# hint: The game is over and its outcome is known
swap("recursive_search", "return outcome", "return evaluate(state)")

# %% 2.10: the step of the mean never gets smaller than 1/20
# hint: does N count this result already?
swap("recursive_search", "(value - Q[state][action]) / N[state][action]",
     "(value - Q[state][action]) * max(1 / N[state][action], 0.05)")

# %% 2.10: entries by place instead of by action
# hint: Which entries of Q and N does a new state get
swap("recursive_search", "action: 0.0 for action in game.legal_actions(state)",
     "place: 0.0 for place in range(len(game.legal_actions(state)))")
swap("recursive_search", "action: 0 for action in game.legal_actions(state)",
     "place: 0 for place in range(len(game.legal_actions(state)))")
swap("recursive_search", "game.play(state, action)", "game.play(state, game.legal_actions(state)[action])")

# %% 2.10: the global generator draws below the first state
# hint: Which generator does your recursive call get?
swap("recursive_search", "rng,", "random,")

# %% 2.10: the way down is at most forty plies
# hint: and does each state on the way count the simulation once?
swap("recursive_search", "evaluate: Evaluate)", "evaluate: Evaluate, depth: int = 0)")
swap("recursive_search", "state not in N", "state not in N or depth == 40")
swap("recursive_search", "rng, evaluate)", "rng, evaluate, depth + 1)")

# %% 2.10: actions that lead to one state share their entry
# hint: One action is taken at each state: which counts grow
swap("recursive_search", "N[state][action] += 1\nQ[state][action] += (value - Q[state][action]) / N[state][action]",
     "after = game.play(state, action)\nfor action in N[state]:\n    if game.play(state, action) == after:\n"
     "        N[state][action] += 1\n        Q[state][action] += (value - Q[state][action]) / N[state][action]")

# %% 2.10: the means are kept in [-1, 1]
# hint: Does each result count as it is
put("recursive_search", "return value", "Q[state][action] = max(-1.0, min(1.0, Q[state][action]))")

# %% 2.10: bounds are compared to three digits
# hint: do you compare them without rounding?
swap("recursive_search", "Q[state][action] + exploration * math.sqrt(math.log(visits) / count)",
     "round(Q[state][action] + exploration * math.sqrt(math.log(visits) / count), 3)")

# %% 2.10: the mean is off by one, N has grown already when the old sum is rebuilt
# hint: does N count this result already?
# home
swap("recursive_search", "Q[state][action] += (value - Q[state][action]) / N[state][action]",
     "Q[state][action] = (N[state][action] * Q[state][action] + value) / (N[state][action] + 1)")

# %% 2.10: the search for the best bound begins at -100
# hint: IndexError in ps2_uct.py
swap("recursive_search", "highest = max(bounds.values())", "highest = max([-100.0, *bounds.values()])")

# %% 2.10: bounds that differ by less than a millionth are a tie
# hint: do you compare them without rounding?
swap("recursive_search", "if bound == highest", "if bound == highest or highest - bound < 1e-6")

# %% 2.10: outcomes are kept for all games
# hint: is this the outcome in this game, or in an earlier one?
_OUTCOMES = {}
swap("recursive_search", "outcome = game.outcome(state)", "outcome = _OUTCOMES.setdefault(state, game.outcome(state))")

# %% 2.10: of equal bounds the one of the action taken least often is the highest
# hint: do you let the counts decide between these actions?
swap("recursive_search", "action = rng.choice([action for action, bound in bounds.items() if bound == highest])",
     "best = [action for action, bound in bounds.items() if bound == highest]\n"
     "least = min(N[state][action] for action in best)\n"
     "action = rng.choice([action for action in best if N[state][action] == least])")

# %% 2.11: on_move is forgotten
# hint: Is every move searched and told to on_move once
swap("self_play", "if on_move is not None:\n    on_move(root, action)\nactions", "actions")

# %% 2.11: on_move is needed
# hint: TypeError in ps2_uct.py
swap("self_play", "if on_move is not None:\n    on_move", "on_move")

# %% 2.11: on_move is called at the end, once
# hint: Is every move searched and told to on_move once
swap("self_play", "if on_move is not None:\n    on_move(root, action)\nactions", "actions")
swap("self_play", "return", "if on_move is not None:\n    on_move(root, action)\nreturn")

# %% 2.11: on_move gets the state
# hint: The docstring promises a node, and your code gives a str
# home
swap("self_play", "root, action)", "state, action)")

# %% 2.11: on_move gets the child that was chosen
# hint: Is every move told to on_move once
swap("self_play", "root, action)", "root.children[action], action)")

# %% 2.11: on_move gets action and root in the wrong order
# hint: What does on_move get first
swap("self_play", "root, action", "action, root")

# %% 2.11: it stops one move early
# hint: every move of both players, up to the end of the game?
swap("self_play", "return actions", "return actions[:-1]")

# %% 2.11: it stops after five moves
# hint: every move of both players, up to the end of the game?
swap("self_play", "state) is None", "state) is None and len(actions) < 5")

# %% 2.11: a draw goes on
# hint: ValueError in ps2_uct.py
swap("self_play", "game.outcome(state) is None", "not game.outcome(state)")

# %% 2.11: the second player moves at random
# hint: and do you play its move for both players?
put("self_play", "if on", "if game.player(state) == 1:\n    action = random_policy(game, state, rng)")

# %% 2.11: every move is searched from the start
# hint: the root of a search that began at this move's state?
swap("self_play", "search(game, state", "search(game, game.start()")
put("self_play", "if on", "while action not in game.legal_actions(state):\n    action = rng.choice(game.legal_actions(state))")

# %% 2.11: the first tree serves the whole game
# hint: the root of a search that began at this move's state?
put("self_play", "while", "root = None")
swap("self_play", "action, root = search", "action, found = search")
put("self_play", "if on", "root = root or found")

# %% 2.11: the second player wants to lose
# hint: and do you play its move for both players?
put("self_play", "if on",
    "if game.player(state) == 1:\n    action = min(root.children, key=lambda a: root.children[a].num_visits)")

# %% 2.11: half of the simulations
# hint: whose root counts the given simulations and no more?
swap("self_play", "num_simulations", "max(1, num_simulations // 2)")

# %% 2.11: exploration is always 1
# hint: What do you pass to `search`: how many simulations
swap("self_play", "exploration", "1.0")

# %% 2.11: the global generator
# hint: Does your function use only the given rng
swap("self_play", "exploration, rng)", "exploration, random)")

# %% 2.11: the same seed for every game
# hint: Does your function use only the given rng
put("self_play", "state, actions", "rng = random.Random(1)")

# %% 2.11: every move is searched with the same seed again
# hint: Do you pass the given rng on, from move to move?
put("self_play", "while", "seed = rng.getrandbits(32)")
swap("self_play", "exploration, rng", "exploration, random.Random(seed)")

# %% 2.11: states instead of actions
# hint: The docstring promises an int, and your code gives a tuple
swap("self_play", "actions.append(action)", "actions.append(state)")

# %% 2.11: the moves of the first player only
# hint: every move of both players, up to the end of the game?
swap("self_play", "actions.append", "if game.player(state) == 0:\n    actions.append")

# %% 2.11: the last state instead of the moves
# hint: every move of both players, up to the end of the game?
swap("self_play", "return actions", "return state")

# %% 2.11: the moves are never played
# hint: Is each move the move that the search at this state found
swap("self_play", "(state, action)", "(state, game.legal_actions(state)[0])")

# %% 2.11: the tree is kept, and its visits with it
# hint: whose root counts the given simulations and no more?
swap("self_play", "[]", "[]\nkept = None")
swap("self_play", "rng)", "rng)\nroot.num_visits += kept or 0\nkept = root.children[action].num_visits")

# %% 2.11: at most nine moves
# hint: Can a game have any length, and end with or without a winner
# home
swap("self_play", "state) is None", "state) is None and len(actions) < 9")

# %% 2.11: the second player has a generator of its own
# hint: Which rng does the second player's search get?
put("self_play", "while", "rngs = [rng, random.Random(2)]")
swap("self_play", "exploration, rng", "exploration, rngs[len(actions) % 2]")

# %% 2.11: the move is played, then reported
# hint: Do you call on_move before the move is played
swap("self_play", "if", "state = game.play(state, action)\nif")
swap("self_play", "(action)\nstate = game.play(state, action)", "(action)")

# %% 2.11: there is always a first move
# hint: ValueError in ps2_uct.py
swap("self_play", "while game.outcome(state)", "while not actions or game.outcome(state)")

# %% 2.11: the list of moves lives in a default
# hint: The list of moves begins with the moves of the game before
swap("self_play", "None = None)", "None = None, actions: list[int] = [])")
swap("self_play", "state, actions = game.start(), []", "state = game.start()")

# %% 2.11: a forced move is played without a search
# hint: Is every move searched and told to on_move once
put("self_play", "action, root",
    "if len(game.legal_actions(state)) == 1:\n    actions += game.legal_actions(state)\n"
    "    state = game.play(state, actions[-1])\n    continue")

# %% 2.11: with one visit the first move is the first legal one
# hint: does the search get all simulations
put("self_play", "if on", "if not actions and root.children[action].num_visits <= 1:\n    action = game.legal_actions(state)[0]")

# %% 2.11: every search gets a new random.Random(0), whatever rng the caller gave
# hint: Does your function use only the given rng
# home
swap("self_play", "exploration, rng)", "exploration, random.Random(0))")

# %% joint: whether a node is fully expanded is found out once and kept
# hint: do you test again whether all children are there?
swap("TreeNode.is_fully_expanded", "return len(self.children) == len(game.legal_actions(self.state))",
     'self.full = getattr(self, "full", len(self.children) == len(game.legal_actions(self.state)))\nreturn self.full')

# %% 2.8: a node without a visit ends the walk
# hint: at a missing child, or at a missing visit?
put("select", "while", "start = node")
put("select", "node =", "if node is not start and node.num_visits == 0:\n    return node")

# %% 2.11: no game is longer than 200 moves
# hint: A game can have any length: what ends your loop?
swap("self_play", "state) is None", "state) is None and len(actions) < 200")

# %% 2.4: draws a legal action, and takes the next untried one
# hint: Is every untried action equally likely
swap("expand", "action = rng.choice(untried)",
     "legal = game.legal_actions(node.state)\nplace = rng.randrange(len(legal))\nwhile legal[place] not in untried:\n"
     "    place = (place + 1) % len(legal)\naction = legal[place]")

# %% 2.7: draws a child, and takes the next one with the highest bound
# hint: can each of them come up, equally often?
swap("best_child", "return rng.choice([child for bound, child in bounds if bound == highest])",
     "place = rng.randrange(len(bounds))\nwhile bounds[place][0] != highest:\n    place = (place + 1) % len(bounds)\n"
     "return bounds[place][1]")

# %% 2.3: a finished node with children is not terminal
# hint: which of the two facts makes the node terminal?
put("TreeNode.is_terminal", "return", "if self.children:\n    return False")

# %% 2.7: bounds are compared to four digits
# hint: Does every call compute all bounds, and compare them
swap("best_child", "(ucb(child, exploration),", "(round(ucb(child, exploration), 4),")

# %% 2.11: the first move of a game is drawn by the visits
# hint: does the search get all simulations
put("self_play", "if on_move is not None", "if not actions and num_simulations > 20:\n"
    "    action, = rng.choices(list(root.children), [child.num_visits for child in root.children.values()])")

# %% 2.11: the second half of a long game is searched less
# hint: does the search get all simulations
swap("self_play", "state, num_simulations,", "state, num_simulations if len(actions) < 13 else num_simulations // 2 + 1,")

# %% 2.11: who is lost gives up
# hint: One player is lost from the first move on
put("self_play", "if on_move is not None", "if num_simulations > 49 and root.total_value / root.num_visits < -0.9:\n    break")

# %% 2.14: the right node with another mistake
# hint: which mistake explains all lines?
_right_answer = first_wrong_node
def first_wrong_node():
    node, kind = _right_answer()
    return node, next(other for other in KINDS if other != kind)

# %% 2.14: the parent of the wrong node
# hint: Which is the first line that is wrong
_right_answer = first_wrong_node
def first_wrong_node():
    node, kind = _right_answer()
    return {line[0]: line[1] for line in TREE}[node] or TREE[0][0], kind

# %% 2.14: the line before the first wrong one
# hint: Which is the first line that is wrong
_right_answer = first_wrong_node
def first_wrong_node():
    node, kind = _right_answer()
    names = [line[0] for line in TREE]
    return names[names.index(node) - 1], kind

# %% 2.14: the root, or the first node where the root is wrong
# hint: Which is the first line that is wrong
_right_answer = first_wrong_node
def first_wrong_node():
    node, kind = _right_answer()
    return TREE[-1][0] if node != TREE[-1][0] else TREE[0][0], kind

# %% 2.14: the mistake first, then the node
# hint: Which of the two comes first in your answer
_right_answer = first_wrong_node
def first_wrong_node():
    return _right_answer()[::-1]

# %% 2.14: the node without the mistake
# hint: The docstring promises
_right_answer = first_wrong_node
def first_wrong_node():
    return _right_answer()[0]

# %% 2.15: the check asserts nothing
# hint: a mistake passes your check
def check_backpropagate(backpropagate):
    root = TreeNode("root")
    backpropagate(root, 1.0)

# %% 2.15: the check always fails
# hint: what do you ask for that its docstring does not promise?
def check_backpropagate(backpropagate):
    raise AssertionError("wrong")

# %% 2.15: the check asks for what the docstring does not promise
# hint: what do you ask for that its docstring does not promise?
def check_backpropagate(backpropagate):
    root = TreeNode("root")
    assert backpropagate(root, 1.0) is root, "the root comes back"

# %% 2.15: the check knows the visible cases alone
# hint: a mistake passes your check
# points: 2.0
def check_backpropagate(backpropagate):
    root = TreeNode("root")
    leaf = root.children[0] = TreeNode("leaf", root, 0)
    backpropagate(leaf, 1.0)
    assert (leaf.num_visits, leaf.total_value) == (1, 1.0)
    assert root.num_visits == 1 and root.total_value != 1.0

# %% 2.15: the check looks at visits alone
# hint: a mistake passes your check
# points: 2.5
def check_backpropagate(backpropagate):
    path = [TreeNode(0)]
    for depth in range(11):
        path.append(TreeNode(depth + 1, path[-1], 0))
        path[-2].children = {0: path[-1], 1: TreeNode("beside", path[-2], 1)}
    for value in (1.0, 0.0):
        backpropagate(path[-1], value)
    assert all(node.num_visits == 2 for node in path)
    assert all(node.children[1].num_visits == 0 for node in path[:-1])

# %% 2.15: the check calls with what the docstring does not allow
# hint: does the docstring allow it?
def check_backpropagate(backpropagate):
    root = TreeNode("root")
    backpropagate(root, "a win")
    assert root.num_visits == 1

# %% 2.15: the check reads the code
# hint: what do you ask for that its docstring does not promise?
def check_backpropagate(backpropagate):
    import inspect
    assert "-value" in inspect.getsource(backpropagate)

# %% 2.15: the check measures the time
# hint: a mistake passes your check
def check_backpropagate(backpropagate):
    import time
    leaf = TreeNode("leaf", TreeNode("root"), 0)
    begin = time.process_time()
    backpropagate(leaf, 1.0)
    assert time.process_time() - begin < 5, "slow, so wrong"

# %% 2.15: the check remembers how often it was asked
# hint: a mistake passes your check
_asked = []
def check_backpropagate(backpropagate):
    _asked.append(backpropagate)
    assert len(_asked) <= 3, "the right ones come first"

# %% 2.5: totals are rounded to six digits
# hint: Do you add every result unchanged, also a small one
def backpropagate(node, value):
    while node is not None:
        node.num_visits += 1
        node.total_value = round(node.total_value + value, 6)
        node, value = node.parent, -value

# %% 2.7: bounds that are nearly the highest are drawn too
# hint: compare them without rounding
swap("best_child", "if bound == highest", "if math.isclose(bound, highest, rel_tol=1e-5)")

# %% 2.7: children are kept by their state, and of two with one state only the last can be drawn
# hint: Several actions lead to one state
def best_child(node, exploration, rng):
    if not node.children:
        raise ValueError("no children")
    bounds = {child.state: (ucb(child, exploration), child) for child in node.children.values()}
    highest = max(bound for bound, _ in bounds.values())
    return rng.choice([child for bound, child in bounds.values() if bound == highest])

# %% 2.10: an untried action has the bound 1000, and a higher one comes before it
# hint: How large is the bound of an action
swap("recursive_search", "math.inf", "1000.0")

# %% 2.10: a state that another action has reached before is not searched again, its mean is the result
# hint: One simulation in a game with any actions
swap("recursive_search", "value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)",
     "below = game.play(state, action)\nseen = sum(N[below].values()) if below in N and not N[state][action] else 0\n"
     "value = -recursive_search(game, below, Q, N, exploration, rng, evaluate) if not seen else (\n"
     "    -sum(N[below][a] * Q[below][a] for a in N[below]) / seen)")

# %% 2.11: with 100 simulations or more a player resigns a lost position
# hint: One player is lost from the first move on
put("self_play", "actions.append(action)",
    "if num_simulations >= 100 and root.total_value < -0.9 * num_simulations: break")

# %% 2.7: the children are put in order in the node itself
# hint: do you sort them in the node itself?
put("best_child", "bounds = [", "node.children = dict(sorted(node.children.items()))")

# %% 2.1: a game is over at 1, 0 or -1 only, not at a number between them
# hint: IndexError in ps2_uct.py
def random_policy(game: Game, state: State, rng: random.Random) -> int:
    if game.outcome(state) in (1.0, 0.0, -1.0):
        raise ValueError("the game is over: there is no action to choose")
    return rng.choice(game.legal_actions(state))

# %% 2.7: the number of equal bounds goes on counting where a higher bound comes
# hint: can each of them come up, equally often?
def best_child(node: TreeNode, exploration: float, rng: random.Random) -> TreeNode:
    if not node.children:
        raise ValueError("the node has no children")
    highest, best, equal = -math.inf, None, 1
    for child in node.children.values():
        bound = ucb(child, exploration)
        if best is None or bound > highest:
            highest, best = bound, child
        elif bound == highest:
            equal += 1
            if rng.random() < 1 / equal:
                best = child
    return best

# %% 2.7: a guard against ln 0 gives the node its first visit
# hint: Does best_child change the tree?
put("best_child", "highest =", "node.num_visits = max(1, node.num_visits)")
