"""The student's player in the grader's hands: their own search in its sandbox, a new process for every game.

The grader builds the player from the student's code: `uct` of ps3, or `AlphaMCTS` of ps5 over the network that their
`make_net` makes, with the weights that they brought.
"""

from __future__ import annotations

import hashlib
import math
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from arena.games import ConnectFour
from autograder.challenge.ladder import Ladder
from autograder.challenge.player.query_budget import CountedGame, Overrun, State
from autograder.challenge.player.weights import NAME, Weights, WeightsError
from autograder.grading.edition import dice
from autograder.grading.hidden_checks.answer_types import integer, node, tupleof
from autograder.grading.hidden_checks.student_proxy import Student
from autograder.grading.report import Outcome, Report
from autograder.grading.submission_runner import OWN, SubmissionRunner
from autograder.problem_sets.source import load
from autograder.sandbox.errors import Asleep, Died, HostKill, NotWritten, Raised, StudentError, TooSlow, WrongType
from autograder.sandbox.session import WALL_FACTOR, Session
from autograder.submission.read import Submission

GAME = ConnectFour()
TYPES = {"uct": tupleof(integer, node), ".choose": integer, "open_player": integer}
METHODS = frozenset({"choose"})
UCT, NETWORK, OPEN = "uct", "AlphaMCTS", "open_player"
PLAYER_OF = {"ps3_connect_four": UCT, "ps5_alphazero": NETWORK}
WATCHED_ONE_IN = 500  # moves; a whole climb has some thousands, and to play one through the grader may take a second
WATCHED_TIME = 10  # so many times the CPU time: each question to the rules is a message then
GAME_WAIT_S = 20.0  # the moves of a game may keep the grader waiting so long, and WALL_FACTOR times their CPU time beyond


@dataclass
class SandboxedPlayer:
    """Answers `choose` with the student's own search; what it keeps between moves ends with the game.

    Args:
        weights: for a player of ps5, what its network begins every game with.
        secret: the edition's; it draws the moves that are watched, one in `watched_one_in`. Without one no move is.
        open_class: ask the submission's `open_player(game, state, rng)`, which has no budget but the CPU limit.

    A move or a game that takes too much CPU time or keeps the grader waiting, an exception, a crash or an answer that is no
    column is raised here, and loses the game; NotImplementedError ends the match. What may be the host's doing (HostKill,
    Asleep, SandboxDied) is raised as well: `RefereedPlayer` finds out whose it was. `simulations` counts the simulations asked
    for in all games, `games` the games begun; `runner.cpu_s` is what they took, `waited_s` how long the grader waited for them.
    On a sample of moves the student's code sees the game through the grader, states as mere names, and every question is
    counted: `watched` says on how many moves, `overruns` on which of them far more was asked than the budget allows,
    `uncounted` how many went wrong that way alone and were played directly.
    """

    runner: SubmissionRunner
    ladder: Ladder
    weights: Weights | None = None
    secret: bytes | None = None
    open_class: bool = False
    watched_one_in: int = WATCHED_ONE_IN
    simulations: int = 0
    games: int = 0
    waited_s: float = 0.0
    watched: int = 0
    uncounted: int = 0
    overruns: list[Overrun] = field(default_factory=list)
    watched_cpu_s: float = 0.0  # of all watched moves
    _session: Session | None = None
    _excused_cpu_s: float = 0.0  # of the watched moves in this process
    _waited_before_s: float = 0.0  # `waited_s` when this process began

    @property
    def kind(self) -> str:
        """What plays: "uct", "AlphaMCTS" or "open_player"."""
        return OPEN if self.open_class else PLAYER_OF[self.runner.problem_set.name]

    @property
    def _process(self) -> Session:
        """The process of the present game."""
        assert self._session is not None, "no game has begun"
        return self._session

    def new_game(self) -> None:
        """End the process of the game before, if there was one, and begin a new one."""
        self.end()
        self.games += 1
        with self._waiting(), _not_written_in_words():
            self._begin()

    def _begin(self) -> None:
        self._waited_before_s = self.waited_s
        self._session = self.runner.begin(None, OWN, self.ladder.move_cpu_s)
        self._student = Student(self._session, TYPES, METHODS, OWN)
        self._excused_cpu_s = 0.0
        if self.kind == NETWORK:
            self._net = node(self._student.call_and_keep("make_net", GAME))
            if self.weights is not None:
                self._student.load_state(self._net, self.weights.arrays)
            self._player = self._made_over(GAME)

    def choose(self, state: State, simulations: int, rng: random.Random) -> int:
        """Return the student's move; `rng` gives the seed of the generator over there."""
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
            raise Asleep("the moves of one game take too long")
        action = ask()
        session.check_time()
        return action

    def _ask(self, game: ConnectFour | CountedGame, state: State | str, simulations: int, seed: int) -> int:
        """Have the student's code choose; `game` and `state` are the real ones, or the grader's and a name."""
        rng = self._student.rng(seed)
        if self.kind == UCT:
            action: int = self._student.uct(game, state, rng, simulations=simulations)[0]
        elif self.kind == OPEN:
            action = self._student.open_player(game, state, rng)
        else:
            player = self._player if game is GAME else self._made_over(game)
            action = player.choose(state, simulations, rng)
        return action

    def _made_over(self, game: ConnectFour | CountedGame) -> Any:
        return node(self._student.call_and_keep("AlphaMCTS", game, self._net))

    def _is_watched(self, seed: int) -> bool:
        if self.secret is None or self.open_class:
            return False
        return dice(self.secret, f"watched {seed}").randrange(self.watched_one_in) == 0

    def _watch(self, state: State, simulations: int, seed: int) -> int | None:
        """Return the move, chosen through the grader; None when that way went wrong, and the move is to be played directly."""
        session, game = self._process, CountedGame(state, simulations)
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

    @contextmanager
    def _waiting(self) -> Iterator[None]:
        """Count the time that passes here, less what the grader itself works: it plays the rules of a watched move.

        How long a single question may take is the session's to say; one that was answered late, as when the whole host has
        stood still, counts for no more than half of what a game may wait.
        """
        begin_s, own_s, most_s = time.monotonic(), time.process_time(), math.inf
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
        """Simulations per second of CPU time, loading and the end of every game included, watched moves left out."""
        cpu_s = self.runner.cpu_s - self.watched_cpu_s
        return self.simulations / cpu_s if cpu_s > 0 else 0.0


@contextmanager
def _not_written_in_words() -> Iterator[None]:
    """Tell a match that there is no player yet, in the way that it knows."""
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
    walled: bool = True,
    open_class: bool = False,
) -> SandboxedPlayer:
    """Return the player of a submission of ps3, or of ps5 with its weights; `player.runner.close()` ends it.

    Raises:
        WeightsError: the submission's own network does not take these weights, or a player of ps5 has none.
        StudentError, NotImplementedError, SandboxDied: it cannot be loaded to try them.
    """
    runner = SubmissionRunner(load(submission.problem_set), submission, walled=walled, budget_cpu_s=math.inf)
    player = SandboxedPlayer(runner, ladder, weights, secret, open_class)
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
    """Begin a game and end it: what goes wrong with the weights is said once, in a sentence, and not in every game."""
    if player.weights is None:
        raise WeightsError(f"there is no {NAME} beside the submission; write it with the notebook's save_weights")
    try:
        player.new_game()
    except (NotImplementedError, Died, TooSlow, Asleep, HostKill):
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
    return any(exercise.id == "joint" and exercise.outcome == Outcome.PASSED for exercise in report.exercises)
