# Right answers to ps5_alphazero in other styles. Each cell is appended to the solution; `make verify` wants all of its points.

# %% a network without convolutions, with batch normalisation
class Policy(nn.Module):
    def __init__(self, height, width, num_actions, channels=32, hidden=64):
        super().__init__()
        wide = 4 * channels
        self.body = nn.Sequential(nn.Flatten(), nn.Linear(2 * height * width, wide), nn.BatchNorm1d(wide), nn.GELU(),
                                  nn.Linear(4 * channels, hidden), nn.Tanh())
        self.policy_head = nn.Linear(hidden, num_actions)
        self.value_head = nn.Linear(hidden, 1)

    def forward(self, planes, legal):
        features = self.body(planes)
        logits = self.policy_head(features)
        impossible = torch.full_like(logits, -1e9)
        total = torch.logsumexp(torch.where(legal, logits, impossible), dim=-1, keepdim=True)
        return torch.where(legal, logits - total, impossible), self.value_head(features).tanh().view(-1)

# %% a network with residual blocks, whose impossible is the lowest float
class Block(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.first, self.second = nn.Conv2d(channels, channels, 3, padding=1), nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, x):
        return nn.functional.relu(x + self.second(nn.functional.relu(self.first(x))))


class Policy(nn.Module):
    def __init__(self, height, width, num_actions, channels=32, hidden=64):
        super().__init__()
        self.entry = nn.Conv2d(2, channels, 3, padding="same")
        self.blocks = nn.ModuleList([Block(channels) for _ in range(2)])
        self.features = nn.Linear(channels * height * width, hidden)
        self.policy_head, self.value_head = nn.Linear(hidden, num_actions), nn.Linear(hidden, 1)

    def forward(self, planes, legal):
        x = self.entry(planes)
        for block in self.blocks:
            x = block(x)
        x = nn.functional.leaky_relu(self.features(x.reshape(len(x), -1)))
        odds = self.policy_head(x)
        odds = odds - odds.masked_fill(~legal, -torch.inf).max(1, keepdim=True).values.nan_to_num(neginf=0.0).detach()
        shares = torch.exp(odds.clamp(max=30)) * legal
        log_p = odds - torch.log(shares.sum(1, keepdim=True).clamp(min=1e-30))
        lowest = torch.tensor(torch.finfo(torch.float32).min)
        return torch.where(legal, log_p, lowest), torch.tanh(self.value_head(x)[..., 0])

# %% the loss with einsum and mse_loss
def loss(log_p, value, policy_targets, value_targets):
    policy = torch.einsum("ba,ba->", policy_targets, log_p) / log_p.shape[0]
    return nn.functional.mse_loss(value, value_targets, reduction="mean") - policy

# %% the loss example by example, with plain loops
def loss(log_p, value, policy_targets, value_targets):
    total = torch.zeros(())
    for row, v, pi, z in zip(log_p, value, policy_targets, value_targets):
        total = total + (v - z).pow(2)
        for p, share in zip(row, pi):
            if share > 0:
                total = total - share * p
    return total / len(value)

# %% evaluate with inference_mode, numpy, and the mode put back
def evaluate(game, net, node):
    if not node.actions:
        return game.outcome(node.state)
    before = net.training
    net.train(False)
    with torch.inference_mode():
        answers = net(*as_batch(game, [node.state]))
    net.train(before)
    log_p, value = (answer.squeeze(0).numpy() for answer in answers)
    node.P = [float(np.exp(log_p[action])) for action in node.actions]
    return float(value)

# %% ucb with numpy
def ucb(node, c):
    counts = np.array(node.N)
    root = np.sqrt(np.maximum(counts.sum(), 1))
    return (np.array(node.Q) + c * np.array(node.P) * root / (counts + 1)).tolist()

# %% ucb with an index and a special case
def ucb(node, c):
    bounds = []
    for index in range(len(node.actions)):
        if sum(node.N) == 0:
            bounds.append(c * node.P[index])
        else:
            bounds.append(node.Q[index] + c * node.P[index] * sum(node.N) ** 0.5 / (1 + node.N[index]))
    return bounds

# %% action_probs with logarithms, and the last of several favourites
def action_probs(game, root, temperature):
    counts = dict(zip(root.actions, root.N))
    if not any(counts.values()):
        raise ValueError("nothing was searched")
    policy = np.zeros(game.num_actions, dtype=np.float64)
    if temperature == 0:
        policy[max(counts, key=lambda action: (counts[action], action))] = 1
        return policy
    logs = {action: math.log(count) / temperature for action, count in counts.items() if count}
    highest = max(logs.values())
    for action, log in logs.items():
        policy[action] = math.exp(log - highest)
    policy /= policy.sum()
    return policy

# %% swap_root through a dict, asking the rules first
def swap_root(game, root, action):
    state = game.play(root.state, action)
    known = dict(zip(root.actions, root.children))
    return known.get(action) or Node(game, state)

# %% noise from a numpy generator that is seeded from rng
import numpy as np


def add_dirichlet_noise(node, rng, epsilon=0.25):
    if len(node.P) == 0:
        raise ValueError("no priors")
    if node.noisy is False:
        dice = np.random.default_rng(rng.getrandbits(64))
        eta = dice.dirichlet(np.full(len(node.P), 10 / len(node.P)))
        node.P = ((1 - epsilon) * np.array(node.P) + epsilon * eta).tolist()
        node.noisy = True

# %% the number of random moves drawn in one go, and another move where one would end the game
def opening(game, rng):
    state = game.start()
    for _ in range(rng.choice([0, 0, 0, 0, 1, 2, 3, 4])):
        quiet = [after_it for after_it in (game.play(state, action) for action in game.legal_actions(state))
                 if game.outcome(after_it) is None]
        if not quiet:
            return state
        state = rng.choice(quiet)
    return state

# %% examples from the end to the beginning, in single precision
def make_examples(game, history, final):
    worth = {game.player(final): game.outcome(final), 1 - game.player(final): -game.outcome(final)}
    examples = []
    for state, policy in reversed(history):
        for turned, moved in reversed(game.symmetries(state, np.asarray(policy, dtype=np.float32))):
            examples.append((turned, moved, float(worth[game.player(state)])))
    return examples

# %% examples whose sign alternates from the last position
def make_examples(game, history, final):
    value, examples = game.outcome(final), []
    for state, policy in history[::-1]:
        value = -value  # a pass is a ply, too
        for pair in game.symmetries(state, policy):
            examples.insert(0, (*pair, value))
    return examples

# %% a move by cumulated shares, and the last of several favourites
def play_move(game, root, history, config, rng):
    policy = action_probs(game, root, 1)
    history += [(root.state, policy.copy())]
    if len(history) > config.exploring_plies:
        favourites = np.flatnonzero(policy == policy.max())
        return swap_root(game, root, int(favourites[-1]))
    mark = rng.random()
    for action in range(game.num_actions):
        mark -= policy[action]
        if policy[action] and mark < 0:
            break
    else:
        action = int(np.flatnonzero(policy)[-1])
    return swap_root(game, root, action)

# %% an episode that evaluates its own roots and never returns from its loop but at the end
def execute_episode(game, net, config, rng):
    node, history = Node(game, opening(game, rng)), []
    while True:
        if node.outcome is not None:
            return make_examples(game, history, node.state)
        if len(node.P) == 0:
            evaluate(game, net, node)
        add_dirichlet_noise(node, rng, epsilon=0.25)
        for _ in range(config.simulations):
            path, leaf = select(game, node, config.c, rng)
            back_up(path, evaluate(game, net, leaf))
        node = play_move(game, node, history, config, rng)

# %% a recursive episode
def execute_episode(game, net, config, rng, root=None, history=()):
    root = Node(game, opening(game, rng)) if root is None else root
    if root.outcome is not None:
        return make_examples(game, list(history), root.state)
    search(game, net, root, 0, config.c, rng)
    add_dirichlet_noise(root, rng)
    search(game, net, root, config.simulations, config.c, rng)
    so_far = list(history)
    return execute_episode(game, net, config, rng, play_move(game, root, so_far, config, rng), so_far)

# %% training with index lists, tensors made once, and the gradient zeroed after the step
def train_policy(game, net, optimizer, examples, config, rng):
    if len(examples) == 0:
        raise ValueError("no examples")
    planes, legal = as_batch(game, [state for state, _, _ in examples])
    pi = torch.tensor(np.stack([policy for _, policy, _ in examples]), dtype=torch.float32)
    z = torch.tensor([value for _, _, value in examples], dtype=torch.float32)
    net.train(True)
    optimizer.zero_grad(set_to_none=False)
    for epoch in range(config.epochs):
        numbers = list(range(len(examples)))
        rng.shuffle(numbers)
        losses = []
        while numbers:
            batch, numbers = numbers[:config.batch_size], numbers[config.batch_size:]
            log_p, v = net(planes[batch], legal[batch])
            error = loss(log_p, v, pi[batch], z[batch])
            error.backward()
            optimizer.step()
            optimizer.zero_grad()
            losses += [error.item()] * len(batch)
    return float(np.mean(losses))

# %% training with a DataLoader whose generator is seeded from rng
def train_policy(game, net, optimizer, examples, config, rng):
    if not examples:
        raise ValueError("no examples")
    states, policies, values = zip(*examples)
    data = torch.utils.data.TensorDataset(*as_batch(game, states), torch.tensor(np.array(policies), dtype=torch.float32),
                                          torch.tensor(values, dtype=torch.float32))
    dice = torch.Generator().manual_seed(rng.getrandbits(62))
    loader = torch.utils.data.DataLoader(data, batch_size=config.batch_size, shuffle=True, generator=dice)
    net.train()
    for _ in range(config.epochs):
        total = 0.0
        for planes, legal, pi, z in loader:
            for weights in net.parameters():
                weights.grad = None
            error = loss(*net(planes, legal), pi, z)
            error.backward()
            optimizer.step()
            total += float(error.detach()) * len(z)
    return total / len(data)

# %% learn with a deque
from collections import deque


def learn(training, num_iterations, self_play, train, on_iteration=None):
    kept = deque(training.window, maxlen=training.config.window)
    for _ in range(num_iterations):
        kept.extend(self_play(training))
        training.window = list(kept)
        train(training, list(kept))
        training.iteration = training.iteration + 1
        (on_iteration or (lambda run: None))(training)

# %% learn with slices and a while loop
def learn(training, num_iterations, self_play, train, on_iteration=None):
    last = training.iteration + num_iterations
    while training.iteration < last:
        together = [*training.window, *self_play(training)]
        training.window[:] = together[max(0, len(together) - training.config.window):]
        train(training, training.window)
        training.iteration += 1
        if on_iteration:
            on_iteration(training)

# %% a match with a recursive game, told by turns
def pit(game, new, old, openings):
    def value(state, mover, other):
        over = game.outcome(state)
        return over if over is not None else -value(game.play(state, mover(state)), other, mover)

    if len(openings) < 1:
        raise ValueError("no openings")
    results = [r for state in openings for r in (value(state, new, old), -value(state, old, new))]
    return sum({1.0: 1.0, 0.0: 0.5, -1.0: 0.0}[r] for r in results) / len(results)

# %% the gate with early returns
def keep_or_restore(training, before, score):
    if training.config.gate is None:
        return True
    if score < training.config.gate:
        training.net.load_state_dict(copy.deepcopy(before[0]))
        training.optimizer.load_state_dict(copy.deepcopy(before[1]))
        return False
    return True

# %% collect and scatter with index lists and an own way up
def collect(game, net, roots, c, rng):
    walks = []
    for root in roots:
        walks.append(select(game, root, c, rng))
    going_on = [index for index, (_, leaf) in enumerate(walks) if leaf.actions]
    net.eval()
    if going_on:
        with torch.no_grad():
            answers = net(*as_batch(game, [walks[index][1].state for index in going_on]))
        return walks, *answers
    return walks, torch.zeros((0, game.num_actions)), torch.zeros(0)


def scatter(walks, log_p, value):
    number = 0
    for path, leaf in walks:
        if leaf.outcome is None:
            leaf.P = log_p[number][leaf.actions].exp().tolist()
            worth = float(value[number])
            number += 1
        else:
            worth = leaf.outcome
        for height, (node, index) in enumerate(path[::-1], start=1):
            total = node.Q[index] * node.N[index] + worth * (-1) ** height
            node.N[index] += 1
            node.Q[index] = total / node.N[index]

# %% scatter in two rounds: the priors of all, then the values of all
def scatter(walks, log_p, value):
    waiting = [leaf for _, leaf in walks if leaf.outcome is None]
    worth = {}
    for leaf, row, v in zip(waiting, log_p.exp().numpy(), value.numpy()):
        leaf.P, worth[id(leaf)] = row[leaf.actions].astype(float).tolist(), float(v)
    for path, leaf in walks:
        back_up(path, worth.get(id(leaf), leaf.outcome))

# %% everything that is passed in is called by the names of its parameters
def evaluate(game, net, node):
    if node.outcome is not None:
        return node.outcome
    net.eval()
    planes, legal = as_batch(game, [node.state])
    with torch.no_grad():
        log_p, value = net(planes=planes, legal=legal)
    node.P = [float(p) for p in log_p[0, node.actions].exp()]
    return float(value[0])


def learn(training, num_iterations, self_play, train, on_iteration=None):
    for _ in range(num_iterations):
        new = self_play(training=training)
        training.window = (training.window + list(new))[-training.config.window:]
        train(training=training, examples=training.window)
        training.iteration += 1
        if on_iteration is not None:
            on_iteration(training=training)
    return training


def collect(game, net, roots, c, rng):
    walks = [select(game, root, c, rng) for root in roots]
    waiting = [leaf.state for _, leaf in walks if leaf.outcome is None]
    if not waiting:
        return walks, torch.zeros(0, game.num_actions), torch.zeros(0)
    before = net.training
    net.eval()
    planes, legal = as_batch(game, waiting)
    with torch.no_grad():
        log_p, value = net(planes=planes, legal=legal)
    net.train(before)
    return walks, log_p, value

# %% a match with all games of one colour first, and choosers called by name
def pit(game, new, old, openings):
    if len(openings) == 0:
        raise ValueError("no openings")
    wins = draws = 0
    for swapped in (False, True):
        for state in openings:
            first = game.player(state)
            while game.outcome(state) is None:
                mine = (game.player(state) == first) != swapped
                action = new(state=state) if mine else old(state=state)
                state = game.play(state, action)
            result = game.outcome(state) * (1 if (game.player(state) == first) != swapped else -1)
            wins, draws = wins + (result > 0), draws + (result == 0)
    return (wins + 0.5 * draws) / (2 * len(openings))

# %% a network with a hidden layer for each head, as in AlphaZero
class Policy(nn.Module):
    def __init__(self, height, width, num_actions, channels=32, hidden=64):
        super().__init__()
        self.shared = nn.Sequential(nn.Conv2d(2, channels, 3, padding=1), nn.ReLU(), nn.Conv2d(channels, channels, 3, padding=1),
                                    nn.ReLU(), nn.Flatten())
        self.for_policy = nn.Linear(channels * height * width, hidden)
        self.for_value = nn.Linear(channels * height * width, hidden)
        self.policy_head, self.value_head = nn.Linear(hidden, num_actions), nn.Linear(hidden, 1)

    def forward(self, planes, legal):
        features = self.shared(planes)
        logits = self.policy_head(torch.relu(self.for_policy(features)))
        log_p = nn.functional.log_softmax(logits.masked_fill(legal.logical_not(), -1e9), dim=-1)
        value = self.value_head(torch.relu(self.for_value(features)))
        return log_p.masked_fill(legal.logical_not(), -1e9), torch.tanh(value[:, 0])

# %% the loss by torch's own: a softmax of log-probabilities gives the same probabilities
def loss(log_p, value, policy_targets, value_targets):
    return nn.functional.mse_loss(value, value_targets) + nn.CrossEntropyLoss()(log_p, policy_targets)

# %% the loss by kl_div, with the targets' own entropy added
def loss(log_p, value, policy_targets, value_targets):
    divergence = nn.functional.kl_div(log_p, policy_targets, reduction="batchmean")
    entropy = torch.special.entr(policy_targets).sum(-1).mean()
    return (value - value_targets).square().mean() + divergence + entropy

# %% bounds in single precision, in a tuple
def ucb(node, c):
    n, q, p = (np.array(each, dtype=np.float32) for each in (node.N, node.Q, node.P))
    bounds = q + np.float32(c) * p * np.sqrt(max(np.float32(1), n.sum())) / (1 + n)
    return tuple(bounds.tolist())

# %% bounds as a list of numpy's numbers
def ucb(node, c):
    total = np.sqrt(max(1, np.sum(node.N)))
    return list(np.asarray(node.Q) + c * np.asarray(node.P) * total / (1.0 + np.asarray(node.N)))

# %% actions are numpy integers
def opening(game, rng):
    dice = np.random.default_rng(rng.getrandbits(64))
    state = game.start()
    begun = dice.random() < 0.5 and game.outcome(state) is None
    for _ in range(dice.integers(1, 5) if begun else 0):
        after = game.play(state, dice.choice(np.array(game.legal_actions(state))))
        if game.outcome(after) is not None:
            break
        state = after
    return state


def play_move(game, root, history, config, rng):
    policy = action_probs(game, root, 1)
    if len(history) < config.exploring_plies:
        action = np.random.default_rng(rng.getrandbits(64)).choice(game.num_actions, p=policy)
    else:
        action = np.argmax(policy)
    history.append((root.state, policy))
    return swap_root(game, root, action)

# %% results by a table of win, draw and loss, and whole numbers for values
def make_examples(game, history, final):
    told = {1: (1, -1), 0: (0, 0), -1: (-1, 1)}[int(game.outcome(final))]
    return [(turned, moved, told[game.player(state) != game.player(final)])
            for state, policy in history for turned, moved in game.symmetries(state, policy)]

# %% all successors are made before one is taken
def swap_root(game, root, action):
    successors = {each: game.play(root.state, each) for each in game.legal_actions(root.state)}
    if action not in successors:
        game.play(root.state, action)
    child = dict(zip(root.actions, root.children))[action]
    return Node(game, successors[action]) if child is None else child

# %% the gate answers 1 or 0, and puts back with a loop
def keep_or_restore(training, before, score):
    kept = np.bool_(training.config.gate is None or score >= training.config.gate)
    for part, saved in zip((training.net, training.optimizer), before) if not kept else ():
        part.load_state_dict(saved)
    return int(kept)

# %% the policy by torch, in double precision
def action_probs(game, root, temperature):
    visits = torch.tensor(root.N, dtype=torch.float64)
    if visits.sum() == 0:
        raise ValueError("nothing was searched")
    policy = torch.zeros(game.num_actions, dtype=torch.float64)
    if temperature == 0:
        policy[root.actions[int(visits.argmax())]] = 1
    else:
        policy[root.actions] = torch.softmax(visits.log() / temperature, dim=0)
    return policy.numpy()

# %% noise with numpy's numbers, and a mark that is always set
import numpy as np


def add_dirichlet_noise(node, rng, epsilon=0.25):
    if len(node.P) < 1:
        raise ValueError("evaluate the node first")
    if not node.noisy:
        gammas = np.array([rng.gammavariate(10 / len(node.P), 1) for _ in node.actions])
        node.P = list((1 - epsilon) * np.array(node.P) + epsilon * gammas / gammas.sum())
    node.noisy = True

# %% the mixture as one fraction, which rounds the last digit in another way
def add_dirichlet_noise(node, rng, epsilon=0.25):
    if not len(node.P):
        raise ValueError("no priors yet")
    if not node.noisy:
        draws = [rng.gammavariate(10 / len(node.P), 1.0) for _ in node.P]
        total = sum(draws)
        node.P = [((1 - epsilon) * total * prior + epsilon * draw) / total for prior, draw in zip(node.P, draws)]
    node.noisy = True

# %% classes that inherit from the given and from the written ones, and a helper shared by two exercises
class Policy(Policy):
    pass


def _answers(game, net, states):
    net.eval()
    with torch.inference_mode():
        return net(*as_batch(game, states))


def evaluate(game, net, node):
    if node.outcome is None:
        log_p, value = _answers(game, net, [node.state])
        scatter([([], node)], log_p, value)  # a later exercise does the rest
        return value.item()
    return node.outcome


def collect(game, net, roots, c, rng):
    walks = [select(game, root, c, rng) for root in roots]
    states = [leaf.state for path, leaf in walks if leaf.actions]
    return (walks, *(_answers(game, net, states) if states else (torch.empty(0, game.num_actions), torch.empty(0))))

# %% a scatter in numpy, with statistics in single precision
def scatter(walks, log_p, value):
    told, values, row = np.exp(log_p.numpy()), value.numpy(), 0
    for path, leaf in walks:
        worth = np.float32(leaf.outcome or 0)
        if leaf.outcome is None:
            leaf.P, worth, row = list(told[row, leaf.actions]), values[row], row + 1
        for node, index in reversed(path):
            worth = -worth
            node.Q[index] = (node.Q[index] * node.N[index] + worth) / (node.N[index] + 1)
            node.N[index] += 1

# %% a tower, and a 1 x 1 convolution and a hidden layer for each head; cross_entropy of each example; the winner or nobody
class Policy(nn.Module):
    def __init__(self, height, width, num_actions, channels=32, hidden=64):
        super().__init__()
        squares = height * width
        self.tower = nn.Sequential(nn.Conv2d(2, channels, 3, padding=1), nn.GroupNorm(1, channels), nn.SiLU(),
                                   nn.Conv2d(channels, channels, 3, padding=1), nn.SiLU())
        self.for_policy, self.for_value = (
            nn.Sequential(nn.Conv2d(channels, planes, 1), nn.SiLU(), nn.Flatten(), nn.Linear(planes * squares, hidden), nn.SiLU())
            for planes in (2, 1)
        )
        self.policy_head = nn.Linear(hidden, num_actions)
        self.value_head = nn.Linear(hidden, 1)

    def forward(self, planes, legal):
        shared = self.tower(planes)
        logits = self.policy_head(self.for_policy(shared)).masked_fill(~legal, -1e9)
        value = torch.tanh(self.value_head(self.for_value(shared)))
        return nn.functional.log_softmax(logits, dim=1).masked_fill(~legal, -1e9), value.reshape(-1)


def loss(log_p, value, policy_targets, value_targets):
    per_example = nn.functional.cross_entropy(log_p, policy_targets, reduction="none")
    return torch.mean(per_example + torch.square(value_targets - value))


def make_examples(game, history, final):
    outcome, player = game.outcome(final), game.player(final)
    winner = None if outcome == 0 else player if outcome > 0 else 1 - player
    examples = []
    for state, policy in history:
        if winner is None:
            value = 0.0
        elif winner == game.player(state):
            value = 1.0
        else:
            value = -1.0
        for turned, moved in game.symmetries(state, policy):
            examples.append((turned, moved, value))
    return examples

# %% plain layers, the last hidden one for each head; the loss by a second log_softmax and MSELoss; the sign of the outcome
def _layer(wide, narrow):
    return nn.Sequential(nn.Linear(wide, narrow), nn.LeakyReLU(0.1))


class Policy(nn.Module):
    def __init__(self, height, width, num_actions, channels=32, hidden=64):
        super().__init__()
        self.trunk = _layer(2 * height * width, channels * 4)
        self.policy_head_hidden, self.value_hidden = _layer(channels * 4, hidden), _layer(channels * 4, hidden)
        self.policy_head = nn.Linear(hidden, num_actions, bias=True)
        self.value_head = nn.Linear(hidden, 1, bias=True)

    def forward(self, planes, legal):
        x = self.trunk(planes.flatten(1))
        logits = torch.where(legal, self.policy_head(self.policy_head_hidden(x)), torch.tensor(-1e9))
        log_p = logits - logits.logsumexp(dim=1, keepdim=True)
        return torch.where(legal, log_p, torch.tensor(-1e9)), self.value_head(self.value_hidden(x)).squeeze(-1).tanh()


def loss(log_p, value, policy_targets, value_targets):
    policy = -torch.sum(policy_targets * nn.LogSoftmax(dim=1)(log_p)) / policy_targets.size(0)
    return nn.MSELoss()(value.view(-1), value_targets.view(-1)) + policy


def make_examples(game, history, final):
    signs = np.array([1, -1]) * int(np.sign(game.outcome(final)))
    if game.player(final) == 1:
        signs = signs[::-1]
    return [[turned, moved, signs[game.player(state)]]
            for state, policy in list(history)
            for turned, moved in game.symmetries(state, np.array(policy))]

# %% two hidden layers for each head in a ModuleDict; the loss by KLDivLoss, summed
class Policy(nn.Module):
    def __init__(self, height, width, num_actions, channels=32, hidden=64):
        super().__init__()
        self.convolution = nn.Conv2d(2, channels, kernel_size=3, padding=1)
        self.necks = nn.ModuleDict({
            head: nn.Sequential(nn.Flatten(), nn.Linear(channels * height * width, hidden), nn.ELU(),
                                nn.Linear(hidden, hidden), nn.ELU())
            for head in ("policy", "value")
        })
        self.policy_head = nn.Linear(hidden, num_actions)
        self.value_head = nn.Linear(hidden, 1)

    def forward(self, planes, legal):
        features = nn.functional.elu(self.convolution(planes))
        logits = self.policy_head(self.necks["policy"](features))
        value = self.value_head(self.necks["value"](features))[:, 0]
        illegal = torch.logical_not(legal)
        log_p = torch.log_softmax(logits.masked_fill(illegal, -1e9), dim=-1)
        return torch.where(illegal, torch.full_like(log_p, -1e9), log_p), torch.tanh(value)


def loss(log_p, value, policy_targets, value_targets):
    batch = log_p.shape[0]
    divergence = nn.KLDivLoss(reduction="sum")(log_p, policy_targets)
    certain = torch.xlogy(policy_targets, policy_targets).sum()
    squares = nn.functional.mse_loss(value, value_targets, reduction="sum")
    return (divergence - certain + squares) / batch

# %% everything that is passed in is called by keyword, in another order
def learn(training, num_iterations, self_play, train, on_iteration=None):
    size = training.config.window
    for _ in range(num_iterations):
        training.window.extend(self_play(training=training))
        training.window = training.window[-size:]
        train(examples=training.window, training=training)
        training.iteration += 1
        if callable(on_iteration):
            on_iteration(training=training)


def pit(game, new, old, openings):
    if len(openings) == 0:
        raise ValueError("no openings, no match")
    score = 0
    for opening_state in openings:
        mover = game.player(state=opening_state)
        for mine in (mover, 1 - mover):
            players, state = {mine: new, 1 - mine: old}, opening_state
            while game.outcome(state=state) is None:
                chooser = players[game.player(state=state)]
                state = game.play(action=chooser(state=state), state=state)
            score += {1: 1, 0: 0.5, -1: 0}[game.outcome(state=state) * (1 if game.player(state=state) == mine else -1)]
    return score / (2 * len(openings))


def collect(game, net, roots, c, rng):
    walks = [select(game=game, root=root, c=c, rng=rng) for root in roots]
    states = [leaf.state for _, leaf in walks if leaf.outcome is None]
    if len(states) == 0:
        return walks, torch.zeros(0, game.num_actions), torch.zeros(0)
    planes, legal = as_batch(game=game, states=states)
    with torch.inference_mode():
        log_p, value = net.eval()(legal=legal, planes=planes)
    return walks, log_p, value

# %% callbacks are bound with functools.partial, some arguments by place and some by keyword
from functools import partial


def learn(training, num_iterations, self_play, train, on_iteration=None):
    play, teach = partial(self_play, training=training), partial(train, training)
    tell = (lambda: None) if on_iteration is None else partial(on_iteration, training=training)
    for _ in range(num_iterations):
        examples = training.window + list(play())
        training.window = examples[max(0, len(examples) - training.config.window):]
        teach(examples=training.window)
        training.iteration += 1
        tell()


def pit(game, new, old, openings):
    if not openings:
        raise ValueError("no openings")
    points = []
    for state in openings:
        for mine in (game.player(state), 1 - game.player(state)):
            at = state
            while (over := game.outcome(at)) is None:
                at = game.play(at, partial(new if game.player(at) == mine else old, state=at)())
            points.append(over if game.player(at) == mine else -over)
    return 0.5 + sum(points) / len(points) / 2


def collect(game, net, roots, c, rng):
    walks = [select(game, root, c, rng) for root in roots]
    going_on = [leaf for _, leaf in walks if leaf.actions]
    if going_on:
        net.eval()
        planes, legal = as_batch(game, [leaf.state for leaf in going_on])
        with torch.no_grad():
            return (walks, *net(planes, legal=legal))
    return walks, torch.empty((0, game.num_actions)), torch.empty((0,))

# %% answers are asked for by a dict of keyword arguments, and numbers stay numpy's and torch's as long as they may
def evaluate(game, net, node):
    if node.outcome is not None:
        return np.float32(node.outcome)
    net.eval()
    inputs = dict(zip(("planes", "legal"), as_batch(game, [node.state])))
    with torch.inference_mode():
        log_p, value = net(**inputs)
    node.P = list(log_p[0].exp().numpy()[node.actions])
    return value.numpy()[0]


def ucb(node, c):
    root = np.float32(math.sqrt(max(sum(node.N), 1)))
    return [np.float32(node.Q[i]) + np.float32(c) * np.float32(node.P[i]) * root / np.float32(1 + node.N[i])
            for i in range(len(node.actions))]


def collect(game, net, roots, c, rng):
    walks = [[*select(game, root, c, rng)] for root in roots]
    states = [leaf.state for _, leaf in walks if leaf.outcome is None]
    answers = torch.zeros(0, game.num_actions), torch.zeros(0)
    if states:
        net.eval()
        inputs = dict(zip(("planes", "legal"), as_batch(game, states)))
        with torch.no_grad():
            answers = net(**inputs)
    return [walks, *answers]

# %% later exercises use earlier ones where they could do without
def swap_root(game, root, action):
    if action not in root.actions:
        return Node(game, game.play(root.state, action))  # the game says what is wrong
    index = root.actions.index(action)
    return root.children[index] or Node(game, game.play(root.state, action))


def play_move(game, root, history, config, rng):
    history.append((root.state, action_probs(game, root, temperature=1)))
    drawn = len(history) <= config.exploring_plies
    policy = action_probs(game, root, temperature=1 if drawn else 0)
    (action,) = rng.choices(np.arange(game.num_actions), policy)
    return swap_root(game, root, action)


def execute_episode(game, net, config, rng):
    root, history = Node(game, opening(game, rng)), []
    while not root.outcome and root.actions:
        if not root.P:
            scatter(*collect(game, net, [root], config.c, rng))  # a root without priors is itself the leaf
        add_dirichlet_noise(root, rng)
        for _ in range(config.simulations):
            scatter(*collect(game, net, [root], config.c, rng))
        root = play_move(game, root, history, config, rng)
    return make_examples(game, history, final=root.state)

# %% classes that inherit everything, and a training that runs as a program only
class Policy(Policy):
    pass


class Node(Node):
    __slots__ = ()


if __name__ == "__main__":
    run = new_training(TicTacToe(), make_net(TicTacToe()), Config(games=8, simulations=25), seed=0)
    learn(run, 5, play_together, train_with_gate, lambda training: print(training.iteration, len(training.window)))
    save_weights(run.net)

# %% with temperature 0 the most visited share everything
def action_probs(game, root, temperature):
    if not sum(root.N):
        raise ValueError("no visits")
    weights = np.array(root.N) / max(root.N)
    weights = (weights == 1.0) * 1.0 if temperature == 0 else weights ** (1 / temperature)
    policy = np.zeros(game.num_actions)
    policy[root.actions] = weights / weights.sum()
    return policy

# %% the bug in a tree as a list, from a name
_named = first_wrong_node()


def first_wrong_node():
    answer = {"node": _named[0], "kind": _named[1]}
    return [answer["node"], answer["kind"]]

# %% 5.16 as a test class would be written, one property a method
class TestNoise:
    def __init__(self, add_dirichlet_noise):
        self.add = add_dirichlet_noise

    def root(self, size, *priors):
        root = Node(ToyGame({"s0": [f"s{i}" for i in range(1, size + 1)]}, {}), "s0")
        root.P = list(priors) + [0.0] * (size - len(priors))
        return root

    def the_weights_are_right(self):
        eta = self.root(4, 0.7, 0.3)
        self.add(eta, random.Random(1), 1.0)
        for epsilon in (None, 0.25, 0.6, 0.0):
            root = self.root(4, 0.7, 0.3)
            self.add(root, random.Random(1)) if epsilon is None else self.add(root, random.Random(1), epsilon)
            share = 0.25 if epsilon is None else epsilon
            for p, old, noise in zip(root.P, (0.7, 0.3, 0.0, 0.0), eta.P):
                assert abs(p - (1 - share) * old - share * noise) < 1e-9
        assert abs(sum(eta.P) - 1) < 1e-9 and all(eta.P)

    def noise_comes_once(self):
        root = self.root(4, 0.7, 0.3)
        assert not root.noisy
        self.add(root, random.Random(2))
        first, result = list(root.P), self.add(root, random.Random(3), 0.9)
        assert root.noisy is True and root.P == first and result is None

    def other_fields_stay(self):
        root = self.root(2, 1.0)
        root.N, root.Q = [3, 1], [0.5, -1.0]
        self.add(root, random.Random(4))
        assert (root.N, root.Q, root.actions, root.children) == ([3, 1], [0.5, -1.0], [0, 1], [None, None])

    def without_priors_it_raises(self):
        root, raised = self.root(0), False
        try:
            self.add(root, random.Random(5))
        except ValueError:
            raised = True
        assert raised and not root.noisy

    def draws_spread_as_they_should(self):
        rng = random.Random(6)
        for size in (6, 40):
            total, times = 0.0, 400
            for _ in range(times):
                root = self.root(size, 1.0)
                self.add(root, rng, epsilon=1.0)
                total += sum((p - 1 / size) ** 2 for p in root.P)
            assert abs(total / times / ((1 - 1 / size) / 11) - 1) < 0.25


def check_add_dirichlet_noise(add_dirichlet_noise):
    test = TestNoise(add_dirichlet_noise)
    test.the_weights_are_right()
    test.noise_comes_once()
    test.other_fields_stay()
    test.without_priors_it_raises()
    test.draws_spread_as_they_should()

# %% 5.16 with a margin of five standard errors, worked out from the draws
import statistics


def check_add_dirichlet_noise(add_dirichlet_noise):
    rng, game = random.Random("noise"), ToyGame({"s0": [f"s{i}" for i in range(1, 13)]}, {})

    def call(**named):
        node = Node(game, "s0")
        node.P = [1.0] + [0.0] * 11
        node.N[1], node.Q[1] = 2, -0.25
        add_dirichlet_noise(node=node, rng=rng, **named)
        assert sum(node.N) == 2 and sum(node.Q) == -0.25 and node.noisy
        assert abs(sum(node.P) - 1) < 1e-9 and min(node.P[1:]) > 0
        return node

    def near(numbers, true):
        error = statistics.stdev(numbers) / len(numbers) ** 0.5
        assert abs(statistics.fmean(numbers) - true) < 6 * error, (statistics.fmean(numbers), true)

    for named in ({}, {"epsilon": 0.75}, {"epsilon": 0.5}):
        epsilon = named.get("epsilon", 0.25)
        drawn = [call(**named).P for _ in range(900)]
        near([p[0] for p in drawn], 1 - epsilon + epsilon / 12)
        near([sum((one / epsilon - 1 / 12) ** 2 for one in p[1:]) for p in drawn], 11 * (1 / 12) * (11 / 12) / 11)
        assert len({tuple(p) for p in drawn}) == 900, "each call has its own draw"
    node = call()
    kept = node.P[:]
    for _ in range(3):
        add_dirichlet_noise(node, rng)
    assert node.P == kept
    for game in (ToyGame({}, {"s0": 1.0}), ToyGame({"s0": ["s1"]}, {})):
        try:
            add_dirichlet_noise(Node(game, "s0"), rng)
            raise AssertionError("no ValueError")
        except ValueError as error:
            assert not isinstance(error, AssertionError)

# %% 5.16 against an implementation of its own, by the mean and the spread of both
def _mixed(node, rng, epsilon=0.25):
    if len(node.P) == 0:
        raise ValueError
    if not node.noisy:
        draws = [rng.gammavariate(10 / len(node.P), 1) for _ in node.P]
        node.P = [p + epsilon * (draw / sum(draws) - p) for p, draw in zip(node.P, draws)]
        node.noisy = True


def check_add_dirichlet_noise(add_dirichlet_noise):
    def told(function, seed, epsilon, size, calls=1):
        node = Node(ToyGame({"s0": [f"s{i}" for i in range(1, 1 + size)]}, {}), "s0")
        node.P = [1.0, *[0.0] * (size - 1)]
        rng = random.Random(seed)
        try:
            for _ in range(calls):
                function(node, rng, *epsilon)
        except ValueError:
            return "ValueError"
        return node.P, node.N, node.Q, node.noisy, [round(sum(node.P), 9), min(node.P) > 0]

    for calls in (1, 2):
        mine, theirs = (told(one, 1, (), 5, calls) for one in (_mixed, add_dirichlet_noise))
        assert mine[1:] == theirs[1:]
    assert told(add_dirichlet_noise, 2, (0.3,), 5) == told(add_dirichlet_noise, 2, (0.3,), 5, calls=4)
    for epsilon in ((), (0.25,), (0.9,)):
        for size in (6, 30):
            rows = [[told(one, seed, epsilon, size)[0] for seed in range(150)] for one in (_mixed, add_dirichlet_noise)]
            mean = [sum(p[0] for p in row) / 150 for row in rows]
            spread = [sum(one * one for p in row for one in p[1:]) for row in rows]
            assert abs(mean[0] - mean[1]) < 0.05 and 2 / 3 < spread[0] / spread[1] < 3 / 2, (size, epsilon)
    assert told(add_dirichlet_noise, 5, (), 4) == told(add_dirichlet_noise, 5, (0.25,), 4)
    empty = Node(ToyGame({"s0": ["s1", "s2"]}, {}), "s0")
    try:
        add_dirichlet_noise(empty, random.Random(1))
    except ValueError:
        assert empty.P == [] and not empty.noisy
    else:
        assert False, "no priors, no error"

# %% 5.16 with raise in the place of assert, an exception of its own kind, and numpy's numbers
import numpy as np


class Broken(AssertionError):
    pass


def check_add_dirichlet_noise(add_dirichlet_noise):
    rng = random.Random(16)

    def insist(holds, words):
        if not holds:
            raise Broken(words)

    def noise(size, seed, epsilon):
        node = Node(ToyGame({"s0": [f"s{i}" for i in range(1, size + 1)]}, {}), "s0")
        node.P = np.linspace(0.0, 2 / size, size).tolist()
        before = np.array(node.P)
        insist(add_dirichlet_noise(node, random.Random(seed), **epsilon) is None, "nothing comes back")
        insist(node.noisy and not any(node.N) and not any(node.Q), "the fields")
        after = np.array(node.P)
        add_dirichlet_noise(node, rng, 0.75)
        insist(np.array_equal(after, node.P), "a second call")
        return before, after

    for size in (1, 2, 7, 15):
        for seed in range(3):
            before, eta = noise(size, seed, {"epsilon": 1.0})
            insist(np.isclose(eta.sum(), 1.0) and (eta > 0).all(), "eta")
            for epsilon in (0.0, 0.1, 0.25, 0.8):
                insist(np.allclose(noise(size, seed, {"epsilon": epsilon})[1], before + epsilon * (eta - before)), "mixture")
            insist(np.allclose(noise(size, seed, {})[1], 0.75 * before + 0.25 * eta), "default")
    for size in (6, 25):
        deviations = np.array([noise(size, seed, {"epsilon": 1.0})[1] for seed in range(300)]) - 1 / size
        insist(abs((deviations ** 2).sum(axis=1).mean() * 11 * size / (size - 1) - 1) < 0.25, "spread")
    state = rng.getstate()
    error = None
    try:
        add_dirichlet_noise(Node(ToyGame({"s0": ["s1"]}, {}), "s0"), rng)
    except Exception as caught:
        error = caught
    insist(type(error) is ValueError, "an error without priors")
    insist(rng.getstate() == state, "without priors nothing is drawn")

# %% 5.16 by the size of the largest number, and by equalities alone
def check_add_dirichlet_noise(add_dirichlet_noise):
    class Root:
        def __init__(self, *priors):
            self.P, self.noisy, self.outcome = list(priors), False, None
            self.N, self.Q, self.children = [1] * len(priors), [0.5] * len(priors), [None] * len(priors)
            self.actions = list(range(len(priors)))

        def noisy_priors(self, rng, *epsilon):
            add_dirichlet_noise(self, rng, *epsilon)
            assert self.N == [1] * len(self.P) and self.Q == [0.5] * len(self.P)
            return self.P

    equal = [random.Random(1).random() for _ in range(2)]
    assert equal[0] == equal[1]
    one, two = Root(0.5, 0.5, 0.0), Root(0.5, 0.5, 0.0)
    assert one.noisy_priors(random.Random(5)) == two.noisy_priors(random.Random(5), 0.25)
    assert one.P != Root(0.5, 0.5, 0.0).noisy_priors(random.Random(5), 0.5)
    assert Root(0.5, 0.5, 0.0).noisy_priors(random.Random(5), 0.0) == [0.5, 0.5, 0.0]
    assert one.P[2] > 0 and one.P[0] > 0.37 and one.P[1] > 0.37 and abs(sum(one.P) - 1) < 1e-9
    kept = list(one.P)
    assert one.noisy_priors(random.Random(6)) == kept and one.noisy
    try:
        Root().noisy_priors(random.Random(7))
    except ValueError:
        pass
    else:
        raise AssertionError("a root without priors")
    rng = random.Random(516)
    # the mean of the largest of 20 numbers of eta: .21 for parameters 1/2, .18 for 1, .08 for 10
    largest = sum(max(Root(*[0.05] * 20).noisy_priors(rng, 1.0)) for _ in range(2500)) / 2500
    assert 0.20 < largest < 0.26, largest

# %% a convolution that also sees where each square is, from a buffer
class Policy(nn.Module):
    def __init__(self, height, width, num_actions, channels=32, hidden=64):
        super().__init__()
        rows, columns = torch.meshgrid(torch.linspace(-1, 1, height), torch.linspace(-1, 1, width), indexing="ij")
        self.register_buffer("places", torch.stack([rows, columns])[None])
        self.body = nn.Sequential(nn.Conv2d(4, channels, 3, padding=1), nn.ReLU(), nn.Flatten(),
                                  nn.Linear(channels * height * width, hidden), nn.ReLU())
        self.policy_head, self.value_head = nn.Linear(hidden, num_actions), nn.Linear(hidden, 1)

    def forward(self, planes, legal):
        x = self.body(torch.cat([planes, self.places.expand(len(planes), -1, -1, -1)], dim=1))
        log_p = self.policy_head(x).masked_fill(~legal, -1e9).log_softmax(1).masked_fill(~legal, -1e9)
        return log_p, self.value_head(x).tanh()[:, 0]

# %% an embedding of what is on each square: nothing, mine, theirs
class Policy(nn.Module):
    def __init__(self, height, width, num_actions, channels=32, hidden=64):
        super().__init__()
        self.stones = nn.Embedding(3, channels)
        self.features = nn.Linear(channels * height * width, hidden)
        self.policy_head, self.value_head = nn.Linear(hidden, num_actions), nn.Linear(hidden, 1)

    def forward(self, planes, legal):
        what = planes[:, 0].long() + 2 * planes[:, 1].long()
        x = torch.relu(self.features(self.stones(what).flatten(1)))
        log_p = self.policy_head(x).masked_fill(~legal, -1e9).log_softmax(1).masked_fill(~legal, -1e9)
        return log_p, self.value_head(x).tanh()[:, 0]

# %% priors come in a tuple
swap("evaluate", "log_p[0, node.actions].exp().tolist()", "tuple(log_p[0, node.actions].exp().tolist())")
swap("scatter", "[probabilities[action] for action in leaf.actions]", "tuple(probabilities[action] for action in leaf.actions)")
