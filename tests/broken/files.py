"""Files in the folder instead of the file that was asked for."""

import io
import os
import zipfile
from pathlib import Path

from autograder.selftest.broken.bank import Mess
from autograder.submission.discover import MODULE, NONE

ASSIGNMENTS = Path(__file__).resolve().parents[2] / "assignments"
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
    Mess("a second download", "ps2_uct (1).ipynb", called("ps2_uct (1).ipynb"), says=("ps2_uct (1).ipynb " + NAMED,), quick=True),
    Mess(
        "the name that the LMS gives",
        "jdoe_12345_ps2_uct.ipynb",
        called("jdoe_12345_ps2_uct.ipynb"),
        says=("jdoe_12345_ps2_uct.ipynb " + NAMED,),
    ),
    Mess("the LMS says late", "late_ps2_uct.ipynb", called("late_ps2_uct.ipynb"), says=("late_ps2_uct.ipynb " + NAMED,)),
    Mess("capital letters", "PS2_UCT.ipynb", called("PS2_UCT.ipynb"), says=("PS2_UCT.ipynb " + NAMED,)),
    Mess(
        "blanks in the name",
        "PS 2 - UCT final.ipynb",
        called("PS 2 - UCT final.ipynb"),
        says=("PS 2 - UCT final.ipynb " + NAMED,),
    ),
    Mess("a name of their own", "homework.ipynb", called("homework.ipynb"), says=("homework.ipynb " + NAMED,)),
    Mess(
        "a name that is not English",
        "Übung zwei – Kopie.ipynb",
        called("Übung zwei – Kopie.ipynb"),
        says=("Übung zwei – Kopie.ipynb " + NAMED,),
    ),
    Mess(
        "txt at the end",
        "ps2_uct.ipynb.txt, as a mail program saves it",
        called("ps2_uct.ipynb.txt"),
        says=("ps2_uct.ipynb.txt " + NAMED,),
    ),
    Mess(
        "json at the end",
        "ps2_uct.ipynb.json, as a browser saves it",
        called("ps2_uct.ipynb.json"),
        says=("ps2_uct.ipynb.json " + NAMED,),
    ),
    Mess("no ending", "ps2_uct, without .ipynb", called("ps2_uct"), says=("ps2_uct " + NAMED,)),
    Mess(
        "a module of another name",
        "ps2_uct_final(2).py",
        lambda shop: {"ps2_uct_final(2).py": shop.solved_module},
        form=MODULE,
        says=("ps2_uct_final(2).py was read as your module: call it ps2_uct.py next time.",),
    ),
    Mess(
        "another name, in ps1",
        "late_jdoe_ps1_games-1.ipynb",
        called("late_jdoe_ps1_games-1.ipynb"),
        ps="ps1_games",
        says=("late_jdoe_ps1_games-1.ipynb was read as your notebook: call it ps1_games.ipynb next time.",),
    ),
    # other places
    Mess(
        "in a folder of its own",
        "ps2_uct/ps2_uct.ipynb, unpacked once too often",
        called("ps2_uct/ps2_uct.ipynb"),
        says=("ps2_uct/ps2_uct.ipynb " + NAMED,),
        quick=True,
    ),
    Mess(
        "a module in a subfolder",
        "src/ps2_uct.py",
        lambda shop: {"src/ps2_uct.py": shop.solved_module},
        form=MODULE,
        says=("src/ps2_uct.py was read as your module",),
    ),
    Mess(
        "a folder that is called like the file",
        "ps2_uct.ipynb is a folder, with the notebook in it",
        called("ps2_uct.ipynb/ps2_uct.ipynb"),
        says=("ps2_uct.ipynb/ps2_uct.ipynb " + NAMED,),
    ),
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
    # several files
    Mess(
        "two notebooks, one untouched",
        "ps2_uct.ipynb as it was handed out, and the work in another",
        lambda shop: shop.notebook(shop.stub) | {"ps2_uct_solved.ipynb": shop.solved},
        says=("ps2_uct_solved.ipynb " + NAMED,),
        quick=True,
    ),
    Mess(
        "an older one beside it",
        "ps2_uct.ipynb, and a first version of another name",
        lambda shop: shop.notebook(shop.solved) | {"ps2_uct_old.ipynb": shop.written_up_to("2.4")},
    ),
    Mess(
        "the same thing twice",
        "ps2_uct (1).ipynb and ps2_uct (2).ipynb are the same",
        lambda shop: {"ps2_uct (1).ipynb": shop.solved, "ps2_uct (2).ipynb": shop.solved},
        says=("ps2_uct (1).ipynb " + NAMED,),
    ),
    Mess(
        "two that differ",
        "ps2_uct (1).ipynb and ps2_uct (2).ipynb hold different work",
        lambda shop: {"ps2_uct (1).ipynb": shop.written_up_to("2.4"), "ps2_uct (2).ipynb": shop.solved},
        points=0,
        lost=None,
        form=NONE,
        says=(
            "ps2_uct (1).ipynb and ps2_uct (2).ipynb differ, and none of them is called ps2_uct.ipynb: "
            "hand in one, under that name.",
        ),
    ),
    Mess(
        "another set's notebook",
        "ps1_games.ipynb, in the folder of ps2",
        called("ps1_games.ipynb"),
        points=0,
        lost=None,
        form=NONE,
        says=("Nothing was found to grade", "ps1_games.ipynb is the name of another problem set"),
    ),
    Mess(
        "another set's notebook under this name",
        "the notebook of ps1, renamed",
        lambda shop: {"ps2_uct.ipynb": (ASSIGNMENTS / "ps1_games" / "ps1_games.ipynb").read_text()},
        points=0,
        lost=None,
        says=("ps2_uct.ipynb holds exercises of ps1_games, and none of ps2_uct: hand in the right file.",),
    ),
    Mess(
        "a pdf alone",
        "printed from the browser",
        lambda shop: {"ps2_uct.pdf": "%PDF-1.4"},
        points=0,
        lost=None,
        form=NONE,
        says=("Nothing was found to grade", "ps2_uct.pdf is neither a notebook nor a module."),
    ),
    Mess(
        "a notebook and a zip",
        "the notebook, and everything once more in an archive",
        lambda shop: shop.notebook(shop.solved) | {"ps2_uct.zip": zipped(shop)},
    ),
    # other things instead of the file
    Mess(
        "a zip instead",
        "ps2_uct.zip",
        lambda shop: {"ps2_uct.zip": zipped(shop)},
        points=0,
        lost=None,
        form=NONE,
        says=("ps2_uct.zip is an archive: hand in the file that is in it.",),
    ),
    Mess(
        "a zip called notebook",
        "an archive renamed to ps2_uct.ipynb",
        lambda shop: {"ps2_uct.ipynb": zipped(shop)},
        points=0,
        lost=None,
        form=NONE,
        says=("ps2_uct.ipynb is an archive: hand in the file that is in it.",),
    ),
    Mess(
        "a web page",
        "File, Save and Export As, HTML; then renamed",
        lambda shop: {"ps2_uct.ipynb": HTML},
        points=0,
        lost=None,
        form=NONE,
        says=("ps2_uct.ipynb is an export (a web page or a PDF): hand in the notebook itself.",),
    ),
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
        "a module called notebook",
        "ps2_uct.ipynb is the text of the module",
        lambda shop: {"ps2_uct.ipynb": shop.solved_module},
        form=MODULE,
        says=("ps2_uct.ipynb holds a module and was read as one.",),
        quick=True,
    ),
    Mess(
        "a notebook called module",
        "ps2_uct.py is the JSON of the notebook",
        lambda shop: {"ps2_uct.py": shop.solved},
        says=("ps2_uct.py holds a notebook and was read as one.",),
    ),
    Mess(
        "an empty file",
        "0 bytes, from a disk that was full",
        lambda shop: {"ps2_uct.ipynb": b""},
        points=0,
        lost=None,
        form=NONE,
        says=("ps2_uct.ipynb is empty: save your work and hand it in again.",),
    ),
    Mess(
        "an empty module",
        "0 bytes",
        lambda shop: {"ps2_uct.py": b"\n\n"},
        points=0,
        lost=None,
        form=NONE,
        says=("ps2_uct.py is empty",),
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
    Mess(
        "conflict markers in the notebook",
        "git could not merge the JSON",
        lambda shop: {"ps2_uct.ipynb": conflict(shop)},
        points=0,
        lost=None,
        form=NONE,
        says=("ps2_uct.ipynb is not a readable notebook: line ", " has marks of an unfinished merge (<<<<<<<); keep one"),
    ),
    Mess(
        "conflict markers in the module",
        "git could not merge one function",
        lambda shop: {"ps2_uct.py": conflict_in_a_module(shop)},
        points=85,
        lost={"2.6": "not written", "joint": "not yet"},
        form=MODULE,
        says=("SyntaxError in ps2_uct.py, line ", "Marks of an unfinished merge (<<<<<<<) are in ps2_uct.py"),
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
        "UTF-16",
        "a module saved by a shell of Windows",
        lambda shop: {"ps2_uct.py": shop.solved_module.encode("utf-16")},
        form=MODULE,
    ),
    Mess(
        "UTF-16 notebook", "a notebook saved by a shell of Windows", lambda shop: {"ps2_uct.ipynb": shop.solved.encode("utf-16")}
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
    Mess(
        "a blank that is none",
        "a file that was copied on a Mac: its name has a no-break space",
        called("ps2_uct\u00a0copy.ipynb"),
        says=("copy.ipynb " + NAMED,),
    ),
    Mess(
        "a number without end",
        "5,000 digits in the data of a plot",
        lambda shop: shop.notebook(shop.solved.replace('"metadata"', f'"plotted": [{"7" * 5_000}], "metadata"', 1)),
    ),
    Mess(
        "a student with two alphabets",
        "the folder is called adam, with the third letter from a Russian keyboard",
        lambda shop: shop.notebook(shop.solved),
        student="ad\u0430m",
        remark="mixes letters that look alike, Latin and Cyrillic: whose folder is it?",
    ),
    Mess("another right one", "nothing is wrong here", lambda shop: shop.notebook(shop.solved)),
]
