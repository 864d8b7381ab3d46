"""Problem set 4: its tables and intervals, computed again."""

import math
import random
import re
from collections import Counter

import pytest
import torch
from lesson import says, share, text_of

from arena import nets
from arena.games import Othello, TicTacToe, ToyGame, result_for
from arena.match import play_match
from arena.players.random import RandomPlayer
from assets.make import ps4_nets as train_ps4_nets
from solutions import ps4_puct as ps4
from solutions.ps4_puct import wilson

torch.set_num_threads(1)  # the networks are small: more threads only wait for each other
PS, OTHELLO = "ps4_puct", Othello()
ROW = re.compile(r"\| (?P<player>[^|]+) \| [^|]+ \| (?P<won>\d+), (?P<drawn>\d+), (?P<lost>\d+) \| (?P<score>[\d.]+) % "
                 r"\| (?P<low>\d+) % to (?P<high>\d+) % \| (?:(?P<published>\d+) %: (?P<from>\d+) % to (?P<to>\d+) % )?\|")


def difference(score: float, games: int, other: float, others: int) -> tuple[float, float]:
    """Newcombe's 95 % interval of the difference of two shares: the hybrid score interval, method 10 of Newcombe (1998)."""
    (low, high), (other_low, other_high) = wilson(score, games), wilson(other, others)
    apart = score - other
    return (apart - ((score - low) ** 2 + (other_high - other) ** 2) ** 0.5,
            apart + ((high - score) ** 2 + (other - other_low) ** 2) ** 0.5)


def rows() -> list[re.Match]:
    return list(ROW.finditer(text_of(f"solutions/{PS}.py")))


def test_scores_and_intervals_of_the_table_to_beat() -> None:
    assert len(rows()) == 7
    for row in rows():
        won, drawn, lost = (int(row[name]) for name in ("won", "drawn", "lost"))
        games, score = won + drawn + lost, (won + drawn / 2) / (won + drawn + lost)
        assert games == 200 and float(row["score"]) == round(100 * score + 1e-9, 1)
        assert [int(row["low"]), int(row["high"])] == [round(100 * end) for end in wilson(score, games)]
        if row["published"]:
            assert [int(row["from"]), int(row["to"])] == [round(100 * end) for end in wilson(int(row["published"]) / 100, 20)]


def test_the_differences_to_the_published_scores() -> None:
    ends = [difference((int(row["won"]) + int(row["drawn"]) / 2) / 200, 200, int(row["published"]) / 100, 20)
            for row in rows() if row["published"]]
    first, second, third, fourth = (f"from {share(low, 2 + (0 < low < 0.01))} to {share(high)}" for low, high in ends)
    says(PS, f"In the four rows this interval goes {first}, {second}, {third} and {fourth}.")
    assert 0 < ends[0][0] < 0.01 and all(low < 0 < high for low, high in ends[1:])
    assert 0.18 < 1 - 0.95**4 < 0.2
    says(PS, "luck would still give such a row in about every fifth table of four rows")


def test_what_the_table_says_about_the_players() -> None:
    lost = {row[0].split(" | ")[1]: int(row["lost"]) for row in rows() if row["published"]}
    (beaten,) = (row["won"] for row in rows() if row["player"] == "policy")
    assert max(lost, key=lost.get) == "value" and all(number < 100 for number in lost.values())
    says(PS, f"The value player is its hardest opponent, with {lost['value']} wins in 200 games. The policy player wins only"
             f" {lost['policy']}, although it beats random in {beaten} games of 200.")


def test_two_intervals_that_overlap_may_still_differ() -> None:
    (low, _), (_, high) = wilson(0.6, 100), wilson(0.45, 100)
    assert low < high
    ends = difference(0.6, 100, 0.45, 100)
    says(PS, f"the difference, .15, has a 95 % interval from {share(ends[0])} to {share(ends[1])}")


def test_the_table_is_that_of_the_shipped_networks() -> None:
    names = {"MCTS, 50 simulations": "MCTS"}
    for row in rows():
        written = f"| {names.get(row['player'], row['player'])} | {row[0].split(' | ')[1]} | {row['won']} | {row['drawn']} |"
        assert f"{written} {row['lost']} | {float(row['score']):.1f}% |" in text_of("assets/nets/README.md"), written


@pytest.mark.usefixtures("repetition")
def test_the_policy_network_against_random_moves_again() -> None:
    match = play_match(OTHELLO, train_ps4_nets.players()["policy"], RandomPlayer(OTHELLO), 200, 50, train_ps4_nets.SEED,
                       progress=False)
    assert abs(match.score - next(float(row["score"]) for row in rows() if row["player"] == "policy") / 100) < 0.02  # rounding


@pytest.mark.usefixtures("computing")
def test_random_games_of_othello() -> None:
    rng, plies, passes, drawn, first = random.Random(1), 0, 0, 0, 0
    for _ in range(2000):
        state, passed = OTHELLO.start(), False
        while (outcome := OTHELLO.outcome(state)) is None:
            action = rng.choice(OTHELLO.legal_actions(state))
            state, plies, passed = OTHELLO.play(state, action), plies + 1, passed or action == 36
        passes, drawn = passes + passed, drawn + (outcome == 0)
        first += result_for(OTHELLO, state, 0) > 0
    says(PS, f"Of 2,000 random games on 6x6 the average lasted {plies / 2000:.1f} plies, {passes / 20:.0f} % contained a pass"
             f" and {drawn / 20:.0f} % were drawn; the player who moves first won {first / 20:.0f} %")


# ---- 4.0

def test_two_layers_of_filters_see_five_by_five() -> None:
    body, planes = ps4.body(4).double(), torch.rand(1, 2, 6, 6, dtype=torch.double)
    assert body(planes).shape == (1, 36 * 4)
    for weights in body.parameters():
        weights.data.abs_()  # every filter is active
    seen = torch.autograd.functional.jacobian(lambda x: body(x).view(4, 6, 6)[:, 2, 2].sum(), planes)[0].abs().sum(0) > 0
    says(PS, f"Two layers of 3x3 filters see patterns of up to {seen.any(dim=1).sum()}x{seen.any(dim=0).sum()} squares")
    assert ps4.PolicyNet()(planes.float()).shape == (1, OTHELLO.num_actions) == (1, 37)


def test_the_examples_of_one_game() -> None:
    game, boards = TicTacToe(), ["empty board", "X in 0", "X 0, O 3", "X 0 1, O 3", "X 0 1, O 3 4"]
    for board, (state, action, result) in zip(boards, ps4.examples(game, [0, 3, 1, 4, 2]), strict=True):
        says(PS, f"| {board} | {action} | {'XO'[game.player(state)]} | {result:+g} |")


def test_losses_by_hand() -> None:
    even = ps4.policy_loss(torch.zeros(1, 4), torch.tensor([2])).item()
    says(PS, rf"four actions, all logits 0: $L = \ln 4 = {even:.3f}$")
    logits = torch.tensor([[0, 0, 0, math.log(5)]])
    assert logits.softmax(1).tolist()[0] == pytest.approx([1 / 8, 1 / 8, 1 / 8, 5 / 8])
    says(PS, rf"$L = \ln 1.6 = {share(ps4.policy_loss(logits, torch.tensor([3])).item(), 3)}$")
    error = ps4.value_loss(torch.tensor([0.5, -0.5]), torch.tensor([1.0, -1.0])).item()
    says(PS, f"$L = (.25 + .25)/2 = {share(error)}$")


def test_the_shipped_networks_on_games_held_back() -> None:
    games = nets.games()
    seen = len(games) - train_ps4_nets.HELD_BACK
    assert len(set(map(tuple, games))) == len(games)
    says(PS, f"the shipped networks saw {seen:,} games, {train_ps4_nets.EPOCHS} times, each time turned or mirrored anew")
    states, actions, results = zip(*(example for game in games[seen:] for example in ps4.examples(OTHELLO, game)))
    played, ended, planes = torch.tensor(actions), torch.tensor(results), ps4.planes_of(OTHELLO, list(states))
    policy, value = ps4.PolicyNet(), ps4.ValueNet()
    for net, name in ((policy, "othello6_policy"), (value, "othello6_value")):
        net.load_state_dict({key: torch.from_numpy(array) for key, array in nets.load(name).items()})
    with torch.no_grad():
        logits, values = policy.eval()(planes), value.eval()(planes)
    losses = ps4.policy_loss(logits, played).item(), ps4.value_loss(values, ended).item()
    says(PS, f"reach {losses[0]:.2f} and {share(losses[1])} on games held back")
    assert abs((logits.argmax(1) == played).float().mean() - 1 / 3) < 0.02
    assert abs(((values > 0) == (ended > 0))[ended != 0].float().mean() - 3 / 4) < 0.02
    says(PS, "they guess every third move and three winners in four")
    says(PS, rf"has the loss $\ln 37 = {math.log(37):.1f}$; a value that is always 0 has {share((ended**2).mean().item())}"
             " (1 without the draws)")
    legal = [OTHELLO.legal_actions(state) for state in states]
    before = sum(math.log(37 / len(options)) for options in legal) / len(legal)  # the loss for not knowing the legal actions
    shares = [row[options].sum().log() for row, options in zip(logits.softmax(1), legal)]
    assert (before + sum(shares).item() / len(shares)) / (math.log(37) - losses[0]) > 1 / 2
    says(PS, "most of that is learning which moves are legal at all")


# ---- 4.1 to 4.3

def test_the_table_of_puct() -> None:
    Q, N, P = {0: 0.5, 1: -0.2, 2: 0.0}, {0: 4, 1: 1, 2: 0}, {0: 0.5, 1: 0.3, 2: 0.2}
    scores = ps4.puct(Q, N, P)
    for action, score in scores.items():
        bonus = score - Q[action]
        says(PS, rf"| {action} | {share(Q[action], 1) if Q[action] else 0} | {N[action]} | {share(P[action], 1)} |"
                 rf" $1.5 \cdot {share(P[action], 1)} \cdot {math.sqrt(5):.3f} / {1 + N[action]} = {share(bonus, 3)}$ |"
                 rf" {'**' * (action == 0)}{share(score, 3)}{'**' * (action == 0)} |")
    assert max(scores, key=scores.get) == 0
    double = ps4.puct(Q, N, P, 3.0)
    assert max(double, key=double.get) == 2
    says(PS, f"With $c = 3$ the bonuses double, and action 2 is next ({double[2]:.3f} against {double[0]:.3f}).")


def test_a_prior_that_is_wrong_costs_visits() -> None:
    truth, prior = {"poor": -0.2, "fair": 0.1, "good": 0.4}, {"poor": 0.7, "fair": 0.25, "good": 0.05}
    counts: dict[float, list[dict]] = {}
    for c in (0.3, 1.5, 5.0):
        N = dict.fromkeys(truth, 0)
        for total in range(200):
            Q = {name: truth[name] if N[name] else 0.0 for name in N}
            N[ps4.best_action(ps4.puct(Q, N, prior, c), random.Random(total))] += 1
            counts.setdefault(c, []).append(dict(N))
    first_visit = next(number for number, N in enumerate(counts[0.3]) if N["good"])
    assert counts[0.3][first_visit]["fair"] > 50
    assert all(counts[0.3][-1][name] - counts[0.3][first_visit][name] <= 1 for name in ("poor", "fair"))
    says(PS, 'With $c = .3$ the search stays with "fair" for more than 50 visits before it tries the unlikely action at'
             " all; then it stops visiting the others.")
    assert max(counts[1.5][49], key=counts[1.5][49].get) == "good" and counts[5.0][49]["good"] > 0
    says(PS, "With $c = 1.5$ the unlikely action is in front after 50 visits.")
    last = counts[5.0][-1]
    assert max(last, key=last.get) == "poor"
    says(PS, "still not in front after 200: the likely action has {poor}, \"fair\" has {fair}, the unlikely one has {good}."
             .format(**last))


def test_the_search_by_hand() -> None:
    toy, rng = ps4.MCTS(ps4.HAND, ps4.SAID.get), random.Random(1)
    ways = ["s0 is new | +.1, its own value", "s1 is new: .4 for its mover | -.4", "s2 is new: -.2 for its mover | +.2",
            "s2, s5: 1 for its mover, so -1 for s2's | +1", "s2, s6: -1, so +1 for s2's | -1", "s1, s3: a draw | 0"]

    def short(number: float) -> str:
        return share(number, 3).rstrip("0").rstrip(".") if number else "0"

    for number, way in enumerate(ways, 1):
        if number == 5:
            scores = ps4.puct(toy.Q["s2"], toy.N["s2"], toy.P["s2"])
            says(PS, rf"the scores are $-1 + 1.5 \cdot .9 \cdot 1/2 = {share(scores[0], 3)}$ and"
                     rf" $0 + 1.5 \cdot .1 \cdot 1 = {share(scores[1])}$")
        if number == 3:
            scores = ps4.puct(toy.Q["s0"], toy.N["s0"], toy.P["s0"])
            says(PS, f'(-1.75, 1.6, "score {share(scores[0])}"), (0.65, 1.6, "score {share(scores[1])}")')
        value = toy.search("s0", rng)
        assert value == pytest.approx(float(re.search(r"\| ([-+.\d]+)", way)[1]), abs=1e-9)
        cells = [f"{{0: {short(table['s0'][0])}, 1: {short(table['s0'][1])}}}" for table in (toy.N, toy.Q)]
        says(PS, f"| {number} | {way} | {' | '.join(f'**{cell}**' if number == len(ways) else cell for cell in cells)} |")


class Said(torch.nn.Module):
    """A network that always gives the same answer."""

    def __init__(self, probabilities: dict[int, float], value: float, actions: int = 9) -> None:
        super().__init__()
        self.answer = torch.tensor([[probabilities.get(action, 0.0) for action in range(actions)]]), torch.tensor([value])

    def forward(self, planes: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return self.answer


def test_the_priors_by_hand() -> None:
    game = TicTacToe()
    priors, _ = ps4.evaluate_leaf(game, Said({0: 0.5, 6: 0.3, 8: 0.2}, 0.0), game.parse("XOX/OXO/.X."))  # 6 and 8 are free
    says(PS, f"p = (.5, .3, .2), action 0 is illegal: P(1) = .3/.5 = {share(priors[6], 1)}, P(2) = {share(priors[8], 1)}.")


# ---- 4.4 to 4.8

def test_the_wrong_line_by_hand() -> None:
    value, below = 0.4, 1 * -1 + 2 * 0.5  # N Q of the two actions
    says(PS, f"Q = -(.4 - 1 + 1)/4 = {share(-(value + below) / 4, 1)}.")
    says(PS, f"never changes the sign writes (.4 - 1 + 1)/4 = {share((value + below) / 4, 1)}.")
    says(PS, f"with the wrong sign writes -(-.4 - 1 + 1)/4 = {share(-(-value + below) / 4, 1)}.")


def test_temperatures_by_hand() -> None:
    visits = {0: 6, 1: 3, 2: 1}
    at_one, half, cold = (ps4.visit_policy(visits, temperature) for temperature in (1.0, 0.5, 0.0))
    says(PS, f"with $T = 1$ the probabilities are {', '.join(share(p, 1) for p in at_one.values())}")
    squares = [number**2 for number in visits.values()]
    assert list(half.values()) == pytest.approx([square / sum(squares) for square in squares])
    says(PS, rf"with $T = .5$ the counts are squared, {', '.join(f'{square}/{sum(squares)}' for square in squares)};")
    says(PS, f"with $T = 0$ it is {', '.join(f'{p:g}' for p in cold.values())}")
    nearly = ps4.visit_policy({0: 6, 1: 6, 2: 1}, 0.001)
    assert nearly == pytest.approx({0: 0.5, 1: 0.5, 2: 0.0})
    assert ps4.visit_policy({0: 6, 1: 6, 2: 1}, 0.0) == {0: 0.5, 1: 0.5, 2: 0.0}
    says(PS, "Two actions with 6 visits each get .5 and .5: that is the limit of the formula")


def test_the_value_player_by_hand() -> None:
    game = ToyGame({"s0": ["s1", "s2"], "s1": ["end"], "s2": ["end"]}, {})
    player = ps4.ValuePlayer(game, lambda state: ({0: 1.0}, {"s1": 0.3, "s2": -0.1}[state]))
    assert player.choose("s0", 1, random.Random(0)) == 1
    says(PS, "So 4 is worth -.3 to us, 9 is worth +.1, and 9 is the move.")


def test_the_cut_rollout_by_hand() -> None:
    chain = ToyGame({f"s{ply}": [f"s{ply + 1}"] for ply in range(9)}, {})
    player = ps4.MonteCarloPlayer(chain, lambda state: ({0: 1.0}, 0.3))
    worth = {}
    for player.depth in (2, 3):
        worth[player.depth] = player.rollout("s0", random.Random(0))
    says(PS, f"so the rollout is worth {worth[2]:+.1f} to A at s.".replace("0.", "."))
    says(PS, f"With depth 3, B would be to move at the cut, and a +.3 would be worth {share(worth[3], 1)} to A.")
    default = ps4.MonteCarloPlayer(chain, None)
    numbers = {3: "three", 5: "five", 10: "ten"}
    says(PS, f"candidates are the (up to) {numbers[default.top]} actions with the highest priors")
    says(PS, f"{numbers[default.budget]} times: choose a candidate by PUCT; play it; from there make"
             f" {numbers[default.rollouts]} rollouts of at most {numbers[default.depth]} plies")


def test_wilson_by_hand() -> None:
    z, n, p = 1.96, 10, 0.7
    centre, spread = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    says(PS, rf"$(.7 + {share(z * z / (2 * n), 3)} \pm 1.96 \sqrt{{{share(p * (1 - p) / n, 3)} +"
             rf" {share(z * z / (4 * n * n), 4)}}}) / {1 + z * z / n:.3f}"
             rf" = ({share(centre, 3)} \pm {share(spread, 3)})/{1 + z * z / n:.3f}$")
    says(PS, f"7 of 10: $z^2 = {z * z:.3f}$")
    low, high = wilson(p, n)
    says(PS, f"from **{share(low)}** to **{share(high)}**.")
    assert low < 0.5
    says(PS, f"20 of 20: from {share(wilson(1.0, 20)[0])} to {wilson(1.0, 20)[1]:g}.")
    says(PS, f"Leaving them out makes one win and {39} draws a score of {100 * 1 / (1 + 0):.0f} %.")


@pytest.mark.parametrize("score", [0.0, 0.03, 0.2, 0.5, 0.9, 1.0])
def test_wilson_s_interval_holds_the_true_score(score: float) -> None:
    """Over all results of 50 games, with their probabilities: about 95 times in 100, and nowhere far below."""
    n = 50
    chances = [math.comb(n, k) * score**k * (1 - score) ** (n - k) for k in range(n + 1)]
    held = sum(chance for k, chance in enumerate(chances) if wilson(k / n, n)[0] <= score <= wilson(k / n, n)[1])
    assert held > 0.9
    says(PS, "Wilson's interval contains the true score about 95 times in 100.")


def test_openings_depend_on_the_seed_alone_and_swapped_colours_share_them() -> None:
    class Noting(ps4.Player):
        def __init__(self, draws: int) -> None:
            self.draws, self.firsts, self.fresh = draws, [], False

        def new_game(self) -> None:
            self.fresh = True

        def choose(self, state: tuple, simulations: int, rng: random.Random) -> int:
            if self.fresh:
                self.firsts.append(OTHELLO.text(state))
                self.fresh = False
            for _ in range(self.draws):
                rng.random()
            return min(OTHELLO.legal_actions(state))

    seen = []
    for draws, games in ((0, 6), (3, 6), (0, 8)):
        first, second = Noting(draws), Noting(0)
        ps4.Arena(OTHELLO, first, second).play_games(games, seed=4)
        seen.append((first.firsts, second.firsts))
    assert seen[0] == seen[1] == tuple(opening[:6] for opening in seen[2])
    counts = Counter(action for opening in seen[0] for action in opening)
    assert len(counts) >= 6
    says(PS, "another seed gives other openings, the same seed the same match")
    says(PS, "each player has its own generator")


@pytest.mark.parametrize("games, points", [(100, 10), (200, 7)])
def test_how_wide_an_interval_is(games: int, points: int) -> None:
    low, high = wilson(0.5, games)
    assert round(50 * (high - low)) == points
    says(PS, "With 100 games they reach some 10 points to either side, with 200 some 7.")


def test_numbers_of_the_text() -> None:
    game = OTHELLO.start()
    assert OTHELLO.num_actions == 37 and 36 not in OTHELLO.legal_actions(game)
    says(PS, f"| pass | action {OTHELLO.num_actions - 1}: legal only when the mover can place no stone and the"
             " other player can")
    says(PS, f"The network gives probabilities for all {OTHELLO.num_actions} actions")
    defaults = ps4.MCTSPlayer(OTHELLO, None).mcts.c, ps4.MCTS(OTHELLO, None).c
    assert defaults == (1.5, 1.5) and ps4.Arena(OTHELLO, None, None).simulations == 50
    says(PS, "complete search (both networks, $c = 1.5$, 50 simulations)")
