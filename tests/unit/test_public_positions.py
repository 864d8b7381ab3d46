"""The public sets and the two halves of the critical positions: what `make strength` measures, and what its tables say."""

import random
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from arena.games import ConnectFour
from arena.players.network import new_net
from arena.players.perfect import PerfectPlayer
from arena.players.rules import compiled
from arena.players.solver import Solver, plies_to_end
from arena.strength import STRATA
from arena.strength.positions import POSITIONS, Answer, Position, positions, sign, stratum_of
from arena.strength.uncertainty import mean_error, rate_errors, share_error
from assets.make import nets_page, ship_net
from assets.make.public_positions import SETS, parsed, read, scored
from tests.unit.equal_network import equal
from trainer import measure
from trainer.measure import CRITICAL, PUBLIC_SETS, Row, cell, rows
from trainer.strength import HALF, PUBLIC, asked, choosing, is_critical, reporting

GAME = ConnectFour()


def best(position: Position) -> int:
    return max(score for score in position.scores if score is not None)


# -- the public sets ------------------------------------------------------------------------------


def test_there_are_a_thousand_of_each_set() -> None:
    assert Counter(position.stratum for position in positions(PUBLIC)) == dict.fromkeys(STRATA, 1000)
    assert list(SETS) == list(STRATA) and PUBLIC.stat().st_size < 1.2 * POSITIONS.stat().st_size


def test_each_position_belongs_to_its_set_by_its_stones_and_its_score() -> None:
    """the files count a position that is decided in 14 plies as easy too"""
    others = Counter()
    for position in positions(PUBLIC):
        legal = [column for column, score in enumerate(position.scores) if score is not None]
        assert GAME.outcome(position.state) is None and legal == GAME.legal_actions(position.state)
        if stratum_of(position.state, best(position)) != position.stratum:
            assert plies_to_end(position.state, best(position)) == 14
            others[position.stratum] += 1
    assert others == {"begin-easy": 28, "middle-easy": 79}


def test_they_are_won_drawn_and_lost_and_often_no_mistake_is_possible() -> None:
    kinds = Counter(sign(best(position)) for position in positions(PUBLIC))
    assert min(kinds.values()) > 300 and len(kinds) == 3
    assert 1000 < sum(map(is_critical, positions(PUBLIC))) < 5000


@pytest.mark.usefixtures("computing")
def test_a_random_sample_solved_again_has_the_same_scores() -> None:
    rng, solver = random.Random(), Solver(20)  # other positions in every run: a wrong score is found soon
    late = [position for position in positions(PUBLIC) if sum(position.state).bit_count() >= 13]
    for position in rng.sample(late, 60):
        assert solver.scores(position.state) == list(position.scores), position


def test_a_line_of_a_set_is_columns_and_a_score() -> None:
    state, score = parsed("4444 -2")
    assert GAME.text(state).count("X") == GAME.text(state).count("O") == 2 and score == -2


def test_another_file_or_another_score_is_refused(tmp_path: Path) -> None:
    (tmp_path / "Test_L3_R1").write_text("4444 -2\n")
    with pytest.raises(SystemExit, match="Test_L3_R1 is not the file whose SHA-256"):
        read(tmp_path, "end-easy")
    position = next(position for position in positions(PUBLIC) if position.stratum == "end-easy")
    perfect = PerfectPlayer(Solver(20))
    own, theirs, scores = scored(position.state, best(position), perfect)
    assert (own, theirs) == position.state and max(scores) == best(position)
    with pytest.raises(SystemExit, match="our solver says"):
        scored(position.state, best(position) + 1, perfect)


# -- halves ---------------------------------------------------------------------------------------


def test_no_position_is_both_for_choosing_and_for_reporting() -> None:
    for half in (choosing(), reporting()):
        assert Counter(position.stratum for position in half) == dict.fromkeys(STRATA, HALF)
    assert {*choosing(), *reporting()} == {*positions()}


def test_what_is_measured_during_a_training_is_for_choosing(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Position] = []
    monkeypatch.setattr(measure, "mistakes", lambda rules, network, count, chosen: seen.extend(chosen) or {"x": 0.0})
    monkeypatch.setattr(measure, "match", lambda *given: SimpleNamespace(score=0.5))
    measure.quick(compiled("connect_four"), equal, 7)
    assert len(seen) == 600 and {*seen} <= {*choosing()}


# -- errors ---------------------------------------------------------------------------------------


def test_the_error_of_a_share_by_hand() -> None:
    assert share_error(0.5, 98) == pytest.approx(0.05)  # 50 of 100, one of each added: sqrt(.25 / 100)
    assert share_error(0.0, 8) == pytest.approx(0.0948683)  # 1 of 10: sqrt(.09 / 10)
    assert mean_error({"a": 0.03, "b": 0.04}) == pytest.approx(0.025)


def test_the_error_is_the_spread_of_repeated_measurements() -> None:
    """4,000 measurements at 100 positions: their spread is known to 1.2 %, four times that is the margin"""
    shares = np.random.default_rng(0).binomial(100, 0.3, 4000) / 100
    assert share_error(0.3, 100) == pytest.approx(shares.std(), rel=0.05)


def test_each_stratum_has_an_error_of_its_own() -> None:
    scores = (1, -1, None, None, None, None, None)
    easy, end = (Position(stratum, (0, 0), scores) for stratum in ("begin-easy", "end-easy"))
    answers = [Answer(easy, 0), Answer(easy, 1), Answer(end, 0)]
    assert rate_errors(answers) == {
        "begin-easy": pytest.approx(share_error(0.5, 2)), "end-easy": pytest.approx(share_error(0.0, 1)),
    }


def test_a_network_is_asked_where_a_mistake_is_possible_and_only_there() -> None:
    asked_about = []

    def rightmost(planes: np.ndarray, allowed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        asked_about.append(len(planes))
        order = np.arange(1, 8) * allowed
        return (order / order.sum(axis=1, keepdims=True)).astype(np.float32), np.zeros(len(planes), np.float32)

    chosen = random.Random(1).sample(positions(PUBLIC), 200)
    answers = asked(compiled("connect_four"), rightmost, 0, chosen)
    critical = [position for position in chosen if len({sign(score) for score in position.scores if score is not None}) > 1]
    assert sum(asked_about) == len(critical) and 20 < len(critical) < 180
    assert [answer.position for answer in answers] == chosen
    for answer in answers:
        legal = GAME.legal_actions(answer.position.state)
        assert answer.action == (legal[-1] if answer.position in critical else legal[0])
        assert answer.position in critical or not any(map(answer.position.is_mistake, legal))


# -- the tables -----------------------------------------------------------------------------------


@pytest.mark.usefixtures("computing")
def test_strength_tells_both_tables_with_errors_and_with_whom_to_compare() -> None:
    """a network that knows nothing, alone: the first line of each table has the shares of the leftmost legal column"""
    rules = compiled("connect_four")
    lines = list(measure.full(rules, equal, (0,), 0, 0))
    assert len(lines) == len(measure.expected_work(rules, (0,), 0)) == 9
    assert [line.partition(" |")[0] for line in lines[:6]] == [
        "mistakes at the public sets, % ± standard error", "0 simulations",
        "AlphaZero.jl, 600 simulations, the last of 15 iterations",
        "AlphaZero.jl, 600 simulations, the best iteration of each set",
        "mistakes at critical positions, % ± standard error", "0 simulations"]
    for line, there in ((lines[1], positions(PUBLIC)), (lines[5], reporting())):
        of_stratum = [position for position in there if position.stratum == "begin-easy"]
        wrong = sum(position.is_mistake(GAME.legal_actions(position.state)[0]) for position in of_stratum)
        assert line.startswith(f"0 simulations | {cell(wrong, len(of_stratum))} | ")
    for word in ("AlphaZero.jl", "parity", "two plies", "proves", "threats", "make ladder"):
        assert any(word in line for line in lines[6:9]), word


def test_a_cell_is_a_share_and_its_standard_error() -> None:
    assert cell(18, 1000) == "1.8 ± 0.4"  # 19 of 1,002: the root of .019 * .981 / 1,002 is .0043


def test_wins_by_threats_are_left_out_where_there_is_a_search_and_at_the_public_sets_alone() -> None:
    assert [(row.table, row.name) for row in rows((0, 100))] == [
        (PUBLIC_SETS, "0 simulations"), (PUBLIC_SETS, "100 simulations"),
        (PUBLIC_SETS, "100 simulations, without wins by threats"),
        (CRITICAL, "0 simulations"), (CRITICAL, "100 simulations")]


@pytest.mark.usefixtures("computing")
def test_a_search_makes_fewer_mistakes_with_wins_by_threats() -> None:
    rules = compiled("connect_four")
    counts = [measure.count_in_stratum(rules, equal, Row(PUBLIC_SETS, 8, threats), "end-easy") for threats in (True, False)]
    assert counts[0][0] < counts[1][0] and counts[0][1] == counts[1][1] == 1000


@pytest.mark.usefixtures("computing")
def test_a_stopped_measurement_goes_on_and_a_line_of_another_network_does_not_count(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = compiled("connect_four")
    for module in (nets_page, ship_net):
        monkeypatch.setattr(module, "FOLDER", tmp_path)
    monkeypatch.setattr(ship_net, "newest_commit", lambda patterns: "abc1234")
    made = []

    def count(rules: object, network: object, row: Row, stratum: str) -> tuple[int, int]:
        made.append(stratum)
        if len(made) == 3:
            raise KeyboardInterrupt
        return len(made), 1000

    monkeypatch.setattr(ship_net, "count_in_stratum", count)
    row, inputs = Row(CRITICAL, 0), ["one"]
    monkeypatch.setattr(ship_net, "inputs_of", lambda name, row: inputs[-1])
    net = new_net(rules, 4, 1)
    with pytest.raises(KeyboardInterrupt):
        ship_net.counting("a", rules, net)(row)
    counts = ship_net.counting("a", rules, net)(row)
    assert made == [*STRATA[:3], *STRATA[2:]] and counts["begin-easy"] == (1, 1000) and counts["end-easy"] == (7, 1000)
    (line,) = nets_page.read_log("a.strength")
    assert line["commit"] == "abc1234" and line["inputs"] == "one" and line["dtype"] == "float32"
    inputs.append("two")
    assert ship_net.counting("a", rules, net)(row)["begin-easy"] == (8, 1000)
    assert [line["inputs"] for line in nets_page.read_log("a.strength")] == ["two"]
