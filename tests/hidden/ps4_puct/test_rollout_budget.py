"""4.7's choice: candidates, a budget shared by PUCT, the mean of several rollouts, and the most visits."""

from collections import Counter
from collections.abc import Callable
from copy import copy
from random import Random
from typing import Any

import pytest

from arena.games import IllegalMove, ToyGame
from autograder.grading.edition import drawn_once
from autograder.grading.hidden_checks.known_mistakes import ask
from autograder.sandbox.table_game import TableGame
from tests.hidden.ps4_puct.oracle import OTHELLO, PASS, Evaluate, best, fan, opinion, othello_pass, scores
from tests.hidden.ps4_puct.test_players import choose

pytestmark = pytest.mark.exercise("4.7")

Visits = dict[int, int]
USUAL = {"top": 3, "depth": 5, "rollouts": 5, "budget": 10, "c": 1.5}


class Bandit:
    """A state followed by lines of forced plies, so that nothing in a rollout is left to chance.

    `worth[a]` is the result of a rollout after action a for the player who chose a: a value at the cut, or an end before it.
    """

    def __init__(self, edition: Random, depth: int) -> None:
        self.depth = depth
        self.actions = sorted(edition.sample(range(40), edition.randint(1, 9)))
        even = edition.choice([0.0, 0.5, 2.0])
        weights = {a: even + edition.uniform(0.05, 1) for a in self.actions}
        self.priors = {a: weight / sum(weights.values()) for a, weight in weights.items()}
        middle, spread = edition.uniform(-0.7, 0.7), edition.choice([0.05, 0.25])
        self.worth = {a: round(middle + edition.uniform(-spread, spread), 4) for a in self.actions}
        self.ends: dict[int, int] = {}  # whether the game ends within the rollout, and after how many plies
        for a in self.actions:
            if edition.random() < 0.2:
                self.worth[a], self.ends[a] = edition.choice([-1.0, 0.0, 1.0]), edition.randint(1, depth + 1)
        self.elsewhere = edition.choice([0.97, -0.97])  # the value at every other ply would mislead

    def write(self, root: Any, table: dict, evaluations: dict) -> None:
        """Write this state, named `root`, and all states after it into the table of a game and into `evaluations`."""
        table[root], evaluations[root] = (1, {a: (root, a, 1) for a in self.actions}, None), (self.priors, self.elsewhere)
        for a in self.actions:
            at = self.ends.get(a, self.depth + 1)  # the ply, counted from the root, whose value counts
            value = self.worth[a] * (-1) ** at  # for the player to move there
            length = at if a in self.ends else self.depth + 3
            for ply in range(1, length):
                table[root, a, ply] = (ply + 1) % 2, {0: (root, a, ply + 1)}, None
                evaluations[root, a, ply] = {0: 1.0}, value if ply == at else self.elsewhere
            table[root, a, length] = (length + 1) % 2, {}, value if a in self.ends else 0.5

    def visits(
        self, top: int, budget: int, c: float, worth: Callable[[float], float] = float, share: bool = False, step: int = 1
    ) -> Visits | None:
        """How often PUCT visits each candidate; None if a tie decides, or if two have most visits.

        Mistakes: another `worth` of a result, priors divided by their sum (`share`), or `step` visits for one result.
        """
        likeliest = self.likeliest(top)
        whole = sum(self.priors[a] for a in likeliest) if share else 1.0
        P = {a: self.priors[a] / whole for a in likeliest}
        N = dict.fromkeys(P, 0)
        for _ in range(budget):
            action = best(scores({a: worth(self.worth[a]) if N[a] else 0.0 for a in P}, N, P, c))
            if action is None:
                return None
            N[action] += step
        counts = sorted(N.values())
        return None if counts[-1:] == counts[-2:-1] else N

    def likeliest(self, top: int) -> list[int]:
        """The candidates."""
        return sorted(self.priors, key=self.priors.__getitem__, reverse=True)[:top]

    def least_likely(self, top: int, budget: int, c: float) -> Visits | None:
        """Like `visits`, over the least likely actions."""
        others = copy(self)
        others.priors = {a: self.priors[a] for a in self.likeliest(99)[-top:]}
        return others.visits(99, budget, c)

    def right(self, fields: dict[str, float]) -> int | None:
        """The action that a player with these fields chooses; None if a tie decides."""
        top, _, _, budget, c = (USUAL | fields).values()
        return chosen(self.visits(top, budget, c))


def chosen(visits: Visits | None) -> int | None:
    return None if visits is None else max(visits, key=visits.__getitem__)


Mistake = Callable[[Bandit, int, int, int, float], Visits | None]
MISTAKES: dict[str, Mistake] = {
    "For whom is a rollout's value, and who chooses at the root?": lambda bandit, top, r, b, c: bandit.visits(
        top, b, c, lambda w: -w
    ),
    "Is a result the mean of its rollouts, or their sum?": lambda bandit, top, r, b, c: bandit.visits(
        top, b, c, lambda w: r * w
    ),
    "Do the candidates keep the priors that evaluate gave?": lambda bandit, top, r, b, c: bandit.visits(top, b, c, share=True),
    "How many results are in the budget?": lambda bandit, top, r, b, c: bandit.visits(top, b * r, c),
    "How many candidates are there?": lambda bandit, top, r, b, c: bandit.visits(top + 1, b, c),
    "top is given: how many candidates are there?": lambda bandit, top, r, b, c: bandit.visits(3 if top != 3 else 2, b, c),
    "Which c do you use: the player's own?": lambda bandit, top, r, b, c: bandit.visits(top, b, 1.5 if c != 1.5 else 0.5),
    "Which c does puct get: the player's own, or its default?": lambda bandit, top, r, b, c: bandit.visits(
        top, b, 1.5
    ),
    "Do you take as many candidates as top allows?": lambda bandit, top, r, b, c: bandit.visits(min(top, 7), b, c),
    "Do you divide a result by the number of its rollouts?": lambda bandit, top, r, b, c: bandit.visits(
        top, b, c, lambda w: w * min(7, r) / r
    ),
    "Do you play the likeliest candidate, or the candidate with most visits?": lambda bandit, top, r, b, c: bandit.visits(
        1, b, c
    ),
    "Mean or visits: which chooses the final move?": lambda bandit, top, r, b, c: _best_mean(bandit, bandit.visits(top, b, c)),
}


def _best_mean(bandit: Bandit, visits: Visits | None, unvisited: bool = False) -> Visits | None:
    """The action with the best mean; with `unvisited` also actions without a visit, whose mean is 0; None if two are best."""
    means = {a: bandit.worth[a] if times else 0.0 for a, times in (visits or {}).items() if times or unvisited}
    highest = [a for a, mean in means.items() if mean == max(means.values())]
    return {highest[0]: 1} if len(highest) == 1 else None


def mistaken(hint: str, bandit: Bandit, fields: dict[str, float]) -> int | None:
    """The action that a player with this mistake chooses; None if a tie decides."""
    return chosen_with(MISTAKES[hint], bandit, fields)


def chosen_with(mistake: Mistake, bandit: Bandit, fields: dict[str, float]) -> int | None:
    top, _, rollouts, budget, c = (USUAL | fields).values()
    return chosen(mistake(bandit, top, rollouts, budget, c))


# Other mistakes that are recognised; the random cases need not show them.
OTHER_MISTAKES: list[tuple[str, Mistake]] = [
    ("How many candidates are there, and which ones: the likeliest?",
     lambda bandit, top, r, b, c: bandit.visits(99, b, c)),
    ("How many candidates are there, and which ones: the likeliest?",
     lambda bandit, top, r, b, c: bandit.least_likely(top, b, c)),
    ("top is given: how many candidates are there?",
     lambda bandit, top, r, b, c: bandit.visits(3, b, c)),
    ("Is each rollout a visit, or do the rollouts of one result make one visit?",
     lambda bandit, top, r, b, c: bandit.visits(top, b, c, step=r)),
    ("Mean or visits: which chooses the final move?",
     lambda bandit, top, r, b, c: _best_mean(bandit, bandit.visits(top, b, c), True)),
    ("How many results are in the budget?",
     lambda bandit, top, r, b, c: bandit.visits(top, b - 1, c)),
    ("How many results are in the budget?",
     lambda bandit, top, r, b, c: bandit.visits(top, b + 1, c)),
    ("Which candidate gets the next result: the next in turn, or the one with the highest score?",
     lambda bandit, top, r, b, c: _best_mean(bandit, dict.fromkeys(bandit.likeliest(top), 1))),
]  # fmt: skip


Case = tuple[dict[str, float], TableGame, dict[Any, tuple], list[tuple[Bandit, int]]]
ANY_ROOTS, FEWEST_ROOTS = 6, 16  # the number of first roots, whatever they show, and of all roots together


SETTINGS: tuple[dict[str, float], ...] = (
    {},
    {"top": 2, "depth": 3, "rollouts": 2, "budget": 17, "c": 0.5},
    {"top": 5, "depth": 2, "rollouts": 3, "budget": 25, "c": 3.0},
    {"top": 9, "depth": 1, "rollouts": 1, "budget": 40, "c": 1.0},
    {"depth": 0, "budget": 9, "rollouts": 12},
)


@drawn_once
def drawn_cases(edition: Random) -> list[Case]:
    """For each setting a game with some roots: (fields, game, answers of evaluate, its roots with their right actions).

    Every mistake shows at two or more of the roots.
    """
    roots: list[list[tuple[Bandit, int]]] = [[] for _ in SETTINGS]
    lacking = Counter(dict.fromkeys(MISTAKES, 2))
    while lacking.total() or sum(map(len, roots)) < FEWEST_ROOTS:
        place = edition.randrange(len(SETTINGS))
        fields = SETTINGS[place]
        bandit = Bandit(edition, (USUAL | fields)["depth"])
        right = bandit.right(fields)
        if right is None:
            continue
        shown = [hint for hint in +lacking if mistaken(hint, bandit, fields) not in (None, right)]
        if shown or not lacking or sum(map(len, roots)) < ANY_ROOTS:
            roots[place].append((bandit, right))
            lacking.subtract(shown)
            lacking = +lacking
    return [_case(fields, its_roots) for fields, its_roots in zip(SETTINGS, roots, strict=True) if its_roots]


def _case(fields: dict[str, float], roots: list[tuple[Bandit, int]]) -> Case:
    start, table, evaluations = "the start", {}, {}
    table[start] = 0, dict(enumerate(range(len(roots)))), None
    for root, (bandit, _) in enumerate(roots):
        bandit.write(root, table, evaluations)
    return fields, TableGame(table, start, 40, {}, IllegalMove), evaluations, roots


def play(student: Any, edition: Random, cases: list[Case], simulations: int | None = None, anew: bool = False) -> list[int]:
    """The actions of a player at all roots of all cases, one after another.

    Args:
        simulations: the budget of the arena, which this player does not use; None for any.
        anew: with a new player at each root.
    """
    played = []
    for fields, game, evaluations, roots in cases:
        evaluate, rng = student.answers(evaluations, ({0: 1.0}, 0.0)), student.rng(edition.getrandbits(30))
        budgets = [edition.choice([0, 1, 50, 200]) if simulations is None else simulations for _ in roots]
        calls = [(root, budget, rng) for root, budget in enumerate(budgets)]
        for some in [[call] for call in calls] if anew else [calls]:
            played += student.many_of(student.MonteCarloPlayer(game, evaluate, **fields), "choose", some)
    return played


def question_about(student: Any, edition: Random, cases: list[Case], got: list[int]) -> str | None:
    """Return the question about the wrong actions: what they depend on, or which mistake explains every choice."""
    wanted = [right for *_, roots in cases for _, right in roots]
    if play(student, edition, cases, anew=True) == wanted:
        return "does every move begin with new candidates, counts and means?"
    own = [play(student, edition, [case], simulations=int((USUAL | case[0])["budget"])) for case in cases]
    if sum(own, []) == wanted:
        return "which number is the budget: the player's own, or `simulations`?"
    explained: dict[str, int] = {}
    for hint, mistake in [*MISTAKES.items(), *OTHER_MISTAKES]:
        chosen_so = [chosen_with(mistake, bandit, fields) for fields, *_, roots in cases for bandit, _ in roots]
        matches = [played == wrong for played, wrong in zip(got, chosen_so, strict=True) if wrong is not None]  # else a tie
        if len(matches) > len(got) / 2 and all(matches):
            explained[hint] = max(len(matches), explained.get(hint, 0))
    return max(explained, key=explained.__getitem__, default=None)


@pytest.mark.hint("which candidates are there, which is next, what is its result worth, and for whom?")
def test_the_budget_goes_to_the_candidates_by_puct(student, edition):
    """at any state the likeliest actions share the budget by PUCT, each result is a mean of rollouts, and most visits decide

    Promised: `budget` times: the candidate with the highest `puct` score (ties by rng) gets one visit, and the mean of
    `rollouts` rollouts after it is one result in its mean Q, for the player to move at `state`.
    """
    cases = drawn_cases(edition)
    got, wanted = play(student, edition, cases), [right for *_, roots in cases for _, right in roots]
    question = question_about(student, edition, cases, got) if got != wanted else None
    if question:
        ask(question)
    assert got == wanted


@pytest.mark.hint("how many rollouts make one result, and do you take their mean?")
def test_a_result_is_the_mean_of_so_many_rollouts(student, edition):
    """a result is the mean of the player's own number of rollouts: with many it varies little, with one it varies much

    Promised: `budget` times: the candidate with the highest `puct` score (ties by rng) gets one visit, and the mean of
    `rollouts` rollouts after it is one result in its mean Q, for the player to move at `state`.
    """
    #   a rollout after a is won or lost like a coin, b wins. The first visit goes to a, .9 c > .1 c; the second to b if the
    #   first result is below -.35 c, -.385 or -.7, and then the third as well: b is played. Else a has two of three visits.
    table = {"s0": (0, {0: "a", 1: "b"}, None), "a": (1, {0: "won", 1: "lost"}, None), "b": (1, {}, -1.0)}
    game = TableGame(table | {"won": (0, {}, 1.0), "lost": (0, {}, -1.0)}, "s0", 2, {}, IllegalMove)
    evaluations = {"s0": ({0: 0.9, 1: 0.1}, 0.0), "a": ({0: 0.5, 1: 0.5}, 0.0)}
    for rollouts, c, calls in ((101, 1.1, 50), (1, 2.0, 100)):
        player = student.MonteCarloPlayer(game, student.answers(evaluations, ({}, 0.0)), rollouts=rollouts, budget=3, c=c)
        taken = student.many_of(player, "choose", [("s0", 0, student.rng(edition.getrandbits(30)))] * calls)
        # one rollout is lost half of the time: 50 of 100, a deviation of 5, and 19 or fewer once in 7e9;
        # of 101 at least 70 are lost once in 15,000, and that three times of 50 once in 1e8; of ten at least seven once in six
        assert 20 <= taken.count(1) <= 80 if rollouts == 1 else taken.count(1) <= 2, (
            "with one rollout action 1 is chosen in 20 to 80 games of 100, with a hundred rollouts in 2 of 50 at most"
        )
    #   c = 1, priors .7 and .3: a, worth -.04, then a again, -.04 + .35 > .3, then b, -.04 + .33 < .3 * 1.41: a has two of three.
    #   A result of twice as much sends the second visit to b, -.08 + .35 < .3, and the third too, 2 * .5 + .21 > -.08 + .49.
    ends = TableGame({"s0": (0, {0: "a", 1: "b"}, None), "a": (1, {}, 0.04), "b": (1, {}, -0.5)}, "s0", 2, {}, IllegalMove)
    evaluate = student.answers({"s0": ({0: 0.7, 1: 0.3}, 0.0)}, ({}, 0.0))
    assert student.MonteCarloPlayer(ends, evaluate, rollouts=1, budget=3, c=1.0).choose("s0", 0, student.rng(1)) == 0


@pytest.mark.hint("several results differ: is Q their mean, or the last of them?")
def test_the_mean_of_all_results_counts(student, edition):
    """a candidate's Q is the mean of all its results; only rng draws

    Promised: `budget` times: the candidate with the highest `puct` score (ties by rng) gets one visit, and the mean of
    `rollouts` rollouts after it is one result in its mean Q, for the player to move at `state`.
    """
    #   the coin from above against a certain loss of a half: by the mean of 30 results the coin is played in 99 of 100 calls,
    #   by the last result in 3 of 1,000, because the first loss ends it
    table = {"s0": (0, {0: "a", 1: "b"}, None), "a": (1, {0: "won", 1: "lost"}, None), "b": (1, {}, 0.5)}
    game = TableGame(table | {"won": (0, {}, 1.0), "lost": (0, {}, -1.0)}, "s0", 2, {}, IllegalMove)
    evaluations = {"s0": ({0: 0.9, 1: 0.1}, 0.0), "a": ({0: 0.5, 1: 0.5}, 0.0)}
    player = student.MonteCarloPlayer(game, student.answers(evaluations, ({}, 0.0)), rollouts=1, budget=30, c=1.0)
    before, seed = student.disturb(edition.getrandbits(30)), edition.getrandbits(30)
    taken = student.many_of(player, "choose", [("s0", 0, student.rng(seed))] * 60)
    ask("which generator draws, and which generators may you not use?")
    assert student.global_state() == before
    ask("several results differ: is Q their mean, or the last of them?")
    assert taken.count(0) >= 51  # ten of 60 that come once in 111: once in 4e9
    ask("does the same rng play the same, or does the player keep something of earlier moves?")
    assert student.many_of(player, "choose", [("s0", 0, student.rng(seed))] * 10) == taken[:10]


@pytest.mark.hint("how many results are in the budget, the first and the last included?")
def test_the_budget_is_spent_to_the_last_result(student, edition):
    """there are exactly as many results as the budget says

    Promised: budget, how many results in all.
    """
    #   a loses, b wins; .9 > .6, so a is first, then b twice: after 1 result it is a, after 2 it is open, after 3 it is b
    game, evaluations = fan({"a": 1.0, "b": -1.0}), {"s0": ({0: 0.6, 1: 0.4}, 0.0)}
    for budget, right in ((1, 0), (3, 1)):
        player = student.MonteCarloPlayer(game, student.answers(evaluations, ({}, 0.0)), budget=budget)
        taken = student.many_of(player, "choose", [("s0", 7, student.rng(edition.getrandbits(30)))] * 40)
        assert taken == [right] * 40


@pytest.mark.hint("the budget is large: do you spend all of it, and which candidate has most visits then?")
def test_a_large_budget_is_spent(student, edition):
    """a budget of thousands is spent to its end, and a candidate that is a little better comes to have most visits

    Promised: budget, how many results in all.
    """
    #   a is likelier and worth 0, b a little more. Both have as many visits where 1.5 sqrt(n) (.98 - .02) / (n / 2) is this
    #   little: at 1,296 to 1,399. Up to 500 it is a, which has more than 95 % of the first 30 results; after 1,900 it is b
    game = fan({"a": 0.0, "b": -round(edition.uniform(0.077, 0.08), 4)})
    evaluate = student.answers({"s0": ({0: 0.98, 1: 0.02}, 0.0)}, ({}, 0.0))
    for budget, right in ((edition.randint(450, 500), 0), (edition.randint(1900, 2000), 1)):
        player = student.MonteCarloPlayer(game, evaluate, rollouts=1, budget=budget)
        assert student.many_of(player, "choose", [("s0", 0, student.rng(edition.getrandbits(30)))]) == [right]


@pytest.mark.hint("top allows all legal actions: which are the candidates, is the pass one of them?")
def test_fewer_actions_than_candidates(student, edition):
    """if top allows all legal actions, all are candidates, also the pass, one with prior 0, and one that ends the game

    Promised: Fields: top, how many actions are candidates, those with the highest priors;
    """
    states, _, ply = othello_pass(edition)
    evaluate = Evaluate(opinion(OTHELLO, edition.getrandbits(30)))
    assert choose(student, "MonteCarloPlayer", OTHELLO, evaluate, states[ply]) == PASS
    win = edition.randrange(2)
    game = fan({"a": -1.0, "b": 1.0} if win == 0 else {"a": 1.0, "b": -1.0})
    likely = {"s0": ({0: 0.5 + (win - 0.5) * 0.6, 1: 0.5 - (win - 0.5) * 0.6}, 0.0)}  # the win is the unlikely action
    assert choose(student, "MonteCarloPlayer", game, Evaluate(likely), "s0") == win
    #   the two likely ones lose at once, so that 0 is the highest score: the third wins
    ask("`top` allows an action with prior 0: is this action a candidate?")
    places = edition.sample(["lost", "lost too", "won"], 3)
    game = fan({state: -1.0 if state == "won" else 1.0 for state in places})
    priors = {place: {"lost": 0.6, "lost too": 0.4, "won": 0.0}[state] for place, state in enumerate(places)}
    assert choose(student, "MonteCarloPlayer", game, Evaluate({"s0": (priors, 0.0)}), "s0") == places.index("won")
    #   of 65 actions the least likely one wins, and each of the others is tried once at the most: the win has most visits
    ask("top allows dozens of actions: are all of them candidates?")
    win = edition.randrange(65)
    game = fan({f"s{place}": -1.0 if place == win + 1 else 1.0 for place in range(1, 66)})
    likely = student.answers({"s0": ({place: 0.01 if place == win else 0.0155 for place in range(65)}, 0.0)}, ({}, 0.0))
    assert choose(student, "MonteCarloPlayer", game, likely, "s0", top=65, rollouts=1, budget=70) == win


@pytest.mark.hint("several candidates have equal scores or visits: may each be taken, and does rng decide?")
def test_the_monte_carlo_player_draws_from_rng_alone(student, edition):
    """among equal candidates rng decides, for the first choice and the last, and no other generator is used

    Promised: Return the candidate with most visits, ties by rng.
    """
    #   with 1 result the first choice is the last; with 3 each has one visit: .6 > .5 > .4, then -.2 + .3 < .5 > .4, then
    #   -.2 + .42 and .1 + .35 < .57; and neither the priors nor the means say which of them is played
    #   with 1 result the actions 1 and 2 lead to one state
    one_result, three = ToyGame({"s0": ["a", "b", "b"]}, {"a": 0.2, "b": -0.1}), fan({"a": 0.2, "b": -0.1, "c": 0.0})
    before = student.disturb(edition.getrandbits(30))
    for game, budget, priors in ((one_result, 1, (1 / 3, 1 / 3, 1 / 3)), (three, 3, (0.4, 0.33, 0.27))):
        evaluate = student.answers({"s0": (dict(enumerate(priors)), 0.0)}, ({}, 0.0))
        player, seeds = student.MonteCarloPlayer(game, evaluate, budget=budget), [edition.getrandbits(30) for _ in range(50)]
        taken = student.many_of(player, "choose", [("s0", 9, student.rng(seed)) for seed in (*seeds, *seeds[:20])])
        ask("which generator decides among equal candidates, and which generators may you not use?")
        assert student.global_state() == before
        ask("candidates with one score, or one state after them: does each stay, and may each be tried first?" if budget == 1 else
            "several candidates have most visits: may each be played, for any mean and any prior?")  # fmt: skip
        assert set(taken) == {0, 1, 2}  # by chance a candidate is missed once in 2e8 editions
        ask("does the same rng play the same?")
        assert taken[:20] == taken[-20:]
