# Implementations of pass_probability of 3.10, right and wrong, for the checks that students write in 3.14; the form is in
# tests/hidden/break_it.py.

# %% right: the sum over numpy's numbers of wins
import numpy as np


def pass_probability(p, games, needed):
    wins = np.arange(max(needed, 0), games + 1)
    with np.errstate(under="ignore", divide="ignore", invalid="ignore"):
        if games < 1000:
            return np.float64(sum(math.comb(games, int(k)) * p ** int(k) * (1 - p) ** int(games - k) for k in wins))
        log_factorial = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, games + 1)))])
        logs = log_factorial[games] - log_factorial[wins] - log_factorial[games - wins]
        logs = logs + np.where(wins == 0, 0.0, wins * np.log(p)) + np.where(wins == games, 0.0, (games - wins) * np.log1p(-p))
        return np.exp(logs).sum()

# %% right: a list of probabilities that grows by one game after another, and a result of twelve digits
def pass_probability(p, games, needed):
    chances = [1.0]
    for _ in range(games):
        chances = [a * (1 - p) + b * p for a, b in zip([*chances, 0.0], [0.0, *chances])]
    return round(sum(chance for wins, chance in enumerate(chances) if wins >= needed), 12)

# %% wrong: exactly so many wins, not at least
# hint: does a player who wins more games than needed pass the exam?
swap("pass_probability", "range(max(needed, 0), games + 1)", "range(max(needed, 0), min(needed, games) + 1)")
swap("smallest_exam", "while True", "while games < 200")

# %% wrong: the probability to fail
# hint: is your result the probability to pass, or to fail?
swap("pass_probability", "return sum(math.exp(log) for log in logs)", "return 1 - sum(math.exp(log) for log in logs)")
swap("pass_probability", "float(needed <= p * games)", "float(needed > p * games)")
swap("smallest_exam", "while True", "while games < 200")

# %% wrong: more wins than needed
# hint: is the needed number of wins itself enough?
swap("pass_probability", "needed <= p", "needed < p")
swap("pass_probability", "max(needed, 0)", "max(needed + 1, 0)")

# %% wrong: without the binomial coefficient
# hint: in how many orders can the wins and the losses come?
swap("pass_probability", "log_factorial[games] - log_factorial[k] - log_factorial[games - k]\n", "")

# %% wrong: the last term of the sum is missing
# hint: which is the largest number of wins, and is this number in your sum?
swap("pass_probability", "games + 1),", "games),")
swap("pass_probability", "needed <= p * games", "p == 0 >= needed")

# %% wrong: who always wins passes whatever is needed
# hint: can a player win more games than there are?
swap("pass_probability", "needed <= p * games", "p == 1 or needed <= p * games")

# %% wrong: negative numbers of wins are an error
# hint: what does the docstring say of a needed number below 0?
swap("pass_probability", "max(needed, 0)", "needed")

# %% wrong: a normal distribution in the place of the exact sum
# hint: is a bell curve the exact sum, also for few games?
def pass_probability(p, games, needed):
    if needed <= 0 or needed > games or p in (0.0, 1.0):
        return float(needed <= 0 or (p == 1.0 and needed <= games))
    return 0.5 * math.erfc((needed - 0.5 - games * p) / math.sqrt(2 * games * p * (1 - p)))

# %% wrong: from fifty games on a normal distribution is close enough
# hint: is the exact sum too slow for a large exam, and how close is close enough?
put("pass_probability", "wins, log",
    "if games >= 50:\n    return 0.5 * math.erfc((needed - 0.5 - games * p) / math.sqrt(2 * games * p * (1 - p)))")

# %% wrong: a probability has four digits
# hint: who asked for a rounded result, and what is left of a very small probability?
swap("pass_probability", "sum(math.exp(log) for log in logs)", "round(sum(math.exp(log) for log in logs), 4)")

# %% wrong: who wins less than half of the games is taken for the other player
# hint: which calls show what it does for a player who mostly loses?
put("pass_probability", "wins, log", "p = max(p, 1 - p)")
swap("smallest_exam", "while True", "while games < 200")
