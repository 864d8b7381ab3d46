"""The workflows for GitHub Actions: their targets exist, and CI runs what .ci/run runs."""

import re
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml

from autograder.selftest.leaks import leaks
from scripts.release import committed, write_release

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = sorted([*(ROOT / ".github" / "workflows").glob("*.yml"), *(ROOT / "docs").rglob("*.yml")])
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M))


def commands(path: Path) -> list[str]:
    """The lines of every `run` in a workflow."""
    jobs = yaml.safe_load(path.read_text())["jobs"].values()
    return [line.strip() for job in jobs for step in job.get("steps", ()) for line in step.get("run", "").splitlines()]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_is_one(path: Path) -> None:
    read = yaml.safe_load(path.read_text())
    assert {"name", True, "permissions", "jobs"} <= set(read)  # YAML 1.1 reads `on` as true
    assert all({"runs-on", "timeout-minutes"} <= set(job) for job in read["jobs"].values())
    assert set(re.findall(r"\bmake ([a-z-]+)", "\n".join(commands(path)))) <= TARGETS
    steps = [step for job in read["jobs"].values() for step in job["steps"]]
    assert all(re.fullmatch(r"actions/[a-z-]+(/[a-z]+)?@v\d+", step["uses"]) for step in steps if "uses" in step)
    assert not re.search(r"https?://|pypi|index-url|extra-index", path.read_text().replace("https://github.com", ""))
    # What a stranger wrote, such as a branch's name, is never pasted into a command.
    assert not any("${{" in line for line in commands(path))


def test_ci_runs_what_ci_run_runs() -> None:
    ours = re.search(r"^for target in (.*); do$", (ROOT / ".ci" / "run").read_text(), re.M)[1]
    ours = [f"make {target.strip(chr(34))}" for target in re.findall(r'"[^"]+"|\S+', ours)]
    ci = [line for line in commands(ROOT / ".github/workflows/ci.yml") if line.startswith("make ")]
    assert ci == [*ours, "make docs"]


def test_ci_runs_every_python_that_we_promise() -> None:
    pythons = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())["jobs"]["check"]["strategy"]["matrix"]["python"]
    oldest = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"]
    assert f">={pythons[0]}" == oldest and pythons == ["3.11", "3.12", "3.13"]


@pytest.mark.usefixtures("processes")
def test_a_release_holds_nothing_of_the_staff_s(tmp_path: Path) -> None:
    (tmp_path / "checkout").mkdir()
    (tmp_path / "release").mkdir()
    write_release(committed(tmp_path / "checkout"), tmp_path / "release")
    made = sorted(path.name for path in (tmp_path / "release").iterdir())
    assert len([name for name in made if name.startswith("ps")]) == 5 and made[0].endswith(".whl")
    assert leaks(tmp_path / "release") == []
    with zipfile.ZipFile(tmp_path / "release" / "ps2_uct.zip") as packed:
        assert {"ps2_uct/ps2_uct.ipynb", "ps2_uct/ps2_uct.py"} <= set(packed.namelist())
