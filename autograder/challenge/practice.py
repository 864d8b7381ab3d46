"""The challenge in the checkout: the student's own player, in its sandbox, plays the ladder of `arena.challenge.home`."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from arena.challenge.command import program
from arena.challenge.home import Entry, enter, rung_named
from arena.challenge.kinds import BEGINS, IMPROVED, NETWORK, OPEN, UCT
from arena.challenge.ladder import Ladder, load_ladder
from arena.errors import UserError
from arena.match import LostGame
from arena.progress import waiting
from arena.weights_file import NAME, WeightsError
from autograder.challenge.player.defined import defines
from autograder.challenge.player.entrant import sets_with_players
from autograder.challenge.player.query_budget import State
from autograder.challenge.player.sandboxed import SandboxedPlayer, contestant, entry_name
from autograder.challenge.player.visible_checks import visible_checks
from autograder.challenge.player.weights import read_weights
from autograder.grading.outcomes import sentence
from autograder.plain_text import plain_text
from autograder.problem_sets.source import facts_of
from autograder.sandbox.errors import Raised, StudentError
from autograder.submission.discover import NONE
from autograder.submission.payload import Payload, read_item
from autograder.submission.read import Submission, read, read_folder

LOADING = "your player is being loaded"
UNWALLED = "bubblewrap is not installed: your code runs without a sandbox, at your own risk; this is never graded"
MOST_TEXT = 200  # characters of an exception


def challenge(path: Path, rung: str | None, *, quality: bool = False, tell: Callable[[str], None] = print) -> None:
    """Let the player in `path` climb the ladder, or play one rung; see `arena.challenge.home.enter`.

    Args:
        path: a submission of ps3 (a folder, a notebook or a module), or a submission of ps5 with weights.npz beside it.
        rung: the name of a single rung; None: all rungs, up to the first that is not passed.

    Raises:
        UserError: the file or the rung does not exist, the search is not written, or the weights do not fit.
        Interrupted: Ctrl-C while it climbed; the report of what was played is saved.
    """
    ladder = load_ladder()
    chosen = rung_named(ladder, rung)
    sandboxed = is_sandboxed(tell)
    with players_at(path, ladder, sandboxed) as players:
        submission = players[0].player.runner.submission

        def checks(kind: str) -> list[tuple[str, str]]:
            with waiting("the visible checks"):
                return visible_checks(submission, kind, sandboxed)

        shown = f"{plain_text(str(path))}, {'in the sandbox' if sandboxed else 'without a sandbox'}"
        name = entry_name(submission, players[0].player.weights)
        entry = Entry(submission.problem_set.name, name, _folder(path), shown, players, checks)
        enter(entry, ladder, chosen, quality, program(), tell)


@dataclass
class AtHome:
    """A player in the sandbox as the challenge at home plays it: its failures are sentences for its author."""

    player: SandboxedPlayer

    @property
    def kind(self) -> str:
        """The name of what plays."""
        return self.player.kind

    @property
    def games(self) -> int:
        """The number of games begun."""
        return self.player.games

    @property
    def simulations_per_second(self) -> float:
        """Simulations per second of CPU time."""
        return self.player.simulations_per_second

    def new_game(self) -> None:
        """Begin a game in a new process."""
        with self._in_words():
            self.player.new_game()

    def choose(self, state: State, simulations: int, rng: random.Random) -> int:
        """Return the student's move; LostGame, with a reason for the student, if the player gives none."""
        with self._in_words():
            return self.player.choose(state, simulations, rng)

    @contextmanager
    def _in_words(self) -> Iterator[None]:
        try:
            yield
        except StudentError as error:
            reason = sentence(error, self.player.runner.submission) or str(error)
            if isinstance(error, Raised) and error.staff:  # the exception's own text: at home it holds no secret
                text = error.staff.strip().rpartition("\n")[2]
                reason = f"{text[:MOST_TEXT]} ({Path(error.cell).name}, line {error.line})"
            raise LostGame(reason) from error


def is_sandboxed(tell: Callable[[str], None]) -> bool:
    """Return whether this machine has a sandbox; if not, say what that means."""
    sandboxed = shutil.which("bwrap") is not None
    if not sandboxed:
        tell(UNWALLED)
    return sandboxed


@contextmanager
def players_at(path: Path, ladder: Ladder, sandboxed: bool, sets: Sequence[str] = ()) -> Iterator[list[AtHome]]:
    """Load all players of a submission, the one that its set asks for first; end them in the end.

    Args:
        sets: as for `player_at`.

    Raises:
        UserError: as `player_at`.
    """
    players: list[AtHome] = []
    try:
        with waiting(LOADING):
            players.append(AtHome(player_at(path, ladder, sandboxed, sets)))
            submission = players[0].player.runner.submission
            for kind in (IMPROVED, OPEN):
                if submission.problem_set.facts.player == UCT and defines(submission, kind):
                    players.append(AtHome(contestant(submission, ladder, sandboxed=sandboxed, kind=kind)))
        yield players
    finally:
        for player in players:
            player.player.end()
            player.player.runner.close()


def player_at(path: Path, ladder: Ladder, sandboxed: bool = True, sets: Sequence[str] = ()) -> SandboxedPlayer:
    """Return the player of a submission; for a network, with the weights in its folder. The caller ends the player.

    Args:
        sets: the problem sets to which the file may belong; by default those with a player for the ladder.

    Raises:
        UserError: the file has no player, or its weights cannot be read or do not fit.
    """
    submission = read_player(path, sets or sets_with_players())
    try:
        weights = read_weights(_folder(path)) if NAME in submission.problem_set.facts.beside else None
        return contestant(submission, ladder, weights, sandboxed=sandboxed)
    except NotImplementedError as error:
        raise UserError(f"{path}: {error}: the challenge begins when {BEGINS[NETWORK]} is written") from None
    except (WeightsError, StudentError) as error:
        raise UserError(f"{path}: {error}") from None


def read_player(path: Path, sets: Sequence[str]) -> Submission:
    """Read a player's code from any path and any file name.

    The player is one of `sets` if its file name says so. Otherwise it is one of the first set with a player that needs weights if
    weights are beside it, or else of the first set with another player.
    """
    if not path.exists():
        first = sets_with_players()[0]
        raise UserError(f"{path} does not exist; give your {first}.ipynb, your {first}.py or the folder they are in")
    ps = _set_of(path, sets)
    item = None if path.is_dir() else read_item(path.parent, path.name)
    submission = read(Payload(ps, (replace(item, name=f"{ps}{path.suffix}"),))) if item else read_folder(path, ps)
    if submission.form == NONE:
        raise UserError(f"{path}: {submission.note}")
    return submission


def _folder(path: Path) -> Path:
    """Return the folder of a player's weights."""
    return path if path.is_dir() else path.parent


def _set_of(path: Path, sets: Sequence[str]) -> str:
    names = {file.stem for file in path.iterdir()} if path.is_dir() else {path.stem}
    named = [ps for ps in sets if ps in names]
    brought = (_folder(path) / NAME).exists()
    return named[0] if named else next(ps for ps in sets_with_players() if (NAME in facts_of(ps).beside) == brought)
