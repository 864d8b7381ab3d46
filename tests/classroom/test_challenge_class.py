"""The challenge of a class: the same reports by any workers, known exams are not played again, faults cost nothing."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest
from players import ILLEGAL, PS, a_course, graded, hand_in_player, module, save_weights

from arena.challenge.kinds import PS5
from arena.challenge.report import PLAYED, ChallengeReport
from arena.errors import UserError
from arena.strength.positions import Position, positions
from autograder.course.challenge.class_exams import (
    CHANGED,
    JOINT_FAULT,
    Challenge,
    Result,
    better_of,
    course_ladder,
    hold_challenge,
    write_reports,
)
from autograder.course.challenge.course_positions import course_positions
from autograder.course.grade_class import Means, Watcher
from autograder.course.storage.report_store import ReportStore
from autograder.grading.edition import course_secret
from autograder.grading.report import Outcome
from tests.ladders import quick_ladder
from tests.students import hand_in, solved

pytestmark = pytest.mark.usefixtures("processes")

ROOT = Path(__file__).resolve().parents[2]
CLASS = {"ada": "", "bela": "rng.random()", "carl": Outcome.NOT_YET, "dora": ILLEGAL}


class Counting(Watcher):
    """Counts the exams that are played."""

    def __init__(self) -> None:
        self.exams = 0

    def start(self, what: str, total: int | None) -> None:
        self.exams += (total or 0) * what.startswith("challenge")  # positions are drawn before


def held(course: Path, workers: int = 2, **more: object) -> tuple[Challenge, int]:
    watcher = Counting()
    challenge = hold_challenge(course, PS, graded(course), Means(workers, watcher=watcher, **more))
    write_reports(course, challenge)
    return challenge, watcher.exams


def reports(course: Path) -> dict[str, bytes]:
    return {path.parent.name: path.read_bytes() for path in sorted((course / "reports").glob("*/challenge.json"))}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class of four after its challenge, played by two workers."""
    course = a_course(tmp_path_factory.mktemp("challenge") / "course", CLASS, "Sand")
    held(course)
    return course


@pytest.mark.usefixtures("repetition")
def test_a_class_is_asked_positions_that_only_its_secret_draws(tmp_path: Path) -> None:
    course = a_course(tmp_path / "course", {})
    asked = [Position(stratum, tuple(state), tuple(scores)) for stratum, state, scores in
             course_positions(course, course_secret(course), 2, Watcher())]
    right = {position.state: next(column for column in range(7) if not position.is_mistake(column)) for position in asked}
    for student, table in {"knows": right, "knows none": {position.state: 0 for position in positions()}}.items():
        hand_in_player(course, student, module(f"""
    if simulations == 7 and sum(state).bit_count() >= 4:
        return {table}[state], honest(game, state, rng, simulations=1)[1]"""))
    challenge, _ = held(course)
    assert set(challenge.reports["knows"].quality.rates.values()) == {0.0}
    assert set(challenge.reports["knows none"].quality.rates.values()) == {1.0}


@pytest.mark.usefixtures("repetition")
@pytest.mark.parametrize("workers", [1, 4])
def test_the_number_of_workers_and_a_busy_machine_change_no_byte(played: Path, tmp_path: Path, workers: int) -> None:
    course = a_course(tmp_path / "course", CLASS, "Sand")
    shutil.copy(played / "edition.secret", course)
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)] if workers == 4 else []
    try:
        _, exams = held(course, workers)
    finally:
        for process in busy:
            process.kill()
            process.wait()
    assert exams == 3 and reports(course) == reports(played)


@pytest.mark.usefixtures("repetition")
def test_what_is_known_is_not_played_again(played: Path) -> None:
    challenge, exams = held(played)
    assert exams == 0 and write_reports(played, challenge) == 0
    assert challenge.reports == {student: ChallengeReport.from_json(text.decode()) for student, text in reports(played).items()}
    _, exams = held(played, afresh=["ada"])
    assert exams == 1


@pytest.mark.usefixtures("repetition")
def test_a_broken_entry_of_the_cache_is_played_again(played: Path, tmp_path: Path) -> None:
    course = Path(shutil.copytree(played, tmp_path / "course"))
    for number, path in enumerate(sorted((course / ".cache").glob("*/*.json"))):
        path.write_text(["", '{"report": 3}', path.read_text()[:-40]][number % 3])
    before = reports(course)
    _, exams = held(course)
    assert exams == 3 and reports(course) == before


@pytest.mark.usefixtures("repetition")
def test_another_ladder_is_another_exam(played: Path, tmp_path: Path) -> None:
    course = Path(shutil.copytree(played, tmp_path / "course"))
    (course / "rungs.toml").write_text(quick_ladder("Random"))
    challenge, exams = held(course)
    assert exams == 3 and [len(challenge.reports[student].rungs) for student in CLASS] == [1, 1, 0, 1]


@pytest.mark.usefixtures("repetition")
def test_course_toml_changes_rungs_and_time_limits_and_plays_another_exam(played: Path, tmp_path: Path) -> None:
    course = Path(shutil.copytree(played, tmp_path / "course"))
    (course / "course.toml").write_text('[challenge]\nhighest = "Random"\nmove_cpu_s = 1.5\n')
    ladder = course_ladder(course)
    assert (ladder.highest, ladder.move_cpu_s, ladder.game_cpu_s) == ("Random", 1.5, course_ladder(played).game_cpu_s)
    challenge, exams = held(course)
    assert exams == 3 and challenge.ladder == ladder


@pytest.mark.parametrize("line, sentence", [
    ('highest = "Rock"', "no .* is called 'Rock'"),
    ('move_cpu_s = "fast"', "must be a number"),
    ("game_cpu_s = -1", "game_cpu_s > 0"),
])
def test_a_wrong_challenge_in_course_toml_is_one_sentence(played: Path, tmp_path: Path, line: str, sentence: str) -> None:
    course = Path(shutil.copytree(played, tmp_path / "course"))
    (course / "course.toml").write_text(f"[challenge]\n{line}\n")
    with pytest.raises(UserError, match=rf"rungs.toml, with \[challenge\] of course.toml: .*{sentence}"):
        course_ladder(course)


def test_a_ladder_that_cannot_be_read_is_one_sentence(played: Path, tmp_path: Path) -> None:
    course = Path(shutil.copytree(played, tmp_path / "course"))
    (course / "rungs.toml").write_text(quick_ladder("Rock"))
    with pytest.raises(UserError, match="no .*rung.* is called 'Rock'"):
        held(course)


def test_who_is_not_ready_gets_nothing_and_is_told_what_to_do(played: Path) -> None:
    report = ChallengeReport.from_json(reports(played)["carl"].decode())
    assert (report.outcome, report.points, report.rungs) == ("not ready", 0.0, ())
    assert "joint check of ps3_connect_four" in report.note and "'not yet'" in report.note


def test_an_illegal_mover_loses_every_game_and_reads_why(played: Path) -> None:
    (rung,) = ChallengeReport.from_json(reports(played)["dora"].decode()).rungs
    assert (rung.verdict, rung.score, rung.points) == ("failed", 0.0, 0.0)
    assert rung.faults == {"action 9 is not one of 0 to 6": len(rung.games)}


@pytest.mark.usefixtures("repetition")
def test_the_same_bytes_play_once_and_an_ungraded_submission_waits(tmp_path: Path) -> None:
    course = a_course(tmp_path / "course", {"ada": "", "twin": ""})
    hand_in_player(course, "late", module("pass"))
    hand_in(course, "late", PS, module("rng"))  # not the bytes that were graded
    challenge, exams = held(course)
    assert exams == 1 and list(challenge.reports) == ["ada", "twin"]
    assert challenge.reports["ada"] == challenge.reports["twin"]


@pytest.mark.usefixtures("repetition")
def test_of_two_players_the_better_counts_and_weights_decide_who_plays(tmp_path: Path) -> None:
    """The last graded set does not matter; without weights there is no player; a sentence tells of weights that do not fit."""
    course = a_course(tmp_path / "course", {"ada": ILLEGAL, "bela": ""})
    for student in ("ada", "cora", "dan"):
        work = hand_in_player(course, student, solved(PS5), ps=PS5)
        if student != "dan":
            save_weights(work, channels=24 if student == "cora" else 32)
    for ps in (PS, PS5):
        store = {name: report for name in ("ada", "bela", "cora", "dan") if (report := ReportStore(course, ps).get(name))}
        by_student = hold_challenge(course, ps, store, Means(2)).reports
        assert [(student, report.player) for student, report in by_student.items()] == [("ada", PS5), ("bela", PS), ("cora", PS5)]
        assert by_student["ada"].outcome == "played" and by_student["ada"].rungs[0].score > 0.3
        assert by_student["ada"].rungs[0].faults == {}
        assert by_student["cora"].outcome == "not ready" and "does not fit the network" in by_student["cora"].note


@pytest.mark.usefixtures("repetition")
def test_a_player_that_was_replaced_since_it_was_graded_leaves_the_verdict_as_it_is(tmp_path: Path) -> None:
    course = a_course(tmp_path / "course", {"ada": "", "bela": ""})
    work = hand_in_player(course, "ada", solved(PS5), ps=PS5)
    save_weights(work, channels=24)  # they do not fit: without the player of ps3, the challenge would give nothing
    hand_in(course, "ada", PS, module("later = 1"))  # not graded yet
    store = {name: report for name in ("ada", "bela") if (report := ReportStore(course, PS5).get(name))}
    assert list(hold_challenge(course, PS5, store, Means(2)).reports) == ["bela"]
    earlier = ChallengeReport(PS, "an earlier player", PLAYED, "", 60.0)
    (course / "reports" / "ada").mkdir(parents=True, exist_ok=True)
    (course / "reports" / "ada" / "challenge.json").write_text(earlier.to_json())
    challenge = hold_challenge(course, PS5, store, Means(2))  # grades.csv and the class page are written from these
    assert challenge.reports["ada"] == earlier and challenge.attempts.of(challenge.results["ada"].entrant) == []


@pytest.mark.usefixtures("repetition")
def test_attempts_are_counted_and_the_last_that_played_counts(tmp_path: Path) -> None:
    course = a_course(tmp_path / "course", {"ada": "first = 1", "bela": ""}, attempts=2)
    first, _ = held(course)
    hand_in_player(course, "ada", module("second = 2"))
    second, exams = held(course)
    assert exams == 1 and second.reports["ada"].note == ""
    hand_in_player(course, "ada", module("third = 3"))
    third, exams = held(course)
    assert exams == 0 and "attempts of this class (2) are used up" in third.reports["ada"].note
    assert third.reports["ada"].rungs == second.reports["ada"].rungs and third.reports["bela"] == first.reports["bela"]
    for path in (course / ".cache").rglob("*.json"):  # the last exam cannot be played again: its bytes are gone
        path.unlink()
    assert held(course)[0].reports == third.reports
    hand_in_player(course, "ada", module("first = 1"))
    again, exams = held(course)
    assert exams == 1 and again.reports["ada"] == first.reports["ada"]
    (course / "attempts.json").write_text("{")
    with pytest.raises(UserError, match="correct it or remove it"):
        held(course)


class Replacing(Watcher):
    """Hands in something else after the players are listed and before they are packed."""

    def __init__(self, course: Path, student: str, text: str) -> None:
        self.path, self.text = course / "submitted" / student / PS / f"{PS}.py", text

    def start(self, what: str, total: int | None) -> None:
        self.path.write_text(self.text)


@pytest.mark.usefixtures("repetition")
def test_an_exam_is_kept_under_the_bytes_that_played(tmp_path: Path) -> None:
    """A submission that changes between the listing and the first game decides nothing for either version."""
    course = a_course(tmp_path / "course", {"ada": ""})
    watcher = Replacing(course, "ada", module(ILLEGAL))
    (result,) = hold_challenge(course, PS, graded(course), Means(1, watcher=watcher)).results.values()
    assert result.report.has_fault and result.failure == CHANGED and result.report.rungs == ()
    hand_in_player(course, "ada", module())
    first, exams = held(course)
    assert exams == 1 and first.reports["ada"].rungs[0].faults == {}
    hand_in_player(course, "ada", module(ILLEGAL))
    second, exams = held(course)
    assert exams == 0 and second.reports["ada"].rungs[0].score == 0.0


@pytest.mark.usefixtures("repetition")
def test_a_joint_check_that_could_not_be_judged_leaves_the_challenge_undecided(tmp_path: Path) -> None:
    course = a_course(tmp_path / "course", {"ada": ""})
    hand_in_player(course, "ada", module(), joint=Outcome.GRADER_FAULT)
    challenge, exams = held(course)
    judged = challenge.results["ada"]
    assert exams == 0 and judged.report.has_fault and judged.failure == JOINT_FAULT
    assert (course / "challenge.csv").read_text().splitlines()[1].startswith(f"ada,{PS},grader fault,undecided,")
    hand_in_player(course, "ada", module())
    assert held(course)[0].reports["ada"].outcome == "played"


def result(points: float, outcome: str = "played", player: str = PS) -> Result:
    return Result(None, ChallengeReport(player, "", outcome, "", points))


def test_a_fault_with_one_player_settles_nothing() -> None:
    better, worse, fault = result(60), result(15, player=PS5), result(0, "grader fault", PS5)
    assert better_of([worse, better]) is better and better_of([better, fault]) is fault
    unready = result(0, "not ready")
    assert better_of([unready, result(0, player=PS5)]).report.outcome == "played"


def test_nothing_measured_stands_in_a_report(played: Path) -> None:
    rows = (played / "challenge.csv").read_text().splitlines()
    assert rows[0].endswith("simulations_per_second,cpu_s,grader_cpu_s") and rows[1].startswith("ada,ps3_connect_four,played,")
    assert not {"cpu", "second", "time"} & {word for key in _keys(json.loads(reports(played)["ada"])) for word in key.split("_")}


def _keys(data: object) -> set[str]:
    if isinstance(data, dict):
        return set(data) | {key for value in data.values() for key in _keys(value)}
    return {key for value in data for key in _keys(value)} if isinstance(data, list) else set()


RUN = """
import sys
from pathlib import Path
from players import graded
from autograder.course.challenge.class_exams import hold_challenge, write_reports
from autograder.course.grade_class import Means
if __name__ == "__main__":
    course = Path(sys.argv[1])
    write_reports(course, hold_challenge(course, "ps3_connect_four", graded(course), Means(1)))
"""


@pytest.mark.usefixtures("whole_world")
def test_a_run_that_was_killed_goes_on_at_the_rung_where_it_was(played: Path, tmp_path: Path) -> None:
    """Killed when the first rung of an exam is noted; the second run continues from there, and the reports are the same."""
    course, script = a_course(tmp_path / "course", CLASS, "Sand"), tmp_path / "run.py"
    shutil.copy(played / "edition.secret", course)
    script.write_text(RUN)
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{Path(__file__).parent}"}
    start = partial(subprocess.Popen, [sys.executable, script, course], cwd=ROOT, env=environment, start_new_session=True)
    run = start()
    notes = course / ".cache" / "challenge"
    while not list(notes.glob("*.json")) and run.poll() is None:
        time.sleep(0.01)
    os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    for path in notes.glob("*.json"):  # a note that is taken as true appears in the report
        stored = json.loads(path.read_text())
        stored["matches"]["Random"]["verdict"]["points"] = 14.5
        path.write_text(json.dumps(stored))
    noted = len(list(notes.glob("*.json")))
    assert start().wait() == 0  # a process like the first one: its knowledge of the grader is as new
    points = [ChallengeReport.from_json(text.decode()).rungs[:1] for text in reports(course).values()]
    assert noted <= 1 and sum(bool(rungs) and rungs[0].points == 14.5 for rungs in points) == noted
    for path in (course / ".cache").rglob("*.json"):
        path.unlink()
    held(course)
    assert reports(course) == reports(played)
