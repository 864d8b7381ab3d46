"""`make mutants`: the mistakes that it makes, the survivors that it finds, and the list of the equivalent ones."""

import ast
import dataclasses
import io
import math
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from arena.errors import UserError
from autograder.grading.hidden_checks import suite_run as suite
from autograder.grading.hidden_checks.collect import hidden_suite
from autograder.problem_sets.source import load, names
from autograder.selftest.mutants.mutant import Mutant, mutants_of
from autograder.selftest.mutants.page import Row, update_page
from autograder.selftest.mutants.record import Equivalent, entry_for, load_records, misfits
from autograder.selftest.mutants.survivors import Run
from autograder.selftest.mutants.trial import KILLED, SURVIVED, Trial, try_out
from autograder.selftest.one_exercise import edition_names
from tests.unit.build_sample import read_sample

SOLVED = "    if visits == 0:\n        return math.inf\n    return scaled(total / visits) + bonus(visits)\n"
PS2 = load("ps2_uct")


def made(*lines: str) -> list[Mutant]:
    """The mutants of `bound(total: float, visits: int, bonus: Callable)` with this body."""
    ps = read_sample(SOLVED, "".join(f"    {line}\n" for line in lines))
    return mutants_of(ps, ps.exercise("7.1"))


@pytest.mark.parametrize(
    "operator, line, instead",
    [
        ("arithmetic", "return total / visits", "return total * visits"),
        ("arithmetic", "return total / visits", "return visits / total"),
        ("arithmetic", "return -total", "return total"),
        ("minus_zero", "return 0.0 - total", "return -total"),
        ("comparison", "return total > 1", "return total >= 1"),
        ("comparison", "return total > 1", "return total <= 1"),
        ("comparison", "return total is not None", "return total"),
        ("boolean", "return total and visits", "return total or visits"),
        ("boolean", "return not total", "return total"),
        ("constant", "return visits == 0", "return visits == -1"),
        ("constant", "return 0.5", "return 0.25"),
        ("constant", "return math.inf", "return -math.inf"),
        ("one_off", "return range(visits)", "return range(visits - 1)"),
        ("one_off", "return total[1:]", "return total[:]"),
        ("arguments", "return bonus(total, visits)", "return bonus(visits, total)"),
        ("arguments", "return bonus(total, key=visits)", "return bonus(total)"),
        ("unwrapped", "return list(total)", "return total"),
        ("unwrapped", "return total.copy()", "return total"),
        ("unwrapped", "return max(1, visits)", "return visits"),
        ("neighbour", "return min(total, visits)", "return max(total, visits)"),
        ("neighbour", "bonus.eval()", "bonus.train()"),
        ("branch", "return 1 if total else 2", "return 2 if total else 1"),
        ("variable", "return bonus(total)", "return bonus(visits)"),
        ("variable", "return bonus.child.total", "return bonus.total"),
        ("shared", "found = []", "found = _once(lambda: [])"),
        ("chance", "return bonus.choice(total)", "return total[0]"),
        ("assignment", "bonus.n += total", "bonus.n = total"),
        ("assignment", "bonus.n += total", "bonus.n -= total"),
        ("dropped", "return total", "return None"),
        ("error", "raise ValueError(total)", "raise RuntimeError(total)"),
    ],
)
def test_a_line_is_changed_as_somebody_may_mistake_it(operator: str, line: str, instead: str) -> None:
    assert (operator, f"- {line}\n+ {instead}") in [(mutant.operator, mutant.change) for mutant in made(line, "return 7")]


@pytest.mark.parametrize(
    "operator, before, after",
    [
        ("dropped", ["bonus.zero_grad()", "return total"], ["return total"]),
        ("dropped", ["with torch.no_grad():", "    bonus(total)"], ["bonus(total)"]),
        ("dropped", ["a, b = (total, visits)", "return a"], ["a = total", "return a"]),
        ("condition", ["if total and visits:", "    return 1"], ["if not (total and visits):", "    return 1"]),
        ("condition", ["if total:", "    bonus()", "else:", "    total()"], ["if total:", "    total()", "else:", "    bonus()"]),
        ("condition", ["return [x for x in total if x]"], ["return [x for x in total]"]),
        ("loop", ["for x in total:", "    bonus(x)"], ["for x in total:", "    bonus(x)", "    break"]),
        ("cut_short", ["for x in total:", "    bonus(x)"], ["for x in list(total)[:7]:", "    bonus(x)"]),
        ("cut_short", ["while total:", "    bonus(x)"],
         ["_left = 20", "while _left and total:", "    _left -= 1", "    bonus(x)"]),
        ("order", ["bonus.n += 1", "bonus.q /= bonus.n"], ["bonus.q /= bonus.n", "bonus.n += 1"]),
    ],
)
def test_a_block_is_changed_as_somebody_may_mistake_it(operator: str, before: list[str], after: list[str]) -> None:
    wanted = read_sample(SOLVED, "".join(f"    {line}\n" for line in after)).program.functions["bound"]
    assert [mutant for mutant in made(*before) if mutant.operator == operator and same_code(mutant.cell, wanted)]


def test_what_is_short_is_not_cut_short() -> None:
    loops = [part for over in ("(1, 2)", "range(7)", "range(8)") for part in (f"for x in {over}:", "    bonus(x)")]
    (cut,) = [mutant for mutant in made(*loops) if mutant.operator == "cut_short"]
    assert cut.change == "- for x in range(8):\n+ for x in list(range(8))[:7]:"


def same_code(cell: str, function: ast.FunctionDef) -> bool:
    return ast.unparse(ast.parse(cell).body[-1]) == ast.unparse(function)


def test_answers_may_be_kept_by_each_argument_and_by_all() -> None:
    changes = [mutant.change for mutant in made("return total") if mutant.operator == "remembered"]
    assert changes == [f"+ @_remembered({key})" for key in ("'total'", "'visits'", "'bonus'", "'total', 'visits', 'bonus'")]


def test_an_argument_that_can_change_comes_back_changed() -> None:
    ps = read_sample("def bound(total: float, visits: int,", "def bound(total: list[float], visits: dict[int, int],")
    spoilt = [mutant for mutant in mutants_of(ps, ps.exercise("7.1")) if mutant.operator == "spoiled"]
    assert [mutant.change for mutant in spoilt] == ["+ @_spoiled('total')", "+ @_spoiled('visits')"]
    scope: dict = {"Bonus": object, "scaled": abs, "math": math}
    exec(spoilt[0].cell.replace("total / visits", "len(total)"), scope)
    total = [1.0, 2.0]
    assert (scope["bound"](total, {1: 1}, bonus=lambda visits: 0.0), total) == (2.0, [1.0])


def test_what_a_mistake_needs_stands_above_it_and_runs() -> None:
    (shared,) = [mutant for mutant in made("found = []", "found.append(total)", "return found") if mutant.operator == "shared"]
    (kept,) = [mutant for mutant in made("return [total]") if mutant.change == "+ @_remembered('visits')"]
    scope: dict = {"Bonus": object}
    exec(shared.cell, scope)
    assert (scope["bound"](1.0, 2, None), scope["bound"](3.0, 4, None)) == ([1.0, 3.0], [1.0, 3.0])
    exec(kept.cell, scope)
    assert [scope["bound"](total, visits, None) for total, visits in ((1.0, 2), (3.0, 2), (3.0, 4))] == [[1.0], [1.0], [3.0]]


def test_nothing_is_changed_that_only_a_reader_sees() -> None:
    seen = made("if visits:", "    print('ply', 1 + 2)", "if total:", "    raise ValueError(f'not {1 + 2}')", "return total")
    assert len(seen) > 5 and [mutant for mutant in seen if "print('ply', 1 + 2)" not in mutant.cell] == []
    assert [mutant for mutant in seen if "raise" in mutant.cell and "Error(f'not {1 + 2}')" not in mutant.cell] == []
    assert all('"""Return the mean plus the bonus."""' in mutant.cell and "bonus: Bonus" in mutant.cell for mutant in seen)


@pytest.mark.usefixtures("repetition")
@pytest.mark.first_shows
@pytest.mark.parametrize("ps", names())
def test_every_mutant_is_code_of_its_own_with_a_name_of_its_own(ps: str) -> None:
    mutants = [mutant for exercise in load(ps).exercises for mutant in mutants_of(load(ps), exercise)]
    assert len({mutant.name for mutant in mutants}) == len(mutants) >= 300
    assert len({(mutant.exercise, mutant.cell) for mutant in mutants}) == len(mutants)
    assert {exercise.id for exercise in load(ps).exercises} == {mutant.exercise for mutant in mutants}
    assert [record.line() for record in load_records(ps) if record.name not in {mutant.name for mutant in mutants}] == []


def test_a_name_survives_edits_elsewhere() -> None:
    before = {mutant.name for mutant in made("return total / visits")}
    after = {mutant.name for mutant in made("bonus(total)", "return total / visits")}
    assert {name for name in before if "total / visits" in name[2]} <= after


@pytest.fixture
def weak_suite(monkeypatch: pytest.MonkeyPatch) -> None:
    """2.6 with a single check, which looks only at a node without visits."""
    def unvisited(student: Any) -> None:
        assert student.ucb(student.TreeNode("leaf", student.TreeNode("root"), 0), 1.0) == math.inf

    whole = hidden_suite("ps2_uct")
    check = next(check for check in whole.checks if check.exercise == "2.6")
    check = dataclasses.replace(check, name="test_unvisited", function=unvisited, asks_for=frozenset({"student"}), parameters={})
    weak = dataclasses.replace(whole, checks=(check,))
    monkeypatch.setattr(suite, "hidden_suite", lambda ps: weak)


def no_minus() -> Mutant:
    """The mutant of `ucb` that uses the mean in the child's view."""
    lost = "+ mean = node.total_value / node.num_visits"
    (mutant,) = [mutant for mutant in mutants_of(PS2, PS2.exercise("2.6")) if lost in mutant.change]
    return mutant


@pytest.mark.usefixtures("processes")
@pytest.mark.usefixtures("weak_suite")
def test_a_sign_that_no_check_looks_at_survives() -> None:
    assert try_out(no_minus(), edition_names(2)).result == SURVIVED


@pytest.mark.usefixtures("processes")
def test_the_whole_suite_kills_it_and_says_by_which_check() -> None:
    trial = try_out(no_minus(), edition_names(2))
    assert trial.result == KILLED and all(name and name.startswith("test_") for name in trial.caught_by)


@pytest.fixture
def run(tmp_path: Path) -> Callable[[], tuple[int, str]]:
    """Try the mutants of 2.6 in this process, in one edition; return the exit code and the output."""
    def once() -> tuple[int, str]:
        console = Console(record=True, file=io.StringIO(), width=200)
        places = {"records": tmp_path, "room": tmp_path, "page": tmp_path / "page.md"}
        with ThreadPoolExecutor(1) as here:
            code = Run(console, "2.6", editions=1, executor=here, **places).over(["ps2_uct"])
        return code, console.export_text()

    return once


@pytest.mark.usefixtures("processes")
@pytest.mark.usefixtures("weak_suite")
def test_a_survivor_fails_the_run_until_it_is_recorded(run: Callable, tmp_path: Path) -> None:
    code, output = run()
    listed = (tmp_path / "ps2_uct_2.6.txt").read_text()
    assert code == 1 and no_minus().context in listed and "survives in 1 of 1 editions" in output
    entries = [part[: part.index('why = ""')] + 'why = "nobody looks"' for part in output.split("    [[equivalent]]\n")[1:]]
    (tmp_path / "ps2_uct.toml").write_text("".join(f"[[equivalent]]\n{entry}\n".replace("\n    ", "\n") for entry in entries))
    code, output = run()
    assert code == 0 and f"| {len(entries)} | 0 | 0 | " in output
    assert not (tmp_path / "page.md").exists()  # one exercise is not a whole set


@pytest.mark.usefixtures("processes")
def test_a_record_of_what_is_caught_or_gone_fails_the_run(run: Callable, tmp_path: Path) -> None:
    gone = dataclasses.replace(no_minus(), change="- mean = 1\n+ mean = 2")
    records = "".join(entry_for(mutant).replace('why = ""', 'why = "so it seems"') for mutant in (no_minus(), gone))
    (tmp_path / "ps2_uct.toml").write_text(records)
    code, output = run()
    assert code == 1
    assert "recorded as equivalent, but caught by test_" in output and "this mutant no longer exists: 2.6 ucb" in output


@pytest.mark.parametrize("caught", [("test_a", "test_a"), ("test_a", None), (None, None)])
def test_a_record_is_wrong_if_any_edition_catches_its_mutant(caught: tuple[str | None, ...]) -> None:
    sentences = misfits([Equivalent(no_minus().name, "so it seems")], [no_minus()], [Trial(no_minus(), caught)])
    wanted = ["recorded as equivalent, but caught by test_a"] * any(caught)
    assert [sentence.partition(": ")[0] for sentence in sentences] == wanted


@pytest.mark.parametrize("spoilt, message", [('why = ""', "says nothing under why"), ('why = "so"', "appears twice")])
def test_a_record_says_why_and_stands_there_once(spoilt: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "ps2_uct.toml").write_text(2 * entry_for(no_minus()).replace('why = ""', spoilt))
    with pytest.raises(UserError, match=message):
        load_records("ps2_uct", tmp_path)


def test_a_sample_is_the_same_for_the_same_seed() -> None:
    every = mutants_of(PS2, PS2.exercise("2.9"))
    drawn = [Run(Console(quiet=True), sample=10, seed=seed)._drawn(every) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2] and len(drawn[0]) == 10
    assert [mutant for mutant in every if mutant in drawn[0]] == drawn[0]


def test_the_page_keeps_the_sets_that_were_not_tried(tmp_path: Path) -> None:
    page = tmp_path / "mutants.md"
    first = {"ps1_games": [Row("1.1", "start", 8, 1, 1, 1)], "ps2_uct": [Row("2.1", "policy", 5, 0, 0, 0)]}
    update_page(first, "Measured first.", page)
    update_page({"ps2_uct": [Row("2.1", "random_policy", 7, 3, 0, 0)]}, "Measured later.", page)
    text = page.read_text()
    assert re.findall(r"^Measured .*", text, re.MULTILINE) == ["Measured first.", "Measured later."]
    assert "| 1.1 start | 10 | 8 | 1 | 1 | 1 | 88.9 % |" in text
    assert "| 2.1 random_policy | 10 | 7 | 3 | 0 | 0 | 100.0 % |" in text
    assert "| **all** | 20 | 15 | 4 | 1 | 1 | 93.8 % |" in text and "2.1 policy" not in text
