"""`make rotate`: a new edition that nobody can guess, proved by the banks before a course gets it."""

import itertools
import re
import stat
import subprocess
from pathlib import Path

import pytest

from arena.command_line import run
from arena.edition import dice
from arena.errors import UserError
from autograder.cli.app import app
from autograder.course.storage.rotation import check_fresh, next_secret
from autograder.grading.edition import course_secret
from autograder.problem_sets.bug_trees import lesson as bug_lesson
from autograder.selftest import drawn_positions
from autograder.selftest.verify import run as verify_run

ROOT = Path(__file__).resolve().parents[2]


def test_positions_that_two_editions_share_are_counted() -> None:
    """here of full boards, of which two editions never have one in common; an edition has all of its own positions"""
    one, other = b"rotate one", b"rotate other"
    assert len(drawn_positions.drawn_positions(one, "ps1_games")) > 1000
    assert drawn_positions.shared_positions(one, other, ["ps1_games"]) == {"ps1_games": 0}
    assert drawn_positions.shared_positions(other, other, ["ps1_games"])["ps1_games"] > 100


@pytest.fixture
def course(tmp_path: Path) -> Path:
    (tmp_path / "c" / "submitted").mkdir(parents=True)
    (tmp_path / "c" / "course.toml").write_text('[course]\nsets = ["ps1_games"]\n')
    return tmp_path / "c"


def rotate(monkeypatch: pytest.MonkeyPatch, *words: object) -> int:
    monkeypatch.setattr("sys.argv", ["autograder", "rotate", *map(str, words)])
    with pytest.raises(SystemExit) as ended:
        run(app)
    return ended.value.code or 0


def test_the_edition_depends_on_seed_and_course_and_a_seed_alone_tells_nothing(course: Path, tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    present = [course_secret(place) for place in (course, tmp_path / "d")]
    secrets = [next_secret(*given) for given in itertools.product(present, ("2027", "2028"), (0, 1))]
    assert len({*secrets, "2027"}) == 9 and next_secret(present[0], "2027") == secrets[0]


def test_two_editions_share_no_seed(course: Path) -> None:
    """Every check of every hidden suite draws from its own generator; the first numbers of all of them differ."""
    checks = {name for path in (ROOT / "tests" / "hidden").rglob("test_*.py")
              for name in re.findall(r"^def (test_\w+)", path.read_text(), flags=re.M)}
    assert len(checks) > 300
    drawn = [
        {dice(secret.encode(), check).getrandbits(64) for check in checks}
        for secret in (next_secret(course_secret(course), "2027"), next_secret(course_secret(course), "2028"), "2027", "2028")
    ]
    assert all(len(numbers) == len(checks) for numbers in drawn) and len(set.union(*drawn)) == 4 * len(checks)


def test_a_course_gets_the_edition_only_after_the_proof(course: Path, monkeypatch, capsys) -> None:
    before, asked = course_secret(course), []
    wanted = next_secret(before, "2027", 1)
    shared = {next_secret(before, "2027").encode(): 2}
    monkeypatch.setattr(drawn_positions, "shared_positions",
                        lambda one, other, sets: {"ps1_games": shared.get(other, 0) if one == before else 99})
    for misses in (1, 0):
        monkeypatch.setattr(verify_run, "verify_all", lambda *said, code=misses: asked.append(said) or code)
        assert rotate(monkeypatch, course, "--seed", "2027") == misses
        assert course_secret(course) == (before if misses else wanted.encode())
    assert asked == [(["ps1_games"], wanted)] * 2
    assert stat.S_IMODE((course / "edition.secret").stat().st_mode) == 0o600
    (kept,) = course.glob("edition.secret.*")
    assert kept.read_bytes() == before and stat.S_IMODE(kept.stat().st_mode) == 0o600 and kept.name in capsys.readouterr().out


def test_a_class_that_was_graded_keeps_its_edition(course: Path, monkeypatch, capsys) -> None:
    (course / "reports" / "ada").mkdir(parents=True)
    (course / "reports" / "ada" / "ps1_games.json").write_text("{}")
    with pytest.raises(UserError, match="was graded in its present edition"):
        check_fresh(course)
    assert rotate(monkeypatch, course, "--seed", "2027") == 2 and rotate(monkeypatch, course, "--seed", " ") == 2
    assert "not empty" in capsys.readouterr().err and not list(course.glob("edition.secret*"))


@pytest.mark.parametrize("fails", ["", "ps3_connect_four"])
def test_new_trees_are_proved_in_processes_that_read_them_or_put_back(course: Path, monkeypatch, tmp_path, fails: str) -> None:
    lesson, ran = tmp_path / "lesson.py", []
    lesson.write_text("new")
    monkeypatch.setattr(drawn_positions, "shared_positions", lambda *_: {"ps1_games": 0})
    monkeypatch.setattr(verify_run, "verify_all", lambda *_: 0)
    monkeypatch.setattr(bug_lesson, "write_edition", lambda edition: ran.append(edition) or {lesson: "old"})

    def process(words: list[str], check: bool) -> None:
        ran.append(words[3:])
        if fails in words:
            raise subprocess.CalledProcessError(1, words)

    monkeypatch.setattr(subprocess, "run", process)
    before = course_secret(course)
    wanted = next_secret(before, "2027")
    assert rotate(monkeypatch, course, "--seed", "2027", "--trees") == bool(fails)
    edition, *commands = ran
    assert edition == next_secret(wanted.encode(), "trees") and wanted not in edition
    proofs = [["verify", "--ps", ps, "--exercise", id] for ps, id in zip(
        ("ps1_games", "ps2_uct", "ps3_connect_four", "ps4_puct", "ps5_alphazero"), ("1.13", "2.14", "3.13", "4.10", "5.15"),
        strict=True)]
    assert commands == (proofs[:3] if fails else [*proofs, ["build"]])
    assert (lesson.read_text(), course_secret(course)) == (("old", before) if fails else ("new", wanted.encode()))
