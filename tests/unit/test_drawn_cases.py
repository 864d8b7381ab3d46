"""Every edition finds its cases: in no edition of many does a search for random cases go on without end."""

import importlib
import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from autograder.problem_sets.source import names

pytestmark = pytest.mark.usefixtures("computing")
HIDDEN = Path(__file__).parents[1] / "hidden"
FEW, EDITIONS = 4, 40
MOST_DRAWS = 3_000_000  # the longest search ever needed only a tenth of this


class Counted(Random):
    """A generator that allows only a limited number of draws."""

    left = MOST_DRAWS

    def random(self) -> float:
        self._count()
        return super().random()

    def getrandbits(self, bits: int) -> int:
        self._count()
        return super().getrandbits(bits)

    def _count(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise RuntimeError(f"still searching after {MOST_DRAWS:,} draws")


def searches(file: Path) -> Iterator[Callable[[Random], object]]:
    """The functions of a hidden file that draw once for an edition, if they need only the edition."""
    name = f"tests.hidden.{file.parent.name}.{file.stem}"
    for value in vars(importlib.import_module(name)).values():
        draw = getattr(value, "__wrapped__", None)
        if draw and draw.__module__ == name and needed(draw) == ["edition"]:
            yield draw


def needed(function: Callable) -> list[str]:
    """The parameters without a default."""
    return [name for name, parameter in inspect.signature(function).parameters.items() if parameter.default is parameter.empty]


def find_cases(ps: str, editions: range) -> None:
    for file in sorted((HIDDEN / ps).glob("*.py")):
        if file.stem in ("conftest", "implementations"):  # the second is a bank, and no module
            continue
        for draw in searches(file):
            for seed in editions:
                assert draw(Counted(seed)) is not None, draw.__qualname__


@pytest.mark.parametrize("ps", names())
def test_a_few_editions_find_their_cases(ps):
    find_cases(ps, range(FEW))


@pytest.mark.parametrize("ps", names())
def test_every_edition_finds_its_cases(ps, repetition):
    find_cases(ps, range(FEW, EDITIONS))


def test_there_are_such_searches():
    assert len(list(searches(HIDDEN / "ps2_uct" / "test_bandit.py"))) == 2


def test_a_search_without_end_is_noticed(monkeypatch):
    monkeypatch.setattr(Counted, "left", 1000)
    edition = Counted(1)
    with pytest.raises(RuntimeError, match="still searching"):
        while edition.choice([1, 2, 3]) < 4:
            pass
