# %% 5.1: the mask comes after the softmax, illegal actions keep their share of the probability
def forward(self, planes, legal):
    x = torch.relu(self.conv1(planes))
    x = torch.relu(self.conv2(x))
    x = torch.relu(self.hidden(x.flatten(1)))
    log_p = torch.log_softmax(self.policy_head(x), dim=1)
    log_p = log_p.masked_fill(~legal, -1e9)
    value = torch.tanh(self.value_head(x)).squeeze(1)
    return log_p, value

Policy.forward = forward

# %% 5.1: masked before the softmax only, a row without legal actions gets equal probabilities
def forward(self, planes, legal):
    x = torch.relu(self.conv1(planes))
    x = torch.relu(self.conv2(x))
    x = torch.relu(self.hidden(x.flatten(1)))
    logits = self.policy_head(x).masked_fill(~legal, -1e9)
    value = torch.tanh(self.value_head(x)).squeeze(1)
    return torch.log_softmax(logits, dim=1), value

Policy.forward = forward

# %% 5.1: squeeze without a dimension, in a batch of one board the value loses its (B,) too
def forward(self, planes, legal):
    x = torch.relu(self.conv1(planes))
    x = torch.relu(self.conv2(x))
    x = torch.relu(self.hidden(x.flatten(1)))
    logits = self.policy_head(x).masked_fill(~legal, -1e9)
    log_p = torch.log_softmax(logits, dim=1).masked_fill(~legal, -1e9)
    value = torch.tanh(self.value_head(x)).squeeze()
    return log_p, value

Policy.forward = forward

# %% 5.2: Kullback-Leibler divergence in the place of the cross-entropy, too small by the entropy of pi
def loss(log_p, value, policy_targets, value_targets):
    value_loss = nn.functional.mse_loss(value, value_targets)
    policy_loss = nn.functional.kl_div(log_p, policy_targets, reduction="batchmean")
    return value_loss + policy_loss

# %% 5.2: only the most visited action of pi is learned
def loss(log_p, value, policy_targets, value_targets):
    value_loss = nn.functional.mse_loss(value, value_targets)
    policy_loss = nn.functional.nll_loss(log_p, policy_targets.argmax(dim=1))
    return value_loss + policy_loss

# %% 5.2: a mean over the actions instead of the sum
def loss(log_p, value, policy_targets, value_targets):
    value_loss = ((value_targets - value) ** 2).mean()
    policy_loss = -(policy_targets * log_p).mean()
    return value_loss + policy_loss

# %% 5.3: "if node.outcome" asks the network about a game that has ended in a draw
def evaluate(game, net, node):
    if node.outcome:
        return node.outcome
    net.eval()
    with torch.no_grad():
        log_p, value = net(*as_batch(game, [node.state]))
    node.P = [log_p[0, action].exp().item() for action in node.actions]
    return value[0].item()

# %% 5.3: eval mode is forgotten
def evaluate(game, net, node):
    if node.outcome is not None:
        return node.outcome
    with torch.no_grad():
        log_p, value = net(*as_batch(game, [node.state]))
    node.P = [log_p[0, action].exp().item() for action in node.actions]
    return value[0].item()

# %% 5.3: P has an entry for every action of the game, not for the legal ones of the node
def evaluate(game, net, node):
    if node.outcome is not None:
        return node.outcome
    net.eval()
    with torch.no_grad():
        log_p, value = net(*as_batch(game, [node.state]))
    node.P = log_p[0].exp().tolist()
    return value[0].item()

# %% 5.4: an action without a visit has an infinite bound, as in problem set 2
def ucb(node, c):
    root = math.sqrt(max(1, sum(node.N)))
    bounds = []
    for p, n, q in zip(node.P, node.N, node.Q):
        if n == 0:
            bounds.append(math.inf)
        else:
            bounds.append(q + c * p * root / (1 + n))
    return bounds

# %% 5.4: without the maximum, so before the first visit all bounds are 0
def ucb(node, c):
    total = sum(node.N)
    return [q + c * p * math.sqrt(total) / (1 + n) for p, n, q in zip(node.P, node.N, node.Q)]

# %% 5.4: c grows with the visits, as in AlphaZero's pseudo-code of 2018
def ucb(node, c):
    total = sum(node.N)
    weight = math.log((total + 19652 + 1) / 19652) + c
    root = math.sqrt(max(1, total))
    return [q + weight * p * root / (1 + n) for p, n, q in zip(node.P, node.N, node.Q)]

# %% 5.5: a softmax over the visits in the place of their power
def action_probs(game, root, temperature):
    visits = np.array(root.N, dtype=float)
    if visits.sum() == 0:
        raise ValueError("no action has a visit")
    if temperature == 0:
        weights = (visits == visits.max()).astype(float)
    else:
        weights = np.exp((visits - visits.max()) / temperature)
    policy = np.zeros(game.num_actions)
    policy[root.actions] = weights / weights.sum()
    return policy

# %% 5.5: the power of the counts themselves overflows at small temperatures
def action_probs(game, root, temperature):
    visits = np.array(root.N, dtype=float)
    if visits.sum() == 0:
        raise ValueError("no action has a visit")
    if temperature == 0:
        weights = (visits == visits.max()).astype(float)
    else:
        weights = visits ** (1 / temperature)
    policy = np.zeros(game.num_actions)
    policy[root.actions] = weights / weights.sum()
    return policy

# %% 5.5: the weights of the legal actions stand at the first places, not at their own
def action_probs(game, root, temperature):
    visits = np.array(root.N, dtype=float)
    if visits.sum() == 0:
        raise ValueError("no action has a visit")
    visits = visits / visits.max()
    if temperature == 0:
        weights = (visits == 1).astype(float)
    else:
        weights = visits ** (1 / temperature)
    policy = np.zeros(game.num_actions)
    for index, weight in enumerate(weights):
        policy[index] = weight / weights.sum()
    return policy

# %% 5.6: the action itself is used as index into the children
def swap_root(game, root, action):
    if action in root.actions and action < len(root.children):
        child = root.children[action]
        if child is not None:
            return child
    return Node(game, game.play(root.state, action))

# %% 5.6: a fresh child is hung into the old root
def swap_root(game, root, action):
    if action not in root.actions:
        game.play(root.state, action)
    index = root.actions.index(action)
    if root.children[index] is None:
        root.children[index] = Node(game, game.play(root.state, action))
    return root.children[index]

# %% 5.6: an illegal action raises what list.index raises, a plain ValueError and no IllegalMove
def swap_root(game, root, action):
    child = root.children[root.actions.index(action)]
    if child is None:
        child = Node(game, game.play(root.state, action))
    return child

# %% 5.7: alpha is .3, the number for chess, however many actions are legal
def add_dirichlet_noise(node, rng, epsilon=0.25):
    if not node.P:
        raise ValueError("no priors")
    if node.noisy:
        return
    draws = [rng.gammavariate(0.3, 1.0) for _ in node.actions]
    total = sum(draws)
    node.P = [(1 - epsilon) * p + epsilon * draw / total for p, draw in zip(node.P, draws)]
    node.noisy = True

# %% 5.7: noisy is set and never asked, so noise is mixed in again at each call
def add_dirichlet_noise(node, rng, epsilon=0.25):
    if not node.P:
        raise ValueError("no priors")
    alpha = 10 / len(node.actions)
    draws = [rng.gammavariate(alpha, 1.0) for _ in node.actions]
    total = sum(draws)
    node.P = [(1 - epsilon) * p + epsilon * draw / total for p, draw in zip(node.P, draws)]
    node.noisy = True

# %% 5.7: numpy's own generator draws the noise, rng is not used
def add_dirichlet_noise(node, rng, epsilon=0.25):
    if not node.P:
        raise ValueError("no priors")
    if node.noisy:
        return
    count = len(node.actions)
    eta = np.random.dirichlet([10 / count] * count)
    node.P = [float((1 - epsilon) * p + epsilon * e) for p, e in zip(node.P, eta)]
    node.noisy = True

# %% 5.8: the boards are turned and mirrored, their policies are not
def make_examples(game, history, final):
    outcome = game.outcome(final)
    examples = []
    for state, policy in history:
        value = outcome if game.player(state) == game.player(final) else 0.0 - outcome
        for turned, _ in game.symmetries(state, policy):
            examples.append((turned, policy, value))
    return examples

# %% 5.8: counts the plies after this one was appended, so one move too few is drawn
def play_move(game, root, history, config, rng):
    policy = action_probs(game, root, 1.0)
    history.append((root.state, policy))
    if len(history) < config.exploring_plies:
        action = rng.choices(range(game.num_actions), weights=policy)[0]
    else:
        action = int(np.argmax(policy))
    return swap_root(game, root, action)

# %% 5.8: only a root without priors gets noise, the one that was kept from the tree does not
def execute_episode(game, net, config, rng):
    root = Node(game, opening(game, rng))
    history = []
    while root.outcome is None:
        if not root.P:
            evaluate(game, net, root)
            add_dirichlet_noise(root, rng)
        search(game, net, root, config.simulations, config.c, rng)
        root = play_move(game, root, history, config, rng)
    return make_examples(game, history, root.state)

# %% 5.9: shuffles the caller's list in place
def train_policy(game, net, optimizer, examples, config, rng):
    if len(examples) == 0:
        raise ValueError("no examples")
    net.train()
    for _ in range(config.epochs):
        rng.shuffle(examples)
        total = 0.0
        for start in range(0, len(examples), config.batch_size):
            batch = examples[start:start + config.batch_size]
            states, policies, values = zip(*batch)
            log_p, value = net(*as_batch(game, states))
            batch_loss = loss(log_p, value, torch.from_numpy(np.array(policies)).float(), torch.tensor(values).float())
            optimizer.zero_grad()
            batch_loss.backward()
            optimizer.step()
            total += batch_loss.item() * len(batch)
    return total / len(examples)

# %% 5.9: shuffled once, every epoch has the same order and the same batches
def train_policy(game, net, optimizer, examples, config, rng):
    if len(examples) == 0:
        raise ValueError("no examples")
    net.train()
    shuffled = list(examples)
    rng.shuffle(shuffled)
    for _ in range(config.epochs):
        total = 0.0
        for start in range(0, len(shuffled), config.batch_size):
            batch = shuffled[start:start + config.batch_size]
            states, policies, values = zip(*batch)
            log_p, value = net(*as_batch(game, states))
            batch_loss = loss(log_p, value, torch.from_numpy(np.array(policies)).float(), torch.tensor(values).float())
            optimizer.zero_grad()
            batch_loss.backward()
            optimizer.step()
            total += batch_loss.item() * len(batch)
    return total / len(shuffled)

# %% 5.9: returns the mean loss of all epochs, not of the last one
def train_policy(game, net, optimizer, examples, config, rng):
    if len(examples) == 0:
        raise ValueError("no examples")
    net.train()
    total, count = 0.0, 0
    for _ in range(config.epochs):
        shuffled = list(examples)
        rng.shuffle(shuffled)
        for start in range(0, len(shuffled), config.batch_size):
            batch = shuffled[start:start + config.batch_size]
            states, policies, values = zip(*batch)
            log_p, value = net(*as_batch(game, states))
            batch_loss = loss(log_p, value, torch.from_numpy(np.array(policies)).float(), torch.tensor(values).float())
            optimizer.zero_grad()
            batch_loss.backward()
            optimizer.step()
            total += batch_loss.item() * len(batch)
            count += len(batch)
    return total / count

# %% 5.10: "too many" is negative while the window is not full, and then the slice cuts from the other end
def learn(training, num_iterations, self_play, train, on_iteration=None):
    for _ in range(num_iterations):
        training.window.extend(self_play(training))
        too_many = len(training.window) - training.config.window
        del training.window[:too_many]
        train(training, training.window)
        training.iteration += 1
        if on_iteration is not None:
            on_iteration(training)

# %% 5.10: num_iterations is taken for the total, a run that goes on makes too few
def learn(training, num_iterations, self_play, train, on_iteration=None):
    while training.iteration < num_iterations:
        training.window.extend(self_play(training))
        del training.window[:-training.config.window]
        train(training, training.window)
        training.iteration += 1
        if on_iteration is not None:
            on_iteration(training)

# %% 5.10: the oldest examples leave only after the training
def learn(training, num_iterations, self_play, train, on_iteration=None):
    for _ in range(num_iterations):
        training.window.extend(self_play(training))
        train(training, training.window)
        del training.window[:-training.config.window]
        training.iteration += 1
        if on_iteration is not None:
            on_iteration(training)

# %% 5.11: the players simply take turns, game.player is not asked
def pit(game, new, old, openings):
    if not openings:
        raise ValueError("no openings")
    points = 0.0
    for start in openings:
        for choosers in ((new, old), (old, new)):
            state, turn = start, 0
            while game.outcome(state) is None:
                state = game.play(state, choosers[turn](state))
                turn = 1 - turn
            result = game.outcome(state)
            if choosers[turn] is not new:
                result = -result
            points += (result + 1) / 2
    return points / (2 * len(openings))

# %% 5.11: the score must be above the gate, a match of draws does not pass a gate of .5
def keep_or_restore(training, before, score):
    if training.config.gate is None or score > training.config.gate:
        return True
    weights, moments = before
    training.net.load_state_dict(weights)
    training.optimizer.load_state_dict(moments)
    return False

# %% 5.11: only the weights are put back, the optimizer keeps the moments of the rejected training
def keep_or_restore(training, before, score):
    if training.config.gate is None or score >= training.config.gate:
        return True
    weights, _ = before
    training.net.load_state_dict(weights)
    return False

# %% 5.12: "not leaf.outcome" asks the network about drawn games as well
def collect(game, net, roots, c, rng):
    walks = [select(game, root, c, rng) for root in roots]
    states = [leaf.state for _, leaf in walks if not leaf.outcome]
    if not states:
        return walks, torch.zeros(0, game.num_actions), torch.zeros(0)
    net.eval()
    with torch.no_grad():
        log_p, value = net(*as_batch(game, states))
    return walks, log_p, value

# %% 5.12: the case that all leaves are finished is forgotten, an empty batch cannot be made
def collect(game, net, roots, c, rng):
    walks = [select(game, root, c, rng) for root in roots]
    states = [leaf.state for _, leaf in walks if leaf.outcome is None]
    net.eval()
    with torch.no_grad():
        log_p, value = net(*as_batch(game, states))
    return walks, log_p, value

# %% 5.12: the leaves get their priors here already
def collect(game, net, roots, c, rng):
    walks = [select(game, root, c, rng) for root in roots]
    leaves = [leaf for _, leaf in walks if leaf.outcome is None]
    if not leaves:
        return walks, torch.zeros(0, game.num_actions), torch.zeros(0)
    net.eval()
    with torch.no_grad():
        log_p, value = net(*as_batch(game, [leaf.state for leaf in leaves]))
    for leaf, row in zip(leaves, log_p):
        leaf.P = row[leaf.actions].exp().tolist()
    return walks, log_p, value

# %% 5.13: the answers are taken by the number of the tree, but finished leaves have none
def scatter(walks, log_p, value):
    for number, (path, leaf) in enumerate(walks):
        if leaf.outcome is not None:
            back_up(path, leaf.outcome)
        elif number < len(value):
            leaf.P = log_p[number, leaf.actions].exp().tolist()
            back_up(path, value[number].item())

# %% 5.13: a walk with an empty path is passed over, its root gets no priors and its answer goes to the next tree
def scatter(walks, log_p, value):
    row = 0
    for path, leaf in walks:
        if not path:
            continue
        if leaf.outcome is not None:
            back_up(path, leaf.outcome)
        else:
            leaf.P = log_p[row, leaf.actions].exp().tolist()
            back_up(path, value[row].item())
            row += 1

# %% 5.13: "if leaf.outcome" gives a drawn leaf an answer that belongs to another tree
def scatter(walks, log_p, value):
    answers = iter(zip(log_p, value))
    for path, leaf in walks:
        if leaf.outcome:
            back_up(path, leaf.outcome)
            continue
        row, v = next(answers, (None, torch.tensor(0.0)))
        if row is not None:
            leaf.P = row[leaf.actions].exp().tolist()
        back_up(path, v.item())
