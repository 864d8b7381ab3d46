"""The story through the five sets: a box each, and every source that it names is in the set's list of what to read."""

import re

import pytest

from autograder.problem_sets.source import load, names

BOX = re.compile(r"<b>The story, part (\d) of 5: ([^<]*) \(two minutes\)</b></summary>\n\n(.*?)\n\n</details>", re.DOTALL)
NAMED = re.compile(r"\(([^()]*\d{4}[^()]*)\)")  # (Coulom 2006, abstract)
READING_SPEED = 200  # words a minute, for readers whose first language is another


def text_of(ps: str) -> str:
    return "\n\n".join(cell.stub for cell in load(ps).cells if cell.markdown)


def sources(text: str) -> list[tuple[str, str]]:
    """The (first name, year) of each source that a text names in brackets, or as `Lai and Robbins (1985)`."""
    text = " ".join(text.split())
    found = [(match[1].split()[0], match[2]) for inside in NAMED.findall(text)
             for match in re.finditer(r"([A-Z][^\d;]*?) (\d{4})", inside)]
    return found + re.findall(r"([A-Z][a-z]+)(?:,? [A-Z][a-z-]+)*,? and [A-Z][a-z]+ \((\d{4})", text)


@pytest.mark.parametrize("number, ps", [*enumerate(names(), start=1)])
def test_each_set_has_its_part_and_it_is_read_in_two_minutes(number: int, ps: str) -> None:
    (box,) = BOX.findall(text_of(ps))
    assert int(box[0]) == number
    assert 150 <= len(box[2].split()) <= 2 * READING_SPEED


@pytest.mark.parametrize("ps", names())
def test_every_source_of_the_story_is_in_the_list(ps: str) -> None:
    story, _, reading = text_of(ps).partition("## What to read\n")
    told = [box[2] for box in BOX.findall(story)] + re.findall(r"## What came after\n\n(.*?)\n\n## ", story, re.DOTALL)
    named = {source for text in told for source in sources(text)}
    assert len(named) >= 3
    entries = " ".join(reading.split()).split(" - ")
    missing = [(name, year) for name, year in named
               if not any(name in entry and re.search(rf"\b{year}\b", entry) for entry in entries)]
    assert missing == []


@pytest.mark.parametrize("ps", names())
def test_each_set_ends_with_a_hard_project_of_half_a_page_that_is_measured(ps: str) -> None:
    text, _, reading = text_of(ps).partition("## What to read\n")
    (project,) = re.findall(r"^## A project, if you want more\n\n(.*?)\n\n## ", text, re.MULTILINE | re.DOTALL)
    assert re.findall(r"^\*\*(.*?)\*\*", project, re.MULTILINE) == ["The idea.", "The first step.", "How you know."]
    assert "`arena ladder" in " ".join(project.split()) and len(project.split()) <= 250
    entries = " ".join(reading.split()).split(" - ")
    assert all(any(name in entry and year in entry for entry in entries) for name, year in sources(project))
