"""5.11: a match between two networks, and what follows from it."""

import zlib
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from arena.games import ToyGame
from autograder.grading.recognise import recognise
from autograder.grading.types import array
from tests.hidden.generators import draw_game, states_of
from tests.hidden.ps5_alphazero.nodes import keep, keep_function, made
from tests.hidden.ps5_alphazero.oracle import BOARD, COLUMNS, REVERSI, position

pytestmark = pytest.mark.exercise("5.11")


class Rule:
    """A player of the grader's: always the same action at the same state. It answers anything with a number."""

    def __init__(self, game: Any, seed: int) -> None:
        self.game, self.seed = game, seed
        self.asked: list[Any] = []

    def __call__(self, *arguments: Any) -> int:
        state = arguments[0] if arguments else None
        self.asked.append(state)
        try:
            return self.choice(state)
        except Exception:  # what it was asked is no state of its game
            return -1

    def choice(self, state: Any) -> int:
        """The action at a state, by a digest of the state."""
        actions = self.game.legal_actions(state)
        return actions[zlib.crc32(f"{state} {self.seed}".encode()) % len(actions)]


def result(game: Any, first: Rule, second: Rule, state: Any) -> float:
    """The result for `first`, who plays for the player to move at `state`."""
    me = game.player(state)
    while (outcome := game.outcome(state)) is None:
        state = game.play(state, (first if game.player(state) == me else second).choice(state))
    return outcome if game.player(state) == me else -outcome


def asked_at(game: Any, new: Rule, old: Rule, openings: list[Any]) -> tuple[int, int]:
    """How often `new` and `old` move at the last opening in the games of a match; an earlier opening may lead there too."""
    counts = [0, 0]
    for start in openings:
        for players in ((new, old), (old, new)):
            state, me = start, game.player(start)
            while game.outcome(state) is None:
                mover = players[0 if game.player(state) == me else 1]
                counts[mover is old] += state == openings[-1]
                state = game.play(state, mover.choice(state))
    return counts[0], counts[1]


def scores(game: Any, new: Rule, old: Rule, openings: list[Any]) -> list[float]:
    """Results for `new`: at each opening once as the one who begins, once as the other."""
    return [value for state in openings for value in (result(game, new, old, state), -result(game, old, new, state))]


def points(results: list[float]) -> float:
    return sum((value + 1) / 2 for value in results) / len(results)


@pytest.mark.hint("how many games begin at each opening, and what does a draw count?")
def test_a_match_of_one_move(student, edition):
    """wins, draws and losses of a game of one move: the scores that a pencil finds"""
    game = ToyGame({"s0": ["won", "drawn", "lost", "t"], "t": ["x", "y"]},
                   {"won": -1.0, "drawn": 0.0, "lost": 1.0, "x": 1.0, "y": -1.0})
    # who begins wins with 0, draws with 1 and loses with 2; the score of `new` is over both games
    table = [[0.5, 0.75, 1.0], [0.25, 0.5, 0.75], [0.0, 0.25, 0.5]]
    players = [keep_function(student, student.answers(other=action), "new") for action in range(3)]
    openings = keep(student, ["s0"])
    for new, old in np.ndindex(3, 3):  # with the same players and the same list of openings in all of them
        score = table[new][old]
        got = student.pit(game, players[new], players[old], openings)
        recognise(got, {"whose score is it?": 1 - score} if score != 0.5 else {})
        assert got == pytest.approx(score, abs=1e-9)
    assert student.read(openings) == ["s0"]
    student.many_of(openings, "clear", [()])
    student.many_of(openings, "extend", [(["t"] * 2,)])  # where 0 loses and 1 wins
    for new, old, score in ((0, 0, 0.5), (0, 1, 0.0), (1, 0, 1.0)):
        assert student.pit(game, players[new], players[old], openings) == pytest.approx(score, abs=1e-9)


@pytest.mark.hint("how many games begin at each opening, who begins, and what does a draw count?")
def test_both_colours_at_every_opening(student, edition):
    """at every opening, with either player to move there, each of the two begins once; a draw is half a win"""
    for game, plies in ((BOARD, (0, 1, 2, 3)), (COLUMNS, (2, 5))):
        openings = [position(edition, number, game) for number in plies]
        while True:
            new, old = (Rule(game, edition.getrandbits(30)) for _ in range(2))
            results = scores(game, new, old, openings)
            decided, begun = [r for r in results if r], results[::2]
            mistakes = {
                "what does a draw count?": sum(r > 0 for r in results) / len(results),
                "do draws belong to the games that were played?": sum(r > 0 for r in results) / max(1, len(decided)),
                "who begins, and how often?": points(begun),
                "whose score is it?": 1 - points(results),
                "who is to move when the game is over?": points([-r for r in begun] + begun),
            }
            known = [points(results), *mistakes.values()]
            if game is COLUMNS and points(results) not in (mistakes["whose score is it?"], points(begun)):
                break  # draws are too rare here
            if min(abs(one - other) for one, other in combinations(known, 2)) > 1e-6:  # so there is a draw among them
                break
        got = student.pit(game, new, old, openings)
        recognise(got, {hint: value for hint, value in mistakes.items() if abs(value - points(results)) > 1e-6})
        assert got == pytest.approx(points(results), abs=1e-9)
        assert (new.asked.count(openings[-1]), old.asked.count(openings[-1])) == asked_at(game, new, old, openings)


@pytest.mark.hint("who is to move after a pass?")
def test_each_player_moves_for_its_own_side(student, edition):
    """in Othello, where a player may have to pass, each moves for its own side and gets its own side's result"""
    while True:
        new, old = (Rule(REVERSI, edition.getrandbits(30)) for _ in range(2))
        start = position(edition, edition.choice([2, 3]), REVERSI)
        right = scores(REVERSI, new, old, [start])
        if sum(right) and passes(new, old, start):
            break
    assert student.pit(REVERSI, new, old, [start]) == pytest.approx(points(right), abs=1e-9)


def passes(first: Rule, second: Rule, state: Any) -> bool:
    """Whether a player has to pass in the game that `first` begins."""
    me, forced = REVERSI.player(state), False
    while REVERSI.outcome(state) is None:
        action = (first if REVERSI.player(state) == me else second).choice(state)
        state, forced = REVERSI.play(state, action), forced or action == 36
    return forced


@pytest.mark.hint("what is the score of no games?")
def test_a_match_without_openings_is_an_error(student, edition):
    """without an opening there is no score"""
    with student.raises(ValueError):
        student.pit(BOARD, Rule(BOARD, 1), Rule(BOARD, 2), [])


@pytest.mark.hint("how long may a game last, and which openings count?")
def test_matches_in_any_game(student, edition):
    """games of up to 110 moves, states of any kind, openings that come twice: every game of every opening counts"""
    for shape in ("line", "line", "bushy", "forced", "wide", "bushy"):
        game = draw_game(edition, shape)
        going_on = [state for state in states_of(game) if game.outcome(state) is None]
        openings = [going_on[0], *edition.choices(going_on, k=edition.randint(0, 3))]
        openings += openings[:1] * edition.randint(0, 2)
        rules = [Rule(game, edition.getrandbits(30)) for _ in range(2)]
        players = [student.answers({state: rule.choice(state) for state in going_on}) for rule in rules]
        got = student.pit(game, *players, openings)
        assert got == pytest.approx(points(scores(game, *rules, openings)), abs=1e-6)
    # The new one wins a long game after its first move, the old one ends the game at once with a draw.
    ways = {"s0": ["s1", "end"], **{f"s{ply}": [f"s{ply + 1}"] for ply in range(1, 110)}}
    long = ToyGame(ways, {"s110": -1.0 if edition.random() < 0.5 else 1.0})
    openings = keep(student, ["s1"] * 7 + ["s0"] * 2)
    got = student.pit(long, student.answers(other=0), student.answers({"s0": 1}, other=0), openings)
    assert student.read(openings) == ["s1"] * 7 + ["s0"] * 2
    won = 0.75 if long.outcome("s110") > 0 else 0.25  # at s0; from s1 on all moves are forced, and each wins one game
    assert got == pytest.approx((2 * won + 7 * 0.5) / 9, abs=1e-6)


# -- the gate -----------------------------------------------------------------------------------------


def trained(student: Any, gate: float | None) -> tuple[Any, Any, Any, Any]:
    """A run after two steps with momentum: (training, net, optimizer, snapshot between the steps).

    The first step by hand: the gradient of value_head.bias is 1, so its momentum is 1 and the bias -.1.
    """
    net = student.PencilNet(1, 2, 2)
    weights = student.call_and_keep("torch.nn.Module.parameters", net)
    optimizer = student.call_and_keep("torch.optim.SGD", weights, lr=0.1, momentum=0.9)
    config = student.Config() if gate is None else student.Config(gate=gate)
    training = student.Training(ToyGame({"s0": ["a", "b"]}, {}), net, optimizer, config, student.rng(1))
    move(student, net, optimizer, 1.0)
    before = made(student, "take_snapshot", training)
    move(student, net, optimizer, -5.0)
    return training, net, optimizer, before


def move(student: Any, net: Any, optimizer: Any, gradient: float) -> None:
    """One step with this gradient of the value of one empty board."""
    student.call_and_keep("torch.optim.Optimizer.zero_grad", optimizer)
    outputs = student.call_and_keep("torch.nn.Module.__call__", net, student.tensor(np.zeros((1, 2, 1, 2), np.float32)),
                                    student.tensor(np.ones((1, 2), bool)))
    gradients = [np.zeros((1, 2), np.float32), np.full(1, gradient, np.float32)]
    student.call_and_keep("torch.autograd.backward", outputs, [student.tensor(each) for each in gradients])
    student.call_and_keep("torch.optim.SGD.step", optimizer)


def momentum(student: Any, optimizer: Any) -> np.ndarray:
    """What the optimizer remembers of value_head.bias, its last weight."""
    found = student.read(made(student, "torch.optim.Optimizer.state_dict", optimizer))
    for key in ("state", 3, "momentum_buffer"):
        found = found.get(key) if isinstance(found, dict) else None
    return array("f", (1,))(found)


def bias(student: Any, net: Any) -> np.ndarray:
    """The last weight of the network."""
    return array("f", (1,))(student.state(net).get("value_head.bias"))


@pytest.mark.hint("what does the default say, and is a score at the gate enough?")
def test_a_score_at_the_gate_is_enough(student, edition):
    """without a gate everything is kept; with one a score equal to it is enough, so draws alone pass a gate of one half"""
    cases = {None: [(0.0, True), (1.0, True)], 0.5: [(0.5, True), (0.475, False), (0.4999, False)],
             0.55: [(0.5, False), (0.55, True)], 0.0: [(0.0, True)], 1.0: [(0.99, False), (1.0, True)]}
    for gate in edition.sample(list(cases), 5):
        training, _, _, before = trained(student, gate)
        for score, kept in edition.sample(cases[gate], len(cases[gate])) * 2:  # one run makes the decision many times
            assert student.keep_or_restore(training, before, score) is kept


@pytest.mark.hint("what belongs to a network that is being trained, beside its weights?")
def test_a_rejected_network_leaves_no_trace(student, edition):
    """below the gate the weights and the optimizer's moments are those of the snapshot"""
    training, net, optimizer, before = trained(student, 0.5)
    student.keep_or_restore(training, before, edition.uniform(0.0, 0.45))
    assert bias(student, net) == pytest.approx([-0.1], abs=1e-6)
    assert momentum(student, optimizer) == pytest.approx([1.0], abs=1e-6)


@pytest.mark.hint("what happens to a network that has proved itself?")
def test_a_network_that_is_kept_stays_as_it_is(student, edition):
    """at or above the gate, and without one, neither weights nor moments change"""
    for gate, score in ((0.5, 0.5), (0.5, edition.uniform(0.6, 1.0)), (None, 0.0)):
        training, net, optimizer, before = trained(student, gate)
        student.keep_or_restore(training, before, score)
        # the second step by hand: v = tanh(-.1) has the slope .990066, so the momentum is .9 - 5 * .990066
        assert momentum(student, optimizer) == pytest.approx([-4.050331], abs=1e-4)
        assert bias(student, net) == pytest.approx([0.305033], abs=1e-4)


@pytest.mark.hint("what belongs to the network, and what to the run?")
def test_the_run_goes_on_after_either_decision(student, edition):
    """window, iteration and the run's own network and optimizer objects stay, kept or not"""
    for score in (0.25, 0.75):
        training, net, optimizer, before = trained(student, 0.5)
        training.iteration = number = edition.randint(1, 9)
        training.window = [("s0", np.array([0.25, 0.75]), value) for value in (1.0, -1.0)]
        student.keep_or_restore(training, before, score)
        assert (training.net, training.optimizer, training.iteration) == (net, optimizer, number)
        assert [value for _, _, value in training.window] == [1.0, -1.0]
