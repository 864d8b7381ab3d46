"""The source of a problem set: its contents, and the reasons for which it is refused."""

from types import SimpleNamespace

import pytest
from build_sample import SAMPLE, line_of, read_sample

from autograder.problem_sets import source
from autograder.problem_sets.facts import Facts
from autograder.problem_sets.points_table import with_points
from autograder.problem_sets.source import facts_of, load, module_text, names, read
from autograder.problem_sets.syntax import SourceError


def refused(old: str, new: str) -> str:
    with pytest.raises(SourceError) as error:
        read_sample(old, new)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_a_set_knows_its_exercises():
    ps = read_sample()
    assert (ps.title, ps.max_points, ps.joint_points, ps.manual_points) == ("A small set", 100, 5, 5)
    assert [(e.id, e.title, e.points, e.functions) for e in ps.exercises] == [
        ("7.1", "bound", 40, ("bound",)), ("7.2", "Leaf", 55, ("Leaf.is_new", "Leaf.worth"))]
    assert [cell.role for cell in ps.cells] == [
        "prose", "given", "exercise", "check", "exercise", "check", "experiment", "check", "answer"]


def test_ids_are_written_for_nbgrader_without_dots():
    ps = read_sample()
    assert [ps.grade_id("7.2"), ps.code_id("7.2"), ps.grade_id("joint")] == ["ex7_2", "ex7_2_code", "ex7_joint"]


def test_calls_go_through_given_code():
    # worth -> average (given) -> bound: exercise 7.1
    assert [e.calls for e in read_sample().exercises] == [(), ("7.1",)]


def test_a_method_is_called_by_its_name():
    ps = read_sample("    return scaled(total / visits)", "    return scaled(total / visits) * Leaf(1, 2).worth()")
    assert ps.exercise("7.1").calls == ("7.2",)


def test_to_name_a_class_or_a_parameter_is_no_call():
    ps = read_sample("    return scaled(total / visits) + bonus(visits)",
                     "    worth = [Leaf(total, visits), bonus]\n    return scaled(total / visits) if worth else 0.0")
    assert ps.exercise("7.1").calls == ()


def test_given_code_counts_with_the_last_exercise_that_it_uses():
    driver = "# %%\ndef drive(leaf):\n    return leaf.worth(), bound(1.0, 1, float)\n\n\n"
    alone = SAMPLE.replace("average(self.total, self.visits)", "self.total / 1")
    driven = alone.replace('# %% check="7.2"', driver + '# %% check="7.2"')
    assert [e.calls for e in read(alone, "small", "small.py").exercises] == [(), ()]
    assert [e.calls for e in read(driven, "small", "small.py").exercises] == [(), ("7.1",)]


def test_the_reference_of_an_exercise_stands_alone():
    code = read_sample().reference(["7.1"])
    assert [text.split("\n")[0] for text in code.imports.split("\n\n")] == [
        "import math", "from collections.abc import Callable", "Bonus = Callable[[int], float]", "SCALE = 2.0",
        "def scaled(value: float) -> float:"]
    namespace: dict = {}
    exec(code.imports, namespace)
    exec(dict(code.functions)["bound"], namespace)
    assert namespace["bound"](3.0, 2, lambda visits: 0.5) == 3.5


def test_the_reference_holds_no_other_exercise_and_no_class_of_the_students():
    code = read_sample().reference(["7.2"])
    assert [name for name, _ in code.functions] == ["Leaf.is_new", "Leaf.worth"]
    namespace = {"bound": lambda total, visits, bonus: 7.0}
    exec(code.imports, namespace)
    assert "class Leaf" not in code.imports and "def bound" not in code.imports
    for _, text in code.functions:
        exec(text, namespace)
    assert namespace["worth"](SimpleNamespace(is_new=lambda: False, total=1.0, visits=2)) == 7.0


@pytest.mark.parametrize("old, new, line, says", [
    ("### END SOLUTION 7.1", "### END SOLUTION 7.8", "### END SOLUTION 7.1", "names exercise 7.8"),
    ('exercise="7.2" title', 'exercise="7.1" title', 'exercise="7.2"', "a second exercise cell with the id 7.1"),
    ('# %% check="7.2"', '# %% check="7.1"', '# %% check="7.2"', "a second check cell with the id 7.1"),
    ('# %% check="7.2"', '# %% check="7.4"', '# %% check="7.2"', "the check of 7.4 has no exercise 7.4 above it"),
    ('# %% check="7.1"', '# %% check="7.2"', '# %% check="7.1"', "the check of 7.2 has no exercise 7.2 above it"),
    ('answer="7.3"', 'answer="8.3"', 'answer="7.3"', "8.3 and 7.1 cannot be of the same set"),
    ("points=40", "points=40.0", "points=40", "points=40.0 is not a whole number above 0"),
    ("points=40", "points=0", "points=40", "points=0 is not a whole number above 0"),
    ('# %% check="7.2"', '# %% check="7.2" points=3', '# %% check="7.2"', "other checks do not"),
    (' title="Leaf" points=55', ' title="Leaf"', 'exercise="7.2"', "no code cell has just the options exercise, title"),
    ('exercise="7.2" title', 'exercise="seven" title', 'exercise="7.2"', "seven is not the id of an exercise"),
    ('title="Leaf"', "title=Leaf", 'exercise="7.2"', "the value of title is not a text in quotes"),
    ('title="Leaf"', 'title="Leaf" title="Leaf"', 'exercise="7.2"', "or its name came before"),
    ('# %% check="7.2"', '# %% the check', '# %% check="7.2"', '`the check` is not name="value"'),
    ('tags=["experiment"] active="ipynb"', 'tags=["plot"] active="ipynb"', "tags=", 'the only tagged cells are'),
    ('active="ipynb"', 'active="ipynb" answer="7.4"', "tags=", "the experiment of 7.4 has no answer 7.4"),
    ('active="ipynb"', 'active="ipynb" answer="mine"', "tags=", "mine is not the id of an exercise"),
    ('active="ipynb"', 'active="ipynb" points=5', "tags=", "no code cell has just the options tags, active, points"),
    ('@check("7.2", "Leaf")', '@check("7.2", "Tree")', '# %% check="7.2"', 'under @check("7.2", "Leaf")'),
    ('@check("7.2", "Leaf")', '@check("7.1", "Leaf")', '# %% check="7.2"', 'under @check("7.2", "Leaf")'),
    ("# TODO 7.2: count", "# TODO 7.1: count", "# TODO 7.2: count", "TODO 7.1 is in the cell of exercise 7.2"),
    ("# TODO 7.2: count", "# Count", 'exercise="7.2"', "exercise 7.2 has no line # TODO 7.2"),
    ("SCALE = 2.0", "SCALE = = 2.0", "SCALE = 2.0", "this cell does not parse"),
    ("SCALE = 2.0", "SCALE = 2.0\nSCALE = 3.0", "SCALE = 2.0", "SCALE is defined a second time"),
    ("# What a leaf is worth.", "What a leaf is worth.", "# What a leaf is worth.", "a line of a markdown cell begins with #"),
    ("# What a leaf is worth.", "# What a leaf\n# + 1 is worth.", "# What a leaf is worth.", "begins with '+' becomes a list"),
    ("# What a leaf is worth.", "# A leaf is worth\n# 3. No more.", "# What a leaf is worth.", "begins with '3.' becomes a list"),
])
def test_what_is_refused_is_named_by_file_and_line(old, new, line, says):
    message = refused(old, new)
    number = line_of(line) + (new.count("\n") if "\n" in new else 0)
    assert message.startswith(f"solutions/small.py:{number}: ") and says in message


FIRST = "# %% [markdown]\n# # A small set"
FACTS = 'draft=true games=false packages=["torch"] memory_mib=512 player="uct" beside=["weights.npz"]'


def test_the_first_line_tells_the_facts_of_a_set_and_students_see_only_that_it_is_a_draft():
    with_facts = read_sample(FIRST, FIRST.replace("]", f"] {FACTS}"))
    assert with_facts.facts == Facts(True, False, ("torch",), 512, "uct", ("weights.npz",))
    draft = read_sample(FIRST, FIRST.replace("]", "] draft=true"))
    for solution in (True, False):
        assert module_text(with_facts, solution=solution) == module_text(draft, solution=solution)
    assert module_text(draft, solution=False).startswith("# %% [markdown] draft=true\n# # A small set\n")
    assert read_sample().facts == Facts()


@pytest.mark.parametrize("fact, says", [
    ("draft=1", "draft must be true"), ("draft=false", "draft must be true"),
    ("games=1", "games=1 must be true or false"),
    ('packages="torch"', "packages='torch' must be a list of texts"), ("beside=[1]", r"beside=[1] must be a list of texts"),
    ('memory_mib="1 GiB"', "memory_mib='1 GiB' must be a whole number"), ("memory_mib=true", "memory_mib=True must be a whole"),
    ("player=true", "player=True must be a text in quotes"), ('colour="red"', "no markdown cell has just the options colour"),
])
def test_a_wrong_fact_is_refused(fact, says):
    message = refused(FIRST, FIRST.replace("]", f"] {fact}"))
    assert message.startswith("solutions/small.py:1: ") and says in message


def test_facts_stand_in_the_first_line_only():
    later = "# %% [markdown] answer"
    for fact in FACTS.split():
        message = refused(later, f"# %% [markdown] {fact}\n# More.\n\n{later}")
        assert f"{fact.partition('=')[0]} belongs in line 1, the header of the first cell" in message


@pytest.mark.parametrize("ps", names())
def test_the_facts_are_known_without_reading_the_whole_source(ps):
    assert facts_of(ps) == load(ps).facts


def test_points_that_do_not_sum_to_95_and_5():
    assert refused("points=40", "points=41").endswith("are 96 + 5, not 95 + 5")
    assert refused('check="joint" points=5', 'check="joint" points=6').endswith("are 95 + 6, not 95 + 5")


def test_an_exercise_without_a_check():
    check = SAMPLE[SAMPLE.index('# %% check="7.2"'):SAMPLE.index("# %% tags")]
    with pytest.raises(SourceError, match=r"small.py:\d+: exercise 7.2 has no check cell"):
        read(SAMPLE.replace(check, ""), "small", "small.py")


def test_text_before_the_first_cell():
    with pytest.raises(SourceError, match="small.py:1: `import os` is before the first cell"):
        read("import os\n" + SAMPLE, "small", "small.py")


def test_a_set_without_a_heading():
    assert "the first cell is not text under a heading" in refused("# # A small set", "# A small set")


@pytest.mark.parametrize("leak", [
    "# a comment: return scaled(total / visits) + bonus(visits)",
    "copied = 'return scaled(total / visits)   + bonus(visits)'",
])
def test_a_solution_line_that_can_be_read_elsewhere(leak):
    message = refused("SCALE = 2.0", f"SCALE = 2.0\n{leak}")
    place = line_of("    return scaled(total / visits) + bonus(visits)") + 1
    assert message.startswith(f"solutions/small.py:{place}: the solution line `return scaled(total / visits) + bonus(visits)`")
    assert f"near solutions/small.py:{line_of('SCALE = 2.0') + 1}" in message


@pytest.mark.parametrize("text", ["What a leaf is worth.", "Your answer here."])
def test_prose_does_not_leak_either(text):
    message = refused(text, f"{text} `return 0.0 if self.is_new() else average(self.total, self.visits)`")
    assert "can be read in the stub" in message


def test_a_source_that_is_no_text(tmp_path, monkeypatch):
    (tmp_path / "ps7_small.py").write_bytes(SAMPLE.encode().replace(b"What a leaf", b"What \xff leaf"))
    monkeypatch.setattr(source, "SOLUTIONS", tmp_path)
    with pytest.raises(SourceError, match=rf"^solutions/ps7_small.py:{line_of('# What a leaf')}: not a text in UTF-8$"):
        load("ps7_small")


def test_an_unknown_set():
    assert "ps2_uct" in names()
    with pytest.raises(SourceError, match="no problem set is called 'ps9'; choose from .*ps2_uct"):
        load("ps9")
    with pytest.raises(SourceError):
        load("../solutions/ps2_uct")


def test_the_table_of_parts_gets_its_points_from_the_headers():
    rows = "| one | 7.1 | {points} | |\n| all | 7.1 to 7.2, joint check | {points} | |\n| text | 7.3 | up to {points} by hand | |"
    points = {"7.1": 40, "7.2": 55, "7.3": 5, "joint": 5}
    filled = [row.split("|")[3].strip() for row in with_points(rows, points, "file:{}".format).split("\n")]
    assert filled == ["40", "100", "up to 5 by hand"] and with_points("{points} elsewhere", points, str) == "{points} elsewhere"
    for wrong in ("7.9", "7.2 to 7.1", "7.1 and 7.2"):
        with pytest.raises(SourceError, match=f"file:2: '{wrong}' has no points: write ids such as"):
            with_points(f"# A\n| one | {wrong} | {{points}} | |", points, "file:{}".format)
