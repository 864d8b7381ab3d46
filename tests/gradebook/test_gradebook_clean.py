"""The clean notebook contains the student's work and nothing else of the student's."""

import json

import nbformat
import pytest
from nbgrader import utils

from autograder.gradebook.recording.clean import clean_notebook
from autograder.problem_sets.source import load, module_text
from autograder.submission import read as submissions

PS = "ps2_uct"


@pytest.fixture
def clean(small_class):
    """Hand in a notebook that `spoil` may change first, and return (release, clean)."""

    def make(edits=None, spoil=lambda notebook: None, **report):
        work = small_class.hand_in("ada", edits)
        path = work / f"{PS}.ipynb"
        notebook = json.loads(path.read_text(encoding="utf-8"))
        spoil(notebook)
        path.write_text(json.dumps(notebook), encoding="utf-8")
        release = nbformat.read(small_class.folder / "release" / PS / f"{PS}.ipynb", as_version=4)
        submission = submissions.read_folder(work, PS)
        return release, clean_notebook(release, submission, small_class.report("ada", **report))

    return make


def by_id(notebook):
    return {cell.metadata.nbgrader.grade_id: cell for cell in notebook.cells if "nbgrader" in cell.metadata}


def test_the_code_and_the_answers_are_the_students(clean):
    _, notebook = clean({"ex2_5_code": "def backpropagate(node, value):\n    pass", "ex2_13": "I think *so*."})
    cells = by_id(notebook)
    assert cells["ex2_5_code"].source == "def backpropagate(node, value):\n    pass"
    assert cells["ex2_13"].source == "I think *so*."


def test_everything_else_is_the_release(clean):
    release, notebook = clean({"ex2_5_code": "x = 1", "ex2_5": "assert True"})
    filled = [cell for cell in notebook.cells if cell.get("id") != "autograder-summary"]
    for released, cell in zip(release.cells, filled, strict=True):
        assert cell.metadata == released.metadata
        if released.metadata.get("nbgrader", {}).get("grade_id") != "ex2_5_code":
            assert cell.source == released.source


def test_an_experiment_of_their_own_stands_where_it_was_written(clean):
    def spoil(notebook):
        (cell,) = [cell for cell in notebook["cells"] if cell["metadata"].get("answer") == "2.13"]
        cell["source"] = "c = 17  # my experiment"

    release, notebook = clean({"ex2_5_code": "x = 1"}, spoil)
    assert len(notebook.cells) == len(release.cells) + 1  # the summary: nothing is an added cell
    (place,) = [number for number, cell in enumerate(notebook.cells) if cell.source == "c = 17  # my experiment"]
    assert notebook.cells[place + 1].metadata.nbgrader.grade_id == "ex2_13"


def test_an_experiment_in_a_module_is_shown_without_its_comment_signs(small_class):
    work = small_class.hand_in("ada")
    (work / f"{PS}.ipynb").unlink()
    module = module_text(load(PS), solution=True)
    header = '# %% tags=["experiment"] active="ipynb" answer="2.13"\n'
    for written in ("# c = 17\n# print(c)", "c = 17\nprint(c)"):
        before, _, after = module.partition(header)
        (work / f"{PS}.py").write_text(before + header + written + "\n\n# %%" + after.partition("\n# %%")[2], encoding="utf-8")
        submission = submissions.read_folder(work, PS)
        assert all("c = 17" not in code for _, code in submission.code())  # grading does not load it
        release = nbformat.read(small_class.folder / "release" / PS / f"{PS}.ipynb", as_version=4)
        notebook = clean_notebook(release, submission, small_class.report("ada"))
        assert [cell.source for cell in notebook.cells if cell.metadata.get("answer") == "2.13"] == ["c = 17\nprint(c)"]


def test_outputs_counts_and_metadata_of_theirs_are_gone(clean):
    def spoil(notebook):
        for cell in notebook["cells"]:
            cell["metadata"]["forged"] = True
            cell["metadata"].get("nbgrader", {})["points"] = 987654
            if cell["cell_type"] == "code":
                cell["execution_count"] = 7
                cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "forged output"}]
        notebook["metadata"] = {"forged": True, "kernelspec": {"name": "badkernel", "display_name": "badkernel"}}

    release, notebook = clean({"ex2_5_code": "x = 1"}, spoil)
    text = nbformat.writes(notebook)
    assert "forged" not in text and "badkernel" not in text and "987654" not in text
    assert notebook.metadata == release.metadata
    assert all(cell.execution_count is None for cell in notebook.cells if cell.cell_type == "code")


def test_cells_of_their_own_stand_at_the_end_as_plain_cells(clean):
    def spoil(notebook):
        mine = {"id": "mine", "cell_type": "code", "metadata": {"nbgrader": {"grade": True}}, "outputs": [],
                "execution_count": None, "source": "helper = 1"}
        notebook["cells"].insert(3, mine)

    release, notebook = clean({"ex2_5_code": "x = 1"}, spoil)
    *_, heading, helper = notebook.cells
    assert len(notebook.cells) == len(release.cells) + 3
    assert heading.source.startswith("### Cells you added")
    assert (helper.source, helper.metadata) == ("helper = 1", {})


def test_unreadable_work_is_the_stub_with_a_note(clean, small_class):
    release, _ = clean()
    report = small_class.report("ada", note="ps2_uct.ipynb is not a notebook: it is no JSON.", form="none")
    notebook = clean_notebook(release, None, report)
    assert [cell.source for cell in notebook.cells[1:]] == [cell.source for cell in release.cells]
    assert "    ps2_uct.ipynb is not a notebook: it is no JSON." in notebook.cells[0].source


def test_a_note_is_shown_as_it_is_and_not_rendered(clean):
    _, notebook = clean({"ex2_5_code": "x = 1"}, note="cell 3 raised [x](javascript:alert(1))\n# <b>name</b>")
    lines = notebook.cells[0].source.splitlines()
    assert "    cell 3 raised [x](javascript:alert(1))" in lines and "    # <b>name</b>" in lines


def test_text_that_is_no_unicode_and_text_without_end_stay_writable(clean):
    def spoil(notebook):
        cell = next(cell for cell in notebook["cells"] if cell["id"] == "ex2_5_code")
        cell["source"] = "x = '\ud800'\n" + "y = 1\n" * 100_000

    _, notebook = clean(None, spoil)
    text = nbformat.writes(notebook)
    assert len(text.encode("utf-8")) < 500_000


def test_no_more_than_so_much_of_what_was_added_is_shown(clean):
    """it is rendered in the grader's own process, whatever it is"""
    def spoil(notebook):
        notebook["cells"] += [{"id": f"a{number}", "cell_type": "markdown", "metadata": {}, "source": "[" * 90_000}
                              for number in range(50)]

    release, notebook = clean(None, spoil)
    shown = notebook.cells[len(release.cells) + 2:]
    assert [len(cell.source) for cell in shown[:-1]] == [90_000, 90_000]
    assert shown[-1].source == "(48 more cells are not shown)"


def test_the_same_work_gives_the_same_file(clean):
    assert nbformat.writes(clean({"ex2_5_code": "x = 1"})[1]) == nbformat.writes(clean({"ex2_5_code": "x = 1"})[1])


def test_the_clean_notebook_is_valid_and_its_checksums_are_the_releases(clean):
    release, notebook = clean({"ex2_5_code": "x = 1"})
    nbformat.validate(notebook)
    cells = by_id(notebook)
    assert utils.compute_checksum(cells["ex2_6_code"]) == cells["ex2_6_code"].metadata.nbgrader.checksum
    assert utils.compute_checksum(cells["ex2_5_code"]) != cells["ex2_5_code"].metadata.nbgrader.checksum
