# Wrong answers to ps4_puct. Each cell names the exercise that it breaks, and is appended to the solution.
# `make verify` wants every one to lose the points of that exercise, and of the joint check at most beside it.
# A cell: `# %% 2.5: what is wrong`, `# hint: ` words of the hint, and `swap` or `put` (autograder/problem_sets/bank/edits.py).
# `# home` marks a natural mistake: the visible check catches it too (tests/unit/test_natural_mistakes.py).

# %% 4.0: every position carries the result of the player who moved last
# hint: Is the result the same for both players
swap("examples", "outcome if game.player(before) == last else 0.0 - outcome", "0.0 - outcome")

# %% 4.0: the result is for the player to move at the end
# hint: Is the result the same for both players?
swap("examples", "outcome if game.player(before) == last else 0.0 - outcome", "outcome")

# %% 4.0: the signs alternate, but from the wrong end
# hint: for the player who moved last, or the player to move here?
swap("examples", "outcome if game.player(before) == last else 0.0 - outcome",
     "0.0 - outcome if game.player(before) == last else outcome")

# %% 4.0: the result is for the player who moved first
# hint: Is the result the same for both players?
swap("examples", "game.player(before) == last", "last == 0")

# %% 4.0: the state after the action
# hint: Is this the state in which the action was chosen
swap("examples", "visited.append((state, action))\nstate = game.play(state, action)",
     "state = game.play(state, action)\nvisited.append((state, action))")
swap("examples", "outcome if game.player(before) == last else 0.0 - outcome",
     "0.0 - outcome if game.player(before) == last else outcome")

# %% 4.0: passes are left out of the examples
# hint: One example for each action, in order: is a pass an example
swap("examples", "visited.append", "if action != game.num_actions - 1 or game.num_actions < 37:\n    visited.append")

# %% 4.0: the finished position is an example too
# hint: One example for each action, in order: is a pass an example
put("examples", "last =", "visited.append((state, actions[-1]))")

# %% 4.0: a game that is not over counts as a draw
# hint: what does the docstring say about this case?
swap("examples", 'raise ValueError("the game is not over after these actions")', "outcome = 0.0")

# %% 4.0: a draw is taken for a game that is not over
# hint: ValueError in ps4_puct.py
# home
swap("examples", "outcome is None", "not outcome")

# %% 4.0: a draw counts as a loss for both
# hint: What is a draw worth, for either player?
swap("examples", "outcome if game.player(before) == last else 0.0 - outcome",
     "1.0 if outcome != 0 and (game.player(before) == last) == (outcome > 0) else -1.0")

# %% 4.0: softmax before cross_entropy
# hint: Does cross_entropy not apply softmax itself
swap("policy_loss", "nn.functional.cross_entropy(logits", "nn.functional.cross_entropy(torch.softmax(logits, dim=1)")

# %% 4.0: the softmax runs over the batch
# hint: Over which axis
swap("policy_loss", "nn.functional.cross_entropy(logits, actions)",
     "-torch.log_softmax(logits, dim=0)[torch.arange(len(actions)), actions].mean()")

# %% 4.0: the policy loss is a sum
# hint: should a loss grow with the batch
swap("policy_loss", "logits, actions", "logits, actions, reduction='sum'")

# %% 4.0: the policy loss is the mean over actions too
# hint: Is the mean over the batch only, or also over the actions?
swap("policy_loss", "nn.functional.cross_entropy(logits, actions)",
     "-(torch.log_softmax(logits, dim=1) * nn.functional.one_hot(actions, logits.shape[1])).mean()")

# %% 4.0: minus the probability instead of its logarithm
# hint: What is missing between
swap("policy_loss", "nn.functional.cross_entropy(logits, actions)",
     "-torch.softmax(logits, dim=1)[torch.arange(len(actions)), actions].mean()")

# %% 4.0: the loss loses its gradient
# hint: A tensor becomes a plain number
swap("policy_loss", "nn.functional.cross_entropy(logits, actions)",
     "torch.tensor(nn.functional.cross_entropy(logits, actions).item())")

# %% 4.0: the value loss compares every value with every result
# hint: Do you compare every value with its own result only?
swap("value_loss", "- results)", ".unsqueeze(1) - results)")

# %% 4.0: the value loss is a sum
# hint: should a loss grow
swap("value_loss", "** 2).mean(", "** 2).sum(")

# %% 4.0: the value loss is the mean absolute error
# hint: Which power
swap("value_loss", "((values - results) ** 2)", "(values - results).abs()")

# %% 4.0: the value loss is the root of the mean square
# hint: Is there a root that the formula does not have?
swap("value_loss", "mean()", "mean().sqrt()")

# %% 4.0: the last batch is dropped when it is smaller
# hint: Some examples do not fill a whole batch
swap("train_epoch", "len(order), batch_size", "len(order) - batch_size + 1, batch_size")
swap("train_epoch", "/ len(order)", "/ max(1, len(order) // batch_size * batch_size)")

# %% 4.0: the old gradient is never forgotten
# hint: When do you clear the gradient of the previous batch
swap("train_epoch", "optimizer.zero_grad()\nbatch_loss", "batch_loss")

# %% 4.0: the gradient is forgotten once an epoch
# hint: When do you clear the gradient of the previous batch
swap("train_epoch", "optimizer.zero_grad()\nbatch_loss", "batch_loss")
put("train_epoch", "total = 0", "optimizer.zero_grad()")

# %% 4.0: the gradient is forgotten between backward and step
# hint: Which gradients are there when the optimizer makes its step?
swap("train_epoch", "optimizer.zero_grad()\nbatch_loss", "batch_loss")
put("train_epoch", "optimizer.step", "optimizer.zero_grad()")

# %% 4.0: a step of the optimizer at the end of the epoch only
# hint: How often does the optimizer step in an epoch
swap("train_epoch", "optimizer.zero_grad()\nbatch_loss", "batch_loss")
swap("train_epoch", "optimizer.step()\ntotal", "total")
put("train_epoch", "total = 0", "optimizer.zero_grad()")
put("train_epoch", "return", "optimizer.step()")

# %% 4.0: batches are drawn with replacement
# hint: Is every example in one batch, and in one only?
swap("train_epoch", "order[begin:begin + batch_size]",
     "[rng.randrange(len(inputs)) for _ in range(min(batch_size, len(inputs) - begin))]")

# %% 4.0: nothing is shuffled
# hint: Do you shuffle the examples again in every epoch?
swap("train_epoch", "rng.shuffle(order)\ntotal", "total")

# %% 4.0: torch's own generator shuffles
# hint: rng, or a generator that others use?
swap("train_epoch", "rng.shuffle(order)", "order = torch.randperm(len(inputs)).tolist()")

# %% 4.0: torch's own generator is seeded from rng
# hint: rng, or a generator that others use?
swap("train_epoch", "rng.shuffle(order)", "torch.manual_seed(rng.getrandbits(30))\norder = torch.randperm(len(inputs)).tolist()")

# %% 4.0: the mean of the batches' means
# hint: Does a small last batch count as much as a full batch?
# home
swap("train_epoch", "batch_loss.item() * len(batch)", "batch_loss.item()")
swap("train_epoch", "/ len(order)", "/ -(-len(order) // batch_size)")

# %% 4.0: the loss after the step is reported
# hint: When do you read the loss of a batch: before its step
swap("train_epoch", "batch_loss.item()", "loss(net(inputs[batch]), targets[batch]).item()")

# %% 4.0: inputs and targets are shuffled apart
# hint: Does each input come with its own target?
put("train_epoch", "total = 0", "others = rng.sample(order, len(order))")
swap("train_epoch", "targets[batch]", "targets[others[begin:begin + batch_size]]")

# %% 4.0: the network stays in evaluation mode
# hint: In which mode is the network from the first batch on
swap("train_epoch", "net.train()\norder", "order")

# %% 4.0: training mode comes after training
# hint: In which mode is the network from the first batch on
swap("train_epoch", "net.train()", "net.eval()")
put("train_epoch", "return", "net.train()")

# %% 4.0: rng only says where to begin
# hint: Can the examples come in any order, or only in a few orders?
swap("train_epoch", "rng.shuffle(order)", "first = rng.randrange(len(order))\norder = order[first:] + order[:first]")

# %% 4.0: the policy loss is wrapped into a new tensor that requires a gradient
# hint: Does a gradient flow from the loss back to the outputs
swap("policy_loss", "nn.functional.cross_entropy(logits, actions)",
     "torch.tensor(nn.functional.cross_entropy(logits, actions).item(), requires_grad=True)")

# %% 4.0: the denominator of the softmax is detached
# hint: Through which part of the formula
swap("policy_loss", "nn.functional.cross_entropy(logits, actions)",
     "(torch.logsumexp(logits.detach(), dim=1) - logits.gather(1, actions.unsqueeze(1)).squeeze(1)).mean()")

# %% 4.0: action 0 is ignored as padding
# hint: also the first and the last, in batches of any size?
swap("policy_loss", "functional.cross_entropy", "CrossEntropyLoss(ignore_index=0)")

# %% 4.0: the pass teaches the policy nothing
# hint: also the first and the last, in batches of any size?
swap("policy_loss", "functional.cross_entropy", "CrossEntropyLoss(ignore_index=36)")

# %% 4.0: the logarithm of the probability and a little
# hint: Logits are large or far apart: what happens to exp(z)
swap("policy_loss", "nn.functional.cross_entropy(logits, actions)",
     "-torch.log(torch.softmax(logits, dim=1)[torch.arange(len(actions)), actions] + 1e-08).mean()")

# %% 4.0: exp without a guard against large logits
# hint: Logits are large or far apart: what happens to exp(z)
swap("policy_loss", "return nn.functional.cross_entropy(logits, actions)",
     "e = torch.exp(logits)\nreturn -torch.log(e[torch.arange(len(actions)), actions] / e.sum(dim=1)).mean()")

# %% 4.0: logits are cut at 10
# hint: Logits are large or far apart: what happens to exp(z)
swap("policy_loss", "nn.functional.cross_entropy(logits,", "nn.functional.cross_entropy(logits.clamp(-10, 10),")

# %% 4.0: the policy loss smooths its labels
# hint: or also those of the others?
swap("policy_loss", "logits, actions", "logits, actions, label_smoothing=0.1")

# %% 4.0: the policy loss is squeezed, so that one example is none
# hint: ValueError in ps4_puct.py
swap("policy_loss", "cross_entropy(logits, actions)", "nll_loss(torch.log_softmax(logits.squeeze(), dim=-1), actions.squeeze())")

# %% 4.0: the value loss is the smooth one
# hint: Do you also square a large difference?
swap("value_loss", "((values - results) ** 2).mean()", "nn.functional.smooth_l1_loss(values, results)")

# %% 4.0: draws teach the value nothing
# hint: Which examples count: also those of drawn games?
swap("value_loss", "2).mean()", "2 * (results != 0)).mean()")

# %% 4.0: the value loss is the variance of the errors
# hint: anything from the differences before you square them?
swap("value_loss", "((values - results) ** 2).mean()", "(values - results).var(unbiased=False)")

# %% 4.0: the gradient of the value loss stops at large values
# hint: Does every example count: do you square value minus result
swap("value_loss", "- results)", ".clamp(-0.99, 0.99) - results)")

# %% 4.0: the gradient is forgotten after the step only, so the first step keeps what it found
# hint: which gradients may already be in the parameters?
swap("train_epoch", "optimizer.zero_grad()\nbatch_loss", "batch_loss")
swap("train_epoch", "optimizer.step()", "optimizer.step()\noptimizer.zero_grad()")

# %% 4.0: one more step at the end of the epoch
# hint: How often does the optimizer step in an epoch
put("train_epoch", "return", "optimizer.zero_grad(set_to_none=False)\noptimizer.step()")

# %% 4.0: the examples themselves are shuffled
# hint: What do you move when you shuffle: the examples themselves
swap("train_epoch", "rng.shuffle(order)",
     "rng.shuffle(order)\ninputs[:], targets[:] = inputs[order], targets[order]\norder.sort()")

# %% 4.0: the order of the first epoch is kept for all that have as many examples
# hint: Do you shuffle the examples again in every epoch?
swap("train_epoch", "rng: random.Random)", "rng: random.Random, orders={})")
swap("train_epoch", "rng.shuffle(order)", "order = orders.setdefault(len(inputs), rng.sample(order, len(order)))")

# %% 4.0: batches of ten at most
# hint: for any batch size, and how large is the last batch?
put("train_epoch", "order =", "batch_size = min(batch_size, 10)")

# %% 4.0: inputs are made flat
# hint: RuntimeError in ps4_puct.py
put("train_epoch", "order =", "inputs = inputs.reshape(len(inputs), -1)")

# %% 4.0: the gradient is cut at a norm of one half
# hint: At each step: which examples are in the batch
put("train_epoch", "optimizer.step", "nn.utils.clip_grad_norm_(net.parameters(), 0.5)")

# %% 4.0: games are told apart by their length
# hint: or an earlier game of the same length?
swap("examples", "actions: list[int])", "actions: list[int], told={})")
swap("examples",
     "return [(before, action, outcome if game.player(before) == last else 0.0 - outcome) for before, action in visited]",
     "result = [(before, action, outcome if game.player(before) == last else 0.0 - outcome) for before, action in "
     "visited]\nreturn told.setdefault(len(actions), result)")

# %% 4.0: the actions are taken out of the list
# hint: Is the given list of actions unchanged after the call?
swap("examples", "for action in actions:\n    visited.append", "while actions:\n    action = actions.pop(0)\n    visited.append")

# %% 4.0: who is to move is counted from the first player, whose plies are the even ones of the board's text
# hint: also after a pass, and how did the game end for this player?
put("examples", "last =", "won = outcome * (-1) ** (len(actions) % 2)")
swap("examples", "outcome if game.player(before) == last else 0.0 - outcome",
     'won if game.text(before).count("X") <= game.text(before).count("O") else -won')

# %% 4.0: a game without a move is not over
# hint: ValueError in ps4_puct.py
put("examples", "state, visited", 'if not actions:\n    raise ValueError("no game")')

# %% 4.0: a game is over where nothing is legal, whatever the outcome, and a game of forty plies is drawn
# hint: Is there one example for every action
swap("examples", "for action in actions", "for action in actions[:40]")
swap("examples", "outcome is None", "outcome is None and len(visited) < 40")
put("examples", "last =", "outcome = outcome or 0.0")

# %% 4.0: losses are remembered by the tensor
# hint: The same tensor holds other numbers now
swap("value_loss", "results: torch.Tensor)", "results: torch.Tensor, known={})")
swap("value_loss", "((values - results) ** 2).mean()",
     "known.setdefault(id(values), (((values - results) ** 2).mean(), values))[0]")

# %% 4.0: the targets are turned into errors where they lie
# hint: Are the given targets unchanged after the call?
swap("value_loss", "return ((values - results) ** 2).mean()",
     "loss = ((values - results) ** 2).mean()\nresults -= values.detach()\nreturn loss")

# %% 4.0: an epoch over the same inputs is trained once
# hint: Does a second epoch over the same examples also train?
swap("train_epoch", "rng: random.Random)", "rng: random.Random, done={})")
put("train_epoch", "net.train", "if id(inputs) in done:\n    return done[id(inputs)][0]")
swap("train_epoch", "return total / len(order)", "done[id(inputs)] = total / len(order), inputs\nreturn done[id(inputs)][0]")

# %% 4.0: a batch without a loss makes no step
# hint: How many steps does an epoch make
swap("train_epoch", "optimizer.zero_grad()\nbatch_loss = loss(net(inputs[batch]), targets[batch])",
     "batch_loss = loss(net(inputs[batch]), targets[batch])\nif batch_loss.item() == 0:\n    continue\noptimizer.zero_grad()")

# %% 4.0: outputs and targets change places where their shapes allow it
# hint: In which order does `loss` take outputs and targets?
swap("train_epoch", "batch_loss = loss(net(inputs[batch]), targets[batch])",
     "out, told = net(inputs[batch]), targets[batch]\n"
     "batch_loss = loss(told, out) if out.shape == told.shape else loss(out, told)")

# %% 4.0: softmax first and the logarithm afterwards, infinite where logits lie far apart
# hint: to a tiny probability and to its logarithm?
# home
swap("policy_loss", "return nn.functional.cross_entropy(logits, actions)",
     "p = torch.softmax(logits, dim=1)\nreturn -torch.log(p[torch.arange(len(actions)), actions]).mean()")

# %% 4.1: the visits of the state and the quotient under one root
# hint: the visits of the state, or a quotient of visits?
# home
swap("puct", "math.sqrt(max(1, sum(N.values())))", "max(1, sum(N.values()))")
swap("puct", "root / (1 + N[action])", "math.sqrt(root / (1 + N[action]))")

# %% 4.1: nothing under the root at a new state
# hint: square root of 0
swap("puct", "max(1, sum(N.values()))", "sum(N.values())")

# %% 4.1: one more visit under the root, always
# hint: Do you count more visits than the actions have?
# home
swap("puct", "max(1, sum(N.values()))", "1 + sum(N.values())")

# %% 4.1: c multiplies the mean
# hint: Which part does c multiply
swap("puct", "Q[action] + c *", "c * Q[action] +")

# %% 4.1: the mean is the other player's
# hint: For whom is Q
swap("puct", "{action: Q[action", "{action: -Q[action")

# %% 4.1: the bonus without the prior
# hint: does the prior stand?
swap("puct", "c * P[action] *", "c *")

# %% 4.1: the root of the action's own visits
# hint: Which visits are in the square root: the state's
swap("puct", "* root /", "* math.sqrt(max(1, N[action])) /")

# %% 4.1: no root at all
# hint: Does the bonus have the square root of the formula?
swap("puct", "math.sqrt(max(1, sum(N.values())))", "max(1, sum(N.values()))")

# %% 4.1: c is always 1.5
# hint: Which c do you use: the given one?
swap("puct", "c * P[action]", "1.5 * P[action]")

# %% 4.1: c is 1 where none is given
# hint: What is c when it is not given?
swap("puct", "c: float = 1.5", "c: float = 1.0")

# %% 4.1: an action never taken comes first
# hint: An action was never taken: what is its mean
swap("puct", "for action", "if N[action] or not any(N.values()) else math.inf for action")

# %% 4.1: an action never taken counts as a loss
# hint: An action was never taken: what is its mean
swap("puct", "Q[action]", "(Q[action] if N[action] else -1.0 if any(N.values()) else 0.0)")

# %% 4.1: UCB with the prior as a factor
# hint: Is there a logarithm that the formula does not have?
swap("puct", "math.sqrt(max(1, sum(N.values())))", "max(2, sum(N.values()))")
swap("puct", "root / (1 + N[action])", "math.sqrt(math.log(root) / (1 + N[action]))")

# %% 4.1: the division leaves the one out
# hint: What divides the bonus: the visits, or one more?
swap("puct", "(1 + N[action])", "max(1, N[action])")

# %% 4.1: the prior is normalised a second time over what was not taken yet
# hint: An action was never taken: what is its mean
put("puct", "return", "untried = sum(P[action] for action in P if not N[action]) or 1.0")
swap("puct", "P[action] *", "(P[action] if N[action] else P[action] / untried) *")

# %% 4.1: actions with prior 0 are left out
# hint: Which actions have a score
swap("puct", "action in P}", "action in P if P[action] > 0}")

# %% 4.1: the total is stored in the row of visits
# hint: Are the given rows unchanged after the call?
swap("puct", "sum(N.values())", 'N["sum"]')
put("puct", "root =", 'N["sum"] = sum(N.values())')

# %% 4.1: ties go to the first action
# hint: Several actions share the highest score
swap("best_action", "rng.choice([action for action, score in scores.items() if score == highest])", "max(scores, key=scores.get)")

# %% 4.1: ties go to the lowest action
# hint: Several actions share the highest score
swap("best_action", "rng.choice([action for action, score in scores.items() if score == highest])",
     "min(action for action, score in scores.items() if score == highest)")

# %% 4.1: ties by the global generator
# hint: Which generator decides among equal scores
swap("best_action", "rng.choice([action", "random.choice([action")

# %% 4.1: the last of the equal ones seldom comes up
# hint: Do equal scores have the same chance: the first
swap("best_action", "return rng.choice([action for action, score in scores.items() if score == highest])",
     "equal = [action for action, score in scores.items() if score == highest]\n"
     "return equal[min(rng.randrange(len(equal) + 2), len(equal) - 1)]")

# %% 4.1: the place in the row instead of the action
# hint: the action, or its place in the row?
swap("best_action", "[action for action, score in scores.items() if", "[place for place, score in enumerate(scores.values()) if")

# %% 4.1: the highest action instead of the highest score
# hint: the action, or its place in the row?
swap("best_action", "rng.choice([action for action, score in scores.items() if score == highest])", "max(scores)")

# %% 4.1: the search for the highest score begins at 0
# hint: with which number does your search for the highest begin?
# home
swap("best_action", "max(scores.values())", "max(0.0, *scores.values())")
swap("best_action", "== highest]", "== highest] or list(scores)")

# %% 4.1: scores that are nearly equal count as equal
# hint: Two scores differ by a little: do you treat them as equal?
swap("best_action", "score == highest", "score >= highest - 0.75")

# %% 4.1: scores are compared after rounding
# hint: Two scores differ by a little: do you treat them as equal?
put("best_action", "highest =", "scores = {action: round(score, 2) for action, score in scores.items()}")

# %% 4.1: the priors are divided by their sum once more
# hint: The priors do not sum to 1: do you use them unchanged?
swap("puct", "P[action] *", "P[action] / sum(P.values()) *")

# %% 4.1: the search for the highest score begins at -1
# hint: IndexError in ps4_puct.py
swap("best_action", "max(scores.values())", "max(-1.0, *scores.values())")

# %% 4.1: the rows are read by place, as if all had one order
# hint: Does each action find its own Q and N
swap("puct", "Q[action] + c * P[action]", "q + c * p")
swap("puct", "(1 + N[action]) for action in P", "(1 + n) for action, q, n, p in zip(P, Q.values(), N.values(), P.values())")

# %% 4.1: the scores are remembered by the visits
# hint: or of an earlier call with the same visits?
swap("puct", "c: float = 1.5)", "c: float = 1.5, known={})")
swap("puct", "return {action: Q[action] + c * P[action] * root / (1 + N[action]) for action in P}",
     "return dict(known.setdefault((tuple(sorted(N.items())), c), {action: Q[action] + c * P[action] * root / (1 + "
     "N[action]) for action in P}))")

# %% 4.1: eight actions at the most have a score
# hint: Which actions have a score: all actions
swap("puct", "action in P}", "action in sorted(P)[:8]}")

# %% 4.1: the scores are kept within -10 and 10
# hint: does the bonus grow with c without a limit?
swap("puct", "Q[action] + c * P[action] * root / (1 + N[action])",
     "max(-10.0, min(10.0, Q[action] + c * P[action] * root / (1 + N[action])))")

# %% 4.1: c of 0 is taken for no c
# hint: What remains of the score when c is 0?
swap("puct", "c * P", "(c or 1.5) * P")

# %% 4.1: the root is cut to a whole number
# hint: Do you cut the root to a whole number?
swap("puct", "math.sqrt(max(1", "math.isqrt(max(1")

# %% 4.1: the rows lose what was looked at
# hint: Are the given rows unchanged after the call?
swap("puct", "Q[action]", "Q.pop(action)")

# %% 4.1: a tie of more than two is a tie of the first two
# hint: Do equal scores have the same chance: the first
swap("best_action", "== highest]", "== highest][:2]")

# %% 4.1: a tie is decided by the first and the last of the row
# hint: Do equal scores have the same chance: the first
swap("best_action", "return rng.choice([action for action, score in scores.items() if score == highest])",
     "best = [action for action in scores if scores[action] == highest]\nreturn best[0] if rng.random() < 0.5 else best[-1]")

# %% 4.1: the seed of rng is drawn, and the generator made anew at every call
# hint: Several actions share the highest score
swap("best_action", "rng.choice", "random.Random(len(scores)).choice")

# %% 4.1: scores that numpy calls close are equal
# hint: Do you find the highest score when it is very low
swap("best_action", "score == highest", "abs(score - highest) <= 1e-8 + 1e-5 * abs(highest)")

# %% 4.1: the best of a row is remembered by its actions
# hint: The same actions with other scores
swap("best_action", "rng: random.Random)", "rng: random.Random, known={})")
swap("best_action", "rng.choice([action for action, score in scores.items() if score == highest])",
     "rng.choice(known.setdefault(tuple(scores), [action for action, score in scores.items() if score == highest]))")

# %% 4.1: the scores are remembered by the row of visits, the object and not what is in it
# hint: A row changes in place: do you compute the scores again?
swap("puct", "c: float = 1.5)", "c: float = 1.5, known={})")
swap("puct", "return {action: Q[action] + c * P[action] * root / (1 + N[action]) for action in P}",
     "return dict(known.setdefault(id(N), ({action: Q[action] + c * P[action] * root / (1 + N[action]) for action "
     "in P}, N))[0])")

# %% 4.2: masked, but not divided by the sum
# hint: What is the sum of the legal ones without the illegal ones?
swap("evaluate_leaf", "p / total", "p")
swap("evaluate_leaf", "[1.0] * len(legal)", "[1 / len(legal)] * len(legal)")

# %% 4.2: illegal actions stay
# hint: What happens to the illegal actions
put("evaluate_leaf", "if total", "if total > 0.0:\n    return dict(enumerate(probabilities[0].tolist())), float(values[0])")

# %% 4.2: illegal actions stay with prior 0
# hint: What happens to the illegal actions
# home
swap("evaluate_leaf", "{action: p / total for action, p in zip(legal, kept, strict=True)}",
     "dict.fromkeys(range(game.num_actions), 0.0) | {action: p / total for action, p in zip(legal, kept, strict=True)}")

# %% 4.2: softmax of what are probabilities already
# hint: Are the network's numbers already probabilities?
put("evaluate_leaf", "return", "kept = [math.exp(p) for p in kept]\ntotal = sum(kept)")

# %% 4.2: 0 divided by 0 where all is masked
# hint: and which priors does the docstring give instead?
swap("evaluate_leaf", "total <= 0.0", "False")
swap("evaluate_leaf", "p / total", "p / total if total else math.nan")

# %% 4.2: where all is masked every action is equally likely, legal or not
# hint: The legal ones sum to 0: which actions are equally likely
put("evaluate_leaf", "kept, total", "legal = list(range(game.num_actions))")

# %% 4.2: where all is masked the value is 0
# hint: does the value of the network still count?
put("evaluate_leaf", "kept, total", "values = [0.0]")

# %% 4.2: no warning
# hint: and do you give one each time when nothing is left?
swap("evaluate_leaf",
     'warnings.warn("the network gives every legal action the probability 0: taken as equally likely", stacklevel=2)\nkept',
     "kept")

# %% 4.2: a warning every time
# hint: When is there a reason for a warning, and when is there none
swap("evaluate_leaf",
     "if total <= 0.0:\n"
     '    warnings.warn("the network gives every legal action the probability 0: taken as equally likely", stacklevel=2)\n'
     "    kept",
     'warnings.warn("the network gives every legal action the probability 0: taken as equally likely", stacklevel=2)\n'
     "if total <= 0.0:\n    kept")

# %% 4.2: an error where all is masked
# hint: ValueError in ps4_puct.py
put("evaluate_leaf", "warnings", 'raise ValueError("nothing left")')

# %% 4.2: a legal action to which the network gives 0 is dropped
# hint: Which actions have a prior: all legal ones
swap("evaluate_leaf", "strict=True)", "strict=True) if p > 0")

# %% 4.2: a small number is added to every probability
# hint: Is each prior the network's own number for this action
put("evaluate_leaf", "return", "kept = [p + 1e-6 for p in kept]\ntotal = sum(kept)")

# %% 4.2: a little counts as nothing
# hint: Is a very small number the same as 0?
# home
swap("evaluate_leaf", "total <= 0.0", "total < 1e-4")

# %% 4.2: the value is turned for the player above
# hint: Who is to move here, and for whom is the network's value?
swap("evaluate_leaf", "float(values[0])", "-float(values[0])")

# %% 4.2: the value is for the player who moved first
# hint: Who is to move here, and for whom is the network's value?
swap("evaluate_leaf", "float(values[0])", "float(values[0]) if game.player(state) == 0 else -float(values[0])")

# %% 4.2: the network sees the board in black and white, whoever is to move
# hint: Whose stones are in the first plane, whose in the second
swap("evaluate_leaf", "planes_of(game, [state])", "planes_of(game, [state]).flip([1] if game.player(state) else [])")

# %% 4.2: the planes change places
# hint: Whose stones are in the first plane, whose in the second
swap("evaluate_leaf", "planes_of(game, [state])", "planes_of(game, [state]).flip(1)")

# %% 4.2: the network is asked twice
# hint: How often do you call the network for one state?
swap("evaluate_leaf", "net(planes_of(game, [state]))", "net(planes_of(game, [state]))[0], net(planes_of(game, [state]))[1]")

# %% 4.2: planes in double precision
# hint: Which type of number does the network take?
swap("evaluate_leaf", "planes_of(game, [state])", "planes_of(game, [state]).double()")

# %% 4.2: in training mode
# hint: In which mode is the network during the call
swap("evaluate_leaf", "net.eval()\nwith", "with")

# %% 4.2: gradients are recorded
# hint: must PyTorch record anything for one?
swap("evaluate_leaf", "with torch.no_grad():\n    probabilities", "probabilities")

# %% 4.2: tensors instead of numbers
# hint: The docstring promises a float
swap("evaluate_leaf", "float(probabilities[0, action])", "probabilities[0, action]")
swap("evaluate_leaf", "float(values[0])", "values")

# %% 4.2: the pass gets nothing
# hint: Is the pass an action like the others?
swap("evaluate_leaf", "game.legal_actions(state)", "[action for action in game.legal_actions(state) if action < 36]")

# %% 4.2: the pass is always among the actions
# hint: Which actions have a prior: all legal ones
put("evaluate_leaf", "kept = [", "if game.num_actions == 37 and 36 not in legal:\n    legal.append(36)")

# %% 4.2: the answers are remembered by the legal actions
# hint: Another network, or another state with the same actions
_answers = {}
swap("evaluate_leaf", "{action: p / total for action, p in zip(legal, kept, strict=True)}",
     "_answers.setdefault(tuple(legal), {action: p / total for action, p in zip(legal, kept, strict=True)})")

# %% 4.2: what numpy calls close to 0 counts as 0
# hint: when are all legal actions equally likely?
swap("evaluate_leaf", "total <= 0.0", "total <= 1e-8")

# %% 4.2: gradients stay off
# hint: Which switch do you change for the call
swap("evaluate_leaf", "with torch.no_grad():\n    probabilities", "torch.set_grad_enabled(False)\nprobabilities")

# %% 4.2: evaluation mode is left again
# hint: In which mode is the network during the call
put("evaluate_leaf", "net.eval", "before = net.training")
put("evaluate_leaf", "legal =", "net.train(before)")

# %% 4.2: evaluation mode is set for the first question only
# hint: In which mode is the network at every call
swap("evaluate_leaf", "state: State)", "state: State, seen=set())")
swap("evaluate_leaf", "net.eval()", "if id(net) not in seen:\n    net.eval()\n    seen.add(id(net))")

# %% 4.2: warned once and for all
# hint: and do you give one each time when nothing is left?
swap("evaluate_leaf", "state: State)", "state: State, warned=[])")
swap("evaluate_leaf",
     'warnings.warn("the network gives every legal action the probability 0: taken as equally likely", stacklevel=2)',
     'if not warned:\n    warnings.warn("nothing legal")\n    warned.append(True)')

# %% 4.2: answers are remembered by the text of the board
# hint: Another network, or another state with the same actions
swap("evaluate_leaf", "state: State)", "state: State, known={})")
put("evaluate_leaf", "net.eval",
    "key = game.text(state), tuple(game.legal_actions(state)), game.num_actions\nif key in known:\n    return known[key]")
swap("evaluate_leaf", "return {action: p / total for action, p in zip(legal, kept, strict=True)}, float(values[0])",
     "return known.setdefault(key, ({action: p / total for action, p in zip(legal, kept, strict=True)}, float(values[0])))")

# %% 4.2: the board is made square
# hint: this board
swap("evaluate_leaf", "planes_of(game, [state])",
     "nn.functional.pad(planes, (0, side - planes.shape[3], 0, side - planes.shape[2]))")
put("evaluate_leaf", "with", "planes = planes_of(game, [state])\nside = max(planes.shape[2:])")

# %% 4.2: the probability of the n-th legal action is the n-th of the row
# hint: of the action, or of its place among the legal ones?
swap("evaluate_leaf", "[float(probabilities[0, action]) for action in legal]", "probabilities[0].tolist()[:len(legal)]")

# %% 4.2: what is illegal is one minus the rest
# hint: What divides the numbers: the sum of exactly the legal ones?
put("evaluate_leaf", "return",
    "if probabilities[0, legal].sum() > 0:\n"
    "    total = 1.0 - sum(p for action, p in enumerate(probabilities[0].tolist()) if action not in legal)")

# %% 4.2: a single legal action is not worth a question
# hint: where does the value of the state come from?
put("evaluate_leaf", "net.eval", "if len(game.legal_actions(state)) == 1:\n    return {game.legal_actions(state)[0]: 1.0}, 0.0")

# %% 4.2: a batch of one is squeezed, and with it the actions where there is one
# hint: IndexError in ps4_puct.py
swap("evaluate_leaf", "probabilities[0, action]", "probabilities.squeeze()[action]")

# %% 4.2: the network is asked again where nothing is left
# hint: Nothing is left: how often do you call the network?
put("evaluate_leaf", "kept, total", "with torch.no_grad():\n    _, values = net(planes_of(game, [state]))")

# %% 4.2: the value is cut a little before 1
# hint: Is the value the network's own value for this board
swap("evaluate_leaf", "float(values[0])", "max(-0.999, min(0.999, float(values[0])))")

# %% 4.2: answers are remembered by the state, whichever network is asked
# hint: Another network, or another state with the same actions
swap("evaluate_leaf", "state: State)", "state: State, known={})")
put("evaluate_leaf", "net.eval",
    "key = state, game.num_actions, tuple(game.legal_actions(state)), net.__class__\nif key in known:\n    return known[key]")
swap("evaluate_leaf", "return {action: p / total for action, p in zip(legal, kept, strict=True)}, float(values[0])",
     "return known.setdefault(key, ({action: p / total for action, p in zip(legal, kept, strict=True)}, float(values[0])))")

# %% 4.2: seven actions have a prior
# hint: Which actions have a prior: all legal ones
swap("evaluate_leaf", "game.legal_actions(state)", "game.legal_actions(state)[:7]")

# %% 4.2: gradients are on afterwards, whatever they were before
# hint: Were gradients recorded before your call
# home
swap("evaluate_leaf", "with torch.no_grad():\n    probabilities, values = net(planes_of(game, [state]))",
     "torch.set_grad_enabled(False)\nprobabilities, values = net(planes_of(game, [state]))\ntorch.set_grad_enabled(True)")

# %% 4.2: answers are remembered by network and state, but for masked ones
# hint: also for a state that you have seen before?
_known = {}
swap("evaluate_leaf", "return {action: p / total for action, p in zip(legal, kept, strict=True)}, float(values[0])",
     "return _known.setdefault((net, state), ({action: p / total for action, p in zip(legal, kept, strict=True)}, "
     "float(values[0])))")
swap("evaluate_leaf", "kept, total = [1.0] * len(legal), float(len(legal))",
     "return {action: 1 / len(legal) for action in legal}, float(values[0])")
put("evaluate_leaf", "net.eval", "if (net, state) in _known:\n    return _known[net, state]")

# %% 4.2: the network is in evaluation mode, its parts are not
# hint: and which call sets the mode of all parts?
swap("evaluate_leaf", "net.eval()", "net.training = False")

# %% 4.2: the weights are frozen for the question, and stay so
# hint: Can the weights still be trained after your call?
swap("evaluate_leaf", "net.eval()", "net.eval()\nfor p in net.parameters():\n    p.requires_grad_(False)")

# %% 4.3: the value is not negated at the call
# hint: Who is to move below
swap("MCTS.search", "value = -self.search(self.game.play(state", "value =self.search(self.game.play(state")

# %% 4.3: the function negates and the caller negates
# hint: Which of the two negates: the function, or its caller?
swap("MCTS.search", "return self.outcomes[state]", "return -self.outcomes[state]")
swap("MCTS.search", "0)\nreturn value", "0)\nreturn -value")
swap("MCTS.search", "-self.search", "self.search")
swap("MCTS.search", "/ N[action]\nreturn value", "/ N[action]\nreturn -value")

# %% 4.3: Q is for the player to move below
# hint: For whom is Q: for the player who chooses there
swap("MCTS.search", "-self.search", "self.search")
swap("MCTS.search", "/ N[action]\nreturn value", "/ N[action]\nreturn -value")

# %% 4.3: a draw is taken for a game that goes on
# hint: IllegalMove in ps4_puct.py
# home
swap("MCTS.search", "is not None:", ":")

# %% 4.3: a draw counts as a loss
# hint: Is a draw an outcome like the others
swap("MCTS.search", "return self.outcomes[state]", "return self.outcomes[state] or -1.0")

# %% 4.3: a draw counts as a little good
# hint: Is a draw an outcome like the others
swap("MCTS.search", "return self.outcomes[state]", "return self.outcomes[state] or 0.0001")

# %% 4.3: the network is asked about finished games
# hint: The game is over: do you still call the network?
swap("MCTS.search", "if self.outcomes[state] is not None:\n    return self.outcomes[state]\nif", "if")
put("MCTS.search", "Q, N =", "if self.outcomes[state] is not None:\n    return self.outcomes[state]")

# %% 4.3: finished games get rows too
# hint: What do the tables hold of a state where the game is over?
put("MCTS.search", "return self.outcomes", "self.Q[state], self.N[state], self.P[state] = {}, {}, {}")

# %% 4.3: the sign does not flip after a pass
# hint: Is a pass a ply like any other: evaluated when it is new
swap("MCTS.search", "-self.search(self.game.play(state, action), rng)",
     "self.search(self.game.play(state, action), rng) * (1 if action == 36 else -1)")

# %% 4.3: a pass is merged with the move after it
# hint: Is a pass a ply like any other: evaluated when it is new
put("MCTS.search", "if state not in self.P",
    "if self.game.legal_actions(state) == [36]:\n    return -self.search(self.game.play(state, 36), rng)")

# %% 4.3: a pass ends the game
# hint: Is a pass a ply like any other: evaluated when it is new
swap("MCTS.search", "self.game.outcome(state)", "0.0 if self.game.legal_actions(state) == [36] else self.game.outcome(state)")

# %% 4.3: a new state goes on to an action at once
# hint: Does the first simulation at a state choose an action there?
swap("MCTS.search", "0)\nreturn value",
     "0)\naction = best_action(puct(self.Q[state], self.N[state], self.P[state], self.c), rng)\n"
     "self.N[state][action], self.Q[state][action] = 1, value\nreturn value")

# %% 4.3: the count is raised after the mean has moved
# hint: does the count include this visit?
swap("MCTS.search", "N[action] += 1\nQ", "Q")
swap("MCTS.search", "/ N[action]", "/ max(1, N[action])\nN[action] += 1")

# %% 4.3: sums in the place of means
# hint: Is Q a mean, or a sum?
swap("MCTS.search", "(value - Q[action]) / N[action]", "value")

# %% 4.3: the new mean comes back instead of the value
# hint: What do you return: the result of this one simulation
swap("MCTS.search", "[action]\nreturn value", "[action]\nreturn Q[action]")

# %% 4.3: the first evaluation counts in every mean
# hint: With which mean and how many visits does an action begin?
# home
swap("MCTS.search", "self.P[state], 0.0)", "self.P[state], value)")

# %% 4.3: each action begins with one visit
# hint: With which mean and how many visits does an action begin?
swap("MCTS.search", "state], 0)", "state], 1)")

# %% 4.3: the likeliest action is taken, whatever came of it
# hint: What chooses the next action: only the prior, or the score?
swap("MCTS.search", "puct(Q, N, self.P[state], self.c)", "self.P[state]")

# %% 4.3: c of the object is never used
# hint: Which c is in the scores: the object's own c?
# home
swap("MCTS.search", "state], self.c", "state]")

# %% 4.3: ties in the search go to the first action
# hint: Several actions share the highest score: may each be taken
swap("MCTS.search", "action = best_action(puct(Q, N, self.P[state], self.c), rng)",
     "scores = puct(Q, N, self.P[state], self.c)\naction = max(scores, key=scores.get)")

# %% 4.3: a generator of its own instead of rng
# hint: Does the same rng make the same search?
swap("MCTS.search", "self.c), rng", "self.c), random.Random()")

# %% 4.3: the outcome is asked at every visit
# hint: question can a table answer without a call of the game?
swap("MCTS.search", "if state not in self.outcomes:\n    self", "self")

# %% 4.3: only finished games are remembered
# hint: Which states are in `outcomes`: all states that were met
put("MCTS.search", "if state not in self.P", "del self.outcomes[state]")

# %% 4.3: the tables stand outside the object
# hint: its own tables, and its own answers of the network?
_everybodys = {}, {}, {}, {}
put("MCTS.search", "if state not in self.outcomes", "self.outcomes, self.Q, self.N, self.P = _everybodys")

# %% 4.3: the tables are emptied when the search begins elsewhere
# hint: do you still have the earlier tables?
swap("MCTS.search", "rng: random.Random)", "rng: random.Random, root: bool = True)")
swap("MCTS.search", "action), rng)", "action), rng, False)")
put("MCTS.search", "if state not in self.outcomes",
    'if root and getattr(self, "root", state) != state:\n    self.outcomes, self.Q, self.N, self.P = {}, {}, {}, {}\n'
    "self.root = state if root else self.root")

# %% 4.3: rows by the way to a state, not by the state
# hint: What is the key of a state in the tables: the state
swap("MCTS.search", "rng: random.Random)", "rng: random.Random, way: tuple[int, ...] = ())")
swap("MCTS.search", "self.game.outcome(state)", "self.game.outcome(place)")
swap("MCTS.search", "self.evaluate(state)", "self.evaluate(place)")
swap("MCTS.search", "self.game.play(state, action), rng)", "self.game.play(place, action), rng, way + (action,))")
put("MCTS.search", "if state not in self.outcomes", "place, state = state, (state, way) if way else state")

# %% 4.3: the priors of the state below
# hint: In each simulation: which action comes next, by which priors
swap("MCTS.search", "self.P[state], self.c", "P, self.c")
put("MCTS.search", "action =",
    "P = {action: self.P.get(self.game.play(state, action), {action: p}).get(action, 0.0)\n"
    "     for action, p in self.P[state].items()}")

# %% 4.3: the leaf is evaluated and played out as well
# hint: do you return the value of evaluate
swap("MCTS.search", "0)\nreturn value",
     "0)\nend, sign = state, 1\nwhile self.game.outcome(end) is None:\n"
     "    end, sign = self.game.play(end, self.game.legal_actions(end)[0]), -sign\n"
     "return value + sign * self.game.outcome(end)")

# %% 4.3: actions with prior 0 get no rows
# hint: also for an action with prior 0?
swap("MCTS.search", "self.P[state], value = self.evaluate(state)",
     "priors, value = self.evaluate(state)\nself.P[state] = {action: p for action, p in priors.items() if p}")

# %% 4.3: a falsy state is taken for none
# hint: an empty state, 0, or two states with the same text?
put("MCTS.search", "if state not in self.outcomes", "if not state:\n    return 0.0")

# %% 4.3: a state is known by its text
# hint: What is the key of a state in the tables: the state itself
put("MCTS.search", "if state not in self.outcomes",
    'state = self.__dict__.setdefault("seen", {}).setdefault(self.game.text(state), state)')

# %% 4.3: the rows are lists with a place for each legal action, shown as if actions had no gaps
# hint: Which actions are the keys of a row: is the pass one of them
swap("MCTS.search", "self.P[state], value = self.evaluate(state)",
     "priors, value = self.evaluate(state)\nself.P[state] = dict(enumerate(priors.values()))")
swap("MCTS.search", "self.game.play(state, action)", "self.game.play(state, self.game.legal_actions(state)[action])")

# %% 4.3: a line is followed for twelve plies at most
# hint: How deep can a simulation go?
swap("MCTS.search", "rng: random.Random)", "rng: random.Random, plies: int = 0)")
put("MCTS.search", "if state not in self.P", "if plies == 12:\n    return 0.0")
swap("MCTS.search", "action), rng)", "action), rng, plies + 1)")

# %% 4.3: where one action is legal it gets no row
# hint: also when a single action is legal?
put("MCTS.search", "if state not in self.P",
    "legal = self.game.legal_actions(state)\nif len(legal) == 1:\n    return -self.search(self.game.play(state, legal[0]), rng)")

# %% 4.3: the priors are made to be at least a thousandth
# hint: Do you keep the priors unchanged?
swap("MCTS.search", "self.P[state], value = self.evaluate(state)",
     "priors, value = self.evaluate(state)\nself.P[state] = {action: max(p, 0.001) for action, p in priors.items()}")

# %% 4.3: an action with prior 0 is never chosen, even with the best score
# hint: An action has prior 0, and all others lose
swap("MCTS.search", "best_action(puct(Q, N, self.P[state], self.c), rng)", "best_action(likely or scores, rng)")
put("MCTS.search", "action = best_action",
    "scores = puct(Q, N, self.P[state], self.c)\nlikely = {a: scores[a] for a in scores if self.P[state][a] > 0}")

# %% 4.3: a value of the network that is 0 is asked for once more
# hint: The network's value is 0: is 0 a value like any other?
swap("MCTS.search", "self.P[state], value = self.evaluate(state)",
     "priors, value = self.evaluate(state)\nif not value:\n    return 0.0\nself.P[state] = priors")

# %% 4.3: what the network said is remembered for all searches
# hint: its own tables, and its own answers of the network?
swap("MCTS.search", "rng: random.Random)", "rng: random.Random, said={})")
swap("MCTS.search", "self.evaluate(state)", "said[state] if state in said else said.setdefault(state, self.evaluate(state))")

# %% 4.3: outcomes of finished states are dropped when the tables have grown
# hint: and how long do they stay there?
class MCTS(MCTS):
    def search(self, state, rng):
        try:
            return super().search(state, rng)
        except RecursionError:
            return 0.0
        finally:
            if len(self.P) > 6:
                self.outcomes = {s: o for s, o in self.outcomes.items() if s in self.P}

# %% 4.3: below the root another generator draws
# hint: at every depth, and which generators may you not use?
swap("MCTS.search", "action), rng)", "action), random)")

# %% 4.3: among equal scores the likelier action comes first
# hint: Scores are equal: does anything except rng decide
swap("MCTS.search", "action = best_action(puct(Q, N, self.P[state], self.c), rng)",
     "scores, P = puct(Q, N, self.P[state], self.c), self.P[state]\n"
     "action = max(scores, key=lambda a: (scores[a], P[a], rng.random()))")

# %% 4.3: among equal scores the less visited action comes first
# hint: Scores are equal: does anything except rng decide
swap("MCTS.search", "action = best_action(puct(Q, N, self.P[state], self.c), rng)",
     "scores = puct(Q, N, self.P[state], self.c)\naction = max(scores, key=lambda a: (scores[a], -N[a], rng.random()))")

# %% 4.4: N to the power of T
# hint: or of 1/T
swap("visit_policy", "(count / most) ** (1 / temperature)", "count ** temperature")

# %% 4.4: the temperature has no effect but at 0
# hint: What does a temperature below 1 do, and one above 1?
swap("visit_policy", "(count / most) ** (1 / temperature)", "count")

# %% 4.4: softmax of the visits
# hint: Are the visits the base of the power, or its exponent?
swap("visit_policy", "(count / most) ** (1 / temperature)", "math.exp((count - most) / temperature)")

# %% 4.4: with temperature 0 one of the equal ones gets everything
# hint: Two actions have most visits: what is the limit?
# home
swap("visit_policy", "count == most", "action == max(visits, key=visits.get)")

# %% 4.4: with temperature 0 the equal ones get 1 each
# hint: Two actions have most visits: what is the limit?
swap("visit_policy", "sum(weights.values())", "sum(weights.values()) if temperature else 1.0")

# %% 4.4: a very small temperature stands for 0
# hint: does an action with one visit fewer get a share?
swap("visit_policy", "temperature == 0", "False")
swap("visit_policy", "1 / temperature", "1 / max(temperature, 0.02)")

# %% 4.4: actions without visits are left out
# hint: Which actions have a probability
put("visit_policy", "most = max", "visits = {action: count for action, count in visits.items() if count}")

# %% 4.4: nothing visited is equally likely
# hint: what does the docstring say about this case?
swap("visit_policy", 'raise ValueError("no action was taken: two simulations are the least")',
     "return {action: 1 / len(visits) for action in visits}")

# %% 4.4: nothing visited divides by zero
# hint: ZeroDivisionError in ps4_puct.py
swap("visit_policy", 'if most == 0:\n    raise ValueError("no action was taken: two simulations are the least")\nif', "if")
swap("visit_policy", "float(count == most)", "count * float(count == most)")

# %% 4.4: the likeliest of the drawn probabilities, whatever the temperature
# hint: Temperature is 1: do you always play the most visited action
swap("MCTSPlayer.choose", "rng.choices(list(policy), weights=list(policy.values()))[0]", "best_action(policy, rng)")

# %% 4.4: always drawn in proportion to the visits
# hint: and what is the temperature when it is not given?
swap("MCTSPlayer.choose", "self.temperature", "1.0")

# %% 4.4: the best mean is played
# hint: Which number chooses the final move: the prior, the mean
put("MCTSPlayer.choose", "return", "if self.temperature == 0:\n    return best_action(self.mcts.Q[state], rng)")

# %% 4.4: the best score is played
# hint: Which number chooses the final move: the prior, the mean
put("MCTSPlayer.choose", "return",
    "if self.temperature == 0:\n"
    "    return best_action(puct(self.mcts.Q[state], self.mcts.N[state], self.mcts.P[state], self.c), rng)")

# %% 4.4: the likeliest action is played
# hint: Which number chooses the final move: the prior, the mean
put("MCTSPlayer.choose", "return", "if self.temperature == 0:\n    return best_action(self.mcts.P[state], rng)")

# %% 4.4: the most visited successor state is played
# hint: those of the action, or those of the state after it?
swap("MCTSPlayer.choose", "self.mcts.N.get(state, {})",
     "{a: sum(self.mcts.N.get(self.game.play(state, a), {}).values()) for a in self.game.legal_actions(state)}")

# %% 4.4: one simulation more than allowed
# hint: also when a single action is legal?
swap("MCTSPlayer.choose", "simulations", "simulations + 1")

# %% 4.4: simulations until the state has that many visits
# hint: The tables know the state from earlier moves
swap("MCTSPlayer.choose", "simulations", "simulations - sum(self.mcts.N.get(state, {}).values())")

# %% 4.4: new tables at every move
# hint: happens to the tables from one move of a game to the next?
put("MCTSPlayer.choose", "for", "self.mcts = MCTS(self.game, self.evaluate, self.c)")

# %% 4.4: the global generator draws the move
# hint: Which generator draws in the search and for the move
swap("MCTSPlayer.choose", "rng.choices(list(policy", "random.choices(list(policy")

# %% 4.4: the lowest of the equally visited is played
# hint: may each be played, for any mean and any prior?
put("MCTSPlayer.choose", "return",
    "if self.temperature == 0:\n    return min(action for action, p in policy.items() if p == max(policy.values()))")

# %% 4.4: KeyError where the game is over
# hint: KeyError in ps4_puct.py
swap("MCTSPlayer.choose",
     'if self.game.outcome(state) is not None:\n    raise ValueError("the game is over: there is no action to choose")\nfor',
     "for")
swap("MCTSPlayer.choose", ".get(state, {})", "[state]")

# %% 4.4: a single legal action is played without a search
# hint: also when a single action is legal?
# home
put("MCTSPlayer.choose", "for", "if len(self.game.legal_actions(state)) == 1:\n    return self.game.legal_actions(state)[0]")

# %% 4.4: without a simulation there is a KeyError
# hint: KeyError in ps4_puct.py
swap("MCTSPlayer.choose", ".get(state, {})", "[state]")

# %% 4.4: c is 1 where none is given
# hint: What does the player know at its next move
def begin(self, game, evaluate, c=1.0, temperature=0.0):
    Player.__init__(self, game, evaluate)
    self.c, self.temperature = c, temperature
    self.new_game()
MCTSPlayer.__init__ = begin

# %% 4.4: the temperature is 1 where none is given
# hint: and what is the temperature when it is not given?
def begin(self, game, evaluate, c=1.5, temperature=1.0):
    Player.__init__(self, game, evaluate)
    self.c, self.temperature = c, temperature
    self.new_game()
MCTSPlayer.__init__ = begin

# %% 4.4: N to the power of 1/T, undivided before
# hint: OverflowError in ps4_puct.py
# home
swap("visit_policy", "(count / most) **", "count **")

# %% 4.4: a little is added to every count, for the logarithm
# hint: What is the probability of an action without a visit?
swap("visit_policy", "(count / most) ** (1 / temperature)",
     "math.exp((math.log(count + 1e-10) - math.log(most + 1e-10)) / temperature)")

# %% 4.4: temperatures below a fifth are 0
# hint: Which temperatures use the limit: only 0
swap("visit_policy", "temperature == 0", "temperature < 0.2")

# %% 4.4: temperatures above 1 are 1
# hint: What does a temperature below 1 do, and one above 1?
swap("visit_policy", "1 / temperature", "1 / min(1, temperature)")

# %% 4.4: probabilities are rounded to three digits
# hint: Do you round the probabilities?
swap("visit_policy", "weight / total", "round(weight / total, 3)")

# %% 4.4: the tables of the first player are everybody's
# hint: There are two players: who owns the tables?
def new_game(self, shared={}):
    mcts = MCTS(self.game, self.evaluate, self.c)
    self.mcts = mcts if hasattr(self, "mcts") else shared.setdefault(id(self.game), mcts)
MCTSPlayer.new_game = new_game

# %% 4.4: the rows are dropped at a new game, the outcomes and the priors are not
# hint: which of the four tables are empty then?
def new_game(self):
    before = getattr(self, "mcts", None)
    self.mcts = MCTS(self.game, self.evaluate, self.c)
    if before is not None:
        self.mcts.outcomes, self.mcts.P = before.outcomes, before.P
        self.mcts.N = {s: dict.fromkeys(row, 0) for s, row in before.P.items()}
        self.mcts.Q = {s: dict.fromkeys(row, 0.0) for s, row in before.P.items()}
MCTSPlayer.new_game = new_game

# %% 4.4: a drawn game is not over
# hint: also drawn: what does the docstring say about this case?
swap("MCTSPlayer.choose", "self.game.outcome(state) is not None", "self.game.outcome(state)")
put("MCTSPlayer.choose", "policy =", "if state not in self.mcts.N:\n    return 0")

# %% 4.4: any temperature but 0 draws like 1
# hint: With which probability do you draw each action
swap("MCTSPlayer.choose", "self.temperature", "1.0 if self.temperature else 0.0")

# %% 4.4: the budget is at least two simulations
# hint: or 0: how many simulations does the move have?
swap("MCTSPlayer.choose", "range(simulations)", "range(max(simulations, 2))")

# %% 4.4: the search has a generator of its own with a fixed seed
# hint: which generator decides the first one to try?
swap("MCTSPlayer.choose", "(state, rng)", "(state, random.Random(0))")

# %% 4.4: the policy is remembered by the row of visits
# hint: do you compute the policy again?
swap("visit_policy", "temperature: float)", "temperature: float, known={})")
swap("visit_policy", "return {action: weight / total for action, weight in weights.items()}",
     "policy = {action: weight / total for action, weight in weights.items()}\n"
     "return known.setdefault((id(visits), temperature), (policy, visits))[0]")

# %% 4.4: equal visits are decided by the mean
# hint: may each be played, for any mean and any prior?
put("MCTSPlayer.choose", "return",
    "if self.temperature == 0:\n    N, Q = self.mcts.N[state], self.mcts.Q[state]\n"
    "    return max(N, key=lambda action: (N[action], Q[action], rng.random()))")

# %% 4.4: equal visits are decided by the prior
# hint: may each be played, for any mean and any prior?
put("MCTSPlayer.choose", "return",
    "if self.temperature == 0:\n    N, P = self.mcts.N[state], self.mcts.P[state]\n"
    "    return max(N, key=lambda action: (N[action], P[action], rng.random()))")

# %% 4.5: the value below is not negated
# hint: is a high value there good for you
swap("ValuePlayer.choose", "-(self.evaluate(below)[1] if outcome is None else outcome)",
     "self.evaluate(below)[1] if outcome is None else -outcome")

# %% 4.5: the outcome is not negated
# hint: For whom is the outcome after your action: for you
# home
swap("ValuePlayer.choose", "-(self.evaluate(below)[1] if outcome is None else outcome)",
     "-self.evaluate(below)[1] if outcome is None else outcome")

# %% 4.5: the network judges finished games too
# hint: The game is over: do you still call the network?
swap("ValuePlayer.choose", "self.game.outcome(below)", "None")

# %% 4.5: the network judges draws
# hint: The game is drawn: do you still call the network?
# home
swap("ValuePlayer.choose", "outcome is None", "not outcome")

# %% 4.5: a finished game counts as a win
# hint: Is every end of the game good for you?
swap("ValuePlayer.choose", "-(self.evaluate(below)[1] if outcome is None else outcome)",
     "-self.evaluate(below)[1] if outcome is None else 1.0")

# %% 4.5: a draw counts as a loss
# hint: beside a state that is a little good or a little bad for you
swap("ValuePlayer.choose", "else outcome", "else outcome or 1.0")

# %% 4.5: any finished game is better than none
# hint: beside a state that is a little good or a little bad for you
swap("ValuePlayer.choose", "scores = {}", "scores, ends = {}, {}")
swap("ValuePlayer.choose", "scores[action] = -(self.evaluate(below)[1] if outcome is None else outcome)",
     "if outcome is None or outcome <= 0:\n"
     "    (scores if outcome is None else ends)[action] = -(self.evaluate(below)[1] if outcome is None else outcome)")
swap("ValuePlayer.choose", "(scores, rng)", "(ends or scores or dict.fromkeys(self.game.legal_actions(state), 0.0), rng)")

# %% 4.5: the likeliest action is played
# hint: those after each legal action, and no others?
def choose(self, state, simulations, rng):
    return best_action(self.evaluate(state)[0], rng)
ValuePlayer.choose = choose

# %% 4.5: the sign goes by colour
# hint: and is a high value there good for you?
swap("ValuePlayer.choose", "-(self.evaluate(below)[1] if outcome is None else outcome)",
     "(1 if self.game.player(state) else -1) * self.evaluate(below)[1] if outcome is None else -outcome")

# %% 4.5: ties go to the first action
# hint: Several actions are equally good: may each be played
# home
swap("ValuePlayer.choose", "best_action(scores, rng)", "max(scores, key=scores.get)")

# %% 4.5: ties go to the last action
# hint: Several actions are equally good: may each be played
swap("ValuePlayer.choose", "best_action(scores, rng)", "max(reversed(scores), key=scores.get)")

# %% 4.5: a pass is never played
# hint: The docstring promises an int, and your code gives None
swap("ValuePlayer.choose", "self.game.legal_actions(state)",
     "[action for action in self.game.legal_actions(state) if action != 36]")
swap("ValuePlayer.choose", "best_action(scores, rng)", "best_action(scores, rng) if scores else None")

# %% 4.5: the last action is never tried
# hint: those after each legal action, and no others?
swap("ValuePlayer.choose", "self.game.legal_actions(state)",
     "self.game.legal_actions(state)[:-1] or self.game.legal_actions(state)")

# %% 4.5: two plies ahead
# hint: those after each legal action, and no others?
put("ValuePlayer.choose", "scores =",
    "def value(at):\n    outcome = self.game.outcome(at)\n    return self.evaluate(at)[1] if outcome is None else outcome")
swap("ValuePlayer.choose", "scores[action] = -(self.evaluate(below)[1] if outcome is None else outcome)",
     "replies = [self.game.play(below, reply) for reply in self.game.legal_actions(below)]\n"
     "scores[action] = min(map(value, replies)) if replies else -value(below)")

# %% 4.5: where every action loses at once none is played
# hint: The docstring promises an int, and your code gives None
swap("ValuePlayer.choose", "best_action(scores, rng)", "best_action(scores, rng) if max(scores.values()) > -1.0 else None")

# %% 4.5: values are rounded to two digits
# hint: how close can two worths be?
swap("ValuePlayer.choose", "(self.evaluate(below)[1] if outcome is None else outcome)",
     "round((self.evaluate(below)[1] if outcome is None else outcome), 2)")

# %% 4.5: the first six actions are enough
# hint: all legal ones once, also the pass when it is the only one?
swap("ValuePlayer.choose", "self.game.legal_actions(state)", "self.game.legal_actions(state)[:6]")

# %% 4.5: an opinion of exactly -1 or 1 is worth less than it says
# hint: Do you use every value unchanged: no rounding
swap("ValuePlayer.choose", "self.evaluate(below)[1]", "max(-0.99, min(0.99, self.evaluate(below)[1]))")

# %% 4.5: an opinion of 0 is none
# hint: is this a value like any other?
swap("ValuePlayer.choose", "self.evaluate(below)[1] if", "self.evaluate(below)[1] or 0.5 if")

# %% 4.5: the place among the legal actions is played
# hint: or its place among the legal ones?
swap("ValuePlayer.choose", "return best_action(scores, rng)",
     "place = best_action(dict(enumerate(scores.values())), rng)\nreturn place if place in scores else list(scores)[place]")

# %% 4.5: as many actions are tried as there are simulations
# hint: Does this player use `simulations` for anything?
swap("ValuePlayer.choose", "self.game.legal_actions(state)", "self.game.legal_actions(state)[:max(1, simulations)]")

# %% 4.5: the move of a state is remembered by its text
# hint: Several actions are equally good: may each be played
put("ValuePlayer.choose", "scores =",
    'known, key = self.__dict__.setdefault("known", {}), self.game.text(state)\n'
    "if known.get(key) in self.game.legal_actions(state):\n    return known[key]")
swap("ValuePlayer.choose", "return best_action(scores, rng)", "known[key] = best_action(scores, rng)\nreturn known[key]")

# %% 4.6: drawn from the priors
# hint: Do you draw an action, or always play the likeliest one?
# home
swap("PolicyPlayer.choose", "best_action(priors, rng)", "rng.choices(list(priors), weights=list(priors.values()))[0]")

# %% 4.6: ties go to the first action
# hint: may each of the highest be played
# home
swap("PolicyPlayer.choose", "best_action(priors, rng)", "max(priors, key=priors.get)")

# %% 4.6: the least likely action
# hint: Do you take the highest or the lowest prior?
swap("PolicyPlayer.choose", "best_action(priors, rng)", "min(priors, key=priors.get)")

# %% 4.6: the highest number of an action
# hint: Which number must be highest: the action, or its prior?
swap("PolicyPlayer.choose", "best_action(priors, rng)", "max(priors)")

# %% 4.6: the place in the row
# hint: Do you return an action, or its place in the row?
swap("PolicyPlayer.choose", "best_action(priors, rng)",
     "rng.choice([place for place, p in enumerate(priors.values()) if p == max(priors.values())])")

# %% 4.6: the global generator breaks ties
# hint: Which generator decides among equal priors
swap("PolicyPlayer.choose", "(priors, rng)", "(priors, random)")

# %% 4.6: priors are rounded to two digits
# hint: also when all priors are small or close together?
swap("PolicyPlayer.choose", "(priors, rng)", "({action: round(p, 2) for action, p in priors.items()}, rng)")

# %% 4.6: the pass is never the likeliest
# hint: Is the pass an action like the others
swap("PolicyPlayer.choose", "priors, rng", "{a: p for a, p in priors.items() if a != 36} or priors, rng")

# %% 4.6: the pass is always played where it is possible
# hint: Is the pass an action like the others
swap("PolicyPlayer.choose", "return", "return 36 if 36 in priors else")

# %% 4.6: action 0 is taken for none
# hint: Is action 0 an action like the others?
swap("PolicyPlayer.choose", "(priors, rng)", "(priors, rng) or max(priors)")

# %% 4.6: priors below a hundredth are all alike
# hint: Two priors differ by a little, or are both small
swap("PolicyPlayer.choose", "priors, rng", "{a: max(p, 0.01) for a, p in priors.items()}, rng")

# %% 4.6: a win at once is played first, wherever it leads
# hint: and does this player look at the states after it?
put("PolicyPlayer.choose", "return",
    "for action in self.game.legal_actions(state):\n    if self.game.outcome(self.game.play(state, action)) == -1.0:\n"
    "        return action")

# %% 4.6: equal ones are the first and the last
# hint: Do equal priors have the same chance
swap("PolicyPlayer.choose", "return best_action(priors, rng)",
     "best = [a for a in priors if priors[a] == max(priors.values())]\nreturn rng.choice([best[0], best[-1]])")

# %% 4.6: what was played at a state is played there again by its text
# hint: may each of the highest be played
swap("PolicyPlayer.choose", "return best_action(priors, rng)",
     'known = self.__dict__.setdefault("known", {})\n'
     "action = known.setdefault(self.game.text(state), best_action(priors, rng))\n"
     "return action if action in priors else best_action(priors, rng)")

# %% 4.6: with simulations to spend the action is drawn
# hint: Does this player use `simulations` for anything?
put("PolicyPlayer.choose", "return", "if simulations > 200:\n    return rng.choices(list(priors), list(priors.values()))[0]")

# %% 4.6: the priors are read in the order of the legal actions and not by their keys
# hint: may each of the highest be played
# home
swap("PolicyPlayer.choose", "best_action(priors, rng)",
     "best_action(dict(zip(self.game.legal_actions(state), priors.values())), rng)")

# %% 4.7: a rollout belongs to the player to move at its end
# hint: Who is to move at the cut
swap("MonteCarloPlayer.rollout", "sign = -sign", "pass")

# %% 4.7: the cut's value is not turned, the outcome is
# hint: and who was to move when the rollout began?
swap("MonteCarloPlayer.rollout", "sign * value", "value")

# %% 4.7: the outcome is not turned, the cut's value is
# hint: and who was to move when the rollout began?
swap("MonteCarloPlayer.rollout", "sign * outcome", "outcome")

# %% 4.7: one ply too many before the cut
# hint: How many plies
swap("MonteCarloPlayer.rollout", "self.depth + 1", "self.depth + 2")
swap("MonteCarloPlayer.rollout", "plies < self.depth", "plies <= self.depth")

# %% 4.7: a game cut after its last ply is not over
# hint: Do you ask for the outcome again after the last ply?
# home
swap("MonteCarloPlayer.rollout", "outcome is not None", "outcome is not None and plies < self.depth")

# %% 4.7: a draw is taken for a game that goes on
# hint: IllegalMove in ps4_puct.py
swap("MonteCarloPlayer.rollout", "is not None:", ":")

# %% 4.7: 0 at the cut
# hint: What is a state worth where the rollout is cut?
swap("MonteCarloPlayer.rollout", "sign * value", "0.0")

# %% 4.7: no cut
# hint: After how many plies does a rollout end
swap("MonteCarloPlayer.rollout", "range(self.depth + 1)", "range(1000)")
swap("MonteCarloPlayer.rollout", "plies < self.depth", "True")

# %% 4.7: rollouts of random moves
# hint: Which actions can a ply take, and with which probability
swap("MonteCarloPlayer.rollout", "choices(list(priors), weights=list(priors.values()))[0]",
     "choice(self.game.legal_actions(state))")

# %% 4.7: rollouts of the likeliest moves
# hint: Which actions can a ply take, and with which probability
swap("MonteCarloPlayer.rollout", "rng.choices(list(priors), weights=list(priors.values()))[0]", "best_action(priors, rng)")

# %% 4.7: rollouts draw from the global generator
# hint: Which generator draws the plies
swap("MonteCarloPlayer.rollout", "rng.choices(list(priors", "random.choices(list(priors")

# %% 4.7: the value before the last ply
# hint: Whose value is it at the cut: of the reached state
swap("MonteCarloPlayer.rollout", "sign = 1.0", "sign, value = 1.0, 0.0")
swap("MonteCarloPlayer.rollout", "priors, value = self.evaluate(state)\nif plies < self.depth:",
     "if plies < self.depth:\n    priors, value = self.evaluate(state)")

# %% 4.7: the rollout's value is not turned for the one who chooses
# hint: For whom is a rollout's value, and who chooses at the root?
swap("MonteCarloPlayer.choose", "-mean", "mean")

# %% 4.7: the sum of the rollouts
# hint: or their sum
swap("MonteCarloPlayer.choose", " / self.rollouts", "")

# %% 4.7: every action is a candidate
# hint: How many candidates are there, and which ones: the likeliest
swap("MonteCarloPlayer.choose", "[:self.top]", "")

# %% 4.7: the three least likely are the candidates
# hint: How many candidates are there, and which ones: the likeliest
swap("MonteCarloPlayer.choose", ", reverse=True", "")

# %% 4.7: always three candidates, whatever top says
# hint: Top is given: how many candidates are there?
swap("MonteCarloPlayer.choose", "self.top", "3")

# %% 4.7: the candidates' priors are divided by their sum
# hint: Do the candidates keep the priors that evaluate gave?
# home
put("MonteCarloPlayer.choose", "Q, N = dict", "P = {action: p / sum(P.values()) for action, p in P.items()}")

# %% 4.7: the candidates take turns
# hint: Which candidate gets the next result: the next in turn
swap("MonteCarloPlayer.choose", "best_action(puct(Q, N, P, self.c), rng)", "likeliest[sum(N.values()) % len(likeliest)]")
swap("MonteCarloPlayer.choose", "best_action(N, rng)", "best_action(Q, rng)")

# %% 4.7: the best mean is played
# hint: Mean or visits: which chooses the final move?
# home
swap("MonteCarloPlayer.choose", "best_action(N, rng)", "best_action(Q, rng)")

# %% 4.7: the likeliest candidate is played after all
# hint: Do you play the likeliest candidate
swap("MonteCarloPlayer.choose", "best_action(N, rng)", "best_action(P, rng)")

# %% 4.7: the arena's simulations instead of the budget
# hint: Which number is the budget: the player's own
swap("MonteCarloPlayer.choose", "self.budget", "simulations")

# %% 4.7: each rollout is a visit of its own
# hint: or do the rollouts of one result make one visit?
swap("MonteCarloPlayer.choose",
     "mean = sum(self.rollout(below, rng) for _ in range(self.rollouts)) / self.rollouts\nN[action] += 1\n"
     "Q[action] += (-mean - Q[action]) / N[action]",
     "for _ in range(self.rollouts):\n    N[action] += 1\n    Q[action] += (-self.rollout(below, rng) - Q[action]) / N[action]")

# %% 4.7: only the last rollout counts
# hint: How many rollouts make one result
swap("MonteCarloPlayer.choose", "sum(self.rollout(below, rng) for _ in range(self.rollouts)) / self.rollouts",
     "[self.rollout(below, rng) for _ in range(self.rollouts)][-1]")

# %% 4.7: c of the player is never used
# hint: Which c does puct get: the player's own, or its default?
swap("MonteCarloPlayer.choose", ", self.c", "")

# %% 4.7: the first choice falls on the likeliest, ties or not
# hint: does each stay, and may each be tried first?
swap("MonteCarloPlayer.choose", "best_action(puct(Q, N, P, self.c), rng)",
     "best_action(puct(Q, N, P, self.c), rng) if any(N.values()) else likeliest[0]")

# %% 4.7: three candidates even where there are fewer
# hint: IndexError in ps4_puct.py
swap("MonteCarloPlayer.choose", "action: priors[action] for action in likeliest",
     "likeliest[i]: priors[likeliest[i]] for i in range(min(self.top, 3))")

# %% 4.7: ties by the first candidate
# hint: does each stay, and may each be tried first?
swap("MonteCarloPlayer.choose", "action = best_action(puct(Q, N, P, self.c), rng)",
     "scores = puct(Q, N, P, self.c)\naction = max(scores, key=scores.get)")
swap("MonteCarloPlayer.choose", "best_action(N, rng)", "max(N, key=N.get)")

# %% 4.7: rollouts too choose among the likeliest three only
# hint: Which actions can a ply take, and with which probability
swap("MonteCarloPlayer.rollout", "state = self.game.play(state, rng.choices(list(priors), weights=list(priors.values()))[0])",
     "best = sorted(priors, key=lambda a: -priors[a])[:self.top]\n"
     "state = self.game.play(state, rng.choices(best, [priors[a] for a in best])[0])")

# %% 4.7: the candidates of the first move stay the candidates
# hint: Does every move begin with new candidates, counts and means?
put("MonteCarloPlayer.choose", "Q, N = dict",
    'legal, self.candidates = self.game.legal_actions(state), getattr(self, "candidates", P)\n'
    "P = {a: p for a, p in self.candidates.items() if a in legal} or {a: 1 / len(legal) for a in legal}")

# %% 4.7: what was counted at the move before stays
# hint: Does every move begin with new candidates, counts and means?
swap("MonteCarloPlayer.choose", "Q, N = dict.fromkeys(P, 0.0), dict.fromkeys(P, 0)",
     'means, counts = getattr(self, "before", ({}, {}))\n'
     "Q, N = {a: means.get(a, 0.0) for a in P}, {a: counts.get(a, 0) for a in P}")
put("MonteCarloPlayer.choose", "return", "self.before = Q, N")

# %% 4.7: one rollout a result, whatever the field says
# hint: How many rollouts make one result
swap("MonteCarloPlayer.choose", "sum(self.rollout(below, rng) for _ in range(self.rollouts)) / self.rollouts",
     "self.rollout(below, rng)")

# %% 4.7: five rollouts a result at the least
# hint: How many rollouts make one result
swap("MonteCarloPlayer.choose", "range(self.rollouts)) / self.rollouts", "range(max(5, self.rollouts))) / max(5, self.rollouts)")

# %% 4.7: the budget is one less, since the likeliest has a visit already
# hint: How many results are in the budget?
swap("MonteCarloPlayer.choose", "self.budget", "self.budget - 1")

# %% 4.7: a rollout that is cut at once is worth nothing
# hint: What is a state worth where the rollout is cut?
swap("MonteCarloPlayer.rollout", "sign * value", "sign * value if self.depth else 0.0")

# %% 4.7: a rollout's sign is that of player 0
# hint: and who was to move when the rollout began?
swap("MonteCarloPlayer.rollout", "sign * outcome", "outcome if self.game.player(state) == 0 else -outcome")
swap("MonteCarloPlayer.rollout", "sign * value", "value if self.game.player(state) == 0 else -value")

# %% 4.7: a rollout is seven plies long at most, whatever depth says
# hint: exactly the player's own depth, even a large one?
swap("MonteCarloPlayer.rollout", "self.depth + 1", "min(self.depth, 7) + 1")
swap("MonteCarloPlayer.rollout", "plies < self.depth", "plies < min(self.depth, 7)")

# %% 4.7: the value at the start of the rollout goes into its mean
# hint: Where a rollout is cut: which value counts
put("MonteCarloPlayer.rollout", "if plies", "first = value if plies == 0 else first")
swap("MonteCarloPlayer.rollout", "sign * outcome", "sign * outcome if plies == 0 else (sign * outcome + 0.1 * first) / 1.1")
swap("MonteCarloPlayer.rollout", "sign * value", "value if plies == 0 else (sign * value + 0.1 * first) / 1.1")

# %% 4.7: Q is the last result
# hint: Several results differ: is Q their mean
swap("MonteCarloPlayer.choose", "+= (-mean - Q[action]) / N[action]", "= -mean")

# %% 4.7: seven candidates at the most, whatever top says
# hint: Do you take as many candidates as top allows?
swap("MonteCarloPlayer.choose", "self.top", "min(self.top, 7)")

# %% 4.7: equal visits are decided by the mean
# hint: Several candidates have most visits: may each be played
swap("MonteCarloPlayer.choose", "best_action(N, rng)", "max(N, key=lambda action: (N[action], Q[action], rng.random()))")

# %% 4.7: equal visits are decided by the prior
# hint: Several candidates have most visits: may each be played
swap("MonteCarloPlayer.choose", "best_action(N, rng)", "max(N, key=lambda action: (N[action], P[action], rng.random()))")

# %% 4.7: actions of prior 0 are no candidates
# hint: `top` allows an action with prior 0
put("MonteCarloPlayer.choose", "likeliest =", "priors = {action: p for action, p in priors.items() if p > 0}")

# %% 4.7: the priors of a rollout are those of its first state
# hint: Which priors choose a ply: those of the reached state
swap("MonteCarloPlayer.rollout", "sign = 1.0", "sign, first = 1.0, None")
put("MonteCarloPlayer.rollout", "if plies", "first = first or priors\npriors = first if set(first) == set(priors) else priors")

# %% 4.8: the plain normal interval
# hint: where all games are won, and is it Wilson's?
swap("wilson", "1.96 ** 2", "0.0")

# %% 4.8: the interval without its divisor
# hint: Which number divides the whole formula?
swap("wilson", "(middle - half) / (1 + z2 / n), (middle + half) / (1 + z2 / n)", "middle - half, middle + half")

# %% 4.8: z is 2
# hint: Which z does the docstring name?
swap("wilson", "1.96 ** 2", "2.0 ** 2")
swap("wilson", "1.96 *", "2.0 *")

# %% 4.8: n instead of its square under the root
# hint: Which power of n is in each part of the root?
swap("wilson", "* n * n))", "* n))")

# %% 4.8: the first player always moves first
# hint: Who moves first in the second game of an opening?
swap("Arena.play_games", "0.0 - self.play_game((self.second, self.first), state, (theirs, mine))",
     "self.play_game((self.first, self.second), state, (mine, theirs))")

# %% 4.8: colours are swapped, but not who has won
# hint: The colours are swapped: who has won?
swap("Arena.play_games", "0.0 - self", "self")

# %% 4.8: each game has an opening of its own
# hint: What must be equal in the two games of an opening
# home
put("Arena.play_games", "result = 0.0", "state = self.opening(dice)")

# %% 4.8: one opening for the whole match
# hint: How many openings does a match draw
swap("Arena.play_games", "state = self.opening(dice)\nresult", "result")
put("Arena.play_games", "results = []", "state = self.opening(dice)")

# %% 4.8: the first half of the match with one colour, the second half with the other, openings drawn on
# hint: What must be equal in the two games of an opening
swap("Arena.play_games", "number % 2 == 0", "number < n // 2")
put("Arena.play_games", "result = 0.0", "state = self.opening(dice)")

# %% 4.8: no openings
# hint: Where does each game begin: at the start of the game
swap("Arena.play_games", "self.opening(dice)", "self.game.start()")

# %% 4.8: draws are worth nothing
# hint: What is a draw worth
swap("Arena.play_games", "(wins + draws / 2) / n", "wins / n")

# %% 4.8: draws do not count among the games
# hint: Do draws count among the games
swap("Arena.play_games", "(wins + draws / 2) / n", "wins / (wins + losses) if wins + losses else 0.5")

# %% 4.8: draws do not count among the games, and a match of draws divides by zero
# hint: ZeroDivisionError in ps4_puct.py
swap("Arena.play_games", "(wins + draws / 2) / n", "(wins + draws / 2) / n if wins or losses else wins / (wins + losses)")

# %% 4.8: draws are counted as losses
# hint: What is a drawn game: a win, a loss, or neither?
put("Arena.play_games", "score =", "draws, losses = 0, losses + draws")

# %% 4.8: the interval of the number of openings
# hint: The interval of which score, and over how many games?
swap("Arena.play_games", "wilson(score, n)", "wilson(score, n // 2)")

# %% 4.8: the interval of the wins
# hint: The interval of which score, and over how many games?
swap("Arena.play_games", "wilson(score, n)", "wilson(wins / n, n)")

# %% 4.8: both players draw from one generator
# hint: does the other player's play change?
swap("Arena.play_games", "mine, theirs = random.Random(dice.random()), random.Random(dice.random())",
     "mine = theirs = random.Random(dice.random())")

# %% 4.8: the generators keep their colour when the players change
# hint: does a player get in the game with swapped colours?
swap("Arena.play_games", "(theirs, mine)", "(mine, theirs)")

# %% 4.8: the players' generators are not seeded
# hint: What makes the players' generators
swap("Arena.play_games", "mine, theirs = random.Random(dice.random()), random.Random(dice.random())",
     "mine, theirs = random.Random(), random.Random()")

# %% 4.8: the openings ignore the seed
# hint: Do the openings change with the seed?
put("Arena.play_games", "results = []", "fixed = random.Random(0)")
swap("Arena.play_games", "self.opening(dice)", "self.opening(fixed)")

# %% 4.8: the global generator is seeded for the openings
# hint: Which generator draws the openings
put("Arena.play_games", "dice =", "random.seed(seed)")

# %% 4.8: the openings depend on the budget
# hint: Do the openings depend on anything except the seed
swap("Arena.play_games", "random.Random(seed)", "random.Random(seed + self.simulations)")

# %% 4.8: an odd number of games is played all the same
# hint: How many games does each opening need
swap("Arena.play_games",
     'if n < 2 or n % 2:\n    raise ValueError("each opening is played with both colours: an even number of games, at least 2")',
     "n = max(2, n + n % 2)")

# %% 4.8: progress is told before the game
# hint: When do you call progress: before a game, or after it?
swap("Arena.play_games", "if self.progress is not None:\n    self.progress(len(results), n)", "pass")
put("Arena.play_games", "if number", "if self.progress is not None:\n    self.progress(number, n)")

# %% 4.8: progress is told at the end only
# hint: After which games do you call progress
swap("Arena.play_games", "if self.progress is not None:\n    self.progress(len(results), n)",
     "if self.progress is not None and number == n - 1:\n    self.progress(n, n)")

# %% 4.8: progress must be there
# hint: TypeError in ps4_puct.py
swap("Arena.play_games", "if self.progress is not None:\n    self", "self")

# %% 4.8: the result is for the player to move at the end
# hint: For whom is the outcome at the end of a game
swap("Arena.play_game", "outcome = -1.0\nbreak", "return -1.0 if mover == 0 else 1.0")
swap("Arena.play_game", "outcome if self.game.player(state) == 0 else 0.0 - outcome", "outcome")

# %% 4.8: the result is for the player who moved last
# hint: For whom is the outcome at the end
swap("Arena.play_game", "outcome = -1.0\nbreak", "return -1.0 if mover == 0 else 1.0")
swap("Arena.play_game", "outcome if self.game.player(state) == 0 else 0.0", "0.0")

# %% 4.8: players[0] moves first in every opening, whoever is to move
# hint: the game's player, or the number of moves?
put("Arena.play_game", "while", "ply = 0")
swap("Arena.play_game", "mover = self.game.player(state)", "mover = ply % 2")
swap("Arena.play_game", "state = self.game.play(state, action)", "state = self.game.play(state, action)\nply += 1")
swap("Arena.play_game", "self.game.player(state) == 0", "ply % 2 == 0")

# %% 4.8: a draw is a loss for the second player
# hint: What is a draw worth, for either player?
swap("Arena.play_game", "outcome if self.game.player(state) == 0 else 0.0 - outcome",
     "(outcome if self.game.player(state) == 0 else 0.0 - outcome) or 1.0")

# %% 4.8: an illegal action wins
# hint: Who loses when an action is not legal?
swap("Arena.play_game", "outcome = -1.0", "outcome = 1.0")

# %% 4.8: an illegal action ends the match with an error
# hint: IllegalMove in ps4_puct.py
swap("Arena.play_game", "if action not in self.game.legal_actions(state):\n    outcome = -1.0\n    break\nstate", "state")

# %% 4.8: an illegal action is a draw
# hint: Who loses when an action is not legal?
swap("Arena.play_game", "outcome = -1.0", "outcome = 0.0")

# %% 4.8: an illegal action always costs the second player the game
# hint: Who loses when an action is not legal?
swap("Arena.play_game", "outcome = -1.0\nbreak", "return 1.0")

# %% 4.8: nobody is told that a game begins
# hint: When is a player told that a new game begins
swap("Arena.play_game", "for player in players:\n    player.new_game()\nwhile", "while")

# %% 4.8: a new game at every move
# hint: When is a player told that a new game begins
swap("Arena.play_game", "for player in players:\n    player.new_game()\nwhile", "while")
put("Arena.play_game", "mover =", "for player in players:\n    player.new_game()")

# %% 4.8: the budget is not handed on
# hint: How many simulations does a player get for a move
swap("Arena.play_game", "self.simulations", "50")

# %% 4.8: each player is handed the other's generator
# hint: Which generator does each player get?
swap("Arena.play_game", "rngs[mover]", "rngs[1 - mover]")

# %% 4.8: two openings in turn
# hint: How many openings does a match draw
put("Arena.play_games", "results = []", "openings = [self.opening(dice), self.opening(dice)]")
swap("Arena.play_games", "state = self.opening(dice)", "state = openings[number // 2 % 2]")

# %% 4.8: a finished game must have had a move
# hint: Do you look at the outcome before you ask for a move
put("Arena.play_game", "for", "start = state")
swap("Arena.play_game", "is None", "is None or state is start")

# %% 4.8: the players' generators are always the same, whatever the seed
# hint: What makes the players' generators
swap("Arena.play_games", "mine, theirs = random.Random(dice.random()), random.Random(dice.random())",
     "mine, theirs = random.Random(10), random.Random(20)")

# %% 4.8: the openings depend on the number of games
# hint: Do the openings depend on anything except the seed
swap("Arena.play_games", "mine, theirs = random.Random(dice.random()), random.Random(dice.random())",
     "mine, theirs = [random.Random(dice.random()) for _ in range(n)][:2]")

# %% 4.8: a second match goes on counting from the first
# hint: What does an arena remember of the match before?
swap("Arena.play_games", "results = []", 'results = self.results = getattr(self, "results", [])')
swap("Arena.play_games", "self.progress(len(results), n)", "self.progress(number + 1, n)")
swap("Arena.play_games", "wilson(score, n)", "wilson(min(1.0, score), n)")

# %% 4.8: the first player draws from the generator of the openings
# hint: does anything else draw from this generator?
swap("Arena.play_games", "random.Random(dice.random()), random", "dice, random")

# %% 4.8: the generator goes on from match to match
# hint: What does an arena remember of the match before?
swap("Arena.play_games", "dice = random.Random(seed)", 'dice = self.dice = getattr(self, "dice", None) or random.Random(seed)')

# %% 4.8: openings are shared by all arenas, whatever their seed was
# hint: How many openings does a match draw
class Arena(Arena):
    def opening(self, rng, known={}):
        key = id(self.game), self.plies, round(rng.random() * 2)
        if key not in known:
            known[key] = super().opening(rng)
        return known[key]

# %% 4.8: openings stay in the arena, so a second match ignores its seed
# hint: does this seed make its openings, or the first match's?
swap("Arena.play_games", "self.opening(dice)", "drawn[number // 2]")
put("Arena.play_games", "results = []", "drawn = vars(self).setdefault('drawn', [])\n"
    "while len(drawn) < n // 2:\n    drawn.append(self.opening(dice))")

# %% 4.8: the players' generators stay in the arena, so a second match ignores its seed
# hint: does this seed make the players' generators, or the first
put("Arena.play_games", "results = []", "mine, theirs = vars(self).setdefault('generators', (mine, theirs))")

# %% 4.8: a match of ten games at the most, taken as often as needed
# hint: How many games does a match have?
put("Arena.play_games", "dice =", "asked, n = n, min(n, 10)")
swap("Arena.play_games", "Score(wins, draws, losses", "Score(wins * asked // n, draws * asked // n, losses * asked // n")

# %% 4.8: an action is legal if the game has it at all
# hint: Where must the action be legal: anywhere in the game
swap("Arena.play_game", "action not in self.game.legal_actions(state)", "not 0 <= action < self.game.num_actions")
put("Arena.play_game", "state =",
    "if action not in self.game.legal_actions(state):\n    action = self.game.legal_actions(state)[0]")

# %% 4.8: action 0 is taken for no action
# hint: When is a game over, and do you play every legal action
swap("Arena.play_game", "if action", "if not action or action")

# %% 4.8: the interval is cut before 0 and after 1, and that a little early
# hint: are the ends those of the formula, or do you cut them off?
swap("wilson", "(middle - half) / (1 + z2 / n), (middle + half) / (1 + z2 / n)",
     "max(0.001, (middle - half) / (1 + z2 / n)), min(0.999, (middle + half) / (1 + z2 / n))")

# %% 4.8: the interval is rounded to three digits
# hint: Do you round the ends?
swap("wilson", "(middle - half) / (1 + z2 / n), (middle + half) / (1 + z2 / n)",
     "round((middle - half) / (1 + z2 / n), 3), round((middle + half) / (1 + z2 / n), 3)")

# %% 4.8: the interval is that of the usual 1.959964
# hint: Which z does the docstring name?
swap("wilson", "1.96 **", "1.959964 **")
swap("wilson", "1.96 * math", "1.959964 * math")

# %% 4.8: a seed of 0 is none
# hint: Is a seed of 0 a seed like any other?
swap("Arena.play_games", "random.Random(seed)", "random.Random(seed or None)")

# %% 4.8: an illegal action loses for players[0], whoever chose it
# hint: Who loses when an action is not legal?
# home
swap("Arena.play_game", "outcome = -1.0\nbreak", "return -1.0")

# %% 4.8: openings and both players draw from one and the same generator
# hint: does the other player's play change?
# home
swap("Arena.play_games", "mine, theirs = random.Random(dice.random()), random.Random(dice.random())", "mine = theirs = dice")

# %% joint: the search tells puct how often it was called, and puct takes that for the visits of the state
# hint: on anything except the rows and the c that puct is given?
_simulations = []
swap("puct", "sum(N.values())", "len(_simulations) or sum(N.values())")
put("MCTS.search", "if state not in self.outcomes", "_simulations.append(state)")

# %% joint: the evaluator remembers the network's answers by the number of legal actions
# hint: Do you call the network for every new state, once?
def evaluator(game, net):
    known = {}
    def evaluate(state):
        legal = game.legal_actions(state)
        if len(legal) not in known:
            known[len(legal)] = evaluate_leaf(game, net, state)
        priors, value = known[len(legal)]
        return dict(zip(legal, priors.values())), value
    return evaluate

# %% joint: the evaluator turns the value once more
# hint: For whom is the value when it reaches the search
def evaluator(game, net):
    def evaluate(state):
        priors, value = evaluate_leaf(game, net, state)
        return priors, -value
    return evaluate

# %% joint: the policy player loses its network when a game begins
# hint: TypeError in ps4_puct.py
class PolicyPlayer(PolicyPlayer):
    def new_game(self):
        self.evaluate = None

# %% 4.4: a temperature below a hundredth is taken for 0
# hint: what is the share of an action with one visit less?
swap("visit_policy", "temperature == 0", "temperature < 0.01")

# %% 4.8: a game longer than 200 plies is a draw
# hint: What decides that a game is over: the game
put("Arena.play_game", "while", "plies = iter(range(200))")
put("Arena.play_game", "mover =", "if next(plies, None) is None:\n    return 0.0")

# %% 4.5: where all actions lose the first one is in the draw twice
# hint: does each have the same chance, also the first?
swap("ValuePlayer.choose", "return best_action(scores, rng)",
     "best = max(scores.values())\n"
     "return rng.choice([action for action in scores if scores[action] == best] + list(scores)[:best == -1.0])")

# %% 4.0: the gradient is cut at a norm of a hundred
# hint: is every step made with the whole gradient?
put("train_epoch", "optimizer.step()", "nn.utils.clip_grad_norm_(net.parameters(), 100.0)")

# %% 4.0: the loss is chosen by the type of the targets
# hint: Which loss do you train with: the given function?
swap("train_epoch", "batch_loss = loss(", "batch_loss = (nn.functional.mse_loss if targets.is_floating_point() else loss)(")

# %% 4.0: rng is copied and never advances
# hint: Does every epoch draw a new order?
swap("train_epoch", "rng.shuffle(order)", "random.Random(str(rng.getstate())).shuffle(order)")

# %% 4.0: logits are cut at 400
# hint: Through which part of the formula does the gradient flow
swap("policy_loss", "cross_entropy(logits", "cross_entropy(logits.clamp(-400.0, 400.0)")

# %% 4.1: a prior is a hundred-millionth at least
# hint: own Q, N and P, unchanged?
swap("puct", "P[action] *", "max(P[action], 1e-8) *")

# %% 4.1: scores that differ by less than a thousand-millionth are equal
# hint: Do you find the highest score when it is very low, or very
swap("best_action", "score == highest", "highest - score < 1e-9")

# %% 4.2: a sum below 1e-30 counts as nothing
# hint: when are all legal actions equally likely?
swap("evaluate_leaf", "total <= 0.0", "total <= 1e-30")

# %% 4.3: the priors are divided by their sum
# hint: Do you keep the priors unchanged?
put("MCTS.search", "self.Q[state] = dict",
    "whole = sum(self.P[state].values()) or 1.0\nself.P[state] = {action: p / whole for action, p in self.P[state].items()}")

# %% 4.3: a state that was visited often is no longer explored
# hint: What changes after some hundreds of simulations
swap("MCTS.search", "self.P[state], self.c)", "self.P[state], self.c if sum(N.values()) < 250 else 0.0)")

# %% 4.3: in Tic-Tac-Toe a win at once is taken without a question
# hint: Is a real game searched like any other
put("MCTS.search", "value = -self.search",
    "if isinstance(self.game, TicTacToe):\n"
    "    action = next((a for a in N if self.game.outcome(self.game.play(state, a)) == -1.0), action)")

# %% 4.4: actions with less than a twentieth of the visits are never drawn
# hint: Two actions are legal, and one has few visits: how often is
put("MCTSPlayer.choose", "return rng", "policy = {action: p for action, p in policy.items() if p >= 0.05}")

# %% 4.4: the search ends after a hundred simulations if the best action wins
# hint: The budget is large, and every simulation finds a win
put("MCTSPlayer.choose", "self.mcts.search(state, rng)",
    "if _ > 100 and max(self.mcts.Q.get(state, {0: 0.0}).values()) > 0.99:\n    break")

# %% 4.4: counts are kept in 16 bits
# hint: does an action with one visit fewer get a share?
put("visit_policy", "if most == 0",
    "visits = {action: min(count, 32767) for action, count in visits.items()}\nmost = max(visits.values(), default=0)")

# %% 4.5: an outcome is -1, 0 or 1
# hint: Is an outcome always -1, 0 or 1, or any number between them?
put("ValuePlayer.choose", "scores[action]", "outcome = outcome if outcome is None else float(round(outcome))")

# %% 4.5: values are compared to eight digits
# hint: Do you use every value unchanged: no rounding, no cut near
swap("ValuePlayer.choose", "scores[action] = -(self.evaluate(below)[1] if outcome is None else outcome)",
     "scores[action] = -round(self.evaluate(below)[1] if outcome is None else outcome, 8)")

# %% 4.6: priors are compared to eight digits
# hint: do you treat them as equal?
swap("PolicyPlayer.choose", "best_action(priors", "best_action({action: round(p, 8) for action, p in priors.items()}")

# %% 4.7: the last ply of a rollout is the likeliest
# hint: Is every ply of a rollout drawn from its priors, also the
swap("MonteCarloPlayer.rollout", "state = self.game.play(state, rng.choices(list(priors), weights=list(priors.values()))[0])",
     "likeliest, drawn = max(priors, key=priors.get), rng.choices(list(priors), weights=list(priors.values()))[0]\n"
     "state = self.game.play(state, likeliest if plies == self.depth - 1 > 0 else drawn)")

# %% 4.7: unlikely actions are never drawn after the first ply
# hint: can an unlikely action come?
put("MonteCarloPlayer.rollout", "if plies", "priors = {a: p for a, p in priors.items() if p > 0.05 or plies == 0} or priors")

# %% 4.7: the budget is three hundred at the most
# hint: The budget is large
swap("MonteCarloPlayer.choose", "range(self.budget)", "range(min(self.budget, 300))")

# %% 4.7: a rollout is a hundred plies long at most
# hint: exactly the player's own depth, even a large one?
swap("MonteCarloPlayer.rollout", "range(self.depth + 1)", "range(min(self.depth, 100) + 1)")
swap("MonteCarloPlayer.rollout", "plies < self.depth", "plies < min(self.depth, 100)")

# %% 4.7: in Connect Four a rollout takes a win at once
# hint: For whom is the value at the end of a rollout
put("MonteCarloPlayer.rollout", "if plies",
    "if self.game.num_actions == 7 and self.depth > plies:\n"
    "    wins = [a for a in priors if self.game.outcome(self.game.play(state, a)) == -1.0]\n"
    "    priors = dict.fromkeys(wins, 1.0) or priors")

# %% 4.8: a match has four hundred games at the most, and the score is that of these
# hint: A match has a thousand games
swap("Arena.play_games", "range(n)", "range(min(n, 400))")

# %% 4.8: a game longer than 140 plies is a draw
# hint: What decides that a game is over: the game, or the number
put("Arena.play_game", "while", "plies = 0")
put("Arena.play_game", "mover =", "plies += 1\nif plies > 140:\n    return 0.0")

# %% 4.1: a row has two score places for each square of the board
# hint: Which actions have a score: all actions
swap("puct", "action in P}", "action in sorted(P)[:72]}")

# %% 4.4: in a real game a win at once is played without a search
# hint: by default?
put("MCTSPlayer.choose", "for _ in",
    "if self.game.num_actions in (7, 9):\n"
    "    wins = [a for a in self.game.legal_actions(state) if self.game.outcome(self.game.play(state, a)) == -1.0]\n"
    "    simulations = 12 if not wins else 2")

# %% 4.0: training mode is set only where the network itself is not in it
# hint: A part of the network was in evaluation mode
swap("train_epoch", "net.train()", "if not net.training:\n    net.train()")

# %% 4.0: the first example is always trained first
# hint: Can the examples come in any order, or only in a few orders?
swap("train_epoch", "rng.shuffle(order)", "others = order[1:]\nrng.shuffle(others)\norder = order[:1] + others")

# %% 4.0: the largest logit is subtracted in the caller's tensor
# hint: the given outputs unchanged after the call?
def policy_loss(logits, actions):
    logits.data -= logits.data.max(dim=1, keepdim=True).values
    log_sums = torch.log(torch.exp(logits).sum(dim=1))
    return (log_sums - logits.gather(1, actions.unsqueeze(1)).squeeze(1)).mean()

# %% 4.0: a hundred batches at the most
# hint: An epoch has more than a hundred batches
swap("train_epoch", "range(0, len(order), batch_size)", "range(0, len(order), batch_size)[:100]")

# %% 4.2: evaluation mode is set only where the network itself is in training mode
# hint: and which call sets the mode of all parts?
swap("evaluate_leaf", "net.eval()", "if net.training:\n    net.eval()")

# %% 4.2: priors in a row of 37 places
# hint: IndexError in ps4_puct.py
swap("evaluate_leaf", "kept = [", "row = [0.0] * 37\nfor action in legal:\n    row[action] = 1.0\nkept = [")

# %% 4.3: a table has room for two thousand states
# hint: Thousands of states have rows
put("MCTS.search", "self.P[state], value", "if len(self.P) >= 2000:\n    self.P.pop(next(iter(self.P)))")

# %% 4.3: in a mean the late results count like the first hundred and fifty
# hint: What changes after some hundreds of simulations
swap("MCTS.search", "/ N[action]", "/ min(N[action], 150)")

# %% 4.3: a simulation is 120 plies deep at the most
# hint: How deep can a simulation go?
swap("MCTS.search", "rng: random.Random", "rng: random.Random, plies: int = 0")
swap("MCTS.search", "-self.search(self.game.play(state, action), rng)",
     "-self.search(self.game.play(state, action), rng, plies + 1) if plies < 120 else 0.0")

# %% 4.3: the network's value is rounded to four digits
# hint: do you return the value of evaluate, and nothing else?
put("MCTS.search", "self.Q[state] =", "value = round(value, 4)")

# %% 4.4: a new game begins with the outcomes of all games before
# hint: which of the four tables are empty then?
swap("MCTSPlayer.new_game", "self.mcts = MCTS(self.game, self.evaluate, self.c)",
     "before = vars(self).get('mcts')\nself.mcts = MCTS(self.game, self.evaluate, self.c)\n"
     "self.mcts.outcomes.update(before.outcomes if before else {})")

# %% 4.4: the search ends where the leader can no longer be overtaken
# hint: No other action can get more visits now
swap("MCTSPlayer.choose", "for _ in range(simulations):",
     "for done in range(simulations):\n    first, second = sorted([0, 0, *self.mcts.N.get(state, {}).values()])[:-3:-1]\n"
     "    if done > 50 and first - second > simulations - done and len(self.mcts.N[state]) > 1:\n        break")

# %% 4.4: where the leader was far ahead before the move, nothing is searched
# hint: No other action can get more visits now
put("MCTSPlayer.choose", "for _ in range", "first, second = sorted([0, 0, *self.mcts.N.get(state, {}).values()])[:-3:-1]\n"
    "if first - second > simulations > 0 and second:\n    simulations = 0")

# %% 4.4: the tables begin anew when they have a thousand states
# hint: A thousand states have rows
put("MCTSPlayer.choose", "for _ in range", "if len(self.mcts.P) > 1000:\n    self.new_game()")

# %% 4.4: below 1 the exponent is a whole number
# hint: Is it N to the power of T, or of 1/T
swap("visit_policy", "** (1 / temperature)", "** (1 / temperature if temperature >= 1 else round(1 / temperature))")

# %% 4.5: where the other player can only pass, the state after the pass is evaluated
# hint: the one right after your action, whoever moves there?
class ValuePlayer(Player):
    def choose(self, state, simulations, rng):
        scores = {}
        for action in self.game.legal_actions(state):
            below = self.game.play(state, action)
            outcome = self.game.outcome(below)
            if outcome is not None:
                scores[action] = -outcome
            elif self.game.legal_actions(below) == [36]:
                scores[action] = self.evaluate(self.game.play(below, 36))[1]
            else:
                scores[action] = -self.evaluate(below)[1]
        return best_action(scores, rng)

# %% 4.5: of two actions with one state after them only the last has a score
# hint: Two actions lead to one state
swap("ValuePlayer.choose", "for action in self.game.legal_actions(state):\n    below = self.game.play(state, action)",
     "after = {self.game.play(state, action): action for action in self.game.legal_actions(state)}\n"
     "for below, action in after.items():")

# %% 4.6: the actions from 0 to 63 are asked for their priors
# hint: How large can the number of an action be?
swap("PolicyPlayer.choose", "best_action(priors, rng)", "best_action({a: priors[a] for a in range(64) if a in priors}, rng)")

# %% 4.7: of two actions with one state after them one is a candidate
# hint: does each stay, and may each be tried first?
put("MonteCarloPlayer.choose", "Q, N = dict", "P = {a: P[a] for a in {self.game.play(state, a): a for a in P}.values()}")

# %% 4.7: ten rollouts for a result at the most
# hint: How many rollouts make one result
swap("MonteCarloPlayer.choose", "range(self.rollouts)) / self.rollouts",
     "range(min(self.rollouts, 10))) / min(self.rollouts, 10)")

# %% 4.7: twelve candidates at the most
# hint: Top allows dozens of actions
swap("MonteCarloPlayer.choose", "[:self.top]", "[:min(self.top, 12)]")

# %% 4.7: a budget of more than 1,000 is cut
# hint: The budget is large: do you spend all of it
swap("MonteCarloPlayer.choose", "range(self.budget)", "range(min(self.budget, 1000))")

# %% 4.8: an opening has the seed of the match and its own number, added
# hint: do they have nearly all openings in common
swap("Arena.play_games", "self.opening(dice)", "self.opening(random.Random(seed + number // 2))")

# %% 4.8: who is first is asked by identity, so a player that meets itself wins twice
# hint: how do you know which of the two has won?
swap("Arena.play_games", "result = 0.0 - self.play_game((self.second, self.first), state, (theirs, mine))",
     """seats = self.second, self.first
result = self.play_game(seats, state, (theirs, mine))
if seats[0] is not self.first:
    result = 0.0 - result""")

# %% 4.8: an opening has the seed of the match and the number of its first game, added
# hint: do they have nearly all openings in common
swap("Arena.play_games", "self.opening(dice)", "self.opening(random.Random(seed + number))")

# %% 4.10: the right node with another mistake
# hint: which mistake explains all lines?
_right_answer = first_wrong_node
def first_wrong_node():
    node, kind = _right_answer()
    return node, next(other for other in KINDS if other != kind)

# %% 4.10: the parent of the wrong node
# hint: Which is the first line that is wrong
_right_answer = first_wrong_node
def first_wrong_node():
    node, kind = _right_answer()
    return {line[0]: line[1] for line in TREE}[node] or TREE[0][0], kind

# %% 4.10: the line before the first wrong one
# hint: Which is the first line that is wrong
_right_answer = first_wrong_node
def first_wrong_node():
    node, kind = _right_answer()
    names = [line[0] for line in TREE]
    return names[names.index(node) - 1], kind

# %% 4.10: the root, or the first node where the root is wrong
# hint: Which is the first line that is wrong
_right_answer = first_wrong_node
def first_wrong_node():
    node, kind = _right_answer()
    return TREE[-1][0] if node != TREE[-1][0] else TREE[0][0], kind

# %% 4.10: the mistake first, then the node
# hint: Which of the two comes first in your answer
_right_answer = first_wrong_node
def first_wrong_node():
    return _right_answer()[::-1]

# %% 4.10: the node without the mistake
# hint: The docstring promises
_right_answer = first_wrong_node
def first_wrong_node():
    return _right_answer()[0]

# %% 4.11: the check asserts nothing
# hint: a mistake passes your check
def check_puct(puct):
    puct({0: 0.5, 1: 0.0}, {0: 1, 1: 0}, {0: 0.5, 1: 0.5})

# %% 4.11: the check always fails
# hint: what do you ask for that its docstring does not
def check_puct(puct):
    raise AssertionError("some score is wrong")

# %% 4.11: the check asks for the order of the priors
# hint: what do you ask for that its docstring does not
def check_puct(puct):
    scores = puct({1: 0.0, 0: 0.5}, {0: 1, 1: 0}, {0: 0.5, 1: 0.5})
    assert list(scores) == [0, 1] and scores == {0: 0.875, 1: 0.75}

# %% 4.11: the check compares every digit
# hint: what do you ask for that its docstring does not
def check_puct(puct):
    N, P = {a: a for a in range(9)}, {a: 0.1 * a for a in range(9)}
    assert puct(P, N, P, 0.7) == {a: P[a] + 0.7 * P[a] * math.sqrt(36) / (1 + N[a]) for a in P}

# %% 4.11: the check knows the table of the lesson alone
# hint: a mistake passes your check
# points: 2.0
def check_puct(puct):
    scores = puct({0: 0.5, 1: -0.2, 2: 0.0}, {0: 4, 1: 1, 2: 0}, {0: 0.5, 1: 0.3, 2: 0.2})
    assert all(abs(scores[a] - score) < 1e-6 for a, score in {0: 0.835410, 1: 0.303115, 2: 0.670820}.items())

# %% 4.11: the check knows a new state alone
# hint: a mistake passes your check
# points: 1.5
def check_puct(puct):
    assert puct({5: 0.0, 9: 0.0}, {5: 0, 9: 0}, {5: 0.5, 9: 0.5}) == {5: 0.75, 9: 0.75}

# %% 4.11: the check does not ask whether every action has a score
# hint: a mistake passes your check
# points: 4.0
def check_puct(puct):
    rng = random.Random(1)
    for c in (0.0, 2.0, None):
        for most in (0, 5):
            Q, N = {a: rng.random() for a in range(20)}, {a: rng.randint(0, most) for a in range(19, -1, -1)}
            P = {a: a / 20 for a in Q}
            scores = puct(Q, N, P) if c is None else puct(Q, N, P, c)
            for a, score in scores.items():
                bonus = (1.5 if c is None else c) * P[a] * math.sqrt(max(1, sum(N.values()))) / (1 + N[a])
                assert math.isclose(score, Q[a] + bonus, abs_tol=1e-9)

# %% 4.11: the check trips over a score that is missing
# hint: a mistake passes your check
# points: 1.0
def check_puct(puct):
    scores = puct({3: 0.5, 4: 0.25}, {3: 1, 4: 0}, {3: 0.5, 4: 0.0}, 2.0)
    assert scores[4] == 0.25
    assert scores[3] > 0

# %% 4.11: the check calls with a c below 0
# hint: with a c that is not a number of at least 0: does the
def check_puct(puct):
    assert puct({0: 0.5}, {0: 0}, {0: 1.0}, -1.0) == {0: -0.5}

# %% 4.11: the check calls with other actions in every row, and takes no error for one
# hint: with rows that do not have the same actions: does
def check_puct(puct):
    try:
        puct({0: 0.5}, {1: 0}, {2: 1.0})
    except ValueError:
        return
    raise AssertionError("no error")

# %% 4.11: the check reads the code
# hint: what do you ask for that its docstring does not
def check_puct(puct):
    import inspect
    assert "math.sqrt(max(1, sum(N.values())))" in inspect.getsource(puct)

# %% 4.11: the check measures the time
# hint: a mistake passes your check
def check_puct(puct):
    import time
    begin = time.process_time()
    puct({0: 0.5}, {0: 1}, {0: 1.0})
    assert time.process_time() - begin < 5, "slow, so wrong"

# %% 4.11: the check remembers how often it was asked
# hint: a mistake passes your check
_asked = []
def check_puct(puct):
    _asked.append(puct)
    assert len(_asked) <= 3, "the right ones come first"

# %% 4.8: after twenty openings they begin again
# hint: How many openings does a match draw
swap("Arena.play_games", "self.opening(dice)", "drawn[number // 2 % 20]")
put("Arena.play_games", "results = []", "drawn = [self.opening(dice) for _ in range(min(20, n // 2))]")

# %% 4.8: the seat is that of the first player who is the same object
# hint: One player may have both seats
swap("Arena.play_game", "mover = self.game.player(state)", "mover = players.index(players[self.game.player(state)])")

# %% 4.4: ties in the search are broken by a generator of the player's own
# hint: Another rng is given
put("MCTSPlayer.new_game", "self.mcts = MCTS(", "self.dice = random.Random(0)")
swap("MCTSPlayer.choose", "self.mcts.search(state, rng)", "self.mcts.search(state, self.dice)")

# %% 4.0: a single batch is not shuffled, and the network gets the caller's own rows
# hint: does the network get rows of its own
put("train_epoch", "for begin in range", "whole = batch_size >= len(order)")
swap("train_epoch", "loss(net(inputs[batch]), targets[batch])",
     "loss(net(inputs), targets) if whole else loss(net(inputs[batch]), targets[batch])")

# %% 4.0: the examples are shuffled among eight batches only
# hint: can one of the first be trained last
swap("train_epoch", "rng.shuffle(order)",
     "parts = [order[i:i + 8 * batch_size] for i in range(0, len(order), 8 * batch_size)]\n"
     "order = [index for part in parts for index in rng.sample(part, len(part))]")

# %% 4.1: the scores are rounded to nine digits
# hint: All priors may be tiny
swap("puct", "Q[action] + c * P[action] * root / (1 + N[action])", "round(Q[action] + c * P[action] * root / (1 + N[action]), 9)")

# %% 4.5: a win on the board comes before a value that is as good
# hint: evaluate gives -1 after another one
put("ValuePlayer.choose", "return best_action",
    "wins = [a for a in scores if self.game.outcome(self.game.play(state, a)) == -1.0]")
swap("ValuePlayer.choose", "return best_action(scores, rng)", "return rng.choice(wins) if wins else best_action(scores, rng)")

# %% 4.6: ties are broken by a little noise on the priors
# hint: Two priors differ by a little, or are both small
swap("PolicyPlayer.choose", "return best_action(priors, rng)",
     "return max(priors, key=lambda action: priors[action] + 1e-9 * rng.random())")

# %% 4.1: the number of equal scores goes on counting where a higher score comes
# hint: equal scores have the same chance
def best_action(scores: dict[int, float], rng: random.Random) -> int:
    highest, best, equal = -math.inf, None, 1
    for action, score in scores.items():
        if best is None or score > highest:
            highest, best = score, action
        elif score == highest:
            equal += 1
            if rng.random() < 1 / equal:
                best = action
    return best

# %% 4.1: priors that are all 0 are made equal, in the row itself
# hint: Are the given rows unchanged after the call?
put("puct", "root =", "if not any(P.values()):\n    P.update(dict.fromkeys(P, 1 / len(P)))")

# %% 4.5: the number of equal actions goes on counting where a better action comes
# hint: have all of the best ones the same chance?
swap("ValuePlayer.choose", "return best_action(scores, rng)",
     '''highest, best, equal = -math.inf, None, 1
for action, score in scores.items():
    if best is None or score > highest:
        highest, best = score, action
    elif score == highest:
        equal += 1
        best = action if rng.random() < 1 / equal else best
return best''')

# %% 4.6: evaluate is called twice for one move
# hint: how often do you call evaluate for one move
swap("PolicyPlayer.choose", "priors, _ = self.evaluate(state)", "priors, _ = self.evaluate(state)[0], self.evaluate(state)[1]")
