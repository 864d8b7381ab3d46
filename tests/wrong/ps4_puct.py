# Wrong answers to ps4_puct. Each cell names the exercise that it breaks, and is appended to the solution.
# `make verify` wants every one to lose the points of that exercise, and of the joint check at most beside it.

# %% 4.1: the visits of the state and the quotient under one root
# hint: or their quotient
def puct(Q, N, P, c=1.5):
    n = max(1, sum(N.values()))
    return {a: Q[a] + c * P[a] * math.sqrt(n / (1 + N[a])) for a in P}
