# %% [markdown]
# # Problem set 2: bandits, then trees
#
# A program that knows only the rules of Tic-Tac-Toe plays random games against itself and counts the results. After
# a thousand games it makes hardly any mistakes. In this set you write that program in ten short functions, and look
# inside while it thinks. The same functions then play Connect Four. Put a network in place of the random games, and
# you have the search of AlphaZero.
#
# Run the next two code cells. You need not read the first one; the second one opens a board.

# %%
import math
import random
from collections.abc import Callable

from arena.check import check, expect, expect_by_rng, expect_error, expect_even, expect_integers, expect_true, run_all
from arena.games import FIVE_SIMULATIONS, Game, State, TicTacToe, ToyGame, after
from arena.own_check import verdict_of

Policy = Callable[[Game, State, random.Random], int]  # policy(game, state, rng) -> action
Evaluate = Callable[[State], float]  # evaluate(state) -> value for the player to move there
Means = dict[State, dict[int, float]]  # Q[state][action]
Counts = dict[State, dict[int, int]]  # N[state][action]

# %% [markdown]
# ## First, a trap
#
# You are O, and it is your move. X never makes a mistake. Of the six free squares four lose and two do not: click one
# of those two. If you lose, begin again. At the end of this set a program of yours finds one in a moment, and it knows
# nothing but the rules.

# %% tags=["experiment"] active="ipynb"
# from arena.board.widgets import play_widget
#
# play_widget(TicTacToe(), "perfect", you="O", moves="357")  # the moves so far; the squares are 0 to 8, row by row

# %% [markdown]
# ## At the end you can
#
# - say what *exploration* costs and what it buys, first with slot machines and then in a tree;
# - write UCT from an empty page: select, expand, simulate, backpropagate, and the one sign that is easy to get
#   wrong;
# - read a search tree: where it looked, why there, and what it would do next;
# - write the same search without nodes, over tables, as AlphaZero programs often do;
# - measure a search instead of trusting it: against exact play, in a trap, and for many values of its one constant.
#
# ## Eight hours, about
#
# <details><summary><b>The parts, their points and their times</b></summary>
#
# | part | exercises | points | time |
# |---|---|---|---|
# | the trap, and the story | – | – | 15 min |
# | bandits | 2.0 | 8 | 55 min |
# | random games | 2.1, 2.2 | 8 | 45 min |
# | the tree and its four phases | 2.3 to 2.8 | 51 | 100 min |
# | the search | 2.9 | 14 | 70 min |
# | the search without nodes | 2.10 | 8 | 50 min |
# | a game against yourself | 2.11 | 4 | 20 min |
# | finding a mistake | – | – | 20 min |
# | the bug in a tree | 2.14 | 2 | 10 min |
# | a check of your own, optional | 2.15 | up to 5 extra | 35 min |
# | everything together | joint check | 5 | |
# | experiments: ours to run, and one of your own | 2.12, 2.13 | up to 5, marked by a person | 95 min |
# | a game against your search, a project, the summary | – | – | 15 min |
#
# Go by the order on the page, not by the numbers: 2.12 and 2.13 come last. The eight hours are without 2.15. Without
# 2.12 and 2.13 they are less than seven. The hidden checks give up to 100 points. A person marks 2.13 with up to 5
# more, so the maximum is 105. Points of 2.15 are added to that.
#
# </details>
#
# **How to work.** Go from top to bottom. An exercise is a function with a `TODO`: write its body and delete the
# `raise`. The cell below it is a *visible check*: at first it says `NOT WRITTEN`, in the end `passed`. In between it
# shows the position that it tried and the result of your function. `python -m pytest` in this folder runs all visible
# checks. Hidden checks give the points: they test what the docstring says, on other positions. Each exercise is graded
# with our versions of the functions that it calls, so an early mistake costs nothing in later exercises. Cells that
# play, plot or draw are experiments: they need your functions, and nothing is graded there. Some begin with a `guess`
# and a question. Write yours, then run the cell: without a guess it asks for one and stops, and `"skip"` runs it all
# the same. A guess is not graded either; it shows you what you did not expect. You may add cells anywhere.
#
# The cell below this text has imports and names that several experiments use: run it now. After a restart of the
# kernel, run all cells above the one where you go on (JupyterLab: *Run*, *Run All Above Selected Cell*). A cell without
# a guess stops that, so write `"skip"` there.
#
# <details><summary><b>What you may import, and language models</b></summary>
#
# **What you may import.** Graded code may import Python's own modules, `numpy`, and of `arena` `check`, `games` and
# `show`. Grading has nothing else: an import of scipy, of tqdm or of a file of your own fails there, even if it works
# here. If an exercise uses such an import, its check warns you. Experiments may import what you like.
#
# **Language models.** Your course decides what ChatGPT, Copilot and the like may do for you in this set. The page
# [Language models in this course](../../docs/language_models.md) has the rules. If you know none, ask before you begin.
#
# </details>

# %% tags=["experiment"] active="ipynb"
# # Imports and names that several experiments use. After a restart, run this cell too. You need not read it.
# import functools
#
# import matplotlib.pyplot as plt
# from IPython.display import display
#
# from arena.show.guess import compare, predict_first
# from arena.show.step import Phases, step
# from arena.show.tree import draw_tree
#
# game = TicTacToe()
# TRAP = game.parse(".../X.O/.X.")  # the board of the opening
#
#
# @functools.cache
# def exact_value(state):
#     """Return the value of a Tic-Tac-Toe state under perfect play, for the player to move (negamax)."""
#     if game.outcome(state) is not None:
#         return game.outcome(state)
#     return max(-exact_value(game.play(state, action)) for action in game.legal_actions(state))
#
#
# def right_actions(state):
#     """Return the set of actions that keep the best result under perfect play."""
#     values = {a: -exact_value(game.play(state, a)) for a in game.legal_actions(state)}
#     return {a for a, value in values.items() if value == exact_value(state)}
#
#
# OKABE_ITO = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"]
# plt.rcParams["axes.prop_cycle"] = plt.cycler(color=OKABE_ITO)  # colours that everybody can tell apart

# %% [markdown]
# ## Key terms
#
# <details><summary><b>12 words, and what they are here</b></summary>
#
# | word | what it is here |
# |---|---|
# | game | the rules, nothing else: `legal_actions`, `play`, `outcome`, `player` |
# | state | a position, an immutable value that you pass around and never look into |
# | action | a move, an int; `play(state, action)` is the state after it |
# | ply | one move of one player |
# | outcome | how a finished game ended: +1, 0, -1, in some toy games another number; `None` while it goes on |
# | policy | a rule that chooses an action at a state |
# | rollout | a game played to its end by a policy, to estimate the value of a state; also called a playout |
# | value | a number for how good a state is for the player to move there |
# | node | a state in the search tree, with `num_visits` (n) and `total_value` (W) |
# | simulation | one turn of the search: select, expand, a rollout, backpropagate; `simulate` is only the rollout |
# | exploration | trying what looks worse because it is little known; its weight is c |
# | regret | what you have lost so far by not always taking the best arm |
#
# </details>
#
# ## The card of conventions
#
# Each problem set shows the lines that it uses; the lines are the same in all five. Return to the first line, **the
# mover's view**, whenever a sign is wrong.
#
# <details><summary><b>The lines of this set</b></summary>
#
# > `outcome(S)`, `total_value` of a node, the result of `evaluate`: for the player to move at S, in [-1, 1].
# > `Q[s][a]`: for the player to move at s, that is minus the value of the state after it. Every function that
# > values a state returns the value for the player to move there; the caller negates.
# >
# > n is the visits of a node, N those of its parent. Default exploration c = 1 in -W/n + c sqrt(ln N / n). The final
# > move is the one with most visits.
# >
# > Ties: any choice is right unless a docstring says "by rng"; no hidden check depends on a tie or on one
# > particular draw.
#
# So when X has just completed a line, it is O's turn, and the outcome is -1: the player to move, O, has lost. `rng`
# is always a `random.Random`, and the only source of chance: no other generator is used or seeded. So the same seed
# gives the same game. UCB comes in 2.6, `Q` in 2.10.
#
# </details>

# %% [markdown]
# <details><summary><b>The story, part 2 of 5: 2006, the year of the tree (two minutes)</b></summary>
#
# In chess a program could count pieces. In Go nobody could say in a formula who is ahead, and the methods that worked
# for chess failed for decades (Gelly and others 2012, abstract). One way out needs no formula: play the game to its
# end at random, many times, and count who wins. You do that in 2.1 and 2.2. Alone it is weak, and in 2.2 you see why.
#
# Meanwhile others thought about slot machines. Lai and Robbins (1985) proved that no rule that does well on every set
# of arms can lose less than a multiple of $\ln N$. Auer, Cesa-Bianchi and Fischer (2002) found one that is short and
# reaches this at every $N$: UCB1. It is exercise 2.0.
#
# In 2006 the two lines met, twice. Rémi Coulom grew a tree from random games. With few simulations he backed up
# averages, and with many he came near to the result of the best move. His program Crazy Stone, for boards of 9 by 9,
# won a tournament (Coulom 2006, abstract). The name *Monte Carlo tree search* is his (Browne and others 2012, table
# 1). In the same year Levente Kocsis and Csaba Szepesvári treated each node as a bandit of its own and called it UCT.
# They proved that the probability of a wrong move at the root goes to zero (Kocsis and Szepesvári 2006, theorem 6).
# This is the search of this set, all of it.
#
# What the proof does not say is how long that takes. In 2.9 you will see how many simulations it takes in the trap
# above, and how many in a toy game. Six years later ten authors collected what had been tried: variants, games, and
# uses far from games, in 43 pages (Browne and others 2012). If you read one paper after this set, read that one.
#
# </details>
#
# ## 2.0 Bandits: what does it cost to be curious?
#
# Five slot machines stand in a row. Each pays 1 with its own fixed probability and 0 otherwise; you know none of
# the five. You may pull 5,000 times. Every pull of a poor arm is a loss, but only pulls show which arms are poor.
#
# This loss has a name. With $\mu_i$ the mean of arm $i$ and $\mu^*$ the best of them, the **regret** after $N$
# pulls is
#
# $$R_N = N\,\mu^* - \sum_{t=1}^{N} \mu_{i_t},$$
#
# where $i_t$ is the arm of pull $t$.
#
# Two rules keep the regret small:
#
# **Epsilon-greedy** tosses a coin first. With probability $\epsilon$ it pulls any arm, each equally likely;
# otherwise it pulls the arm with the best mean so far. With $\epsilon = 0.1$ and five arms, the arm that looks best
# gets $0.9 + 0.1/5 = 92\,\%$ of the pulls, and the other four get $8\,\%$ *for ever*, long after everything is
# known. Its regret grows like $N$.
#
# **UCB1** tosses no coin. It gives every arm a bound: the arm's mean plus a bonus. The bonus shrinks when the arm
# is pulled, and grows slowly when other arms are pulled.
#
# $$\underbrace{\frac{W_i}{n_i}}_{\text{mean}} + \underbrace{c\sqrt{\frac{\ln N}{n_i}}}_{\text{bonus}}, \qquad N = \sum_i n_i$$
#
# A poor arm is pulled again only when $\ln N$ has grown enough, so its pulls grow like $\ln N$ and the regret does
# too. Auer, Cesa-Bianchi and Fischer proved it for rewards in [0, 1] and $c = \sqrt 2$. No rule that
# does well on every set of arms has a regret that grows more slowly.
#
# **By hand.** Three arms, $c = 1$, seven pulls so far, $\ln 7 = 1.946$:
#
# | arm | pulls | reward | mean | bonus | bound |
# |---|---|---|---|---|---|
# | 0 | 4 | 3 | .750 | $\sqrt{1.946/4} = .697$ | 1.447 |
# | 1 | 2 | 1 | .500 | $\sqrt{1.946/2} = .986$ | **1.486** |
# | 2 | 1 | 0 | .000 | $\sqrt{1.946/1} = 1.395$ | 1.395 |
#
# Arm 1 is next, although arm 0 has the better mean. Suppose that it pays nothing: its bound falls to $.333 +
# \sqrt{2.079/3} = 1.166$, the bounds of the other arms rise a little with $\ln 8 = 2.079$ (1.471 and 1.442), and
# arm 0 is next. One bad pull makes UCB1 leave arm 1 for a while. That is all UCB1 does.
#
# **Two functions, one check.** You may run the check after each function. It stops with `NOT WRITTEN` at the first
# function that is not written.

# %% exercise="2.0" title="bandits" points=8
def epsilon_greedy(counts: list[int], totals: list[float], epsilon: float, rng: random.Random) -> int:
    """Choose an arm: any arm with probability `epsilon`, else an arm with the best mean.

    Args:
        counts: pulls so far, one entry per arm.
        totals: summed reward so far, one entry per arm. The mean of an arm never pulled is 0.
        epsilon: in [0, 1]; 0 never explores, 1 always does.
        rng: decides whether to explore, draws the arm then (each equally likely), and breaks ties of equal best means.

    Returns the arm's index, 0 to len(counts) - 1. `counts` and `totals` are not changed: the caller counts the pulls.

    Source: Sutton and Barto (2018), sections 2.2 to 2.4.
    """
    # TODO 2.0: explore with probability epsilon; else compare the means, ties by rng. About 5 lines.
    raise NotImplementedError("exercise 2.0 (epsilon_greedy) is not written yet")


def ucb1(counts: list[int], totals: list[float], exploration: float, rng: random.Random) -> int:
    """Choose the arm with the highest upper confidence bound, W_i / n_i + c sqrt(ln N / n_i).

    Args:
        counts: pulls n_i so far, one entry per arm; their sum is N.
        totals: summed reward W_i so far, one entry per arm.
        exploration: c >= 0; 0 always takes the best mean.
        rng: draws among several arms never pulled, and among equal bounds.

    Returns the arm's index. Arms never pulled come first, for every c: nothing is known about them. `counts` and
    `totals` are not changed: the caller counts the pulls.

    Source: Auer, Cesa-Bianchi and Fischer (2002), figure 1, where c = sqrt 2.
    """
    # TODO 2.0: untried arms first; then the formula; ties by rng. About 8 lines.
    raise NotImplementedError("exercise 2.0 (ucb1) is not written yet")

# %% check="2.0"
@check("2.0", "bandits")
def check_2_0():
    """each rule pulls the arm that a pencil finds"""
    rng = random.Random(20)

    def expect_arms(draws, arms, *, what, position, think):
        if len(arms) == 1:
            expect(set(draws), set(arms), what=f"{what}, always arm {arms[0]}", position=position, think=think)
        else:
            expect_even(draws, arms, what=what, position=position, think=think)

    arm = epsilon_greedy([10, 2], [6.0, 1.8], 0.0, rng)
    expect_true(arm in (0, 1), what="epsilon_greedy returns an arm", yours=arm, think="a mean, or the number of an arm?")
    cases = [  # pulls, rewards, epsilon, the arms that may come, question
        ([10, 2], [6.0, 1.8], 0.0, [1], "does epsilon 0 explore? And is it the largest sum, or the best mean?"),
        ([10, 10, 0], [4.0, 6.0, 0.0], 0.0, [1], "what is the mean of an arm that was never pulled?"),
        ([4, 0, 2], [-4.0, 0.0, -1.0], 0.0, [1],
         "what is the mean of an arm that was never pulled, and may others be below it?"),
        ([2, 4], [-6.0, -16.0], 0.0, [0], "which mean is best where all are below -1?"),
        ([2, 2, 4, 2], [0.0, 1.0, 2.0, 1.0], 0.0, [1, 2, 3],
         "what decides between equal means, and have all of them the same chance?"),
        ([5, 5, 5, 5], [5.0, 0.0, 0.0, 0.0], 1.0, [0, 1, 2, 3],
         "any arm: is that the best one and the last one too, all alike?"),
    ]
    for pulls, rewards, epsilon, arms, question in cases:
        before, where = (list(pulls), list(rewards)), f"pulls {pulls}; rewards {rewards}"
        expect_arms([epsilon_greedy(pulls, rewards, epsilon, rng) for _ in range(800)], arms,
                    what=f"the arms pulled with epsilon {epsilon:g}", position=where, think=question)
        expect((pulls, rewards), before, what="pulls and rewards afterwards", position=where, think="who counts pulls?")
    draws = [epsilon_greedy([5, 5, 5, 5], [0.0, 0.0, 5.0, 0.0], 0.4, rng) for _ in range(2000)]
    expect_true(1297 < draws.count(2) < 1503, what="arm 2 is pulled about 1,400 times of 2,000", yours=draws.count(2),
                # 5 sigma: 103
                position="pulls 5, 5, 5, 5; rewards 0, 0, 5, 0; epsilon .4",
                think="how often is the best arm pulled, by both ways together?")
    cases = [  # pulls, rewards, c, the arms that may come, question
        ([5, 0, 3], [5.0, 0.0, 3.0], 0.0, [1], "does an untried arm wait until it has a bound, or does it come first?"),
        ([100, 4], [60.0, 2.0], 1.0, [1], "sum or mean? And which of the two arms is less known?"),
             # .6 + .216 and .5 + 1.078
        ([100, 4], [60.0, 2.0], 0.0, [0], "what does c multiply?"),
        ([100, 4], [60.0, 0.0], 1.0, [1], "which logarithm is it, of what, and does the root go over the n_i too?"),
             # .816 and 1.078
        ([100, 4], [60.0, 1.0], 0.25, [0], "does c stand under the root?"),  # .6 + .054 and .25 + .269
        ([100, 4], [60.0, 0.4], 0.5, [0], "what stands under the root in this course's formula?"),
             # .6 + .108 and .1 + .539
        ([2, 4], [-6.0, -16.0], 0.0, [0], "which bound is highest where all are below -1?"),
        ([1], [0.0], 1.0, [0], "what is ln 1?"),
        ([0, 3, 0, 0], [0.0, 3.0, 0.0, 0.0], 0.0, [0, 2, 3], "several untried arms: have all of them the same chance?"),
        ([4, 2, 4, 4], [1.0, 0.0, 1.0, 1.0], 0.0, [0, 2, 3],
         "what decides between equal bounds, and have all of them the same chance?"),
    ]
    for pulls, rewards, c, arms, question in cases:
        before, where = (list(pulls), list(rewards)), f"pulls {pulls}; rewards {rewards}; c = {c:g}"
        expect_arms([ucb1(pulls, rewards, c, rng) for _ in range(800)], arms, what="the arms that ucb1 pulls",
                    position=where, think=question)
        expect((pulls, rewards), before, what="pulls and rewards afterwards", position=where, think="who counts pulls?")
    for name, rule in [("epsilon_greedy", epsilon_greedy), ("ucb1", ucb1)]:
        for pulls in ([2, 2], [0, 0]):
            expect_by_rng(lambda rng: rule(pulls, [0.0, 0.0], 0.5, rng), what=name, position=f"pulls {pulls}; rewards 0, 0")

# %% [markdown]
# **Now let them play**, each rule 200 times. These are four million pulls: about 40 seconds on a busy machine. On an
# axis that counts $n = 10, 100, 1000, \dots$ a multiple of $\ln n$ is a straight line, and anything that grows like
# $n$ bends upwards without end. Guess first: which rule will have lost least after 5,000 pulls? Write all four into
# the first line, the best first. In the left picture then look for the curves that are straight at the end.

# %% tags=["experiment"] active="ipynb"
# guess = []  # who loses least in 5,000 pulls? Smallest mean regret first: "greedy", "epsilon", "sqrt 2", ".5"
# ARMS = [0.1, 0.2, 0.3, 0.4, 0.8]  # what the player does not know
# MARKS = [10, 20, 50, 100, 200, 500, 1000, 2000, 5000]
#
#
# def regret_curve(choose, rng):
#     """Play once and return the regret at each of MARKS; choose(counts, totals, rng) -> arm."""
#     counts, totals, curve = [0] * len(ARMS), [0.0] * len(ARMS), []
#     for pull in range(1, MARKS[-1] + 1):
#         arm = choose(counts, totals, rng)
#         counts[arm] += 1
#         totals[arm] += rng.random() < ARMS[arm]
#         if pull in MARKS:
#             curve.append(sum(count * (max(ARMS) - mean) for count, mean in zip(counts, ARMS)))
#     return curve
#
#
# predict_first(guess)
# rules = {
#     "greedy (epsilon 0)": lambda counts, totals, rng: epsilon_greedy(counts, totals, 0.0, rng),
#     "epsilon-greedy, .1": lambda counts, totals, rng: epsilon_greedy(counts, totals, 0.1, rng),
#     "UCB1, c = sqrt 2": lambda counts, totals, rng: ucb1(counts, totals, math.sqrt(2), rng),
#     "UCB1, c = .5": lambda counts, totals, rng: ucb1(counts, totals, 0.5, rng),
# }
# figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4))
# regrets = {}
# for short, (name, rule) in zip(("greedy", "epsilon", "sqrt 2", ".5"), rules.items()):
#     runs = [regret_curve(rule, random.Random(run)) for run in range(200)]
#     regrets[short] = sum(run[-1] for run in runs) / len(runs)
#     left.plot(MARKS, [sum(at) / len(at) for at in zip(*runs)], marker="o", markersize=3, label=name)
#     right.plot(sorted(run[-1] for run in runs), label=name)
# left.set(xscale="log", ylim=(0, 250), xlabel="pulls", ylabel="regret", title="mean of 200 runs")
# right.set(yscale="log", ylim=(1, 4000), xlabel="run, best first", ylabel="regret", title="after 5,000 pulls")
# left.legend()
# plt.tight_layout()
# compare(guess, sorted(regrets, key=regrets.get))

# %% [markdown]
# <details><summary><b>What you should see</b></summary>
#
# Greedy leaves the picture: if the first pulls mislead the rule, it stays with a wrong arm
# for ever. So some runs lose almost nothing and the others thousands (right). Epsilon-greedy does well for a while
# and then bends upwards: it never stops exploring. UCB1 with $\sqrt 2$, the constant of the proof, is nearly
# straight from 200 pulls on, and overtakes epsilon-greedy before 5,000. The proof must hold for every set of arms;
# on these, a smaller $c$ loses less still. With $c = .5$ the loss is so small that 200 runs do not show whether its
# curve is straight.
#
# </details>
#
# Keep two things in mind for the tree. The unit of the bonus is the unit of the reward: games end in [-1, 1], twice
# as wide as the bandits' [0, 1], so $c = 1$ in games explores as much as $c = .5$ here. And a bandit needs little
# regret *on the way*, but only the last move of a search counts. UCT uses the rule because it sends most
# simulations to good moves.

# %% [markdown]
# ## 2.1 A player who knows only the rules
#
# Every search here starts from the simplest player: it picks any legal move, all with the same probability. With
# $A(s)$ the legal actions at $s$:
#
# $$\pi(a \mid s) = \frac{1}{|A(s)|} \quad \text{for } a \in A(s), \qquad 0 \text{ for every other action.}$$
#
# **By hand:** on this board it is O's turn, and a random player takes each of the six free squares once in six
# times.
#
#         O . .        0 1 2
#         . X .        3 4 5     squares, and actions, are numbered like this
#         . . X        6 7 8

# %% exercise="2.1" title="random_policy" points=2
def random_policy(game: Game, state: State, rng: random.Random) -> int:
    """Return a legal action at `state`, each with the same probability.

    Args:
        game: gives the legal actions.
        state: a state where the game goes on.
        rng: the only source of chance.

    Raises:
        ValueError: the game is over at `state`, so there is no action to choose.
    """
    # TODO 2.1: draw one of the legal actions with rng. About 4 lines.
    raise NotImplementedError("exercise 2.1 (random_policy) is not written yet")

# %% check="2.1"
@check("2.1", "random_policy")
def check_2_1():
    """every legal action comes up equally often, no other does, and a finished game has none"""
    game, rng = TicTacToe(), random.Random(21)
    question = "which actions are legal, and does every one of them have the same chance, beside a gap too?"
    for board in ("O../.X./..X", "X.O/OXX/XO.", ".../.../..."):
        state = game.parse(board)
        expect_even([random_policy(game, state, rng) for _ in range(1200)], game.legal_actions(state),
                    what="the actions drawn", position=board, think=question)
    expect({random_policy(game, game.parse("XOX/OXO/OX."), rng) for _ in range(1200)}, {8},
           what="the actions drawn, always the only legal one", position="XOX/OXO/OX.", think=question)
    expect_by_rng(lambda rng: random_policy(game, game.start(), rng), what="the action", position="the empty board")
    for over in ("XXX/OO./...", "XOX/XOO/OXX"):
        expect_error(ValueError, lambda: random_policy(game, game.parse(over), rng), what="random_policy",
                     position=f"{over}, where the game is over", think="what is there to choose when no action is legal?")

# %% [markdown]
# ## 2.2 One random game is a measurement
#
# How good is a position? Play random moves to the end and see. One game says almost nothing, but the mean of a
# thousand games says a lot, without any knowledge of the game. This is the *rollout*, the Monte Carlo in Monte
# Carlo tree search.
#
# If you did set 1, this is your `random_playout` of 1.9 with two more parameters: the policy is an argument now, and
# `max_plies` cuts long games. The only difficulty: whose result is it? `outcome` at the end is for the player to move
# **there**; your function returns the value for the player to move **where the rollout began**. Each ply passes the
# turn, so after $k$ of them, at the finished state $s_k$,
#
# $$v(s_0) = (-1)^k \; \mathrm{outcome}(s_k).$$
#
# **By hand.** Let both sides always take the lowest free square.
#
#     ply      1      2      3      4      5      6      7
#           X . .  X O .  X O X  X O X  X O X  X O X  X O X
#           . . .  . . .  . . .  O . .  O X .  O X O  O X O
#           . . .  . . .  . . .  . . .  . . .  . . .  X . .     X has 2, 4 and 6
#
# After ply 7 it is O's turn, and `outcome` is -1: O has lost. From the empty board, where X is to move, that is
# **+1** (7 plies, an odd number: the sign flips). From the board after ply 1, where O is to move, the same game is
# worth **-1** (6 plies, an even number: the sign stays). If the game is cut after 6 plies, the result is unknown:
# **0**.

# %% exercise="2.2" title="simulate" points=6
def simulate(game: Game, state: State, policy: Policy, rng: random.Random,
             max_plies: int | None = None) -> float:
    """Play from `state` to the end with `policy` for both players and return the result.

    Args:
        state: where to begin; if the game is over there, no move is made.
        policy: policy(game, state, rng) -> action; it is asked once for each move, of either player.
        rng: passed to the policy, and used for nothing else.
        max_plies: stop after that many moves with the value 0.0; None plays to the end.

    Returns the value for the player to move at `state`, in [-1, 1]: the outcome at the end as this
    player sees it, +1 for a win, 0 for a draw, -1 for a loss, or a number between them where a game
    counts in that way. A game that ends within max_plies moves counts.
    """
    # TODO 2.2: play until the outcome is known or the moves are used up. The outcome belongs to the
    #           player to move at the END: whose value is asked for? About 7 lines.
    raise NotImplementedError("exercise 2.2 (simulate) is not written yet")

# %% check="2.2"
@check("2.2", "simulate")
def check_2_2():
    """the result belongs to the player to move where the rollout began"""
    game, rng, asked = TicTacToe(), random.Random(22), []
    luck = rng.getstate()

    def highest(game, state, rng):
        asked.append((state, rng))
        ended = game.outcome(state)
        expect_true(ended is None, what="where the game is over the policy is not asked",
                    position=f"{'/'.join(game.rows(state))}, where the game is over: the outcome is {ended}",
                    think="is a draw (0) the same as None?" if ended == 0 else "who moves where the game is over?")
        return game.legal_actions(state)[-1]

    cases = [  # board, value, moves, who is to move
        (".../.../...", 1.0, 7, "X to move"),
        (".../.../..X", -1.0, 6, "O to move"),
        (".../OXO/XOX", 1.0, 1, "X to move"),
        ("OXO/OXX/.OX", 0.0, 1, "X to move"),
        ("XXX/OO./...", -1.0, 0, "over: O, who is to move, has lost"),
        ("XOX/XOO/OXX", 0.0, 0, "over: a draw"),
    ]
    for board, value, moves, mover in cases:
        asked.clear()
        where = f"{board} ({mover}); both players take the highest free square"
        expect(simulate(game, game.parse(board), highest, rng), value, what="the value", position=where,
               think="do both players follow the policy? Who is to move at the end, and who was at the beginning?")
        expect(len(asked), moves, what="how often the policy is asked", position=where, think="who chooses each move?")
        expect_true(all(given is rng for _, given in asked), what="the policy gets the rng", position=where,
                    think="what is handed on?")
    for board, plies, value in [(".../.../...", 7, 1.0), (".../.../...", 6, 0.0), (".../.../...", 0, 0.0),
                                (".../.../..X", 6, -1.0),
                                (".../.../..X", 5, 0.0), ("XXX/OO./...", 0, -1.0), ("XXX/OO./...", 3, -1.0)]:
        asked.clear()
        expect(simulate(game, game.parse(board), highest, rng, max_plies=plies), value,
               what=f"the value with max_plies={plies}",
               position=f"{board}; with the highest free square the empty board's game is over after 7 moves",
               think="how many moves are allowed? Does a game count that ends with the very last of them? Is 0 a limit?")
        expect_true(len(asked) <= plies, what=f"the policy is asked {plies} times at most", yours=len(asked),
                    think="what is a limit?")
    lost = ToyGame({"s0": ["s1"], "s1": ["s2"]}, {"s1": 0.5, "s2": 1.0})
    expect([simulate(lost, state, highest, rng) for state in ("s0", "s1", "s2")], [1.0, -1.0, 1.0],
           what="the values from s0, s1, s2",
           position="a toy game s0 -> s1 -> s2, whose end is worth 1 to the player to move there",
           think="what does each ply do to the sign?")
    expect(rng.getstate() == luck, True, what="whether rng is as it was", position="after a policy that draws nothing",
           think="who draws from rng, you or the policy?")

# %% tags=["experiment"] active="ipynb"
# guess = None  # X wins twice as often as O. Of 100 means over ten random games each, how many are below 0 all the same?
# predict_first(guess)
# for number in (10, 100, 1000, 10000):
#     rng = random.Random(number)
#     mean = sum(simulate(game, game.start(), random_policy, rng) for _ in range(number)) / number
#     print(f"{number:6} random games from the empty board: mean {mean:+.3f}")
# rng = random.Random(0)
# tens = [sum(simulate(game, game.start(), random_policy, rng) for _ in range(10)) / 10 for _ in range(100)]
# below = sum(mean < 0 for mean in tens)
# print(f"of 100 means over ten games {below} are below 0")
# compare(guess, below)

# %% [markdown]
# <details><summary><b>What you should see</b></summary>
#
# Over *all* random games the mean is exactly +0.2968: moving first helps even random players. Ten games say the opposite
# in 11 cases of 100, ten thousand are right to about .01: the error shrinks with the square root of the number of games.
#
# </details>
#
# ### How far can one go without a tree?
#
# Try every move, play a thousand rollouts after each, and take the move with the best mean. That is a real player
# ("flat Monte Carlo"), and it easily beats a random player. This is the trap of the opening, with O to move. Which move
# does this player choose?
#
#     . . .      0 1 2
#     X . O      3 4 5
#     . X .      6 7 8

# %% tags=["experiment"] active="ipynb"
# guess = None  # which of O's moves has the best mean over 10,000 random games: 0, 1, 2, 4, 6 or 8?
# from arena.show.board import draw_board
#
# predict_first(guess)
# for rollouts in (100, 10000):
#     rng, means = random.Random(1), {}
#     for action in game.legal_actions(TRAP):
#         below = game.play(TRAP, action)  # X is to move there, so O's value is the negative one
#         results = [simulate(game, below, random_policy, rng) for _ in range(rollouts)]
#         means[action] = -round(sum(results) / rollouts, 2)
#     print(f"{rollouts} games behind each move: {means}   best: {max(means, key=means.get)}")
# compare(guess, max(means, key=means.get))
# draw_board(game, TRAP)

# %% [markdown]
# <details><summary><b>What you should see</b></summary>
#
# With enough games this player is quite sure of move 2, in the upper right corner, which threatens to finish the
# right column. And move 2 **loses by force**:
#
#     O plays 2    X must block 8    O must block 6    X plays 4 and threatens both 0 and 1
#      . . O           . . O             . . O             . . O
#      X . O           X . O             X . O             X X O
#      . X .           . X X             O X X             O X X
#
# Random players miss all of this, and a mean over any number of random games cannot show it. Moves 0 and 6, which
# look bad, are draws.
#
# </details>
#
# A *good* reply must count for more than a reply that is only *possible*. That is the task of the tree. Remember this
# board: we return to it when your program can search.

# %% [markdown]
# ## 2.3 A node
#
# The tree that you will grow consists of nodes. A node stores its state and its place (`parent`, `action`,
# `children`), and two numbers: the number of simulations that passed through it, `num_visits` (n in formulas), and the
# sum of their results, `total_value` (W), **for the player to move at the node**.
#
#                      root           X to move      children {0: ..., 4: ...}
#              action 0 /  \ action 4
#                 child      child    O to move      action 4, parent: the root
#
# The class is given, except for two questions about a node. **By hand:** the board XOX/OXO/.XO has one free square,
# 6, with X to move. A fresh node there has `children == {}`. Is the game over? No. Is it fully expanded? No, action
# 6 is missing. With that child it is fully expanded. At the child the game is over (X has 2, 4 and 6); it has no
# legal action, so no child can be missing.
#
# One check tests both functions, as in 2.0: it stops at the first that is not written.

# %% exercise="2.3" title="TreeNode" points=6
class TreeNode:
    """One state in the search tree, with the statistics of the simulations through it.

    Fields:
        state: the state.
        parent, action: the node above and the action that led here from there; None at the root.
        children: {action: TreeNode}, empty at first.
        num_visits: how many simulations passed through this node.
        total_value: the sum of their results, in the mover's view: for the player to move at `state`.
    """

    def __init__(self, state: State, parent: "TreeNode | None" = None, action: int | None = None) -> None:
        self.state = state
        self.parent = parent
        self.action = action
        self.children: dict[int, TreeNode] = {}
        self.num_visits = 0
        self.total_value = 0.0

    def is_terminal(self, game: Game) -> bool:
        """Return whether the game is over at this node. The children do not matter."""
        # TODO 2.3: ask the game, not the children. 1 line.
        raise NotImplementedError("exercise 2.3 (is_terminal) is not written yet")

    def is_fully_expanded(self, game: Game) -> bool:
        """Return whether every legal action has its child here.

        If the game is over there is no legal action, so no child is missing: True.
        """
        # TODO 2.3: compare the children with the legal actions. 1 line.
        raise NotImplementedError("exercise 2.3 (is_fully_expanded) is not written yet")

# %% check="2.3"
@check("2.3", "TreeNode")
def check_2_3():
    """a node knows whether its game is over and whether anything is left to try"""
    game = TicTacToe()
    node = TreeNode(game.parse("OX./XXO/OOX"))
    bare = "OX./XXO/OOX, X to move, only square 2 is free; the node has no children yet"
    expect(node.is_terminal(game), False, what="is_terminal", position=bare,
           think="does a node without children mean that the game is over?")
    expect(node.is_fully_expanded(game), False, what="is_fully_expanded", position=bare, think="which action has no child?")
    child = node.children[2] = TreeNode(game.play(node.state, 2), node, 2)
    grown = "the same board; child 2 is there, and was not visited yet"
    expect(node.is_fully_expanded(game), True, what="is_fully_expanded", position=grown,
           think="how many actions are legal here, and does each of them have its child?")
    expect(node.is_terminal(game), False, what="is_terminal", position=grown, think="do you ask the game?")
    full = "OXX/XXO/OOX, a full board: a draw"
    expect(child.is_terminal(game), True, what="is_terminal", position=full, think="is a draw an outcome?")
    expect(child.is_fully_expanded(game), True, what="is_fully_expanded", position=full,
           think="no action is legal: is any child missing?")
    for board in ("XXX/OO./...", "OOO/XX./X.."):
        over = TreeNode(game.parse(board))
        expect(over.is_terminal(game), True, what="is_terminal", position=f"{board}, where the game is over",
               think="does the board have room, or the game an outcome?")
        expect(over.is_fully_expanded(game), True, what="is_fully_expanded", position=f"{board}, where the game is over",
               think="which actions are legal where the game is over?")
    won = TreeNode("won")
    won.children[0], won.num_visits = TreeNode("below", won, 0), 3
    expect(won.is_terminal(ToyGame({"s0": ["won"]}, {"won": 0.25})), True, what="is_terminal",
           position="a finished state of a toy game, worth .25; somebody gave the node a child",
           think="do you ask the game, or the children?")
    opening, free = TreeNode(game.parse("XO./.../..X")), [2, 3, 4, 5, 6, 7]
    opening.num_visits = 50
    for action in free:
        expect(opening.is_fully_expanded(game), False, what="is_fully_expanded", think="is one child enough, or are some?",
               position=f"XO./.../..X, O to move; 50 visits; the children {list(opening.children)} are there")
        opening.children[action] = TreeNode(game.play(opening.state, action), opening, action)
        opening.children[action].num_visits = 5
    expect(opening.is_fully_expanded(game), True, what="is_fully_expanded",
           position="XO./.../..X, and every free square has its child",
           think="how many actions are legal at this board?")

# %% [markdown]
# ## The four phases
#
# One simulation of Monte Carlo tree search:
#
# | phase | what happens | function |
# |---|---|---|
# | 1 selection | from the root, follow the highest bound while all children are there | `select`, `best_child`, `ucb` |
# | 2 expansion | add one child for an action not tried here before | `expand` |
# | 3 simulation | play a random game from the new child | `simulate`: you have it |
# | 4 backpropagation | write the result into every node up to the root | `backpropagate` |
#
# "Simulation" is a usual name for phase 3 and also for the whole turn. Here, outside this table, a simulation is
# the whole turn, and phase 3 is the rollout.
#
# You will write the phases in the order 2, 4, 1, because then every picture shows something. All pictures show the
# same board, X to move:
#
#     X . O
#     . X .      five free squares: 1, 3, 5, 6, 7
#     . . O      O threatens 5, so X has exactly one move that does not lose
#
# **Watch a search before you write one.** The next cell has twelve simulations on this board, recorded. Press *next
# phase* slowly, and say before each press what will come: which child is chosen, which one is new, what the random game
# says, which numbers change. In the first five simulations the root gets its five children. Which two children are
# equally good for the sixth, and why these two? (One is drawn.) And when a random game is lost for X, what happens to W
# at the root, and what one ply below?

# %% tags=["experiment"] active="ipynb"
# from arena.board.widgets import step_widget
# from arena.show.recorded import recorded_search
#
# game, root, recorded = recorded_search()
# step_widget(game, root, recorded, rng=random.Random(1))

# %% [markdown]
# <details><summary><b>A short answer</b></summary>
#
# 1 and 5: in both the random game was lost for O, so W = -1 there, and that is good for X, who chooses. Each of the two
# has the bound (UCB) 2.27; exercise 2.6 explains this number. When a random game is lost for X, W falls by 1 at the
# root, where X is to move. One ply below O is to move, and W rises by 1.
#
# </details>
#
# ## 2.4 Expand
#
# The tree grows by one node per simulation. Which one? Nothing is known about untried actions, so all are equally
# good: draw from $U = A(s) \setminus \{\text{actions that have a child}\}$, each with probability $1/|U|$.
#
# **By hand.** Suppose that the root on the board of *The four phases* has only the children 3 and 6. Untried are 1, 5
# and 7; each has probability 1/3. If it is 5, the new node has the state after X's move 5, `parent` the root, `action`
# 5, and no visits; `root.children` is now `{3: ..., 6: ..., 5: ...}`. A second call draws from 1 and 7 only.

# %% exercise="2.4" title="expand" points=10
def expand(game: Game, node: TreeNode, rng: random.Random) -> TreeNode:
    """Add one new child to `node`, for an action that has none yet, and return the child.

    Args:
        node: a node where the game goes on and at least one legal action has no child.
        rng: draws the action, each untried action with the same probability.

    The child has its state, its parent and its action, is stored in `node.children[action]` and has no visits. Each
    call adds exactly one child. (Some textbooks add all children at once: that is another function.)

    Raises:
        ValueError: the game is over at `node`, or every legal action has its child already.

    Source: Browne et al. (2012), algorithm 2, Expand.
    """
    # TODO 2.4: find the untried actions, draw one, add its child to the tree. About 7 lines.
    raise NotImplementedError("exercise 2.4 (expand) is not written yet")

# %% check="2.4"
@check("2.4", "expand")
def check_2_4():
    """every call adds one new child, never twice the same, until nothing is left"""
    game, rng = TicTacToe(), random.Random(24)
    where = "OXO/.X./..X, O to move, four free squares; the node has n = 7, W = 2"
    node, before = TreeNode(game.parse("OXO/.X./..X")), {}
    node.num_visits, node.total_value = 7, 2.0
    state = node.state
    action_to = {game.play(state, action): action for action in game.legal_actions(state)}

    def shown(state):
        return "/".join(game.rows(state)) if isinstance(state, tuple) else state

    for calls in range(1, 5):
        child = expand(game, node, rng)
        expect(len(node.children), calls, what=f"number of children after {calls} calls", position=where,
               think="does the child stand in the tree, only this one, and can the same action be drawn twice?")
        new = next((action for action in node.children if action not in before), None)
        expect_true(node.children.get(new) is child, what="what expand returns is the new child in node.children",
                    yours="the node that was given" if child is node else type(child).__name__, position=where,
                    think="which of the two nodes is returned, and is it the one that stands in the tree?")
        led = action_to.get(child.state)
        expect_true(led is not None, what="child.state is the state after one of the four actions",
                    yours=shown(child.state), position=where, think="what does playing the action give?")
        expect((child.action, new), (led, led), what="(child.action, its key in node.children)",
               position=f"{where}; the new child is {shown(child.state)}",
               think="which action led to the child? And what does TreeNode take, in which order?")
        expect_true(child.parent is node, what="child.parent is the node", position=where,
                    think="how will a result find its way up?")
        expect_true(node.state == state, what="node.state is as it was", yours=shown(node.state), position=where,
                    think="who plays the action: the node, or only the child?")
        expect((child.num_visits, child.total_value, child.children), (0, 0.0, {}),
               what="n, W and children of the new child", position=where,
               think="which phase counts visits, and what is below a node that is new?")
        expect_true(all(node.children.get(action) is old and old.num_visits == 3 for action, old in before.items()),
                    what="the children that were there are as before", position=where,
                    think="what happens to the other children?")
        child.num_visits, before[child.action] = 3, child
    expect((node.num_visits, node.total_value), (7, 2.0), what="n and W of the node afterwards", position=where,
           think="which phase counts visits?")
    expect_error(ValueError, lambda: expand(game, node, rng), what="a fifth call", position=where,
                 think="what if nothing is left to try?")
    free = game.legal_actions(node.state)

    def two(rng):
        fresh = TreeNode(node.state)
        return f"{expand(game, fresh, rng).action}, {expand(game, fresh, rng).action}"

    expect_even([two(rng) for _ in range(2400)], [f"{a}, {b}" for a in free for b in free if a != b],
                what="the first two actions in new nodes", position="OXO/.X./..X",
                think="which actions are untried at each call, and have all of them the same chance?")
    expect_by_rng(two, what="the first two actions in a new node", position="OXO/.X./..X")
    for board in ("XXX/OO./...", "XOX/XOO/OXX"):
        expect_error(ValueError, lambda: expand(game, TreeNode(game.parse(board)), rng), what="expand",
                     position=f"{board}, where the game is over", think="what if nothing is left to try?")

# %% [markdown]
# **Look at your tree:** five children, and four grandchildren under move 5. The yellow square is the last move. No
# node has been visited yet; the infinite bounds in the picture are explained in 2.6.

# %% tags=["experiment"] active="ipynb"
# tree = TreeNode(game.parse("X.O/.X./..O"))
# for _ in range(5):
#     expand(game, tree, random.Random(0))
# for _ in range(4):
#     newest = expand(game, tree.children[5], random.Random(0))
# draw_tree(game, tree, highlight=[newest])

# %% [markdown]
# ## 2.5 Backpropagate
#
# The random game is over, and every node on its path must get the result. Each node counts **for the player to move
# there**, and the players alternate from ply to ply: my win is your loss. So the result changes its sign at each
# step up.
#
#     root            X to move    -1     ^   X will lose this one
#      | action 5                         |
#     child           O to move    +1     |   O will win it
#      | action 1                         |
#     leaf            X to move    -1     |   rollout from here: -1 for X
#
# In a formula, for the node $k$ plies above the leaf: $\;n \leftarrow n + 1, \quad W \leftarrow W + (-1)^k\,v$.
#
# **By hand.** The child already has n = 3, W = -1; the root n = 8, W = 2. After this simulation, the leaf has n = 1, W
# = -1; the child n = 4, W = 0; the root n = 9, W = 1. A draw would have changed the three visit counts and none of the
# totals.

# %% exercise="2.5" title="backpropagate" points=10
def backpropagate(node: TreeNode | None, value: float) -> None:
    """Add the result of one simulation to every node from `node` up to the root.

    Args:
        node: the leaf where the simulation started.
        value: the result for the player to move at the leaf (+1 win, 0 draw, -1 loss; in a toy game it may leave
            [-1, 1]). It is added as it is, never cut or rounded.

    Each node gets one visit; its `total_value` changes by `value` or `-value`, in the mover's
    view: the sign flips at every ply on the way up.

    Source: Kocsis and Szepesvari (2006), with the sign of two-player games.
    """
    # TODO 2.5: walk from the leaf to the root; each player sees the other's result with
    #           the opposite sign. About 4 lines.
    raise NotImplementedError("exercise 2.5 (backpropagate) is not written yet")

# %% check="2.5"
@check("2.5", "backpropagate")
def check_2_5():
    """a win at the leaf is a loss one ply up"""
    root = TreeNode("root")
    child = root.children[0] = TreeNode("child", root, 0)
    leaf = child.children[1] = TreeNode("leaf", child, 1)
    sibling = root.children[1] = TreeNode("sibling", root, 1)

    def look(visits, totals, where, think):
        chain = (root, child, leaf)
        expect([node.num_visits for node in chain], visits, what="num_visits of root, child, leaf",
               position=where, think="where does the way up begin, where does it end, and does every result count?")
        expect([node.total_value for node in chain], totals, what="total_value of root, child, leaf",
               position=where, think=think)
        expect((sibling.num_visits, sibling.total_value), (0, 0.0), what="n and W of a node beside the way", position=where,
               think="which way leads up?")

    backpropagate(leaf, 1.0)
    look([1, 1, 1], [1.0, -1.0, 1.0], "two plies below the root the player to move wins",
         "who is to move at each node on the way up?")
    backpropagate(child, 0.5)
    look([2, 2, 1], [0.5, -0.5, 1.0], "then a simulation from the child is worth 0.5 there",
         "is it the sum of the results, their mean, or the last one?")
    backpropagate(leaf, 0.0)
    look([3, 3, 2], [0.5, -0.5, 1.0], "then a draw at the leaf", "what does a draw change?")
    backpropagate(child, -1.0)
    look([4, 4, 2], [1.5, -1.5, 1.0], "then the player to move at the child loses",
         "does a loss count like a win, with the other sign?")
    backpropagate(root, -0.25)
    look([5, 4, 2], [1.25, -1.5, 1.0], "then a result of -0.25 at the root itself",
         "does the first node get a visit, and the value as it is?")
    child.num_visits, child.total_value, root.num_visits, root.total_value = 3, -1.0, 8, 2.0
    backpropagate(leaf, -1.0)
    look([9, 4, 3], [1.0, 0.0, 0.0],
         "then the root has n = 8, W = 2, the child n = 3, W = -1, and the player to move at the leaf loses",
         "who is to move at each node on the way up?")

# %% [markdown]
# **The same tree, after nine results.** We made them up, so that you can check every number: one random game from
# each of the nine nodes; the list gives its result for the player to move there. Before you run the cell, add up
# child 5 on paper: its own result, and the four results below it, each with its sign flipped. (After O's four answers
# to move 5, X is to move.)

# %% tags=["experiment"] active="ipynb"
# results = [([1], 1), ([3], 0), ([5], -1), ([6], 1), ([7], 1), ([5, 1], 1), ([5, 3], 0), ([5, 6], 1), ([5, 7], 1)]
# for node in [tree, *tree.children.values(), *tree.children[5].children.values()]:
#     node.num_visits, node.total_value = 0, 0.0  # so that the cell can run again
# for actions, value in results:
#     node = tree
#     for action in actions:
#         node = node.children[action]
#     backpropagate(node, value)
# draw_tree(game, tree, path=[tree, tree.children[5], tree.children[5].children[7]], exploration=1.0)

# %% [markdown]
# Child 5 has n = 5 and W = -1 - 1 - 0 - 1 - 1 = -4: bad for O, who is to move there, hence good for X, who would
# choose it. The root has n = 9 and W = 1, the negative of its children's 1 + 0 - 4 + 1 + 1. Green marks the path of
# the last result.
#
# ## 2.6 UCB: which child deserves the next visit?
#
# Every node is a bandit, and its children are the arms. The rule of 2.0 applies with one change: W is in the
# *child's* view, but the player at the *parent* chooses. A value that is bad for the child's player is good for the
# player who chooses: hence the minus.
#
# $$\mathrm{ucb} = -\frac{W}{n} + c\sqrt{\frac{\ln N}{n}}, \qquad \text{and } \infty \text{ where } n = 0$$
#
# with n and W of the child, and N the visits of its parent.
#
# **By hand**, in the tree of nine results (2.5), with $N = 9$, $\ln 9 = 2.197$:
#
# | child | n | W | $-W/n$ | bonus, c = 1 | ucb, c = 1 | ucb, c = .5 |
# |---|---|---|---|---|---|---|
# | 3 | 1 | 0 | 0 | $\sqrt{2.197/1} = 1.482$ | **1.482** | .741 |
# | 5 | 5 | -4 | +.8 | $\sqrt{2.197/5} = .663$ | 1.463 | **1.131** |
# | 1, 6, 7 | 1 | 1 | -1 | 1.482 | .482 | -.259 |
#
# With $c = 1$ the next simulation looks once more at move 3, seen only once; with $c = .5$ it goes on with move 5.
# Both choices make sense. This is the question of exploration, and you will measure it in 2.12.

# %% exercise="2.6" title="ucb" points=10
def ucb(node: TreeNode, exploration: float) -> float:
    """Return the upper confidence bound of `node`, for the player who chooses at its parent.

    Args:
        node: a node with a parent.
        exploration: c >= 0, the weight of the bonus; 0 leaves the mean alone.

    Returns -W/n + c sqrt(ln N / n), with W and n the node's total_value and num_visits and N the
    visits of its parent; math.inf when the node has no visit yet, for every c. The tree is not changed.

    Source: Kocsis and Szepesvari (2006), section 2; the minus because W is in the mover's view.
    """
    # TODO 2.6: infinity where the formula would divide by zero, the formula elsewhere. About 4 lines.
    raise NotImplementedError("exercise 2.6 (ucb) is not written yet")

# %% check="2.6"
@check("2.6", "ucb")
def check_2_6():
    """the bound is the mean, as the parent's player sees it, plus the bonus"""
    top = TreeNode("top")
    top.num_visits = 500
    parent = top.children[3] = TreeNode("parent", top, 3)
    node = parent.children[0] = TreeNode("node", parent, 0)
    other = parent.children[4] = TreeNode("other", parent, 4)
    other.num_visits = 11
    for visits in (0, 7):
        parent.num_visits = visits
        for c in (1.0, 0.0):
            expect(ucb(node, c), math.inf, what=f"ucb with c = {c:g}", position=f"n = 0, N = {visits}",
                   think="what is known of a node without a visit, whatever c is?")
    # ln 20 = 2.9957 and sqrt(2.9957 / 4) = .8654; ln 9 = 2.197 and sqrt(2.197 / 5) = .6629
    cases = [  # n, W, N, c, bound, question
        (4, 3.0, 20, 0.0, -0.75, "sum or mean? Whose success is W, and who chooses?"),
        (4, 3.0, 20, 1.0, 0.1154, "which logarithm, of whose visits, divided by what, and is all of it under the root?"),
        (4, 3.0, 20, 2.0, 0.9808, "what does c multiply: the bonus, or what is under the root?"),
        (5, -4.0, 9, 0.5, 1.1315, "whose visits are N, and is what is bad for the node's player good for the one who chooses?"),
        (5, -4.0, 9, 0.0, 0.8, "is what is bad for the node's player good for the one who chooses?"),
        (2, -9.0, 4, 0.0, 4.5, "may a bound be large?"),
        (1, 3.0, 1, 1.0, -3.0, "what is ln 1?"),
    ]
    for visits, total, above, c, wanted, question in cases:
        node.num_visits, node.total_value, parent.num_visits = visits, total, above
        where = f"n = {visits}, W = {total:g}, N = {above}"
        expect(ucb(node, c), wanted, what=f"ucb with c = {c:g}", position=where, tolerance=1e-4, think=question)
        expect((node.num_visits, node.total_value, parent.num_visits), (visits, total, above), what="n, W and N afterwards",
               position=where,
               think="who counts visits?")

# %% tags=["experiment"] active="ipynb"
# print("action   c = 1   c = .5")
# for action, child in sorted(tree.children.items()):
#     print(f"{action:6} {ucb(child, 1.0):7.3f} {ucb(child, 0.5):8.3f}")
# draw_tree(game, tree, exploration=0.5, highlight=[tree.children[5], tree.children[5].children[3]])

# %% [markdown]
# Your own function computes these numbers: compare them with the table. The picture is the same tree once more, now
# with the bounds for $c = .5$ and with the highest of each row in violet. Read its lower row as O, who has just
# seen X play 5. There $N = 5$, $\ln 5 = 1.609$, and each of O's four answers has $n = 1$. O would look next at move
# 3, with $0 + .634$ against $-1 + .634$ for the others: it blocks the middle row. The tree knows nothing about
# rows.

# %% [markdown]
# ## 2.7 The best child
#
# Compare the bounds of all children and take the highest, $\arg\max_a \mathrm{ucb}(\text{child}_a)$. When several
# children share it, draw one of them at random: always taking the first would make the search favour low-numbered
# moves, and nobody would notice for a long time.
#
# **By hand.** In the tree of nine results, with $c = 1$: `best_child(root)` is child 3 (1.482). With $c = 0$ it is
# child 5 (.8). With $c = 0$ at child 5 its children 1, 6 and 7 have -1 and child 3 has 0: child 3. Among 1, 6 and 7
# alone, each would have probability 1/3.

# %% exercise="2.7" title="best_child" points=7
def best_child(node: TreeNode, exploration: float, rng: random.Random) -> TreeNode:
    """Return the child of `node` with the highest upper confidence bound.

    Args:
        node: a node with at least one child.
        exploration: c, passed to `ucb`.
        rng: draws among the children that share the highest bound, each equally likely.

    The tree is not changed.

    Raises:
        ValueError: the node has no children.
    """
    # TODO 2.7: all bounds, the highest of them, a draw among the children that have it. About 5 lines.
    raise NotImplementedError("exercise 2.7 (best_child) is not written yet")

# %% check="2.7"
@check("2.7", "best_child")
def check_2_7():
    """the highest bound wins, and a tie is drawn"""
    rng = random.Random(27)

    def family(children, above=6):
        parent = TreeNode("parent")
        parent.num_visits = above
        for action, (visits, total) in children.items():
            child = parent.children[action] = TreeNode(f"child {action}", parent, action)
            child.num_visits, child.total_value = visits, total
        return parent

    parent = family({0: (3, -1.5), 1: (1, 0.0), 2: (2, 1.0)})
    where = "children 0, 1, 2 with n = 3, 1, 2 and W = -1.5, 0, 1; N = 6"
    expect_true(best_child(parent, 0.0, rng) in parent.children.values(), what="best_child is one of the children",
                position=where, think="is it the child that you return, or its action, or its bound?")
    # with c = 1, ln 6 = 1.792: .5 + .773 = 1.273, 0 + 1.339 = 1.339, -.5 + .947 = .447
    cases = [  # {action: (n, W)}, c, the actions that may come, question
        ({0: (3, -1.5), 1: (1, 0.0), 2: (2, 1.0)}, 0.0, [0],
         "is a high W good for the player who chooses, and does ucb get the c that you were given?"),
        ({0: (3, -1.5), 1: (1, 0.0), 2: (2, 1.0)}, 1.0, [1],
         "visits, means or bounds: which do you compare, and which c does ucb get?"),
        ({4: (3, 3.0), 6: (2, 2.0), 8: (1, 1.0)}, 0.0, [4, 6, 8],
         "all three share the highest bound, -1: who decides among them?"),
        ({3: (2, 9.0), 5: (2, 30.0)}, 0.0, [3], "may the highest bound be far below -1?"),
        ({2: (1, 0.0), 3: (2, 1.0), 5: (1, 0.0), 7: (1, 0.0)}, 1.0, [2, 5, 7],
         "do all that share the highest bound have the same chance?"),
        ({2: (0, 0.0), 3: (5, -5.0), 4: (0, 0.0), 7: (0, 0.0)}, 0.0, [2, 4, 7],
         "which bound has a child without a visit, and who decides among several?"),
        ({8: (6, 2.0)}, 1.0, [8], "which is the best of one?"),
    ]
    for children, c, best, question in cases:
        parent, where = family(children), f"children as {{action: (n, W)}}: {children}; N = 6"
        if len(best) == 1:
            expect({best_child(parent, c, rng).action for _ in range(900)}, set(best),
                   what=f"the best child's action with c = {c:g}, always {best[0]}", position=where, think=question)
        else:
            expect_even([best_child(parent, c, rng).action for _ in range(900)], best,
                        what=f"the best child's action with c = {c:g}", position=where, think=question)
            expect_by_rng(lambda rng: best_child(parent, c, rng).action, what="the best child's action", position=where)
        expect({action: (child.num_visits, child.total_value) for action, child in parent.children.items()}, children,
               what="the children afterwards", position=where, think="who counts visits?")
    expect_error(ValueError, lambda: best_child(TreeNode("alone"), 1.0, rng), what="best_child",
                 position="a node without children", think="which is the best of none?")

# %% [markdown]
# ## 2.8 Select
#
# Selection goes down as long as all children are there to compare. It stops at the first node with an untried
# action (there the tree grows), or with a finished game (there is nothing below).
#
# **By hand.** In the tree of nine results with $c = .5$: the root has all five children, so selection goes to child 5
# (1.131). Child 5 has all four, so selection goes to child 3 of these. That node has no children and three free
# squares: stop. With $c = 1$ selection goes from the root to child 3 and stops there.

# %% exercise="2.8" title="select" points=8
def select(game: Game, node: TreeNode, exploration: float, rng: random.Random) -> TreeNode:
    """Descend from `node` along the best children and return the node where the tree can grow.

    Args:
        node: where to begin, usually the root.
        exploration, rng: passed to `best_child`.

    Returns the first node on the path where some legal action has no child yet, or where the game is over; it may
    be `node` itself. The tree is not changed.

    Source: Browne et al. (2012), algorithm 2, TreePolicy.
    """
    # TODO 2.8: go to the best child while all children are there and the game goes on. About 3 lines.
    raise NotImplementedError("exercise 2.8 (select) is not written yet")

# %% check="2.8"
@check("2.8", "select")
def check_2_8():
    """selection stops where something is left to try, and where the game is over"""
    rules = {"top": ["left", "right"], "left": ["far left"], "right": ["end", "other end"]}
    game, rng = ToyGame(rules, {"end": -1.0}, start="top"), random.Random(28)

    def grow(parent, action, visits, total):
        child = parent.children[action] = TreeNode(game.play(parent.state, action), parent, action)
        child.num_visits, child.total_value = visits, total
        return child

    def reach(name, children, think, c=1.0, begin=None):
        begin = root if begin is None else begin
        where = f"a game with top -> left, right; left -> far left; right -> end, other end; in the tree: {children}"
        what = f"the state reached from {begin.state} with c = {c:g}"
        try:
            expect(select(game, begin, c, rng).state, name, what=what, position=where, think=think)
        except ValueError as error:  # of best_child, at a node without children: the walk went too far
            expect_true(False, what=f"{what} == {name!r}", yours=error, position=where, think=think)

    root = TreeNode("top")
    root.num_visits = 4
    reach("top", "top", "is every action of the root tried?")
    left = grow(root, 0, 1, 1.0)
    reach("top", "top, left", "is every action of the root tried?")
    right = grow(root, 1, 3, -2.0)
    reach("right", "top, left, right", "which child has the higher bound, and what is left to try there?")
    reach("left", "top, left, right", "does best_child get the c that you were given?", c=10.0)
    end, _ = grow(right, 0, 1, -1.0), grow(right, 1, 1, 0.0)
    reach("end", "all but far left", "does the walk go on from `right`? And did it go on from a finished game?")
    reach("end", "all but far left", "does the walk begin at the node that is given?", begin=right)
    reach("end", "all but far left", "where does the walk begin, and where is the game over?", begin=end)
    reach("left", "all but far left", "does the walk begin at the node that is given?", begin=left)
    end.total_value = 1.0
    reach("other end", "all, and W of end is 1", "other end is a draw: is that the end of the game?", c=0.0)
    grow(left, 0, 1, -1.0)
    nodes = (root, left, right, end)
    expect(([node.num_visits for node in nodes], [list(node.children) for node in nodes]),
           ([4, 1, 3, 1], [[0, 1], [0], [0, 1], []]), what="the visits and the children of top, left, right, end",
           think="does selection change the tree?")
    wide, names = TreeNode("top"), ["a", "b", "c"]
    game = ToyGame({"top": names, "a": ["more"], "b": ["more"], "c": ["more"]}, {}, start="top")
    wide.num_visits = 3
    for action in range(3):
        grow(wide, action, 1, 1.0)
    expect_even([select(game, wide, 1.0, rng).state for _ in range(900)], names, what="the states reached",
                think="which rng does best_child get?",
                position="a game with top -> a, b, c, which all have n = 1, W = 1 and an untried action")
    expect_by_rng(lambda rng: select(game, wide, 1.0, rng).state, what="the state reached", position="the same")

# %% tags=["experiment"] active="ipynb"
# for c in (0.5, 1.0):
#     leaf = select(game, tree, c, random.Random(0))
#     path = [leaf]
#     while path[0].parent is not None:
#         path.insert(0, path[0].parent)
#     print(f"c = {c}: the next simulation goes along {[node.action for node in path[1:]]}; there the tree grows")

# %% [markdown]
# ## 2.9 Search
#
# Now put the four phases together and repeat. When the simulations are used up, play the move with the **most
# visits**, $\arg\max_a n_a$.
#
#     repeat num_simulations times
#         leaf  = the node that selection finds from the root
#         leaf  = a new child of it, unless the game is over there
#         value = the outcome, if the game is over at the leaf
#                 an estimate, if not: for the player to move at the leaf
#         backpropagate the value from the leaf
#
# The estimate is a random game unless the caller gives `evaluate`. That parameter is small and important: in
# problem sets 4 and 5 a network's value takes its place. (Their networks also say which actions look good; that
# changes the bound.) The docstring of `search` also allows another form, which makes all children of a node at once.
# You can pass over that sentence: the lines above are enough.
#
# **By hand, exactly.** A toy game of seven states; beside a state stands its value for the player to move there,
# from `evaluate` or from the end of the game. Five simulations give the same tree for any choice at ties, and for
# every $c$ from 0 to 24:
#
#                    s0                     s1 and s2 go on,
#                /        \                 s3 to s6 are finished;
#           s1: 20        s2: 10             a toy value may leave [-1, 1],
#           /    \        /    \             which makes it easy to trace
#       s3: 0  s4: 0  s5: -14  s6: 0
#
# | simulation | way | value at its end | s0: n, W | s1 | s2 | s5 | s6 |
# |---|---|---|---|---|---|---|---|
# | 1 | s0, new s1 | 20 for s1's mover | 1, -20 | 1, 20 | | | |
# | 2 | s0, new s2 | 10 for s2's mover | 2, -30 | 1, 20 | 1, 10 | | |
# | 3 | s0, s2, new s5 | -14 for s5's mover | 3, -44 | 1, 20 | 2, 24 | 1, -14 | |
# | 4 | s0, s2, new s6 | 0 | 4, -44 | 1, 20 | 3, 24 | 1, -14 | 1, 0 |
# | 5 | s0, s2, s5 again | -14 | **5, -58** | **1, 20** | **4, 38** | **2, -28** | **1, 0** |
#
# Row 3: why s2 and not s1? Because ucb(s1) = -20 + .83 and ucb(s2) = -10 + .83: s1 is very good, but for the
# *other* player. Row 5: at s2 the mover compares -(-14) = 14 with 0 and goes to s5, for the same reason. The search
# plays the move to s2, with four visits of five. A `backpropagate` that never flips the sign ends with +2 at the
# root.

# %% exercise="2.9" title="search" points=14
def search(game: Game, state: State, num_simulations: int, exploration: float, rng: random.Random,
           evaluate: Evaluate | None = None) -> tuple[int, TreeNode]:
    """Build a tree at `state` with `num_simulations` simulations and return the move and the root.

    Args:
        num_simulations: at least 1; each ends with one backpropagate.
        exploration: c of `ucb`.
        rng: the only source of chance, passed to `select`, `expand` and `simulate`.
        evaluate: evaluate(state) -> value for the player to move there, called once in every simulation that ends
            at a state where the game goes on; None stands for one `simulate` with `random_policy`.

    Returns (action, root): the action with most visits (any of them when tied), and the root, with
    root.num_visits == num_simulations. Where the game is over, its outcome is the value. Each simulation adds one
    child, by your `expand`, unless it ends at a finished game that has its node already. You may also write a search
    that makes all children of a node at once, if they have no visits and each simulation goes on to one of them,
    unvisited ones first. Only legal actions are played, and none where the game is over. With 200 simulations and
    c = 1 the move at a Tic-Tac-Toe position with four free squares or fewer is nearly always a best one.

    Raises:
        ValueError: the game is over at `state`, or num_simulations < 1.

    Source: Browne et al. (2012), algorithm 2, UctSearch; but the final move is the one with most
    visits ("robust child"), not the one with the best mean.
    """
    # TODO 2.9: the four phases, num_simulations times; then compare the root's children by visits.
    #           About 15 lines.
    raise NotImplementedError("exercise 2.9 (search) is not written yet")

# %% check="2.9"
@check("2.9", "search")
def check_2_9():
    """five simulations on the toy tree give the numbers found by hand"""
    game, rng, asked = FIVE_SIMULATIONS, random.Random(29), []

    def evaluate(state):
        asked.append(state)
        return game.evaluate(state)

    action, root = search(game, "s0", 5, 1.0, rng, evaluate)
    nodes = (root, root.children[0], root.children[1])
    where = "the toy game above, five simulations, c = 1"
    expect(root.num_visits, 5, what="num_visits of s0", position=where,
           think="how many rounds, and does one that ends at a finished state count?")
    expect([node.num_visits for node in nodes[1:]], [1, 4], what="num_visits of s1, s2", position=where,
           think="at which node does the result begin its way up, for whom is it, and which child has the higher bound?")
    expect([node.total_value for node in nodes], [-58.0, 20.0, 38.0], what="total_value of s0, s1, s2",
           position=where, think="in which row does your tree leave the table, and does a sign never flip (+2 at s0)?")
    expect(sorted(asked), ["s1", "s2"], what="the states at which evaluate was asked", position=where,
           think="what is the value where the game is over?" if "s5" in asked or "s6" not in asked
           else "s6 is over, with the outcome 0: is 0 the same as None?")
    expect((action, root.state, root.parent), (1, "s0", None), what="the action, and the root's state and parent",
           position=where, think="which child of the root has most visits, and what is the root?")
    for state, number in [("s5", 5), ("s6", 5), ("s0", 0), ("s0", -1)]:
        expect_error(ValueError, lambda: search(game, state, number, 1.0, rng, evaluate), what="search",
                     position=f"the toy game from {state} with {number} simulations", think="is there anything to search?")
    for number in (1, 2):
        expect(search(game, "s2", number, 1.0, rng, evaluate)[1].num_visits, number, what="num_visits of the root",
               position=f"the toy game from s2 with {number} simulations", think="how many rounds?")
    _, root = search(game, "s0", 6, 1000.0, rng, evaluate)
    expect([root.children[action].num_visits for action in (0, 1)], [3, 3], what="num_visits of s1, s2 after 6 simulations",
           position="the toy game above, c = 1000", think="which c does the selection get?")
    late = ToyGame({"s0": ["s1", "s2"], "s1": ["s3"], "s2": ["s4"]}, {"s1": -0.5, "s3": -1.0})
    expect(search(late, "s0", 3, 1.0, rng, late.evaluate)[0], 0, what="the action after 3 simulations",
           position="s1 looks good (-.5 for its mover) and is visited again, which ends badly: n = 2, 1 and -W/n = -.25, 0",
           think="which child is played: with most visits, the best mean or the highest bound?")
    line = ToyGame({"s0": ["s1"], "s1": ["s2"], "s2": ["s3"]}, {"s1": 0.5, "s2": 0.5, "s3": -1.0})
    for state, total in [("s0", 4.0), ("s1", -4.0), ("s2", 4.0)]:
        expect(search(line, state, 4, 1.0, rng)[1].total_value, total, what=f"total_value of {state} after 4 simulations",
               position="forced moves s0 -> s1 -> s2 -> s3, the last of them wins; no evaluate",
               think="from which node is the game rolled out, to its end, and for whom is its result?")
    board = TicTacToe()
    action, _ = search(board, board.parse("XO./XO./..."), 100, 1.0, rng)
    expect(action, 6, what="the action after 100 simulations", position="XO./XO./..., X to move",
           think="without evaluate: who rolls out, and for whom is the result?")
    expect_even([search(board, board.parse("O../.X./..X"), 1, 1.0, rng)[0] for _ in range(900)], [1, 2, 3, 5, 6, 7],
                what="the action after 1 simulation", position="O../.X./..X",
                think="is the rng that was given handed on, and is every tree new?")
    expect_by_rng(lambda rng: [search(board, board.start(), 8, 1.0, rng)[1].total_value for _ in range(3)],
                  what="total_value of three roots", position="the empty board, 8 simulations each")

# %% [markdown]
# **Watch it think.** `step` runs your functions one phase at a time. Here are the five simulations of the table,
# first as text.

# %% tags=["experiment"] active="ipynb"
# toy = FIVE_SIMULATIONS
# phases = Phases(select, expand, toy.evaluate, backpropagate)
# print(step(toy, TreeNode("s0"), phases, num_simulations=5, rng=random.Random(1)))

# %% [markdown]
# And on the board of *The four phases*, where you watched a recording. Now every number comes from your own functions,
# and six simulations are done when you begin. Beside the picture is the list of its nodes. The arrow keys walk through
# the list, Enter opens a node, and below the list you read the two terms of the node's bound. Before you press *next
# phase*, take the bounds of the root's children from the list: where will the seventh simulation go?

# %% tags=["experiment"] active="ipynb"
# from arena.board.widgets import step_widget
#
# rng = random.Random(5)
# phases = Phases(select, expand, lambda state: simulate(game, state, random_policy, rng), backpropagate)
# _, step_tree = search(game, game.parse("X.O/.X./..O"), 6, 1.0, rng)
# step_widget(game, step_tree, phases, rng=rng)

# %% [markdown]
# The same in still pictures, which you may pass over if you have watched enough: three simulations in a row, the tenth
# to the twelfth. With the same seed a search of 12 simulations begins exactly like a search of 11. So the difference
# between the two trees is the last simulation: it is drawn in green.

# %% tags=["experiment"] active="ipynb"
# def last_way(root, before):
#     """Return the nodes of a tree that its last simulation visited; `before` is the same tree without it."""
#     way = [root]
#     while True:
#         old = before.children if before else {}
#         for action, child in way[-1].children.items():
#             if action not in old or old[action].num_visits != child.num_visits:
#                 way.append(child)
#                 before = old.get(action)
#                 break
#         else:
#             return way
#
#
# board = game.parse("X.O/.X./..O")
# for number in (10, 11, 12):
#     _, before = search(game, board, number - 1, 1.0, random.Random(5))
#     action, root = search(game, board, number, 1.0, random.Random(5))
#     way = last_way(root, before)
#     print(f"simulation {number} went along {[node.action for node in way[1:]]}; most visits so far: {action}")
#     display(draw_tree(game, root, path=way, highlight=way[-1:]))

# %% [markdown]
# **Back to the trap** of 2.2, where ten thousand random games behind each move were sure of the losing move 2. Your
# search plays random games too. What is different, and which move does it play in the end?

# %% tags=["experiment"] active="ipynb"
# guess = None  # which move does your search play after 3,000 simulations: 0, 1, 2, 4, 6 or 8?
# predict_first(guess)
# for number in (30, 100, 300, 1000, 3000):
#     action, root = search(game, TRAP, number, 1.0, random.Random(61))
#     visits = {a: root.children[a].num_visits for a in sorted(root.children)}
#     two = root.children[2]
#     mean = round(-two.total_value / two.num_visits, 2) + 0.0
#     print(f"{number:5} simulations: plays {action}; visits {visits}; mean of move 2: {mean:+.2f}")
# way = [root, two]
# while way[-1].children:
#     way.append(max(way[-1].children.values(), key=lambda child: child.num_visits))
# print("what it expects after move 2:", [node.action for node in way[2:]])
# compare(guess, action)
# draw_tree(game, root, path=way[:5], max_depth=2, max_children=2)

# %% [markdown]
# <details><summary><b>What you should see</b></summary>
#
# At first the search prefers move 2 as well. Then, below move 2, X's simulations gather at the one good reply 8,
# below that O's at 6 and X's at 4. Inside the tree both sides play better and better, while the rollouts play any
# move. The mean of move 2 sinks, and once it is below the mean of a draw the move gets hardly any more visits:
# compare 1,000 with 3,000 simulations. The search need not prove that the move loses; the move only has to look
# worse than another.
#
# </details>
#
# In the long run this always works out: Kocsis and Szepesvari prove that, with enough exploration, the probability
# of a wrong move at the root tends to 0.
#
# **How long is the long run?** Look at the toy game again. By exact play s0 should go to s1, worth 0, since s2 is
# worth -14 to the player who moves at s0. Your five simulations chose s2, and with $c = 1$ a thousand still do:

# %% tags=["experiment"] active="ipynb"
# guess = None  # with c = 1, how many of the 1,000 simulations go to s1?
# to_s1 = {}
# predict_first(guess)
# for c in (1.0, 10.0, 30.0):
#     action, root = search(FIVE_SIMULATIONS, "s0", 1000, c, random.Random(0), FIVE_SIMULATIONS.evaluate)
#     to_s1[c] = root.children[0].num_visits
#     print(f"c = {c:4}: visits of s1 and s2 are", [root.children[a].num_visits for a in (0, 1)])
# compare(guess, to_s1.get(1.0))

# %% [markdown]
# <details><summary><b>What you should see</b></summary>
#
# The first look at s1 said 20 for the opponent, so s1's bound is $-20 + \sqrt{\ln N}$ with $c = 1$ and one visit,
# against about -14 for s2. It gets its second visit when $\sqrt{\ln N}$ is nearly 6, that is $N \approx e^{36}$,
# some 4,000,000,000,000,000 simulations.
#
# </details>
#
# Exploration has the unit of the value: when values are as large as 20, $c = 1$ is almost no exploration. This is why
# values are in [-1, 1] in these problem sets, and why you should look at c first when you change the game.

# %% [markdown]
# ## 2.10 The same search without nodes
#
# Many AlphaZero programs, ours in problem set 4 among them, have no nodes. They keep tables: `N[s][a]`, how often
# action a was taken at state s, and `Q[s][a]`, the mean result of a at s, for the player to move at s. One
# simulation is one recursive function:
#
# $$v(s) = \begin{cases}
# \text{outcome}(s) & \text{the game is over} \\
# \text{evaluate}(s) & s \text{ is new: make its entries} \\
# -v(s') & \text{else; } s' \text{ is the state after } a
# \end{cases}$$
#
# $$a = \arg\max_a \left( Q[s][a] + c\sqrt{\frac{\ln \sum_b N[s][b]}{N[s][a]}} \right)$$
#
# and in the third case the edge learns on the way back: $N \leftarrow N + 1$, $\;Q \leftarrow Q + (v(s) - Q)/N$. The
# four phases are still there. Find them: going down, making the entries, `evaluate`, coming back up.
# Backpropagation has no loop any more: returning from the call does it. The sign flips in one place, at the call.
#
# Three things differ from 2.9.
#
# - *The root.* A search over nodes never evaluates its root. Here the first simulation finds s0 new and evaluates
#   it, without taking any action. So six simulations here take as many actions at s0 as five in 2.9.
# - *Counting.* In 2.9 the visits of a node count the simulation that made the node as well. Here the logarithm is of
#   $\sum_b N[s][b]$, without that simulation: one less. So the bounds below the root differ a little, and if two
#   bounds are close together the two searches may choose differently.
# - *Sharing.* Tic-Tac-Toe reaches the same board by different orders of the same moves. In a tree these are
#   different nodes; a table has **one** entry. Results from one path help on the other path. At such a board s,
#   $\sum_b N[s][b]$ counts the simulations of all paths together. But take an edge that leads *into* s: its N and its Q
#   are made from the simulations that came by this edge, and from no others. So two edges into the same state may have
#   different means.
#
# **By hand.** Six simulations of the toy game:
#
# | simulation | way | returns to s0 | N[s0] | Q[s0] |
# |---|---|---|---|---|
# | 1 | s0 is new | 0 = evaluate(s0) | {0: 0, 1: 0} | {0: 0, 1: 0} |
# | 2 | s0, s1 is new | -20 | {0: 1, 1: 0} | {0: -20, 1: 0} |
# | 3 | s0, s2 is new | -10 | {0: 1, 1: 1} | {0: -20, 1: -10} |
# | 4 | s0, s2, s5 over | -14 | {0: 1, 1: 2} | {0: -20, 1: -12} |
# | 5 | s0, s2, s6 over | 0 | {0: 1, 1: 3} | {0: -20, 1: -8} |
# | 6 | s0, s2, s5 over | -14 | **{0: 1, 1: 4}** | **{0: -20, 1: -9.5}** |
#
# In 2.9 the edges had 1 and 4 visits after five simulations, and -38/4 is -9.5: the same numbers, because here no
# two bounds are close together.

# %% exercise="2.10" title="recursive_search" points=8
def recursive_search(game: Game, state: State, Q: Means, N: Counts, exploration: float, rng: random.Random,
                     evaluate: Evaluate) -> float:
    """Run ONE simulation from `state` over tables instead of nodes and return its value.

    Args:
        Q: Q[s][a], the mean result of action a at s, for the player to move at s; filled in place.
        N: N[s][a], how often a was taken at s; filled in place, with the same keys as Q.
        exploration: c; the bound of an action is Q[s][a] + c sqrt(ln(sum of N[s]) / N[s][a]).
        rng: draws among untried actions, and among equal bounds.
        evaluate: evaluate(state) -> value for the player to move there.

    Returns the value for the player to move at `state`; the caller negates it. Game over: the
    outcome, and no entry. Not in the tables yet: entries of 0.0 and 0 for every legal action, and
    evaluate(state). Else take one action: an untried action first, otherwise an action with the highest bound. Its
    N grows by 1 and its Q becomes the mean. Nothing is stored outside Q and N.
    """
    # TODO 2.10: the three cases of the formula; store nothing outside Q and N. About 16 lines.
    raise NotImplementedError("exercise 2.10 (recursive_search) is not written yet")

# %% [markdown]
# The loop around it is given.

# %%
def search_with_tables(game: Game, state: State, num_simulations: int, exploration: float, rng: random.Random,
                       evaluate: Evaluate | None = None) -> tuple[int, Means, Counts]:
    """Run `recursive_search` num_simulations times; return (action with most visits, Q, N).

    If `evaluate` is None, a random game is the estimate, as in `search`.
    """
    Q: Means = {}
    N: Counts = {}

    def rollout(state: State) -> float:
        return simulate(game, state, random_policy, rng)

    for _ in range(num_simulations):
        recursive_search(game, state, Q, N, exploration, rng, evaluate or rollout)
    return max(N[state], key=N[state].get), Q, N

# %% check="2.10"
@check("2.10", "recursive_search")
def check_2_10():
    """one simulation: the outcome, a new entry, or one edge that learns"""
    game, rng, Q, N, asked = FIVE_SIMULATIONS, random.Random(30), {}, {}, []

    def evaluate(state):
        asked.append(state)
        return game.evaluate(state)

    for state, outcome in [("s5", -14.0), ("s6", 0.0)]:
        value = recursive_search(game, state, Q, N, 1.0, rng, evaluate)
        expect(value, outcome, what="the value", position=f"{state}, where the game is over", think="for whom is an outcome?")
        expect((Q, N, asked), ({}, {}, []), what="(Q, N, the states evaluated)",
               position=f"{state}, where the game is over: its outcome is {outcome:g}",
               think="does a finished game get an entry" + ("?" if outcome else ", and is 0 the same as None?"))
    value = recursive_search(game, "s2", Q, N, 1.0, rng, evaluate)
    expect(value, 10.0, what="the value", position="s2, which is new and worth 10 to its mover",
           think="for whom is evaluate(state), and for whom is the value that you return?")
    expect([Q, N], [{"s2": {0: 0.0, 1: 0.0}}, {"s2": {0: 0, 1: 0}}], what="[Q, N]", position="after that",
           think="is any action taken at a state that is new?")
    for first, c in [(-20.0, 1.0), (20.0, 1.0), (20.0, 0.0)]:
        Q, N = {"s0": {0: first, 1: 0.0}}, {"s0": {0: 1, 1: 0}}
        where = f"s0 with N = {{0: 1, 1: 0}} and Q = {Q['s0']}, c = {c:g}; s2, after action 1, is new"
        value = recursive_search(game, "s0", Q, N, c, rng, evaluate)
        expect(value, -10.0, what="the value", position=where, think="which action is untried, and who is to move at s2?")
        expect([N["s0"], Q["s0"]], [{0: 1, 1: 1}, {0: first, 1: -10.0}], what="[N[s0], Q[s0]] after it",
               position=where, think="whose view is Q[s][a], and is it the mean of all results so far?")
    Q, N = {"s2": {0: 6.0, 1: -5.0}}, {"s2": {0: 3, 1: 1}}
    value = recursive_search(game, "s2", Q, N, 1.0, rng, evaluate)
    where = "s2 with N = {0: 3, 1: 1} and Q = {0: 6, 1: -5}; action 0 ends the game with 14 for s2's mover"
    expect(N["s2"], {0: 4, 1: 1}, what="N[s2]", position=where,
           think="which action was taken, and is Q already for the mover?")
    expect((value, Q["s2"], N["s2"]), (14.0, {0: 8.0, 1: -5.0}, {0: 4, 1: 1}), what="(the value, Q[s2], N[s2])",
           position=where,
           think="what is returned: this simulation's value, or the mean? And which of them does the edge keep?")
    Q, N = {}, {}
    for _ in range(3):
        recursive_search(game, "s0", Q, N, 1.0, rng, evaluate)
    expect_integers([count for row in N.values() for count in row.values()], what="the counts in N",
                    position="s0, after three simulations from empty tables")
    Q, N = {"s2": {0: 1.0, 1: 0.0}}, {"s2": {0: 8, 1: 2}}
    recursive_search(game, "s2", Q, N, 0.5, rng, evaluate)
    expect(N["s2"], {0: 9, 1: 2}, what="N[s2]",
           position="s2 with N = {0: 8, 1: 2} and Q = {0: 1, 1: 0}, c = .5: the bounds are 1.27 and .54",
           think="which bound is higher, and where does c stand?")
    # ln 3 = 1.099: .33 + .741 = 1.071 and 0 + 1.048; with one more, ln 4 = 1.386: .33 + .833 = 1.163 and 0 + 1.177
    Q, N = {"s2": {0: 0.33, 1: 0.0}}, {"s2": {0: 2, 1: 1}}
    recursive_search(game, "s2", Q, N, 1.0, rng, evaluate)
    expect(N["s2"], {0: 3, 1: 1}, what="N[s2]",
           position="s2 with N = {0: 2, 1: 1} and Q = {0: .33, 1: 0}, c = 1: the bounds are 1.07 and 1.05",
           think="of which number is the logarithm: exactly of the sum of N[s], or of another one?")
    asked.clear()
    _, Q, N = search_with_tables(game, "s0", 6, 1.0, rng, evaluate)
    expect([N["s0"], Q["s0"]], [{0: 1, 1: 4}, {0: -20.0, 1: -9.5}], what="[N[s0], Q[s0]]",
           position="six simulations, as in the table above",
           think="is Q the mean of all results so far, and for whom: does the bound need another sign?")
    expect((sorted(Q), sorted(N), sorted(asked)), (["s0", "s1", "s2"],) * 3,
           what="(the keys of Q, of N, the states evaluated)", position="six simulations, as in the table above",
           think="which states get an entry, and how often is a state evaluated?")
    _, Q, N = search_with_tables(game, "s0", 7, 1000.0, rng, evaluate)
    expect(N["s0"], {0: 3, 1: 3}, what="N[s0] after 7 simulations with c = 1000", position="the toy game above",
           think="whose visits stand under the logarithm, and which c counts?")
    board = TicTacToe()
    state = board.parse("OX./.X./..O")
    for count, mean, what in [(0, 0.0, "untried actions"), (2, -3.0, "equal bounds")]:
        def taken(rng, count=count, mean=mean):
            counts = {action: count for action in board.legal_actions(state)}
            Q, N = {state: {action: mean for action in counts}}, {state: counts}
            if not count:
                Q[state][3], N[state][3] = 1.0, 5
            before = dict(N[state])
            recursive_search(board, state, Q, N, 1.0, rng, lambda state: 0.0)
            return next(action for action in before if N[state][action] != before[action])

        expect_even([taken(rng) for _ in range(900)],
                    [action for action in board.legal_actions(state) if count or action != 3],
                    what="the action taken", position=f"OX./.X./..O, X to move, {what}",
                    think=f"what decides between {what}, and have all the same chance?")
        expect_by_rng(taken, what="the action taken", position=f"OX./.X./..O, X to move, {what}")

# %% [markdown]
# **Predict first:** after 3,000 simulations from the empty board, how many different boards *where the game goes on*
# are among the nodes of your tree? The cell also prints how many boards are in your tables.

# %% tags=["experiment"] active="ipynb"
# guess = None  # after 3,000 simulations, how many different boards where the game goes on are among the nodes?
#
#
# def states_below(node):
#     """Return the state of every node of a tree where the game goes on, as often as it is there."""
#     own = [] if node.is_terminal(game) else [node.state]
#     return sum((states_below(child) for child in node.children.values()), own)
#
#
# predict_first(guess)
# _, root = search(game, game.start(), 3000, 1.0, random.Random(0))
# _, Q, N = search_with_tables(game, game.start(), 3000, 1.0, random.Random(0))
# states = states_below(root)
# print(f"the tree: {len(states)} nodes where the game goes on, with {len(set(states))} different boards")
# print(f"the tables: {len(N)} boards")
# twice = game.parse("X.O/.../..X")
# print("X.O/.../..X, which X reaches in two orders:", states.count(twice), "nodes; N in its one entry:", N[twice])
# compare(guess, len(set(states)))

# %% [markdown]
# <details><summary><b>What you should see</b></summary>
#
# Every simulation adds at most one node; a simulation that ends in a known finished game adds none. More than a
# third of the tree's nodes are boards that the tree has elsewhere already, and at each of these nodes the search
# starts from nothing. The tables spend the same simulations on more boards.
#
# </details>
#
# What would happen in a game with far more orders of the same moves, such as Connect Four? And why does this recursion
# fail in a game that can return to an earlier board?
#
# <details><summary><b>A short answer</b></summary>
#
# A tree would hold still more boards several times, so tables would save more. In a game that can return to an earlier
# board, the recursion can come back to a state that is still on its own path. That state is neither over nor new, and
# its counts change only on the way back up. So the recursion may go round and round and never return.
#
# </details>

# %% [markdown]
# ## 2.11 A game against yourself
#
# Search, play, search again: the program plays a whole game with both colours. This loop, which also records the
# visits of each tree, produces AlphaZero's training data.
#
# **By hand.** From a board with two free squares, two searches are made, the second on a board with one. `on_move`
# is called twice, each time *before* the move is played, so that `root.state` is the board on which `action` was
# chosen.

# %% exercise="2.11" title="self_play" points=4
def self_play(game: Game, num_simulations: int, exploration: float, rng: random.Random,
              on_move: Callable[[TreeNode, int], None] | None = None) -> list[int]:
    """Play a whole game from game.start(), every move of both players by `search`.

    Args:
        num_simulations, exploration, rng: passed to `search`; every move gets a new tree.
        on_move: called as on_move(root, action) after each search and before the move is played.

    Returns the actions, in the order in which they were played.
    """
    # TODO 2.11: search, report, play, until the game is over. About 8 lines.
    raise NotImplementedError("exercise 2.11 (self_play) is not written yet")

# %% check="2.11"
@check("2.11", "self_play")
def check_2_11():
    """the game goes to its end, and each move is reported with the tree that chose it"""
    game, trees, reported = TicTacToe(), [], []

    def on_move(root, action):
        trees.append(root)
        reported.append(action)

    def shown(state):
        return "/".join(game.rows(state)) if isinstance(state, tuple) else state

    actions = self_play(game, 30, 1.0, random.Random(31), on_move)
    where = "Tic-Tac-Toe, 30 simulations a move"
    expect(reported, actions, what="the actions told to on_move", position=where,
           think="on_move(root, action): is every action reported, and do you return the same?")
    end = after(game, actions)
    expect_true(game.outcome(end) is not None, what="the game is over after these actions", yours=actions,
                position=where, think="when does the loop end?")
    for ply, root in enumerate(trees):
        expect(shown(root.state), shown(after(game, actions[:ply])), what=f"root.state at move {ply + 1}",
               position=where, think="is on_move called before or after the move is played?")
        expect(root.num_visits, 30, what=f"root.num_visits at move {ply + 1}", position=where,
               think="does every move get a tree of its own?")
    drawn = ToyGame({f"s{ply}": [f"s{ply + 1}"] for ply in range(12)}, {"s12": 0.0})
    expect(self_play(drawn, 2, 1.0, random.Random(32)), [0] * 12, what="the actions, without on_move",
           position="a toy game of twelve forced moves, which ends in a draw",
           think="when does the loop end, and is 0 the same as None?")
    over = ToyGame({}, {}, start="over")
    expect(self_play(over, 2, 1.0, random.Random(32), on_move), [], what="the actions",
           position="a game that is over at its start",
           think="when does the loop end?")
    ends = ToyGame({"s0": ["won", "lost"]}, {"won": -1.0, "lost": 1.0})
    for c, visits in [(0.0, [19, 1]), (1000.0, [10, 10])]:
        trees.clear()
        self_play(ends, 20, c, random.Random(33), on_move)
        expect([trees[0].children[action].num_visits for action in (0, 1)], visits,
               what=f"the visits of the two moves with c = {c:g}",
               position="a game of one move: action 0 wins, action 1 loses; 20 simulations",
               think="which exploration does search get?")
    expect_by_rng(lambda rng: self_play(game, 3, 1.0, rng), what="the actions", position="Tic-Tac-Toe, 3 simulations a move",
                  think="is the rng that was given handed on, and is it the only source of chance?")

# %% tags=["experiment"] active="ipynb"
# record = []
# actions = self_play(game, 200, 1.0, random.Random(11), lambda root, action: record.append((root, action)))
# print("the game:", actions, "and at its end:")
# print(game.text(after(game, actions)))
# for number in range(4, 8):
#     root, action = record[number - 1]
#     means = {a: round(-child.total_value / child.num_visits, 1) + 0.0 for a, child in sorted(root.children.items())}
#     print(f"move {number}: {'XO'[game.player(root.state)]} plays {action}; the means: {means}")
#     display(draw_tree(game, root, path=[root, root.children[action]], max_depth=2, max_children=3))

# %% [markdown]
# Moves 4 to 7 of that game. Read each tree from the top: where did the 200 simulations go, and what answer does the
# search expect? Look for a move with nearly all the visits: there only one move does not lose, and the search has
# found why. Where several moves are equally good, the visits stay spread. As the board fills, more and more lines
# end inside the tree, and the random games matter less.

# %% [markdown]
# ## How a mistake is found: the table by hand, step by step
#
# <details><summary><b>A mistake that students make, found in five minutes</b></summary>
#
# The search of this story loses against a random player, and with more simulations it loses more. That is a hint
# already: **a search that gets worse with more simulations wants the wrong thing.** But which of its ten functions
# does?
#
# **The smallest case that you know by heart.** The toy game of 2.9 has a table: five simulations, every number worked
# out by hand. This tree ends with s0 5, -30, where the table has 5, -58. So something is wrong within five
# simulations, and not in Tic-Tac-Toe.
#
# **The first row that differs.** `step` prints what happens, as in *Watch it think* (2.9). Simulations 1 and 2 are as
# in the table. So `expand`, the evaluation and `backpropagate` do what they should. The third is not:
#
#     simulation 3 of 5
#       selection        s0: action 0, UCB −19.17, over −9.17
#                        ends at s1
#
# The table says that the third simulation goes through s2. Read the line again: the search takes action 0 with the
# bound -19.17, *over* -9.17. `step` computes these bounds itself, from n and W, but `select` follows the `ucb` of the
# search. They do not agree. A pencil decides: for s1, with n = 1 and W = 20, this `ucb` says +20.83. It takes what is
# good for the child's player as good for the parent's.
#
# What to keep: **begin with a case whose numbers you know, find the first row that differs, then the first phase in
# it.** What was right before that row is no suspect any more.
#
# </details>
#
# **Now you.** `expected_line` should return the line that a search expects: from the root down, always the child with
# most visits, of several the lowest move, and no move without a visit. The tree is given as
# `{move: (visits, children)}`. The function has one mistake, and you have not seen its code. Draw a tree of five or six
# nodes, write down what should come, and compare. Only when you have a tree for which it is wrong let `show_code` print
# the code. Copy it into the cell, repair it, and run the cell.

# %% tags=["experiment"] active="ipynb"
# from arena.show.mend import expected_line, judge, show_code
#
# small = {4: (9, {0: (6, {}), 2: (2, {})}), 7: (3, {})}
# print(expected_line(small), "should be [4, 0]")  # trees of your own go here
# # show_code(expected_line)  # last of all: copy what this prints to here, and repair it
# judge(expected_line)

# %% [markdown]
# ## 2.14 Find the bug in this tree
#
# A search with **one mistake** has grown the tree below. You see no code, only its numbers: this is how most bugs of
# a search are found. The list goes from the bottom up, so each node stands after its children, and the root is last.
# `results` lists one value for each simulation that ended at this node, for the player to move there: a rollout, or the
# outcome each time where the game is over (`over`). These values are right. n and W are what the search wrote.
#
# A node is *wrong* if its n or W does not follow from its own results and from its children's lines, as they stand
# in the list: n is the number of its results plus the n of its children, and W is the sum of its results minus the W
# of its children. So a node above a wrong one need not be wrong itself.
#
# **By hand.** A node with the results [1] has two children, with n = 2, W = -2 and n = 1, W = 1. Right are
# n = 1 + 2 + 1 = 4 and W = 1 + 2 - 1 = 2. Suppose that its line says n = 4, W = 1: it is wrong, and 1 is what a
# search writes that adds the result at the leaf alone. But one line may fit several mistakes. Only one of them fits
# the *whole* list.

# %%
TREE = [
    # name, parent, over, results, n, W
    ("A", "G", False, [1], 1, 1),
    ("B", "G", False, [1], 1, 1),
    ("C", "G", False, [1], 1, 1),
    ("D", "H", False, [1], 1, 1),
    ("E", "H", True, [0], 1, 0),
    ("F", "H", False, [0], 1, 0),
    ("G", "K", False, [-1], 4, 2),
    ("H", "K", False, [0], 4, 1),
    ("J", "K", True, [0, 0, 0, 0, 0, 0, 0, 0], 8, 0),
    ("K", None, False, [], 16, 3),
]
COLUMNS = ("over", "results", "n", "W")
KINDS = {
    "sign kept": "every result goes up to the root without a change of its sign",
    "draws not counted": "a simulation with the result 0 adds no visit, at no node",
    "end negated": "the outcome of a finished game is taken with the wrong sign",
    "end counted twice": "a simulation that ends at a finished game goes up to the root twice",
    "results stay at the leaf": "visits go up to the root, but results are added where the simulation ended, and nowhere else",
    "root left out": "the way up ends one node too early: the root gets neither visits nor results",
}

# %% tags=["experiment"] active="ipynb"
# from arena.show.listed import draw_list
#
# draw_list(TREE, COLUMNS)

# %% exercise="2.14" title="the bug in a tree" points=2
def first_wrong_node() -> tuple[str, str]:
    """Return (name, kind): the first wrong node of TREE from the top of the list, and the mistake, a key of KINDS.

    The first node is the first whose n or W does not follow from its results and its children's lines. The kind is
    the one mistake with which a search writes every line of the list as it stands.
    """
    # TODO 2.14: line by line with a pencil, or with a few lines of code elsewhere. Here one line is enough.
    raise NotImplementedError("exercise 2.14 (first_wrong_node) is not written yet")

# %% check="2.14"
@check("2.14", "the bug in a tree", form_only=True)
def check_2_14():
    """the answer is a node of the list and a kind of mistake; only the hidden check knows which"""
    answer = first_wrong_node()
    expect_true(isinstance(answer, (tuple, list)) and len(answer) == 2, what="a pair (name, kind)", yours=answer,
                think="which two things are asked for, in which order?")
    expect_true(answer[0] in [line[0] for line in TREE], what="the name of a node in TREE", yours=answer[0],
                think="what stands first in a line of the list?")
    expect_true(answer[1] in KINDS, what="a key of KINDS", yours=answer[1], think="how is the mistake called in KINDS?")

# %% [markdown]
# ## 2.15 Break it (optional, up to 5 points beside the 100)
#
# Until now our checks have tested your code. In this exercise your check tests the code of others. `check_backpropagate`
# gets an implementation of `backpropagate`. The implementation is right, or it has one mistake. If the implementation is
# wrong, your check raises an `AssertionError`. If the implementation is right, your check returns.
#
#     leaf = TreeNode("leaf", root, 0)        # build a small tree with your own TreeNode; link the children too
#     backpropagate(leaf, 1.0)                # call what you were given
#     assert leaf.num_visits == 1, "the leaf is visited"
#
# The grader keeps three right implementations, written in different ways, and ten wrong ones. Each wrong one has a mistake
# that students really make. **Every right one must pass your check**, or the exercise earns nothing: a check that rejects
# right code is worse than no check. Each wrong one that your check rejects earns half a point. Your report names the
# mistakes that your check caught. For each other mistake the report has the question that its author would be asked.
#
# **How to look for mistakes.** Ask only for what the docstring of 2.5 promises. Then think of what can go wrong. Which
# nodes change, by how much, and which nodes do not change? Is a second call like the first one? Is a long path like a
# short one, and a draw like a win? One call can test many of these, if the nodes of your tree begin with different
# visits and totals. Compare sums of fractions with `math.isclose`.
#
# A tree may have up to 500 nodes. Your check may call the implementation up to 3,000 times, with 100,000 nodes in all.
# Each call counts all nodes of its tree: 2,000 calls with a tree of 50 nodes are just within the limit. If the
# implementation raises an error and your check lets this error through, that counts as a rejection.

# %% exercise="2.15" title="break it" extra=5
def check_backpropagate(backpropagate: Callable[[TreeNode | None, float], None]) -> None:
    """Raise AssertionError if `backpropagate` breaks a promise of the docstring of 2.5; return None if it keeps them.

    Args:
        backpropagate: an implementation of 2.5, right or wrong. Its code cannot be read: only its answers tell.
    """
    # TODO 2.15: a tree with different numbers in every node, some calls, and asserts on every node. About 15 lines.
    raise NotImplementedError("exercise 2.15 (check_backpropagate) is not written yet")

# %% check="2.15"
@check("2.15", "break it", optional=True)
def check_2_15():
    """your check passes your own backpropagate, and fails one that does nothing and one that changes the given node alone"""
    def nothing(node, value):
        return None

    def one_node(node, value):
        node.num_visits, node.total_value = node.num_visits + 1, node.total_value + value

    for implementation, right, name, question in [
        (backpropagate, True, "your own backpropagate",
         "does the check of 2.5 pass, and do you ask only for what its docstring promises?"),
        (nothing, False, "a function that does nothing", "which numbers must have changed after a call?"),
        (one_node, False, "a function that changes the given node alone", "which other nodes must have changed?"),
    ]:
        accepted = verdict_of(check_backpropagate, implementation) is None
        expect_true(accepted == right, what=f"your check {'accepts' if right else 'rejects'} {name}",
                    yours="your check accepted it" if accepted else "your check rejected it", think=question)

# %% [markdown]
# ## Everything together
#
# The joint check plays with your functions, all of them at once. It needs no new code.

# %% check="joint" points=5
@check("joint", "everything together")
def check_joint():
    """your search, on your own functions, wins, blocks, and sees the trap"""
    game = TicTacToe()
    cases = [  # board, right moves, simulations, question
        (".OX/.OX/...", [8], 300, "can X win at once?"),
        ("X.X/OO./X..", [5], 300, "O is to move: can O win at once?"),
        ("X.O/.X./..O", [5], 300, "what does O threaten?"),
        (".../X.O/.X.", [0, 6], 3000, "are X's replies chosen by what is good for X?"),
    ]
    for seed, (board, right, number, question) in enumerate(cases):
        action, root = search(game, game.parse(board), number, 1.0, random.Random(seed))
        expect_true(action in right, what=f"the action is one of {right}", yours=action, think=question,
                    position=f"{board}, {number} simulations")
        expect(root.num_visits, number, what="the root's visits", position=board, think="do the checks above pass?")

# %% [markdown]
# ## 2.12 Experiments: measure it
#
# Nothing here is graded. Change the numbers, and look at how each measurement is made: in 2.13 you make one of your
# own.
#
# ### How often is the move right?
#
# Tic-Tac-Toe is small enough to solve: from every position, exact play (minimax) says which moves keep the best
# result. `right_actions(state)` returns these moves; it stands in the cell of imports at the top. Take positions where
# at least one move is a mistake, let your search choose with 10 to 3,000 simulations, and count how often the choice is
# right. `POSITIONS = 40` takes about 10 seconds; the full setting, `POSITIONS = 1000`, takes some five minutes and
# gives smooth curves.

# %% tags=["experiment"] active="ipynb"
# guess = None  # with c = 0 and 3,000 simulations, what share of the moves is right, from 0 to 1?
# import time
#
# POSITIONS = 40  # the full setting: 1000
# BUDGETS = [10, 30, 100, 300, 1000, 3000]
# predict_first(guess)
# exact_value(game.start())
# positions, rng = [], random.Random(12)
# while len(positions) < POSITIONS:  # a random walk of 1 to 5 plies
#     state = game.start()
#     for _ in range(rng.randint(1, 5)):
#         if game.outcome(state) is None:
#             state = game.play(state, random_policy(game, state, rng))
#     if game.outcome(state) is None and len(right_actions(state)) < len(game.legal_actions(state)):
#         positions.append(state)
#
# started = time.perf_counter()
# figure, axes = plt.subplots(figsize=(7, 4))
# at_the_end = {}  # c: the share with the largest budget
# for c in (0.0, 0.3, 1.0, 3.0):
#     shares = []
#     for budget in BUDGETS:
#         right = [search(game, state, budget, c, random.Random(i))[0] in right_actions(state)
#                  for i, state in enumerate(positions)]
#         shares.append(sum(right) / POSITIONS)
#     at_the_end[c] = shares[-1]
#     axes.plot(BUDGETS, shares, marker="o", label=f"c = {c:g}")
#     print(f"c = {c:3}:", "  ".join(f"{budget}: {share:.0%}" for budget, share in zip(BUDGETS, shares)))
# lucky = [len(right_actions(state)) / len(game.legal_actions(state)) for state in positions]
# axes.axhline(sum(lucky) / POSITIONS, color="grey", linestyle=":", label="a random move")
# axes.set(xscale="log", xlabel="simulations", ylabel="share of right moves", ylim=(0, 1.03))
# axes.legend()
# plt.tight_layout()
# print(f"{time.perf_counter() - started:.0f} seconds; one position is worth {1 / POSITIONS:.1%}")
# compare(guess, at_the_end.get(0.0), axes, at=BUDGETS[-1])

# %% [markdown]
# <details><summary><b>What you should see</b></summary>
#
# With 10 simulations c hardly matters: the tree is the root and its children. After that
# $c = 0$ stops learning: it keeps the move that was lucky first. The others climb towards 100 %, the moderate
# values of c sooner. Forty positions are few: differences of two or three of them are luck.
#
# </details>

# %% [markdown]
# ### How deep does it look, and where?
#
# A full-width search to depth d looks at every line equally. How does your search spend 1,000 simulations on the
# empty board?

# %% tags=["experiment"] active="ipynb"
# guess = None  # with c = 1, at which depth is the deepest node after 1,000 simulations? The empty board has depth 0
#
#
# def nodes_by_depth(node, depth=0, counts=None):
#     counts = [0] * 10 if counts is None else counts
#     counts[depth] += 1
#     for child in node.children.values():
#         nodes_by_depth(child, depth + 1, counts)
#     return counts
#
#
# predict_first(guess)
# figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4))
# deepest = {}
# for offset, c in enumerate((0.0, 1.0, 10.0)):
#     action, root = search(game, game.start(), 1000, c, random.Random(1))
#     depths = nodes_by_depth(root)
#     deepest[c] = max(depth for depth in range(10) if depths[depth])
#     visits = sorted((child.num_visits for child in root.children.values()), reverse=True)
#     shift = 0.27 * (offset - 1)
#     left.bar([depth + shift for depth in range(10)], depths, width=0.27, label=f"c = {c:g}")
#     right.bar([rank + shift for rank in range(1, 10)], visits, width=0.27, label=f"c = {c:g}")
#     print(f"c = {c:4} plays {action}; nodes at depth 0 to 9: {depths}")
#     print(f"          visits of the root's moves: {visits}")
# left.set(xlabel="depth", ylabel="nodes", title="depth of the tree")
# right.set(xlabel="the root's nine moves, most visited first", ylabel="visits", title="asymmetry")
# left.legend()
# plt.tight_layout()
# compare(guess, deepest.get(1.0))

# %% [markdown]
# <details><summary><b>What you should see</b></summary>
#
# Three different searches. With $c = 0$ the tree is a thread: nearly all simulations
# follow the first lucky move, deep into a few lines. With $c = 10$ it is nearly a full-width search: all 9 + 72 +
# 504 nodes of the first three plies, then part of the fourth, and no favourite. With $c = 1$ it goes deeper than that in the
# lines that matter, and leaves out lines that look hopeless. How many nodes would a full-width search need to reach
# the same depth?
#
# </details>
#
# ### When does it see the trap?
#
# The trap of 2.2 again: how many simulations does it take until the search no longer falls into it? Twenty searches
# for each budget and each c, with different seeds. They have half as many simulations as the searches at forty
# positions above, so this takes about half as long.

# %% tags=["experiment"] active="ipynb"
# guess = None  # what share of the searches with c = 3 and 300 simulations avoids the trap, from 0 to 1?
# SEEDS = 20
# BUDGETS = [10, 30, 100, 300, 1000, 3000]
# predict_first(guess)
# figure, axes = plt.subplots(figsize=(7, 4))
# measured = {}  # (c, budget): share
# for c in (0.0, 0.3, 1.0, 3.0):
#     shares = []
#     for budget in BUDGETS:
#         moves = [search(game, TRAP, budget, c, random.Random(seed))[0] for seed in range(SEEDS)]
#         shares.append(sum(move in right_actions(TRAP) for move in moves) / SEEDS)
#         measured[c, budget] = shares[-1]
#     axes.plot(BUDGETS, shares, marker="o", label=f"c = {c:g}")
#     print(f"c = {c:3}:", "  ".join(f"{budget}: {share:.0%}" for budget, share in zip(BUDGETS, shares)))
# axes.set(xscale="log", xlabel="simulations", ylabel="share that avoids the trap", ylim=(-0.03, 1.03))
# axes.legend()
# plt.tight_layout()
# compare(guess, measured.get((3.0, 300)), axes, at=300)

# %% [markdown]
# <details><summary><b>What you should see</b></summary>
#
# All begin below one half: the random games recommend moves 2 and 8, and both lose. With
# $c = 0$ luck decides in the first few hundred simulations whether the search stays in the trap. With $c = 1$ the
# search always leaves the trap, somewhere between 300 and 1,000. And $c = 3$ is *worse than luck* for a long time:
# it gives X's bad replies so many visits that the means of 2 and 8 stay near those of random games; only later,
# when the bonus has become small, does the good reply count. Too little and too much exploration fail in different
# ways.
#
# </details>
#
# ### UCB as N and n move
#
# The bound of one child with mean 0. Left: the child's visits grow while the parent's visits stay. Right: the
# parent's visits grow, because the *other* children are visited.

# %% tags=["experiment"] active="ipynb"
# guess = None  # n = 1 and W = 0: how many times as high is the bound with N = 8192 as with N = 16?
#
#
# def bound(n, N, c):
#     parent = TreeNode("parent")
#     node = TreeNode("node", parent, 0)
#     parent.num_visits, node.num_visits = N, n
#     return ucb(node, c)
#
#
# predict_first(guess)
# figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4), sharey=True)
# for N in (10, 100, 1000):
#     left.plot(range(1, 11), [bound(n, N, 1.0) for n in range(1, 11)], marker="o", label=f"N = {N}")
# for n in (1, 4, 16):
#     parents = [2 ** k for k in range(4, 14)]
#     right.plot(parents, [bound(n, N, 1.0) for N in parents], marker="o", label=f"n = {n}")
# left.set(xlabel="n, visits of the child", ylabel="ucb with W = 0, c = 1", title="being looked at")
# right.set(xscale="log", xlabel="N, visits of the parent", title="being passed over")
# left.legend()
# right.legend()
# plt.tight_layout()
# compare(guess, bound(1, 8192, 1.0) / bound(1, 16, 1.0))

# %% [markdown]
# <details><summary><b>What you should see</b></summary>
#
# A visit to the child lowers its bound, like $1/\sqrt n$; a visit to another child raises
# it, like $\sqrt{\ln N}$, and that is slow: between $N = 16$ and $N = 8192$ the bound does not even double.
#
# </details>
#
# ### Three questions without points
#
# 1. **What did exploration do to the three trees** (c = 0, 1, 10)? Which one would you send into a game, and what went
#    wrong with the other two?
# 2. **MCTS against minimax.** Name two strengths and one weakness of MCTS, with your own figures.
# 3. **The final move** could be the child with most visits, with the best mean, or with the highest UCB. Which can be
#    wrong after one lucky rollout? Why is the third choice bad at the end, although it is the right one during the
#    search?
#
# <details><summary><b>A short answer</b></summary>
#
# 1. With $c = 0$ the first lucky move gets nearly all visits, and the tree is a thread. With $c = 10$ the bonus is larger
#    than any difference of means, so all nine moves get much the same visits. Send the tree of $c = 1$: it looks at all
#    moves, and deepest where the results are good.
# 2. It needs no heuristic, only the rules. It looks deeper where that matters, and it has a move at any time. The weakness
#    is the trap: a few hundred simulations still believe the means of random games, where exact minimax is never in doubt.
# 3. The best mean: a child with two lucky visits may have it. A child has many visits only if its bound was the highest for
#    a long time. The highest bound belongs to a child that was looked at too little. That is a reason to look there next, and
#    no reason to play it.
#
# </details>
#
# ## 2.13 Your own experiment: where does c matter?
#
# In 2.12 the experiments were ready. This one is yours: a question, a measurement, a plot and one paragraph. A person
# reads it: up to 5 points beside the 100.
#
# **The question.** With 10 simulations c hardly mattered; in the trap it decided everything. *Where* does c matter, and
# where not? Vary one thing beside c: the number of simulations, the number of empty squares, how many of the legal
# moves are right, or an idea of your own.
#
# **What to measure.** For at least three values of c and three values of the other thing: the share of searches whose
# move is in `right_actions`, each from 40 searches or more.
#
# **What a good answer has.** Whoever marks yours looks for these four lines:
#
# 1. **A guess with a reason** (1 point), written before you measured: where will c matter, and why there?
# 2. **The measurement** (2 points): what was varied and what stayed the same; a plot or a table with named axes.
# 3. **Luck** (1 point): how many searches stand behind a number, and which differences are larger than luck?
# 4. **The cause and its limit** (1 point): what in the bound or in the tree makes the difference, and where was it not
#    tested?
#
# Write the code in the next cell. Grading never runs it, so it may take minutes; a cell that you add is loaded in
# grading, so keep the measuring in this one. Your answer is marked on a page that shows your code and your answer, but
# nothing that a cell has printed. So copy the plot into the answer (in JupyterLab: shift and right click on it, *Copy
# Image*, then paste), or write its numbers as a table. Then one paragraph: the question, what you expected, what came,
# and why.

# %% tags=["experiment"] active="ipynb" answer="2.13"
# # Your own experiment: your code, all of it in this cell.
# # I expect: ... because ...

# %% [markdown] answer="2.13" points=5
# *Your answer.*

# %% [markdown]
# ## Play against your own search
#
# Click a square; the answer comes after a moment. Below the board you choose your colour, the opponent and its
# simulations, and begin a new game. Beside the board stands what your search thought. Can you beat your search with
# 500 simulations a move? With 20?

# %% tags=["experiment"] active="ipynb"
# from arena.board.widgets import play_widget
#
#
# class MySearch:
#     """Your search as a player."""
#
#     def choose(self, state, simulations, rng):
#         action, self.root = search(game, state, simulations, 1.0, rng)  # the board shows what is in the tree
#         return action
#
#
# play_widget(game, MySearch(), you="X", simulations=500)

# %% tags=["experiment"] active="ipynb"
# play_widget(game, MySearch(), you="O", simulations=500)

# %% [markdown]
# ## A project, if you want more
#
# No points, no check, and harder than the exercises: **find the best arm, instead of earning most.**
#
# **The idea.** UCB1 loses little *while* it pulls. But a search does not earn anything on the way: only the move at
# the end counts. For that question there is another rule. *Sequential halving* divides the budget into rounds, pulls
# all remaining arms equally often in a round, and drops the worse half after it (Karnin, Koren and Somekh 2013).
#
# **The first step.** Use the five arms of 2.0 and a budget of 500. Over 1,000 runs, how often is the arm that is
# recommended in the end the best one: with UCB1 and its most pulled arm, and with halving? Write down before which
# one wins.
#
# **How you know.** Put halving at the root of a copy of your `search`, and leave the tree below it as it is. First
# measure the share of right moves as in 2.12, at the full setting. Then Connect Four: in problem set 3 the copy
# becomes a `challenge_player`, and `arena ladder ps3_connect_four` shows it beside plain UCT with the same 400
# simulations. The line through a mark is one standard error. Is the difference larger?
#
# ## Summary
#
# - A **rollout** measures a position with the rules alone; the mean of many rollouts converges, but to the value
#   under *random* play.
# - **UCB** spends visits on arms that may still change the choice; a poor arm gets about $\ln N$ visits, up to a
#   factor.
# - The **tree** makes the good replies count more and more: so the search escapes the trap.
# - **The mover's view**: a value belongs to the player to move at its state. One sign flip per ply in
#   `backpropagate`, one minus in `ucb`, one at the recursive call.
# - The **final move** is the one with most visits.
# - The same search fits into tables Q and N. Replace the random game by a network, add the network's prior to the
#   bonus, and you have AlphaZero's search (problem sets 4 and 5).
#
# ## What to read
#
# - Sutton and Barto, *Reinforcement Learning*, 2nd edition (2018): sections 2.1 to 2.7 for bandits, 8.11 for MCTS.
#   Start here.
# - Auer, Cesa-Bianchi and Fischer, *Finite-time analysis of the multiarmed bandit problem*, Machine Learning 47
#   (2002): UCB1 and its proof.
# - Kocsis and Szepesvari, *Bandit based Monte-Carlo planning*, ECML 2006: UCT.
# - Browne et al., *A survey of Monte Carlo tree search methods*, IEEE TCIAIG 4 (2012): pseudo-code in section 3,
#   then everything else.
# - Silver et al., *Mastering the game of Go without human knowledge*, Nature 550 (2017), and *A general
#   reinforcement learning algorithm that masters chess, shogi, and Go through self-play*, Science 362 (2018): the
#   search of 2.10 with a network.
# - Gentler: John Levine's video lecture *Monte Carlo Tree Search* follows one small tree by hand; Surag Nair's *A
#   Simple Alpha(Go) Zero Tutorial* writes the tables.
# - Lai and Robbins, *Asymptotically efficient adaptive allocation rules*, Advances in Applied Mathematics 6 (1985):
#   why $\ln N$ is the best one can do.
# - Coulom, *Efficient selectivity and backup operators in Monte-Carlo tree search*, Computers and Games 2006: the
#   other beginning, and the name.
# - Gelly, Kocsis, Schoenauer, Sebag, Silver, Szepesvari and Teytaud, *The grand challenge of computer Go: Monte Carlo
#   tree search and extensions*, Communications of the ACM 55 (2012), no. 3: the story told by those who made it.
# - Karnin, Koren and Somekh, *Almost optimal exploration in multi-armed bandits*, ICML 2013: sequential halving, for
#   the project.

# %%
if __name__ == "__main__":
    run_all()
