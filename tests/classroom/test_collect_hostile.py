"""Hostile downloads of Canvas, Moodle and Blackboard: an honest class is collected to the byte, nobody gets another's work."""

import csv
import errno
import os
import shutil
import sys
import warnings
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from arena.command_line import run
from autograder.cli.app import app
from autograder.collect import delivery, nbgrader_steps
from tests.classroom.hostile_downloads import HONEST, MALLORYS_TIME, ROSTER, Member, blackboard, by_hand, canvas, drawn
from tests.speeds import again

PS = "ps2_uct"
MALLORY = "mal"
BY_HAND = list(by_hand())
DRAWN = [(platform, seed) for platform in HONEST for seed in range(12)]


@dataclass
class Collected:
    """What came of a download: the exit code, what was printed, outcome by member, and content by path in submitted/."""

    code: int
    out: str
    outcomes: list[tuple[str, str, str]]
    tree: dict[str, bytes]


@pytest.fixture
def course(tmp_path: Path) -> Path:
    course = tmp_path / "course"
    course.mkdir()
    (course / "roster.csv").write_text(ROSTER, encoding="utf-8")
    return course


@pytest.fixture
def collect(course: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch):
    def collect(members: list[Member]) -> Collected:
        path = course.parent / "download.zip"
        with zipfile.ZipFile(path, "w") as file, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of names that are there twice
            for number, member in enumerate(members):
                info = zipfile.ZipInfo("name", member.date)
                info.filename = info.orig_filename = member.name  # ZipInfo itself would cut it at a null character
                file.writestr(info, content(number))
        monkeypatch.setattr(sys, "argv", ["autograder", "collect", str(course), str(path), "--ps", PS])
        with pytest.raises(SystemExit) as ended:
            run(app)
        printed = capsys.readouterr()
        assert "Traceback" not in printed.out + printed.err and ended.value.code in (0, 1), printed.err
        with (course / "collected" / f"{PS}-download.csv").open(newline="") as table:
            outcomes = [(row["student"], row["outcome"], row["why"]) for row in csv.DictReader(table)]
        top = course / "submitted"
        assert not [path for path in top.rglob("*") if path.is_symlink()]
        tree = {str(path.relative_to(top)): path.read_bytes() for path in top.rglob("*") if path.is_file()}
        assert not (course / ".work" / "collect").exists()
        assert {entry.name for entry in course.parent.iterdir()} == {"course", path.name}
        return Collected(ended.value.code, printed.out, outcomes, tree)
    return collect


def content(number: int) -> bytes:
    return f"member {number}".encode()


def expected(members: list[Member], times: dict[str, str]) -> dict[str, bytes]:
    """The tree in which every member is in its own student's folder, with timestamps by our clock and no others."""
    tree = {f"{member.student}/{PS}/{member.path}": content(number) for number, member in enumerate(members) if member.student}
    return tree | {f"{student}/{PS}/timestamp.txt": time.encode() for student, time in times.items()}


def plain(name: str) -> str:
    """A path with one kind of slash, without parts that lead nowhere."""
    return "/".join(part for part in name.replace("\\", "/").split("/") if part not in ("", "."))


def check_that_everybody_is_named(done: Collected, members: list[Member]) -> None:
    left = [(member, row) for member, row in zip(members, done.outcomes, strict=True) if row[1] == "left over"]
    assert done.out.count("\n  left over: ") == len(left) and done.code == (1 if left else 0)
    assert all(outcome and (why or outcome in ("placed", "unchanged")) for _, outcome, why in done.outcomes)


@pytest.mark.parametrize("platform", HONEST)
def test_an_honest_class_is_collected_completely(platform, collect):
    members = list(HONEST[platform].members)
    done = collect(members)
    assert done.tree == expected(members, HONEST[platform].times) and done.code == 0


ODD_BUT_REAL = (
    ("12student", "2026_10_05_ps2_uct.ipynb"), ("müllerlüdenscheidtjörg", "20261005_ps2_uct.ipynb"),
    ("oneillo", "1_ps2_uct.py"), ("李伟", "week_3_4_ps2_uct.ipynb"), ("nguyễnvănan", "ps2_uct_v2_final (1).ipynb"),
    ("vandenbergx3", "my_1_2_3_ps2_uct_4_5.py"), ("de_la_cruz", "ps2_uct-2.ipynb"), ("student7", "x_LATE_3_4_ps2_uct.py"),
    ("ab", "ps2_uct_10_20.ipynb"), ("late", "ps2_uct.py"),
)


@pytest.mark.parametrize("users, uploads", [(11, 901), (4_200, 88_000), (1_203_441, 213_450_123)])
def test_a_class_of_odd_but_real_names_loses_nobody_on_canvas(users, uploads, course, collect):
    (course / "roster.csv").write_text("id,first_name,last_name\n" + "".join(
        f"s{number},{name.replace('_', ' ')},\n" for number, (name, _) in enumerate(ODD_BUT_REAL)), encoding="utf-8")
    late = ["", "_LATE"]
    members = [Member(f"{name}{late[number % 2]}_{users + 7 * number}_{uploads + 3 * number}_{file}", f"s{number}",
                      file.replace("-2.", ".")) for number, (name, file) in enumerate(ODD_BUT_REAL)]
    done = collect(members)
    assert done.code == 0, done.out
    assert done.tree == expected(members, {})


@pytest.mark.usefixtures("computing")
def test_a_class_of_odd_but_real_names_loses_nobody_on_moodle_and_blackboard(course, collect):
    people = ["Student 12", "12 Student", "Anne-Marie O'Neill", "Nguyễn Văn An", "李 伟", "Mary Jane Smith 2nd", "Ada (exchange)"]
    (course / "roster.csv").write_text("id,first_name,last_name,username\n" + "".join(
        f"s{number},{name},x{number},user_{number}\n" for number, name in enumerate(people)), encoding="utf-8")
    for form in ("/", "_/", "_"):
        members = [Member(f"{name} x{number}_{30 + number}_assignsubmission_file{form}ps2_uct_{number}_1.py", f"s{number}",
                          f"ps2_uct_{number}_1.py") for number, name in enumerate(people)]
        done = collect(members)
        assert done.code == 0 and done.tree == expected(members, {}), done.out
    shutil.rmtree(course / "submitted")
    members = [Member(f"gradebook_X_Set_2_user_{number}_attempt_2026-10-05-23-59-00_ps2_attempt_{number}.py", f"s{number}",
                      f"ps2_attempt_{number}.py") for number, _ in enumerate(people)]
    done = collect(members)
    assert done.code == 0, done.out
    assert done.tree == expected(members, {f"s{number}": "2026-10-05 23:59:00" for number, _ in enumerate(people)})


def test_a_number_of_another_assignment_of_moodle_is_no_number(course, collect):
    (course / "roster.csv").write_text("id,first_name,last_name,moodle_id\nada,Ada,Lovelace,301\nmal,Mallory,Quick,305\n")
    members = [Member("Ada Lovelace_501_assignsubmission_file/ps2_uct.py", "ada", "ps2_uct.py"),
               Member("Mallory Quick_505_assignsubmission_file/ps2_uct.py", "mal", "ps2_uct.py")]
    assert collect(members).tree == expected(members, {})


def test_a_submission_whose_notebook_may_be_another_s_waits_with_it(collect):
    clear = [Member(canvas("liwei", 31, 903, "ps2_uct.py"), "wei1", "ps2_uct.py")]
    before = collect([Member(canvas("lovelaceada", 11, 902, "ps2_uct.py")), *clear]).tree
    may_be_hers = Member("lovelaceada_11_905_z_66_906_ps2_uct.ipynb")
    done = collect([Member(canvas("lovelaceada", 11, 904, "tree.png")), may_be_hers, *clear])
    assert done.tree["ada/ps2_uct/ps2_uct.py"] == before["ada/ps2_uct/ps2_uct.py"] and "ada/ps2_uct/tree.png" not in done.tree
    assert "two ways, so it is not given to anybody: 'z_66_906_ps2_uct.ipynb' of 'ada' or 'ps2_uct.ipynb' of 'mal'" in done.out


NUMBERS = [number if number % 5 == 0 else again(number) for number in range(len(BY_HAND))]


@pytest.mark.usefixtures("computing")
@pytest.mark.parametrize("number", NUMBERS, ids=[f"{platform}: {title}" for platform, title, _ in BY_HAND])
def test_names_by_hand_move_nobody(number, collect):
    platform, _, hostile = BY_HAND[number]
    honest = list(HONEST[platform].members)
    members = [*hostile, *honest] if number % 2 else [*honest, *hostile]
    done = collect(members)
    times = HONEST[platform].times
    if platform in MALLORYS_TIME and any(member.student for member in hostile):
        times = {**times, MALLORY: MALLORYS_TIME[platform]}
    assert done.tree == expected(members, times)
    for member, (_, outcome, _) in zip(members, done.outcomes, strict=True):
        unplaced = "left over" if member in hostile else "ignored"
        assert outcome == "placed" if member.student else outcome == unplaced, member.name
    check_that_everybody_is_named(done, members)


@pytest.mark.first_shows
@pytest.mark.usefixtures("computing")
@pytest.mark.parametrize("platform, seed", DRAWN)
def test_drawn_names_move_nobody(platform, seed, collect):
    honest = list(HONEST[platform].members)
    names = drawn(platform, seed)
    members = [*honest, *map(Member, names)]
    done = collect(members)
    wanted = expected(members, HONEST[platform].times)
    others = {path: data for path, data in done.tree.items() if not path.startswith(f"{MALLORY}/")}
    assert others == wanted
    own = {content(number): plain(member.name) for number, member in enumerate(members) if member not in honest}
    for path, data in done.tree.items():
        below = path.removeprefix(f"{MALLORY}/{PS}/")
        if below == "timestamp.txt":
            assert data.decode() in ("2026-10-05 23:59:00", "2026-10-06 00:01:30")
        elif below != path:
            assert own[data].endswith(below) or own[data].replace("-1.", ".").endswith(below)  # as Canvas numbers uploads
    check_that_everybody_is_named(done, members)


# ---- what stands there is what was planned, and a failure costs one submission

def _link(place: Path) -> None:
    (place / "ps2_uct.py").unlink()
    (place / "ps2_uct.py").symlink_to("/etc/hostname")


TAMPERING = {
    "a time from nowhere": lambda place: (place / "timestamp.txt").write_text("2026-01-01 00:00:00"),
    "a file too many": lambda place: (place / "more.py").write_bytes(b""),
    "a folder too many": lambda place: (place / "more").mkdir(),
    "a file too few": lambda place: (place / "ps2_uct.py").unlink(),
    "another name": lambda place: (place / "ps2_uct.py").rename(place / "PS2_UCT.py"),
    "other bytes": lambda place: (place / "ps2_uct.py").write_bytes(b"member x"),
    "a link": _link,
    "a pipe": lambda place: os.mkfifo(place / "pipe"),
}


@pytest.mark.parametrize("change", TAMPERING.values(), ids=TAMPERING)
def test_a_submission_that_does_not_stand_there_as_planned_is_left_over_alone(change, collect, monkeypatch):
    name_files = nbgrader_steps._name

    def tampered(collected: Path, place: Path, submission) -> None:
        name_files(collected, place, submission)
        if submission.student == "soren":
            change(place)

    monkeypatch.setattr(nbgrader_steps, "_name", tampered)
    members = list(HONEST["Canvas"].members)
    done = collect(members)
    assert done.tree == expected([member if member.student != "soren" else Member(member.name) for member in members], {})
    assert done.code == 1 and "ps2_uct.py: soren (" in done.out


def test_a_false_time_in_place_of_ours_is_found(collect, monkeypatch):
    name_files = nbgrader_steps._name

    def tampered(collected: Path, place: Path, submission) -> None:
        (collected / "timestamp.txt").write_text("2026-01-01 00:00:00")
        name_files(collected, place, submission)

    monkeypatch.setattr(nbgrader_steps, "_name", tampered)
    done = collect([Member(blackboard("adal", "2026-10-06-00-01-30", "ps2_uct.py"))])
    assert done.tree == {} and "'timestamp.txt' is there after the collection, but was not planned" in done.out


def test_a_name_that_the_disk_refuses_costs_one_submission(course, collect):
    (course / "roster.csv").write_text(f"id,first_name,last_name\nada,Ada,Lovelace\n{'x' * 300},Jo,Long\n")
    done = collect([Member(canvas("longjo", 5, 901, "ps2_uct.py")), Member(canvas("lovelaceada", 6, 902, "ps2_uct.py"))])
    assert done.tree == {"ada/ps2_uct/ps2_uct.py": content(1)} and done.code == 1
    assert f"left over: longjo_5_901_ps2_uct.py: {'x' * 300} (Jo Long): cannot be collected: File name too long" in done.out


@pytest.mark.parametrize("when", ["the old one goes", "the new one comes"])
def test_a_submission_that_cannot_be_delivered_is_left_over_and_the_old_one_stays(when, course, collect, monkeypatch):
    first = [Member(canvas("lovelaceada", 6, 901, "ps2_uct.py")), Member(canvas("quickmallory", 66, 902, "ps2_uct.py"))]
    before = collect(first).tree
    move, place = shutil.move, course / "submitted" / "ada" / PS

    def failing(source: Path, target: Path) -> None:
        if place == (source if when == "the old one goes" else target) and "collected" not in source.parts:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        move(source, target)

    monkeypatch.setattr(delivery.shutil, "move", failing)
    done = collect([*first, Member(canvas("lovelaceada", 6, 903, "ps2_uct-1.py")),
                    Member(canvas("quickmallory", 66, 904, "ps2_uct-1.py"))])
    assert done.tree == {**before, "mal/ps2_uct/ps2_uct.py": content(3)} and done.code == 1
    assert "ada (Ada Lovelace): cannot be put into submitted/: Input/output error" in done.out


def test_an_odd_file_decides_neither_the_set_nor_the_platform_for_a_class(course, collect):
    honest = [("lovelaceada", 11, "ada"), ("müllerlüdenscheidtjörg", 22, "joerg"), ("óbriainsøren", 23, "soren")]
    members = [*(Member(canvas(name, number, 900 + number, "work.py"), student, "work.py") for name, number, student in honest),
               Member(canvas("quickmallory", 66, 990, "ps3_connect_four.py"), MALLORY, "ps3_connect_four.py"),
               *(Member(canvas("quickmallory", 66, 920 + number, f"a/b\n{number}.x")) for number in range(30))]
    done = collect(members)
    assert ": Canvas, ps2_uct, " in done.out and done.tree == expected(members, {})


# ---- the hour that is there twice, and the hour that is not there

@pytest.mark.parametrize("local, earlier, later", [
    ("2026-10-25-02-30-00", "2026-10-25 00:30:00", "2026-10-25 01:30:00"),
    ("2026-03-29-02-30-00", "2026-03-29 00:30:00", "2026-03-29 01:30:00"),
])
def test_a_time_when_the_clocks_are_changed_counts_as_the_earlier_one_and_is_said(local, earlier, later, course, collect):
    day = local[:10]
    (course / "course.toml").write_text(f"[course]\ntimezone = 'Europe/Zurich'\n[due]\nps2_uct = {day}T00:45:00Z\n")
    done = collect([Member(blackboard("adal", local, "ps2_uct.py")), Member(blackboard("jml", f"{day}-12-00-00", "ps2_uct.py"))])
    assert done.tree["ada/ps2_uct/timestamp.txt"].decode() == earlier and done.code == 0
    remark = ("  ada (Ada Lovelace): handed in when the clocks were changed: "
              f"{earlier} UTC counts, {later} UTC is as likely, and after the due")
    assert remark in done.out
    assert "joerg: " not in done.out
    (course / "course.toml").write_text(f"[course]\ntimezone = 'Europe/Zurich'\n[due]\nps2_uct = {day}T20:45:00Z\n")
    shutil.rmtree(course / "submitted")
    assert "is as likely\n" in collect([Member(blackboard("adal", local, "ps2_uct.py"))]).out


def test_of_two_attempts_in_the_doubled_hour_nobody_knows_the_later_one(course, collect):
    (course / "course.toml").write_text("[course]\ntimezone = 'Europe/Zurich'\n")
    done = collect([Member(blackboard("adal", f"2026-10-25-02-{minute}-00", "ps2_uct.py")) for minute in (50, 10)])
    assert done.tree["ada/ps2_uct/ps2_uct.py"] == content(0) and done.code == 1
    assert ("ada (Ada Lovelace): the clocks were changed between this attempt and the last one: "
            "nobody knows which was later") in done.out
