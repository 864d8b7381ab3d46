"""`make rotate`: a new edition that nobody can guess, proved by the banks before a course gets it."""

import itertools
import re
import stat
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from arena.command_line import run
from arena.edition import dice
from arena.errors import UserError
from autograder.cli import proof_commands
from autograder.cli.app import app
from autograder.course.storage.rotation import check_fresh, next_secret
from autograder.grading.edition import course_secret
from autograder.problem_sets.bug_trees import lesson as bug_lesson
from autograder.problem_sets.source import load, names
from autograder.selftest import drawn_inputs
from autograder.selftest.verify import known_answers
from autograder.selftest.verify.reach import reaches

ROOT = Path(__file__).resolve().parents[2]
PROVED = "1.1"  # the exercise whose banks a test grades


FEWEST = {  # positions with 14 stones and seeds in one edition; ps2 plays Tic-Tac-Toe alone
    "ps1_games": (1000, 2000), "ps2_uct": (0, 2000), "ps3_connect_four": (1000, 2000), "ps4_puct": (1000, 2000),
    "ps5_alphazero": (100, 2000),
}


@pytest.mark.first_shows
@pytest.mark.usefixtures("repetition")
@pytest.mark.parametrize("ps", names())
def test_two_editions_share_no_position_and_no_seed(ps: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that the checks of a set draw is compared, in the present edition and in the one that `rotate` chooses after it."""
    before, real, drawn = f"the secret of a course with {ps}".encode(), drawn_inputs.drawn_inputs, {}
    monkeypatch.setattr(drawn_inputs, "drawn_inputs", lambda secret, ps: drawn.setdefault(secret, real(secret, ps)))
    chosen = proof_commands._apart(before, "2027", [ps]).encode()
    assert before in drawn and chosen in drawn and len(drawn) <= 10
    for inputs in drawn.values():
        assert len(inputs.positions) >= FEWEST[ps][0] and len(inputs.seeds) >= FEWEST[ps][1]
    assert drawn[chosen].positions.isdisjoint(drawn[before].positions)
    assert drawn[chosen].seeds.isdisjoint(drawn[before].seeds)
    others = [inputs for secret, inputs in drawn.items() if secret not in (before, chosen)]
    assert all(drawn[before].shared(inputs) for inputs in others)


@pytest.mark.usefixtures("repetition")
def test_what_two_editions_share_is_counted() -> None:
    """an edition has all of its own positions and seeds, and a part of them when its checks run again"""
    inputs = drawn_inputs.drawn_inputs(b"rotate one", "ps1_games")
    assert inputs.shared(inputs) == len(inputs.positions) + len(inputs.seeds)
    assert drawn_inputs.drawn_inputs(b"rotate one", "ps1_games").shared(inputs) > 1000


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


@pytest.mark.usefixtures("repetition")
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


@pytest.mark.usefixtures("processes")
def test_an_edition_that_shares_something_is_passed_over(course: Path, monkeypatch, capsys) -> None:
    before = course_secret(course)
    wanted = next_secret(before, "2027", 1)
    shared = (before, next_secret(before, "2027").encode())
    monkeypatch.setattr(drawn_inputs, "drawn_inputs",
                        lambda secret, ps: drawn_inputs.Drawn(seeds={(ps, 30, 7.0 if secret in shared else 8.0)}))
    asked = []
    monkeypatch.setattr(known_answers, "verify_all", lambda *arguments: asked.append(arguments) or 0)
    assert rotate(monkeypatch, course, "--seed", "2027") == 0
    assert course_secret(course) == wanted.encode() and asked == [(["ps1_games"], wanted)]
    assert "edition 1 of '2027': seeds and positions of 14 stones or more, shared with the present one: ps1_games 1" in (
        capsys.readouterr().out)


@pytest.mark.usefixtures("whole_world")
@pytest.mark.parametrize("misjudged", [True, False])
def test_a_course_gets_the_edition_only_after_the_proof(course: Path, monkeypatch, capsys, misjudged: bool) -> None:
    """The banks of one exercise are really graded in the new edition; once a right answer stands among the wrong ones."""
    monkeypatch.setattr("secrets.token_hex", lambda size: "5e" * size)  # a present edition with which the next shares nothing
    before, real, bank = course_secret(course), known_answers.verify_all, known_answers._bank
    wanted = next_secret(before, "2027")
    monkeypatch.setattr(known_answers, "verify_all", lambda sets, secret: real(sets, secret, PROVED))
    right = [answer for answer in bank("ps1_games", "right") if PROVED in (reaches(load("ps1_games"), answer) or ())]
    assert right
    misjudged_answers = [replace(right[0], name="no mistake", exercise=PROVED)] if misjudged else []
    # many right answers change everything: too long
    banks = {"right": right, "wrong": bank("ps1_games", "wrong") + misjudged_answers}
    monkeypatch.setattr(known_answers, "_bank", lambda ps, kind: banks[kind])
    assert rotate(monkeypatch, course, "--seed", "2027") == misjudged
    output = capsys.readouterr().out
    assert ("wrong answer '1.1: no mistake' is not caught" in output) == misjudged
    caught = re.search(r"wrong answers (\d+) caught (\d+) missed, right answers (\d+) passed 0 failed", output)
    assert caught and int(caught[1]) > 5 and int(caught[2]) == misjudged and int(caught[3]) > 0
    assert course_secret(course) == (before if misjudged else wanted.encode())
    kept = list(course.glob("edition.secret.*"))
    assert len(kept) == (not misjudged)
    for path in kept:
        assert path.read_bytes() == before and stat.S_IMODE(path.stat().st_mode) == 0o600 and path.name in output
    assert stat.S_IMODE((course / "edition.secret").stat().st_mode) == 0o600


@pytest.mark.usefixtures("processes")
def test_a_class_that_was_graded_keeps_its_edition(course: Path, monkeypatch, capsys) -> None:
    (course / "reports" / "ada").mkdir(parents=True)
    (course / "reports" / "ada" / "ps1_games.json").write_text("{}")
    with pytest.raises(UserError, match="was graded in its present edition"):
        check_fresh(course)
    assert rotate(monkeypatch, course, "--seed", "2027") == 2 and rotate(monkeypatch, course, "--seed", " ") == 2
    assert "not empty" in capsys.readouterr().err and not list(course.glob("edition.secret*"))


@pytest.mark.usefixtures("whole_world")
@pytest.mark.parametrize("fails", ["", "ps3_connect_four"])
def test_new_trees_are_proved_in_processes_that_read_them_or_put_back(course: Path, monkeypatch, tmp_path, fails: str) -> None:
    lesson, ran = tmp_path / "lesson.py", []
    lesson.write_text("new")
    monkeypatch.setattr(drawn_inputs, "drawn_inputs", lambda *_: drawn_inputs.Drawn())
    monkeypatch.setattr(known_answers, "verify_all", lambda *_: 0)
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
