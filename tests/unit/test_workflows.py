"""The workflows for GitHub Actions: what they call exists, and CI and the nightly runs together run what .ci/run runs."""

import re
import shlex
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml
from placeholders import invented

from scripts import release
from scripts.install import PYTHONS
from scripts.student_repository import git
from tests.unit.makefile import TARGETS

ROOT = Path(__file__).resolve().parents[2]
GITHUB = ROOT / ".github"
THEIRS = ROOT / "scripts" / "student" / ".github" / "workflows"  # of the students' repository
WORKFLOWS = sorted(path for folder in (GITHUB / "workflows", ROOT / "docs", THEIRS) for path in folder.rglob("*.yml"))
ACTIONS = sorted((GITHUB / "actions").glob("*/action.yml"))
OURS = {name: f"./{path.parent.relative_to(ROOT)}" for path in ACTIONS for name in [path.parent.name]}


def jobs(name: str) -> dict[str, Any]:
    return yaml.safe_load((GITHUB / "workflows" / name).read_text())["jobs"]


def lines(steps: list[dict[str, Any]]) -> list[str]:
    """The lines of every `run` of some steps."""
    return [line.strip() for step in steps for line in step.get("run", "").splitlines()]


def steps(path: Path) -> list[dict[str, Any]]:
    """The steps of all jobs of a workflow, or of an action."""
    read = yaml.safe_load(path.read_text())
    return [step for job in read.get("jobs", {"": read.get("runs")}).values() for step in job["steps"]]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_is_one(path: Path) -> None:
    read = yaml.safe_load(path.read_text())
    assert {"name", True, "permissions", "jobs"} <= set(read)  # YAML 1.1 reads `on` as true
    assert all({"runs-on", "timeout-minutes", "steps"} <= set(job) for job in read["jobs"].values())


@pytest.mark.parametrize("path", [*WORKFLOWS, *ACTIONS], ids=lambda path: f"{path.parent.name}/{path.name}")
def test_what_a_workflow_calls_exists(path: Path) -> None:
    called = lines(steps(path))
    assert set(re.findall(r"\bmake ([a-z-]+)", "\n".join(called))) <= TARGETS
    for words in (shlex.split(line) for line in called if "python" in line.split(" ")[0]):
        named = [word for word in words[1:] if "/" in word or word.endswith(".py")]
        assert all(list(ROOT.glob(word)) for word in named if not word.startswith("build/")), words
    used = [step["uses"] for step in steps(path) if "uses" in step]
    assert all(re.fullmatch(r"actions/[a-z-]+(/[a-z]+)?@v\d+", name) or name in OURS.values() for name in used)


@pytest.mark.parametrize("path", [*WORKFLOWS, *ACTIONS], ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_workflow_trusts_no_stranger(path: Path) -> None:
    assert not re.search(r"https?://|pypi|index-url|extra-index", path.read_text().replace("https://github.com", ""))
    # What a stranger wrote, such as a branch's name, is never pasted into a command.
    assert not any("${{" in line for line in lines(steps(path)))


def test_each_step_of_our_own_action_says_its_shell() -> None:
    """without it the action is refused when it is called"""
    assert list(OURS) == ["setup"]
    assert all("shell" in step for path in ACTIONS for step in steps(path) if "run" in step)


def made(job: dict[str, Any]) -> list[str]:
    return [line for line in lines(job["steps"]) if line.startswith("make ")]


def test_github_runs_what_ci_run_runs() -> None:
    """Each push the same targets; what `make test-all` has beside `make test` runs every night."""
    ours = re.search(r"^for target in (.*); do$", (ROOT / ".ci" / "run").read_text(), re.M)[1]
    ours = {f"make {target.strip(chr(34))}" for target in re.findall(r'"[^"]+"|\S+', ours)}
    assert {"make lint", "make test", "make verify"} < ours
    assert set(made(jobs("ci.yml")["everything"])) == ours
    assert made(jobs("ci.yml")["documentation"]) == ["make docs"]


def test_every_night_the_long_runs_hide_none_of_each_other() -> None:
    nightly = jobs("nightly.yml")
    long = [[line for line in made(job) if line != "make setup-tests"] for name, job in nightly.items() if name != "image"]
    assert sorted(long) == [
        ["make attack"], ["make broken"], ["make mutants"], ["make test-all"], ["make verify EDITIONS=10"]]
    assert not any("needs" in job for job in nightly.values())


def test_ci_runs_every_python_that_we_promise() -> None:
    """Everything on one, and what differs between them on the others."""
    everything, others = jobs("ci.yml")["everything"], jobs("ci.yml")["other-pythons"]
    default = yaml.safe_load((GITHUB / "actions/setup/action.yml").read_text())["inputs"]["python"]["default"]
    assert everything["steps"][1] == {"uses": OURS["setup"]}  # with this Python
    pythons = sorted([default, *others["strategy"]["matrix"]["python"]], key=lambda python: int(python.partition(".")[2]))
    oldest = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"]
    assert f">={pythons[0]}" == oldest and {f"{major}.{minor}" for major, minor in PYTHONS} <= set(pythons)
    assert made(others) == ["make setup-tests", "make quick"] and "tests/unit/test_sandbox_*.py" in lines(others["steps"])[-1]
    assert any(step.get("with") == {"python": "${{ matrix.python }}"} for step in others["steps"])


def test_ci_does_what_students_do_on_their_systems() -> None:
    students = jobs("ci.yml")["students"]
    assert students["strategy"]["matrix"]["system"] == ["windows-latest", "macos-latest"]
    assert students["runs-on"] == "${{ matrix.system }}"
    assert lines(students["steps"]) == ["python scripts/as_a_student.py"]  # tests/unit/test_wheel.py runs it too


def test_a_release_is_tried_before_it_is_published() -> None:
    commands = lines(jobs("release.yml")["release"]["steps"])
    commands.remove('python3 -m scripts.address "$ADDRESS"')
    assert commands[:3] == ["make verify", "make release", "python scripts/as_a_student.py build/release"]
    assert len(commands) == 4 and commands[3].startswith("gh release create ")


@pytest.mark.parametrize("workflow, job, site", [
    ("ci.yml", "documentation", "make docs"), ("release.yml", "release", "make release"),
    ("pages.yml", "build", 'make site PUBLISHED=1 ADDRESS="$ADDRESS"'),
])
def test_a_site_names_the_repository_that_builds_it(workflow: str, job: str, site: str) -> None:
    of_job = jobs(workflow)[job]["steps"]
    writes = next(step for step in of_job if "scripts.address" in step.get("run", ""))
    assert writes["env"] == {"ADDRESS": "${{ github.server_url }}/${{ github.repository }}"}
    builds = next(step for step in of_job if step.get("run") == site)
    assert of_job.index(writes) < of_job.index(builds)


def test_github_pages_shows_what_make_site_builds() -> None:
    build, publish = jobs("pages.yml")["build"], jobs("pages.yml")["publish"]
    site = next(step for step in build["steps"] if step.get("run", "").startswith("make site"))
    assert site["env"] == {"ADDRESS": "${{ github.server_url }}/${{ github.repository }}"}
    assert build["steps"][-1]["with"] == {"path": "build/site"}
    assert publish["needs"] == "build" and publish["environment"]["name"] == "github-pages"
    rights = yaml.safe_load((GITHUB / "workflows" / "pages.yml").read_text())["permissions"]
    assert rights == {"contents": "read", "pages": "write", "id-token": "write"}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the release goes, with a small site beside it."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text("<p>The documentation.</p>")
    monkeypatch.setattr(release, "SITE", tmp_path / "site")
    monkeypatch.setattr(release, "RELEASE", tmp_path / "build" / "release")
    return tmp_path / "build" / "release"


@pytest.mark.usefixtures("repetition")
def test_a_release_is_a_repository_a_wheel_and_a_zip_of_each_set(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """of the last commit; it was searched for what belongs to staff"""
    assert release.main([]) == 0
    made = sorted(path.name for path in place.iterdir())
    assert made[0] == "documentation.zip" and made[1].endswith(".whl") and {"student", "notes.md"} < {*made}
    assert len([name for name in made if re.fullmatch(r"ps\d_\w+\.zip", name)]) == 5
    assert {name: placeholders for name, placeholders in invented(place).items() if placeholders} == {}
    with zipfile.ZipFile(place / "ps2_uct.zip") as packed:
        assert {"ps2_uct/ps2_uct.ipynb", "ps2_uct/ps2_uct.py"} <= set(packed.namelist())
    printed = capsys.readouterr().out
    assert f"the students' repository: commit {git(place / 'student', 'rev-parse', 'HEAD')[:10]}\n" in printed


@pytest.mark.usefixtures("repetition")
def test_a_release_with_a_line_of_the_staff_s_is_none_and_the_last_one_stays(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert release.main([]) == 0
    before = {path: path.stat().st_mtime_ns for path in place.rglob("*")}
    (release.SITE / "index.html").write_text("<p>node, value = node.parent, -value</p>")
    capsys.readouterr()
    assert release.main([]) == 1
    assert "documentation.zip/index.html holds a line of solutions/ps2_uct.py" in capsys.readouterr().out
    assert {path: path.stat().st_mtime_ns for path in place.rglob("*")} == before
