"""5.11: a match between two networks, and its consequences."""

import math
import zlib
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from arena.games import ToyGame
from autograder.grading.hidden_checks.answer_types import array
from autograder.grading.hidden_checks.known_mistakes import ask, recognise
from tests.hidden.generators import draw_game, draw_whole, states_of
from tests.hidden.ps5_alphazero.nodes import keep, keep_function, made
from tests.hidden.ps5_alphazero.oracle import BOARD, COLUMNS, REVERSI, position

pytestmark = pytest.mark.exercise("5.11")


class Rule:
    """A player of the grader: always the same action at the same state. It answers any argument with a number."""

    def __init__(self, game: Any, seed: int) -> None:
        self.game, self.seed = game, seed
        self.asked: list[Any] = []

    def __call__(self, *arguments: Any) -> int:
        state = arguments[0] if arguments else None
        self.asked.append(state)
        try:
            return self.choice(state)
        except Exception:  # an argument that is not a state of its game
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
    """How often `new` and `old` move at the last opening in the games of a match; an earlier opening can also lead there."""
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
    """Results for `new`: at each opening once as the player who begins, once as the other."""
    return [value for state in openings for value in (result(game, new, old, state), -result(game, old, new, state))]


def points(results: list[float]) -> float:
    return sum((value + 1) / 2 for value in results) / len(results)


@pytest.mark.hint("which of the two players moves at each state, and for whom is the outcome at the end?")
def test_each_player_moves_for_its_own_side(student, edition):
    """in Othello, which has passes, each player moves for its own side and gets its own side's result

    Promised: `game.player` gives the player to move, also at the opening and at the end of the game.
    """
    while True:
        new, old = (Rule(REVERSI, edition.getrandbits(30)) for _ in range(2))
        start = position(edition, edition.choice([2, 3]), REVERSI)
        right = scores(REVERSI, new, old, [start])
        if sum(right) and passes(new, old, start):
            break
    got = student.pit(REVERSI, new, old, [start])
    ask("at which state do the games of a match begin: at their opening, or at the start of the game?")
    assert start in new.asked or start in old.asked
    if got != pytest.approx(points(right), abs=1e-9):
        strangers = [state for player, states in ((new, movers(new, old, start)), (old, movers(old, new, start)))
                     for state in player.asked if state not in states]
        recognise(bool(strangers), {"who is to move after a pass: do you count moves, or ask the game?": True})
    ask("how many games begin at an opening, and for which player is the outcome of a finished game?")
    assert got == pytest.approx(points(right), abs=1e-9)


def movers(player: Rule, other: Rule, start: Any) -> list[Any]:
    """The states at which `player` is to move, in both games from `start`."""
    states = []
    for first in (True, False):
        state, me = start, REVERSI.player(start)
        while REVERSI.outcome(state) is None:
            moves = (REVERSI.player(state) == me) == first
            states += [state] * moves
            state = REVERSI.play(state, (player if moves else other).choice(state))
    return states


def passes(first: Rule, second: Rule, state: Any) -> bool:
    """Whether a player must pass in the game that `first` begins."""
    me, forced = REVERSI.player(state), False
    while REVERSI.outcome(state) is None:
        action = (first if REVERSI.player(state) == me else second).choice(state)
        state, forced = REVERSI.play(state, action), forced or action == 36
    return forced


@pytest.mark.hint("how many games begin at each opening, who begins, and what is a draw worth?")
def test_a_match_of_one_move(student, edition):
    """wins, draws and losses of a game of one move: the scores computed by hand

    Promised: Return the score of `new` against `old`, in [0, 1]: a win counts 1, a draw 1/2, a loss 0, divided by the
    games.
    """
    game = ToyGame({"s0": ["won", "drawn", "lost", "t"], "t": ["x", "y"]},
                   {"won": -1.0, "drawn": 0.0, "lost": 1.0, "x": 1.0, "y": -1.0})
    # the player who begins wins with 0, draws with 1, loses with 2; the score of `new` is over both games
    table = [[0.5, 0.75, 1.0], [0.25, 0.5, 0.75], [0.0, 0.25, 0.5]]
    players = [keep_function(student, student.answers(other=action), "new") for action in range(3)]
    openings = keep(student, ["s0"])
    pairs = [(new, old) for new, old in np.ndindex(3, 3) if new != old]
    got = [student.pit(game, players[new], players[old], openings) for new, old in pairs]  # the same list for all of them
    wanted = [table[new][old] for new, old in pairs]
    if got != pytest.approx(wanted, abs=1e-9):
        results = [(1 - new / 2, old / 2) for new, old in pairs]  # of the game that `new` begins, and of the other game
        decided = [[game_result for game_result in both if game_result != 0.5] for both in results]
        recognise(got, {
            "whose score do you return, and for which player is the outcome of a finished game?":
                [1 - right for right in wanted],
            "what is a loss worth, and between which numbers is a score?": [2 * right - 1 for right in wanted],
            "what divides the points: the number of openings, or of games?": [2 * right for right in wanted],
            "what is a draw worth?": [sum(games) / 2 for games in decided],
            "do draws count among the games?": [sum(games) / len(games) for games in decided],
            "who begins, and how often: how many games begin at each opening?": [first for first, _ in results]})
    assert got == pytest.approx(wanted, abs=1e-9)
    ask("both players can be the same function: how do you know which of the two moves?")
    assert [student.pit(game, player, player, openings) for player in players] == pytest.approx([0.5] * 3, abs=1e-9)
    assert student.read(openings) == ["s0"]
    student.many_of(openings, "clear", [()])
    student.many_of(openings, "extend", [(["t"] * 2,)])  # where 0 loses and 1 wins
    ask("at which openings do the games begin: at those of this call, or of an earlier one?")
    for new, old, score in ((0, 0, 0.5), (0, 1, 0.0), (1, 0, 1.0)):
        assert student.pit(game, players[new], players[old], openings) == pytest.approx(score, abs=1e-9)


@pytest.mark.hint("how many games begin at each opening, who begins, and what is a draw worth?")
def test_both_colours_at_every_opening(student, edition):
    """at every opening, whoever is to move there, `new` and `old` begin one game each; a draw is half a win

    Promised: each is asked once for each of its own moves. openings: any sequence of states that are not finished, at least
    one; it is not changed. Two games begin at each: one in which `new` plays for the player to move at the opening, one in
    which `old` does.
    """
    for game, plies in ((BOARD, (0, 1, 2, 3)), (COLUMNS, (2, 5))):
        openings = [position(edition, number, game) for number in plies]
        while True:
            new, old = (Rule(game, edition.getrandbits(30)) for _ in range(2))
            results = scores(game, new, old, openings)
            decided, begun = [r for r in results if r], results[::2]
            mistakes = {
                "what is a draw worth?": sum(r > 0 for r in results) / len(results),
                "do draws count among the games?": sum(r > 0 for r in results) / max(1, len(decided)),
                "who begins, and how often?": points(begun),
                "whose score is it?": 1 - points(results),
                "who is to move when the game is over?": points([-r for r in begun] + begun),
            }
            known = [points(results), *mistakes.values()]
            if game is COLUMNS and points(results) not in (mistakes["whose score is it?"], points(begun)):
                break  # draws are too rare here
            if min(abs(first - second) for first, second in combinations(known, 2)) > 1e-6:  # so there is a draw among them
                break
        got = student.pit(game, new, old, openings)
        ask("do you play every opening: at which states do the games begin?")
        assert [state for state in openings if not (state in new.asked or state in old.asked)] == []
        ask("how many games begin at each opening: does each of the two begin there once?")
        assert [state for state in openings if not (state in new.asked and state in old.asked)] == []
        if got != pytest.approx(points(results), abs=1e-9):
            recognise(got, mistakes)
        ask("what is a draw worth, and for whom is the outcome at the end?")
        assert got == pytest.approx(points(results), abs=1e-9)
        ask("how often do you ask each of the two for a move at an opening?")
        assert (new.asked.count(openings[-1]), old.asked.count(openings[-1])) == asked_at(game, new, old, openings)


@pytest.mark.hint("there are no openings: what does the docstring say about this case?")
def test_a_match_without_openings_is_an_error(student, edition):
    """a match without openings is an error

    Promised: ValueError: there are no openings.
    """
    for openings in ([], ()):
        with student.raises(ValueError):
            student.pit(BOARD, Rule(BOARD, 1), Rule(BOARD, 2), openings)


@pytest.mark.hint("how long can a game be, and which openings count?")
def test_matches_in_any_game(student, edition):
    """games of up to 210 moves, any states, openings that come twice: every game of every opening counts

    Promised: openings: any sequence of states that are not finished, at least one; it is not changed. Two games begin at
    each: one in which `new` plays for the player to move at the opening, one in which `old` does.
    """
    for shape in ("line", "line", "bushy", "forced", "wide", "bushy"):
        game = draw_game(edition, shape, values=draw_whole)
        going_on = [state for state in states_of(game) if game.outcome(state) is None]
        openings = [going_on[0], *edition.choices(going_on, k=edition.randint(0, 3))]
        openings += openings[:1] * edition.randint(0, 2)
        rules = [Rule(game, edition.getrandbits(30)) for _ in range(2)]
        players = [student.answers({state: rule.choice(state) for state in going_on}) for rule in rules]
        got, right = student.pit(game, *players, openings), points(scores(game, *rules, openings))
        if got != pytest.approx(right, abs=1e-6):
            once = points(scores(game, *rules, list(dict.fromkeys(openings))))
            ask("does an opening that comes twice count twice?" if got == pytest.approx(once, abs=1e-6) else
                "how long can a game be: do you ever cut it off?" if shape == "line" else
                "does every game of every opening count, for any states and actions?")
        assert got == pytest.approx(right, abs=1e-6)
    # The new player wins a long game after its first move, the old one ends the game at once with a draw.
    ways = {"s0": ["s1", "end"], **{f"s{ply}": [f"s{ply + 1}"] for ply in range(1, 210)}}
    long = ToyGame(ways, {"s210": -1.0 if edition.random() < 0.5 else 1.0})
    starts = ["s0"] + ["s1"] * 6 + ["s0"] * 2
    openings = keep(student, starts)
    got = student.pit(long, student.answers(other=0), student.answers({"s0": 1}, other=0), openings)
    ask("the list of openings is the caller's: is it unchanged after the match?")
    assert student.read(openings) == starts
    won = 0.75 if long.outcome("s210") > 0 else 0.25  # at s0; from s1 on all moves are forced, and each player wins one game
    each = [won if start == "s0" else 0.5 for start in starts]
    ask("how long can a game be: do you ever cut it off?")
    if got != pytest.approx(sum(each) / 9, abs=1e-6):
        some = min((sum(each[:number]) / number for number in range(1, 9)), key=lambda score: abs(score - got))
        recognise(got, {"how many openings do you play: all, even when there are many?": some,
                        "does an opening that comes twice count twice?": (won + 0.5) / 2})
    assert got == pytest.approx(sum(each) / 9, abs=1e-6)
    ask("there can be hundreds of openings, in any sequence: do you play them all?")
    game = ToyGame({"s0": ["won", "t"], "t": ["x", "y"]}, {"won": -1.0, "x": 1.0, "y": -1.0})
    first, second = (student.answers(other=action) for action in (0, 1))
    many = ("t",) * edition.randint(280, 320) + ("s0",) * 100  # `first` loses both games at t, and one at s0
    assert student.pit(game, first, second, many) == pytest.approx(50 / len(many), abs=1e-6)
    ask("a state comes again in another game: do you ask the player for its move again?")
    game = ToyGame({"t": ["x", "y"]}, {"x": -1.0, "y": 1.0}, start="t")
    new, old = (Rule(game, edition.getrandbits(30)) for _ in range(2))
    student.pit(game, new, old, ("t", "t"))
    assert (new.asked, old.asked) == (["t", "t"], ["t", "t"])


# -- the gate -----------------------------------------------------------------------------------------


def trained(student: Any, gate: float | None, steps_before: int = 1) -> tuple[Any, Any, Any, Any]:
    """A run after a step with momentum: (training, net, optimizer, snapshot before that step).

    The steps before by hand: the gradient of value_head.bias is 1. So after one step its momentum is 1 and the bias -.1.
    """
    net = student.PencilNet(1, 2, 2)
    weights = student.call_and_keep("torch.nn.Module.parameters", net)
    optimizer = student.call_and_keep("torch.optim.SGD", weights, lr=0.1, momentum=0.9)
    config = student.Config() if gate is None else student.Config(gate=gate)
    training = student.Training(ToyGame({"s0": ["a", "b"]}, {}), net, optimizer, config, student.rng(1))
    for _ in range(steps_before):
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
    """The momentum that the optimizer keeps of value_head.bias, its last weight."""
    entry = student.read(made(student, "torch.optim.Optimizer.state_dict", optimizer))
    for key in ("state", 3, "momentum_buffer"):
        entry = entry.get(key) if isinstance(entry, dict) else None
    return array("f", (1,))([math.nan] if entry is None else entry)  # nan: it keeps nothing


def bias(student: Any, net: Any) -> np.ndarray:
    """The last weight of the network."""
    return array("f", (1,))(student.state(net).get("value_head.bias"))


@pytest.mark.hint("which gate does the docstring give by default, and is a score equal to the gate enough?")
def test_a_score_at_the_gate_is_enough(student, edition):
    """without a gate every network is kept; a score equal to the gate is enough, so draws alone pass a gate of one half

    Promised: Without a gate (`config.gate` is None, the default) every new network is kept. With a gate the network is kept
    when its score is at least the gate: a match of draws alone, score 1/2, passes a gate of .5.
    """
    cases = {None: [(0.0, True), (1.0, True)], 0.5: [(0.5, True), (0.475, False), (0.4999, False)],
             0.55: [(0.5, False), (0.55, True)], 0.0: [(0.0, True)], 1.0: [(0.99, False), (1.0, True)]}
    tried, decided = [], []
    for gate in edition.sample(list(cases), 5):
        training, _, _, before = trained(student, gate)
        for score, kept in edition.sample(cases[gate], len(cases[gate])) * 2:  # one run makes the decision many times
            tried.append((gate, score, kept))
            decided.append(student.keep_or_restore(training, before, score))
    if decided != [kept for *_, kept in tried]:
        recognise(decided, {
            "is a score equal to the gate enough?": [gate is None or score > gate for gate, score, _ in tried],
            "the network does not reach the gate: what happens to it?": [True] * len(tried),
            "the gate is not reached: which of the two networks do you keep?":
                [gate is None or score < gate for gate, score, _ in tried],
            "do you round the score before you compare it?":
                [gate is None or round(score, 2) >= gate for gate, score, _ in tried]})
        wrong = {gate for (gate, _, kept), other in zip(tried, decided) if kept != other}
        ask("nobody gives a gate: which gate does the docstring give?" if wrong == {None} else
            "with a gate, which scores are enough: above the gate, equal to it, or slightly below?")
    assert decided == [kept for *_, kept in tried]


@pytest.mark.hint("which objects belong to a network in training, beside its weights?")
def test_a_rejected_network_leaves_no_trace(student, edition):
    """below the gate the weights and the optimizer's moments are those of the snapshot

    Promised: A rejected network gets back the weights of `before`, and its optimizer the moments, in the same objects.
    """
    training, net, optimizer, before = trained(student, 0.5)
    student.keep_or_restore(training, before, edition.uniform(0.0, 0.45))
    ask("which weights does a rejected network have?")
    assert bias(student, net) == pytest.approx([-0.1], abs=1e-6)
    ask("a network in training has an optimizer: which numbers does the optimizer keep?")
    assert momentum(student, optimizer) == pytest.approx([1.0], abs=1e-6)
    ask("a network can have numbers that no optimizer trains, such as running means: are they those of the snapshot?")
    net.norm = student.call_and_keep("torch.nn.BatchNorm1d", 2)
    before, later = made(student, "take_snapshot", training), student.state(net)
    later["norm.running_mean"] = np.array([0.5, -0.5])
    student.load_state(net, later)
    student.keep_or_restore(training, before, 0.0)
    assert student.state(net).get("norm.running_mean", later["norm.running_mean"]).tolist() == [0.0, 0.0]
    ask("the very first training is rejected: which numbers does the optimizer keep?")
    training, net, optimizer, before = trained(student, 0.5, steps_before=0)
    student.keep_or_restore(training, before, 0.25)
    move(student, net, optimizer, 1.0)
    assert bias(student, net) == pytest.approx([-0.1], abs=1e-6)


@pytest.mark.hint("when do you restore the weights of the snapshot, and when not?")
def test_a_network_that_is_kept_stays_as_it_is(student, edition):
    """at or above the gate, and without a gate, neither weights nor moments change

    Promised: Without a gate (`config.gate` is None, the default) every new network is kept. With a gate the network is kept
    when its score is at least the gate: a match of draws alone, score 1/2, passes a gate of .5. A rejected network gets
    back the weights of `before`, and its optimizer the moments, in the same objects. Nothing else of `training` changes.
    """
    for gate, score in ((0.5, 0.5), (0.5, edition.uniform(0.6, 1.0)), (None, 0.0)):
        training, net, optimizer, before = trained(student, gate)
        student.keep_or_restore(training, before, score)
        # the second step by hand: v = tanh(-.1) has the slope .990066, so the momentum is .9 - 5 * .990066
        assert momentum(student, optimizer) == pytest.approx([-4.050331], abs=1e-4)
        assert bias(student, net) == pytest.approx([0.305033], abs=1e-4)


@pytest.mark.hint("which objects belong to the network, and which to the run?")
def test_the_run_goes_on_after_either_decision(student, edition):
    """window, iteration and the run's own network and optimizer objects stay, kept or not

    Promised: A rejected network gets back the weights of `before`, and its optimizer the moments, in the same objects.
    Nothing else of `training` changes.
    """
    for score, mode in ((0.25, True), (0.75, False), (0.25, False)):
        training, net, optimizer, before = trained(student, 0.5)
        training.iteration = number = edition.randint(1, 9)
        training.window = [("s0", np.array([0.25, 0.75]), value) for value in (1.0, -1.0)]
        student.call_and_keep("torch.nn.Module.train", net, mode)
        student.keep_or_restore(training, before, score)
        ask("is the network in the same mode as before the decision?")
        assert net.training is mode
        ask("does an iteration with a rejected network count?")
        assert training.iteration == number
        ask("do you restore weights and moments in the run's own network and optimizer, or make new objects?")
        assert (training.net, training.optimizer) == (net, optimizer)
        ask("a network is rejected: do its games leave the window?")
        assert [value for _, _, value in training.window] == [1.0, -1.0]
