"""The axis of strength: stored points, a student's player among them, and the picture."""

import json
import random
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from arena.__main__ import main as arena
from arena.challenge.own_strength import standing
from arena.errors import UserError
from arena.games import ConnectFour
from arena.players.random import RandomPlayer
from arena.strength import STRATA
from arena.strength.axis import SOURCES, draw_strength, picture
from arena.strength.points import POINTS, Point, point_of, read_points
from arena.strength.positions import Answer, Position, answers, sample
from arena.strength.uncertainty import share_error
from assets.make import strength_points
from assets.make.strength_points import write_points
from autograder.challenge.strength import own_points
from autograder.progress import Watcher
from tests.commands import autograder
from tests.unit.small_player import SMALL

ROOT = Path(__file__).resolve().parents[2]
GAME = ConnectFour()
NAMES = ("random play", "flat Monte Carlo", "tactical rollouts", "proofs", "PUCT", "make train after",
         "the network that ships, alone", "and 600 simulations", "Sand", "Pebble", "Stone", "Boulder", "Mountain", "10,000",
         "perfect play")
# the sandbox wants a root that is an object
ROOTED = SMALL.replace("rng), None", "rng), random.Random(0)")
PS2 = """
def search(game, state, num_simulations, exploration, rng, evaluate=None):
    legal = game.legal_actions(state)
    return min(legal, key=lambda column: abs(column - 3)), random.Random(0)
"""
FAULTY = """
def uct(game, state, rng, *, simulations=None, seconds=None):
    if len(game.legal_actions(state)) < 7:
        raise KeyError("no column")
    return 3, random.Random(0)
"""


class KeptSentences(Watcher):
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.sentences, self.totals, self.steps = [], [], 0

    def say(self, sentence: str) -> None:
        self.sentences.append(sentence)

    def start(self, what: str, total: int | None) -> None:
        self.totals.append(total)

    def step(self, student: str) -> None:
        self.steps += 1


def player(folder: Path, text: str, name: str = "ps3_connect_four") -> Path:
    (folder / f"{name}.py").write_text("import random\n" + text)
    return folder / f"{name}.py"


# -- stored points --------------------------------------------------------------------------------


def test_the_stored_points_are_all_there_and_in_the_order_of_strength() -> None:
    points = {point.name: point for point in read_points()}
    for name in NAMES:
        assert any(name in stored for stored in points), name
    assert {point.source for point in points.values()} <= set(SOURCES)
    shares = [next(point.mistakes for name, point in points.items() if bot in name)
              for bot in ("Random", "Sand", "Pebble", "Stone", "Boulder", "Mountain", "10,000")]
    assert shares == sorted(shares, reverse=True) and points["perfect play"].mistakes == 0.0
    assert strength_points.jobs().keys() <= {(point.name, point.source) for point in points.values()}
    assert json.loads(POINTS.read_text())["command"] == strength_points.COMMAND


@pytest.mark.usefixtures("computing")
def test_a_stored_point_measured_again_is_the_same() -> None:
    """the bot Pebble at the same positions with the same seeds; random play agrees with the exact expectation"""
    stored = {point.name: point for point in read_points()}
    name = next(name for name in stored if "Pebble" in name)
    given_answers = strength_points.jobs()[name, "bots"]()
    assert round(point_of(name, "bots", given_answers).mistakes, 4) == stored[name].mistakes
    expected = [sum(map(position.is_mistake, GAME.legal_actions(position.state))) / len(GAME.legal_actions(position.state))
                for position in sample(1000, random.Random(0))]
    chance = stored["random play (Random)"]
    assert abs(chance.mistakes - sum(expected) / 6000) < 4 * chance.error  # once in 16,000 measurements


def test_a_point_is_the_mean_of_the_strata_with_equal_weights() -> None:
    scores = (1, -1, None, None, None, None, None)
    given_answers = [Answer(Position(STRATA[0], (0, 0), scores), action) for action in (0, 0, 0, 1)]
    given_answers += [Answer(Position(STRATA[5], (0, 0), scores), 1)]
    point = point_of("x", "own", given_answers)
    assert point.mistakes == pytest.approx((0.25 + 1.0) / 2) and point.positions == 5
    assert point.error == pytest.approx((share_error(0.25, 4) ** 2 + share_error(1.0, 1) ** 2) ** 0.5 / 2)


def test_flat_monte_carlo_sees_a_win_and_proofs_are_proofs() -> None:
    wins = GAME.parse("......./......./......./......./OO...../XXX...O")
    for function in (strength_points.flat, strength_points.tactical, strength_points.proving):
        assert function(wins, 140, random.Random(0)) == 3


@pytest.mark.parametrize("text", ["", "[]", '{"points": [{"name": "x"}]}', '{"command": "x"}'])
def test_a_file_without_points_is_a_sentence(tmp_path: Path, text: str) -> None:
    (tmp_path / "points.json").write_text(text)
    for path in (tmp_path / "points.json", tmp_path / "absent.json"):
        with pytest.raises(UserError, match="has no points .*strength_points makes the file"):
            read_points(path)


def test_points_are_read_as_they_were_written(tmp_path: Path) -> None:
    points = [Point("a", "own", 0.25, 0.0125, 300)]
    write_points(points, "the command", tmp_path / "new" / "points.json")
    assert read_points(tmp_path / "new" / "points.json") == points


# -- a student's player ---------------------------------------------------------------------------


@pytest.mark.usefixtures("processes")
def test_a_student_s_player_is_asked_in_the_sandbox_at_a_sample(tmp_path: Path) -> None:
    watcher = KeptSentences()
    (point,) = own_points(player(tmp_path, ROOTED), 3, watcher)
    assert point.source == "own" and point.name.startswith("your uct, 400") and point.positions == 18
    assert watcher.totals == [18] and watcher.steps == 18
    assert 0 < point.mistakes < 1 and point.error > 0.02


@pytest.mark.usefixtures("processes")
def test_the_sample_and_the_moves_are_the_same_each_time(tmp_path: Path) -> None:
    first, second = (own_points(player(tmp_path, ROOTED), 3, Watcher()) for _ in range(2))
    assert first == second


@pytest.mark.usefixtures("processes")
def test_a_search_of_problem_set_2_has_a_point_too(tmp_path: Path) -> None:
    (point,) = own_points(player(tmp_path, PS2, "ps2_uct"), 4, Watcher())
    chosen = sample(4, random.Random("axis 0"))

    class Middle:
        def choose(self, state: tuple[int, int], simulations: int, rng: random.Random) -> int:
            return min(GAME.legal_actions(state), key=lambda column: abs(column - 3))

    assert point.name == "your search, 400 simulations"
    assert point.mistakes == point_of("x", "own", answers(Middle(), 1, 0, chosen)).mistakes


@pytest.mark.usefixtures("processes")
def test_each_player_of_a_file_has_its_point(tmp_path: Path) -> None:
    more = "\n\ndef open_player(game, state, rng):\n    return column(game, state, rng)\n"
    names = [point.name for point in own_points(player(tmp_path, ROOTED + more), 2, Watcher())]
    assert names == ["your uct, 400 simulations", "your open_player"]


@pytest.mark.usefixtures("processes")
def test_a_player_that_fails_sometimes_is_told_and_its_faults_are_mistakes(tmp_path: Path) -> None:
    watcher = KeptSentences()
    (point,) = own_points(player(tmp_path, FAULTY), 5, watcher)
    note = next(sentence for sentence in watcher.sentences if "gives no move" in sentence)
    assert "of 30 positions, and each counts as a mistake: KeyError" in note and "line" in note and point.positions == 30


@pytest.mark.usefixtures("processes")
def test_arena_ladder_measures_the_same_without_a_sandbox(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """the two commands share all but the sandbox"""
    monkeypatch.chdir(tmp_path)
    file = player(tmp_path, PS2, "ps2_uct")
    assert arena(["ladder", str(file), "--each", "4"]) == 0
    printed = capsys.readouterr()
    (point,) = own_points(file, 4, Watcher())
    assert printed.out == f"{standing(point, read_points())}\nwritten: ladder.svg\n"
    assert printed.err == f"your player: {file}, in this Python and without a sandbox\n"
    assert "your search, 400 simulations" in (tmp_path / "ladder.svg").read_text()


@pytest.mark.usefixtures("computing")
@pytest.mark.parametrize("text, words, message", [
    (FAULTY, ("--each", "5"), ""),
    ("def search(*all):\n    raise NotImplementedError('2.9 is not written yet')\n", (), "measured when your 2.9 is written"),
    ("def uct(*all, **named):\n    return 'left', None\n", ("--each", "2"), "no move at any of 12 positions: `uct` must return"),
    ("x = 1\n", (), "or a function `search` (problem set 2)"),
    (PS2, ("--to", "picture.png"), "ends in .svg"),
])
def test_what_arena_ladder_cannot_measure_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], text: str, words: tuple[str, ...],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    status = arena(["ladder", str(player(tmp_path, text, "mine")), *words])
    printed = capsys.readouterr()
    assert status == (2 if message else 0) and message in printed.err and Path("ladder.svg").exists() == (not message)
    assert message or "of 30 positions, and each counts as a mistake: KeyError" in printed.out


HEAD = "def uct(game, state, rng, *, simulations=None):\n"


@pytest.mark.first_shows
@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("name, text, reason", [
    ("ps3_connect_four", (ROOT / "assignments/ps3_connect_four/ps3_connect_four.py").read_text(), "when your 3.6 is written"),
    ("ps2_uct", (ROOT / "assignments/ps2_uct/ps2_uct.py").read_text(), "when your 2.9 is written"),
    ("ps3_connect_four", f"{HEAD}    return 'left', random.Random(0)\n", "gives no move at any of 12"),
    ("ps3_connect_four", "x = 1 / 0\n", "the search is not written yet"),
    ("ps5_alphazero", "x = 1\n", "weights.npz"),
], ids=["a stub", "a stub of set 2", "no column", "an error", "no weights"])
def test_a_broken_player_is_a_sentence(tmp_path: Path, name: str, text: str, reason: str) -> None:
    done = autograder("ladder", player(tmp_path, text, name), "--each", 2, "--to", tmp_path / "x.svg")
    printed = " ".join(done.stderr.split())
    assert done.returncode == 2 and reason in printed and "Traceback" not in printed, printed
    assert not (tmp_path / "x.svg").exists()


@pytest.mark.parametrize("name", ["ps1_games", "ps4_puct"])
def test_a_set_without_a_search_that_plays_connect_four_is_refused(tmp_path: Path, name: str) -> None:
    for path in (player(tmp_path, "x = 1\n", name), tmp_path):
        with pytest.raises(UserError, match="only problem sets 2, 3 and 5"):
            own_points(path, 1, Watcher())


# -- the command and the picture ------------------------------------------------------------------


@pytest.mark.usefixtures("repetition")
def test_the_command_draws_a_student_among_the_others(tmp_path: Path) -> None:
    done = autograder("ladder", player(tmp_path, ROOTED), "--each", 2, "--to", tmp_path / "own.svg")
    assert done.returncode == 0, done.stderr
    assert "your uct, 400 simulations: " in done.stdout and "12 positions; next to it, weaker: " in done.stdout
    text = (tmp_path / "own.svg").read_text()
    ElementTree.fromstring(text)
    assert all(name in text for name in ("your uct, 400 simulations", "Mountain", "perfect play", "flat Monte Carlo"))


@pytest.mark.usefixtures("repetition")
def test_the_command_without_a_player_draws_the_picture_of_the_docs(tmp_path: Path) -> None:
    done = autograder("ladder", "--to", tmp_path / "x.svg")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "x.svg").read_text() == (ROOT / "docs" / "figures" / "strength.svg").read_text()
    assert "your" not in (tmp_path / "x.svg").read_text()


@pytest.mark.first_shows
@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("arguments, reason", [
    (("--to", "picture.png"), "ends in .svg"),
    (("nothing/here.py",), "does not exist; give"),
    (("--each", "2000"), "1000"),
])
def test_a_wrong_option_is_a_sentence(arguments: tuple[str, ...], reason: str) -> None:
    done = autograder("ladder", *arguments)
    assert done.returncode == 2 and reason in done.stderr and "Traceback" not in done.stderr


def test_rows_stand_in_the_order_of_strength_and_own_points_stand_out() -> None:
    points = [Point("strong", "bots", 0.1, 0.01, 300), Point("your uct", "own", 0.3, 0.02, 300), Point("weak", "bots", 0.6, 0, 9)]
    text = picture(points).decode()
    assert text.index(">weak<") < text.index(">your uct<") < text.index(">strong<")
    assert "#fff3c4" in text and "#fff3c4" not in picture(points[:1]).decode()
    assert ">30.0<" in text and ">you<" in text


def test_the_sentence_names_the_neighbours() -> None:
    points = [Point("weak", "bots", 0.6, 0.0, 1), Point("strong", "bots", 0.1, 0.0, 1), Point("middle", "bots", 0.4, 0.0, 1)]
    text = standing(Point("your uct", "own", 0.3, 0.02, 300), points)
    share = "30.0 ± 2.0 % mistakes at 300 positions"
    assert text == f"your uct: {share}; next to it, weaker: middle (40.0), stronger: strong (10.0)"
    assert "no stored player is weaker" in standing(Point("x", "own", 0.7, 0.0, 1), points)
    assert "weaker: middle (40.0), equal: strong (10.0)" in standing(Point("x", "own", 0.1, 0.0, 1), points)


@pytest.mark.usefixtures("computing")
def test_a_lesson_draws_ones_own_player_among_the_others() -> None:
    own_answers = answers(RandomPlayer(GAME), 1, 0, sample(3, random.Random(0)))
    alone, beside = draw_strength()._repr_svg_(), draw_strength(own_answers, "my <player>")._repr_svg_()
    assert "perfect play" in alone and "player" not in alone
    assert "perfect play" in beside and "my &lt;player&gt;" in beside
    assert ElementTree.fromstring(beside).tag.endswith("svg")
