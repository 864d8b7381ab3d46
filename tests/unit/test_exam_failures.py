"""A failure in the challenge is a loss: no action of a player wins it another game, and no player delays the host."""

import random
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy
import pytest

from arena.challenge.report import NOT_READY, PLAYED
from arena.games import ConnectFour, after
from arena.players.random import RandomPlayer
from arena.result import MatchResult
from autograder.challenge.exam import referee as refereed_players
from autograder.challenge.exam.referee import BROKE_OUT, KILLED, UNREADABLE, RefereedPlayer, enter
from autograder.challenge.exam.whole_exam import run_exam_of
from autograder.challenge.model import Conditions, ExamResult
from autograder.challenge.player import reference
from autograder.challenge.player import sandboxed as contestants
from autograder.challenge.player.place import MOST_REPLAYS, HostBusy, HostFailure, Place
from autograder.challenge.player.reference import MOST_REFERENCE_RUNS, ReferenceRun
from autograder.problem_sets.source import load
from autograder.sandbox.errors import HostKill, Overdrawn, WallClockTimeout
from autograder.sandbox.host.host_lock import HostLock
from autograder.sandbox.sandbox import Sandbox, SandboxDied
from autograder.submission import read as submissions
from autograder.submission.payload import read_payload
from autograder.tournament.meeting import Meeting, play
from autograder.tournament.participants import Participant, sha256_as
from tests.ladders import load_quick
from tests.speeds import again
from tests.students import solved

PS, PS5 = "ps3_connect_four", "ps5_alphazero"
GAME = ConnectFour()
LINE = (3, 3, 2, 4, 1, 0, 5, 6)
SLEPT = "your code waited instead of working"

# A player that does what WHAT says, WHEN it wants, in every game; `number` is that of the present question.
TWIST = '''
import codec
import os
import sys
import time

import numpy
from arena.games import ConnectFour

plain, asked = uct, []


def say(value, echo=None):
    """Answer the question under way oneself, with any frame."""
    frame = sys._getframe()
    while "number" not in frame.f_locals or "operation" not in frame.f_locals:
        frame = frame.f_back
    number = frame.f_locals["number"]
    os.write(3, codec.framed((number if echo is None else echo, "ok", value)))


def uct(game, state, rng, *, simulations=None, **more):
    asked.append(state)
    if type(state) is tuple and {when}:
        {what}
    return plain(game, state, rng, simulations=simulations, **more)
'''
SECOND = "len(asked) == 2"
ODD = {
    "an array for the number of the question": "say(1, numpy.arange(3))",
    "a truth value of numpy's for it": "say(1, numpy.array([[True], [False]]))",
    "an array for the column": "say((numpy.arange(3), None))",
    "an array of one column": "return numpy.array([3]), None",
    "a huge column": "return 2 ** 120, None",
    "no number": "return float('nan'), None",
    "a handle for the column": "return object(), None",
    "a dict of arrays": "return {'a': numpy.arange(3)}, None",
}


def conditions(tmp_path: Path, **changed: object) -> Conditions:
    return Conditions(b"an edition", load_quick(tmp_path, **{"games": 10, "each": 1, **changed}))


def written(tmp_path: Path, what: str = "", when: str = SECOND, above: str = "", ps: str = PS) -> Path:
    """The folder of a submission: our solution, and a twist below it."""
    folder = tmp_path / "work"
    folder.mkdir(exist_ok=True)
    twist = TWIST.replace("{when}", when).replace("{what}", what) if what else ""
    (folder / f"{ps}.py").write_text(solved(ps, f"{above}{twist}"))
    return folder


@pytest.fixture(autouse=True)
def calm_host(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine is that runs these tests."""
    monkeypatch.setattr(reference, "SLACK_S", 600.0)


@pytest.fixture
def seated(tmp_path: Path) -> Iterator[Callable[..., RefereedPlayer]]:
    made: list[RefereedPlayer] = []

    def sit(what: str = "", when: str = SECOND, **changed: object) -> RefereedPlayer:
        made.append(enter(submissions.read_folder(written(tmp_path, what, when), PS), conditions(tmp_path, **changed)))
        return made[-1]

    yield sit
    for refereed in made:
        refereed.close()


def pair(refereed: RefereedPlayer, other: object = None, seed: int = 5) -> MatchResult:
    return refereed.pair(refereed, other or RandomPlayer(GAME), (refereed.player.ladder.student_simulations, 1), seed, LINE)


def reasons(match: MatchResult) -> set[str]:
    assert all(fault.by == 0 for fault in match.faults)
    return {fault.reason for fault in match.faults}


# -- a player's actions are its own loss -------------------------------------------------------------


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("what", ODD.values(), ids=ODD)
def test_an_odd_answer_loses_its_game_and_no_game_is_played_again(seated: Callable[..., RefereedPlayer], what: str) -> None:
    refereed = seated(what)
    match = pair(refereed)
    assert match.score == 0.0 and len(match.faults) == 2 and refereed.place.replays == 0
    assert not any("Error" in reason for reason in reasons(match))


class Troubled:
    """A player that an error stops `times` times, at its second move; no student can cause this error."""

    def __init__(self, refereed: RefereedPlayer, error: Exception, times: int) -> None:
        self.inner, self.error, self.times, self.moves = refereed.player, error, times, 0

    def __getattr__(self, name: str) -> object:
        return getattr(self.inner, name)

    def new_game(self) -> None:
        self.moves = 0
        self.inner.new_game()

    def choose(self, state: tuple[int, int], simulations: int, rng: random.Random) -> int:
        self.moves += 1
        if self.moves == 2 and self.times:
            self.times -= 1
            raise self.error
        return self.inner.choose(state, simulations, rng)


BLAMED = [
    (HostKill("the host ran out of memory"), KILLED), (SandboxDied("no answer"), BROKE_OUT), (ZeroDivisionError(), UNREADABLE),
    (Overdrawn("out of memory"), "your code needed more memory than a submission may use"),
    (WallClockTimeout("no answer"), SLEPT),
    (StopIteration(), UNREADABLE), (RecursionError(), UNREADABLE), (MemoryError(), UNREADABLE),
]


@pytest.mark.first_shows
@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("error, reason", BLAMED, ids=lambda value: type(value).__name__ if isinstance(value, Exception) else "")
def test_where_our_own_player_moves_the_trouble_is_the_player_s(
    seated: Callable[..., RefereedPlayer], error: Exception, reason: str
) -> None:
    refereed = seated()
    refereed.player = Troubled(refereed, error, 1)
    match = pair(refereed)
    first, second = match.games
    assert (first.score, first.fault.reason, second.fault) == (0.0, reason, None)
    assert (refereed.reference.sound, refereed.place.replays) == (1, 0)


class Vandal(RandomPlayer):
    """A bot during whose second move of a match the student's sandbox is killed, for good."""

    def __init__(self, refereed: RefereedPlayer) -> None:
        super().__init__(GAME)
        self.refereed, self.moves = refereed, 0

    def choose(self, state: tuple[int, int], simulations: int, rng: random.Random) -> int:
        self.moves += 1
        if self.moves == 2:
            self.refereed.player.runner._sandbox._process.kill()
            self.refereed.player.runner._sandbox._process.wait()
        return super().choose(state, simulations, rng)


@pytest.mark.usefixtures("processes")
def test_a_sandbox_that_dies_alone_died_of_its_player(seated: Callable[..., RefereedPlayer]) -> None:
    refereed = seated()
    first, second = pair(refereed, Vandal(refereed)).games
    assert (first.score, second.fault) == (0.0, None) and first.fault.by == 0 and refereed.reference.sound == 1


@pytest.mark.usefixtures("processes")
def test_reference_runs_are_few_whatever_a_player_does(
    seated: Callable[..., RefereedPlayer], monkeypatch: pytest.MonkeyPatch
) -> None:
    genuine, asked = reference._tried, []
    monkeypatch.setattr(reference, "_tried", lambda *given: asked.append(given) or genuine(*given))
    refereed = seated()
    refereed.player = Troubled(refereed, SandboxDied("no answer"), 10**6)
    matches = [pair(refereed, seed=seed) for seed in range(3)]
    assert sum(len(match.faults) for match in matches) == 6 and len(asked) == MOST_REFERENCE_RUNS == refereed.reference.sound


@pytest.mark.usefixtures("processes")
def test_the_reference_run_is_asked_for_the_very_move(
    seated: Callable[..., RefereedPlayer], monkeypatch: pytest.MonkeyPatch
) -> None:
    genuine, asked = reference._tried, []
    monkeypatch.setattr(reference, "_tried", lambda *given: asked.append(given[1:]) or genuine(*given))
    refereed = seated()
    refereed.player = Troubled(refereed, SandboxDied("no answer"), 1)
    lost = pair(refereed).games[0]
    assert asked == [(after(GAME, lost.actions), 7)] and len(lost.actions) > len(LINE)


# -- failures of the host ---------------------------------------------------------------------------


@pytest.fixture
def dying(monkeypatch: pytest.MonkeyPatch) -> Callable[[int, int], None]:
    """dying(after, times): of the processes that start now, the first `after` live, and the next `times` sandboxes die."""
    genuine = Sandbox.open

    def start(after: int, times: int) -> None:
        left = [after, times]

        def opened(self: Sandbox, **more: object) -> object:
            if left[0]:
                left[0] -= 1
            elif left[1]:
                left[1] -= 1
                self._process.kill()
                self._process.wait()
            return genuine(self, **more)

        monkeypatch.setattr(Sandbox, "open", opened)

    return start


@pytest.mark.usefixtures("processes")
def test_a_pair_that_the_host_spoilt_is_played_again_and_comes_out_the_same(
    seated: Callable[..., RefereedPlayer], dying: Callable[[int, int], None]
) -> None:
    refereed = seated()
    undisturbed = pair(refereed)
    dying(1, 2)  # the second game's process, and our own player's
    assert pair(refereed).games == undisturbed.games
    assert (refereed.place.replays, refereed.reference.sound) == (1, 0) and not undisturbed.faults


@pytest.mark.usefixtures("processes")
def test_a_host_that_fails_again_cannot_judge(seated: Callable[..., RefereedPlayer], dying: Callable[[int, int], None]) -> None:
    refereed = seated()
    dying(1, 10**6)
    with pytest.raises(HostFailure, match="our own player failed as well"):
        pair(refereed)


@pytest.mark.usefixtures("repetition")
def test_replays_are_few_whatever_the_host_does(seated: Callable[..., RefereedPlayer], dying: Callable[[int, int], None]) -> None:
    refereed = seated()
    for _ in range(MOST_REPLAYS):
        dying(1, 2)
        pair(refereed)
    dying(1, 2)
    with pytest.raises(HostFailure):
        pair(refereed)


@pytest.mark.usefixtures("processes")
def test_an_exam_on_a_dying_host_is_undecided_and_costs_nothing(tmp_path: Path, dying: Callable[[int, int], None]) -> None:
    payload = read_payload(written(tmp_path), PS)
    dying(0, 10**6)
    exam_result = run_exam_of(payload, conditions(tmp_path))
    assert exam_result.report.has_fault and exam_result.failure and not exam_result.cacheable and exam_result.report.points == 0.0


@pytest.mark.usefixtures("processes")
def test_a_host_that_lets_our_own_player_wait_excuses_a_pause_and_nothing_else(
    seated: Callable[..., RefereedPlayer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reference, "SLACK_S", -1000.0)
    refereed = seated()
    refereed.player = Troubled(refereed, WallClockTimeout("no answer"), 1)
    with pytest.raises(HostBusy, match="the host is too busy"):
        pair(refereed)
    assert (refereed.place.replays, refereed.reference.sound) == (0, 0)  # undecided, and not played again here
    refereed.player = Troubled(refereed, SandboxDied("no answer"), 1)
    assert len(pair(refereed).faults) == 1 and refereed.reference.sound == 1


@pytest.mark.usefixtures("repetition")
def test_our_own_players_of_both_sets_can_be_asked(tmp_path: Path) -> None:
    for ps in (PS, PS5):
        reference = ReferenceRun(load(ps), replace(load_quick(tmp_path, games=10, each=1), student_simulations=20), Place())
        reference.ask(SandboxDied("no answer"))
        assert reference.sound == 1


@pytest.mark.usefixtures("processes")
def test_a_bot_that_fails_is_nobody_s_loss(seated: Callable[..., RefereedPlayer]) -> None:
    bot = RandomPlayer(GAME)
    bot.choose = lambda *_: 1 / 0
    with pytest.raises(HostFailure, match="the bot gave no move"):
        pair(seated(), bot)


# -- players that cannot begin ----------------------------------------------------------------------


@pytest.mark.usefixtures("repetition")
@pytest.mark.parametrize("doing", ["say(1, numpy.arange(3))", "os.kill(os.getpid(), 9)", "raise KeyError(1)"])
def test_a_network_that_cannot_begin_does_not_enter_and_is_no_fault_of_ours(tmp_path: Path, doing: str) -> None:
    above = TWIST.partition("def uct")[0].replace("uct, []", "None, []")
    folder = written(tmp_path, above=f"{above}\ndef make_net(*args, **more):\n    {doing}\n", ps=PS5)
    numpy.savez(folder / "weights.npz", layer=numpy.zeros(3))
    exam_result = run_exam_of(read_payload(folder, PS5), conditions(tmp_path))
    assert exam_result.report.outcome == NOT_READY and "Not entered yet: " in exam_result.report.note and exam_result.cacheable


# -- waiting ----------------------------------------------------------------------------------------


@pytest.mark.usefixtures("processes")
def test_who_sleeps_a_little_at_every_move_loses_the_game(
    seated: Callable[..., RefereedPlayer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contestants, "GAME_WAIT_S", 0.5)
    monkeypatch.setattr(contestants, "WALL_FACTOR", 1.0)
    match = pair(seated("time.sleep(0.4)", "True"))
    assert match.score == 0.0 and reasons(match) == {SLEPT}


@pytest.mark.usefixtures("processes")
def test_who_has_slept_enough_is_not_asked_again(seated: Callable[..., RefereedPlayer], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refereed_players, "EXAM_WAIT_S", 0.5)
    monkeypatch.setattr(refereed_players, "WALL_FACTOR", 1.0)
    refereed = seated("time.sleep(0.4)", "len(asked) <= 3")
    first, *others = [pair(refereed, seed=seed) for seed in range(3)]
    assert first.games[0].fault is None and first.games[1].fault.reason == SLEPT
    begun = refereed.player.games
    assert {fault.reason for match in others for fault in match.faults} == {SLEPT} and begun == 1
    assert all(len(game.actions) == len(LINE) or game.colour == 1 for match in others for game in match.games)


@pytest.mark.usefixtures("processes")
def test_one_pause_of_the_whole_host_loses_no_game(
    seated: Callable[..., RefereedPlayer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contestants, "GAME_WAIT_S", 2.0)
    refereed = seated("time.sleep(3)", f"sum(state).bit_count() == {len(LINE) + 2}")  # longer than a game may take, and once
    assert pair(refereed).faults == () and refereed.player.waited_s > 1.0


# -- the host's locks -------------------------------------------------------------------------------


class Sitter:
    """Stands for a player at a place; counts how often its process was ended."""

    def __init__(self) -> None:
        self.ended = 0

    def end(self) -> None:
        self.ended += 1


def wanting_alone(done: threading.Event) -> threading.Thread:
    def work() -> None:
        lock = HostLock()
        with lock.alone():
            done.set()
        lock.leave()

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


@pytest.mark.usefixtures("host_of_its_own")
def test_a_place_is_held_for_one_game_at_a_time() -> None:
    place, first, second, was_alone = Place(), Sitter(), Sitter(), threading.Event()
    place.take(first)
    place.take(second)  # they meet: the same game
    thread = wanting_alone(was_alone)
    assert not was_alone.wait(0.2)
    before = first.ended, second.ended
    place.take(first)  # the next game: the player that waited gets the room first
    thread.join(60)
    assert was_alone.is_set() and first.ended > before[0] and second.ended > before[1]
    ended = first.ended
    place.take(second)
    assert first.ended == ended  # it is still the same game
    place.leave()


@pytest.mark.usefixtures("processes", "host_of_its_own")
def test_a_place_is_left_after_a_pair_and_whatever_happens_in_it(seated: Callable[..., RefereedPlayer]) -> None:
    refereed = seated("say(1, numpy.arange(3))")
    for seed in range(2):
        pair(refereed, seed=seed)
        was_alone = threading.Event()
        wanting_alone(was_alone).join(60)
        assert was_alone.is_set()


# -- a whole exam, and a meeting of two -------------------------------------------------------------

# Is the game lost within two plies? A moment to try for a second game.
LOST = ("any(ConnectFour().outcome(ConnectFour().play((state[1], state[0]), a)) is not None "
        "for a in ConnectFour().legal_actions((state[1], state[0])))")


@pytest.mark.usefixtures("repetition")
@pytest.mark.parametrize("what", ["say(1, numpy.arange(3))", again("time.sleep(0.3); say(numpy.arange(3))")])
def test_who_fails_when_it_loses_has_lost(tmp_path: Path, what: str) -> None:
    honest = run_exam_of(read_payload(written(tmp_path), PS), conditions(tmp_path, games=20)).report
    exam_result: ExamResult = run_exam_of(read_payload(written(tmp_path, what, LOST), PS), conditions(tmp_path, games=20))
    report = exam_result.report
    assert report.outcome == PLAYED and not report.overruns
    rung = report.rungs[0]
    assert sum(rung.faults.values()) > 0 and rung.score < honest.rungs[0].score
    assert sum(rung.losses) >= sum(rung.faults.values())


def participant(name: str, folder: Path) -> Participant:
    return Participant(f"{name}/uct", name, "uct", sha256_as(read_payload(folder, PS).player_sha256, "uct"), 7, name, PS, folder)


@pytest.mark.usefixtures("repetition")
def test_in_a_meeting_who_fails_loses_to_whoever_it_met(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    good, bad = written(tmp_path / "a"), written(tmp_path / "b", "say(1, numpy.arange(3))")
    for sides in ((good, bad), (bad, good)):
        first, second = (participant(folder.parent.name, folder) for folder in sides)
        played = play(Meeting(first, second, LINE, 3), conditions(tmp_path))
        assert played.failure == "" and played.points == (2.0 if sides[0] is good else 0.0)
        assert all(game.fault.by == sides.index(bad) for game in played.games)
    both = play(Meeting(participant("b", bad), participant("c", bad), LINE, 3), conditions(tmp_path))
    assert both.failure == "" and all(game.fault for game in both.games)


@pytest.mark.usefixtures("repetition")
def test_a_meeting_on_a_dying_host_is_told_and_not_counted(tmp_path: Path, dying: Callable[[int, int], None]) -> None:
    folder = written(tmp_path)
    dying(0, 10**6)
    played = play(Meeting(participant("a", folder), participant("b", folder), LINE, 3), conditions(tmp_path))
    assert played.games == () and "our own player failed as well" in played.failure


def test_who_was_listed_with_other_bytes_does_not_play(tmp_path: Path) -> None:
    folder = written(tmp_path)
    listed = participant("a", folder)
    (folder / f"{PS}.py").write_text((folder / f"{PS}.py").read_text() + "\n# another\n")
    played = play(Meeting(listed, participant("b", folder), LINE, 3), conditions(tmp_path))
    assert played.games == () and "has changed since the players were listed" in played.failure
