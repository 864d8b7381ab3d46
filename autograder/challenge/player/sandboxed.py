"""The student's player as the grader runs it: the student's search in its sandbox, a new process for every game.

The grader builds the player from the student's code: `uct` or `challenge_player` of ps3, or `AlphaMCTS` of ps5 over the
network that the student's `make_net` makes, with the weights of the submission.
"""

from __future__ import annotations

import hashlib
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from arena.challenge.kinds import EXPLORATION, IMPROVED, NETWORK, OPEN, SEARCH, UCT
from arena.challenge.ladder import Ladder
from arena.edition import dice
from arena.games import ConnectFour
from arena.weights_file import NAME, WeightsError
from autograder.challenge.player.query_budget import CountedGame, CountedLooks, Overrun, State
from autograder.challenge.player.weights import Weights
from autograder.grading.hidden_checks.answer_types import integer, node, tupleof
from autograder.grading.hidden_checks.student_proxy import Student
from autograder.grading.report import Outcome, Report
from autograder.grading.submission_runner import NO_BUDGET, OWN, SubmissionRunner
from autograder.problem_sets.rules import JOINT
from autograder.sandbox.errors import Died, HostKill, NotWritten, Raised, StudentError, TooSlow, WallClockTimeout, WrongType
from autograder.sandbox.session import WALL_FACTOR, WALL_TIMEOUT_S, Session
from autograder.submission.read import Submission

GAME = ConnectFour()
TYPES = {UCT: tupleof(integer, node), SEARCH: tupleof(integer, node), ".choose": integer, OPEN: integer}
METHODS = frozenset({"choose"})
WATCHED_ONE_IN = 500  # moves; a whole climb has some thousands, and a watched move may take a second
WATCHED_TIME = 10  # a watched move gets this many times the CPU time, because each call of the rules is a message
MOST_WATCHED = 3  # moves of one game, for its process's hard limit; more are watched in one game of 100,000
GAME_WAIT_S = 20.0  # the grader waits at most this long, plus WALL_FACTOR times the CPU time, for the moves of a game


@dataclass
class SandboxedPlayer:
    """A player whose moves the student's own search chooses; data that the search keeps between moves ends with the game.

    Args:
        weights: for a player of ps5, the weights of its network at the beginning of every game.
        secret: the edition's secret; it chooses the watched moves, one in `watched_one_in`. Without it no move is watched.
        kind: of the player, SEARCH or one of `arena.challenge.kinds`. `open_player(game, state, rng)` has no budget but the
            CPU limit.

    These failures are raised as exceptions and lose the game: too much CPU time or too long a wait for a move or a game, an
    exception, a crash, an answer that is not a column. NotImplementedError ends the match. Failures that may be the host's
    (HostKill, WallClockTimeout, SandboxDied) are raised too; `RefereedPlayer` finds out whether the host or the player failed.

    `simulations` counts the requested simulations of all games, and `games` the games begun. `runner.cpu_s` is their CPU time;
    `waited_s` is how long the grader waited for them.

    Some moves are watched: the student's code then reaches the game through the grader, states are only names, and every call
    is counted. `watched` is the number of such moves. `overruns` lists those with far more calls than the budget allows.
    `uncounted` is the number of watched moves that failed only because states were names, and were then played directly.
    """

    runner: SubmissionRunner
    ladder: Ladder
    weights: Weights | None = None
    secret: bytes | None = None
    kind: str = UCT
    watched_one_in: int = WATCHED_ONE_IN
    simulations: int = 0
    games: int = 0
    waited_s: float = 0.0
    watched: int = 0
    uncounted: int = 0
    overruns: list[Overrun] = field(default_factory=list)
    watched_cpu_s: float = 0.0  # CPU time of all watched moves
    _session: Session | None = None
    _excused_cpu_s: float = 0.0  # CPU time of the watched moves in this process
    _waited_before_s: float = 0.0  # `waited_s` when this process began

    @property
    def _process(self) -> Session:
        """The process of the present game."""
        assert self._session is not None, "no game has begun"
        return self._session

    def new_game(self) -> None:
        """End the process of the game before, if there was one, and begin a new process."""
        self.end()
        self.games += 1
        self.runner.sandbox()  # its start is the host's time, not the player's
        with self._waiting(), _not_written_in_words():
            self._begin()

    def _begin(self) -> None:
        self._waited_before_s = self.waited_s
        limits = self.ladder
        most_s = limits.game_cpu_s + limits.move_cpu_s + MOST_WATCHED * WATCHED_TIME * limits.move_cpu_s
        self._session = self.runner.begin(None, OWN, limits.move_cpu_s, most_s)
        self._student = Student(self._session, TYPES, METHODS, OWN)
        self._excused_cpu_s = 0.0
        if self.kind == NETWORK:
            self._net = node(self._student.call_and_keep("make_net", GAME))
            if self.weights is not None:
                self._student.load_state(self._net, self.weights.arrays)
        if self.kind in (NETWORK, IMPROVED):
            self._player = self._made_over(GAME)

    def choose(self, state: State, simulations: int, rng: random.Random) -> int:
        """Return the student's move; `rng` gives the seed of the generator in the sandbox."""
        seed = rng.getrandbits(63)
        with self._waiting(), _not_written_in_words():
            action = self._watch(state, simulations, seed) if self._is_watched(seed) else None
            if action is None:
                action = self._timed(lambda: self._ask(GAME, state, simulations, seed))
        self.simulations += simulations
        return action

    def _timed(self, ask: Callable[[], int]) -> int:
        session = self._process
        session.allow(self.ladder.move_cpu_s)
        if session.cpu_used_s - self._excused_cpu_s > self.ladder.game_cpu_s:
            raise TooSlow(f"more than {self.ladder.game_cpu_s:g} s of CPU time in one game")
        if self.waited_s - self._waited_before_s > GAME_WAIT_S + WALL_FACTOR * session.cpu_used_s:
            raise WallClockTimeout("the moves of one game take too long")
        action = ask()
        session.check_time()
        return action

    def _ask(self, game: ConnectFour | CountedGame, state: State | str, simulations: int, seed: int) -> int:
        """Ask the student's code for a move; `game` and `state` are the real ones, or a CountedGame and a state's name."""
        rng = self._student.rng(seed)
        if self.kind == UCT:
            action: int = self._student.uct(game, state, rng, simulations=simulations)[0]
        elif self.kind == SEARCH:
            action = self._student.search(game, state, simulations, EXPLORATION, rng)[0]
        elif self.kind == OPEN:
            action = self._student.open_player(game, state, rng)
        else:
            player = self._player if game is GAME else self._made_over(game)
            action = player.choose(state, simulations, rng)
        return action

    def _made_over(self, game: ConnectFour | CountedGame) -> Any:
        return node(self._student.call_and_keep(self.kind, game, *([self._net] if self.kind == NETWORK else [])))

    def _is_watched(self, seed: int) -> bool:
        if self.secret is None or self.kind == OPEN:
            return False
        return dice(self.secret, f"watched {seed}").randrange(self.watched_one_in) == 0

    def _watch(self, state: State, simulations: int, seed: int) -> int | None:
        """Return the move of a watched search; None if it failed, so that the move has to be played directly."""
        counted = CountedLooks if self.kind == IMPROVED else CountedGame
        session, game = self._process, counted(state, simulations)
        session.allow(WATCHED_TIME * self.ladder.move_cpu_s)
        before_s = session.cpu_used_s
        try:
            action, in_step = self._ask(game, game.token(state), simulations, seed), True
        except (HostKill, WallClockTimeout):
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
        else:  # the process ended or still computes: the game continues in a new process
            self.end()
            self._begin()
        self._excused_cpu_s += session.cpu_used_s - before_s if in_step else 0.0
        self.watched_cpu_s += session.cpu_used_s - before_s
        return action

    @contextmanager
    def _waiting(self) -> Iterator[None]:
        """Count the waiting time, without the grader's own CPU time (it plays the rules of a watched move).

        The session limits the time of a single question. An answer that came late, for example because the whole host stood
        still, counts for at most half of GAME_WAIT_S. A question without an answer counts for at most the time that the session
        waits for an ordinary move.
        """
        begin_s, own_s = time.monotonic(), time.process_time()
        most_s = WALL_TIMEOUT_S + WALL_FACTOR * self.ladder.move_cpu_s
        try:
            yield
            most_s = GAME_WAIT_S / 2
        finally:
            waited_s = time.monotonic() - begin_s - (time.process_time() - own_s)
            self.waited_s += min(max(waited_s, 0.0), most_s)

    def end(self) -> None:
        """End the process of the present game."""
        session, self._session = self._session, None
        if session is not None:
            self.runner.end(session)

    @property
    def simulations_per_second(self) -> float:
        """Simulations per second of CPU time, with the loading and the end of every game, without the watched moves."""
        cpu_s = self.runner.cpu_s - self.watched_cpu_s
        return self.simulations / cpu_s if cpu_s > 0 else 0.0


@contextmanager
def _not_written_in_words() -> Iterator[None]:
    """Turn NotWritten into NotImplementedError, which ends a match."""
    try:
        yield
    except NotWritten as error:
        raise NotImplementedError("the search is not written yet, or something that it calls") from error


def contestant(
    submission: Submission,
    ladder: Ladder,
    weights: Weights | None = None,
    *,
    secret: bytes | None = None,
    sandboxed: bool = True,
    kind: str = "",
) -> SandboxedPlayer:
    """Return the player of a submission of ps3, or of ps5 with its weights; `player.runner.close()` ends it.

    Args:
        kind: which player of the submission; "": the one that its problem set asks for.

    Raises:
        WeightsError: the submission's own network does not take these weights, or a player of ps5 has none.
        StudentError, NotImplementedError, SandboxDied: the player of ps5 cannot be loaded to try the weights.
    """
    runner = SubmissionRunner(submission, sandboxed=sandboxed, budget=NO_BUDGET)
    player = SandboxedPlayer(runner, ladder, weights, secret, kind or runner.problem_set.facts.player or SEARCH)
    if player.kind == NETWORK:
        try:
            _try_weights(player)
        except BaseException:
            runner.close()
            raise
        finally:
            player.end()
    return player


def _try_weights(player: SandboxedPlayer) -> None:
    """Begin a game and end it, so that weights that do not fit are reported once and not in every game."""
    if player.weights is None:
        raise WeightsError(f"the submission has no {NAME} beside it; write it with the notebook's save_weights")
    try:
        player.new_game()
    except (NotImplementedError, Died, TooSlow, WallClockTimeout, HostKill):
        raise
    except StudentError as error:
        names = ", ".join(sorted(player.weights.arrays)[:8])
        kind = f" ({error.names[0]})" if isinstance(error, Raised) and error.names[0] else ""
        raise WeightsError(
            f"{NAME} does not fit the network that make_net(ConnectFour()) of the submission makes{kind}: it holds {names}; "
            "make_net must make the network that was saved, sizes included"
        ) from error


def entry_name(submission: Submission, weights: Weights | None) -> str:
    """Return the name from which an exam's seeds are derived: the hash of all bytes that decide how the player plays."""
    if weights is None:
        return submission.sha256
    return hashlib.sha256(f"{submission.sha256} {weights.sha256}".encode()).hexdigest()


def is_ready(report: Report) -> bool:
    """Say whether a submission may enter: its joint check passed, because strength does not prove correctness."""
    return any(exercise.id == JOINT and exercise.outcome == Outcome.PASSED for exercise in report.exercises)
