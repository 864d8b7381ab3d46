"""One submission's exam behind the wall: what it tells, what loses a game, and what is a fault of the host's."""

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from arena.games import ConnectFour
from arena.players.random import RandomPlayer
from autograder.build import build
from autograder.build.source import load
from autograder.challenge import hold as holding
from autograder.challenge import seat as seats
from autograder.challenge.contestant import HostTrouble, contestant
from autograder.challenge.exam import Seeds, meet
from autograder.challenge.hold import hold, hold_parcel
from autograder.challenge.interval import bootstrap_interval
from autograder.challenge.report import PLAYED, ChallengeReport, counted, game_of, line_of
from autograder.challenge.rungs import LADDER, Ladder, load_ladder
from autograder.challenge.seat import MOST_BLAMED, Seat
from autograder.challenge.sitting import Conditions, Sitting
from autograder.grading import submission as submissions
from autograder.grading.parcel import pack
from autograder.grading.submission import Submission
from autograder.sandbox.errors import Asleep, HostKill

PS = "ps3_connect_four"
LINES = ((3, 3, 2, 4, 1, 0, 5, 6),)


def ladder(tmp_path: Path, **changed: object) -> Ladder:
    """Our ladder, cheap, with some keys changed wherever they stand."""
    lines = LADDER.read_text().splitlines()
    for key, value in {"student_simulations": 7, "highest": '"Random"', "games": 40, "each": 2, **changed}.items():
        lines = [f"{key} = {value}" if line.partition(" ")[0] == key else line for line in lines]
    (tmp_path / "rungs.toml").write_text("\n".join(lines) + "\n")
    return load_ladder(tmp_path / "rungs.toml")


def submission(tmp_path: Path, code: str = "") -> Submission:
    (tmp_path / f"{PS}.py").write_text(f"{build(load(PS), solution=True)[1]}\n\n# %%\n{code}\n")
    return submissions.read(tmp_path, PS)


def held(tmp_path: Path, code: str = "", **changed: object) -> Sitting:
    return hold(submission(tmp_path, code), Conditions(b"an edition", ladder(tmp_path, **changed)))


SOON_PASSED = {"fail": 0.001, "pass": 0.002, "error_odds": 1.5, "games": 10}  # the first game that is won passes


# -- a whole exam ---------------------------------------------------------------------------------


def test_a_report_tells_every_game_and_comes_back_from_its_text(tmp_path: Path) -> None:
    sitting = held(tmp_path)
    report = sitting.report
    assert (report.outcome, report.player, report.simulations) == (PLAYED, PS, 7)
    (rung,) = report.rungs
    counted = sum(rung.wins + rung.draws + rung.losses)
    assert counted == len(rung.games) and rung.interval[0] <= rung.score <= rung.interval[1]
    games = [game_of(line) for line in rung.games]
    assert sum(game.score for game in games) / len(games) == pytest.approx(rung.score, abs=1e-4)
    assert [line_of(game) for game in games] == list(rung.games)
    assert ChallengeReport.from_json(report.to_json()) == report
    assert Sitting.from_dict(sitting.to_dict()).report == report and sitting.measured.simulations_per_second > 0


def test_a_class_plays_up_to_its_highest_rung_and_perfect_waits_above_all(tmp_path: Path) -> None:
    report = held(tmp_path, highest='"Sand"', **SOON_PASSED).report
    assert [rung.name for rung in report.rungs] == ["Random", "Sand"] and report.perfect is None


def test_whoever_passed_every_rung_meets_perfect(tmp_path: Path) -> None:
    report = held(tmp_path, highest='"Mountain"', simulations=2, **SOON_PASSED).report
    assert [rung.verdict for rung in report.rungs] == ["passed"] * 6
    assert (report.perfect.verdict, len(report.perfect.games), report.perfect.wins) == (PLAYED, 10, (0, 0))
    assert report.perfect.points == report.perfect.max_points * sum(report.perfect.draws) / 10


# -- what loses a game ----------------------------------------------------------------------------

WRONG = {
    "illegal": ("return 9, honest(game, state, rng, simulations=1)[1]", "action 9 is not one of 0 to 6"),
    "crash": ("raise KeyError('a secret')", "KeyError in ps3_connect_four.py, line "),
    "own error": ("raise type('Mine', (Exception,), {})()", "an exception of your own in ps3_connect_four.py, line "),
    "exit": ("__import__('os')._exit(0)", "your code ended its own process"),
    "late": ("while True: pass", "your code used up its time"),
    "not written": ("raise NotImplementedError('exercise 3.6 (uct) is not written yet')", "something in it is not written yet"),
}


@pytest.mark.parametrize("code, said", WRONG.values(), ids=WRONG)
def test_who_gives_no_move_loses_every_game_and_reads_why(tmp_path: Path, code: str, said: str) -> None:
    sitting = held(tmp_path, f"honest = uct\ndef uct(game, state, rng, **more):\n    {code}\n", move_cpu_s=0.2, each=1)
    (rung,) = sitting.report.rungs
    assert (rung.verdict, rung.score, rung.points) == ("failed", 0.0, 0.0)
    ((reason, games),) = rung.faults.items()
    assert said in reason and "a secret" not in reason and games == len(rung.games)


# -- the host's troubles --------------------------------------------------------------------------


class Troubled:
    """A player in whose way something gets `times` times, whatever it would do."""

    workshop = SimpleNamespace(cpu_s=0.5)
    ladder = load_ladder()

    def __init__(self, error: Exception, times: int) -> None:
        self.error, self.times, self.ended = error, times, 0

    def new_game(self) -> None: ...

    def choose(self, state: tuple[int, int], simulations: int, rng: random.Random) -> int:
        if self.times:
            self.times -= 1
            raise HostTrouble("the host") from self.error
        return RandomPlayer(ConnectFour()).choose(state, simulations, rng)

    def end(self) -> None:
        self.ended += 1


def pair(tmp_path: Path, error: Exception, times: int, blamed: int = 0) -> tuple:
    player = Troubled(error, times)
    seat = Seat(player, submission(tmp_path), blamed=blamed)
    return seat.pair(seat, RandomPlayer(ConnectFour()), (1, 1), 5, LINES[0]), player


def test_a_pair_that_the_host_spoilt_is_played_again_and_comes_out_the_same(tmp_path: Path) -> None:
    undisturbed, _ = pair(tmp_path, Asleep("no answer"), 0)
    again, player = pair(tmp_path, HostKill("the host ran out of memory"), 1)
    assert again.games == undisturbed.games and player.ended >= 1 and not again.faults


def test_twice_is_a_fault_of_the_grader_s_and_no_loss(tmp_path: Path) -> None:
    with pytest.raises(HostTrouble):
        pair(tmp_path, HostKill("the host ran out of memory"), 2)


def test_who_sleeps_even_alone_has_lost_and_a_known_sleeper_is_not_asked_twice(tmp_path: Path) -> None:
    match, _ = pair(tmp_path, Asleep("no answer"), 10**6)
    assert match.score == 0.0 and {fault.reason for fault in match.faults} == {"your code waited instead of working"}
    match, _ = pair(tmp_path, Asleep("no answer"), 2, blamed=MOST_BLAMED)
    assert match.score == 0.0 and len(match.faults) == 2


def test_who_sleeps_whenever_a_game_is_lost_does_not_play_it_again_for_ever(tmp_path: Path) -> None:
    seat = Seat(Troubled(Asleep("no answer"), 0), submission(tmp_path))
    for number in range(2 * MOST_BLAMED):
        seat.player.times = 1  # asleep in company, and awake when it is played again
        match = seat.pair(seat, RandomPlayer(ConnectFour()), (1, 1), 5, LINES[0])
        assert bool(match.faults) == (number >= MOST_BLAMED)


def test_an_error_of_ours_is_nobody_s_loss(tmp_path: Path) -> None:
    seat = Seat(Troubled(Asleep(""), 0), submission(tmp_path))
    seat.player.choose = lambda *_: 1 / 0
    with pytest.raises(HostTrouble, match="ZeroDivisionError"):
        seat.pair(seat, RandomPlayer(ConnectFour()), (1, 1), 5, LINES[0])
    seat = Seat(Troubled(Asleep(""), 0), submission(tmp_path))
    broken_bot = Troubled(Asleep(""), 0)
    broken_bot.choose = lambda *_: 1 / 0
    with pytest.raises(HostTrouble, match="the bot gave no move"):
        seat.pair(seat, broken_bot, (1, 1), 5, LINES[0])


def test_who_sleeps_a_little_at_every_move_is_not_waited_for_all_day(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seats, "MOST_WAITED_S", 1.0)
    seat = Seat(Troubled(Asleep(""), 0), submission(tmp_path))
    clock = SimpleNamespace(monotonic=iter(range(0, 10**6, 7)).__next__)  # 7 s a move, of which it works 0.5 in all
    monkeypatch.setattr(seats, "time", clock)
    games = [seat.pair(seat, RandomPlayer(ConnectFour()), (1, 1), 5, LINES[0]) for _ in range(2)]
    assert [fault.reason for fault in games[0].faults + games[1].faults][-2:] == ["your code waited instead of working"] * 2


def test_out_of_its_time_a_player_loses_what_is_left_and_has_its_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(holding, "EXAM_CPU_S", 0.05)
    report = held(tmp_path).report
    assert report.outcome == PLAYED and report.rungs[0].verdict == "failed" and report.quality.points == 0.0
    assert set(report.rungs[0].faults) == set(report.quality.faults) == {"your code used up its time"}


def test_of_many_reasons_the_most_frequent_are_told() -> None:
    told = counted([*"aabbbccddeeff", *map(str, range(100))])
    assert told == {"a": 2, "b": 3, "c": 2, "d": 2, "e": 2, "other reasons": 102}


@pytest.fixture
def dying(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], None]]:
    """Lets every sandbox die at its first game."""
    from autograder.sandbox.sandbox import Sandbox

    def die(self: Sandbox, **_: object) -> None:
        self._process.kill()
        self._process.wait()
        raise self._death()

    yield lambda: monkeypatch.setattr(Sandbox, "open", die)


def test_a_sandbox_that_dies_makes_a_fault_that_costs_nothing(tmp_path: Path, dying: Callable[[], None]) -> None:
    submission(tmp_path)
    dying()
    sitting = hold_parcel(pack(tmp_path, PS), Conditions(b"an edition", ladder(tmp_path)))
    assert sitting.report.has_fault and sitting.trouble and not sitting.cacheable and sitting.report.points == 0.0


def test_broken_notes_of_a_killed_run_are_played_again(tmp_path: Path) -> None:
    """What stands in them is believed only as a whole; the report is the one without any."""
    work, rules = submission(tmp_path), ladder(tmp_path)
    conditions = Conditions(b"an edition", rules, notes=str(tmp_path / "notes"))
    path, expected = conditions.notes_of(work.sha256), hold(work, conditions).report
    match = {"games": list(expected.rungs[0].games), "verdict": {"verdict": "passed"}}
    for content in ("", "[]", '{"matches": {"Random": 3}}', json.dumps({"matches": {"Random": match}, "measured": {}})):
        path.parent.mkdir(exist_ok=True)
        path.write_text(content)
        assert hold(work, conditions).report == expected and not path.exists()


# -- the interval ---------------------------------------------------------------------------------


def test_the_interval_holds_the_true_score_in_nearly_all_matches() -> None:
    """1,000 matches of 40 pairs of a .78 player: of 950 expected, fewer than 930 come once in 300 times; the seed is fixed."""
    rng, held_it = random.Random(4), 0
    for _ in range(1000):
        pairs = [((rng.random() < 0.78) + (rng.random() < 0.78)) / 2 for _ in range(40)]
        low, high = bootstrap_interval(pairs, rng)
        held_it += low <= 0.78 <= high
    assert held_it >= 930


def test_won_pairs_alone_do_not_make_a_player_certain() -> None:
    low, high = bootstrap_interval([1.0] * 15, random.Random(1))
    assert 0.7 < low < 0.9 and high == 1.0
    assert bootstrap_interval([1.0] * 15, random.Random(1)) == (low, high)


def test_a_rung_is_the_same_whatever_was_played_before(tmp_path: Path) -> None:
    work, rules = submission(tmp_path), ladder(tmp_path, highest='"Sand"', student_simulations=40)
    player = contestant(work, rules)
    try:
        alone = meet(player, rules.rung("Sand"), rules, Seeds(b"an edition", work.sha256))
    finally:
        player.end()
        player.workshop.close()
    report = hold(work, Conditions(b"an edition", rules)).report
    assert report.rungs[1].games == tuple(line_of(game) for game in alone.match.games)
