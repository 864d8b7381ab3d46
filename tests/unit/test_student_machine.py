"""The student's machine: any system, a console of few characters, no torch; `arena` hands out, checks and plays there."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.challenge.command import INSTALL_NUMBA
from arena.get import INSTALL_TORCH, get, main, titles
from arena.unread import READER_GONE
from arena.work import fingerprint, handed_out, read_form
from autograder.problem_sets.source import facts_of, load, module_text, names
from tests.unit.small_player import SMALL

pytestmark = pytest.mark.usefixtures("processes")

ROOT = Path(__file__).resolve().parents[2]
ELSEWHERE = {  # a text file is ASCII unless the code says otherwise, and the console knows what Windows' old ones knew
    "PYTHONPATH": f"{ROOT / 'tests/unit/another_machine'}{os.pathsep}{ROOT}", "PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0",
    "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONWARNDEFAULTENCODING": "1", "TERM": "dumb",
}
WITH_TORCH = [name for name in names() if "torch" in facts_of(name).packages]
FIRST = [name for name in names() if name not in WITH_TORCH]


def elsewhere(*words: object, cwd: Path, has: str = "", stdout: int = subprocess.PIPE) -> subprocess.CompletedProcess[str]:
    """Run Python on a machine that is not Unix, where the packages `has` are installed."""
    machine = {**os.environ, **ELSEWHERE, "ANOTHER_MACHINE_HAS": has}
    return subprocess.run([sys.executable, *map(str, words)], cwd=cwd, env=machine, text=True,
                          encoding="cp1252", stdout=stdout, stderr=subprocess.PIPE, timeout=60)


# ---- arena get

def test_what_is_handed_out_is_the_released_set(tmp_path: Path) -> None:
    for name in names():
        written = get(name, tmp_path)
        assert sorted(path.name for path in written) == sorted([f"{name}.ipynb", f"{name}.py", "pytest.ini"])
        assert all(path.read_bytes() == (ROOT / "assignments" / name / path.name).read_bytes() for path in written)
        assert fingerprint(read_form(tmp_path / name / f"{name}.py")) == handed_out(tmp_path / name)


def test_work_is_never_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    get("ps2_uct", tmp_path)
    module, notebook = tmp_path / "ps2_uct/ps2_uct.py", tmp_path / "ps2_uct/ps2_uct.ipynb"
    module.write_text("my work", encoding="utf-8")
    notebook.unlink()
    assert main(["ps2_uct", "--to", str(tmp_path)]) == 2
    assert "holds work: ps2_uct.py differs" in capsys.readouterr().err
    assert module.read_text(encoding="utf-8") == "my work" and not notebook.exists()


def test_what_is_missing_comes_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    get("ps2_uct", tmp_path)
    (tmp_path / "ps2_uct/pytest.ini").unlink()
    assert get("ps2_uct", tmp_path) == [tmp_path / "ps2_uct/pytest.ini"]
    assert main(["ps2_uct", "--to", str(tmp_path)]) == 0 and "there already" in capsys.readouterr().out


def test_without_a_name_the_sets_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0 and list(titles()) == names()
    assert capsys.readouterr().out.splitlines() == [f"{name:<17} {load(name).title}" for name in names()]


@pytest.mark.parametrize("words, message", [
    (["ps9"], "no problem set is called ps9; choose from ps1_games, "),
    (["../ps2_uct"], "no problem set is called ../ps2_uct"),
    (["ps2_uct", "--to", "taken"], "a file is where a folder is needed"),
])
def test_what_cannot_be_handed_out_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("taken").write_text("a file", encoding="utf-8")
    assert main(words) == 2
    assert message in capsys.readouterr().err and [path.name for path in tmp_path.iterdir()] == ["taken"]


# ---- another system

def test_the_machine_of_these_tests_is_not_unix() -> None:
    code = ("import os, signal; from arena import time_limit\n"
            "print(time_limit._SIGNAL == signal.SIGBREAK, hasattr(os, 'fork'), hasattr(signal, 'setitimer'))\nimport fcntl")
    done = elsewhere("-c", code, cwd=ROOT)
    assert done.stdout.split() == ["True", "False", "False"] and "import of fcntl halted" in done.stderr


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder where all sets were got on that machine, and the first three are solved."""
    room = tmp_path_factory.mktemp("room")
    for name in names():
        done = elsewhere("-m", "arena", "get", name, cwd=room)
        assert done.returncode == 0, done.stderr
        assert (INSTALL_TORCH.format(name) in done.stdout) == (name in WITH_TORCH)
    for name in FIRST:
        (room / name / f"{name}.py").write_text(module_text(load(name), solution=True), encoding="utf-8")
    return room


@pytest.mark.usefixtures("repetition")
@pytest.mark.first_shows
@pytest.mark.parametrize("name", FIRST)
def test_the_visible_checks_run_on_any_system_and_without_torch(room: Path, name: str) -> None:
    done = elsewhere("-m", "arena", name, cwd=room)
    (optional,) = [exercise.id for exercise in load(name).exercises if exercise.extra]
    (form,) = [exercise.id for exercise in load(name).exercises if exercise.constant]
    total = len(load(name).exercises) - 1
    assert done.stdout.endswith(f"{total - 1} of {total} exercises done, and the optional {optional}; "
                                f"of {form} only the form can be checked here\n"), done.stdout + done.stderr
    assert not done.stderr and "Skipped" not in done.stdout


@pytest.mark.usefixtures("repetition")
def test_pytest_runs_the_visible_checks_there(room: Path) -> None:
    done = elsewhere("-m", "pytest", "-k", "1.1", cwd=room / "ps1_games")
    assert "1 passed" in done.stdout, done.stdout + done.stderr


def test_an_endless_loop_is_stopped_there(tmp_path: Path) -> None:
    (tmp_path / "ps1_loop.py").write_text('# %%\nfrom arena.check import check\n# %% check="1.1"\n@check("1.1", "loop")\n'
                                          "def check_1_1():\n    while True:\n        pass\n", encoding="utf-8")
    limit = "import sys; from arena import check, __main__; check.LONGEST_S = 0.3; sys.exit(__main__.main(['.']))"
    assert "Not finished after 0.3 s" in elsewhere("-c", limit, cwd=tmp_path).stdout


def test_a_character_that_the_console_does_not_know_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "ps1_box.py").write_text('# %%\nfrom arena.check import check\n# %% check="1.1"\n@check("1.1", '
                                         '"\u2500\u2502 box")\ndef check_1_1():\n    pass\n', encoding="utf-8")
    done = elsewhere("-m", "arena", cwd=tmp_path)
    assert done.returncode == 0 and "1.1 ?? box   passed" in done.stdout, done.stderr


def test_the_board_is_served_there_until_ctrl_c(room: Path) -> None:
    command = (sys.executable, "-m", "arena", "play", "--no-browser", "--moves", "4435", "--player", "ps3_connect_four")
    with subprocess.Popen(command, cwd=room, env={**os.environ, **ELSEWHERE, "PYTHONUNBUFFERED": "1"}, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,  # a run in the background ignores Ctrl-C
                          preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)) as board:
        ending = threading.Timer(60, board.kill)
        ending.start()
        try:
            url = board.stdout.readline().partition("board: ")[2].partition("#")[0]
            with urllib.request.urlopen(url, timeout=30) as page:
                assert b"<html" in page.read()
            asked = urllib.request.Request(f"{url}ask?tab=one", json.dumps({"do": "games"}).encode(),
                                           {"Content-Type": "application/json", "Origin": url.rsplit("/", 2)[0]})
            with urllib.request.urlopen(asked, timeout=30) as answer:
                assert "Your player" in json.dumps(json.load(answer))
            board.send_signal(signal.SIGINT)
            printed, errors = board.communicate(timeout=30)
        finally:
            ending.cancel()
            board.kill()
    assert board.returncode == 0 and "the board is closed" in printed
    (line,) = errors.splitlines()
    assert line.startswith("your player: ps3_connect_four, in this Python and without a sandbox")


@pytest.mark.usefixtures("repetition")
def test_the_challenge_is_played_and_a_game_of_it_shown_there(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(SMALL, encoding="utf-8")
    climbed = elsewhere("-m", "arena", "challenge", "mine.py", "--rung", "Random", cwd=tmp_path, has="numba")
    assert climbed.returncode == 0 and "15 of 15 points" in climbed.stdout, climbed.stdout + climbed.stderr
    words = re.search(r"^to see your games: (.*)$", climbed.stdout, re.M)[1].split()[1:]
    shown = elsewhere(*words, cwd=tmp_path, has="numba")
    assert shown.stdout.startswith("Random, game 1: you were X"), shown.stderr


def test_the_challenge_says_there_what_to_install(tmp_path: Path) -> None:
    done = elsewhere("-m", "arena", "challenge", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (2, f"arena: {INSTALL_NUMBA}\n")


def test_every_module_of_arena_can_be_imported_there() -> None:
    """But for the players that are compiled and the networks, which need packages of their own."""
    modules = sorted(".".join(path.relative_to(ROOT).with_suffix("").parts) for path in (ROOT / "arena").rglob("*.py"))
    code = ("import importlib, sys\nfor name in sys.argv[1:]:\n    try:\n        importlib.import_module(name)\n    except "
            "ModuleNotFoundError as error:\n        print((error.name or str(error).split()[2]).partition('.')[0], name)")
    done = elsewhere("-c", code, *(name for name in modules if not name.endswith("__main__")), cwd=ROOT)
    lacking = {line.split()[0] for line in done.stdout.splitlines()}
    assert lacking <= {"torch", "numba", "rich", "typer"}, done.stdout
    assert not done.stderr


@pytest.mark.usefixtures("repetition")
def test_torch_is_not_imported_before_problem_set_4(room: Path) -> None:
    """Also where it is installed: it takes seconds."""
    code = ("import sys; from arena.__main__ import main; import arena.board.command, arena.board.own\n"
            f"main(['get']); [main([name]) for name in {FIRST}]; print('torch' in sys.modules)")
    done = subprocess.run([sys.executable, "-c", code], cwd=room, env={**os.environ, "PYTHONPATH": str(ROOT)}, text=True,
                          capture_output=True, timeout=60)
    assert done.stdout.splitlines()[-1] == "False", done.stdout + done.stderr


def test_files_are_read_there_as_they_were_written_and_no_link_is_followed(tmp_path: Path) -> None:
    code = ("from pathlib import Path; from arena.files import read_regular, write_atomic\n"
            "write_atomic('a', 'one\\r\\ntwo\\n'); Path('b').symlink_to('a')\n"
            "print(read_regular('a', 99), read_regular('b', 99), read_regular('a', 3), read_regular('.', 99))")
    assert elsewhere("-c", code, cwd=tmp_path).stdout == "b'one\\r\\ntwo\\n' None None None\n"


# ---- a reader who leaves; what a pipe answers then differs from system to system

@pytest.fixture
def hung_up() -> Iterator[int]:
    """An output whose reader has left, as macOS tells of it: hung up, and no error."""
    left, right = socket.socketpair()
    right.close()
    yield left.fileno()
    left.close()


@pytest.fixture
def invalid() -> Iterator[int]:
    """An output that calls a text an invalid argument, as Windows calls it if the reader has left."""
    descriptor = os.eventfd(0)
    yield descriptor
    os.close(descriptor)


SAYS = "from arena.unread import quiet_when_unread\nwith quiet_when_unread():\n    print('text')"


def test_a_reader_who_leaves_is_known_on_macos(hung_up: int) -> None:
    done = subprocess.run([sys.executable, "-c", SAYS], cwd=ROOT, stdout=hung_up, stderr=subprocess.PIPE, timeout=60)
    assert (done.returncode, done.stderr) == (READER_GONE, b"")


def test_a_reader_who_leaves_is_known_on_windows(invalid: int) -> None:
    done = elsewhere("-c", SAYS, cwd=ROOT, stdout=invalid)
    assert (done.returncode, done.stderr) == (READER_GONE, "")


def test_an_invalid_argument_is_an_error_on_other_systems_and_with_a_file(invalid: int) -> None:
    done = subprocess.run([sys.executable, "-c", SAYS], cwd=ROOT, stdout=invalid, stderr=subprocess.PIPE, timeout=60)
    assert done.returncode == 1 and b"Invalid argument" in done.stderr
    wrong = SAYS.replace("print('text')", "raise OSError(22, 'Invalid argument', 'a?b')")
    done = elsewhere("-c", wrong, cwd=ROOT)
    assert done.returncode == 1 and "Invalid argument: 'a?b'" in done.stderr
