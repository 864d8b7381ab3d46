"""The findings of a class by exercise: those whose key is still the same need not be found again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from autograder.course.storage.cache import Cache

NO_VERSION = "parts"  # in place of a grader's fingerprint: each part has a key of its own


class PartStore:
    """One entry per submission in the cache of a course: the data of stored_findings.Parts, each part with its key.

    keys: returns the key of each exercise today; called once, and only if it is needed.
    """

    def __init__(self, course: Path, ps: str, keys: Callable[[], Mapping[str, str]]) -> None:
        self.ps = ps
        self._cache = Cache(course / ".cache", NO_VERSION)
        self._make_keys = keys

    def load(self, sha256: str) -> dict[str, Any] | None:
        """Return the parts of a submission whose keys are those of today; None if there are none."""
        data = self._cache.read(self.ps, sha256)
        try:
            parts = {id: part["data"] for id, part in data["parts"].items() if part["key"] == self._keys.get(id)}
        except (AttributeError, KeyError, TypeError):  # none are stored, or the entry is damaged
            return None
        return {**data, "parts": parts} if parts else None

    def store(self, data: Mapping[str, Any]) -> None:
        """Store the parts of a submission instead of those stored before."""
        parts = {id: {"key": self._keys[id], "data": part} for id, part in data["parts"].items()}
        self._cache.write(self.ps, data["sha256"], {**data, "parts": parts})

    @cached_property
    def _keys(self) -> Mapping[str, str]:
        return self._make_keys()
