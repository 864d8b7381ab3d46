"""Forty people with odd names in a course of two sets: what each of them does, what each must get for it, and the downloads.

Who is on which platform changes with the set, so that each name goes through both. Everything that must come out is told here by
plain sums, and none of our code is asked for it.
"""

import hashlib
import zipfile
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path

import nbformat

from autograder.paths import REPOSITORY
from autograder.problem_sets import build
from autograder.problem_sets.bank.answers import load_bank
from autograder.problem_sets.source import load
from tests.gradebook.odd_people import NAMED, PEOPLE

PS1, PS2 = SETS = ("ps1_games", "ps2_uct")
ANSWER = {PS1: "ex1_12", PS2: "ex2_13"}
DUE = {PS1: datetime(2025, 10, 5, 12), PS2: datetime(2025, 10, 19, 12)}  # in UTC
SOLVED = 105.0  # the automatic points with the extra ones of "break it"
ROSTER = {person["id"]: person for person in PEOPLE}
MARKERS = ("ann", "ben", "cem", "dot")

# ---- who does what

TEAMS = (("p01", "p02"), ("p20", "p21"), ("p03", "p24"))  # the first hands in set 1, the second set 2
TEAM_OF_SET_2 = ("p25", "p28")  # p28 hands in; both are alone in set 1
NEVER = {"p34": SETS, "p33": (PS2,), "p35": (PS2,)}
EXEMPT = {("p33", PS2), ("p06", PS2)}  # need not do the set; one of them has handed in all the same
UNREAD = {("p37", PS2)}  # a notebook that is no notebook
AGAIN = {("p18", PS1), ("p18", PS2)}  # hands in wrong work first, and then again: on Canvas, and then on Moodle
STRANGER = {"canvas": "stranger_999_1999_", "moodle": "Strange R_998_assignsubmission_file/"}  # in no roster

LATE = {("p10", PS1): 30, ("p30", PS1): 30, ("p14", PS1): 40, ("p14", PS2): 40, ("p15", PS1): 30, ("p15", PS2): 30,
        ("p36", PS2): 100, ("p02", PS2): 40}  # hours after the due date of the class
EXTENDED = {PS1: {"p10": 48, "p30": 48}, PS2: {"p01": 48}}  # hours; the last one is for the team of p01
MORE_DAYS = {"p14": "2"}
TOKENS = {"p15": 3, "p36": 3}  # of three, a day each: p15 takes two in set 1, and has one left in set 2
LOST_BY_LATENESS = {("p15", PS2): 0.1, ("p36", PS2): 0.2}  # 10 % for each day that has begun

DISPUTES, DISPUTED, CHECK = "p04", "1.1", "test_the_state_says_it_at_the_end_too"  # the check that is excused in the end
WRONG = {  # the names of answers in the bank
    **dict.fromkeys([("p07", PS1), ("p29", PS1), ("p20", PS1), ("p18", PS1)], "player 1 moves first"),
    **dict.fromkeys([("p04", PS1), ("p27", PS1)], "where nothing is legal it is player 0's turn"),
    **dict.fromkeys([("p08", PS2), ("p31", PS2), ("p28", PS2), ("p18", PS2)], "never the last legal action"),
}
LOST = {work: 7.0 for work in WRONG if work not in AGAIN}  # an exercise of 2 points, and the joint check
LOST_IN_THE_END = {work: lost for work, lost in LOST.items() if work not in (("p04", PS1), ("p27", PS1))}
ERASED = "p22"


def team(student: str, ps: str) -> tuple[str, ...]:
    """The members of a student's team, the one first who hands in; the student alone without a team."""
    teams = [*TEAMS] if ps == PS1 else [members[::-1] for members in (*TEAMS, TEAM_OF_SET_2)]
    return next((members for members in teams if student in members), (student,))


def author(student: str, ps: str) -> str:
    """Who hands in the work of a student."""
    return team(student, ps)[0]


def has_work(student: str, ps: str) -> bool:
    return ps not in NEVER.get(student, ())


def authors(ps: str) -> list[str]:
    """Everybody who hands in a set."""
    return [student for student in ROSTER if has_work(student, ps) and author(student, ps) == student]


def platform(student: str, ps: str) -> str:
    """Half of the class is on Canvas, half on Moodle; in the second set the halves change places."""
    return "canvas" if (int(student[1:]) % 2 == 0) == (ps == PS1) else "moodle"


def word(student: str, ps: str, what: str) -> str:
    """A word that nothing else in the course has: of the answer, of the marker's comment."""
    return f"{what}{hashlib.sha256(f'{student} {ps} {what}'.encode()).hexdigest()[:12]}"


def score(student: str, ps: str) -> float:
    """The mark of an answer, 0.5 to 5 in halves."""
    return (int(student[1:]) * 7 + len(ps)) % 10 / 2 + 0.5


def mark(student: str, ps: str, lost: Mapping[tuple[str, str], float]) -> float:
    """The mark of the work; `lost`: the automatic points that work loses, by author and set."""
    by = author(student, ps)
    if not has_work(student, ps) or (by, ps) in UNREAD:
        return 0.0
    points = SOLVED - lost.get((by, ps), 0.0) + score(by, ps)
    return points * (1 - LOST_BY_LATENESS.get((student, ps), 0.0))


# ---- what is handed in

@cache
def _solution(ps: str) -> str:
    return build(load(ps), solution=True)[0]


@cache
def _wrong_answers(ps: str) -> dict[str, str]:
    return {answer.name: answer.code for answer in load_bank(REPOSITORY / "tests" / "wrong" / f"{ps}.py")}


def work(student: str, ps: str, first: bool = False) -> bytes:
    """The notebook of a student: the solution with an own answer, and perhaps a wrong function at its end.

    Args:
        first: the earlier one of two.
    """
    if (student, ps) in UNREAD:
        return f"{word(student, ps, 'broken')} is no notebook".encode()
    made = nbformat.reads(_solution(ps), as_version=4)
    for cell in made.cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id") == ANSWER[ps]:
            cell.source = f"My experiment: {word(student, ps, 'first' if first else 'answer')}."
    if (student, ps) in WRONG and ((student, ps) not in AGAIN or first):
        made.cells.append(nbformat.v4.new_code_cell(_wrong_answers(ps)[WRONG[student, ps]], id="once-more"))
    return nbformat.writes(made).encode()


def time_of(student: str, ps: str) -> datetime:
    """When a student hands in, in UTC: five hours before the due date and a few minutes more, or late."""
    return DUE[ps] + timedelta(hours=LATE.get((student, ps), -5), minutes=int(student[1:]))


def name_of(student: str, ps: str, file: str, upload: int = 0) -> str:
    """The name of a file in the platform's download; `upload`: how many uploads a student has made before."""
    way, late = platform(student, ps), time_of(student, ps) > DUE[ps]
    name = NAMED[way](ROSTER[student], file, late=late)
    number = 900 + int(ROSTER[student]["canvas_id"])
    return name.replace(f"_{number}_", f"_{number + 100 * upload}_") if way == "canvas" else name


def downloads(room: Path, ps: str) -> list[Path]:
    """Write the zips of both platforms: the first hand-ins, and everything once more with those who have handed in again."""
    made = []
    for again in (False, True):
        for way in ("canvas", "moodle"):
            members = {name_of(student, ps, f"{ps}.ipynb", upload=int(again and (student, ps) in AGAIN)): (
                work(student, ps, first=not again and (student, ps) in AGAIN),
                time_of(student, ps) + timedelta(hours=int(again and (student, ps) in AGAIN)))
                for student in authors(ps) if platform(student, ps) == way}
            members[STRANGER[way] + f"{ps}.ipynb"] = _solution(ps).encode(), DUE[ps] - timedelta(hours=9)
            made.append(room / f"{way}-{ps}-{int(again) + 1}.zip")
            with zipfile.ZipFile(made[-1], "w", zipfile.ZIP_DEFLATED) as packed:
                for name, (content, time) in members.items():
                    packed.writestr(zipfile.ZipInfo(name, time.timetuple()[:6]), content, zipfile.ZIP_DEFLATED)
    return made
