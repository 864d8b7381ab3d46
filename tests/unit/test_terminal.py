"""The terminal: tables that cut nothing, help that teaches, completion, and output that a pipe or a plain terminal can take."""

import io
import os
import pty
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import typer
from rich.console import Console
from typer.testing import CliRunner

import bench.__main__ as bench_main
from arena.board.positions import GAMES
from arena.challenge.kinds import UCT
from arena.progress import can_draw
from autograder import progress
from autograder.cli.app import app
from autograder.cli.completion import FUNCTIONS, VARIABLE, attacks, courses, exercises, games, hand_ins, problem_sets, rungs
from autograder.cli.printing.standings import print_standings
from autograder.cli.printing.summary import print_summary
from autograder.course import pipeline
from autograder.course.pipeline import Summary
from autograder.problem_sets.source import load, names
from autograder.progress import ProgressBar
from autograder.selftest.attack.bank import load_attacks
from autograder.selftest.broken.bank import load_messes
from autograder.selftest.handle import handle_of
from autograder.tournament.participants import Participant
from autograder.tournament.rating import Rating
from autograder.tournament.tournament import Standing
from autograder.tournament.tournament import Table as Standings
from bench import Row
from tests.classroom.made import report
from trainer.__main__ import LiveTable
from trainer.__main__ import app as trainer_app
from trainer.metrics import Losses, Metrics, Played

ROOT = Path(__file__).resolve().parents[2]
LONG = "an exercise with a name of many words that no column holds, and_one_word_that_is_longer_than_any_column_could_be"
WIDTHS = pytest.mark.parametrize("width", [60, 80])


def page(width: int) -> Console:
    return Console(width=width, file=io.StringIO(), record=True)


def column(text: str, head: str, following: str) -> str:
    """The text of a table's column from top to bottom, without spaces; `following` is the head of the next column."""
    lines = text.splitlines()
    heads = next(line for line in lines if head in line and following in line)
    left, right = heads.index(head), heads.index(following)
    return "".join(line[left:right] for line in lines).replace(" ", "")


@WIDTHS
def test_a_class_with_long_names_is_shown_in_full(width: int, tmp_path: Path) -> None:
    short = report({"2.5": "passed", "2.6": "not written"})
    named = short.with_exercises((replace(short.exercises[0], title=LONG), short.exercises[1]))
    console = page(width)
    print_summary(console, Summary(tmp_path, "ps2_uct", {f"student {number}": named for number in range(1000)}))
    printed = console.export_text()
    assert "\u2026" not in printed and max(len(line) for line in printed.splitlines() if str(tmp_path) not in line) <= width
    assert LONG.replace(" ", "") in column(printed, "exercise", "points")
    assert len(re.findall(r"\b1000\b", printed)) == 5  # the table, the histogram, and "graded 1000 of 1000"


def test_a_fault_in_any_of_the_sets_is_the_exit_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the grading is left out: reports with and without a fault come back at once."""
    outcome = {"ps1_games": "grader fault", "ps2_uct": "passed"}
    for ps in outcome:
        (tmp_path / "submitted" / "ada" / ps).mkdir(parents=True)
    (tmp_path / ".cache").mkdir()  # of a class that was graded before: no worker is started in advance

    def graded(course: Path, ps: str, *rest: object, **options: object) -> Summary:
        return Summary(course, ps, {"ada": report({"2.5": outcome[ps]})})

    monkeypatch.setattr(pipeline, "grade_course", graded)
    monkeypatch.setattr(progress.Stop, "listen", lambda self: None)  # the handlers of signals would stay after the test
    codes = [CliRunner().invoke(app, ["grade", str(tmp_path), *more]).exit_code for more in ([], ["--ps", "ps2_uct"])]
    assert codes == [1, 0]


@WIDTHS
def test_players_with_long_names_are_shown_in_full(width: int, tmp_path: Path) -> None:
    player = Participant("ada/uct", "Extraordinarily Brave Hippopotamus 27", UCT, "0" * 64, 400, "ada")
    standing = Standing(player, Rating(2012.0, 1875.0, 2230.0), won=1020, drawn=301, lost=2040)
    console = page(width)
    print_standings(console, Standings((standing,), (), 1, "Stone", 0), tmp_path)
    printed = console.export_text()
    assert "\u2026" not in printed and player.handle.replace(" ", "") in column(printed, "player", "class")
    assert all(figure in printed for figure in ("2012", "1875 to 2230", "1020 301 2040"))


@WIDTHS
def test_benchmarks_with_long_names_are_shown_in_full(width: int) -> None:
    console = page(width)
    row = Row("compiled_uct_vs_openspiel_cpp_x2", 1234567.0, 123456.0, "simulations/s", 10.0, "")
    console.print(bench_main._table([row], "against another project", width))
    printed = console.export_text()
    assert "\u2026" not in printed and "1,234,567.0" in printed and "123,456.0" in printed


@WIDTHS
def test_a_long_training_shows_every_figure_in_full(width: int) -> None:
    table = LiveTable()
    table.add(Metrics(1234, 123.4, 1000, Played(), Losses(1.5, 0.25, 1.2), 300000, 0.99, 1234567, 10**9))
    console = page(width)
    console.print(table.render(width, "iteration 1234, 40 % done, about 18 min left"))
    printed = console.export_text()
    assert "\u2026" not in printed and all(word in printed for word in ("1234", "123.4", "1,234,567", "300,000", "18 min left"))


def commands(of: typer.Typer, before: str) -> list[tuple[str, typer.core.TyperCommand]]:
    """Every command with the words that call it."""
    listed = []
    for name, command in typer.main.get_command(of).commands.items():
        inner = getattr(command, "commands", None)
        listed += [(f"{before} {name} {sub}", leaf) for sub, leaf in inner.items()] if inner else [(f"{before} {name}", command)]
    return listed


COMMANDS = commands(app, "python -m autograder") + commands(trainer_app, "python -m trainer")


@pytest.mark.parametrize("called, command", COMMANDS, ids=[called for called, _ in COMMANDS])
def test_the_help_of_a_command_has_an_example_that_can_be_typed(called: str, command: typer.core.TyperCommand) -> None:
    example = re.search(r"^Example: (.*)$", command.help, re.MULTILINE)[1]
    if called.endswith("completion"):
        return
    assert example.startswith(called)
    command.make_context(called, shlex.split(example.removeprefix(called)))  # every option and number is one that it takes
    assert [option.name for option in command.params if option.name != "help" and not option.help] == []


@pytest.mark.parametrize("called, command", COMMANDS, ids=[called for called, _ in COMMANDS])
def test_every_command_stands_on_the_page_about_the_command_line(called: str, command: typer.core.TyperCommand) -> None:
    assert f"`{called.removeprefix('python -m ')}`" in (ROOT / "docs" / "commands.md").read_text()


@pytest.mark.usefixtures("processes")
def test_the_help_is_grouped_by_reader() -> None:
    printed = python("-m", "autograder", "--help").stdout
    heads = ("For students", "\n\u2502 challenge ", "For instructors", "\n\u2502 grade ", "For maintainers", "\n\u2502 verify ")
    order = [printed.index(head) for head in heads]
    assert order == sorted(order)


def python(*arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("FORCE_COLOR", "TTY_COMPATIBLE", "COLUMNS")}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=ROOT, env=kept | settings, capture_output=True, text=True, timeout=300)


QUICK = [
    ("-m", "autograder", "--help"), ("-m", "autograder", "grade", "--help"), ("-m", "autograder", "preflight"),
    ("-m", "autograder", "staff", "--help"), ("-m", "trainer", "train", "--help"), ("-m", "arena", "--help"),
    ("-m", "arena", "assignments/ps2_uct", "-k", "2.1"),
]  # fmt: skip


@pytest.mark.first_shows
@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("words", QUICK, ids=" ".join)
def test_a_pipe_gets_no_control_codes(words: Sequence[str]) -> None:
    done = python(*words)
    assert done.stdout.strip()
    assert re.findall(r"[\x00-\x08\x0b-\x1f\x7f]", done.stdout + done.stderr) == []


def on_a_terminal(*words: str, **settings: str) -> str:
    """What a program writes on a terminal."""
    master, slave = pty.openpty()
    command = [sys.executable, *words]
    program = subprocess.Popen(command, cwd=ROOT, env=os.environ | settings, stdin=slave, stdout=slave, stderr=slave)
    os.close(slave)
    written = b""
    try:
        while piece := os.read(master, 4096):
            written += piece
    except OSError:  # so a terminal says that its last program has left
        pass
    os.close(master)
    program.wait(timeout=300)
    return written.decode(errors="replace")


@pytest.mark.first_shows
@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("words", [QUICK[0], QUICK[2], QUICK[4], QUICK[6]], ids=" ".join)
def test_a_dumb_terminal_gets_no_control_codes(words: Sequence[str]) -> None:
    assert "\x1b" not in on_a_terminal(*words, TERM="dumb")


@pytest.mark.usefixtures("processes")
def test_who_wants_no_colour_gets_none() -> None:
    colour = re.compile(r"\x1b\[(?:\d+;)*[349][0-7]m")
    assert colour.search(on_a_terminal("-m", "autograder", "preflight", TERM="xterm-256color"))
    assert not colour.search(on_a_terminal("-m", "autograder", "preflight", TERM="xterm-256color", NO_COLOR="1"))


def test_on_a_dumb_terminal_a_long_run_says_lines() -> None:
    console = Console(file=io.StringIO(), force_terminal=True, _environ={"TERM": "dumb"})
    assert console.is_terminal and not can_draw(console)
    bar = ProgressBar(console)
    bar.start("grading", 3)
    bar.step("ada")
    bar.end()
    assert console.file.getvalue() == "grading: 3\n"


@pytest.mark.first_shows
@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("words", [*QUICK, ("-m", "autograder", "completion", "bash")], ids=" ".join)
def test_a_program_whose_reader_has_left_ends_without_a_word(words: Sequence[str]) -> None:
    """as after `| head -1`; here the reader has left before the first line, so that no timing decides"""
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([sys.executable, *words], cwd=ROOT, stdout=writing, stderr=subprocess.PIPE, text=True, timeout=300)
    os.close(writing)
    assert done.stderr == "" and done.returncode in (0, 1, 141)  # argparse and rich have codes of their own


def test_completion_knows_what_there_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert problem_sets("") == names() and problem_sets("ps2") == ["ps2_uct"]
    context = typer.Context(typer.main.get_command(app))
    context.params["ps"] = "ps2_uct"
    assert exercises(context, "") == [exercise.id for exercise in load("ps2_uct").exercises]
    assert rungs("Pe") == ["Pebble"] and games("") == list(GAMES)
    known = load_attacks()
    families = {attack.family for attack in known}
    handles = {attack.handle for attack in known} | {handle_of(attack.name) for attack in known}
    assert families <= set(attacks("")) <= families | handles
    assert len(attacks("")) > 100  # all but those that a loop makes
    assert {handle_of(mess.name) for mess in load_messes()} <= set(hand_ins(""))
    (tmp_path / "spring" / "submitted").mkdir(parents=True)
    (tmp_path / "sprint").mkdir()
    monkeypatch.chdir(tmp_path)
    assert courses("") == ["spring", "sprint/"] and courses("spring") == ["spring"]
    assert courses(f"{tmp_path}/sprin") == [f"{tmp_path}/spring", f"{tmp_path}/sprint/"]
    assert courses("nowhere/") == []


@pytest.mark.first_shows
@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("line, offered", [
    ("autograder gra", ["grade"]), ("autograder grade --ps ps2", ["ps2_uct"]), ("autograder staff ", ["roster", "differences"]),
    ("autograder verify --ps ps2_uct --exercise 2.1", ["2.1", "2.10", "2.11"]), ("autograder challenge --rung Pe", ["Pebble"]),
])
def test_bash_completes_with_our_script(line: str, offered: list[str]) -> None:
    words = [*line.split(), *([""] if line.endswith(" ") else [])]
    asked = f'COMP_WORDS=({shlex.join(words)}); COMP_CWORD={len(words) - 1}; _autograder; echo "${{COMPREPLY[*]}}"'
    script = python("-m", "autograder", "completion", "bash").stdout
    done = subprocess.run(["bash", "--norc", "-c", f"{script}\n{asked}"], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.stderr == "" and done.stdout.split()[: len(offered)] == offered


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("shell, settings", [
    ("zsh", {"_TYPER_COMPLETE_ARGS": "autograder gra"}),
    ("fish", {"_TYPER_COMPLETE_ARGS": "autograder gra", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}),
])
def test_other_shells_ask_in_their_own_way(shell: str, settings: dict[str, str]) -> None:
    assert all(name in FUNCTIONS[shell] for name in settings)
    assert "grade" in python("-m", "autograder", **settings, **{VARIABLE: f"complete_{shell}"}).stdout


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("program", ["arena", "autograder"])
def test_a_program_says_its_version(program: str) -> None:
    number = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    done = python("-m", program, "--version")
    assert (done.returncode, done.stdout) == (0, f"{program} {number} (Python {sys.version.split()[0]})\n")
