"""The student's player in the grader's hands: their own search in its sandbox, a new process for every game.

The grader builds the player from the student's code: `uct` of ps3, or `AlphaMCTS` of ps5 over the network that their
`make_net` makes, with the weights that they brought.
"""

from __future__ import annotations

import hashlib
import math
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from arena.games import ConnectFour
from autograder.build.source import load
from autograder.challenge.counted import CountedGame, Overrun, State
from autograder.challenge.rungs import Ladder
from autograder.challenge.weights import NAME, Weights, WeightsError
from autograder.grading.attempt import OWN, Workshop
from autograder.grading.edition import dice
from autograder.grading.report import PASSED, Report
from autograder.grading.student import Student
from autograder.grading.submission import Submission
from autograder.grading.types import Handle, WrongType, integer, node, tupleof
from autograder.sandbox.errors import Asleep, Died, HostKill, NotWritten, Raised, StudentError, TooSlow
from autograder.sandbox.sandbox import SandboxDied
from autograder.sandbox.session import Session

GAME = ConnectFour()
TYPES = {"uct": tupleof(integer, node), ".choose": integer, "open_player": integer}
METHODS = frozenset({"choose"})
UCT, NETWORK, OPEN = "uct", "AlphaMCTS", "open_player"
PLAYER_OF = {"ps3_connect_four": UCT, "ps5_alphazero": NETWORK}
WATCHED_ONE_IN = 500  # moves; a whole climb has some thousands, and to play one through the grader may take a second
WATCHED_TIME = 10  # so many times the CPU time: each question to the rules is a message then


class HostTrouble(BaseException):
    """The host, not the student's player, ended a game: no loss, and no ordinary exception that a match would count."""


@dataclass
class SandboxedPlayer:
    """Answers `choose` with the student's own search; what it keeps between moves ends with the game.

    Args:
        weights: for a player of ps5, what its network begins every game with.
        secret: the edition's; it draws the moves that are watched, one in `watched_one_in`. Without one no move is.
        open_class: ask the submission's `open_player(game, state, rng)`, which has no budget but the CPU limit.

    A move or a game that takes too much CPU time, an exception, a crash or an answer that is no column is raised here,
    and loses the game; NotImplementedError ends the match. `simulations` counts what was asked for in all games;
    `workshop.cpu_s` is what they took. On a sample of moves the student's code sees the game through the grader, states
    as mere names, and every question is counted: `watched` says on how many moves, `overruns` on which of them far more
    was asked than the budget allows, `uncounted` how many went wrong that way alone and were played directly.
    """

    workshop: Workshop
    ladder: Ladder
    weights: Weights | None = None
    secret: bytes | None = None
    open_class: bool = False
    watched_one_in: int = WATCHED_ONE_IN
    simulations: int = 0
    watched: int = 0
    uncounted: int = 0
    overruns: list[Overrun] = field(default_factory=list)
    watched_cpu_s: float = 0.0  # of all watched moves
    _session: Session | None = None
    _excused_cpu_s: float = 0.0  # of the watched moves in this process

    @property
    def kind(self) -> str:
        """What plays: "uct", "AlphaMCTS" or "open_player"."""
        return OPEN if self.open_class else PLAYER_OF[self.workshop.problem_set.name]

    def new_game(self) -> None:
        """End the process of the game before, if there was one, and begin a new one."""
        self.end()
        with _host_trouble():
            self._begin()

    def _begin(self) -> None:
        self._session = self.workshop.begin(None, OWN, self.ladder.move_cpu_s)
        self._student = Student(self._session, TYPES, METHODS, OWN)
        self._excused_cpu_s = 0.0
        if self.kind == NETWORK:
            self._net = node(self._student.call_and_keep("make_net", GAME))
            self._student.load_state(self._net, self.weights.arrays if self.weights else {})
            self._player = self._made_over(GAME)

    def choose(self, state: State, simulations: int, rng: random.Random) -> int:
        """Return the student's move; `rng` gives the seed of the generator over there."""
        seed = rng.getrandbits(63)
        with _host_trouble():
            action = self._watch(state, simulations, seed) if self._is_watched(seed) else None
            if action is None:
                action = self._timed(lambda: self._ask(GAME, state, simulations, seed))
        self.simulations += simulations
        return action

    def _timed(self, ask: Callable[[], int]) -> int:
        session = self._session
        session.allow(self.ladder.move_cpu_s)
        if session.cpu_used_s - self._excused_cpu_s > self.ladder.game_cpu_s:
            raise TooSlow(f"more than {self.ladder.game_cpu_s:g} s of CPU time in one game")
        action = ask()
        session.check_time()
        return action

    def _ask(self, game: ConnectFour | CountedGame, state: State | str, simulations: int, seed: int) -> int:
        """Have the student's code choose; `game` and `state` are the real ones, or the grader's and a name."""
        rng = self._student.rng(seed)
        if self.kind == UCT:
            return self._student.uct(game, state, rng, simulations=simulations)[0]
        if self.kind == OPEN:
            return self._student.open_player(game, state, rng)
        player = self._player if game is GAME else self._made_over(game)
        return player.choose(state, simulations, rng)

    def _made_over(self, game: ConnectFour | CountedGame) -> Handle:
        return node(self._student.call_and_keep("AlphaMCTS", game, self._net))

    def _is_watched(self, seed: int) -> bool:
        if self.secret is None or self.open_class:
            return False
        return dice(self.secret, f"watched {seed}").randrange(self.watched_one_in) == 0

    def _watch(self, state: State, simulations: int, seed: int) -> int | None:
        """Return the move, chosen through the grader; None when that way went wrong, and the move is to be played directly."""
        session, game = self._session, CountedGame(state, simulations)
        session.allow(WATCHED_TIME * self.ladder.move_cpu_s)
        before_s = session.cpu_used_s
        try:
            action, in_step = self._ask(game, game.token(state), simulations, seed), True
        except (HostKill, Asleep):
            raise
        except StudentError as error:
            action, in_step = None, isinstance(error, (Raised, NotWritten, WrongType))
        self.watched += 1
        if game.overrun:
            self.overruns.append(game.overrun)
        elif action is None:
            self.uncounted += 1
        if in_step:
            session.allow(self.ladder.move_cpu_s)
        else:  # the process ended, or still thinks: the game goes on in a new one
            self.end()
            self._begin()
        self._excused_cpu_s += session.cpu_used_s - before_s if in_step else 0.0
        self.watched_cpu_s += session.cpu_used_s - before_s
        return action

    def end(self) -> None:
        """End the process of the present game."""
        session, self._session = self._session, None
        if session is not None:
            self.workshop.end(session)

    @property
    def simulations_per_second(self) -> float:
        """Simulations per second of CPU time, loading and the end of every game included, watched moves left out."""
        cpu_s = self.workshop.cpu_s - self.watched_cpu_s
        return self.simulations / cpu_s if cpu_s > 0 else 0.0


@contextmanager
def _host_trouble() -> Iterator[None]:
    """Keep what the host does to a game apart from what its player does."""
    try:
        yield
    except (HostKill, SandboxDied, Asleep) as error:
        raise HostTrouble(str(error)) from error
    except NotWritten as error:
        raise NotImplementedError("the search is not written yet, or something that it calls") from error


def contestant(
    submission: Submission,
    ladder: Ladder,
    weights: Weights | None = None,
    *,
    secret: bytes | None = None,
    walled: bool = True,
    open_class: bool = False,
) -> SandboxedPlayer:
    """Return the player of a submission of ps3, or of ps5 with its weights; `player.workshop.close()` ends it.

    Raises:
        WeightsError: the submission's own network does not take these weights, or a player of ps5 has none.
        StudentError, HostTrouble: it cannot be loaded to try them.
    """
    workshop = Workshop(load(submission.problem_set), submission, walled=walled, budget_cpu_s=math.inf)
    player = SandboxedPlayer(workshop, ladder, weights, secret, open_class)
    if player.kind == NETWORK:
        try:
            _try_weights(player)
        except BaseException:
            workshop.close()
            raise
        finally:
            player.end()
    return player


def _try_weights(player: SandboxedPlayer) -> None:
    """Begin a game and end it: what goes wrong with the weights is said once, in a sentence, and not in every game."""
    if player.weights is None:
        raise WeightsError(f"there is no {NAME} beside the submission; write it with the notebook's save_weights")
    try:
        player.new_game()
    except (NotImplementedError, Died, TooSlow):
        raise
    except StudentError as error:
        names = ", ".join(sorted(player.weights.arrays)[:8])
        kind = f" ({error.names[0]})" if isinstance(error, Raised) and error.names[0] else ""
        raise WeightsError(
            f"{NAME} does not fit the network that make_net(ConnectFour()) of the submission makes{kind}: it holds {names}; "
            "make_net must make the network that was saved, sizes included"
        ) from error


def entry_name(submission: Submission, weights: Weights | None) -> str:
    """Return what the seeds of an exam hang on: the hash of all bytes that decide how the player plays."""
    if weights is None:
        return submission.sha256
    return hashlib.sha256(f"{submission.sha256} {weights.sha256}".encode()).hexdigest()


def is_ready(report: Report) -> bool:
    """Say whether a submission may enter: its joint check passed, because strength does not prove correctness."""
    return any(exercise.id == "joint" and exercise.outcome == PASSED for exercise in report.exercises)
