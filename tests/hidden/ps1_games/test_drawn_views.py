"""1.7, 1.8 and 1.11 on random positions, each asked more than once and in any order."""

from random import Random

import numpy as np
import pytest

from autograder.grading.hidden_checks.known_mistakes import ask
from tests.hidden.ps1_games.boards import RULES, TTT, Facts, ask_of_all, facts, ongoing, read, send, write
from tests.hidden.ps1_games.test_drawn_boards import any_board, ends
from tests.hidden.ps1_games.test_views import (
    a_policy,
    at_play,
    canonical_of,
    half_even,
    lopsided,
    observation,
    one_sided,
    shown,
    symmetric_positions,
    symmetries_of,
    views,
)

CLOSE = (1e-3, 1e-5, 1e-9, 1e-13, 1e-15)  # policies whose numbers differ by this much are different policies


def any_position(name: str, edition: Random) -> Facts:
    """A random position: any stones, any mask, either player to move."""
    mask = [edition.random() < 0.5 for _ in range(RULES[name].num_actions)]
    return Facts(edition.randrange(2), any_board(name, edition).tolist(), mask)


@pytest.mark.exercise("1.7")
@pytest.mark.hint("what tells you who is to move: the stones, the end of the game, an earlier call, or the state?")
def test_the_canonical_form_of_any_state(student, edition):
    """the canonical form is the mover's view of any state, also of finished and drawn games, in any order of calls

    Promised: Return the position as the player to move sees it: own stones 1, the other's -1, player 0.
    """
    for name in RULES:
        positions = [any_position(name, edition) for _ in range(20)] + ends(name, edition)
        positions += [position._replace(player=1 - position.player) for position in positions]
        edition.shuffle(positions)
        wanted = [Facts(0, (np.array(board) * (1, -1)[player]).tolist(), mask) for player, board, mask in positions]
        assert canonical_of(student, positions) == wanted
        states = send(student, positions)
        assert read(student, student.many("canonical", [(state,) for state in states[::-1]])) == wanted[::-1]
        assert read(student, states) == positions


def pairs_of(name: str, edition: Random) -> list[tuple[Facts, list[float]]]:
    """Pairs in any order. There are few states and few policies, some nearly equal, so that many pairs repeat."""
    positions = [any_position(name, edition) for _ in range(2)]
    positions += [positions[0]._replace(player=1 - positions[0].player)]
    positions += [positions[1]._replace(mask=[not open for open in positions[1].mask])]
    policies = [a_policy(name, edition) for _ in range(2)]
    for close in CLOSE:
        place = edition.randrange(len(policies[0]))
        policies.append([value + close * (k == place) for k, value in enumerate(policies[0])])
    pairs = [(position, policy) for position in positions for policy in policies]
    return [edition.choice(pairs) for _ in range(40)]


@pytest.mark.exercise("1.8")
@pytest.mark.hint("when are two pairs the same: when their states and all numbers of their policies are equal?")
def test_distinct_keeps_each_pair_once(student, edition):
    """`distinct` keeps each pair of state and policy once, in the given order, at every call; nearly equal is not equal

    Promised: Return the pairs (state, policy) without the repeated ones, in the same order.
    """
    for name in RULES:
        pairs = pairs_of(name, edition)
        states = send(student, [position for position, _ in pairs])
        given = [(state, np.array(policy)) for state, (_, policy) in zip(states, pairs, strict=True)]
        right = [pair for place, pair in enumerate(pairs) if pair not in pairs[:place]]
        for _ in range(2):  # pairs that an earlier call has seen do not count
            distinct_pairs = student.distinct(given)
            kept = read(student, [state for state, _ in distinct_pairs])
            got = [(state, policy.tolist()) for state, (_, policy) in zip(kept, distinct_pairs, strict=True)]
            if got != right:
                ask_what_differs(got, right)
            assert got == right
            ask("does your function keep anything from one call to the next?")
        assert student.distinct([]) == []
        longer = [[0.0] * 29 + [1.0], [0.0] * 30, [0.0] * 29 + [1.0]]
        for dtype, question in ((np.float64, "policies may have any length: do you compare all their numbers?"),
                                (np.float32, "a policy may have floats of 32 bits: does it keep its numbers?")):
            distinct_pairs = student.distinct([(states[0], np.array(policy, dtype=dtype)) for policy in longer])
            ask(question)
            assert [policy.tolist() for _, policy in distinct_pairs] == longer[:2]
        kept = student.keep(given)
        for order in (right, [pair for place, pair in enumerate(pairs[::-1]) if pair not in pairs[::-1][:place]]):
            distinct_pairs = student.distinct(kept)
            states = read(student, [state for state, _ in distinct_pairs])
            ask("the given list may have changed since the last call: does your function read it again, and leave it unchanged?")
            assert [(state, policy.tolist()) for state, (_, policy) in zip(states, distinct_pairs, strict=True)] == order
            assert student._ask("method", kept, "__len__", [], {}) == len(pairs)
            student._ask("method", kept, "reverse", [], {})  # another list at the same place in memory


def ask_what_differs(got: list[tuple[Facts, list[float]]], right: list[tuple[Facts, list[float]]]) -> None:
    """Ask about the order, or about the difference between the missing pairs and the pairs that are there."""
    if sorted(got) == sorted(right):
        ask("in which order are the pairs listed: in the order given, or sorted?")
    missing = [pair for pair in right if pair not in got]
    ask_of_all(missing, {
        "Are two states equal when only their masks differ?":
            lambda pair: any(state.board == pair[0].board and state.player == pair[0].player and policy == pair[1]
                             for state, policy in got),
        "Are two policies equal when their numbers are nearly the same?":
            lambda pair: any(state == pair[0] and np.allclose(policy, pair[1], atol=0.01) for state, policy in got),
    })  # fmt: skip


@pytest.mark.exercise("1.8")
@pytest.mark.hint("when are two policies the same: when all their numbers are equal, or when they are nearly equal?")
def test_policies_close_by_are_different(student, edition):
    """a symmetric board with a nearly symmetric policy has as many views as with a policy without symmetry

    Promised: Two pairs are the same when their states are equal and their policies are equal, number by number, however
    small a difference is.
    """
    for name, position in symmetric_positions(edition)[:4]:
        for close in CLOSE:
            policy = half_even(name, edition)
            policy[0] += close
            symmetries, right = symmetries_of(student, name, position, policy), views(name, position, policy)
            assert sorted(symmetries) == sorted(right)


@pytest.mark.exercise("1.8")
@pytest.mark.hint("does your answer depend on anything except this state and this policy?")
def test_the_views_of_any_position(student, edition):
    """the views are right for any position, any mask, either player and zeros in the policy, at every call

    Promised: Board, mask and policy move together, the player stays.
    """
    for name in RULES:
        cases = [(any_position(name, edition), [edition.choice([0.0, 0.0, 0.25, 1.0]) for _ in a_policy(name, edition)])
                 for _ in range(5)]  # fmt: skip
        cases += [(position._replace(player=1 - position.player), policy) for position, policy in cases[:2]]
        cases.append((one_sided(edition) if name == "ConnectFour" else lopsided(name, edition), a_policy(name, edition)))
        for position, policy in cases + cases[:2]:
            assert sorted(symmetries_of(student, name, position, policy)) == sorted(views(name, position, policy))
        ask("a network gives floats of 32 bits: are the numbers of such a policy the same in every view?")
        for position, policy in cases[-2:]:
            got = symmetries_of(student, name, position, policy, np.float32)
            assert sorted(got) == sorted(views(name, position, policy))


@pytest.mark.exercise("1.8")
@pytest.mark.hint("does your function read the policy again at every call, without changing it?")
def test_one_array_for_many_policies(student, edition):
    """the same policy array may hold other numbers at the next call: the function reads it every time and never changes it

    Promised: `state` and `policy` are not changed, and nothing is kept from one call to the next.
    """
    for name in RULES:
        game, given = getattr(student, name)(), student.keep(np.array(a_policy(name, edition)))
        first = lopsided(name, edition)
        for position in (first, first, lopsided(name, edition)):
            policy = a_policy(name, edition)
            write(given, policy)
            pairs = game.symmetries(send(student, [position])[0], given)
            states = read(student, [state for state, _ in pairs])
            symmetries = [(state, moved.tolist()) for state, (_, moved) in zip(states, pairs, strict=True)]
            assert sorted(symmetries) == sorted(views(name, position, policy))
            assert student.read(given) == policy


@pytest.mark.exercise("1.11")
@pytest.mark.hint("does your answer depend on anything except this observation?")
def test_any_observation_in_any_order(student, edition):
    """positions of both games and of both players are read in any order, with few or many stones, with any mask

    Promised: Return the state that a PettingZoo observation shows, for Tic-Tac-Toe and for Connect Four.
    """
    positions = []
    for game in RULES.values():
        full = [facts(game, state) for state in ongoing(edition, game, 4, at_least=7 if game is TTT else 30)]
        some = [*edition.sample(at_play(game, edition), 4), facts(game, game.start()), *full]
        positions += some + [position._replace(mask=[not open for open in position.mask]) for position in some]
    edition.shuffle(positions)
    states = shown(student, positions)
    ask("what tells you who is to move: the stones of both players, or the legal actions?")
    assert [state.player for state in states] == [position.player for position in positions]
    ask("does your answer depend on anything except this observation?")
    assert states == positions
    assert shown(student, positions[::-1]) == positions[::-1]
    ask("an array of the observation has a name: do you use it, or the order of the dictionary?")
    turned = [(dict(reversed(observation(position).items())),) for position in positions]
    assert read(student, student.many("to_game_state", turned)) == positions


@pytest.mark.exercise("1.11")
@pytest.mark.hint("these arrays belong to the environment: may you write into them, and may they change afterwards?")
def test_an_environment_may_use_its_arrays_again(student, edition):
    """the observation stays unchanged; if its arrays hold another position later, that one is shown, and the old state stays

    Promised: The observation is not changed.
    Promised: Both arrays are copied and locked: writing into them is a ValueError.
    """
    for game in RULES.values():
        positions = [facts(game, state) for state in ongoing(edition, game, 4, at_least=2)]
        first = observation(positions[0])
        arrays = {name: student.keep(array) for name, array in first.items()}
        seen, states = student.keep(arrays), []
        for position in positions:
            now = observation(position)
            for name, array in now.items():
                write(arrays[name], array)
            states.append(student.to_game_state(seen))
            ask("is the observation unchanged afterwards: its planes, its mask and its keys?")
            assert student.read(seen) == {name: array.tolist() for name, array in now.items()}
        ask("an environment uses its arrays again: is each state made from what the arrays hold now?")
        assert read(student, states) == positions
