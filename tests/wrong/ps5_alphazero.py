# Wrong answers to ps5_alphazero. Each cell names the exercise that it breaks, and is appended to the solution.
# `make verify` wants every one to lose the points of that exercise, and of the joint check at most beside it.
# A cell: `# %% 2.5: what is wrong`, `# hint: ` words of the hint, and `swap` or `put` (autograder/problem_sets/bank/edits.py).
# `# home` marks a natural mistake: the visible check catches it too (tests/unit/test_natural_mistakes.py).

# %% 5.1: the softmax goes over all actions, and the illegal ones are taken out afterwards
# hint: the probability does your softmax give to illegal actions?
# home
swap("Policy.forward", "torch.where(legal, logits, -1e9)", "logits")

# %% 5.1: illegal logits become -inf
# hint: and what is a large finite number times 0?
swap("Policy.forward", "torch.where(legal, logits, -1e9)", "torch.where(legal, logits, -math.inf)")
swap("Policy.forward", "torch.where(legal, log_p, -1e9)", "log_p")

# %% 5.1: -1e9 before the softmax only, so that low logits lift it and an empty row gets equal shares
# hint: how low must log p of an illegal action be in the result?
# home
swap("Policy.forward", "torch.where(legal, log_p, -1e9)", "log_p")

# %% 5.1: the softmax goes along the batch
# hint: Is the softmax over the actions of a board
swap("Policy.forward", "torch.where(legal, logits, -1e9), 1)", "torch.where(legal, logits, -1e9), 0)")

# %% 5.1: the softmax is taken twice
# hint: How often do you apply a softmax to the logits?
swap("Policy.forward", "self.policy_head(x)", "torch.softmax(self.policy_head(x), 1)")

# %% 5.1: probabilities instead of their logarithms
# hint: Does the network return probabilities, or their logarithms?
swap("Policy.forward", "log_softmax", "softmax")

# %% 5.1: the mask is read the other way round
# hint: those where legal is True, or the others?
swap("Policy.forward", "legal, logits", "~legal, logits")
swap("Policy.forward", "legal, log_p", "~legal, log_p")

# %% 5.1: an illegal logit counts as 0
# hint: still add to the softmax?
swap("Policy.forward", "torch.where(legal, logits, -1e9)", "logits * legal")

# %% 5.1: the first board's mask holds for all
# hint: Does every board have its own legal actions
swap("Policy.forward", "legal, logits", "legal[0], logits")
swap("Policy.forward", "legal, log_p", "legal[0], log_p")

# %% 5.1: -100 is taken for impossible
# hint: how low must log p of an illegal action be in the result?
swap("Policy.forward", "log_p, -1e9", "log_p, -100.0")

# %% 5.1: a large epsilon keeps the logarithm finite
# hint: number to the probabilities before you take their logarithm?
swap("Policy.forward", "log_p = torch.log_softmax(torch.where(legal, logits, -1e9), 1)",
     "odds = torch.exp(logits.clamp(-20, 20)) * legal\n"
     "log_p = torch.log(odds / odds.sum(1, keepdim=True).clamp(min=1e-20) + 0.001)")

# %% 5.1: the value through a sigmoid
# hint: Between which two numbers
swap("Policy.forward", "tanh", "sigmoid")

# %% 5.1: the value without a tanh
# hint: What keeps the value
swap("Policy.forward", "torch.tanh(self.value_head(x))", "self.value_head(x)")

# %% 5.1: the value keeps a second dimension
# hint: Is the value one number for each board
swap("Policy.forward", ".squeeze(1)", "")

# %% 5.1: squeeze without a dimension loses the batch of one
# hint: The batch has one board: which dimension do you remove?
# home
swap("Policy.forward", ".squeeze(1)", ".squeeze()")

# %% 5.1: the batch is normalised by its own mean, in eval mode too
# hint: the answer for a board depend on other boards in the batch?
put("Policy.forward", "logits =", "x = x - x.mean(0)")

# %% 5.1: dropout stays on in eval mode
# hint: draw random numbers that eval mode does not switch off?
put("Policy.forward", "logits =", "x = torch.dropout(x, 0.5, True)")

# %% 5.1: the network does not look at the other player's stones
# hint: Does the network read both planes: the mover's own stones
put("Policy.forward", "x = torch.relu(self.conv1", "planes = planes * torch.tensor([1.0, 0.0]).view(1, 2, 1, 1)")

# %% 5.1: the last column never reaches the heads
# hint: and do they give different answers?
put("Policy.forward", "x = torch.relu(self.conv1",
    "planes = torch.cat([planes[..., :-1], torch.zeros_like(planes[..., -1:])], dim=-1)")

# %% 5.1: the body stands in a plain list, where the optimizer does not find it
# hint: where the optimizer finds them, or in a Python list?
put("Policy.__init__", "self.policy_head",
    "self.body = [self.conv1, self.conv2, self.hidden]\ndel self.conv1, self.conv2, self.hidden")
swap("Policy.forward",
     "x = torch.relu(self.conv1(planes))\nx = torch.relu(self.conv2(x))\nx = torch.relu(self.hidden(x.flatten(1)))",
     "conv1, conv2, hidden = self.body\nx = torch.relu(hidden(torch.relu(conv2(torch.relu(conv1(planes)))).flatten(1)))")

# %% 5.1: gradients are off in forward
# hint: Does the policy's gradient reach the body
put("Policy.forward", "logits =", "x = x.detach()")

# %% 5.1: the value does not train the body
# hint: Does the value's gradient reach the body
swap("Policy.forward", "self.value_head(x)", "self.value_head(x.detach())")

# %% 5.1: the policy does not train the body
# hint: Does the policy's gradient reach the body
swap("Policy.forward", "self.policy_head(x)", "self.policy_head(x.detach())")

# %% 5.1: the heads have other names
# hint: which type of layer does the docstring give the two heads?
swap("Policy.__init__", "self.policy_head", "self.policy")
swap("Policy.__init__", "self.value_head", "self.value")
swap("Policy.forward", "self.policy_head", "self.policy")
swap("Policy.forward", "self.value_head", "self.value")

# %% 5.1: the sizes given to the constructor are not used
# hint: the sizes that the constructor is given
put("Policy.__init__", "self.conv1 =", "channels, hidden = 32, 64")

# %% 5.1: a 7 x 6 board and seven actions are built in
# hint: RuntimeError in ps5_alphazero.py
put("Policy.__init__", "self.conv1 =", "height, width, num_actions = 6, 7, 7")

# %% 5.2: the policy term is a mean over the actions
# hint: Over what is the policy term a sum
# home
swap("loss", "sum(dim=1)", "mean(dim=1)")

# %% 5.2: the loss of the batch is a sum
# hint: the sum or the mean
swap("loss", "mean()", "sum()")

# %% 5.2: the policy term has the wrong sign
# hint: should its probability lower the loss or raise it?
swap("loss", "-(policy_targets * log_p).sum(dim=1)", "(policy_targets * log_p).sum(dim=1)")

# %% 5.2: z as a column against v as a row makes a square of differences
# hint: one for each example
swap("loss", "(value_targets -", "(value_targets[:, None] -")

# %% 5.2: the absolute difference of the values
# hint: What do you take of the difference of the values
swap("loss", "(value_targets - value) ** 2", "(value_targets - value).abs()")

# %% 5.2: half of the squared error
# hint: Is there a factor before the squared error that the formula
swap("loss", "(value_targets - value) ** 2", "0.5 * (value_targets - value) ** 2")

# %% 5.2: cross_entropy is given probabilities and takes the softmax again
# hint: does it expect log p, p or logits?
swap("loss", "-(policy_targets * log_p).sum(dim=1)", "nn.functional.cross_entropy(log_p.exp(), policy_targets)")

# %% 5.2: only the search's favourite counts
# hint: Do all actions count by their share in pi
# home
swap("loss", "-(policy_targets * log_p).sum(dim=1)", "nn.functional.nll_loss(log_p, policy_targets.argmax(1))")

# %% 5.2: the logarithm is taken of the logarithm's exponential and a large epsilon
# hint: do you add a small number and take it again?
swap("loss", "* log_p)", "* torch.log(log_p.exp() + 0.01))")

# %% 5.2: squared differences for the policy, too
# hint: Is the policy's term a squared error, or a cross-entropy?
swap("loss", "-(policy_targets * log_p).sum(dim=1)", "((policy_targets - log_p.exp()) ** 2).sum(dim=1)")

# %% 5.2: a plain number without a gradient
# hint: The docstring promises a tensor, and your code gives a float
swap("loss", "mean()", "mean().item()")

# %% 5.2: the value is detached
# hint: Does the gradient reach both log_p and value
swap("loss", "- value)", "- value.detach())")

# %% 5.2: one term for each example, not averaged
# hint: Is the loss one number for the whole batch
swap("loss", "(squared_error + cross_entropy).mean()", "squared_error + cross_entropy")

# %% 5.2: Kullback-Leibler instead of cross-entropy
# hint: Does the formula subtract the entropy of the targets?
# home
put("loss", "cross_entropy =", "own = torch.where(policy_targets > 0, policy_targets.clamp(min=1e-12).log(), torch.zeros(()))")
swap("loss", "-(policy_targets * log_p).sum(dim=1)", "(policy_targets * (own - log_p)).sum(dim=1)")

# %% 5.2: the value targets are turned around in place
# hint: Which of its arguments may loss change?
swap("loss", "(value_targets - value)", "(value + value_targets.neg_())")

# %% 5.2: the entropy of the network is a bonus
# hint: have a term for the entropy of the network's own policy?
swap("loss", "-(policy_targets * log_p).sum(dim=1)",
     "-(policy_targets * log_p).sum(dim=1) + 0.01 * (log_p.exp() * log_p.clamp(min=-1e4)).sum(dim=1)")

# %% 5.3: the network's value is turned around at the leaf
# hint: and what changes the sign on the way up?
swap("evaluate", "return value", "return -value")

# %% 5.3: the network is asked at finished games, too
# hint: What is a finished game worth for the player to move there
swap("evaluate", "if node.outcome is not None:\n    return node.outcome\nnet", "net")

# %% 5.3: a draw counts as a game that goes on
# hint: or do you take 0 for a game that goes on?
# home
swap("evaluate", "is not None:", ":")

# %% 5.3: a finished game is worth what it is for the winner
# hint: for the player to move there, or for the winner?
swap("evaluate", "return node", "return -node")

# %% 5.3: every finished game is lost for the player to move
# hint: Is every finished game lost for the player to move?
swap("evaluate", "return node.outcome", "return -1.0")

# %% 5.3: the network stays in the mode it is in
# hint: In which mode do you call a network
# home
swap("evaluate", ":\n    return node.outcome\nnet.eval()", ":\n    return node.outcome")

# %% 5.3: gradients are recorded for every leaf
# hint: The network only answers: who needs a gradient here?
swap("evaluate", "with torch.no_grad():\n    log_p", "log_p")

# %% 5.3: P holds logarithms
# hint: Is log p a probability
swap("evaluate", "node.actions].exp().tolist(", "node.actions].tolist(")

# %% 5.3: P has an entry for every action of the game
# hint: and at which of its places are the node's own actions?
# home
swap("evaluate", "0, node.actions", "0")

# %% 5.3: P holds the first entries, whatever the legal actions are
# hint: and at which of its places are the node's own actions?
swap("evaluate", "[0, node.actions].exp().tolist()", "[0].exp().tolist()[:len(node.actions)]")

# %% 5.3: P is an array, whose truth value nobody knows
# hint: The docstring promises a list of floats
swap("evaluate", "node.actions].exp().tolist(", "node.actions].exp().numpy(")

# %% 5.3: every action is said to be legal
# hint: Which actions does your mask call legal?
swap("evaluate", "net(*as_batch(game, [node.state]))", "net(planes, torch.ones_like(legal))")
put("evaluate", "with", "planes, legal = as_batch(game, [node.state])")

# %% 5.3: the board as the first player sees it
# hint: Which state's board does the network see
swap("evaluate", "net(*as_batch(game, [node.state]))", "net(planes, legal)")
put("evaluate", "with",
    "planes, legal = as_batch(game, [node.state])\nplanes = planes.flip(1) if game.player(node.state) == 1 else planes")

# %% 5.3: the value as the first player sees it
# hint: Is the network's value for the first player
swap("evaluate", "value.item()", "value.item() if game.player(node.state) == 0 else -value.item()")

# %% 5.3: asked once for the policy and once for the value
# hint: How often do you call the network for one state?
swap("evaluate", "net(*as_batch(game, [node.state]))",
     "net(*as_batch(game, [node.state]))[0], net(*as_batch(game, [node.state]))[1]")

# %% 5.3: answers are remembered by state, whichever network gave them
# hint: or keep the answer of another one?
_answers = {}
put("evaluate", "net.eval", "if node.state in _answers:\n    node.P, value = _answers[node.state]\n    return value")
put("evaluate", "return value.item", "_answers[node.state] = list(node.P), value.item()")

# %% 5.3: an evaluation counts as a visit
# hint: When do you count a visit: when a leaf is evaluated
swap("evaluate", "return value", "node.N[0] += 1\nreturn value")

# %% 5.3: the value comes as a tensor
# hint: The docstring promises a float
swap("evaluate", "value.item()", "value[0]")

# %% 5.3: the outcome and the network's value are added
# hint: Does the network change the value of a finished game?
swap("evaluate", "if node.outcome is not None:\n    return node.outcome\nnet", "net")
swap("evaluate", "value.item()", "value.item() + (node.outcome or 0.0)")

# %% 5.3: gradients are on afterwards, even if they were off before
# hint: are they still off afterwards?
def evaluate(game, net, node):
    if node.outcome is not None:
        return node.outcome
    net.eval()
    torch.set_grad_enabled(False)
    log_p, value = net(*as_batch(game, [node.state]))
    torch.set_grad_enabled(True)
    probabilities = log_p[0].exp().tolist()
    node.P = [probabilities[action] for action in node.actions]
    return float(value[0])

# %% 5.3: gradients are switched off for everybody and for ever
# hint: Are gradients on again afterwards
swap("evaluate", "with torch.no_grad():\n    log_p", "torch.set_grad_enabled(False)\nlog_p")

# %% 5.4: the root of no visits is 0
# hint: what remains of the priors?
# home
swap("ucb", "max(1, sum(node.N))", "sum(node.N)")

# %% 5.4: the root is taken of the whole fraction
# hint: What is under the root: the visits, or the whole fraction?
swap("ucb", "weight * p / (1 + n)", "c * p * math.sqrt(max(1, sum(node.N)) / (1 + n))")

# %% 5.4: UCB1's logarithm under the root
# hint: Which of the formulas
swap("ucb", "weight * p / (1 + n)", "c * p * (math.sqrt(math.log(sum(node.N)) / (1 + n)) if sum(node.N) > 1 else 1.0)")

# %% 5.4: c multiplies Q
# hint: What does c multiply: the mean, or the bonus?
swap("ucb", "c * math.sqrt", "math.sqrt")
swap("ucb", "[q +", "[c * q +")

# %% 5.4: one visit too many under the root
# hint: the visits, or one more
swap("ucb", "max(1, sum(node.N))", "1 + sum(node.N)")

# %% 5.4: Q is taken for the opponent's
# hint: For whom is Q
swap("ucb", "q + weight", "-q + weight")

# %% 5.4: divided by n, and infinite without a visit
# hint: What divides the bonus: the visits, or one more?
swap("ucb", "/ (1 + n)", "/ n if n else math.inf")

# %% 5.4: the priors are not used
# hint: Where is the prior in the bonus?
swap("ucb", "weight * p / (1 + n) for q, p, n in zip(node.Q, node.P, node.N)", "weight / (1 + n) for q, n in zip(node.Q, node.N)")

# %% 5.4: c is always 1.5
# hint: Which c do you use: the given one, or a number of your own?
swap("ucb", "weight = c *", "weight = 1.5 *")

# %% 5.4: what was never tried counts as lost
# hint: What is Q of an action without a visit?
swap("ucb", "q + weight", "(q if n else -1.0) + weight")

# %% 5.4: a losing mean counts as a draw
# hint: Can a mean be below zero?
swap("ucb", "q + weight", "max(q, 0.0) + weight")

# %% 5.4: the most visited action's count under the root
# hint: those of all actions together, or those of one?
swap("ucb", "sum(node.N", "max(node.N")

# %% 5.4: no root at all
# hint: Where is the root?
swap("ucb", "math.sqrt(max(1, sum(node.N)))", "max(1, sum(node.N))")

# %% 5.4: the bounds are sorted
# hint: In which order are the bounds?
swap("ucb", "[q + weight * p / (1 + n) for q, p, n in zip(node.Q, node.P, node.N)]",
     "sorted(q + weight * p / (1 + n) for q, p, n in zip(node.Q, node.P, node.N))")

# %% 5.4: an action without a visit has an infinite bound, as in problem set 2
# hint: what divides the bonus, and for whom is Q?
# home
swap("ucb", "/ (1 + n)", "/ (1 + n) if n else math.inf")

# %% 5.4: c grows with the visits, as in AlphaZero's pseudo-code of 2018
# hint: What does c multiply, which visits are in the square root
# home
swap("ucb", "weight = c *", "weight = (math.log((sum(node.N) + 19653) / 19652) + c) *")

# %% 5.5: N to the power of tau
# hint: Do you raise a visit count to tau, or to 1 / tau?
swap("action_probs", "weights ** (1 / temperature)", "weights ** temperature")

# %% 5.5: a softmax of the visits
# hint: Which formula needs an exponential?
# home
swap("action_probs", "weights ** (1 / temperature)", "np.exp((weights - 1) * most / sum(root.N) / temperature)")

# %% 5.5: one entry for each legal action only
# hint: one for each action of the game, or only for some of them?
swap("action_probs", "policy = np.zeros(game.num_actions)\npolicy[root.actions] = weights / weights.sum()\nreturn policy",
     "return weights / weights.sum()")

# %% 5.5: the index is taken for the action
# hint: at its index in the node, or at its own number?
# home
swap("action_probs", "policy[root.actions]", "policy[:len(weights)]")

# %% 5.5: large powers overflow
# hint: How large is the highest count to the power of 1 / tau?
# home
swap("action_probs", "weights ** (1 / temperature)", "np.array(root.N, dtype=float) ** (1 / temperature)")

# %% 5.5: temperature 0 divides by zero
# hint: ZeroDivisionError in ps5_alphazero.py
swap("action_probs", "temperature == 0", "False")

# %% 5.5: the temperature is not used
# hint: What does the temperature change in the policy?
swap("action_probs",
     "if temperature == 0:\n    weights = (weights == 1.0).astype(float)\nelse:\n"
     "    weights = weights ** (1 / temperature)\npolicy",
     "policy")

# %% 5.5: temperature 0 by the mean, not by the visits
# hint: At temperature 0, what decides: the mean, or the visits?
swap("action_probs", "(weights == 1.0).astype(float)", "np.eye(len(weights))[int(np.argmax(root.Q))]")

# %% 5.5: the priors have a say in the policy
# hint: What gives a move its share here: only its visits
swap("action_probs", "weights ** (1 / temperature)", "(weights * np.array(root.P)) ** (1 / temperature)")

# %% 5.5: one visit is added to every action
# hint: or do you add one to those of every action?
swap("action_probs", "np.array(root.N) / most", "(np.array(root.N) + 1) / (most + 1)")

# %% 5.5: without visits all actions are alike
# hint: what does the docstring say about this case?
swap("action_probs", 'raise ValueError("no policy: no action has a visit")',
     "return np.isin(np.arange(game.num_actions), root.actions) / max(1, len(root.actions))")

# %% 5.6: the action is taken for an index
# hint: or an index among the node's actions?
# home
swap("swap_root", "if action in root.actions:\n    child = root.children[root.actions.index(action)]",
     "game.play(root.state, action)\nif action < len(root.children):\n    child = root.children[action]")

# %% 5.6: always a new node
# hint: Do you return the child that the search made
swap("swap_root", "root.children[root.actions.index(action)]", "None")

# %% 5.6: nothing where no simulation has been
# hint: The docstring promises a node, and your code gives None
swap("swap_root", "if child is not None:\n    return child", "return child")

# %% 5.6: the child's counts begin at 0 again
# hint: N and Q that the search has found?
put("swap_root", "return child", "child.N = [0] * len(child.actions)")

# %% 5.6: the child is to be evaluated again
# hint: N and Q that the search has found?
put("swap_root", "return child", "child.P = []")

# %% 5.6: the new root stands where the old one did
# hint: the state before the action, or after it?
swap("swap_root", "return Node(game, game.play(root.state, action))",
     "game.play(root.state, action)\nreturn Node(game, root.state)")

# %% 5.6: an illegal move leaves the root where it is
# hint: The rules do not allow a move: what should happen?
put("swap_root", "return Node", "if action not in root.actions:\n    return root")

# %% 5.6: the old root loses its other children
# hint: Does the old root keep its children?
put("swap_root", "return child", "root.children = [None] * len(root.children)")

# %% 5.6: the new node is hung into the old tree
# hint: Does a change of root add anything to the old root
# home
swap("swap_root", "return Node(game, game.play(root.state, action))",
     "child = Node(game, game.play(root.state, action))\nroot.children[root.actions.index(action)] = child\nreturn child")

# %% 5.6: the kept root is marked as noisy
# hint: Does a change of root add any noise?
put("swap_root", "return child", "child.noisy = True")

# %% 5.6: the most visited child, whatever was played
# hint: Is the new root the node after the action that was played?
swap("swap_root", "root.children[root.actions.index(action)]", "root.children[root.N.index(max(root.N))]")

# %% 5.7: epsilon and 1 - epsilon change places
# hint: How much of each prior remains: epsilon of it
swap("add_dirichlet_noise", "(1 - epsilon) * p + epsilon * draw / total", "epsilon * p + (1 - epsilon) * draw / total")

# %% 5.7: alpha is 10 for every action
# hint: and are the draws gamma draws?
swap("add_dirichlet_noise", "10 / len(node.P)", "10")

# %% 5.7: alpha is .3, as in chess
# hint: and are the draws gamma draws?
# home
swap("add_dirichlet_noise", "10 / len(node.P)", "0.3")

# %% 5.7: alpha by the number of squares, not of legal actions
# hint: and are the draws gamma draws?
swap("add_dirichlet_noise", "10 / len(node.P)", "10 / 9")

# %% 5.7: one draw for all actions
# hint: or do all actions get the same noise?
swap("add_dirichlet_noise", "[rng.gammavariate(10 / len(node.P), 1.0) for _ in node.P]",
     "[rng.gammavariate(10 / len(node.P), 1.0)] * len(node.P)")
swap("add_dirichlet_noise", "(1 - epsilon) * p + epsilon * draw / total",
     "((1 - epsilon) * p + epsilon * draw) / (1 - epsilon + epsilon * total)")

# %% 5.7: the draws are not divided by their sum
# hint: What is the sum of the priors after the noise
swap("add_dirichlet_noise", "draw / total", "draw")

# %% 5.7: the noise is added, and the sum divided out
# hint: which weight has the prior then
swap("add_dirichlet_noise", "(1 - epsilon) * p + epsilon * draw / total", "(p + epsilon * draw / total) / (1 + epsilon)")

# %% 5.7: equal shares instead of a draw
# hint: or do all actions get the same noise?
swap("add_dirichlet_noise", "(1 - epsilon) * p + epsilon * draw / total", "(1 - epsilon) * p + epsilon / len(node.P)")

# %% 5.7: uniform draws instead of gamma draws
# hint: and are the draws gamma draws?
swap("add_dirichlet_noise", "rng.gammavariate(10 / len(node.P), 1.0)", "rng.random()")

# %% 5.7: each call adds more noise
# hint: A root is searched again: how often does it get noise?
# home
swap("add_dirichlet_noise", "if node.noisy:\n    return\ndraws", "draws")

# %% 5.7: only one node ever gets noise
# hint: Does every node that is not noisy yet get its noise
_done = []
put("add_dirichlet_noise", "draws =", "node.noisy = True\nif _done:\n    return\n_done.append(node)")

# %% 5.7: noisy is never set
# hint: does the next call know that a node already has its noise?
swap("add_dirichlet_noise", "draws)]\nnode.noisy = True", "draws)]")

# %% 5.7: the children get noise, too
# hint: Which node of the tree gets noise: only the root
swap("add_dirichlet_noise", "node.noisy = True",
     "node.noisy = True\nfor child in node.children:\n    if child is not None and child.P:\n"
     "        add_dirichlet_noise(child, rng, epsilon)")

# %% 5.7: numpy's global generator
# hint: Does your function use only the given rng
# home
swap("add_dirichlet_noise", "[rng.gammavariate(10 / len(node.P), 1.0) for _ in node.P]",
     "np.random.dirichlet([10 / len(node.P)] * len(node.P)).tolist()")

# %% 5.7: torch's global generator
# hint: Does your function use only the given rng
swap("add_dirichlet_noise", "[rng.gammavariate(10 / len(node.P), 1.0) for _ in node.P]",
     "torch.distributions.Dirichlet(torch.full((len(node.P),), 10 / len(node.P)).double()).sample().tolist()")

# %% 5.7: the same noise for every node
# hint: Does every node have its own draws, from rng?
put("add_dirichlet_noise", "draws =", "rng = random.Random(len(node.P))")

# %% 5.7: epsilon is always .25
# hint: Which epsilon do you use: the given one
swap("add_dirichlet_noise", "(1 - epsilon) * p + epsilon * draw / total", "0.75 * p + 0.25 * draw / total")

# %% 5.7: a node without priors raises no error
# hint: what does the docstring say about this case?
swap("add_dirichlet_noise", 'raise ValueError("no priors to mix the noise into: evaluate the root first")', "return")

# %% 5.7: actions with prior 0 get no noise
# hint: Which actions get noise: also those with prior 0?
swap("add_dirichlet_noise", "[rng.gammavariate(10 / len(node.P), 1.0) for _ in node.P]",
     "[rng.gammavariate(10 / len(node.P), 1.0) if p > 0 else 0.0 for p in node.P]")

# %% 5.7: the noise goes into Q
# hint: Which of a root's numbers does the noise change
swap("add_dirichlet_noise", "node.noisy = True",
     "node.noisy = True\nnode.Q = [q + epsilon * draw / total for q, draw in zip(node.Q, draws)]")

# %% 5.8: every episode begins at the start
# hint: can your number of random moves also be 0?
swap("opening", "rng.random() < 0.5", "True")

# %% 5.8: every episode begins with random moves
# hint: can your number of random moves also be 0?
swap("opening", "()\nif rng.random() < 0.5 or game.outcome(state) is not None:\n    return state", "()")

# %% 5.8: none to four random moves, each number as likely
# hint: can your number of random moves also be 0?
swap("opening", "if rng.random() < 0.5 or game.outcome(state) is not None:\n    return state\nfor _ in range(rng.randint(1, 4))",
     "for _ in range(rng.randrange(5))")

# %% 5.8: after the coin there may still be no random move
# hint: can your number of random moves also be 0?
swap("opening", "rng.randint(1, 4)", "rng.randint(0, 4)")

# %% 5.8: at most three random moves
# hint: How many random moves can there be
swap("opening", "rng.randint(1, 4)", "rng.randint(1, 3)")

# %% 5.8: random moves go on to the end of the game
# hint: What would a search do at a finished game
swap("opening", "break", "return next_state")

# %% 5.8: the random moves are always the first legal ones
# hint: Is every legal action equally likely, also the last one
swap("opening", "rng.choice(game.legal_actions(state))", "game.legal_actions(state)[0]")

# %% 5.8: the last legal action never comes up
# hint: Is every legal action equally likely, also the last one
put("opening", "next_state = game", "legal = game.legal_actions(state)")
swap("opening", "rng.choice(game.legal_actions(state))", "legal[rng.randrange(max(1, len(legal) - 1))]")

# %% 5.8: openings from the global generator
# hint: Where do the random moves of an opening come from: from rng
put("opening", "state = game.start", "rng = random")

# %% 5.8: the value is not turned around from player to player
# hint: One result: can it be good for both players?
swap("make_examples", "result if game.player(state) == viewer else 0.0 - result", "result")

# %% 5.8: the value belongs to the player who moved
# hint: Who is to move when the game is over
swap("make_examples", "result if game.player(state) == viewer else 0.0 - result",
     "0.0 - result if game.player(state) == viewer else result")

# %% 5.8: the value is always the first player's
# hint: One result: can it be good for both players?
swap("make_examples", "game.player(state) == viewer", "viewer == 0")

# %% 5.8: a draw is a loss for both
# hint: What is a drawn game worth, for either player?
swap("make_examples", "result if game.player(state) == viewer else 0.0 - result",
     "(result if game.player(state) == viewer else 0.0 - result) or -1.0")

# %% 5.8: a draw is a win for who would be to move
# hint: What is a drawn game worth, for either player?
put("make_examples", "examples = []", "result = -1.0 if result < 0 else 1.0")

# %% 5.8: the board turns and the policy does not
# hint: When the board turns
# home
swap("make_examples", "(turned, moved, value)", "(turned, policy, value)")

# %% 5.8: no symmetries
# hint: Is every position there with all its symmetries?
swap("make_examples", "[(turned, moved, value) for turned, moved in game.symmetries(state, policy)]", "[(state, policy, value)]")

# %% 5.8: the position itself is there twice
# hint: is it one of its own symmetries?
swap("make_examples", "in game.symmetries(state, policy)", "in [(state, policy), *game.symmetries(state, policy)]")

# %% 5.8: a symmetric position counts as often as the board can be turned
# hint: A position looks the same when it is turned
swap("make_examples", "in game.symmetries(state, policy)", "in pairs")
put("make_examples", "examples +=",
    "pairs = game.symmetries(state, policy)\n"
    "while len(pairs) < len(game.symmetries(state, np.arange(game.num_actions))):\n    pairs = pairs + pairs")

# %% 5.8: the finished position is an example, too
# hint: Which policy does the finished position have
put("make_examples", "examples = []", "history = [*history, (final, np.zeros(game.num_actions))]")

# %% 5.8: the position after the move, the policy from before it
# hint: to the position before the move, or after it?
swap("make_examples", "in history", "in zip([state for state, _ in history][1:] + [final], [policy for _, policy in history])")

# %% 5.8: the first move of the game teaches nothing
# hint: Is the first position of a game also an example?
swap("make_examples", "in history", "in history[1:]")

# %% 5.8: who is to move is counted by the stones
# hint: Who is to move after a pass: do you count moves
swap("make_examples", "game.player(state) == viewer", "int(game.planes(final).sum() - game.planes(state).sum()) % 2 == 0")

# %% 5.8: later moves are remembered as if nothing else had been searched
# hint: or the share of every move?
swap("play_move", "root, 1.0)", "root, float(len(history) < config.exploring_plies))")

# %% 5.8: the network's own priors are what is learnt
# hint: its own priors, or the visits of the search?
put("play_move", "history.append", "prior = np.zeros(game.num_actions)\nprior[root.actions] = root.P")
swap("play_move", "(root.state, policy)", "(root.state, prior)")

# %% 5.8: the most visited move from the beginning
# hint: or play the most visited one from the beginning?
swap("play_move", "rng.choices(range(len(policy)), policy)[0] if exploring else int(policy.argmax())", "int(policy.argmax())")

# %% 5.8: moves are drawn to the end of the game
# hint: Which moves do you draw, and which not?
swap("play_move", "rng.choices(range(len(policy)), policy)[0] if exploring else int(policy.argmax())",
     "rng.choices(range(len(policy)), policy)[0]")

# %% 5.8: one drawn move too many
# hint: which is the first one that you do not draw?
swap("play_move", "< config", "<= config")

# %% 5.8: the move counts before it is drawn, so one too few are drawn
# hint: How many moves do you draw
# home
swap("play_move", "config.exploring_plies", "config.exploring_plies - 1")

# %% 5.8: early moves are drawn from all visited ones alike
# hint: Which probabilities draw an early move: the priors
swap("play_move", "choices(range(len(policy)), policy)[0]", "choice([a for a in range(len(policy)) if policy[a] > 0])")

# %% 5.8: early moves are drawn from the priors
# hint: Which probabilities draw a move: the priors, or the visits?
swap("play_move", "range(len(policy)), policy", "root.actions, root.P")

# %% 5.8: moves are drawn from numpy's global generator
# hint: rng, or another generator?
swap("play_move", "rng.choices(range(len(policy)), policy)[0]", "int(np.random.choice(len(policy), p=policy))")

# %% 5.8: the tree is thrown away after the move
# hint: Is the next root the child that the search made
swap("play_move", "swap_root(game, root, action)", "Node(game, game.play(root.state, action))")

# %% 5.8: only the last position is remembered
# hint: Which positions are in the history after a move
swap("play_move", "history.append((root.state, policy))", "history[:] = [(root.state, policy)] * (len(history) + 1)")

# %% 5.8: no noise at the roots
# hint: Why does the search try a move with prior 0
swap("execute_episode", "search(game, net, root, 0, config.c, rng)\nadd_dirichlet_noise(root, rng)\nsearch", "search")

# %% 5.8: noise for the first move of the game only
# hint: Which roots of a game get noise: only the first one
swap("execute_episode", "add_dirichlet_noise", "if not history:\n    add_dirichlet_noise")

# %% 5.8: the noise comes after the search
# hint: Why does the search try a move with prior 0
swap("execute_episode",
     "search(game, net, root, 0, config.c, rng)\nadd_dirichlet_noise(root, rng)\n"
     "search(game, net, root, config.simulations, config.c, rng)",
     "search(game, net, root, config.simulations, config.c, rng)\nadd_dirichlet_noise(root, rng)")

# %% 5.8: the noise comes before the priors
# hint: ValueError in ps5_alphazero.py
swap("execute_episode", "search(game, net, root, 0, config.c, rng)\nadd_dirichlet", "add_dirichlet")

# %% 5.8: an episode never begins with random moves
# hint: Where does an episode begin: always at the start
swap("execute_episode", "opening(game, rng)", "game.start()")

# %% 5.8: one simulation too few
# hint: How many simulations does a move get?
swap("execute_episode", "simulations", "simulations - 1")

# %% 5.8: the exploration constant of the configuration is not used
# hint: Which c does the search get: the config's?
swap("execute_episode", "0, config.c", "0, 1.5")
swap("execute_episode", "simulations, config.c", "simulations, 1.5")

# %% 5.8: every root is evaluated again
# hint: do you call the network twice for a position?
swap("execute_episode", "search(game, net, root, 0, config.c, rng)", "evaluate(game, net, root)")

# %% 5.8: the last position is left out
# hint: all from the opening to the last one before the end?
swap("execute_episode", "history, root", "history[:-1], root")

# %% 5.8: the value to learn is the search's own
# hint: the result of the game for each mover
put("execute_episode", "while", "examples = []")
swap("execute_episode", "root = play_move(game, root, history, config, rng)",
     "state, value = root.state, sum(q * n for q, n in zip(root.Q, root.N)) / sum(root.N)\n"
     "root = play_move(game, root, history, config, rng)\n"
     "examples += [(turned, moved, value) for turned, moved in game.symmetries(state, history[-1][1])]")
swap("execute_episode", "return make_examples(game, history, root.state)", "return examples")

# %% 5.8: only a root without priors gets noise, the one that was kept from the tree does not
# hint: Which roots of a game get noise: only the first one
# home
put("execute_episode", "search(game, net, root, 0, config.c, rng)", "kept = bool(root.P)")
swap("execute_episode", "add_dirichlet_noise", "if not kept:\n    add_dirichlet_noise")

# %% 5.9: the gradient is never zeroed
# hint: The next batch begins: is the earlier gradient gone?
swap("train_policy", "optimizer.zero_grad()\nbatch_loss", "batch_loss")

# %% 5.9: the gradient is zeroed once an epoch
# hint: The next batch begins: is the earlier gradient gone?
swap("train_policy", "optimizer.zero_grad()\nbatch_loss", "batch_loss")
put("train_policy", "for start", "optimizer.zero_grad()")

# %% 5.9: the gradient is zeroed just before the step
# hint: and before or after you zero the gradient?
swap("train_policy", "optimizer.zero_grad()\nbatch_loss", "batch_loss")
put("train_policy", "optimizer.step", "optimizer.zero_grad()")

# %% 5.9: no step is made
# hint: and before or after you zero the gradient?
swap("train_policy", "optimizer.step()\ntotal", "total")

# %% 5.9: up the slope
# hint: Does your step follow the gradient, or go against it?
swap("train_policy", "batch_loss.backward()", "(-batch_loss).backward()")

# %% 5.9: one step an epoch, with the gradients of all batches
# hint: Does every batch end in its own step
swap("train_policy", "optimizer.zero_grad()\nbatch_loss", "batch_loss")
swap("train_policy", "optimizer.step()", "if start + config.batch_size >= len(shuffled):\n    optimizer.step()")
put("train_policy", "for start", "optimizer.zero_grad()")

# %% 5.9: what does not fill a batch is dropped
# hint: and what happens to those that do not fill the last one?
swap("train_policy", "len(shuffled), config", "max(1, len(shuffled) - config.batch_size + 1), config")
swap("train_policy", "/ len(shuffled)", "/ len(examples)")

# %% 5.9: the last example is never used
# hint: Do you use every example once in an epoch?
swap("train_policy", "len(shuffled), config", "len(shuffled) - 1, config")
swap("train_policy", "shuffled[start:start + config.batch_size]", "shuffled[:-1][start:start + config.batch_size]")

# %% 5.9: batches are drawn with replacement
# hint: Do you use every example once in an epoch?
swap("train_policy", "shuffled[start:start + config.batch_size]",
     "rng.choices(examples, k=min(config.batch_size, len(examples) - start))")

# %% 5.9: the examples come in the order of play
# hint: Do you shuffle the examples again for every epoch?
swap("train_policy", "rng.sample(examples, len(examples))", "list(examples)")

# %% 5.9: shuffled once for all epochs
# hint: Do you shuffle the examples again for every epoch?
# home
swap("train_policy", "rng.sample(examples, len(examples))", "examples")
put("train_policy", "for _", "examples = rng.sample(examples, len(examples))")

# %% 5.9: the caller's list is shuffled
# hint: is the caller's list in the same order afterwards?
# home
swap("train_policy", "shuffled, total = rng.sample(examples, len(examples)), 0.0",
     "rng.shuffle(examples)\nshuffled, total = examples, 0.0")

# %% 5.9: shuffled by torch's global generator
# hint: Where does the order of the examples come from: from rng
swap("train_policy", "rng.sample(examples, len(examples))", "[examples[i] for i in torch.randperm(len(examples)).tolist()]")

# %% 5.9: trained in the mode that the network is in
# hint: In which mode do you train a network
swap("train_policy", "net.train()\nfor", "for")

# %% 5.9: the mean of the batches' losses
# hint: Is the loss a mean over the examples or over the batches
swap("train_policy", "batch_loss.item() * len(states)", "batch_loss.item()")
swap("train_policy", "/ len(shuffled)", "/ -(-len(shuffled) // config.batch_size)")

# %% 5.9: the losses of all epochs are added up
# hint: One epoch's loss
swap("train_policy", "shuffled, total = rng.sample(examples, len(examples)), 0.0",
     "shuffled = rng.sample(examples, len(examples))")
put("train_policy", "for _", "total = 0.0")

# %% 5.9: the last batch's loss is returned
# hint: The returned loss is of which batches: of the last one
swap("train_policy", "total / len(shuffled)", "batch_loss.item()")

# %% 5.9: one epoch, whatever the configuration says
# hint: How many epochs do you run: as many as the config says?
swap("train_policy", "config.epochs", "1")

# %% 5.9: all examples in one batch
# hint: and what happens to those that do not fill the last one?
swap("train_policy", "len(shuffled), config.batch_size", "len(shuffled), len(shuffled)")
swap("train_policy", "shuffled[start:start + config.batch_size]", "shuffled")

# %% 5.9: the states are shuffled without their targets
# hint: do a state and its targets stay together?
swap("train_policy", "states, policies, values = zip(*shuffled[start:start + config.batch_size])",
     "states = [state for state, _, _ in shuffled[start:start + config.batch_size]]\n"
     "_, policies, values = zip(*examples[start:start + config.batch_size])")

# %% 5.9: the network learns the values only
# hint: Does the policy also learn, like the value?
swap("train_policy", "loss(log_p,", "loss(log_p.detach(),")

# %% 5.9: the value targets are turned around
# hint: For whom is the value of an example
swap("train_policy", "torch.tensor(values)", "-torch.tensor(values)")

# %% 5.9: every action counts as legal while training
# hint: Which actions does your mask call legal during the training?
swap("train_policy", "net(*as_batch(game, states))", "net(planes, torch.ones_like(legal))")
put("train_policy", "log_p, value =", "planes, legal = as_batch(game, states)")

# %% 5.9: the gradient is cut to a length of 1
# hint: Do you change the gradient before the step: scale it
put("train_policy", "optimizer.step", "nn.utils.clip_grad_norm_(net.parameters(), 1.0)")

# %% 5.9: a state that comes twice is used once
# hint: Two examples may be equal: do you train on both
put("train_policy", "net.train", "examples = list({example[0]: example for example in examples}.values())")

# %% 5.9: a generator of its own, the same at every call
# hint: Where does the order of the examples come from: from rng
put("train_policy", "net.train", "rng = random.Random(0)")

# %% 5.9: an optimizer of its own
# hint: Which optimizer makes the step: the given one
put("train_policy", "net.train", "optimizer = torch.optim.Adam(net.parameters(), lr=config.learning_rate)")

# %% 5.9: without examples it divides by zero
# hint: ZeroDivisionError in ps5_alphazero.py
swap("train_policy", 'if not examples:\n    raise ValueError("nothing to learn from: there are no examples")\nnet', "net")

# %% 5.9: returns the mean loss of all epochs, not of the last one
# hint: One epoch's loss, or the mean of all?
# home
put("train_policy", "for _", "total = 0.0")
swap("train_policy", "shuffled, total = rng.sample(examples, len(examples)), 0.0",
     "shuffled = rng.sample(examples, len(examples))")
swap("train_policy", "return total / len(shuffled)", "return total / (len(shuffled) * config.epochs)")

# %% 5.10: only the newest games are learnt from
# hint: Where do the examples live
swap("learn", "training.window +=", "training.window =")

# %% 5.10: the window is kept, and the network learns from the new games only
# hint: From which examples
swap("learn", "training.window += self_play(training)", "new = self_play(training)\ntraining.window += new")
swap("learn", "train(training, training.window)", "train(training, new[-training.config.window:])")

# %% 5.10: a second call begins with an empty window
# hint: Does a second call begin with an empty window?
put("learn", "for", "training.window = []")

# %% 5.10: a full window keeps its oldest examples
# hint: Which examples leave a full window
swap("learn", "[:-training.config.window]", "[training.config.window:]")

# %% 5.10: the window is cut after the training
# hint: When do the oldest leave a full window: before the training
# home
swap("learn", "del training.window[:-training.config.window]\ntrain(training, training.window)",
     "train(training, training.window)\ndel training.window[:-training.config.window]")

# %% 5.10: the window is never full
# hint: window count, and what happens when there are more?
swap("learn", "del training.window[:-training.config.window]\ntrain", "train")

# %% 5.10: a full window is emptied
# hint: How many examples leave a full window: all of them?
swap("learn", "training.window += self_play(training)",
     "new = self_play(training)\nif len(training.window) + len(new) > training.config.window:\n    training.window = []\n"
     "training.window += new")

# %% 5.10: the window counts iterations, not examples
# hint: window count, and what happens when there are more?
put("learn", "for", "rounds = [training.window]")
swap("learn", "training.window += self_play(training)\ndel training.window[:-training.config.window]",
     "rounds.append(self_play(training))\ndel rounds[:-training.config.window]\n"
     "training.window = [example for games in rounds for example in games]")

# %% 5.10: the newest examples come first
# hint: In which order are the examples in the window?
swap("learn", "training.window += self_play(training)\ndel training.window[:-training.config.window]",
     "training.window = (self_play(training) + training.window)[:training.config.window]")

# %% 5.10: every call counts its iterations from 0
# hint: From which number does a second call count its iterations?
swap("learn", "for _ in", "for number in")
swap("learn", "iteration += 1", "iteration = number + 1")

# %% 5.10: the iterations of earlier calls are counted against the new ones
# hint: How many iterations does a call run: this number more
# home
swap("learn", "for _ in range(num_iterations)", "while training.iteration < num_iterations")

# %% 5.10: on_iteration is told before the iteration is counted
# hint: before the training, before on_iteration, or after it?
swap("learn", "training.iteration += 1\nif on_iteration is not None:\n    on_iteration(training)",
     "if on_iteration is not None:\n    on_iteration(training)\ntraining.iteration += 1")

# %% 5.10: an iteration counts when its games are played
# hint: before the training, before on_iteration, or after it?
swap("learn", "train(training, training.window)\ntraining.iteration += 1",
     "training.iteration += 1\ntrain(training, training.window)")

# %% 5.10: on_iteration is called once, at the end
# hint: How often do you call on_iteration: once
swap("learn", "for _ in", "for number in")
swap("learn", "is not None", "is not None and number == num_iterations - 1")

# %% 5.10: it cannot do without on_iteration
# hint: TypeError in ps5_alphazero.py
swap("learn", "if on_iteration is not None:\n    on", "on")

# %% 5.10: all games first, then one training
# hint: When do you call train: in every iteration
swap("learn", "train(training, training.window)\ntraining", "training")
swap("learn", "if on_iteration is not None:\n    on_iteration(training)",
     "if on_iteration is not None:\n    on_iteration(training)\nif number == num_iterations - 1:\n"
     "    train(training, training.window)")
swap("learn", "for _ in", "for number in")

# %% 5.10: "too many" is negative while the window is not full, and then the slice cuts from the other end
# hint: does any leave before it is full?
# home
swap("learn", "[:-training.config.window]", "[:len(training.window) - training.config.window]")

# %% 5.11: the new network begins every game
# hint: Who begins, and how often
swap("pit", "(0, 1)", "[game.player(start)]")
swap("pit", "(2 * len(openings))", "len(openings)")

# %% 5.11: a draw counts nothing
# hint: a draw worth
swap("pit", "(result + 1) / 2", "result > 0")

# %% 5.11: draws are left out of the number of games
# hint: Do draws count among the games?
put("pit", "for start", "games = 0")
swap("pit", "points += (result + 1) / 2", "points, games = points + (result > 0), games + (result != 0)")
swap("pit", "points / (2 * len(openings))", "points / games if games else 0.5")

# %% 5.11: the score of the old network
# hint: and for which player is the outcome of a finished game?
swap("pit", "return points", "return 1 - points")

# %% 5.11: every game begins at the start
# hint: at their opening, or at the start of the game?
swap("pit", "state = start", "state = game.start()")

# %% 5.11: the result is read as the first player's
# hint: and for which player is the outcome of a finished game?
swap("pit", "outcome if game.player(state) == new_player else -outcome", "outcome if new_player == 0 else -outcome")

# %% 5.11: the result is read as the last mover's
# hint: and for which player is the outcome of a finished game?
swap("pit", "outcome if game.player(state) == new_player else -outcome",
     "-outcome if game.player(state) == new_player else outcome")

# %% 5.11: the colours take turns from opening to opening
# hint: and how often: how many games begin at each opening?
swap("pit", "for start in openings:\n    for new_player in (0, 1):",
     "for number, start in enumerate(openings):\n    for new_player in (number % 2,):")
swap("pit", "(2 * len(openings))", "len(openings)")

# %% 5.11: only the first opening is played
# hint: at which states do the games begin?
put("pit", "for start", "openings = openings[:1]")

# %% 5.11: the points are divided by the openings, not by the games
# hint: What divides the points: the number of openings
swap("pit", "(2 * len(openings))", "len(openings)")

# %% 5.11: wins minus losses
# hint: What is a loss worth, and between which numbers is a score?
swap("pit", "(result + 1) / 2", "result")

# %% 5.11: a match without openings is a draw
# hint: what does the docstring say about this case?
swap("pit", 'raise ValueError("a match needs at least one opening")', "return 0.5")

# %% 5.11: the sides are counted by the stones, which a pass does not change
# hint: Who is to move after a pass: do you count moves
swap("pit", "new if game.player(state)", "new if side(state, start)")
swap("pit", "outcome if game.player(state)", "outcome if side(state, start)")
put("pit", "for start", "def side(state, start):\n    return int(game.planes(state).sum() - game.planes(start).sum()) % 2")

# %% 5.11: a score at the gate is not enough
# hint: Is a score equal to the gate enough?
# home
swap("keep_or_restore", ">= gate", "> gate")

# %% 5.11: the optimizer keeps its moments
# hint: which numbers does the optimizer keep?
# home
swap("keep_or_restore", "training.optimizer.load_state_dict(moments)\nreturn", "return")

# %% 5.11: the weights stay, only the moments go back
# hint: Which weights does a rejected network have?
swap("keep_or_restore", "training.net.load_state_dict(weights)\ntraining", "training")

# %% 5.11: without a gate .55 is asked for
# hint: Nobody gives a gate: which gate does the docstring give?
swap("keep_or_restore", "gate = training.config.gate", "gate = 0.55 if training.config.gate is None else training.config.gate")

# %% 5.11: every new network is kept
# hint: The network does not reach the gate: what happens to it?
swap("keep_or_restore", "gate is None or score >= gate", "True")

# %% 5.11: the winner gives way
# hint: which of the two networks do you keep?
swap("keep_or_restore", "score >= gate", "score < gate")

# %% 5.11: the old weights are put back in any case
# hint: When do you restore the weights of the snapshot
put("keep_or_restore", "gate =", "training.net.load_state_dict(before[0])\ntraining.optimizer.load_state_dict(before[1])")

# %% 5.11: the optimizer starts anew after a rejection
# hint: which numbers does the optimizer keep?
swap("keep_or_restore", "training.optimizer.load_state_dict(moments)", "training.optimizer.state.clear()")

# %% 5.12: one question for each leaf
# hint: How often do you call the network
swap("collect", "log_p, value = net(*as_batch(game, waiting))",
     "log_p, value = map(torch.cat, zip(*(net(*as_batch(game, [state])) for state in waiting)))")

# %% 5.12: finished leaves are asked about, too
# hint: The game is over at a leaf: do you need the network there?
swap("collect", " if leaf.outcome is None", "")

# %% 5.12: an empty batch is asked about when all leaves are finished
# hint: A game is finished: do you need the network?
swap("collect", "if not waiting:\n    return walks, torch.empty(0, game.num_actions), torch.empty(0)\nnet",
     "nothing = torch.zeros(0, *game.planes(game.start()).shape), torch.zeros(0, game.num_actions, dtype=torch.bool)\nnet")
swap("collect", "net(*as_batch(game, waiting))", "net(*(as_batch(game, waiting) if waiting else nothing))")

# %% 5.12: a leaf that two games share is asked about once
# hint: even when two games share a state?
swap("collect", "[leaf.state for _, leaf in walks if leaf.outcome is None]",
     "list(dict.fromkeys(leaf.state for _, leaf in walks if leaf.outcome is None))")

# %% 5.12: the batch is in the opposite order
# hint: In which order are the leaves in the batch?
swap("collect", "in walks", "in reversed(walks)")

# %% 5.12: finished leaves get a row of zeros
# hint: For which leaves are there rows in the answer
swap("collect", "torch.empty(0, game.num_actions), torch.empty(0)",
     "torch.zeros(len(walks), game.num_actions), torch.zeros(len(walks))")
swap("collect", "return walks, log_p, value",
     "rows, values = torch.zeros(len(walks), game.num_actions), torch.zeros(len(walks))\n"
     "asked = [leaf.outcome is None for _, leaf in walks]\nrows[asked], values[asked] = log_p, value\n"
     "return walks, rows, values")

# %% 5.12: the network stays in the mode it is in
# hint: In which mode do you call a network
swap("collect", "net.eval()\nwith", "with")

# %% 5.12: gradients are recorded for the whole batch
# hint: The network only answers: who needs a gradient here?
swap("collect", "with torch.inference_mode():\n    log_p", "log_p")
swap("collect", ", log_p, value", ", log_p.detach(), value.detach()")

# %% 5.12: gradients are on afterwards, even if they were off before
# hint: are they still off afterwards?
def collect(game, net, roots, c, rng):
    walks = [select(game, root, c, rng) for root in roots]
    waiting = [leaf.state for _, leaf in walks if leaf.outcome is None]
    if not waiting:
        return walks, torch.empty(0, game.num_actions), torch.empty(0)
    net.eval()
    torch.set_grad_enabled(False)
    log_p, value = net(*as_batch(game, waiting))
    torch.set_grad_enabled(True)
    return walks, log_p, value

# %% 5.12: gradients are switched off for everybody and for ever
# hint: Are gradients on again afterwards
swap("collect", "with torch.inference_mode():\n    log_p", "torch.set_grad_enabled(False)\nlog_p")

# %% 5.12: the roots are asked about, not the leaves
# hint: from its root down to a leaf, in the order of the trees?
swap("collect", "select(game, root, c, rng)", "([], root)")

# %% 5.12: the visits are counted on the way down
# hint: When do you count a visit: on the way down
put("collect", "waiting =", "for path, _ in walks:\n    for node, index in path:\n        node.N[index] += 1")

# %% 5.12: the leaves get their priors at once
# hint: When does a leaf get its priors: in collect, or in scatter?
# home
put("collect", "return walks, log_p",
    "for leaf, row in zip([leaf for _, leaf in walks if leaf.outcome is None], log_p.exp().tolist()):\n"
    "    leaf.P = [row[action] for action in leaf.actions]")

# %% 5.12: c is always 1.5
# hint: Which c do you use on the way down: the given one?
swap("collect", "c, rng", "1.5, rng")

# %% 5.12: probabilities instead of their logarithms
# hint: Which of the two do you return: the probabilities
swap("collect", "walks, log_p,", "walks, log_p.exp(),")

# %% 5.12: one walk in the first tree for every game
# hint: from its root down to a leaf, in the order of the trees?
swap("collect", "root, c", "roots[0], c")

# %% 5.12: every action is said to be legal
# hint: Which actions does your mask call legal on each board?
swap("collect", "net(*as_batch(game, waiting))", "net(planes, legal | True)")
put("collect", "with", "planes, legal = as_batch(game, waiting)")

# %% 5.12: "not leaf.outcome" asks the network about drawn games as well
# hint: for which leaves do you call the network?
# home
swap("collect", "leaf.outcome is None", "not leaf.outcome")

# %% 5.12: the case that all leaves are finished is forgotten, an empty batch cannot be made
# hint: ValueError in ps5_alphazero.py
# home
swap("collect", "if not waiting:\n    return walks, torch.empty(0, game.num_actions), torch.empty(0)\nnet", "net")

# %% 5.13: the answers are counted through, finished leaves or not
# hint: which answer belongs to which leaf?
# home
swap("scatter", "for path, leaf in walks", "for (path, leaf), answer in zip(walks, answers)")
swap("scatter", "next(answers)", "answer")

# %% 5.13: the value is turned around once too often
# hint: For whom is the network's value
put("scatter", "leaf.P", "worth = -worth")

# %% 5.13: the outcome is turned around, the network's value is not
# hint: For whom is the outcome of a finished leaf?
put("scatter", "back_up", "worth = worth if leaf.outcome is None else -worth")

# %% 5.13: finished leaves bring nothing
# hint: Does a finished leaf bring a result?
swap("scatter", "back_up(path, worth)", "if leaf.outcome is None:\n    back_up(path, worth)")

# %% 5.13: a draw counts as a game that goes on
# hint: StopIteration in ps5_alphazero.py
# home
swap("scatter", "worth is None", "not worth")

# %% 5.13: every finished leaf is lost
# hint: Is every finished leaf lost for the player to move?
swap("scatter", "(path, worth)", "(path, worth if leaf.outcome is None else -1.0)")

# %% 5.13: P holds logarithms
# hint: Is log p a probability?
swap("scatter", "log_p.exp().tolist(", "log_p.tolist(")

# %% 5.13: P has an entry for every action of the game
# hint: At which of the answer's places are the leaf's own actions?
swap("scatter", "[probabilities[action] for action in leaf.actions]", "probabilities")

# %% 5.13: the priors are forgotten
# hint: What does a leaf get beside the value
swap("scatter", "probabilities, worth = next(answers)\nleaf.P = [probabilities[action] for action in leaf.actions]",
     "_, worth = next(answers)")

# %% 5.13: every leaf is backed up twice
# hint: Which actions on the way get a visit from one walk
swap("scatter", "(path, worth)", "(path, worth)\nback_up(path, worth)")

# %% 5.13: the answers are given out from the last to the first
# hint: which answer belongs to which leaf?
swap("scatter", "(log_p.exp().tolist(), value.tolist())", "(reversed(log_p.exp().tolist()), reversed(value.tolist()))")

# %% 5.13: the first answer is everybody's
# hint: which answer belongs to which leaf?
swap("scatter", "next(answers)", "log_p[0].exp().tolist(), value[0].item()")

# %% 5.13: the sign does not change on the way up
# hint: Who is to move at the leaf, and at each node on the way?
swap("scatter", "back_up(path, worth)",
     "for node, index in path:\n    node.N[index] += 1\n    node.Q[index] += (-worth - node.Q[index]) / node.N[index]")

# %% 5.13: the sign is counted from the root
# hint: Where do you begin to change the sign: at the root
swap("scatter", "back_up(path, worth)",
     "for depth, (node, index) in enumerate(path):\n    node.N[index] += 1\n"
     "    node.Q[index] += (-worth * (-1) ** depth - node.Q[index]) / node.N[index]")

# %% 5.13: Q is a sum
# hint: Is Q the sum of the results, or their mean?
swap("scatter", "back_up(path, worth)",
     "for node, index in reversed(path):\n    worth = -worth\n    node.N[index] += 1\n    node.Q[index] += worth")

# %% 5.13: the mean is taken before the visit is counted
# hint: by which number of visits do you divide?
swap("scatter", "back_up(path, worth)",
     "for node, index in reversed(path):\n    worth = -worth\n"
     "    node.Q[index] += (worth - node.Q[index]) / max(1, node.N[index])\n    node.N[index] += 1")

# %% 5.13: only the last action of the way gets the value
# hint: Which actions on the way get a visit from one walk
swap("scatter", "path, worth", "path[-1:], worth")

# %% 5.13: a walk with an empty path is passed over, its root gets no priors and its answer goes to the next tree
# hint: What does a leaf get beside the value
# home
put("scatter", "worth = leaf.outcome", "if not path:\n    continue")

# %% 5.1: the board is cut to a square
# hint: A board is not square: which squares reach the heads?
swap("Policy.__init__", "height * width", "min(height, width) ** 2")
put("Policy.forward", "x = torch.relu(self.conv1", "side = min(planes.shape[2:])\nplanes = planes[:, :, :side, :side]")

# %% 5.1: the mask holds in eval mode only
# hint: Do you apply the mask in train mode too?
put("Policy.forward", "log_p =",
    "if self.training:\n    return torch.log_softmax(logits, 1), torch.tanh(self.value_head(x)).squeeze(1)")

# %% 5.1: a row without legal actions is opened in the caller's mask
# hint: forward change the planes and the mask that it is given?
swap("Policy.forward", "torch.where(legal, log_p, -1e9)", "torch.where(illegal, -1e9, log_p)")
put("Policy.forward", "log_p =", "illegal = ~legal\nlegal[~legal.any(1)] = True")

# %% 5.1: a tiny number in the logarithm, which is larger than what an unlikely move has
# hint: How low is log p of a very unlikely legal action
swap("Policy.forward", "torch.log_softmax(torch.where(legal, logits, -1e9), 1)",
     "torch.log(torch.softmax(torch.where(legal, logits, -1e30), 1) + 1e-20)")

# %% 5.1: logits are kept within 50
# hint: How low is log p of a very unlikely legal action
swap("Policy.forward", "self.policy_head(x)", "self.policy_head(x).clamp(-50, 50)")

# %% 5.1: what was said about a tensor is said again
# hint: Do you compute every answer again, or return an earlier one?
swap("Policy.forward", "legal: Tensor)", "legal: Tensor, told={})")
put("Policy.forward", "x = torch.relu(self.conv1", "if id(planes) in told:\n    return told[id(planes)][1]")
swap("Policy.forward", "return torch.where(legal, log_p, -1e9), value",
     "told[id(planes)] = planes, (torch.where(legal, log_p, -1e9), value)\nreturn told[id(planes)][1]")

# %% 5.1: half as many channels in the second convolution, which may be none
# hint: RuntimeError in ps5_alphazero.py
swap("Policy.__init__", "nn.Conv2d(channels, channels", "nn.Conv2d(channels, channels // 2")
swap("Policy.__init__", "channels * height", "channels // 2 * height")

# %% 5.2: a draw teaches the value nothing
# hint: does its squared error count like that of other games?
swap("loss", "(value_targets - value) ** 2", "(value_targets - value) ** 2 * (value_targets != 0)")

# %% 5.2: the logarithms are cut at -20
# hint: A move is very unlikely: do you limit its logarithm
swap("loss", "* log_p)", "* log_p.clamp(min=-20))")

# %% 5.2: unlikely moves are cut off in the caller's answers
# hint: Which of its arguments
put("loss", "squared_error =", "with torch.no_grad():\n    log_p.clamp_(min=-1000.0)")

# %% 5.2: the policy of a lost game is not learnt
# hint: Do you also learn the policies of lost games?
swap("loss", "-(policy_targets * log_p).sum(dim=1)", "(value_targets > -1).float() * -(policy_targets * log_p).sum(dim=1)")

# %% 5.2: the values are compared by their signs where they are sure
# hint: what is its loss, and do you limit anything before?
put("loss", "squared_error =", "value = torch.where(value.abs() > 0.95, value.sign() * 0.95, value)")

# %% 5.2: losses are remembered by the network's answers
# hint: Do you compute every loss again
_losses = {}
swap("loss", "(squared_error + cross_entropy).mean()",
     "_losses.setdefault((log_p, value), (squared_error + cross_entropy).mean())")

# %% 5.3: finished is what is falsy
# hint: A state is 0, '' or (): do you treat it as no state?
swap("evaluate", "None", "None or not node.state")
swap("evaluate", "return node.outcome", "return node.outcome or 0.0")

# %% 5.3: answers are remembered by the text of the state, one network at a time
# hint: Do you call the network every time
_evaluate = {}
put("evaluate", "net.eval",
    "key = id(net), game.text(node.state)\nif key in _evaluate:\n"
    "    node.P = [float(_evaluate[key][1][action].exp()) for action in node.actions]\n    return _evaluate[key][2]")
put("evaluate", "return value.item", "_evaluate[key] = net, log_p[0], value.item()")

# %% 5.3: moves that the network calls impossible get a little
# hint: also when it is 0?
swap("evaluate", "log_p[0, node.actions].exp().tolist()", "[max(p, 0.001) for p in log_p[0, node.actions].exp().tolist()]")

# %% 5.3: what the network calls impossible is left out of P
# hint: also when it is 0?
swap("evaluate", "log_p[0, node.actions].exp().tolist()", "[p for p in log_p[0].exp().tolist() if p > 0]")

# %% 5.3: a node is evaluated once in its life
# hint: Does evaluate call the given network every time?
_worth = {}
put("evaluate", "net.eval", "if node in _worth:\n    return _worth[node]")
swap("evaluate", "return value.item()", "return _worth.setdefault(node, value.item())")

# %% 5.3: the statistics of a leaf begin anew
# hint: keep the visits and means that a node already has?
put("evaluate", "return value", "node.N, node.Q = [0] * len(node.actions), [0.0] * len(node.actions)")

# %% 5.3: the network is in eval mode, its layers are not
# hint: Is only the network itself in eval mode
swap("evaluate", "net.eval()", "net.training = False")

# %% 5.4: the bounds come as an array
# hint: The docstring promises a list of floats
swap("ucb", "[q + weight * p / (1 + n) for q, p, n in zip(node.Q, node.P, node.N)]",
     "np.array([q + weight * p / (1 + n) for q, p, n in zip(node.Q, node.P, node.N)])")

# %% 5.4: a move never tried is worth the mean of the others
# hint: An action has no visit: do you use the others' mean
put("ucb", "weight =", "mean = sum(q * n for q, n in zip(node.Q, node.N)) / max(1, sum(node.N))")
swap("ucb", "[q +", "[(q if n else mean) +")

# %% 5.4: a prior of 0 is lifted
# hint: A prior is 0, or nearly 0: what is the bonus of this action?
swap("ucb", "weight * p / (1", "weight * max(p, 0.001) / (1")

# %% 5.4: the root is worked out once for each state
# hint: Do you compute every bound from the node's present numbers
_roots = {}
swap("ucb", "math.sqrt(max(1, sum(node.N)))", "_roots.setdefault(id(node), math.sqrt(max(1, sum(node.N))))")

# %% 5.4: no bonus is larger than 10
# hint: do you set a limit that the formula does not have?
swap("ucb", "weight * p / (1 + n)", "min(10.0, weight * p / (1 + n))")

# %% 5.5: the policy is a list
# hint: Of which type is the policy
swap("action_probs", "return policy", "return policy.tolist()")

# %% 5.5: one array for all policies
# hint: What happens to a policy when you make the next one
_policies = {}
swap("action_probs", "policy = np.zeros(game.num_actions)",
     "policy = _policies.setdefault(game.num_actions, np.zeros(game.num_actions))\npolicy[:] = 0.0")

# %% 5.5: an entry for each action up to the last legal one
# hint: one for each action of the game, or only for some of them?
swap("action_probs", "np.zeros(game.num_actions)",
     "np.zeros(max(root.actions) + 1 if len(root.actions) > 2 else game.num_actions)")

# %% 5.5: counts become shares in the root itself
# hint: is the second policy of a root the same as the first?
put("action_probs", "policy =", "if temperature not in (0, 1):\n    root.N[:] = weights.tolist()")

# %% 5.5: moves with fewer visits than a hundredth are left out
# hint: Does an action with few visits keep its small share?
put("action_probs", "if temperature", "weights[weights < 0.01] = 0.0")

# %% 5.5: the policy of a root is worked out once for each temperature
# hint: Do you compute the policy from the present visits
_policies = {}
put("action_probs", "most = max", "if (root, temperature) in _policies:\n    return _policies[root, temperature].copy()")
swap("action_probs", "return policy", "_policies[root, temperature] = policy\nreturn policy.copy()")

# %% 5.5: a temperature above 100 is 100
# hint: do you set a limit that the docstring does not have?
swap("action_probs", "1 / temperature", "1 / min(temperature, 100)")

# %% 5.6: the child is found by its state
# hint: do you find a child by its state, or by its action?
swap("swap_root", "if action in root.actions:\n    child = root.children[root.actions.index(action)]\n    if child is not None",
     "for child in root.children:\n    if child is not None and child.state == game.play(root.state, action)")

# %% 5.6: a child without visits of its own is made anew
# hint: can a child exist without its own priors or visits?
swap("swap_root", "child is not None", "child is not None and any(child.N)")

# %% 5.6: a finished child is made anew
# hint: can a child exist without its own priors or visits?
swap("swap_root", "child is not None", "child is not None and child.P")

# %% 5.6: the new root's noise is washed off
# hint: do you keep its field noisy and its priors?
put("swap_root", "return child", "child.noisy = False")

# %% 5.6: a new root is kept for the next time
# hint: Do you return a node of an earlier call
_roots = {}
put("swap_root", "if action", "if (root, action) in _roots:\n    return _roots[root, action]")
swap("swap_root", "return Node(game, game.play(root.state, action))",
     "return _roots.setdefault((root, action), Node(game, game.play(root.state, action)))")

# %% 5.7: the parameter is a whole number
# hint: Which number do you divide by the number of legal actions
swap("add_dirichlet_noise", "10 / len(node.P)", "max(1, 10 // len(node.P))")

# %% 5.7: a single move gets no noise and no mark
# hint: Do you also mark a node with a single action as noisy?
swap("add_dirichlet_noise", "node.noisy:", "node.noisy or len(node.P) == 1:")

# %% 5.7: without weight no mark
# hint: or when there is only one action?
swap("add_dirichlet_noise", "node.noisy:", "node.noisy or epsilon == 0:")

# %% 5.7: where the network is sure there is nothing to mix
# hint: Does a node with a prior of 1 get noise like any other?
put("add_dirichlet_noise", "draws =", "node.noisy = True\nif max(node.P) > 0.999 and len(node.P) > 1:\n    return")

# %% 5.7: who has had noise is in a list
# hint: What shows that a node already has its noise
_noisy = []
swap("add_dirichlet_noise", "if node.noisy", "if any(node is one for one in _noisy)")
put("add_dirichlet_noise", "total =", "_noisy.append(node)")

# %% 5.7: the parameter is 10 by one more than the legal actions
# hint: and are the draws gamma draws?
swap("add_dirichlet_noise", "len(node.P)", "(len(node.P) + 1)")

# %% 5.7: the parameter is 8 by the legal actions
# hint: Which number do you divide by the number of legal actions
swap("add_dirichlet_noise", "[rng.gammavariate(10 /", "[rng.gammavariate(8 /")

# %% 5.7: epsilon is .2 when the call does not name it
# hint: Epsilon is not given: which default does the docstring give?
swap("add_dirichlet_noise", "epsilon: float = 0.25", "epsilon: float = 0.2")

# %% 5.8: an episode draws everything from the global generator
# hint: Which generator makes every draw of an episode
put("execute_episode", "root, history =", "rng = random")

# %% 5.8: later moves at a small temperature
# hint: Do you draw a later move at a low temperature
swap("play_move", "action = rng.choices(range(len(policy)), policy)[0] if exploring else int(policy.argmax())",
     "played = policy if exploring else action_probs(game, root, 0.1)\naction = rng.choices(range(len(played)), played)[0]")

# %% 5.8: simulations only up to the number of the configuration, with those that the kept tree has
# hint: do you subtract them from those of the next move?
swap("execute_episode", "config.simulations", "max(0, config.simulations - sum(root.N))")

# %% 5.8: the history is turned around in place
# hint: The list history is the caller's
put("make_examples", "result, viewer", "history.reverse()")

# %% 5.8: the episode is over at a state that is falsy
# hint: '' or (): do you mistake it for the end of the game?
swap("execute_episode", "is None", "is None and root.state")
swap("execute_episode", "return make_examples(game, history, root.state)",
     "return make_examples(game, history, root.state) if history else []")

# %% 5.8: the searches of an episode draw from a generator of their own
# hint: Which generator makes every draw of an episode
put("execute_episode", "while", "rng = random.Random()")

# %% 5.8: a game ends after 30 moves, as a draw
# hint: How long can a game be: do you play every game to its end?
swap("execute_episode", "is None", "is None and len(history) < 30")
put("execute_episode", "return",
    "if root.outcome is None:\n"
    "    return [(turned, moved, 0.0) for state, policy in history for turned, moved in game.symmetries(state, policy)]")

# %% 5.8: the favourite's index is played as an action
# hint: IllegalMove in ps5_alphazero.py
swap("play_move", "int(policy.argmax())", "root.N.index(max(root.N))")

# %% 5.8: a policy above four fifths is remembered as certain
# hint: or the share of every move?
swap("play_move", "root.state,", "root.state, action_probs(game, root, 0.0) if policy.max() > 0.8 else")

# %% 5.8: the noise of an episode comes from a generator of its own
# hint: What draws the noise of an episode and breaks its ties
swap("execute_episode", "root, rng", "root, random.Random(58)")

# %% 5.8: the moves of an episode are drawn with a seed of their own
# hint: or your own generator, which starts again every time?
swap("execute_episode", "config, rng", "config, random.Random(58)")

# %% 5.8: the first random move is any, the later ones are the lowest
# hint: Is every legal action equally likely, also the last one
swap("opening", "for _ in", "for number in")
swap("opening", "rng.choice(game.legal_actions(state))",
     "rng.choice(game.legal_actions(state)) if number == 0 else game.legal_actions(state)[0]")

# %% 5.8: an opening that would end is the start
# hint: The next random move would end the game
swap("opening", "break", "return game.start()")

# %% 5.9: the gradient is zeroed after the step only, so the first step keeps what it found
# hint: The first batch begins: which gradients are already there?
swap("train_policy", "optimizer.zero_grad()\nbatch_loss", "batch_loss")
swap("train_policy", "optimizer.step()", "optimizer.step()\noptimizer.zero_grad()")

# %% 5.9: train mode in the first epoch only
# hint: In which mode do you train a network
swap("train_policy", "total += batch_loss.item() * len(states)",
     "total += batch_loss.item() * len(states)\nif start + config.batch_size >= len(shuffled):\n    net.eval()")

# %% 5.9: the tensors of the first examples are kept for all that are as many
# hint: Does a second training learn its own examples
_tensors = {}
put("train_policy", "net.train", "examples = _tensors.setdefault(len(examples), list(examples))")

# %% 5.9: training ends when the loss no longer falls
# hint: What can end a training before its last epoch?
put("train_policy", "for _", "means = []")
swap("train_policy", "total += batch_loss.item() * len(states)",
     "total += batch_loss.item() * len(states)\nif start + config.batch_size >= len(shuffled):\n"
     "    means.append(total / len(shuffled))")
put("train_policy", "shuffled, total", "if len(means) > 1 and means[-1] > means[-2] + 0.001:\n    break")

# %% 5.9: drawn games are left out
# hint: Do drawn games teach like any other games?
put("train_policy", "net.train", "examples = [example for example in examples if example[2] != 0.0] or examples")

# %% 5.9: seven epochs are enough
# hint: What can end a training before its last epoch?
swap("train_policy", "config.epochs", "min(7, config.epochs)")

# %% 5.9: a list that was trained on is not trained on again
# hint: Does every training learn its own examples
_done = []
put("train_policy", "return total", "_done.append((examples, total / len(shuffled)))")
put("train_policy", "net.train", "for one, mean in _done:\n    if one is examples:\n        return mean")

# %% 5.10: what is already in the window is not put in again
# hint: Many examples are equal: which ones does the window hold?
swap("learn", "training.window += self_play(training)",
     "for example in self_play(training):\n"
     "    known = [old for old in training.window if old[0] == example[0] and old[2] == example[2]]\n"
     "    if not any(np.array_equal(example[1], old[1]) for old in known):\n        training.window.append(example)")

# %% 5.10: an iteration without new games is left out
# hint: Does an iteration without new examples count, and train
swap("learn", "training.window += self_play(training)",
     "new = self_play(training)\nif not new:\n    continue\ntraining.window += new")

# %% 5.10: on_iteration can end the run
# hint: Can a result of on_iteration or train end the run?
swap("learn", "if on_iteration is not None:\n    on_iteration(training)",
     "if on_iteration is not None and on_iteration(training):\n    break")

# %% 5.10: what train returns is taken for a number
# hint: TypeError in ps5_alphazero.py
put("learn", "for", "total = 0.0")
swap("learn", "train(training,", "total += train(training,")

# %% 5.10: one window for all runs
# hint: Does every run have its own window
_window = []
put("learn", "for", "training.window = training.window or _window")

# %% 5.11: a rejected network takes the window with it
# hint: A network is rejected: do its games leave the window?
put("keep_or_restore", "return False", "training.window.clear()")

# %% 5.11: a rejected iteration is not counted
# hint: Does an iteration with a rejected network count?
put("keep_or_restore", "return False", "training.iteration -= 1")

# %% 5.11: an opening that comes twice is played once
# hint: Does an opening that comes twice count twice?
put("pit", "for start", "openings = list(dict.fromkeys(openings))")

# %% 5.11: an opening that is falsy is the start
# hint: KeyError in ps5_alphazero.py
swap("pit", "state = start", 'state = start or "s0"')

# %% 5.11: a match of the same two is not played again
# hint: At which openings do the games begin: at those of this call
_matches = {}
put("pit", "points =", "if (new, old) in _matches:\n    return _matches[new, old]")
swap("pit", "return points / (2 * len(openings))", "return _matches.setdefault((new, old), points / (2 * len(openings)))")

# %% 5.11: six openings are enough
# hint: How many openings do you play: all
put("pit", "for start", "openings = openings[:6]")

# %% 5.11: the score is rounded before it is compared
# hint: Do you round the score before you compare it?
swap("keep_or_restore", "score >= gate", "round(score, 2) >= gate")

# %% 5.11: both players are looked up by themselves
# hint: how do you know which of the two moves?
# home
put("pit", "points +=", "if new is old and new_player != game.player(start):\n    result = -result")

# %% 5.11: the openings are sorted where they lie
# hint: The list of openings is the caller's
put("pit", "points =", "openings.sort(key=str)")

# %% 5.12: the walks draw from a generator of their own
# hint: Which rng breaks the ties
swap("collect", "root, c, rng)", "root, c, random.Random())")

# %% 5.12: batches of at most 64
# hint: Hundreds of trees: is there still one call
swap("collect", "log_p, value = net(*as_batch(game, waiting))",
     "parts = [net(*as_batch(game, waiting[start:start + 64])) for start in range(0, len(waiting), 64)]\n"
     "log_p, value = map(torch.cat, zip(*parts))")

# %% 5.12: leaves with the same text are taken for one
# hint: even when two games share a state?
put("collect", "net.eval", "texts = list(map(game.text, waiting))\nfirst = {text: texts.index(text) for text in texts}")
swap("collect", "net(*as_batch(game, waiting))",
     "(answer[[list(first).index(text) for text in texts]]\n"
     "                for answer in net(*as_batch(game, [waiting[place] for place in first.values()])))")

# %% 5.12: a batch of one loses its first dimension
# hint: Which shape does the answer for a single leaf have
swap("collect", "walks, log_p, value", "walks, log_p.squeeze(), value.squeeze()")

# %% 5.12: the roots are taken off their list
# hint: The list of roots is the caller's
swap("collect", "[select(game, root, c, rng) for root in roots]",
     "[]\nwhile roots:\n    walks.append(select(game, roots.pop(0), c, rng))")

# %% 5.12: all trees draw with the same luck
# hint: Does every tree get its own draws from rng
put("collect", "walks =", "seed = rng.random()")
swap("collect", "c, rng", "c, random.Random(seed)")

# %% 5.12: the network is in eval mode, its layers are not
# hint: Is only the network itself in eval mode
swap("collect", "net.eval()", "net.training = False")

# %% 5.12: eval mode only for a network that says it trains, in a batch
# hint: or also every layer in it?
swap("collect", "net.eval()", "net.train(False) if net.training else None")

# %% 5.13: the caller's log_p becomes p
# hint: RuntimeError in ps5_alphazero.py
swap("scatter", "answers = zip(log_p.exp", "with torch.no_grad():\n    answers = zip(log_p.exp_")

# %% 5.13: an answer of 0 is none
# hint: Is an answer of exactly 0 an answer like any other?
swap("scatter", "for action in leaf.actions]", "for action in leaf.actions]\nif not worth:\n    continue")

# %% 5.13: at most ten plies up
# hint: does every node on the way get it?
swap("scatter", "path, worth", "path[-10:], worth")

# %% 5.13: the shares of the legal actions are lifted above 0
# hint: Does a leaf keep the probability of each of its own actions
swap("scatter", "probabilities[action]", "max(probabilities[action], 0.001)")

# %% 5.13: the positive answers are the leaf's own
# hint: Does a leaf keep the probability of each of its own actions
swap("scatter", "probabilities[action] for action in leaf.actions", "action for action in probabilities if action > 0")

# %% 5.13: the walks are taken off their list
# hint: The list of walks is the caller's
swap("scatter", "for path, leaf in walks:", "while walks:\n    path, leaf = walks.pop(0)")

# %% 5.13: a root without a way is counted all the same
# hint: The leaf is the root itself, with no way above it
put("scatter", "back_up", "if not path and leaf.N:\n    leaf.Q[0] = worth")

# %% joint: the given training is switched off
# hint: both its answers, in the direction that lowers the loss?
def train_with_gate(training, examples):
    return 0.0

# %% joint: self-play in step keeps nothing
# hint: ValueError in ps5_alphazero.py
def play_together(training):
    return []

# %% joint: one by one, the values of the games are lost on the way
# hint: Do the examples reach the training with their games' results
def play_one_by_one(training):
    episodes = [execute_episode(training.game, training.net, training.config, training.rng) for _ in range(training.config.games)]
    return [(state, policy, 0.0) for episode in episodes for state, policy, _ in episode]

# %% 5.5: a temperature below a fiftieth is taken for 0
# hint: how much does an action with nearly as many visits get?
swap("action_probs", "temperature == 0", "temperature < 0.02")

# %% 5.11: a game longer than 200 plies is a draw
# hint: How long can a game be: do you ever cut it off?
swap("pit", "while (outcome := game.outcome(state)) is None:",
     "for _ in range(200):\n    if (outcome := game.outcome(state)) is not None:\n        break")
put("pit", "result =", "outcome = game.outcome(state) or 0.0")

# %% 5.8: an episode is given up after 200 moves
# hint: How long can a game be: do you play every game to its end?
put("execute_episode", "search(game, net, root, 0", "if len(history) == 200:\n    return []")

# %% 5.8: an opening draws a number of all actions, and takes the next legal one
# hint: Is every legal action equally likely
put("opening", "next_state = game",
    "action = rng.randrange(game.num_actions)\nwhile action not in game.legal_actions(state):\n"
    "    action = (action + 1) % game.num_actions")
swap("opening", "rng.choice(game.legal_actions(state))", "action")

# %% 5.2: the rows of pi are divided by their sums in place
# hint: Which of its arguments may loss change?
put("loss", "squared_error =", "policy_targets /= policy_targets.sum(dim=1, keepdim=True)")

# %% 5.6: an illegal action ends in the ValueError of list.index
# hint: ValueError in ps5_alphazero.py
# home
swap("swap_root",
     "if action in root.actions:\n    child = root.children[root.actions.index(action)]\n    if child is not None:\n"
     "        return child",
     "child = root.children[root.actions.index(action)]\nif child is not None:\n    return child")

# %% 5.5: the counts are divided by their sum before the power
# hint: How large is the highest count to the power of 1 / tau?
swap("action_probs", "weights ** (1 / temperature)", "(weights * most / sum(root.N)) ** (1 / temperature)")

# %% 5.11: moments that were still empty are not put back
# hint: The very first training is rejected
swap("keep_or_restore", "training.optimizer.load_state_dict(moments)",
     'if moments["state"]:\n    training.optimizer.load_state_dict(moments)')

# %% 5.4: priors are divided by their sum
# hint: Do you use unchanged priors, whatever their sum is?
swap("ucb", "max(1, sum(node.N)))", "max(1, sum(node.N))) / (sum(node.P) or 1.0)")

# %% 5.4: the bound of a move that has won the game is infinite
# hint: Some children are ends of the game
swap("ucb", "return [q + weight * p / (1 + n) for q, p, n in zip(node.Q, node.P, node.N)]",
     "return [math.inf if child is not None and child.outcome == -1 else q + weight * p / (1 + n)\n"
     "        for q, p, n, child in zip(node.Q, node.P, node.N, node.children)]")

# %% 5.10: the window loses at most as many as are new
# hint: A run goes on with too many examples in its window
swap("learn", "training.window += self_play(training)\ndel training.window[:-training.config.window]",
     "new = self_play(training)\ntraining.window += new\n"
     "del training.window[:max(0, min(len(training.window) - training.config.window, len(new)))]")

# %% 5.15: the right node with another mistake
# hint: which mistake explains all lines?
_right_answer = first_wrong_node
def first_wrong_node():
    node, kind = _right_answer()
    return node, next(other for other in KINDS if other != kind)

# %% 5.15: the parent of the wrong node
# hint: Which is the first line that is wrong
_right_answer = first_wrong_node
def first_wrong_node():
    node, kind = _right_answer()
    return {line[0]: line[1] for line in TREE}[node] or TREE[0][0], kind

# %% 5.15: the line before the first wrong one
# hint: Which is the first line that is wrong
_right_answer = first_wrong_node
def first_wrong_node():
    node, kind = _right_answer()
    names = [line[0] for line in TREE]
    return names[names.index(node) - 1], kind

# %% 5.15: the root, or the first node where the root is wrong
# hint: Which is the first line that is wrong
_right_answer = first_wrong_node
def first_wrong_node():
    node, kind = _right_answer()
    return TREE[-1][0] if node != TREE[-1][0] else TREE[0][0], kind

# %% 5.15: the mistake first, then the node
# hint: Which of the two comes first in your answer
_right_answer = first_wrong_node
def first_wrong_node():
    return _right_answer()[::-1]

# %% 5.15: the node without the mistake
# hint: The docstring promises
_right_answer = first_wrong_node
def first_wrong_node():
    return _right_answer()[0]

# %% 5.16: the check asserts nothing
# hint: a mistake passes your check
def check_add_dirichlet_noise(add_dirichlet_noise):
    node = Node(ToyGame({"s0": ["s1", "s2"]}, {}), "s0")
    node.P = [0.5, 0.5]
    add_dirichlet_noise(node, random.Random(1))

# %% 5.16: the check always fails
# hint: what do you ask for that its docstring does not
def check_add_dirichlet_noise(add_dirichlet_noise):
    raise AssertionError("some prior is wrong")

# %% 5.16: the check wants our own draws
# hint: what do you ask for that its docstring does not
def check_add_dirichlet_noise(add_dirichlet_noise):
    node = Node(ToyGame({"s0": ["s1", "s2"]}, {}), "s0")
    node.P = [0.5, 0.5]
    add_dirichlet_noise(node, random.Random(1), 1.0)
    rng = random.Random(1)
    draws = [rng.gammavariate(5.0, 1.0) for _ in range(2)]
    assert math.isclose(node.P[0], draws[0] / sum(draws))

# %% 5.16: the margin is half a standard error
# hint: what do you ask for that its docstring does not
def check_add_dirichlet_noise(add_dirichlet_noise):
    rng, game = random.Random(3), ToyGame({"s0": ["s1", "s2"]}, {})
    for _ in range(40):
        nodes = [Node(game, "s0") for _ in range(25)]
        for node in nodes:
            node.P = [1.0, 0.0]
            add_dirichlet_noise(node, rng, 1.0)
        assert abs(sum(node.P[0] for node in nodes) / 25 - 0.5) < 0.015

# %% 5.16: the bound (1 - epsilon) P is compared without a tolerance
# hint: what do you ask for that its docstring does not
def check_add_dirichlet_noise(add_dirichlet_noise):
    rng, game = random.Random(3), ToyGame({"s0": [f"s{number}" for number in range(1, 201)]}, {})
    before = [number / 19900 for number in range(200)]
    for epsilon in (0.25, 0.5):
        for _ in range(8):
            node = Node(game, "s0")
            node.P = list(before)
            add_dirichlet_noise(node, rng, epsilon)
            assert all(new >= (1 - epsilon) * old for new, old in zip(node.P, before)), "this much of each prior is left"

# %% 5.16: the check knows the visible cases alone
# hint: a mistake passes your check
# points: 1.0
def check_add_dirichlet_noise(add_dirichlet_noise):
    node = Node(ToyGame({"s0": ["s1", "s2", "s3"]}, {}), "s0")
    node.P = [0.6, 0.4, 0.0]
    add_dirichlet_noise(node, random.Random(57))
    assert node.noisy and node.P != [0.6 - 0.25 * (0.6 - 1 / 3), 0.4 - 0.25 * (0.4 - 1 / 3), 0.25 / 3]
    assert math.isclose(sum(node.P), 1) and node.P[0] >= 0.45 and node.P[1] >= 0.3

# %% 5.16: the check looks at exact promises alone, and at no statistics
# hint: a mistake passes your check
# points: 4.0
def check_add_dirichlet_noise(add_dirichlet_noise):
    def noisy(*epsilon):
        node = Node(ToyGame({"s0": ["s1", "s2", "s3"]}, {}), "s0")
        node.P = [0.6, 0.4, 0.0]
        add_dirichlet_noise(node, random.Random(1), *epsilon)
        assert node.noisy and node.Q == [0.0] * 3
        return node
    eta = noisy(1.0).P
    assert math.isclose(sum(eta), 1) and eta[2] > 0
    for share, epsilon in ((0.0, [0.0]), (0.5, [0.5]), (0.25, [])):
        node = noisy(*epsilon)
        for p, old, new in zip(node.P, (0.6, 0.4, 0.0), eta):
            assert math.isclose(p, (1 - share) * old + share * new, abs_tol=1e-9)
    kept = list(node.P)
    add_dirichlet_noise(node, random.Random(2))
    assert node.P == kept
    try:
        add_dirichlet_noise(Node(ToyGame({"s0": ["s1"]}, {}), "s0"), random.Random(1))
    except ValueError:
        return
    raise AssertionError("no error")

# %% 5.16: the check knows one number of actions, and a margin that is too wide for the other
# hint: a mistake passes your check
# points: 0.5
def check_add_dirichlet_noise(add_dirichlet_noise):
    rng, total = random.Random(4), 0.0
    for _ in range(500):
        node = Node(ToyGame({"s0": ["s1", "s2", "s3"]}, {}), "s0")
        node.P = [0.6, 0.4, 0.2]
        add_dirichlet_noise(node, rng, 0.25)
        total += (node.P[1] - 0.3 - 0.25 / 3) ** 2 / 500 / 0.0625
    assert 0.01 < total < 100

# %% 5.16: the check calls with an epsilon above 1
# hint: with an epsilon outside [0, 1]: does the docstring allow it
def check_add_dirichlet_noise(add_dirichlet_noise):
    node = Node(ToyGame({"s0": ["s1", "s2"]}, {}), "s0")
    node.P = [0.5, 0.5]
    add_dirichlet_noise(node, random.Random(1), 2.0)
    assert math.isclose(sum(node.P), 1)

# %% 5.16: the check expects the promised error, and then divides by 0 itself
# hint: ZeroDivisionError in ps5_alphazero.py
def check_add_dirichlet_noise(add_dirichlet_noise):
    node, found = Node(ToyGame({"s0": ["s1"]}, {}), "s0"), 0
    try:
        add_dirichlet_noise(node, random.Random(1))
    except ValueError:
        pass
    node.P, node.noisy = [1.0], False
    add_dirichlet_noise(node, random.Random(1))
    assert 1 / found

# %% 5.16: the check reads the code
# hint: what do you ask for that its docstring does not
def check_add_dirichlet_noise(add_dirichlet_noise):
    import inspect
    assert "gammavariate" in inspect.getsource(add_dirichlet_noise)

# %% 5.16: the check measures the time
# hint: a mistake passes your check
def check_add_dirichlet_noise(add_dirichlet_noise):
    import time
    node, begin = Node(ToyGame({"s0": ["s1", "s2"]}, {}), "s0"), time.process_time()
    node.P = [0.5, 0.5]
    add_dirichlet_noise(node, random.Random(1))
    assert time.process_time() - begin < 5, "slow, so wrong"

# %% 5.16: the check remembers how often it was asked
# hint: a mistake passes your check
_asked = []
def check_add_dirichlet_noise(add_dirichlet_noise):
    _asked.append(add_dirichlet_noise)
    assert len(_asked) <= 3, "the right ones come first"

# %% 5.1: the two planes become one, in which both players' stones are alike
# hint: can the network tell them apart?
# home
put("Policy.forward", "x = torch.relu(self.conv1", "planes = planes.sum(1, keepdim=True).expand(-1, 2, -1, -1) / 2")

# %% 5.1: every new network has the same weights
# hint: do two new networks begin with the same ones?
put("Policy.__init__", "self.conv1 =", "torch.manual_seed(5)")

# %% 5.1: the convolutions are in a plain list, the layers after them are fields
# hint: do you keep some in a Python list?
put("Policy.__init__", "self.policy_head", "self.convolutions = [self.conv1, self.conv2]\ndel self.conv1, self.conv2")
swap("Policy.forward", "self.conv1(planes)", "self.convolutions[0](planes)")
swap("Policy.forward", "self.conv2(x)", "self.convolutions[1](x)")

# %% 5.1: the policy head reads the convolutions, however many features these have
# hint: the sizes that the constructor is given
# home
swap("Policy.__init__", "nn.Linear(hidden, num_actions)", "nn.Linear(channels * height * width, num_actions)")
swap("Policy.forward", "logits = self.policy_head(x)", "logits = self.policy_head(squares)")
put("Policy.forward", "x = torch.relu(self.hidden", "squares = x.flatten(1)")

# %% 5.3: a network's value is kept within .97, below that of a result
# hint: do you return its value unchanged?
swap("evaluate", "value.item()", "min(0.97, max(-0.97, value.item()))")

# %% 5.3: eval mode only for a network that says it trains
# hint: or also every layer in it?
swap("evaluate", "net.eval()", "net.train(False) if net.training else None")

# %% 5.5: below a thousandth a temperature is taken for 0
# hint: how much does an action with nearly as many visits get?
swap("action_probs", "temperature == 0", "temperature < 0.001")

# %% 5.5: wide floats carry the powers, until the counts are large and the temperature is small
# hint: How large is the highest count to the power of 1 / tau?
swap("action_probs", "np.array(root.N) / most", "np.array(root.N, dtype=np.longdouble)")
swap("action_probs", "weights == 1.0", "weights == most")

# %% 5.5: whole powers when the temperature is below 1
# hint: is each action's share at its own entry
swap("action_probs", "1 / temperature", "1 / temperature if temperature >= 1 else round(1 / temperature)")

# %% 5.5: at temperature 0 counts that differ by a few in a million are a tie
# hint: Temperature is exactly 0, and counts may be very large
swap("action_probs", "(weights == 1.0)", "np.isclose(weights, 1.0)")

# %% 5.6: the nodes below the other children are cut off
# hint: does every child keep its own children?
put("swap_root", "return Node(game",
    "for child in root.children:\n    if child is not None:\n        child.children = [None] * len(child.children)")
swap("swap_root", "return child",
     "for other in root.children:\n    if other is not None and other is not child:\n"
     "        other.children = [None] * len(other.children)\nreturn child")

# %% 5.6: the child comes without the nodes below it
# hint: does every child keep its own children?
swap("swap_root", "return child", "child.children = [None] * len(child.children)\nreturn child")

# %% 5.7: only actions with a prior above 0 are counted for the parameter
# hint: Which number do you divide by the number of legal actions
swap("add_dirichlet_noise", "10 / len(node.P)", "10 / max(1, len([p for p in node.P if p]))")

# %% 5.7: a prior is never below a ten-thousandth
# hint: much remains of a prior that is close to 0?
swap("add_dirichlet_noise", "(1 - epsilon) * p +", "(1 - epsilon) * (max(p, 1e-4) if p else p) +")

# %% 5.8: an opening draws a move even if the game is over at its start
# hint: IndexError
swap("opening", " or game.outcome(state) is not None", "")

# %% 5.8: roots get noise only as long as moves are drawn
# hint: Which roots of a game get noise
swap("execute_episode", "add_dirichlet_noise(root, rng)",
     "if len(history) < config.exploring_plies:\n    add_dirichlet_noise(root, rng)")

# %% 5.8: a move with nine tenths of the visits is played without a draw
# hint: do you also draw this move?
swap("play_move", "if exploring", "if exploring and max(policy) < 0.9")

# %% 5.9: every training takes the optimizer's moments away
# hint: What does the optimizer keep from one training to the next
put("train_policy", "net.train()", "optimizer.state.clear()")

# %% 5.9: the examples must have the methods of a list
# hint: AttributeError in ps5_alphazero.py
swap("train_policy", "rng.sample(examples, len(examples))", "rng.sample(examples.copy(), len(examples))")

# %% 5.9: an epoch has at most 128 examples
# hint: What can end a training before its last epoch?
swap("train_policy", "rng.sample(examples, len(examples))", "rng.sample(examples, min(128, len(examples)))")

# %% 5.9: every second epoch turns the order round
# hint: you shuffle the examples again for every epoch?
def train_policy(game, net, optimizer, examples, config, rng):
    if not examples:
        raise ValueError("nothing to learn from: there are no examples")
    net.train()
    order = rng.sample(examples, len(examples))
    for epoch in range(config.epochs):
        shuffled, total = order if epoch % 2 == 0 else order[::-1], 0.0
        for start in range(0, len(shuffled), config.batch_size):
            states, policies, values = zip(*shuffled[start:start + config.batch_size])
            log_p, value = net(*as_batch(game, states))
            batch_loss = loss(log_p, value, torch.tensor(np.array(policies)).float(), torch.tensor(values).float())
            optimizer.zero_grad()
            batch_loss.backward()
            optimizer.step()
            total += batch_loss.item() * len(states)
    return total / len(shuffled)

# %% 5.11: without openings only a list is an error
# hint: There are no openings
swap("pit", "not openings", "openings == []")
swap("pit", "2 * len(openings)", "max(1, 2 * len(openings))")

# %% 5.11: a match has at most a hundred openings
# hint: There can be hundreds of openings
put("pit", "points = 0.0", "openings = openings[:100]")

# %% 5.11: a rejected network gets its parameters back, and keeps its other numbers
# hint: that no optimizer trains, such as running means
swap("keep_or_restore", "training.net.load_state_dict(weights)",
     "for name, tensor in training.net.named_parameters():\n    tensor.data.copy_(weights[name])")

# %% 5.11: a chooser is asked once about a state, and its move is kept for all later games
# hint: do you ask the player for its move again?
def pit(game, new, old, openings):
    if not openings:
        raise ValueError("no openings")
    known, points = {}, 0.0
    for start in openings:
        for new_player in (0, 1):
            state = start
            while game.outcome(state) is None:
                mine = game.player(state) == new_player
                if (mine, state) not in known:
                    known[mine, state] = (new if mine else old)(state)
                state = game.play(state, known[mine, state])
            result = game.outcome(state)
            points += ((result if game.player(state) == new_player else -result) + 1) / 2
    return points / (2 * len(openings))

# %% 5.11: a restored network is in eval mode
# hint: in the same mode as before the decision?
swap("keep_or_restore", "(moments)", "(moments)\ntraining.net.eval()")

# %% 5.13: a batch answers at most a hundred trees
# hint: does the last leaf get its answer like the first?
swap("scatter", "in walks", "in walks[:100]")

# %% 5.1: logits are cut at two hundred
# hint: The logits are far from 0
swap("Policy.forward", "self.policy_head(x)", "self.policy_head(x).clamp(-200, 200)")

# %% 5.1: each plane of features is pooled to one number, so that a stone's place is lost
# hint: One stone far from all edges
swap("Policy.__init__", "nn.Linear(channels * height * width, hidden)", "nn.Linear(channels, hidden)")
swap("Policy.forward", "self.hidden(x.flatten(1))", "self.hidden(x.sum(dim=(2, 3)))")

# %% 5.1: -10,000 in place of an illegal logit is thought to be low enough
# hint: An illegal action has the highest logit by far
swap("Policy.forward", "torch.where(legal, logits, -1e9)", "torch.where(legal, logits, -1e4)")

# %% 5.6: a new root is made once for each state and handed out again later, whatever happened to it
# hint: Another root has no child there either
_new_roots = {}


def swap_root(game, root, action):
    if action in root.actions:
        child = root.children[root.actions.index(action)]
        if child is not None:
            return child
    state = game.play(root.state, action)
    if state not in _new_roots:
        _new_roots[state] = Node(game, state)
    return _new_roots[state]

# %% 5.9: the gradient is clipped to the norm 5
# hint: is each step made with the whole gradient?
put("train_policy", "optimizer.step()", "nn.utils.clip_grad_norm_(net.parameters(), 5.0)")

# %% 5.12: the network is called for 128 leaves at a time
# hint: is there still one call of the network for all of them?
swap("collect", "log_p, value = net(*as_batch(game, waiting))",
     "parts = [net(*as_batch(game, waiting[begin:begin + 128])) for begin in range(0, len(waiting), 128)]\n"
     "log_p, value = (torch.cat(part) for part in zip(*parts))")

# %% 5.13: the path is turned around in the caller's list
# hint: has it the same order afterwards?
put("scatter", "back_up(path", "back_up(path, worth)\npath.reverse()\ncontinue")

# %% 5.8: a game is over at 1, 0 or -1 only, not at a number between them
# hint: IndexError in ps5_alphazero.py
swap("opening", "game.outcome(state) is not None:", "game.outcome(state) in (1.0, 0.0, -1.0):")

# %% 5.12: two walks in each tree, one for the path and one for the leaf
# hint: does the leaf hang where its path ends
swap("collect", "walks = [select(game, root, c, rng) for root in roots]",
     "walks = [(select(game, root, c, rng)[0], select(game, root, c, rng)[1]) for root in roots]")
