"""What holds in every test of the house: a claim about all of nothing is no claim."""

import sys
from collections.abc import Iterable

import pytest


class Nothing(AssertionError):
    """`all` was asked about an empty set: the test would pass if what it looks at were not there at all."""


def all_of_some(claims: Iterable[object]) -> bool:
    """Return what `all` returns.

    Raises:
        Nothing: a test asks, and there is no claim; to a helper, which may mean it, all of nothing is true.
    """
    some = False
    for claim in claims:
        if not claim:
            return False
        some = True
    if not some and sys._getframe(1).f_code.co_name.startswith("test_"):
        raise Nothing("all() over nothing: assert first that there is something; where nothing is right, say `== []`")
    return True


def pytest_collection_modifyitems(items):
    """Give each module of tests an `all` that refuses nothing."""
    for module in {item.module for item in items if isinstance(item, pytest.Function)}:
        vars(module).setdefault("all", all_of_some)
