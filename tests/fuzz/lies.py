"""Submissions that lie: our solution, a part of it or a wrong answer, and below it a cell that takes the worker over.

`lie(number)` always makes the same submission for the same number. It is known before which exercises it cannot earn: all
that are not written, all if every function returns nonsense, or the one of the added wrong answer from tests/wrong/.
If such an exercise earns points, the lie has won.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from random import Random

from autograder.grading.edition import public_secret
from autograder.problem_sets.source import names
from autograder.selftest.demo.submission_maker import Files, SubmissionMaker, added, added_to_module

HERE = Path(__file__).parent
JOINT = "joint"
SOLVED, PIECES, FORGED, WRONG = "solved", "pieces", "forged", "wrong"
NONSENSE = ("0.7313", "41", "'no such answer'", "[0.25, 'x']", "{}", "args")
CHALLENGE_ONE_IN = 40  # of the lies of ps3 and ps5 over our solution
DEAR = {"ps4_puct": 2, "ps5_alphazero": 2}  # torch takes its time: these sets come less often, two for three
PLAYERS = ("ps3_connect_four", "ps5_alphazero")


@dataclass(frozen=True)
class Family:
    """One kind of lie.

    share: how often, compared with the others. bases: the code above it. slow: it keeps the grader waiting up to its deadline.
    as_family: the liar's name for it, if that is different. operations: the worker's only operations with lies.
    """

    share: float
    bases: tuple[str, ...] = (SOLVED, SOLVED, PIECES, FORGED, WRONG, WRONG)
    slow: bool = False
    as_family: str = ""
    operations: tuple[str, ...] = ()


_LUCKY = (SOLVED, SOLVED, PIECES, FORGED)  # such a lie can be the right answer by luck, or repair a mistake
FAMILIES = {
    "bytes": Family(8),
    "kinds": Family(9),
    "inside": Family(10),
    "arrays": Family(12),
    "near": Family(6, _LUCKY),
    "protocol": Family(8),
    "order": Family(5, _LUCKY),
    "extra": Family(5),
    "odd_error": Family(6, _LUCKY),
    "hostile_error": Family(5),
    "end": Family(5),
    "memory": Family(1),
    "drip": Family(1),
    "late": Family(1),
    "whisper": Family(3),
    "load": Family(5),
    "any": Family(8, _LUCKY),
    "questions": Family(12),
    "instead": Family(5, _LUCKY),
    "after": Family(3),
    "source": Family(3, (SOLVED, PIECES)),
    "operations": Family(
        5, as_family="kinds", operations=("fields", "get", "many", "keep", "read", "state", "global_state", "plant", "method")
    ),
    "long drip": Family(0.04, (PIECES,), slow=True, as_family="drip"),
    "long sleep": Family(0.04, (PIECES,), slow=True, as_family="late"),
    "talk": Family(0.15, (PIECES,), slow=True),
}


@dataclass(frozen=True)
class Lie:
    """One submission, and its highest possible points: those of all exercises that are not in `lost`."""

    number: int
    ps: str
    family: str
    base: str
    files: Files
    lost: frozenset[str]
    honest: float
    secret: bytes
    challenge: bool


def lie(number: int, family: str | None = None, sets: tuple[str, ...] | None = None) -> Lie:
    """Return the submission of this number; of one family, or of some problem sets, if these are given."""
    rng = Random(f"lie {number}")
    ps = rng.choice(sets or [ps for ps in names() for _ in range(DEAR.get(ps, 3))])
    kinds = list(FAMILIES)
    kind = family or rng.choices(kinds, [FAMILIES[name].share for name in kinds])[0]
    base = rng.choice(FAMILIES[kind].bases)
    maker = maker_of(ps)
    files, lost, aim = _BASES[base](maker, rng)
    if aim is None and (rng.random() < 0.4 or FAMILIES[kind].slow):
        aim = rng.choice([exercise.id for exercise in maker.problem_set.exercises if exercise.id not in lost] or [None])
    elif rng.random() < 0.3 and not FAMILIES[kind].slow:
        aim = None
    code = _odd_source(maker, rng, aim) if kind == "source" else _cell(_plan(maker, kind, rng, aim))
    if kind == "source" and base == PIECES:  # in an exercise's own cell, if no other cell defines the function
        files = {name: maker.filled(text, {aim or rng.choice(sorted(maker.solutions)): code}) for name, text in files.items()}
    else:
        files = {name: (added if name.endswith(".ipynb") else added_to_module)(text, code) for name, text in files.items()}
    if kind == "source":
        lost = frozenset()
    secret = public_secret() if base == WRONG else f"lies {rng.randrange(1_000)}".encode()
    challenge = base == SOLVED and ps in PLAYERS and not FAMILIES[kind].slow and rng.randrange(CHALLENGE_ONE_IN) == 0
    honest = sum(points for id, points in worth(ps).items() if id not in lost)
    return Lie(number, ps, kind, base, files, lost, honest, secret, challenge)


def worth(ps: str) -> dict[str, float]:
    """Return the points of every exercise of a set, and of its joint check."""
    problem_set = maker_of(ps).problem_set
    return {exercise.id: float(exercise.points) for exercise in problem_set.exercises} | {JOINT: float(problem_set.joint_points)}


@cache
def maker_of(ps: str) -> SubmissionMaker:
    return SubmissionMaker(ps)


# -- the code above the lie ----------------------------------------------------------------------------

Base = tuple[Files, frozenset[str], str | None]  # the files, the exercises that they cannot earn, the attacked exercise


def _solved(maker: SubmissionMaker, rng: Random) -> Base:
    return maker.module(maker.solved_module), frozenset(), None


def _pieces(maker: SubmissionMaker, rng: Random) -> Base:
    """The stub with some exercises solved: the cheapest to grade."""
    chosen = rng.sample(list(maker.solutions), rng.choice((1, 2, 4)))
    notebook = maker.filled(maker.stub, {id: maker.solutions[id] for id in chosen})
    return maker.notebook(notebook), frozenset(maker.solutions) - frozenset(chosen) | {JOINT}, None


def _forged(maker: SubmissionMaker, rng: Random) -> Base:
    """Every function returns the same nonsense."""
    forged = f"def forged(*args, **kwargs):\n    return {rng.choice(NONSENSE)}\n"
    names_of_ours = "\n".join(f"{name} = forged" for name in maker.functions)
    return maker.module(added_to_module(maker.stub_module, f"{forged}\n\n{names_of_ours}")), frozenset(worth(maker.ps)), None


def _wrong(maker: SubmissionMaker, rng: Random) -> Base:
    """Our solution with one wrong answer of the bank, whose exercise is lost."""
    answer = rng.choice([wrong for wrong in maker.wrong.values() if wrong.exercise not in (None, JOINT)])
    return maker.module(added_to_module(maker.solved_module, answer.code)), frozenset((answer.exercise,)), answer.exercise


_BASES: dict[str, Callable[[SubmissionMaker, Random], Base]] = {SOLVED: _solved, PIECES: _pieces, FORGED: _forged, WRONG: _wrong}


# -- the cell that lies --------------------------------------------------------------------------------


def _plan(maker: SubmissionMaker, kind: str, rng: Random, aim: str | None) -> dict:
    family, functions = FAMILIES[kind], maker.problem_set.exercise(aim).functions if aim else ()
    rare = kind in ("memory", "late", "drip", "whisper") or family.slow
    return {
        "family": family.as_family or kind,
        "seed": rng.getrandbits(32),
        "chance": 1.0 if family.slow else rng.choice((0.05, 0.3, 1.0)) if rare else rng.choice((1.0, 1.0, 0.5, 0.1, 0.02)),
        "start": rng.choice((0, 0, 1, 3, 10, 40)),
        "names": [name.rpartition(".")[2].encode() for name in functions],
        "operations": list(family.operations),
        "again": rng.choice((1, 2)) if rare else rng.choice((0, 0, 0, 1, 5)),
        "long": kind.startswith("long"),
    }


def _cell(plan: dict) -> str:
    """Return the cell: one function with everything that the liar needs, so that no name of the submission is touched."""
    return f"def _lying():\n{_liar()}\n    begin({plan!r})\n\n\n_lying()\n"


@lru_cache(maxsize=1)
def _liar() -> str:
    text = "\n".join((HERE / name).read_text(encoding="utf-8") for name in ("odd.py", "liar.py"))
    text = re.sub(r"^from (__future__|tests\.fuzz\.odd) import .*$", "", text, flags=re.M)
    return "\n".join(f"    {line}" if line else "" for line in text.split("\n"))


def _odd_source(maker: SubmissionMaker, rng: Random, aim: str | None) -> str:
    """Return a cell with odd text: deep, long, or not quite Python; it may replace a function."""
    functions = [name for exercise in maker.problem_set.exercises for name in exercise.functions
                 if "." not in name and aim in (None, exercise.id)]
    name = rng.choice(functions or ["f"])
    deep = rng.choice((
        "-" * 1_400 + "1", "not " * 900 + "1", "(" * 150 + ")" * 150, "x" + ".x" * 2_000, "1" + "+1" * 3_000, "9" * 5_000,
        "[" * 90 + "]" * 90, "lambda: " * 300 + "0", "f'{" * 3 + "1" + "}'" * 3, "'" + "x" * 200_000 + "'",
    ))  # fmt: skip
    return rng.choice((
        f"def {name}(*args, **kwargs):\n    'Wrong.'\n    x = 1\n    raise NotImplementedError({deep})",
        f"def {name}(*args, **kwargs):\n    raise ValueError({deep})",
        f"{name} = {deep}",
        f"@{deep}\ndef {name}(a={deep}, *b, c: {deep} = 1) -> {deep}: ...",
        f"def {name}({', '.join(f'a{n}' for n in range(300))}): ...",
        "\n".join(f"def {name}_{n}(): ..." for n in range(2_000)),
        f"class {name}:\n    " + "\n    ".join(f"def {name}(self): ..." for _ in range(500)),
        f"def {name}(*args):\n" + "".join(f"{' ' * n}if args:\n" for n in range(1, 95)) + " " * 96 + "pass",
        f"x = 1\x0c\ndef {name}(*args):\r\n\treturn '\u202e'\n\x1a",
        f"# -*- coding: {rng.choice(('latin-1', 'utf-7', 'none'))} -*-\ndef {name}(*args): return 'é'",
        f"%%{'x' * 5_000}\n" + "!ls\n" * 500 + f"def {name}(): $",
        f"import {name}.{'.'.join('abc' * 400)}\nfrom __future__ import {name}, annotations",
        "raise " + f"NotImplementedError({deep})",
        "x = [\n" * 3_000,
    ))  # fmt: skip
