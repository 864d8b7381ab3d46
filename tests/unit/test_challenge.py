"""The challenge: its ladder, the sequential verdict, the openings, and an exam of real players in the sandbox."""

import math
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena import progress as waits
from arena.challenge.kinds import UCT
from arena.challenge.ladder import LADDER, load_ladder
from arena.challenge.match import STOPPED, RungResult, Seeds, climb, examine
from arena.challenge.report import ChallengeReport
from arena.challenge.sprt import FAILED, PASSED, UNDECIDED, SequentialTest, chances, simulate
from arena.errors import UserError
from arena.games import ConnectFour, after
from arena.players import book
from arena.players.random import RandomPlayer
from arena.players.uct import UCTPlayer
from arena.strength.openings import held_out, line_to, practice, quiet_draws
from autograder.challenge.exam.under_way import shares
from autograder.challenge.player.entrant import Entrant
from autograder.challenge.player.sandboxed import SandboxedPlayer
from autograder.challenge.player.visible_checks import visible_checks
from autograder.challenge.practice import challenge
from autograder.course.storage.attempts import Attempts
from autograder.grading.report import Report
from autograder.grading.submission_runner import NO_BUDGET, SubmissionRunner
from autograder.problem_sets.source import load
from autograder.submission import read as submission
from autograder.submission.discover import Entry
from tests.students import solved, stub

GAME = ConnectFour()
SET = load("ps3_connect_four")
LINES = [line_to(state) for state in quiet_draws()[::400]]


# -- the sequential test --------------------------------------------------------------------------


def test_the_ratio_is_the_one_of_the_formula() -> None:
    test = SequentialTest(fail=0.55, pass_=0.70, games=600)
    assert test.add_pair(1.0, 0.5) is None
    win, loss = math.log(0.70 / 0.55), math.log(0.30 / 0.45)
    assert test.ratio == pytest.approx(win + (win + loss) / 2)
    while test.verdict is None:
        test.add_pair(1.0, 1.0)
    assert (test.verdict, test.played) == (PASSED, 30)  # 29 wins in a row are ln 999, and pairs are judged as a whole


def test_an_exam_that_never_decides_ends_undecided() -> None:
    test = SequentialTest(fail=0.45, pass_=0.55, games=40)
    while test.verdict is None:
        test.add_pair(1.0, 0.0)
    assert (test.verdict, test.played) == (UNDECIDED, 40)


def test_a_limit_counts_the_submissions_that_played_and_not_their_exams(tmp_path: Path) -> None:
    def of(sha256: str) -> Entrant:
        return Entrant(SET.name, Entry("ada", tmp_path), Report.fault(SET.name, sha256), sha256)

    attempts = Attempts()
    for sha256 in ("first", "second", "first"):
        assert not attempts.used_up(of(sha256), 2)
        attempts.add(of(sha256))
    assert attempts.of(of("third")) == ["first", "second"]
    assert attempts.used_up(of("third"), 2) and not attempts.used_up(of("third"), 3) and not attempts.used_up(of("third"), 0)


@pytest.mark.parametrize("fail, pass_", [(5e-324, 1 - 2**-53), (5e-324, 0.5), (0.5, 0.5 + 2**-53), (0.5, 1 - 2**-53)])
def test_bars_at_the_edges_of_all_numbers_decide_and_overflow_nothing(fail: float, pass_: float) -> None:
    for score, verdict in ((1.0, PASSED), (0.0, FAILED)):
        test = SequentialTest(fail, pass_, games=200, error_odds=1.0 + 2**-50)
        while test.verdict is None:
            test.add_pair(score, score)
        assert math.isfinite(test.ratio) and (test.verdict == verdict or math.log(pass_) == math.log(fail))
    ladder = load_ladder()
    rungs = tuple(replace(rung, fail=fail, pass_=pass_) for rung in ladder.rungs)
    by_rung = shares(replace(ladder, rungs=rungs))
    assert 0 < sum(by_rung.values()) < 1 and all(share > 0 for share in by_rung.values())


# true score; of 20,000 exams the number that pass, games on average: exactly, and the result of a fixed seed
KNOWN = [(0.50, 0.17, 87.8), (0.55, 16.3, 144.0), (0.70, 19972.4, 150.6), (0.79, 20000.0, 68.0)]


@pytest.mark.first_shows
@pytest.mark.usefixtures("computing")
@pytest.mark.parametrize("score, passes, games", KNOWN)
def test_exams_of_known_players_end_as_computed(score: float, passes: float, games: float) -> None:
    """The simulated numbers are within four standard deviations of the exact ones, by Poisson's law; the seed is fixed."""
    test = SequentialTest(0.55, 0.70, 600)
    chance, mean_games = chances(test, score)
    assert chance[PASSED] * 20000 == pytest.approx(passes, abs=0.1) and mean_games == pytest.approx(games, abs=0.1)
    rng = random.Random(7)
    ended = [simulate(replace(test), score, rng) for _ in range(20000)]
    rarer = min(passes, 20000 - passes)
    assert abs(sum(verdict == PASSED for verdict, _ in ended) - passes) <= 4 * math.sqrt(rarer) + 0.5
    assert sum(count for _, count in ended) / 20000 == pytest.approx(games, rel=0.02)


def test_the_chances_of_an_exam_of_four_games_are_those_counted_by_hand() -> None:
    """Odds of 2 to 1 at .4 against .6: the ratio is (wins - losses) ln 1.5, so two more wins than losses decide."""
    chance, games = chances(SequentialTest(0.4, 0.6, 4, error_odds=2.0), 0.5)
    # after two games: 1/4 passed, 1/4 failed, 1/2 continue at 0; after four the same
    assert chance == pytest.approx({PASSED: 3 / 8, FAILED: 3 / 8, UNDECIDED: 1 / 4}) and games == pytest.approx(3.0)


# -- the ladder and its openings ------------------------------------------------------------------


def test_the_ladder_is_the_one_that_the_course_tells_of() -> None:
    ladder = load_ladder()
    assert [(rung.name, rung.simulations) for rung in ladder.rungs] == [
        ("Random", 0), ("Sand", 25), ("Pebble", 100), ("Stone", 400), ("Boulder", 1600), ("Mountain", 6400),
    ]
    assert [sum(rung.points for rung in ladder.rungs[: n + 1]) for n in range(3)] == [15, 35, 60]
    assert (ladder.student_simulations, ladder.move_cpu_s) == (400, 2.0)


SPOILT = [
    ("fail = 0.8", "Random: 0 < fail < pass"),
    ("fial = 0.5", r"\[\[rung\]\] Random: 'fial' is not a valid key; choose from"),
    ("games = 7", "Random: .*even number"),
    ('simulations = "many"', "Random: simulations must be a whole number, not 'many'"),
    ("points = 50", "add up to 135"),
    ("name = 7", "name must be text, not 7"),
    ('name = "Sand"', "a name of its own"),
    ("student_simulations = 0", "student_simulations >= 1"),
    ("move_cpu_s = true", "move_cpu_s must be a number, not True"),
    ("error_odds = 1", "error_odds > 1"),
    ("error_odds = inf", "error_odds must be at most 1,000,000,000, not inf"),
    ("move_cpu_s = nan", "move_cpu_s must be at most"),
    ("simulations = 100000000000000000000", "Random: simulations must be at most"),
    ("each = 1001", r"\[quality\]: 1 to 1000"),
    ("each = 7.5", r"\[quality\]: each must be a whole number"),
    ("each =", "at line"),
    ("begin-easy = 0", r"\[quality.random\]: a number above 0"),
    ("begin-eazy = 0.5", r"\[quality.random\]: .* begin-easy"),
]


@pytest.mark.parametrize("line, reason", SPOILT)
def test_a_spoilt_ladder_is_refused_with_its_place(line: str, reason: str, tmp_path: Path) -> None:
    text, key = LADDER.read_text(), line.split(" =")[0].replace("fial", "fail").replace("eazy", "easy")
    old = next(row for row in text.splitlines() if row.startswith(f"{key} ="))
    (tmp_path / "rungs.toml").write_text(text.replace(old, line, 1))
    with pytest.raises(ValueError, match=f"rungs.toml: .*{reason}"):
        load_ladder(tmp_path / "rungs.toml")


@pytest.mark.parametrize("table, reason", [
    ("[perfect]", r"\[perfect\] is missing"), ("[quality]", r"\[quality\]: each is missing"),
    ("[quality.random]", "random is missing"), ("[[rung]]", "is not a valid key"),
])
def test_a_ladder_without_one_of_its_tables_is_refused(table: str, reason: str, tmp_path: Path) -> None:
    rows = LADDER.read_text().split("\n")
    begin = rows.index(next(row for row in rows if row.startswith(table)))
    end = next((n for n in range(begin + 1, len(rows)) if rows[n].startswith("[")), len(rows))
    kept = rows[:begin] + (rows[begin + 1 :] if table == "[[rung]]" else rows[end:])
    (tmp_path / "rungs.toml").write_text("\n".join(kept))
    with pytest.raises(ValueError, match=f"rungs.toml: .*{reason}"):
        load_ladder(tmp_path / "rungs.toml")


def test_openings_are_drawn_quiet_and_reached() -> None:
    states = quiet_draws()
    assert len(states) == len(set(states)) == 6449
    for state in states[::97]:
        assert book.look_up(state) == 0 and (state[0] | state[1]).bit_count() == 8
        assert after(GAME, line_to(state)) == state
        for seen in (state, state[::-1]):
            assert all(GAME.outcome(GAME.play(seen, column)) is None for column in GAME.legal_actions(seen))


def test_the_exam_s_openings_are_held_out_and_each_edition_has_its_own() -> None:
    exam, home = held_out(b"autumn"), practice(b"autumn")
    assert not set(exam) & set(home) and len(exam) + len(home) == 6449
    assert 3000 < len(exam) < 3450 and set(exam) != set(held_out(b"spring"))


# -- exams ----------------------------------------------------------------------------------------


class Illegal:
    """Plays column 9 in every game, at some move."""

    def choose(self, state: tuple[int, int], simulations: int, rng: random.Random) -> int:
        return 9


def exam(player: object, name: str = "Pebble", seed: int = 1, **changed: object) -> RungResult:
    ladder = load_ladder()
    return examine(player, replace(ladder.rung(name), **changed), ladder, random.Random(seed), LINES)


def test_a_right_search_passes_and_a_random_one_does_not() -> None:
    assert exam(UCTPlayer()).verdict == PASSED
    result = exam(RandomPlayer(GAME))
    assert (result.verdict, result.points) == (FAILED, 0.0)


def test_an_illegal_move_loses_its_game_and_the_next_is_played() -> None:
    result = exam(Illegal)
    assert result.verdict == FAILED and result.match.score == 0.0 and len(result.match.games) >= 16
    assert all(fault.by == 0 and "9" in fault.reason for fault in result.match.faults)
    assert len(result.match.faults) == len(result.match.games)


def test_undecided_is_half_the_points() -> None:
    result = exam(UCTPlayer(), "Stone", games=20)
    assert (result.verdict, result.points) == (UNDECIDED, load_ladder().rung("Stone").points / 2)


@pytest.mark.usefixtures("processes")
def test_the_climb_ends_where_a_rung_is_not_passed_and_is_the_same_every_time() -> None:
    ladder = load_ladder()
    climbs = [list(climb(UCTPlayer(exploration=0.05), ladder, Seeds(b"autumn", "hash"))) for _ in range(2)]
    assert climbs[0] == climbs[1]
    assert [result.verdict for result in climbs[0][:-1]] == [PASSED] * (len(climbs[0]) - 1) and climbs[0][-1].verdict != PASSED
    other = next(climb(UCTPlayer(exploration=0.05), ladder, Seeds(b"autumn", "another hash")))
    assert other.match.games != climbs[0][0].match.games


# -- a student's player ---------------------------------------------------------------------------


def folder(room: Path, code: str = "", solution: bool = True) -> Path:
    (room / "ps3_connect_four.py").write_text(solved(SET.name, code) if solution else stub(SET.name, code))
    return room


@pytest.fixture
def sandboxed(tmp_path: Path) -> Iterator[object]:
    shops: list[SubmissionRunner] = []

    def made(code: str = "") -> SandboxedPlayer:
        shops.append(SubmissionRunner(submission.read_folder(folder(tmp_path, code), SET.name), budget=NO_BUDGET))
        return SandboxedPlayer(shops[-1], load_ladder())

    yield made
    for shop in shops:
        shop.close()


@pytest.mark.usefixtures("repetition")
def test_the_reference_passes_in_the_sandbox(sandboxed) -> None:
    player = sandboxed()
    result = exam(player, "Sand")
    player.end()
    assert result.verdict == PASSED and result.match.faults == ()
    assert player.simulations_per_second > 0


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("code, reason", [
    ("def uct(*args, **kwargs):\n    raise KeyError('oops')", "KeyError"),
    ("import os\ndef uct(*args, **kwargs):\n    os._exit(0)", "ended its own process"),
    ("def uct(*args, **kwargs):\n    return 'left', None", "expected"),
    ("def uct(*args, **kwargs):\n    while True: pass", "TooSlow"),
])
def test_whoever_crashes_dies_or_dawdles_loses_the_game_and_is_told(sandboxed, code: str, reason: str) -> None:
    player = sandboxed(code)
    player.ladder = replace(player.ladder, move_cpu_s=0.3)
    result = exam(player, "Random", games=2)
    player.end()
    assert result.match.score == 0.0 and all(reason in fault.reason for fault in result.match.faults)


@pytest.mark.usefixtures("processes")
def test_nothing_is_kept_from_one_game_to_the_next(sandboxed) -> None:
    player = sandboxed("kept = []\nsearch_ = uct\ndef uct(game, state, rng, **more):\n    kept.append(1)\n"
                       "    assert len(kept) <= 21\n    return search_(game, state, rng, simulations=1)")
    result = exam(player, "Random", games=12)
    player.end()
    assert result.match.faults == ()


# -- at home --------------------------------------------------------------------------------------


@pytest.mark.usefixtures("repetition")
def test_in_the_checkout_the_player_climbs_in_its_sandbox_and_its_report_lies_beside_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    challenge(folder(tmp_path, "def open_player(game, state, rng):\n    return {}[3, 'spot']"), "random")
    printed = capsys.readouterr().out
    assert printed.index("visible checks passed: 7 of 7") < printed.index("`uct` of problem set 3 plays; 400 simulations a move")
    assert "15 of 15 points" in printed
    assert "`open_player` plays: it is for the open class" in printed
    assert "KeyError: (3, 'spot') (ps3_connect_four.py, line " in printed
    saved = ChallengeReport.from_json((tmp_path / "challenge.json").read_text())
    assert (saved.points, saved.rungs[0].verdict, saved.player) == (15, PASSED, SET.name)
    assert ChallengeReport.from_json((tmp_path / "challenge_open_player.json").read_text()).rungs[0].verdict == STOPPED


@pytest.mark.usefixtures("processes")
def test_the_visible_checks_of_what_plays_run_in_the_sandbox(tmp_path: Path) -> None:
    damaged = submission.read_folder(folder(tmp_path, "def backup(node, rewards):\n    raise KeyError('no')"), SET.name)
    verdicts = visible_checks(damaged, UCT)
    assert [verdict for verdict, _ in verdicts] == ["passed"] * 4 + ["NOT YET"] * 3
    assert "Your code raised KeyError: 'no'\n    in backup, line " in verdicts[4][1]


@pytest.mark.usefixtures("repetition")
def test_at_home_a_log_is_told_how_far_it_is_from_the_first_game_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(waits, "SILENT_S", 0.01)
    monkeypatch.setattr(waits, "EVERY_S", 0.01)
    challenge(folder(tmp_path), "random")
    printed = capsys.readouterr().err.splitlines()
    assert re.fullmatch(r"Random: game [12] under way, \d+ s", next(line for line in printed if line.startswith("Random:")))
    how_far = re.compile(r"Random: \d+ won, .* lost, evidence \+\d\.\d of \+-6\.9, game \d+ under way, \d+ s, about .* CPU time")
    assert len({line for line in printed if how_far.fullmatch(line)}) > 3


@pytest.mark.usefixtures("processes")
def test_at_home_what_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="does not exist; give"):
        challenge(tmp_path / "nothing", None)
    with pytest.raises(UserError, match="no rung is called 'Rock'"):
        challenge(folder(tmp_path), "Rock")
    with pytest.raises(UserError, match="not written yet"):
        challenge(folder(tmp_path, solution=False), "Random")
