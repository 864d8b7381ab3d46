"""Tests of the repository: the setup, the Makefile, the list of benchmarks, the links between pages."""
import io
import json
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from rich.console import Console

import bench
import bench.__main__ as bench_main
from scripts import install, layers
from tests.unit.makefile import TARGETS

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md",
         *(page for folder in ("", "maintainers", "teaching") for page in sorted((ROOT / "docs" / folder).glob("*.md")))]


@pytest.mark.usefixtures("processes")
def test_make_alone_lists_every_target() -> None:
    printed = subprocess.run(["make", "-C", ROOT], capture_output=True, text=True, check=True).stdout
    listed = [line.split()[1] for line in printed.splitlines() if line.startswith("make ")]
    assert sorted(listed) == sorted(TARGETS)
    assert max(map(len, printed.splitlines())) <= 100
    groups = [group.splitlines() for group in printed.strip().split("\n\n")[1:-1]]
    assert groups[0][0] == "Every day" and len(groups) == 4 and all(len(group) > 5 for group in groups)
    assert listed.index("grade") < listed.index("tournament") < listed.index("clean")


def test_every_setting_of_a_target_is_explained() -> None:
    settings = set(re.findall(r"\b([A-Z]+)=", "\n".join(re.findall("## .*", (ROOT / "Makefile").read_text()))))
    explained = set(re.findall(r"^\| `([A-Z]+)=", (ROOT / "docs" / "commands.md").read_text(), re.M))
    assert settings == explained and {"COURSE", "PS", "WORKERS"} <= settings


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("setting", ["COURSE", "PLAYER", "NET"])
def test_a_path_with_blanks_stays_one_word(setting: str) -> None:
    printed = subprocess.run(["make", "-C", ROOT, "-n", "grade", "challenge", "strength", f"{setting}=my class/of 2026"],
                             capture_output=True, text=True, check=True).stdout
    assert printed.count('"my class/of 2026"') == printed.count("my class") == 1


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_promise_only_targets_and_files_that_exist(page: Path) -> None:
    text = page.read_text()
    assert set(re.findall(r"(?:^    |`)make ([a-z-]+)", text, re.M)) <= TARGETS
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", text) if "://" not in link]
    assert [link for link in links if not (page.parent / link).exists()] == []


def modules(*folders: str) -> list[str]:
    """Every module in these folders, by its path in the repository."""
    return [str(path.relative_to(ROOT)) for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]


def test_files_that_the_text_names_are_there() -> None:
    """A name in a docstring, a comment or a page exists; a file that was moved must take its name along."""
    elsewhere = {"nbgrader_config.py", "late.py", "bdb.py", "pdb.py", "pydevd.py", "NAME.py",
                 "PS.py", "test_them.py", "solution.py", "setup.py", "autograder.py",
                 "ps6_choices.py", "ps1_loop.py"}
    folders = ("autograder", "arena", "trainer", "bench", "scripts", "assets", "solutions", "tests", "docs", "assignments")
    names = {path.name for folder in folders for path in (ROOT / folder).rglob("*.py")} | elsewhere
    texts = [ROOT / name for name in modules("autograder", "arena", "trainer", "bench", "scripts", "assets")] + PAGES
    mentions = {(str(path.relative_to(ROOT)), name) for path in texts
                for name in re.findall(r"(?<![\w*{}\]>.])(\w+\.py)\b", path.read_text())}
    assert {(path, name) for path, name in mentions if name not in names} == set()


def test_the_words_of_the_first_page_are_those_of_the_whole_list() -> None:
    row = re.compile(r"^\| .+ \|$", re.M)
    first = (ROOT / "docs" / "maintainers.md").read_text(encoding="utf-8").split("## Twenty words\n")[1].split("\n#")[0]
    assert len(row.findall(first)) == 21
    assert set(row.findall(first)) <= set(row.findall((ROOT / "docs" / "maintainers" / "words.md").read_text(encoding="utf-8")))


def test_the_picture_of_the_layers_shows_those_of_today() -> None:
    assert layers.FIGURE.read_text(encoding="utf-8") == layers.drawn()


def test_every_package_says_what_it_is_for() -> None:
    packages = [name for name in modules("autograder", "arena", "trainer", "bench", "assets") if name.endswith("__init__.py")]
    assert [name for name in packages if not (ROOT / name).read_text().startswith('"""')] == []


def test_every_locked_package_has_one_exact_version() -> None:
    lines = [line for lock in (install.LOCK, install.TESTS_LOCK) for line in lock.read_text().splitlines()]
    assert [line for line in lines if not re.fullmatch(r"[A-Za-z0-9._-]+==[^\s;@]+", line)] == []
    names = [re.sub(r"[-_.]+", "-", line.partition("==")[0]).lower() for line in lines]
    assert sorted(set(names)) == sorted(names)


def test_a_second_setup_does_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    monkeypatch.delenv("PYTHON", raising=False)
    monkeypatch.setattr(install, "STAMP", tmp_path / "made-from")
    monkeypatch.setattr(install, "_system_packages", lambda packages: None)
    (tmp_path / "made-from").write_text(install._stamp(install.LOCK))
    (tmp_path / "made-from-requirements-tests").write_text(install._stamp(install.TESTS_LOCK))
    assert install.main() == 0
    assert install.main(tests=True) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.usefixtures("processes")
def test_uv_takes_packages_from_where_pip_would(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS"):
        monkeypatch.delenv(name, raising=False)
    settings = tmp_path / "pip.conf"
    settings.write_text(
        f"[global]\nindex-url = https://one.invalid/simple\nextra-index-url =\n    file://{tmp_path}\n    file://{tmp_path}/gone\n"
        f"    https://two.invalid/simple\n[install]\nfind-links = {tmp_path}/wheels\n")
    monkeypatch.setenv("PIP_CONFIG_FILE", str(settings))
    (tmp_path / "wheels").mkdir()
    expected = ["--index-url=https://one.invalid/simple", f"--extra-index-url=file://{tmp_path}",
                "--extra-index-url=https://two.invalid/simple", f"--find-links={tmp_path}/wheels"]
    assert install._places([sys.executable, "-m", "pip"])[:-1] == expected
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    assert install._places([sys.executable, "-m", "pip"])[-2] == f"--find-links={tmp_path}"


@pytest.mark.usefixtures("repetition")
def test_setup_leaves_the_environment_of_another_working_copy_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "made-from").write_text("another lock file")
    (tmp_path / ".venv").symlink_to(tmp_path / "theirs")
    monkeypatch.setattr(install, "VENV", tmp_path / ".venv")
    install._virtual_environment()
    assert (tmp_path / ".venv" / "bin" / "python").exists() and not (tmp_path / ".venv").is_symlink()
    assert (tmp_path / "theirs" / "made-from").read_text() == "another lock file"


def test_who_may_not_install_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    monkeypatch.setattr(install, "_missing", lambda packages: ["bubblewrap", "graphviz"])
    monkeypatch.setattr(install.os, "geteuid", lambda: 1000)
    install._system_packages(install.SYSTEM_PACKAGES)
    printed = capsys.readouterr().out
    assert printed == "setup: grading needs missing packages, please run: sudo apt-get install bubblewrap graphviz\n"


@pytest.mark.usefixtures("processes")
def test_setup_runs_on_a_bare_python() -> None:
    code = "import sys; sys.path.insert(0, 'scripts'); import install; print(install.SYSTEM_PACKAGES)"
    subprocess.run([sys.executable, "-I", "-S", "-c", code], cwd=ROOT, check=True, capture_output=True)


def test_an_unknown_benchmark_is_answered_with_the_names_there_are(capsys: pytest.CaptureFixture) -> None:
    assert bench_main.main("nothing") == 2
    printed = capsys.readouterr().out
    assert all(name in printed for name in bench_main.BENCHMARKS)


def test_a_terminal_of_80_columns_cuts_no_name_and_no_figure() -> None:
    names = ("compiled_uct_vs_openspiel_cpp_x2", "x")
    rows = [bench.Row(name, 12_345_678.9, 2_345_678.9, "simulations/s", 1.5, "by hand") for name in names]
    console = Console(width=80, record=True, file=io.StringIO())
    console.print(bench_main._table(rows, "against another project", console.width))
    printed = console.export_text()
    assert all(word in printed for word in (*names, "12,345,678.9", "2,345,678.9", "5.26", "1.5")) and "…" not in printed


def test_the_results_hold_what_was_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    row = bench.Row("two_to_one", 20.0, 10.0, "things/s", 1.5, "by hand")
    monkeypatch.setattr(bench_main, "BENCHMARKS", ("two_to_one",))
    monkeypatch.setitem(sys.modules, "bench.two_to_one", SimpleNamespace(rows=lambda: [row]))
    monkeypatch.setattr(bench_main, "RESULTS", tmp_path / "build" / "bench.json")
    assert bench_main.main() == 0
    assert json.loads((tmp_path / "build" / "bench.json").read_text()) == [
        {"name": "two_to_one", "ours": 20.0, "peer": 10.0, "unit": "things/s", "ratio": 2.0, "goal": 1.5,
         "against": "another project", "how": "by hand"}]


def test_a_rate_is_by_the_median_turn() -> None:
    assert bench.rate(30, [2.0, 3.0, 100.0]) == 10.0
