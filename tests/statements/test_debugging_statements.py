"""How a mistake is found: the stories of the five sets, told again by the wrong answers that they are about."""

import functools
import random
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from lesson import says, share, text_of

from arena import check
from arena.games import FIVE_SIMULATIONS, ConnectFour, Othello, TicTacToe, after
from arena.match import play_game
from arena.players.random import RandomPlayer
from arena.show.step import Phases, step
from autograder.problem_sets.bank.answers import Answer, load_bank, submission_text
from autograder.problem_sets.source import load
from autograder.selftest.verify.at_home import verdicts_of
from solutions import ps4_puct

BANKS = Path(__file__).parents[1] / "wrong"


def answer_of(ps: str, title: str) -> Answer:
    return next(answer for answer in load_bank(BANKS / f"{ps}.py") if answer.title == title)


@functools.cache
def wrong(ps: str, title: str) -> ModuleType:
    """The solution with a wrong answer in it, as a module."""
    module = ModuleType(f"wrong_{ps}")
    sys.modules[module.__name__] = module  # dataclasses look for their module
    exec(compile(submission_text(load(ps), answer_of(ps, title)), module.__name__, "exec"), module.__dict__)
    return module


def drawn(board: np.ndarray) -> str:
    return " ".join(" ".join(".XO"[stone] for stone in row) for row in board)


def test_a_law_finds_a_board_and_the_smallest_board_names_the_mistake() -> None:
    has_run = wrong("ps1_games", "1.3: the board as one long list, a row runs on into the next").has_run
    rng = random.Random(1)

    def broken(board: np.ndarray, player: int) -> bool:
        return bool(has_run(board, player, 4) != has_run(board[:, ::-1], player, 4))

    number, players = 0, list[int]()
    while not players:
        number += 1
        board = np.array([[rng.choice([0, 0, 1, -1]) for _ in range(7)] for _ in range(6)], dtype=np.int8)
        players = [player for player in (0, 1) if broken(board, player)]
    says("ps1_games", f"Of 1,000 random boards the {number}th breaks the law. It has {np.count_nonzero(board)} stones")
    says("ps1_games", drawn(board))
    for square in range(board.size):
        fewer = board.copy()
        fewer.flat[square] = 0
        board = fewer if broken(fewer, players[0]) else board
    assert np.count_nonzero(board) == 4
    says("ps1_games", drawn(board))


def test_the_table_by_hand_and_the_first_row_that_differs() -> None:
    ps2 = wrong("ps2_uct", "2.6: the child's mean is not negated")
    phases = Phases(ps2.select, ps2.expand, FIVE_SIMULATIONS.evaluate, ps2.backpropagate)
    root = ps2.TreeNode("s0")
    steps = step(FIVE_SIMULATIONS, root, phases, num_simulations=5, rng=random.Random(1))
    says("ps2_uct", f"This tree ends with s0 {root.num_visits}, {root.total_value:g}, where the table has 5, -58.")
    third = steps.trace[steps.trace.index("simulation 3"):].split("\n")[:3]
    says("ps2_uct", " ".join(third))
    child = ps2.TreeNode("s1", ps2.TreeNode("s0"), 0)
    child.parent.num_visits, child.num_visits, child.total_value = 2, 1, 20.0
    says("ps2_uct", f"this `ucb` says +{ps2.ucb(child, 1.0):.2f}.")


@pytest.mark.usefixtures("computing")
def test_a_search_that_wants_the_wrong_thing_loses_more_with_more_simulations() -> None:
    ps2, game = wrong("ps2_uct", "2.6: the child's mean is not negated"), TicTacToe()

    class Wrong:
        def choose(self, state: Any, simulations: int, rng: random.Random) -> int:
            return int(ps2.search(game, state, simulations, 1.0, rng)[0])

    def lost(simulations: int) -> int:
        """Of 40 games, with both colours; the seeds are fixed."""
        result = 0
        for number in range(40):
            players = (Wrong(), RandomPlayer(game)) if number % 2 == 0 else (RandomPlayer(game), Wrong())
            for_x = play_game(game, players, simulations, random.Random(number))[1]
            result += for_x == (-1 if number % 2 == 0 else 1)
        return result

    few, many = lost(10), lost(300)
    assert many > few and many > 20, (few, many)
    says("ps2_uct", "loses against a random player, and with more simulations it loses more")


@pytest.mark.usefixtures("processes")
def test_two_counts_and_halving(monkeypatch: pytest.MonkeyPatch) -> None:
    title = "3.5: a draw counts no visit"
    ps3, game, rewards = wrong("ps3_connect_four", title), ConnectFour(), []
    policy, limit = ps3.default_policy, 3000

    def counted(*arguments: Any) -> tuple[float, float]:
        rewards.append(policy(*arguments))
        if len(rewards) > limit:
            raise TimeoutError
        return rewards[-1]

    monkeypatch.setattr(ps3, "default_policy", counted)

    def rollouts(plies: int, simulations: int, seed: int) -> int | str:
        rewards.clear()
        try:
            ps3.uct(game, after(game, moves[:plies]), random.Random(seed), simulations=simulations)
        except TimeoutError:
            return "no end"
        return len(rewards)

    moves = [3, 3, 0, 2, 5, 4, 5, 6, 4, 2, 2, 3, 3, 5, 5, 2, 2, 4, 3, 3, 1, 1, 2, 1, 5, 5, 0, 4, 0, 4, 4, 6, 6, 6, 6]
    counts = [rollouts(plies, 200, seed=0) for plies in (0, 20, 32, 35)]
    says("ps3_connect_four", f"| rollouts | {' | '.join(map(str, counts))} |")
    halves = {budget: rollouts(20, budget, seed=1) for budget in (100, 50, 75, 62, 56, 59, 60)}
    assert halves == {100: 102, 50: 50, 75: 77, 62: 64, 56: 56, 59: 59, 60: 62}
    says("ps3_connect_four", "A budget of 50 needs 50 rollouts, and 75 needs 77: it begins between them. 62 needs 64, so it "
                             "begins between 50 and 62. After three more halves the answer is: 59 is right, and 60 needs 62.")
    assert rewards[59] == (0, 0)
    assert verdicts_of(load("ps3_connect_four"), answer_of("ps3_connect_four", title), {"3.6"})["3.6"][0] == check.PASSED


def test_an_assertion_where_the_truth_is_known() -> None:
    game, ps4 = Othello(), wrong("ps4_puct", "4.3: the sign does not flip after a pass")

    @functools.cache
    def exact(state: Any) -> float:
        outcome = game.outcome(state)
        return max(-exact(game.play(state, action)) for action in game.legal_actions(state)) if outcome is None else outcome

    def says_nothing(state: Any) -> tuple[dict[int, float], float]:
        legal = game.legal_actions(state)
        return {action: 1 / len(legal) for action in legal}, 0.0

    def searched(module: ModuleType, state: Any) -> tuple[dict[int, int], dict[int, float]]:
        mcts, rng = module.MCTS(game, says_nothing), random.Random(1)
        for _ in range(100):
            mcts.search(state, rng)
        return mcts.N[state], mcts.Q[state]

    rng, endings = random.Random(4), []
    while len(endings) < 60:
        state = game.start()
        while game.outcome(state) is None and game.text(state).count(".") > 2:
            state = game.play(state, rng.choice(game.legal_actions(state)))
        if game.outcome(state) is None and len(game.legal_actions(state)) > 1:
            endings.append(state)
    failing = {}
    for module in (ps4_puct, ps4):
        for state in endings:
            visits, means = searched(module, state)
            move = max(visits, key=lambda action: visits[action])
            if -exact(game.play(state, move)) < exact(state):
                failing[state] = (module is ps4, visits, means)
    ((state, (is_wrong, visits, means)),) = failing.items()
    assert is_wrong
    says("ps4_puct", " ".join(" ".join(row) for row in game.text(state).split("\n")[:6]) + " X to move: 23 or 29")
    says("ps4_puct", f"The search gives {visits[29]} of its 100 simulations to 29. Of 23 it says Q = {share(means[23])}, and "
                     "right would be +1.")
    assert (game.legal_actions(state), exact(game.play(state, 23)), exact(game.play(state, 29))) == ([23, 29], -1.0, 0.0)
    assert game.legal_actions(game.play(state, 23)) == [36]


def test_a_cut_where_the_numbers_are_known() -> None:
    ps5 = wrong("ps5_alphazero", "5.8: the value is not turned around from player to player")
    game, moves = TicTacToe(), [4, 1, 0, 3, 8]
    history = [(after(game, moves[:plies]), np.full(9, 1 / 9)) for plies in range(5)]
    examples = ps5.make_examples(game, history, after(game, moves))
    came = [next(value for state, _, value in examples if state == place) for place, _ in history]
    says("ps5_alphazero", f"z = +1, -1, +1, -1, +1 | z = {', '.join(f'{value:g}' for value in came)} |")


@pytest.mark.parametrize("ps", ["ps1_games", "ps2_uct", "ps3_connect_four", "ps4_puct", "ps5_alphazero"])
def test_a_story_says_what_to_keep(ps: str) -> None:
    text = text_of(f"solutions/{ps}.py")
    story = re.search(r"A mistake that students make, found in \w+ minutes</b></summary>(.*?)</details>", text)
    assert story and "What to keep: **" in story[1]
