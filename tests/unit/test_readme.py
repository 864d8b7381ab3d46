"""The README's first screen and its picture; the changelog; what language models may do, at the head of every set."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from autograder.problem_sets.source import load, released
from scripts.moving_picture import ALT, MOVING, STILL, tree_frames

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
WIDEST = 90  # characters of code that GitHub shows beside its list of files
FIRST = 1500  # characters: what somebody sees who does not scroll


def test_the_first_sentence_says_what_it_is() -> None:
    first = re.search(r"^[A-Z].*?\.\s", README, re.MULTILINE | re.DOTALL)[0]
    assert all(word in first for word in ("course", "problem sets", "autograder"))
    assert README.index(first) + len(first) < FIRST


def test_no_line_of_code_is_cut() -> None:
    lines = [line[4:] for line in README.splitlines() if line.startswith("    ")]  # the README has no other blocks of code
    assert "```" not in README and len(lines) > 8 and [line for line in lines if len(line) > WIDEST] == []


def test_the_picture_moves_only_for_those_who_want_it() -> None:
    picture = re.search(r"<picture>.*?</picture>", README, re.DOTALL)[0]
    assert '<source media="(prefers-reduced-motion: reduce)" srcset="docs/figures/search_still.svg">' in picture
    assert f'src="docs/figures/search.svg" width="560" alt="{ALT}"' in picture
    assert "animation" in MOVING.read_text() and "animation" not in STILL.read_text()
    assert "@media (prefers-reduced-motion: reduce) { .f { animation: none } }" in MOVING.read_text()


@pytest.mark.parametrize("path", [MOVING, STILL], ids=lambda path: path.name)
def test_the_picture_is_small_needs_nothing_else_and_has_a_dark_look(path: Path) -> None:
    text = path.read_text()
    assert len(text) < 1_000_000 and "prefers-color-scheme: dark" in text
    elements = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(text).iter()}
    assert elements <= {"svg", "title", "style", "g", "rect", "circle", "line", "text"}
    assert "url(" not in text and "href" not in text and "@import" not in text


def test_the_tree_in_the_picture_is_that_of_the_search() -> None:
    frames = list(tree_frames())
    assert len(frames) == 9 and all(frame.shapes in MOVING.read_text() for frame in frames)
    assert frames[-1].shapes in STILL.read_text()


def test_the_table_of_networks_is_that_of_the_measurements() -> None:
    measured = (ROOT / "assets/nets/README.md").read_text(encoding="utf-8").partition("\n## Connect Four\n")[2]
    table = measured.partition("mistakes at the public sets")[2].partition("mistakes at critical positions")[0]
    kinds, *lines = [line.strip().split(" | ") for line in table.strip().splitlines()]
    rows = {line[0]: line[1:] for line in lines}
    columns = [rows[f"{count} simulations"] for count in (0, 100, 600)]
    columns += [row for name, row in rows.items() if name.startswith("AlphaZero.jl")]
    shown = README.partition("## Trained networks")[2]
    assert len(kinds) == 7 and len(columns) == 5
    assert [row for row in zip(kinds[1:], *columns) if f"| {' | '.join(row)} |" not in shown] == []


def test_the_changelog_has_a_part_for_instructors_and_one_for_students() -> None:
    versions = re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    assert versions[0].startswith("[Unreleased]\n")
    assert all(re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d", version.splitlines()[0]) for version in versions[1:])
    for version in versions:
        assert re.findall(r"^### .*", version, re.MULTILINE) == ["### For instructors", "### For students"]


@pytest.mark.parametrize("name", released())
def test_each_set_says_where_the_rules_for_language_models_are(name: str) -> None:
    top = "\n".join(cell.stub for cell in load(name).cells if cell.markdown).partition("## Key terms")[0]
    target = re.search(r"\[Language models in this course\]\(([^)]+)\)", top)[1]
    assert (ROOT / "assignments" / name / target).resolve() == ROOT / "docs" / "language_models.md"


@pytest.mark.parametrize("page", ["faq_students", "faq_instructors"])
def test_questions_stand_under_the_words_that_people_type(page: str) -> None:
    headings = re.findall(r"^## (.*)", (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert {"ChatGPT", "Plagiarism", "Timeout", "Resubmit", "Hidden tests", "Hints", "Late", "No dot", "Windows"} < {*headings}
