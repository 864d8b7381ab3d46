# Implementations of 5.7, right and wrong, for the checks that students write in 5.16; the form is in tests/hidden/break_it.py.

# %% right: noise from a numpy generator that is seeded from rng
import numpy as np


def add_dirichlet_noise(node, rng, epsilon=0.25):
    if len(node.P) == 0:
        raise ValueError("no priors")
    if node.noisy is False:
        dice = np.random.default_rng(rng.getrandbits(64))
        eta = dice.dirichlet(np.full(len(node.P), 10 / len(node.P)))
        node.P = ((1 - epsilon) * np.array(node.P) + epsilon * eta).tolist()
        node.noisy = True

# %% right: noise with numpy's numbers, and a mark that is always set
import numpy as np


def add_dirichlet_noise(node, rng, epsilon=0.25):
    if len(node.P) < 1:
        raise ValueError("evaluate the node first")
    if not node.noisy:
        gammas = np.array([rng.gammavariate(10 / len(node.P), 1) for _ in node.actions])
        node.P = list((1 - epsilon) * np.array(node.P) + epsilon * gammas / gammas.sum())
    node.noisy = True

# %% right: the mixture as one fraction, which rounds the last digit in another way
def add_dirichlet_noise(node, rng, epsilon=0.25):
    if not len(node.P):
        raise ValueError("no priors yet")
    if not node.noisy:
        draws = [rng.gammavariate(10 / len(node.P), 1.0) for _ in node.P]
        total = sum(draws)
        node.P = [((1 - epsilon) * total * prior + epsilon * draw) / total for prior, draw in zip(node.P, draws)]
    node.noisy = True

# %% wrong: epsilon and 1 - epsilon change places
# hint: how much of the network's prior is left when epsilon is small?
swap("add_dirichlet_noise", "(1 - epsilon) * p + epsilon * draw / total", "epsilon * p + (1 - epsilon) * draw / total")

# %% wrong: the draws are not divided by their sum
# hint: what is the sum of the priors after the noise?
swap("add_dirichlet_noise", "draw / total", "draw")

# %% wrong: each call adds more noise
# hint: a root is searched a second time: what happens to its priors?
swap("add_dirichlet_noise", "if node.noisy:\n    return\ndraws", "draws")

# %% wrong: a node without priors raises no error
# hint: the network has not evaluated the root yet: how does the caller learn this?
swap("add_dirichlet_noise", 'raise ValueError("no priors to mix the noise into: evaluate the root first")', "return")

# %% wrong: actions with prior 0 get no noise
# hint: which actions need the noise most: may an action with prior 0 stay without noise?
swap("add_dirichlet_noise", "[rng.gammavariate(10 / len(node.P), 1.0) for _ in node.P]",
     "[rng.gammavariate(10 / len(node.P), 1.0) if p > 0 else 0.0 for p in node.P]")

# %% wrong: the noise goes into Q
# hint: which fields of the node does the noise change, and which ones stay?
swap("add_dirichlet_noise", "node.noisy = True",
     "node.noisy = True\nnode.Q = [q + epsilon * draw / total for q, draw in zip(node.Q, draws)]")

# %% wrong: epsilon is always .25
# hint: two calls differ in epsilon alone: do their priors differ?
swap("add_dirichlet_noise", "(1 - epsilon) * p + epsilon * draw / total", "0.75 * p + 0.25 * draw / total")

# %% wrong: epsilon is .2 when the call does not name it
# hint: how much of P is noise when the call names no epsilon?
swap("add_dirichlet_noise", "epsilon: float = 0.25", "epsilon: float = 0.2")

# %% wrong: alpha is 10 for every action
# hint: what do the parameters of all actions sum to, and how far do the draws spread?
swap("add_dirichlet_noise", "10 / len(node.P)", "10")

# %% wrong: the parameter is a whole number
# hint: what is the parameter when 10 cannot be divided by the number of actions, or when there are more than 10?
swap("add_dirichlet_noise", "10 / len(node.P)", "max(1, 10 // len(node.P))")
