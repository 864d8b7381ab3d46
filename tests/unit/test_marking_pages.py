"""docs/marking: the rubric is the lesson's, the points of the graded examples add up, and no student gets a line of them."""

import ast
import re
from pathlib import Path

import pytest

from autograder.gradebook.marking import pages, sections
from autograder.problem_sets.source import ProblemSet, load, module_text, names, released
from autograder.selftest.leaks import leaks

POINTS = re.compile(r"^\d\. \*\*.+\*\* \((\d) points?\)", re.MULTILINE)
ROW = re.compile(r"^\| [^|]+ \| (\d) of (\d) \| [^|]+ \|$", re.MULTILINE)
EXAMPLES = ["A full answer", "A middling answer", "A weak answer"]


def experiments(ps: ProblemSet) -> list[str]:
    return [cell.id for cell in ps.cells if cell.role == "experiment" and cell.id]


def experiment_of(name: str) -> str:
    """The number of the one experiment of the student's own in a set."""
    ids = experiments(load(name))
    assert len(ids) == 1, f'solutions/{name}.py has {len(ids)} experiments of the student\'s own, with answer="2.13", not one'
    return ids[0]


def page_of(name: str, id: str) -> Path:
    """The page for those who mark an answer."""
    grade_id = load(name).grade_id(id)
    assert grade_id in pages(), f"docs/marking has no page of {grade_id}: write docs/marking/{name}.md"
    return pages()[grade_id]


def rubric(text: str) -> str:
    """The numbered lines with points, without the line breaks."""
    first = POINTS.search(text)
    assert first is not None
    return " ".join(text[first.start():].partition("\n\n")[0].split())


@pytest.mark.parametrize("name", names())
def test_each_set_has_one_experiment_of_the_student_s_and_its_page(name: str) -> None:
    assert page_of(name, experiment_of(name)).stem == name and len(pages()) == len(released())


@pytest.mark.parametrize("name", names())
def test_the_rubric_of_the_page_is_the_lesson_s_and_its_points_are_the_answer_s(name: str) -> None:
    ps = load(name)
    (answer,) = [cell for cell in ps.cells if cell.role == "answer"]
    lesson = "\n\n".join(cell.stub for cell in ps.cells if cell.markdown).partition("looks for these four lines:")[2]
    (_, lines), *_ = sections(page_of(name, str(answer.id)).read_text(encoding="utf-8"))
    assert rubric(lines) == rubric(lesson)
    points = [int(number) for number in POINTS.findall(lines)]
    assert len(points) == 4 and sum(points) == answer.points


@pytest.mark.parametrize("name", names())
def test_three_examples_have_a_full_a_middling_and_a_low_mark_that_add_up(name: str) -> None:
    (_, lines), *others = sections(page_of(name, experiment_of(name)).read_text(encoding="utf-8"))
    most = [int(number) for number in POINTS.findall(lines)]
    examples = [(heading, text) for heading, text in others if heading.partition(":")[0] in EXAMPLES]
    assert [heading.partition(":")[0] for heading, _ in examples] == EXAMPLES
    marks = []
    for heading, text in examples:
        rows = [(int(got), int(of)) for got, of in ROW.findall(text)]
        assert [of for _, of in rows] == most and all(got <= of for got, of in rows)
        marks.append(sum(got for got, _ in rows))
        assert heading.endswith(f": {marks[-1]} of {sum(most)}")
    assert marks[0] == sum(most) > marks[1] > marks[2] > 0


@pytest.mark.parametrize("name", names())
def test_the_code_of_the_figures_uses_names_of_the_lesson(name: str) -> None:
    text = page_of(name, experiment_of(name)).read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    solved = module_text(load(name), solution=True).replace("\n# ", "\n")  # experiments are comments in a module
    tree = ast.parse(code)
    made = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    made |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    made |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} - made - set(dir(__builtins__)) - set(__builtins__)
    assert [word for word in sorted(used) if not re.search(rf"\b{word}\b", solved)] == []


@pytest.mark.usefixtures("repetition")
def test_a_line_of_an_example_is_found_where_it_leaks(tmp_path: Path) -> None:
    line = ("and loses nearly every game per second. Proofs cost nothing that I could measure; "
            "whether they help, 100 games do not say, their")
    assert line in pages()["ex3_12"].read_text(encoding="utf-8")
    (tmp_path / "a.md").write_text(f"As one student wrote: {line}\n")
    assert leaks(tmp_path) == [f"a.md holds a line of docs/marking/ps3_connect_four.md: {line}"]
