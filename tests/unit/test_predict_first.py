"""Predict first: an experiment that measures asks for a guess and compares it, and what one should see is folded."""

import ast
import importlib
import re

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest

from arena.show.guess import GuessMissing
from autograder.problem_sets.source import Cell, load, names

mpl.use("Agg")
GUESS = re.compile(r'guess = (?:None|""|\[\])  # .*\?')
NOTHING = (None, "", [])
FOLDED = (  # what else is folded, at least once in each set
    r"^<details><summary><b>The story, part [1-5] of 5: .*</b></summary>\n\n",
    r"^<details><summary><b>A mistake that students make, found in .* minutes</b></summary>\n\n",
)
TABLES = {  # folded in one set alone: to come back to
    "ps5_alphazero": ["The same loop at four sizes", "What it adds, and its run of an hour"],
}
BOARDS = "pictures of boards, to be looked at"
EXCEPTIONS = {  # the first line of an experiment that draws or prints a table, and why it asks for no guess
    "ps1_games": {
        "game, state, strip = ConnectFour(), ConnectFour().start(), []": BOARDS,
        'game, state = TicTacToe(), position("X../.O./...", [1, 2, 3, 5, 6, 7, 8])': BOARDS,
    },
    "ps2_uct": {
        'print("action   c = 1   c = .5")': "the numbers of 2.6 by hand, to be compared with it",
        "for c in (0.5, 1.0):": "the way of one simulation, in the tree above",
        "def last_way(root, before):": "pictures of trees, simulation by simulation",
        "record = []": "pictures of trees, to be read move by move",
    },
    "ps3_connect_four": {
        "figure, axes = plt.subplots(figsize=(7, 4))": "two distributions; the next cell asks what follows from them",
    },
    "ps4_puct": {
        "def shipped():": BOARDS,
        'PLACES = {"s0": (0, 2), "s1": (-1, 1), "s2": (1, 1), "s5": (0.5, 0), "s6": (1.5, 0)}': "a drawing of the four phases",
        "GAMES = 2  # the full setting: 200": "its results are in the table above it",
    },
    "ps5_alphazero": {
        "torch.manual_seed(1)": "five bars of about 1/5: a network that knows nothing",
        'toy = ToyGame({"s0": ["s1", "s2", "s3", "s4"]}, {})': "the arithmetic of 5.5 by hand, for five temperatures",
        "torch.manual_seed(3)": BOARDS,
        "MINUTES = 0.2  # the full setting: 10; one core is used": "the progress of a training, whose player is measured below",
    },
}


def experiments(ps: str) -> list[Cell]:
    return [cell for cell in load(ps).cells if cell.role == "experiment"]


def names_cell(ps: str) -> str:
    """The cell with the names that several experiments of a lesson use."""
    return next(cell.solution for cell in experiments(ps)
                if "import compare, predict_first" in cell.solution and not cell.solution.startswith("guess = "))


def measures(cell: Cell) -> bool:
    """Whether it draws axes, or prints within a loop."""
    tree = ast.parse(cell.solution)
    loops = [node for node in ast.walk(tree) if isinstance(node, ast.For | ast.While)]
    printed = [node for loop in loops for node in ast.walk(loop) if isinstance(node, ast.Name) and node.id == "print"]
    return "plt.subplots" in cell.solution or bool(printed)


def comparisons(cell: Cell) -> list[ast.Call]:
    calls = [node for node in ast.walk(ast.parse(cell.solution)) if isinstance(node, ast.Call)]
    return [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "compare"]


@pytest.mark.parametrize("ps", names())
def test_an_experiment_that_measures_begins_with_a_question_and_ends_with_a_comparison(ps: str) -> None:
    first_lines = {cell.solution.split("\n")[0] for cell in experiments(ps)}
    exceptions = EXCEPTIONS.get(ps, {})
    assert set(exceptions) <= first_lines, "an exception that is not an experiment any more"
    for cell in experiments(ps):
        first = cell.solution.split("\n")[0]
        asks, compares = first.startswith("guess = "), comparisons(cell)
        assert asks or not measures(cell) or first in exceptions, f"{ps}, line {cell.line}: no guess in the first line"
        assert asks == (len(compares) == 1), f"{ps}, line {cell.line}: one guess and one comparison belong together"
        if asks:
            assert GUESS.match(first) and len(first) <= 120, f"{ps}, line {cell.line}: {first}"
            guess, result = compares[0].args[:2]
            measured = any(isinstance(node, ast.Name) for node in ast.walk(result))
            assert ast.unparse(guess) == "guess" and measured, f"{ps}, line {cell.line}: a result is measured, not written"


@pytest.mark.parametrize("ps", names())
def test_without_a_guess_every_such_cell_stops_and_shows_nothing_of_the_answer(ps: str, monkeypatch, capsys) -> None:
    namespace = dict(vars(importlib.import_module(f"solutions.{ps}")))
    monkeypatch.delenv("ARENA_GUESS", raising=False)
    monkeypatch.setattr("IPython.get_ipython", lambda: "a notebook")
    figures = plt.get_fignums()  # of other tests
    exec(names_cell(ps), namespace)
    for cell in experiments(ps):
        if cell.solution.startswith("guess = "):
            with pytest.raises(GuessMissing):
                exec(cell.solution, namespace)
    assert "".join(capsys.readouterr()) == "" and plt.get_fignums() == figures


@pytest.mark.parametrize("ps", names())
def test_in_a_release_nothing_is_guessed_yet(ps: str) -> None:
    assigned = [node for cell in experiments(ps) for node in ast.walk(ast.parse(cell.stub)) if isinstance(node, ast.Assign)]
    guesses = [node.value for node in assigned if ast.unparse(node.targets[0]) == "guess"]
    assert guesses, f"solutions/{ps}.py has no experiment that begins with guess = None"
    assert all(ast.literal_eval(value) in NOTHING for value in guesses)


@pytest.mark.parametrize("ps", names())
def test_a_lesson_imports_the_comparison_before_it_compares(ps: str) -> None:
    lines = [line for cell in experiments(ps) for line in cell.solution.split("\n")]
    imported = [number for number, line in enumerate(lines) if line == "from arena.show.guess import compare, predict_first"]
    assert len(imported) == 1, f"solutions/{ps}.py imports compare from arena.show.guess {len(imported)} times, not once"
    assert imported[0] < min(n for n, line in enumerate(lines) if line.lstrip().startswith("compare("))


@pytest.mark.parametrize("ps", names())
def test_what_one_should_see_is_folded(ps: str) -> None:
    text = "\n\n".join(cell.stub for cell in load(ps).cells if cell.markdown)
    opened = "<details><summary><b>What you should see</b></summary>\n\n"
    answer = "<details><summary><b>A short answer</b></summary>\n\n"  # of questions without points
    opening = re.findall(r"<details><summary><b>(.*)</b></summary>\n\n", text.partition("\n## The card of conventions")[0])
    assert re.fullmatch(r"(What you should see )?The parts, their points and their times What you may import, and language "
                        r"models \d+ words, and what they are here", " ".join(opening))
    assert len(re.findall(r"^<details><summary><b>The lines of this set</b></summary>\n\n", text, re.MULTILINE)) == 1
    assert text.count("What you should see") == text.count(opened) > 0, f"{ps} folds {text.count(opened)} of these texts"
    others = [re.findall(pattern, text, re.MULTILINE) for pattern in FOLDED]
    assert all(others), "the story and the like are folded, each under its own line"
    tables = [text.count(f"<details><summary><b>{title}</b></summary>\n\n") for title in TABLES.get(ps, [])]
    assert all(count == 1 for count in tables)
    folded = text.count(opened) + text.count(answer) + 3 + 1 + sum(map(len, others)) + sum(tables)
    assert text.count("<details") == folded
    pieces = re.split(r"<details.*|</details>", text)
    closed = re.findall(r"\n\n</details>(?=\n\n|$)", text + "\n\n")
    assert len(closed) == text.count("<details"), "Markdown needs an empty line before and after"
    assert all("\n#" not in inside for inside in pieces[1::2]), "a heading stands outside, where the table of contents finds it"
    assert "A guess is not graded" in text.partition("How to work")[2][:1200]
