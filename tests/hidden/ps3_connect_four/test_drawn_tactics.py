"""3.9 on random games: many moves, long games, and random choices among equals."""

from random import Random

import pytest

from arena.games import ToyGame
from autograder.grading.hidden_checks.known_mistakes import ask
from tests.hidden.generators import draw_game, draw_whole
from tests.hidden.laws import follows_its_rng
from tests.hidden.ps3_connect_four.drawn import endings, going_on, one_ply, three_plies_of_seven, uneven
from tests.hidden.ps3_connect_four.test_tactics import allowed

pytestmark = pytest.mark.exercise("3.9")


@pytest.mark.hint("which numbers can actions have, how many can there be, and do you look at every legal action?")
def test_the_rules_hold_in_any_game(student, edition):
    """in random games of every shape the action is one that the first fitting rule allows, and each allowed action comes

    Promised: Return an action that wins at once, or else one that does not lose at once, or else any action.
    """
    cases = [case for shape, number in (("", 18), ("bushy", 18), ("wide", 8))
             for case in going_on(edition, number, shape, values=draw_whole)]  # fmt: skip
    rng = student.rng(edition.getrandbits(30))
    got = student.many("tactical_action", [(game, state, rng) for game, state in cases for _ in range(3)])
    for number, (game, state) in enumerate(cases):
        assert set(got[3 * number : 3 * number + 3]) <= set(allowed(game, state))
    for game, state in cases[-1:]:
        right = allowed(game, state)
        seen = student.many("tactical_action", [(game, state, rng)] * 250)
        assert set(seen) == set(right)  # by chance one of twelve is missed once in 2e8 tries
    ask("the game is over, so no action is legal: what does the docstring say about this case?")
    over = draw_game(edition, "over")
    with student.raises(ValueError):
        student.tactical_action(over, over.start(), rng)


def all_safe(edition: Random, number: int) -> tuple[ToyGame, str, list[int]]:
    """A game, its state, and its seven to nine actions there, all safe: some end the game, two lead to one state, one threatens.

    After t each answer is followed by a win, and after u by a win of the other player.
    """
    names = ["drawn", "drawn", "lost", "t", "u", "v", "w", "x", "end"][:number]
    moves = {"s0": edition.sample(names, len(names)), "t": ["t0", "t1"], "t0": ["t2"], "t1": ["t3", "t4"]}
    moves |= {"u": ["u0"], "u0": ["u1"], "u1": ["u2"]} | {s: [f"{s}0", f"{s}1"] for s in "vwx" if s in names}
    return ToyGame(moves, {"lost": 1.0, "t2": -1.0, "t4": -1.0, "u2": -1.0}), "s0", [*range(len(names))]


@pytest.mark.hint("what do you return: an allowed action itself, or its place in a list?")
def test_chance_decides_among_many(student, edition):
    """of eight to ten wins, or of seven to nine safe moves, each comes equally often, also if two moves lead to one state

    Promised: rng: draws among the actions that the first fitting rule leaves, each equally likely:
    """
    results = [1.0] * edition.choice([8, 9, 10])
    results.insert(edition.randint(0, len(results)), 0.0)
    wins, state, actions = one_ply(edition, results, edition.randrange(2))
    winning = [action for action, result in zip(actions, results, strict=True) if result]
    seven, more = all_safe(edition, 7), all_safe(edition, edition.choice([8, 9]))
    for game, at, right, number in ((wins, state, winning, 200), (*seven, 700), (*more, 1200)):
        seen = student.many("tactical_action", [(game, at, student.rng(edition.getrandbits(30)))] * number)
        ask("what do you return: an allowed action itself, or its place in a list?")
        assert set(seen) <= set(right)
        ask("a rule can allow many moves: can each of them come?")
        assert set(seen) == set(right)
        ask("a rule can allow many moves: is each of them equally likely?")
        assert not uneven([seen.count(action) for action in right]), (
            f"equally likely actions, chosen {[seen.count(action) for action in right]} times"
        )


@pytest.mark.hint("one move of many is safe: do you look at all answers to each move, and can you find this single move?")
def test_one_move_of_nine_is_safe(student, edition):
    """of nine moves, each with nine answers, one is safe: after every other move the last answer wins

    Promised: actions after which the other player has no action of that kind;
    """
    safe = edition.randrange(9)
    moves = {"s0": [f"m{k}" for k in range(9)]} | {f"m{k}": [f"m{k}a{j}" for j in range(9)] for k in range(9)}
    game = ToyGame(moves, {f"m{k}a8": -1.0 for k in range(9) if k != safe})
    rng = student.rng(edition.getrandbits(30))
    assert student.many("tactical_action", [(game, "s0", rng)] * 7) == [safe] * 7  # by luck once in 5e6 tries


@pytest.mark.hint("does your function use only the given rng: no other generator, and no seed of its own?")
def test_every_rule_draws_by_rng(student, edition):
    """among several wins, safe moves or lost moves the same rng draws the same, and no other generator is used

    Promised: rng: draws among the actions that the first fitting rule leaves, each equally likely:
    """
    wins, safe = (one_ply(edition, [result] * 7) for result in (1.0, 0.0))
    lost = ToyGame({"s0": list("abcdefg"), **{s: [f"{s}1"] for s in "abcdefg"}}, {f"{s}1": -1.0 for s in "abcdefg"})
    for game, state in (wins[:2], safe[:2], (lost, "s0")):
        follows_its_rng(student, "tactical_action", lambda rng: (game, state, rng), edition)  # noqa: B023


def late(edition: Random, plies: int) -> tuple[ToyGame, tuple[float, float]]:
    """A game of `plies` forced moves and then two choices, which tactical players make in only one way, and its rewards."""
    moves = {f"s{ply}": [f"s{ply + 1}"] for ply in range(plies)}
    moves |= {f"s{plies}": ["a", "b", "c", "d"]} | {s: [f"{s}1", f"{s}2", f"{s}3"] for s in "abcd"}
    safe = edition.choice("abcd")
    moves |= {f"{safe}{n}": [f"{safe}{n}{k}" for k in range(4)] for n in (1, 2, 3)}
    ends = {f"{s}{edition.randint(1, 3)}": -1.0 for s in "abcd" if s != safe}
    ends |= {f"{safe}{n}{edition.randrange(4)}": -1.0 for n in (1, 2, 3)}
    return ToyGame(moves, ends), ((1.0, -1.0) if plies % 2 == 0 else (-1.0, 1.0))


@pytest.mark.hint("does anything change after many plies: does the rollout stop, or do its players play differently?")
def test_players_play_by_the_rules_to_the_end(student, edition):
    """after dozens of forced moves both players still block and win, and the rewards are those of the end

    Promised: Play from `state` to the end, every move of both players by `tactical_action`, and return the rewards.
    """
    cases, wanted = [], []
    for plies in (edition.randint(11, 20), edition.randint(21, 40), edition.randint(41, 57)):
        game, rewards = late(edition, plies)
        cases += [(game, "s0", student.rng(edition.getrandbits(30)))] * 12
        wanted += [rewards] * 12
    game, rewards = late(edition, edition.randint(201, 220))
    cases.append((game, "s0", student.rng(edition.getrandbits(30))))
    assert student.many("tactical_rollout", cases) == [*wanted, rewards]
    got = student.many("tactical_rollout", [(three_plies_of_seven(), "s0", student.rng(edition.getrandbits(30)))] * 150)
    # Every action is safe there. An action comes again in 21.4 and 18.4 of 150 games, with deviations of 4.3 and 4.
    ask("does tactical_action draw a new move at every ply, whatever was played before?")
    assert got.count((1.0, -1.0)) < 48 and got.count((-1.0, 1.0)) < 44
    ask("does anything change after many plies: does the rollout stop, or do its players play differently?")
    games = [draw_game(edition, values=draw_whole) for _ in range(25)]
    got = student.many("tactical_rollout", [(game, game.start(), student.rng(edition.getrandbits(30))) for game in games])
    assert [rewards for game, rewards in zip(games, got, strict=True) if rewards not in endings(game, game.start())] == []
