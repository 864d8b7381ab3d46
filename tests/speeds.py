"""The speed of a test follows from the fixtures that it uses, so nobody keeps a list of slow tests.

    make quick       no sandbox, nbgrader, process or browser: for the minute before a commit
    make test        every behaviour once
    make test-all    the same, and repetitions and whole worlds

A fixture says with `@costs` which speed a test has that uses it, directly or through other fixtures; the slowest decides.
A test without such a fixture is quick, and conftest.py sees to it that it starts no process.
"""

from collections.abc import Callable
from enum import IntEnum
from typing import TypeVar

import pytest
from _pytest.mark import ParameterSet

Function = TypeVar("Function", bound=Callable[..., object])


class Speed(IntEnum):
    """The targets of the Makefile; each runs the tests of its own speed and of all before it."""

    QUICK = 0
    TEST = 1
    ALL = 2


def costs(speed: Speed) -> Callable[[Function], Function]:
    """Mark the function of a fixture, below `@pytest.fixture`, with the speed of the tests that use it."""
    def mark(function: Function) -> Function:
        function.speed = speed  # type: ignore[attr-defined]
        return function
    return mark


def again(*values: object) -> ParameterSet:
    """A case of a parametrized test that repeats what another case shows: it runs as if it used `repetition`."""
    return pytest.param(*values, marks=pytest.mark.again)  # pytest lets no single case name a fixture


def speed_of(item: pytest.Item) -> Speed:
    """Return the speed of a collected test."""
    if item.get_closest_marker("again") or item.get_closest_marker("first_shows") and any(item.callspec.indices.values()):
        return Speed.ALL
    fixtures = item._fixtureinfo.name2fixturedefs if isinstance(item, pytest.Function) else {}
    return max((getattr(definitions[-1].func, "speed", Speed.QUICK) for definitions in fixtures.values()), default=Speed.QUICK)
