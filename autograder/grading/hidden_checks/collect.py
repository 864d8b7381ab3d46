"""The hidden checks of a problem set: pytest collects them once in a process; after that each check is a function.

pytest finds the checks, reads their marks and rewrites their asserts. Its own way to run a test (three phases, each through
every plugin) takes several times as long as a check, and a hidden check does not need it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

import pytest
from _pytest.config import default_plugins

from autograder.grading.hidden_checks.answer_types import Type
from autograder.grading.hidden_checks.outbound import Signatures
from autograder.paths import REPOSITORY
from autograder.problem_sets.source import load

HIDDEN = REPOSITORY / "tests" / "hidden"
GIVEN = frozenset({"student", "edition"})  # the possible arguments of a check; the grader makes both
OPTIONS = ("cpu_s", "fresh", "needs", "partial_credit")  # of the mark `exercise`, after the id
# The parts of pytest that collecting needs.
_PARTS = ("mark", "main", "runner", "fixtures", "helpconfig", "python", "assertion")


@dataclass(frozen=True)
class HiddenCheck:
    """One check: its name, the sentence and the question for the student, and the contents of its marks.

    asks_for: the names of its arguments.
    parameters: the arguments from a `parametrize` mark.
    partial_credit: the points of its (optional) exercise go by how many of these checks pass.
    fresh: the check has a process of its own.
    lost_line: the sentence for a check that is not passed, if it is another one.
    """

    name: str
    line: str
    question: str | None
    exercise: str
    cpu_s: float | None
    needs: tuple[str, ...]
    function: Callable[..., None]
    asks_for: frozenset[str]
    parameters: dict[str, Any]
    partial_credit: bool = False
    fresh: bool = False
    lost_line: str | None = None


@dataclass(frozen=True)
class Suite:
    """The checks, the table of types, the errors of the suite, and names of parameters.

    The checks come in the order of their files, but checks over drawn cases come last: the hint of a check with its own name
    comes before the hint of a general law.
    """

    checks: tuple[HiddenCheck, ...]
    types: dict[str, Type]
    errors: tuple[str, ...]
    signatures: Signatures = Signatures()


@cache
def hidden_suite(name: str) -> Suite:
    """Collect the hidden suite of a problem set; mistakes in the suite are in `errors`."""
    if not (HIDDEN / name).is_dir():
        return Suite((), {}, (f"{name} has no hidden suite yet",))
    collector = _Collector()
    if str(REPOSITORY) not in sys.path:
        sys.path.insert(0, str(REPOSITORY))
    parts = [option for plugin in default_plugins if plugin not in _PARTS for option in ("-p", f"no:{plugin}")]
    where = [str(HIDDEN / name), "-c", str(HIDDEN / "pytest.ini"), f"--rootdir={REPOSITORY}"]
    with _without_module(name), _own_options():
        code = pytest.main([*where, *parts, "--collect-only"], plugins=[collector])
    errors, checks = collector.errors, []
    if code != pytest.ExitCode.OK and not errors:
        errors.append(f"the hidden suite cannot be read: pytest's exit code is {int(code)}")
    for item in [] if errors else sorted(collector.items, key=lambda item: "drawn" in item.path.stem):
        check = _check(item)
        if isinstance(check, str):
            errors.append(check)
        else:
            checks.append(check)
    if not checks:
        return Suite((), {}, tuple(errors))
    tables = import_module(f"tests.hidden.{name}.conftest")
    signatures = Signatures(load(name).program.parameters(), getattr(tables, "CALLBACKS", {}))
    return Suite(tuple(checks), tables.TYPES, tuple(errors), signatures)


@contextmanager
def _without_module(name: str) -> Iterator[None]:
    """Forget a module for the length of the block: pytest gives the same name to the suite's folder.

    Visible checks that ran in this process, as a student runs them, leave a module with the name of the problem set.
    """
    module = sys.modules.get(name)
    if module is None or hasattr(module, "__path__"):  # with a path it is the suite's folder, collected before
        yield
        return
    del sys.modules[name]
    try:
        yield
    finally:
        sys.modules[name] = module


@contextmanager
def _own_options() -> Iterator[None]:
    """Hide the environment's wishes for pytest: somebody's `PYTEST_ADDOPTS=--cov` must not stop the grading of a class."""
    hidden = {name: os.environ.pop(name) for name in ("PYTEST_ADDOPTS", "PYTEST_PLUGINS") if name in os.environ}
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    try:
        yield
    finally:
        os.environ.update(hidden)


class _Collector:
    """pytest's plugin: keeps the tests that pytest finds, and its errors."""

    def __init__(self) -> None:
        self.items: list[pytest.Function] = []
        self.errors: list[str] = []

    def pytest_configure(self, config: pytest.Config) -> None:
        """Let pytest rewrite the asserts of the modules that the suites share, too: then they tell both sides."""
        config.pluginmanager.rewrite_hook.mark_rewrite("tests.hidden")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.errors.append(str(report.longrepr))

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.items = [item for item in session.items if isinstance(item, pytest.Function)]


def _check(item: pytest.Function) -> HiddenCheck | str:
    """Return the check for a test; or a sentence, if the test cannot be a check."""
    mark, hint = item.get_closest_marker("exercise"), item.get_closest_marker("hint")
    if mark is None:
        return f"{item.nodeid} belongs to no exercise"
    if wrong := sorted(mark.kwargs.keys() - set(OPTIONS)):
        return f"{item.nodeid}: {', '.join(wrong)} is not a valid option of the mark `exercise`; choose from {', '.join(OPTIONS)}"
    parameters = dict(item.callspec.params) if hasattr(item, "callspec") else {}
    asks_for = frozenset(item.fixturenames) - set(parameters)
    if unknown := asks_for - GIVEN:
        return f"{item.nodeid} asks for {', '.join(sorted(unknown))}; a hidden check is given {' and '.join(sorted(GIVEN))}"
    wording = item.get_closest_marker("wording")  # of one case of a parametrized check
    lines = wording.kwargs if wording else {}
    return HiddenCheck(
        name=item.name,
        line=lines.get("passed") or (item.function.__doc__ or item.name.replace("_", " ")).strip().splitlines()[0],
        question=hint.args[0] if hint else None,
        exercise=mark.args[0],
        cpu_s=mark.kwargs.get("cpu_s"),
        needs=tuple(mark.kwargs.get("needs", ())),
        function=item.obj,
        asks_for=asks_for,
        parameters=parameters,
        partial_credit=bool(mark.kwargs.get("partial_credit")),
        fresh=bool(mark.kwargs.get("fresh")),
        lost_line=lines.get("lost"),
    )
