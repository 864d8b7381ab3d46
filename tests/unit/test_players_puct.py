"""The compiled forest: its proofs are right, answers go to the right trees, the visits are those of problem set 5's search."""

import random
from functools import cache

import numpy as np
import torch

from arena.games import ConnectFour, TicTacToe
from arena.players.network import Asking, Network
from arena.players.puct import Forest, Settings, new_forest, plant, root_policy, root_value
from arena.players.rules import OPEN, CompiledRules, compiled
from arena.players.solver import Solver
from solutions import ps5_alphazero as ps5
from tests.unit.equal_network import equal

PLAIN = Settings(c=1.5, parent=0.0, reduction=0.0)


def search(rules: CompiledRules, states: list, simulations: int | range, network: Network = equal,
           settings: Settings = PLAIN) -> Forest:
    """Search all states together, each with its number of simulations; return the forest."""
    budgets, asking = np.full(len(states), simulations, np.int32), Asking(rules, len(states))
    forest = new_forest(len(states), budgets.max() + 3, rules.num_actions)
    for tree, state in enumerate(states):
        plant(rules.number, forest, tree, *rules.bits_of(state), settings.threats)
    while asking.step(forest, budgets, settings, network):
        pass
    return forest


def after_random_moves(count: int, plies: int, seed: int) -> list[tuple[int, int]]:
    """Return unfinished positions of Connect Four after `plies` random moves."""
    game, rng, states = ConnectFour(), random.Random(seed), []
    while len(states) < count:
        state = game.start()
        for _ in range(plies):
            if game.outcome(state) is None:
                state = game.play(state, rng.choice(game.legal_actions(state)))
        if game.outcome(state) is None:
            states.append(state)
    return states


@cache
def minimax(state: tuple[int, int]) -> float:
    game = TicTacToe()
    outcome = game.outcome(state)
    return outcome if outcome is not None else max(-minimax(game.play(state, action)) for action in game.legal_actions(state))


def test_tic_tac_toe_is_proved_and_every_proof_is_minimax() -> None:
    game, rules = TicTacToe(), compiled("tic_tac_toe")
    states = [game.play(game.play((0, 0), first), second) for first in range(9) for second in range(9) if first != second]
    forest = search(rules, states, 1200)
    assert (forest.proved[:, 0] != OPEN).sum() > 40
    for tree, state in enumerate(states):
        if forest.proved[tree, 0] != OPEN:
            assert root_value(forest, tree) == minimax(state)
            assert minimax(game.play(state, int(root_policy(forest, tree).argmax()))) == -minimax(state)
        for node in range(forest.size[tree]):
            if forest.proved[tree, node] != OPEN:
                assert minimax((int(forest.own[tree, node]), int(forest.theirs[tree, node]))) == forest.proved[tree, node]


def test_proofs_of_connect_four_are_the_solver_s() -> None:
    game, rules, solver = ConnectFour(), compiled("connect_four"), Solver(20)
    states = after_random_moves(40, 26, seed=5)
    forest = search(rules, states, 1500)
    roots = forest.proved[:, 0]
    assert (roots != OPEN).sum() >= 20 and len(set(roots.tolist())) >= 3
    for state, result, tree in zip(states, roots.tolist(), range(40)):
        if result != OPEN:
            score = solver.score(state)
            assert result == (score > 0) - (score < 0)
            best = game.play(state, int(root_policy(forest, tree).argmax()))
            outcome = game.outcome(best)
            score = int(outcome) if outcome is not None else solver.score(best)
            assert -result == (score > 0) - (score < 0)


def test_the_visits_are_those_of_problem_set_5_where_nothing_is_proved() -> None:
    """Uneven priors and values, so that no tie decides; 60 simulations from the empty board prove nothing."""
    game, rules = ConnectFour(), compiled("connect_four")
    torch.manual_seed(3)
    net = ps5.make_net(game, channels=4, hidden=8).eval()
    with torch.no_grad():
        net.policy_head.weight *= 8
        net.value_head.weight *= 8

    def network(planes: np.ndarray, allowed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        with torch.no_grad():
            log_p, value = net(torch.from_numpy(planes), torch.from_numpy(allowed))
        return log_p.exp().numpy(), value.numpy()

    root = ps5.Node(game, game.start())
    ps5.search(game, net, root, 60, 1.5, random.Random(0))
    forest = search(rules, [game.start()], 60, network)
    assert forest.visits[0, 0].tolist() == root.N


def test_a_position_and_its_mirror_image_show_the_same_wins() -> None:
    """X completes the bottom row at either end; a root that shows one end alone would contradict its mirror image"""
    game, rules = ConnectFour(), compiled("connect_four")
    wins = game.parse("......./......./......./......./.OO..../.XXX.O.")
    (policy, mirrored) = (root_policy(search(rules, [state], 0), 0) for state, _ in game.symmetries(wins, [0.0] * 7))
    assert policy.tolist() == [0.5, 0, 0, 0, 0.5, 0, 0] and mirrored.tolist() == policy[::-1].tolist()


def test_wins_by_threats_can_be_left_out() -> None:
    """X plays column 4 and threatens to complete the bottom row at both ends"""
    game, rules = ConnectFour(), compiled("connect_four")
    state = game.parse("......./......./......./......./..O..../..XX..O")
    for threats in (True, False):
        forest = search(rules, [state], 0, settings=PLAIN._replace(threats=threats))
        assert (forest.proved[0, 0] == 1) == threats
    below = game.play(state, 6)  # somewhere else: O must see that the same threat is still there one ply below
    proved = [search(rules, [below], 7, settings=PLAIN._replace(threats=threats)).proved[0] for threats in (True, False)]
    assert (proved[0] == 1).sum() > (proved[1] == 1).sum()


def test_an_untried_move_is_worth_less_the_more_prior_mass_was_tried() -> None:
    """The formula of KataGo, at the root. Tree n + 1 is tree n with one simulation more, so that it shows the next choice."""
    rules, settings = compiled("connect_four"), Settings(c=0.5, parent=0.8, reduction=0.3)
    weights = np.random.default_rng(1).normal(size=(9, 2, 6, 7)).astype(np.float32)

    def network(planes: np.ndarray, allowed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        outputs = (planes[:, None] * weights).sum(axis=(2, 3, 4))
        priors = np.where(allowed, np.exp(outputs[:, :7]), 0)
        return (priors / priors.sum(axis=1, keepdims=True)).astype(np.float32), np.tanh(outputs[:, 7])

    state = after_random_moves(1, 6, seed=1)[0]
    forest = search(rules, [state] * 40, range(1, 41), network, settings)
    untried = 0
    for tree in range(39):
        visits, priors, value = forest.visits[tree, 0], forest.priors[tree, 0], forest.value[tree, 0]
        tried = visits > 0
        worth = (forest.totals[tree, 0].sum() + value) / (visits.sum() + 1)
        mean = np.where(tried, forest.totals[tree, 0] / np.maximum(visits, 1), 0.8 * worth - 0.3 * np.sqrt(priors[tried].sum()))
        bounds = mean + 0.5 * np.sqrt(visits.sum()) * priors / (1 + visits)
        chosen = int((forest.visits[tree + 1, 0] - visits).argmax())
        assert chosen == int(bounds.argmax())
        untried += not tried[chosen]
    assert 2 <= untried < 7 and (forest.proved[:, 0] == OPEN).all()


def test_a_win_at_once_is_found_without_a_question() -> None:
    game, rules = ConnectFour(), compiled("connect_four")
    state = game.parse("......./......./......./......./OOO..../XXX....")
    forest = search(rules, [state], 1)
    assert forest.proved[0, 0] == 1 and root_policy(forest, 0).tolist() == [0, 0, 0, 1, 0, 0, 0]


def test_a_win_by_threats_alone_is_found_without_a_question_at_the_root_and_below_it() -> None:
    game, rules, questions = ConnectFour(), compiled("connect_four"), 0

    def network(planes: np.ndarray, allowed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        nonlocal questions
        questions += len(planes)
        return equal(planes, allowed)

    before = game.parse("......./......./......./......./..O.O../..X.X..")  # X in column 3 threatens to win on both sides
    forest = search(rules, [before], 1, network)
    assert questions == 0 and forest.proved[0, 0] == 1 and root_policy(forest, 0).tolist() == [0, 0, 0, 1, 0, 0, 0]
    assert forest.proved[0, forest.child[0, 0, 3]] == -1

    below = search(rules, [game.parse("......./......./......./......./..O..../..X.X..")], 7, network)  # O to move
    children = {action: below.child[0, 0, action] for action in range(7)}
    assert {action for action, child in children.items() if child and below.proved[0, child] == 1} >= {0, 6}


def test_remembered_answers_spare_questions_and_change_no_visit() -> None:
    """In Connect Four many sequences of moves lead to the same position, and both trees meet the same positions."""
    rules = compiled("connect_four")
    torch.manual_seed(3)
    net = ps5.make_net(rules.game, channels=4, hidden=8).eval().double()  # no last bit depends on the other boards of a question
    asked = 0

    def network(planes: np.ndarray, allowed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        nonlocal asked
        asked += len(planes)
        with torch.no_grad():
            log_p, value = net(torch.from_numpy(planes).double(), torch.from_numpy(allowed))
        return log_p.exp().float().numpy(), value.float().numpy()

    visits, questions = [], []
    for answers in (0, 8, 1 << 12):  # none; far too few, so that most are replaced; enough
        forest, asking = new_forest(2, 200, rules.num_actions), Asking(rules, 2, answers)
        for tree in range(2):
            plant(rules.number, forest, tree, 0, 0)
        asked = 0
        for budgets in ([200, 0], [200, 150]):
            while asking.step(forest, np.array(budgets, np.int32), PLAIN, network):
                pass
        visits.append(forest.visits[:, 0].tolist())
        questions.append(asked)
    assert visits[0] == visits[1] == visits[2]
    assert questions[0] >= questions[1] > 1.5 * questions[2]
    asking.forget()
    plant(rules.number, forest, 0, 0, 0)
    assert asking.step(forest, np.array([1, 0], np.int32), PLAIN, network) == 1


def test_a_forced_move_needs_no_question_and_the_nodes_suffice() -> None:
    rules, states = compiled("connect_four"), after_random_moves(20, 16, seed=7)
    forest = search(rules, states, 300)
    single = [(tree, node) for tree in range(20) for node in range(1, int(forest.size[tree]))
              if forest.proved[tree, node] == OPEN and int(forest.actions[tree, node]).bit_count() == 1]  # fmt: skip
    assert len(single) > 100 and all(forest.answered[place] for place in single)
    assert (forest.simulations[forest.proved[:, 0] == OPEN] == 300).all() and (forest.size <= forest.own.shape[1]).all()
