"""`make stale` names a figure whose files have changed, and none whose page says which commit it measured."""

import re
from pathlib import Path

import pytest

from assets.make.inputs import hash_of
from scripts.stale import ROOT, Figure, note, read, section_of

PAGE = """# A page

    # no heading
It took 4 s, measured at
commit 1a2b3c4.

## Weight

Bytes: 3.
"""
OLD = Figure("page.md", "A page", "time", "make it", commits=("1a2b3c4",))
ENTRY = """[[figure]]
page = "page.md"
section = "Weight"
what = "bytes"
command = "make it"
inputs = ["code.py"]
hash = "{}"
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "page.md").write_text(PAGE)
    (tmp_path / "code.py").write_text("weight = 3\n")
    return tmp_path


def weight(root: Path) -> Figure:
    return Figure("page.md", "Weight", "bytes", "make it", inputs=("code.py",), hash=hash_of(["code.py"], root))


@pytest.mark.usefixtures("computing")
def test_no_figure_is_stale_today() -> None:
    assert {figure.name: why for figure in read() if (why := figure.why_stale())} == {}


def test_every_commit_that_a_page_names_has_an_entry() -> None:
    known = {(figure.page, commit) for figure in read() for commit in figure.commits}
    for path in (ROOT / "docs").rglob("*.md"):
        for commit in re.findall(r"\bat commit\s([0-9a-f]{7})\b", path.read_text(encoding="utf-8")):
            assert (path.relative_to(ROOT).as_posix(), commit) in known


def test_a_figure_is_stale_when_its_code_has_changed_and_not_when_a_comment_has(root: Path) -> None:
    figure = weight(root)
    assert figure.why_stale(root) == ""
    (root / "code.py").write_text("weight = 3  # bytes\n")
    assert figure.why_stale(root) == ""
    (root / "code.py").write_text("weight = 4\n")
    assert figure.why_stale(root) == "one of its files has changed since: code.py"


def test_a_figure_of_a_commit_is_never_stale_as_long_as_its_section_says_so(root: Path) -> None:
    assert OLD.why_stale(root) == ""
    other = Figure("page.md", "Weight", "time", "make it", commits=("1a2b3c4",))
    assert other.why_stale(root) == 'the section does not say "at commit 1a2b3c4"'


def test_a_section_ends_at_the_next_heading_and_a_comment_in_a_command_is_none() -> None:
    assert "no heading" in section_of(PAGE, "A page") and "Bytes" not in section_of(PAGE, "A page")
    assert section_of(PAGE, "no heading") is None


def test_a_section_that_is_gone_is_named(root: Path) -> None:
    assert Figure("page.md", "Height", "cm", "make it", commits=("1a2b3c4",)).why_stale(root) == "the page has no such section"


def test_what_was_measured_again_is_noted(root: Path) -> None:
    (root / "measured.toml").write_text(ENTRY.format("0" * 16))
    assert read(root / "measured.toml")[0].why_stale(root)
    note("page.md Weight", root / "measured.toml", root)
    assert read(root / "measured.toml") == [weight(root)]
    with pytest.raises(SystemExit, match="has no figure"):
        note("page.md Height", root / "measured.toml", root)


@pytest.mark.parametrize("more", ['commits = ["1"]', 'logs = ["x"]'])
def test_a_figure_knows_what_it_measured_in_one_way(root: Path, more: str) -> None:
    (root / "measured.toml").write_text(ENTRY.format("0" * 16) + more)
    with pytest.raises(ValueError, match="page.md Weight needs inputs and hash, or logs, or commits"):
        read(root / "measured.toml")
