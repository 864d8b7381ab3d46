"""A pytest plugin for a problem set's folder: its visible checks, with the text for students instead of tracebacks.

The folder's pytest.ini loads it with `-p arena.pytest_checks`. pytest checks the file that its arguments name, or else
the form that counts (arena/work.py).
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena import check, work

MESSAGES = pytest.StashKey[list[str]]()
_EXERCISE = re.compile(r"\d+\.\d+")
VERDICTS = pytest.StashKey[dict[str, str]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("handed_out", "fingerprint of the untouched problem set, by which work is known", default="")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[MESSAGES], config.stash[VERDICTS] = [], {}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let `-k 2.1` select exercise 2.1 alone; pytest itself would select 2.10 and 2.11 too."""
    wanted = config.option.keyword.strip()
    others = [item for item in items if isinstance(item, CheckItem) and item.visible.exercise != wanted]
    if _EXERCISE.fullmatch(wanted) and others:
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if item not in others]


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if file_path.suffix not in (".py", ".ipynb") or not work.PROBLEM_SET.fullmatch(file_path.stem):
        return None
    if parent.session.isinitpath(file_path):
        return Form.from_parent(parent, path=file_path)
    try:
        counts = work.read(file_path.with_suffix("")).path
    except work.NoWork:
        return None
    return Form.from_parent(parent, path=file_path) if counts.name == file_path.name else None


class Form(pytest.File):
    """One form of a problem set: a test for each visible check in it."""

    def collect(self) -> Iterator[pytest.Item]:
        whole = work.read(self.path.with_suffix(""))
        own_work = whole if whole.path.name == self.path.name else work.Work(self.path, tuple(work.read_form(self.path)))
        self.config.stash[MESSAGES] += [*own_work.remarks, *work.not_in_grading(own_work), *work.load(own_work)]
        for visible in check.registered():
            yield CheckItem.from_parent(self, name=f"{visible.exercise} {visible.title}", visible=visible)


class CheckItem(pytest.Item):
    """One visible check."""

    def __init__(self, *, visible: check.Visible, **rest: Any) -> None:
        super().__init__(**rest)
        self.visible = visible

    def runtest(self) -> None:
        __tracebackhide__ = True
        verdicts = self.config.stash[VERDICTS]
        verdict, text = self.visible.verdict(verdicts)
        self.config.stash[MESSAGES].append(text)
        verdicts[self.visible.exercise] = verdict
        if verdict == check.NOT_WRITTEN and self.visible.optional:
            pytest.skip("optional")
        if verdict == check.FORM_ONLY:
            pytest.skip(check.FORM_ONLY)
        if verdict != check.PASSED:
            raise check.CheckFailed(text)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None) -> str:
        return str(excinfo.value)

    def reportinfo(self) -> tuple[Path, None, str]:
        return self.path, None, self.name


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the text of every check that ran, and the number of exercises done."""
    verdicts = config.stash[VERDICTS]
    if verdicts:
        for text in config.stash[MESSAGES]:
            terminalreporter.write_line(text)
        terminalreporter.write_line(check.summary(verdicts))
