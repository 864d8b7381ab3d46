"""3.1: a random game to the end, and its ending as rewards."""

import pytest

from arena.games import ToyGame
from autograder.grading.hidden_checks.known_mistakes import ask, recognise
from tests.hidden.generators import draw_game, states_of
from tests.hidden.ps3_connect_four.drawn import endings, numbered, one_ply, one_state_for_half, three_plies_of_seven, uneven
from tests.hidden.ps3_connect_four.oracle import GAME, SMALL, finished, line, random_game, rewards_of

pytestmark = pytest.mark.exercise("3.1")


@pytest.mark.hint("outcome is for the player to move at the end: which player has won?")
def test_the_rewards_name_the_winner(student, edition):
    """the first reward is player 0's, whoever wins and however long the game is

    Promised: Returns (r0, r1): (1, -1) when player 0 has won, (-1, 1) when player 1 has, (0, 0) for a draw.
    """
    #   s0 - s1 - s2 - s3: the last move is player 0's, and wins: (1, -1)
    short = (3, edition.choice([1, 5, 7]), *edition.sample([2, 4, 6, 8], 2))
    long = (edition.randint(39, 42), edition.randint(201, 230))
    for lengths in (short, long):
        ends = [(plies, value) for plies in lengths for value in (-1.0, 1.0)]
        got = student.many("default_policy", [(line(plies, value), "s0", student.rng(1)) for plies, value in ends])
        wanted = [rewards_of(value, plies % 2) for plies, value in ends]
        if got != wanted and lengths == short:
            recognise(got, {
                "Is the first reward for player 0, or for the player to move at the end?":
                    [(value, -value) for _, value in ends],
                "Is the first reward for player 0, or for the player who moved last?":
                    [(-value, value) for _, value in ends],
                "The two rewards have changed places: is the player to move at the end player 0 or player 1?":
                    [rewards[::-1] for rewards in wanted],
                "Has the player who moved last always won, or does the outcome decide?":
                    [rewards_of(-1.0, plies % 2) for plies, _ in ends],
                "Every game has the same rewards: do you keep an earlier result, or never look at the outcome?":
                    [got[0]] * len(got),
            })  # fmt: skip
        assert got == wanted
        ask("does your rollout stop after some number of moves: how long can a game be?")


@pytest.mark.hint("do the rewards depend on the player to move at the beginning of the rollout?")
def test_the_beginning_of_the_rollout_does_not_matter(student, edition):
    """from every position of one game, with either player to move there, the same game has the same rewards

    Promised: Player 0 is the player who moved first from game.start(), even if the rollout begins with player 1 to move.
    """
    for plies in (edition.choice([5, 7]), edition.choice([6, 8])):
        value = edition.choice([-1.0, 1.0])
        game = line(plies, value)
        got = student.many("default_policy", [(game, f"s{ply}", student.rng(1)) for ply in range(plies + 1)])
        wanted = rewards_of(value, plies % 2)
        mover = [rewards_of(value * (-1) ** (plies - ply), 0) for ply in range(plies + 1)]
        if got != [wanted] * (plies + 1):
            recognise(got, {"Here the mover's reward comes first: which player's reward must come first?": mover})
        assert got == [wanted] * (plies + 1)


@pytest.mark.hint("the game is already over: for which player is the outcome?")
def test_a_finished_game_is_told_as_it_is(student, edition):
    """when the game is over no move is made, and the rewards are those of the ending, for both colours

    Promised: if the game is over there, no move is made.
    Promised: Returns (r0, r1): (1, -1) when player 0 has won, (-1, 1) when player 1 has, (0, 0) for a draw.
    """
    watched = student.watch(GAME)
    states = [finished(edition, winner) for winner in (0, 1)]
    got = [student.default_policy(watched, watched.token(state), student.rng(1)) for state in states]
    ask("does the rollout begin at the given state, and is there a move to play when the game is over?")
    assert [call for call in watched.calls if call[0] == "play"] == []
    ask("the game is already over: for which player is the outcome?")
    assert got == [(1.0, -1.0), (-1.0, 1.0)]


@pytest.mark.hint("which reward does each player get for a draw?")
def test_a_draw_is_nothing_for_both(student, edition):
    """a draw is (0, 0), wherever the rollout begins

    Promised: Returns (r0, r1): (1, -1) when player 0 has won, (-1, 1) when player 1 has, (0, 0) for a draw.
    """
    game = line(edition.choice([4, 5]), 0.0)
    board = random_game(edition, SMALL)
    while SMALL.outcome(board[-1]) != 0.0:
        board = random_game(edition, SMALL)
    got = student.many("default_policy", [(game, state, student.rng(1)) for state in ("s0", "s1", "s2")])
    got += student.many("default_policy", [(SMALL, board[-1], student.rng(1)), (GAME, finished(edition, None), student.rng(1))])
    assert got == [(0.0, 0.0)] * 5


@pytest.mark.hint("which moves are possible in a random game, and when is the game over?")
def test_a_whole_game_is_played_by_the_rules(student, edition):
    """from the given position legal moves are played, one after another, until the game is over, and then no more

    Promised: Play random moves from `state` to the end of the game and return the rewards.
    """
    for plies in (edition.choice([8, 10, 12]), edition.choice([9, 11, 13])):
        states = random_game(edition)
        while len(states) < plies + 2:
            states = random_game(edition)
        watched = student.watch(GAME)
        got = student.default_policy(watched, watched.token(states[plies]), student.rng(edition.getrandbits(30)))
        played = [(at, action) for method, at, action in watched.calls if method == "play"]
        ask("which actions are legal at the state where you make a move?")
        assert [(at, action) for at, action in played if action not in GAME.legal_actions(at)] == []
        way = list(dict.fromkeys(at for at, _ in played))  # code may try several moves at a state and make one of them
        ask("at which state does the rollout begin?")
        assert way[:1] == [states[plies]]
        ask("does each move begin at the state after the move before?")
        after = [{GAME.play(at, action) for where, action in played if where == at} for at in way]
        assert [(state, reached) for state, reached in zip(way[1:], after) if state not in reached] == []
        ask("is the game played to its end, and are the rewards those of that end?")
        ends = [state for state in after[-1] if GAME.outcome(state) is not None]
        assert got in [rewards_of(GAME.outcome(end), GAME.player(end)) for end in ends]


@pytest.mark.hint("can every legal move come, also the first and the last, and do all moves come equally often?")
def test_every_move_is_drawn_equally_often(student, edition):
    """at each ply every legal move is equally likely, for both players

    Promised: rng: draws each move, all legal moves equally likely.
    """
    draw, loss = edition.sample([0.0, 1.0], 2)
    ends = [draw, -1.0, loss]  # for the player to move at the end: the move in the middle wins
    for forced in (0, edition.choice([3, 5, 7, 9])):
        moves = {f"s{ply}": [f"s{ply + 1}"] for ply in range(forced)} | {f"s{forced}": ["a", "b", "c"]}
        game = ToyGame(moves, dict(zip("abc", ends, strict=True)))
        got = student.many("default_policy", [(game, "s0", student.rng(edition.getrandbits(30)))] * 600)
        counts = [got.count(rewards_of(value, 1 - forced % 2)) for value in ends]
        if not forced:
            recognise(counts, {
                "Is it always the first legal move, or does rng draw a move?": [600, 0, 0],
                "Is it always the last legal move, or does rng draw a move?": [0, 0, 600],
                "Do you always take a win: what does a random player know about its moves?": [0, 600, 0],
            })  # fmt: skip
        # 200 expected for each of three, deviation 11.5; 200 +- 72 is left once in 2e9 tries.
        assert [count for count in counts if not 128 <= count <= 272] == []
        ask("do you draw the moves of both players at random, at every ply of the game?")


@pytest.mark.hint("does your function use only the given rng: no other generator, and no seed of its own?")
def test_a_rollout_repeats_with_its_rng(student, edition):
    """the same rng plays the same games again, another rng plays others, and no other generator is used

    Promised: rng: draws each move, all legal moves equally likely.
    """
    seed = edition.getrandbits(30)
    game = ToyGame({f"s{ply}": [f"s{ply + 1}", f"e{ply}", f"d{ply}"] for ply in range(6)}, {f"e{p}": 1.0 for p in range(6)})

    def games(seed: int) -> list[tuple[float, float]]:
        return student.many("default_policy", [(game, "s0", student.rng(seed))] * 40)

    before = student.disturb(edition.getrandbits(30))
    first = games(seed)
    assert student.global_state() == before
    student.disturb(edition.getrandbits(30))
    assert first == games(seed)
    # Forty games with three endings of 1/4 and more each: equal by chance less than once in 1e10 tries.
    assert first != games(seed + 1)


@pytest.mark.hint("which numbers can actions have, how long can a game be, and which outcome counts at the end?")
def test_any_game_is_played_to_its_end(student, edition):
    """in random games of every shape, from any of their states, the rewards are those of an end that can be reached

    Promised: Play random moves from `state` to the end of the game and return the rewards.
    """
    shapes = ["bushy", "forced", "line", "wide", "over"] * 4
    cases = []
    for shape in shapes:
        game = draw_game(edition, shape)
        cases += [(game, state) for state in (game.start(), edition.choice(states_of(game)))]
    got = student.many("default_policy", [(*case, student.rng(edition.getrandbits(30))) for case in cases])
    wrong = [state for rewards, (game, state) in zip(got, cases, strict=True) if rewards not in endings(game, state)]
    if not any(wrong):
        ask("a state can be 0 or empty: how do you find out whether the game is over there?")
    assert wrong == []


@pytest.mark.hint("many moves can be legal: can each of them come, also the first and the last?")
def test_a_dozen_moves_are_drawn_equally_often(student, edition):
    """of seven to twelve moves the first and the last come as often as any other, for both players; so does each of dozens

    Promised: rng: draws each move, all legal moves equally likely.
    """
    for player in (0, 1):
        number = edition.randint(7, 12)
        results = [0.0] * number
        results[0], results[-1] = edition.sample([1.0, -1.0], 2)
        # Of 40 numbers none below 24 is legal: a draw of a number, moved on to the next legal one, gives the first too often.
        game, state, _ = one_ply(edition, results, player, range(24, 40))
        got = student.many("default_policy", [(game, state, student.rng(edition.getrandbits(30)))] * 400)
        first, last = (got.count(rewards_of(results[place], player)) for place in (0, -1))
        assert first and last, (  # by chance one of twelve is missed once in 1e15 tries
            "the first and the last action must both be drawn"
        )
        ask("do you draw among the legal moves only, or do some moves also get the chance of illegal numbers?")
        assert not uneven([first, last]) and 400 / number / 6 < first + last < 400 / number * 4.5, (
            f"of 400 games {400 / number:g} begin with the first action and as many with the last, came {first} and {last}"
        )
    game, state, _, _ = one_state_for_half(edition)
    got = student.many("default_policy", [(game, state, student.rng(edition.getrandbits(30)))] * 800)
    # The first 33 of 66 lead to one state, a draw: 400 of 800 with a deviation of 14.1. The remainder of a number below a hundred
    # gives 536, with a deviation of 13.
    ask("dozens of moves are legal, and some lead to one state: has every move the same chance?")
    assert abs(got.count((0.0, 0.0)) - 400) < 85
    # 22 of 66 moves lose, eleven of them only with the answer: 267 of 800 with a deviation of 13.3. Who avoids these: 160.
    ask("does a random player look at what follows a move?")
    assert abs(got.count((-1.0, 1.0)) - 267) < 80


@pytest.mark.hint("seven moves are legal: has each the same chance, at every ply, whatever was played before?")
def test_seven_moves_are_drawn_anew_at_every_ply(student, edition):
    """of seven moves those in the middle are not more likely than others, and no move depends on the moves before

    Promised: rng: draws each move, all legal moves equally likely.
    """
    rng, player = student.rng(edition.getrandbits(30)), edition.randrange(2)
    value = edition.choice([1.0, -1.0])
    seven = numbered([value, value, 0.0, 0.0, 0.0, value, value], player)
    got = student.many("default_policy", [(seven, "r", rng)] * 900)
    # 386 of 900 with a deviation of 14.8. Where the weights are 3, 4, 5, 9, 5, 4, 3 there are 518, with as large a deviation.
    ask("seven moves are legal: are those in the middle drawn more often, or those at the sides?")
    assert abs(got.count((0.0, 0.0)) - 386) < 89
    got = student.many("default_policy", [(three_plies_of_seven(), "s0", rng)] * 400)
    # An action of the other player or of one's own comes again: 57.1 and 49 of 400 games, with deviations of 7 and 6.6.
    ask("do you draw a new move at every ply, whatever was played before?")
    assert abs(got.count((1.0, -1.0)) - 57) < 43 and abs(got.count((-1.0, 1.0)) - 49) < 40
