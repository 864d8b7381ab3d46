# Wrong answers to ps2_uct. Each cell names the exercise that it breaks, and is appended to the solution.
# `make verify` wants every one to lose the points of that exercise, and of the joint check at most beside it.

# %% 2.0: greedy by the sum of rewards
def epsilon_greedy(counts, totals, epsilon, rng):
    if rng.random() < epsilon:
        return rng.randrange(len(counts))
    best = max(totals)
    return rng.choice([arm for arm, total in enumerate(totals) if total == best])

# %% 2.0: exploring leaves the best arm out
def epsilon_greedy(counts, totals, epsilon, rng):
    means = [total / count if count else 0.0 for count, total in zip(counts, totals)]
    best = rng.choice([arm for arm in range(len(means)) if means[arm] == max(means)])
    if rng.random() < epsilon:
        return rng.choice([arm for arm in range(len(means)) if arm != best])
    return best

# %% 2.0: epsilon and 1 - epsilon change places
def epsilon_greedy(counts, totals, epsilon, rng):
    if rng.random() >= epsilon:
        return rng.randrange(len(counts))
    means = [total / count if count else 0.0 for count, total in zip(counts, totals)]
    return rng.choice([arm for arm in range(len(means)) if means[arm] == max(means)])

# %% 2.0: exploring never reaches the last arm
def epsilon_greedy(counts, totals, epsilon, rng):
    if rng.random() < epsilon:
        return rng.randrange(len(counts) - 1)
    means = [total / count if count else 0.0 for count, total in zip(counts, totals)]
    return rng.choice([arm for arm in range(len(means)) if means[arm] == max(means)])

# %% 2.0: greedy divides by zero for an arm never pulled
def epsilon_greedy(counts, totals, epsilon, rng):
    if rng.random() < epsilon:
        return rng.randrange(len(counts))
    means = [total / count for count, total in zip(counts, totals)]
    return rng.choice([arm for arm in range(len(means)) if means[arm] == max(means)])

# %% 2.0: greedy always pulls an arm never pulled
def epsilon_greedy(counts, totals, epsilon, rng):
    if rng.random() < epsilon:
        return rng.randrange(len(counts))
    means = [total / count if count else math.inf for count, total in zip(counts, totals)]
    return rng.choice([arm for arm in range(len(means)) if means[arm] == max(means)])

# %% 2.0: greedy ties go to the first arm
def epsilon_greedy(counts, totals, epsilon, rng):
    if rng.random() < epsilon:
        return rng.randrange(len(counts))
    means = [total / count if count else 0.0 for count, total in zip(counts, totals)]
    return means.index(max(means))

# %% 2.0: both rules draw from the global generator
def epsilon_greedy(counts, totals, epsilon, rng):
    if random.random() < epsilon:
        return random.randrange(len(counts))
    means = [total / count if count else 0.0 for count, total in zip(counts, totals)]
    return random.choice([arm for arm in range(len(means)) if means[arm] == max(means)])

# %% 2.0: ucb1 with the base-10 logarithm
def ucb1(counts, totals, exploration, rng):
    n = sum(counts)
    bounds = [t / k + exploration * math.sqrt(math.log10(n) / k) if k else math.inf for k, t in zip(counts, totals)]
    return rng.choice([arm for arm in range(len(bounds)) if bounds[arm] == max(bounds)])

# %% 2.0: ucb1 with a second factor 2 under the root
def ucb1(counts, totals, exploration, rng):
    n = sum(counts)
    bounds = [t / k + exploration * math.sqrt(2 * math.log(n) / k) if k else math.inf for k, t in zip(counts, totals)]
    return rng.choice([arm for arm in range(len(bounds)) if bounds[arm] == max(bounds)])

# %% 2.0: ucb1 takes the logarithm of the arm's own pulls
def ucb1(counts, totals, exploration, rng):
    bounds = [t / k + exploration * math.sqrt(math.log(k) / k) if k else math.inf for k, t in zip(counts, totals)]
    return rng.choice([arm for arm in range(len(bounds)) if bounds[arm] == max(bounds)])

# %% 2.0: ucb1 never uses c
def ucb1(counts, totals, exploration, rng):
    n = sum(counts)
    bounds = [t / k + math.sqrt(math.log(n) / k) if k else math.inf for k, t in zip(counts, totals)]
    return rng.choice([arm for arm in range(len(bounds)) if bounds[arm] == max(bounds)])

# %% 2.0: ucb1 adds one to every count so that nothing divides by zero
def ucb1(counts, totals, exploration, rng):
    n = sum(counts) + 1
    bounds = [t / (k + 1) + exploration * math.sqrt(math.log(n) / (k + 1)) for k, t in zip(counts, totals)]
    return rng.choice([arm for arm in range(len(bounds)) if bounds[arm] == max(bounds)])

# %% 2.0: ucb1 takes untried arms from left to right
def ucb1(counts, totals, exploration, rng):
    if 0 in counts:
        return counts.index(0)
    n = sum(counts)
    bounds = [t / k + exploration * math.sqrt(math.log(n) / k) for k, t in zip(counts, totals)]
    return rng.choice([arm for arm in range(len(bounds)) if bounds[arm] == max(bounds)])

# %% 2.0: ucb1 ties go to the first arm
def ucb1(counts, totals, exploration, rng):
    untried = [arm for arm, k in enumerate(counts) if not k]
    if untried:
        return rng.choice(untried)
    n = sum(counts)
    bounds = [t / k + exploration * math.sqrt(math.log(n) / k) for k, t in zip(counts, totals)]
    return bounds.index(max(bounds))

# %% 2.0: ucb1 asks only the first ten arms whether they were ever pulled
def ucb1(counts, totals, exploration, rng):
    untried = [arm for arm in range(min(10, len(counts))) if counts[arm] == 0]
    if untried:
        return rng.choice(untried)
    n = sum(counts)
    bounds = [total / max(1, count) + exploration * math.sqrt(math.log(n) / max(1, count))
              for count, total in zip(counts, totals)]
    best = max(bounds)
    return rng.choice([arm for arm, bound in enumerate(bounds) if bound == best])


# %% 2.0: ucb1 pulls every arm twice before it compares
def ucb1(counts, totals, exploration, rng):
    new = [arm for arm, k in enumerate(counts) if k < 2]
    if new:
        return rng.choice(new)
    n = sum(counts)
    bounds = [t / k + exploration * math.sqrt(math.log(n) / k) for k, t in zip(counts, totals)]
    return rng.choice([arm for arm in range(len(bounds)) if bounds[arm] == max(bounds)])

# %% 2.0: greedy ties by the global generator
def epsilon_greedy(counts, totals, epsilon, rng):
    if rng.random() < epsilon:
        return rng.randrange(len(counts))
    means = [t / n if n else 0.0 for n, t in zip(counts, totals)]
    return random.choice([i for i, m in enumerate(means) if m == max(means)])

# %% 2.0: the bounds are remembered by the pulls alone
_bounds_of = {}
def ucb1(counts, totals, exploration, rng):
    untried = [i for i, n in enumerate(counts) if n == 0]
    if untried:
        return rng.choice(untried)
    key = (tuple(counts), exploration)
    if key not in _bounds_of:
        n = sum(counts)
        _bounds_of[key] = [t / k + exploration * math.sqrt(math.log(n) / k) for k, t in zip(counts, totals)]
    b = _bounds_of[key]
    return rng.choice([i for i, x in enumerate(b) if x == max(b)])

# %% 2.0: the bounds are clipped at zero
def ucb1(counts, totals, exploration, rng):
    untried = [i for i, n in enumerate(counts) if n == 0]
    if untried:
        return rng.choice(untried)
    log_n = math.log(sum(counts))
    b = [max(0.0, t / k + exploration * math.sqrt(log_n / k)) for k, t in zip(counts, totals)]
    return rng.choice([i for i, x in enumerate(b) if x == max(b)])

# %% 2.0: the search for the best mean begins at zero
def epsilon_greedy(counts, totals, epsilon, rng):
    if rng.random() < epsilon:
        return rng.randrange(len(counts))
    means = [max(t / n, 0.0) if n else 0.0 for n, t in zip(counts, totals)]
    return rng.choice([i for i, m in enumerate(means) if m == max(means)])

# %% 2.0: ucb1 counts the pull itself
def ucb1(counts, totals, exploration, rng):
    untried = [i for i, n in enumerate(counts) if n == 0]
    if untried:
        arm = rng.choice(untried)
    else:
        n = sum(counts)
        b = [t / k + exploration * math.sqrt(math.log(n) / k) for k, t in zip(counts, totals)]
        arm = rng.choice([i for i, x in enumerate(b) if x == max(b)])
    counts[arm] += 1
    return arm

# %% 2.0: at the very first pull greedy takes arm 0
def epsilon_greedy(counts, totals, epsilon, rng):
    if rng.random() < epsilon:
        return rng.randrange(len(counts))
    if not any(counts):
        return 0
    means = [total / count if count else 0.0 for count, total in zip(counts, totals)]
    return rng.choice([arm for arm in range(len(means)) if means[arm] == max(means)])

# %% 2.0: counts of 0 are made 1 in the caller's list
def epsilon_greedy(counts, totals, epsilon, rng):
    if rng.random() < epsilon:
        return rng.randrange(len(counts))
    for arm, count in enumerate(counts):
        counts[arm] = max(count, 1)
    means = [total / count for count, total in zip(counts, totals)]
    return rng.choice([arm for arm in range(len(means)) if means[arm] == max(means)])

# %% 2.0: exploring tries the arms that were never pulled first
def epsilon_greedy(counts, totals, epsilon, rng):
    if rng.random() < epsilon:
        untried = [arm for arm, count in enumerate(counts) if not count]
        return rng.choice(untried if untried else list(range(len(counts))))
    means = [total / count if count else 0.0 for count, total in zip(counts, totals)]
    return rng.choice([arm for arm in range(len(means)) if means[arm] == max(means)])

# %% 2.0: the coin is tossed by the global generator
def epsilon_greedy(counts, totals, epsilon, rng):
    if random.random() < epsilon:
        return rng.randrange(len(counts))
    means = [total / count if count else 0.0 for count, total in zip(counts, totals)]
    return rng.choice([arm for arm in range(len(means)) if means[arm] == max(means)])

# %% 2.0: the answer is remembered by the list of counts
_answers = {}


def ucb1(counts, totals, exploration, rng):
    if id(counts) not in _answers:
        untried = [arm for arm, count in enumerate(counts) if count == 0]
        log_n = math.log(sum(counts)) if not untried else 0.0
        bounds = [t / k + exploration * math.sqrt(log_n / k) if k else math.inf for k, t in zip(counts, totals)]
        _answers[id(counts)] = rng.choice([arm for arm in range(len(bounds)) if bounds[arm] == max(bounds)]), counts
    return _answers[id(counts)][0]

# %% 2.0: ucb1 counts its own calls for n
_calls = [0]


def ucb1(counts, totals, exploration, rng):
    _calls[0] += 1
    untried = [arm for arm, count in enumerate(counts) if count == 0]
    if untried:
        return rng.choice(untried)
    log_n = math.log(max(_calls[0], len(counts)))
    bounds = [t / k + exploration * math.sqrt(log_n / k) for k, t in zip(counts, totals)]
    return rng.choice([arm for arm in range(len(bounds)) if bounds[arm] == max(bounds)])

# %% 2.0: bounds are compared to two digits
def ucb1(counts, totals, exploration, rng):
    untried = [arm for arm, count in enumerate(counts) if count == 0]
    if untried:
        return rng.choice(untried)
    log_n = math.log(sum(counts))
    bounds = [round(t / k + exploration * math.sqrt(log_n / k), 1) for k, t in zip(counts, totals)]
    return rng.choice([arm for arm in range(len(bounds)) if bounds[arm] == max(bounds)])

# %% 2.0: ucb1's equal bounds by the global generator
def ucb1(counts, totals, exploration, rng):
    untried = [arm for arm, count in enumerate(counts) if count == 0]
    if untried:
        return rng.choice(untried)
    log_n = math.log(sum(counts))
    bounds = [t / k + exploration * math.sqrt(log_n / k) for k, t in zip(counts, totals)]
    return random.choice([arm for arm in range(len(bounds)) if bounds[arm] == max(bounds)])

# %% 2.0: c = 0 becomes the constant of the proof
def ucb1(counts, totals, exploration, rng):
    exploration = exploration or math.sqrt(2)
    untried = [arm for arm, count in enumerate(counts) if count == 0]
    if untried:
        return rng.choice(untried)
    log_n = math.log(sum(counts))
    bounds = [t / k + exploration * math.sqrt(log_n / k) for k, t in zip(counts, totals)]
    return rng.choice([arm for arm in range(len(bounds)) if bounds[arm] == max(bounds)])

# %% 2.0: means are compared to three digits
def epsilon_greedy(counts, totals, epsilon, rng):
    if rng.random() < epsilon:
        return rng.randrange(len(counts))
    means = [round(total / count, 3) if count else 0.0 for count, total in zip(counts, totals)]
    return rng.choice([arm for arm, mean in enumerate(means) if mean == max(means)])

# %% 2.0: bounds are compared to three digits
def ucb1(counts, totals, exploration, rng):
    untried = [arm for arm, count in enumerate(counts) if count == 0]
    if untried:
        return rng.choice(untried)
    n = sum(counts)
    bounds = [round(t / k + exploration * math.sqrt(math.log(n) / k), 3) for k, t in zip(counts, totals)]
    return rng.choice([arm for arm, bound in enumerate(bounds) if bound == max(bounds)])

# %% 2.0: of equal bounds the arm with fewest pulls is taken
def ucb1(counts, totals, exploration, rng):
    untried = [arm for arm, count in enumerate(counts) if count == 0]
    if untried:
        return rng.choice(untried)
    n = sum(counts)
    bounds = [t / k + exploration * math.sqrt(math.log(n) / k) for k, t in zip(counts, totals)]
    best = [arm for arm, bound in enumerate(bounds) if bound == max(bounds)]
    least = min(counts[arm] for arm in best)
    return rng.choice([arm for arm in best if counts[arm] == least])

# %% 2.1: always the first legal action
def random_policy(game, state, rng):
    actions = game.legal_actions(state)
    if not actions:
        raise ValueError("over")
    return actions[0]

# %% 2.1: never the last legal action
def random_policy(game, state, rng):
    actions = game.legal_actions(state)
    if not actions:
        raise ValueError("over")
    return actions[rng.randrange(max(1, len(actions) - 1))]

# %% 2.1: any action, legal or not
def random_policy(game, state, rng):
    if not game.legal_actions(state):
        raise ValueError("over")
    return rng.randrange(game.num_actions)

# %% 2.1: the global generator instead of rng
def random_policy(game, state, rng):
    actions = game.legal_actions(state)
    if not actions:
        raise ValueError("over")
    return random.choice(actions)

# %% 2.1: rng is seeded again at every call
def random_policy(game, state, rng):
    actions = game.legal_actions(state)
    if not actions:
        raise ValueError("over")
    return random.Random(len(actions)).choice(actions)

# %% 2.1: the global generator is seeded on the way
def random_policy(game, state, rng):
    random.seed(7)
    actions = game.legal_actions(state)
    if not actions:
        raise ValueError("over")
    return rng.choice(actions)

# %% 2.1: None where the game is over
def random_policy(game, state, rng):
    actions = game.legal_actions(state)
    return rng.choice(actions) if actions else None

# %% 2.1: an IndexError where the game is over
def random_policy(game, state, rng):
    return rng.choice(game.legal_actions(state))

# %% 2.1: the centre is preferred
def random_policy(game, state, rng):
    actions = game.legal_actions(state)
    if not actions:
        raise ValueError("over")
    middle = sorted(actions, key=lambda action: abs(action - game.num_actions // 2))
    return min(rng.choice(middle), rng.choice(middle), key=middle.index)

# %% 2.1: an index into the legal actions instead of an action
def random_policy(game, state, rng):
    actions = game.legal_actions(state)
    if not actions:
        raise ValueError("over")
    return rng.randrange(len(actions))

# %% 2.1: the first and the last action half as often
def random_policy(game, state, rng):
    legal = game.legal_actions(state)
    if not legal:
        raise ValueError("over")
    return legal[round(rng.random() * (len(legal) - 1))]

# %% 2.1: one of ten digits draws, so that the first actions come up more often
def random_policy(game, state, rng):
    legal = game.legal_actions(state)
    if not legal:
        raise ValueError("the game is over")
    return legal[int(str(rng.random())[-1]) % len(legal)]

# %% 2.1: the place where there is only one action
def random_policy(game, state, rng):
    legal = game.legal_actions(state)
    if not legal:
        raise ValueError("the game is over")
    return 0 if len(legal) == 1 else legal[rng.randrange(len(legal))]

# %% 2.1: actions are counted on from the first legal one
def random_policy(game, state, rng):
    legal = game.legal_actions(state)
    if not legal:
        raise ValueError("the game is over")
    return legal[0] + rng.randrange(len(legal)) if len(legal) < 5 else rng.choice(legal)

# %% 2.1: a state that is 0 or empty counts as over
def random_policy(game, state, rng):
    if not state or not game.legal_actions(state):
        raise ValueError("the game is over")
    return rng.choice(game.legal_actions(state))

# %% 2.1: the first ten actions only
def random_policy(game, state, rng):
    return game.legal_actions(state)[rng.randrange(min(len(game.legal_actions(state)), 10))]

# %% 2.2: the value for the player to move at the end
def simulate(game, state, policy, rng, max_plies=None, verbose=False):
    plies = 0
    while game.outcome(state) is None and plies != max_plies:
        state = game.play(state, policy(game, state, rng))
        plies += 1
    return game.outcome(state) or 0.0

# %% 2.2: the value for the player who made the last move
def simulate(game, state, policy, rng, max_plies=None, verbose=False):
    plies = 0
    while game.outcome(state) is None and plies != max_plies:
        state = game.play(state, policy(game, state, rng))
        plies += 1
    return -(game.outcome(state) or 0.0)

# %% 2.2: the value for the player who moves first in the game
def simulate(game, state, policy, rng, max_plies=None, verbose=False):
    plies = 0
    while game.outcome(state) is None and plies != max_plies:
        state = game.play(state, policy(game, state, rng))
        plies += 1
    value = game.outcome(state) or 0.0
    return value if game.player(state) == 0 else -value

# %% 2.2: the value for the other player
def simulate(game, state, policy, rng, max_plies=None, verbose=False):
    value = -1.0
    plies = 0
    while game.outcome(state) is None and plies != max_plies:
        state = game.play(state, policy(game, state, rng))
        value = -value
        plies += 1
    return value * (game.outcome(state) or 0.0)

# %% 2.2: a draw is a loss
def simulate(game, state, policy, rng, max_plies=None, verbose=False):
    value, plies = 1.0, 0
    while game.outcome(state) is None:
        if plies == max_plies:
            return 0.0
        state = game.play(state, policy(game, state, rng))
        value, plies = -value, plies + 1
    return value * (game.outcome(state) or -1.0)

# %% 2.2: a draw is False
def simulate(game, state, policy, rng, max_plies=None, verbose=False):
    value, plies = 1.0, 0
    while game.outcome(state) is None and plies != max_plies:
        state = game.play(state, policy(game, state, rng))
        value, plies = -value, plies + 1
    outcome = game.outcome(state)
    return value * outcome if outcome else False

# %% 2.2: the winner's number instead of a value
def simulate(game, state, policy, rng, max_plies=None, verbose=False):
    plies = 0
    while game.outcome(state) is None and plies != max_plies:
        state = game.play(state, policy(game, state, rng))
        plies += 1
    return 0 if not game.outcome(state) else 2 - game.player(state)

# %% 2.2: the policy is ignored
def simulate(game, state, policy, rng, max_plies=None, verbose=False):
    value, plies = 1.0, 0
    while game.outcome(state) is None and plies != max_plies:
        state = game.play(state, rng.choice(game.legal_actions(state)))
        value, plies = -value, plies + 1
    return value * (game.outcome(state) or 0.0)

# %% 2.2: the policy chooses for one player only
def simulate(game, state, policy, rng, max_plies=None, verbose=False):
    value, plies = 1.0, 0
    while game.outcome(state) is None and plies != max_plies:
        action = policy(game, state, rng) if value > 0 else rng.choice(game.legal_actions(state))
        state = game.play(state, action)
        value, plies = -value, plies + 1
    return value * (game.outcome(state) or 0.0)

# %% 2.2: the policy gets a generator of its own, the same every time
def simulate(game, state, policy, rng, max_plies=None, verbose=False):
    value, plies, own = 1.0, 0, random.Random(0)
    while game.outcome(state) is None and plies != max_plies:
        state = game.play(state, policy(game, state, own))
        value, plies = -value, plies + 1
    return value * (game.outcome(state) or 0.0)

# %% 2.2: the policy gets the global generator
def simulate(game, state, policy, rng, max_plies=None, verbose=False):
    value, plies = 1.0, 0
    while game.outcome(state) is None and plies != max_plies:
        state = game.play(state, policy(game, state, random))
        value, plies = -value, plies + 1
    return value * (game.outcome(state) or 0.0)

# %% 2.2: one ply too few
def simulate(game, state, policy, rng, max_plies=None, verbose=False):
    value, plies = 1.0, 1
    while game.outcome(state) is None and plies != max_plies:
        state = game.play(state, policy(game, state, rng))
        value, plies = -value, plies + 1
    return value * (game.outcome(state) or 0.0)

# %% 2.2: one ply too many
def simulate(game, state, policy, rng, max_plies=None, verbose=False):
    value, plies = 1.0, 0
    while game.outcome(state) is None:
        state = game.play(state, policy(game, state, rng))
        value, plies = -value, plies + 1
        if max_plies is not None and plies > max_plies:
            break
    return value * (game.outcome(state) or 0.0)

# %% 2.2: a game that ends with the last allowed move is cut all the same
def simulate(game, state, policy, rng, max_plies=None, verbose=False):
    value, plies = 1.0, 0
    while game.outcome(state) is None:
        state = game.play(state, policy(game, state, rng))
        value, plies = -value, plies + 1
        if plies == max_plies:
            return 0.0
    return value * game.outcome(state)

# %% 2.2: max_plies 0 means no limit
def simulate(game, state, policy, rng, max_plies=None, verbose=False):
    value, plies = 1.0, 0
    while game.outcome(state) is None and (not max_plies or plies < max_plies):
        state = game.play(state, policy(game, state, rng))
        value, plies = -value, plies + 1
    return value * (game.outcome(state) or 0.0)

# %% 2.2: max_plies is ignored
def simulate(game, state, policy, rng, max_plies=None, verbose=False):
    value = 1.0
    while game.outcome(state) is None:
        state = game.play(state, policy(game, state, rng))
        value = -value
    return value * game.outcome(state)

# %% 2.2: every game is cut after 50 plies
def simulate(game, state, policy, rng, max_plies=50, verbose=False):
    value, plies = 1.0, 0
    while game.outcome(state) is None and plies != max_plies:
        state = game.play(state, policy(game, state, rng))
        value, plies = -value, plies + 1
    return value * (game.outcome(state) or 0.0)

# %% 2.2: a cut game counts half
def simulate(game, state, policy, rng, max_plies=None, verbose=False):
    value, plies = 1.0, 0
    while game.outcome(state) is None:
        if plies == max_plies:
            return 0.5
        state = game.play(state, policy(game, state, rng))
        value, plies = -value, plies + 1
    return value * game.outcome(state)

# %% 2.2: the game begins at the start, wherever it stands
def simulate(game, state, policy, rng, max_plies=None, verbose=False):
    state, value, plies = game.start(), 1.0, 0
    while game.outcome(state) is None and plies != max_plies:
        state = game.play(state, policy(game, state, rng))
        value, plies = -value, plies + 1
    return value * (game.outcome(state) or 0.0)

# %% 2.2: at least one move is made, even after the end
def simulate(game, state, policy, rng, max_plies=None, verbose=False):
    value, plies = 1.0, 0
    while plies != max_plies:
        state = game.play(state, policy(game, state, rng))
        value, plies = -value, plies + 1
        if game.outcome(state) is not None:
            break
    return value * (game.outcome(state) or 0.0)

# %% 2.2: with a trace nothing comes back
def simulate(game, state, policy, rng, max_plies=None, verbose=False):
    value, plies = 1.0, 0
    while game.outcome(state) is None and plies != max_plies:
        state = game.play(state, policy(game, state, rng))
        value, plies = -value, plies + 1
    if verbose:
        print("value", value * (game.outcome(state) or 0.0))
        return None
    return value * (game.outcome(state) or 0.0)

# %% 2.2: the policy is asked twice for every move
def simulate(game, state, policy, rng, max_plies=None, verbose=False):
    value, plies = 1.0, 0
    while game.outcome(state) is None and plies != max_plies:
        policy(game, state, rng)
        state = game.play(state, policy(game, state, rng))
        value, plies = -value, plies + 1
    return value * (game.outcome(state) or 0.0)

# %% 2.2: the sum of five games instead of one
def simulate(game, state, policy, rng, max_plies=None, verbose=False):
    total = 0.0
    for _ in range(5):
        now, value, plies = state, 1.0, 0
        while game.outcome(now) is None and plies != max_plies:
            now = game.play(now, policy(game, now, rng))
            value, plies = -value, plies + 1
        total += value * (game.outcome(now) or 0.0)
    return total

# %% 2.2: the trace draws from rng
def simulate(game, state, policy, rng, max_plies=None, verbose=False):
    plies, sign = 0, 1
    while game.outcome(state) is None and plies != max_plies:
        a = policy(game, state, rng)
        if verbose:
            print("move", a, "luck", rng.random())
        state = game.play(state, a)
        plies += 1
        sign = -sign
    v = sign * (game.outcome(state) or 0.0)
    if verbose:
        print("result", v)
    return v

# %% 2.2: the trace is printed whether it is wanted or not
def simulate(game, state, policy, rng, max_plies=None, verbose=False):
    end, plies = state, 0
    while (outcome := game.outcome(end)) is None and plies != max_plies:
        end = game.play(end, policy(game, end, rng))
        plies += 1
    value = (outcome or 0.0) * (-1) ** plies
    print(f"{plies} plies, value {value}")
    return value

# %% 2.2: verbose is the default
def simulate(game, state, policy, rng, max_plies=None, verbose=True):
    end, plies = state, 0
    while (outcome := game.outcome(end)) is None and plies != max_plies:
        action = policy(game, end, rng)
        if verbose:
            print(action)
        end = game.play(end, action)
        plies += 1
    return (outcome or 0.0) * (-1) ** plies

# %% 2.2: a game of two hundred plies is cut
def simulate(game, state, policy, rng, max_plies=None, verbose=False):
    plies = 0
    while game.outcome(state) is None and plies < (200 if max_plies is None else max_plies):
        state = game.play(state, policy(game, state, rng))
        plies += 1
    return (game.outcome(state) or 0.0) * (-1) ** plies

# %% 2.2: a game that ends with the last move allowed has the value of the player there
def simulate(game, state, policy, rng, max_plies=None, verbose=False):
    plies = 0
    while game.outcome(state) is None:
        if plies == max_plies:
            return 0.0
        state = game.play(state, policy(game, state, rng))
        plies += 1
    return game.outcome(state) * (1 if plies == max_plies else (-1) ** plies)

# %% 2.2: the result is remembered for each policy
_results = {}


def simulate(game, state, policy, rng, max_plies=None, verbose=False):
    key = game.text(state), id(policy), max_plies
    if key not in _results:
        plies, end = 0, state
        while game.outcome(end) is None and plies != max_plies:
            end = game.play(end, policy(game, end, rng))
            plies += 1
        _results[key] = (game.outcome(end) or 0.0) * (-1) ** plies, policy
    return _results[key][0]

# %% 2.2: max_plies counts moves of each player
def simulate(game, state, policy, rng, max_plies=None, verbose=False):
    plies = 0
    while game.outcome(state) is None:
        if max_plies is not None and plies // 2 >= max_plies:
            return 0.0
        state = game.play(state, policy(game, state, rng))
        plies += 1
    return game.outcome(state) * (-1) ** plies

# %% 2.3: a node without children is terminal
def is_terminal(self, game):
    return not self.children

TreeNode.is_terminal = is_terminal

# %% 2.3: a draw goes on
def is_terminal(self, game):
    return bool(game.outcome(self.state))

TreeNode.is_terminal = is_terminal

# %% 2.3: only a lost game is over
def is_terminal(self, game):
    return game.outcome(self.state) in (-1.0, 0.0)

TreeNode.is_terminal = is_terminal

# %% 2.3: the outcome instead of whether there is one
def is_terminal(self, game):
    return game.outcome(self.state)

TreeNode.is_terminal = is_terminal

# %% 2.3: a visited node without children is terminal
def is_terminal(self, game):
    return game.outcome(self.state) is not None or (self.num_visits > 0 and not self.children)

TreeNode.is_terminal = is_terminal

# %% 2.3: the negation of terminal
def is_terminal(self, game):
    return game.outcome(self.state) is None

TreeNode.is_terminal = is_terminal

# %% 2.3: any child will do for fully expanded
def is_fully_expanded(self, game):
    return bool(self.children) or not game.legal_actions(self.state)

TreeNode.is_fully_expanded = is_fully_expanded

# %% 2.3: fully expanded counts all actions of the game
def is_fully_expanded(self, game):
    return len(self.children) == game.num_actions or not game.legal_actions(self.state)

TreeNode.is_fully_expanded = is_fully_expanded

# %% 2.3: fully expanded by visits
def is_fully_expanded(self, game):
    return self.num_visits >= len(game.legal_actions(self.state))

TreeNode.is_fully_expanded = is_fully_expanded

# %% 2.3: one child short is full enough
def is_fully_expanded(self, game):
    return len(self.children) >= len(game.legal_actions(self.state)) - 1

TreeNode.is_fully_expanded = is_fully_expanded

# %% 2.3: fully expanded only when every child was visited
def is_fully_expanded(self, game):
    visited = [child for child in self.children.values() if child.num_visits > 0]
    return len(visited) == len(game.legal_actions(self.state))

TreeNode.is_fully_expanded = is_fully_expanded

# %% 2.3: a finished game is never fully expanded
def is_fully_expanded(self, game):
    return bool(self.children) and len(self.children) == len(game.legal_actions(self.state))

TreeNode.is_fully_expanded = is_fully_expanded

# %% 2.3: the children are counted once for the whole class
def is_fully_expanded(self, game):
    TreeNode.known = getattr(TreeNode, "known", set()) | {(self.state, action) for action in self.children}
    return all((self.state, action) in TreeNode.known for action in game.legal_actions(self.state))

TreeNode.is_fully_expanded = is_fully_expanded

# %% 2.3: whether a state is over is remembered for all games
_known_ends = {}


def _is_over(self, game):
    return _known_ends.setdefault(self.state, game.outcome(self.state) is not None)


TreeNode.is_terminal = _is_over

# %% 2.3: different states are counted instead of children
def _all_states(self, game):
    after = {game.play(self.state, action) for action in game.legal_actions(self.state)}
    return len({child.state for child in self.children.values()}) == len(after)


TreeNode.is_fully_expanded = _all_states

# %% 2.3: the children fill the actions from the first to the last number
def _without_gaps(self, game):
    legal = game.legal_actions(self.state)
    return len(self.children) >= (max(legal) - min(legal) + 1 if legal else 0)


TreeNode.is_fully_expanded = _without_gaps

# %% 2.3: a state that is 0 or empty is taken for none
def _falsy(self, game):
    return not self.state or game.outcome(self.state) is not None


TreeNode.is_terminal = _falsy

# %% 2.3: seven children are always enough
def _seven(self, game):
    return len(self.children) == min(len(game.legal_actions(self.state)), 7)


TreeNode.is_fully_expanded = _seven

# %% 2.4: the same child again and again
def expand(game, node, rng):
    actions = game.legal_actions(node.state)
    if not actions or len(node.children) == len(actions):
        raise ValueError("nothing to expand")
    child = TreeNode(game.play(node.state, actions[0]), node, actions[0])
    node.children[actions[0]] = child
    return child

# %% 2.4: any legal action, tried or not
def expand(game, node, rng):
    actions = game.legal_actions(node.state)
    if not actions or len(node.children) == len(actions):
        raise ValueError("nothing to expand")
    action = rng.choice(actions)
    node.children[action] = TreeNode(game.play(node.state, action), node, action)
    return node.children[action]

# %% 2.4: the first untried action
def expand(game, node, rng):
    for action in game.legal_actions(node.state):
        if action not in node.children:
            node.children[action] = TreeNode(game.play(node.state, action), node, action)
            return node.children[action]
    raise ValueError("nothing to expand")

# %% 2.4: the child is not hung into the tree
def expand(game, node, rng):
    untried = [action for action in game.legal_actions(node.state) if action not in node.children]
    if not untried:
        raise ValueError("nothing to expand")
    action = rng.choice(untried)
    return TreeNode(game.play(node.state, action), node, action)

# %% 2.4: the child does not know its parent
def expand(game, node, rng):
    untried = [action for action in game.legal_actions(node.state) if action not in node.children]
    if not untried:
        raise ValueError("nothing to expand")
    action = rng.choice(untried)
    node.children[action] = TreeNode(game.play(node.state, action), None, action)
    return node.children[action]

# %% 2.4: the child's parent is the root
def expand(game, node, rng):
    untried = [action for action in game.legal_actions(node.state) if action not in node.children]
    if not untried:
        raise ValueError("nothing to expand")
    action, root = rng.choice(untried), node
    while root.parent is not None:
        root = root.parent
    node.children[action] = TreeNode(game.play(node.state, action), root, action)
    return node.children[action]

# %% 2.4: the child does not know its action
def expand(game, node, rng):
    untried = [action for action in game.legal_actions(node.state) if action not in node.children]
    if not untried:
        raise ValueError("nothing to expand")
    action = rng.choice(untried)
    node.children[action] = TreeNode(game.play(node.state, action), node)
    return node.children[action]

# %% 2.4: the child has its parent's state
def expand(game, node, rng):
    untried = [action for action in game.legal_actions(node.state) if action not in node.children]
    if not untried:
        raise ValueError("nothing to expand")
    action = rng.choice(untried)
    node.children[action] = TreeNode(node.state, node, action)
    return node.children[action]

# %% 2.4: the node plays the move itself
def expand(game, node, rng):
    untried = [action for action in game.legal_actions(node.state) if action not in node.children]
    if not untried:
        raise ValueError("nothing to expand")
    action = rng.choice(untried)
    before, node.state = node.state, game.play(node.state, action)
    node.children[action] = TreeNode(node.state, node, action)
    if len(untried) > 1:
        node.state = before
    return node.children[action]

# %% 2.4: all children at once, and one of them comes back
def expand(game, node, rng):
    untried = [action for action in game.legal_actions(node.state) if action not in node.children]
    if not untried:
        raise ValueError("nothing to expand")
    for action in untried:
        node.children[action] = TreeNode(game.play(node.state, action), node, action)
    return node.children[rng.choice(untried)]

# %% 2.4: all children at once, and the node itself comes back
def expand(game, node, rng):
    if node.children or not game.legal_actions(node.state):
        raise ValueError("nothing to expand")
    for action in game.legal_actions(node.state):
        node.children[action] = TreeNode(game.play(node.state, action), node, action)
    return node

# %% 2.4: the node comes back instead of the child
def expand(game, node, rng):
    untried = [action for action in game.legal_actions(node.state) if action not in node.children]
    if not untried:
        raise ValueError("nothing to expand")
    action = rng.choice(untried)
    node.children[action] = TreeNode(game.play(node.state, action), node, action)
    return node

# %% 2.4: a finished game is returned as it is
def expand(game, node, rng):
    if game.outcome(node.state) is not None:
        return node
    untried = [action for action in game.legal_actions(node.state) if action not in node.children]
    if not untried:
        raise ValueError("nothing to expand")
    action = rng.choice(untried)
    node.children[action] = TreeNode(game.play(node.state, action), node, action)
    return node.children[action]

# %% 2.4: with nothing left an old child is replaced
def expand(game, node, rng):
    actions = game.legal_actions(node.state)
    if not actions:
        raise ValueError("over")
    untried = [action for action in actions if action not in node.children]
    action = rng.choice(untried or actions)
    node.children[action] = TreeNode(game.play(node.state, action), node, action)
    return node.children[action]

# %% 2.4: an IndexError where nothing is left
def expand(game, node, rng):
    untried = [action for action in game.legal_actions(node.state) if action not in node.children]
    action = rng.choice(untried)
    node.children[action] = TreeNode(game.play(node.state, action), node, action)
    return node.children[action]

# %% 2.4: the global generator instead of rng
def expand(game, node, rng):
    untried = [action for action in game.legal_actions(node.state) if action not in node.children]
    if not untried:
        raise ValueError("nothing to expand")
    action = random.choice(untried)
    node.children[action] = TreeNode(game.play(node.state, action), node, action)
    return node.children[action]

# %% 2.4: what was tried is remembered by state, in a mutable default
def expand(game, node, rng, tried={}):
    done = tried.setdefault(node.state, [])
    untried = [action for action in game.legal_actions(node.state) if action not in done]
    if not untried:
        raise ValueError("nothing to expand")
    action = rng.choice(untried)
    done.append(action)
    node.children[action] = TreeNode(game.play(node.state, action), node, action)
    return node.children[action]

# %% 2.4: the child counts as visited at once
def expand(game, node, rng):
    untried = [action for action in game.legal_actions(node.state) if action not in node.children]
    if not untried:
        raise ValueError("nothing to expand")
    action = rng.choice(untried)
    node.children[action] = TreeNode(game.play(node.state, action), node, action)
    node.children[action].num_visits = 1
    return node.children[action]

# %% 2.4: the parent is visited by growing
def expand(game, node, rng):
    untried = [action for action in game.legal_actions(node.state) if action not in node.children]
    if not untried:
        raise ValueError("nothing to expand")
    action = rng.choice(untried)
    node.children[action] = TreeNode(game.play(node.state, action), node, action)
    node.num_visits += 1
    return node.children[action]

# %% 2.4: the children are made anew at every call
def expand(game, node, rng):
    untried = [action for action in game.legal_actions(node.state) if action not in node.children]
    if not untried:
        raise ValueError("nothing to expand")
    action = rng.choice(untried)
    for known in [*node.children, action]:
        node.children[known] = TreeNode(game.play(node.state, known), node, known)
    return node.children[action]

# %% 2.4: the last untried action is never tried
def expand(game, node, rng):
    untried = [action for action in game.legal_actions(node.state) if action not in node.children]
    if len(untried) < 2 and len(game.legal_actions(node.state)) > 1 or not untried:
        raise ValueError("nothing to expand")
    action = rng.choice(untried)
    node.children[action] = TreeNode(game.play(node.state, action), node, action)
    return node.children[action]

# %% 2.4: an action that wins at once first
def expand(game, node, rng):
    untried = [a for a in game.legal_actions(node.state) if a not in node.children]
    if not untried:
        raise ValueError("nothing")
    wins = [a for a in untried if game.outcome(game.play(node.state, a)) == -1]
    a = rng.choice(wins or untried)
    node.children[a] = TreeNode(game.play(node.state, a), node, a)
    return node.children[a]

# %% 2.4: the lowest untried action is drawn twice as often
def expand(game, node, rng):
    untried = [action for action in game.legal_actions(node.state) if action not in node.children]
    if not untried:
        raise ValueError("nothing to expand")
    action = rng.choice([untried[0], *untried])
    child = node.children[action] = TreeNode(game.play(node.state, action), node, action)
    return child

# %% 2.4: one of the six faces of a die draws
def expand(game, node, rng):
    untried = [action for action in game.legal_actions(node.state) if action not in node.children]
    if not untried:
        raise ValueError("nothing to expand")
    action = untried[rng.randint(1, 6) % len(untried)]
    node.children[action] = TreeNode(game.play(node.state, action), node, action)
    return node.children[action]

# %% 2.4: an action that leads to a state which is there already is not untried
def expand(game, node, rng):
    there = {child.state for child in node.children.values()}
    untried = [action for action in game.legal_actions(node.state) if game.play(node.state, action) not in there]
    if not untried:
        raise ValueError("nothing to expand")
    action = rng.choice(untried)
    node.children[action] = TreeNode(game.play(node.state, action), node, action)
    return node.children[action]

# %% 2.4: two actions that lead to one state share a node
def expand(game, node, rng):
    untried = [action for action in game.legal_actions(node.state) if action not in node.children]
    if not untried:
        raise ValueError("nothing to expand")
    action = rng.choice(untried)
    state = game.play(node.state, action)
    twins = [child for child in node.children.values() if child.state == state]
    node.children[action] = twins[0] if twins else TreeNode(state, node, action)
    return node.children[action]

# %% 2.4: the global generator is seeded from rng and draws
def expand(game, node, rng):
    untried = [action for action in game.legal_actions(node.state) if action not in node.children]
    if not untried:
        raise ValueError("nothing to expand")
    random.seed(rng.random())
    action = random.choice(untried)
    node.children[action] = TreeNode(game.play(node.state, action), node, action)
    return node.children[action]

# %% 2.4: actions are numbered by their place
def expand(game, node, rng):
    legal = game.legal_actions(node.state)
    untried = [place for place in range(len(legal)) if place not in node.children]
    if not untried:
        raise ValueError("nothing to expand")
    place = rng.choice(untried)
    node.children[place] = TreeNode(game.play(node.state, legal[place]), node, place)
    return node.children[place]

# %% 2.5: backpropagate does not flip the sign
# hint: same sign: whose result is it one ply up?
def backpropagate(node, value):
    while node is not None:
        node.num_visits += 1
        node.total_value += value
        node = node.parent

# %% 2.5: the sign flips before the leaf
# hint: before the first node, or after it?
def backpropagate(node, value):
    while node is not None:
        value = -value
        node.num_visits += 1
        node.total_value += value
        node = node.parent

# %% 2.5: the sign flips once and then stays
def backpropagate(node, value):
    node.num_visits += 1
    node.total_value += value
    while node.parent is not None:
        node = node.parent
        node.num_visits += 1
        node.total_value -= value

# %% 2.5: the root is left out
def backpropagate(node, value):
    while node.parent is not None:
        node.num_visits += 1
        node.total_value += value
        node, value = node.parent, -value

# %% 2.5: the root is left out when it has children
def backpropagate(node, value):
    while node is not None and (node.parent is not None or not node.children):
        node.num_visits += 1
        node.total_value += value
        node, value = node.parent, -value

# %% 2.5: the leaf is left out
def backpropagate(node, value):
    node, value = node.parent, -value
    while node is not None:
        node.num_visits += 1
        node.total_value += value
        node, value = node.parent, -value

# %% 2.5: visits are forgotten
def backpropagate(node, value):
    while node is not None:
        node.total_value += value
        node, value = node.parent, -value

# %% 2.5: only the leaf is visited
def backpropagate(node, value):
    node.num_visits += 1
    while node is not None:
        node.total_value += value
        node, value = node.parent, -value

# %% 2.5: values are forgotten
def backpropagate(node, value):
    while node is not None:
        node.num_visits += 1
        node = node.parent

# %% 2.5: the value is replaced instead of added
def backpropagate(node, value):
    while node is not None:
        node.num_visits += 1
        node.total_value = value
        node, value = node.parent, -value

# %% 2.5: 1 - v for the other player
def backpropagate(node, value):
    while node is not None:
        node.num_visits += 1
        node.total_value += value
        node, value = node.parent, 1 - value

# %% 2.5: the absolute value
def backpropagate(node, value):
    while node is not None:
        node.num_visits += 1
        node.total_value += abs(value)
        node = node.parent

# %% 2.5: a draw is no visit
def backpropagate(node, value):
    while node is not None and value:
        node.num_visits += 1
        node.total_value += value
        node, value = node.parent, -value

# %% 2.5: only wins are added
def backpropagate(node, value):
    while node is not None:
        node.num_visits += 1
        node.total_value += max(value, 0)
        node, value = node.parent, -value

# %% 2.5: a mean instead of a sum
def backpropagate(node, value):
    while node is not None:
        node.num_visits += 1
        node.total_value += (value - node.total_value) / node.num_visits
        node, value = node.parent, -value

# %% 2.5: the value is cut to an integer
def backpropagate(node, value):
    while node is not None:
        node.num_visits += 1
        node.total_value += int(value)
        node, value = node.parent, -value

# %% 2.5: the value is clipped to [-1, 1]
def backpropagate(node, value):
    value = max(-1.0, min(1.0, value))
    while node is not None:
        node.num_visits += 1
        node.total_value += value
        node, value = node.parent, -value

# %% 2.5: the value fades on the way up
def backpropagate(node, value):
    while node is not None:
        node.num_visits += 1
        node.total_value += value
        node, value = node.parent, -0.99 * value

# %% 2.5: siblings of the path are visited too
def backpropagate(node, value):
    while node is not None:
        node.num_visits += 1
        node.total_value += value
        for sibling in node.parent.children.values() if node.parent else ():
            sibling.num_visits += sibling is not node
        node, value = node.parent, -value

# %% 2.5: the children below the leaf get the result as well
def backpropagate(node, value):
    for child in node.children.values():
        child.num_visits += 1
        child.total_value -= value
    while node is not None:
        node.num_visits += 1
        node.total_value += value
        node, value = node.parent, -value

# %% 2.5: only the leaf and the root
def backpropagate(node, value):
    node.num_visits += 1
    node.total_value += value
    root, sign = node, 1
    while root.parent is not None:
        root, sign = root.parent, -sign
    if root is not node:
        root.num_visits += 1
        root.total_value += sign * value

# %% 2.5: at most ten nodes up
def backpropagate(node, value):
    for _ in range(10):
        if node is None:
            return
        node.num_visits += 1
        node.total_value += value
        node, value = node.parent, -value

# %% 2.5: a result that came before is not counted again
_seen = {}


def backpropagate(node, value):
    if _seen.get(id(node)) == value:
        return
    _seen[id(node)] = value
    while node is not None:
        node.num_visits += 1
        node.total_value += value
        node, value = node.parent, -value

# %% 2.5: at most sixty plies up
def backpropagate(node, value):
    for _ in range(60):
        if node is None:
            break
        node.num_visits += 1
        node.total_value += value
        node, value = node.parent, -value

# %% 2.5: a parent's total is made from its children's
def backpropagate(node, value):
    node.num_visits += 1
    node.total_value += value
    while node.parent is not None:
        node = node.parent
        node.num_visits += 1
        node.total_value = -sum(child.total_value for child in node.children.values())

# %% 2.5: totals are rounded to two digits
def backpropagate(node, value):
    while node is not None:
        node.num_visits += 1
        node.total_value = round(node.total_value + value, 2)
        node, value = node.parent, -value

# %% 2.5: what came to the parent before is flipped as well
def backpropagate(node, value):
    while node is not None:
        node.num_visits += 1
        node.total_value += value
        if node.parent is not None and node.parent.parent is None and node.parent.num_visits > 20:
            node.parent.total_value += 0.0 if value > 0 else value
        node, value = node.parent, -value

# %% 2.5: small values are taken for draws
def backpropagate(node, value):
    value = 0.0 if abs(value) < 1e-2 else value
    while node is not None:
        node.num_visits += 1
        node.total_value += value
        node, value = node.parent, -value

# %% 2.6: the child's mean is not negated
# hint: of the one who chooses it?
def ucb(node, exploration):
    if node.num_visits == 0:
        return math.inf
    bonus = exploration * math.sqrt(math.log(node.parent.num_visits) / node.num_visits)
    return node.total_value / node.num_visits + bonus

# %% 2.6: the base-10 logarithm
# hint: to which base?
def ucb(node, exploration):
    if node.num_visits == 0:
        return math.inf
    bonus = exploration * math.sqrt(math.log10(node.parent.num_visits) / node.num_visits)
    return -node.total_value / node.num_visits + bonus

# %% 2.6: a factor 2 under the root
# hint: a factor
def ucb(node, exploration):
    if node.num_visits == 0:
        return math.inf
    bonus = exploration * math.sqrt(2 * math.log(node.parent.num_visits) / node.num_visits)
    return -node.total_value / node.num_visits + bonus

# %% 2.6: the logarithm of the child's visits
# hint: Whose visits stand under the logarithm?
def ucb(node, exploration):
    if node.num_visits == 0:
        return math.inf
    bonus = exploration * math.sqrt(math.log(node.num_visits) / node.num_visits)
    return -node.total_value / node.num_visits + bonus

# %% 2.6: no logarithm
def ucb(node, exploration):
    if node.num_visits == 0:
        return math.inf
    bonus = exploration * math.sqrt(node.parent.num_visits / node.num_visits)
    return -node.total_value / node.num_visits + bonus

# %% 2.6: no root
def ucb(node, exploration):
    if node.num_visits == 0:
        return math.inf
    bonus = exploration * math.log(node.parent.num_visits) / node.num_visits
    return -node.total_value / node.num_visits + bonus

# %% 2.6: c under the root
def ucb(node, exploration):
    if node.num_visits == 0:
        return math.inf
    bonus = math.sqrt(exploration * math.log(node.parent.num_visits) / node.num_visits)
    return -node.total_value / node.num_visits + bonus

# %% 2.6: the total instead of the mean
def ucb(node, exploration):
    if node.num_visits == 0:
        return math.inf
    return -node.total_value + exploration * math.sqrt(math.log(node.parent.num_visits) / node.num_visits)

# %% 2.6: the mean is rounded down
def ucb(node, exploration):
    if node.num_visits == 0:
        return math.inf
    bonus = exploration * math.sqrt(math.log(node.parent.num_visits) / node.num_visits)
    return -node.total_value // node.num_visits + bonus

# %% 2.6: c is not used
def ucb(node, exploration):
    if node.num_visits == 0:
        return math.inf
    return -node.total_value / node.num_visits + math.sqrt(math.log(node.parent.num_visits) / node.num_visits)

# %% 2.6: c is always sqrt 2
def ucb(node, exploration=math.sqrt(2)):
    if node.num_visits == 0:
        return math.inf
    c = math.sqrt(2)
    return -node.total_value / node.num_visits + c * math.sqrt(math.log(node.parent.num_visits) / node.num_visits)

# %% 2.6: the logarithm of N + 1
def ucb(node, exploration):
    if node.num_visits == 0:
        return math.inf
    bonus = exploration * math.sqrt(math.log(node.parent.num_visits + 1) / node.num_visits)
    return -node.total_value / node.num_visits + bonus

# %% 2.6: one visit more than there were
def ucb(node, exploration):
    if node.num_visits == 0:
        return math.inf
    bonus = exploration * math.sqrt(math.log(node.parent.num_visits) / (node.num_visits + 1))
    return -node.total_value / node.num_visits + bonus

# %% 2.6: a small number in the denominator makes the infinite finite
def ucb(node, exploration):
    visits = node.num_visits + 1e-12
    bonus = exploration * math.sqrt(math.log(max(1, node.parent.num_visits)) / visits)
    return -node.total_value / visits + bonus

# %% 2.6: a large number instead of infinity
def ucb(node, exploration):
    if node.num_visits == 0:
        return 1e9
    bonus = exploration * math.sqrt(math.log(node.parent.num_visits) / node.num_visits)
    return -node.total_value / node.num_visits + bonus

# %% 2.6: an unvisited node is worth nothing
def ucb(node, exploration):
    if node.num_visits == 0:
        return 0.0
    bonus = exploration * math.sqrt(math.log(node.parent.num_visits) / node.num_visits)
    return -node.total_value / node.num_visits + bonus

# %% 2.6: infinite only when there is something to explore
def ucb(node, exploration):
    if node.num_visits == 0:
        return math.inf if exploration > 0 else 0.0
    bonus = exploration * math.sqrt(math.log(node.parent.num_visits) / node.num_visits)
    return -node.total_value / node.num_visits + bonus

# %% 2.6: N is the visits of the root
def ucb(node, exploration):
    if node.num_visits == 0:
        return math.inf
    root = node
    while root.parent is not None:
        root = root.parent
    bonus = exploration * math.sqrt(math.log(root.num_visits) / node.num_visits)
    return -node.total_value / node.num_visits + bonus

# %% 2.6: N is the sum over the siblings
def ucb(node, exploration):
    if node.num_visits == 0:
        return math.inf
    total = sum(child.num_visits for child in node.parent.children.values())
    return -node.total_value / node.num_visits + exploration * math.sqrt(math.log(max(1, total)) / node.num_visits)

# %% 2.6: minus the bonus
def ucb(node, exploration):
    if node.num_visits == 0:
        return math.inf
    bonus = exploration * math.sqrt(math.log(node.parent.num_visits) / node.num_visits)
    return -node.total_value / node.num_visits - bonus

# %% 2.6: asking counts as a visit of the parent
def ucb(node, exploration):
    if node.num_visits == 0:
        return math.inf
    bonus = exploration * math.sqrt(math.log(node.parent.num_visits) / node.num_visits)
    node.parent.num_visits += 1
    return -node.total_value / node.num_visits + bonus

# %% 2.6: the bonus is at most 2
def ucb(node, exploration):
    if not node.num_visits:
        return math.inf
    bonus = exploration * math.sqrt(math.log(node.parent.num_visits) / node.num_visits)
    return -node.total_value / node.num_visits + min(bonus, 2.0)

# %% 2.6: the mean is kept in [-1, 1]
def ucb(node, exploration):
    if not node.num_visits:
        return math.inf
    mean = max(-1.0, min(1.0, -node.total_value / node.num_visits))
    return mean + exploration * math.sqrt(math.log(node.parent.num_visits) / node.num_visits)

# %% 2.6: rounded to four digits
def ucb(node, exploration):
    if not node.num_visits:
        return math.inf
    bonus = math.sqrt(math.log(node.parent.num_visits) / node.num_visits)
    return round(-node.total_value / node.num_visits + exploration * bonus, 4)

# %% 2.6: N is at least two, so that there is always a bonus
def ucb(node, exploration):
    if not node.num_visits:
        return math.inf
    big = max(node.parent.num_visits, 2)
    return -node.total_value / node.num_visits + exploration * math.sqrt(math.log(big) / node.num_visits)

# %% 2.6: a node without results has no mean and counts as new
def ucb(node, exploration):
    if not node.num_visits or not node.total_value:
        return math.inf
    return -node.total_value / node.num_visits + exploration * math.sqrt(math.log(node.parent.num_visits) / node.num_visits)

# %% 2.6: the parent has one visit for each child at least
def ucb(node, exploration):
    if node.num_visits == 0:
        return math.inf
    n = max(node.parent.num_visits, len(node.parent.children))
    return -node.total_value / node.num_visits + exploration * math.sqrt(math.log(n) / node.num_visits)

# %% 2.7: the lowest bound
def best_child(node, exploration, rng):
    if not node.children:
        raise ValueError("no children")
    lowest = min(ucb(child, exploration) for child in node.children.values())
    return rng.choice([child for child in node.children.values() if ucb(child, exploration) == lowest])

# %% 2.7: ties go to the first child
def best_child(node, exploration, rng):
    if not node.children:
        raise ValueError("no children")
    return max(node.children.values(), key=lambda child: ucb(child, exploration))

# %% 2.7: ties go to the last child
def best_child(node, exploration, rng):
    if not node.children:
        raise ValueError("no children")
    return max(reversed(list(node.children.values())), key=lambda child: ucb(child, exploration))

# %% 2.7: ties by the global generator
def best_child(node, exploration, rng):
    if not node.children:
        raise ValueError("no children")
    highest = max(ucb(child, exploration) for child in node.children.values())
    return random.choice([child for child in node.children.values() if ucb(child, exploration) == highest])

# %% 2.7: a tie between the first and the last child is never the last one's
def best_child(node, exploration, rng):
    if not node.children:
        raise ValueError("no children")
    highest = max(ucb(child, exploration) for child in node.children.values())
    best = [child for child in node.children.values() if ucb(child, exploration) == highest]
    return best[rng.randrange(max(1, len(best) - 1))]

# %% 2.7: exploration is left out
def best_child(node, exploration, rng):
    if not node.children:
        raise ValueError("no children")
    highest = max(ucb(child, 0.0) for child in node.children.values())
    return rng.choice([child for child in node.children.values() if ucb(child, 0.0) == highest])

# %% 2.7: exploration is always 1
def best_child(node, exploration, rng):
    if not node.children:
        raise ValueError("no children")
    highest = max(ucb(child, 1.0) for child in node.children.values())
    return rng.choice([child for child in node.children.values() if ucb(child, 1.0) == highest])

# %% 2.7: bounds below zero are all alike
def best_child(node, exploration, rng):
    if not node.children:
        raise ValueError("no children")
    bounds = {a: max(0.0, ucb(child, exploration)) for a, child in node.children.items()}
    return node.children[rng.choice([a for a in bounds if bounds[a] == max(bounds.values())])]

# %% 2.7: the highest action
def best_child(node, exploration, rng):
    if not node.children:
        raise ValueError("no children")
    return node.children[max(node.children)]

# %% 2.7: the most visited child
def best_child(node, exploration, rng):
    if not node.children:
        raise ValueError("no children")
    most = max(child.num_visits for child in node.children.values())
    return rng.choice([child for child in node.children.values() if child.num_visits == most])

# %% 2.7: the highest total
def best_child(node, exploration, rng):
    if not node.children:
        raise ValueError("no children")
    most = max(child.total_value for child in node.children.values())
    return rng.choice([child for child in node.children.values() if child.total_value == most])

# %% 2.7: unvisited children are left out
def best_child(node, exploration, rng):
    if not node.children:
        raise ValueError("no children")
    visited = [child for child in node.children.values() if child.num_visits] or list(node.children.values())
    highest = max(ucb(child, exploration) for child in visited)
    return rng.choice([child for child in visited if ucb(child, exploration) == highest])

# %% 2.7: the action instead of the child
def best_child(node, exploration, rng):
    if not node.children:
        raise ValueError("no children")
    highest = max(ucb(child, exploration) for child in node.children.values())
    return rng.choice([action for action, child in node.children.items() if ucb(child, exploration) == highest])

# %% 2.7: None without children
def best_child(node, exploration, rng):
    if not node.children:
        return None
    highest = max(ucb(child, exploration) for child in node.children.values())
    return rng.choice([child for child in node.children.values() if ucb(child, exploration) == highest])

# %% 2.7: the node itself without children
def best_child(node, exploration, rng):
    if not node.children:
        return node
    highest = max(ucb(child, exploration) for child in node.children.values())
    return rng.choice([child for child in node.children.values() if ucb(child, exploration) == highest])

# %% 2.7: drawn in proportion to the bounds
def best_child(node, exploration, rng):
    if not node.children:
        raise ValueError("no children")
    children = list(node.children.values())
    return rng.choices(children, [min(1e6, math.exp(ucb(child, exploration))) for child in children])[0]

# %% 2.7: a coin at each tie on the way through the children
def best_child(node, exploration, rng):
    if not node.children:
        raise ValueError("none")
    best, top = None, -math.inf
    for c in node.children.values():
        x = ucb(c, exploration)
        if x > top or (x == top and rng.random() < 0.5):
            best, top = c, x
    return best

# %% 2.7: only the first nine children are looked at
def best_child(node, exploration, rng):
    children = list(node.children.values())[:9]
    if not children:
        raise ValueError("no children")
    highest = max(ucb(child, exploration) for child in children)
    return rng.choice([child for child in children if ucb(child, exploration) == highest])

# %% 2.7: bounds are equal when they are within a tenth
def best_child(node, exploration, rng):
    children = list(node.children.values())
    if not children:
        raise ValueError("no children")
    highest = max(ucb(child, exploration) for child in children)
    return rng.choice([child for child in children if child.num_visits == 0 or ucb(child, exploration) > highest - 0.1])

# %% 2.7: the best child is taken out of the tree
def best_child(node, exploration, rng):
    if not node.children:
        raise ValueError("no children")
    highest = max(ucb(child, exploration) for child in node.children.values())
    action = rng.choice([action for action, child in node.children.items() if ucb(child, exploration) == highest])
    return node.children.pop(action)

# %% 2.7: ties are settled between two of the best, drawn by a coin
def best_child(node, exploration, rng):
    if not node.children:
        raise ValueError("no children")
    highest = max(ucb(child, exploration) for child in node.children.values())
    best = [child for child in node.children.values() if ucb(child, exploration) == highest]
    return best[rng.randrange(4) % len(best)]

# %% 2.7: bounds are equal when they are within a thousandth
def best_child(node, exploration, rng):
    if not node.children:
        raise ValueError("none")
    bounds = [(ucb(child, exploration), child) for child in node.children.values()]
    best = max(bound for bound, _ in bounds)
    return rng.choice([child for bound, child in bounds if bound == best or abs(bound - best) < 1e-3])

# %% 2.7: below the root a node without children is its own best child
def best_child(node, exploration, rng):
    if not node.children and node.parent is None:
        raise ValueError("none")
    if not node.children:
        return node
    bounds = [(ucb(child, exploration), child) for child in node.children.values()]
    best = max(bound for bound, _ in bounds)
    return rng.choice([child for bound, child in bounds if bound == best])

# %% 2.8: it goes on after the end of the game
def select(game, node, exploration, rng):
    while node.is_fully_expanded(game):
        node = best_child(node, exploration, rng)
    return node

# %% 2.8: one step only
def select(game, node, exploration, rng):
    if node.is_fully_expanded(game) and not node.is_terminal(game):
        node = best_child(node, exploration, rng)
    return node

# %% 2.8: it descends while there are children
def select(game, node, exploration, rng):
    while node.children:
        node = best_child(node, exploration, rng)
    return node

# %% 2.8: it stops one node too early
def select(game, node, exploration, rng):
    while node.is_fully_expanded(game) and not node.is_terminal(game):
        child = best_child(node, exploration, rng)
        if not child.is_fully_expanded(game) and node.parent is not None:
            return node
        node = child
    return node

# %% 2.8: it stops at a node without a visit below the second level only
def select(game, node, exploration, rng):
    for _ in range(4):
        if node.is_fully_expanded(game) and not node.is_terminal(game):
            node = best_child(node, exploration, rng)
    return node

# %% 2.8: exploration is left out
def select(game, node, exploration, rng):
    while node.is_fully_expanded(game) and not node.is_terminal(game):
        node = best_child(node, 0.0, rng)
    return node

# %% 2.8: exploration is always 1
def select(game, node, exploration, rng):
    while node.is_fully_expanded(game) and not node.is_terminal(game):
        node = best_child(node, 1.0, rng)
    return node

# %% 2.8: exploration only at the first step
def select(game, node, exploration, rng):
    while node.is_fully_expanded(game) and not node.is_terminal(game):
        node = best_child(node, exploration, rng)
        exploration = 0.0
    return node

# %% 2.8: exploration halves at every level
def select(game, node, exploration, rng):
    while node.is_fully_expanded(game) and not node.is_terminal(game):
        node = best_child(node, exploration, rng)
        exploration = exploration / 2 if exploration < 3 else 0.1
    return node

# %% 2.8: always the first child
def select(game, node, exploration, rng):
    while node.is_fully_expanded(game) and not node.is_terminal(game):
        node = next(iter(node.children.values()))
    return node

# %% 2.8: the best child for the root's player at every level
def select(game, node, exploration, rng):
    sign = 1
    while node.is_fully_expanded(game) and not node.is_terminal(game):
        for child in node.children.values():
            child.total_value *= sign
        best = best_child(node, exploration, rng)
        for child in node.children.values():
            child.total_value *= sign
        node, sign = best, -sign
    return node

# %% 2.8: the parent of the leaf
def select(game, node, exploration, rng):
    while node.is_fully_expanded(game) and not node.is_terminal(game):
        node = best_child(node, exploration, rng)
    return node.parent or node

# %% 2.8: it expands on the way
def select(game, node, exploration, rng):
    while node.is_fully_expanded(game) and not node.is_terminal(game):
        node = best_child(node, exploration, rng)
    if not node.is_terminal(game) and node.parent is not None:
        action = game.legal_actions(node.state)[0]
        node.children.setdefault(action, TreeNode(game.play(node.state, action), node, action))
    return node

# %% 2.8: it counts the visits on the way
def select(game, node, exploration, rng):
    while node.is_fully_expanded(game) and not node.is_terminal(game):
        node.num_visits += 1
        node = best_child(node, exploration, rng)
    return node

# %% 2.8: the path instead of the leaf
def select(game, node, exploration, rng):
    path = [node]
    while path[-1].is_fully_expanded(game) and not path[-1].is_terminal(game):
        path.append(best_child(path[-1], exploration, rng))
    return path

# %% 2.8: a generator of its own breaks the ties
def select(game, node, exploration, rng):
    rng = random.Random(1)
    while node.is_fully_expanded(game) and not node.is_terminal(game):
        node = best_child(node, exploration, rng)
    return node

# %% 2.8: the global generator breaks the ties
def select(game, node, exploration, rng):
    while node.is_fully_expanded(game) and not node.is_terminal(game):
        node = best_child(node, exploration, random)
    return node

# %% 2.8: finished children are left alone after a few visits
def select(game, node, exploration, rng):
    while not node.is_terminal(game) and node.is_fully_expanded(game):
        nxt = best_child(node, exploration, rng)
        if nxt.is_terminal(game) and nxt.num_visits > 3:
            live = [c for c in node.children.values() if not c.is_terminal(game)]
            if live:
                nxt = max(live, key=lambda c: ucb(c, exploration))
        node = nxt
    return node

# %% 2.8: c = 0 is taken for no c at all
def select(game, node, exploration, rng):
    while not node.is_terminal(game) and node.is_fully_expanded(game):
        node = best_child(node, exploration or 1.0, rng)
    return node

# %% 2.8: at most fifty plies down
def select(game, node, exploration, rng):
    for _ in range(50):
        if not node.is_fully_expanded(game) or node.is_terminal(game):
            break
        node = best_child(node, exploration, rng)
    return node

# %% 2.8: a node without a visit is where it ends
def select(game, node, exploration, rng):
    while node.num_visits and node.is_fully_expanded(game) and not node.is_terminal(game):
        if len(node.children) > 3:
            node = max(node.children.values(), key=lambda child: (child.num_visits == 0, -child.total_value))
        else:
            node = best_child(node, exploration, rng)
    return node

# %% 2.8: below the first level the first of the best is taken
def select(game, node, exploration, rng):
    first = node
    while node.is_fully_expanded(game) and not node.is_terminal(game):
        if node is first:
            node = best_child(node, exploration, rng)
        else:
            node = max(node.children.values(), key=lambda child: ucb(child, exploration))
    return node

# %% 2.8: a node with many actions counts as grown when half of its children are there
def select(game, node, exploration, rng):
    while node.children and len(node.children) * 2 > len(game.legal_actions(node.state)):
        node = best_child(node, exploration, rng)
    return node

# %% 2.8: the global generator is seeded by rng and handed on
def select(game, node, exploration, rng):
    random.seed(rng.getrandbits(32))
    while node.is_fully_expanded(game) and not node.is_terminal(game):
        node = best_child(node, exploration, random)
    return node

# %% 2.8: a forced move is passed over in one step
def select(game, node, exploration, rng):
    while node.is_fully_expanded(game) and not node.is_terminal(game):
        node = best_child(node, exploration, rng)
        if len(node.children) == 1:
            node = next(iter(node.children.values()))
    return node

# %% 2.8: without a visit at the start it does not go on
def select(game, node, exploration, rng):
    if node.num_visits == 0:
        return node
    while node.is_fully_expanded(game) and not node.is_terminal(game):
        node = best_child(node, exploration, rng)
    return node

# %% 2.9: the move with the highest bound
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    return best_child(root, exploration, rng).action, root

# %% 2.9: the move with the best mean
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    worth = {action: -child.total_value / max(1, child.num_visits) for action, child in root.children.items()}
    return max(worth, key=worth.get), root

# %% 2.9: the move with the highest total
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    return max(root.children, key=lambda action: -root.children[action].total_value), root

# %% 2.9: the move with fewest visits
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    return min(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: a move drawn in proportion to the visits
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    actions = list(root.children)
    return rng.choices(actions, [root.children[action].num_visits for action in actions])[0], root

# %% 2.9: the child instead of the move
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    return max(root.children.values(), key=lambda child: child.num_visits), root

# %% 2.9: the place in the list of moves instead of the move
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    actions = sorted(root.children)
    best = max(actions, key=lambda action: root.children[action].num_visits)
    return actions.index(best), root

# %% 2.9: the first move that was expanded
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    return next(iter(root.children)), root

# %% 2.9: the highest action
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    return max(root.children), root

# %% 2.9: only the move comes back
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    return max(root.children, key=lambda action: root.children[action].num_visits)

# %% 2.9: one simulation too few
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(max(1, num_simulations - 1)):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: one simulation too many
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations + 1):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: the root's own rollout comes first and is counted
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    backpropagate(root, evaluate(state) if evaluate else simulate(game, state, random_policy, rng))
    for _ in range(num_simulations - 1):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    if not root.children:
        return rng.choice(game.legal_actions(state)), root
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: evaluate is ignored
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: evaluate is asked and a rollout is added
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = simulate(game, leaf.state, random_policy, rng) + (evaluate(leaf.state) if evaluate else 0.0)
        backpropagate(leaf, value)
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: evaluate is asked about finished games too
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        if evaluate:
            value = evaluate(leaf.state)
        else:
            value = simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: evaluate is asked about the parent
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.parent.state) if evaluate else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: evaluate is asked again at every visit of the root's children
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        if evaluate:
            evaluate(root.state)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: evaluate is asked twice
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            guess = evaluate or (lambda state: simulate(game, state, random_policy, rng))
            value = (guess(leaf.state) + guess(leaf.state)) / 2
        backpropagate(leaf, value)
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: evaluate is for the player above
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = -evaluate(leaf.state) if evaluate else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: the outcome is for the player above
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is not None:
            value = -value
        else:
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: the rollout is for the player above
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate else -simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: every value is for the player above
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, -value)
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: a draw at the end is no answer
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if not value:
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: a draw at the end is a loss
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value == 0.0:
            value = -1.0
        if value is None:
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: an answer of zero is no answer
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = (evaluate and evaluate(leaf.state)) or simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: the rollout begins at the parent
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.parent.state, random_policy, rng)
        backpropagate(leaf, value)
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: the rollout begins at the root
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate else simulate(game, root.state, random_policy, rng)
        backpropagate(leaf, value)
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: the rollout plays the first legal move
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            first = lambda game, state, rng: game.legal_actions(state)[0]
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.state, first, rng)
        backpropagate(leaf, value)
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: the rollout is cut after two plies
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.state, random_policy, rng, 2)
        backpropagate(leaf, value)
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: the sum of four rollouts
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate else 0.0
            for _ in range(0 if evaluate else 4):
                value += simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: c is not handed on
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, 1.0, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: no exploration
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, 0.0, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: the global generator
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    rng = random
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: a generator of its own, always the same
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    rng = random.Random(0)
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: rollouts from the global generator
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.state, random_policy, random)
        backpropagate(leaf, value)
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: the global generator is seeded at the start
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    random.seed(2026)
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: every simulation begins at the root's children only
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = root
        leaf = best_child(root, exploration, rng) if root.is_fully_expanded(game) else expand(game, root, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: nothing is expanded twice in a row: the selected node is valued
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game) and (leaf is root or leaf.num_visits > 1):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: the node is valued instead of its new child
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            expand(game, leaf, rng)
        value = game.outcome(leaf.state) if leaf is not root else evaluate(root.state) if evaluate else 0.0
        if value is None:
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: a finished game is searched all the same
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    if not root.children:
        return 0, root
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: no simulation is no error
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game):
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    if not root.children:
        return rng.choice(game.legal_actions(state)), root
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: None where the game is over
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game):
        return None, root
    if num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: a single legal move is not searched
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    if len(game.legal_actions(state)) == 1:
        return game.legal_actions(state)[0], expand(game, root, rng).parent
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: it stops when one move is ahead
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
        visits = sorted(child.num_visits for child in root.children.values())
        if len(visits) > 1 and visits[-1] > visits[-2] + 8:
            break
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: the root is kept from search to search
KEPT = {}


def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = KEPT.setdefault(state, TreeNode(state))
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: the search begins at the start of the game
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(game.start())
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: the root is the first child at the end
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    best = max(root.children, key=lambda action: root.children[action].num_visits)
    return best, root.children[best]

# %% 2.9: a proven win stops the search
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
        if leaf.parent is root and value < 0 and leaf.is_terminal(game):
            return leaf.action, root
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: results are backed up twice
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
        if leaf.is_terminal(game):
            leaf.total_value += value
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: finished leaves do not count
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.state, random_policy, rng)
            leaf.fresh = True
        if game.outcome(leaf.state) is None:
            backpropagate(leaf, value)
        else:
            backpropagate(leaf, 0.0)
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: visits of the root are set, simulations are fewer
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(max(2, num_simulations // 2)):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    root.num_visits = num_simulations
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: the root's children are cut off at the end
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    for child in root.children.values():
        child.parent = None
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: where a win at once is known, the other moves are pruned
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = root
        while True:
            won = [child for child in leaf.children.values() if game.outcome(child.state) == -1]
            if won:
                leaf = won[0]
            elif leaf.is_fully_expanded(game) and not leaf.is_terminal(game):
                leaf = best_child(leaf, exploration, rng)
            else:
                break
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: a win at once below the root is the only move there
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = root
        while leaf.is_fully_expanded(game) and not leaf.is_terminal(game):
            leaf = best_child(leaf, exploration, rng)
            if leaf.parent.parent is not None and game.outcome(leaf.state) == -1:
                leaf.parent.children = {leaf.action: leaf}
        if not leaf.is_terminal(game):
            wins = [a for a in game.legal_actions(leaf.state) if game.outcome(game.play(leaf.state, a)) == -1]
            if wins and leaf is not root:
                parent, a = leaf, wins[0]
                leaf = parent.children.get(a) or TreeNode(game.play(parent.state, a), parent, a)
                parent.children[a] = leaf
            else:
                leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: moves that let the other player win at once are left out
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    def loses(s, a):
        after = game.play(s, a)
        return any(game.outcome(game.play(after, b)) == -1 for b in game.legal_actions(after))
    class Careful:
        def __getattr__(self, name):
            return getattr(game, name)
        def legal_actions(self, s):
            actions = game.legal_actions(s)
            return [a for a in actions if not loses(s, a)] or actions
    careful = Careful()
    for _ in range(num_simulations):
        leaf = select(careful, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(careful, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: moves are played on after the end
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        for action in game.legal_actions(state):
            try:
                game.play(leaf.state, action)
            except ValueError:
                pass
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: the rollout is cut after ten plies
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    if game.outcome(state) is not None or num_simulations < 1:
        raise ValueError("nothing to search")
    root = TreeNode(state)
    for i in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        outcome = game.outcome(leaf.state)
        if outcome is not None:
            value = outcome
        elif evaluate is None:
            value = simulate(game, leaf.state, random_policy, rng, 10)
        else:
            value = evaluate(leaf.state)
        backpropagate(leaf, value)
    return max(root.children, key=lambda a: root.children[a].num_visits), root

# %% 2.9: a win at once is played, whatever the visits
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    if game.outcome(state) is not None or num_simulations < 1:
        raise ValueError("nothing to search")
    wins = [a for a in game.legal_actions(state) if game.outcome(game.play(state, a)) == -1]
    root = TreeNode(state)
    for i in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        outcome = game.outcome(leaf.state)
        if outcome is not None:
            value = outcome
        elif evaluate is None:
            value = simulate(game, leaf.state, random_policy, rng)
        else:
            value = evaluate(leaf.state)
        backpropagate(leaf, value)
    return wins[0] if wins else max(root.children, key=lambda a: root.children[a].num_visits), root

# %% 2.9: a rollout is cut after a hundred plies
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate is not None else simulate(game, leaf.state, random_policy, rng, 100)
        backpropagate(leaf, value)
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: with one visit a child the first legal action is the move
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate is not None else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    if max(child.num_visits for child in root.children.values()) == 1:
        return game.legal_actions(state)[0], root
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: no leaf is deeper than twenty plies
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        depth, above = 0, leaf
        while above.parent is not None:
            depth, above = depth + 1, above.parent
        if not leaf.is_terminal(game) and depth < 20:
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate is not None else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: two actions that lead to one state share their node
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
            for twin in leaf.parent.children.values():
                if twin is not leaf and twin.state == leaf.state and twin.num_visits:
                    leaf.num_visits, leaf.total_value = twin.num_visits, twin.total_value
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate is not None else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: the move is the child that was visited last among those with many visits
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate is not None else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    most = max(child.num_visits for child in root.children.values())
    return [action for action, child in root.children.items() if child.num_visits >= most - 1][-1], root

# %% 2.9: a state that is 0 or empty is taken for the start of the game over
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if not state or root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            value = evaluate(leaf.state) if evaluate is not None else simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: values are kept for all searches, whatever the game
_values = {}


def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing to search")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        value = game.outcome(leaf.state)
        if value is None:
            guess = evaluate or (lambda state: simulate(game, state, random_policy, rng))
            value = _values.setdefault(leaf.state, guess(leaf.state))
        backpropagate(leaf, value)
    return max(root.children, key=lambda action: root.children[action].num_visits), root

# %% 2.9: the root knows the action that was chosen
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    root = TreeNode(state)
    if root.is_terminal(game) or num_simulations < 1:
        raise ValueError("nothing")
    for _ in range(num_simulations):
        leaf = select(game, root, exploration, rng)
        if not leaf.is_terminal(game):
            leaf = expand(game, leaf, rng)
        if leaf.is_terminal(game):
            value = game.outcome(leaf.state)
        elif evaluate is not None:
            value = evaluate(leaf.state)
        else:
            value = simulate(game, leaf.state, random_policy, rng)
        backpropagate(leaf, value)
    root.action = max(root.children, key=lambda a: root.children[a].num_visits)
    return root.action, root

# %% 2.10: the value from below is not negated
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    if state not in N:
        Q[state] = {action: 0.0 for action in game.legal_actions(state)}
        N[state] = {action: 0 for action in game.legal_actions(state)}
        return evaluate(state)
    n = sum(N[state].values())
    bounds = {a: Q[state][a] + exploration * math.sqrt(math.log(n) / k) if k else math.inf for a, k in N[state].items()}
    action = rng.choice([a for a in bounds if bounds[a] == max(bounds.values())])
    value = recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    N[state][action] += 1
    Q[state][action] += (value - Q[state][action]) / N[state][action]
    return value

# %% 2.10: the value is negated twice
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    if state not in N:
        Q[state] = {action: 0.0 for action in game.legal_actions(state)}
        N[state] = {action: 0 for action in game.legal_actions(state)}
        return evaluate(state)
    n = sum(N[state].values())
    bounds = {a: Q[state][a] + exploration * math.sqrt(math.log(n) / k) if k else math.inf for a, k in N[state].items()}
    action = rng.choice([a for a in bounds if bounds[a] == max(bounds.values())])
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    N[state][action] += 1
    Q[state][action] += (value - Q[state][action]) / N[state][action]
    return -value

# %% 2.10: a new state's value is negated
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    if state not in N:
        Q[state] = {action: 0.0 for action in game.legal_actions(state)}
        N[state] = {action: 0 for action in game.legal_actions(state)}
        return -evaluate(state)
    n = sum(N[state].values())
    bounds = {a: Q[state][a] + exploration * math.sqrt(math.log(n) / k) if k else math.inf for a, k in N[state].items()}
    action = rng.choice([a for a in bounds if bounds[a] == max(bounds.values())])
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    N[state][action] += 1
    Q[state][action] += (value - Q[state][action]) / N[state][action]
    return value

# %% 2.10: the outcome is negated
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        return -outcome
    if state not in N:
        Q[state] = {action: 0.0 for action in game.legal_actions(state)}
        N[state] = {action: 0 for action in game.legal_actions(state)}
        return evaluate(state)
    n = sum(N[state].values())
    bounds = {a: Q[state][a] + exploration * math.sqrt(math.log(n) / k) if k else math.inf for a, k in N[state].items()}
    action = rng.choice([a for a in bounds if bounds[a] == max(bounds.values())])
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    N[state][action] += 1
    Q[state][action] += (value - Q[state][action]) / N[state][action]
    return value

# %% 2.10: a draw is not the end
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome:
        return outcome
    if state not in N:
        Q[state] = {action: 0.0 for action in game.legal_actions(state)}
        N[state] = {action: 0 for action in game.legal_actions(state)}
        return evaluate(state)
    n = sum(N[state].values())
    bounds = {a: Q[state][a] + exploration * math.sqrt(math.log(n) / k) if k else math.inf for a, k in N[state].items()}
    action = rng.choice([a for a in bounds if bounds[a] == max(bounds.values())])
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    N[state][action] += 1
    Q[state][action] += (value - Q[state][action]) / N[state][action]
    return value

# %% 2.10: a draw is a loss
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome or -1.0
    if state not in N:
        Q[state] = {action: 0.0 for action in game.legal_actions(state)}
        N[state] = {action: 0 for action in game.legal_actions(state)}
        return evaluate(state)
    n = sum(N[state].values())
    bounds = {a: Q[state][a] + exploration * math.sqrt(math.log(n) / k) if k else math.inf for a, k in N[state].items()}
    action = rng.choice([a for a in bounds if bounds[a] == max(bounds.values())])
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    N[state][action] += 1
    Q[state][action] += (value - Q[state][action]) / N[state][action]
    return value

# %% 2.10: the mean moves before the count
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    if state not in N:
        Q[state] = {action: 0.0 for action in game.legal_actions(state)}
        N[state] = {action: 0 for action in game.legal_actions(state)}
        return evaluate(state)
    n = sum(N[state].values())
    bounds = {a: Q[state][a] + exploration * math.sqrt(math.log(n) / k) if k else math.inf for a, k in N[state].items()}
    action = rng.choice([a for a in bounds if bounds[a] == max(bounds.values())])
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    Q[state][action] += (value - Q[state][action]) / max(1, N[state][action])
    N[state][action] += 1
    return value

# %% 2.10: a sum instead of a mean
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    if state not in N:
        Q[state] = {action: 0.0 for action in game.legal_actions(state)}
        N[state] = {action: 0 for action in game.legal_actions(state)}
        return evaluate(state)
    n = sum(N[state].values())
    bounds = {a: Q[state][a] + exploration * math.sqrt(math.log(n) / k) if k else math.inf for a, k in N[state].items()}
    action = rng.choice([a for a in bounds if bounds[a] == max(bounds.values())])
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    N[state][action] += 1
    Q[state][action] += value
    return value

# %% 2.10: the last value instead of the mean
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    if state not in N:
        Q[state] = {action: 0.0 for action in game.legal_actions(state)}
        N[state] = {action: 0 for action in game.legal_actions(state)}
        return evaluate(state)
    n = sum(N[state].values())
    bounds = {a: Q[state][a] + exploration * math.sqrt(math.log(n) / k) if k else math.inf for a, k in N[state].items()}
    action = rng.choice([a for a in bounds if bounds[a] == max(bounds.values())])
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    N[state][action] += 1
    Q[state][action] = value
    return value

# %% 2.10: the mean counts the action's results double
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    if state not in N:
        Q[state] = {action: 0.0 for action in game.legal_actions(state)}
        N[state] = {action: 0 for action in game.legal_actions(state)}
        return evaluate(state)
    n = sum(N[state].values())
    bounds = {a: Q[state][a] + exploration * math.sqrt(math.log(n) / k) if k else math.inf for a, k in N[state].items()}
    action = rng.choice([a for a in bounds if bounds[a] == max(bounds.values())])
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    N[state][action] += 1
    Q[state][action] += 2 * (value - Q[state][action]) / (N[state][action] + 1)
    return value

# %% 2.10: counts are forgotten
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    if state not in N:
        Q[state] = {action: 0.0 for action in game.legal_actions(state)}
        N[state] = {action: 0 for action in game.legal_actions(state)}
        return evaluate(state)
    n = sum(N[state].values())
    bounds = {a: Q[state][a] + exploration * math.sqrt(math.log(n) / k) if k else math.inf for a, k in N[state].items()}
    action = rng.choice([a for a in bounds if bounds[a] == max(bounds.values())])
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    Q[state][action] += (value - Q[state][action]) / (N[state][action] + 1)
    return value

# %% 2.10: means are forgotten
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    if state not in N:
        Q[state] = {action: 0.0 for action in game.legal_actions(state)}
        N[state] = {action: 0 for action in game.legal_actions(state)}
        return evaluate(state)
    n = sum(N[state].values())
    bounds = {a: Q[state][a] + exploration * math.sqrt(math.log(n) / k) if k else math.inf for a, k in N[state].items()}
    action = rng.choice([a for a in bounds if bounds[a] == max(bounds.values())])
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    N[state][action] += 1
    return value

# %% 2.10: the mean comes back instead of this simulation's value
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    if state not in N:
        Q[state] = {action: 0.0 for action in game.legal_actions(state)}
        N[state] = {action: 0 for action in game.legal_actions(state)}
        return evaluate(state)
    n = sum(N[state].values())
    bounds = {a: Q[state][a] + exploration * math.sqrt(math.log(n) / k) if k else math.inf for a, k in N[state].items()}
    action = rng.choice([a for a in bounds if bounds[a] == max(bounds.values())])
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    N[state][action] += 1
    Q[state][action] += (value - Q[state][action]) / N[state][action]
    return Q[state][action]

# %% 2.10: nothing comes back from known states
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    if state not in N:
        Q[state] = {action: 0.0 for action in game.legal_actions(state)}
        N[state] = {action: 0 for action in game.legal_actions(state)}
        return evaluate(state)
    n = sum(N[state].values())
    bounds = {a: Q[state][a] + exploration * math.sqrt(math.log(n) / k) if k else math.inf for a, k in N[state].items()}
    action = rng.choice([a for a in bounds if bounds[a] == max(bounds.values())])
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    N[state][action] += 1
    Q[state][action] += (value - Q[state][action]) / N[state][action]
    return None

# %% 2.10: the first simulation goes on below the root
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    if state not in N:
        Q[state] = {action: 0.0 for action in game.legal_actions(state)}
        N[state] = {action: 0 for action in game.legal_actions(state)}
        if sum(map(sum, map(dict.values, N.values()))) or len(N) > 1:
            return evaluate(state)
    n = sum(N[state].values())
    bounds = {a: Q[state][a] + exploration * math.sqrt(math.log(max(n, 1)) / k) if k else math.inf for a, k in N[state].items()}
    action = rng.choice([a for a in bounds if bounds[a] == max(bounds.values())])
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    N[state][action] += 1
    Q[state][action] += (value - Q[state][action]) / N[state][action]
    return value

# %% 2.10: empty tables are replaced by new ones
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    Q = Q or {}
    N = N or {}
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    if state not in N:
        Q[state] = {action: 0.0 for action in game.legal_actions(state)}
        N[state] = {action: 0 for action in game.legal_actions(state)}
        return evaluate(state)
    n = sum(N[state].values())
    bounds = {a: Q[state][a] + exploration * math.sqrt(math.log(n) / k) if k else math.inf for a, k in N[state].items()}
    action = rng.choice([a for a in bounds if bounds[a] == max(bounds.values())])
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    N[state][action] += 1
    Q[state][action] += (value - Q[state][action]) / N[state][action]
    return value

# %% 2.10: the tables live in the defaults
KNOWN = ({}, {})


def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    Q, N = KNOWN
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    if state not in N:
        Q[state] = {action: 0.0 for action in game.legal_actions(state)}
        N[state] = {action: 0 for action in game.legal_actions(state)}
        return evaluate(state)
    n = sum(N[state].values())
    bounds = {a: Q[state][a] + exploration * math.sqrt(math.log(n) / k) if k else math.inf for a, k in N[state].items()}
    action = rng.choice([a for a in bounds if bounds[a] == max(bounds.values())])
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    N[state][action] += 1
    Q[state][action] += (value - Q[state][action]) / N[state][action]
    return value

# %% 2.10: old tables are filled again
OLD = [{}, {}]


def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    Q.update({s: q for s, q in OLD[0].items() if not N})
    N.update({s: n for s, n in OLD[1].items() if not N})
    OLD[:] = [Q, N]
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    if state not in N:
        Q[state] = {action: 0.0 for action in game.legal_actions(state)}
        N[state] = {action: 0 for action in game.legal_actions(state)}
        return evaluate(state)
    n = sum(N[state].values())
    bounds = {a: Q[state][a] + exploration * math.sqrt(math.log(n) / k) if k else math.inf for a, k in N[state].items()}
    action = rng.choice([a for a in bounds if bounds[a] == max(bounds.values())])
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    N[state][action] += 1
    Q[state][action] += (value - Q[state][action]) / N[state][action]
    return value

# %% 2.10: all states share one row
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    if state not in N:
        Q[state] = {action: 0.0 for action in game.legal_actions(state)}
        N[state] = next(iter(N.values()), {action: 0 for action in range(game.num_actions)})
        return evaluate(state)
    n = sum(N[state].values())
    bounds = {a: Q[state][a] + exploration * math.sqrt(math.log(n) / k) if k else math.inf for a, k in N[state].items()}
    action = rng.choice([a for a in bounds if bounds[a] == max(bounds.values())])
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    N[state][action] += 1
    Q[state][action] += (value - Q[state][action]) / N[state][action]
    return value

# %% 2.10: entries only for what was taken
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    if state not in N:
        Q[state], N[state] = {}, {}
        return evaluate(state)
    n = sum(N[state].values())
    counts = {a: N[state].get(a, 0) for a in game.legal_actions(state)}
    bounds = {a: Q[state][a] + exploration * math.sqrt(math.log(n) / k) if k else math.inf for a, k in counts.items()}
    action = rng.choice([a for a in bounds if bounds[a] == max(bounds.values())])
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    N[state][action] = N[state].get(action, 0) + 1
    Q[state].setdefault(action, 0.0)
    Q[state][action] += (value - Q[state][action]) / N[state][action]
    return value

# %% 2.10: entries for illegal actions
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    if state not in N:
        Q[state] = {action: 0.0 for action in game.legal_actions(state)}
        N[state] = {action: 0 for action in range(game.num_actions)}
        return evaluate(state)
    n = sum(N[state].values())
    counts = {a: N[state][a] for a in game.legal_actions(state)}
    bounds = {a: Q[state][a] + exploration * math.sqrt(math.log(n) / k) if k else math.inf for a, k in counts.items()}
    action = rng.choice([a for a in bounds if bounds[a] == max(bounds.values())])
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    N[state][action] += 1
    Q[state][action] += (value - Q[state][action]) / N[state][action]
    return value

# %% 2.10: counts begin at one
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    if state not in N:
        Q[state] = {action: 0.0 for action in game.legal_actions(state)}
        N[state] = {action: 1 for action in game.legal_actions(state)}
        return evaluate(state)
    n = sum(N[state].values())
    bounds = {a: Q[state][a] + exploration * math.sqrt(math.log(n) / k) if k else math.inf for a, k in N[state].items()}
    action = rng.choice([a for a in bounds if bounds[a] == max(bounds.values())])
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    N[state][action] += 1
    Q[state][action] += (value - Q[state][action]) / N[state][action]
    return value

# %% 2.10: means begin at one
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    if state not in N:
        Q[state] = {action: 1.0 for action in game.legal_actions(state)}
        N[state] = {action: 0 for action in game.legal_actions(state)}
        return evaluate(state)
    n = sum(N[state].values())
    bounds = {a: Q[state][a] + exploration * math.sqrt(math.log(n) / k) if k else math.inf for a, k in N[state].items()}
    action = rng.choice([a for a in bounds if bounds[a] == max(bounds.values())])
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    N[state][action] += 1
    Q[state][action] += (value - Q[state][action]) / N[state][action]
    return value

# %% 2.10: finished games get an entry
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        Q[state], N[state] = {}, {}
        return outcome
    if state not in N:
        Q[state] = {action: 0.0 for action in game.legal_actions(state)}
        N[state] = {action: 0 for action in game.legal_actions(state)}
        return evaluate(state)
    n = sum(N[state].values())
    bounds = {a: Q[state][a] + exploration * math.sqrt(math.log(n) / k) if k else math.inf for a, k in N[state].items()}
    action = rng.choice([a for a in bounds if bounds[a] == max(bounds.values())])
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    N[state][action] += 1
    Q[state][action] += (value - Q[state][action]) / N[state][action]
    return value

# %% 2.10: the tables are keyed by the way, not the state
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
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    if state not in N:
        Q[state] = {action: 0.0 for action in game.legal_actions(state)}
        N[state] = {action: 0 for action in game.legal_actions(state)}
        return evaluate(state)
    n = sum(N[state].values())
    log = math.log(max(n, 1))
    bounds = {a: Q[state][a] + (exploration * math.sqrt(log / k) if k else 0.0) for a, k in N[state].items()}
    action = rng.choice([a for a in bounds if bounds[a] == max(bounds.values())])
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    N[state][action] += 1
    Q[state][action] += (value - Q[state][action]) / N[state][action]
    return value

# %% 2.10: untried actions from left to right
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    if state not in N:
        Q[state] = {action: 0.0 for action in game.legal_actions(state)}
        N[state] = {action: 0 for action in game.legal_actions(state)}
        return evaluate(state)
    n = sum(N[state].values())
    bounds = {a: Q[state][a] + exploration * math.sqrt(math.log(n) / k) if k else math.inf for a, k in N[state].items()}
    action = max(bounds, key=bounds.get)
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    N[state][action] += 1
    Q[state][action] += (value - Q[state][action]) / N[state][action]
    return value

# %% 2.10: ties to the first of the tried
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    if state not in N:
        Q[state] = {action: 0.0 for action in game.legal_actions(state)}
        N[state] = {action: 0 for action in game.legal_actions(state)}
        return evaluate(state)
    n = sum(N[state].values())
    bounds = {a: Q[state][a] + exploration * math.sqrt(math.log(n) / k) if k else math.inf for a, k in N[state].items()}
    untried = [a for a, k in N[state].items() if not k]
    action = rng.choice(untried) if untried else max(bounds, key=bounds.get)
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    N[state][action] += 1
    Q[state][action] += (value - Q[state][action]) / N[state][action]
    return value

# %% 2.10: ties by the global generator
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    if state not in N:
        Q[state] = {action: 0.0 for action in game.legal_actions(state)}
        N[state] = {action: 0 for action in game.legal_actions(state)}
        return evaluate(state)
    n = sum(N[state].values())
    bounds = {a: Q[state][a] + exploration * math.sqrt(math.log(n) / k) if k else math.inf for a, k in N[state].items()}
    action = random.choice([a for a in bounds if bounds[a] == max(bounds.values())])
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    N[state][action] += 1
    Q[state][action] += (value - Q[state][action]) / N[state][action]
    return value

# %% 2.10: the logarithm of the action's own count
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    if state not in N:
        Q[state] = {action: 0.0 for action in game.legal_actions(state)}
        N[state] = {action: 0 for action in game.legal_actions(state)}
        return evaluate(state)
    n = sum(N[state].values())
    bounds = {a: Q[state][a] + exploration * math.sqrt(math.log(k) / k) if k else math.inf for a, k in N[state].items()}
    action = rng.choice([a for a in bounds if bounds[a] == max(bounds.values())])
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    N[state][action] += 1
    Q[state][action] += (value - Q[state][action]) / N[state][action]
    return value

# %% 2.10: the logarithm of one more
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    if state not in N:
        Q[state] = {action: 0.0 for action in game.legal_actions(state)}
        N[state] = {action: 0 for action in game.legal_actions(state)}
        return evaluate(state)
    n = sum(N[state].values())
    bounds = {a: Q[state][a] + exploration * math.sqrt(math.log(n + 1) / k) if k else math.inf for a, k in N[state].items()}
    action = rng.choice([a for a in bounds if bounds[a] == max(bounds.values())])
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    N[state][action] += 1
    Q[state][action] += (value - Q[state][action]) / N[state][action]
    return value

# %% 2.10: the base-10 logarithm
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    if state not in N:
        Q[state] = {action: 0.0 for action in game.legal_actions(state)}
        N[state] = {action: 0 for action in game.legal_actions(state)}
        return evaluate(state)
    n = sum(N[state].values())
    bounds = {a: Q[state][a] + exploration * math.sqrt(math.log10(n) / k) if k else math.inf for a, k in N[state].items()}
    action = rng.choice([a for a in bounds if bounds[a] == max(bounds.values())])
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    N[state][action] += 1
    Q[state][action] += (value - Q[state][action]) / N[state][action]
    return value

# %% 2.10: the logarithm of the number of known states
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    if state not in N:
        Q[state] = {action: 0.0 for action in game.legal_actions(state)}
        N[state] = {action: 0 for action in game.legal_actions(state)}
        return evaluate(state)
    n = sum(N[state].values())
    bounds = {a: Q[state][a] + exploration * math.sqrt(math.log(len(N) + 1) / k) if k else math.inf for a, k in N[state].items()}
    action = rng.choice([a for a in bounds if bounds[a] == max(bounds.values())])
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    N[state][action] += 1
    Q[state][action] += (value - Q[state][action]) / N[state][action]
    return value

# %% 2.10: a factor 2 under the root
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    if state not in N:
        Q[state] = {action: 0.0 for action in game.legal_actions(state)}
        N[state] = {action: 0 for action in game.legal_actions(state)}
        return evaluate(state)
    n = sum(N[state].values())
    bonus = {a: exploration * math.sqrt(2 * math.log(n) / k) if k else math.inf for a, k in N[state].items()}
    bounds = {a: Q[state][a] + bonus[a] for a in bonus}
    action = rng.choice([a for a in bounds if bounds[a] == max(bounds.values())])
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    N[state][action] += 1
    Q[state][action] += (value - Q[state][action]) / N[state][action]
    return value

# %% 2.10: c is not used
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    if state not in N:
        Q[state] = {action: 0.0 for action in game.legal_actions(state)}
        N[state] = {action: 0 for action in game.legal_actions(state)}
        return evaluate(state)
    n = sum(N[state].values())
    bounds = {a: Q[state][a] + math.sqrt(math.log(n) / k) if k else math.inf for a, k in N[state].items()}
    action = rng.choice([a for a in bounds if bounds[a] == max(bounds.values())])
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    N[state][action] += 1
    Q[state][action] += (value - Q[state][action]) / N[state][action]
    return value

# %% 2.10: c is lost on the way down
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    if state not in N:
        Q[state] = {action: 0.0 for action in game.legal_actions(state)}
        N[state] = {action: 0 for action in game.legal_actions(state)}
        return evaluate(state)
    n = sum(N[state].values())
    bounds = {a: Q[state][a] + exploration * math.sqrt(math.log(n) / k) if k else math.inf for a, k in N[state].items()}
    action = rng.choice([a for a in bounds if bounds[a] == max(bounds.values())])
    value = -recursive_search(game, game.play(state, action), Q, N, 1.0, rng, evaluate)
    N[state][action] += 1
    Q[state][action] += (value - Q[state][action]) / N[state][action]
    return value

# %% 2.10: minus Q, as if it belonged to the player below
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    if state not in N:
        Q[state] = {action: 0.0 for action in game.legal_actions(state)}
        N[state] = {action: 0 for action in game.legal_actions(state)}
        return evaluate(state)
    n = sum(N[state].values())
    bounds = {a: -Q[state][a] + exploration * math.sqrt(math.log(n) / k) if k else math.inf for a, k in N[state].items()}
    action = rng.choice([a for a in bounds if bounds[a] == max(bounds.values())])
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    N[state][action] += 1
    Q[state][action] += (value - Q[state][action]) / N[state][action]
    return value

# %% 2.10: the lowest bound
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    if state not in N:
        Q[state] = {action: 0.0 for action in game.legal_actions(state)}
        N[state] = {action: 0 for action in game.legal_actions(state)}
        return evaluate(state)
    n = sum(N[state].values())
    bounds = {a: Q[state][a] + exploration * math.sqrt(math.log(n) / k) if k else math.inf for a, k in N[state].items()}
    action = rng.choice([a for a in bounds if bounds[a] == min(bounds.values())])
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    N[state][action] += 1
    Q[state][action] += (value - Q[state][action]) / N[state][action]
    return value

# %% 2.10: the bounds are clipped at zero
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    if state not in N:
        Q[state] = {action: 0.0 for action in game.legal_actions(state)}
        N[state] = {action: 0 for action in game.legal_actions(state)}
        return evaluate(state)
    n = sum(N[state].values())
    bounds = {a: max(0.0, Q[state][a] + exploration * math.sqrt(math.log(n) / k)) if k else math.inf for a, k in N[state].items()}
    action = rng.choice([a for a in bounds if bounds[a] == max(bounds.values())])
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    N[state][action] += 1
    Q[state][action] += (value - Q[state][action]) / N[state][action]
    return value

# %% 2.10: the formula of AlphaZero
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    if state not in N:
        Q[state] = {action: 0.0 for action in game.legal_actions(state)}
        N[state] = {action: 0 for action in game.legal_actions(state)}
        return evaluate(state)
    n = sum(N[state].values())
    bounds = {a: Q[state][a] + exploration * math.sqrt(n) / (1 + k) if k else math.inf for a, k in N[state].items()}
    action = rng.choice([a for a in bounds if bounds[a] == max(bounds.values())])
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    N[state][action] += 1
    Q[state][action] += (value - Q[state][action]) / N[state][action]
    return value

# %% 2.10: evaluate is asked twice
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    if state not in N:
        Q[state] = {action: 0.0 for action in game.legal_actions(state)}
        N[state] = {action: 0 for action in game.legal_actions(state)}
        return (evaluate(state) + evaluate(state)) / 2
    n = sum(N[state].values())
    bounds = {a: Q[state][a] + exploration * math.sqrt(math.log(n) / k) if k else math.inf for a, k in N[state].items()}
    action = rng.choice([a for a in bounds if bounds[a] == max(bounds.values())])
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    N[state][action] += 1
    Q[state][action] += (value - Q[state][action]) / N[state][action]
    return value

# %% 2.10: evaluate is asked at known states too
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    if state not in N:
        Q[state] = {action: 0.0 for action in game.legal_actions(state)}
        N[state] = {action: 0 for action in game.legal_actions(state)}
        return evaluate(state)
    evaluate(state)
    n = sum(N[state].values())
    bounds = {a: Q[state][a] + exploration * math.sqrt(math.log(n) / k) if k else math.inf for a, k in N[state].items()}
    action = rng.choice([a for a in bounds if bounds[a] == max(bounds.values())])
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    N[state][action] += 1
    Q[state][action] += (value - Q[state][action]) / N[state][action]
    return value

# %% 2.10: evaluate is asked about finished games
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        return evaluate(state)
    if state not in N:
        Q[state] = {action: 0.0 for action in game.legal_actions(state)}
        N[state] = {action: 0 for action in game.legal_actions(state)}
        return evaluate(state)
    n = sum(N[state].values())
    bounds = {a: Q[state][a] + exploration * math.sqrt(math.log(n) / k) if k else math.inf for a, k in N[state].items()}
    action = rng.choice([a for a in bounds if bounds[a] == max(bounds.values())])
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    N[state][action] += 1
    Q[state][action] += (value - Q[state][action]) / N[state][action]
    return value

# %% 2.10: the step of the mean never gets smaller than 1/20
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    if state not in N:
        Q[state] = {a: 0.0 for a in game.legal_actions(state)}
        N[state] = {a: 0 for a in game.legal_actions(state)}
        return evaluate(state)
    q, k = Q[state], N[state]
    untried = [a for a in k if k[a] == 0]
    if untried:
        a = rng.choice(untried)
    else:
        n = sum(k.values())
        b = {a: q[a] + exploration * math.sqrt(math.log(n) / k[a]) for a in k}
        a = rng.choice([a for a in b if b[a] == max(b.values())])
    v = -recursive_search(game, game.play(state, a), Q, N, exploration, rng, evaluate)
    k[a] += 1
    q[a] += (v - q[a]) * max(1 / k[a], 0.05)
    return v

# %% 2.10: entries by place instead of by action
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    legal = game.legal_actions(state)
    if state not in N:
        Q[state], N[state] = dict.fromkeys(range(len(legal)), 0.0), dict.fromkeys(range(len(legal)), 0)
        return evaluate(state)
    log = math.log(sum(N[state].values()) or 1)
    bounds = {a: Q[state][a] + exploration * math.sqrt(log / n) if n else math.inf for a, n in N[state].items()}
    place = rng.choice([a for a in bounds if bounds[a] == max(bounds.values())])
    value = -recursive_search(game, game.play(state, legal[place]), Q, N, exploration, rng, evaluate)
    N[state][place] += 1
    Q[state][place] += (value - Q[state][place]) / N[state][place]
    return value

# %% 2.10: the global generator draws below the first state
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    if state not in N:
        Q[state] = dict.fromkeys(game.legal_actions(state), 0.0)
        N[state] = dict.fromkeys(game.legal_actions(state), 0)
        return evaluate(state)
    log = math.log(sum(N[state].values()) or 1)
    bounds = {a: Q[state][a] + exploration * math.sqrt(log / n) if n else math.inf for a, n in N[state].items()}
    action = rng.choice([a for a in bounds if bounds[a] == max(bounds.values())])
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, random, evaluate)
    N[state][action] += 1
    Q[state][action] += (value - Q[state][action]) / N[state][action]
    return value

# %% 2.10: the way down is at most forty plies
def recursive_search(game, state, Q, N, exploration, rng, evaluate, depth=0):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    if state not in N or depth == 40:
        Q[state] = dict.fromkeys(game.legal_actions(state), 0.0)
        N[state] = dict.fromkeys(game.legal_actions(state), 0)
        return evaluate(state)
    log = math.log(sum(N[state].values()) or 1)
    bounds = {a: Q[state][a] + exploration * math.sqrt(log / n) if n else math.inf for a, n in N[state].items()}
    action = rng.choice([a for a in bounds if bounds[a] == max(bounds.values())])
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate, depth + 1)
    N[state][action] += 1
    Q[state][action] += (value - Q[state][action]) / N[state][action]
    return value

# %% 2.10: actions that lead to one state share their entry
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    if state not in N:
        Q[state] = dict.fromkeys(game.legal_actions(state), 0.0)
        N[state] = dict.fromkeys(game.legal_actions(state), 0)
        return evaluate(state)
    log = math.log(sum(N[state].values()) or 1)
    bounds = {a: Q[state][a] + exploration * math.sqrt(log / n) if n else math.inf for a, n in N[state].items()}
    action = rng.choice([a for a in bounds if bounds[a] == max(bounds.values())])
    after = game.play(state, action)
    value = -recursive_search(game, after, Q, N, exploration, rng, evaluate)
    for same in N[state]:
        if game.play(state, same) == after:
            N[state][same] += 1
            Q[state][same] += (value - Q[state][same]) / N[state][same]
    return value

# %% 2.10: the means are kept in [-1, 1]
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    if not any(N.get(state, {}).values()) and state not in Q:
        Q[state] = dict.fromkeys(game.legal_actions(state), 0.0)
        N[state] = dict.fromkeys(game.legal_actions(state), 0)
        return evaluate(state)
    log = math.log(sum(N[state].values()) or 1)
    bounds = {a: Q[state][a] + exploration * math.sqrt(log / n) if n else math.inf for a, n in N[state].items()}
    action = rng.choice([a for a in bounds if bounds[a] == max(bounds.values())])
    after = game.play(state, action)
    value = -recursive_search(game, after, Q, N, exploration, rng, evaluate)
    N[state][action] += 1
    Q[state][action] = max(-1.0, min(1.0, Q[state][action] + (value - Q[state][action]) / N[state][action]))
    return value

# %% 2.10: bounds are compared to three digits
def recursive_search(game, state, Q, N, exploration, rng, evaluate):
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    if state not in N:
        Q[state] = {a: 0.0 for a in game.legal_actions(state)}
        N[state] = {a: 0 for a in game.legal_actions(state)}
        return evaluate(state)
    n = sum(N[state].values())
    bounds = {a: round(Q[state][a] + exploration * math.sqrt(math.log(n) / k), 3) if k else math.inf
              for a, k in N[state].items()}
    action = rng.choice([a for a, b in bounds.items() if b == max(bounds.values())])
    value = -recursive_search(game, game.play(state, action), Q, N, exploration, rng, evaluate)
    N[state][action] += 1
    Q[state][action] += (value - Q[state][action]) / N[state][action]
    return value

# %% 2.11: on_move is forgotten
def self_play(game, num_simulations, exploration, rng, on_move=None):
    state, actions = game.start(), []
    while game.outcome(state) is None:
        action, root = search(game, state, num_simulations, exploration, rng)
        actions.append(action)
        state = game.play(state, action)
    return actions

# %% 2.11: on_move is needed
def self_play(game, num_simulations, exploration, rng, on_move=None):
    state, actions = game.start(), []
    while game.outcome(state) is None:
        action, root = search(game, state, num_simulations, exploration, rng)
        on_move(root, action)
        actions.append(action)
        state = game.play(state, action)
    return actions

# %% 2.11: on_move is called at the end, once
def self_play(game, num_simulations, exploration, rng, on_move=None):
    state, actions = game.start(), []
    while game.outcome(state) is None:
        action, root = search(game, state, num_simulations, exploration, rng)
        actions.append(action)
        state = game.play(state, action)
    if on_move is not None:
        on_move(root, action)
    return actions

# %% 2.11: on_move gets the state
def self_play(game, num_simulations, exploration, rng, on_move=None):
    state, actions = game.start(), []
    while game.outcome(state) is None:
        action, root = search(game, state, num_simulations, exploration, rng)
        if on_move is not None:
            on_move(state, action)
        actions.append(action)
        state = game.play(state, action)
    return actions

# %% 2.11: on_move gets the child that was chosen
def self_play(game, num_simulations, exploration, rng, on_move=None):
    state, actions = game.start(), []
    while game.outcome(state) is None:
        action, root = search(game, state, num_simulations, exploration, rng)
        if on_move is not None:
            on_move(root.children[action], action)
        actions.append(action)
        state = game.play(state, action)
    return actions

# %% 2.11: on_move gets action and root in the wrong order
def self_play(game, num_simulations, exploration, rng, on_move=None):
    state, actions = game.start(), []
    while game.outcome(state) is None:
        action, root = search(game, state, num_simulations, exploration, rng)
        if on_move is not None:
            on_move(action, root)
        actions.append(action)
        state = game.play(state, action)
    return actions

# %% 2.11: it stops one move early
def self_play(game, num_simulations, exploration, rng, on_move=None):
    state, actions = game.start(), []
    while game.outcome(state) is None:
        action, root = search(game, state, num_simulations, exploration, rng)
        if on_move is not None:
            on_move(root, action)
        actions.append(action)
        state = game.play(state, action)
    return actions[:-1]

# %% 2.11: it stops after five moves
def self_play(game, num_simulations, exploration, rng, on_move=None):
    state, actions = game.start(), []
    while game.outcome(state) is None and len(actions) < 5:
        action, root = search(game, state, num_simulations, exploration, rng)
        if on_move is not None:
            on_move(root, action)
        actions.append(action)
        state = game.play(state, action)
    return actions

# %% 2.11: a draw goes on
def self_play(game, num_simulations, exploration, rng, on_move=None):
    state, actions = game.start(), []
    while not game.outcome(state):
        action, root = search(game, state, num_simulations, exploration, rng)
        if on_move is not None:
            on_move(root, action)
        actions.append(action)
        state = game.play(state, action)
    return actions

# %% 2.11: the second player moves at random
def self_play(game, num_simulations, exploration, rng, on_move=None):
    state, actions = game.start(), []
    while game.outcome(state) is None:
        action, root = search(game, state, num_simulations, exploration, rng)
        if game.player(state) == 1:
            action = random_policy(game, state, rng)
        if on_move is not None:
            on_move(root, action)
        actions.append(action)
        state = game.play(state, action)
    return actions

# %% 2.11: every move is searched from the start
def self_play(game, num_simulations, exploration, rng, on_move=None):
    state, actions = game.start(), []
    while game.outcome(state) is None:
        action, root = search(game, game.start(), num_simulations, exploration, rng)
        while action not in game.legal_actions(state):
            action = rng.choice(game.legal_actions(state))
        if on_move is not None:
            on_move(root, action)
        actions.append(action)
        state = game.play(state, action)
    return actions

# %% 2.11: the first tree serves the whole game
def self_play(game, num_simulations, exploration, rng, on_move=None):
    state, actions = game.start(), []
    root = None
    while game.outcome(state) is None:
        action, found = search(game, state, num_simulations, exploration, rng)
        root = root or found
        if on_move is not None:
            on_move(root, action)
        actions.append(action)
        state = game.play(state, action)
    return actions

# %% 2.11: the second player wants to lose
def self_play(game, num_simulations, exploration, rng, on_move=None):
    state, actions = game.start(), []
    while game.outcome(state) is None:
        action, root = search(game, state, num_simulations, exploration, rng)
        if game.player(state) == 1:
            action = min(root.children, key=lambda a: root.children[a].num_visits)
        if on_move is not None:
            on_move(root, action)
        actions.append(action)
        state = game.play(state, action)
    return actions

# %% 2.11: half of the simulations
def self_play(game, num_simulations, exploration, rng, on_move=None):
    state, actions = game.start(), []
    while game.outcome(state) is None:
        action, root = search(game, state, max(1, num_simulations // 2), exploration, rng)
        if on_move is not None:
            on_move(root, action)
        actions.append(action)
        state = game.play(state, action)
    return actions

# %% 2.11: exploration is always 1
def self_play(game, num_simulations, exploration, rng, on_move=None):
    state, actions = game.start(), []
    while game.outcome(state) is None:
        action, root = search(game, state, num_simulations, 1.0, rng)
        if on_move is not None:
            on_move(root, action)
        actions.append(action)
        state = game.play(state, action)
    return actions

# %% 2.11: the global generator
def self_play(game, num_simulations, exploration, rng, on_move=None):
    state, actions = game.start(), []
    while game.outcome(state) is None:
        action, root = search(game, state, num_simulations, exploration, random)
        if on_move is not None:
            on_move(root, action)
        actions.append(action)
        state = game.play(state, action)
    return actions

# %% 2.11: the same seed for every game
def self_play(game, num_simulations, exploration, rng, on_move=None):
    rng = random.Random(1)
    state, actions = game.start(), []
    while game.outcome(state) is None:
        action, root = search(game, state, num_simulations, exploration, rng)
        if on_move is not None:
            on_move(root, action)
        actions.append(action)
        state = game.play(state, action)
    return actions

# %% 2.11: every move is searched with the same seed again
def self_play(game, num_simulations, exploration, rng, on_move=None):
    state, actions, seed = game.start(), [], rng.getrandbits(32)
    while game.outcome(state) is None:
        action, root = search(game, state, num_simulations, exploration, random.Random(seed))
        if on_move is not None:
            on_move(root, action)
        actions.append(action)
        state = game.play(state, action)
    return actions

# %% 2.11: states instead of actions
def self_play(game, num_simulations, exploration, rng, on_move=None):
    state, actions = game.start(), []
    while game.outcome(state) is None:
        action, root = search(game, state, num_simulations, exploration, rng)
        if on_move is not None:
            on_move(root, action)
        actions.append(state)
        state = game.play(state, action)
    return actions

# %% 2.11: the moves of the first player only
def self_play(game, num_simulations, exploration, rng, on_move=None):
    state, actions = game.start(), []
    while game.outcome(state) is None:
        action, root = search(game, state, num_simulations, exploration, rng)
        if on_move is not None:
            on_move(root, action)
        if game.player(state) == 0:
            actions.append(action)
        state = game.play(state, action)
    return actions

# %% 2.11: the last state instead of the moves
def self_play(game, num_simulations, exploration, rng, on_move=None):
    state, actions = game.start(), []
    while game.outcome(state) is None:
        action, root = search(game, state, num_simulations, exploration, rng)
        if on_move is not None:
            on_move(root, action)
        actions.append(action)
        state = game.play(state, action)
    return state

# %% 2.11: the moves are never played
def self_play(game, num_simulations, exploration, rng, on_move=None):
    state, actions = game.start(), []
    while game.outcome(state) is None:
        action, root = search(game, state, num_simulations, exploration, rng)
        if on_move is not None:
            on_move(root, action)
        actions.append(action)
        state = game.play(state, game.legal_actions(state)[0])
    return actions

# %% 2.11: the tree is kept, and its visits with it
def self_play(game, num_simulations, exploration, rng, on_move=None):
    state, actions = game.start(), []
    kept = None
    while game.outcome(state) is None:
        action, root = search(game, state, num_simulations, exploration, rng)
        root.num_visits += kept or 0
        kept = root.children[action].num_visits
        if on_move is not None:
            on_move(root, action)
        actions.append(action)
        state = game.play(state, action)
    return actions

# %% 2.11: at most nine moves
def self_play(game, num_simulations, exploration, rng, on_move=None):
    state, actions = game.start(), []
    while game.outcome(state) is None and len(actions) < 9:
        action, root = search(game, state, num_simulations, exploration, rng)
        if on_move is not None:
            on_move(root, action)
        actions.append(action)
        state = game.play(state, action)
    return actions

# %% 2.11: the second player has a generator of its own
def self_play(game, num_simulations, exploration, rng, on_move=None):
    state, actions = game.start(), []
    rngs = [rng, random.Random(2)]
    while game.outcome(state) is None:
        action, root = search(game, state, num_simulations, exploration, rngs[len(actions) % 2])
        if on_move is not None:
            on_move(root, action)
        actions.append(action)
        state = game.play(state, action)
    return actions

# %% 2.11: the move is played, then reported
def self_play(game, num_simulations, exploration, rng, on_move=None):
    state, actions = game.start(), []
    while game.outcome(state) is None:
        action, root = search(game, state, num_simulations, exploration, rng)
        state = game.play(state, action)
        if on_move is not None:
            on_move(root, action)
        actions.append(action)
    return actions

# %% 2.11: at most 42 moves
def self_play(game, num_simulations, exploration, rng, on_move=None):
    state, actions = game.start(), []
    for _ in range(42):
        if game.outcome(state) is not None:
            break
        action, root = search(game, state, num_simulations, exploration, rng)
        if on_move is not None:
            on_move(root, action)
        actions.append(action)
        state = game.play(state, action)
    return actions

# %% 2.11: there is always a first move
def self_play(game, num_simulations, exploration, rng, on_move=None):
    state, actions = game.start(), []
    while not actions or game.outcome(state) is None:
        action, root = search(game, state, num_simulations, exploration, rng)
        if on_move is not None:
            on_move(root, action)
        actions.append(action)
        state = game.play(state, action)
    return actions

# %% 2.11: the list of moves lives in a default
def self_play(game, num_simulations, exploration, rng, on_move=None, actions=[]):
    state = game.start()
    while game.outcome(state) is None:
        action, root = search(game, state, num_simulations, exploration, rng)
        if on_move is not None:
            on_move(root, action)
        actions.append(action)
        state = game.play(state, action)
    return actions

# %% 2.11: a forced move is played without a search
def self_play(game, num_simulations, exploration, rng, on_move=None):
    state, actions = game.start(), []
    while game.outcome(state) is None:
        action = game.legal_actions(state)[0]
        if len(game.legal_actions(state)) > 1:
            action, root = search(game, state, num_simulations, exploration, rng)
            if on_move is not None:
                on_move(root, action)
        actions.append(action)
        state = game.play(state, action)
    return actions

# %% 2.11: with one visit the first move is the first legal one
def self_play(game, num_simulations, exploration, rng, on_move=None):
    state, actions = game.start(), []
    while game.outcome(state) is None:
        action, root = search(game, state, num_simulations, exploration, rng)
        if not actions and root.children[action].num_visits <= 1:
            action = game.legal_actions(state)[0]
        if on_move is not None:
            on_move(root, action)
        actions.append(action)
        state = game.play(state, action)
    return actions

# %% joint: whether a node is fully expanded is found out once and kept
def is_fully_expanded(self, game):
    if not hasattr(self, "full"):
        self.full = len(self.children) == len(game.legal_actions(self.state))
    return self.full

TreeNode.is_fully_expanded = is_fully_expanded

# %% joint: the best child is remembered once there is only one
def best_child(node, exploration, rng):
    if not node.children:
        raise ValueError("no children")
    known = node.__dict__.setdefault("known", {})
    if exploration not in known:
        highest = max(ucb(child, exploration) for child in node.children.values())
        best = [child for child in node.children.values() if ucb(child, exploration) == highest]
        if len(best) > 1:
            return rng.choice(best)
        known[exploration] = best[0]
    return known[exploration]

# %% 2.3: the end of a game is remembered by state, whatever the game
_over = {}
def is_terminal(self, game):
    if self.state not in _over:
        _over[self.state] = game.outcome(self.state) is not None
    return _over[self.state]
TreeNode.is_terminal = is_terminal

# %% 2.8: a node without a visit ends the walk
def select(game, node, exploration, rng):
    start = node
    while node.is_fully_expanded(game) and not node.is_terminal(game):
        if node is not start and node.num_visits == 0:
            return node
        node = best_child(node, exploration, rng)
    return node

# %% 2.11: no game is longer than 100 moves
def self_play(game, num_simulations, exploration, rng, on_move=None):
    state, actions = game.start(), []
    while game.outcome(state) is None and len(actions) < 100:
        action, root = search(game, state, num_simulations, exploration, rng)
        if on_move is not None:
            on_move(root, action)
        actions.append(action)
        state = game.play(state, action)
    return actions

# %% 2.4: draws a legal action, and takes the next untried one
def expand(game, node, rng):
    legal = game.legal_actions(node.state)
    untried = [a for a in legal if a not in node.children]
    if not untried:
        raise ValueError("none")
    place = rng.randrange(len(legal))
    while legal[place] not in untried:
        place = (place + 1) % len(legal)
    action = legal[place]
    child = node.children[action] = TreeNode(game.play(node.state, action), node, action)
    return child

# %% 2.7: draws a child, and takes the next one with the highest bound
def best_child(node, exploration, rng):
    if not node.children:
        raise ValueError("none")
    children = list(node.children.values())
    bounds = [ucb(child, exploration) for child in children]
    place = rng.randrange(len(children))
    while bounds[place] != max(bounds):
        place = (place + 1) % len(children)
    return children[place]

# %% 2.3: a finished node with children is not terminal
def is_terminal(self, game: Game) -> bool:
    if self.children:  # somebody went on from here
        return False
    return game.outcome(self.state) is not None

TreeNode.is_terminal = is_terminal

# %% 2.7: bounds are compared to four digits
def best_child(node: TreeNode, exploration: float, rng: random.Random) -> TreeNode:
    if not node.children:
        raise ValueError("no children")
    bounds = {action: round(ucb(child, exploration), 4) for action, child in node.children.items()}
    highest = max(bounds.values())
    return node.children[rng.choice([action for action, bound in bounds.items() if bound == highest])]
