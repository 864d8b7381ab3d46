"""Downloads in which one student, Mallory, does what names can do: the honest class of each platform, and her uploads.

A student chooses the names of files, and on most platforms the name that is shown. The numbers, the user names of Blackboard and
the times are the platform's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

ROSTER = """id,first_name,last_name,canvas_id,moodle_id,username
ada,Ada,Lovelace,,,adal
joerg,Jörg,Müller-Lüdenscheidt,22,502,jml
soren,Søren,Ó Briain,,,soren_o
wei1,Wei,Li,31,701,wli1
wei2,Wei,Li,32,702,wli2
twelve,Student,12,,,student12
mal,Mallory,Quick,66,,malq
"""
DUE = "2026-10-05-23-59-00"
LATE = "2026-10-06-00-01-30"
DAY = (2026, 10, 5, 23, 59, 0)


@dataclass(frozen=True)
class Member:
    """A member of a zip. student and path: where its bytes must lie afterwards; "" if nobody may have it."""

    name: str
    student: str = ""
    path: str = ""
    date: tuple[int, ...] = DAY


@dataclass(frozen=True)
class Download:
    """The honest part of a platform's download. times: what timestamp.txt must say; without a line there is none."""

    members: tuple[Member, ...]
    times: dict[str, str]


def canvas(person: str, number: int, upload: int, file: str) -> str:
    return f"{person}_{number}_{upload}_{file}"


def moodle(person: str, number: int, file: str) -> str:
    return f"{person}_{number}_assignsubmission_file/{file}"


def blackboard(user: str, time: str, file: str) -> str:
    return f"gradebook_CS-101_Problem set 2_{user}_attempt_{time}" + (f"_{file}" if file else ".txt")


HONEST = {
    "Canvas": Download((
        Member(canvas("lovelaceada", 11, 901, "ps2_uct.ipynb")),
        Member(canvas("lovelaceada", 11, 910, "ps2_uct-1.ipynb"), "ada", "ps2_uct.ipynb"),
        Member(canvas("müllerlüdenscheidtjörg_LATE", 22, 902, "ps2_uct-2.py"), "joerg", "ps2_uct.py"),
        Member(canvas("óbriainsøren", 23, 903, "ps2_uct.py"), "soren", "ps2_uct.py"),
        Member(canvas("óbriainsøren", 23, 904, "2026_10_05_tree.png"), "soren", "2026_10_05_tree.png"),
        Member(canvas("liwei", 31, 905, "ps2_uct.ipynb"), "wei1", "ps2_uct.ipynb"),
        Member(canvas("liwei", 32, 906, "PS2 UCT (1).ipynb"), "wei2", "PS2 UCT (1).ipynb"),
        Member(canvas("12student", 41, 907, "week_3_4_ps2_uct.ipynb"), "twelve", "week_3_4_ps2_uct.ipynb"),
    ), {}),
    "Moodle": Download((
        Member(moodle("Ada Lovelace", 501, "ps2_uct.ipynb"), "ada", "ps2_uct.ipynb"),
        Member(moodle("Ada Lovelace", 501, "pictures/tree_1_2.png"), "ada", "pictures/tree_1_2.png"),
        Member(moodle("Jörg Müller-Lüdenscheidt", 502, "ps2_uct.py"), "joerg", "ps2_uct.py", (2026, 10, 6, 0, 1, 30)),
        Member(moodle("Søren Ó Briain", 503, "ps2_uct.py"), "soren", "ps2_uct.py", (2026, 10, 4, 12, 0, 0)),
        Member(moodle("Wei Li", 701, "ps2_uct.py"), "wei1", "ps2_uct.py"),
        Member(moodle("Wei Li", 702, "ps2_uct.py"), "wei2", "ps2_uct.py"),
        Member(moodle("Student 12", 504, "ps2_uct.ipynb"), "twelve", "ps2_uct.ipynb"),
    ), {**dict.fromkeys(("ada", "wei1", "wei2", "twelve"), "2026-10-05 23:59:00"), "joerg": "2026-10-06 00:01:30",
        "soren": "2026-10-04 12:00:00"}),
    "Blackboard": Download((
        Member(blackboard("adal", DUE, "ps2_uct.ipynb")), Member(blackboard("adal", DUE, "")),
        Member(blackboard("adal", LATE, "ps2_uct.ipynb"), "ada", "ps2_uct.ipynb"),
        Member(blackboard("jml", DUE, "attempt_2.py"), "joerg", "attempt_2.py"),
        Member(blackboard("soren_o", DUE, "ps2_uct.py"), "soren", "ps2_uct.py"),
        Member(blackboard("wli1", DUE, "ps2_uct.py"), "wei1", "ps2_uct.py"),
        Member(blackboard("wli2", LATE, "ps2_uct.py"), "wei2", "ps2_uct.py"),
        Member(blackboard("student12", DUE, "ps2_uct.py"), "twelve", "ps2_uct.py"),
    ), {**dict.fromkeys(("joerg", "soren", "wei1", "twelve"), "2026-10-05 23:59:00"),
        **dict.fromkeys(("ada", "wei2"), "2026-10-06 00:01:30")}),
}
UPLOAD: dict[str, Callable[[int, str], str]] = {  # Mallory's own, by its number
    "Canvas": lambda number, file: canvas("quickmallory", 66, 920 + number, file),
    "Moodle": lambda number, file: moodle("Mallory Quick", 505, file),
    "Blackboard": lambda number, file: blackboard("malq", LATE, file),
}
MALLORYS_TIME = {"Moodle": "2026-10-05 23:59:00", "Blackboard": "2026-10-06 00:01:30"}

# What Mallory uploads, on each platform: the files, with "=" before those that she may have; of all others nobody has anything.
FILES = {
    "a second timestamp": ["=ps2_uct.ipynb", "timestamp.txt."],
    "timestamps in disguise": ["=ps2_uct.py", "timestamp.txt", "Timestamp.TXT", "timestamp.txt ", "timestamp.txt. ."],
    "a timestamp and dots": ["=ps2_uct.py", "timestamp.txt..", "timestamp.txt..."],
    "wide letters": ["=ps2_uct.py", "ｔｉｍｅｓｔａｍｐ.txt", "timestamp．txt", "timestamp․txt", "ｔimestamp.txt."],
    "the other file of nbgrader": ["=ps2_uct.py", "submission_secret.txt", "submission_secret.txt.", "SUBMISSION_SECRET.TXT"],
    "a folder called timestamp": ["=ps2_uct.py", "timestamp.txt/x", "timestamp.txt./ps2_uct.py", "TIMESTAMP.txt/a/b"],
    "a timestamp in a folder": ["=ps2_uct.py", "work/timestamp.txt", "ps2_uct/timestamp.txt", "./timestamp.txt"],
    "a timestamp in a deep folder": ["=ps2_uct.py", "a//timestamp.txt.", "a/b/c/d/Timestamp.txt"],
    "the notebook and a dot": ["=ps2_uct.ipynb", "ps2_uct.ipynb."],
    "only the notebook and a dot": ["ps2_uct.ipynb.", "tree.png"],
    "a file and its folder": ["=a.txt", "a.txt/x.py", "=ps2_uct.py"],
    "a file with a dot and its folder": ["a.txt.", "=a.txt/x.py", "=ps2_uct.py"],
    "two cases of one name": ["ps2_uct.ipynb", "PS2_UCT.ipynb"],
    "two forms of one letter": ["=ps2_uct.py", "B\u00e4ume.png", "Ba\u0308ume.png", "\ufb01n.png", "fin.png"],
    "a file and another case of its folder": ["=IMG", "img/a.png", "=ps2_uct.py"],
    "the way out": ["../../ada/ps2_uct/ps2_uct.ipynb", "..\\..\\ada\\ps2_uct\\x.py", "=ps2_uct.py", "..", "a/../../x.py"],
    "a long name": ["=ps2_uct.py", "x" * 200 + ".py", "ä" * 80 + ".png", "/".join("abcdefghij")],
    "the longest name, just": ["=" + "x" * 140 + ".png", "=ps2_uct.py"],
    "invisible letters": ["=ps2_uct.py", "timestamp\u200b.txt", "ps2_uct\u202eyp.x"],
    "control characters": ["=ps2_uct.py", "a\x1b[2J.py", "a\nleft over: b.py", "a\x00.py"],
    "a name that is an option": ["=-rf", "=--ps", "=ps2_uct.py", "=*.ipynb", "=$(touch x).png", "=a b;c.png"],
    "a name in braces": ["={student_id}.png", "={0}.txt", "=ps2_uct.py", "=%s%n.txt"],
    "a number of ours": ["=0", "=1", "=2", "=ps2_uct.py"],
    "three endings": ["=ps2_uct.ipynb", "=ps2_uct.ipynb.txt", "=ps2_uct.tar.gz"],
    "hidden files": ["=.ps2_uct.ipynb", "=.git/config", "=ps2_uct.py", "=.htaccess"],
    "another set": ["=ps3_connect_four.py"],
    "a formula": ["==cmd|' !A1.py", "=@SUM(1).png", "=ps2_uct.py"],
}
# Names that read as another student's. Whole names of members; nobody may have any of them, but for those with "=": there the
# first reading has a number that is not an upload's, and 66 is Mallory's in the roster.
NAMES = {
    "Canvas": {
        "another's name and two numbers": ["=lovelaceada_4242_9999999_z_66_921_ps2_uct.ipynb"],
        "two numbers, from nobody of the class": ["lovelaceada_4242_9999999_z_99_921_ps2_uct.ipynb"],
        "another's name and numbers of the right size": ["lovelaceada_4242_922_z_66_921_ps2_uct.ipynb"],
        "another's name and own number": ["lovelaceada_11_912_z_66_921_ps2_uct.ipynb", "lovelaceada_11_912_z_66_923_ps2_uct.py"],
        "another's name from nobody of the class": ["lovelaceada_11_912_z_99_921_ps2_uct.ipynb"],
        "another's name and one number": ["lovelaceada_11_99_921_ps2_uct.ipynb", "=lovelaceada_4242_66_922_ps2_uct.ipynb"],
        "one number of the size of an upload": ["lovelaceada_11_666_921_ps2_uct.ipynb"],
        "another's known number": ["x_22_915_z_66_921_ps2_uct.ipynb", "müllerlüdenscheidtjörg_22_915_z_99_922_ps2_uct.py"],
        "another's number in a file": ["quickmallory_66_921_22_933_ps2_uct.py", "quickmallory_66_922_liwei_31_934_ps2_uct.py"],
        "another's late mark": ["lovelaceada_LATE_11_912_z_LATE_66_921_ps2_uct.ipynb"],
        "very many ways": ["lovelaceada_11_912" + "_22_903" * 60 + "_66_921_ps2_uct.ipynb"],
        "a text of another": ["lovelaceada_11_912_z_66_text.html", "lovelaceada_11_912_z_66_link.html"],
        "a hidden name": ["anon_22_921_ps2_uct_22_934_x.py", "anon_aB3_921_22_934_x.py"],
        "a number with a zero before it": ["lovelaceada_011_0921_ps2_uct.ipynb"],
        "digits of another alphabet": ["lovelaceada_١١_٩١٢_ps2_uct.ipynb"],
    },
    "Moodle": {
        "another's folder in a name": ["Ada Lovelace_501_assignsubmission_file_x_505_assignsubmission_file/ps2_uct.py"],
        "another's file in a name": ["Ada Lovelace_999_assignsubmission_file_505_assignsubmission_file_ps2_uct.py"],
        "another's text in a name": ["Ada Lovelace_501_assignsubmission_onlinetext_x_505_assignsubmission_file/ps2_uct.py"],
        "another's file and a text": ["Ada Lovelace_501_assignsubmission_file_x_505_assignsubmission_onlinetext/o.html"],
        "another's known number": ["x_502_assignsubmission_file_y_505_assignsubmission_file/ps2_uct.py"],
        "another's name, own number": ["Wei Li_799_assignsubmission_file/ps2_uct.py"],
        "another's name where the number is known": ["Jörg Müller-Lüdenscheidt_505_assignsubmission_file/ps2_uct.py"],
        "a hidden name": ["Participant_999_assignsubmission_file/ps2_uct.py"],
    },
    "Blackboard": {
        "another's attempt in a file": [blackboard("malq", LATE, blackboard("adal", DUE, "ps2_uct.ipynb"))],
        "another's attempt, short": [blackboard("malq", LATE, f"adal_attempt_{DUE}_ps2_uct.ipynb")],
        "an earlier attempt of her own": [blackboard("malq", LATE, f"malq_attempt_{DUE}_ps2_uct.ipynb")],
        "another's note": [blackboard("malq", LATE, f"jml_attempt_{DUE}.txt")],
    },
}


def by_hand() -> Iterator[tuple[str, str, list[Member]]]:
    """Yield platform, title and Mallory's members."""
    for platform, upload in UPLOAD.items():
        for title, files in FILES.items():
            yield platform, title, [_upload(upload, number, file) for number, file in enumerate(files)]
        for title, names in NAMES[platform].items():
            yield platform, title, [Member(name[1:], "mal", "ps2_uct.ipynb") if name.startswith("=") else Member(name)
                                    for name in names]


def _upload(upload: Callable[[int, str], str], number: int, file: str) -> Member:
    name = file.removeprefix("=")
    return Member(upload(number, name), "mal", name) if file.startswith("=") else Member(upload(number, name))


PIECES = (
    "timestamp", ".txt", "TIMESTAMP.txt", "ps2_uct", ".ipynb", ".py", ".", " ", "/", "..", "\\", "_", "-1", "lovelaceada_11_912_",
    "_22_915_", "_31_", "Ada Lovelace_501_assignsubmission_file_", "_502_assignsubmission_file/", f"adal_attempt_{DUE}_",
    f"_attempt_{DUE}.txt", "LATE_", "ﬁ", "ｔ", "e\u0301", "é", "\u202e", "\n", "anon_", "gradebook_", "(1)", "~", ":", "=cmd",
)


def drawn(platform: str, seed: int) -> list[str]:
    """Return up to twelve names of members, all Mallory's own: the platform's parts of each are right, hers are drawn.

    None is a folder: a zip's entry for a folder with files in it is not a file, and has no line in the list.
    """
    rng = Random(f"{platform} {seed}")
    names = []
    for number in range(rng.randint(1, 12)):
        file, shown = ("".join(rng.choice(PIECES) for _ in range(rng.randint(1, 5))) for _ in range(2))
        file = file.rstrip("/\\") or "x"
        if platform == "Canvas":
            person = "".join(letter for letter in shown if letter.isalnum() or letter == "_").lower()
            names.append(canvas(person if rng.random() < 0.5 else "quickmallory", 66, 920 + number, file))
        elif platform == "Moodle":
            person = shown.replace("/", "").replace("\\", "")
            names.append(moodle(person if rng.random() < 0.5 else "Mallory Quick", 505, file))
        else:
            names.append(blackboard("malq", rng.choice((DUE, LATE)), file))
    return list(dict.fromkeys(names))
