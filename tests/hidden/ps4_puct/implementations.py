# Implementations of 4.1, right and wrong, for the checks that students write in 4.11; the form is in tests/hidden/break_it.py.

# %% right: scores in a loop from the highest action to the lowest, the bonus first
def puct(Q, N, P, c=1.5):
    visits = sum(N.values())
    scores = {}
    for action in sorted(Q, reverse=True):
        scores[action] = P[action] / (N[action] + 1)
        if visits > 1:
            scores[action] *= visits ** 0.5
        scores[action] = scores[action] * c + Q[action]
    return scores

# %% right: numpy for the scores
import numpy as np


def puct(Q, N, P, c=1.5):
    actions = list(P)
    q, n, p = (np.array([row[a] for a in actions]) for row in (Q, N, P))
    return dict(zip(actions, q + c * p * np.sqrt(max(1, n.sum())) / (1 + n)))

# %% wrong: the mean is the other player's
# hint: for whom is Q, and which sign does it have in the score?
swap("puct", "{action: Q[action", "{action: -Q[action")

# %% wrong: the bonus without the prior
# hint: two actions have the same mean and the same visits: what distinguishes their scores?
swap("puct", "c * P[action] *", "c *")

# %% wrong: the root of the action's own visits
# hint: whose visits stand under the root: those of one action, or those of the state?
swap("puct", "* root /", "* math.sqrt(max(1, N[action])) /")

# %% wrong: nothing under the root at a new state
# hint: what are the scores before the first visit, when the sum of the visits is 0?
swap("puct", "max(1, sum(N.values()))", "sum(N.values())")

# %% wrong: c is 1 where none is given
# hint: what is the weight of the bonus when a call does not name a weight?
swap("puct", "c: float = 1.5", "c: float = 1.0")

# %% wrong: the priors are divided by their sum once more
# hint: what does the docstring say about priors whose sum is not 1?
swap("puct", "P[action] *", "P[action] / sum(P.values()) *")

# %% wrong: actions with prior 0 are left out
# hint: must every action have a score, also one whose bonus is 0?
swap("puct", "action in P}", "action in P if P[action] > 0}")

# %% wrong: c of 0 is taken for no c
# hint: what is left of a score when the weight of its bonus is 0?
swap("puct", "c * P", "(c or 1.5) * P")

# %% wrong: the rows are read by place, as if all had one order
# hint: the same numbers are listed in another order: may the score of an action change?
swap("puct", "Q[action] + c * P[action]", "q + c * p")
swap("puct", "(1 + N[action]) for action in P", "(1 + n) for action, q, n, p in zip(P, Q.values(), N.values(), P.values())")

# %% wrong: eight actions at the most have a score
# hint: how many legal actions can a state have?
swap("puct", "action in P}", "action in sorted(P)[:8]}")
