"""Notebooks whose cells have changed places."""

from autograder.grading.report import Outcome
from autograder.selftest.broken.bank import Mess
from autograder.selftest.broken.editing import (
    at,
    code_cell,
    duplicate,
    edited,
    format_3,
    put,
    rewritten,
    source,
    with_output,
    without_first_code,
)
from autograder.selftest.demo.submission_maker import added, name_of_added
from autograder.submission.discover import NONE

BELOW = name_of_added("ps2_uct")


def change_metadata(key, value):
    return lambda maker: maker.notebook(edited(maker.solved, lambda content: content["metadata"].update({key: value})))


def rename(cells, index):
    cells[index]["metadata"]["nbgrader"]["grade_id"] = "my own cell"


def older_draft(above):
    """A copy of the cell with a forgotten first attempt, above or below the right one."""

    def change(cells, index):
        duplicate(cells, index)
        put(cells[index if above else index + 1], source(cells[index]).replace("-node.total_value", "node.total_value"))

    return change


def reverse(content):
    places = solution_cells_of(content)
    cells = [content["cells"][place] for place in places]
    for place, cell in zip(places, reversed(cells)):
        content["cells"][place] = cell


def solution_cells_of(content):
    ids = [cell["metadata"].get("nbgrader", {}).get("grade_id", "") for cell in content["cells"]]
    return [place for place, id in enumerate(ids) if id.endswith("_code")]


def merge_exercises(content):
    places = solution_cells_of(content)
    text = "\n\n\n".join(source(content["cells"][place]) for place in places)
    for place in reversed(places[1:]):
        del content["cells"][place]
    put(content["cells"][places[0]], text)


def merge_all_code(content):
    texts = [source(cell) for cell in content["cells"] if cell["cell_type"] == "code"]
    content["cells"] = [code_cell("\n\n".join(texts))]


def split_between_functions(cells, index):
    text = source(cells[index])
    cut = text.index("def ucb1")
    put(cells[index], text[:cut])
    cells.insert(index + 1, code_cell(text[cut:]))


def split_in_a_body(cells, index):
    text = source(cells[index])
    cut = text.index("    mean =")
    put(cells[index], text[:cut])
    cells.insert(index + 1, code_cell(text[cut:]))


def into_text(cells, index):
    cell = cells[index]
    cell["cell_type"] = "markdown"
    del cell["outputs"], cell["execution_count"]


def only_text(content):
    content["cells"] = [cell for cell in content["cells"] if cell["cell_type"] == "markdown"]


def lose_metadata(content):
    content["metadata"] = {}
    for cell in content["cells"]:
        cell["metadata"] = {}


def without_checks(content):
    content["cells"] = [cell for cell in content["cells"] if "@check(" not in source(cell)]


LOST_2_6 = {"2.6": Outcome.NOT_WRITTEN, "joint": "not yet"}

MESSES = [
    Mess(
        "renamed cell",
        "another id in the metadata of 2.6's cell",
        lambda maker: maker.notebook(at(maker, "2.6", rename)),
        quick=True,
    ),
    Mess("deleted checks", "all visible checks are gone", lambda maker: maker.notebook(edited(maker.solved, without_checks))),
    Mess(
        "deleted exercise",
        "the cell of 2.11 is gone",
        lambda maker: maker.notebook(at(maker, "2.11", lambda cells, index: cells.pop(index))),
        points=91,
        lost={"2.11": Outcome.NOT_WRITTEN, "joint": "not yet"},
        says=("2.11: the function self_play is missing.",),
    ),
    Mess(
        "duplicated cell, draft above",
        "2.6 stands there twice, and the first attempt is above",
        lambda maker: maker.notebook(at(maker, "2.6", older_draft(above=True))),
    ),
    Mess(
        "duplicated cell, draft below",
        "2.6 stands there twice, and the forgotten first attempt is below",
        lambda maker: maker.notebook(at(maker, "2.6", older_draft(above=False))),
        points=85,
        lost={"2.6": "not yet", "joint": "not yet"},
        says=("2.6: ucb is defined more than once, last in cell 41: the last one counts.",),
        quick=True,
    ),
    Mess(
        "pasted twice",
        "the whole notebook stands below itself once more",
        lambda maker: maker.notebook(
            edited(
                maker.solved,
                lambda content: content["cells"].extend(
                    [{**cell, "id": f"again-{number}"} for number, cell in enumerate(content["cells"])]
                ),
            )
        ),
    ),
    Mess(
        "cells in reverse order",
        "the cells of the exercises stand there last first, the class below who names it",
        lambda maker: maker.notebook(edited(maker.solved, reverse)),
        quick=True,
    ),
    Mess("exercises merged", "all exercises in one cell", lambda maker: maker.notebook(edited(maker.solved, merge_exercises))),
    Mess(
        "everything merged",
        "all code in one cell: checks, experiments and plots too",
        lambda maker: maker.notebook(edited(maker.solved, merge_all_code)),
        says=("The rest of your code was loaded.",),
    ),
    Mess(
        "split between functions",
        "the two functions of 2.0 in two cells",
        lambda maker: maker.notebook(at(maker, "2.0", split_between_functions)),
    ),
    Mess(
        "split in a body",
        "2.6 cut in two in the middle of its function",
        lambda maker: maker.notebook(at(maker, "2.6", split_in_a_body)),
        points=85,
        lost={"2.6": "not yet", "joint": "not yet"},
        says=("Skipped while loading: IndentationError in cell 41, line 1",),
    ),
    Mess(
        "code as text",
        "the cell of 2.6 was turned into a text cell",
        lambda maker: maker.notebook(at(maker, "2.6", into_text)),
        points=85,
        lost=LOST_2_6,
        says=("2.6: ucb is in cell 40, which is a text cell: make it a code cell.",),
    ),
    Mess(
        "only the text kept",
        "no code cell is left",
        lambda maker: maker.notebook(edited(maker.stub, only_text)),
        points=0,
        lost=None,
        says=("There is no code in your notebook",),
    ),
    Mess(
        "no metadata",
        "another notebook program dropped all metadata",
        lambda maker: maker.notebook(edited(maker.solved, lose_metadata)),
        quick=True,
    ),
    Mess(
        "wrong kernel",
        "saved with the kernel of R",
        change_metadata("kernelspec", {"name": "ir", "display_name": "R", "language": "R"}),
    ),
    Mess(
        "a kernel that nobody has",
        "saved with the kernel of a virtual environment, of Python 3.14",
        change_metadata("language_info", {"name": "python", "version": "3.14.1"}),
    ),
    Mess("format 3", "saved by an old Jupyter", lambda maker: maker.notebook(edited(maker.solved, format_3)), quick=True),
    Mess(
        "a format of the future",
        "nbformat says 5.9",
        lambda maker: maker.notebook(edited(maker.solved, lambda content: content.update(nbformat=5, nbformat_minor=9))),
    ),
    Mess(
        "imports deleted",
        "the first cell, with the imports, is gone",
        lambda maker: maker.notebook(edited(maker.solved, without_first_code)),
        says=("Imports or code that you were given are missing in your notebook; they were added.",),
    ),
    Mess(
        "imports deleted, in ps1",
        "the first cell, with the imports, is gone",
        lambda maker: maker.notebook(edited(maker.solved, without_first_code)),
        ps="ps1_games",
        says=("Imports or code that you were given are missing in your notebook; they were added.",),
    ),
    Mess(
        "outputs of 10 MB",
        "saved with a long trace below a cell",
        lambda maker: maker.notebook(with_output(maker.solved, "2.2", maker, "ply 1: player 0 plays 4\n" * 420_000)),
    ),
    Mess(
        "outputs of 50 MB",
        "saved with an endless trace below a cell",
        lambda maker: maker.notebook(with_output(maker.solved, "2.2", maker, "x" * 50 * 2**20)),
        points=0,
        lost=None,
        form=NONE,
        says=("ps2_uct.ipynb has 50 MiB; at most 16 MiB are read: clear the outputs of its cells and hand it in again",),
    ),
    Mess(
        "empty cells",
        "a hundred empty cells at the end",
        lambda maker: maker.notebook(
            edited(maker.solved, lambda content: content["cells"].extend([code_cell("\n" * number) for number in range(100)]))
        ),
    ),
    Mess(
        "notes as a cell",
        "a code cell with prose in it",
        lambda maker: maker.notebook(added(maker.solved, "ask about this in the tutorial: why c = 1?")),
        says=(f"Skipped while loading: SyntaxError in {BELOW}, line 1. The rest of your code was loaded.",),
    ),
    Mess(
        "a half-written line in an exercise",
        "2.6 does not parse",
        lambda maker: maker.notebook(rewritten(maker, "2.6", lambda text: text.replace("return mean", "retrun mean"))),
        points=85,
        lost=LOST_2_6,
        says=("SyntaxError in cell 40, line ", "2.6: ucb is in code of cell 40 that could not be run."),
    ),
]
