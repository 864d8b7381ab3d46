"""3.1: a random game to the end, and its ending as rewards."""

import pytest

from arena.games import ToyGame
from autograder.grading.recognise import recognise
from tests.hidden.generators import draw_game, states_of
from tests.hidden.ps3_connect_four.drawn import endings, one_ply, uneven
from tests.hidden.ps3_connect_four.oracle import GAME, SMALL, finished, line, random_game, rewards_of

pytestmark = pytest.mark.exercise("3.1")


@pytest.mark.hint("outcome speaks of the player to move at the end: is that player 0 or player 1?")
def test_the_rewards_name_the_winner(student, edition):
    """the first reward is player 0's, whoever wins and however long the game is"""
    #   s0 - s1 - s2 - s3: the last move is player 0's, and wins: (1, -1)
    for plies in (3, *edition.sample([1, 2, 4, 5, 6, 7, 8], 3), edition.randint(39, 42), edition.randint(201, 230)):
        for value in (-1.0, 1.0):
            wanted = rewards_of(value, plies % 2)
            got = student.default_policy(line(plies, value), "s0", student.rng(1))
            recognise(got, {"The two rewards have changed places: whose outcome does the game tell?": wanted[::-1]})
            assert got == wanted


@pytest.mark.hint("do the rewards depend on who was to move where the rollout began?")
def test_the_beginning_of_the_rollout_does_not_matter(student, edition):
    """from every position of one game, whoever is to move there, the same game has the same rewards"""
    for plies in (edition.choice([5, 7]), edition.choice([6, 8])):
        value = edition.choice([-1.0, 1.0])
        game = line(plies, value)
        got = student.many("default_policy", [(game, f"s{ply}", student.rng(1)) for ply in range(plies + 1)])
        wanted = rewards_of(value, plies % 2)
        mover = [rewards_of(value * (-1) ** (plies - ply), 0) for ply in range(plies + 1)]
        recognise(
            [r0 for r0, _ in got],
            {"These are the rewards of the player to move where the rollout began: whose come first?": [m[0] for m in mover]},
        )
        assert got == [wanted] * (plies + 1)


@pytest.mark.hint("what does each player get for a draw?")
def test_a_draw_is_nothing_for_both(student, edition):
    """a draw is (0, 0), wherever the rollout begins"""
    game = line(edition.choice([4, 5]), 0.0)
    board = random_game(edition, SMALL)
    while SMALL.outcome(board[-1]) != 0.0:
        board = random_game(edition, SMALL)
    got = student.many("default_policy", [(game, state, student.rng(1)) for state in ("s0", "s1", "s2")])
    got += student.many("default_policy", [(SMALL, board[-1], student.rng(1)), (GAME, finished(edition, None), student.rng(1))])
    assert got == [(0.0, 0.0)] * 5


@pytest.mark.hint("what is left to play where the game is over, and whose reward is the outcome there?")
def test_a_finished_game_is_told_as_it_is(student, edition):
    """where the game is over no move is made, and the rewards are those of the ending, for both colours"""
    watched = student.watch(GAME)
    for winner in (0, 1):
        state = finished(edition, winner)
        wanted = (1.0, -1.0) if winner == 0 else (-1.0, 1.0)
        assert student.default_policy(watched, watched.token(state), student.rng(1)) == wanted
    assert [call for call in watched.calls if call[0] == "play"] == []


@pytest.mark.hint("which moves may come in a random game, and when is it over?")
def test_a_whole_game_is_played_by_the_rules(student, edition):
    """from the given position legal moves are played, one after another, until the game is over and no further"""
    for plies in (edition.choice([8, 10, 12]), edition.choice([9, 11, 13])):
        states = random_game(edition)
        while len(states) < plies + 2:
            states = random_game(edition)
        watched = student.watch(GAME)
        got = student.default_policy(watched, watched.token(states[plies]), student.rng(edition.getrandbits(30)))
        played = [(at, action) for method, at, action in watched.calls if method == "play"]
        assert all(action in GAME.legal_actions(at) for at, action in played)
        way = list(dict.fromkeys(at for at, _ in played))  # several moves may be tried at a state, of which one is made
        assert way[0] == states[plies]
        after = [{GAME.play(at, action) for where, action in played if where == at} for at in way]
        assert all(state in reached for state, reached in zip(way[1:], after))
        ends = [state for state in after[-1] if GAME.outcome(state) is not None]
        assert got in [rewards_of(GAME.outcome(end), GAME.player(end)) for end in ends]


@pytest.mark.hint("can every legal move come, and all alike?")
def test_every_move_is_drawn_equally_often(student, edition):
    """at each ply every legal move is as likely as the others, for both players"""
    ends = edition.sample([1.0, 0.0, -1.0], 3)
    for forced in (0, edition.choice([3, 5, 7, 9])):
        moves = {f"s{ply}": [f"s{ply + 1}"] for ply in range(forced)} | {f"s{forced}": ["a", "b", "c"]}
        game = ToyGame(moves, dict(zip("abc", ends, strict=True)))
        got = student.many("default_policy", [(game, "s0", student.rng(edition.getrandbits(30)))] * 600)
        # 200 expected for each of three, deviation 11.5; 200 +- 72 is left once in 2e9 tries.
        for value in (1.0, 0.0, -1.0):
            assert 128 <= got.count(rewards_of(value, 1 - forced % 2)) <= 272


@pytest.mark.hint("where do your random numbers come from?")
def test_a_rollout_repeats_with_its_rng(student, edition):
    """the same rng plays the same games again, another rng others, and no other generator is used"""
    seed = edition.getrandbits(30)
    game = ToyGame({f"s{ply}": [f"s{ply + 1}", f"e{ply}", f"d{ply}"] for ply in range(6)}, {f"e{p}": 1.0 for p in range(6)})

    def games(seed: int) -> list[tuple[float, float]]:
        return student.many("default_policy", [(game, "s0", student.rng(seed))] * 40)

    before = student.disturb(edition.getrandbits(30))
    first = games(seed)
    assert student.global_state() == before
    student.disturb(edition.getrandbits(30))
    assert first == games(seed)
    # Forty games with three endings of 1/4 and more each: equal by luck less than once in 1e10 tries.
    assert first != games(seed + 1)


@pytest.mark.hint("what may a state be, what may its actions be, and how long may a game last?")
def test_any_game_is_played_to_its_end(student, edition):
    """in drawn games of every shape, from any of their states, the rewards are those of an end that can be reached"""
    shapes = ["bushy", "forced", "line", "wide", "over"] * 4
    cases = []
    for shape in shapes:
        game = draw_game(edition, shape)
        cases += [(game, state) for state in (game.start(), edition.choice(states_of(game)))]
    got = student.many("default_policy", [(*case, student.rng(edition.getrandbits(30))) for case in cases])
    assert all(rewards in endings(*case) for rewards, case in zip(got, cases, strict=True))


@pytest.mark.hint("can every legal move come, and all alike?")
def test_a_dozen_moves_are_drawn_equally_often(student, edition):
    """of seven to twelve moves the first and the last come as often as any other, for both players"""
    for player in (0, 1):
        number = edition.randint(7, 12)
        results = [0.0] * number
        results[0], results[-1] = edition.sample([1.0, -1.0], 2)
        # Of 40 numbers none below 24 is legal: who draws a number and goes on to the next legal one has the first too often.
        game, state, _ = one_ply(edition, results, player, range(24, 40))
        got = student.many("default_policy", [(game, state, student.rng(edition.getrandbits(30)))] * 400)
        first, last = (got.count(rewards_of(results[place], player)) for place in (0, -1))
        assert first and last  # one of twelve is missed once in 1e15 tries
        assert not uneven([first, last]) and 400 / number / 6 < first + last < 400 / number * 4.5
