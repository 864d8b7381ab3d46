"""Which Python `make setup` takes, and what it says, before anything is downloaded, where none fits."""

import subprocess
import sys
from pathlib import Path

import pytest

from scripts import install

SETUP = Path(install.__file__)


@pytest.fixture(autouse=True)
def nothing_chosen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No PYTHON, no `.venv`, and a PATH that begins with an empty folder."""
    for name in ("PYTHON", install.CHOSEN):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(install, "VENV", tmp_path / ".venv")
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")


def python(path: Path, version: str) -> Path:
    """A program that says it is this Python; "" for one that does not run, like a shim of a Python that is not selected."""
    path.parent.mkdir(parents=True, exist_ok=True)
    script = f'[ "$1" = -c ] && echo {version} || echo went on in {version}: $*'
    path.write_text(f"#!/bin/sh\n{script if version else 'exit 127'}\n")
    path.chmod(0o755)
    return path


def venv(tmp_path: Path, version: str, program: Path) -> None:
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "pyvenv.cfg").write_text(f"home = {program.parent}\nversion = {version}\nexecutable = {program}\n")


def sentence() -> str:
    """What the setup says as it ends without a Python: one sentence."""
    with pytest.raises(SystemExit) as ended:
        install.main()
    message = str(ended.value.code)
    assert "\n" not in message and message.startswith("setup: ")
    return message


def test_this_python_fits() -> None:
    assert install._other_python() == ""


@pytest.mark.usefixtures("processes")
def test_python_names_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture) -> None:
    python(tmp_path / "bin" / "python3.13", "3.13.0")
    monkeypatch.setenv("PYTHON", "python3.13")
    assert install.main(tests=True) == 0
    assert capfd.readouterr().out.startswith(f"went on in 3.13.0: {SETUP}")


@pytest.mark.usefixtures("processes")
def test_a_venv_keeps_its_python(tmp_path: Path) -> None:
    other = python(tmp_path / "elsewhere" / "python3.12", "3.12.1")
    venv(tmp_path, "3.12.1", other)
    assert install._other_python() == str(other)


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("version, there", [("3.12.1", False), ("3.15.0", True), ("", True)])
def test_a_venv_whose_python_is_gone_or_unfit_is_made_again_with_this_one(tmp_path: Path, version: str, there: bool) -> None:
    program = tmp_path / "elsewhere" / "python3"
    venv(tmp_path, version, python(program, version) if there else program)
    assert install._other_python() == ""


@pytest.mark.usefixtures("processes")
def test_python_is_stronger_than_the_venv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    venv(tmp_path, "3.12.1", python(tmp_path / "elsewhere" / "python3.12", "3.12.1"))
    monkeypatch.setenv("PYTHON", sys.executable)
    assert install._other_python() == ""


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("version, wrong", [
    ("3.15.0", "Python 3.15.0, too new for the locked packages"), ("3.10.4", "Python 3.10.4, too old for the locked packages"),
    ("", "no Python that runs"), (None, "no Python that runs"),
])
def test_a_named_python_that_does_not_fit(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str | None, wrong: str) -> None:
    if version is not None:
        python(tmp_path / "bin" / "python3.x", version)
    monkeypatch.setenv("PYTHON", "python3.x")
    assert sentence() == (f"setup: PYTHON=python3.x is {wrong}: install Python 3.11, 3.12, 3.13 or 3.14, then run "
                          "`PYTHON=python3.14 make setup`")


@pytest.mark.usefixtures("processes")
def test_this_python_is_too_new_and_another_is_on_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(install, "PYTHONS", ((3, 8), (3, 9)))
    assert f"this is Python {sys.version.split()[0]}, too new" in sentence()
    python(tmp_path / "bin" / "python3.9", "")
    other = python(tmp_path / "bin" / "python3.8", "3.8.18")
    assert install._other_python() == str(other)


@pytest.mark.usefixtures("processes")
def test_a_chosen_python_chooses_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    venv(tmp_path, "3.12.1", python(tmp_path / "elsewhere" / "python3.12", "3.12.1"))
    monkeypatch.setenv(install.CHOSEN, "yes")
    assert install._other_python() == ""


@pytest.mark.usefixtures("processes")
def test_make_says_the_sentence_and_ends() -> None:
    done = subprocess.run(["make", "-C", SETUP.parent.parent, "setup", "PYTHON=python3.99"], text=True, capture_output=True)
    assert done.returncode and done.stderr.startswith("setup: PYTHON=python3.99 is no Python that runs: install Python 3.11")


@pytest.mark.first_shows
@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("settings, fails, expected", [
    ({}, False, ["cpu"]), ({}, True, ["cpu", "any"]), ({"UV_TORCH_BACKEND": "auto"}, False, ["any"]),
    ({"UV_DEFAULT_INDEX": "https://one.invalid"}, False, ["any"]), ({"PIP_INDEX_URL": "https://one.invalid"}, False, ["any"]),
])
def test_pytorch_for_processors_where_nothing_is_said_of_other_places(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], fails: bool, expected: list[str]) -> None:
    for name in ("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    uv = tmp_path / ".venv" / "bin" / "uv"
    uv.write_text(f'#!/bin/sh\ncase "$*" in *backend=cpu*) echo cpu;; *) echo any;; esac >> {tmp_path}/tries\n'
                  + 'case "$*" in *backend=cpu*) exit 1;; esac\n' * fails)
    uv.chmod(0o755)
    pip = tmp_path / "pip"
    pip.write_text(f'#!/bin/sh\n[ "$1" = install ] || exec {sys.executable} -m pip "$@"\n')
    pip.chmod(0o755)
    assert install._by_uv([pip], install.LOCK)
    assert (tmp_path / "tries").read_text().split() == expected


def test_the_tests_that_the_setup_runs_are_there() -> None:
    named = [test.split("::") for tests in install.PLAYING for test in tests]
    assert all(f"def {name}(" in (install.ROOT / "tests" / "unit" / file).read_text() for file, name in named) and len(named) > 4
