"""The Dockerfile: its steps, what it copies, and whether a container with the documented options can grade."""

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from autograder.paths import REPOSITORY
from scripts.container import CAPABILITIES, RIGHTS, Image, copied, steps
from scripts.install import SYSTEM_PACKAGES

INSTRUCTIONS = steps((REPOSITORY / "Dockerfile").read_text())
PAGE = (REPOSITORY / "docs" / "container.md").read_text()
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can build a container with rights")


def test_the_steps_install_what_setup_would_and_end_with_grading() -> None:
    assert [step.word for step in INSTRUCTIONS if step.word in ("FROM", "COPY", "CMD")] == ["FROM", "COPY", "CMD"]
    ran = " ".join(step.rest for step in INSTRUCTIONS if step.word == "RUN")
    assert set(SYSTEM_PACKAGES) <= set(ran.split()) and "make setup" in ran
    assert INSTRUCTIONS[-1].rest == '["make", "grade"]'


def test_a_step_may_go_on_over_lines() -> None:
    told = [(step.word, step.rest) for step in steps("# a\nFROM x\nRUN a \\\n && b\n\nCMD [\"c\"]\n")]
    assert told == [("FROM", "x"), ("RUN", "a && b"), ("CMD", '["c"]')]


@pytest.mark.usefixtures("processes")
def test_only_what_grading_needs_is_copied() -> None:
    """Nothing that git ignores, and no course: but all folders with code that grading runs."""
    taken = {path.as_posix() for path in copied(REPOSITORY)}
    done = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=REPOSITORY, text=True,
                          capture_output=True)
    if done.returncode == 0:
        assert taken - set(done.stdout.splitlines()) == set()
    tops = {name.partition("/")[0] for name in taken}
    assert {"arena", "assets", "autograder", "solutions", "tests", "scripts", "Makefile", "requirements.lock"} <= tops
    assert not tops & {".git", ".venv", "build", "docs"}


def test_a_course_in_the_repository_stays_out(tmp_path: Path) -> None:
    (tmp_path / ".dockerignore").write_text((REPOSITORY / ".dockerignore").read_text())
    for name in ("autumn/submitted/ada/ps2_uct/ps2_uct.py", "autumn/edition.secret", "tests/__pycache__/x.pyc", "tests/x.py",
                 "arena/a/b.py", "Makefile", ".env"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert [path.as_posix() for path in copied(tmp_path)] == ["Makefile", "arena/a/b.py", "tests/x.py"]


def test_the_page_and_the_dockerfile_name_the_same_options() -> None:
    for text in (PAGE, (REPOSITORY / "Dockerfile").read_text()):
        (line, *_) = re.findall(r"docker run --rm (.*) mcts$", text, re.M)
        assert set(re.findall(r"--cap-add (\w+)", line)) == set(RIGHTS) and not set(RIGHTS) & set(CAPABILITIES)
        assert "seccomp=unconfined" in line and "apparmor=unconfined" in line


def start(*words: str, extra: tuple[str, ...], volumes: Sequence[Path] = ()) -> subprocess.CompletedProcess[str]:
    """Run a command of the autograder with the rights of root in a container, in the root of this machine."""
    image = Image(Path("/"), REPOSITORY)
    image.folder, image.command = str(REPOSITORY), [sys.executable, "-m", "autograder"]
    return image.start(*words, extra=extra, volumes=[REPOSITORY, *volumes])  # a clone may lie under /tmp, which is covered


@pytest.mark.usefixtures("processes")
@needs_root
def test_with_the_documented_options_a_container_can_grade() -> None:
    done = start("preflight", extra=RIGHTS)
    assert done.returncode == 0 and "this machine can grade" in done.stdout


@pytest.mark.first_shows
@pytest.mark.usefixtures("repetition")
@needs_root
@pytest.mark.parametrize("extra, reason", [((), "Creating new namespace failed"), (("SYS_ADMIN",), "Failed RTM_NEWADDR")])
def test_without_them_nothing_is_graded_and_a_sentence_says_why(tmp_path: Path, extra: tuple[str, ...], reason: str) -> None:
    (tmp_path / "course" / "submitted" / "ada" / "ps1_games").mkdir(parents=True)
    (tmp_path / "course" / "submitted" / "ada" / "ps1_games" / "ps1_games.py").write_text("x = 1\n")
    done = start("grade", str(tmp_path / "course"), extra=extra, volumes=[tmp_path])
    assert done.returncode == 2 and "Traceback" not in done.stdout
    assert "\nautograder: the sandbox did not start (bwrap: " in f"\n{done.stdout}" and reason in done.stdout
    assert done.stdout.rstrip().endswith("in a container: docs/container.md") and reason in PAGE
    assert not (tmp_path / "course" / "reports").exists()
