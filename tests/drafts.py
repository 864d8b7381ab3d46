"""What a draft, a problem set that is not released yet, still lacks: one list at the end of a run of the tests.

The tests of all sets try a draft too. One that fails asks for something that a release needs, such as a page: it is expected to
fail, and it is a line of the list. When the list is empty, delete draft=true from the first line of the set's source.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.problem_sets.source import names, released

ROOT = Path(__file__).resolve().parents[1]
MARK = "of the draft "


def draft_of(item: pytest.Item) -> str:
    """The draft that a test is about, by its parameters; "" if there is none."""
    given = set(map(str, item.callspec.params.values())) if hasattr(item, "callspec") else set()
    return next((name for name in names() if name in given and name not in released()), "")


def message_of(error: BaseException) -> str:
    """What went wrong, in one line: a missing file by its path in the repository."""
    if isinstance(error, FileNotFoundError) and error.filename:
        path = Path(error.filename)
        return f"there is no {path.relative_to(ROOT) if path.is_relative_to(ROOT) else path}"
    text = " ".join(str(error).partition("\n")[0].split())
    return text if isinstance(error, AssertionError) and text else f"{type(error).__name__}: {text}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    report = yield
    if report.failed and call.excinfo is not None and (draft := draft_of(item)):
        lines = [entry.lineno + 1 for entry in call.excinfo.traceback if entry.path == item.path]
        place = f"{report.nodeid.partition('::')[0]}:{lines[-1] if lines else report.location[1] + 1}"
        sentence = item.originalname.removeprefix("test_").replace("_", " ")
        report.outcome, report.wasxfail = "skipped", f"{MARK}{draft}: {place}: {sentence}\n    {message_of(call.excinfo.value)}"
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    lines: dict[str, set[str]] = {}
    for report in terminalreporter.stats.get("xfailed", ()):
        mark, _, rest = report.wasxfail.partition(MARK)
        if not mark and rest:
            draft, _, line = rest.partition(": ")
            lines.setdefault(draft, set()).add(line)
    for draft, needs in lines.items():
        terminalreporter.section(f"{draft} is a draft; what its release still needs: {len(needs)}")
        for line in sorted(needs):
            terminalreporter.write_line(line)
