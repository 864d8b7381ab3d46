# Right answers to ps4_puct in other styles. Each cell is appended to the solution; `make verify` wants all of its points.

# %% numpy scores
import numpy as np


def puct(Q, N, P, c=1.5):
    actions = list(P)
    n = np.array([N[a] for a in actions])
    return dict(zip(actions, np.array([Q[a] for a in actions]) + c * np.array([P[a] for a in actions]) * np.sqrt(max(1, n.sum())) / (1 + n)))
