# Right answers to ps4_puct in other styles. Each cell is appended to the solution; `make verify` wants all of its points.

# %% numpy everywhere
import numpy as np


def puct(Q, N, P, c=1.5):
    actions = list(P)
    q, n, p = (np.array([row[a] for a in actions]) for row in (Q, N, P))
    return dict(zip(actions, q + c * p * np.sqrt(max(1, n.sum())) / (1 + n)))


def best_action(scores, rng):
    actions, values = np.array(list(scores)), np.array(list(scores.values()))
    return rng.choice(actions[values == values.max()])


def evaluate_leaf(game, net, state):
    net.train(False)
    with torch.inference_mode():
        p, v = net(torch.tensor(game.planes(state))[None])
    mask = np.zeros(game.num_actions)
    legal = np.array(game.legal_actions(state))
    mask[legal] = 1.0
    p = p.numpy().astype(np.float64)[0] * mask
    if p.sum() == 0:
        warnings.warn("all valid moves were masked")
        p = mask
    p = p / p.sum()
    return {int(a): p[a] for a in legal}, v.numpy()[0]


def visit_policy(visits, temperature):
    n = np.array(list(visits.values()), dtype=float)
    if not n.any():
        raise ValueError("nothing visited")
    if temperature == 0:
        w = (n == n.max()).astype(float)
    else:
        with np.errstate(divide="ignore"):
            logs = np.log(n) / temperature
        w = np.exp(logs - logs.max())
    return dict(zip(visits, w / w.sum()))


def wilson(score, n):
    z = 1.96
    centre = np.float64(score + z**2 / (2 * n))
    half = z * np.sqrt(score * (1 - score) / n + z**2 / (4 * n**2))
    return tuple(np.array([centre - half, centre + half]) / (1 + z**2 / n))

# %% losses by hand
def policy_loss(logits, actions):
    log_p = logits - torch.logsumexp(logits, dim=1, keepdim=True)
    return -log_p.gather(1, actions.unsqueeze(1)).squeeze(1).mean()


def value_loss(values, results):
    difference = results - values
    return torch.dot(difference, difference) / len(difference)

# %% losses of the library, and a generator of torch seeded from rng
def policy_loss(logits, actions):
    return nn.NLLLoss()(torch.log_softmax(logits, dim=-1), actions)


def value_loss(values, results):
    return nn.MSELoss()(values, results)


def train_epoch(net, loss, inputs, targets, optimizer, batch_size, rng):
    net.train()
    generator = torch.Generator().manual_seed(rng.getrandbits(62))
    losses = []
    for batch in torch.randperm(len(inputs), generator=generator).split(batch_size):
        one = loss(net(inputs[batch]), targets[batch])
        optimizer.zero_grad()
        one.backward()
        optimizer.step()
        losses += [one.item()] * len(batch)
    return sum(losses) / len(losses)

# %% a DataLoader with a sampler
class Shuffled(torch.utils.data.Sampler):
    def __init__(self, order):
        self.order = order

    def __iter__(self):
        return iter(self.order)


def train_epoch(net, loss, inputs, targets, optimizer, batch_size, rng):
    net.train(True)
    data = torch.utils.data.TensorDataset(inputs, targets)
    order = sorted(range(len(inputs)), key=lambda i: rng.random())
    generator = torch.Generator().manual_seed(0)
    loader = torch.utils.data.DataLoader(data, batch_size=batch_size, sampler=Shuffled(order), generator=generator)
    total = torch.zeros(())
    for x, y in loader:
        for group in optimizer.param_groups:
            for parameter in group["params"]:
                parameter.grad = None
        one = loss(net(x), y)
        one.backward()
        optimizer.step()
        total += one.detach() * len(x)
    return float(total / len(inputs))

# %% the results are given backwards, from the last move to the first
def examples(game, actions):
    states = [game.start()]
    for action in actions:
        states.append(game.play(states[-1], action))
    result = game.outcome(states[-1])
    if result is None:
        raise ValueError("the game goes on")
    told = []
    for state, action in zip(reversed(states[:-1]), reversed(actions)):
        result = -result  # every ply passes the turn
        told.append((state, action, result))
    return told[::-1]

# %% a random number beside the score breaks the ties
def best_action(scores, rng):
    return max(scores, key=lambda action: (scores[action], rng.random()))

# %% shuffled first, then the first of the best
def best_action(scores, rng):
    actions = list(scores)
    rng.shuffle(actions)
    best = actions[0]
    for action in actions:
        if scores[action] > scores[best]:
            best = action
    return best


class ValuePlayer(Player):
    def choose(self, state, simulations, rng):
        actions = self.game.legal_actions(state)
        rng.shuffle(actions)

        def theirs(action):
            below = self.game.play(state, action)
            outcome = self.game.outcome(below)
            if outcome is None:
                _, outcome = self.evaluate(below)
            return outcome

        return min(actions, key=theirs)


class PolicyPlayer(Player):
    def choose(self, state, simulations, rng):
        priors = list(self.evaluate(state)[0].items())
        rng.shuffle(priors)
        return sorted(priors, key=lambda pair: -pair[1])[0][0]

# %% the search goes down and up in two loops
def search(self, state, rng):
    path = []
    while True:
        if state not in self.outcomes:
            self.outcomes[state] = self.game.outcome(state)
        value = self.outcomes[state]
        if value is not None:
            break
        if state not in self.P:
            priors, value = self.evaluate(state)
            self.P[state] = dict(priors)
            self.Q[state] = {action: 0.0 for action in priors}
            self.N[state] = {action: 0 for action in priors}
            break
        action = best_action(puct(self.Q[state], self.N[state], self.P[state], self.c), rng)
        path.append((state, action))
        state = self.game.play(state, action)
    while path:
        state, action = path.pop()
        value = -value
        n = self.N[state][action]
        self.Q[state][action] = (n * self.Q[state][action] + value) / (n + 1)
        self.N[state][action] = n + 1
    return value


MCTS.search = search

# %% a tree inside, tables outside
class MCTS:
    class Edge:
        __slots__ = ("prior", "visits", "total")

        def __init__(self, prior):
            self.prior, self.visits, self.total = prior, 0, 0.0

    def __init__(self, game, evaluate, c=1.5):
        self.game, self.evaluate, self.c = game, evaluate, c
        self.edges, self.outcomes = {}, {}

    def table(self, of_edge):
        return {state: {action: of_edge(edge) for action, edge in row.items()} for state, row in self.edges.items()}

    Q = property(lambda self: self.table(lambda edge: edge.total / edge.visits if edge.visits else 0.0))
    N = property(lambda self: self.table(lambda edge: edge.visits))
    P = property(lambda self: self.table(lambda edge: edge.prior))

    def search(self, state, rng):
        try:
            over = self.outcomes[state]
        except KeyError:
            over = self.outcomes[state] = self.game.outcome(state)
        if over is not None:
            return over
        if state not in self.edges:
            priors, value = self.evaluate(state)
            self.edges[state] = {action: self.Edge(prior) for action, prior in priors.items()}
            return value
        row = self.edges[state]
        root = max(1, sum(e.visits for e in row.values())) ** 0.5
        scores = {a: (e.total / e.visits if e.visits else 0.0) + self.c * e.prior * root / (1 + e.visits) for a, e in row.items()}
        action = best_action(scores, rng)
        value = -self.search(self.game.play(state, action), rng)
        row[action].visits += 1
        row[action].total += value
        return value

# %% a dataclass with defaultdicts, and a helper that meets a state
from collections import defaultdict
from dataclasses import dataclass, field


@dataclass
class MCTS:
    game: Game
    evaluate: Evaluate
    c: float = 1.5
    outcomes: dict = field(default_factory=dict)
    Q: defaultdict = field(default_factory=lambda: defaultdict(dict))
    N: defaultdict = field(default_factory=lambda: defaultdict(dict))
    P: dict = field(default_factory=dict)

    def meet(self, state):
        if state not in self.outcomes:
            self.outcomes[state] = self.game.outcome(state)
        return self.outcomes[state]

    def expand(self, state):
        self.P[state], value = self.evaluate(state)
        for action in self.P[state]:
            self.Q[state][action], self.N[state][action] = 0.0, 0
        return value

    def search(self, state, rng):
        over = self.meet(state)
        if over is not None:
            return over
        if self.P.get(state) is None:
            return self.expand(state)
        action = best_action(puct(self.Q[state], self.N[state], self.P[state], c=self.c), rng)
        value = -self.search(self.game.play(state, action), rng)
        q, n = self.Q[state][action], self.N[state][action]
        self.Q[state][action], self.N[state][action] = (q * n + value) / (n + 1), n + 1
        return value

# %% the player to move is asked for, and the sign goes by it
def search(self, state, rng):
    if state not in self.outcomes:
        self.outcomes[state] = self.game.outcome(state)
    if self.outcomes[state] is not None:
        return self.outcomes[state]
    if state not in self.N:
        self.P[state], value = self.evaluate(state)
        self.N[state], self.Q[state] = {a: 0 for a in self.P[state]}, {a: 0.0 for a in self.P[state]}
        return value
    action = best_action(puct(self.Q[state], self.N[state], self.P[state], self.c), rng)
    below = self.game.play(state, action)
    value = self.search(below, rng)
    if self.game.player(below) != self.game.player(state):
        value = 0.0 - value
    self.N[state][action] += 1
    self.Q[state][action] += (value - self.Q[state][action]) / self.N[state][action]
    return value


MCTS.search = search

# %% evaluate_leaf by indexing with the legal actions
def evaluate_leaf(game, net, state):
    net.eval()
    legal = game.legal_actions(state)
    planes = torch.as_tensor(game.planes(state), dtype=torch.float32).reshape(1, 2, *game.planes(state).shape[1:])
    with torch.no_grad():
        answer = net(planes)
    p = answer[0].squeeze(0)[legal].to(torch.float64)
    if not p.any():
        warnings.warn("no legal action has a probability", RuntimeWarning)
        p = torch.ones(len(legal), dtype=torch.float64)
    return dict(zip(legal, (p / p.sum()).tolist())), answer[1].item()

# %% the mask as logarithms
def evaluate_leaf(game, net, state):
    net.eval()
    with torch.no_grad():
        p, v = net(torch.tensor([game.planes(state).tolist()]))
        legal = torch.zeros(game.num_actions, dtype=torch.bool)
        legal[game.legal_actions(state)] = True
        if (p[0][legal] == 0).all():
            warnings.warn(UserWarning("uniform"))
            masked = legal.double() / legal.sum()
        else:
            masked = torch.softmax(torch.where(legal, p[0].double(), 0.0).log(), dim=0)
    return {int(a): masked[a].item() for a in legal.nonzero()}, v[0].item()

# %% the move is drawn by hand, and one simulation after another is counted
def choose(self, state, simulations, rng):
    if not self.game.legal_actions(state):
        raise ValueError("the game is over")
    done = 0
    while done < simulations:
        self.mcts.search(state, rng)
        done += 1
    policy = visit_policy(dict(self.mcts.N.get(state, ())), self.temperature)
    target, summed = rng.random(), 0.0
    for action, p in policy.items():
        summed += p
        if target < summed:
            return action
    return max(policy, key=policy.get)


MCTSPlayer.choose = choose

# %% the greedy player does not draw where there is nothing to draw
def choose(self, state, simulations, rng):
    if self.game.outcome(state) is not None:
        raise ValueError("over")
    for _ in range(simulations):
        self.mcts.search(state, rng)
    visits = self.mcts.N.get(state, {})
    if self.temperature == 0:
        most = max(visits.values(), default=0)
        if most == 0:
            raise ValueError("nothing visited")
        return rng.choice([action for action, count in visits.items() if count == most])
    policy = visit_policy(visits, self.temperature)
    return rng.choices(*zip(*policy.items()))[0]


MCTSPlayer.choose = choose

# %% a recursive rollout, and candidates from a heap
import heapq


def rollout(self, state, rng, left=None):
    left = self.depth if left is None else left
    outcome = self.game.outcome(state)
    if outcome is not None:
        return outcome
    priors, value = self.evaluate(state)
    if left == 0:
        return value
    below = self.game.play(state, rng.choices(list(priors.keys()), list(priors.values()))[0])
    return -self.rollout(below, rng, left - 1)


def choose(self, state, simulations, rng):
    priors, _ = self.evaluate(state)
    candidates = dict(heapq.nlargest(self.top, priors.items(), key=lambda pair: pair[1]))
    results = {action: [] for action in candidates}
    for _ in range(self.budget):
        means = {action: sum(own) / len(own) if own else 0.0 for action, own in results.items()}
        visits = {action: len(own) for action, own in results.items()}
        action = best_action(puct(means, visits, candidates, self.c), rng)
        below = self.game.play(state, action)
        results[action].append(-sum(self.rollout(below, rng) for _ in range(self.rollouts)) / self.rollouts)
    return best_action({action: len(own) for action, own in results.items()}, rng)


MonteCarloPlayer.rollout, MonteCarloPlayer.choose = rollout, choose

# %% numpy in the Monte Carlo player
import numpy as np


class MonteCarloPlayer(Player):
    def __init__(self, game, evaluate, top=3, depth=5, rollouts=5, budget=10, c=1.5):
        super().__init__(game, evaluate)
        self.top, self.depth, self.rollouts, self.budget, self.c = top, depth, rollouts, budget, c

    def rollout(self, state, rng):
        begin = state
        for _ in range(self.depth):
            if self.game.outcome(state) is not None:
                break
            priors, _ = self.evaluate(state)
            summed = np.cumsum(list(priors.values()))
            place = int(np.searchsorted(summed, rng.random() * summed[-1], side="right"))
            state = self.game.play(state, list(priors)[place])
        value = self.game.outcome(state)
        if value is None:
            value = self.evaluate(state)[1]
        return value if self.game.player(state) == self.game.player(begin) else -value

    def choose(self, state, simulations, rng):
        priors, _ = self.evaluate(state)
        actions = np.array(list(priors))
        p = np.array(list(priors.values()))
        order = np.argsort(-p, kind="stable")[: self.top]
        actions, p = actions[order], p[order]
        q, n = np.zeros(len(actions)), np.zeros(len(actions), dtype=int)
        for _ in range(self.budget):
            scores = q + self.c * p * np.sqrt(max(1, n.sum())) / (1 + n)
            i = rng.choice(np.flatnonzero(scores == scores.max()).tolist())
            below = self.game.play(state, int(actions[i]))
            result = np.mean([-self.rollout(below, rng) for _ in range(self.rollouts)])
            n[i] += 1
            q[i] += (result - q[i]) / n[i]
        return int(actions[rng.choice(np.flatnonzero(n == n.max()).tolist())])

# %% an arena of helpers: openings first, games after, a Counter for the results
from collections import Counter


class Arena(Arena):
    def play_game(self, players, state, rngs):
        [player.new_game() for player in reversed(players)]
        while True:
            outcome = self.game.outcome(state)
            if outcome is not None:
                return (1, -1)[self.game.player(state)] * outcome
            mover = self.game.player(state)
            action = players[mover].choose(state, self.simulations, rngs[mover])
            try:
                state = self.game.play(state, action)
            except Exception:
                return [-1.0, 1.0][mover]

    def play_games(self, n, seed):
        if n <= 0 or n & 1:
            raise ValueError(f"{n} games cannot be shared fairly")
        rng = random.Random(f"openings of {seed}")
        openings = [self.opening(rng) for _ in range(n // 2)]
        own = {"first": random.Random(f"first of {seed}"), "second": random.Random(f"second of {seed}")}
        results = Counter()
        for number, state in enumerate(openings):
            results[-self.play_game((self.second, self.first), state, (own["second"], own["first"]))] += 1
            self.tell(2 * number + 1, n)
            results[+self.play_game((self.first, self.second), state, (own["first"], own["second"]))] += 1
            self.tell(2 * number + 2, n)
        score = sum(count * (result + 1) / 2 for result, count in results.items()) / n
        low, high = wilson(score, n)
        return results[1.0], results[0.0], results[-1.0], score, low, high

    def tell(self, done, n):
        if self.progress:
            self.progress(done, n)

# %% recursion in the arena, and generators that are jumped ahead
class Arena(Arena):
    def play_game(self, players, state, rngs, begun=False):
        if not begun:
            players[0].new_game()
            players[1].new_game()
        me = self.game.player(state)
        outcome = self.game.outcome(state)
        if outcome is None:
            action = players[me].choose(state, self.simulations, rngs[me])
            if self.game.legal_actions(state).count(action) == 0:
                outcome = -1.0
            else:
                return self.play_game(players, self.game.play(state, action), rngs, True)
        return outcome if me == 0 else -outcome

    def play_games(self, n, seed):
        if n < 1 or n != 2 * (n // 2):
            raise ValueError("an even number, please")
        rngs = [random.Random(seed), random.Random(seed)]
        rngs[1].random()
        dice = random.Random(seed + 1)
        tally = {+1: 0, 0: 0, -1: 0}
        done = 0
        for _ in range(n // 2):
            state = self.opening(dice)
            for swapped in (False, True):
                seats, own = [self.first, self.second], list(rngs)
                if swapped:
                    seats.reverse()
                    own.reverse()
                result = int(self.play_game(tuple(seats), state, tuple(own)))
                tally[-result if swapped else result] += 1
                done += 1
                (self.progress or (lambda *_: None))(done, n)
        score = (tally[1] + 0.5 * tally[0]) / n
        return Score(tally[1], tally[0], tally[-1], score, *wilson(score, n))

# %% prints and warnings on the way
def puct(Q, N, P, c=1.5):
    print("scores for", len(P), "actions")
    total = sum(N.values())
    root = math.sqrt(total) if total > 0 else 1.0
    scores = {}
    for action, prior in P.items():
        bonus = c * prior * root
        bonus /= 1 + N[action]
        scores[action] = bonus + Q[action]
    return scores


def visit_policy(visits, temperature):
    import sys

    print(visits, file=sys.stderr)
    if sum(visits.values()) == 0:
        raise ValueError("no visits: search more")
    if temperature < 1e-9:
        best = [action for action in visits if visits[action] == max(visits.values())]
        return {action: 1 / len(best) if action in best else 0.0 for action in visits}
    powers = [(count / max(visits.values())) ** (1.0 / temperature) for count in visits.values()]
    return {action: power / math.fsum(powers) for action, power in zip(visits, powers)}

# %% type hints, keyword-only helpers, imports under other names
import math as _math
import random as _random
import warnings as _warnings


def _legal_part(*, probabilities: list[float], legal: list[int]) -> dict[int, float]:
    return {action: probabilities[action] for action in legal}


def evaluate_leaf(game: Game, net: nn.Module, state: State) -> tuple[Priors, float]:
    net.eval()
    with torch.set_grad_enabled(False):
        p, v = net(planes_of(game, [state]))
    kept = _legal_part(probabilities=p.tolist()[0], legal=game.legal_actions(state))
    total = _math.fsum(kept.values())
    if not total:
        _warnings.warn("masked", category=RuntimeWarning, stacklevel=3)
        return dict.fromkeys(kept, 1.0 / len(kept)), v.tolist()[0]
    return {action: probability / total for action, probability in kept.items()}, v.tolist()[0]


def wilson(score: float, n: int) -> tuple[float, float]:
    z, p = 1.96, score
    root = _math.sqrt(4 * n * p * (1 - p) + z * z)
    return (2 * n * p + z * z - z * root) / (2 * (n + z * z)), (2 * n * p + z * z + z * root) / (2 * (n + z * z))

# %% errors of its own that are ValueErrors
class NothingToChoose(ValueError):
    pass


def examples(game, actions):
    told, state = [], game.start()
    for action in actions:
        told.append([state, action, game.player(state)])
        state = game.play(state, action)
    if game.outcome(state) is None:
        raise NothingToChoose
    worth = {game.player(state): game.outcome(state), 1 - game.player(state): -game.outcome(state)}
    return [(state, action, worth[who]) for state, action, who in told]


def choose(self, state, simulations, rng):
    if self.game.outcome(state) is not None:
        raise NothingToChoose("over")
    [self.mcts.search(state, rng) for _ in range(simulations)]
    try:
        policy = visit_policy(self.mcts.N.get(state, {}), self.temperature)
    except ValueError as error:
        raise NothingToChoose from error
    return rng.choices(tuple(policy), tuple(policy.values()), k=1)[0]


MCTSPlayer.choose = choose

# %% numpy's integers are the actions: rows as arrays, and choices from np.flatnonzero
import numpy as np


class MCTS:
    def __init__(self, game, evaluate, c=1.5):
        self.game, self.evaluate, self.c = game, evaluate, c
        self.outcomes, self.rows = {}, {}

    Q = property(lambda self: {s: dict(zip(a, q)) for s, (a, p, q, n) in self.rows.items()})
    N = property(lambda self: {s: dict(zip(a, n)) for s, (a, p, q, n) in self.rows.items()})
    P = property(lambda self: {s: dict(zip(a, p)) for s, (a, p, q, n) in self.rows.items()})

    def search(self, state, rng):
        if state not in self.outcomes:
            self.outcomes[state] = self.game.outcome(state)
        if self.outcomes[state] is not None:
            return self.outcomes[state]
        if state not in self.rows:
            priors, value = self.evaluate(state)
            a, p = np.array(list(priors)), np.array(list(priors.values()))
            self.rows[state] = a, p, np.zeros(len(a)), np.zeros(len(a), dtype=np.int64)
            return value
        a, p, q, n = self.rows[state]
        u = q + self.c * p * np.sqrt(max(1, n.sum())) / (1 + n)
        i = rng.choice(np.flatnonzero(u == u.max()))
        value = -self.search(self.game.play(state, a[i]), rng)
        n[i] += 1
        q[i] += (value - q[i]) / n[i]
        return value

# %% numpy's integers are what the players choose
import numpy as np


class ValuePlayer(Player):
    def choose(self, state, simulations, rng):
        actions = np.array(self.game.legal_actions(state))
        after = [self.game.play(state, a) for a in actions]  # all successors first, then a look at each
        outcomes = [self.game.outcome(s) for s in after]
        values = np.array([self.evaluate(s)[1] if o is None else o for s, o in zip(after, outcomes)])
        return rng.choice(actions[values == values.min()])


class PolicyPlayer(Player):
    def choose(self, state, simulations, rng):
        priors, _ = self.evaluate(state)
        p = np.full(max(priors) + 1, -1.0)
        p[list(priors)] = list(priors.values())
        return rng.choice(np.where(p == p.max())[0])


def choose(self, state, simulations, rng):
    if self.game.outcome(state) is not None:
        raise ValueError("the game is over")
    for _ in range(simulations):
        self.mcts.search(state, rng)
    policy = visit_policy(self.mcts.N.get(state, {}), self.temperature)
    return np.random.default_rng(rng.getrandbits(64)).choice(np.array(list(policy)), p=list(policy.values()))


MCTSPlayer.choose = choose

# %% numpy's integers in the Monte Carlo player, drawn by a generator of numpy that rng seeds
import numpy as np


def rollout(self, state, rng):
    dice, sign = np.random.default_rng(rng.getrandbits(64)), 1
    for _ in range(self.depth):
        if self.game.outcome(state) is not None:
            break
        priors, _ = self.evaluate(state)
        p = np.array(list(priors.values()))
        state, sign = self.game.play(state, dice.choice(list(priors), p=p / p.sum())), -sign
    over = self.game.outcome(state)
    return sign * (self.evaluate(state)[1] if over is None else over)


def choose(self, state, simulations, rng):
    priors, _ = self.evaluate(state)
    order = np.array(sorted(priors, key=priors.get))[::-1][:self.top]
    P = {a: priors[a] for a in order}
    after = {a: self.game.play(state, a) for a in order}
    results = {a: [] for a in order}
    for _ in range(self.budget):
        Q = {a: np.mean(own) if own else 0.0 for a, own in results.items()}
        a = best_action(puct(Q, {a: len(own) for a, own in results.items()}, P, self.c), rng)
        results[a].append(-np.mean([self.rollout(after[a], rng) for _ in range(self.rollouts)]))
    return best_action({a: len(own) for a, own in results.items()}, rng)


MonteCarloPlayer.rollout, MonteCarloPlayer.choose = rollout, choose

# %% float32: scores and probabilities
import numpy as np


def puct(Q, N, P, c=1.5):
    actions = list(P)
    q, n, p = (np.array([row[a] for a in actions], dtype=np.float32) for row in (Q, N, P))
    return dict(zip(actions, q + np.float32(c) * p * np.sqrt(np.maximum(np.float32(1), n.sum())) / (1 + n)))


def best_action(scores, rng):
    values = np.array(list(scores.values()), dtype=np.float32)
    return list(scores)[rng.choice(np.flatnonzero(values == values.max()))]


def visit_policy(visits, temperature):
    n = np.array(list(visits.values()), dtype=np.float32)
    if n.sum() == 0:
        raise ValueError("no visits")
    w = np.float32(n == n.max()) if temperature == 0 else (n / n.max()) ** np.float32(1 / temperature)
    return dict(zip(visits, w / w.sum()))

# %% float32: scores by torch
def puct(Q, N, P, c=1.5):
    q, n, p = (torch.tensor([float(row[a]) for a in P], dtype=torch.float32) for row in (Q, N, P))
    scores = q + c * p * torch.sqrt(n.sum().clamp(min=1)) / (1 + n)
    return {a: s.item() for a, s in zip(P, scores)}


def value_loss(values, results):
    return torch.sum((values - results) ** 2) / values.numel()


def policy_loss(logits, actions):
    played = nn.functional.one_hot(actions, logits.shape[1])
    return -(played * torch.log_softmax(logits, dim=1)).sum(dim=1).mean()

# %% float32: the means of the search
import numpy as np


def search(self, state, rng):
    if state not in self.outcomes:
        self.outcomes[state] = self.game.outcome(state)
    if self.outcomes[state] is not None:
        return self.outcomes[state]
    if state not in self.P:
        priors, value = self.evaluate(state)
        self.P[state] = {a: np.float32(p) for a, p in priors.items()}
        self.Q[state] = {a: np.float32(0) for a in priors}
        self.N[state] = {a: 0 for a in priors}
        return np.float32(value)
    Q, N = self.Q[state], self.N[state]
    action = best_action(puct(Q, N, self.P[state], self.c), rng)
    value = np.float32(-self.search(self.game.play(state, action), rng))
    N[action] += 1
    Q[action] = np.float32((Q[action] * np.float32(N[action] - 1) + value) / np.float32(N[action]))
    return value


MCTS.search = search

# %% everything is called by keyword
def evaluate_leaf(game, net, state):
    net.eval()
    with torch.no_grad():
        probabilities, values = net(planes=planes_of(game=game, states=[state]))
    legal = game.legal_actions(state=state)
    kept = probabilities[0, legal].double()
    if kept.sum() == 0:
        warnings.warn(message="masked")
        kept = torch.ones(len(legal))
    return dict(zip(legal, (kept / kept.sum()).tolist())), values[0].item()


class ValuePlayer(Player):
    def choose(self, state, simulations, rng):
        scores = {}
        for action in self.game.legal_actions(state=state):
            below = self.game.play(state=state, action=action)
            outcome = self.game.outcome(state=below)
            scores[action] = -(self.evaluate(state=below)[1] if outcome is None else outcome)
        return best_action(scores=scores, rng=rng)


class PolicyPlayer(Player):
    def choose(self, state, simulations, rng):
        return best_action(scores=self.evaluate(state=state)[0], rng=rng)


class Arena(Arena):
    def play_game(self, players, state, rngs):
        for player in players:
            player.new_game()
        while (outcome := self.game.outcome(state=state)) is None:
            mover = self.game.player(state=state)
            action = players[mover].choose(state=state, simulations=self.simulations, rng=rngs[mover])
            if action not in self.game.legal_actions(state=state):
                return -1.0 if mover == 0 else 1.0
            state = self.game.play(state=state, action=action)
        return outcome if self.game.player(state=state) == 0 else -outcome

    def play_games(self, n, seed):
        if n < 2 or n % 2:
            raise ValueError("even, please")
        dice, results = random.Random(seed), []
        own = random.Random(f"{seed} one"), random.Random(f"{seed} other")
        for _ in range(n // 2):
            state = self.opening(rng=dice)
            for turned in (False, True):
                players = (self.second, self.first) if turned else (self.first, self.second)
                result = self.play_game(players=players, state=state, rngs=own[::-1] if turned else own)
                results.append(-result if turned else result)
                if self.progress is not None:
                    self.progress(done=len(results), n=n)
        wins, draws = results.count(1.0), results.count(0.0)
        score = (wins + draws / 2) / n
        low, high = wilson(score=score, n=n)
        return Score(wins=wins, draws=draws, losses=n - wins - draws, score=score, low=low, high=high)

# %% evaluate is called by keyword in the search and in the rollouts
def search(self, state, rng):
    if state not in self.outcomes:
        self.outcomes[state] = self.game.outcome(state)
    if self.outcomes[state] is not None:
        return self.outcomes[state]
    if state not in self.P:
        self.P[state], value = self.evaluate(state=state)
        self.Q[state], self.N[state] = {a: 0.0 for a in self.P[state]}, {a: 0 for a in self.P[state]}
        return value
    scores = puct(Q=self.Q[state], N=self.N[state], P=self.P[state], c=self.c)
    action = best_action(scores=scores, rng=rng)
    value = -self.search(state=self.game.play(state=state, action=action), rng=rng)
    self.N[state][action] += 1
    self.Q[state][action] += (value - self.Q[state][action]) / self.N[state][action]
    return value


MCTS.search = search


def rollout(self, state, rng):
    player = self.game.player(state=state)
    for left in range(self.depth, -1, -1):
        value = self.game.outcome(state=state)
        if value is not None:
            break
        priors, value = self.evaluate(state=state)
        if left:
            action, = rng.choices(population=list(priors), weights=list(priors.values()), k=1)
            state = self.game.play(state=state, action=action)
    return value if self.game.player(state=state) == player else -value


MonteCarloPlayer.rollout = rollout

# %% a match plays all openings with one colour first, then all with the other
class Arena(Arena):
    def play_games(self, n, seed):
        if n < 2 or n % 2:
            raise ValueError("half of the games with either colour")
        dice = random.Random(seed)
        openings = [self.opening(dice) for _ in range(n // 2)]
        own, results = (random.Random(seed + 1), random.Random(seed + 2)), []
        for state in openings:
            results.append(self.play_game((self.first, self.second), state, own))
            if self.progress:
                self.progress(len(results), n)
        for state in openings:
            results.append(-self.play_game((self.second, self.first), state, own[::-1]))
            if self.progress:
                self.progress(len(results), n)
        wins, draws, losses = (sum(result == value for result in results) for value in (1, 0, -1))
        score = (wins + 0.5 * draws) / n
        return Score(wins, draws, losses, score, *wilson(score, n))

# %% a match in an order that is drawn
class Arena(Arena):
    def play_games(self, n, seed):
        if n < 2 or n % 2:
            raise ValueError("half of the games with either colour")
        dice = random.Random(seed)
        games = [(state, turned) for state in [self.opening(dice) for _ in range(n // 2)] for turned in (0, 1)]
        random.Random(f"order {seed}").shuffle(games)
        players = [(self.first, random.Random(f"first {seed}")), (self.second, random.Random(f"second {seed}"))]
        tally = {1: 0, 0: 0, -1: 0}
        for done, (state, turned) in enumerate(games, start=1):
            (one, its_luck), (other, other_luck) = players[::-1] if turned else players
            result = self.play_game((one, other), state, (its_luck, other_luck))
            tally[-result if turned else result] += 1
            if self.progress:
                self.progress(done, n)
        score = (tally[1] + tally[0] / 2) / n
        return Score(tally[1], tally[0], tally[-1], score, *wilson(score, n))

# %% a match begins with the second player, and each opening has a seed of its own
class Arena(Arena):
    def play_games(self, n, seed):
        if n % 2 or n <= 0:
            raise ValueError("even")
        own = [random.Random(2 * seed), random.Random(2 * seed + 1)]
        results = []
        for pair in range(n // 2):
            state = self.opening(random.Random(f"{seed}/{pair}"))
            results.append(0.0 - self.play_game((self.second, self.first), state, (own[1], own[0])))
            if self.progress is not None:
                self.progress(len(results), n)
            results.append(self.play_game((self.first, self.second), state, (own[0], own[1])))
            if self.progress is not None:
                self.progress(len(results), n)
        return self.summary(results)

    def summary(self, results):
        n = len(results)
        score = sum((result + 1) / 2 for result in results) / n
        return (results.count(1.0), results.count(0.0), results.count(-1.0), score, *wilson(score, n))

# %% new_game comes from a base class of the student's own
class Searching(Player):
    def __init__(self, game, evaluate, c=1.5, temperature=0.0):
        super().__init__(game, evaluate)
        self.c, self.temperature = c, temperature
        self.new_game()

    def new_game(self):
        self.mcts = MCTS(self.game, self.evaluate, self.c)


class MCTSPlayer(Searching):
    def choose(self, state, simulations, rng):
        if self.game.outcome(state) is not None:
            raise ValueError("over")
        for _ in range(simulations):
            self.mcts.search(state, rng)
        policy = visit_policy(self.mcts.N.get(state, {}), self.temperature)
        return rng.choices(list(policy), list(policy.values()))[0]

# %% classes that inherit everything from what they replace
class MCTS(MCTS):
    pass


class MCTSPlayer(MCTSPlayer):
    pass


class ValuePlayer(ValuePlayer):
    pass


class PolicyPlayer(PolicyPlayer):
    pass


class MonteCarloPlayer(MonteCarloPlayer):
    pass


class Arena(Arena):
    pass

# %% tables made by a mixin, and dropped by clearing them
class Tables:
    def new_game(self):
        if not hasattr(self, "mcts"):
            self.mcts = MCTS(self.game, self.evaluate, self.c)
        for table in (self.mcts.outcomes, self.mcts.Q, self.mcts.N, self.mcts.P):
            table.clear()


class MCTSPlayer(Tables, Player):
    def __init__(self, game, evaluate, c=1.5, temperature=0.0):
        Player.__init__(self, game, evaluate)
        self.c, self.temperature = c, temperature
        self.new_game()

    def choose(self, state, simulations, rng):
        if self.game.outcome(state) is not None:
            raise ValueError("over")
        for _ in range(simulations):
            self.mcts.search(state, rng)
        if not any(self.mcts.N.get(state, {}).values()):
            raise ValueError("nothing visited")
        policy = visit_policy(self.mcts.N[state], self.temperature)
        return max(policy, key=lambda a: rng.random() ** (1 / policy[a]) if policy[a] else -1.0)  # weighted, by the highest key

# %% evaluate is remembered by state in the Monte Carlo player
import functools


class MonteCarloPlayer(MonteCarloPlayer):
    def __init__(self, game, evaluate, *args, **fields):
        super().__init__(game, functools.lru_cache(maxsize=None)(evaluate), *args, **fields)

# %% evaluate is remembered in a dict during one move
class MonteCarloPlayer(MonteCarloPlayer):
    def ask(self, state):
        if state not in self.known:
            self.known[state] = self.evaluate(state)
        return self.known[state]

    def rollout(self, state, rng):
        self.known = getattr(self, "known", {})
        outcome, sign = self.game.outcome(state), 1.0
        for _ in range(self.depth):
            if outcome is not None:
                break
            priors = self.ask(state)[0]
            state = self.game.play(state, rng.choices([*priors], [*priors.values()])[0])
            outcome, sign = self.game.outcome(state), -sign
        return sign * (self.ask(state)[1] if outcome is None else outcome)

    def choose(self, state, simulations, rng):
        self.known = {}
        action = super().choose(state, simulations, rng)
        self.known = {}
        return action

# %% evaluate is remembered in all players but the one that searches, and one legal action is played at once
def remembering(evaluate, known):
    def ask(state):
        if state not in known:
            known[state] = evaluate(state)
        return known[state]
    return ask


class ValuePlayer(ValuePlayer):
    def __init__(self, game, evaluate):
        super().__init__(game, remembering(evaluate, {}))

    def choose(self, state, simulations, rng):
        legal = self.game.legal_actions(state)
        return legal[0] if len(legal) == 1 else super().choose(state, simulations, rng)


class PolicyPlayer(PolicyPlayer):
    def __init__(self, game, evaluate):
        super().__init__(game, remembering(evaluate, {}))


class MonteCarloPlayer(MonteCarloPlayer):
    def __init__(self, game, evaluate, top=3, depth=5, rollouts=5, budget=10, c=1.5):
        super().__init__(game, remembering(evaluate, {}), top, depth, rollouts, budget, c)

    def choose(self, state, simulations, rng):
        legal = self.game.legal_actions(state)
        return legal[0] if len(legal) == 1 else super().choose(state, simulations, rng)

# %% whole numbers for floats, lists for tuples, arrays for pairs
import numpy as np


def examples(game, actions):
    told, state = [], game.start()
    for action in actions:
        told.append([state, action, game.player(state)])
        state = game.play(state, action)
    if game.outcome(state) is None:
        raise ValueError("not over")
    for row in told:
        row[2] = int(game.outcome(state)) * (1 if row[2] == game.player(state) else -1)
    return told


def wilson(score, n):
    z, centre = 1.96, score + 1.96**2 / (2 * n)
    return np.array([centre - z * np.sqrt(score * (1 - score) / n + z * z / (4 * n * n)),
                     centre + z * np.sqrt(score * (1 - score) / n + z * z / (4 * n * n))]) / (1 + z * z / n)


def visit_policy(visits, temperature):
    most = max(visits.values(), default=0)
    if not most:
        raise ValueError("nothing")
    best = [a for a in visits if visits[a] == most]
    if temperature == 0 and len(best) == 1:
        return {a: int(a == best[0]) for a in visits}
    weights = {a: (n == most if temperature == 0 else (n / most) ** (1 / temperature)) for a, n in visits.items()}
    return {a: w / sum(weights.values()) for a, w in weights.items()}

# %% helpers that several exercises share
def _turned(value):
    return 0.0 - value


def _drawn(weights, rng):
    return rng.choices(list(weights), list(weights.values()))[0]


def _worth(player, state):
    outcome = player.game.outcome(state)
    return player.evaluate(state)[1] if outcome is None else outcome


class ValuePlayer(Player):
    def choose(self, state, simulations, rng):
        legal = self.game.legal_actions(state)
        return best_action({a: _turned(_worth(self, self.game.play(state, a))) for a in legal}, rng)


def rollout(self, state, rng):
    for left in range(self.depth):
        if self.game.outcome(state) is not None:
            break
        state = self.game.play(state, _drawn(self.evaluate(state)[0], rng))
    else:
        left = self.depth
    played = left if self.depth else 0
    return _worth(self, state) if played % 2 == 0 else _turned(_worth(self, state))


def choose(self, state, simulations, rng):
    if self.game.outcome(state) is not None:
        raise ValueError("over")
    for _ in range(simulations):
        self.mcts.search(state, rng)
    return _drawn(visit_policy(self.mcts.N.get(state, {}), self.temperature), rng)


MonteCarloPlayer.rollout, MCTSPlayer.choose = rollout, choose

# %% earlier exercises are called where one can do without them
class ValuePlayer(Player):
    def choose(self, state, simulations, rng):
        below = {a: self.game.play(state, a) for a in self.game.legal_actions(state)}
        over = {a: self.game.outcome(s) for a, s in below.items()}
        Q = {a: -(self.evaluate(s)[1] if over[a] is None else over[a]) for a, s in below.items()}
        nothing = dict.fromkeys(Q, 0)
        return best_action(puct(Q, nothing, nothing, 0.0), rng)


class PolicyPlayer(Player):
    def choose(self, state, simulations, rng):
        P, _ = self.evaluate(state)
        return best_action(puct(dict.fromkeys(P, 0.0), dict.fromkeys(P, 0), P, 1.0), rng)


class MonteCarloPlayer(MonteCarloPlayer):
    def choose(self, state, simulations, rng):
        likeliest = PolicyPlayer(self.game, self.evaluate)
        priors, P = dict(self.evaluate(state)[0]), {}
        likeliest.evaluate = lambda state: (priors, 0.0)
        while priors and len(P) < self.top:
            action = likeliest.choose(state, 0, rng)
            P[action] = priors.pop(action)
        Q, N = dict.fromkeys(P, 0.0), dict.fromkeys(P, 0)
        for _ in range(self.budget):
            action = best_action(puct(Q, N, P, self.c), rng)
            below = self.game.play(state, action)
            mean = -sum(self.rollout(below, rng) for _ in range(self.rollouts)) / self.rollouts
            N[action] += 1
            Q[action] += (mean - Q[action]) / N[action]
        return max(visit_policy(N, 1.0), key=lambda a: (N[a], rng.random()))

# %% the mask is a tensor, and the answer is changed in place
def evaluate_leaf(game, net, state):
    net.train(mode=False)
    planes = torch.from_numpy(game.planes(state)).float().unsqueeze(0)
    with torch.no_grad():
        p, v = net(planes)
    p = p.clone().squeeze(0)
    mask = torch.zeros_like(p).index_fill_(0, torch.tensor(game.legal_actions(state)), 1.0)
    p.mul_(mask)
    if not p.sum() > 0:
        warnings.warn("all masked", stacklevel=2)
        p = mask
    p = p / p.sum()
    return {a: p[a].item() for a in mask.nonzero().flatten().tolist()}, v.squeeze().item()


def train_epoch(net, loss, inputs, targets, optimizer, batch_size, rng):
    net.train()
    seed = rng.getrandbits(60)
    order = torch.randperm(len(inputs), generator=torch.Generator().manual_seed(seed))
    optimizer.zero_grad()
    sums = 0.0
    for i in range(math.ceil(len(inputs) / batch_size)):
        at = order[i * batch_size:(i + 1) * batch_size]
        one = loss(net(inputs[at]), targets[at])
        one.backward()
        optimizer.step()
        optimizer.zero_grad()
        sums += len(at) * float(one)
    return sums / len(inputs)

# %% what runs as a program only
if __name__ == "__main__":
    print(evaluator(Othello(), PolicyAndValue(PolicyNet(), ValueNet()))(Othello().start()))

# %% argmax over an array of all actions goes straight into play
import numpy as np


def search(self, state, rng):
    if state not in self.outcomes:
        self.outcomes[state] = self.game.outcome(state)
    if self.outcomes[state] is not None:
        return self.outcomes[state]
    if state not in self.P:
        self.P[state], value = self.evaluate(state=state)
        self.Q[state], self.N[state] = ({action: zero for action in self.P[state]} for zero in (0.0, 0))
        return value
    scores = np.full(self.game.num_actions, -np.inf)
    for action, score in puct(self.Q[state], self.N[state], self.P[state], self.c).items():
        scores[action] = score
    luck = np.array([rng.random() for _ in scores])
    action = np.argmax(np.where(scores == scores.max(), luck, -1.0))
    value = -self.search(self.game.play(state, action), rng)
    self.N[state][action] += 1
    self.Q[state][action] += (value - self.Q[state][action]) / self.N[state][action]
    return value


class PolicyPlayer(Player):
    def choose(self, state, simulations, rng):
        priors, value = self.evaluate(state=state)
        actions = list(priors)
        rng.shuffle(actions)
        return actions[np.argmax([priors[action] for action in actions])]


MCTS.search = search

# %% a numpy generator of the search, seeded from rng, chooses among np.where
import numpy as np


class MCTS(MCTS):
    def bounds(self, state):
        actions = np.array(list(self.P[state]))
        q, n, p = (np.array([table[state][action] for action in actions]) for table in (self.Q, self.N, self.P))
        return actions, q + self.c * p * np.sqrt(max(1, n.sum())) / (1 + n)

    def search(self, state, rng):
        return self.descend(state, np.random.default_rng(rng.getrandbits(64)))

    def descend(self, state, dice):
        if state not in self.outcomes:
            self.outcomes[state] = self.game.outcome(state)
        value = self.outcomes[state]
        if value is None and state not in self.P:
            priors, value = self.evaluate(state)
            self.P[state] = {action: np.float64(prior) for action, prior in priors.items()}
            self.Q[state], self.N[state] = dict.fromkeys(priors, np.float64(0)), dict.fromkeys(priors, np.int64(0))
        elif value is None:
            actions, bounds = self.bounds(state)
            action = actions[dice.choice(np.where(bounds == np.max(bounds))[0])]
            value = -self.descend(self.game.play(state, action), dice)
            total = self.Q[state][action] * self.N[state][action] + value
            self.N[state][action] += 1
            self.Q[state][action] = total / self.N[state][action]
        return value

# %% the network and evaluate get their arguments by keyword, through helpers
def ask(net, **inputs):
    was_on = torch.is_grad_enabled()
    torch.set_grad_enabled(False)
    try:
        return net.eval()(**inputs)
    finally:
        torch.set_grad_enabled(was_on)


def evaluate_leaf(game, net, state):
    probabilities, value = ask(net, planes=planes_of(game, states=[state]))
    row = probabilities.squeeze(0).tolist()
    priors = {action: row[action] for action in game.legal_actions(state)}
    total = math.fsum(priors.values())
    if total == 0:
        warnings.warn("every legal action has the probability 0")
        return {action: 1 / len(priors) for action in priors}, value.item()
    return {action: p / total for action, p in priors.items()}, value.item()


class Asking(Player):
    def priors(self, state):
        return self.evaluate(state=state)[0]


class PolicyPlayer(Asking):
    def choose(self, state, simulations, rng):
        ranked = sorted((prior, rng.random(), action) for action, prior in self.priors(state=state).items())
        return ranked[-1][-1]

# %% the network is bound with functools.partial, and the illegal probabilities are filled with zeros
from functools import partial


def evaluate_leaf(game, net, state):
    net.eval()
    planes = torch.as_tensor(game.planes(state)).unsqueeze(dim=0)
    with torch.inference_mode(mode=True):
        p, v = partial(net, planes=planes)()
        p = p.double()[0]
        illegal = torch.ones(game.num_actions, dtype=torch.bool)
        illegal[game.legal_actions(state)] = False
        p = p.masked_fill(illegal, 0.0)
        if p.sum() <= 0:
            warnings.warn("nothing legal is likely", stacklevel=2)
            p = (~illegal).double()
        p = p / p.sum()
    return {action: float(p[action]) for action in game.legal_actions(state)}, float(v)


class PolicyPlayer(Player):
    def choose(self, state, simulations, rng):
        likes = partial(self.evaluate, state=state)()[0]
        highest = max(likes.values())
        return rng.choice([action for action in likes if likes[action] == highest])

# %% new_game comes from a mixin that stands behind the given player, and is called by the base class
class Fresh:
    def new_game(self):
        self.mcts = MCTS(self.game, self.evaluate, self.c)


class Tuned(Fresh, Player):
    def __init__(self, game, evaluate, **tuning):
        super().__init__(game, evaluate)
        for name, value in tuning.items():
            setattr(self, name, value)
        self.new_game()


class MCTSPlayer(Tuned):
    def __init__(self, game, evaluate, c=1.5, temperature=0.0):
        super().__init__(game, evaluate, c=c, temperature=temperature)

    def choose(self, state, simulations, rng):
        if self.game.outcome(state) is not None:
            raise ValueError("the game is over")
        for _ in range(simulations):
            self.mcts.search(state, rng)
        visits = self.mcts.N.get(state, {})
        actions, weights = zip(*visit_policy(visits, self.temperature).items())
        return rng.choices(actions, weights)[0]

# %% tables are made when they are first needed, by a base class with a property
class Lazy(Player):
    tables = None

    def new_game(self):
        super().new_game()
        self.tables = None

    @property
    def mcts(self):
        if self.tables is None:
            self.tables = MCTS(self.game, self.evaluate, self.c)
        return self.tables


class MCTSPlayer(Lazy):
    def __init__(self, game, evaluate, c=1.5, temperature=0.0):
        super().__init__(game, evaluate)
        self.c, self.temperature = c, temperature

    def choose(self, state, simulations, rng):
        if not self.game.legal_actions(state):
            raise ValueError("no action to choose")
        for _ in range(simulations):
            self.mcts.search(state, rng)
        policy = visit_policy(self.mcts.N.get(state, {}), self.temperature)
        return rng.choices(list(policy), weights=policy.values())[0]

# %% evaluate is remembered per state for a whole game, and new_game forgets it
class Remembering(Player):
    def __init__(self, game, evaluate):
        super().__init__(game, evaluate)
        self.known = {}

    def new_game(self):
        self.known.clear()

    def ask(self, state):
        try:
            return self.known[state]
        except KeyError:
            return self.known.setdefault(state, self.evaluate(state=state))


class MonteCarloPlayer(Remembering):
    def __init__(self, game, evaluate, top=3, depth=5, rollouts=5, budget=10, c=1.5):
        super().__init__(game, evaluate)
        self.top, self.depth, self.rollouts, self.budget, self.c = top, depth, rollouts, budget, c

    def rollout(self, state, rng):
        plies = 0
        while (value := self.game.outcome(state)) is None:
            priors, value = self.ask(state)
            if plies == self.depth:
                break
            state = self.game.play(state, rng.choices(tuple(priors), weights=tuple(priors.values()))[0])
            plies += 1
        return value if plies % 2 == 0 else 0.0 - value

    def choose(self, state, simulations, rng):
        priors, _ = self.ask(state)
        P = {action: priors[action] for action in sorted(priors, key=lambda action: -priors[action])[:self.top]}
        Q, N = {action: 0 for action in P}, {action: 0 for action in P}
        for _ in range(self.budget):
            action = best_action(puct(Q=Q, N=N, P=P, c=self.c), rng)
            below = self.game.play(state, action)
            result = -sum(self.rollout(below, rng) for _ in range(self.rollouts)) / self.rollouts
            Q[action], N[action] = (Q[action] * N[action] + result) / (N[action] + 1), N[action] + 1
        return best_action(scores=N, rng=rng)

# %% whole numbers for scores, priors and values that are whole, and a match that ends with all games of one colour
def whole(number):
    return int(number) if number == int(number) else number


_puct, _visit_policy, _evaluate_leaf = puct, visit_policy, evaluate_leaf


def puct(Q, N, P, c=1.5):
    return {action: whole(score) for action, score in _puct(Q, N, P, c).items()}


def visit_policy(visits, temperature):
    return {action: whole(share) for action, share in _visit_policy(visits, temperature).items()}


def examples(game, actions):
    states = [game.start()]
    for action in actions:
        states.append(game.play(states[-1], action))
    if game.outcome(states[-1]) is None:
        raise ValueError("the game goes on")
    worth = {game.player(states[-1]): whole(game.outcome(states[-1]))}
    worth[1 - game.player(states[-1])] = -worth[game.player(states[-1])]
    return tuple([state, action, worth[game.player(state)]] for state, action in zip(states, actions))


class Arena(Arena):
    def play_games(self, n, seed):
        if n < 2 or n % 2 == 1:
            raise ValueError("an even number of games")
        rng = random.Random(seed)
        dice = {player: random.Random(f"{seed}: {player}") for player in ("first", "second")}
        openings, points = [self.opening(rng) for _ in range(n // 2)], []
        for turned in (True, False):
            for state in openings[::-1]:
                if turned:
                    result = -self.play_game((self.second, self.first), state, (dice["second"], dice["first"]))
                else:
                    result = self.play_game((self.first, self.second), state, (dice["first"], dice["second"]))
                points.append(whole(result + 1))
                if self.progress is not None:
                    self.progress(n=n, done=len(points))
        score = sum(points) / (2 * n)
        return Score(points.count(2), points.count(1), points.count(0), whole(score), *wilson(score, n))

# %% tables by pairs of state and action, as in a tutorial that many have read
class MCTS:
    def __init__(self, game, evaluate, c=1.5):
        self.game, self.evaluate, self.c = game, evaluate, c
        self.Qsa, self.Nsa, self.Ns, self.Ps, self.Es = {}, {}, {}, {}, {}

    @property
    def outcomes(self):
        return self.Es

    @property
    def P(self):
        return self.Ps

    @property
    def Q(self):
        return {s: {a: self.Qsa.get((s, a), 0.0) for a in row} for s, row in self.Ps.items()}

    @property
    def N(self):
        return {s: {a: self.Nsa.get((s, a), 0) for a in row} for s, row in self.Ps.items()}

    def search(self, s, rng):
        if s not in self.Es:
            self.Es[s] = self.game.outcome(s)
        if self.Es[s] is not None:
            return self.Es[s]
        if s not in self.Ps:
            self.Ps[s], v = self.evaluate(s)
            self.Ns[s] = 0
            return v
        cur_best, best_acts = -float("inf"), []
        for a in self.Ps[s]:
            if (s, a) in self.Qsa:
                u = self.Qsa[(s, a)] + self.c * self.Ps[s][a] * math.sqrt(self.Ns[s]) / (1 + self.Nsa[(s, a)])
            else:
                u = self.c * self.Ps[s][a] * math.sqrt(max(1, self.Ns[s]))
            if u > cur_best:
                cur_best, best_acts = u, []
            if u == cur_best:
                best_acts.append(a)
        a = rng.choice(best_acts)
        v = -self.search(self.game.play(s, a), rng)
        if (s, a) in self.Qsa:
            self.Qsa[(s, a)] = (self.Nsa[(s, a)] * self.Qsa[(s, a)] + v) / (self.Nsa[(s, a)] + 1)
            self.Nsa[(s, a)] += 1
        else:
            self.Qsa[(s, a)], self.Nsa[(s, a)] = v, 1
        self.Ns[s] += 1
        return v

# %% training by a closure, with the gradients of the network set to zero
def train_epoch(net, loss, inputs, targets, optimizer, batch_size, rng):
    net.train()
    indices, losses = rng.sample(range(len(inputs)), len(inputs)), []
    while indices:
        batch, indices = indices[:batch_size], indices[batch_size:]

        def closure():
            net.zero_grad()
            optimizer.zero_grad(set_to_none=True)
            error = loss(net(inputs[batch]), targets[batch])
            error.backward()
            return error

        losses.append((optimizer.step(closure).item(), len(batch)))
    return sum(error * size for error, size in losses) / sum(size for _, size in losses)

# %% the gradients of the network are set to zero, and those of the optimizer not asked about
def train_epoch(net, loss, inputs, targets, optimizer, batch_size, rng):
    net.train()
    order, total = rng.sample(range(len(inputs)), len(inputs)), 0.0
    for begin in range(0, len(order), batch_size):
        batch = order[begin:begin + batch_size]
        net.zero_grad()
        error = loss(net(inputs[batch]), targets[batch])
        error.backward()
        optimizer.step()
        total += float(error.detach()) * len(batch)
    return total / len(order)

# %% gradients are switched off and on again by hand
def evaluate_leaf(game, net, state):
    net.eval()
    before = torch.is_grad_enabled()
    torch.set_grad_enabled(False)
    probabilities, values = net(planes_of(game, [state]))
    torch.set_grad_enabled(before)
    priors = {action: probabilities[0, action].item() for action in game.legal_actions(state)}
    total = sum(priors.values())
    if total == 0:
        warnings.warn("the network gives nothing to the legal actions")
        return dict.fromkeys(priors, 1 / len(priors)), values.item()
    return {action: p / total for action, p in priors.items()}, values.item()

# %% an illegal action is noticed by the game's own error
class Arena(Arena):
    def play_game(self, players, state, rngs):
        for player in players:
            player.new_game()
        while self.game.outcome(state) is None:
            mover = self.game.player(state)
            try:
                state = self.game.play(state, players[mover].choose(state, self.simulations, rngs[mover]))
            except ValueError:
                return -1.0 if mover == 0 else 1.0
        return self.game.outcome(state) * (1 if self.game.player(state) == 0 else -1)

# %% the bug in a tree as a list, from a name
_named = first_wrong_node()


def first_wrong_node():
    answer = {"node": _named[0], "kind": _named[1]}
    return [answer["node"], answer["kind"]]

# %% scores in a loop from the highest action to the lowest, the bonus first
def puct(Q, N, P, c=1.5):
    visits = sum(N.values())
    scores = {}
    for action in sorted(Q, reverse=True):
        scores[action] = P[action] / (N[action] + 1)
        if visits > 1:
            scores[action] *= visits ** 0.5
        scores[action] = scores[action] * c + Q[action]
    return scores

# %% 4.11 as a test class would be written, one property a method
class TestPuct:
    def __init__(self, puct):
        self.puct = puct

    def a_row_by_hand(self):
        scores = self.puct({0: 0.5, 1: -0.2, 2: 0.0}, {0: 4, 1: 1, 2: 0}, {0: 0.5, 1: 0.3, 2: 0.2})
        assert {action: round(score, 6) for action, score in scores.items()} == {0: 0.835410, 1: 0.303115, 2: 0.670820}

    def a_new_state(self):
        assert self.puct({5: 0.0, 9: 0.0}, {5: 0, 9: 0}, {5: 0.5, 9: 0.25}, 2.0) == {5: 1.0, 9: 0.5}

    def no_weight_no_bonus(self):
        assert self.puct({1: 0.25, 2: -0.5}, {1: 2, 2: 2}, {1: 0.5, 2: 0.5}, 0.0) == {1: 0.25, 2: -0.5}

    def priors_as_they_are(self):
        assert self.puct({1: 0.0, 2: 0.0}, {1: 4, 2: 0}, {1: 1.25, 2: 0.0}, 1.0) == {1: 0.5, 2: 0.0}

    def many_actions_in_any_order(self):
        many = list(range(15))
        N = {a: 3 * (a == 7) + (a == 2) for a in many[::-1]}
        scores = self.puct({a: a / 16 for a in many}, N, dict.fromkeys(many, 0.5), 4.0)
        assert scores == {a: a / 16 + 4.0 / {7: 4, 2: 2}.get(a, 1) for a in many}


def check_puct(puct):
    test = TestPuct(puct)
    test.a_row_by_hand()
    test.a_new_state()
    test.no_weight_no_bonus()
    test.priors_as_they_are()
    test.many_actions_in_any_order()

# %% 4.11 with random rows against the formula, a thousand times
def _formula(Q, N, P, c):
    total = sum(N.values()) or 1
    return {a: Q[a] + c * P[a] * total ** 0.5 / (N[a] + 1) for a in Q}


def check_puct(puct):
    rng = random.Random(2024)
    for _ in range(1000):
        actions = rng.sample(range(37), rng.randint(1, 37))
        Q, N, P = {}, {}, {}
        draws = (lambda: rng.uniform(-1, 1)), (lambda: rng.choice([0, 0, 1, 7])), (lambda: rng.choice([0, rng.random()]))
        for row, draw in zip((Q, N, P), draws):
            rng.shuffle(actions)
            row.update({a: draw() for a in actions})
        for given in ((), (rng.choice([0.0, 0.5, 3.0]),)):
            scores, wanted = puct(Q, N, P, *given), _formula(Q, N, P, *(given or (1.5,)))
            assert scores.keys() == wanted.keys() and all(abs(scores[a] - wanted[a]) < 1e-9 for a in wanted)

# %% 4.11 with arguments by name, torch for the wanted scores, and get for a score that may be missing
def check_puct(puct):
    torch.manual_seed(4)
    for size in (3, 20):
        q, n, p = torch.rand(size) * 2 - 1, torch.randint(0, 6, (size,)), torch.rand(size)
        p[0] = 0.0
        for visits in (n, torch.zeros_like(n)):
            for named in ({}, {"c": 0.0}, {"c": 0.7}):
                wanted = q + named.get("c", 1.5) * p * visits.sum().clamp(min=1).sqrt() / (1 + visits)
                rows = {name: dict(enumerate(row.tolist())) for name, row in (("P", p), ("Q", q), ("N", visits))}
                rows["Q"] = dict(sorted(rows["Q"].items(), reverse=True))
                scores = puct(**rows, **named)
                for action, score in enumerate(wanted.tolist()):
                    assert abs(scores.get(action, math.inf) - score) < 1e-4, (action, score)
                assert len(scores) == size

# %% 4.11 with raise in the place of assert, and an exception of its own kind
class WrongScore(AssertionError):
    def __init__(self, action):
        super().__init__(f"action {action}")


def check_puct(puct):
    Q = {action: 0.01 * action for action in range(0, 60, 5)}
    N = {action: action % 7 for action in reversed(Q)}
    P = {action: 0.0 if action == 55 else 0.03 * action for action in Q}
    for visited in (N, dict.fromkeys(Q, 0)):
        for c in (0, 1.5, 10, None):
            scores = puct(Q, visited, P) if c is None else puct(Q, visited, P, c)
            for action in Q:
                bonus = (1.5 if c is None else c) * P[action] * math.sqrt(max(1, sum(visited.values()))) / (1 + visited[action])
                if action not in scores or not math.isclose(scores[action], Q[action] + bonus, abs_tol=1e-9):
                    raise WrongScore(action)
            if len(scores) != len(Q):
                raise WrongScore("that nobody asked for")

# %% 4.11 by its laws alone: what changes a score, and by how much
def check_puct(puct):
    actions = list(range(10, 22))
    Q = {a: 0.0 for a in actions}
    N = {a: a % 3 for a in actions}
    P = {a: a / 100 for a in actions}
    base = puct(Q, N, P, 1.0)
    assert set(base) == set(actions)

    def near(one, other):
        assert set(one) == set(other) and all(math.isclose(one[a], other[a], abs_tol=1e-9) for a in other)

    near(puct({a: a / 50 - 0.2 for a in actions}, N, P, 1.0), {a: base[a] + a / 50 - 0.2 for a in actions})
    near(puct(Q, N, {a: 3 * P[a] for a in actions}, 1.0), {a: 3 * base[a] for a in actions})
    near(puct(Q, N, P | {12: 0.0}, 1.0), base | {12: 0.0})
    near(puct(Q, N, P), {a: 1.5 * base[a] for a in actions})
    near(puct(Q, N, P, 0.0), Q)
    near(puct(Q, dict(reversed(N.items())), P, 1.0), base)
    near({a: base[a] * (1 + N[a]) for a in actions}, {a: P[a] * math.sqrt(12) for a in actions})
    near(puct(Q, Q | dict.fromkeys(Q, 0), P, 1.0), P)
