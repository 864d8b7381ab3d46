"""Problem set 3: its figures, measured again. The same seed gives the same games, so the figures are exact."""

import math
import random
from collections import Counter
from functools import cache

import pytest
from lesson import says, share, text_of

from arena.games import ConnectFour, ToyGame
from arena.match import play_match
from arena.players.perfect import PerfectPlayer
from arena.players.uct import UCTPlayer
from arena.strength.openings import line_to, quiet_draws
from autograder.selftest.exam_validation.exams import measure
from autograder.selftest.exam_validation.flawed_uct import FlawedPlayer
from autograder.selftest.exam_validation.flaws import Flaw
from solutions import ps3_connect_four as ps3
from tests.speeds import again
from tests.statements.exact_play import wins_at_once

PS, GAME = "ps3_connect_four", ConnectFour()
SCORES = ((0.2, ".50", ".47 to .53"), (0.5, ".70", ".67 to .72"), (1.0, ".79", ".76 to .81"), (2**0.5, ".78", ".75 to .80"),
          (2.0, ".76", ".73 to .78"))


@cache
def score_of(c: float = 1.0, flaw: Flaw | None = None) -> tuple[float, tuple[float, float]]:
    """The long run of 3.11: 400 simulations against a fixed player with 100, 1,000 games on quiet random openings."""
    measured = measure(UCTPlayer(c) if flaw is None else FlawedPlayer(flaw, c), 1000, seed=1)
    return measured["score"] + 1e-9, measured["interval"]


# ---- the search, by hand

def children(counts: dict[int, tuple[int, float]], visits: int) -> ps3.Node:
    """A root of Connect Four with these children: {action: (n, q)}."""
    root = ps3.Node(GAME, GAME.start())
    root.num_visits = visits
    for action, (n, q) in counts.items():
        child = root.children[action] = ps3.Node(GAME, GAME.play(root.state, action), root, action)
        child.num_visits, child.q = n, q
    return root


def test_rewards_name_the_winner_whoever_begins() -> None:
    rng = random.Random(0)
    won = GAME.parse("......./......./......./......./OOO..../XXXX...")
    assert GAME.player(won) == 1 and GAME.outcome(won) == -1
    assert ps3.default_policy(GAME, won, rng) == (1, -1)
    says(PS, "O is to move and has lost: $o = -1$, player 1 is to move, so the rewards are $(1, -1)$")
    assert ps3.default_policy(GAME, GAME.parse("OXXXOO./XOOXXOX/XXXOOXO/OOOXXOO/XXOOXOX/XOXXOOX"), rng) == (0, 0)
    says(PS, "A full board without four in a row is $(0, 0)$")


def test_the_table_of_best_child() -> None:
    counts = {2: (5, 2.0), 3: (4, 3.0), 6: (1, 0.0)}
    root = children(counts, 10)
    bounds = {action: ps3.bound(child, ps3.C) for action, child in root.children.items()}
    best = max(bounds, key=bounds.get)
    assert best == ps3.best_child(root, ps3.C).action
    for action, (n, q) in counts.items():
        mean = share(q / n, 3) if q else "0"
        bonus, total = (share(number, 3).removeprefix("0") for number in (bounds[action] - q / n, bounds[action]))
        says(PS, f"| {action} | {n} | {q:g} | {mean} | {bonus} | {f'**{total}**' if action == best else total} |")
    says(PS, rf"so that the bonus is $\sqrt{{{math.log(10):.3f}/n}}$")
    half = {action: ps3.bound(child, 0.5) for action, child in root.children.items()}
    assert ps3.best_child(root, 0.5).action == 3 and half[3] > half[6] > half[2]
    says(PS, f"with $c = .5$ it would be child 3 (.750 + {share(half[3] - 0.75, 3)} = {half[3]:.3f} against {half[6]:.3f})")
    node = children({0: (7, 3.0)}, 19).children[0]
    assert ps3.bound(node, ps3.C) == pytest.approx(-node.total_value / 7 + math.sqrt(math.log(19) / 7))
    says(PS, "that is c = 1 in the -W/n + c sqrt(ln N / n) of problem set 2: the same search")


def test_each_untried_action_is_drawn_once_in_five_times() -> None:
    tried = {2: (1, 0.0), 3: (1, 0.0)}
    counts = Counter(ps3.expand(GAME, children(tried, 2), random.Random(seed)).action for seed in range(3000))
    *first, last = sorted(counts)
    assert all(abs(count - 600) < 5 * math.sqrt(3000 * 0.16) for count in counts.values())
    says(PS, f"Untried are {', '.join(map(str, first))} and {last}; each has probability 1/5")


def test_the_way_of_the_tree_policy() -> None:
    for c, action in ((ps3.C, 6), (0.5, 3)):
        root = children({2: (5, 2.0), 3: (4, 3.0), 6: (1, 0.0)} | dict.fromkeys((0, 1, 4, 5), (10**6, -1e6)), 10)
        new = ps3.tree_policy(GAME, root, c, random.Random(0))
        assert new.parent is root.children[action] and not new.children
    says(PS, "the path goes to child 6, which is new and has no children; one of its actions is drawn, and the grandchild is"
             " returned. With $c = .5$ the path goes to child 3.")


def test_backup_by_hand() -> None:
    root = children({3: (3, -1.0)}, 8)
    root.q, child = 2.0, root.children[3]
    leaf = ps3.expand(GAME, child, random.Random(0))
    ps3.backup(leaf, (1.0, -1.0))
    says(PS, "The child has n = 3, q = -1; the root n = 8, q = 2. After the simulation above the leaf has"
             f" n = {leaf.num_visits}, q = {leaf.q:g}; the child n = {child.num_visits}, q = {child.q:g};"
             f" the root n = {root.num_visits}, q = {root.q:g}.")
    before = [(node.num_visits, node.q) for node in (leaf, child, root)]
    ps3.backup(leaf, (0.0, 0.0))
    assert [(node.num_visits - 1, node.q) for node in (leaf, child, root)] == before
    says(PS, "A draw would have changed the three visit counts and none of the sums.")


def test_visits_and_sums_of_a_tree() -> None:
    _, root = ps3.uct(GAME, GAME.parse("......./..XO.../XOOXO../OXOXX../OXOXXOO/OXXOXXO"), random.Random(1), simulations=400)
    level = [root]
    while level:
        for node in level:
            below = node.children.values()
            if below:
                own = 0 if node is root else 1  # the simulation that began there
                assert node.num_visits == own + sum(child.num_visits for child in below)
                assert abs(node.q + sum(child.q for child in below)) <= own
        level = [child for node in level for child in node.children.values()]
    says(PS, "At a node where the game goes on, the visits of the children sum to the visits of the node, minus at most one")
    says(PS, "No: the root's first simulation already goes to a child")


# ---- the six boards

def move_value(state: tuple, action: int) -> int:
    """1, 0 or -1: the value of a move against every defence, for the player who makes it."""
    score = PerfectPlayer().scores(state)[action]
    return (score > 0) - (score < 0)


@pytest.mark.usefixtures("computing")
@pytest.mark.parametrize("board, right, _, question", ps3.NEAR_ENDS)
def test_exactly_one_move_is_right(board: str, right: int, _: int, question: str) -> None:
    state = GAME.parse(board)
    worth = {action: move_value(state, action) for action in GAME.legal_actions(state)}
    assert [action for action in worth if worth[action] == max(worth.values())] == [right]
    after = GAME.play(state, right)
    replies = [GAME.play(after, reply) for reply in GAME.legal_actions(after)]
    in_three = bool(replies) and not wins_at_once(GAME, after) and all(wins_at_once(GAME, reply) for reply in replies)
    others = [GAME.play(state, action) for action in worth if action != right]
    blocks = all(wins_at_once(GAME, other) for other in others) and not wins_at_once(GAME, after)
    assert wins_at_once(GAME, state) == {right} or in_three or blocks
    mover, other = "XO"[GAME.player(state)], "OX"[GAME.player(state)]
    assert question.startswith(f"{mover} to move") and ("threaten?" not in question or f"{other} threaten?" in question)
    says(PS, "On each of them exactly one move is right: it wins at once, or it prevents an immediate loss, or it wins in three"
             " plies against every defence.")


def test_what_a_proof_is_worth() -> None:
    for number, (board, right, *_) in enumerate(ps3.NEAR_ENDS, 1):
        state = GAME.parse(board)
        action, root = ps3.solve(GAME, state, 3000, random.Random(number))
        assert action == right
        if wins_at_once(GAME, state):
            assert root.proven == 1 and root.num_visits <= 7
        elif number == 4:
            assert root.proven is None and root.num_visits == 3000 and move_value(state, right) == 1
            assert all(child.proven == 1 for column, child in root.children.items() if column != right)
        else:
            assert root.proven == 1 and 20 <= root.num_visits < 100
    says(PS, "A win at once is proven as soon as it is tried, after a handful of simulations")
    says(PS, "board 5, a win in three plies: after how many simulations is the root proven?")
    says(PS, "A win in three plies takes some tens. Board 3 is more than a block: the move that stops O wins as well.")


def test_proofs_are_true_and_draws_are_never_proven() -> None:
    def value(game: ToyGame, state: str) -> float:
        outcome = game.outcome(state)
        return outcome if outcome is not None else max(-value(game, game.play(state, a)) for a in game.legal_actions(state))

    decided = Counter()
    for seed in range(150):
        rng, moves, ends, names = random.Random(seed), {}, {}, iter(range(10**6))

        def grow(left: int) -> str:
            name = f"s{next(names)}"
            if left:
                moves[name] = [grow(left - 1) for _ in range(rng.randint(1, 3))]
            else:
                ends[name] = rng.choice([1.0, 0.0, -1.0])
            return name

        game = ToyGame(moves, ends, start=grow(4))
        _, root = ps3.solve(game, game.start(), 400, rng)
        level = [root]
        while level:
            for node in level:
                assert node.proven in (None, value(game, node.state)) and node.proven != 0
                losses = [child for child in node.children.values() if child.proven == -1]
                assert not losses or node.proven == 1  # so no search meets a lost child
            level = [child for node in level for child in node.children.values()]
        decided[value(game, game.start()), root.proven] += 1
    assert decided[1, None] == decided[-1, None] == 0 and min(decided[1, 1], decided[0, None], decided[-1, -1]) > 10
    says(PS, "You never meet a child proven -1 on the path: its parent would be proven +1 already.")
    says(PS, "Draws are never proven here: `None` as well.")


def test_a_losing_move_gets_no_other_visit_once_it_is_proven() -> None:
    draws = {f"{way}{ply}": [f"{way}{ply + 1}"] for way in "bc" for ply in range(30)}
    game = ToyGame({"root": ["a", "b0", "c0"], "a": ["a0", "a1", "a2"], "a1": ["a3"], "a2": ["a4"]} | draws, {"a0": -1.0},
                   start="root")
    _, root = ps3.solve(game, "root", 1000, random.Random(5))
    lost = root.children[0]
    assert root.num_visits == 1000 and lost.proven == 1 and lost.num_visits <= 4  # itself and its three answers
    _, without = ps3.uct(game, "root", random.Random(5), simulations=1000)
    assert without.children[0].num_visits > lost.num_visits
    says(PS, "After O's winning answer X is to move and has lost: that node is proven -1. So the node after move 0, with O to"
             " move, is proven +1: move 0 loses for X, and gets no other visit in a thousand simulations.")


# ---- anytime, and the kept tree

def test_the_clock_by_hand() -> None:
    times = iter([50.0, 50.3, 50.6, 50.9, 51.2, 51.5])
    _, root = ps3.uct(GAME, GAME.start(), random.Random(0), seconds=1.0, clock=lambda: next(times))
    assert root.num_visits == 4 and next(times) == 51.5
    says(PS, "After simulations 1, 2 and 3 it shows 50.3, 50.6 and 50.9: go on. After the fourth, 51.2: stop.")


def test_sixty_simulations() -> None:
    state = GAME.parse("......./......./......./......./OOO..../XXX...X")
    action, root = ps3.uct(GAME, state, random.Random(3), simulations=60)
    means = {column: share(child.q / child.num_visits) for column, child in root.children.items()}
    others = {means[column] for column in means if column != action}
    assert action == 3 and all(wins_at_once(GAME, GAME.play(state, column)) for column in range(7) if column != 3)
    assert {root.children[column].num_visits for column in means if column != 3} == {2, 3} and others == {"-1.00", "-.33"}
    says(PS, "two or three visits are enough to make the $q/n$ of such a move negative: -1 or -.33, against"
             f" +{means[3]} for column 3")


def test_the_middle_gathers_more_and_more() -> None:
    shares = []
    for budget in (10, 30, 100, 300, 1000, 3000):
        _, root = ps3.uct(GAME, GAME.start(), random.Random(7), simulations=budget)
        shares.append({column: child.num_visits / budget for column, child in root.children.items()})
    assert len({max(share, key=share.get) for share in shares[:4]}) > 1
    assert shares[3][3] < 0.3 < shares[4][3] < 0.4 < 0.7 < shares[5][3]
    start = GAME.start()
    assert [move_value(start, column) for column in range(7)] == [-1, -1, 0, 1, 0, -1, -1]
    says(PS, "From the empty board column 3 is the only move that wins against perfect play")


def test_how_much_of_the_tree_is_kept() -> None:
    searcher, rng, state, kept = ps3.Searcher(GAME), random.Random(17), GAME.start(), []
    while GAME.outcome(state) is None:
        before = searcher.root.num_visits if searcher.root else 0
        kept.append(before)
        action = searcher.choose(state, 200, rng)
        assert searcher.root.num_visits == before + 200
        searcher.observe(action)
        assert searcher.root.parent is None
        state = GAME.play(state, action)
    half = len(kept) // 2
    assert 0.75 * 200 < sum(kept) / len(kept) < 200 and sum(kept[half:]) / (len(kept) - half) > 1.5 * sum(kept[:half]) / half
    says(PS, "on average nearly as much as a new search makes, and more towards the end of the game")
    root = children({3: (40, 0.0)}, 100)
    answer = ps3.Node(GAME, GAME.play(root.children[3].state, 2), root.children[3], 2)
    root.children[3].children[2], answer.num_visits, searcher.root = answer, 12, root
    searcher.observe(3)
    searcher.observe(2)
    assert searcher.root.num_visits == 12
    searcher.choose(searcher.root.state, 100, rng)
    says(PS, f"After `observe(3)` and `observe(2)` the root has 12 visits, and after `choose(..., simulations=100)` it has"
             f" {searcher.root.num_visits}.")


# ---- tactical rollouts

class Asked:
    """The rules of Connect Four, with a count of the calls."""

    def __init__(self) -> None:
        self.asked = Counter()

    def __getattr__(self, name: str) -> object:
        self.asked[name] += 1
        return getattr(GAME, name)


@pytest.mark.parametrize("board, left, sentence", [
    ("......./......./......./......./OO...../XXX....", {3}, "rule 2 leaves {3}"),
    ("......./......./......./......./OOO..../XXX....", {3}, "column 3 free: rule 1 leaves {3}"),
    ("......./......./......./......./.OO..../.XXX...", set(range(7)), "both ends free, O to move: X wins after every move:"
                                                                      " rule 3 leaves all seven."),
])  # fmt: skip
def test_the_three_rules(board: str, left: set, sentence: str) -> None:
    assert {ps3.tactical_action(GAME, GAME.parse(board), random.Random(seed)) for seed in range(200)} == left
    says(PS, sentence)


def test_what_a_tactical_rollout_costs() -> None:
    rules = Asked()
    ps3.tactical_action(rules, GAME.start(), random.Random(0))
    says(PS, f"This rollout tests up to 7 + {rules.asked['outcome'] - 7} moves at every ply; the random rollout tests none.")
    costs = []
    for rollout in (ps3.default_policy, ps3.tactical_rollout):
        rules = Asked()
        for seed in range(20):
            rollout(rules, GAME.start(), random.Random(seed))
        costs.append(sum(rules.asked.values()))
    assert 20 < costs[1] / costs[0] < 60, costs  # in calls of the rules; 27 in seconds, on our machine
    says(PS, "one tactical rollout costs twenty to forty times as much as a random one")
    says(PS, "the plain searcher, with thirty simulations for each of the other player's, scores more than nine points of ten")
    says(PS, f"| 20 simulations against {20 * 30}, about the same time | {share(1 - 0.93)} |")


# ---- how many games

def test_exams_of_ten_games() -> None:
    p = 0.79
    passed, at_least_six = ps3.pass_probability(p, 10, 9), ps3.pass_probability(0.55, 10, 6)
    assert passed == pytest.approx(sum(math.comb(10, k) * p**k * (1 - p) ** (10 - k) for k in (9, 10)))
    says(PS, rf"$10 \cdot {share(p**9, 4)} \cdot .21 + {share(p**10, 4)} = {share(passed, 3)}.$")
    assert abs(1 - passed - 2 / 3) < 0.02
    says(PS, "**Two times in three the exam fails a player who wins 79 % of its games.**")
    says(PS, rf"hardly better than its opponent, in {100 * at_least_six:.0f} % of all exams")
    for error in (0.05, 0.1, 0.25):
        assert not any(ps3.pass_probability(0.55, 10, needed) <= error and ps3.pass_probability(p, 10, needed) >= 1 - error
                       for needed in range(11))
    says(PS, "No number of wins of ten separates the two players.")
    says(PS, "no pass mark between 5 and 10 fails the one player and passes the other")


@pytest.mark.usefixtures("computing")
def test_the_smallest_exams() -> None:
    def exam(weak: float, strong: float, error: float) -> tuple[int, int]:
        """Tried one by one, with binomial coefficients as whole numbers."""
        def chance(p: float, n: int, m: int) -> float:
            return sum(math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(m, n + 1))

        return next((n, m) for n in range(1, 400) for m in range(n // 2, n + 1)
                    if chance(weak, n, m) <= error and chance(strong, n, m) >= 1 - error)

    least = exam(0.55, p := 0.79, 0.05)
    assert least == ps3.smallest_exam(0.55, p, 0.05)
    says(PS, f"With {least[0]} games and a mark of {least[1]} wins each player is judged wrongly in at most one exam of twenty")
    games, needed = ps3.smallest_exam(0.55, p, 0.01)
    says(PS, f"with {games} games ({needed} wins) in one of a hundred")
    closer, closest = ps3.smallest_exam(0.55, 0.7, 0.05)[0], ps3.smallest_exam(0.5, 0.6, 0.05)[0]
    says(PS, f"{closer} for .55 against .70, {closest} for .5 against .6")
    sizes = [ps3.smallest_exam(0.5, 0.5 + apart, 0.05)[0] for apart in (0.2, 0.1, 0.05)]
    assert all(3.5 < more / fewer < 4.6 for fewer, more in zip(sizes, sizes[1:])), sizes
    says(PS, "To halve the difference that you can see you need about four times as many games.")


# ---- what makes it strong

@pytest.mark.first_shows
@pytest.mark.usefixtures("computing")
@pytest.mark.parametrize("c, score, interval", SCORES)
def test_the_table_of_exploration(c: float, score: str, interval: str) -> None:
    measured, (low, high) = score_of(c)
    assert (share(measured), f"{share(low)} to {share(high)}") == (score, interval)


@pytest.mark.usefixtures("repetition")
def test_the_lesson_has_these_scores() -> None:
    says(PS, f"| score | {' | '.join(score for _, score, _ in SCORES)} |")
    says(PS, f"| 95 % interval | {' | '.join(interval for _, _, interval in SCORES)} |")
    lost = {c: round(100 * (score_of(1.0)[0] - score_of(c)[0])) for c, *_ in SCORES}
    numbers = {3: "three", 9: "nine", 28: "twenty-eight"}
    says(PS, f"twice the constant costs perhaps {numbers[lost[2.0]]} points of a hundred, half of it costs {numbers[lost[0.5]]},"
             f" a fifth of it costs {numbers[lost[0.2]]}")


@pytest.mark.usefixtures("repetition")
def test_parts_that_sound_harmless() -> None:
    mean, bound, log = (score_of(flaw=flaw)[0] for flaw in (Flaw.FINAL_MEAN, Flaw.FINAL_BOUND, Flaw.LOG_OF_CHILD))
    says(PS, f"a final move by the best mean scored {share(mean)}, as good as by visits ({share(score_of()[0])}), but a"
             f" final move by the highest bound scored {share(bound)}.")
    says(PS, "A search that drops the sign, swaps the rewards or takes the logarithm of the child's visits scored"
             f" {share(log)} or less.")
    for words in ("no sign flip", "the sign flips before the leaf", "log of the child's visits"):
        written = text_of("docs/exam_validation.md").partition(f"| {words} | ")[2].split(" ")[0]
        assert float(written) <= log, words


@pytest.mark.usefixtures("computing")
@pytest.mark.parametrize("more, fewer", [(100, 25), again(200, 50), again(1600, 400), again(400, 25)])
def test_more_simulations(more: int, fewer: int) -> None:
    lines = [line_to(state) for state in random.Random(1).sample(quiet_draws(), 500)]
    match = play_match(GAME, UCTPlayer(), UCTPlayer(), 1000, (more, fewer), 1, openings=lines, progress=False)
    assert max(match.score - match.interval[0], match.interval[1] - match.score) < 0.03
    says(PS, f"{share(match.score + 1e-9)} for {more:,} against {fewer}")


@pytest.mark.usefixtures("computing", "repetition")
def test_four_times_as_many_simulations() -> None:
    says(PS, f"{share(score_of()[0])} for 400 against 100")
    says(PS, f"A search with 400 simulations a move scores {share(score_of()[0])} against the same search with 100")


@pytest.mark.parametrize("games, score, interval", [
    (100, ".67", ".57 to .76"), (100, ".07", ".03 to .14"), (400, ".59", ".54 to .63"), (400, ".51", ".46 to .56"),
])  # fmt: skip
def test_intervals_of_our_long_runs(games: int, score: str, interval: str) -> None:
    """
    The runs take longer than a test may (the cells' own settings with seeds 13 and 39 repeat them). Their intervals are
    over pairs, whose results are not printed: about those of the same number of independent games, and four more.
    """
    low, high = map(float, interval.split(" to "))
    p = (float(score) * games + 2) / (games + 4)
    wide = 1.96 * math.sqrt(p * (1 - p) / (games + 4))
    assert abs((low + high) / 2 - p) < 0.01 and 0.85 * wide < (high - low) / 2 < 1.15 * wide
    text = text_of(f"solutions/{PS}.py")
    assert any(f"{score}{between}{interval}" in text for between in (" | ", " (95 % interval ", " ("))
    if score == ".51":
        assert low < 0.5 < high
        says(PS, "after 400 games we still cannot say whether it helps or hurts")
    if score == ".59":
        assert low > 0.5
        says(PS, "a clear gain for a dozen lines of code")
