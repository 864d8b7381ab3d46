"""An edition's own positions of move quality: nobody else can know them, and a table of the public ones is worth nothing."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from arena.challenge.ladder import load_ladder
from arena.edition import PUBLIC_SECRET
from arena.games import ConnectFour
from arena.players import book
from arena.players.solver import Solver
from arena.strength import STRATA
from arena.strength.drawing import OWN_STONES, own_positions
from arena.strength.positions import Position, from_rows, positions, rows_of, stratum_of
from autograder.challenge.exam.whole_exam import hold
from autograder.challenge.model import Conditions
from autograder.course.challenge.course_positions import course_positions
from autograder.progress import Watcher
from autograder.submission import read as submissions
from tests.speeds import Speed, costs
from tests.students import solved

PS, SECRET, EACH = "ps3_connect_four", b"of this test", 2
GAME = ConnectFour()


class CountedProgress(Watcher):
    """Remembers what was begun, and counts the steps."""

    def __init__(self) -> None:
        self.begun, self.steps = [], 0

    def start(self, what: str, total: int | None) -> None:
        self.begun.append((what, total))

    def step(self, student: str) -> None:
        self.steps += 1


@pytest.fixture(scope="module")
@costs(Speed.TEST)
def own() -> tuple[Position, ...]:
    return own_positions(SECRET, EACH)


def test_each_stratum_has_as_many_and_every_score_is_the_solver_s(own: tuple[Position, ...]) -> None:
    assert Counter(position.stratum for position in own) == dict.fromkeys(STRATA, EACH)
    for position in own:
        assert Solver(20).scores(position.state) == list(position.scores)
        assert stratum_of(position.state, max(score for score in position.scores if score is not None)) == position.stratum
        assert len({position.is_mistake(column) for column in GAME.legal_actions(position.state)}) == 2


def test_no_table_can_hold_them(own: tuple[Position, ...]) -> None:
    """They are neither public ones nor their mirror images. None has so few stones that a table could hold all such positions."""
    public = {book.key_of(position.state) for position in positions()}
    keys = {book.key_of(position.state) for position in own}
    assert not public & keys and len(keys) == len(own)
    stones = [(own_ | other).bit_count() for own_, other in (position.state for position in own)]
    assert min(stones) >= 12 == min(OWN_STONES["begin"])


@pytest.mark.usefixtures("computing")
def test_a_secret_draws_the_same_ones_and_another_secret_others(own: tuple[Position, ...]) -> None:
    assert own_positions(SECRET, EACH) == own
    assert not set(own_positions(b"another", 1)) & set(own)


@pytest.mark.usefixtures("computing")
def test_a_position_that_was_drawn_once_never_comes_again_nor_does_a_public_one(
    own: tuple[Position, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """with its first positions made public, the edition draws others"""
    monkeypatch.setattr("arena.strength.drawing.positions", lambda: own)
    assert not set(own_positions(SECRET, 1)) & set(own)


def test_they_come_back_from_their_rows(own: tuple[Position, ...]) -> None:
    rows = json.loads(json.dumps(rows_of(own)))
    assert from_rows(rows) == own
    for damaged in (None, 7, [["begin-easy"]], [[*rows[0][:2], rows[0][2][:6]]], [[*rows[0][:2], [None] * 7]]):
        with pytest.raises((ValueError, TypeError)):
            from_rows(damaged)


# -- the course ---------------------------------------------------------------------------------------


@pytest.mark.usefixtures("repetition")
def test_a_course_draws_once_tells_it_and_can_lose_the_file(tmp_path: Path, own: tuple[Position, ...]) -> None:
    watcher = CountedProgress()
    drawn = course_positions(tmp_path, SECRET, EACH, watcher)
    assert from_rows(drawn) == own and watcher.steps == 6 * EACH
    (what, total), = watcher.begun
    assert "once for this course" in what and total == 6 * EACH
    (kept,) = (tmp_path / ".cache").rglob("*.json")
    assert kept.stat().st_mode & 0o007 == 0  # nobody but the owner and the staff's group
    before, silent = kept.read_bytes(), CountedProgress()
    assert list(course_positions(tmp_path, SECRET, EACH, silent)) == list(map(list, drawn)) and silent.begun == []
    for damage in (b"", b"{}", b'{"rows": []}', json.dumps({"rows": json.loads(before)["rows"][1:]}).encode()):
        kept.write_bytes(damage)
        course_positions(tmp_path, SECRET, EACH, watcher)
        assert kept.read_bytes() == before


@pytest.mark.usefixtures("computing")
def test_another_secret_or_number_has_its_own_file_and_the_public_edition_none(tmp_path: Path) -> None:
    six, twelve, other = (course_positions(tmp_path, secret, each, Watcher()) for secret, each in
                          ((SECRET, 1), (SECRET, 2), (b"another", 1)))
    assert (len(six), len(twelve), len(other)) == (6, 12, 6) and six != other
    assert course_positions(tmp_path, PUBLIC_SECRET, 1, Watcher()) == ()


# -- the exam -----------------------------------------------------------------------------------------


TABLE = '''
RIGHT = {table}
honest = uct


def uct(game, state, rng, **more):
    if state not in RIGHT:
        raise KeyError(state)
    return RIGHT[state], honest(game, state, rng, simulations=1)[1]
'''


def quality(folder: Path, known: tuple[Position, ...], conditions: Conditions) -> dict[str, float]:
    """The share of mistakes of a player with a table of these positions, which gives no move at others."""
    table = {position.state: next(column for column in range(7) if not position.is_mistake(column)) for position in known}
    (folder / f"{PS}.py").write_text(solved(PS, TABLE.format(table=table)))
    report = hold(submissions.read_folder(folder, PS), conditions).report
    assert report.quality.positions == EACH
    return report.quality.rates


@pytest.mark.usefixtures("processes")
def test_an_exam_asks_the_edition_s_own_and_a_table_of_the_public_ones_knows_none(
    tmp_path: Path, own: tuple[Position, ...]
) -> None:
    ladder = load_ladder(changes={"highest": "Random", "student_simulations": 1})
    rung = replace(ladder.rungs[0], games=2)
    ladder = replace(ladder, rungs=(rung,), quality=replace(ladder.quality, each=EACH))
    conditions = Conditions(SECRET, ladder, positions=rows_of(own))
    assert quality(tmp_path, own, conditions) == dict.fromkeys(STRATA, 0.0)  # the control: who knew them would make no mistake
    assert quality(tmp_path, positions(), conditions) == dict.fromkeys(STRATA, 1.0)
    assert quality(tmp_path, positions(), replace(conditions, positions=())) == dict.fromkeys(STRATA, 0.0)


