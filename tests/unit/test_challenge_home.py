"""The challenge at home, in process: what a student reads before, while and after a player climbs."""

import re
import shlex
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from arena.__main__ import main
from arena.challenge import command, home
from arena.challenge.kinds import CHECKS, LADDER_SETS, NETWORK, PS5
from arena.challenge.ladder import Ladder, load_ladder
from arena.challenge.match import ALIKE, STOPPED, Seeds, lost_alike
from arena.challenge.mistakes import Lesson, mistakes
from arena.challenge.move_quality import quality_points
from arena.challenge.own_player import load_entry
from arena.challenge.report import ChallengeReport, RungReport
from arena.challenge.sprt import FAILED, PASSED
from arena.challenge.summary import next_step, typed, worst_move
from arena.edition import PUBLIC_SECRET
from arena.games import ConnectFour
from arena.players.perfect import PerfectPlayer
from arena.result import Fault, PlayedGame
from arena.strength.positions import answers, rates, sample
from autograder.challenge.player.entrant import sets_with_players
from autograder.problem_sets.source import facts_of, load, module_text
from tests.unit.small_player import SMALL

pytestmark = pytest.mark.usefixtures("processes")

FIRST = "\ndef uct(game, state, rng, simulations=400):\n    return game.legal_actions(state)[0], None\n"
Climb = Callable[..., tuple[int, str, str]]


def quick(**changed: object) -> Ladder:
    """The ladder with short matches: odds of 20 to 1 are enough."""
    ladder = load_ladder()
    return replace(ladder, **{"error_odds": 20, "quality": replace(ladder.quality, each=1), **changed})


@pytest.fixture
def climb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Climb:
    """Run `arena challenge` with a file of this code; returns the exit code, the output and the errors."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["arena"])

    def run(code: str, *words: str, **changed: object) -> tuple[int, str, str]:
        monkeypatch.setattr(command, "load_ladder", lambda: quick(**changed))
        Path("mine.py").write_text(code)
        status = main(["challenge", "mine.py", *words])
        return status, *capsys.readouterr()

    return run


def saved(name: str = "challenge.json") -> ChallengeReport:
    return ChallengeReport.from_json(Path(name).read_text())


def test_a_climb_says_what_plays_how_it_went_and_what_comes_next(climb: Climb) -> None:
    status, printed, _ = climb(SMALL, highest="Sand")
    assert status == 0
    assert printed.index("`uct` of problem set 3 plays; 400 simulations a move") < printed.index("Random    passed")
    assert "+3.0 (ln 20: 20 to 1) passes, -3.0 fails" in printed and re.search(r"15 of 15 points, evidence \+3\.\d", printed)
    points = saved().points
    assert f"points so far: {points:g} of 100" in printed and points >= 15
    assert [rung.name for rung in saved().rungs] == ["Random", "Sand"]
    assert next_step(saved().rungs[-1], quick(highest="Sand")) in printed


def test_the_last_line_shows_the_game_of_the_worst_move(climb: Climb, capsys: pytest.CaptureFixture[str]) -> None:
    _, printed, _ = climb(SMALL, "--rung", "Pebble")
    worst = re.search(r"your worst move: Pebble, game (\d+), you are ([XO]) and to move; (move .*)", printed)
    shown = re.search(r"^to see your games: (arena replay challenge.json --rung Pebble --game (\d+))$", printed, re.M)
    assert worst[1] == shown[2] and f"saved: {Path('challenge.json').resolve()}" in printed
    assert main(shlex.split(shown[1])[1:]) == 0
    replayed = capsys.readouterr().out
    assert replayed.startswith(f"Pebble, game {worst[1]}: you were {worst[2]}") and worst[3] in replayed


def test_the_worst_move_is_a_board_with_the_exact_value_of_every_column() -> None:
    game = PlayedGame((3, 0, 3, 0, 3, 0, 6, 0), 6, 0, 0.0)  # X does not complete column 3, O completes column 0
    (mistake,) = mistakes(game, PerfectPlayer())
    lines = worst_move(Lesson("Stone", 11, mistake))
    assert lines[1] == "your worst move: Stone, game 12, you are X and to move; move 7: column 6 loses in 2; column 3 wins in 1"
    assert [line.split() for line in lines[5:10]] == [
        ["O", ".", ".", "X", ".", ".", "."], ["O", ".", ".", "X", ".", ".", "."], ["O", ".", ".", "X", ".", ".", "."],
        ["0", "1", "2", "3", "4", "5", "6"], lines[9].split()]
    values = lines[9].split()
    assert values[3] == "W1" and values[6] == "L2" and len(values) == 7


def test_the_next_step_is_the_next_rung_or_this_one_or_the_solver() -> None:
    ladder = load_ladder()
    rung = RungReport("Sand", 25, PASSED, 20, 20, 0.9, (0, 1), 7, (1, 0), (0, 0), (0, 0), {}, ("",) * 30)
    plays = "next: Pebble plays with 100 simulations a move; a score (wins, and half the draws) of 0.70 or more passes"
    assert next_step(rung, ladder).startswith(plays)
    assert next_step(replace(rung, verdict=FAILED, score=0.41), ladder).endswith("yours was 0.41 in 30 games")
    assert "Perfect follows, the solver, for 5 points" in next_step(replace(rung, name="Mountain"), ladder)


def test_the_command_can_be_typed_where_a_path_holds_blanks(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["arena", "replay", "my course/challenge.json", "--game", "1"]
    assert shlex.split(typed(words)) == words
    monkeypatch.setattr(sys, "platform", "win32")
    assert typed(words) == 'arena replay "my course/challenge.json" --game 1'


def test_a_visible_check_that_fails_is_a_warning_and_the_climb_goes_on(climb: Climb) -> None:
    checks = "".join(
        f'# %% check="{number}"\n@check("{number}", "part")\ndef check_{number[0]}_{number[2]}():\n    """holds"""\n'
        f"    expect({number}, 3.1, what='a number')\n\n" for number in ("3.1", "3.2", "3.9"))
    status, printed, _ = climb(f"# %%\nfrom arena.check import check, expect\n{SMALL}\n{checks}", "--rung", "random")
    assert status == 0 and "15 of 15 points" in printed
    assert "3.2 part   NOT YET   holds" in printed and "3.9" not in printed, "3.9 does not play"
    assert printed.index("warning: 1 of the 2 visible checks behind `uct` do not pass") < printed.index("Random    passed")


def test_the_sets_with_a_player_are_the_same_at_home_and_in_a_class() -> None:
    assert tuple(sets_with_players()) == LADDER_SETS


@pytest.mark.parametrize("ps", sets_with_players())
def test_the_checks_of_what_plays_are_checks_of_the_set(ps: str) -> None:
    there = {exercise.id for exercise in load(ps).exercises} | {"joint"}
    asked = CHECKS[facts_of(ps).player]
    assert len(asked) > 3 and set(asked) <= there


def test_an_exception_is_told_with_its_text_and_its_line_and_ends_the_rung_soon(climb: Climb) -> None:
    status, printed, _ = climb("# %%\ndef uct(game, state, rng, simulations=400):\n    return {}[state], None\n")
    assert status == 0
    assert re.search(r"lost by .*, in 6 of 6 games: KeyError: \(\d+, \d+\) \(mine.py, line 3, in uct\), and alike", printed)
    assert "Random ends here: the last 6 games were lost in the same way" in printed
    assert (saved().rungs[0].verdict, len(saved().rungs[0].games), saved().points) == (STOPPED, ALIKE, 0)


def test_games_are_lost_alike_by_the_same_moves_or_the_same_fault() -> None:
    def games(moves: list[int], reason: str = "", score: float = 0.0) -> list[PlayedGame]:
        fault = Fault(0, reason) if reason else None
        return [PlayedGame((3, 3, move, 6), 2, number % 2, score, fault) for number, move in enumerate(moves)]

    assert lost_alike(games([0] * ALIKE)) and not lost_alike(games([0] * (ALIKE - 1)))
    assert not lost_alike(games([0] * ALIKE, score=0.5)) and not lost_alike(games([0, 1, 1, 1, 1, 1]))
    same, other = (f"KeyError: {{}} (mine.py, line {line}, in uct)" for line in (3, 4))
    alike = [game for number in range(ALIKE) for game in games([number], same.format(number))]
    assert lost_alike(alike) and not lost_alike([*games([0], other), *alike[1:]])


@pytest.mark.parametrize("answer, reason", [
    ("3", r"`uct` must return \(action, root\), and returns int"),
    ("3.0, None", "`uct` must return a column as an int, and returns float"),
    ("9, None", "9"),
    ("while_true()", r"a move took more than 0.05 s of CPU time \(mine.py, line \d+, in while_true\)"),
    ("exit(3)", "SystemExit: 3 "),
])
def test_an_answer_that_is_no_column_loses_the_game_with_a_reason(climb: Climb, answer: str, reason: str) -> None:
    code = f"def while_true():\n    while True:\n        pass\n\ndef uct(*more, **options):\n    return {answer}\n"
    status, printed, _ = climb(code, "--rung", "Random", move_cpu_s=0.05)
    assert status == 0 and re.search(f"lost by a mistake, not on the board, in 6 of 6 games: .*{reason}", printed), printed


def test_an_open_player_climbs_too_and_brings_no_points(climb: Climb) -> None:
    status, printed, _ = climb(FIRST + "\ndef open_player(game, state, rng):\n    return wins_or_middle(game, state, rng)\n"
                               + SMALL.replace("def uct", "def not_uct") + "\nwins_or_middle = column\n", "--rung", "Random")
    assert status == 0
    search, _, opened = printed.partition("`open_player` plays: it is for the open class of the tournament, not for the exam")
    assert "points so far" in search and "points so far" not in opened and "no points: the exam does not ask" in opened
    assert "--rung Random" in opened and saved("challenge_open_player.json").rungs[0].verdict == PASSED


def test_a_network_plays_with_the_weights_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(CHECKS, NETWORK, ("5.4",))  # the others take seconds
    monkeypatch.setattr(command, "load_ladder", lambda: quick(error_odds=2, student_simulations=3))
    (tmp_path / f"{PS5}.py").write_text(module_text(load(PS5), solution=True))
    assert main(["challenge", str(tmp_path), "--rung", "Random"]) == 2
    assert f"there is no weights.npz in {tmp_path}" in capsys.readouterr().err
    net = sys.modules[PS5].make_net(ConnectFour())
    sys.modules[PS5].save_weights(net, str(tmp_path / "weights.npz"))
    assert main(["challenge", str(tmp_path), "--rung", "Random"]) == 0
    printed = capsys.readouterr().out
    assert "visible checks passed: 1 of 1" in printed and "`AlphaMCTS` of problem set 5 plays" in printed
    assert "\nRandom    " in printed
    assert "lost by a mistake" not in printed and (tmp_path / "challenge.json").exists()
    weights = {name: tensor.numpy() for name, tensor in net.state_dict().items()}
    infinite = {"conv1.bias": np.full(32, np.inf, np.float32)}
    for refused, reason in ((infinite, "nan or infinity"), ({"more": np.zeros(2**20)}, "bytes")):
        np.savez(tmp_path / "weights.npz", **{**weights, **refused})  # the exam does not take them either
        assert main(["challenge", str(tmp_path)]) == 2 and reason in capsys.readouterr().err
    np.savez(tmp_path / "weights.npz", other=np.zeros(3))
    assert main(["challenge", str(tmp_path)]) == 2 and "does not fit the network that make_net makes" in capsys.readouterr().err


def test_move_quality_is_measured_as_the_exam_does(climb: Climb) -> None:
    _, printed, _ = climb(SMALL, "--rung", "Random", "--quality")
    player = load_entry(Path("mine.py"), quick(), print, LADDER_SETS).players[0]
    dice = Seeds(PUBLIC_SECRET, saved().sha256).dice("quality")
    chosen, seed = sample(1, dice), dice.getrandbits(63)
    points = quality_points(rates(answers(player, 400, seed, chosen)), quick())
    assert saved().quality.points == points
    assert f"move quality at public positions: {points:g} of 10 points; mistakes: begin-easy " in printed
    assert f"points so far: {15 + points:g} of 100" in printed


def test_ctrl_c_keeps_and_sums_up_what_was_played(climb: Climb) -> None:
    code = SMALL + "\ngames = []\ncolumn_ = column\ndef column(game, state, rng):\n    games.append(1)\n" \
                   "    if len(games) > 40:\n        raise KeyboardInterrupt\n    return column_(game, state, rng)\n"
    status, printed, errors = climb(code, error_odds=999)
    assert status == 130 and "stopped; the games until then" in errors
    assert "points so far: 0 of 100" in printed and "next: Random" in printed
    assert saved().rungs[0].verdict == STOPPED and 0 < len(saved().rungs[0].games) < 30


def test_ctrl_c_while_the_worst_moves_are_looked_for_loses_no_game(climb: Climb, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(home, "lessons", stop)
    status, _, errors = climb(SMALL, "--rung", "Random")
    assert status == 130 and "stopped; the games until then" in errors
    assert saved().rungs[0].verdict == PASSED and saved().mistakes == ()


def test_a_part_that_is_not_written_ends_the_climb_and_loses_no_game(climb: Climb) -> None:
    code = SMALL + "\ngames = []\ncolumn_ = column\ndef column(game, state, rng):\n    games.append(1)\n" \
                   "    if len(games) > 40:\n        raise NotImplementedError('3.9 is not written yet')\n" \
                   "    return column_(game, state, rng)\n"
    status, printed, _ = climb(code, error_odds=999)
    assert status == 130 and "3.9 is not written yet. In the exam such a game is lost" in printed
    assert saved().rungs[0].verdict == STOPPED and 0 < len(saved().rungs[0].games) < 30


def test_ctrl_c_before_the_first_pair_of_games_leaves_an_older_report_alone(climb: Climb) -> None:
    Path("challenge.json").write_text("older")
    status, _, errors = climb("def uct(game, state, rng, simulations=400):\n    raise KeyboardInterrupt\n")
    assert status == 130 and "nothing is saved" in errors and Path("challenge.json").read_text() == "older"


def test_where_the_folder_cannot_be_written_the_report_is_saved_here(
    climb: Climb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs, write = tmp_path / "theirs", home.write_atomic

    def refuse(path: Path, content: str) -> None:
        if path.parent == theirs:
            raise PermissionError(13, "Permission denied", str(path))
        write(path, content)

    monkeypatch.setattr(home, "write_atomic", refuse)
    assert home._save(ChallengeReport("ps3_connect_four", "", "played", ""), theirs, "challenge.json") == Path("challenge.json")
    assert saved().player == "ps3_connect_four"


@pytest.mark.parametrize("code, words, message", [
    ("x = 1\n", (), "mine.py has no player: a function `uct`"),
    (SMALL, ("--rung", "Rock"), "no rung is called 'Rock'; choose from Random, "),
    ("def uct(*more, **options):\n    raise NotImplementedError('exercise 3.6 (uct) is not written yet')\n", (),
     "3.6 (uct) is not written yet: the challenge begins when your 3.6 is written"),
])
def test_what_must_be_solved_first_is_one_sentence(climb: Climb, code: str, words: tuple[str, ...], message: str) -> None:
    status, _, errors = climb(code, *words)
    assert status == 2 and message in errors and errors.count("\n") == 1


@pytest.mark.parametrize("path, message", [
    ("nowhere.py", "nowhere.py does not exist; give"), ("broken.ipynb", "broken.ipynb cannot be read: it is damaged"),
    ("empty", "is a folder with 0 problem sets (none): name one file"),
])
def test_a_file_that_is_missing_or_broken_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], path: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("broken.ipynb").write_text("{")
    Path("empty").mkdir()
    assert main(["challenge", path]) == 2 and message in capsys.readouterr().err


def test_without_numba_the_challenge_says_what_to_install_and_a_replay_marks_nothing(
    climb: Climb, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    climb(SMALL, "--rung", "Random")
    monkeypatch.setitem(sys.modules, "numba", None)
    assert climb(SMALL)[::2] == (2, f"arena: {command.INSTALL_NUMBA}\n")
    assert main(["replay", "challenge.json"]) == 0 and "8: opening" in (printed := capsys.readouterr().out)
    assert "no mistake is marked (python -m pip install numba)" in printed
