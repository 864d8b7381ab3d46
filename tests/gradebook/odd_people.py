"""Forty people whose names a program may get wrong, and how each platform names their hand-ins; written without our own code."""

import re
from collections.abc import Mapping

NAMES = [
    ("Ada", "Lovelace"), ("Jörg", "Müller-Lüdenscheidt"), ("Søren", "Ó Briain"), ("D'Arcy", "O'Neill"), ("Anne-Marie", "Cruz"),
    ("Wei", "Li"), ("Wei", "Li"), ("Zoe", "Late"), ("LATE", "Smith"), ("late_late", "Late_Late"), ("Under_score", "Snake_Case"),
    ("__", "Init__"), ("Student", "12"), ("901", "902"), ("22", "Number"), ("p17", "p18"), ("anon", "Ymous"),
    ("Participants", "Group"), ("משה", "כהן"), ("محمد", "علي"), ("Иван", "Петров"), ("伟", "王"), ("さくら", "田中"),
    ("Đặng", "Nguyễn Thị"), ("Łukasz", "Żółć"), ("Þóra", "Æsir"), ("ﬁona", "Ligature"), ("Zoë", "Zo\u0308e"), ("İpek", "Işık"),
    ("X" * 60, "Y" * 60), ("Bobby", "Tables; DROP"), ("Em", "Dash–Ndash"), ("A.", "B."), ("Dr. Who", "Jr."), ("x", "y"),
    ("Null", "None"), ("True", "False"), ("gradebook", "attempt"), ("file", "assignsubmission"), ("Ana", "Núñez Núñez"),
]
PEOPLE = [{"id": f"p{number:02}", "first_name": first, "last_name": last, "canvas_id": str(100 + number),
           "moodle_id": str(500 + number), "username": f"user{number}", "email": f"p{number:02}@uni.example"}
          for number, (first, last) in enumerate(NAMES)]


def canvas_person(first: str, last: str) -> str:
    """A sortable name in a download, as Canvas's code changes it."""
    name = re.sub(r"_(\d+)_", r"\1", f"{last}, {first}").lower()
    return re.sub(r"[^\w]", "", name)


def canvas(person: Mapping[str, str], file: str, late: bool = False) -> str:
    name = canvas_person(person["first_name"], person["last_name"])
    return f"{name}{'_LATE' if late else ''}_{person['canvas_id']}_{900 + int(person['canvas_id'])}_{file}"


def moodle(person: Mapping[str, str], file: str, late: bool = False) -> str:
    name = f"{person['first_name']} {person['last_name']}".replace("_", " ").replace("/", " ")
    return f"{name}_{person['moodle_id']}_assignsubmission_file/{file}"


def blackboard(person: Mapping[str, str], file: str, late: bool = False) -> str:
    return f"gradebook_CS-101_Problem set 2_{person['username']}_attempt_2026-10-05-23-59-00_{file}"


NAMED = {"canvas": canvas, "moodle": moodle, "blackboard": blackboard}
