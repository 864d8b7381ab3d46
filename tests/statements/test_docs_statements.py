"""README and docs: their figures compared with the code, the files and other pages that also have them."""

import json
import re

import numpy as np
import pytest
from lesson import ROOT, share, text_of

from arena.challenge.ladder import load_ladder
from arena.challenge.sprt import FAILED, PASSED, UNDECIDED, SequentialTest, chances
from arena.games import ConnectFour
from arena.players.book import look_up
from arena.strength import positions as quality
from arena.strength.openings import quiet_draws
from arena.strength.points import read_points
from arena.strength.uncertainty import share_error
from assets.make.own_nets import picture
from assets.make.ship_net import SEEDS, rows_of
from assets.make.steps import SEEDS as STEP_SEEDS
from assets.make.steps import table as steps_table
from assets.make.training_page import NETS, counted, with_tables
from autograder.grading.submission_runner import EXERCISE_CPU_S, SUBMISSION_CPU_S
from autograder.problem_sets.source import facts_of, names, released
from autograder.selftest.attack.bank import load_attacks
from autograder.selftest.exam_validation.flaws import BROKEN_PLAYERS
from trainer.measure import ALPHAZERO_JL, PUBLIC_SETS, Row, tables

LADDER = load_ladder()
SETS = names()


def states(page: str, sentence: str) -> None:
    assert " ".join(sentence.split()) in text_of(page), f"{page} does not say: {sentence}"


def rows(page: str, heading: str) -> list[list[str]]:
    """The cells of the first table below a heading, without its two head lines."""
    text = (ROOT / page).read_text(encoding="utf-8").partition(heading)[2]
    table = re.search(r"(?:^\|.*\n)+", text, re.MULTILINE)[0].strip().splitlines()
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in table[2:]]


# ---- README

@pytest.mark.parametrize("number, ps", [*enumerate(SETS, 1)])
def test_readme_has_the_hours_and_points_of_the_sets(number: int, ps: str) -> None:
    row = dict(enumerate(rows("README.md", "## The problem sets"), 1)).get(number, [""])
    assert row[0].startswith(f"[{number}.") and row[0].endswith(f"(assignments/{ps})"), f"README.md has no row of {ps}"
    words = dict(zip("Four Five Six Seven Eight Nine Ten Eleven Twelve".split(), range(4, 13)))
    hours = re.search(r"## (\w+) hours, about", text_of(f"solutions/{ps}.py"))[1]
    by_hand = sum(int(points) for points in re.findall(r'answer="[\d.]+" points=(\d+)', text_of(f"solutions/{ps}.py")))
    extra = sum(int(points) for points in re.findall(r'title="[^"]+" extra=(\d+)', text_of(f"solutions/{ps}.py")))
    assert row[2:] == [str(words[hours]), "100"]
    states("README.md", f"each set has up to {by_hand} for a written answer, marked by hand, and up to {extra} for an optional")


def test_the_number_of_exercises() -> None:
    exercises = len(re.findall(r'# %% exercise="[^"]+" title="[^"]+" points=', (ROOT / "solutions/ps2_uct.py").read_text()))
    for page in ("README.md", "docs/students.md"):
        states(page, f"`0 of {exercises} exercises done: right for a fresh start`")


@pytest.mark.parametrize("page", ["README.md", "docs/instructors.md"])
def test_how_many_attacks(page: str) -> None:
    states(page, f"{len(load_attacks())} attacks")


def test_the_limits_of_time() -> None:
    states("docs/grading.md", f"An exercise has {EXERCISE_CPU_S:g} s of processor time for most checks.")
    states("docs/grading.md", f"All exercises of a submission together have {SUBMISSION_CPU_S:g} s of processor time")
    states("docs/grading.md", f"less than a tenth of {EXERCISE_CPU_S:g} s")


def test_what_graded_code_may_import() -> None:
    by_packages: dict[tuple[str, ...], list[str]] = {}
    for ps in released():
        by_packages.setdefault(facts_of(ps).packages, []).append(ps.partition("_")[0].removeprefix("ps"))
    written = rows("docs/students.md", "## What you may import")
    assert [row[0] for row in written] == [", ".join(numbers) for numbers in by_packages.values()]
    for packages, (_, words) in zip(by_packages, written, strict=True):
        assert set(packages) == set(re.findall(r"`(\w+)`", words)) - {"numpy", "arena", "check", "games", "show"}, words


# ---- the challenge

def test_the_ladder() -> None:
    written = rows("docs/challenge.md", "simulations a move.")
    for row, rung in zip(written, LADDER.rungs, strict=True):
        simulations = f"{rung.simulations:,}" if rung.simulations else "none"
        assert row == [rung.name, simulations, f"{share(rung.pass_)}, {share(rung.fail)}", f"{rung.games:,}", str(rung.points)]
    assert sum(rung.points for rung in LADDER.rungs) + LADDER.perfect.points + LADDER.quality.points == 100
    states("docs/challenge.md", f"at {LADDER.student_simulations} simulations a move")
    states("docs/challenge.md", f"stops when one is {LADDER.error_odds} times as likely as the other")
    states("docs/challenge.md", f"A move has {LADDER.move_cpu_s:g} seconds of CPU time and a game {LADDER.game_cpu_s:g}")
    states("docs/challenge.md", f"twice what UCT can need, and a network's player `game.planes` up to"
                                f" {2 * (LADDER.student_simulations + 1)} times")


def test_the_exam_s_chances() -> None:
    rung = LADDER.rung("Pebble")
    test = SequentialTest(rung.fail, rung.pass_, rung.games, LADDER.error_odds)
    by_score = {score: chances(test, score) for score in (0.5, 0.55, 0.7, 0.79)}
    odds = {score: [round(10_000 * chance.get(verdict, 0)) for verdict in (PASSED, FAILED, UNDECIDED)]
            for score, (chance, _) in by_score.items()}
    states("docs/challenge.md", f"Of 10,000 players with a true score of .55 against Pebble {odds[0.55][0]} pass; of 10,000"
                                f" with .70, {odds[0.7][0]:,} do and {odds[0.7][2]} are undecided; with .50 less than one in"
                                " 100,000 does.")
    assert 0 < by_score[0.5][0][PASSED] < 1e-5
    games = [games for _, games in by_score.values()]
    fewest, most = round(min(games), -1), round(max(games), -1)
    states("docs/challenge.md", f"A match of such a player takes {fewest:.0f} to {most:.0f} games")
    for score, row in zip(by_score, rows("docs/exam_validation.md", "## Simulated exams"), strict=True):
        chance, mean = by_score[score]
        assert row[0] == share(score, 3) and sum(int(cell.replace(",", "")) for cell in row[1:4]) == 20_000
        assert row[5:] == [f"{20_000 * chance[PASSED]:,.1f}", f"{20_000 * chance.get(UNDECIDED, 0):,.1f}", f"{mean:.1f}"]


def test_the_validation_of_the_exam() -> None:
    states("docs/challenge.md", f"and {len(BROKEN_PLAYERS)} broken players that we sent in")
    reference, *broken = rows("docs/exam_validation.md", "200 exams.")
    assert sorted(row[0] for row in broken) == sorted(player.words for player in BROKEN_PLAYERS)
    assert reference[3:6] == ["200", "0", "0"] and all(sum(map(int, row[3:6])) == 50 for row in broken)
    hopeless = [row for row in broken if float(row[1]) <= 0.5]
    assert len(hopeless) >= 20 and all(row[3] == "0" for row in hopeless)
    assert [float(row[1]) for row in broken] == sorted(float(row[1]) for row in broken)
    passed = {row[0]: row[3] for row in broken if row[3] != "0"}
    caught = rows("docs/exam_validation.md", "(last column).")
    assert {row[0]: row[2] for row in caught} == {words: f"{number} of 50" for words, number in passed.items()}
    assert all(row[3] and row[4] == "no" for row in caught)


def test_move_quality() -> None:
    kinds = [row[0] for row in rows("docs/challenge.md", "Winning more slowly is not a mistake.")]
    assert kinds == list(LADDER.quality.random)
    for kind in kinds:
        frozen = [position for position in quality.positions() if position.stratum == kind]
        assert len(frozen) == 1000
        assert all(quality.stratum_of(position.state, max(filter(legal, position.scores))) == kind for position in frozen)
        shares = [np.mean([position.is_mistake(column) for column in range(7) if legal(position.scores[column])])
                  for position in frozen]
        assert LADDER.quality.random[kind] == round(np.mean(shares), 2)
    states("docs/challenge.md", "the 6,000 positions that ship with the course (1,000 of each kind, for practice")
    states("docs/challenge.md", f"at {LADDER.quality.each * len(kinds)} positions, {LADDER.quality.each} of each of six kinds")
    states("docs/challenge.md", f"The points are {LADDER.quality.points} times the mean of the six marks")


def legal(score: int | None) -> bool:
    return score is not None


@pytest.mark.usefixtures("computing")
def test_quiet_openings() -> None:
    game, drawn = ConnectFour(), quiet_draws()
    assert all(look_up(state) == 0 and game.text(state).count("X") == 4 for state in drawn[::97])
    states("docs/challenge.md", f"positions of 8 plies that are drawn and quiet, {len(drawn):,} of them")


# ---- training

def log_of(name: str) -> list[dict]:
    return [json.loads(line) for line in (ROOT / f"assets/nets/{name}.log.jsonl").read_text().splitlines()]


def test_the_scores_against_the_bots() -> None:
    measured = (ROOT / "assets/nets/README.md").read_text().partition("## Connect Four\n")[2].partition("\n## ")[0]
    for row in rows("docs/training.md", "measured at commit add1a22:"):
        for cell, simulations in zip(row[1:], (0, 100, 600), strict=True):
            bot = row[0].split(" ")[0]
            score = rf"^ *{simulations} simulations against {bot}: score ([\d.]+) \(([\d.]+) to ([\d.]+)\)"
            scores = map(float, re.search(score, measured, re.MULTILINE).groups())
            stated = map(float, re.findall(r"[\d.]+", cell))
            assert all(abs(own - other) < 0.0051 for own, other in zip(stated, scores, strict=True))


def test_the_page_has_the_tables_that_the_logs_give() -> None:
    page = (ROOT / "docs/training.md").read_text(encoding="utf-8")
    assert with_tables(page) == page, "python -m assets.make.training_page writes them"
    last = [log_of(net)[-1]["unique"] for net in NETS]
    states("docs/training.md", f"{share(min(last))} to {share(max(last))} of the positions in the window are different ones")


def test_a_row_of_the_public_sets_by_hand() -> None:
    """the network alone, counted in its log"""
    (line,) = [line for line in log_of("connect_four.strength")
               if line["table"] == "the public sets" and line["simulations"] == 0]
    chance, alone, *_ = rows("docs/training.md", "## The public sets")
    shares = [wrong / count for wrong, count in (line["mistakes"][stratum] for stratum in quality.STRATA)]
    assert [cell.partition(" ")[0] for cell in alone[1:]] == [f"{100 * share:.1f}" for share in shares]
    states("docs/training.md", f"in {np.mean([float(cell) for cell in chance[1:]]):.0f} % of the public ones")


def test_what_is_printed_is_what_the_page_of_the_networks_has() -> None:
    """`make strength` prints these lines, made of the counts in the log"""
    page = (ROOT / "assets/nets/README.md").read_text(encoding="utf-8").split("\n## ")
    for net, heading in zip(NETS, ("Connect Four", *SEEDS.values()), strict=True):
        section = next(text for text in page if text.startswith(f"{heading}\n"))
        measured = [row for row in rows_of(net) if counted(net, row)]
        for line in tables(measured, lambda row, net=net: dict(zip(quality.STRATA, counted(net, row), strict=True))):
            assert f"\n    {line}\n" in section


def test_the_public_sets_beside_alphazero_jl() -> None:
    """the differences in the text, in standard errors"""
    ours = [(wrong / count, share_error(wrong / count, count)) for wrong, count in counted(NETS[0], Row(PUBLIC_SETS, 600))]
    theirs = [(share / 100, share_error(share / 100, 1000)) for share in ALPHAZERO_JL["the last of 15 iterations"]]
    apart = {stratum: (other - own) / (error**2 + other_error**2) ** 0.5
             for stratum, (own, error), (other, other_error) in zip(quality.STRATA, ours, theirs, strict=True)}
    assert all(own <= other for (own, _), (other, _) in zip(ours, theirs, strict=True))
    states("docs/training.md", f"{apart['begin-hard']:.1f} standard errors of the difference in begin-hard,"
                               f" {apart['middle-medium']:.1f} in middle-medium and {apart['begin-medium']:.1f} in begin-medium")


def test_what_wins_by_threats_bring() -> None:
    with_them, without = ([100 * wrong / count for wrong, count in counted(NETS[0], Row(PUBLIC_SETS, 100, threats))]
                          for threats in (True, False))
    place = quality.STRATA.index("middle-medium")
    assert with_them[0] == 0
    states("docs/training.md", f"100 simulations make {share(without[0], 1)} % mistakes in begin-easy in place of none, and"
                               f" {without[place]:.1f} in place of {with_them[place]:.1f} % in middle-medium")
    others = [abs(own - other) for number, (own, other) in enumerate(zip(with_them, without)) if number not in (0, place)]
    assert max(others) < 0.25


def test_the_three_seeds_against_mountain() -> None:
    sections = (ROOT / "assets/nets/README.md").read_text().split("\n## ")
    nets = [next(text for text in sections if text.startswith(f"{heading}\n")) for heading in ("Connect Four", *SEEDS.values())]
    scores = [re.search(r"100 simulations against Mountain: score 0(\.\d+)", net)[1] for net in nets]
    first, second, third = (share(float(score)) for score in scores)
    states("docs/training.md", f"they score {first}, {second} and {third} against Mountain")
    means = [100 * np.mean([wrong / count for wrong, count in counted(net, Row(PUBLIC_SETS, 0))]) for net in NETS]
    states("docs/training.md", "alone make {:.1f}, {:.1f} and {:.1f} % mistakes in the mean over the public sets".format(*means))


def test_the_table_of_the_steps() -> None:
    lines = log_of("steps")
    assert rows("docs/training.md", "## What each step brings") == steps_table(lines)
    assert {line["row"]: [other["seed"] for other in lines if other["row"] == line["row"]] for line in lines} == {
        row: list(STEP_SEEDS) for row, *_ in steps_table(lines)}


def test_the_figures_of_the_axis_of_strength() -> None:
    points = {point.name: point for point in read_points()}
    counts = {point.positions for point in points.values()}
    assert counts == {6000, 1500, 600, 300}
    words_of = {"flat Monte Carlo, 400 games": "Flat Monte Carlo with 400 games", "UCT, 400 simulations (Stone)": "UCT with 400",
            "UCT, 10,000 simulations": "with 10,000", "UCT with tactical rollouts, 400 simulations": "tactical rollouts",
            "the network that ships, and 600 simulations": "600 simulations"}
    section = text_of("docs/training.md").partition("One axis for all lessons")[2].partition("## ")[0]
    for name, words in words_of.items():
        assert words in section and f"{100 * points[name].mistakes:.1f}" in section, name


def test_the_run_of_training() -> None:
    shipped = log_of("connect_four")[-1]
    states("docs/training.md", f"In {shipped['minutes']:.0f} minutes on two cores it played"
                               f" {round(shipped['games so far'], -3):,} games with"
                               f" {shipped['simulations so far'] / 1e6:.0f} million simulations")


def test_the_run_of_problem_set_5_s_own_code() -> None:
    log = {line["minutes"]: line for line in log_of("own_net")}
    for minutes, games, *cells, passed in rows("docs/training.md", "problem set 5's own code"):
        line = log[int(minutes)]
        assert int(games.replace(",", "")) == line["games"] and passed == ", ".join(line.get("passed", []))
        shares = [line.get(f"mistakes at {simulations}") for simulations in (1, 50, 400)]
        assert cells == ["" if share is None else f"{100 * share:.1f}" for share in shares]
    assert picture(list(log.values())).decode() == (ROOT / "docs/figures/own_net.svg").read_text(encoding="utf-8")
    (first, games), (last, more) = (log[minutes]["scores"]["Stone"] for minutes in (20, 40))
    states("docs/training.md", f"it scored {share(first)} in {games} games after 20 minutes and {share(last)} in {more} games"
                               " after 40")
    assert log_of("connect_four")[10]["mistakes at 100"] == 0.07
    states("docs/training.md", "makes 7.0 % mistakes with 100 simulations after two minutes of two cores")


def test_othello_s_start() -> None:
    worth = r"(\d+) simulations against itself: \S+ the start is worth ([+-])0([.\d]+)"
    values = {simulations: sign + value for simulations, sign, value in re.findall(worth, text_of("assets/nets/README.md"))}
    assert float(values["0"]) < -0.3 and float(values["600"]) < -0.5, "the network knows that the second player wins"
    states("docs/training.md", f"it says {values['0']} for the start, and {values['600']} with a search of 600 simulations")
    states("docs/training.md", f"the search is off by .{round(100 * (1 + float(values['600']))):02}")


# ---- mutants

def test_the_sums_of_the_mutants() -> None:
    table = rows("docs/mutants.md", "type hints.")
    numbers = [[int(cell) for cell in row[1:6]] for row in table]
    assert [sum(column) for column in zip(*numbers[:-1])] == numbers[-1]
    for row, (made, killed, same, survivors, luck) in zip(table, numbers):
        assert made == killed + same + survivors and luck <= survivors
        assert row[6] == f"{100 * killed / (made - same):.1f} %"
    for row, counts in zip(table[:-1], numbers):
        parts = rows("docs/mutants.md", f"## {row[0]}\n")
        assert [sum(int(part[column]) for part in parts) for column in range(1, 6)] == counts, row[0]
