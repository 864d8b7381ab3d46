"""What a student hands in, and where it goes."""

from collections import defaultdict
from functools import cache
from pathlib import Path

from autograder.paths import REPOSITORY
from autograder.problem_sets.bank.answers import load_bank
from autograder.problem_sets.source import load, module_text


@cache
def _module(ps: str, solution: bool) -> str:
    return module_text(load(ps), solution=solution)


def stub(ps: str, code: str = "") -> str:
    """The module of a set as students get it, with `code` in a cell of its own at the end."""
    return _module(ps, False) + (f"\n\n# %%\n{code}\n" if code else "")


def solved(ps: str, code: str = "") -> str:
    """The solved module of a set, with `code` in a cell of its own at the end."""
    return _module(ps, True) + (f"\n\n# %%\n{code}\n" if code else "")


def own_answers(ps: str, number: int) -> list[str]:
    """One person's answers to the exercises: the bank's wrong answers with this number; no two persons share one."""
    known = defaultdict(list)
    for answer in load_bank(REPOSITORY / "tests" / "wrong" / f"{ps}.py"):
        known[answer.exercise].append(answer.code)
    return [codes[number] for exercise, codes in known.items() if exercise != "joint" and len(codes) > number]


def hand_in(course: Path, student: str, ps: str, content: str | bytes, name: str = "") -> Path:
    """Write a student's file into a course, the set's module unless it has another name; return its folder."""
    folder = course / "submitted" / student / ps
    folder.mkdir(parents=True, exist_ok=True)
    (folder / (name or f"{ps}.py")).write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder
