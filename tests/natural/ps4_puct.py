# %% 4.0: "if not outcome" takes a drawn game for an unfinished one
def examples(game, actions):
    state = game.start()
    visited = []
    for action in actions:
        visited.append((state, action))
        state = game.play(state, action)
    outcome = game.outcome(state)
    if not outcome:
        raise ValueError("the game is not over")
    last = game.player(state)
    result = []
    for before, action in visited:
        value = outcome if game.player(before) == last else -outcome
        result.append((before, action, value))
    return result

# %% 4.0: softmax first and the logarithm afterwards, infinite where logits lie far apart
def policy_loss(logits, actions):
    probabilities = torch.softmax(logits, dim=1)
    chosen = probabilities[torch.arange(len(actions)), actions]
    return -torch.log(chosen).mean()

# %% 4.0: the mean of the batches' means, so the examples of a small last batch count more
def train_epoch(net, loss, inputs, targets, optimizer, batch_size, rng):
    net.train()
    order = list(range(len(inputs)))
    rng.shuffle(order)
    losses = []
    for begin in range(0, len(order), batch_size):
        batch = torch.tensor(order[begin:begin + batch_size])
        optimizer.zero_grad()
        batch_loss = loss(net(inputs[batch]), targets[batch])
        batch_loss.backward()
        optimizer.step()
        losses.append(batch_loss.item())
    return sum(losses) / len(losses)

# %% 4.1: 1 + sum of the visits under the root, in the place of max(1, sum)
def puct(Q, N, P, c=1.5):
    total = sum(N.values())
    return {action: Q[action] + c * P[action] * math.sqrt(1 + total) / (1 + N[action]) for action in Q}

# %% 4.1: the root goes over the whole fraction, as in UCB
def puct(Q, N, P, c=1.5):
    total = max(1, sum(N.values()))
    scores = {}
    for action in Q:
        scores[action] = Q[action] + c * P[action] * math.sqrt(total / (1 + N[action]))
    return scores

# %% 4.1: the highest score is searched from 0 upwards, negative ones are never found
def best_action(scores, rng):
    highest = 0.0
    best = []
    for action, score in scores.items():
        if score > highest:
            highest = score
            best = [action]
        elif score == highest:
            best.append(action)
    return rng.choice(best if best else list(scores))

# %% 4.2: gradients are switched off and on again, whatever they were before
def evaluate_leaf(game, net, state):
    net.eval()
    torch.set_grad_enabled(False)
    probabilities, values = net(planes_of(game, [state]))
    torch.set_grad_enabled(True)
    legal = game.legal_actions(state)
    priors = {action: probabilities[0, action].item() for action in legal}
    total = sum(priors.values())
    if total == 0:
        warnings.warn("no legal action has a probability")
        return {action: 1 / len(legal) for action in legal}, values[0].item()
    return {action: p / total for action, p in priors.items()}, values[0].item()

# %% 4.2: small sums are taken for 0, although the network does tell the legal actions apart
def evaluate_leaf(game, net, state):
    net.eval()
    with torch.no_grad():
        probabilities, values = net(planes_of(game, [state]))
    legal = game.legal_actions(state)
    priors = {action: probabilities[0, action].item() for action in legal}
    total = sum(priors.values())
    if total < 1e-6:
        warnings.warn("no legal action has a probability")
        priors = {action: 1.0 for action in legal}
        total = len(legal)
    return {action: p / total for action, p in priors.items()}, values[0].item()

# %% 4.2: every action is a key, the illegal ones with 0
def evaluate_leaf(game, net, state):
    net.eval()
    with torch.no_grad():
        probabilities, values = net(planes_of(game, [state]))
    mask = torch.zeros(game.num_actions)
    mask[game.legal_actions(state)] = 1.0
    kept = probabilities[0] * mask
    if kept.sum() == 0:
        warnings.warn("no legal action has a probability")
        kept = mask
    kept = (kept.double() / kept.double().sum()).tolist()
    return dict(enumerate(kept)), values[0].item()

# %% 4.3: "if outcome" takes a draw for a game that goes on
def search(self, state, rng):
    if state not in self.outcomes:
        self.outcomes[state] = self.game.outcome(state)
    if self.outcomes[state]:
        return self.outcomes[state]
    if state not in self.P:
        priors, value = self.evaluate(state)
        self.P[state] = priors
        self.Q[state] = {action: 0.0 for action in priors}
        self.N[state] = {action: 0 for action in priors}
        return value
    action = best_action(puct(self.Q[state], self.N[state], self.P[state], self.c), rng)
    value = -self.search(self.game.play(state, action), rng)
    self.N[state][action] += 1
    self.Q[state][action] += (value - self.Q[state][action]) / self.N[state][action]
    return value

MCTS.search = search

# %% 4.3: self.c is not handed on to puct, which takes its default
def search(self, state, rng):
    if state not in self.outcomes:
        self.outcomes[state] = self.game.outcome(state)
    if self.outcomes[state] is not None:
        return self.outcomes[state]
    if state not in self.P:
        priors, value = self.evaluate(state)
        self.P[state] = priors
        self.Q[state] = {action: 0.0 for action in priors}
        self.N[state] = {action: 0 for action in priors}
        return value
    action = best_action(puct(self.Q[state], self.N[state], self.P[state]), rng)
    value = -self.search(self.game.play(state, action), rng)
    self.N[state][action] += 1
    self.Q[state][action] += (value - self.Q[state][action]) / self.N[state][action]
    return value

MCTS.search = search

# %% 4.3: an action never tried begins with the value of the state, not with 0
def search(self, state, rng):
    if state not in self.outcomes:
        self.outcomes[state] = self.game.outcome(state)
    if self.outcomes[state] is not None:
        return self.outcomes[state]
    if state not in self.P:
        priors, value = self.evaluate(state)
        self.P[state] = priors
        self.Q[state] = {action: value for action in priors}
        self.N[state] = {action: 0 for action in priors}
        return value
    action = best_action(puct(self.Q[state], self.N[state], self.P[state], self.c), rng)
    value = -self.search(self.game.play(state, action), rng)
    self.N[state][action] += 1
    self.Q[state][action] += (value - self.Q[state][action]) / self.N[state][action]
    return value

MCTS.search = search

# %% 4.4: the plain formula, too large for a float at a small temperature
def visit_policy(visits, temperature):
    if not any(visits.values()):
        raise ValueError("no visits")
    if temperature == 0:
        most = max(visits.values())
        weights = {action: 1.0 if count == most else 0.0 for action, count in visits.items()}
    else:
        weights = {action: float(count) ** (1 / temperature) for action, count in visits.items()}
    total = sum(weights.values())
    return {action: weight / total for action, weight in weights.items()}

# %% 4.4: at temperature 0 the first of the most visited actions gets everything
def visit_policy(visits, temperature):
    if sum(visits.values()) == 0:
        raise ValueError("no visits")
    if temperature == 0:
        best = max(visits, key=visits.get)
        return {action: 1.0 if action == best else 0.0 for action in visits}
    most = max(visits.values())
    weights = {action: (count / most) ** (1 / temperature) for action, count in visits.items()}
    total = sum(weights.values())
    return {action: weight / total for action, weight in weights.items()}

# %% 4.4: a single legal action is played at once, without any search
def choose(self, state, simulations, rng):
    if self.game.outcome(state) is not None:
        raise ValueError("the game is over")
    legal = self.game.legal_actions(state)
    if len(legal) == 1:
        return legal[0]
    for _ in range(simulations):
        self.mcts.search(state, rng)
    policy = visit_policy(self.mcts.N.get(state, {}), self.temperature)
    return rng.choices(list(policy.keys()), weights=list(policy.values()))[0]

MCTSPlayer.choose = choose

# %% 4.5: "outcome or value" asks the network where the game has ended in a draw
def choose(self, state, simulations, rng):
    scores = {}
    for action in self.game.legal_actions(state):
        below = self.game.play(state, action)
        scores[action] = -(self.game.outcome(below) or self.evaluate(below)[1])
    return best_action(scores, rng)

ValuePlayer.choose = choose

# %% 4.5: the network's value is negated, the outcome is not
def choose(self, state, simulations, rng):
    scores = {}
    for action in self.game.legal_actions(state):
        below = self.game.play(state, action)
        outcome = self.game.outcome(below)
        if outcome is not None:
            scores[action] = outcome
        else:
            _, value = self.evaluate(below)
            scores[action] = -value
    return best_action(scores, rng)

ValuePlayer.choose = choose

# %% 4.5: the first of several equally good actions
def choose(self, state, simulations, rng):
    best, lowest = None, math.inf
    for action in self.game.legal_actions(state):
        below = self.game.play(state, action)
        value = self.game.outcome(below)
        if value is None:
            value = self.evaluate(below)[1]
        if value < lowest:
            best, lowest = action, value
    return best

ValuePlayer.choose = choose

# %% 4.6: draws an action from the priors instead of the highest
def choose(self, state, simulations, rng):
    priors, _ = self.evaluate(state)
    return rng.choices(list(priors), weights=list(priors.values()))[0]

PolicyPlayer.choose = choose

# %% 4.6: the first action with the highest prior, no draw among ties
def choose(self, state, simulations, rng):
    priors, _ = self.evaluate(state)
    return max(priors, key=priors.get)

PolicyPlayer.choose = choose

# %% 4.6: the priors are read in the order of the legal actions and not by their keys
def choose(self, state, simulations, rng):
    priors, _ = self.evaluate(state)
    legal = self.game.legal_actions(state)
    return best_action(dict(zip(legal, priors.values())), rng)

PolicyPlayer.choose = choose

# %% 4.7: after the last ply nobody asks whether the game is over, the network values the finished state
def rollout(self, state, rng):
    sign = 1.0
    for _ in range(self.depth):
        outcome = self.game.outcome(state)
        if outcome is not None:
            return sign * outcome
        priors, _ = self.evaluate(state)
        action = rng.choices(list(priors), weights=list(priors.values()))[0]
        state = self.game.play(state, action)
        sign = -sign
    return sign * self.evaluate(state)[1]

MonteCarloPlayer.rollout = rollout

# %% 4.7: the priors of the candidates are made to sum to 1
def choose(self, state, simulations, rng):
    priors, _ = self.evaluate(state)
    candidates = sorted(priors, key=priors.get, reverse=True)[:self.top]
    total = sum(priors[action] for action in candidates)
    P = {action: priors[action] / total for action in candidates}
    Q = {action: 0.0 for action in candidates}
    N = {action: 0 for action in candidates}
    for _ in range(self.budget):
        action = best_action(puct(Q, N, P, self.c), rng)
        below = self.game.play(state, action)
        result = -sum(self.rollout(below, rng) for _ in range(self.rollouts)) / self.rollouts
        N[action] += 1
        Q[action] += (result - Q[action]) / N[action]
    return best_action(N, rng)

MonteCarloPlayer.choose = choose

# %% 4.7: plays the candidate with the best mean, not the one with most visits
def choose(self, state, simulations, rng):
    priors, _ = self.evaluate(state)
    candidates = sorted(priors, key=priors.get, reverse=True)[:self.top]
    P = {action: priors[action] for action in candidates}
    Q = {action: 0.0 for action in candidates}
    N = {action: 0 for action in candidates}
    for _ in range(self.budget):
        action = best_action(puct(Q, N, P, self.c), rng)
        below = self.game.play(state, action)
        result = -sum(self.rollout(below, rng) for _ in range(self.rollouts)) / self.rollouts
        N[action] += 1
        Q[action] += (result - Q[action]) / N[action]
    return best_action(Q, rng)

MonteCarloPlayer.choose = choose

# %% 4.8: an illegal action loses for players[0], whoever chose it
def play_game(self, players, state, rngs):
    for player in players:
        player.new_game()
    while self.game.outcome(state) is None:
        mover = self.game.player(state)
        action = players[mover].choose(state, self.simulations, rngs[mover])
        if action not in self.game.legal_actions(state):
            return -1.0
        state = self.game.play(state, action)
    outcome = self.game.outcome(state)
    return outcome if self.game.player(state) == 0 else 0.0 - outcome

Arena.play_game = play_game

# %% 4.8: openings and both players draw from one and the same generator
def play_games(self, n, seed):
    if n < 2 or n % 2 != 0:
        raise ValueError("n must be even and at least 2")
    rng = random.Random(seed)
    wins = draws = losses = 0
    done = 0
    for _ in range(n // 2):
        state = self.opening(rng)
        for first_begins in (True, False):
            if first_begins:
                result = self.play_game((self.first, self.second), state, (rng, rng))
            else:
                result = -self.play_game((self.second, self.first), state, (rng, rng))
            if result > 0:
                wins += 1
            elif result < 0:
                losses += 1
            else:
                draws += 1
            done += 1
            if self.progress is not None:
                self.progress(done, n)
    score = (wins + 0.5 * draws) / n
    low, high = wilson(score, n)
    return Score(wins, draws, losses, score, low, high)

Arena.play_games = play_games

# %% 4.8: every game has an opening of its own, none is played with both colours
def play_games(self, n, seed):
    if n < 2 or n % 2 != 0:
        raise ValueError("n must be even and at least 2")
    openings = random.Random(seed)
    mine, theirs = random.Random(seed + 1), random.Random(seed + 2)
    wins = draws = losses = 0
    for number in range(n):
        state = self.opening(openings)
        if number % 2 == 0:
            result = self.play_game((self.first, self.second), state, (mine, theirs))
        else:
            result = -self.play_game((self.second, self.first), state, (theirs, mine))
        if result > 0:
            wins += 1
        elif result < 0:
            losses += 1
        else:
            draws += 1
        if self.progress is not None:
            self.progress(number + 1, n)
    score = (wins + 0.5 * draws) / n
    low, high = wilson(score, n)
    return Score(wins, draws, losses, score, low, high)

Arena.play_games = play_games
