"""The compiled players of Connect Four: bits against arena's rules, the search by moves that it must find, the solver exactly."""

import random
from functools import cache

import pytest

from arena.games import ConnectFour
from arena.players import bitboard, book
from arena.players.perfect import PerfectPlayer
from arena.players.solver import Solver, plies_to_end
from arena.players.uct import UCTPlayer, visit_counts
from arena.strength.openings import state_of

GAME = ConnectFour()
State = tuple[int, int]


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver(22)


def random_state(plies: int, rng: random.Random) -> State:
    """A position of exactly `plies` random moves in which the game goes on."""
    while True:
        state = GAME.start()
        for _ in range(plies):
            if GAME.outcome(state) is not None:
                break
            state = GAME.play(state, rng.choice(GAME.legal_actions(state)))
        if (state[0] | state[1]).bit_count() == plies and GAME.outcome(state) is None:
            return state


@cache
def exact(state: State) -> int:
    """The score by plain minimax over arena's rules: an oracle for positions near the end."""
    scores = []
    for column in GAME.legal_actions(state):
        after = GAME.play(state, column)
        outcome = GAME.outcome(after)
        scores.append(-exact(after) if outcome is None else 22 - after[1].bit_count() if outcome else 0)
    return max(scores)


def test_the_bits_are_arena_s() -> None:
    rng = random.Random(1)
    for plies in range(42):
        mover, other = state = random_state(min(plies, 36), rng)
        landing = int(bitboard.playable(mover | other))
        assert [column for column in range(7) if landing >> 7 * column & 0b111111] == GAME.legal_actions(state)
        wins = int(bitboard.winning_squares(mover, mover | other)) & landing
        winning = [column for column in GAME.legal_actions(state) if GAME.outcome(GAME.play(state, column)) == -1]
        assert [column for column in range(7) if wins >> 7 * column & 0b111111] == winning
        pictures = {GAME.text((int(bitboard.mirrored(mover)), int(bitboard.mirrored(other))))}
        assert pictures == {"\n".join([*(row[::-1] for row in GAME.text(state).splitlines()[:-1]), "0123456"])}


def test_the_search_wins_blocks_and_counts() -> None:
    win = GAME.parse("......./......./......./......./OOO..../XXX....")
    block = GAME.parse("......./......./......./......./OO...../XXX....")
    for seed in range(5):
        assert UCTPlayer().choose(win, 200, random.Random(seed)) == 3
        assert UCTPlayer().choose(block, 400, random.Random(seed)) == 3
        assert visit_counts(GAME.start(), 100, 1.0, seed).sum() == 99  # the first one belongs to the root


def test_the_search_depends_on_its_seed_alone() -> None:
    counts = [visit_counts(GAME.start(), 300, 1.0, seed).tolist() for seed in (3, 3, 4)]
    assert counts[0] == counts[1] != counts[2]


def test_a_faster_search_finds_the_same_moves() -> None:
    """The visits from before the search kept its figures at the parent: bots of the ladder play as they were measured."""
    crowded = GAME.parse("O....../X....../O....../X..O.../O..X.../X..O..X")
    assert visit_counts(GAME.start(), 300, 1.0, 3).tolist() == [26, 29, 22, 148, 41, 18, 15]
    assert visit_counts(GAME.start(), 20_000, 1.0, 4).tolist() == [243, 261, 259, 18098, 705, 145, 288]
    assert visit_counts(crowded, 2000, 0.5, 5).tolist() == [0, 2, 63, 1909, 18, 2, 5]


@pytest.mark.parametrize("simulations, text", [(0, "." * 7), (100, "XXXX...")])
def test_what_cannot_be_searched_is_an_error(simulations: int, text: str) -> None:
    state = (0, 0) if "X" not in text else (0b111 << 1, 0b1 | 1 << 7 | 1 << 14 | 1 << 21)
    with pytest.raises(ValueError, match="at least 1 simulation"):
        visit_counts(state, simulations, 1.0, 1)


@pytest.mark.usefixtures("computing")
@pytest.mark.parametrize("plies", [31, 32, 33, 34, 35, 36, 39, 40, 41])
def test_the_solver_agrees_with_plain_minimax(plies: int, solver: Solver) -> None:
    rng = random.Random(plies)
    for _ in range(15):
        state = random_state(plies, rng)
        assert solver.score(state) == exact(state)
        best = max(score for score in solver.scores(state) if score is not None)
        assert best == exact(state)
        assert [bound for bound in range(-22, 22) if solver.is_above(state, bound)] == list(range(-22, best))


def test_a_crowded_table_gives_the_same_scores(solver: Solver) -> None:
    """Positions push each other out of a table with two places, and none of them answers for another."""
    rng, crowded = random.Random(7), Solver(1)
    for plies in (24, 26, 28, 30, 32) * 3:
        state = random_state(plies, rng)
        assert crowded.scores(state) == solver.scores(state)


def test_the_length_of_the_game_follows_from_the_score(solver: Solver) -> None:
    rng, perfect = random.Random(4), PerfectPlayer(solver)
    for plies in (20, 21, 26, 27, 30, 31):
        state = random_state(plies, rng)
        promised, played = plies_to_end(state, solver.score(state)), 0
        while GAME.outcome(state) is None:
            state, played = GAME.play(state, perfect.choose(state, 0, rng)), played + 1
        assert played == promised


@pytest.mark.usefixtures("repetition")
def test_the_book_is_what_the_solver_says(solver: Solver) -> None:
    """New random entries in every run: those of 8 plies against the solver, the others against the entries that follow."""
    rng, perfect = random.Random(), PerfectPlayer(solver)
    keys, scores = book.load()
    assert len(keys) == 129_498 and (keys[1:] > keys[:-1]).all()
    solved = 0
    for number in rng.sample(range(len(keys)), 200):
        state = state_of(int(keys[number]))
        assert book.look_up(state) == scores[number]
        if (state[0] | state[1]).bit_count() < book.DEPTH:
            assert max(perfect.scores(state).values()) == scores[number], state
        elif solved < 5:
            assert solver.score(state) == scores[number], state
            solved += 1
    assert book.look_up(random_state(9, rng)) is None


def test_the_first_move_belongs_in_the_middle(solver: Solver) -> None:
    assert PerfectPlayer(solver).scores(GAME.start()) == {0: -2, 1: -1, 2: 0, 3: 1, 4: 0, 5: -1, 6: -2}


def test_perfect_beats_a_strong_search_from_the_start(solver: Solver) -> None:
    rng, players = random.Random(6), (PerfectPlayer(solver), UCTPlayer())
    state = GAME.start()
    while GAME.outcome(state) is None:
        state = GAME.play(state, players[GAME.player(state)].choose(state, 1600, rng))
    assert GAME.outcome(state) == -1.0 and GAME.player(state) == 1
