# Wrong answers to ps5_alphazero. Each cell names the exercise that it breaks, and is appended to the solution.
# `make verify` wants every one to lose the points of that exercise, and of the joint check at most beside it.

# %% 5.1: the softmax goes over all actions, and the illegal ones are taken out afterwards
# hint: What share of the probability
def forward(self, planes, legal):
    x = torch.relu(self.conv2(torch.relu(self.conv1(planes))))
    x = torch.relu(self.hidden(x.flatten(1)))
    log_p = torch.log_softmax(self.policy_head(x), 1).masked_fill(~legal, -1e9)
    return log_p, torch.tanh(self.value_head(x))[:, 0]
Policy.forward = forward

# %% 5.1: illegal logits become -inf
def forward(self, planes, legal):
    x = torch.relu(self.conv2(torch.relu(self.conv1(planes))))
    x = torch.relu(self.hidden(x.flatten(1)))
    log_p = torch.log_softmax(self.policy_head(x).masked_fill(~legal, -math.inf), 1)
    return log_p, torch.tanh(self.value_head(x))[:, 0]
Policy.forward = forward

# %% 5.1: -1e9 before the softmax only, so that low logits lift it and an empty row gets equal shares
def forward(self, planes, legal):
    x = torch.relu(self.conv2(torch.relu(self.conv1(planes))))
    x = torch.relu(self.hidden(x.flatten(1)))
    log_p = torch.log_softmax(self.policy_head(x).masked_fill(~legal, -1e9), 1)
    return log_p, torch.tanh(self.value_head(x))[:, 0]
Policy.forward = forward

# %% 5.1: the softmax goes along the batch
def forward(self, planes, legal):
    x = torch.relu(self.conv2(torch.relu(self.conv1(planes))))
    x = torch.relu(self.hidden(x.flatten(1)))
    log_p = torch.log_softmax(self.policy_head(x).masked_fill(~legal, -1e9), 0).masked_fill(~legal, -1e9)
    return log_p, torch.tanh(self.value_head(x))[:, 0]
Policy.forward = forward

# %% 5.1: the softmax is taken twice
# hint: How many times does a softmax
def forward(self, planes, legal):
    x = torch.relu(self.conv2(torch.relu(self.conv1(planes))))
    x = torch.relu(self.hidden(x.flatten(1)))
    p = torch.softmax(self.policy_head(x), 1)
    log_p = torch.log_softmax(p.masked_fill(~legal, -1e9), 1).masked_fill(~legal, -1e9)
    return log_p, torch.tanh(self.value_head(x))[:, 0]
Policy.forward = forward

# %% 5.1: probabilities instead of their logarithms
def forward(self, planes, legal):
    x = torch.relu(self.conv2(torch.relu(self.conv1(planes))))
    x = torch.relu(self.hidden(x.flatten(1)))
    p = torch.softmax(self.policy_head(x).masked_fill(~legal, -1e9), 1)
    return p.masked_fill(~legal, -1e9), torch.tanh(self.value_head(x))[:, 0]
Policy.forward = forward

# %% 5.1: the mask is read the other way round
def forward(self, planes, legal):
    x = torch.relu(self.conv2(torch.relu(self.conv1(planes))))
    x = torch.relu(self.hidden(x.flatten(1)))
    log_p = torch.log_softmax(self.policy_head(x).masked_fill(legal, -1e9), 1).masked_fill(legal, -1e9)
    return log_p, torch.tanh(self.value_head(x))[:, 0]
Policy.forward = forward

# %% 5.1: an illegal logit counts as 0
def forward(self, planes, legal):
    x = torch.relu(self.conv2(torch.relu(self.conv1(planes))))
    x = torch.relu(self.hidden(x.flatten(1)))
    log_p = torch.log_softmax(self.policy_head(x) * legal, 1).masked_fill(~legal, -1e9)
    return log_p, torch.tanh(self.value_head(x))[:, 0]
Policy.forward = forward

# %% 5.1: the first board's mask holds for all
def forward(self, planes, legal):
    x = torch.relu(self.conv2(torch.relu(self.conv1(planes))))
    x = torch.relu(self.hidden(x.flatten(1)))
    log_p = torch.log_softmax(self.policy_head(x).masked_fill(~legal[0], -1e9), 1).masked_fill(~legal[0], -1e9)
    return log_p, torch.tanh(self.value_head(x))[:, 0]
Policy.forward = forward

# %% 5.1: -100 is taken for impossible
def forward(self, planes, legal):
    x = torch.relu(self.conv2(torch.relu(self.conv1(planes))))
    x = torch.relu(self.hidden(x.flatten(1)))
    log_p = torch.log_softmax(self.policy_head(x).masked_fill(~legal, -1e9), 1).masked_fill(~legal, -100.0)
    return log_p, torch.tanh(self.value_head(x))[:, 0]
Policy.forward = forward

# %% 5.1: a large epsilon keeps the logarithm finite
def forward(self, planes, legal):
    x = torch.relu(self.conv2(torch.relu(self.conv1(planes))))
    x = torch.relu(self.hidden(x.flatten(1)))
    odds = torch.exp(self.policy_head(x).clamp(-20, 20)) * legal
    p = odds / odds.sum(1, keepdim=True).clamp(min=1e-20)
    return torch.log(p + 0.001).masked_fill(~legal, -1e9), torch.tanh(self.value_head(x))[:, 0]
Policy.forward = forward

# %% 5.1: the value through a sigmoid
# hint: Between which two numbers
def forward(self, planes, legal):
    x = torch.relu(self.conv2(torch.relu(self.conv1(planes))))
    x = torch.relu(self.hidden(x.flatten(1)))
    log_p = torch.log_softmax(self.policy_head(x).masked_fill(~legal, -1e9), 1).masked_fill(~legal, -1e9)
    return log_p, torch.sigmoid(self.value_head(x))[:, 0]
Policy.forward = forward

# %% 5.1: the value without a tanh
# hint: What keeps the value
def forward(self, planes, legal):
    x = torch.relu(self.conv2(torch.relu(self.conv1(planes))))
    x = torch.relu(self.hidden(x.flatten(1)))
    log_p = torch.log_softmax(self.policy_head(x).masked_fill(~legal, -1e9), 1).masked_fill(~legal, -1e9)
    return log_p, self.value_head(x)[:, 0]
Policy.forward = forward

# %% 5.1: the value keeps a second dimension
def forward(self, planes, legal):
    x = torch.relu(self.conv2(torch.relu(self.conv1(planes))))
    x = torch.relu(self.hidden(x.flatten(1)))
    log_p = torch.log_softmax(self.policy_head(x).masked_fill(~legal, -1e9), 1).masked_fill(~legal, -1e9)
    return log_p, torch.tanh(self.value_head(x))
Policy.forward = forward

# %% 5.1: squeeze without a dimension loses the batch of one
def forward(self, planes, legal):
    x = torch.relu(self.conv2(torch.relu(self.conv1(planes))))
    x = torch.relu(self.hidden(x.flatten(1)))
    log_p = torch.log_softmax(self.policy_head(x).masked_fill(~legal, -1e9), 1).masked_fill(~legal, -1e9)
    return log_p, torch.tanh(self.value_head(x)).squeeze()
Policy.forward = forward

# %% 5.1: the batch is normalised by its own mean, in eval mode too
def forward(self, planes, legal):
    x = torch.relu(self.conv2(torch.relu(self.conv1(planes))))
    x = torch.relu(self.hidden(x.flatten(1)))
    x = x - x.mean(0)
    log_p = torch.log_softmax(self.policy_head(x).masked_fill(~legal, -1e9), 1).masked_fill(~legal, -1e9)
    return log_p, torch.tanh(self.value_head(x))[:, 0]
Policy.forward = forward

# %% 5.1: dropout stays on in eval mode
def forward(self, planes, legal):
    x = torch.relu(self.conv2(torch.relu(self.conv1(planes))))
    x = torch.dropout(torch.relu(self.hidden(x.flatten(1))), 0.5, True)
    log_p = torch.log_softmax(self.policy_head(x).masked_fill(~legal, -1e9), 1).masked_fill(~legal, -1e9)
    return log_p, torch.tanh(self.value_head(x))[:, 0]
Policy.forward = forward

# %% 5.1: the network does not look at the other player's stones
def forward(self, planes, legal):
    planes = planes * torch.tensor([1.0, 0.0]).view(1, 2, 1, 1)
    x = torch.relu(self.conv2(torch.relu(self.conv1(planes))))
    x = torch.relu(self.hidden(x.flatten(1)))
    log_p = torch.log_softmax(self.policy_head(x).masked_fill(~legal, -1e9), 1).masked_fill(~legal, -1e9)
    return log_p, torch.tanh(self.value_head(x))[:, 0]
Policy.forward = forward

# %% 5.1: the last column never reaches the heads
def forward(self, planes, legal):
    planes = torch.cat([planes[..., :-1], torch.zeros_like(planes[..., -1:])], dim=-1)
    x = torch.relu(self.conv2(torch.relu(self.conv1(planes))))
    x = torch.relu(self.hidden(x.flatten(1)))
    log_p = torch.log_softmax(self.policy_head(x).masked_fill(~legal, -1e9), 1).masked_fill(~legal, -1e9)
    return log_p, torch.tanh(self.value_head(x))[:, 0]
Policy.forward = forward

# %% 5.1: the body stands in a plain list, where the optimizer does not find it
class Policy(nn.Module):
    def __init__(self, height, width, num_actions, channels=32, hidden=64):
        super().__init__()
        self.body = [nn.Conv2d(2, channels, 3, padding=1), nn.Linear(channels * height * width, hidden)]
        self.policy_head, self.value_head = nn.Linear(hidden, num_actions), nn.Linear(hidden, 1)

    def forward(self, planes, legal):
        x = torch.relu(self.body[0](planes)).flatten(1)
        x = torch.relu(self.body[1](x))
        log_p = torch.log_softmax(self.policy_head(x).masked_fill(~legal, -1e9), 1).masked_fill(~legal, -1e9)
        return log_p, torch.tanh(self.value_head(x))[:, 0]

# %% 5.1: gradients are off in forward
def forward(self, planes, legal):
    with torch.no_grad():
        x = torch.relu(self.conv2(torch.relu(self.conv1(planes))))
        x = torch.relu(self.hidden(x.flatten(1)))
    log_p = torch.log_softmax(self.policy_head(x).masked_fill(~legal, -1e9), 1).masked_fill(~legal, -1e9)
    return log_p, torch.tanh(self.value_head(x))[:, 0]
Policy.forward = forward

# %% 5.1: the value does not train the body
def forward(self, planes, legal):
    x = torch.relu(self.conv2(torch.relu(self.conv1(planes))))
    x = torch.relu(self.hidden(x.flatten(1)))
    log_p = torch.log_softmax(self.policy_head(x).masked_fill(~legal, -1e9), 1).masked_fill(~legal, -1e9)
    return log_p, torch.tanh(self.value_head(x.detach()))[:, 0]
Policy.forward = forward

# %% 5.1: the policy does not train the body
def forward(self, planes, legal):
    x = torch.relu(self.conv2(torch.relu(self.conv1(planes))))
    x = torch.relu(self.hidden(x.flatten(1)))
    log_p = torch.log_softmax(self.policy_head(x.detach()).masked_fill(~legal, -1e9), 1).masked_fill(~legal, -1e9)
    return log_p, torch.tanh(self.value_head(x))[:, 0]
Policy.forward = forward

# %% 5.1: the heads have other names
class Policy(nn.Module):
    def __init__(self, height, width, num_actions, channels=32, hidden=64):
        super().__init__()
        self.body = nn.Linear(2 * height * width, hidden)
        self.policy, self.value = nn.Linear(hidden, num_actions), nn.Linear(hidden, 1)

    def forward(self, planes, legal):
        x = torch.relu(self.body(planes.flatten(1)))
        log_p = torch.log_softmax(self.policy(x).masked_fill(~legal, -1e9), 1).masked_fill(~legal, -1e9)
        return log_p, torch.tanh(self.value(x))[:, 0]

# %% 5.1: the sizes given to the constructor are not used
class Policy(nn.Module):
    def __init__(self, height, width, num_actions, channels=32, hidden=64):
        super().__init__()
        self.body = nn.Linear(2 * height * width, 64)
        self.policy_head, self.value_head = nn.Linear(64, num_actions), nn.Linear(64, 1)

    def forward(self, planes, legal):
        x = torch.relu(self.body(planes.flatten(1)))
        log_p = torch.log_softmax(self.policy_head(x).masked_fill(~legal, -1e9), 1).masked_fill(~legal, -1e9)
        return log_p, torch.tanh(self.value_head(x))[:, 0]

# %% 5.1: a 7 x 6 board and seven actions are built in
class Policy(nn.Module):
    def __init__(self, height, width, num_actions, channels=32, hidden=64):
        super().__init__()
        self.body = nn.Linear(2 * 6 * 7, hidden)
        self.policy_head, self.value_head = nn.Linear(hidden, 7), nn.Linear(hidden, 1)

    def forward(self, planes, legal):
        x = torch.relu(self.body(planes.flatten(1)))
        log_p = torch.log_softmax(self.policy_head(x).masked_fill(~legal, -1e9), 1).masked_fill(~legal, -1e9)
        return log_p, torch.tanh(self.value_head(x))[:, 0]

# %% 5.2: the policy term is a mean over the actions
# hint: Over what is the policy term a sum
def loss(log_p, value, policy_targets, value_targets):
    return ((value_targets - value) ** 2).mean() - (policy_targets * log_p).mean()

# %% 5.2: the loss of the batch is a sum
# hint: the sum or the mean
def loss(log_p, value, policy_targets, value_targets):
    return ((value_targets - value) ** 2).sum() - (policy_targets * log_p).sum()

# %% 5.2: the policy term has the wrong sign
# hint: Should a likely move
def loss(log_p, value, policy_targets, value_targets):
    return ((value_targets - value) ** 2 + (policy_targets * log_p).sum(1)).mean()

# %% 5.2: z as a column against v as a row makes a square of differences
# hint: one for each example
def loss(log_p, value, policy_targets, value_targets):
    return ((value_targets[:, None] - value) ** 2).mean() - (policy_targets * log_p).sum(1).mean()

# %% 5.2: the absolute difference of the values
def loss(log_p, value, policy_targets, value_targets):
    return ((value_targets - value).abs() - (policy_targets * log_p).sum(1)).mean()

# %% 5.2: half of the squared error
def loss(log_p, value, policy_targets, value_targets):
    return (0.5 * (value_targets - value) ** 2 - (policy_targets * log_p).sum(1)).mean()

# %% 5.2: cross_entropy is given probabilities and takes the softmax again
def loss(log_p, value, policy_targets, value_targets):
    policy = nn.functional.cross_entropy(log_p.exp(), policy_targets)
    return policy + nn.functional.mse_loss(value, value_targets)

# %% 5.2: only the search's favourite counts
def loss(log_p, value, policy_targets, value_targets):
    return ((value_targets - value) ** 2).mean() + nn.functional.nll_loss(log_p, policy_targets.argmax(1))

# %% 5.2: the logarithm is taken of the logarithm's exponential and a large epsilon
def loss(log_p, value, policy_targets, value_targets):
    return ((value_targets - value) ** 2 - (policy_targets * torch.log(log_p.exp() + 0.01)).sum(1)).mean()

# %% 5.2: squared differences for the policy, too
def loss(log_p, value, policy_targets, value_targets):
    return ((value_targets - value) ** 2 + ((policy_targets - log_p.exp()) ** 2).sum(1)).mean()

# %% 5.2: a plain number without a gradient
def loss(log_p, value, policy_targets, value_targets):
    return ((value_targets - value) ** 2 - (policy_targets * log_p).sum(1)).mean().item()

# %% 5.2: the value is detached
def loss(log_p, value, policy_targets, value_targets):
    return ((value_targets - value.detach()) ** 2 - (policy_targets * log_p).sum(1)).mean()

# %% 5.2: one term for each example, not averaged
def loss(log_p, value, policy_targets, value_targets):
    return (value_targets - value) ** 2 - (policy_targets * log_p).sum(1)

# %% 5.2: Kullback-Leibler instead of cross-entropy
def loss(log_p, value, policy_targets, value_targets):
    own = torch.where(policy_targets > 0, policy_targets.clamp(min=1e-12).log(), torch.zeros(()))
    return ((value_targets - value) ** 2 + (policy_targets * (own - log_p)).sum(1)).mean()

# %% 5.2: the value targets are turned around in place
def loss(log_p, value, policy_targets, value_targets):
    return ((value + value_targets.neg_()) ** 2 - (policy_targets * log_p).sum(1)).mean()

# %% 5.2: the entropy of the network is a bonus
def loss(log_p, value, policy_targets, value_targets):
    entropy = -(log_p.exp() * log_p.clamp(min=-1e4)).sum(1)
    return ((value_targets - value) ** 2 - (policy_targets * log_p).sum(1) - 0.01 * entropy).mean()

# %% 5.3: the network's value is turned around at the leaf
# hint: who turns the sign on the way up
def evaluate(game, net, node):
    if node.outcome is not None:
        return node.outcome
    net.eval()
    with torch.no_grad():
        log_p, value = net(*as_batch(game, [node.state]))
    node.P = log_p[0, node.actions].exp().tolist()
    return -value.item()

# %% 5.3: the network is asked at finished games, too
def evaluate(game, net, node):
    net.eval()
    with torch.no_grad():
        log_p, value = net(*as_batch(game, [node.state]))
    node.P = log_p[0, node.actions].exp().tolist()
    return value.item()

# %% 5.3: a draw counts as a game that goes on
def evaluate(game, net, node):
    if node.outcome:
        return node.outcome
    net.eval()
    with torch.no_grad():
        log_p, value = net(*as_batch(game, [node.state]))
    node.P = log_p[0, node.actions].exp().tolist()
    return value.item()

# %% 5.3: a finished game is worth what it is for the winner
def evaluate(game, net, node):
    if node.outcome is not None:
        return -node.outcome
    net.eval()
    with torch.no_grad():
        log_p, value = net(*as_batch(game, [node.state]))
    node.P = log_p[0, node.actions].exp().tolist()
    return value.item()

# %% 5.3: every finished game is lost for the player to move
def evaluate(game, net, node):
    if node.outcome is not None:
        return -1.0
    net.eval()
    with torch.no_grad():
        log_p, value = net(*as_batch(game, [node.state]))
    node.P = log_p[0, node.actions].exp().tolist()
    return value.item()

# %% 5.3: the network stays in the mode it is in
def evaluate(game, net, node):
    if node.outcome is not None:
        return node.outcome
    with torch.no_grad():
        log_p, value = net(*as_batch(game, [node.state]))
    node.P = log_p[0, node.actions].exp().tolist()
    return value.item()

# %% 5.3: gradients are recorded for every leaf
def evaluate(game, net, node):
    if node.outcome is not None:
        return node.outcome
    net.eval()
    log_p, value = net(*as_batch(game, [node.state]))
    node.P = log_p[0, node.actions].exp().tolist()
    return value.item()

# %% 5.3: P holds logarithms
# hint: Is log p a probability
def evaluate(game, net, node):
    if node.outcome is not None:
        return node.outcome
    net.eval()
    with torch.no_grad():
        log_p, value = net(*as_batch(game, [node.state]))
    node.P = log_p[0, node.actions].tolist()
    return value.item()

# %% 5.3: P has an entry for every action of the game
def evaluate(game, net, node):
    if node.outcome is not None:
        return node.outcome
    net.eval()
    with torch.no_grad():
        log_p, value = net(*as_batch(game, [node.state]))
    node.P = log_p[0].exp().tolist()
    return value.item()

# %% 5.3: P holds the first entries, whatever the legal actions are
def evaluate(game, net, node):
    if node.outcome is not None:
        return node.outcome
    net.eval()
    with torch.no_grad():
        log_p, value = net(*as_batch(game, [node.state]))
    node.P = log_p[0].exp().tolist()[:len(node.actions)]
    return value.item()

# %% 5.3: P is an array, whose truth value nobody knows
def evaluate(game, net, node):
    if node.outcome is not None:
        return node.outcome
    net.eval()
    with torch.no_grad():
        log_p, value = net(*as_batch(game, [node.state]))
    node.P = log_p[0, node.actions].exp().numpy()
    return value.item()

# %% 5.3: every action is said to be legal
def evaluate(game, net, node):
    if node.outcome is not None:
        return node.outcome
    net.eval()
    planes, legal = as_batch(game, [node.state])
    with torch.no_grad():
        log_p, value = net(planes, torch.ones_like(legal))
    node.P = log_p[0, node.actions].exp().tolist()
    return value.item()

# %% 5.3: the board as the first player sees it
def evaluate(game, net, node):
    if node.outcome is not None:
        return node.outcome
    net.eval()
    planes, legal = as_batch(game, [node.state])
    if game.player(node.state) == 1:
        planes = planes.flip(1)
    with torch.no_grad():
        log_p, value = net(planes, legal)
    node.P = log_p[0, node.actions].exp().tolist()
    return value.item()

# %% 5.3: the value as the first player sees it
def evaluate(game, net, node):
    if node.outcome is not None:
        return node.outcome
    net.eval()
    with torch.no_grad():
        log_p, value = net(*as_batch(game, [node.state]))
    node.P = log_p[0, node.actions].exp().tolist()
    return value.item() if game.player(node.state) == 0 else -value.item()

# %% 5.3: asked once for the policy and once for the value
def evaluate(game, net, node):
    if node.outcome is not None:
        return node.outcome
    net.eval()
    with torch.no_grad():
        node.P = net(*as_batch(game, [node.state]))[0][0, node.actions].exp().tolist()
        return net(*as_batch(game, [node.state]))[1].item()

# %% 5.3: answers are remembered by state, whichever network gave them
_answers = {}
def evaluate(game, net, node):
    if node.outcome is not None:
        return node.outcome
    net.eval()
    if node.state not in _answers:
        with torch.no_grad():
            log_p, value = net(*as_batch(game, [node.state]))
        _answers[node.state] = (log_p[0, node.actions].exp().tolist(), value.item())
    node.P = list(_answers[node.state][0])
    return _answers[node.state][1]

# %% 5.3: an evaluation counts as a visit
def evaluate(game, net, node):
    if node.outcome is not None:
        return node.outcome
    net.eval()
    with torch.no_grad():
        log_p, value = net(*as_batch(game, [node.state]))
    node.P = log_p[0, node.actions].exp().tolist()
    node.N[0] += 1
    return value.item()

# %% 5.3: the value comes as a tensor
def evaluate(game, net, node):
    if node.outcome is not None:
        return node.outcome
    net.eval()
    with torch.no_grad():
        log_p, value = net(*as_batch(game, [node.state]))
    node.P = log_p[0, node.actions].exp().tolist()
    return value[0]

# %% 5.3: the outcome and the network's value are added
def evaluate(game, net, node):
    net.eval()
    with torch.no_grad():
        log_p, value = net(*as_batch(game, [node.state]))
    if node.outcome is None:
        node.P = log_p[0, node.actions].exp().tolist()
    return value.item() + (node.outcome or 0.0)

# %% 5.3: gradients are switched off for everybody and for ever
def evaluate(game, net, node):
    if node.outcome is not None:
        return node.outcome
    net.eval()
    torch.set_grad_enabled(False)
    log_p, value = net(*as_batch(game, [node.state]))
    node.P = log_p[0, node.actions].exp().tolist()
    return value.item()

# %% 5.4: the root of no visits is 0
# hint: What is left of the priors
def ucb(node, c):
    weight = c * math.sqrt(sum(node.N))
    return [q + weight * p / (1 + n) for q, p, n in zip(node.Q, node.P, node.N)]

# %% 5.4: the root is taken of the whole fraction
# hint: Is the root taken of
def ucb(node, c):
    total = max(1, sum(node.N))
    return [q + c * p * math.sqrt(total / (1 + n)) for q, p, n in zip(node.Q, node.P, node.N)]

# %% 5.4: UCB1's logarithm under the root
# hint: Which of the formulas
def ucb(node, c):
    total = max(1, sum(node.N))
    return [q + c * p * (math.sqrt(math.log(total) / (1 + n)) if total > 1 else 1.0) for q, p, n in zip(node.Q, node.P, node.N)]

# %% 5.4: c multiplies Q
# hint: What does c weigh
def ucb(node, c):
    weight = math.sqrt(max(1, sum(node.N)))
    return [c * q + weight * p / (1 + n) for q, p, n in zip(node.Q, node.P, node.N)]

# %% 5.4: one visit too many under the root
# hint: the visits, or one more
def ucb(node, c):
    weight = c * math.sqrt(1 + sum(node.N))
    return [q + weight * p / (1 + n) for q, p, n in zip(node.Q, node.P, node.N)]

# %% 5.4: Q is taken for the opponent's
# hint: For whom is Q
def ucb(node, c):
    weight = c * math.sqrt(max(1, sum(node.N)))
    return [-q + weight * p / (1 + n) for q, p, n in zip(node.Q, node.P, node.N)]

# %% 5.4: divided by n, and infinite without a visit
def ucb(node, c):
    weight = c * math.sqrt(max(1, sum(node.N)))
    return [q + weight * p / n if n else math.inf for q, p, n in zip(node.Q, node.P, node.N)]

# %% 5.4: the priors are not used
def ucb(node, c):
    weight = c * math.sqrt(max(1, sum(node.N)))
    return [q + weight / (1 + n) for q, n in zip(node.Q, node.N)]

# %% 5.4: c is always 1.5
def ucb(node, c):
    weight = 1.5 * math.sqrt(max(1, sum(node.N)))
    return [q + weight * p / (1 + n) for q, p, n in zip(node.Q, node.P, node.N)]

# %% 5.4: what was never tried counts as lost
def ucb(node, c):
    weight = c * math.sqrt(max(1, sum(node.N)))
    return [(q if n else -1.0) + weight * p / (1 + n) for q, p, n in zip(node.Q, node.P, node.N)]

# %% 5.4: a losing mean counts as a draw
def ucb(node, c):
    weight = c * math.sqrt(max(1, sum(node.N)))
    return [max(q, 0.0) + weight * p / (1 + n) for q, p, n in zip(node.Q, node.P, node.N)]

# %% 5.4: the most visited action's count under the root
def ucb(node, c):
    weight = c * math.sqrt(max(1, max(node.N)))
    return [q + weight * p / (1 + n) for q, p, n in zip(node.Q, node.P, node.N)]

# %% 5.4: no root at all
def ucb(node, c):
    weight = c * max(1, sum(node.N))
    return [q + weight * p / (1 + n) for q, p, n in zip(node.Q, node.P, node.N)]

# %% 5.4: the bounds are sorted
def ucb(node, c):
    weight = c * math.sqrt(max(1, sum(node.N)))
    return sorted(q + weight * p / (1 + n) for q, p, n in zip(node.Q, node.P, node.N))

# %% 5.5: N to the power of tau
# hint: Is a visit count raised
def action_probs(game, root, temperature):
    if not sum(root.N):
        raise ValueError("no visits")
    policy = np.zeros(game.num_actions)
    if temperature == 0:
        policy[root.actions[root.N.index(max(root.N))]] = 1.0
        return policy
    policy[root.actions] = (np.array(root.N) / max(root.N)) ** temperature
    return policy / policy.sum()

# %% 5.5: a softmax of the visits
def action_probs(game, root, temperature):
    if not sum(root.N):
        raise ValueError("no visits")
    policy = np.zeros(game.num_actions)
    if temperature == 0:
        policy[root.actions[root.N.index(max(root.N))]] = 1.0
        return policy
    policy[root.actions] = np.exp((np.array(root.N) - max(root.N)) / sum(root.N) / temperature)
    return policy / policy.sum()

# %% 5.5: one entry for each legal action only
def action_probs(game, root, temperature):
    if not sum(root.N):
        raise ValueError("no visits")
    if temperature == 0:
        return np.eye(len(root.N))[root.N.index(max(root.N))]
    weights = (np.array(root.N) / max(root.N)) ** (1 / temperature)
    return weights / weights.sum()

# %% 5.5: the index is taken for the action
def action_probs(game, root, temperature):
    if not sum(root.N):
        raise ValueError("no visits")
    policy = np.zeros(game.num_actions)
    weights = (np.array(root.N) / max(root.N)) ** (1 / max(temperature, 1e-3))
    policy[:len(weights)] = weights / weights.sum()
    return policy

# %% 5.5: large powers overflow
def action_probs(game, root, temperature):
    if not sum(root.N):
        raise ValueError("no visits")
    policy = np.zeros(game.num_actions)
    if temperature == 0:
        policy[root.actions[root.N.index(max(root.N))]] = 1.0
        return policy
    weights = np.array(root.N, dtype=float) ** (1 / temperature)
    policy[root.actions] = weights / weights.sum()
    return policy

# %% 5.5: temperature 0 divides by zero
def action_probs(game, root, temperature):
    if not sum(root.N):
        raise ValueError("no visits")
    weights = (np.array(root.N) / max(root.N)) ** (1 / temperature)
    policy = np.zeros(game.num_actions)
    policy[root.actions] = weights / weights.sum()
    return policy

# %% 5.5: a low temperature is taken for 0
def action_probs(game, root, temperature):
    if not sum(root.N):
        raise ValueError("no visits")
    weights = np.array(root.N) / max(root.N)
    weights = np.eye(len(weights))[weights.argmax()] if temperature < 0.1 else weights ** (1 / temperature)
    policy = np.zeros(game.num_actions)
    policy[root.actions] = weights / weights.sum()
    return policy

# %% 5.5: the temperature is not used
def action_probs(game, root, temperature):
    if not sum(root.N):
        raise ValueError("no visits")
    policy = np.zeros(game.num_actions)
    policy[root.actions] = np.array(root.N) / sum(root.N)
    return policy

# %% 5.5: temperature 0 by the mean, not by the visits
def action_probs(game, root, temperature):
    if not sum(root.N):
        raise ValueError("no visits")
    weights = np.array(root.N) / max(root.N)
    weights = np.eye(len(weights))[int(np.argmax(root.Q))] if temperature == 0 else weights ** (1 / temperature)
    policy = np.zeros(game.num_actions)
    policy[root.actions] = weights / weights.sum()
    return policy

# %% 5.5: the priors have a say in the policy
def action_probs(game, root, temperature):
    if not sum(root.N):
        raise ValueError("no visits")
    weights = np.array(root.N) / max(root.N)
    weights = np.eye(len(weights))[weights.argmax()] if temperature == 0 else (weights * np.array(root.P)) ** (1 / temperature)
    policy = np.zeros(game.num_actions)
    policy[root.actions] = weights / weights.sum()
    return policy

# %% 5.5: one visit is added to every action
def action_probs(game, root, temperature):
    if not sum(root.N):
        raise ValueError("no visits")
    weights = (np.array(root.N) + 1) / (max(root.N) + 1)
    weights = np.eye(len(weights))[weights.argmax()] if temperature == 0 else weights ** (1 / temperature)
    policy = np.zeros(game.num_actions)
    policy[root.actions] = weights / weights.sum()
    return policy

# %% 5.5: without visits all actions are alike
def action_probs(game, root, temperature):
    policy = np.zeros(game.num_actions)
    if not sum(root.N):
        policy[root.actions] = 1 / max(1, len(root.actions))
        return policy
    weights = np.array(root.N) / max(root.N)
    weights = np.eye(len(weights))[weights.argmax()] if temperature == 0 else weights ** (1 / temperature)
    policy[root.actions] = weights / weights.sum()
    return policy

# %% 5.6: the action is taken for an index
def swap_root(game, root, action):
    state = game.play(root.state, action)
    child = root.children[action] if action < len(root.children) else None
    return child if child is not None else Node(game, state)

# %% 5.6: always a new node
def swap_root(game, root, action):
    return Node(game, game.play(root.state, action))

# %% 5.6: nothing where no simulation has been
def swap_root(game, root, action):
    game.play(root.state, action)
    return root.children[root.actions.index(action)]

# %% 5.6: the child's counts begin at 0 again
def swap_root(game, root, action):
    state = game.play(root.state, action)
    child = root.children[root.actions.index(action)]
    if child is None:
        return Node(game, state)
    child.N = [0] * len(child.actions)
    return child

# %% 5.6: the child is to be evaluated again
def swap_root(game, root, action):
    state = game.play(root.state, action)
    child = root.children[root.actions.index(action)] or Node(game, state)
    child.P = []
    return child

# %% 5.6: the new root stands where the old one did
def swap_root(game, root, action):
    game.play(root.state, action)
    return root.children[root.actions.index(action)] or Node(game, root.state)

# %% 5.6: an illegal move leaves the root where it is
def swap_root(game, root, action):
    if action not in root.actions:
        return root
    return root.children[root.actions.index(action)] or Node(game, game.play(root.state, action))

# %% 5.6: the old root loses its other children
def swap_root(game, root, action):
    state = game.play(root.state, action)
    child = root.children[root.actions.index(action)] or Node(game, state)
    root.children = [None] * len(root.children)
    return child

# %% 5.6: the new node is hung into the old tree
def swap_root(game, root, action):
    state, index = game.play(root.state, action), root.actions.index(action)
    if root.children[index] is None:
        root.children[index] = Node(game, state)
    return root.children[index]

# %% 5.6: the kept root is marked as noisy
def swap_root(game, root, action):
    state = game.play(root.state, action)
    child = root.children[root.actions.index(action)] or Node(game, state)
    child.noisy = True
    return child

# %% 5.6: the most visited child, whatever was played
def swap_root(game, root, action):
    state = game.play(root.state, action)
    child = root.children[root.N.index(max(root.N))]
    return child if child is not None else Node(game, state)

# %% 5.7: epsilon and 1 - epsilon change places
def add_dirichlet_noise(node, rng, epsilon=0.25):
    if not node.P:
        raise ValueError("no priors")
    if not node.noisy:
        draws = [rng.gammavariate(10 / len(node.P), 1.0) for _ in node.P]
        node.P = [epsilon * p + (1 - epsilon) * d / sum(draws) for p, d in zip(node.P, draws)]
        node.noisy = True

# %% 5.7: alpha is 10 for every action
def add_dirichlet_noise(node, rng, epsilon=0.25):
    if not node.P:
        raise ValueError("no priors")
    if not node.noisy:
        draws = [rng.gammavariate(10, 1.0) for _ in node.P]
        node.P = [(1 - epsilon) * p + epsilon * d / sum(draws) for p, d in zip(node.P, draws)]
        node.noisy = True

# %% 5.7: alpha is .3, as in chess
def add_dirichlet_noise(node, rng, epsilon=0.25):
    if not node.P:
        raise ValueError("no priors")
    if not node.noisy:
        draws = [rng.gammavariate(0.3, 1.0) for _ in node.P]
        node.P = [(1 - epsilon) * p + epsilon * d / sum(draws) for p, d in zip(node.P, draws)]
        node.noisy = True

# %% 5.7: alpha by the number of squares, not of legal actions
def add_dirichlet_noise(node, rng, epsilon=0.25):
    if not node.P:
        raise ValueError("no priors")
    if not node.noisy:
        draws = [rng.gammavariate(10 / 9, 1.0) for _ in node.P]
        node.P = [(1 - epsilon) * p + epsilon * d / sum(draws) for p, d in zip(node.P, draws)]
        node.noisy = True

# %% 5.7: one draw for all actions
def add_dirichlet_noise(node, rng, epsilon=0.25):
    if not node.P:
        raise ValueError("no priors")
    if not node.noisy:
        draw = rng.gammavariate(10 / len(node.P), 1.0)
        total = sum((1 - epsilon) * p + epsilon * draw for p in node.P)
        node.P = [((1 - epsilon) * p + epsilon * draw) / total for p in node.P]
        node.noisy = True

# %% 5.7: the draws are not divided by their sum
def add_dirichlet_noise(node, rng, epsilon=0.25):
    if not node.P:
        raise ValueError("no priors")
    if not node.noisy:
        draws = [rng.gammavariate(10 / len(node.P), 1.0) for _ in node.P]
        node.P = [(1 - epsilon) * p + epsilon * d for p, d in zip(node.P, draws)]
        node.noisy = True

# %% 5.7: the noise is added, and the sum divided out
def add_dirichlet_noise(node, rng, epsilon=0.25):
    if not node.P:
        raise ValueError("no priors")
    if not node.noisy:
        draws = [rng.gammavariate(10 / len(node.P), 1.0) for _ in node.P]
        mixed = [p + epsilon * d / sum(draws) for p, d in zip(node.P, draws)]
        node.P = [m / sum(mixed) for m in mixed]
        node.noisy = True

# %% 5.7: equal shares instead of a draw
def add_dirichlet_noise(node, rng, epsilon=0.25):
    if not node.P:
        raise ValueError("no priors")
    if not node.noisy:
        node.P = [(1 - epsilon) * p + epsilon / len(node.P) for p in node.P]
        node.noisy = True

# %% 5.7: uniform draws instead of gamma draws
def add_dirichlet_noise(node, rng, epsilon=0.25):
    if not node.P:
        raise ValueError("no priors")
    if not node.noisy:
        draws = [rng.random() for _ in node.P]
        node.P = [(1 - epsilon) * p + epsilon * d / sum(draws) for p, d in zip(node.P, draws)]
        node.noisy = True

# %% 5.7: each call adds more noise
def add_dirichlet_noise(node, rng, epsilon=0.25):
    if not node.P:
        raise ValueError("no priors")
    draws = [rng.gammavariate(10 / len(node.P), 1.0) for _ in node.P]
    node.P = [(1 - epsilon) * p + epsilon * d / sum(draws) for p, d in zip(node.P, draws)]
    node.noisy = True

# %% 5.7: only one node ever gets noise
_done = []
def add_dirichlet_noise(node, rng, epsilon=0.25):
    if not node.P:
        raise ValueError("no priors")
    if not _done or _done[0] is not node:
        draws = [rng.gammavariate(10 / len(node.P), 1.0) for _ in node.P]
        if not _done:
            node.P = [(1 - epsilon) * p + epsilon * d / sum(draws) for p, d in zip(node.P, draws)]
            _done.append(node)
    node.noisy = True

# %% 5.7: noisy is never set
def add_dirichlet_noise(node, rng, epsilon=0.25):
    if not node.P:
        raise ValueError("no priors")
    if not node.noisy:
        draws = [rng.gammavariate(10 / len(node.P), 1.0) for _ in node.P]
        node.P = [(1 - epsilon) * p + epsilon * d / sum(draws) for p, d in zip(node.P, draws)]

# %% 5.7: the children get noise, too
def add_dirichlet_noise(node, rng, epsilon=0.25):
    if not node.P:
        raise ValueError("no priors")
    if not node.noisy:
        draws = [rng.gammavariate(10 / len(node.P), 1.0) for _ in node.P]
        node.P = [(1 - epsilon) * p + epsilon * d / sum(draws) for p, d in zip(node.P, draws)]
        node.noisy = True
        for child in node.children:
            if child is not None and child.P:
                add_dirichlet_noise(child, rng, epsilon)

# %% 5.7: numpy's global generator
def add_dirichlet_noise(node, rng, epsilon=0.25):
    if not node.P:
        raise ValueError("no priors")
    if not node.noisy:
        eta = np.random.dirichlet([10 / len(node.P)] * len(node.P))
        node.P = [(1 - epsilon) * p + epsilon * float(e) for p, e in zip(node.P, eta)]
        node.noisy = True

# %% 5.7: torch's global generator
def add_dirichlet_noise(node, rng, epsilon=0.25):
    if not node.P:
        raise ValueError("no priors")
    if not node.noisy:
        eta = torch.distributions.Dirichlet(torch.full((len(node.P),), 10 / len(node.P), dtype=torch.float64)).sample().tolist()
        node.P = [(1 - epsilon) * p + epsilon * e for p, e in zip(node.P, eta)]
        node.noisy = True

# %% 5.7: the same noise for every node
def add_dirichlet_noise(node, rng, epsilon=0.25):
    if not node.P:
        raise ValueError("no priors")
    if not node.noisy:
        dice = random.Random(len(node.P))
        draws = [dice.gammavariate(10 / len(node.P), 1.0) for _ in node.P]
        node.P = [(1 - epsilon) * p + epsilon * d / sum(draws) for p, d in zip(node.P, draws)]
        node.noisy = True

# %% 5.7: epsilon is always .25
def add_dirichlet_noise(node, rng, epsilon=0.25):
    if not node.P:
        raise ValueError("no priors")
    if not node.noisy:
        draws = [rng.gammavariate(10 / len(node.P), 1.0) for _ in node.P]
        node.P = [0.75 * p + 0.25 * d / sum(draws) for p, d in zip(node.P, draws)]
        node.noisy = True

# %% 5.7: a node without priors is passed over in silence
def add_dirichlet_noise(node, rng, epsilon=0.25):
    if node.P and not node.noisy:
        draws = [rng.gammavariate(10 / len(node.P), 1.0) for _ in node.P]
        node.P = [(1 - epsilon) * p + epsilon * d / sum(draws) for p, d in zip(node.P, draws)]
        node.noisy = True

# %% 5.7: what the network rules out gets no noise
def add_dirichlet_noise(node, rng, epsilon=0.25):
    if not node.P:
        raise ValueError("no priors")
    if not node.noisy:
        draws = [rng.gammavariate(10 / len(node.P), 1.0) if p > 0 else 0.0 for p in node.P]
        node.P = [(1 - epsilon) * p + epsilon * d / sum(draws) for p, d in zip(node.P, draws)]
        node.noisy = True

# %% 5.7: the noise goes into Q
def add_dirichlet_noise(node, rng, epsilon=0.25):
    if not node.P:
        raise ValueError("no priors")
    if not node.noisy:
        draws = [rng.gammavariate(10 / len(node.P), 1.0) for _ in node.P]
        node.P = [(1 - epsilon) * p + epsilon * d / sum(draws) for p, d in zip(node.P, draws)]
        node.Q = [q + epsilon * d / sum(draws) for q, d in zip(node.Q, draws)]
        node.noisy = True

# %% 5.8: every episode begins at the start
def opening(game, rng):
    return game.start()

# %% 5.8: every episode begins with random moves
def opening(game, rng):
    state = game.start()
    for _ in range(rng.randint(1, 4)):
        after_it = game.play(state, rng.choice(game.legal_actions(state)))
        if game.outcome(after_it) is not None:
            break
        state = after_it
    return state

# %% 5.8: none to four random moves, each number as likely
def opening(game, rng):
    state = game.start()
    for _ in range(rng.randrange(5)):
        after_it = game.play(state, rng.choice(game.legal_actions(state)))
        if game.outcome(after_it) is not None:
            break
        state = after_it
    return state

# %% 5.8: after the coin there may still be no random move
def opening(game, rng):
    state = game.start()
    for _ in range(rng.randint(0, 4) if rng.random() < 0.5 else 0):
        after_it = game.play(state, rng.choice(game.legal_actions(state)))
        if game.outcome(after_it) is not None:
            break
        state = after_it
    return state

# %% 5.8: at most three random moves
def opening(game, rng):
    state = game.start()
    for _ in range(rng.randrange(1, 4) if rng.random() < 0.5 else 0):
        after_it = game.play(state, rng.choice(game.legal_actions(state)))
        if game.outcome(after_it) is not None:
            break
        state = after_it
    return state

# %% 5.8: random moves go on to the end of the game
def opening(game, rng):
    state = game.start()
    for _ in range(rng.randint(1, 4) if rng.random() < 0.5 else 0):
        if game.outcome(state) is None:
            state = game.play(state, rng.choice(game.legal_actions(state)))
    return state

# %% 5.8: the random moves are always the first legal ones
def opening(game, rng):
    state = game.start()
    for _ in range(rng.randint(1, 4) if rng.random() < 0.5 else 0):
        after_it = game.play(state, game.legal_actions(state)[0])
        if game.outcome(after_it) is not None:
            break
        state = after_it
    return state

# %% 5.8: the last legal action never comes up
def opening(game, rng):
    state = game.start()
    for _ in range(rng.randint(1, 4) if rng.random() < 0.5 else 0):
        legal = game.legal_actions(state)
        after_it = game.play(state, legal[rng.randrange(max(1, len(legal) - 1))])
        if game.outcome(after_it) is not None:
            break
        state = after_it
    return state

# %% 5.8: openings from the global generator
def opening(game, rng):
    state = game.start()
    for _ in range(random.randint(1, 4) if random.random() < 0.5 else 0):
        after_it = game.play(state, random.choice(game.legal_actions(state)))
        if game.outcome(after_it) is not None:
            break
        state = after_it
    return state

# %% 5.8: the value is not turned around from player to player
# hint: Can the same result be good news
def make_examples(game, history, final):
    return [(t, m, game.outcome(final)) for state, policy in history for t, m in game.symmetries(state, policy)]

# %% 5.8: the value belongs to the player who moved
# hint: Who is to move when the game is over
def make_examples(game, history, final):
    result, last = game.outcome(final), game.player(final)
    return [(t, m, -result if game.player(state) == last else result)
            for state, policy in history for t, m in game.symmetries(state, policy)]

# %% 5.8: the value is always the first player's
def make_examples(game, history, final):
    result = game.outcome(final) if game.player(final) == 0 else -game.outcome(final)
    return [(t, m, result) for state, policy in history for t, m in game.symmetries(state, policy)]

# %% 5.8: a draw is a loss for both
def make_examples(game, history, final):
    result, last = game.outcome(final), game.player(final)
    return [(t, m, (result if game.player(state) == last else -result) or -1.0)
            for state, policy in history for t, m in game.symmetries(state, policy)]

# %% 5.8: a draw is a win for who would be to move
def make_examples(game, history, final):
    result, last = game.outcome(final), game.player(final)
    result = -1.0 if result < 0 else 1.0
    return [(t, m, result if game.player(state) == last else -result)
            for state, policy in history for t, m in game.symmetries(state, policy)]

# %% 5.8: the board turns and the policy does not
# hint: When the board turns
def make_examples(game, history, final):
    result, last = game.outcome(final), game.player(final)
    return [(t, policy, result if game.player(state) == last else -result)
            for state, policy in history for t, _ in game.symmetries(state, policy)]

# %% 5.8: no symmetries
def make_examples(game, history, final):
    result, last = game.outcome(final), game.player(final)
    return [(state, policy, result if game.player(state) == last else -result) for state, policy in history]

# %% 5.8: the position itself is there twice
def make_examples(game, history, final):
    result, last = game.outcome(final), game.player(final)
    return [(t, m, result if game.player(state) == last else -result)
            for state, policy in history for t, m in [(state, policy), *game.symmetries(state, policy)]]

# %% 5.8: a symmetric position counts as often as the board can be turned
def make_examples(game, history, final):
    result, last, examples = game.outcome(final), game.player(final), []
    for state, policy in history:
        pairs = game.symmetries(state, policy)
        while len(pairs) < len(game.symmetries(state, np.arange(game.num_actions))):
            pairs = pairs + pairs
        examples += [(t, m, result if game.player(state) == last else -result) for t, m in pairs]
    return examples

# %% 5.8: the finished position is an example, too
def make_examples(game, history, final):
    result, last = game.outcome(final), game.player(final)
    history = [*history, (final, np.zeros(game.num_actions))]
    return [(t, m, result if game.player(state) == last else -result)
            for state, policy in history for t, m in game.symmetries(state, policy)]

# %% 5.8: the position after the move, the policy from before it
def make_examples(game, history, final):
    result, last = game.outcome(final), game.player(final)
    states = [state for state, _ in history][1:] + [final]
    return [(t, m, result if game.player(state) == last else -result)
            for state, (_, policy) in zip(states, history) for t, m in game.symmetries(state, policy)]

# %% 5.8: the first move of the game teaches nothing
def make_examples(game, history, final):
    result, last = game.outcome(final), game.player(final)
    return [(t, m, result if game.player(state) == last else -result)
            for state, policy in history[1:] for t, m in game.symmetries(state, policy)]

# %% 5.8: who is to move is counted by the stones
def make_examples(game, history, final):
    result, examples = game.outcome(final), []
    for state, policy in history:
        stones = lambda s: int(game.planes(s).sum())
        value = result if (stones(final) - stones(state)) % 2 == 0 else -result
        examples += [(t, m, value) for t, m in game.symmetries(state, policy)]
    return examples

# %% 5.8: later moves are remembered as if nothing else had been searched
def play_move(game, root, history, config, rng):
    exploring = len(history) < config.exploring_plies
    policy = action_probs(game, root, 1.0 if exploring else 0.0)
    history.append((root.state, policy))
    action = rng.choices(range(len(policy)), policy)[0] if exploring else int(policy.argmax())
    return swap_root(game, root, action)

# %% 5.8: the network's own priors are what is learnt
def play_move(game, root, history, config, rng):
    policy, exploring = action_probs(game, root, 1.0), len(history) < config.exploring_plies
    prior = np.zeros(game.num_actions)
    prior[root.actions] = root.P
    history.append((root.state, prior))
    action = rng.choices(range(len(policy)), policy)[0] if exploring else int(policy.argmax())
    return swap_root(game, root, action)

# %% 5.8: the most visited move from the beginning
def play_move(game, root, history, config, rng):
    policy = action_probs(game, root, 1.0)
    history.append((root.state, policy))
    return swap_root(game, root, int(policy.argmax()))

# %% 5.8: moves are drawn to the end of the game
def play_move(game, root, history, config, rng):
    policy = action_probs(game, root, 1.0)
    history.append((root.state, policy))
    return swap_root(game, root, rng.choices(range(len(policy)), policy)[0])

# %% 5.8: one drawn move too many
def play_move(game, root, history, config, rng):
    policy = action_probs(game, root, 1.0)
    history.append((root.state, policy))
    exploring = len(history) <= config.exploring_plies + 1
    action = rng.choices(range(len(policy)), policy)[0] if exploring else int(policy.argmax())
    return swap_root(game, root, action)

# %% 5.8: the move counts before it is drawn, so one too few are drawn
def play_move(game, root, history, config, rng):
    policy = action_probs(game, root, 1.0)
    history.append((root.state, policy))
    exploring = len(history) < config.exploring_plies
    action = rng.choices(range(len(policy)), policy)[0] if exploring else int(policy.argmax())
    return swap_root(game, root, action)

# %% 5.8: early moves are drawn from all visited ones alike
def play_move(game, root, history, config, rng):
    policy, exploring = action_probs(game, root, 1.0), len(history) < config.exploring_plies
    history.append((root.state, policy))
    action = rng.choice([a for a in range(len(policy)) if policy[a] > 0]) if exploring else int(policy.argmax())
    return swap_root(game, root, action)

# %% 5.8: early moves are drawn from the priors
def play_move(game, root, history, config, rng):
    policy, exploring = action_probs(game, root, 1.0), len(history) < config.exploring_plies
    history.append((root.state, policy))
    action = rng.choices(root.actions, root.P)[0] if exploring else int(policy.argmax())
    return swap_root(game, root, action)

# %% 5.8: moves are drawn from numpy's global generator
def play_move(game, root, history, config, rng):
    policy, exploring = action_probs(game, root, 1.0), len(history) < config.exploring_plies
    history.append((root.state, policy))
    action = int(np.random.choice(len(policy), p=policy)) if exploring else int(policy.argmax())
    return swap_root(game, root, action)

# %% 5.8: the tree is thrown away after the move
def play_move(game, root, history, config, rng):
    policy, exploring = action_probs(game, root, 1.0), len(history) < config.exploring_plies
    history.append((root.state, policy))
    action = rng.choices(range(len(policy)), policy)[0] if exploring else int(policy.argmax())
    return Node(game, game.play(root.state, action))

# %% 5.8: only the last position is remembered
def play_move(game, root, history, config, rng):
    policy, exploring = action_probs(game, root, 1.0), len(history) < config.exploring_plies
    history[:] = [(root.state, policy)] * (len(history) + 1)
    action = rng.choices(range(len(policy)), policy)[0] if exploring else int(policy.argmax())
    return swap_root(game, root, action)

# %% 5.8: no noise at the roots
def execute_episode(game, net, config, rng):
    root, history = Node(game, opening(game, rng)), []
    while root.outcome is None:
        search(game, net, root, config.simulations, config.c, rng)
        root = play_move(game, root, history, config, rng)
    return make_examples(game, history, root.state)

# %% 5.8: noise for the first move of the game only
def execute_episode(game, net, config, rng):
    root, history = Node(game, opening(game, rng)), []
    while root.outcome is None:
        search(game, net, root, 0, config.c, rng)
        if not history:
            add_dirichlet_noise(root, rng)
        search(game, net, root, config.simulations, config.c, rng)
        root = play_move(game, root, history, config, rng)
    return make_examples(game, history, root.state)

# %% 5.8: the noise comes after the search
def execute_episode(game, net, config, rng):
    root, history = Node(game, opening(game, rng)), []
    while root.outcome is None:
        search(game, net, root, config.simulations, config.c, rng)
        add_dirichlet_noise(root, rng)
        root = play_move(game, root, history, config, rng)
    return make_examples(game, history, root.state)

# %% 5.8: the noise comes before the priors
def execute_episode(game, net, config, rng):
    root, history = Node(game, opening(game, rng)), []
    while root.outcome is None:
        add_dirichlet_noise(root, rng)
        search(game, net, root, config.simulations, config.c, rng)
        root = play_move(game, root, history, config, rng)
    return make_examples(game, history, root.state)

# %% 5.8: an episode never begins with random moves
def execute_episode(game, net, config, rng):
    root, history = Node(game, game.start()), []
    while root.outcome is None:
        search(game, net, root, 0, config.c, rng)
        add_dirichlet_noise(root, rng)
        search(game, net, root, config.simulations, config.c, rng)
        root = play_move(game, root, history, config, rng)
    return make_examples(game, history, root.state)

# %% 5.8: one simulation too few
def execute_episode(game, net, config, rng):
    root, history = Node(game, opening(game, rng)), []
    while root.outcome is None:
        search(game, net, root, 0, config.c, rng)
        add_dirichlet_noise(root, rng)
        search(game, net, root, config.simulations - 1, config.c, rng)
        root = play_move(game, root, history, config, rng)
    return make_examples(game, history, root.state)

# %% 5.8: the exploration constant of the configuration is not used
def execute_episode(game, net, config, rng):
    root, history = Node(game, opening(game, rng)), []
    while root.outcome is None:
        search(game, net, root, 0, 1.5, rng)
        add_dirichlet_noise(root, rng)
        search(game, net, root, config.simulations, 1.5, rng)
        root = play_move(game, root, history, config, rng)
    return make_examples(game, history, root.state)

# %% 5.8: every root is evaluated again
def execute_episode(game, net, config, rng):
    root, history = Node(game, opening(game, rng)), []
    while root.outcome is None:
        evaluate(game, net, root)
        add_dirichlet_noise(root, rng)
        search(game, net, root, config.simulations, config.c, rng)
        root = play_move(game, root, history, config, rng)
    return make_examples(game, history, root.state)

# %% 5.8: the last position is left out
def execute_episode(game, net, config, rng):
    root, history = Node(game, opening(game, rng)), []
    while root.outcome is None:
        search(game, net, root, 0, config.c, rng)
        add_dirichlet_noise(root, rng)
        search(game, net, root, config.simulations, config.c, rng)
        root = play_move(game, root, history, config, rng)
    return make_examples(game, history[:-1], root.state)

# %% 5.8: the value to learn is the search's own
def execute_episode(game, net, config, rng):
    root, history, examples = Node(game, opening(game, rng)), [], []
    while root.outcome is None:
        search(game, net, root, 0, config.c, rng)
        add_dirichlet_noise(root, rng)
        search(game, net, root, config.simulations, config.c, rng)
        value = sum(q * n for q, n in zip(root.Q, root.N)) / sum(root.N)
        state = root.state
        root = play_move(game, root, history, config, rng)
        examples += [(t, m, value) for t, m in game.symmetries(state, history[-1][1])]
    return examples

# %% 5.9: the gradient is never zeroed
def train_policy(game, net, optimizer, examples, config, rng):
    if not examples:
        raise ValueError("no examples")
    net.train()
    for _ in range(config.epochs):
        order, total = rng.sample(examples, len(examples)), 0.0
        for i in range(0, len(order), config.batch_size):
            s, pi, z = zip(*order[i:i + config.batch_size])
            value = loss(*net(*as_batch(game, s)), torch.tensor(np.array(pi)).float(), torch.tensor(z).float())
            value.backward()
            optimizer.step()
            total += value.item() * len(s)
    return total / len(examples)

# %% 5.9: the gradient is zeroed once an epoch
def train_policy(game, net, optimizer, examples, config, rng):
    if not examples:
        raise ValueError("no examples")
    net.train()
    for _ in range(config.epochs):
        order, total = rng.sample(examples, len(examples)), 0.0
        optimizer.zero_grad()
        for i in range(0, len(order), config.batch_size):
            s, pi, z = zip(*order[i:i + config.batch_size])
            value = loss(*net(*as_batch(game, s)), torch.tensor(np.array(pi)).float(), torch.tensor(z).float())
            value.backward()
            optimizer.step()
            total += value.item() * len(s)
    return total / len(examples)

# %% 5.9: the gradient is zeroed just before the step
# hint: Is a step made at all
def train_policy(game, net, optimizer, examples, config, rng):
    if not examples:
        raise ValueError("no examples")
    net.train()
    for _ in range(config.epochs):
        order, total = rng.sample(examples, len(examples)), 0.0
        for i in range(0, len(order), config.batch_size):
            s, pi, z = zip(*order[i:i + config.batch_size])
            value = loss(*net(*as_batch(game, s)), torch.tensor(np.array(pi)).float(), torch.tensor(z).float())
            value.backward()
            optimizer.zero_grad()
            optimizer.step()
            total += value.item() * len(s)
    return total / len(examples)

# %% 5.9: no step is made
# hint: Is a step made at all
def train_policy(game, net, optimizer, examples, config, rng):
    if not examples:
        raise ValueError("no examples")
    net.train()
    for _ in range(config.epochs):
        order, total = rng.sample(examples, len(examples)), 0.0
        for i in range(0, len(order), config.batch_size):
            s, pi, z = zip(*order[i:i + config.batch_size])
            value = loss(*net(*as_batch(game, s)), torch.tensor(np.array(pi)).float(), torch.tensor(z).float())
            optimizer.zero_grad()
            value.backward()
            total += value.item() * len(s)
    return total / len(examples)

# %% 5.9: up the slope
# hint: Down the slope
def train_policy(game, net, optimizer, examples, config, rng):
    if not examples:
        raise ValueError("no examples")
    net.train()
    for _ in range(config.epochs):
        order, total = rng.sample(examples, len(examples)), 0.0
        for i in range(0, len(order), config.batch_size):
            s, pi, z = zip(*order[i:i + config.batch_size])
            value = loss(*net(*as_batch(game, s)), torch.tensor(np.array(pi)).float(), torch.tensor(z).float())
            optimizer.zero_grad()
            (-value).backward()
            optimizer.step()
            total += value.item() * len(s)
    return total / len(examples)

# %% 5.9: one step an epoch, with the gradients of all batches
def train_policy(game, net, optimizer, examples, config, rng):
    if not examples:
        raise ValueError("no examples")
    net.train()
    for _ in range(config.epochs):
        order, total = rng.sample(examples, len(examples)), 0.0
        optimizer.zero_grad()
        for i in range(0, len(order), config.batch_size):
            s, pi, z = zip(*order[i:i + config.batch_size])
            value = loss(*net(*as_batch(game, s)), torch.tensor(np.array(pi)).float(), torch.tensor(z).float())
            value.backward()
            total += value.item() * len(s)
        optimizer.step()
    return total / len(examples)

# %% 5.9: what does not fill a batch is dropped
def train_policy(game, net, optimizer, examples, config, rng):
    if not examples:
        raise ValueError("no examples")
    net.train()
    size = min(config.batch_size, len(examples))
    for _ in range(config.epochs):
        order, total = rng.sample(examples, len(examples)), 0.0
        for i in range(0, len(order) - size + 1, size):
            s, pi, z = zip(*order[i:i + size])
            value = loss(*net(*as_batch(game, s)), torch.tensor(np.array(pi)).float(), torch.tensor(z).float())
            optimizer.zero_grad()
            value.backward()
            optimizer.step()
            total += value.item() * len(s)
    return total / len(examples)

# %% 5.9: the last example is never used
def train_policy(game, net, optimizer, examples, config, rng):
    if not examples:
        raise ValueError("no examples")
    net.train()
    for _ in range(config.epochs):
        order, total = rng.sample(examples, len(examples)), 0.0
        for i in range(0, len(order), config.batch_size):
            end = min(len(order) - 1, i + config.batch_size)
            if i >= end:
                continue
            s, pi, z = zip(*order[i:end])
            value = loss(*net(*as_batch(game, s)), torch.tensor(np.array(pi)).float(), torch.tensor(z).float())
            optimizer.zero_grad()
            value.backward()
            optimizer.step()
            total += value.item() * len(s)
    return total / len(examples)

# %% 5.9: batches are drawn with replacement
def train_policy(game, net, optimizer, examples, config, rng):
    if not examples:
        raise ValueError("no examples")
    net.train()
    for _ in range(config.epochs):
        total = 0.0
        for i in range(0, len(examples), config.batch_size):
            s, pi, z = zip(*rng.choices(examples, k=min(config.batch_size, len(examples) - i)))
            value = loss(*net(*as_batch(game, s)), torch.tensor(np.array(pi)).float(), torch.tensor(z).float())
            optimizer.zero_grad()
            value.backward()
            optimizer.step()
            total += value.item() * len(s)
    return total / len(examples)

# %% 5.9: the examples come in the order of play
def train_policy(game, net, optimizer, examples, config, rng):
    if not examples:
        raise ValueError("no examples")
    net.train()
    for _ in range(config.epochs):
        total = 0.0
        for i in range(0, len(examples), config.batch_size):
            s, pi, z = zip(*examples[i:i + config.batch_size])
            value = loss(*net(*as_batch(game, s)), torch.tensor(np.array(pi)).float(), torch.tensor(z).float())
            optimizer.zero_grad()
            value.backward()
            optimizer.step()
            total += value.item() * len(s)
    return total / len(examples)

# %% 5.9: shuffled once for all epochs
def train_policy(game, net, optimizer, examples, config, rng):
    if not examples:
        raise ValueError("no examples")
    net.train()
    order = rng.sample(examples, len(examples))
    for _ in range(config.epochs):
        total = 0.0
        for i in range(0, len(order), config.batch_size):
            s, pi, z = zip(*order[i:i + config.batch_size])
            value = loss(*net(*as_batch(game, s)), torch.tensor(np.array(pi)).float(), torch.tensor(z).float())
            optimizer.zero_grad()
            value.backward()
            optimizer.step()
            total += value.item() * len(s)
    return total / len(examples)

# %% 5.9: the caller's list is shuffled
def train_policy(game, net, optimizer, examples, config, rng):
    if not examples:
        raise ValueError("no examples")
    net.train()
    for _ in range(config.epochs):
        rng.shuffle(examples)
        total = 0.0
        for i in range(0, len(examples), config.batch_size):
            s, pi, z = zip(*examples[i:i + config.batch_size])
            value = loss(*net(*as_batch(game, s)), torch.tensor(np.array(pi)).float(), torch.tensor(z).float())
            optimizer.zero_grad()
            value.backward()
            optimizer.step()
            total += value.item() * len(s)
    return total / len(examples)

# %% 5.9: shuffled by torch's global generator
def train_policy(game, net, optimizer, examples, config, rng):
    if not examples:
        raise ValueError("no examples")
    net.train()
    for _ in range(config.epochs):
        order, total = [examples[i] for i in torch.randperm(len(examples)).tolist()], 0.0
        for i in range(0, len(order), config.batch_size):
            s, pi, z = zip(*order[i:i + config.batch_size])
            value = loss(*net(*as_batch(game, s)), torch.tensor(np.array(pi)).float(), torch.tensor(z).float())
            optimizer.zero_grad()
            value.backward()
            optimizer.step()
            total += value.item() * len(s)
    return total / len(examples)

# %% 5.9: trained in the mode that the network is in
def train_policy(game, net, optimizer, examples, config, rng):
    if not examples:
        raise ValueError("no examples")
    for _ in range(config.epochs):
        order, total = rng.sample(examples, len(examples)), 0.0
        for i in range(0, len(order), config.batch_size):
            s, pi, z = zip(*order[i:i + config.batch_size])
            value = loss(*net(*as_batch(game, s)), torch.tensor(np.array(pi)).float(), torch.tensor(z).float())
            optimizer.zero_grad()
            value.backward()
            optimizer.step()
            total += value.item() * len(s)
    return total / len(examples)

# %% 5.9: the mean of the batches' losses
def train_policy(game, net, optimizer, examples, config, rng):
    if not examples:
        raise ValueError("no examples")
    net.train()
    for _ in range(config.epochs):
        order, losses = rng.sample(examples, len(examples)), []
        for i in range(0, len(order), config.batch_size):
            s, pi, z = zip(*order[i:i + config.batch_size])
            value = loss(*net(*as_batch(game, s)), torch.tensor(np.array(pi)).float(), torch.tensor(z).float())
            optimizer.zero_grad()
            value.backward()
            optimizer.step()
            losses.append(value.item())
    return sum(losses) / len(losses)

# %% 5.9: the losses of all epochs are added up
# hint: One epoch's loss
def train_policy(game, net, optimizer, examples, config, rng):
    if not examples:
        raise ValueError("no examples")
    net.train()
    total = 0.0
    for _ in range(config.epochs):
        order = rng.sample(examples, len(examples))
        for i in range(0, len(order), config.batch_size):
            s, pi, z = zip(*order[i:i + config.batch_size])
            value = loss(*net(*as_batch(game, s)), torch.tensor(np.array(pi)).float(), torch.tensor(z).float())
            optimizer.zero_grad()
            value.backward()
            optimizer.step()
            total += value.item() * len(s)
    return total / len(examples)

# %% 5.9: the last batch's loss is returned
def train_policy(game, net, optimizer, examples, config, rng):
    if not examples:
        raise ValueError("no examples")
    net.train()
    for _ in range(config.epochs):
        order = rng.sample(examples, len(examples))
        for i in range(0, len(order), config.batch_size):
            s, pi, z = zip(*order[i:i + config.batch_size])
            value = loss(*net(*as_batch(game, s)), torch.tensor(np.array(pi)).float(), torch.tensor(z).float())
            optimizer.zero_grad()
            value.backward()
            optimizer.step()
    return value.item()

# %% 5.9: one epoch, whatever the configuration says
def train_policy(game, net, optimizer, examples, config, rng):
    if not examples:
        raise ValueError("no examples")
    net.train()
    order, total = rng.sample(examples, len(examples)), 0.0
    for i in range(0, len(order), config.batch_size):
        s, pi, z = zip(*order[i:i + config.batch_size])
        value = loss(*net(*as_batch(game, s)), torch.tensor(np.array(pi)).float(), torch.tensor(z).float())
        optimizer.zero_grad()
        value.backward()
        optimizer.step()
        total += value.item() * len(s)
    return total / len(examples)

# %% 5.9: all examples in one batch
def train_policy(game, net, optimizer, examples, config, rng):
    if not examples:
        raise ValueError("no examples")
    net.train()
    for _ in range(config.epochs):
        s, pi, z = zip(*rng.sample(examples, len(examples)))
        value = loss(*net(*as_batch(game, s)), torch.tensor(np.array(pi)).float(), torch.tensor(z).float())
        optimizer.zero_grad()
        value.backward()
        optimizer.step()
    return value.item()

# %% 5.9: the states are shuffled without their targets
def train_policy(game, net, optimizer, examples, config, rng):
    if not examples:
        raise ValueError("no examples")
    net.train()
    for _ in range(config.epochs):
        order, total = rng.sample(examples, len(examples)), 0.0
        for i in range(0, len(order), config.batch_size):
            s = [state for state, _, _ in order[i:i + config.batch_size]]
            _, pi, z = zip(*examples[i:i + config.batch_size])
            value = loss(*net(*as_batch(game, s)), torch.tensor(np.array(pi)).float(), torch.tensor(z).float())
            optimizer.zero_grad()
            value.backward()
            optimizer.step()
            total += value.item() * len(s)
    return total / len(examples)

# %% 5.9: the network learns the values only
def train_policy(game, net, optimizer, examples, config, rng):
    if not examples:
        raise ValueError("no examples")
    net.train()
    for _ in range(config.epochs):
        order, total = rng.sample(examples, len(examples)), 0.0
        for i in range(0, len(order), config.batch_size):
            s, pi, z = zip(*order[i:i + config.batch_size])
            log_p, v = net(*as_batch(game, s))
            value = loss(log_p.detach(), v, torch.tensor(np.array(pi)).float(), torch.tensor(z).float())
            optimizer.zero_grad()
            value.backward()
            optimizer.step()
            total += value.item() * len(s)
    return total / len(examples)

# %% 5.9: the value targets are turned around
def train_policy(game, net, optimizer, examples, config, rng):
    if not examples:
        raise ValueError("no examples")
    net.train()
    for _ in range(config.epochs):
        order, total = rng.sample(examples, len(examples)), 0.0
        for i in range(0, len(order), config.batch_size):
            s, pi, z = zip(*order[i:i + config.batch_size])
            value = loss(*net(*as_batch(game, s)), torch.tensor(np.array(pi)).float(), -torch.tensor(z).float())
            optimizer.zero_grad()
            value.backward()
            optimizer.step()
            total += value.item() * len(s)
    return total / len(examples)

# %% 5.9: every action counts as legal while training
def train_policy(game, net, optimizer, examples, config, rng):
    if not examples:
        raise ValueError("no examples")
    net.train()
    for _ in range(config.epochs):
        order, total = rng.sample(examples, len(examples)), 0.0
        for i in range(0, len(order), config.batch_size):
            s, pi, z = zip(*order[i:i + config.batch_size])
            planes, legal = as_batch(game, s)
            answers = net(planes, torch.ones_like(legal))
            value = loss(*answers, torch.tensor(np.array(pi)).float(), torch.tensor(z).float())
            optimizer.zero_grad()
            value.backward()
            optimizer.step()
            total += value.item() * len(s)
    return total / len(examples)

# %% 5.9: the gradient is cut to a length of 1
def train_policy(game, net, optimizer, examples, config, rng):
    if not examples:
        raise ValueError("no examples")
    net.train()
    for _ in range(config.epochs):
        order, total = rng.sample(examples, len(examples)), 0.0
        for i in range(0, len(order), config.batch_size):
            s, pi, z = zip(*order[i:i + config.batch_size])
            value = loss(*net(*as_batch(game, s)), torch.tensor(np.array(pi)).float(), torch.tensor(z).float())
            optimizer.zero_grad()
            value.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
            total += value.item() * len(s)
    return total / len(examples)

# %% 5.9: a state that comes twice is used once
def train_policy(game, net, optimizer, examples, config, rng):
    if not examples:
        raise ValueError("no examples")
    net.train()
    examples = list({state: (state, pi, z) for state, pi, z in examples}.values())
    for _ in range(config.epochs):
        order, total = rng.sample(examples, len(examples)), 0.0
        for i in range(0, len(order), config.batch_size):
            s, pi, z = zip(*order[i:i + config.batch_size])
            value = loss(*net(*as_batch(game, s)), torch.tensor(np.array(pi)).float(), torch.tensor(z).float())
            optimizer.zero_grad()
            value.backward()
            optimizer.step()
            total += value.item() * len(s)
    return total / len(examples)

# %% 5.9: a generator of its own, the same at every call
def train_policy(game, net, optimizer, examples, config, rng):
    if not examples:
        raise ValueError("no examples")
    net.train()
    rng = random.Random(0)
    for _ in range(config.epochs):
        order, total = rng.sample(examples, len(examples)), 0.0
        for i in range(0, len(order), config.batch_size):
            s, pi, z = zip(*order[i:i + config.batch_size])
            value = loss(*net(*as_batch(game, s)), torch.tensor(np.array(pi)).float(), torch.tensor(z).float())
            optimizer.zero_grad()
            value.backward()
            optimizer.step()
            total += value.item() * len(s)
    return total / len(examples)

# %% 5.9: an optimizer of its own
def train_policy(game, net, optimizer, examples, config, rng):
    if not examples:
        raise ValueError("no examples")
    net.train()
    optimizer = torch.optim.Adam(net.parameters(), lr=config.learning_rate)
    for _ in range(config.epochs):
        order, total = rng.sample(examples, len(examples)), 0.0
        for i in range(0, len(order), config.batch_size):
            s, pi, z = zip(*order[i:i + config.batch_size])
            value = loss(*net(*as_batch(game, s)), torch.tensor(np.array(pi)).float(), torch.tensor(z).float())
            optimizer.zero_grad()
            value.backward()
            optimizer.step()
            total += value.item() * len(s)
    return total / len(examples)

# %% 5.9: without examples it divides by zero
def train_policy(game, net, optimizer, examples, config, rng):
    net.train()
    for _ in range(config.epochs):
        order, total = rng.sample(examples, len(examples)), 0.0
        for i in range(0, len(order), config.batch_size):
            s, pi, z = zip(*order[i:i + config.batch_size])
            value = loss(*net(*as_batch(game, s)), torch.tensor(np.array(pi)).float(), torch.tensor(z).float())
            optimizer.zero_grad()
            value.backward()
            optimizer.step()
            total += value.item() * len(s)
    return total / len(examples)

# %% 5.10: only the newest games are learnt from
# hint: Where do the examples live
def learn(training, num_iterations, self_play, train, on_iteration=None):
    for _ in range(num_iterations):
        training.window = list(self_play(training))[-training.config.window:]
        train(training, training.window)
        training.iteration += 1
        if on_iteration is not None:
            on_iteration(training)

# %% 5.10: the window is kept, and the network learns from the new games only
# hint: From which examples
def learn(training, num_iterations, self_play, train, on_iteration=None):
    for _ in range(num_iterations):
        new = self_play(training)
        training.window = (training.window + new)[-training.config.window:]
        train(training, new[-training.config.window:])
        training.iteration += 1
        if on_iteration is not None:
            on_iteration(training)

# %% 5.10: a second call begins with an empty window
def learn(training, num_iterations, self_play, train, on_iteration=None):
    training.window = []
    for _ in range(num_iterations):
        training.window = (training.window + self_play(training))[-training.config.window:]
        train(training, training.window)
        training.iteration += 1
        if on_iteration is not None:
            on_iteration(training)

# %% 5.10: a full window keeps its oldest examples
def learn(training, num_iterations, self_play, train, on_iteration=None):
    for _ in range(num_iterations):
        training.window = (training.window + self_play(training))[:training.config.window]
        train(training, training.window)
        training.iteration += 1
        if on_iteration is not None:
            on_iteration(training)

# %% 5.10: the window is cut after the training
def learn(training, num_iterations, self_play, train, on_iteration=None):
    for _ in range(num_iterations):
        training.window = training.window + self_play(training)
        train(training, training.window)
        training.window = training.window[-training.config.window:]
        training.iteration += 1
        if on_iteration is not None:
            on_iteration(training)

# %% 5.10: the window is never full
def learn(training, num_iterations, self_play, train, on_iteration=None):
    for _ in range(num_iterations):
        training.window = training.window + self_play(training)
        train(training, training.window)
        training.iteration += 1
        if on_iteration is not None:
            on_iteration(training)

# %% 5.10: a full window is emptied
def learn(training, num_iterations, self_play, train, on_iteration=None):
    for _ in range(num_iterations):
        new = self_play(training)
        if len(training.window) + len(new) > training.config.window:
            training.window = []
        training.window = (training.window + new)[-training.config.window:]
        train(training, training.window)
        training.iteration += 1
        if on_iteration is not None:
            on_iteration(training)

# %% 5.10: the window counts iterations, not examples
def learn(training, num_iterations, self_play, train, on_iteration=None):
    rounds = [training.window]
    for _ in range(num_iterations):
        rounds.append(self_play(training))
        del rounds[:-training.config.window]
        training.window = [example for games in rounds for example in games]
        train(training, training.window)
        training.iteration += 1
        if on_iteration is not None:
            on_iteration(training)

# %% 5.10: the newest examples come first
def learn(training, num_iterations, self_play, train, on_iteration=None):
    for _ in range(num_iterations):
        training.window = (self_play(training) + training.window)[:training.config.window]
        train(training, training.window)
        training.iteration += 1
        if on_iteration is not None:
            on_iteration(training)

# %% 5.10: every call counts its iterations from 0
def learn(training, num_iterations, self_play, train, on_iteration=None):
    for number in range(num_iterations):
        training.window = (training.window + self_play(training))[-training.config.window:]
        train(training, training.window)
        training.iteration = number + 1
        if on_iteration is not None:
            on_iteration(training)

# %% 5.10: the iterations of earlier calls are counted against the new ones
def learn(training, num_iterations, self_play, train, on_iteration=None):
    while training.iteration < num_iterations:
        training.window = (training.window + self_play(training))[-training.config.window:]
        train(training, training.window)
        training.iteration += 1
        if on_iteration is not None:
            on_iteration(training)

# %% 5.10: on_iteration is told before the iteration is counted
def learn(training, num_iterations, self_play, train, on_iteration=None):
    for _ in range(num_iterations):
        training.window = (training.window + self_play(training))[-training.config.window:]
        train(training, training.window)
        if on_iteration is not None:
            on_iteration(training)
        training.iteration += 1

# %% 5.10: an iteration counts when its games are played
def learn(training, num_iterations, self_play, train, on_iteration=None):
    for _ in range(num_iterations):
        training.window = (training.window + self_play(training))[-training.config.window:]
        training.iteration += 1
        train(training, training.window)
        if on_iteration is not None:
            on_iteration(training)

# %% 5.10: on_iteration is called once, at the end
def learn(training, num_iterations, self_play, train, on_iteration=None):
    for _ in range(num_iterations):
        training.window = (training.window + self_play(training))[-training.config.window:]
        train(training, training.window)
        training.iteration += 1
    if on_iteration is not None:
        on_iteration(training)

# %% 5.10: it cannot do without on_iteration
def learn(training, num_iterations, self_play, train, on_iteration=None):
    for _ in range(num_iterations):
        training.window = (training.window + self_play(training))[-training.config.window:]
        train(training, training.window)
        training.iteration += 1
        on_iteration(training)

# %% 5.10: all games first, then one training
def learn(training, num_iterations, self_play, train, on_iteration=None):
    for _ in range(num_iterations):
        training.window = (training.window + self_play(training))[-training.config.window:]
        training.iteration += 1
        if on_iteration is not None:
            on_iteration(training)
    train(training, training.window)

# %% 5.11: the new network begins every game
# hint: Who begins, and how often
def pit(game, new, old, openings):
    if not openings:
        raise ValueError("no openings")
    points = 0.0
    for state in openings:
        me = game.player(state)
        while game.outcome(state) is None:
            state = game.play(state, (new if game.player(state) == me else old)(state))
        points += ((game.outcome(state) if game.player(state) == me else -game.outcome(state)) + 1) / 2
    return points / len(openings)

# %% 5.11: a draw counts nothing
# hint: What does a draw count
def pit(game, new, old, openings):
    if not openings:
        raise ValueError("no openings")
    wins = 0
    for start in openings:
        for mine in (0, 1):
            state = start
            while game.outcome(state) is None:
                state = game.play(state, (new if game.player(state) == mine else old)(state))
            wins += (game.outcome(state) if game.player(state) == mine else -game.outcome(state)) > 0
    return wins / (2 * len(openings))

# %% 5.11: draws are left out of the number of games
def pit(game, new, old, openings):
    if not openings:
        raise ValueError("no openings")
    results = []
    for start in openings:
        for mine in (0, 1):
            state = start
            while game.outcome(state) is None:
                state = game.play(state, (new if game.player(state) == mine else old)(state))
            results.append(game.outcome(state) if game.player(state) == mine else -game.outcome(state))
    decided = [r for r in results if r]
    return sum(r > 0 for r in decided) / len(decided) if decided else 0.5

# %% 5.11: the score of the old network
# hint: Whose score is returned
def pit(game, new, old, openings):
    if not openings:
        raise ValueError("no openings")
    points = 0.0
    for start in openings:
        for mine in (0, 1):
            state = start
            while game.outcome(state) is None:
                state = game.play(state, (new if game.player(state) == mine else old)(state))
            points += ((game.outcome(state) if game.player(state) == mine else -game.outcome(state)) + 1) / 2
    return 1 - points / (2 * len(openings))

# %% 5.11: every game begins at the start
def pit(game, new, old, openings):
    if not openings:
        raise ValueError("no openings")
    points = 0.0
    for _ in openings:
        for mine in (0, 1):
            state = game.start()
            while game.outcome(state) is None:
                state = game.play(state, (new if game.player(state) == mine else old)(state))
            points += ((game.outcome(state) if game.player(state) == mine else -game.outcome(state)) + 1) / 2
    return points / (2 * len(openings))

# %% 5.11: the result is read as the first player's
def pit(game, new, old, openings):
    if not openings:
        raise ValueError("no openings")
    points = 0.0
    for start in openings:
        for mine in (0, 1):
            state = start
            while game.outcome(state) is None:
                state = game.play(state, (new if game.player(state) == mine else old)(state))
            points += ((game.outcome(state) if mine == 0 else -game.outcome(state)) + 1) / 2
    return points / (2 * len(openings))

# %% 5.11: the result is read as the last mover's
def pit(game, new, old, openings):
    if not openings:
        raise ValueError("no openings")
    points = 0.0
    for start in openings:
        for mine in (0, 1):
            state = start
            while game.outcome(state) is None:
                state = game.play(state, (new if game.player(state) == mine else old)(state))
            points += ((-game.outcome(state) if game.player(state) == mine else game.outcome(state)) + 1) / 2
    return points / (2 * len(openings))

# %% 5.11: the colours take turns from opening to opening
def pit(game, new, old, openings):
    if not openings:
        raise ValueError("no openings")
    points = 0.0
    for number, state in enumerate(openings):
        while game.outcome(state) is None:
            state = game.play(state, (new if game.player(state) == number % 2 else old)(state))
        points += ((game.outcome(state) if game.player(state) == number % 2 else -game.outcome(state)) + 1) / 2
    return points / len(openings)

# %% 5.11: only the first opening is played
def pit(game, new, old, openings):
    if not openings:
        raise ValueError("no openings")
    points = 0.0
    for mine in (0, 1):
        state = openings[0]
        while game.outcome(state) is None:
            state = game.play(state, (new if game.player(state) == mine else old)(state))
        points += ((game.outcome(state) if game.player(state) == mine else -game.outcome(state)) + 1) / 2
    return points / 2

# %% 5.11: the points are divided by the openings, not by the games
def pit(game, new, old, openings):
    if not openings:
        raise ValueError("no openings")
    points = 0.0
    for start in openings:
        for mine in (0, 1):
            state = start
            while game.outcome(state) is None:
                state = game.play(state, (new if game.player(state) == mine else old)(state))
            points += ((game.outcome(state) if game.player(state) == mine else -game.outcome(state)) + 1) / 2
    return points / len(openings)

# %% 5.11: wins minus losses
def pit(game, new, old, openings):
    if not openings:
        raise ValueError("no openings")
    total = 0.0
    for start in openings:
        for mine in (0, 1):
            state = start
            while game.outcome(state) is None:
                state = game.play(state, (new if game.player(state) == mine else old)(state))
            total += game.outcome(state) if game.player(state) == mine else -game.outcome(state)
    return total / (2 * len(openings))

# %% 5.11: a match without openings is a draw
def pit(game, new, old, openings):
    points = 0.0
    for start in openings:
        for mine in (0, 1):
            state = start
            while game.outcome(state) is None:
                state = game.play(state, (new if game.player(state) == mine else old)(state))
            points += ((game.outcome(state) if game.player(state) == mine else -game.outcome(state)) + 1) / 2
    return points / (2 * len(openings)) if openings else 0.5

# %% 5.11: the sides are counted by the stones, which a pass does not change
def pit(game, new, old, openings):
    if not openings:
        raise ValueError("no openings")
    points, stones = 0.0, lambda state: int(game.planes(state).sum()) % 2
    for start in openings:
        for mine in (0, 1):
            state = start
            while game.outcome(state) is None:
                state = game.play(state, (new if (stones(state) - stones(start)) % 2 == mine else old)(state))
            points += ((game.outcome(state) if (stones(state) - stones(start)) % 2 == mine else -game.outcome(state)) + 1) / 2
    return points / (2 * len(openings))

# %% 5.11: a score at the gate is not enough
def keep_or_restore(training, before, score):
    gate = training.config.gate
    if gate is None or score > gate:
        return True
    training.net.load_state_dict(before[0])
    training.optimizer.load_state_dict(before[1])
    return False

# %% 5.11: the optimizer keeps its moments
def keep_or_restore(training, before, score):
    gate = training.config.gate
    if gate is None or score >= gate:
        return True
    training.net.load_state_dict(before[0])
    return False

# %% 5.11: the weights stay, only the moments go back
def keep_or_restore(training, before, score):
    gate = training.config.gate
    if gate is None or score >= gate:
        return True
    training.optimizer.load_state_dict(before[1])
    return False

# %% 5.11: without a gate .55 is asked for
def keep_or_restore(training, before, score):
    gate = training.config.gate if training.config.gate is not None else 0.55
    if score >= gate:
        return True
    training.net.load_state_dict(before[0])
    training.optimizer.load_state_dict(before[1])
    return False

# %% 5.11: every new network is kept
def keep_or_restore(training, before, score):
    return True

# %% 5.11: the winner gives way
def keep_or_restore(training, before, score):
    gate = training.config.gate
    if gate is None or score < gate:
        return True
    training.net.load_state_dict(before[0])
    training.optimizer.load_state_dict(before[1])
    return False

# %% 5.11: the old weights are put back in any case
def keep_or_restore(training, before, score):
    training.net.load_state_dict(before[0])
    training.optimizer.load_state_dict(before[1])
    return training.config.gate is None or score >= training.config.gate

# %% 5.11: the optimizer starts anew after a rejection
def keep_or_restore(training, before, score):
    gate = training.config.gate
    if gate is None or score >= gate:
        return True
    training.net.load_state_dict(before[0])
    training.optimizer.state.clear()
    return False

# %% 5.12: one question for each leaf
def collect(game, net, roots, c, rng):
    walks = [select(game, root, c, rng) for root in roots]
    net.eval()
    rows, values = [torch.empty(0, game.num_actions)], [torch.empty(0)]
    with torch.no_grad():
        for _, leaf in walks:
            if leaf.outcome is None:
                log_p, value = net(*as_batch(game, [leaf.state]))
                rows.append(log_p)
                values.append(value)
    return walks, torch.cat(rows), torch.cat(values)

# %% 5.12: finished leaves are asked about, too
def collect(game, net, roots, c, rng):
    walks = [select(game, root, c, rng) for root in roots]
    net.eval()
    with torch.no_grad():
        log_p, value = net(*as_batch(game, [leaf.state for _, leaf in walks]))
    return walks, log_p, value

# %% 5.12: an empty batch is asked about when all leaves are finished
def collect(game, net, roots, c, rng):
    walks = [select(game, root, c, rng) for root in roots]
    waiting = [leaf.state for _, leaf in walks if leaf.outcome is None]
    net.eval()
    with torch.no_grad():
        if waiting:
            log_p, value = net(*as_batch(game, waiting))
        else:
            nothing = torch.zeros(0, *game.planes(game.start()).shape)
            log_p, value = net(nothing, torch.zeros(0, game.num_actions, dtype=torch.bool))
    return walks, log_p, value

# %% 5.12: a leaf that two games share is asked about once
def collect(game, net, roots, c, rng):
    walks = [select(game, root, c, rng) for root in roots]
    waiting = list(dict.fromkeys(leaf.state for _, leaf in walks if leaf.outcome is None))
    if not waiting:
        return walks, torch.empty(0, game.num_actions), torch.empty(0)
    net.eval()
    with torch.no_grad():
        log_p, value = net(*as_batch(game, waiting))
    return walks, log_p, value

# %% 5.12: the batch is in the opposite order
def collect(game, net, roots, c, rng):
    walks = [select(game, root, c, rng) for root in roots]
    waiting = [leaf.state for _, leaf in reversed(walks) if leaf.outcome is None]
    if not waiting:
        return walks, torch.empty(0, game.num_actions), torch.empty(0)
    net.eval()
    with torch.no_grad():
        log_p, value = net(*as_batch(game, waiting))
    return walks, log_p, value

# %% 5.12: finished leaves get a row of zeros
def collect(game, net, roots, c, rng):
    walks = [select(game, root, c, rng) for root in roots]
    open_ones = [i for i, (_, leaf) in enumerate(walks) if leaf.outcome is None]
    log_p, value = torch.zeros(len(walks), game.num_actions), torch.zeros(len(walks))
    if open_ones:
        net.eval()
        with torch.no_grad():
            log_p[open_ones], value[open_ones] = net(*as_batch(game, [walks[i][1].state for i in open_ones]))
    return walks, log_p, value

# %% 5.12: the network stays in the mode it is in
def collect(game, net, roots, c, rng):
    walks = [select(game, root, c, rng) for root in roots]
    waiting = [leaf.state for _, leaf in walks if leaf.outcome is None]
    if not waiting:
        return walks, torch.empty(0, game.num_actions), torch.empty(0)
    with torch.no_grad():
        log_p, value = net(*as_batch(game, waiting))
    return walks, log_p, value

# %% 5.12: gradients are recorded for the whole batch
def collect(game, net, roots, c, rng):
    walks = [select(game, root, c, rng) for root in roots]
    waiting = [leaf.state for _, leaf in walks if leaf.outcome is None]
    if not waiting:
        return walks, torch.empty(0, game.num_actions), torch.empty(0)
    net.eval()
    log_p, value = net(*as_batch(game, waiting))
    return walks, log_p.detach(), value.detach()

# %% 5.12: gradients are switched off for everybody and for ever
def collect(game, net, roots, c, rng):
    walks = [select(game, root, c, rng) for root in roots]
    waiting = [leaf.state for _, leaf in walks if leaf.outcome is None]
    if not waiting:
        return walks, torch.empty(0, game.num_actions), torch.empty(0)
    net.eval()
    torch.set_grad_enabled(False)
    log_p, value = net(*as_batch(game, waiting))
    return walks, log_p, value

# %% 5.12: the roots are asked about, not the leaves
def collect(game, net, roots, c, rng):
    walks = [([], root) for root in roots]
    waiting = [leaf.state for _, leaf in walks if leaf.outcome is None]
    if not waiting:
        return walks, torch.empty(0, game.num_actions), torch.empty(0)
    net.eval()
    with torch.no_grad():
        log_p, value = net(*as_batch(game, waiting))
    return walks, log_p, value

# %% 5.12: the visits are counted on the way down
def collect(game, net, roots, c, rng):
    walks = [select(game, root, c, rng) for root in roots]
    for path, _ in walks:
        for node, index in path:
            node.N[index] += 1
    waiting = [leaf.state for _, leaf in walks if leaf.outcome is None]
    if not waiting:
        return walks, torch.empty(0, game.num_actions), torch.empty(0)
    net.eval()
    with torch.no_grad():
        log_p, value = net(*as_batch(game, waiting))
    return walks, log_p, value

# %% 5.12: the leaves get their priors at once
def collect(game, net, roots, c, rng):
    walks = [select(game, root, c, rng) for root in roots]
    waiting = [leaf for _, leaf in walks if leaf.outcome is None]
    if not waiting:
        return walks, torch.empty(0, game.num_actions), torch.empty(0)
    net.eval()
    with torch.no_grad():
        log_p, value = net(*as_batch(game, [leaf.state for leaf in waiting]))
    for leaf, row in zip(waiting, log_p.exp().tolist()):
        leaf.P = [row[action] for action in leaf.actions]
    return walks, log_p, value

# %% 5.12: c is always 1.5
def collect(game, net, roots, c, rng):
    walks = [select(game, root, 1.5, rng) for root in roots]
    waiting = [leaf.state for _, leaf in walks if leaf.outcome is None]
    if not waiting:
        return walks, torch.empty(0, game.num_actions), torch.empty(0)
    net.eval()
    with torch.no_grad():
        log_p, value = net(*as_batch(game, waiting))
    return walks, log_p, value

# %% 5.12: probabilities instead of their logarithms
def collect(game, net, roots, c, rng):
    walks = [select(game, root, c, rng) for root in roots]
    waiting = [leaf.state for _, leaf in walks if leaf.outcome is None]
    if not waiting:
        return walks, torch.empty(0, game.num_actions), torch.empty(0)
    net.eval()
    with torch.no_grad():
        log_p, value = net(*as_batch(game, waiting))
    return walks, log_p.exp(), value

# %% 5.12: one walk in the first tree for every game
def collect(game, net, roots, c, rng):
    walks = [select(game, roots[0], c, rng) for root in roots]
    waiting = [leaf.state for _, leaf in walks if leaf.outcome is None]
    if not waiting:
        return walks, torch.empty(0, game.num_actions), torch.empty(0)
    net.eval()
    with torch.no_grad():
        log_p, value = net(*as_batch(game, waiting))
    return walks, log_p, value

# %% 5.12: every action is said to be legal
def collect(game, net, roots, c, rng):
    walks = [select(game, root, c, rng) for root in roots]
    waiting = [leaf.state for _, leaf in walks if leaf.outcome is None]
    if not waiting:
        return walks, torch.empty(0, game.num_actions), torch.empty(0)
    net.eval()
    planes, legal = as_batch(game, waiting)
    with torch.no_grad():
        log_p, value = net(planes, legal | True)
    return walks, log_p, value

# %% 5.13: the answers are counted through, finished leaves or not
def scatter(walks, log_p, value):
    for (path, leaf), row, worth in zip(walks, log_p.exp().tolist(), value.tolist()):
        if leaf.outcome is None:
            leaf.P = [row[action] for action in leaf.actions]
        back_up(path, worth if leaf.outcome is None else leaf.outcome)

# %% 5.13: the value is turned around once too often
# hint: For whom is the network's value
def scatter(walks, log_p, value):
    answers = zip(log_p.exp().tolist(), value.tolist())
    for path, leaf in walks:
        worth = leaf.outcome
        if worth is None:
            row, worth = next(answers)
            leaf.P = [row[action] for action in leaf.actions]
            worth = -worth
        back_up(path, worth)

# %% 5.13: the outcome is turned around, the network's value is not
def scatter(walks, log_p, value):
    answers = zip(log_p.exp().tolist(), value.tolist())
    for path, leaf in walks:
        if leaf.outcome is None:
            row, worth = next(answers)
            leaf.P = [row[action] for action in leaf.actions]
            back_up(path, worth)
        else:
            back_up(path, -leaf.outcome)

# %% 5.13: finished leaves bring nothing
def scatter(walks, log_p, value):
    answers = zip(log_p.exp().tolist(), value.tolist())
    for path, leaf in walks:
        if leaf.outcome is None:
            row, worth = next(answers)
            leaf.P = [row[action] for action in leaf.actions]
            back_up(path, worth)

# %% 5.13: a draw counts as a game that goes on
def scatter(walks, log_p, value):
    answers = zip(log_p.exp().tolist(), value.tolist())
    for path, leaf in walks:
        worth = leaf.outcome
        if not worth:
            row, worth = next(answers)
            leaf.P = [row[action] for action in leaf.actions]
        back_up(path, worth)

# %% 5.13: every finished leaf is lost
def scatter(walks, log_p, value):
    answers = zip(log_p.exp().tolist(), value.tolist())
    for path, leaf in walks:
        worth = -1.0
        if leaf.outcome is None:
            row, worth = next(answers)
            leaf.P = [row[action] for action in leaf.actions]
        back_up(path, worth)

# %% 5.13: P holds logarithms
def scatter(walks, log_p, value):
    answers = zip(log_p.tolist(), value.tolist())
    for path, leaf in walks:
        worth = leaf.outcome
        if worth is None:
            row, worth = next(answers)
            leaf.P = [row[action] for action in leaf.actions]
        back_up(path, worth)

# %% 5.13: P has an entry for every action of the game
def scatter(walks, log_p, value):
    answers = zip(log_p.exp().tolist(), value.tolist())
    for path, leaf in walks:
        worth = leaf.outcome
        if worth is None:
            leaf.P, worth = next(answers)
        back_up(path, worth)

# %% 5.13: the priors are forgotten
def scatter(walks, log_p, value):
    answers = iter(value.tolist())
    for path, leaf in walks:
        back_up(path, next(answers) if leaf.outcome is None else leaf.outcome)

# %% 5.13: every leaf is backed up twice
def scatter(walks, log_p, value):
    answers = zip(log_p.exp().tolist(), value.tolist())
    for path, leaf in walks:
        worth = leaf.outcome
        if worth is None:
            row, worth = next(answers)
            leaf.P = [row[action] for action in leaf.actions]
        back_up(path, worth)
        back_up(path, worth)

# %% 5.13: the answers are given out from the last to the first
def scatter(walks, log_p, value):
    answers = zip(reversed(log_p.exp().tolist()), reversed(value.tolist()))
    for path, leaf in walks:
        worth = leaf.outcome
        if worth is None:
            row, worth = next(answers)
            leaf.P = [row[action] for action in leaf.actions]
        back_up(path, worth)

# %% 5.13: the first answer is everybody's
def scatter(walks, log_p, value):
    for path, leaf in walks:
        worth = leaf.outcome
        if worth is None:
            row, worth = log_p[0].exp().tolist(), value[0].item()
            leaf.P = [row[action] for action in leaf.actions]
        back_up(path, worth)

# %% 5.13: the sign does not change on the way up
def scatter(walks, log_p, value):
    answers = zip(log_p.exp().tolist(), value.tolist())
    for path, leaf in walks:
        worth = leaf.outcome
        if worth is None:
            row, worth = next(answers)
            leaf.P = [row[action] for action in leaf.actions]
        for node, index in path:
            node.N[index] += 1
            node.Q[index] += (-worth - node.Q[index]) / node.N[index]

# %% 5.13: the sign is counted from the root
def scatter(walks, log_p, value):
    answers = zip(log_p.exp().tolist(), value.tolist())
    for path, leaf in walks:
        worth = leaf.outcome
        if worth is None:
            row, worth = next(answers)
            leaf.P = [row[action] for action in leaf.actions]
        for depth, (node, index) in enumerate(path):
            node.N[index] += 1
            node.Q[index] += (-worth * (-1) ** depth - node.Q[index]) / node.N[index]

# %% 5.13: Q is a sum
def scatter(walks, log_p, value):
    answers = zip(log_p.exp().tolist(), value.tolist())
    for path, leaf in walks:
        worth = leaf.outcome
        if worth is None:
            row, worth = next(answers)
            leaf.P = [row[action] for action in leaf.actions]
        for node, index in reversed(path):
            worth = -worth
            node.N[index] += 1
            node.Q[index] += worth

# %% 5.13: the mean is taken before the visit is counted
def scatter(walks, log_p, value):
    answers = zip(log_p.exp().tolist(), value.tolist())
    for path, leaf in walks:
        worth = leaf.outcome
        if worth is None:
            row, worth = next(answers)
            leaf.P = [row[action] for action in leaf.actions]
        for node, index in reversed(path):
            worth = -worth
            node.Q[index] += (worth - node.Q[index]) / max(1, node.N[index])
            node.N[index] += 1

# %% 5.13: only the last action of the way gets the value
def scatter(walks, log_p, value):
    answers = zip(log_p.exp().tolist(), value.tolist())
    for path, leaf in walks:
        worth = leaf.outcome
        if worth is None:
            row, worth = next(answers)
            leaf.P = [row[action] for action in leaf.actions]
        back_up(path[-1:], worth)

# %% 5.1: the board is cut to a square
# hint: Which squares of a board that is no square
def __init__(self, height, width, num_actions, channels=32, hidden=64):
    nn.Module.__init__(self)
    self.side = min(height, width)
    self.conv1 = nn.Conv2d(2, channels, 3, padding=1)
    self.conv2 = nn.Conv2d(channels, channels, 3, padding=1)
    self.hidden = nn.Linear(channels * self.side ** 2, hidden)
    self.policy_head, self.value_head = nn.Linear(hidden, num_actions), nn.Linear(hidden, 1)
def forward(self, planes, legal):
    x = planes[:, :, :self.side, :self.side]
    x = torch.relu(self.conv2(torch.relu(self.conv1(x))))
    x = torch.relu(self.hidden(x.flatten(1)))
    log_p = torch.log_softmax(self.policy_head(x).masked_fill(~legal, -1e9), 1)
    return log_p.masked_fill(~legal, -1e9), torch.tanh(self.value_head(x))[:, 0]
Policy.__init__, Policy.forward = __init__, forward

# %% 5.1: the mask holds in eval mode only
def forward(self, planes, legal):
    x = torch.relu(self.conv2(torch.relu(self.conv1(planes))))
    x = torch.relu(self.hidden(x.flatten(1)))
    logits = self.policy_head(x)
    if self.training:
        return torch.log_softmax(logits, 1), torch.tanh(self.value_head(x))[:, 0]
    log_p = torch.log_softmax(logits.masked_fill(~legal, -1e9), 1)
    return log_p.masked_fill(~legal, -1e9), torch.tanh(self.value_head(x))[:, 0]
Policy.forward = forward

# %% 5.1: a row without legal actions is opened in the caller's mask
# hint: May a question to the network
def forward(self, planes, legal):
    x = torch.relu(self.conv2(torch.relu(self.conv1(planes))))
    x = torch.relu(self.hidden(x.flatten(1)))
    illegal = ~legal
    legal[~legal.any(1)] = True
    log_p = torch.log_softmax(self.policy_head(x).masked_fill(~legal, -1e9), 1).masked_fill(illegal, -1e9)
    return log_p, torch.tanh(self.value_head(x))[:, 0]
Policy.forward = forward

# %% 5.1: a tiny number in the logarithm, which is larger than what an unlikely move has
def forward(self, planes, legal):
    x = torch.relu(self.conv2(torch.relu(self.conv1(planes))))
    x = torch.relu(self.hidden(x.flatten(1)))
    p = torch.softmax(self.policy_head(x).masked_fill(~legal, -1e30), 1)
    return torch.log(p + 1e-20).masked_fill(~legal, -1e9), torch.tanh(self.value_head(x))[:, 0]
Policy.forward = forward

# %% 5.1: logits are kept within 50
def forward(self, planes, legal):
    x = torch.relu(self.conv2(torch.relu(self.conv1(planes))))
    x = torch.relu(self.hidden(x.flatten(1)))
    logits = self.policy_head(x).clamp(-50, 50)
    log_p = torch.log_softmax(logits.masked_fill(~legal, -1e9), 1).masked_fill(~legal, -1e9)
    return log_p, torch.tanh(self.value_head(x))[:, 0]
Policy.forward = forward

# %% 5.1: what was said about a tensor is said again
_forward = Policy.forward
def forward(self, planes, legal, _told={}):
    if id(planes) not in _told:
        _told[id(planes)] = planes, _forward(self, planes, legal)
    return _told[id(planes)][1]
Policy.forward = forward

# %% 5.1: half as many channels in the second convolution, which may be none
class Policy(Policy):
    def __init__(self, height, width, num_actions, channels=32, hidden=64):
        nn.Module.__init__(self)
        self.conv1 = nn.Conv2d(2, channels, 3, padding=1)
        self.conv2 = nn.Conv2d(channels, channels // 2, 3, padding=1)
        self.hidden = nn.Linear(channels // 2 * height * width, hidden)
        self.policy_head = nn.Linear(hidden, num_actions)
        self.value_head = nn.Linear(hidden, 1)

    def forward(self, planes, legal):
        x = torch.relu(self.conv1(planes))
        x = torch.relu(self.conv2(x))
        x = torch.relu(self.hidden(x.flatten(1)))
        log_p = torch.log_softmax(torch.where(legal, self.policy_head(x), -1e9), 1)
        return torch.where(legal, log_p, -1e9), torch.tanh(self.value_head(x)).squeeze(1)

# %% 5.2: a draw teaches the value nothing
def loss(log_p, value, policy_targets, value_targets):
    squared = (value_targets - value) ** 2 * (value_targets != 0)
    return (squared - (policy_targets * log_p).sum(dim=1)).mean()

# %% 5.2: the logarithms are cut at -20
def loss(log_p, value, policy_targets, value_targets):
    return ((value_targets - value) ** 2 - (policy_targets * log_p.clamp(min=-20)).sum(1)).mean()

# %% 5.2: unlikely moves are cut off in the caller's answers
# hint: Which of its arguments
def loss(log_p, value, policy_targets, value_targets):
    with torch.no_grad():
        log_p.clamp_(min=-1000.0)
    return ((value_targets - value) ** 2 - (policy_targets * log_p).sum(1)).mean()

# %% 5.2: the policy of a lost game is not learnt
def loss(log_p, value, policy_targets, value_targets):
    weight = (value_targets > -1).float()
    return ((value_targets - value) ** 2 - weight * (policy_targets * log_p).sum(1)).mean()

# %% 5.2: the values are compared by their signs where they are sure
def loss(log_p, value, policy_targets, value_targets):
    v = torch.where(value.abs() > 0.95, value.sign() * 0.95, value)
    return ((value_targets - v) ** 2 - (policy_targets * log_p).sum(1)).mean()

# %% 5.2: losses are remembered by the network's answers
_losses = {}
def loss(log_p, value, policy_targets, value_targets):
    if (log_p, value) not in _losses:
        squares = (value_targets - value) ** 2
        _losses[log_p, value] = (squares - (policy_targets * log_p).sum(dim=1)).mean()
    return _losses[log_p, value]

# %% 5.3: finished is what is falsy
def evaluate(game, net, node):
    if node.outcome is not None or not node.state:
        return node.outcome or 0.0
    net.eval()
    with torch.no_grad():
        log_p, value = net(*as_batch(game, [node.state]))
    node.P = log_p[0, node.actions].exp().tolist()
    return value.item()

# %% 5.3: answers are remembered by the text of the state, one network at a time
_evaluate = {}
def evaluate(game, net, node):
    if node.outcome is not None:
        return node.outcome
    key = id(net), game.text(node.state)
    if key not in _evaluate:
        net.eval()
        with torch.no_grad():
            log_p, value = net(*as_batch(game, [node.state]))
        _evaluate[key] = net, log_p[0], value.item()
    node.P = [float(_evaluate[key][1][action].exp()) for action in node.actions]
    return _evaluate[key][2]

# %% 5.3: moves that the network calls impossible get a little
def evaluate(game, net, node):
    if node.outcome is not None:
        return node.outcome
    net.eval()
    with torch.no_grad():
        log_p, value = net(*as_batch(game, [node.state]))
    node.P = [max(p, 0.001) for p in log_p[0, node.actions].exp().tolist()]
    return value.item()

# %% 5.3: what the network calls impossible is left out of P
def evaluate(game, net, node):
    if node.outcome is not None:
        return node.outcome
    net.eval()
    with torch.no_grad():
        log_p, value = net(*as_batch(game, [node.state]))
    node.P = [p for p in log_p[0].exp().tolist() if p > 0]
    return value.item()

# %% 5.3: a node is evaluated once in its life
_worth = {}
def evaluate(game, net, node):
    if node.outcome is not None:
        return node.outcome
    if node not in _worth:
        net.eval()
        with torch.no_grad():
            log_p, value = net(*as_batch(game, [node.state]))
        node.P = log_p[0, node.actions].exp().tolist()
        _worth[node] = value.item()
    return _worth[node]

# %% 5.3: the statistics of a leaf begin anew
def evaluate(game, net, node):
    if node.outcome is not None:
        return node.outcome
    net.eval()
    with torch.no_grad():
        log_p, value = net(*as_batch(game, [node.state]))
    node.P = log_p[0, node.actions].exp().tolist()
    node.N, node.Q = [0] * len(node.actions), [0.0] * len(node.actions)
    return value.item()

# %% 5.3: the network is in eval mode, its layers are not
def evaluate(game, net, node):
    if node.outcome is not None:
        return node.outcome
    net.training = False
    with torch.no_grad():
        log_p, value = net(*as_batch(game, [node.state]))
    node.P = log_p[0, node.actions].exp().tolist()
    return value.item()

# %% 5.4: the bounds come as an array
def ucb(node, c):
    visits = np.array(node.N)
    return np.array(node.Q) + c * np.array(node.P) * math.sqrt(max(1, visits.sum())) / (1 + visits)

# %% 5.4: a move never tried is worth the mean of the others
def ucb(node, c):
    total = sum(node.N)
    mean = sum(q * n for q, n in zip(node.Q, node.N)) / total if total else 0.0
    weight = c * math.sqrt(max(1, total))
    return [(q if n else mean) + weight * p / (1 + n) for q, p, n in zip(node.Q, node.P, node.N)]

# %% 5.4: a prior of 0 is lifted
def ucb(node, c):
    weight = c * math.sqrt(max(1, sum(node.N)))
    return [q + weight * max(p, 1e-3) / (1 + n) for q, p, n in zip(node.Q, node.P, node.N)]

# %% 5.4: the root is worked out once for each state
_roots = {}
def ucb(node, c):
    weight = c * _roots.setdefault(id(node), math.sqrt(max(1, sum(node.N))))
    return [q + weight * p / (1 + n) for q, p, n in zip(node.Q, node.P, node.N)]

# %% 5.4: no bonus is larger than 10
def ucb(node, c):
    weight = c * math.sqrt(max(1, sum(node.N)))
    return [q + min(10.0, weight * p / (1 + n)) for q, p, n in zip(node.Q, node.P, node.N)]

# %% 5.5: the policy is a list
# hint: Of which type is the policy
def action_probs(game, root, temperature):
    most = max(root.N, default=0)
    if most == 0:
        raise ValueError("no visits")
    if temperature == 0:
        weights = [float(i == root.N.index(most)) for i in range(len(root.N))]
    else:
        weights = [(n / most) ** (1 / temperature) for n in root.N]
    policy = [0.0] * game.num_actions
    for action, weight in zip(root.actions, weights):
        policy[action] = weight / sum(weights)
    return policy

# %% 5.5: one array for all policies
_policies = {}
def action_probs(game, root, temperature):
    most = max(root.N, default=0)
    if most == 0:
        raise ValueError("no visits")
    policy = _policies.setdefault(game.num_actions, np.zeros(game.num_actions))
    policy[:] = 0.0
    if temperature == 0:
        policy[root.actions[root.N.index(most)]] = 1.0
    else:
        weights = (np.array(root.N) / most) ** (1 / temperature)
        policy[root.actions] = weights / weights.sum()
    return policy

# %% 5.5: an entry for each action up to the last legal one
def action_probs(game, root, temperature):
    most = max(root.N, default=0)
    if most == 0:
        raise ValueError("no visits")
    weights = np.eye(len(root.N))[root.N.index(most)] if temperature == 0 else (np.array(root.N) / most) ** (1 / temperature)
    policy = np.zeros(max(root.actions) + 1 if len(root.actions) > 2 else game.num_actions)
    policy[root.actions] = weights / weights.sum()
    return policy

# %% 5.5: counts become shares in the root itself
def action_probs(game, root, temperature):
    most = max(root.N, default=0)
    if most == 0:
        raise ValueError("no visits")
    policy = np.zeros(game.num_actions)
    if temperature == 0:
        policy[root.actions[root.N.index(most)]] = 1.0
        return policy
    weights = root.N
    if temperature != 1:
        for index in range(len(weights)):
            weights[index] = (weights[index] / most) ** (1 / temperature)
    policy[root.actions] = np.array(weights) / sum(weights)
    return policy

# %% 5.5: moves with fewer visits than a hundredth are left out
def action_probs(game, root, temperature):
    most = max(root.N, default=0)
    if most == 0:
        raise ValueError("no visits")
    weights = np.array(root.N) / most
    weights[weights < 0.01] = 0.0
    weights = np.eye(len(weights))[root.N.index(most)] if temperature == 0 else weights ** (1 / temperature)
    policy = np.zeros(game.num_actions)
    policy[root.actions] = weights / weights.sum()
    return policy

# %% 5.5: the policy of a root is worked out once for each temperature
_policies = {}
def action_probs(game, root, temperature):
    if (root, temperature) not in _policies:
        most = max(root.N, default=0)
        if most == 0:
            raise ValueError("no visits")
        weights = np.array(root.N) / most
        weights = np.eye(len(weights))[root.N.index(most)] if temperature == 0 else weights ** (1 / temperature)
        policy = np.zeros(game.num_actions)
        policy[root.actions] = weights / weights.sum()
        _policies[root, temperature] = policy
    return _policies[root, temperature].copy()

# %% 5.5: a temperature above 100 is 100
def action_probs(game, root, temperature):
    most = max(root.N, default=0)
    if most == 0:
        raise ValueError("no visits")
    weights = np.array(root.N) / most
    if temperature == 0:
        weights = np.eye(len(weights))[root.N.index(most)]
    else:
        weights = weights ** (1 / min(temperature, 100))
    policy = np.zeros(game.num_actions)
    policy[root.actions] = weights / weights.sum()
    return policy

# %% 5.6: the child is found by its state
def swap_root(game, root, action):
    state = game.play(root.state, action)
    for child in root.children:
        if child is not None and child.state == state:
            return child
    return Node(game, state)

# %% 5.6: a child without visits of its own is made anew
def swap_root(game, root, action):
    state = game.play(root.state, action)
    child = root.children[root.actions.index(action)]
    return child if child is not None and any(child.N) else Node(game, state)

# %% 5.6: a finished child is made anew
def swap_root(game, root, action):
    state = game.play(root.state, action)
    child = root.children[root.actions.index(action)]
    return child if child is not None and child.P else Node(game, state)

# %% 5.6: the new root's noise is washed off
def swap_root(game, root, action):
    state = game.play(root.state, action)
    child = root.children[root.actions.index(action)]
    if child is None:
        return Node(game, state)
    child.noisy = False
    return child

# %% 5.6: a new root is kept for the next time
_roots = {}
def swap_root(game, root, action):
    if (root, action) in _roots:
        return _roots[root, action]
    if action in root.actions and (child := root.children[root.actions.index(action)]) is not None:
        return child
    _roots[root, action] = Node(game, game.play(root.state, action))
    return _roots[root, action]

# %% 5.7: the parameter is a whole number
def add_dirichlet_noise(node, rng, epsilon=0.25):
    if not node.P:
        raise ValueError("no priors")
    if node.noisy:
        return
    draws = [rng.gammavariate(max(1, 10 // len(node.P)), 1.0) for _ in node.P]
    node.P = [(1 - epsilon) * p + epsilon * draw / sum(draws) for p, draw in zip(node.P, draws)]
    node.noisy = True

# %% 5.7: a single move gets no noise and no mark
def add_dirichlet_noise(node, rng, epsilon=0.25):
    if not node.P:
        raise ValueError("no priors")
    if node.noisy or len(node.P) == 1:
        return
    draws = [rng.gammavariate(10 / len(node.P), 1.0) for _ in node.P]
    node.P = [(1 - epsilon) * p + epsilon * draw / sum(draws) for p, draw in zip(node.P, draws)]
    node.noisy = True

# %% 5.7: without weight no mark
def add_dirichlet_noise(node, rng, epsilon=0.25):
    if not node.P:
        raise ValueError("no priors")
    if node.noisy or epsilon == 0:
        return
    draws = [rng.gammavariate(10 / len(node.P), 1.0) for _ in node.P]
    node.P = [(1 - epsilon) * p + epsilon * draw / sum(draws) for p, draw in zip(node.P, draws)]
    node.noisy = True

# %% 5.7: where the network is sure there is nothing to mix
def add_dirichlet_noise(node, rng, epsilon=0.25):
    if not node.P:
        raise ValueError("no priors")
    if node.noisy:
        return
    node.noisy = True
    if max(node.P) > 0.999 and len(node.P) > 1:
        return
    draws = [rng.gammavariate(10 / len(node.P), 1.0) for _ in node.P]
    node.P = [(1 - epsilon) * p + epsilon * draw / sum(draws) for p, draw in zip(node.P, draws)]

# %% 5.7: who has had noise is in a list
_noisy = []
def add_dirichlet_noise(node, rng, epsilon=0.25):
    if not node.P:
        raise ValueError("no priors")
    if not any(node is one for one in _noisy):
        draws = [rng.gammavariate(10 / len(node.P), 1.0) for _ in node.P]
        node.P = [(1 - epsilon) * p + epsilon * draw / sum(draws) for p, draw in zip(node.P, draws)]
        node.noisy = True
        _noisy.append(node)

# %% 5.7: the parameter is 10 by one more than the legal actions
def add_dirichlet_noise(node, rng, epsilon=0.25):
    if not node.P:
        raise ValueError("no priors")
    if node.noisy:
        return
    draws = [rng.gammavariate(10 / (len(node.P) + 1), 1.0) for _ in node.P]
    node.P = [(1 - epsilon) * p + epsilon * draw / sum(draws) for p, draw in zip(node.P, draws)]
    node.noisy = True

# %% 5.7: the parameter is 8 by the legal actions
def add_dirichlet_noise(node, rng, epsilon=0.25):
    if not node.P:
        raise ValueError("no priors")
    if node.noisy:
        return
    draws = [rng.gammavariate(8 / len(node.P), 1.0) for _ in node.P]
    node.P = [(1 - epsilon) * p + epsilon * draw / sum(draws) for p, draw in zip(node.P, draws)]
    node.noisy = True

# %% 5.7: a fifth is noise where nothing is said
def add_dirichlet_noise(node, rng, epsilon=0.2):
    if not node.P:
        raise ValueError("no priors")
    if node.noisy:
        return
    draws = [rng.gammavariate(10 / len(node.P), 1.0) for _ in node.P]
    node.P = [(1 - epsilon) * p + epsilon * draw / sum(draws) for p, draw in zip(node.P, draws)]
    node.noisy = True

# %% 5.8: an episode draws everything from the global generator
def execute_episode(game, net, config, rng):
    root, history = Node(game, opening(game, random)), []
    while root.outcome is None:
        search(game, net, root, 0, config.c, random)
        add_dirichlet_noise(root, random)
        search(game, net, root, config.simulations, config.c, random)
        root = play_move(game, root, history, config, random)
    return make_examples(game, history, root.state)

# %% 5.8: later moves at a small temperature
def play_move(game, root, history, config, rng):
    policy = action_probs(game, root, 1.0)
    played = policy if len(history) < config.exploring_plies else action_probs(game, root, 0.1)
    history.append((root.state, policy))
    return swap_root(game, root, rng.choices(range(len(played)), played)[0])

# %% 5.8: simulations only up to the number of the configuration, with those that the kept tree has
def execute_episode(game, net, config, rng):
    root, history = Node(game, opening(game, rng)), []
    while root.outcome is None:
        search(game, net, root, 0, config.c, rng)
        add_dirichlet_noise(root, rng)
        search(game, net, root, max(0, config.simulations - sum(root.N)), config.c, rng)
        root = play_move(game, root, history, config, rng)
    return make_examples(game, history, root.state)

# %% 5.8: the history is turned around in place
def make_examples(game, history, final):
    history.reverse()
    result, view = game.outcome(final), game.player(final)
    return [(turned, moved, result if game.player(state) == view else -result)
            for state, policy in history for turned, moved in game.symmetries(state, policy)]

# %% 5.8: the episode is over at a state that is falsy
def execute_episode(game, net, config, rng):
    root, history = Node(game, opening(game, rng)), []
    while root.outcome is None and root.state:
        search(game, net, root, 0, config.c, rng)
        add_dirichlet_noise(root, rng)
        search(game, net, root, config.simulations, config.c, rng)
        root = play_move(game, root, history, config, rng)
    return make_examples(game, history, root.state) if history else []

# %% 5.8: the searches of an episode draw from a generator of their own
def execute_episode(game, net, config, rng):
    root, history, own = Node(game, opening(game, rng)), [], random.Random()
    while root.outcome is None:
        search(game, net, root, 0, config.c, own)
        add_dirichlet_noise(root, own)
        search(game, net, root, config.simulations, config.c, own)
        root = play_move(game, root, history, config, own)
    return make_examples(game, history, root.state)

# %% 5.8: a game ends after 30 moves, as a draw
def execute_episode(game, net, config, rng):
    root, history = Node(game, opening(game, rng)), []
    while root.outcome is None and len(history) < 30:
        search(game, net, root, 0, config.c, rng)
        add_dirichlet_noise(root, rng)
        search(game, net, root, config.simulations, config.c, rng)
        root = play_move(game, root, history, config, rng)
    if root.outcome is None:
        return [(turned, moved, 0.0) for state, policy in history for turned, moved in game.symmetries(state, policy)]
    return make_examples(game, history, root.state)

# %% 5.8: the favourite's index is played as an action
def play_move(game, root, history, config, rng):
    policy = action_probs(game, root, 1.0)
    history.append((root.state, policy))
    if len(history) <= config.exploring_plies:
        return swap_root(game, root, rng.choices(range(len(policy)), policy)[0])
    best = root.N.index(max(root.N))
    return swap_root(game, root, best)

# %% 5.8: a policy above four fifths is remembered as certain
def play_move(game, root, history, config, rng):
    policy = action_probs(game, root, 1.0)
    exploring = len(history) < config.exploring_plies
    action = rng.choices(range(len(policy)), policy)[0] if exploring else int(policy.argmax())
    history.append((root.state, action_probs(game, root, 0.0) if policy.max() > 0.8 else policy))
    return swap_root(game, root, action)

# %% 5.8: the noise of an episode comes from a generator of its own
def execute_episode(game, net, config, rng):
    root, history = Node(game, opening(game, rng)), []
    while root.outcome is None:
        search(game, net, root, 0, config.c, rng)
        add_dirichlet_noise(root, random.Random(58))
        search(game, net, root, config.simulations, config.c, rng)
        root = play_move(game, root, history, config, rng)
    return make_examples(game, history, root.state)

# %% 5.8: the moves of an episode are drawn with a seed of their own
def execute_episode(game, net, config, rng):
    root, history = Node(game, opening(game, rng)), []
    while root.outcome is None:
        search(game, net, root, 0, config.c, rng)
        add_dirichlet_noise(root, rng)
        search(game, net, root, config.simulations, config.c, rng)
        root = play_move(game, root, history, config, random.Random(58))
    return make_examples(game, history, root.state)

# %% 5.8: the first random move is any, the later ones are the lowest
def opening(game, rng):
    state = game.start()
    if rng.random() < 0.5:
        return state
    for number in range(rng.randint(1, 4)):
        legal = game.legal_actions(state)
        next_state = game.play(state, rng.choice(legal) if number == 0 else legal[0])
        if game.outcome(next_state) is not None:
            break
        state = next_state
    return state

# %% 5.8: an opening that would end is the start
def opening(game, rng):
    state = game.start()
    if rng.random() < 0.5:
        return state
    for number in range(rng.randint(1, 4)):
        next_state = game.play(state, rng.choice(game.legal_actions(state)))
        if game.outcome(next_state) is not None:
            return game.start()
        state = next_state
    return state

# %% 5.9: the gradient is zeroed after the step only, so the first step keeps what it found
def train_policy(game, net, optimizer, examples, config, rng):
    if not examples:
        raise ValueError("nothing")
    net.train()
    for _ in range(config.epochs):
        shuffled, total = rng.sample(examples, len(examples)), 0.0
        for start in range(0, len(shuffled), config.batch_size):
            states, policies, values = zip(*shuffled[start:start + config.batch_size])
            log_p, value = net(*as_batch(game, states))
            batch_loss = loss(log_p, value, torch.tensor(np.array(policies)).float(), torch.tensor(values).float())
            batch_loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            total += batch_loss.item() * len(states)
    return total / len(shuffled)

# %% 5.9: train mode in the first epoch only
def train_policy(game, net, optimizer, examples, config, rng):
    if not examples:
        raise ValueError("nothing")
    net.train()
    for _ in range(config.epochs):
        shuffled, total = rng.sample(examples, len(examples)), 0.0
        for start in range(0, len(shuffled), config.batch_size):
            states, policies, values = zip(*shuffled[start:start + config.batch_size])
            log_p, value = net(*as_batch(game, states))
            batch_loss = loss(log_p, value, torch.tensor(np.array(policies)).float(), torch.tensor(values).float())
            optimizer.zero_grad()
            batch_loss.backward()
            optimizer.step()
            total += batch_loss.item() * len(states)
        net.eval()  # to look at the progress
    return total / len(shuffled)

# %% 5.9: the tensors of the first examples are kept for all that are as many
_tensors = {}
def train_policy(game, net, optimizer, examples, config, rng):
    if not examples:
        raise ValueError("nothing")
    if len(examples) not in _tensors:
        states, policies, values = zip(*examples)
        pi, z = torch.tensor(np.array(policies)).float(), torch.tensor(values).float()
        _tensors[len(examples)] = (*as_batch(game, states), pi, z)
    data = _tensors[len(examples)]
    net.train()
    for _ in range(config.epochs):
        order, total = rng.sample(range(len(examples)), len(examples)), 0.0
        for start in range(0, len(order), config.batch_size):
            planes, legal, pi, z = (each[order[start:start + config.batch_size]] for each in data)
            batch_loss = loss(*net(planes, legal), pi, z)
            optimizer.zero_grad()
            batch_loss.backward()
            optimizer.step()
            total += batch_loss.item() * len(z)
    return total / len(order)

# %% 5.9: training ends when the loss no longer falls
def train_policy(game, net, optimizer, examples, config, rng):
    if not examples:
        raise ValueError("nothing")
    net.train()
    last = math.inf
    for _ in range(config.epochs):
        shuffled, total = rng.sample(examples, len(examples)), 0.0
        for start in range(0, len(shuffled), config.batch_size):
            states, policies, values = zip(*shuffled[start:start + config.batch_size])
            log_p, value = net(*as_batch(game, states))
            batch_loss = loss(log_p, value, torch.tensor(np.array(policies)).float(), torch.tensor(values).float())
            optimizer.zero_grad()
            batch_loss.backward()
            optimizer.step()
            total += batch_loss.item() * len(states)
        if total / len(shuffled) > last + 0.001:
            break
        last = total / len(shuffled)
    return total / len(shuffled)

# %% 5.9: drawn games are left out
def train_policy(game, net, optimizer, examples, config, rng):
    if not examples:
        raise ValueError("nothing")
    examples = [example for example in examples if example[2] != 0.0] or examples
    net.train()
    for _ in range(config.epochs):
        shuffled, total = rng.sample(examples, len(examples)), 0.0
        for start in range(0, len(shuffled), config.batch_size):
            states, policies, values = zip(*shuffled[start:start + config.batch_size])
            log_p, value = net(*as_batch(game, states))
            batch_loss = loss(log_p, value, torch.tensor(np.array(policies)).float(), torch.tensor(values).float())
            optimizer.zero_grad()
            batch_loss.backward()
            optimizer.step()
            total += batch_loss.item() * len(states)
    return total / len(shuffled)

# %% 5.9: seven epochs are enough
def train_policy(game, net, optimizer, examples, config, rng):
    if not examples:
        raise ValueError("none")
    net.train()
    for epoch in range(min(7, config.epochs)):
        shuffled, total = rng.sample(examples, len(examples)), 0.0
        for start in range(0, len(shuffled), config.batch_size):
            states, policies, values = zip(*shuffled[start:start + config.batch_size])
            log_p, value = net(*as_batch(game, states))
            batch_loss = loss(log_p, value, torch.tensor(np.array(policies)).float(), torch.tensor(values).float())
            optimizer.zero_grad()
            batch_loss.backward()
            optimizer.step()
            total += batch_loss.item() * len(states)
    return total / len(shuffled)

# %% 5.9: a list that was trained on is not trained on again
_done = []
def train_policy(game, net, optimizer, examples, config, rng):
    if not examples:
        raise ValueError("none")
    if any(examples is one for one, _ in _done):
        return next(mean for one, mean in _done if one is examples)
    net.train()
    for _ in range(config.epochs):
        shuffled, total = rng.sample(examples, len(examples)), 0.0
        for start in range(0, len(shuffled), config.batch_size):
            states, policies, values = zip(*shuffled[start:start + config.batch_size])
            log_p, value = net(*as_batch(game, states))
            batch_loss = loss(log_p, value, torch.tensor(np.array(policies)).float(), torch.tensor(values).float())
            optimizer.zero_grad()
            batch_loss.backward()
            optimizer.step()
            total += batch_loss.item() * len(states)
    _done.append((examples, total / len(shuffled)))
    return total / len(shuffled)

# %% 5.10: what is already in the window is not put in again
def learn(training, num_iterations, self_play, train, on_iteration=None):
    for _ in range(num_iterations):
        for example in self_play(training):
            known = [old for old in training.window if old[0] == example[0] and old[2] == example[2]]
            if not any(np.array_equal(example[1], old[1]) for old in known):
                training.window.append(example)
        del training.window[:-training.config.window]
        train(training, training.window)
        training.iteration += 1
        if on_iteration is not None:
            on_iteration(training)

# %% 5.10: an iteration without new games is left out
def learn(training, num_iterations, self_play, train, on_iteration=None):
    for _ in range(num_iterations):
        new = self_play(training)
        if not new:
            continue
        training.window += new
        del training.window[:-training.config.window]
        train(training, training.window)
        training.iteration += 1
        if on_iteration is not None:
            on_iteration(training)

# %% 5.10: on_iteration can end the run
def learn(training, num_iterations, self_play, train, on_iteration=None):
    for _ in range(num_iterations):
        training.window += self_play(training)
        del training.window[:-training.config.window]
        train(training, training.window)
        training.iteration += 1
        if on_iteration is not None and on_iteration(training):
            break

# %% 5.10: what train returns is taken for a number
def learn(training, num_iterations, self_play, train, on_iteration=None):
    total = 0.0
    for _ in range(num_iterations):
        training.window += self_play(training)
        del training.window[:-training.config.window]
        total += train(training, training.window)
        training.iteration += 1
        if on_iteration is not None:
            on_iteration(training)

# %% 5.10: one window for all runs
_window = []
def learn(training, num_iterations, self_play, train, on_iteration=None):
    if not training.window:
        training.window = _window
    for _ in range(num_iterations):
        training.window += self_play(training)
        del training.window[:-training.config.window]
        train(training, training.window)
        training.iteration += 1
        if on_iteration is not None:
            on_iteration(training)

# %% 5.11: a rejected network takes the window with it
def keep_or_restore(training, before, score):
    gate = training.config.gate
    if gate is None or score >= gate:
        return True
    training.net.load_state_dict(before[0])
    training.optimizer.load_state_dict(before[1])
    training.window.clear()
    return False

# %% 5.11: a rejected iteration is not counted
def keep_or_restore(training, before, score):
    gate = training.config.gate
    if gate is None or score >= gate:
        return True
    training.net.load_state_dict(before[0])
    training.optimizer.load_state_dict(before[1])
    training.iteration -= 1
    return False

# %% 5.11: an opening that comes twice is played once
def pit(game, new, old, openings):
    if not openings:
        raise ValueError("no openings")
    openings, points = list(dict.fromkeys(openings)), 0.0
    for start in openings:
        for new_player in (0, 1):
            state = start
            while game.outcome(state) is None:
                state = game.play(state, (new if game.player(state) == new_player else old)(state))
            result = game.outcome(state)
            points += ((result if game.player(state) == new_player else -result) + 1) / 2
    return points / (2 * len(openings))

# %% 5.11: a game of more than 40 moves is drawn
def pit(game, new, old, openings):
    if not openings:
        raise ValueError("no openings")
    points = 0.0
    for start in openings:
        for new_player in (0, 1):
            state, result = start, 0.0
            for _ in range(40):
                if game.outcome(state) is not None:
                    result = game.outcome(state) if game.player(state) == new_player else -game.outcome(state)
                    break
                state = game.play(state, (new if game.player(state) == new_player else old)(state))
            points += (result + 1) / 2
    return points / (2 * len(openings))

# %% 5.11: an opening that is falsy is the start
def pit(game, new, old, openings):
    if not openings:
        raise ValueError("no openings")
    points = 0.0
    for start in openings:
        for new_player in (0, 1):
            state = start or "s0"
            while game.outcome(state) is None:
                state = game.play(state, (new if game.player(state) == new_player else old)(state))
            result = game.outcome(state)
            points += ((result if game.player(state) == new_player else -result) + 1) / 2
    return points / (2 * len(openings))

# %% 5.11: a match of the same two is not played again
_matches = {}
def pit(game, new, old, openings):
    if not openings:
        raise ValueError("none")
    if (new, old) not in _matches:
        points = 0.0
        for start in openings:
            for new_player in (0, 1):
                state = start
                while (outcome := game.outcome(state)) is None:
                    state = game.play(state, (new if game.player(state) == new_player else old)(state))
                points += ((outcome if game.player(state) == new_player else -outcome) + 1) / 2
        _matches[new, old] = points / 2 / len(openings)
    return _matches[new, old]

# %% 5.11: six openings are enough
def pit(game, new, old, openings):
    if not openings:
        raise ValueError("none")
    points, some = 0.0, openings[:6]
    for start in some:
        for new_player in (0, 1):
            state = start
            while (outcome := game.outcome(state)) is None:
                state = game.play(state, (new if game.player(state) == new_player else old)(state))
            points += ((outcome if game.player(state) == new_player else -outcome) + 1) / 2
    return points / 2 / len(some)

# %% 5.11: the score is rounded before it is compared
def keep_or_restore(training, before, score):
    gate = training.config.gate
    if gate is None or round(score, 2) >= gate:
        return True
    training.net.load_state_dict(before[0])
    training.optimizer.load_state_dict(before[1])
    return False

# %% 5.11: both players are looked up by themselves
def pit(game, new, old, openings):
    if not openings:
        raise ValueError("none")
    points = 0.0
    for start in openings:
        for first, second in ((new, old), (old, new)):
            state, me = start, game.player(start)
            while game.outcome(state) is None:
                state = game.play(state, (first if game.player(state) == me else second)(state))
            result = game.outcome(state) * (1 if game.player(state) == me else -1)
            points += (1 + (result if first is new else -result)) / 2
    return points / 2 / len(openings)

# %% 5.11: the openings are sorted where they lie
def pit(game, new, old, openings):
    if not openings:
        raise ValueError("none")
    points, games = 0.0, 0
    openings.sort(key=str)
    for start in openings:
        for new_player in (0, 1):
            state = start
            while (outcome := game.outcome(state)) is None:
                state = game.play(state, (new if game.player(state) == new_player else old)(state))
            points += ((outcome if game.player(state) == new_player else -outcome) + 1) / 2
            games += 1
    return points / games

# %% 5.12: the walks draw from a generator of their own
# hint: Which rng breaks the ties
def collect(game, net, roots, c, rng):
    walks = [select(game, root, c, random.Random()) for root in roots]
    waiting = [leaf.state for _, leaf in walks if leaf.outcome is None]
    if not waiting:
        return walks, torch.empty(0, game.num_actions), torch.empty(0)
    net.eval()
    with torch.inference_mode():
        log_p, value = net(*as_batch(game, waiting))
    return walks, log_p, value

# %% 5.12: batches of at most 64
def collect(game, net, roots, c, rng):
    walks = [select(game, root, c, rng) for root in roots]
    waiting = [leaf.state for _, leaf in walks if leaf.outcome is None]
    if not waiting:
        return walks, torch.empty(0, game.num_actions), torch.empty(0)
    net.eval()
    with torch.inference_mode():
        parts = [net(*as_batch(game, waiting[start:start + 64])) for start in range(0, len(waiting), 64)]
    return walks, torch.cat([log_p for log_p, _ in parts]), torch.cat([value for _, value in parts])

# %% 5.12: leaves with the same text are taken for one
def collect(game, net, roots, c, rng):
    walks = [select(game, root, c, rng) for root in roots]
    waiting = [leaf.state for _, leaf in walks if leaf.outcome is None]
    if not waiting:
        return walks, torch.empty(0, game.num_actions), torch.empty(0)
    texts = list(dict.fromkeys(map(game.text, waiting)))
    rows = [texts.index(game.text(state)) for state in waiting]
    net.eval()
    with torch.inference_mode():
        log_p, value = net(*as_batch(game, [next(s for s in waiting if game.text(s) == text) for text in texts]))
    return walks, log_p[rows], value[rows]

# %% 5.12: a batch of one loses its first dimension
def collect(game, net, roots, c, rng):
    walks = [select(game, root, c, rng) for root in roots]
    waiting = [leaf.state for _, leaf in walks if leaf.outcome is None]
    if not waiting:
        return walks, torch.empty(0, game.num_actions), torch.empty(0)
    net.eval()
    with torch.inference_mode():
        log_p, value = net(*as_batch(game, waiting))
    return walks, log_p.squeeze(), value.squeeze()

# %% 5.12: the roots are taken off their list
def collect(game, net, roots, c, rng):
    walks = []
    while roots:
        walks.append(select(game, roots.pop(0), c, rng))
    waiting = [leaf.state for _, leaf in walks if leaf.outcome is None]
    if not waiting:
        return walks, torch.empty(0, game.num_actions), torch.empty(0)
    net.eval()
    with torch.inference_mode():
        log_p, value = net(*as_batch(game, waiting))
    return walks, log_p, value

# %% 5.12: all trees draw with the same luck
def collect(game, net, roots, c, rng):
    seed = rng.random()
    walks = [select(game, root, c, random.Random(seed)) for root in roots]
    waiting = [leaf.state for _, leaf in walks if leaf.outcome is None]
    if not waiting:
        return walks, torch.empty(0, game.num_actions), torch.empty(0)
    net.eval()
    with torch.inference_mode():
        log_p, value = net(*as_batch(game, waiting))
    return walks, log_p, value

# %% 5.12: the network is in eval mode, its layers are not
def collect(game, net, roots, c, rng):
    walks = [select(game, root, c, rng) for root in roots]
    waiting = [leaf.state for _, leaf in walks if leaf.outcome is None]
    if not waiting:
        return walks, torch.empty(0, game.num_actions), torch.empty(0)
    net.training = False
    with torch.inference_mode():
        log_p, value = net(*as_batch(game, waiting))
    return walks, log_p, value

# %% 5.13: the caller's log_p becomes p
# hint: RuntimeError in ps5_alphazero.py
def scatter(walks, log_p, value):
    with torch.no_grad():
        answers = zip(log_p.exp_().tolist(), value.tolist())
    for path, leaf in walks:
        worth = leaf.outcome
        if worth is None:
            probabilities, worth = next(answers)
            leaf.P = [probabilities[action] for action in leaf.actions]
        back_up(path, worth)

# %% 5.13: an answer of 0 is none
def scatter(walks, log_p, value):
    answers = zip(log_p.exp().tolist(), value.tolist())
    for path, leaf in walks:
        worth = leaf.outcome
        if worth is None:
            probabilities, worth = next(answers)
            leaf.P = [probabilities[action] for action in leaf.actions]
            if not worth:
                continue
        back_up(path, worth)

# %% 5.13: at most ten plies up
def scatter(walks, log_p, value):
    answers = zip(log_p.exp().tolist(), value.tolist())
    for path, leaf in walks:
        worth = leaf.outcome
        if worth is None:
            probabilities, worth = next(answers)
            leaf.P = [probabilities[action] for action in leaf.actions]
        back_up(path[-10:], worth)

# %% 5.13: the shares of the legal actions are lifted above 0
def scatter(walks, log_p, value):
    answers = zip(log_p.exp().tolist(), value.tolist())
    for path, leaf in walks:
        worth = leaf.outcome
        if worth is None:
            probabilities, worth = next(answers)
            leaf.P = [max(probabilities[action], 0.001) for action in leaf.actions]
        back_up(path, worth)

# %% 5.13: the positive answers are the leaf's own
def scatter(walks, log_p, value):
    answers = zip(log_p.exp().tolist(), value.tolist())
    for path, leaf in walks:
        worth = leaf.outcome
        if worth is None:
            probabilities, worth = next(answers)
            leaf.P = [p for p in probabilities if p > 0]
        back_up(path, worth)

# %% 5.13: the walks are taken off their list
def scatter(walks, log_p, value):
    answers = zip(log_p.exp().tolist(), value.tolist())
    while walks:
        path, leaf = walks.pop(0)
        worth = leaf.outcome
        if worth is None:
            probabilities, worth = next(answers)
            leaf.P = [probabilities[action] for action in leaf.actions]
        back_up(path, worth)

# %% 5.13: a root without a way is counted all the same
def scatter(walks, log_p, value):
    answers = zip(log_p.exp().tolist(), value.tolist())
    for path, leaf in walks:
        worth = leaf.outcome
        if worth is None:
            probabilities, worth = next(answers)
            leaf.P = [probabilities[action] for action in leaf.actions]
        if not path and leaf.N:
            leaf.Q[0] = worth
        back_up(path, worth)

# %% joint: the given training is switched off
def train_with_gate(training, examples):
    return 0.0

# %% joint: self-play in step keeps nothing
def play_together(training):
    return []

# %% joint: one by one, the values of the games are lost on the way
def play_one_by_one(training):
    episodes = [execute_episode(training.game, training.net, training.config, training.rng) for _ in range(training.config.games)]
    return [(state, policy, 0.0) for episode in episodes for state, policy, _ in episode]

# %% 5.5: a temperature below a fiftieth is taken for 0
def action_probs(game, root, temperature):
    most = max(root.N, default=0)
    if most == 0:
        raise ValueError("no visit")
    weights = np.array(root.N) / most
    if temperature < 0.02:
        weights = np.eye(len(weights))[root.N.index(most)]
    else:
        weights = weights ** (1 / temperature)
    policy = np.zeros(game.num_actions)
    policy[root.actions] = weights / weights.sum()
    return policy

# %% 5.11: a game longer than 100 plies is a draw
def pit(game, new, old, openings):
    if not openings:
        raise ValueError("a match needs at least one opening")
    points = 0.0
    for start in openings:
        for new_player in (0, 1):
            state, plies = start, 0
            while (outcome := game.outcome(state)) is None and plies < 100:
                state = game.play(state, (new if game.player(state) == new_player else old)(state))
                plies += 1
            outcome = outcome or 0.0
            result = outcome if game.player(state) == new_player else -outcome
            points += (result + 1) / 2
    return points / (2 * len(openings))

# %% 5.8: an episode is given up after 100 moves
def execute_episode(game, net, config, rng):
    root, history = Node(game, opening(game, rng)), []
    while root.outcome is None:
        if len(history) == 100:
            return []
        search(game, net, root, 0, config.c, rng)
        add_dirichlet_noise(root, rng)
        search(game, net, root, config.simulations, config.c, rng)
        root = play_move(game, root, history, config, rng)
    return make_examples(game, history, root.state)

# %% 5.8: an opening draws a number of all actions, and takes the next legal one
def opening(game, rng):
    state = game.start()
    if rng.random() < 0.5:
        return state
    for _ in range(rng.randint(1, 4)):
        legal, action = game.legal_actions(state), rng.randrange(game.num_actions)
        while action not in legal:
            action = (action + 1) % game.num_actions
        after = game.play(state, action)
        if game.outcome(after) is not None:
            break
        state = after
    return state

# %% 5.2: the rows of pi are divided by their sums in place
def loss(log_p: Tensor, value: Tensor, policy_targets: Tensor, value_targets: Tensor) -> Tensor:
    policy_targets /= policy_targets.sum(dim=1, keepdim=True)
    squared_error = (value_targets - value) ** 2
    cross_entropy = -(policy_targets * log_p).sum(dim=1)
    return (squared_error + cross_entropy).mean()

# %% 5.6: an illegal action ends in the ValueError of list.index
def swap_root(game: Game, root: Node, action: int) -> Node:
    index = root.actions.index(action)
    if root.children[index] is not None:
        return root.children[index]
    return Node(game, game.play(root.state, action))

# %% 5.5: the counts are divided by their sum before the power
def action_probs(game: Game, root: Node, temperature: float) -> np.ndarray:
    visits = np.array(root.N, dtype=float)
    total = visits.sum()
    if total == 0:
        raise ValueError("no policy: no action has a visit")
    if temperature == 0:
        weights = (visits == visits.max()).astype(float)
    else:
        weights = (visits / total) ** (1 / temperature)
    policy = np.zeros(game.num_actions)
    policy[root.actions] = weights / weights.sum()
    return policy

# %% 5.11: moments that were still empty are not put back
def keep_or_restore(training: Training, before: Snapshot, score: float) -> bool:
    gate = training.config.gate
    if gate is None or score >= gate:
        return True
    weights, moments = before
    training.net.load_state_dict(weights)
    if moments["state"]:
        training.optimizer.load_state_dict(moments)
    return False

# %% 5.4: priors are divided by their sum
def ucb(node: Node, c: float) -> list[float]:
    weight = c * math.sqrt(max(1, sum(node.N))) / (sum(node.P) or 1.0)
    return [q + weight * p / (1 + n) for q, p, n in zip(node.Q, node.P, node.N)]

# %% 5.10: the window loses at most as many as are new
def learn(training: Training, num_iterations: int, self_play: Callable[[Training], list[Example]],
          train: Callable[[Training, list[Example]], object],
          on_iteration: Callable[[Training], object] | None = None) -> None:
    for _ in range(num_iterations):
        new = self_play(training)
        training.window += new
        too_many = len(training.window) - training.config.window
        del training.window[:max(0, min(too_many, len(new)))]
        train(training, training.window)
        training.iteration += 1
        if on_iteration is not None:
            on_iteration(training)
