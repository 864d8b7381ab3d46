# Wrong answers to ps4_puct. Each cell names the exercise that it breaks, and is appended to the solution.
# `make verify` wants every one to lose the points of that exercise, and of the joint check at most beside it.

# %% 4.0: every position carries the result of the player who moved last
# hint: Is the result the same for both players
def examples(game, actions):
    state, visited = game.start(), []
    for action in actions:
        visited.append((state, action))
        state = game.play(state, action)
    if game.outcome(state) is None:
        raise ValueError("not over")
    return [(s, a, 0.0 - game.outcome(state)) for s, a in visited]

# %% 4.0: the result is for the player to move at the end
def examples(game, actions):
    state, visited = game.start(), []
    for action in actions:
        visited.append((state, action))
        state = game.play(state, action)
    if game.outcome(state) is None:
        raise ValueError("not over")
    return [(s, a, game.outcome(state)) for s, a in visited]

# %% 4.0: the signs alternate, but from the wrong end
# hint: of the one who moved last
def examples(game, actions):
    state, visited = game.start(), []
    for action in actions:
        visited.append((state, action))
        state = game.play(state, action)
    outcome = game.outcome(state)
    if outcome is None:
        raise ValueError("not over")
    return [(s, a, 0.0 - outcome if game.player(s) == game.player(state) else outcome) for s, a in visited]

# %% 4.0: the result is for the player who moved first
def examples(game, actions):
    state, visited = game.start(), []
    for action in actions:
        visited.append((state, action))
        state = game.play(state, action)
    outcome = game.outcome(state)
    if outcome is None:
        raise ValueError("not over")
    return [(s, a, outcome if game.player(state) == 0 else 0.0 - outcome) for s, a in visited]

# %% 4.0: the state after the action
def examples(game, actions):
    state, visited = game.start(), []
    for action in actions:
        state = game.play(state, action)
        visited.append((state, action))
    outcome = game.outcome(state)
    if outcome is None:
        raise ValueError("not over")
    last = game.player(state)
    return [(s, a, 0.0 - outcome if game.player(s) == last else outcome) for s, a in visited]

# %% 4.0: passes are left out of the examples
def examples(game, actions):
    state, visited = game.start(), []
    for action in actions:
        if action != game.num_actions - 1 or game.num_actions < 37:
            visited.append((state, action))
        state = game.play(state, action)
    outcome = game.outcome(state)
    if outcome is None:
        raise ValueError("not over")
    last = game.player(state)
    return [(s, a, outcome if game.player(s) == last else 0.0 - outcome) for s, a in visited]

# %% 4.0: the finished position is an example too
def examples(game, actions):
    state, visited = game.start(), []
    for action in actions:
        visited.append((state, action))
        state = game.play(state, action)
    outcome = game.outcome(state)
    if outcome is None:
        raise ValueError("not over")
    visited.append((state, actions[-1]))
    last = game.player(state)
    return [(s, a, outcome if game.player(s) == last else 0.0 - outcome) for s, a in visited]

# %% 4.0: a game that is not over counts as a draw
def examples(game, actions):
    state, visited = game.start(), []
    for action in actions:
        visited.append((state, action))
        state = game.play(state, action)
    outcome = game.outcome(state) or 0.0
    last = game.player(state)
    return [(s, a, outcome if game.player(s) == last else 0.0 - outcome) for s, a in visited]

# %% 4.0: a draw is taken for a game that is not over
def examples(game, actions):
    state, visited = game.start(), []
    for action in actions:
        visited.append((state, action))
        state = game.play(state, action)
    if not game.outcome(state):
        raise ValueError("not over")
    last, outcome = game.player(state), game.outcome(state)
    return [(s, a, outcome if game.player(s) == last else -outcome) for s, a in visited]

# %% 4.0: a draw counts as a loss for both
def examples(game, actions):
    state, visited = game.start(), []
    for action in actions:
        visited.append((state, action))
        state = game.play(state, action)
    outcome = game.outcome(state)
    if outcome is None:
        raise ValueError("not over")
    last = game.player(state)
    return [(s, a, 1.0 if (outcome if game.player(s) == last else -outcome) > 0 else -1.0) for s, a in visited]

# %% 4.0: softmax before cross_entropy
# hint: Does cross_entropy not apply softmax itself
def policy_loss(logits, actions):
    return nn.functional.cross_entropy(torch.softmax(logits, dim=1), actions)

# %% 4.0: the softmax runs over the batch
# hint: Over which axis
def policy_loss(logits, actions):
    log_p = torch.log_softmax(logits, dim=0)
    return -log_p[torch.arange(len(actions)), actions].mean()

# %% 4.0: the policy loss is a sum
# hint: should a loss grow with the batch
def policy_loss(logits, actions):
    return nn.functional.cross_entropy(logits, actions, reduction="sum")

# %% 4.0: the policy loss is the mean over actions too
# hint: or over the actions as well
def policy_loss(logits, actions):
    one_hot = nn.functional.one_hot(actions, logits.shape[1])
    return -(torch.log_softmax(logits, dim=1) * one_hot).mean()

# %% 4.0: minus the probability instead of its logarithm
# hint: What is missing between
def policy_loss(logits, actions):
    return -torch.softmax(logits, dim=1)[torch.arange(len(actions)), actions].mean()

# %% 4.0: the loss loses its gradient
def policy_loss(logits, actions):
    return torch.tensor(nn.functional.cross_entropy(logits, actions).item())

# %% 4.0: the value loss compares every value with every result
# hint: and only with that
def value_loss(values, results):
    return ((values.unsqueeze(1) - results) ** 2).mean()

# %% 4.0: the value loss is a sum
# hint: should a loss grow
def value_loss(values, results):
    return ((values - results) ** 2).sum()

# %% 4.0: the value loss is the mean absolute error
# hint: Which power
def value_loss(values, results):
    return (values - results).abs().mean()

# %% 4.0: the value loss is the root of the mean square
def value_loss(values, results):
    return ((values - results) ** 2).mean().sqrt()

# %% 4.0: the last batch is dropped when it is smaller
def train_epoch(net, loss, inputs, targets, optimizer, batch_size, rng):
    net.train()
    order = list(range(len(inputs)))
    rng.shuffle(order)
    total, seen = 0.0, 0
    for begin in range(0, len(order) - batch_size + 1, batch_size):
        batch = order[begin:begin + batch_size]
        optimizer.zero_grad()
        one = loss(net(inputs[batch]), targets[batch])
        one.backward()
        optimizer.step()
        total, seen = total + one.item() * len(batch), seen + len(batch)
    return total / max(1, seen)

# %% 4.0: the old gradient is never forgotten
def train_epoch(net, loss, inputs, targets, optimizer, batch_size, rng):
    net.train()
    order = list(range(len(inputs)))
    rng.shuffle(order)
    total = 0.0
    for begin in range(0, len(order), batch_size):
        batch = order[begin:begin + batch_size]
        one = loss(net(inputs[batch]), targets[batch])
        one.backward()
        optimizer.step()
        total += one.item() * len(batch)
    return total / len(order)

# %% 4.0: the gradient is forgotten once an epoch
def train_epoch(net, loss, inputs, targets, optimizer, batch_size, rng):
    net.train()
    optimizer.zero_grad()
    order = list(range(len(inputs)))
    rng.shuffle(order)
    total = 0.0
    for begin in range(0, len(order), batch_size):
        batch = order[begin:begin + batch_size]
        one = loss(net(inputs[batch]), targets[batch])
        one.backward()
        optimizer.step()
        total += one.item() * len(batch)
    return total / len(order)

# %% 4.0: the gradient is forgotten between backward and step
def train_epoch(net, loss, inputs, targets, optimizer, batch_size, rng):
    net.train()
    order = list(range(len(inputs)))
    rng.shuffle(order)
    total = 0.0
    for begin in range(0, len(order), batch_size):
        batch = order[begin:begin + batch_size]
        one = loss(net(inputs[batch]), targets[batch])
        one.backward()
        optimizer.zero_grad()
        optimizer.step()
        total += one.item() * len(batch)
    return total / len(order)

# %% 4.0: a step of the optimizer at the end of the epoch only
def train_epoch(net, loss, inputs, targets, optimizer, batch_size, rng):
    net.train()
    order = list(range(len(inputs)))
    rng.shuffle(order)
    total = 0.0
    optimizer.zero_grad()
    for begin in range(0, len(order), batch_size):
        batch = order[begin:begin + batch_size]
        one = loss(net(inputs[batch]), targets[batch])
        one.backward()
        total += one.item() * len(batch)
    optimizer.step()
    return total / len(order)

# %% 4.0: batches are drawn with replacement
def train_epoch(net, loss, inputs, targets, optimizer, batch_size, rng):
    net.train()
    total = 0.0
    for begin in range(0, len(inputs), batch_size):
        batch = [rng.randrange(len(inputs)) for _ in range(min(batch_size, len(inputs) - begin))]
        optimizer.zero_grad()
        one = loss(net(inputs[batch]), targets[batch])
        one.backward()
        optimizer.step()
        total += one.item() * len(batch)
    return total / len(inputs)

# %% 4.0: nothing is shuffled
def train_epoch(net, loss, inputs, targets, optimizer, batch_size, rng):
    net.train()
    total = 0.0
    for begin in range(0, len(inputs), batch_size):
        optimizer.zero_grad()
        one = loss(net(inputs[begin:begin + batch_size]), targets[begin:begin + batch_size])
        one.backward()
        optimizer.step()
        total += one.item() * len(inputs[begin:begin + batch_size])
    return total / len(inputs)

# %% 4.0: torch's own generator shuffles
def train_epoch(net, loss, inputs, targets, optimizer, batch_size, rng):
    net.train()
    total = 0.0
    for batch in torch.randperm(len(inputs)).split(batch_size):
        optimizer.zero_grad()
        one = loss(net(inputs[batch]), targets[batch])
        one.backward()
        optimizer.step()
        total += one.item() * len(batch)
    return total / len(inputs)

# %% 4.0: torch's own generator is seeded from rng
def train_epoch(net, loss, inputs, targets, optimizer, batch_size, rng):
    net.train()
    torch.manual_seed(rng.getrandbits(30))
    total = 0.0
    for batch in torch.randperm(len(inputs)).split(batch_size):
        optimizer.zero_grad()
        one = loss(net(inputs[batch]), targets[batch])
        one.backward()
        optimizer.step()
        total += one.item() * len(batch)
    return total / len(inputs)

# %% 4.0: the mean of the batches' means
def train_epoch(net, loss, inputs, targets, optimizer, batch_size, rng):
    net.train()
    order = list(range(len(inputs)))
    rng.shuffle(order)
    losses = []
    for begin in range(0, len(order), batch_size):
        batch = order[begin:begin + batch_size]
        optimizer.zero_grad()
        one = loss(net(inputs[batch]), targets[batch])
        one.backward()
        optimizer.step()
        losses.append(one.item())
    return sum(losses) / len(losses)

# %% 4.0: the loss after the step is reported
def train_epoch(net, loss, inputs, targets, optimizer, batch_size, rng):
    net.train()
    order = list(range(len(inputs)))
    rng.shuffle(order)
    total = 0.0
    for begin in range(0, len(order), batch_size):
        batch = order[begin:begin + batch_size]
        optimizer.zero_grad()
        loss(net(inputs[batch]), targets[batch]).backward()
        optimizer.step()
        total += loss(net(inputs[batch]), targets[batch]).item() * len(batch)
    return total / len(order)

# %% 4.0: inputs and targets are shuffled apart
def train_epoch(net, loss, inputs, targets, optimizer, batch_size, rng):
    net.train()
    one_order, other_order = list(range(len(inputs))), list(range(len(inputs)))
    rng.shuffle(one_order)
    rng.shuffle(other_order)
    total = 0.0
    for begin in range(0, len(inputs), batch_size):
        end = begin + batch_size
        optimizer.zero_grad()
        one = loss(net(inputs[one_order[begin:end]]), targets[other_order[begin:end]])
        one.backward()
        optimizer.step()
        total += one.item() * len(one_order[begin:end])
    return total / len(inputs)

# %% 4.0: the network stays in evaluation mode
def train_epoch(net, loss, inputs, targets, optimizer, batch_size, rng):
    order = list(range(len(inputs)))
    rng.shuffle(order)
    total = 0.0
    for begin in range(0, len(order), batch_size):
        batch = order[begin:begin + batch_size]
        optimizer.zero_grad()
        one = loss(net(inputs[batch]), targets[batch])
        one.backward()
        optimizer.step()
        total += one.item() * len(batch)
    return total / len(order)

# %% 4.0: training mode comes after training
def train_epoch(net, loss, inputs, targets, optimizer, batch_size, rng):
    net.eval()
    order = list(range(len(inputs)))
    rng.shuffle(order)
    total = 0.0
    for begin in range(0, len(order), batch_size):
        batch = order[begin:begin + batch_size]
        optimizer.zero_grad()
        one = loss(net(inputs[batch]), targets[batch])
        one.backward()
        optimizer.step()
        total += one.item() * len(batch)
    net.train()
    return total / len(order)

# %% 4.0: rng only says where to begin
def train_epoch(net, loss, inputs, targets, optimizer, batch_size, rng):
    net.train()
    first = rng.randrange(len(inputs))
    order = [(first + i) % len(inputs) for i in range(len(inputs))]
    total = 0.0
    for begin in range(0, len(order), batch_size):
        batch = order[begin:begin + batch_size]
        optimizer.zero_grad()
        one = loss(net(inputs[batch]), targets[batch])
        one.backward()
        optimizer.step()
        total += one.item() * len(batch)
    return total / len(order)

# %% 4.1: the visits of the state and the quotient under one root
# hint: or their quotient
def puct(Q, N, P, c=1.5):
    n = max(1, sum(N.values()))
    return {a: Q[a] + c * P[a] * math.sqrt(n / (1 + N[a])) for a in P}

# %% 4.1: nothing under the root at a new state
# hint: square root of 0
def puct(Q, N, P, c=1.5):
    root = math.sqrt(sum(N.values()))
    return {a: Q[a] + c * P[a] * root / (1 + N[a]) for a in P}

# %% 4.1: one more visit under the root, always
# hint: that you count beside
def puct(Q, N, P, c=1.5):
    root = math.sqrt(1 + sum(N.values()))
    return {a: Q[a] + c * P[a] * root / (1 + N[a]) for a in P}

# %% 4.1: c multiplies the mean
# hint: Which part does c multiply
def puct(Q, N, P, c=1.5):
    root = math.sqrt(max(1, sum(N.values())))
    return {a: c * Q[a] + P[a] * root / (1 + N[a]) for a in P}

# %% 4.1: the mean is the other player's
# hint: For whom is Q
def puct(Q, N, P, c=1.5):
    root = math.sqrt(max(1, sum(N.values())))
    return {a: -Q[a] + c * P[a] * root / (1 + N[a]) for a in P}

# %% 4.1: the bonus without the prior
# hint: Where does the prior
def puct(Q, N, P, c=1.5):
    root = math.sqrt(max(1, sum(N.values())))
    return {a: Q[a] + c * root / (1 + N[a]) for a in P}

# %% 4.1: the root of the action's own visits
# hint: of the state, or of the action
def puct(Q, N, P, c=1.5):
    return {a: Q[a] + c * P[a] * math.sqrt(max(1, N[a])) / (1 + N[a]) for a in P}

# %% 4.1: no root at all
# hint: without a root
def puct(Q, N, P, c=1.5):
    n = max(1, sum(N.values()))
    return {a: Q[a] + c * P[a] * n / (1 + N[a]) for a in P}

# %% 4.1: c is always 1.5
# hint: the one that was given
def puct(Q, N, P, c=1.5):
    root = math.sqrt(max(1, sum(N.values())))
    return {a: Q[a] + 1.5 * P[a] * root / (1 + N[a]) for a in P}

# %% 4.1: c is 1 where none is given
def puct(Q, N, P, c=1.0):
    root = math.sqrt(max(1, sum(N.values())))
    return {a: Q[a] + c * P[a] * root / (1 + N[a]) for a in P}

# %% 4.1: an action never taken comes first
def puct(Q, N, P, c=1.5):
    root = math.sqrt(max(1, sum(N.values())))
    return {a: Q[a] + c * P[a] * root / (1 + N[a]) if N[a] or not any(N.values()) else math.inf for a in P}

# %% 4.1: an action never taken counts as a loss
def puct(Q, N, P, c=1.5):
    root = math.sqrt(max(1, sum(N.values())))
    lost = -1.0 if any(N.values()) else 0.0
    return {a: (Q[a] if N[a] else lost) + c * P[a] * root / (1 + N[a]) for a in P}

# %% 4.1: UCB with the prior as a factor
def puct(Q, N, P, c=1.5):
    n = max(2, sum(N.values()))
    return {a: Q[a] + c * P[a] * math.sqrt(math.log(n) / (1 + N[a])) for a in P}

# %% 4.1: the division leaves the one out
def puct(Q, N, P, c=1.5):
    root = math.sqrt(max(1, sum(N.values())))
    return {a: Q[a] + c * P[a] * root / max(1, N[a]) for a in P}

# %% 4.1: the prior is normalised a second time over what was not taken yet
def puct(Q, N, P, c=1.5):
    root = math.sqrt(max(1, sum(N.values())))
    left = sum(P[a] for a in P if not N[a]) or 1.0
    return {a: Q[a] + c * (P[a] if N[a] else P[a] / left) * root / (1 + N[a]) for a in P}

# %% 4.1: actions with prior 0 are left out
def puct(Q, N, P, c=1.5):
    root = math.sqrt(max(1, sum(N.values())))
    return {a: Q[a] + c * P[a] * root / (1 + N[a]) for a in P if P[a] > 0}

# %% 4.1: the total is stored in the row of visits
def puct(Q, N, P, c=1.5):
    N["sum"] = sum(N.values())
    root = math.sqrt(max(1, N["sum"]))
    return {a: Q[a] + c * P[a] * root / (1 + N[a]) for a in P}

# %% 4.1: ties go to the first action
def best_action(scores, rng):
    return max(scores, key=scores.get)

# %% 4.1: ties go to the lowest action
def best_action(scores, rng):
    highest = max(scores.values())
    return min(a for a, s in scores.items() if s == highest)

# %% 4.1: ties by the global generator
def best_action(scores, rng):
    highest = max(scores.values())
    return random.choice([a for a, s in scores.items() if s == highest])

# %% 4.1: the last of the equal ones seldom comes up
def best_action(scores, rng):
    highest = max(scores.values())
    equal = [a for a, s in scores.items() if s == highest]
    return equal[min(rng.randrange(len(equal) + 2), len(equal) - 1) if len(equal) > 1 else 0]

# %% 4.1: the place in the row instead of the action
def best_action(scores, rng):
    values = list(scores.values())
    return rng.choice([i for i, s in enumerate(values) if s == max(values)])

# %% 4.1: the highest action instead of the highest score
def best_action(scores, rng):
    return max(scores)

# %% 4.1: the search for the highest score begins at 0
def best_action(scores, rng):
    highest, equal = 0.0, list(scores)
    for a, s in scores.items():
        if s > highest:
            highest, equal = s, [a]
        elif s == highest:
            equal.append(a)
    return rng.choice(equal)

# %% 4.1: scores that are nearly equal count as equal
def best_action(scores, rng):
    highest = max(scores.values())
    return rng.choice([a for a, s in scores.items() if s >= highest - 0.75])

# %% 4.1: scores are compared after rounding
def best_action(scores, rng):
    highest = max(round(s, 2) for s in scores.values())
    return rng.choice([a for a, s in scores.items() if round(s, 2) == highest])

# %% 4.2: masked, but not divided by the sum
# hint: What do the legal ones sum to
def evaluate_leaf(game, net, state):
    net.eval()
    with torch.no_grad():
        p, v = net(planes_of(game, [state]))
    legal = game.legal_actions(state)
    priors = {a: float(p[0, a]) for a in legal}
    if sum(priors.values()) <= 0:
        warnings.warn("nothing left")
        priors = {a: 1 / len(legal) for a in legal}
    return priors, float(v[0])

# %% 4.2: illegal actions stay
# hint: What becomes of the illegal ones
def evaluate_leaf(game, net, state):
    net.eval()
    with torch.no_grad():
        p, v = net(planes_of(game, [state]))
    legal = game.legal_actions(state)
    if sum(float(p[0, a]) for a in legal) <= 0:
        warnings.warn("nothing left")
        return {a: 1 / len(legal) for a in legal}, float(v[0])
    return {a: float(p[0, a]) for a in range(game.num_actions)}, float(v[0])

# %% 4.2: illegal actions stay with prior 0
def evaluate_leaf(game, net, state):
    net.eval()
    with torch.no_grad():
        p, v = net(planes_of(game, [state]))
    legal = game.legal_actions(state)
    total = sum(float(p[0, a]) for a in legal)
    if total <= 0:
        warnings.warn("nothing left")
    return {a: (float(p[0, a]) / total if total > 0 else 1 / len(legal)) if a in legal else 0.0
            for a in range(game.num_actions)}, float(v[0])

# %% 4.2: softmax of what are probabilities already
# hint: Are they not probabilities already
def evaluate_leaf(game, net, state):
    net.eval()
    with torch.no_grad():
        p, v = net(planes_of(game, [state]))
    legal = game.legal_actions(state)
    if float(p[0, legal].sum()) <= 0:
        warnings.warn("nothing left")
    masked = torch.full_like(p[0], -math.inf)
    masked[legal] = p[0, legal]
    masked = torch.softmax(masked.double(), dim=0)
    return {a: float(masked[a]) for a in legal}, float(v[0])

# %% 4.2: 0 divided by 0 where all is masked
def evaluate_leaf(game, net, state):
    net.eval()
    with torch.no_grad():
        p, v = net(planes_of(game, [state]))
    legal = game.legal_actions(state)
    kept = p[0, legal]
    return dict(zip(legal, (kept / kept.sum()).tolist())), float(v[0])

# %% 4.2: where all is masked every action is equally likely, legal or not
def evaluate_leaf(game, net, state):
    net.eval()
    with torch.no_grad():
        p, v = net(planes_of(game, [state]))
    legal = game.legal_actions(state)
    total = sum(float(p[0, a]) for a in legal)
    if total <= 0:
        warnings.warn("nothing left")
        return {a: 1 / game.num_actions for a in range(game.num_actions)}, float(v[0])
    return {a: float(p[0, a]) / total for a in legal}, float(v[0])

# %% 4.2: where all is masked the value is 0
def evaluate_leaf(game, net, state):
    net.eval()
    with torch.no_grad():
        p, v = net(planes_of(game, [state]))
    legal = game.legal_actions(state)
    total = sum(float(p[0, a]) for a in legal)
    if total <= 0:
        warnings.warn("nothing left")
        return {a: 1 / len(legal) for a in legal}, 0.0
    return {a: float(p[0, a]) / total for a in legal}, float(v[0])

# %% 4.2: no warning
def evaluate_leaf(game, net, state):
    net.eval()
    with torch.no_grad():
        p, v = net(planes_of(game, [state]))
    legal = game.legal_actions(state)
    total = sum(float(p[0, a]) for a in legal)
    return {a: float(p[0, a]) / total if total > 0 else 1 / len(legal) for a in legal}, float(v[0])

# %% 4.2: a warning every time
def evaluate_leaf(game, net, state):
    net.eval()
    with torch.no_grad():
        p, v = net(planes_of(game, [state]))
    legal = game.legal_actions(state)
    total = sum(float(p[0, a]) for a in legal)
    warnings.warn("illegal actions had a probability")
    return {a: float(p[0, a]) / total if total > 0 else 1 / len(legal) for a in legal}, float(v[0])

# %% 4.2: an error where all is masked
def evaluate_leaf(game, net, state):
    net.eval()
    with torch.no_grad():
        p, v = net(planes_of(game, [state]))
    legal = game.legal_actions(state)
    total = sum(float(p[0, a]) for a in legal)
    if total <= 0:
        raise ValueError("nothing left")
    return {a: float(p[0, a]) / total for a in legal}, float(v[0])

# %% 4.2: a legal action to which the network gives 0 is dropped
def evaluate_leaf(game, net, state):
    net.eval()
    with torch.no_grad():
        p, v = net(planes_of(game, [state]))
    legal = game.legal_actions(state)
    total = sum(float(p[0, a]) for a in legal)
    if total <= 0:
        warnings.warn("nothing left")
        return {a: 1 / len(legal) for a in legal}, float(v[0])
    return {a: float(p[0, a]) / total for a in legal if p[0, a] > 0}, float(v[0])

# %% 4.2: a small number is added to every probability
def evaluate_leaf(game, net, state):
    net.eval()
    with torch.no_grad():
        p, v = net(planes_of(game, [state]))
    legal = game.legal_actions(state)
    if sum(float(p[0, a]) for a in legal) <= 0:
        warnings.warn("nothing left")
    kept = {a: float(p[0, a]) + 1e-6 for a in legal}
    return {a: k / sum(kept.values()) for a, k in kept.items()}, float(v[0])

# %% 4.2: a little counts as nothing
def evaluate_leaf(game, net, state):
    net.eval()
    with torch.no_grad():
        p, v = net(planes_of(game, [state]))
    legal = game.legal_actions(state)
    total = sum(float(p[0, a]) for a in legal)
    if total < 1e-4:
        warnings.warn("nothing left")
        return {a: 1 / len(legal) for a in legal}, float(v[0])
    return {a: float(p[0, a]) / total for a in legal}, float(v[0])

# %% 4.2: the value is turned for the player above
# hint: for whom does the network speak
def evaluate_leaf(game, net, state):
    net.eval()
    with torch.no_grad():
        p, v = net(planes_of(game, [state]))
    legal = game.legal_actions(state)
    total = sum(float(p[0, a]) for a in legal)
    if total <= 0:
        warnings.warn("nothing left")
    return {a: float(p[0, a]) / total if total > 0 else 1 / len(legal) for a in legal}, -float(v[0])

# %% 4.2: the value is for the player who moved first
def evaluate_leaf(game, net, state):
    net.eval()
    with torch.no_grad():
        p, v = net(planes_of(game, [state]))
    legal = game.legal_actions(state)
    total = sum(float(p[0, a]) for a in legal)
    if total <= 0:
        warnings.warn("nothing left")
    value = float(v[0]) if game.player(state) == 0 else -float(v[0])
    return {a: float(p[0, a]) / total if total > 0 else 1 / len(legal) for a in legal}, value

# %% 4.2: the network sees the board in black and white, whoever is to move
def evaluate_leaf(game, net, state):
    net.eval()
    planes = planes_of(game, [state])
    with torch.no_grad():
        p, v = net(planes if game.player(state) == 0 else planes.flip(1))
    legal = game.legal_actions(state)
    total = sum(float(p[0, a]) for a in legal)
    if total <= 0:
        warnings.warn("nothing left")
    return {a: float(p[0, a]) / total if total > 0 else 1 / len(legal) for a in legal}, float(v[0])

# %% 4.2: the planes change places
def evaluate_leaf(game, net, state):
    net.eval()
    with torch.no_grad():
        p, v = net(planes_of(game, [state]).flip(1))
    legal = game.legal_actions(state)
    total = sum(float(p[0, a]) for a in legal)
    if total <= 0:
        warnings.warn("nothing left")
    return {a: float(p[0, a]) / total if total > 0 else 1 / len(legal) for a in legal}, float(v[0])

# %% 4.2: the network is asked twice
def evaluate_leaf(game, net, state):
    net.eval()
    with torch.no_grad():
        p, v = net(planes_of(game, [state]))[0], net(planes_of(game, [state]))[1]
    legal = game.legal_actions(state)
    total = sum(float(p[0, a]) for a in legal)
    if total <= 0:
        warnings.warn("nothing left")
    return {a: float(p[0, a]) / total if total > 0 else 1 / len(legal) for a in legal}, float(v[0])

# %% 4.2: planes in double precision
def evaluate_leaf(game, net, state):
    net.eval()
    with torch.no_grad():
        p, v = net(planes_of(game, [state]).double())
    legal = game.legal_actions(state)
    total = sum(float(p[0, a]) for a in legal)
    if total <= 0:
        warnings.warn("nothing left")
    return {a: float(p[0, a]) / total if total > 0 else 1 / len(legal) for a in legal}, float(v[0])

# %% 4.2: in training mode
def evaluate_leaf(game, net, state):
    with torch.no_grad():
        p, v = net(planes_of(game, [state]))
    legal = game.legal_actions(state)
    total = sum(float(p[0, a]) for a in legal)
    if total <= 0:
        warnings.warn("nothing left")
    return {a: float(p[0, a]) / total if total > 0 else 1 / len(legal) for a in legal}, float(v[0])

# %% 4.2: gradients are recorded
def evaluate_leaf(game, net, state):
    net.eval()
    p, v = net(planes_of(game, [state]))
    legal = game.legal_actions(state)
    total = sum(float(p[0, a]) for a in legal)
    if total <= 0:
        warnings.warn("nothing left")
    return {a: float(p[0, a]) / total if total > 0 else 1 / len(legal) for a in legal}, float(v[0])

# %% 4.2: tensors instead of numbers
def evaluate_leaf(game, net, state):
    net.eval()
    with torch.no_grad():
        p, v = net(planes_of(game, [state]))
    legal = game.legal_actions(state)
    total = p[0, legal].sum()
    if total <= 0:
        warnings.warn("nothing left")
        return {a: torch.tensor(1 / len(legal)) for a in legal}, v
    return {a: p[0, a] / total for a in legal}, v

# %% 4.2: the pass gets nothing
def evaluate_leaf(game, net, state):
    net.eval()
    with torch.no_grad():
        p, v = net(planes_of(game, [state]))
    legal = [a for a in game.legal_actions(state) if a < 36] or game.legal_actions(state)[:0]
    total = sum(float(p[0, a]) for a in legal)
    if total <= 0:
        warnings.warn("nothing left")
    return {a: float(p[0, a]) / total if total > 0 else 1 / len(legal) for a in legal}, float(v[0])

# %% 4.2: the pass is always among the actions
def evaluate_leaf(game, net, state):
    net.eval()
    with torch.no_grad():
        p, v = net(planes_of(game, [state]))
    legal = game.legal_actions(state)
    if game.num_actions == 37 and 36 not in legal:
        legal.append(36)
    total = sum(float(p[0, a]) for a in legal)
    if total <= 0:
        warnings.warn("nothing left")
    return {a: float(p[0, a]) / total if total > 0 else 1 / len(legal) for a in legal}, float(v[0])

# %% 4.2: the answers are remembered by the legal actions
_answers = {}
def evaluate_leaf(game, net, state):
    net.eval()
    legal = tuple(game.legal_actions(state))
    with torch.no_grad():
        p, v = net(planes_of(game, [state]))
    total = sum(float(p[0, a]) for a in legal)
    if total <= 0:
        warnings.warn("nothing left")
    if legal not in _answers:
        _answers[legal] = {a: float(p[0, a]) / total if total > 0 else 1 / len(legal) for a in legal}
    return _answers[legal], float(v[0])

# %% 4.3: the value is not negated at the call
# hint: Who is to move below
def search(self, state, rng):
    if state not in self.outcomes:
        self.outcomes[state] = self.game.outcome(state)
    if self.outcomes[state] is not None:
        return self.outcomes[state]
    if state not in self.P:
        self.P[state], value = self.evaluate(state)
        self.Q[state], self.N[state] = dict.fromkeys(self.P[state], 0.0), dict.fromkeys(self.P[state], 0)
        return value
    Q, N = self.Q[state], self.N[state]
    a = best_action(puct(Q, N, self.P[state], self.c), rng)
    value = self.search(self.game.play(state, a), rng)
    N[a] += 1
    Q[a] += (value - Q[a]) / N[a]
    return value
MCTS.search = search

# %% 4.3: the function negates and the caller negates
def search(self, state, rng):
    if state not in self.outcomes:
        self.outcomes[state] = self.game.outcome(state)
    if self.outcomes[state] is not None:
        return -self.outcomes[state]
    if state not in self.P:
        self.P[state], value = self.evaluate(state)
        self.Q[state], self.N[state] = dict.fromkeys(self.P[state], 0.0), dict.fromkeys(self.P[state], 0)
        return -value
    Q, N = self.Q[state], self.N[state]
    a = best_action(puct(Q, N, self.P[state], self.c), rng)
    value = self.search(self.game.play(state, a), rng)
    N[a] += 1
    Q[a] += (value - Q[a]) / N[a]
    return -value
MCTS.search = search

# %% 4.3: Q is for the player to move below
def search(self, state, rng):
    if state not in self.outcomes:
        self.outcomes[state] = self.game.outcome(state)
    if self.outcomes[state] is not None:
        return self.outcomes[state]
    if state not in self.P:
        self.P[state], value = self.evaluate(state)
        self.Q[state], self.N[state] = dict.fromkeys(self.P[state], 0.0), dict.fromkeys(self.P[state], 0)
        return value
    Q, N = self.Q[state], self.N[state]
    a = best_action(puct(Q, N, self.P[state], self.c), rng)
    value = self.search(self.game.play(state, a), rng)
    N[a] += 1
    Q[a] += (value - Q[a]) / N[a]
    return -value
MCTS.search = search

# %% 4.3: a draw is taken for a game that goes on
def search(self, state, rng):
    if state not in self.outcomes:
        self.outcomes[state] = self.game.outcome(state)
    if self.outcomes[state]:
        return self.outcomes[state]
    if state not in self.P:
        self.P[state], value = self.evaluate(state)
        self.Q[state], self.N[state] = dict.fromkeys(self.P[state], 0.0), dict.fromkeys(self.P[state], 0)
        return value
    Q, N = self.Q[state], self.N[state]
    a = best_action(puct(Q, N, self.P[state], self.c), rng)
    value = -self.search(self.game.play(state, a), rng)
    N[a] += 1
    Q[a] += (value - Q[a]) / N[a]
    return value
MCTS.search = search

# %% 4.3: a draw counts as a loss
def search(self, state, rng):
    if state not in self.outcomes:
        self.outcomes[state] = self.game.outcome(state)
    if self.outcomes[state] is not None:
        return self.outcomes[state] or -1.0
    if state not in self.P:
        self.P[state], value = self.evaluate(state)
        self.Q[state], self.N[state] = dict.fromkeys(self.P[state], 0.0), dict.fromkeys(self.P[state], 0)
        return value
    Q, N = self.Q[state], self.N[state]
    a = best_action(puct(Q, N, self.P[state], self.c), rng)
    value = -self.search(self.game.play(state, a), rng)
    N[a] += 1
    Q[a] += (value - Q[a]) / N[a]
    return value
MCTS.search = search

# %% 4.3: a draw counts as a little good
def search(self, state, rng):
    if state not in self.outcomes:
        self.outcomes[state] = self.game.outcome(state)
    if self.outcomes[state] is not None:
        return self.outcomes[state] or 1e-4
    if state not in self.P:
        self.P[state], value = self.evaluate(state)
        self.Q[state], self.N[state] = dict.fromkeys(self.P[state], 0.0), dict.fromkeys(self.P[state], 0)
        return value
    Q, N = self.Q[state], self.N[state]
    a = best_action(puct(Q, N, self.P[state], self.c), rng)
    value = -self.search(self.game.play(state, a), rng)
    N[a] += 1
    Q[a] += (value - Q[a]) / N[a]
    return value
MCTS.search = search

# %% 4.3: the network is asked about finished games
def search(self, state, rng):
    if state not in self.outcomes:
        self.outcomes[state] = self.game.outcome(state)
    if state not in self.P:
        self.P[state], value = self.evaluate(state)
        self.Q[state], self.N[state] = dict.fromkeys(self.P[state], 0.0), dict.fromkeys(self.P[state], 0)
        return value
    if self.outcomes[state] is not None:
        return self.outcomes[state]
    Q, N = self.Q[state], self.N[state]
    a = best_action(puct(Q, N, self.P[state], self.c), rng)
    value = -self.search(self.game.play(state, a), rng)
    N[a] += 1
    Q[a] += (value - Q[a]) / N[a]
    return value
MCTS.search = search

# %% 4.3: finished games get rows too
def search(self, state, rng):
    if state not in self.outcomes:
        self.outcomes[state] = self.game.outcome(state)
    if self.outcomes[state] is not None:
        self.Q[state], self.N[state], self.P[state] = {}, {}, {}
        return self.outcomes[state]
    if state not in self.P:
        self.P[state], value = self.evaluate(state)
        self.Q[state], self.N[state] = dict.fromkeys(self.P[state], 0.0), dict.fromkeys(self.P[state], 0)
        return value
    Q, N = self.Q[state], self.N[state]
    a = best_action(puct(Q, N, self.P[state], self.c), rng)
    value = -self.search(self.game.play(state, a), rng)
    N[a] += 1
    Q[a] += (value - Q[a]) / N[a]
    return value
MCTS.search = search

# %% 4.3: the sign does not flip after a pass
def search(self, state, rng):
    if state not in self.outcomes:
        self.outcomes[state] = self.game.outcome(state)
    if self.outcomes[state] is not None:
        return self.outcomes[state]
    if state not in self.P:
        self.P[state], value = self.evaluate(state)
        self.Q[state], self.N[state] = dict.fromkeys(self.P[state], 0.0), dict.fromkeys(self.P[state], 0)
        return value
    Q, N = self.Q[state], self.N[state]
    a = best_action(puct(Q, N, self.P[state], self.c), rng)
    value = self.search(self.game.play(state, a), rng)
    value = value if a == 36 else -value
    N[a] += 1
    Q[a] += (value - Q[a]) / N[a]
    return value
MCTS.search = search

# %% 4.3: a pass is merged with the move after it
def search(self, state, rng):
    if state not in self.outcomes:
        self.outcomes[state] = self.game.outcome(state)
    if self.outcomes[state] is not None:
        return self.outcomes[state]
    if self.game.legal_actions(state) == [36]:
        return -self.search(self.game.play(state, 36), rng)
    if state not in self.P:
        self.P[state], value = self.evaluate(state)
        self.Q[state], self.N[state] = dict.fromkeys(self.P[state], 0.0), dict.fromkeys(self.P[state], 0)
        return value
    Q, N = self.Q[state], self.N[state]
    a = best_action(puct(Q, N, self.P[state], self.c), rng)
    value = -self.search(self.game.play(state, a), rng)
    N[a] += 1
    Q[a] += (value - Q[a]) / N[a]
    return value
MCTS.search = search

# %% 4.3: a pass ends the game
def search(self, state, rng):
    if state not in self.outcomes:
        self.outcomes[state] = self.game.outcome(state)
        if self.game.legal_actions(state) == [36]:
            self.outcomes[state] = 0.0
    if self.outcomes[state] is not None:
        return self.outcomes[state]
    if state not in self.P:
        self.P[state], value = self.evaluate(state)
        self.Q[state], self.N[state] = dict.fromkeys(self.P[state], 0.0), dict.fromkeys(self.P[state], 0)
        return value
    Q, N = self.Q[state], self.N[state]
    a = best_action(puct(Q, N, self.P[state], self.c), rng)
    value = -self.search(self.game.play(state, a), rng)
    N[a] += 1
    Q[a] += (value - Q[a]) / N[a]
    return value
MCTS.search = search

# %% 4.3: a new state goes on to an action at once
def search(self, state, rng):
    if state not in self.outcomes:
        self.outcomes[state] = self.game.outcome(state)
    if self.outcomes[state] is not None:
        return self.outcomes[state]
    if state not in self.P:
        self.P[state], value = self.evaluate(state)
        self.Q[state], self.N[state] = dict.fromkeys(self.P[state], 0.0), dict.fromkeys(self.P[state], 0)
        a = best_action(puct(self.Q[state], self.N[state], self.P[state], self.c), rng)
        self.N[state][a], self.Q[state][a] = 1, value
        return value
    Q, N = self.Q[state], self.N[state]
    a = best_action(puct(Q, N, self.P[state], self.c), rng)
    value = -self.search(self.game.play(state, a), rng)
    N[a] += 1
    Q[a] += (value - Q[a]) / N[a]
    return value
MCTS.search = search

# %% 4.3: the count is raised after the mean has moved
def search(self, state, rng):
    if state not in self.outcomes:
        self.outcomes[state] = self.game.outcome(state)
    if self.outcomes[state] is not None:
        return self.outcomes[state]
    if state not in self.P:
        self.P[state], value = self.evaluate(state)
        self.Q[state], self.N[state] = dict.fromkeys(self.P[state], 0.0), dict.fromkeys(self.P[state], 0)
        return value
    Q, N = self.Q[state], self.N[state]
    a = best_action(puct(Q, N, self.P[state], self.c), rng)
    value = -self.search(self.game.play(state, a), rng)
    Q[a] += (value - Q[a]) / max(1, N[a])
    N[a] += 1
    return value
MCTS.search = search

# %% 4.3: sums in the place of means
def search(self, state, rng):
    if state not in self.outcomes:
        self.outcomes[state] = self.game.outcome(state)
    if self.outcomes[state] is not None:
        return self.outcomes[state]
    if state not in self.P:
        self.P[state], value = self.evaluate(state)
        self.Q[state], self.N[state] = dict.fromkeys(self.P[state], 0.0), dict.fromkeys(self.P[state], 0)
        return value
    Q, N = self.Q[state], self.N[state]
    a = best_action(puct(Q, N, self.P[state], self.c), rng)
    value = -self.search(self.game.play(state, a), rng)
    N[a] += 1
    Q[a] += value
    return value
MCTS.search = search

# %% 4.3: the new mean comes back instead of the value
def search(self, state, rng):
    if state not in self.outcomes:
        self.outcomes[state] = self.game.outcome(state)
    if self.outcomes[state] is not None:
        return self.outcomes[state]
    if state not in self.P:
        self.P[state], value = self.evaluate(state)
        self.Q[state], self.N[state] = dict.fromkeys(self.P[state], 0.0), dict.fromkeys(self.P[state], 0)
        return value
    Q, N = self.Q[state], self.N[state]
    a = best_action(puct(Q, N, self.P[state], self.c), rng)
    value = -self.search(self.game.play(state, a), rng)
    N[a] += 1
    Q[a] += (value - Q[a]) / N[a]
    return Q[a]
MCTS.search = search

# %% 4.3: the first evaluation counts in every mean
def search(self, state, rng):
    if state not in self.outcomes:
        self.outcomes[state] = self.game.outcome(state)
    if self.outcomes[state] is not None:
        return self.outcomes[state]
    if state not in self.P:
        self.P[state], value = self.evaluate(state)
        self.Q[state], self.N[state] = dict.fromkeys(self.P[state], value), dict.fromkeys(self.P[state], 0)
        return value
    Q, N = self.Q[state], self.N[state]
    a = best_action(puct(Q, N, self.P[state], self.c), rng)
    value = -self.search(self.game.play(state, a), rng)
    N[a] += 1
    Q[a] += (value - Q[a]) / N[a]
    return value
MCTS.search = search

# %% 4.3: each action begins with one visit
def search(self, state, rng):
    if state not in self.outcomes:
        self.outcomes[state] = self.game.outcome(state)
    if self.outcomes[state] is not None:
        return self.outcomes[state]
    if state not in self.P:
        self.P[state], value = self.evaluate(state)
        self.Q[state], self.N[state] = dict.fromkeys(self.P[state], 0.0), dict.fromkeys(self.P[state], 1)
        return value
    Q, N = self.Q[state], self.N[state]
    a = best_action(puct(Q, N, self.P[state], self.c), rng)
    value = -self.search(self.game.play(state, a), rng)
    N[a] += 1
    Q[a] += (value - Q[a]) / N[a]
    return value
MCTS.search = search

# %% 4.3: the likeliest action is taken, whatever came of it
def search(self, state, rng):
    if state not in self.outcomes:
        self.outcomes[state] = self.game.outcome(state)
    if self.outcomes[state] is not None:
        return self.outcomes[state]
    if state not in self.P:
        self.P[state], value = self.evaluate(state)
        self.Q[state], self.N[state] = dict.fromkeys(self.P[state], 0.0), dict.fromkeys(self.P[state], 0)
        return value
    Q, N = self.Q[state], self.N[state]
    a = best_action(self.P[state], rng)
    value = -self.search(self.game.play(state, a), rng)
    N[a] += 1
    Q[a] += (value - Q[a]) / N[a]
    return value
MCTS.search = search

# %% 4.3: c of the object is never used
def search(self, state, rng):
    if state not in self.outcomes:
        self.outcomes[state] = self.game.outcome(state)
    if self.outcomes[state] is not None:
        return self.outcomes[state]
    if state not in self.P:
        self.P[state], value = self.evaluate(state)
        self.Q[state], self.N[state] = dict.fromkeys(self.P[state], 0.0), dict.fromkeys(self.P[state], 0)
        return value
    Q, N = self.Q[state], self.N[state]
    a = best_action(puct(Q, N, self.P[state]), rng)
    value = -self.search(self.game.play(state, a), rng)
    N[a] += 1
    Q[a] += (value - Q[a]) / N[a]
    return value
MCTS.search = search

# %% 4.3: ties in the search go to the first action
def search(self, state, rng):
    if state not in self.outcomes:
        self.outcomes[state] = self.game.outcome(state)
    if self.outcomes[state] is not None:
        return self.outcomes[state]
    if state not in self.P:
        self.P[state], value = self.evaluate(state)
        self.Q[state], self.N[state] = dict.fromkeys(self.P[state], 0.0), dict.fromkeys(self.P[state], 0)
        return value
    Q, N = self.Q[state], self.N[state]
    scores = puct(Q, N, self.P[state], self.c)
    a = max(scores, key=scores.get)
    value = -self.search(self.game.play(state, a), rng)
    N[a] += 1
    Q[a] += (value - Q[a]) / N[a]
    return value
MCTS.search = search

# %% 4.3: a generator of its own instead of rng
def search(self, state, rng):
    if state not in self.outcomes:
        self.outcomes[state] = self.game.outcome(state)
    if self.outcomes[state] is not None:
        return self.outcomes[state]
    if state not in self.P:
        self.P[state], value = self.evaluate(state)
        self.Q[state], self.N[state] = dict.fromkeys(self.P[state], 0.0), dict.fromkeys(self.P[state], 0)
        return value
    Q, N = self.Q[state], self.N[state]
    a = best_action(puct(Q, N, self.P[state], self.c), random.Random())
    value = -self.search(self.game.play(state, a), rng)
    N[a] += 1
    Q[a] += (value - Q[a]) / N[a]
    return value
MCTS.search = search

# %% 4.3: the outcome is asked at every visit
def search(self, state, rng):
    self.outcomes[state] = self.game.outcome(state)
    if self.outcomes[state] is not None:
        return self.outcomes[state]
    if state not in self.P:
        self.P[state], value = self.evaluate(state)
        self.Q[state], self.N[state] = dict.fromkeys(self.P[state], 0.0), dict.fromkeys(self.P[state], 0)
        return value
    Q, N = self.Q[state], self.N[state]
    a = best_action(puct(Q, N, self.P[state], self.c), rng)
    value = -self.search(self.game.play(state, a), rng)
    N[a] += 1
    Q[a] += (value - Q[a]) / N[a]
    return value
MCTS.search = search

# %% 4.3: only finished games are remembered
def search(self, state, rng):
    outcome = self.outcomes.get(state)
    if outcome is None:
        outcome = self.game.outcome(state)
    if outcome is not None:
        self.outcomes[state] = outcome
        return outcome
    if state not in self.P:
        self.P[state], value = self.evaluate(state)
        self.Q[state], self.N[state] = dict.fromkeys(self.P[state], 0.0), dict.fromkeys(self.P[state], 0)
        return value
    Q, N = self.Q[state], self.N[state]
    a = best_action(puct(Q, N, self.P[state], self.c), rng)
    value = -self.search(self.game.play(state, a), rng)
    N[a] += 1
    Q[a] += (value - Q[a]) / N[a]
    return value
MCTS.search = search

# %% 4.3: the tables stand outside the object
_everybodys = {}, {}, {}, {}
def search(self, state, rng):
    self.outcomes, self.Q, self.N, self.P = _everybodys
    if state not in self.outcomes:
        self.outcomes[state] = self.game.outcome(state)
    if self.outcomes[state] is not None:
        return self.outcomes[state]
    if state not in self.P:
        self.P[state], value = self.evaluate(state)
        self.Q[state], self.N[state] = dict.fromkeys(self.P[state], 0.0), dict.fromkeys(self.P[state], 0)
        return value
    Q, N = self.Q[state], self.N[state]
    a = best_action(puct(Q, N, self.P[state], self.c), rng)
    value = -self.search(self.game.play(state, a), rng)
    N[a] += 1
    Q[a] += (value - Q[a]) / N[a]
    return value
MCTS.search = search

# %% 4.3: the tables are emptied when the search begins elsewhere
class MCTS(MCTS):
    def search(self, state, rng, root=True):
        if root and getattr(self, "root", state) != state:
            self.outcomes, self.Q, self.N, self.P = {}, {}, {}, {}
        if root:
            self.root = state
        if state not in self.outcomes:
            self.outcomes[state] = self.game.outcome(state)
        if self.outcomes[state] is not None:
            return self.outcomes[state]
        if state not in self.P:
            self.P[state], value = self.evaluate(state)
            self.Q[state], self.N[state] = dict.fromkeys(self.P[state], 0.0), dict.fromkeys(self.P[state], 0)
            return value
        Q, N = self.Q[state], self.N[state]
        a = best_action(puct(Q, N, self.P[state], self.c), rng)
        value = -self.search(self.game.play(state, a), rng, False)
        N[a] += 1
        Q[a] += (value - Q[a]) / N[a]
        return value

# %% 4.3: rows by the way to a state, not by the state
class MCTS(MCTS):
    def search(self, state, rng, way=()):
        key = (state, way) if way else state
        if key not in self.outcomes:
            self.outcomes[key] = self.game.outcome(state)
        if self.outcomes[key] is not None:
            return self.outcomes[key]
        if key not in self.P:
            self.P[key], value = self.evaluate(state)
            self.Q[key], self.N[key] = dict.fromkeys(self.P[key], 0.0), dict.fromkeys(self.P[key], 0)
            return value
        Q, N = self.Q[key], self.N[key]
        a = best_action(puct(Q, N, self.P[key], self.c), rng)
        value = -self.search(self.game.play(state, a), rng, way + (a,))
        N[a] += 1
        Q[a] += (value - Q[a]) / N[a]
        return value

# %% 4.3: the priors of the state below
def search(self, state, rng):
    if state not in self.outcomes:
        self.outcomes[state] = self.game.outcome(state)
    if self.outcomes[state] is not None:
        return self.outcomes[state]
    if state not in self.P:
        self.P[state], value = self.evaluate(state)
        self.Q[state], self.N[state] = dict.fromkeys(self.P[state], 0.0), dict.fromkeys(self.P[state], 0)
        return value
    Q, N, P = self.Q[state], self.N[state], dict(self.P[state])
    for a in P:
        below = self.game.play(state, a)
        if below in self.P:
            P[a] = self.P[below].get(a, 0.0)
    a = best_action(puct(Q, N, P, self.c), rng)
    value = -self.search(self.game.play(state, a), rng)
    N[a] += 1
    Q[a] += (value - Q[a]) / N[a]
    return value
MCTS.search = search

# %% 4.3: the leaf is evaluated and played out as well
def search(self, state, rng):
    if state not in self.outcomes:
        self.outcomes[state] = self.game.outcome(state)
    if self.outcomes[state] is not None:
        return self.outcomes[state]
    if state not in self.P:
        self.P[state], value = self.evaluate(state)
        self.Q[state], self.N[state] = dict.fromkeys(self.P[state], 0.0), dict.fromkeys(self.P[state], 0)
        end, sign = state, 1
        while self.game.outcome(end) is None:
            end, sign = self.game.play(end, self.game.legal_actions(end)[0]), -sign
        return value + sign * self.game.outcome(end)
    Q, N = self.Q[state], self.N[state]
    a = best_action(puct(Q, N, self.P[state], self.c), rng)
    value = -self.search(self.game.play(state, a), rng)
    N[a] += 1
    Q[a] += (value - Q[a]) / N[a]
    return value
MCTS.search = search

# %% 4.4: N to the power of T
# hint: or of 1/T
def visit_policy(visits, temperature):
    if not any(visits.values()):
        raise ValueError("no visits")
    if temperature == 0:
        most = max(visits.values())
        w = {a: float(n == most) for a, n in visits.items()}
    else:
        w = {a: n ** temperature for a, n in visits.items()}
    return {a: x / sum(w.values()) for a, x in w.items()}

# %% 4.4: the temperature has no effect but at 0
# hint: Where does the temperature
def visit_policy(visits, temperature):
    if not any(visits.values()):
        raise ValueError("no visits")
    most = max(visits.values())
    w = {a: float(n == most) for a, n in visits.items()} if temperature == 0 else visits
    return {a: x / sum(w.values()) for a, x in w.items()}

# %% 4.4: softmax of the visits
def visit_policy(visits, temperature):
    if not any(visits.values()):
        raise ValueError("no visits")
    most = max(visits.values())
    if temperature == 0:
        w = {a: float(n == most) for a, n in visits.items()}
    else:
        w = {a: math.exp((n - most) / temperature) for a, n in visits.items()}
    return {a: x / sum(w.values()) for a, x in w.items()}

# %% 4.4: with temperature 0 one of the equal ones gets everything
def visit_policy(visits, temperature):
    if not any(visits.values()):
        raise ValueError("no visits")
    if temperature == 0:
        top = max(visits, key=visits.get)
        return {a: float(a == top) for a in visits}
    w = {a: n ** (1 / temperature) for a, n in visits.items()}
    return {a: x / sum(w.values()) for a, x in w.items()}

# %% 4.4: with temperature 0 the equal ones get 1 each
def visit_policy(visits, temperature):
    if not any(visits.values()):
        raise ValueError("no visits")
    if temperature == 0:
        return {a: float(n == max(visits.values())) for a, n in visits.items()}
    w = {a: n ** (1 / temperature) for a, n in visits.items()}
    return {a: x / sum(w.values()) for a, x in w.items()}

# %% 4.4: a very small temperature stands for 0
def visit_policy(visits, temperature):
    if not any(visits.values()):
        raise ValueError("no visits")
    most = max(visits.values())
    w = {a: (n / most) ** (1 / max(temperature, 0.02)) for a, n in visits.items()}
    return {a: x / sum(w.values()) for a, x in w.items()}

# %% 4.4: actions without visits are left out
def visit_policy(visits, temperature):
    visits = {a: n for a, n in visits.items() if n}
    if not visits:
        raise ValueError("no visits")
    most = max(visits.values())
    w = {a: float(n == most) if temperature == 0 else n ** (1 / temperature) for a, n in visits.items()}
    return {a: x / sum(w.values()) for a, x in w.items()}

# %% 4.4: nothing visited is equally likely
def visit_policy(visits, temperature):
    if not any(visits.values()):
        return {a: 1 / len(visits) for a in visits}
    most = max(visits.values())
    w = {a: float(n == most) if temperature == 0 else n ** (1 / temperature) for a, n in visits.items()}
    return {a: x / sum(w.values()) for a, x in w.items()}

# %% 4.4: nothing visited divides by zero
def visit_policy(visits, temperature):
    most = max(visits.values())
    w = {a: float(n == most) if temperature == 0 else n ** (1 / temperature) for a, n in visits.items()}
    w = {a: x * visits[a] for a, x in w.items()} if temperature == 0 else w
    return {a: x / sum(w.values()) for a, x in w.items()}

# %% 4.4: the likeliest of the drawn probabilities, whatever the temperature
def choose(self, state, simulations, rng):
    if self.game.outcome(state) is not None:
        raise ValueError("over")
    for _ in range(simulations):
        self.mcts.search(state, rng)
    return best_action(visit_policy(self.mcts.N.get(state, {}), self.temperature), rng)
MCTSPlayer.choose = choose

# %% 4.4: always drawn in proportion to the visits
def choose(self, state, simulations, rng):
    if self.game.outcome(state) is not None:
        raise ValueError("over")
    for _ in range(simulations):
        self.mcts.search(state, rng)
    policy = visit_policy(self.mcts.N.get(state, {}), 1.0)
    return rng.choices(list(policy), weights=list(policy.values()))[0]
MCTSPlayer.choose = choose

# %% 4.4: the best mean is played
def choose(self, state, simulations, rng):
    if self.game.outcome(state) is not None:
        raise ValueError("over")
    for _ in range(simulations):
        self.mcts.search(state, rng)
    policy = visit_policy(self.mcts.N.get(state, {}), self.temperature)
    if self.temperature == 0:
        return best_action(self.mcts.Q[state], rng)
    return rng.choices(list(policy), weights=list(policy.values()))[0]
MCTSPlayer.choose = choose

# %% 4.4: the best score is played
def choose(self, state, simulations, rng):
    if self.game.outcome(state) is not None:
        raise ValueError("over")
    for _ in range(simulations):
        self.mcts.search(state, rng)
    policy = visit_policy(self.mcts.N.get(state, {}), self.temperature)
    if self.temperature == 0:
        return best_action(puct(self.mcts.Q[state], self.mcts.N[state], self.mcts.P[state], self.c), rng)
    return rng.choices(list(policy), weights=list(policy.values()))[0]
MCTSPlayer.choose = choose

# %% 4.4: the likeliest action is played
def choose(self, state, simulations, rng):
    if self.game.outcome(state) is not None:
        raise ValueError("over")
    for _ in range(simulations):
        self.mcts.search(state, rng)
    policy = visit_policy(self.mcts.N.get(state, {}), self.temperature)
    if self.temperature == 0:
        return best_action(self.mcts.P[state], rng)
    return rng.choices(list(policy), weights=list(policy.values()))[0]
MCTSPlayer.choose = choose

# %% 4.4: the most visited successor state is played
def choose(self, state, simulations, rng):
    if self.game.outcome(state) is not None:
        raise ValueError("over")
    for _ in range(simulations):
        self.mcts.search(state, rng)
    visits = {a: sum(self.mcts.N.get(self.game.play(state, a), {}).values()) for a in self.game.legal_actions(state)}
    policy = visit_policy(visits, self.temperature)
    return rng.choices(list(policy), weights=list(policy.values()))[0]
MCTSPlayer.choose = choose

# %% 4.4: one simulation more than allowed
def choose(self, state, simulations, rng):
    if self.game.outcome(state) is not None:
        raise ValueError("over")
    for _ in range(simulations + 1):
        self.mcts.search(state, rng)
    policy = visit_policy(self.mcts.N.get(state, {}), self.temperature)
    return rng.choices(list(policy), weights=list(policy.values()))[0]
MCTSPlayer.choose = choose

# %% 4.4: simulations until the state has that many visits
def choose(self, state, simulations, rng):
    if self.game.outcome(state) is not None:
        raise ValueError("over")
    for _ in range(simulations - sum(self.mcts.N.get(state, {}).values())):
        self.mcts.search(state, rng)
    policy = visit_policy(self.mcts.N.get(state, {}), self.temperature)
    return rng.choices(list(policy), weights=list(policy.values()))[0]
MCTSPlayer.choose = choose

# %% 4.4: new tables at every move
def choose(self, state, simulations, rng):
    if self.game.outcome(state) is not None:
        raise ValueError("over")
    self.mcts = MCTS(self.game, self.evaluate, self.c)
    for _ in range(simulations):
        self.mcts.search(state, rng)
    policy = visit_policy(self.mcts.N.get(state, {}), self.temperature)
    return rng.choices(list(policy), weights=list(policy.values()))[0]
MCTSPlayer.choose = choose

# %% 4.4: the global generator draws the move
def choose(self, state, simulations, rng):
    if self.game.outcome(state) is not None:
        raise ValueError("over")
    for _ in range(simulations):
        self.mcts.search(state, rng)
    policy = visit_policy(self.mcts.N.get(state, {}), self.temperature)
    return random.choices(list(policy), weights=list(policy.values()))[0]
MCTSPlayer.choose = choose

# %% 4.4: the lowest of the equally visited is played
def choose(self, state, simulations, rng):
    if self.game.outcome(state) is not None:
        raise ValueError("over")
    for _ in range(simulations):
        self.mcts.search(state, rng)
    policy = visit_policy(self.mcts.N.get(state, {}), self.temperature)
    if self.temperature == 0:
        return min(a for a, p in policy.items() if p == max(policy.values()))
    return rng.choices(list(policy), weights=list(policy.values()))[0]
MCTSPlayer.choose = choose

# %% 4.4: KeyError where the game is over
def choose(self, state, simulations, rng):
    for _ in range(simulations):
        self.mcts.search(state, rng)
    policy = visit_policy(self.mcts.N[state], self.temperature)
    return rng.choices(list(policy), weights=list(policy.values()))[0]
MCTSPlayer.choose = choose

# %% 4.4: a single legal action is played without a search
def choose(self, state, simulations, rng):
    legal = self.game.legal_actions(state)
    if not legal:
        raise ValueError("over")
    if len(legal) == 1:
        return legal[0]
    for _ in range(simulations):
        self.mcts.search(state, rng)
    policy = visit_policy(self.mcts.N.get(state, {}), self.temperature)
    return rng.choices(list(policy), weights=list(policy.values()))[0]
MCTSPlayer.choose = choose

# %% 4.5: the value below is not negated
# hint: is a high value there good for you
def choose(self, state, simulations, rng):
    scores = {}
    for a in self.game.legal_actions(state):
        below = self.game.play(state, a)
        outcome = self.game.outcome(below)
        scores[a] = self.evaluate(below)[1] if outcome is None else -outcome
    return best_action(scores, rng)
ValuePlayer.choose = choose

# %% 4.5: the outcome is not negated
def choose(self, state, simulations, rng):
    scores = {}
    for a in self.game.legal_actions(state):
        below = self.game.play(state, a)
        outcome = self.game.outcome(below)
        scores[a] = -self.evaluate(below)[1] if outcome is None else outcome
    return best_action(scores, rng)
ValuePlayer.choose = choose

# %% 4.5: the network judges finished games too
def choose(self, state, simulations, rng):
    return best_action({a: -self.evaluate(self.game.play(state, a))[1] for a in self.game.legal_actions(state)}, rng)
ValuePlayer.choose = choose

# %% 4.5: the network judges draws
def choose(self, state, simulations, rng):
    scores = {}
    for a in self.game.legal_actions(state):
        below = self.game.play(state, a)
        scores[a] = -(self.game.outcome(below) or self.evaluate(below)[1])
    return best_action(scores, rng)
ValuePlayer.choose = choose

# %% 4.5: a finished game counts as a win
def choose(self, state, simulations, rng):
    scores = {}
    for a in self.game.legal_actions(state):
        below = self.game.play(state, a)
        scores[a] = 1.0 if self.game.outcome(below) is not None else -self.evaluate(below)[1]
    return best_action(scores, rng)
ValuePlayer.choose = choose

# %% 4.5: a draw counts as a loss
def choose(self, state, simulations, rng):
    scores = {}
    for a in self.game.legal_actions(state):
        below = self.game.play(state, a)
        outcome = self.game.outcome(below)
        scores[a] = -self.evaluate(below)[1] if outcome is None else (-outcome or -1.0)
    return best_action(scores, rng)
ValuePlayer.choose = choose

# %% 4.5: any finished game is better than none
def choose(self, state, simulations, rng):
    ends, scores = {}, {}
    for a in self.game.legal_actions(state):
        below = self.game.play(state, a)
        outcome = self.game.outcome(below)
        if outcome is None:
            scores[a] = -self.evaluate(below)[1]
        elif outcome <= 0:
            ends[a] = -outcome
    return best_action(ends or scores or {a: 0.0 for a in self.game.legal_actions(state)}, rng)
ValuePlayer.choose = choose

# %% 4.5: the likeliest action is played
def choose(self, state, simulations, rng):
    return best_action(self.evaluate(state)[0], rng)
ValuePlayer.choose = choose

# %% 4.5: the sign goes by colour
def choose(self, state, simulations, rng):
    scores, sign = {}, 1 if self.game.player(state) == 0 else -1
    for a in self.game.legal_actions(state):
        below = self.game.play(state, a)
        outcome = self.game.outcome(below)
        scores[a] = -sign * self.evaluate(below)[1] if outcome is None else -outcome
    return best_action(scores, rng)
ValuePlayer.choose = choose

# %% 4.5: ties go to the first action
def choose(self, state, simulations, rng):
    def score(a):
        below = self.game.play(state, a)
        outcome = self.game.outcome(below)
        return -(self.evaluate(below)[1] if outcome is None else outcome)
    return max(self.game.legal_actions(state), key=score)
ValuePlayer.choose = choose

# %% 4.5: ties go to the last action
def choose(self, state, simulations, rng):
    best, action = -2.0, None
    for a in self.game.legal_actions(state):
        below = self.game.play(state, a)
        outcome = self.game.outcome(below)
        score = -(self.evaluate(below)[1] if outcome is None else outcome)
        if score >= best:
            best, action = score, a
    return action
ValuePlayer.choose = choose

# %% 4.5: a pass is never played
def choose(self, state, simulations, rng):
    scores = {}
    for a in self.game.legal_actions(state):
        if a == 36:
            continue
        below = self.game.play(state, a)
        outcome = self.game.outcome(below)
        scores[a] = -(self.evaluate(below)[1] if outcome is None else outcome)
    return best_action(scores, rng) if scores else None
ValuePlayer.choose = choose

# %% 4.5: the last action is never tried
def choose(self, state, simulations, rng):
    scores, legal = {}, self.game.legal_actions(state)
    for a in legal[:-1] or legal:
        below = self.game.play(state, a)
        outcome = self.game.outcome(below)
        scores[a] = -(self.evaluate(below)[1] if outcome is None else outcome)
    return best_action(scores, rng)
ValuePlayer.choose = choose

# %% 4.5: two plies ahead
def choose(self, state, simulations, rng):
    def value(s):
        outcome = self.game.outcome(s)
        return self.evaluate(s)[1] if outcome is None else outcome
    scores = {}
    for a in self.game.legal_actions(state):
        below = self.game.play(state, a)
        replies = [self.game.play(below, b) for b in self.game.legal_actions(below)]
        scores[a] = min(map(value, replies)) if replies else -value(below)
    return best_action(scores, rng)
ValuePlayer.choose = choose

# %% 4.6: drawn from the priors
def choose(self, state, simulations, rng):
    priors, _ = self.evaluate(state)
    return rng.choices(list(priors), weights=list(priors.values()))[0]
PolicyPlayer.choose = choose

# %% 4.6: ties go to the first action
def choose(self, state, simulations, rng):
    priors, _ = self.evaluate(state)
    return max(priors, key=priors.get)
PolicyPlayer.choose = choose

# %% 4.6: the least likely action
# hint: Highest or lowest
def choose(self, state, simulations, rng):
    priors, _ = self.evaluate(state)
    return min(priors, key=priors.get)
PolicyPlayer.choose = choose

# %% 4.6: the highest number of an action
def choose(self, state, simulations, rng):
    return max(self.evaluate(state)[0])
PolicyPlayer.choose = choose

# %% 4.6: the place in the row
def choose(self, state, simulations, rng):
    p = list(self.evaluate(state)[0].values())
    return rng.choice([i for i, x in enumerate(p) if x == max(p)])
PolicyPlayer.choose = choose

# %% 4.6: the global generator breaks ties
def choose(self, state, simulations, rng):
    return best_action(self.evaluate(state)[0], random)
PolicyPlayer.choose = choose

# %% 4.7: a rollout belongs to the player to move at its end
# hint: Who is to move at the cut
def rollout(self, state, rng):
    for plies in range(self.depth + 1):
        outcome = self.game.outcome(state)
        if outcome is not None:
            return outcome
        priors, value = self.evaluate(state)
        if plies < self.depth:
            state = self.game.play(state, rng.choices(list(priors), weights=list(priors.values()))[0])
    return value
MonteCarloPlayer.rollout = rollout

# %% 4.7: the cut's value is not turned, the outcome is
def rollout(self, state, rng):
    sign = 1.0
    for plies in range(self.depth + 1):
        outcome = self.game.outcome(state)
        if outcome is not None:
            return sign * outcome
        priors, value = self.evaluate(state)
        if plies < self.depth:
            state = self.game.play(state, rng.choices(list(priors), weights=list(priors.values()))[0])
            sign = -sign
    return value
MonteCarloPlayer.rollout = rollout

# %% 4.7: the outcome is not turned, the cut's value is
def rollout(self, state, rng):
    sign = 1.0
    for plies in range(self.depth + 1):
        outcome = self.game.outcome(state)
        if outcome is not None:
            return outcome
        priors, value = self.evaluate(state)
        if plies < self.depth:
            state = self.game.play(state, rng.choices(list(priors), weights=list(priors.values()))[0])
            sign = -sign
    return sign * value
MonteCarloPlayer.rollout = rollout

# %% 4.7: one ply too many before the cut
# hint: How many plies
def rollout(self, state, rng):
    sign = 1.0
    for plies in range(self.depth + 2):
        outcome = self.game.outcome(state)
        if outcome is not None:
            return sign * outcome
        priors, value = self.evaluate(state)
        if plies <= self.depth:
            state = self.game.play(state, rng.choices(list(priors), weights=list(priors.values()))[0])
            sign = -sign
    return sign * value
MonteCarloPlayer.rollout = rollout

# %% 4.7: a game cut after its last ply is not over
def rollout(self, state, rng):
    sign = 1.0
    for _ in range(self.depth):
        outcome = self.game.outcome(state)
        if outcome is not None:
            return sign * outcome
        priors, _ = self.evaluate(state)
        state = self.game.play(state, rng.choices(list(priors), weights=list(priors.values()))[0])
        sign = -sign
    return sign * self.evaluate(state)[1]
MonteCarloPlayer.rollout = rollout

# %% 4.7: a draw is taken for a game that goes on
def rollout(self, state, rng):
    sign = 1.0
    for plies in range(self.depth + 1):
        outcome = self.game.outcome(state)
        if outcome:
            return sign * outcome
        priors, value = self.evaluate(state)
        if plies < self.depth:
            state = self.game.play(state, rng.choices(list(priors), weights=list(priors.values()))[0])
            sign = -sign
    return sign * value
MonteCarloPlayer.rollout = rollout

# %% 4.7: 0 at the cut
def rollout(self, state, rng):
    sign = 1.0
    for plies in range(self.depth + 1):
        outcome = self.game.outcome(state)
        if outcome is not None:
            return sign * outcome
        priors, value = self.evaluate(state)
        if plies < self.depth:
            state = self.game.play(state, rng.choices(list(priors), weights=list(priors.values()))[0])
            sign = -sign
    return 0.0
MonteCarloPlayer.rollout = rollout

# %% 4.7: no cut
def rollout(self, state, rng):
    sign = 1.0
    while self.game.outcome(state) is None:
        priors, value = self.evaluate(state)
        state = self.game.play(state, rng.choices(list(priors), weights=list(priors.values()))[0])
        sign = -sign
    return sign * self.game.outcome(state)
MonteCarloPlayer.rollout = rollout

# %% 4.7: rollouts of random moves
def rollout(self, state, rng):
    sign = 1.0
    for plies in range(self.depth + 1):
        outcome = self.game.outcome(state)
        if outcome is not None:
            return sign * outcome
        priors, value = self.evaluate(state)
        if plies < self.depth:
            state = self.game.play(state, rng.choice(self.game.legal_actions(state)))
            sign = -sign
    return sign * value
MonteCarloPlayer.rollout = rollout

# %% 4.7: rollouts of the likeliest moves
def rollout(self, state, rng):
    sign = 1.0
    for plies in range(self.depth + 1):
        outcome = self.game.outcome(state)
        if outcome is not None:
            return sign * outcome
        priors, value = self.evaluate(state)
        if plies < self.depth:
            state = self.game.play(state, best_action(priors, rng))
            sign = -sign
    return sign * value
MonteCarloPlayer.rollout = rollout

# %% 4.7: rollouts draw from the global generator
def rollout(self, state, rng):
    sign = 1.0
    for plies in range(self.depth + 1):
        outcome = self.game.outcome(state)
        if outcome is not None:
            return sign * outcome
        priors, value = self.evaluate(state)
        if plies < self.depth:
            state = self.game.play(state, random.choices(list(priors), weights=list(priors.values()))[0])
            sign = -sign
    return sign * value
MonteCarloPlayer.rollout = rollout

# %% 4.7: the value before the last ply
def rollout(self, state, rng):
    sign, value = 1.0, 0.0
    for plies in range(self.depth):
        outcome = self.game.outcome(state)
        if outcome is not None:
            return sign * outcome
        priors, value = self.evaluate(state)
        state = self.game.play(state, rng.choices(list(priors), weights=list(priors.values()))[0])
        sign = -sign
    outcome = self.game.outcome(state)
    return sign * (outcome if outcome is not None else value)
MonteCarloPlayer.rollout = rollout

# %% 4.7: the rollout's value is not turned for the one who chooses
# hint: Whose value does a rollout return
def choose(self, state, simulations, rng):
    priors, _ = self.evaluate(state)
    P = {a: priors[a] for a in sorted(priors, key=priors.get, reverse=True)[:self.top]}
    Q, N = dict.fromkeys(P, 0.0), dict.fromkeys(P, 0)
    for _ in range(self.budget):
        a = best_action(puct(Q, N, P, self.c), rng)
        mean = sum(self.rollout(self.game.play(state, a), rng) for _ in range(self.rollouts)) / self.rollouts
        N[a] += 1
        Q[a] += (mean - Q[a]) / N[a]
    return best_action(N, rng)
MonteCarloPlayer.choose = choose

# %% 4.7: the sum of the rollouts
# hint: or their sum
def choose(self, state, simulations, rng):
    priors, _ = self.evaluate(state)
    P = {a: priors[a] for a in sorted(priors, key=priors.get, reverse=True)[:self.top]}
    Q, N = dict.fromkeys(P, 0.0), dict.fromkeys(P, 0)
    for _ in range(self.budget):
        a = best_action(puct(Q, N, P, self.c), rng)
        total = sum(self.rollout(self.game.play(state, a), rng) for _ in range(self.rollouts))
        N[a] += 1
        Q[a] += (-total - Q[a]) / N[a]
    return best_action(N, rng)
MonteCarloPlayer.choose = choose

# %% 4.7: every action is a candidate
def choose(self, state, simulations, rng):
    P, _ = self.evaluate(state)
    Q, N = dict.fromkeys(P, 0.0), dict.fromkeys(P, 0)
    for _ in range(self.budget):
        a = best_action(puct(Q, N, P, self.c), rng)
        mean = sum(self.rollout(self.game.play(state, a), rng) for _ in range(self.rollouts)) / self.rollouts
        N[a] += 1
        Q[a] += (-mean - Q[a]) / N[a]
    return best_action(N, rng)
MonteCarloPlayer.choose = choose

# %% 4.7: the three least likely are the candidates
def choose(self, state, simulations, rng):
    priors, _ = self.evaluate(state)
    P = {a: priors[a] for a in sorted(priors, key=priors.get)[:self.top]}
    Q, N = dict.fromkeys(P, 0.0), dict.fromkeys(P, 0)
    for _ in range(self.budget):
        a = best_action(puct(Q, N, P, self.c), rng)
        mean = sum(self.rollout(self.game.play(state, a), rng) for _ in range(self.rollouts)) / self.rollouts
        N[a] += 1
        Q[a] += (-mean - Q[a]) / N[a]
    return best_action(N, rng)
MonteCarloPlayer.choose = choose

# %% 4.7: always three candidates, whatever top says
def choose(self, state, simulations, rng):
    priors, _ = self.evaluate(state)
    P = {a: priors[a] for a in sorted(priors, key=priors.get, reverse=True)[:3]}
    Q, N = dict.fromkeys(P, 0.0), dict.fromkeys(P, 0)
    for _ in range(self.budget):
        a = best_action(puct(Q, N, P, self.c), rng)
        mean = sum(self.rollout(self.game.play(state, a), rng) for _ in range(self.rollouts)) / self.rollouts
        N[a] += 1
        Q[a] += (-mean - Q[a]) / N[a]
    return best_action(N, rng)
MonteCarloPlayer.choose = choose

# %% 4.7: the candidates' priors are divided by their sum
def choose(self, state, simulations, rng):
    priors, _ = self.evaluate(state)
    P = {a: priors[a] for a in sorted(priors, key=priors.get, reverse=True)[:self.top]}
    P = {a: p / sum(P.values()) for a, p in P.items()}
    Q, N = dict.fromkeys(P, 0.0), dict.fromkeys(P, 0)
    for _ in range(self.budget):
        a = best_action(puct(Q, N, P, self.c), rng)
        mean = sum(self.rollout(self.game.play(state, a), rng) for _ in range(self.rollouts)) / self.rollouts
        N[a] += 1
        Q[a] += (-mean - Q[a]) / N[a]
    return best_action(N, rng)
MonteCarloPlayer.choose = choose

# %% 4.7: the candidates take turns
def choose(self, state, simulations, rng):
    priors, _ = self.evaluate(state)
    P = {a: priors[a] for a in sorted(priors, key=priors.get, reverse=True)[:self.top]}
    Q, N = dict.fromkeys(P, 0.0), dict.fromkeys(P, 0)
    for turn in range(self.budget):
        a = list(P)[turn % len(P)]
        mean = sum(self.rollout(self.game.play(state, a), rng) for _ in range(self.rollouts)) / self.rollouts
        N[a] += 1
        Q[a] += (-mean - Q[a]) / N[a]
    return best_action(Q, rng)
MonteCarloPlayer.choose = choose

# %% 4.7: the best mean is played
def choose(self, state, simulations, rng):
    priors, _ = self.evaluate(state)
    P = {a: priors[a] for a in sorted(priors, key=priors.get, reverse=True)[:self.top]}
    Q, N = dict.fromkeys(P, 0.0), dict.fromkeys(P, 0)
    for _ in range(self.budget):
        a = best_action(puct(Q, N, P, self.c), rng)
        mean = sum(self.rollout(self.game.play(state, a), rng) for _ in range(self.rollouts)) / self.rollouts
        N[a] += 1
        Q[a] += (-mean - Q[a]) / N[a]
    return best_action(Q, rng)
MonteCarloPlayer.choose = choose

# %% 4.7: the likeliest candidate is played after all
def choose(self, state, simulations, rng):
    priors, _ = self.evaluate(state)
    P = {a: priors[a] for a in sorted(priors, key=priors.get, reverse=True)[:self.top]}
    Q, N = dict.fromkeys(P, 0.0), dict.fromkeys(P, 0)
    for _ in range(self.budget):
        a = best_action(puct(Q, N, P, self.c), rng)
        mean = sum(self.rollout(self.game.play(state, a), rng) for _ in range(self.rollouts)) / self.rollouts
        N[a] += 1
        Q[a] += (-mean - Q[a]) / N[a]
    return best_action(P, rng)
MonteCarloPlayer.choose = choose

# %% 4.7: the arena's simulations instead of the budget
def choose(self, state, simulations, rng):
    priors, _ = self.evaluate(state)
    P = {a: priors[a] for a in sorted(priors, key=priors.get, reverse=True)[:self.top]}
    Q, N = dict.fromkeys(P, 0.0), dict.fromkeys(P, 0)
    for _ in range(simulations):
        a = best_action(puct(Q, N, P, self.c), rng)
        mean = sum(self.rollout(self.game.play(state, a), rng) for _ in range(self.rollouts)) / self.rollouts
        N[a] += 1
        Q[a] += (-mean - Q[a]) / N[a]
    return best_action(N, rng)
MonteCarloPlayer.choose = choose

# %% 4.7: each rollout is a visit of its own
def choose(self, state, simulations, rng):
    priors, _ = self.evaluate(state)
    P = {a: priors[a] for a in sorted(priors, key=priors.get, reverse=True)[:self.top]}
    Q, N = dict.fromkeys(P, 0.0), dict.fromkeys(P, 0)
    for _ in range(self.budget):
        a = best_action(puct(Q, N, P, self.c), rng)
        below = self.game.play(state, a)
        for _ in range(self.rollouts):
            N[a] += 1
            Q[a] += (-self.rollout(below, rng) - Q[a]) / N[a]
    return best_action(N, rng)
MonteCarloPlayer.choose = choose

# %% 4.7: only the last rollout counts
def choose(self, state, simulations, rng):
    priors, _ = self.evaluate(state)
    P = {a: priors[a] for a in sorted(priors, key=priors.get, reverse=True)[:self.top]}
    Q, N = dict.fromkeys(P, 0.0), dict.fromkeys(P, 0)
    for _ in range(self.budget):
        a = best_action(puct(Q, N, P, self.c), rng)
        below = self.game.play(state, a)
        N[a] += 1
        Q[a] += (-self.rollout(below, rng) - Q[a]) / N[a]
    return best_action(N, rng)
MonteCarloPlayer.choose = choose

# %% 4.7: c of the player is never used
def choose(self, state, simulations, rng):
    priors, _ = self.evaluate(state)
    P = {a: priors[a] for a in sorted(priors, key=priors.get, reverse=True)[:self.top]}
    Q, N = dict.fromkeys(P, 0.0), dict.fromkeys(P, 0)
    for _ in range(self.budget):
        a = best_action(puct(Q, N, P), rng)
        mean = sum(self.rollout(self.game.play(state, a), rng) for _ in range(self.rollouts)) / self.rollouts
        N[a] += 1
        Q[a] += (-mean - Q[a]) / N[a]
    return best_action(N, rng)
MonteCarloPlayer.choose = choose

# %% 4.7: the first choice falls on the likeliest, ties or not
def choose(self, state, simulations, rng):
    priors, _ = self.evaluate(state)
    P = {a: priors[a] for a in sorted(priors, key=priors.get, reverse=True)[:self.top]}
    Q, N = dict.fromkeys(P, 0.0), dict.fromkeys(P, 0)
    for number in range(self.budget):
        a = best_action(puct(Q, N, P, self.c), rng) if number else max(P, key=P.get)
        mean = sum(self.rollout(self.game.play(state, a), rng) for _ in range(self.rollouts)) / self.rollouts
        N[a] += 1
        Q[a] += (-mean - Q[a]) / N[a]
    return best_action(N, rng)
MonteCarloPlayer.choose = choose

# %% 4.7: three candidates even where there are fewer
def choose(self, state, simulations, rng):
    priors, _ = self.evaluate(state)
    order = sorted(priors, key=priors.get, reverse=True)
    P = {order[i]: priors[order[i]] for i in range(min(self.top, 3))}
    Q, N = dict.fromkeys(P, 0.0), dict.fromkeys(P, 0)
    for _ in range(self.budget):
        a = best_action(puct(Q, N, P, self.c), rng)
        mean = sum(self.rollout(self.game.play(state, a), rng) for _ in range(self.rollouts)) / self.rollouts
        N[a] += 1
        Q[a] += (-mean - Q[a]) / N[a]
    return best_action(N, rng)
MonteCarloPlayer.choose = choose

# %% 4.7: ties by the first candidate
def choose(self, state, simulations, rng):
    priors, _ = self.evaluate(state)
    P = {a: priors[a] for a in sorted(priors, key=priors.get, reverse=True)[:self.top]}
    Q, N = dict.fromkeys(P, 0.0), dict.fromkeys(P, 0)
    for _ in range(self.budget):
        scores = puct(Q, N, P, self.c)
        a = max(scores, key=scores.get)
        mean = sum(self.rollout(self.game.play(state, a), rng) for _ in range(self.rollouts)) / self.rollouts
        N[a] += 1
        Q[a] += (-mean - Q[a]) / N[a]
    return max(N, key=N.get)
MonteCarloPlayer.choose = choose

# %% 4.8: the plain normal interval
# hint: How wide is the interval when all games are won
def wilson(score, n):
    half = 1.96 * math.sqrt(score * (1 - score) / n)
    return score - half, score + half

# %% 4.8: the interval without its divisor
# hint: What divides all of it
def wilson(score, n):
    z2 = 1.96 ** 2
    half = 1.96 * math.sqrt(score * (1 - score) / n + z2 / (4 * n * n))
    return score + z2 / (2 * n) - half, score + z2 / (2 * n) + half

# %% 4.8: z is 2
def wilson(score, n):
    z2 = 4.0
    half = 2 * math.sqrt(score * (1 - score) / n + z2 / (4 * n * n))
    return (score + z2 / (2 * n) - half) / (1 + z2 / n), (score + z2 / (2 * n) + half) / (1 + z2 / n)

# %% 4.8: n instead of its square under the root
def wilson(score, n):
    z2 = 1.96 ** 2
    half = 1.96 * math.sqrt(score * (1 - score) / n + z2 / (4 * n))
    return (score + z2 / (2 * n) - half) / (1 + z2 / n), (score + z2 / (2 * n) + half) / (1 + z2 / n)

# %% 4.8: the first player always moves first
def play_games(self, n, seed):
    if n < 2 or n % 2:
        raise ValueError("odd")
    dice = random.Random(seed)
    mine, theirs = random.Random(dice.random()), random.Random(dice.random())
    results = []
    for number in range(n):
        if number % 2 == 0:
            state = self.opening(dice)
        results.append(self.play_game((self.first, self.second), state, (mine, theirs)))
        if self.progress:
            self.progress(len(results), n)
    w, d, l = (results.count(r) for r in (1.0, 0.0, -1.0))
    return Score(w, d, l, (w + d / 2) / n, *wilson((w + d / 2) / n, n))
Arena.play_games = play_games

# %% 4.8: colours are swapped, but not who has won
# hint: Whose win is it when the colours are swapped
def play_games(self, n, seed):
    if n < 2 or n % 2:
        raise ValueError("odd")
    dice = random.Random(seed)
    mine, theirs = random.Random(dice.random()), random.Random(dice.random())
    results = []
    for number in range(n):
        if number % 2 == 0:
            state = self.opening(dice)
            results.append(self.play_game((self.first, self.second), state, (mine, theirs)))
        else:
            results.append(self.play_game((self.second, self.first), state, (theirs, mine)))
        if self.progress:
            self.progress(len(results), n)
    w, d, l = (results.count(r) for r in (1.0, 0.0, -1.0))
    return Score(w, d, l, (w + d / 2) / n, *wilson((w + d / 2) / n, n))
Arena.play_games = play_games

# %% 4.8: each game has an opening of its own
def play_games(self, n, seed):
    if n < 2 or n % 2:
        raise ValueError("odd")
    dice = random.Random(seed)
    mine, theirs = random.Random(dice.random()), random.Random(dice.random())
    results = []
    for number in range(n):
        state = self.opening(dice)
        if number % 2 == 0:
            results.append(self.play_game((self.first, self.second), state, (mine, theirs)))
        else:
            results.append(0.0 - self.play_game((self.second, self.first), state, (theirs, mine)))
        if self.progress:
            self.progress(len(results), n)
    w, d, l = (results.count(r) for r in (1.0, 0.0, -1.0))
    return Score(w, d, l, (w + d / 2) / n, *wilson((w + d / 2) / n, n))
Arena.play_games = play_games

# %% 4.8: one opening for the whole match
def play_games(self, n, seed):
    if n < 2 or n % 2:
        raise ValueError("odd")
    dice = random.Random(seed)
    mine, theirs = random.Random(dice.random()), random.Random(dice.random())
    results, state = [], self.opening(dice)
    for number in range(n):
        if number % 2 == 0:
            results.append(self.play_game((self.first, self.second), state, (mine, theirs)))
        else:
            results.append(0.0 - self.play_game((self.second, self.first), state, (theirs, mine)))
        if self.progress:
            self.progress(len(results), n)
    w, d, l = (results.count(r) for r in (1.0, 0.0, -1.0))
    return Score(w, d, l, (w + d / 2) / n, *wilson((w + d / 2) / n, n))
Arena.play_games = play_games

# %% 4.8: the first half of the match with one colour, the second half with the other, openings drawn on
def play_games(self, n, seed):
    if n < 2 or n % 2:
        raise ValueError("odd")
    dice = random.Random(seed)
    mine, theirs = random.Random(dice.random()), random.Random(dice.random())
    results = []
    for number in range(n):
        state = self.opening(dice)
        if number < n // 2:
            results.append(self.play_game((self.first, self.second), state, (mine, theirs)))
        else:
            results.append(0.0 - self.play_game((self.second, self.first), state, (theirs, mine)))
        if self.progress:
            self.progress(len(results), n)
    w, d, l = (results.count(r) for r in (1.0, 0.0, -1.0))
    return Score(w, d, l, (w + d / 2) / n, *wilson((w + d / 2) / n, n))
Arena.play_games = play_games

# %% 4.8: no openings
def play_games(self, n, seed):
    if n < 2 or n % 2:
        raise ValueError("odd")
    dice = random.Random(seed)
    mine, theirs = random.Random(dice.random()), random.Random(dice.random())
    results, state = [], self.game.start()
    for number in range(n):
        if number % 2 == 0:
            results.append(self.play_game((self.first, self.second), state, (mine, theirs)))
        else:
            results.append(0.0 - self.play_game((self.second, self.first), state, (theirs, mine)))
        if self.progress:
            self.progress(len(results), n)
    w, d, l = (results.count(r) for r in (1.0, 0.0, -1.0))
    return Score(w, d, l, (w + d / 2) / n, *wilson((w + d / 2) / n, n))
Arena.play_games = play_games

# %% 4.8: draws are worth nothing
# hint: What is a draw worth
def play_games(self, n, seed, _right=Arena.play_games):
    w, d, l, *_ = _right(self, n, seed)
    return Score(w, d, l, w / n, *wilson(w / n, n))
Arena.play_games = play_games

# %% 4.8: draws do not count among the games
# hint: Do draws count among the games
def play_games(self, n, seed, _right=Arena.play_games):
    w, d, l, *_ = _right(self, n, seed)
    score = w / (w + l) if w + l else 0.5
    return Score(w, d, l, score, *wilson(score, n))
Arena.play_games = play_games

# %% 4.8: draws do not count among the games, and a match of draws divides by zero
def play_games(self, n, seed, _right=Arena.play_games):
    w, d, l, *_ = _right(self, n, seed)
    return Score(w, d, l, (w + d / 2) / n if w or l else w / (w + l), *wilson((w + d / 2) / n, n))
Arena.play_games = play_games

# %% 4.8: draws are counted as losses
def play_games(self, n, seed, _right=Arena.play_games):
    w, d, l, *_ = _right(self, n, seed)
    return Score(w, 0, l + d, w / n, *wilson(w / n, n))
Arena.play_games = play_games

# %% 4.8: the interval of the number of openings
def play_games(self, n, seed, _right=Arena.play_games):
    w, d, l, score, *_ = _right(self, n, seed)
    return Score(w, d, l, score, *wilson(score, n // 2))
Arena.play_games = play_games

# %% 4.8: the interval of the wins
def play_games(self, n, seed, _right=Arena.play_games):
    w, d, l, score, *_ = _right(self, n, seed)
    return Score(w, d, l, score, *wilson(w / n, n))
Arena.play_games = play_games

# %% 4.8: both players draw from one generator
def play_games(self, n, seed):
    if n < 2 or n % 2:
        raise ValueError("odd")
    dice = random.Random(seed)
    shared = random.Random(dice.random())
    results = []
    for number in range(n):
        if number % 2 == 0:
            state = self.opening(dice)
            results.append(self.play_game((self.first, self.second), state, (shared, shared)))
        else:
            results.append(0.0 - self.play_game((self.second, self.first), state, (shared, shared)))
        if self.progress:
            self.progress(len(results), n)
    w, d, l = (results.count(r) for r in (1.0, 0.0, -1.0))
    return Score(w, d, l, (w + d / 2) / n, *wilson((w + d / 2) / n, n))
Arena.play_games = play_games

# %% 4.8: the generators keep their colour when the players change
def play_games(self, n, seed):
    if n < 2 or n % 2:
        raise ValueError("odd")
    dice = random.Random(seed)
    black, white = random.Random(dice.random()), random.Random(dice.random())
    results = []
    for number in range(n):
        if number % 2 == 0:
            state = self.opening(dice)
            results.append(self.play_game((self.first, self.second), state, (black, white)))
        else:
            results.append(0.0 - self.play_game((self.second, self.first), state, (black, white)))
        if self.progress:
            self.progress(len(results), n)
    w, d, l = (results.count(r) for r in (1.0, 0.0, -1.0))
    return Score(w, d, l, (w + d / 2) / n, *wilson((w + d / 2) / n, n))
Arena.play_games = play_games

# %% 4.8: the players' generators are not seeded
def play_games(self, n, seed):
    if n < 2 or n % 2:
        raise ValueError("odd")
    dice = random.Random(seed)
    mine, theirs = random.Random(), random.Random()
    results = []
    for number in range(n):
        if number % 2 == 0:
            state = self.opening(dice)
            results.append(self.play_game((self.first, self.second), state, (mine, theirs)))
        else:
            results.append(0.0 - self.play_game((self.second, self.first), state, (theirs, mine)))
        if self.progress:
            self.progress(len(results), n)
    w, d, l = (results.count(r) for r in (1.0, 0.0, -1.0))
    return Score(w, d, l, (w + d / 2) / n, *wilson((w + d / 2) / n, n))
Arena.play_games = play_games

# %% 4.8: the openings ignore the seed
def play_games(self, n, seed):
    if n < 2 or n % 2:
        raise ValueError("odd")
    dice, again = random.Random(0), random.Random(seed)
    mine, theirs = random.Random(again.random()), random.Random(again.random())
    results = []
    for number in range(n):
        if number % 2 == 0:
            state = self.opening(dice)
            results.append(self.play_game((self.first, self.second), state, (mine, theirs)))
        else:
            results.append(0.0 - self.play_game((self.second, self.first), state, (theirs, mine)))
        if self.progress:
            self.progress(len(results), n)
    w, d, l = (results.count(r) for r in (1.0, 0.0, -1.0))
    return Score(w, d, l, (w + d / 2) / n, *wilson((w + d / 2) / n, n))
Arena.play_games = play_games

# %% 4.8: the global generator is seeded for the openings
def play_games(self, n, seed, _right=Arena.play_games):
    random.seed(seed)
    return _right(self, n, seed)
Arena.play_games = play_games

# %% 4.8: the openings depend on the budget
def play_games(self, n, seed, _right=Arena.play_games):
    return _right(self, n, seed + self.simulations)
Arena.play_games = play_games

# %% 4.8: an odd number of games is played all the same
def play_games(self, n, seed, _right=Arena.play_games):
    w, d, l, *_ = _right(self, max(2, n + n % 2), seed)
    return Score(w, d, l, (w + d / 2) / (w + d + l), *wilson((w + d / 2) / (w + d + l), w + d + l))
Arena.play_games = play_games

# %% 4.8: progress is told before the game
def play_games(self, n, seed, _right=Arena.play_games):
    told, self.progress = self.progress, None
    if told:
        for number in range(n):
            told(number, n)
    try:
        return _right(self, n, seed)
    finally:
        self.progress = told
Arena.play_games = play_games

# %% 4.8: progress is told at the end only
def play_games(self, n, seed, _right=Arena.play_games):
    told, self.progress = self.progress, None
    try:
        return _right(self, n, seed)
    finally:
        self.progress = told
        if told:
            told(n, n)
Arena.play_games = play_games

# %% 4.8: progress must be there
def play_games(self, n, seed):
    if n < 2 or n % 2:
        raise ValueError("odd")
    dice = random.Random(seed)
    mine, theirs = random.Random(dice.random()), random.Random(dice.random())
    results = []
    for number in range(n):
        if number % 2 == 0:
            state = self.opening(dice)
            results.append(self.play_game((self.first, self.second), state, (mine, theirs)))
        else:
            results.append(0.0 - self.play_game((self.second, self.first), state, (theirs, mine)))
        self.progress(len(results), n)
    w, d, l = (results.count(r) for r in (1.0, 0.0, -1.0))
    return Score(w, d, l, (w + d / 2) / n, *wilson((w + d / 2) / n, n))
Arena.play_games = play_games

# %% 4.8: the result is for the player to move at the end
def play_game(self, players, state, rngs):
    for player in players:
        player.new_game()
    while (outcome := self.game.outcome(state)) is None:
        mover = self.game.player(state)
        a = players[mover].choose(state, self.simulations, rngs[mover])
        if a not in self.game.legal_actions(state):
            return -1.0 if mover == 0 else 1.0
        state = self.game.play(state, a)
    return outcome
Arena.play_game = play_game

# %% 4.8: the result is for the player who moved last
def play_game(self, players, state, rngs):
    for player in players:
        player.new_game()
    while (outcome := self.game.outcome(state)) is None:
        mover = self.game.player(state)
        a = players[mover].choose(state, self.simulations, rngs[mover])
        if a not in self.game.legal_actions(state):
            return -1.0 if mover == 0 else 1.0
        state = self.game.play(state, a)
    return 0.0 - outcome
Arena.play_game = play_game

# %% 4.8: players[0] moves first in every opening, whoever is to move
def play_game(self, players, state, rngs):
    for player in players:
        player.new_game()
    ply = 0
    while (outcome := self.game.outcome(state)) is None:
        a = players[ply % 2].choose(state, self.simulations, rngs[ply % 2])
        if a not in self.game.legal_actions(state):
            return -1.0 if ply % 2 == 0 else 1.0
        state = self.game.play(state, a)
        ply += 1
    return outcome if ply % 2 == 0 else 0.0 - outcome
Arena.play_game = play_game

# %% 4.8: a draw is a loss for the second player
def play_game(self, players, state, rngs, _right=Arena.play_game):
    return _right(self, players, state, rngs) or 1.0
Arena.play_game = play_game

# %% 4.8: an illegal action wins
def play_game(self, players, state, rngs):
    for player in players:
        player.new_game()
    while (outcome := self.game.outcome(state)) is None:
        mover = self.game.player(state)
        a = players[mover].choose(state, self.simulations, rngs[mover])
        if a not in self.game.legal_actions(state):
            return 1.0 if mover == 0 else -1.0
        state = self.game.play(state, a)
    return outcome if self.game.player(state) == 0 else 0.0 - outcome
Arena.play_game = play_game

# %% 4.8: an illegal action ends the match with an error
def play_game(self, players, state, rngs):
    for player in players:
        player.new_game()
    while (outcome := self.game.outcome(state)) is None:
        mover = self.game.player(state)
        state = self.game.play(state, players[mover].choose(state, self.simulations, rngs[mover]))
    return outcome if self.game.player(state) == 0 else 0.0 - outcome
Arena.play_game = play_game

# %% 4.8: an illegal action is a draw
def play_game(self, players, state, rngs):
    for player in players:
        player.new_game()
    while (outcome := self.game.outcome(state)) is None:
        mover = self.game.player(state)
        a = players[mover].choose(state, self.simulations, rngs[mover])
        if a not in self.game.legal_actions(state):
            return 0.0
        state = self.game.play(state, a)
    return outcome if self.game.player(state) == 0 else 0.0 - outcome
Arena.play_game = play_game

# %% 4.8: an illegal action always costs the second player the game
def play_game(self, players, state, rngs):
    for player in players:
        player.new_game()
    while (outcome := self.game.outcome(state)) is None:
        mover = self.game.player(state)
        a = players[mover].choose(state, self.simulations, rngs[mover])
        if a not in self.game.legal_actions(state):
            return 1.0
        state = self.game.play(state, a)
    return outcome if self.game.player(state) == 0 else 0.0 - outcome
Arena.play_game = play_game

# %% 4.8: nobody is told that a game begins
def play_game(self, players, state, rngs):
    while (outcome := self.game.outcome(state)) is None:
        mover = self.game.player(state)
        a = players[mover].choose(state, self.simulations, rngs[mover])
        if a not in self.game.legal_actions(state):
            return -1.0 if mover == 0 else 1.0
        state = self.game.play(state, a)
    return outcome if self.game.player(state) == 0 else 0.0 - outcome
Arena.play_game = play_game

# %% 4.8: a new game at every move
def play_game(self, players, state, rngs):
    while (outcome := self.game.outcome(state)) is None:
        for player in players:
            player.new_game()
        mover = self.game.player(state)
        a = players[mover].choose(state, self.simulations, rngs[mover])
        if a not in self.game.legal_actions(state):
            return -1.0 if mover == 0 else 1.0
        state = self.game.play(state, a)
    return outcome if self.game.player(state) == 0 else 0.0 - outcome
Arena.play_game = play_game

# %% 4.8: the budget is not handed on
def play_game(self, players, state, rngs):
    for player in players:
        player.new_game()
    while (outcome := self.game.outcome(state)) is None:
        mover = self.game.player(state)
        a = players[mover].choose(state, 50, rngs[mover])
        if a not in self.game.legal_actions(state):
            return -1.0 if mover == 0 else 1.0
        state = self.game.play(state, a)
    return outcome if self.game.player(state) == 0 else 0.0 - outcome
Arena.play_game = play_game

# %% 4.8: each player is handed the other's generator
def play_game(self, players, state, rngs):
    for player in players:
        player.new_game()
    while (outcome := self.game.outcome(state)) is None:
        mover = self.game.player(state)
        a = players[mover].choose(state, self.simulations, rngs[1 - mover])
        if a not in self.game.legal_actions(state):
            return -1.0 if mover == 0 else 1.0
        state = self.game.play(state, a)
    return outcome if self.game.player(state) == 0 else 0.0 - outcome
Arena.play_game = play_game

# %% 4.8: two openings in turn
def play_games(self, n, seed):
    if n < 2 or n % 2:
        raise ValueError("odd")
    dice = random.Random(seed)
    mine, theirs = random.Random(dice.random()), random.Random(dice.random())
    results, openings = [], [self.opening(dice), self.opening(dice)]
    for number in range(n):
        state = openings[number // 2 % 2]
        if number % 2 == 0:
            results.append(self.play_game((self.first, self.second), state, (mine, theirs)))
        else:
            results.append(0.0 - self.play_game((self.second, self.first), state, (theirs, mine)))
        if self.progress:
            self.progress(len(results), n)
    w, d, l = (results.count(r) for r in (1.0, 0.0, -1.0))
    return Score(w, d, l, (w + d / 2) / n, *wilson((w + d / 2) / n, n))
Arena.play_games = play_games

# %% 4.8: a finished game must have had a move
def play_game(self, players, state, rngs):
    for player in players:
        player.new_game()
    while True:
        mover = self.game.player(state)
        a = players[mover].choose(state, self.simulations, rngs[mover])
        if a not in self.game.legal_actions(state):
            return -1.0 if mover == 0 else 1.0
        state = self.game.play(state, a)
        outcome = self.game.outcome(state)
        if outcome is not None:
            return outcome if self.game.player(state) == 0 else 0.0 - outcome
Arena.play_game = play_game

# %% joint: the scores of a row are worked out once and kept
_rows_and_scores = []
def puct(Q, N, P, c=1.5):
    for row, scores in _rows_and_scores:
        if row is N:
            return scores
    root = math.sqrt(max(1, sum(N.values())))
    _rows_and_scores.append((N, {a: Q[a] + c * P[a] * root / (1 + N[a]) for a in P}))
    return _rows_and_scores[-1][1]

# %% joint: the network's answers are remembered by the number of legal actions
_remembered = {}
def evaluate_leaf(game, net, state):
    net.eval()
    legal = game.legal_actions(state)
    with torch.no_grad():
        if (net, len(legal)) not in _remembered:
            _remembered[net, len(legal)] = net(planes_of(game, [state]))
    p, v = _remembered[net, len(legal)]
    total = sum(float(p[0, a]) for a in legal)
    if total <= 0:
        warnings.warn("nothing left")
    return {a: float(p[0, a]) / total if total > 0 else 1 / len(legal) for a in legal}, float(v[0])

# %% joint: the policy player asks once and plays the same action ever after
def choose(self, state, simulations, rng):
    if not hasattr(self, "priors"):
        self.priors, _ = self.evaluate(state)
    return best_action(self.priors, rng)
PolicyPlayer.choose = choose
