"""The locked packages fit every Python that `make setup` takes, from the first release of each on that a system ships."""

import re
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from scripts import install

PYTHONS = ("3.11.2", "3.12.0", "3.13.0", "3.14.0")  # 3.11.2 is that of Debian 12
LOCKS = (install.LOCK, install.TESTS_LOCK)


def name_of(text: str) -> str:
    return re.sub(r"[-_.]+", "-", text).lower()


def locked() -> dict[str, str]:
    """The version of each locked package, by its name."""
    lines = [line.partition("==") for lock in LOCKS for line in lock.read_text().split()]
    return {name_of(name): version for name, _, version in lines}


def test_these_are_all_pythons() -> None:
    assert tuple(tuple(map(int, full.split(".")[:2])) for full in PYTHONS) == install.PYTHONS


@pytest.mark.parametrize("page", ["docs/students.md", "scripts/student/README.md", "autograder/cli/preflight.py", "README.md"])
def test_a_page_names_all_pythons(page: str) -> None:
    *others, newest = (f"{major}.{minor}" for major, minor in install.PYTHONS)
    words = f"{others[0]} to {newest}" if page == "README.md" else f"{', '.join(others)} or {newest}"
    assert f"Python {words}" in (install.ROOT / page).read_text(encoding="utf-8"), f"{page} does not say: Python {words}"


@pytest.mark.usefixtures("computing")
@pytest.mark.parametrize("python", PYTHONS)
def test_the_packages_fit_each_other_and_lack_none(python: str) -> None:
    """By what the installed packages say of themselves, without a network."""
    here, wrong = locked(), []
    for name, version in here.items():
        try:
            package = distribution(name)
        except PackageNotFoundError:
            continue  # `make setup` alone was run
        if package.version.partition("+")[0] != version:
            continue  # the next `make setup` brings it
        asks = package.metadata.get("Requires-Python")
        if asks and python not in SpecifierSet(asks):
            wrong.append(f"{name} {version} needs Python {asks}")
        environment = {"python_full_version": python, "python_version": python.rpartition(".")[0], "extra": ""}
        for needed in map(Requirement, package.requires or ()):
            there = here.get(name_of(needed.name))
            if needed.marker and not needed.marker.evaluate(environment):
                continue
            # PyTorch for graphics cards brings the libraries of the cards' maker, each in the one version that fits it.
            if there is None and name != "torch" or there and there not in needed.specifier:
                wrong.append(f"{name} {version} needs {needed}")
    assert wrong == []


@pytest.mark.usefixtures("whole_world")
@pytest.mark.parametrize("python", PYTHONS)
def test_each_package_is_built_for_this_python(tmp_path: Path, python: str) -> None:
    """Nothing must be compiled. The registry is asked what it has; nothing is downloaded or installed."""
    pip = [sys.executable, "-m", "pip"]
    command = [Path(sys.executable).with_name("uv"), "pip", "install", "--dry-run", "--no-deps", "--only-binary", ":all:",
               "--python", sys.executable, "--python-version", python, "--target", tmp_path, *install._places(pip)]
    for lock in LOCKS:
        command += ["--requirement", lock]
    asked = subprocess.run(command, text=True, capture_output=True, timeout=300)
    if asked.returncode and "No solution found" not in asked.stderr:
        pytest.skip(f"the registry does not answer: {asked.stderr.strip()[-200:]}")
    assert asked.returncode == 0, asked.stderr
    assert f"Would install {len(locked())} packages" in asked.stderr
