"""The joint check: the submission's own functions together."""

from random import Random
from typing import Any

import numpy as np
import pytest

from autograder.grading.hidden_checks.known_mistakes import ask
from tests.hidden.laws import near
from tests.hidden.ps4_puct.oracle import OTHELLO, Evaluate, draw_toy, opinion, random_game, scores, searched
from tests.hidden.ps4_puct.test_arena import Seat, by_salt, play_out

NEEDS = ("4.1", "4.2", "4.3", "4.4", "4.6", "4.8")
pytestmark = pytest.mark.exercise("joint", needs=NEEDS)


@pytest.mark.hint("what does each of your functions pass to the next: which rows, which c, whose value, and nothing else?")
def test_your_search_over_your_own_functions_counts_the_visits_of_puct(student, edition):
    """the player with your own search, scores and visits plays and counts as PUCT does"""
    for c in (1.5, 3.0):
        known = None
        while known is None:
            game, evaluations = draw_toy(edition)
            simulations = edition.randint(20, 30)
            known = searched(game, lambda state, evaluations=evaluations: evaluations[state], c, [game.start()] * simulations)
            if known is not None and sorted(known[0].N[game.start()].values())[-2:-1] == [max(known[0].N[game.start()].values())]:
                known = None
        player = student.MCTSPlayer(game, Evaluate(evaluations), c)
        N = known[0].N[game.start()]
        played = player.choose(game.start(), simulations, student.rng(edition.getrandbits(30)))
        got = player.mcts.N
        if got != known[0].N:
            row = known[0].Q[game.start()], N, known[0].P[game.start()]
            if student.puct(*row, c) != near(scores(*row, c)):
                ask("do the scores depend on anything except the rows and the c that puct is given?")
        assert got == known[0].N
        assert played == max(N, key=N.get)


@pytest.mark.hint("what does the search get from the network, and for whom?")
def test_your_search_asks_the_network_through_your_own_functions(student, edition):
    """a search with your own evaluate_leaf has the visits of PUCT with the network's masked answers"""

    def spoken(planes: np.ndarray) -> tuple[np.ndarray, float]:
        dice = Random(planes.tobytes() + bytes([salt]))
        p = np.array([dice.uniform(0.02, 1) for _ in range(37)], np.float32)
        return p / p.sum(), round(dice.uniform(-0.9, 0.9), 3)

    asked = []

    def forward(planes: Any) -> tuple[np.ndarray, np.ndarray]:
        asked.append(planes)
        p, value = spoken(planes[0])
        return p[None, :], np.array([value], np.float32)

    def evaluation_of(state: Any) -> tuple[dict, float]:
        p, value = spoken(OTHELLO.planes(state))
        legal = OTHELLO.legal_actions(state)
        return {a: float(p[a] / sum(p[b] for b in legal)) for a in legal}, float(np.float32(value))

    def turned(state: Any) -> tuple[dict, float]:
        priors, value = evaluation_of(state)
        return priors, 0.0 - value

    first: dict[int, tuple[list[float], float]] = {}

    def remembered(state: Any) -> tuple[dict, float]:
        priors, value = evaluation_of(state)
        shares, value = first.setdefault(len(priors), (list(priors.values()), value))
        return dict(zip(priors, shares, strict=True)), value

    known, N = None, {}
    while known is None:
        salt = edition.randrange(256)
        states, _ = random_game(edition, OTHELLO)
        root = states[len(states) - edition.choice([6, 9])]
        first.clear()
        results = [searched(OTHELLO, answer, 1.5, [root] * 25) for answer in (evaluation_of, turned, remembered)]
        if all(results):
            N, *others = (tables.N[root] for tables, _ in results)
            if N not in others and list(N.values()).count(max(N.values())) == 1:
                known = results[0]
    evaluate = student.call_and_keep("evaluator", OTHELLO, student.network(forward))
    player = student.MCTSPlayer(OTHELLO, evaluate)
    played = player.choose(root, 25, student.rng(1))
    got = player.mcts.N.get(root)
    if got != N:
        if got == others[0]:
            ask("for whom is the value when it reaches the search: does its sign change on the way?")
        elif len(asked) != len(known[0].asked):
            ask("do you call the network for every new state, once?")
    assert got == N
    assert played == max(N, key=N.get)


@pytest.mark.hint("who has which place in each game, and whose points do you count?")
def test_your_players_meet_in_your_own_arena(student, edition):
    """in your own arena your policy player and another fixed player get the points that their game is worth"""

    def likeliest(state: Any) -> int:
        priors, _ = evaluation_of(state)
        return max(priors, key=priors.get)

    results: list[float] = []
    while 1.0 not in results:
        evaluation_of, fixed = opinion(OTHELLO, edition.getrandbits(30)), by_salt(OTHELLO, edition.getrandbits(30))
        moves = likeliest, fixed
        results = [play_out(OTHELLO, OTHELLO.start(), moves), 0.0 - play_out(OTHELLO, OTHELLO.start(), moves[::-1])]
    player = student.PolicyPlayer(OTHELLO, evaluate=Evaluate(evaluation_of))
    got = student.Arena(OTHELLO, player, Seat("fixed", [], fixed).over_there(student), 5, plies=0).play_games(2, 1)
    assert got[:3] == tuple(results.count(value) for value in (1.0, 0.0, -1.0))
