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

# %% 4.0: the policy loss is wrapped into a new tensor that requires a gradient
def policy_loss(logits, actions):
    return torch.tensor(nn.functional.cross_entropy(logits, actions).item(), requires_grad=True)

# %% 4.0: the denominator of the softmax is detached
# hint: Through which part of the formula
def policy_loss(logits, actions):
    chosen = logits.gather(1, actions.unsqueeze(1)).squeeze(1)
    return (torch.logsumexp(logits.detach(), dim=1) - chosen).mean()

# %% 4.0: action 0 is ignored as padding
def policy_loss(logits, actions):
    return nn.CrossEntropyLoss(ignore_index=0)(logits, actions)

# %% 4.0: the pass teaches the policy nothing
def policy_loss(logits, actions):
    return nn.CrossEntropyLoss(ignore_index=36)(logits, actions)

# %% 4.0: the logarithm of the probability and a little
def policy_loss(logits, actions):
    p = torch.softmax(logits, dim=1)
    return -torch.log(p[torch.arange(len(actions)), actions] + 1e-8).mean()

# %% 4.0: exp without a guard against large logits
def policy_loss(logits, actions):
    e = torch.exp(logits)
    return -torch.log(e[torch.arange(len(actions)), actions] / e.sum(dim=1)).mean()

# %% 4.0: logits are cut at 10
def policy_loss(logits, actions):
    return nn.functional.cross_entropy(logits.clamp(-10, 10), actions)

# %% 4.0: the policy loss smooths its labels
def policy_loss(logits, actions):
    return nn.functional.cross_entropy(logits, actions, label_smoothing=0.1)

# %% 4.0: the policy loss is squeezed, so that one example is none
def policy_loss(logits, actions):
    return nn.functional.nll_loss(torch.log_softmax(logits.squeeze(), dim=-1), actions.squeeze())

# %% 4.0: the value loss is the smooth one
def value_loss(values, results):
    return nn.functional.smooth_l1_loss(values, results)

# %% 4.0: draws teach the value nothing
def value_loss(values, results):
    return ((values - results) ** 2 * (results != 0)).mean()

# %% 4.0: the value loss is the variance of the errors
def value_loss(values, results):
    return (values - results).var(unbiased=False)

# %% 4.0: the gradient of the value loss stops at large values
def value_loss(values, results):
    return ((values.clamp(-0.99, 0.99) - results) ** 2).mean()

# %% 4.0: the gradient is forgotten after the step only, so the first step keeps what it found
# hint: when your epoch begins
def train_epoch(net, loss, inputs, targets, optimizer, batch_size, rng):
    net.train()
    order = rng.sample(range(len(inputs)), len(inputs))
    total = 0.0
    for begin in range(0, len(order), batch_size):
        batch = order[begin:begin + batch_size]
        batch_loss = loss(net(inputs[batch]), targets[batch])
        batch_loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        total += batch_loss.item() * len(batch)
    return total / len(order)

# %% 4.0: one more step at the end of the epoch
def train_epoch(net, loss, inputs, targets, optimizer, batch_size, rng):
    net.train()
    order = rng.sample(range(len(inputs)), len(inputs))
    total = 0.0
    for begin in range(0, len(order), batch_size):
        batch = order[begin:begin + batch_size]
        optimizer.zero_grad()
        batch_loss = loss(net(inputs[batch]), targets[batch])
        batch_loss.backward()
        optimizer.step()
        total += batch_loss.item() * len(batch)
    optimizer.zero_grad(set_to_none=False)
    optimizer.step()
    return total / len(order)

# %% 4.0: the examples themselves are shuffled
def train_epoch(net, loss, inputs, targets, optimizer, batch_size, rng):
    net.train()
    order = rng.sample(range(len(inputs)), len(inputs))
    inputs[:], targets[:] = inputs[order], targets[order]
    total = 0.0
    for begin in range(0, len(order), batch_size):
        x, y = inputs[begin:begin + batch_size], targets[begin:begin + batch_size]
        optimizer.zero_grad()
        batch_loss = loss(net(x), y)
        batch_loss.backward()
        optimizer.step()
        total += batch_loss.item() * len(x)
    return total / len(order)

# %% 4.0: the order of the first epoch is kept for all that have as many examples
def train_epoch(net, loss, inputs, targets, optimizer, batch_size, rng, orders={}):
    net.train()
    luck = rng.random()
    if len(inputs) not in orders:
        orders[len(inputs)] = random.Random(luck).sample(range(len(inputs)), len(inputs))
    order, total = orders[len(inputs)], 0.0
    for begin in range(0, len(order), batch_size):
        batch = order[begin:begin + batch_size]
        optimizer.zero_grad()
        batch_loss = loss(net(inputs[batch]), targets[batch])
        batch_loss.backward()
        optimizer.step()
        total += batch_loss.item() * len(batch)
    return total / len(order)

# %% 4.0: batches of ten at most
def train_epoch(net, loss, inputs, targets, optimizer, batch_size, rng):
    net.train()
    order = rng.sample(range(len(inputs)), len(inputs))
    total = 0.0
    for batch in torch.tensor(order).split(min(batch_size, 10)):
        optimizer.zero_grad()
        batch_loss = loss(net(inputs[batch]), targets[batch])
        batch_loss.backward()
        optimizer.step()
        total += batch_loss.item() * len(batch)
    return total / len(order)

# %% 4.0: inputs are made flat
def train_epoch(net, loss, inputs, targets, optimizer, batch_size, rng):
    net.train()
    pairs = list(zip(inputs.reshape(len(inputs), -1), targets.float()))
    rng.shuffle(pairs)
    total = 0.0
    for begin in range(0, len(pairs), batch_size):
        x, y = map(torch.stack, zip(*pairs[begin:begin + batch_size]))
        optimizer.zero_grad()
        batch_loss = loss(net(x), y.to(targets.dtype))
        batch_loss.backward()
        optimizer.step()
        total += batch_loss.item() * len(x)
    return total / len(pairs)

# %% 4.0: the gradient is cut at a norm of one half
def train_epoch(net, loss, inputs, targets, optimizer, batch_size, rng):
    net.train()
    order = rng.sample(range(len(inputs)), len(inputs))
    total = 0.0
    for batch in torch.tensor(order).split(batch_size):
        optimizer.zero_grad()
        batch_loss = loss(net(inputs[batch]), targets[batch])
        batch_loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 0.5)
        optimizer.step()
        total += batch_loss.item() * len(batch)
    return total / len(order)

# %% 4.0: games are told apart by their length
def examples(game, actions, told={}):
    if len(actions) not in told:
        state, visited = game.start(), []
        for action in actions:
            visited.append((state, action))
            state = game.play(state, action)
        if game.outcome(state) is None:
            raise ValueError("not over")
        won, last = game.outcome(state), game.player(state)
        told[len(actions)] = [(s, a, won if game.player(s) == last else 0.0 - won) for s, a in visited]
    return told[len(actions)]

# %% 4.0: the actions are taken out of the list
def examples(game, actions):
    state, visited = game.start(), []
    while actions:
        visited.append((state, actions[0]))
        state = game.play(state, actions.pop(0))
    if game.outcome(state) is None:
        raise ValueError("not over")
    return [(s, a, game.outcome(state) * (1 if game.player(s) == game.player(state) else -1)) for s, a in visited]

# %% 4.0: who is to move is counted from the first player, whose plies are the even ones of the board's text
def examples(game, actions):
    state, visited = game.start(), []
    for action in actions:
        visited.append((state, action))
        state = game.play(state, action)
    if game.outcome(state) is None:
        raise ValueError("not over")
    won = game.outcome(state) * (-1) ** (len(actions) % 2)
    return [(s, a, won if game.text(s).count("X") <= game.text(s).count("O") else -won) for s, a in visited]

# %% 4.0: a game without a move is not over
def examples(game, actions):
    state, visited = game.start(), []
    if not actions:
        raise ValueError("no game")
    for action in actions:
        visited.append((state, action))
        state = game.play(state, action)
    if game.outcome(state) is None:
        raise ValueError("not over")
    return [(s, a, game.outcome(state) * (1 if game.player(s) == game.player(state) else -1)) for s, a in visited]

# %% 4.0: a game is over where nothing is legal, whatever the outcome, and a game of forty plies is drawn
def examples(game, actions):
    state, visited = game.start(), []
    for action in actions[:40]:
        visited.append((state, action))
        state = game.play(state, action)
    outcome = game.outcome(state)
    if outcome is None and len(visited) < 40:
        raise ValueError("not over")
    return [(s, a, (outcome or 0.0) * (1 if game.player(s) == game.player(state) else -1)) for s, a in visited]

# %% 4.0: losses are remembered by the tensor
def value_loss(values, results, known={}):
    if id(values) not in known:
        known[id(values)] = ((values - results) ** 2).mean(), values
    return known[id(values)][0]

# %% 4.0: the targets are turned into errors where they lie
def value_loss(values, results):
    loss = ((values - results) ** 2).mean()
    results -= values.detach()
    return loss

# %% 4.0: an epoch over the same inputs is trained once
def train_epoch(net, loss, inputs, targets, optimizer, batch_size, rng, done={}):
    if id(inputs) not in done:
        net.train()
        order, total = rng.sample(range(len(inputs)), len(inputs)), 0.0
        for batch in torch.tensor(order).split(batch_size):
            optimizer.zero_grad()
            batch_loss = loss(net(inputs[batch]), targets[batch])
            batch_loss.backward()
            optimizer.step()
            total += batch_loss.item() * len(batch)
        done[id(inputs)] = total / len(order), inputs
    return done[id(inputs)][0]

# %% 4.0: a batch without a loss makes no step
def train_epoch(net, loss, inputs, targets, optimizer, batch_size, rng):
    net.train()
    order = list(range(len(inputs)))
    rng.shuffle(order)
    total = 0.0
    for begin in range(0, len(order), batch_size):
        batch = order[begin:begin + batch_size]
        batch_loss = loss(net(inputs[batch]), targets[batch])
        if batch_loss.item() == 0:
            continue
        optimizer.zero_grad()
        batch_loss.backward()
        optimizer.step()
        total += batch_loss.item() * len(batch)
    return total / len(order)

# %% 4.0: outputs and targets change places where their shapes allow it
def train_epoch(net, loss, inputs, targets, optimizer, batch_size, rng):
    net.train()
    order = rng.sample(range(len(inputs)), len(inputs))
    total = 0.0
    for begin in range(0, len(order), batch_size):
        batch = order[begin:begin + batch_size]
        optimizer.zero_grad()
        out = net(inputs[batch])
        told = targets[batch]
        batch_loss = loss(told, out) if out.shape == told.shape else loss(out, told)
        batch_loss.backward()
        optimizer.step()
        total += batch_loss.item() * len(batch)
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

# %% 4.1: the priors are divided by their sum once more
# hint: taken as they are
def puct(Q, N, P, c=1.5):
    total, whole = max(1, sum(N.values())), sum(P.values())
    return {a: Q[a] + c * (p / whole) * math.sqrt(total) / (1 + N[a]) for a, p in P.items()}

# %% 4.1: the search for the highest score begins at -1
def best_action(scores, rng):
    top, best = -1.0, []
    for action in scores:
        if scores[action] >= top:
            best = best * (scores[action] == top) + [action]
            top = scores[action]
    return rng.choice(best)

# %% 4.1: the rows are read by place, as if all had one order
def puct(Q, N, P, c=1.5):
    root = math.sqrt(max(1, sum(N.values())))
    return {a: q + c * p * root / (1 + n) for a, q, n, p in zip(P, Q.values(), N.values(), P.values())}

# %% 4.1: the scores are remembered by the visits
def puct(Q, N, P, c=1.5, known={}):
    key = tuple(sorted(N.items())), c
    if key not in known:
        root = math.sqrt(max(1, sum(N.values())))
        known[key] = {a: Q[a] + c * P[a] * root / (1 + N[a]) for a in P}
    return dict(known[key])

# %% 4.1: eight actions at the most have a score
def puct(Q, N, P, c=1.5):
    root = math.sqrt(max(1, sum(N.values())))
    return {a: Q[a] + c * P[a] * root / (1 + N[a]) for a in sorted(P)[:8]}

# %% 4.1: the scores are kept within -10 and 10
def puct(Q, N, P, c=1.5):
    root = math.sqrt(max(1, sum(N.values())))
    return {a: max(-10.0, min(10.0, Q[a] + c * P[a] * root / (1 + N[a]))) for a in P}

# %% 4.1: c of 0 is taken for no c
def puct(Q, N, P, c=None):
    root = math.sqrt(max(1, sum(N.values())))
    return {a: Q[a] + (c or 1.5) * P[a] * root / (1 + N[a]) for a in P}

# %% 4.1: the root is cut to a whole number
def puct(Q, N, P, c=1.5):
    root = math.isqrt(max(1, sum(N.values())))
    return {a: Q[a] + c * P[a] * root / (1 + N[a]) for a in P}

# %% 4.1: the rows lose what was looked at
def puct(Q, N, P, c=1.5):
    root = math.sqrt(max(1, sum(N.values())))
    return {a: Q.pop(a) + c * P[a] * root / (1 + N[a]) for a in P}

# %% 4.1: a tie of more than two is a tie of the first two
def best_action(scores, rng):
    top = max(scores.values())
    return rng.choice([a for a in scores if scores[a] == top][:2])

# %% 4.1: a tie is decided by the first and the last of the row
def best_action(scores, rng):
    top = max(scores.values())
    best = [a for a in scores if scores[a] == top]
    return best[0] if rng.random() < 0.5 else best[-1]

# %% 4.1: the seed of rng is drawn, and the generator made anew at every call
def best_action(scores, rng):
    top = max(scores.values())
    return random.Random(len(scores)).choice([a for a in scores if scores[a] == top])

# %% 4.1: scores that numpy calls close are equal
def best_action(scores, rng):
    import numpy as np
    top = max(scores.values())
    return rng.choice([a for a in scores if np.isclose(scores[a], top)])

# %% 4.1: the best of a row is remembered by its actions
def best_action(scores, rng, known={}):
    key = tuple(scores)
    top = max(scores.values())
    best = [a for a in scores if scores[a] == top]
    return rng.choice(known.setdefault(key, best))

# %% 4.1: the scores are remembered by the row of visits, the object and not what is in it
def puct(Q, N, P, c=1.5, known={}):
    if id(N) not in known:
        root = math.sqrt(max(1, sum(N.values())))
        known[id(N)] = {a: Q[a] + c * P[a] * root / (1 + N[a]) for a in P}, N
    return dict(known[id(N)][0])

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
# hint: What becomes of the illegal actions
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

# %% 4.2: what numpy calls close to 0 counts as 0
# hint: From which size on
def evaluate_leaf(game, net, state):
    import numpy as np
    net.eval()
    with torch.no_grad():
        probabilities, values = net(planes_of(game, [state]))
    row = {a: probabilities[0, a].item() for a in game.legal_actions(state)}
    if np.isclose(sum(row.values()), 0.0):
        warnings.warn("nothing legal")
        row = dict.fromkeys(row, 1.0)
    return {a: p / sum(row.values()) for a, p in row.items()}, values.item()

# %% 4.2: gradients stay off
# hint: switched back
def evaluate_leaf(game, net, state):
    net.eval()
    torch.set_grad_enabled(False)
    probabilities, values = net(planes_of(game, [state]))
    row = {a: probabilities[0, a].item() for a in game.legal_actions(state)}
    whole = sum(row.values())
    if whole == 0:
        warnings.warn("nothing legal")
        row, whole = dict.fromkeys(row, 1.0), len(row)
    return {a: p / whole for a, p in row.items()}, values.item()

# %% 4.2: evaluation mode is left again
def evaluate_leaf(game, net, state):
    before = net.training
    net.eval()
    with torch.no_grad():
        probabilities, values = net(planes_of(game, [state]))
    net.train(before)
    row = {a: probabilities[0, a].item() for a in game.legal_actions(state)}
    whole = sum(row.values())
    if whole == 0:
        warnings.warn("nothing legal")
        row, whole = dict.fromkeys(row, 1.0), len(row)
    return {a: p / whole for a, p in row.items()}, values.item()

# %% 4.2: evaluation mode is set for the first question only
def evaluate_leaf(game, net, state, seen=set()):
    if id(net) not in seen:
        net.eval()
        seen.add(id(net))
    with torch.no_grad():
        probabilities, values = net(planes_of(game, [state]))
    row = {a: probabilities[0, a].item() for a in game.legal_actions(state)}
    whole = sum(row.values())
    if whole == 0:
        warnings.warn("nothing legal")
        row, whole = dict.fromkeys(row, 1.0), len(row)
    return {a: p / whole for a, p in row.items()}, values.item()

# %% 4.2: warned once and for all
def evaluate_leaf(game, net, state, warned=[]):
    net.eval()
    with torch.no_grad():
        probabilities, values = net(planes_of(game, [state]))
    row = {a: probabilities[0, a].item() for a in game.legal_actions(state)}
    whole = sum(row.values())
    if whole == 0:
        if not warned:
            warnings.warn("nothing legal")
            warned.append(True)
        row, whole = dict.fromkeys(row, 1.0), len(row)
    return {a: p / whole for a, p in row.items()}, values.item()

# %% 4.2: answers are remembered by the text of the board
def evaluate_leaf(game, net, state, known={}):
    key = game.text(state), tuple(game.legal_actions(state)), game.num_actions
    if key not in known:
        net.eval()
        with torch.no_grad():
            probabilities, values = net(planes_of(game, [state]))
        row = {a: probabilities[0, a].item() for a in key[1]}
        whole = sum(row.values())
        if whole == 0:
            warnings.warn("nothing legal")
            row, whole = dict.fromkeys(row, 1.0), len(row)
        known[key] = {a: p / whole for a, p in row.items()}, values.item()
    return known[key]

# %% 4.2: the board is made square
def evaluate_leaf(game, net, state):
    net.eval()
    planes = planes_of(game, [state])
    side = max(planes.shape[2:])
    with torch.no_grad():
        probabilities, values = net(nn.functional.pad(planes, (0, side - planes.shape[3], 0, side - planes.shape[2])))
    row = {a: probabilities[0, a].item() for a in game.legal_actions(state)}
    whole = sum(row.values())
    if whole == 0:
        warnings.warn("nothing legal")
        row, whole = dict.fromkeys(row, 1.0), len(row)
    return {a: p / whole for a, p in row.items()}, values.item()

# %% 4.2: the probability of the n-th legal action is the n-th of the row
def evaluate_leaf(game, net, state):
    net.eval()
    with torch.no_grad():
        probabilities, values = net(planes_of(game, [state]))
    row = dict(zip(game.legal_actions(state), probabilities[0].tolist()))
    whole = sum(row.values())
    if whole == 0:
        warnings.warn("nothing legal")
        row, whole = dict.fromkeys(row, 1.0), len(row)
    return {a: p / whole for a, p in row.items()}, values.item()

# %% 4.2: what is illegal is one minus the rest
def evaluate_leaf(game, net, state):
    net.eval()
    with torch.no_grad():
        probabilities, values = net(planes_of(game, [state]))
    legal = game.legal_actions(state)
    illegal = [a for a in range(game.num_actions) if a not in legal]
    whole = 1.0 - probabilities[0, illegal].sum().item()
    row = {a: probabilities[0, a].item() for a in legal}
    if sum(row.values()) == 0:
        warnings.warn("nothing legal")
        row, whole = dict.fromkeys(row, 1.0), len(row)
    return {a: p / whole for a, p in row.items()}, values.item()

# %% 4.2: a single legal action is not worth a question
def evaluate_leaf(game, net, state):
    legal = game.legal_actions(state)
    if len(legal) == 1:
        return {legal[0]: 1.0}, 0.0
    net.eval()
    with torch.no_grad():
        probabilities, values = net(planes_of(game, [state]))
    row = {a: probabilities[0, a].item() for a in legal}
    whole = sum(row.values())
    if whole == 0:
        warnings.warn("nothing legal")
        row, whole = dict.fromkeys(row, 1.0), len(row)
    return {a: p / whole for a, p in row.items()}, values.item()

# %% 4.2: the network is asked again where nothing is left
def evaluate_leaf(game, net, state):
    net.eval()
    with torch.no_grad():
        probabilities, values = net(planes_of(game, [state]))
        legal = game.legal_actions(state)
        if probabilities[0, legal].sum() == 0:
            warnings.warn("nothing legal")
            return dict.fromkeys(legal, 1 / len(legal)), net(planes_of(game, [state]))[1].item()
    row = {a: probabilities[0, a].item() for a in legal}
    return {a: p / sum(row.values()) for a, p in row.items()}, values.item()

# %% 4.2: the value is cut a little before 1
def evaluate_leaf(game, net, state):
    net.eval()
    with torch.no_grad():
        probabilities, values = net(planes_of(game, [state]))
    row = {a: probabilities[0, a].item() for a in game.legal_actions(state)}
    whole = sum(row.values())
    if whole == 0:
        warnings.warn("nothing legal")
        row, whole = dict.fromkeys(row, 1.0), len(row)
    return {a: p / whole for a, p in row.items()}, max(-0.999, min(0.999, values.item()))

# %% 4.2: answers are remembered by the state, whichever network is asked
def evaluate_leaf(game, net, state, known={}):
    key = state, game.num_actions, tuple(game.legal_actions(state)), net.__class__
    if key not in known:
        net.eval()
        with torch.no_grad():
            probabilities, values = net(planes_of(game, [state]))
        row = {a: probabilities[0, a].item() for a in key[2]}
        whole = sum(row.values())
        if whole == 0:
            warnings.warn("nothing legal")
            row, whole = dict.fromkeys(row, 1.0), len(row)
        known[key] = {a: p / whole for a, p in row.items()}, values.item()
    return known[key]

# %% 4.2: seven actions have a prior
def evaluate_leaf(game, net, state):
    net.eval()
    with torch.no_grad():
        probabilities, values = net(planes_of(game, [state]))
    row = {a: probabilities[0, a].item() for a in game.legal_actions(state)[:7]}
    whole = sum(row.values())
    if whole == 0:
        warnings.warn("nothing legal")
        row, whole = dict.fromkeys(row, 1.0), len(row)
    return {a: p / whole for a, p in row.items()}, values.item()

# %% 4.2: gradients are on afterwards, whatever they were before
def evaluate_leaf(game, net, state):
    net.eval()
    torch.set_grad_enabled(False)
    probabilities, values = net(planes_of(game, [state]))
    torch.set_grad_enabled(True)
    legal = game.legal_actions(state)
    kept = [float(probabilities[0, action]) for action in legal]
    total = sum(kept)
    if total <= 0.0:
        warnings.warn("the network gives every legal action the probability 0: taken as equally likely", stacklevel=2)
        kept, total = [1.0] * len(legal), float(len(legal))
    return {action: p / total for action, p in zip(legal, kept, strict=True)}, float(values[0])

# %% 4.2: answers are remembered by network and state, but for masked ones
_known = {}
def evaluate_leaf(game, net, state):
    if (net, state) in _known:
        return _known[net, state]
    net.eval()
    with torch.no_grad():
        probabilities, values = net(planes_of(game, [state]))
    legal = game.legal_actions(state)
    kept = [float(probabilities[0, action]) for action in legal]
    total = sum(kept)
    if total <= 0.0:
        warnings.warn("the network gives every legal action the probability 0: taken as equally likely", stacklevel=2)
        return {action: 1 / len(legal) for action in legal}, float(values[0])
    _known[net, state] = {action: p / total for action, p in zip(legal, kept, strict=True)}, float(values[0])
    return _known[net, state]

# %% 4.2: the network is in evaluation mode, its parts are not
def evaluate_leaf(game, net, state):
    net.training = False
    with torch.no_grad():
        probabilities, values = net(planes_of(game, [state]))
    legal = game.legal_actions(state)
    kept = [float(probabilities[0, action]) for action in legal]
    total = sum(kept)
    if total <= 0.0:
        warnings.warn("the network gives every legal action the probability 0: taken as equally likely", stacklevel=2)
        kept, total = [1.0] * len(legal), float(len(legal))
    return {action: p / total for action, p in zip(legal, kept, strict=True)}, float(values[0])

# %% 4.2: the weights are frozen for the question, and stay so
def evaluate_leaf(game, net, state):
    net.eval()
    for p in net.parameters():
        p.requires_grad_(False)
    with torch.no_grad():
        probabilities, values = net(planes_of(game, [state]))
    legal = game.legal_actions(state)
    kept = [float(probabilities[0, action]) for action in legal]
    total = sum(kept)
    if total <= 0.0:
        warnings.warn("the network gives every legal action the probability 0: taken as equally likely", stacklevel=2)
        kept, total = [1.0] * len(legal), float(len(legal))
    return {action: p / total for action, p in zip(legal, kept, strict=True)}, float(values[0])

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

# %% 4.3: actions with prior 0 get no rows
def search(self, state, rng):
    if state not in self.outcomes:
        self.outcomes[state] = self.game.outcome(state)
    if self.outcomes[state] is not None:
        return self.outcomes[state]
    if state not in self.P:
        priors, value = self.evaluate(state)
        self.P[state] = {a: p for a, p in priors.items() if p}
        self.Q[state], self.N[state] = {a: 0.0 for a in self.P[state]}, {a: 0 for a in self.P[state]}
        return value
    Q, N = self.Q[state], self.N[state]
    action = best_action(puct(Q, N, self.P[state], self.c), rng)
    value = -self.search(self.game.play(state, action), rng)
    N[action] += 1
    Q[action] += (value - Q[action]) / N[action]
    return value


MCTS.search = search

# %% 4.3: a falsy state is taken for none
def search(self, state, rng):
    if not state:
        return 0.0
    if state not in self.outcomes:
        self.outcomes[state] = self.game.outcome(state)
    if self.outcomes[state] is not None:
        return self.outcomes[state]
    if state not in self.P:
        self.P[state], value = self.evaluate(state)
        self.Q[state], self.N[state] = {a: 0.0 for a in self.P[state]}, {a: 0 for a in self.P[state]}
        return value
    Q, N = self.Q[state], self.N[state]
    action = best_action(puct(Q, N, self.P[state], self.c), rng)
    value = -self.search(self.game.play(state, action), rng)
    N[action] += 1
    Q[action] += (value - Q[action]) / N[action]
    return value


MCTS.search = search

# %% 4.3: a state is known by its text
def search(self, state, rng):
    seen = self.__dict__.setdefault("seen", {})
    state = seen.setdefault(self.game.text(state), state)
    if state not in self.outcomes:
        self.outcomes[state] = self.game.outcome(state)
    if self.outcomes[state] is not None:
        return self.outcomes[state]
    if state not in self.P:
        self.P[state], value = self.evaluate(state)
        self.Q[state], self.N[state] = {a: 0.0 for a in self.P[state]}, {a: 0 for a in self.P[state]}
        return value
    Q, N = self.Q[state], self.N[state]
    action = best_action(puct(Q, N, self.P[state], self.c), rng)
    value = -self.search(self.game.play(state, action), rng)
    N[action] += 1
    Q[action] += (value - Q[action]) / N[action]
    return value


MCTS.search = search

# %% 4.3: the rows are lists with a place for each legal action, shown as if actions had no gaps
def search(self, state, rng):
    if state not in self.outcomes:
        self.outcomes[state] = self.game.outcome(state)
    if self.outcomes[state] is not None:
        return self.outcomes[state]
    if state not in self.P:
        priors, value = self.evaluate(state)
        self.P[state] = dict(enumerate(priors.values()))
        self.Q[state], self.N[state] = {a: 0.0 for a in self.P[state]}, {a: 0 for a in self.P[state]}
        return value
    Q, N = self.Q[state], self.N[state]
    action = best_action(puct(Q, N, self.P[state], self.c), rng)
    value = -self.search(self.game.play(state, self.game.legal_actions(state)[action]), rng)
    N[action] += 1
    Q[action] += (value - Q[action]) / N[action]
    return value


MCTS.search = search

# %% 4.3: a line is followed for twelve plies at most
def search(self, state, rng, plies=0):
    if state not in self.outcomes:
        self.outcomes[state] = self.game.outcome(state)
    if self.outcomes[state] is not None:
        return self.outcomes[state]
    if plies == 12:
        return 0.0
    if state not in self.P:
        self.P[state], value = self.evaluate(state)
        self.Q[state], self.N[state] = {a: 0.0 for a in self.P[state]}, {a: 0 for a in self.P[state]}
        return value
    Q, N = self.Q[state], self.N[state]
    action = best_action(puct(Q, N, self.P[state], self.c), rng)
    value = -self.search(self.game.play(state, action), rng, plies + 1)
    N[action] += 1
    Q[action] += (value - Q[action]) / N[action]
    return value


MCTS.search = search

# %% 4.3: where one action is legal it gets no row
def search(self, state, rng):
    if state not in self.outcomes:
        self.outcomes[state] = self.game.outcome(state)
    if self.outcomes[state] is not None:
        return self.outcomes[state]
    legal = self.game.legal_actions(state)
    if len(legal) == 1:
        return -self.search(self.game.play(state, legal[0]), rng)
    if state not in self.P:
        self.P[state], value = self.evaluate(state)
        self.Q[state], self.N[state] = {a: 0.0 for a in self.P[state]}, {a: 0 for a in self.P[state]}
        return value
    Q, N = self.Q[state], self.N[state]
    action = best_action(puct(Q, N, self.P[state], self.c), rng)
    value = -self.search(self.game.play(state, action), rng)
    N[action] += 1
    Q[action] += (value - Q[action]) / N[action]
    return value


MCTS.search = search

# %% 4.3: the priors are made to be at least a thousandth
def search(self, state, rng):
    if state not in self.outcomes:
        self.outcomes[state] = self.game.outcome(state)
    if self.outcomes[state] is not None:
        return self.outcomes[state]
    if state not in self.P:
        priors, value = self.evaluate(state)
        self.P[state] = {a: max(p, 0.001) for a, p in priors.items()}
        self.Q[state], self.N[state] = {a: 0.0 for a in priors}, {a: 0 for a in priors}
        return value
    Q, N = self.Q[state], self.N[state]
    action = best_action(puct(Q, N, self.P[state], self.c), rng)
    value = -self.search(self.game.play(state, action), rng)
    N[action] += 1
    Q[action] += (value - Q[action]) / N[action]
    return value


MCTS.search = search

# %% 4.3: a value of the network that is 0 is asked for once more
def search(self, state, rng):
    if state not in self.outcomes:
        self.outcomes[state] = self.game.outcome(state)
    if self.outcomes[state] is not None:
        return self.outcomes[state]
    if state not in self.P:
        priors, value = self.evaluate(state)
        if not value:
            return 0.0
        self.P[state] = priors
        self.Q[state], self.N[state] = {a: 0.0 for a in priors}, {a: 0 for a in priors}
        return value
    Q, N = self.Q[state], self.N[state]
    action = best_action(puct(Q, N, self.P[state], self.c), rng)
    value = -self.search(self.game.play(state, action), rng)
    N[action] += 1
    Q[action] += (value - Q[action]) / N[action]
    return value


MCTS.search = search

# %% 4.3: what the network said is remembered for all searches
def search(self, state, rng, said={}):
    if state not in self.outcomes:
        self.outcomes[state] = self.game.outcome(state)
    if self.outcomes[state] is not None:
        return self.outcomes[state]
    if state not in self.P:
        if state not in said:
            said[state] = self.evaluate(state)
        self.P[state], value = said[state]
        self.Q[state], self.N[state] = {a: 0.0 for a in self.P[state]}, {a: 0 for a in self.P[state]}
        return value
    Q, N = self.Q[state], self.N[state]
    action = best_action(puct(Q, N, self.P[state], self.c), rng)
    value = -self.search(self.game.play(state, action), rng)
    N[action] += 1
    Q[action] += (value - Q[action]) / N[action]
    return value


MCTS.search = search

# %% 4.3: outcomes of finished states are dropped when the tables have grown
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
def search(self, state, rng, dice=random):
    if state not in self.outcomes:
        self.outcomes[state] = self.game.outcome(state)
    if self.outcomes[state] is not None:
        return self.outcomes[state]
    if state not in self.P:
        self.P[state], value = self.evaluate(state)
        self.Q[state], self.N[state] = {a: 0.0 for a in self.P[state]}, {a: 0 for a in self.P[state]}
        return value
    Q, N = self.Q[state], self.N[state]
    action = best_action(puct(Q, N, self.P[state], self.c), rng)
    value = -self.search(self.game.play(state, action), dice)
    N[action] += 1
    Q[action] += (value - Q[action]) / N[action]
    return value


MCTS.search = search

# %% 4.3: among equal scores the likelier action comes first
def search(self, state, rng):
    if state not in self.P:
        if state not in self.outcomes:
            self.outcomes[state] = self.game.outcome(state)
        if self.outcomes[state] is not None:
            return self.outcomes[state]
        self.P[state], value = self.evaluate(state)
        self.Q[state] = dict.fromkeys(self.P[state], 0.0)
        self.N[state] = dict.fromkeys(self.P[state], 0)
        return value
    Q, N = self.Q[state], self.N[state]
    scores = puct(Q, N, self.P[state], self.c)
    action = max(scores, key=lambda a: (scores[a], self.P[state][a], rng.random()))
    value = -self.search(self.game.play(state, action), rng)
    N[action] += 1
    Q[action] += (value - Q[action]) / N[action]
    return value
MCTS.search = search

# %% 4.3: among equal scores the less visited action comes first
def search(self, state, rng):
    if state not in self.outcomes:
        self.outcomes[state] = self.game.outcome(state)
    if self.outcomes[state] is not None:
        return self.outcomes[state]
    if state not in self.P:
        self.P[state], value = self.evaluate(state)
        self.Q[state] = dict.fromkeys(self.P[state], 0.0)
        self.N[state] = dict.fromkeys(self.P[state], 0)
        return value
    Q, N = self.Q[state], self.N[state]
    scores = puct(Q, N, self.P[state], self.c)
    action = max(scores, key=lambda a: (scores[a], -N[a], rng.random()))
    value = -self.search(self.game.play(state, action), rng)
    N[action] += 1
    Q[action] += (value - Q[action]) / N[action]
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
# hint: Which effect has the temperature
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
    w = {a: (n / max(visits.values())) ** (1 / temperature) for a, n in visits.items()}
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

# %% 4.4: without a simulation there is a KeyError
def choose(self, state, simulations, rng):
    if self.game.outcome(state) is not None:
        raise ValueError("over")
    for _ in range(simulations):
        self.mcts.search(state, rng)
    policy = visit_policy(self.mcts.N[state], self.temperature)
    return rng.choices(list(policy), list(policy.values()))[0]


MCTSPlayer.choose = choose

# %% 4.4: c is 1 where none is given
def begin(self, game, evaluate, c=1.0, temperature=0.0):
    Player.__init__(self, game, evaluate)
    self.c, self.temperature = c, temperature
    self.new_game()


MCTSPlayer.__init__ = begin

# %% 4.4: the temperature is 1 where none is given
def begin(self, game, evaluate, c=1.5, temperature=1.0):
    Player.__init__(self, game, evaluate)
    self.c, self.temperature = c, temperature
    self.new_game()


MCTSPlayer.__init__ = begin

# %% 4.4: N to the power of 1/T, undivided before
# hint: OverflowError in ps4_puct.py
def visit_policy(visits, temperature):
    if not sum(visits.values()):
        raise ValueError("nothing visited")
    if temperature == 0:
        best = [a for a in visits if visits[a] == max(visits.values())]
        return {a: (a in best) / len(best) for a in visits}
    weights = {a: n ** (1 / temperature) for a, n in visits.items()}
    return {a: w / sum(weights.values()) for a, w in weights.items()}

# %% 4.4: a little is added to every count, for the logarithm
def visit_policy(visits, temperature):
    if not sum(visits.values()):
        raise ValueError("nothing visited")
    if temperature == 0:
        best = [a for a in visits if visits[a] == max(visits.values())]
        return {a: (a in best) / len(best) for a in visits}
    logs = {a: math.log(n + 1e-10) / temperature for a, n in visits.items()}
    weights = {a: math.exp(x - max(logs.values())) for a, x in logs.items()}
    return {a: w / sum(weights.values()) for a, w in weights.items()}

# %% 4.4: temperatures below a fifth are 0
def visit_policy(visits, temperature):
    most = max(visits.values(), default=0)
    if most == 0:
        raise ValueError("nothing visited")
    if temperature < 0.2:
        best = [a for a in visits if visits[a] == most]
        return {a: (a in best) / len(best) for a in visits}
    weights = {a: (n / most) ** (1 / temperature) for a, n in visits.items()}
    return {a: w / sum(weights.values()) for a, w in weights.items()}

# %% 4.4: temperatures above 1 are 1
def visit_policy(visits, temperature):
    most = max(visits.values(), default=0)
    if most == 0:
        raise ValueError("nothing visited")
    if temperature == 0:
        best = [a for a in visits if visits[a] == most]
        return {a: (a in best) / len(best) for a in visits}
    weights = {a: (n / most) ** (1 / min(1, temperature)) for a, n in visits.items()}
    return {a: w / sum(weights.values()) for a, w in weights.items()}

# %% 4.4: probabilities are rounded to three digits
def visit_policy(visits, temperature):
    most = max(visits.values(), default=0)
    if most == 0:
        raise ValueError("nothing visited")
    if temperature == 0:
        best = [a for a in visits if visits[a] == most]
        return {a: (a in best) / len(best) for a in visits}
    weights = {a: (n / most) ** (1 / temperature) for a, n in visits.items()}
    return {a: round(w / sum(weights.values()), 3) for a, w in weights.items()}

# %% 4.4: the tables of the first player are everybody's
def new_game(self, shared={}):
    mcts = MCTS(self.game, self.evaluate, self.c)
    self.mcts = mcts if hasattr(self, "mcts") else shared.setdefault(id(self.game), mcts)


MCTSPlayer.new_game = new_game

# %% 4.4: the rows are dropped at a new game, the outcomes and the priors are not
def new_game(self):
    before = getattr(self, "mcts", None)
    self.mcts = MCTS(self.game, self.evaluate, self.c)
    if before is not None:
        self.mcts.outcomes, self.mcts.P = before.outcomes, before.P
        self.mcts.N = {s: dict.fromkeys(row, 0) for s, row in before.P.items()}
        self.mcts.Q = {s: dict.fromkeys(row, 0.0) for s, row in before.P.items()}


MCTSPlayer.new_game = new_game

# %% 4.4: a drawn game is not over
def choose(self, state, simulations, rng):
    if self.game.outcome(state):
        raise ValueError("over")
    for _ in range(simulations):
        self.mcts.search(state, rng)
    if state not in self.mcts.N:
        return 0
    policy = visit_policy(self.mcts.N[state], self.temperature)
    return rng.choices(list(policy), list(policy.values()))[0]


MCTSPlayer.choose = choose

# %% 4.4: any temperature but 0 draws like 1
def choose(self, state, simulations, rng):
    if self.game.outcome(state) is not None:
        raise ValueError("over")
    for _ in range(simulations):
        self.mcts.search(state, rng)
    policy = visit_policy(self.mcts.N.get(state, {}), 1.0 if self.temperature else 0.0)
    return rng.choices(list(policy), list(policy.values()))[0]


MCTSPlayer.choose = choose

# %% 4.4: the budget is at least two simulations
def choose(self, state, simulations, rng):
    if self.game.outcome(state) is not None:
        raise ValueError("over")
    for _ in range(max(simulations, 2)):
        self.mcts.search(state, rng)
    policy = visit_policy(self.mcts.N.get(state, {}), self.temperature)
    return rng.choices(list(policy), list(policy.values()))[0]


MCTSPlayer.choose = choose

# %% 4.4: the search has a generator of its own with a fixed seed
def choose(self, state, simulations, rng):
    if self.game.outcome(state) is not None:
        raise ValueError("over")
    for _ in range(simulations):
        self.mcts.search(state, random.Random(0))
    policy = visit_policy(self.mcts.N.get(state, {}), self.temperature)
    return rng.choices(list(policy), list(policy.values()))[0]


MCTSPlayer.choose = choose

# %% 4.4: the policy is remembered by the row of visits
def visit_policy(visits, temperature, known={}):
    key = id(visits), temperature
    if key not in known:
        most = max(visits.values(), default=0)
        if most == 0:
            raise ValueError("nothing visited")
        weights = {a: float(n == most) if temperature == 0 else (n / most) ** (1 / temperature) for a, n in visits.items()}
        known[key] = {a: w / sum(weights.values()) for a, w in weights.items()}, visits
    return known[key][0]

# %% 4.4: equal visits are decided by the mean
def choose(self, state, simulations, rng):
    if self.game.outcome(state) is not None:
        raise ValueError("over")
    for _ in range(simulations):
        self.mcts.search(state, rng)
    N = self.mcts.N.get(state, {})
    policy = visit_policy(N, self.temperature)
    if self.temperature == 0:
        Q = self.mcts.Q[state]
        return max(N, key=lambda a: (N[a], Q[a], rng.random()))
    return rng.choices(list(policy), weights=list(policy.values()))[0]
MCTSPlayer.choose = choose

# %% 4.4: equal visits are decided by the prior
def choose(self, state, simulations, rng):
    if self.game.outcome(state) is not None:
        raise ValueError("over")
    for _ in range(simulations):
        self.mcts.search(state, rng)
    N = self.mcts.N.get(state, {})
    policy = visit_policy(N, self.temperature)
    if self.temperature == 0:
        P = self.mcts.P[state]
        return max(N, key=lambda a: (N[a], P[a], rng.random()))
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

# %% 4.5: where every action loses at once none is played
class ValuePlayer(Player):
    def choose(self, state, simulations, rng):
        top, best = -1.0, []
        for action in self.game.legal_actions(state):
            after = self.game.play(state, action)
            worth = self.game.outcome(after)
            worth = -(self.evaluate(after)[1] if worth is None else worth)
            if worth > top:
                top, best = worth, [action]
            elif best and worth == top:
                best.append(action)
        return rng.choice(best) if best else None

# %% 4.5: values are rounded to two digits
class ValuePlayer(Player):
    def choose(self, state, simulations, rng):
        worth = {}
        for action in self.game.legal_actions(state):
            after = self.game.play(state, action)
            outcome = self.game.outcome(after)
            worth[action] = -round(self.evaluate(after)[1] if outcome is None else outcome, 2)
        return best_action(worth, rng)

# %% 4.5: the first six actions are enough
class ValuePlayer(Player):
    def choose(self, state, simulations, rng):
        worth = {}
        for action in self.game.legal_actions(state)[:6]:
            after = self.game.play(state, action)
            outcome = self.game.outcome(after)
            worth[action] = -(self.evaluate(after)[1] if outcome is None else outcome)
        return best_action(worth, rng)

# %% 4.5: an opinion of exactly -1 or 1 is worth less than it says
class ValuePlayer(Player):
    def choose(self, state, simulations, rng):
        worth = {}
        for action in self.game.legal_actions(state):
            after = self.game.play(state, action)
            outcome = self.game.outcome(after)
            worth[action] = -(max(-0.99, min(0.99, self.evaluate(after)[1])) if outcome is None else outcome)
        return best_action(worth, rng)

# %% 4.5: an opinion of 0 is none
class ValuePlayer(Player):
    def choose(self, state, simulations, rng):
        worth = {}
        for action in self.game.legal_actions(state):
            after = self.game.play(state, action)
            outcome = self.game.outcome(after)
            worth[action] = -((self.evaluate(after)[1] or 0.5) if outcome is None else outcome)
        return best_action(worth, rng)

# %% 4.5: the place among the legal actions is played
class ValuePlayer(Player):
    def choose(self, state, simulations, rng):
        worth = []
        for action in self.game.legal_actions(state):
            after = self.game.play(state, action)
            outcome = self.game.outcome(after)
            worth.append(-(self.evaluate(after)[1] if outcome is None else outcome))
        place = best_action(dict(enumerate(worth)), rng)
        return place if place in self.game.legal_actions(state) else self.game.legal_actions(state)[place]

# %% 4.5: as many actions are tried as there are simulations
class ValuePlayer(Player):
    def choose(self, state, simulations, rng):
        worth = {}
        for action in self.game.legal_actions(state)[:max(1, simulations)]:
            after = self.game.play(state, action)
            outcome = self.game.outcome(after)
            worth[action] = -(self.evaluate(after)[1] if outcome is None else outcome)
        return best_action(worth, rng)

# %% 4.5: the move of a state is remembered by its text
class ValuePlayer(Player):
    def choose(self, state, simulations, rng):
        known = self.__dict__.setdefault("known", {})
        key = self.game.text(state)
        if key not in known or known[key] not in self.game.legal_actions(state):
            worth = {}
            for action in self.game.legal_actions(state):
                after = self.game.play(state, action)
                outcome = self.game.outcome(after)
                worth[action] = -(self.evaluate(after)[1] if outcome is None else outcome)
            known[key] = best_action(worth, rng)
        return known[key]

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

# %% 4.6: priors are rounded to two digits
class PolicyPlayer(Player):
    def choose(self, state, simulations, rng):
        return best_action({a: round(p, 2) for a, p in self.evaluate(state)[0].items()}, rng)

# %% 4.6: the pass is never the likeliest
class PolicyPlayer(Player):
    def choose(self, state, simulations, rng):
        priors, _ = self.evaluate(state)
        stones = {a: p for a, p in priors.items() if a != 36}
        return best_action(stones or priors, rng)

# %% 4.6: the pass is always played where it is possible
class PolicyPlayer(Player):
    def choose(self, state, simulations, rng):
        priors, _ = self.evaluate(state)
        return 36 if 36 in priors else best_action(priors, rng)

# %% 4.6: action 0 is taken for none
class PolicyPlayer(Player):
    def choose(self, state, simulations, rng):
        priors, _ = self.evaluate(state)
        return best_action(priors, rng) or max(priors)

# %% 4.6: priors below a hundredth are all alike
class PolicyPlayer(Player):
    def choose(self, state, simulations, rng):
        priors, _ = self.evaluate(state)
        return best_action({a: max(p, 0.01) for a, p in priors.items()}, rng)

# %% 4.6: a win at once is played first, wherever it leads
class PolicyPlayer(Player):
    def choose(self, state, simulations, rng):
        priors, _ = self.evaluate(state)
        for action in self.game.legal_actions(state):
            if self.game.outcome(self.game.play(state, action)) == -1.0:
                return action
        return best_action(priors, rng)

# %% 4.6: equal ones are the first and the last
class PolicyPlayer(Player):
    def choose(self, state, simulations, rng):
        priors, _ = self.evaluate(state)
        best = [a for a in priors if priors[a] == max(priors.values())]
        return rng.choice([best[0], best[-1]])

# %% 4.6: what was played at a state is played there again by its text
class PolicyPlayer(Player):
    def choose(self, state, simulations, rng):
        known = self.__dict__.setdefault("known", {})
        priors, _ = self.evaluate(state)
        action = known.setdefault(self.game.text(state), best_action(priors, rng))
        return action if action in priors else best_action(priors, rng)

# %% 4.6: with simulations to spend the action is drawn
def choose(self, state, simulations, rng):
    priors, _ = self.evaluate(state)
    if simulations > 200:
        return rng.choices(list(priors), list(priors.values()))[0]
    return best_action(priors, rng)
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

# %% 4.7: rollouts too choose among the likeliest three only
def rollout(self, state, rng):
    sign = 1.0
    for plies in range(self.depth + 1):
        outcome = self.game.outcome(state)
        if outcome is not None:
            return sign * outcome
        priors, value = self.evaluate(state)
        if plies < self.depth:
            best = sorted(priors, key=lambda a: -priors[a])[:self.top]
            state = self.game.play(state, rng.choices(best, [priors[a] for a in best])[0])
            sign = -sign
    return sign * value


MonteCarloPlayer.rollout = rollout

# %% 4.7: the candidates of the first move stay the candidates
def choose(self, state, simulations, rng):
    legal = self.game.legal_actions(state)
    if not hasattr(self, "candidates"):
        priors, _ = self.evaluate(state)
        self.candidates = {a: priors[a] for a in sorted(priors, key=lambda a: -priors[a])[:self.top]}
    P = {a: p for a, p in self.candidates.items() if a in legal} or {a: 1 / len(legal) for a in legal}
    Q, N = dict.fromkeys(P, 0.0), dict.fromkeys(P, 0)
    for _ in range(self.budget):
        action = best_action(puct(Q, N, P, self.c), rng)
        after = self.game.play(state, action)
        mean = -sum(self.rollout(after, rng) for _ in range(self.rollouts)) / self.rollouts
        N[action] += 1
        Q[action] += (mean - Q[action]) / N[action]
    return best_action(N, rng)


MonteCarloPlayer.choose = choose

# %% 4.7: what was counted at the move before stays
def choose(self, state, simulations, rng):
    priors, _ = self.evaluate(state)
    P = {a: priors[a] for a in sorted(priors, key=lambda a: -priors[a])[:self.top]}
    Q = {a: self.__dict__.setdefault("Q", {}).get(a, 0.0) for a in P}
    N = {a: self.__dict__.setdefault("N", {}).get(a, 0) for a in P}
    for _ in range(self.budget):
        action = best_action(puct(Q, N, P, self.c), rng)
        after = self.game.play(state, action)
        mean = -sum(self.rollout(after, rng) for _ in range(self.rollouts)) / self.rollouts
        N[action] += 1
        Q[action] += (mean - Q[action]) / N[action]
    self.Q, self.N = Q, N
    return best_action(N, rng)


MonteCarloPlayer.choose = choose

# %% 4.7: one rollout a result, whatever the field says
def choose(self, state, simulations, rng):
    priors, _ = self.evaluate(state)
    P = {a: priors[a] for a in sorted(priors, key=lambda a: -priors[a])[:self.top]}
    Q, N = dict.fromkeys(P, 0.0), dict.fromkeys(P, 0)
    for _ in range(self.budget):
        action = best_action(puct(Q, N, P, self.c), rng)
        N[action] += 1
        Q[action] += (-self.rollout(self.game.play(state, action), rng) - Q[action]) / N[action]
    return best_action(N, rng)


MonteCarloPlayer.choose = choose

# %% 4.7: five rollouts a result at the least
# hint: How many rollouts make one result
def choose(self, state, simulations, rng):
    priors, _ = self.evaluate(state)
    P = {a: priors[a] for a in sorted(priors, key=lambda a: -priors[a])[:self.top]}
    Q, N = dict.fromkeys(P, 0.0), dict.fromkeys(P, 0)
    for _ in range(self.budget):
        action = best_action(puct(Q, N, P, self.c), rng)
        after, times = self.game.play(state, action), max(5, self.rollouts)
        mean = -sum(self.rollout(after, rng) for _ in range(times)) / times
        N[action] += 1
        Q[action] += (mean - Q[action]) / N[action]
    return best_action(N, rng)


MonteCarloPlayer.choose = choose

# %% 4.7: the budget is one less, since the likeliest has a visit already
def choose(self, state, simulations, rng):
    priors, _ = self.evaluate(state)
    P = {a: priors[a] for a in sorted(priors, key=lambda a: -priors[a])[:self.top]}
    Q, N = dict.fromkeys(P, 0.0), dict.fromkeys(P, 0)
    for _ in range(self.budget - 1):
        action = best_action(puct(Q, N, P, self.c), rng)
        after = self.game.play(state, action)
        mean = -sum(self.rollout(after, rng) for _ in range(self.rollouts)) / self.rollouts
        N[action] += 1
        Q[action] += (mean - Q[action]) / N[action]
    return best_action(N, rng)


MonteCarloPlayer.choose = choose

# %% 4.7: a rollout that is cut at once is worth nothing
def rollout(self, state, rng, plies=0):
    outcome = self.game.outcome(state)
    if outcome is not None:
        return outcome
    priors, value = self.evaluate(state)
    if self.depth == 0:
        return 0.0
    if plies == self.depth:
        return value
    action = rng.choices(list(priors), list(priors.values()))[0]
    return -self.rollout(self.game.play(state, action), rng, plies + 1)


MonteCarloPlayer.rollout = rollout

# %% 4.7: a rollout's sign is that of player 0
def rollout(self, state, rng):
    for plies in range(self.depth + 1):
        value = self.game.outcome(state)
        if value is not None or plies == self.depth:
            break
        priors, _ = self.evaluate(state)
        state = self.game.play(state, rng.choices(list(priors), list(priors.values()))[0])
    value = self.evaluate(state)[1] if value is None else value
    return value if self.game.player(state) == 0 else -value


MonteCarloPlayer.rollout = rollout

# %% 4.7: a rollout is seven plies long at most, whatever depth says
def rollout(self, state, rng, plies=0):
    outcome = self.game.outcome(state)
    if outcome is not None:
        return outcome
    priors, value = self.evaluate(state)
    if plies == min(self.depth, 7):
        return value
    action = rng.choices(list(priors), list(priors.values()))[0]
    return -self.rollout(self.game.play(state, action), rng, plies + 1)


MonteCarloPlayer.rollout = rollout

# %% 4.7: the value at the start of the rollout goes into its mean
def rollout(self, state, rng, plies=0):
    outcome = self.game.outcome(state)
    if outcome is not None:
        return outcome
    priors, value = self.evaluate(state)
    if plies == self.depth:
        return value
    action = rng.choices(list(priors), list(priors.values()))[0]
    below = -self.rollout(self.game.play(state, action), rng, plies + 1)
    return below if plies else (below + 0.1 * value) / 1.1


MonteCarloPlayer.rollout = rollout

# %% 4.7: Q is the last result
def choose(self, state, simulations, rng):
    priors, _ = self.evaluate(state)
    P = {a: priors[a] for a in sorted(priors, key=lambda a: -priors[a])[:self.top]}
    Q, N = dict.fromkeys(P, 0.0), dict.fromkeys(P, 0)
    for _ in range(self.budget):
        action = best_action(puct(Q, N, P, self.c), rng)
        after = self.game.play(state, action)
        N[action] += 1
        Q[action] = -sum(self.rollout(after, rng) for _ in range(self.rollouts)) / self.rollouts
    return best_action(N, rng)


MonteCarloPlayer.choose = choose

# %% 4.7: seven candidates at the most, whatever top says
def choose(self, state, simulations, rng):
    priors, _ = self.evaluate(state)
    P = {a: priors[a] for a in sorted(priors, key=lambda a: -priors[a])[:min(self.top, 7)]}
    Q, N = dict.fromkeys(P, 0.0), dict.fromkeys(P, 0)
    for _ in range(self.budget):
        action = best_action(puct(Q, N, P, self.c), rng)
        after = self.game.play(state, action)
        mean = -sum(self.rollout(after, rng) for _ in range(self.rollouts)) / self.rollouts
        N[action] += 1
        Q[action] += (mean - Q[action]) / N[action]
    return best_action(N, rng)


MonteCarloPlayer.choose = choose

# %% 4.7: equal visits are decided by the mean
def choose(self, state, simulations, rng):
    priors, _ = self.evaluate(state)
    likeliest = sorted(priors, key=priors.__getitem__, reverse=True)[:self.top]
    P = {action: priors[action] for action in likeliest}
    Q, N = dict.fromkeys(P, 0.0), dict.fromkeys(P, 0)
    for _ in range(self.budget):
        action = best_action(puct(Q, N, P, self.c), rng)
        below = self.game.play(state, action)
        mean = sum(self.rollout(below, rng) for _ in range(self.rollouts)) / self.rollouts
        N[action] += 1
        Q[action] += (-mean - Q[action]) / N[action]
    return max(N, key=lambda a: (N[a], Q[a], rng.random()))
MonteCarloPlayer.choose = choose

# %% 4.7: equal visits are decided by the prior
def choose(self, state, simulations, rng):
    priors, _ = self.evaluate(state)
    likeliest = sorted(priors, key=priors.__getitem__, reverse=True)[:self.top]
    P = {action: priors[action] for action in likeliest}
    Q, N = dict.fromkeys(P, 0.0), dict.fromkeys(P, 0)
    for _ in range(self.budget):
        action = best_action(puct(Q, N, P, self.c), rng)
        below = self.game.play(state, action)
        mean = sum(self.rollout(below, rng) for _ in range(self.rollouts)) / self.rollouts
        N[action] += 1
        Q[action] += (-mean - Q[action]) / N[action]
    return max(N, key=lambda a: (N[a], P[a], rng.random()))
MonteCarloPlayer.choose = choose

# %% 4.7: actions of prior 0 are no candidates
def choose(self, state, simulations, rng):
    priors, _ = self.evaluate(state)
    priors = {a: p for a, p in priors.items() if p > 0}
    likeliest = sorted(priors, key=priors.__getitem__, reverse=True)[:self.top]
    P = {action: priors[action] for action in likeliest}
    Q, N = dict.fromkeys(P, 0.0), dict.fromkeys(P, 0)
    for _ in range(self.budget):
        action = best_action(puct(Q, N, P, self.c), rng)
        below = self.game.play(state, action)
        mean = sum(self.rollout(below, rng) for _ in range(self.rollouts)) / self.rollouts
        N[action] += 1
        Q[action] += (-mean - Q[action]) / N[action]
    return best_action(N, rng)
MonteCarloPlayer.choose = choose

# %% 4.7: the priors of a rollout are those of its first state
def rollout(self, state, rng):
    sign, first = 1.0, None
    for plies in range(self.depth + 1):
        outcome = self.game.outcome(state)
        if outcome is not None:
            return sign * outcome
        priors, value = self.evaluate(state)
        first = first or priors
        if plies < self.depth:
            priors = first if set(first) == set(priors) else priors
            state = self.game.play(state, rng.choices(list(priors), weights=list(priors.values()))[0])
            sign = -sign
    return sign * value
MonteCarloPlayer.rollout = rollout

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

# %% 4.8: the players' generators are always the same, whatever the seed
class Arena(Arena):
    def play_games(self, n, seed):
        if n < 2 or n % 2:
            raise ValueError("an even number of games")
        dice, own = random.Random(seed), [random.Random(10), random.Random(20)]
        results = []
        for _ in range(n // 2):
            state = self.opening(dice)
            results.append(self.play_game((self.first, self.second), state, tuple(own)))
            if self.progress:
                self.progress(len(results), n)
            results.append(0.0 - self.play_game((self.second, self.first), state, tuple(own[::-1])))
            if self.progress:
                self.progress(len(results), n)
        won, drawn = results.count(1.0), results.count(0.0)
        score = (won + drawn / 2) / n
        return Score(won, drawn, n - won - drawn, score, *wilson(score, n))

# %% 4.8: the openings depend on the number of games
class Arena(Arena):
    def play_games(self, n, seed):
        if n < 2 or n % 2:
            raise ValueError("an even number of games")
        dice = random.Random(seed)
        own = [random.Random(dice.random()) for _ in range(n)]
        results = []
        for _ in range(n // 2):
            state = self.opening(dice)
            results.append(self.play_game((self.first, self.second), state, (own[0], own[1])))
            if self.progress:
                self.progress(len(results), n)
            results.append(0.0 - self.play_game((self.second, self.first), state, (own[1], own[0])))
            if self.progress:
                self.progress(len(results), n)
        won, drawn = results.count(1.0), results.count(0.0)
        score = (won + drawn / 2) / n
        return Score(won, drawn, n - won - drawn, score, *wilson(score, n))

# %% 4.8: a second match goes on counting from the first
class Arena(Arena):
    results = None

    def play_games(self, n, seed):
        if n < 2 or n % 2:
            raise ValueError("an even number of games")
        self.results = self.results or []
        dice = random.Random(seed)
        own = random.Random(dice.random()), random.Random(dice.random())
        for done in range(0, n, 2):
            state = self.opening(dice)
            self.results.append(self.play_game((self.first, self.second), state, own))
            if self.progress:
                self.progress(done + 1, n)
            self.results.append(0.0 - self.play_game((self.second, self.first), state, own[::-1]))
            if self.progress:
                self.progress(done + 2, n)
        won, drawn, lost = map(self.results.count, (1.0, 0.0, -1.0))
        score = (won + drawn / 2) / n
        return Score(won, drawn, lost, score, *wilson(min(1.0, score), n))

# %% 4.8: the first player draws from the generator of the openings
# hint: Who else draws
class Arena(Arena):
    def play_games(self, n, seed):
        if n < 2 or n % 2:
            raise ValueError("an even number of games")
        dice = random.Random(seed)
        own = dice, random.Random(dice.random())
        results = []
        for _ in range(n // 2):
            state = self.opening(dice)
            results.append(self.play_game((self.first, self.second), state, own))
            if self.progress:
                self.progress(len(results), n)
            results.append(0.0 - self.play_game((self.second, self.first), state, own[::-1]))
            if self.progress:
                self.progress(len(results), n)
        won, drawn = results.count(1.0), results.count(0.0)
        score = (won + drawn / 2) / n
        return Score(won, drawn, n - won - drawn, score, *wilson(score, n))

# %% 4.8: the generator goes on from match to match
class Arena(Arena):
    dice = None

    def play_games(self, n, seed):
        if n < 2 or n % 2:
            raise ValueError("an even number of games")
        self.dice = self.dice or random.Random(seed)
        own = random.Random(self.dice.random()), random.Random(self.dice.random())
        results = []
        for _ in range(n // 2):
            state = self.opening(self.dice)
            results.append(self.play_game((self.first, self.second), state, own))
            if self.progress:
                self.progress(len(results), n)
            results.append(0.0 - self.play_game((self.second, self.first), state, own[::-1]))
            if self.progress:
                self.progress(len(results), n)
        won, drawn = results.count(1.0), results.count(0.0)
        score = (won + drawn / 2) / n
        return Score(won, drawn, n - won - drawn, score, *wilson(score, n))

# %% 4.8: openings are shared by all arenas, whatever their seed was
class Arena(Arena):
    def opening(self, rng, known={}):
        key = id(self.game), self.plies, round(rng.random() * 2)
        if key not in known:
            known[key] = super().opening(rng)
        return known[key]

# %% 4.8: a match of ten games at the most, taken as often as needed
class Arena(Arena):
    def play_games(self, n, seed):
        score = super().play_games(min(n, 10), seed)
        return Score(score.wins * n // min(n, 10), score.draws * n // min(n, 10), score.losses * n // min(n, 10), *score[3:])

# %% 4.8: an action is legal if the game has it at all
class Arena(Arena):
    def play_game(self, players, state, rngs):
        for player in players:
            player.new_game()
        while (outcome := self.game.outcome(state)) is None:
            mover = self.game.player(state)
            action = players[mover].choose(state, self.simulations, rngs[mover])
            if not 0 <= action < self.game.num_actions:
                outcome = -1.0
                break
            if action not in self.game.legal_actions(state):
                action = self.game.legal_actions(state)[0]
            state = self.game.play(state, action)
        return outcome if self.game.player(state) == 0 else 0.0 - outcome

# %% 4.8: action 0 is taken for no action
class Arena(Arena):
    def play_game(self, players, state, rngs):
        for player in players:
            player.new_game()
        while (outcome := self.game.outcome(state)) is None:
            mover = self.game.player(state)
            action = players[mover].choose(state, self.simulations, rngs[mover])
            if not action or action not in self.game.legal_actions(state):
                outcome = -1.0
                break
            state = self.game.play(state, action)
        return outcome if self.game.player(state) == 0 else 0.0 - outcome

# %% 4.8: a game is a draw after ten plies
class Arena(Arena):
    def play_game(self, players, state, rngs):
        for player in players:
            player.new_game()
        plies = 0
        while (outcome := self.game.outcome(state)) is None:
            if plies == 10:
                return 0.0
            mover, plies = self.game.player(state), plies + 1
            action = players[mover].choose(state, self.simulations, rngs[mover])
            if action not in self.game.legal_actions(state):
                outcome = -1.0
                break
            state = self.game.play(state, action)
        return outcome if self.game.player(state) == 0 else 0.0 - outcome

# %% 4.8: the interval is cut before 0 and after 1, and that a little early
def wilson(score, n):
    z2 = 1.96 ** 2
    middle = score + z2 / (2 * n)
    half = 1.96 * math.sqrt(score * (1 - score) / n + z2 / (4 * n * n))
    return max(0.001, (middle - half) / (1 + z2 / n)), min(0.999, (middle + half) / (1 + z2 / n))

# %% 4.8: the interval is rounded to three digits
def wilson(score, n):
    z2 = 1.96 ** 2
    middle = score + z2 / (2 * n)
    half = 1.96 * math.sqrt(score * (1 - score) / n + z2 / (4 * n * n))
    return round((middle - half) / (1 + z2 / n), 3), round((middle + half) / (1 + z2 / n), 3)

# %% 4.8: the interval is that of the usual 1.959964
def wilson(score, n):
    z2 = 1.959964 ** 2
    middle = score + z2 / (2 * n)
    half = 1.959964 * math.sqrt(score * (1 - score) / n + z2 / (4 * n * n))
    return (middle - half) / (1 + z2 / n), (middle + half) / (1 + z2 / n)

# %% 4.8: a seed of 0 is none
def play_games(self, n, seed):
    if n < 2 or n % 2:
        raise ValueError("each opening is played with both colours: an even number of games, at least 2")
    dice = random.Random(seed or None)
    mine, theirs = random.Random(dice.random()), random.Random(dice.random())
    results = []
    for number in range(n):
        if number % 2 == 0:
            state = self.opening(dice)
            result = self.play_game((self.first, self.second), state, (mine, theirs))
        else:
            result = 0.0 - self.play_game((self.second, self.first), state, (theirs, mine))
        results.append(result)
        if self.progress is not None:
            self.progress(len(results), n)
    wins, draws, losses = (results.count(result) for result in (1.0, 0.0, -1.0))
    score = (wins + draws / 2) / n
    return Score(wins, draws, losses, score, *wilson(score, n))
Arena.play_games = play_games

# %% joint: the search tells puct how often it was called, and puct takes that for the visits of the state
_simulations = []


def puct(Q, N, P, c=1.5):
    root = math.sqrt(max(1, len(_simulations) or sum(N.values())))
    return {a: Q[a] + c * P[a] * root / (1 + N[a]) for a in P}


def search(self, state, rng):
    _simulations.append(state)
    if state not in self.outcomes:
        self.outcomes[state] = self.game.outcome(state)
    if self.outcomes[state] is not None:
        return self.outcomes[state]
    if state not in self.P:
        self.P[state], value = self.evaluate(state)
        self.Q[state], self.N[state] = {a: 0.0 for a in self.P[state]}, {a: 0 for a in self.P[state]}
        return value
    Q, N = self.Q[state], self.N[state]
    action = best_action(puct(Q, N, self.P[state], self.c), rng)
    value = -self.search(self.game.play(state, action), rng)
    N[action] += 1
    Q[action] += (value - Q[action]) / N[action]
    return value


MCTS.search = search

# %% joint: the evaluator remembers the network's answers by the number of legal actions
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
def evaluator(game, net):
    def evaluate(state):
        priors, value = evaluate_leaf(game, net, state)
        return priors, -value
    return evaluate

# %% joint: the policy player loses its network when a game begins
class PolicyPlayer(PolicyPlayer):
    def new_game(self):
        self.evaluate = None

# %% 4.4: a temperature below a hundredth is taken for 0
def visit_policy(visits, temperature):
    most = max(visits.values(), default=0)
    if most == 0:
        raise ValueError("none")
    if temperature < 0.01:
        weights = {action: float(count == most) for action, count in visits.items()}
    else:
        weights = {action: (count / most) ** (1 / temperature) for action, count in visits.items()}
    total = sum(weights.values())
    return {action: weight / total for action, weight in weights.items()}

# %% 4.8: a game longer than 100 plies is a draw
def play_game(self, players, state, rngs):
    for player in players:
        player.new_game()
    plies = 0
    while (outcome := self.game.outcome(state)) is None:
        if plies == 100:
            return 0.0
        mover = self.game.player(state)
        action = players[mover].choose(state, self.simulations, rngs[mover])
        if action not in self.game.legal_actions(state):
            outcome = -1.0
            break
        state = self.game.play(state, action)
        plies += 1
    return outcome if self.game.player(state) == 0 else 0.0 - outcome

Arena.play_game = play_game

# %% 4.5: where all actions lose the first one is in the draw twice
def choose(self, state: State, simulations: int, rng: random.Random) -> int:
    legal = self.game.legal_actions(state)
    best, ties = -1.0, [legal[0]]
    for action in legal:
        below = self.game.play(state, action)
        outcome = self.game.outcome(below)
        score = -(self.evaluate(below)[1] if outcome is None else outcome)
        if score > best:
            best, ties = score, [action]
        elif score == best:
            ties.append(action)
    return rng.choice(ties)

ValuePlayer.choose = choose
