"""What lies in the folder instead of the file that was asked for."""

import io
import os
import zipfile
from pathlib import Path

from autograder.broken.bank import MODULE, NONE, Mess

NAMED = "was read as your notebook: call it ps2_uct.ipynb next time."


def called(name, form="solved"):
    """The solved notebook under another name."""
    return lambda shop: {name: getattr(shop, form)}


def zipped(shop):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("ps2_uct/ps2_uct.ipynb", shop.solved)
    return archive.getvalue()


def huge(folder: Path, shop):
    with (folder / "ps2_uct.ipynb").open("wb") as file:
        file.truncate(200 * 10**6)


def locked(folder: Path, shop):
    (folder / "ps2_uct.ipynb").write_text(shop.solved)
    os.chmod(folder / "ps2_uct.ipynb", 0)


def conflict(shop):
    lines = shop.solved.splitlines(keepends=True)
    middle = len(lines) // 2
    ours = lines[middle]
    return "".join([*lines[:middle], "<<<<<<< HEAD\n", ours, "=======\n", ours, ">>>>>>> origin/main\n", *lines[middle + 1 :]])


def conflict_in_a_module(shop):
    old = "    mean = -node.total_value / node.num_visits\n"
    assert old in shop.solved_module
    return shop.solved_module.replace(old, f"<<<<<<< HEAD\n    mean = 0\n=======\n{old}>>>>>>> origin/main\n")


HTML = "<!DOCTYPE html>\n<html><body><div class='jp-Notebook'>my work</div></body></html>\n"

MESSES = [
    # other names
    # other places
    Mess(
        "an empty folder that is called like the file",
        "ps2_uct.ipynb is an empty folder",
        lay=lambda folder, shop: (folder / "ps2_uct.ipynb").mkdir(),
        points=0,
        lost=None,
        form=NONE,
        says=("ps2_uct.ipynb is not a regular file; hand in the file itself",),
    ),
    Mess(
        "checkpoints beside it",
        "Jupyter's checkpoints and a Mac's leftovers were handed in too",
        lambda shop: (
            shop.notebook(shop.solved)
            | {
                ".ipynb_checkpoints/ps2_uct-checkpoint.ipynb": shop.stub,
                "__MACOSX/._ps2_uct.ipynb": b"\0\5\26\7",
                ".DS_Store": b"\0\0\0\1Bud1",
                "__pycache__/ps2_uct.cpython-312.pyc": b"\xcb\r\r\n",
            }
        ),
    ),
    Mess(
        "only the checkpoints",
        "the notebook itself was left out",
        called(".ipynb_checkpoints/ps2_uct-checkpoint.ipynb"),
        points=0,
        lost=None,
        form=NONE,
        says=("Nothing was found to grade: the folder needs ps2_uct.ipynb or ps2_uct.py.",),
    ),
    Mess(
        "the whole assignment",
        "the notebook among all that was handed out",
        lambda shop: shop.notebook(shop.solved) | {"pytest.ini": "[pytest]\n", "helpers.py": "x = 1\n"},
    ),
    # several
    Mess(
        "an older one beside it",
        "ps2_uct.ipynb, and a first version of another name",
        lambda shop: shop.notebook(shop.solved) | {"ps2_uct_old.ipynb": shop.written_up_to("2.4")},
    ),
    Mess(
        "a notebook and a zip",
        "the notebook, and everything once more in an archive",
        lambda shop: shop.notebook(shop.solved) | {"ps2_uct.zip": zipped(shop)},
    ),
    # other things than the file
    Mess(
        "a PDF",
        "the notebook printed",
        lambda shop: {"ps2_uct.pdf": b"%PDF-1.7\n"},
        points=0,
        lost=None,
        form=NONE,
        says=("Nothing was found to grade: the folder needs ps2_uct.ipynb or ps2_uct.py.",),
    ),
    Mess(
        "200 MB",
        "a file that is far too large",
        lay=huge,
        points=0,
        lost=None,
        form=NONE,
        says=("ps2_uct.ipynb has 191 MiB; at most 16 MiB are read: clear the outputs of its cells and hand it in again",),
    ),
    Mess(
        "half saved",
        "the battery was empty before the notebook was saved",
        lambda shop: {"ps2_uct.ipynb": shop.solved[: len(shop.solved) // 2]},
        points=0,
        lost=None,
        form=NONE,
        says=("ps2_uct.ipynb is not a readable notebook: its JSON breaks off or is damaged",),
    ),
    Mess(
        "half saved, with a module",
        "the notebook is torn, the module beside it is whole",
        lambda shop: {"ps2_uct.ipynb": shop.solved[:5000], "ps2_uct.py": shop.solved_module},
        form=MODULE,
        says=("its JSON breaks off or is damaged", "The module was graded."),
    ),
    # letters and lines
    Mess(
        "byte order mark",
        "a notebook that an editor of Windows saved",
        lambda shop: {"ps2_uct.ipynb": b"\xef\xbb\xbf" + shop.solved.encode()},
    ),
    Mess(
        "Windows newlines",
        "a module with CR LF",
        lambda shop: {"ps2_uct.py": shop.solved_module.replace("\n", "\r\n")},
        form=MODULE,
        quick=True,
    ),
    Mess(
        "Windows newlines in a notebook",
        "CR LF around and inside of the cells",
        lambda shop: {"ps2_uct.ipynb": shop.solved.replace("\n", "\r\n").replace("\\n", "\\r\\n")},
    ),
    Mess(
        "Latin-1",
        "a module with an e acute of thirty years ago",
        lambda shop: {"ps2_uct.py": f"{shop.solved_module}\n# %%\nname = 'Andr\u00e9'\n".encode("latin-1", "replace")},
        form=MODULE,
    ),
    Mess(
        "exported as a script",
        "jupyter nbconvert --to script: cells begin with In[ ]",
        lambda shop: {"ps2_uct.py": shop.solved_module.replace("# %%", "# In[7]:\n#")},
        form=MODULE,
    ),
    Mess(
        "a student with a name",
        "the folder is called Zoë 明 O'Hara",
        lambda shop: shop.notebook(shop.solved),
        student="Zoë 明 O'Hara",
    ),
    Mess("another right one", "nothing is wrong here", lambda shop: shop.notebook(shop.solved)),
]
