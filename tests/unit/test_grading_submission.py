"""How a submission is read: for any contents of the folder there is a sentence, and never an exception."""

import json
import os
from pathlib import Path

import pytest

from autograder.problem_sets import build
from autograder.problem_sets.source import load
from autograder.submission import read as submissions
from autograder.submission.parse import MAX_CODE_BYTES
from autograder.submission.payload import read_payload
from autograder.submission.read import Submission, read_folder

PS = load("ps2_uct")
NOTEBOOK, MODULE = "ps2_uct.ipynb", "ps2_uct.py"
STUB, SOLVED = build(PS, solution=False), build(PS, solution=True)


def put(folder: Path, **files: str | bytes) -> Submission:
    """Write the forms in the arguments ("notebook", "module") and read them."""
    for form, content in files.items():
        path = folder / {"notebook": NOTEBOOK, "module": MODULE}[form]
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_folder(folder, "ps2_uct")


def code(submission: Submission) -> list[str]:
    return [source.strip() for _, source in submission.code() if source.strip()]


def edited(text: str, change) -> str:
    """A notebook after `change` was called on its JSON."""
    content = json.loads(text)
    change(content)
    return json.dumps(content)


# -- which form -------------------------------------------------------------------------------------


def test_both_forms_of_the_solution_are_the_same_work(tmp_path):
    (tmp_path / "n").mkdir(), (tmp_path / "m").mkdir()
    notebook, module = put(tmp_path / "n", notebook=SOLVED[0]), put(tmp_path / "m", module=SOLVED[1])
    assert (notebook.form, module.form, notebook.note, module.note) == ("notebook", "module", "", "")
    assert code(notebook) == code(module)


@pytest.mark.parametrize(
    "notebook, module, form, differs",
    [
        (SOLVED[0], SOLVED[1], "notebook", False),
        (SOLVED[0], STUB[1], "notebook", False),
        (STUB[0], SOLVED[1], "module", False),
        (STUB[0], STUB[1], "notebook", False),
        (SOLVED[0], SOLVED[1] + "\n# %%\nx = 1\n", "notebook", True),
    ],
)
def test_the_form_that_was_worked_on_is_graded(tmp_path, notebook, module, form, differs):
    submission = put(tmp_path, notebook=notebook, module=module)
    assert submission.form == form
    assert ("they differ" in submission.note) == differs


def test_an_empty_folder_is_nothing_and_says_what_it_needs(tmp_path):
    submission = read_folder(tmp_path, "ps2_uct")
    assert (submission.form, submission.cells) == ("none", ()) and f"{NOTEBOOK} or {MODULE}" in submission.note
    assert read_folder(tmp_path / "no such folder", "ps2_uct").form == "none"


def test_an_unreadable_form_leaves_the_other(tmp_path):
    submission = put(tmp_path, notebook="{", module=SOLVED[1])
    assert submission.form == "module" and NOTEBOOK in submission.note and "The module was graded." in submission.note


# -- what students do to their files ----------------------------------------------------------------


@pytest.mark.parametrize(
    "encoded",
    [
        b"\xef\xbb\xbf" + SOLVED[1].encode(),
        SOLVED[1].replace("\n", "\r\n").encode(),
        SOLVED[1].replace("\n", "\r").encode(),
    ],
    ids=["byte order mark", "Windows line ends", "old Mac line ends"],
)
def test_a_module_as_other_editors_write_it(tmp_path, encoded):
    (tmp_path / "plain").mkdir()
    assert put(tmp_path, module=encoded).code() == put(tmp_path / "plain", module=SOLVED[1]).code()


def test_a_module_in_latin_1_is_read(tmp_path):
    submission = put(tmp_path, module="# %%\nname = 'é'\n".encode("latin-1"))
    assert "name = 'é'" in "".join(code(submission))


def test_a_notebook_with_a_byte_order_mark_is_read(tmp_path):
    assert code(put(tmp_path, notebook=b"\xef\xbb\xbf" + SOLVED[0].encode()))


def test_a_notebook_in_another_encoding_says_so(tmp_path):
    assert "UTF-8" in put(tmp_path, notebook='{"cells": ["\u00e9"]}'.encode("latin-1")).note


def test_what_a_shell_of_windows_wrote_is_read(tmp_path):
    for form, number in (("notebook", 0), ("module", 1)):
        (tmp_path / form).mkdir(), (tmp_path / f"plain {form}").mkdir()
        utf_16 = put(tmp_path / form, **{form: SOLVED[number].encode("utf-16")})
        assert utf_16.code() == put(tmp_path / f"plain {form}", **{form: SOLVED[number]}).code() and utf_16.note == ""


def test_a_notebook_of_format_3_is_read(tmp_path):
    def change(content: dict) -> None:
        for cell in content["cells"]:
            if cell["cell_type"] == "code":
                cell["input"] = cell.pop("source")
        content.update(worksheets=[{"cells": content.pop("cells")}], nbformat=3)

    (tmp_path / "new").mkdir()
    assert code(put(tmp_path, notebook=edited(SOLVED[0], change))) == code(put(tmp_path / "new", notebook=SOLVED[0]))


def test_lost_metadata_keeps_the_code_and_does_not_run_checks_and_experiments(tmp_path):
    (tmp_path / "whole").mkdir()
    bare = put(tmp_path, notebook=edited(SOLVED[0], lambda content: [cell.update(metadata={}) for cell in content["cells"]]))
    assert code(bare) == code(put(tmp_path / "whole", notebook=SOLVED[0]))


@pytest.mark.parametrize(
    "metadata", [None, [], "x", {"nbgrader": 3}, {"nbgrader": {"grade_id": []}}, {"tags": "experiment"}, {"tags": [[]]}]
)
def test_odd_metadata_is_no_metadata(tmp_path, metadata):
    submission = put(tmp_path, notebook=json.dumps({"cells": [{"cell_type": "code", "source": "a = 1", "metadata": metadata}]}))
    assert code(submission) == ["a = 1"]


def test_duplicated_and_added_cells_run_in_order(tmp_path):
    submission = put(
        tmp_path,
        notebook=edited(
            SOLVED[0], lambda content: content["cells"].extend(content["cells"][:] + [{"cell_type": "code", "source": "x = 1"}])
        ),
    )
    assert len(code(submission)) == 2 * len(_solved_code(tmp_path)) + 1 and code(submission)[-1] == "x = 1"


def _solved_code(tmp_path: Path) -> list[str]:
    (tmp_path / "solved").mkdir()
    return code(put(tmp_path / "solved", notebook=SOLVED[0]))


@pytest.mark.parametrize(
    "source, text", [(["a = 1\n", "b = 2"], "a = 1\nb = 2"), (["a = 1", 3, None], "a = 1"), (None, ""), (5, ""), ({"a": 1}, "")]
)
def test_sources_as_lists_or_worse(tmp_path, source, text):
    submission = put(
        tmp_path,
        notebook=json.dumps({"cells": [{"cell_type": "code", "source": source}, {"cell_type": "code", "source": "z = 3"}]}),
    )
    assert code(submission) == list(filter(None, [text, "z = 3"]))


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        SOLVED[0][:-20],
        SOLVED[0][: len(SOLVED[0]) // 2],
        "null",
        "[]",
        "3",
        '"text"',
        "{}",
        '{"cells": 3}',
        '{"cells": []}',
        '{"cells": [1, 2]}',
        "[" * 100_000,
        '{"a":' * 100_000,
        "1" * 10_000,
        "\0" * 100,
        '{"worksheets": {"cells": []}}',
        '{"worksheets": [3, {"cells": 5}]}',
        "NaN",
        "{'cells': []}",
    ],
    ids=lambda content: content[:18] or "empty",
)
def test_a_damaged_notebook_is_one_sentence(tmp_path, content):
    submission = put(tmp_path, notebook=content)
    assert submission.form == "none" and submission.cells == ()
    assert submission.note.startswith(f"{NOTEBOOK} is ") and submission.note.endswith(".") and "\n" not in submission.note


def test_lone_surrogates_do_not_break_anything(tmp_path):
    submission = put(tmp_path, notebook=json.dumps({"cells": [{"cell_type": "code", "source": "a = '\ud800'"}]}))
    assert submission.form == "notebook" and len(submission.code()) == 1


def test_line_numbers_of_a_module_are_those_of_the_file(tmp_path):
    submission = put(tmp_path, module='# a comment\n\n# %%\nx = 1\n\n# %% exercise="2.5"\ndef f():\n    return 1 / 0\n')
    (label, last) = submission.code()[-1]
    assert label == MODULE and last.split("\n")[6] == "def f():"


# -- things that are not files ------------------------------------------------------------------------


def make_symlink(path: Path) -> None:
    target = path.parent.parent / "elsewhere"
    target.write_text(SOLVED[0])
    path.symlink_to(target)


@pytest.mark.parametrize(
    "make",
    [make_symlink, os.mkfifo, Path.mkdir, lambda path: path.symlink_to("/etc/passwd"), lambda path: path.symlink_to(path)],
    ids=["link", "pipe", "folder", "link to the host", "link to itself"],
)
def test_only_a_regular_file_is_read(tmp_path, make):
    folder = tmp_path / "submission"
    folder.mkdir()
    make(folder / NOTEBOOK)
    submission = read_folder(folder, "ps2_uct")
    assert submission.form == "none" and "is not a regular file" in submission.note


@pytest.mark.usefixtures("processes")
def test_a_file_that_is_too_large_is_not_read(tmp_path):
    with (tmp_path / NOTEBOOK).open("wb") as file:
        file.truncate(submissions.MAX_FILE_BYTES + 1)
    submission = read_folder(tmp_path, "ps2_uct")
    assert submission.form == "none" and "at most 16 MiB are read" in submission.note
    large = "# %%\n" + f"x = {'1' * 2000}\n" * (MAX_CODE_BYTES // 2000)
    (tmp_path / NOTEBOOK).unlink()
    assert "MiB of code" in put(tmp_path, module=large).note


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize(
    "content",
    [
        {"notebook": '{"cells": [' + "{}, " * 3_000_000 + "{}]}"},
        {"module": "# %%\n" * 200_000},
        {"module": "\n" * 10**7 + "# %%\n" * 900},
    ],
    ids=["three million cells", "cells without end", "lines without end"],
)
def test_a_file_that_is_small_and_would_be_large_in_memory_is_not_read(tmp_path, content):
    """every cell of a module includes the empty lines above it: 1 MB of cells would become 20 GB of lines"""
    submission = put(tmp_path, **content)
    assert submission.form == "none" and "so it was not read; hand in the file that you were given" in submission.note


def test_the_hash_covers_both_forms_and_what_cannot_be_read(tmp_path):
    seen = {read_payload(tmp_path, "ps2_uct").sha256}
    for change in (
        lambda: (tmp_path / MODULE).write_text("x = 1"),
        lambda: (tmp_path / MODULE).write_text("x = 2"),
        lambda: (tmp_path / NOTEBOOK).write_text("x = 2"),
        lambda: (tmp_path / MODULE).unlink(),
        lambda: (tmp_path / MODULE).mkdir(),
        lambda: (tmp_path / "other.txt").write_text("not ours") and (tmp_path / NOTEBOOK).unlink(),
    ):
        change()
        seen.add(read_payload(tmp_path, "ps2_uct").sha256)
    assert len(seen) == 7
