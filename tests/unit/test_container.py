"""The Dockerfile: its steps, what it copies, and whether a container with the documented options can grade."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from autograder.paths import REPOSITORY
from scripts.install import SYSTEM_PACKAGES
from tests.unit import docker_container

DOCKERFILE = (REPOSITORY / "Dockerfile").read_text()
PAGE = (REPOSITORY / "docs" / "container.md").read_text()
IMAGE_JOB = yaml.safe_load((REPOSITORY / ".github" / "workflows" / "nightly.yml").read_text())["jobs"]["image"]
RIGHTS = ("SYS_ADMIN", "NET_ADMIN")  # what the sandbox needs besides Docker's own: docs/container.md
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can build a container with rights")


def copied(repository: Path) -> set[str]:
    """The files that `COPY . .` takes. Of the rules of .dockerignore this reads the three kinds that ours has."""
    all_out, *rules = [line for line in (repository / ".dockerignore").read_text().splitlines() if not line.startswith("#")]
    tops = [rule[1:] for rule in rules if re.fullmatch(r"![\w.-]+", rule)]
    nowhere = {rule[3:] for rule in rules if re.fullmatch(r"\*\*/[\w.-]+", rule)}
    assert all_out == "*" and len(tops) + len(nowhere) == len(rules)
    paths = [path for top in tops for path in (repository / top, *(repository / top).rglob("*")) if path.is_file()]
    return {path.relative_to(repository).as_posix() for path in paths if not nowhere & {*path.parts}}


def test_the_steps_install_what_setup_would_and_end_with_grading() -> None:
    words = re.findall(r"^[A-Z]+", DOCKERFILE, re.M)
    assert words == ["FROM", "ENV", "RUN", "WORKDIR", "COPY", "RUN", "CMD"]
    assert set(SYSTEM_PACKAGES) <= set(DOCKERFILE.split()) and "\nRUN make setup\n" in DOCKERFILE
    assert DOCKERFILE.endswith('\nCMD ["make", "grade"]\n')


@pytest.mark.usefixtures("processes")
def test_only_what_grading_needs_is_copied() -> None:
    """Nothing that git ignores, and no course: but all folders with code that grading runs."""
    taken = copied(REPOSITORY)
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
    assert copied(tmp_path) == {"Makefile", "arena/a/b.py", "tests/x.py"}


def test_page_dockerfile_and_workflow_name_the_same_options() -> None:
    build, graded, refused = [step["run"] for step in IMAGE_JOB["steps"] if "run" in step]
    assert build == "docker build -t mcts ." and build in PAGE and build in DOCKERFILE
    assert refused.startswith("! docker run --rm mcts make grade")  # the step fails if something is graded
    for text in (PAGE, DOCKERFILE, graded):
        (line, *_) = re.findall(r"docker run --rm (.*?) mcts\b", text)
        assert set(re.findall(r"--cap-add (\w+)", line)) == set(RIGHTS) and not set(RIGHTS) & set(docker_container.CAPABILITIES)
        assert "seccomp=unconfined" in line and "apparmor=unconfined" in line


def autograder(*words: str, cap_add: tuple[str, ...], volumes: tuple[Path, ...] = ()) -> subprocess.CompletedProcess[str]:
    """Run a command of the autograder with the rights of root in a container."""
    # The repository is a volume, because a clone may lie under /tmp, which is covered.
    return docker_container.run([sys.executable, "-m", "autograder", *words], cap_add=cap_add, volumes=[REPOSITORY, *volumes])


@pytest.mark.usefixtures("processes")
@needs_root
def test_with_the_documented_options_a_container_can_grade() -> None:
    done = autograder("preflight", cap_add=RIGHTS)
    missing = re.findall(r"^MISSING +(.*)", done.stdout, re.MULTILINE)
    missing = [line for line in missing if not line.startswith("memory ")]  # other programs may have all of it
    assert missing == [] and re.search(r"^ok +bubblewrap .* opens a sandbox", done.stdout, re.MULTILINE), done.stdout


@pytest.mark.first_shows
@pytest.mark.usefixtures("repetition")
@needs_root
@pytest.mark.parametrize("cap_add, reason", [
    ((), "Creating new namespace failed"), (("SYS_ADMIN",), "Failed RTM_NEWADDR"),
])
def test_without_them_nothing_is_graded_and_a_sentence_says_why(tmp_path: Path, cap_add: tuple[str, ...], reason: str) -> None:
    (tmp_path / "course" / "submitted" / "ada" / "ps1_games").mkdir(parents=True)
    (tmp_path / "course" / "submitted" / "ada" / "ps1_games" / "ps1_games.py").write_text("x = 1\n")
    done = autograder("grade", str(tmp_path / "course"), cap_add=cap_add, volumes=(tmp_path,))
    assert done.returncode == 2 and "Traceback" not in done.stdout
    assert "\nautograder: the sandbox did not start (bwrap: " in f"\n{done.stdout}" and reason in done.stdout
    assert done.stdout.rstrip().endswith("in a container: docs/container.md") and reason in PAGE
    assert not (tmp_path / "course" / "reports").exists()
