"""One glossary from two sources: each lesson's key terms, and the maintainers' table of words."""

import re
from dataclasses import dataclass

from autograder.problem_sets.source import ProblemSet

ROW = re.compile(r"^\| (.+?) \| (.+) \|$", re.MULTILINE)
SYMBOL = re.compile(r"\$[^$]+\$")
SYMBOL_NAMES = {r"$\pi$": "pi", "$z$": "z", r"$\tau$": "tau"}
STAFF = "[in the grader](docs/maintainers/words)"


@dataclass(frozen=True)
class Meaning:
    """What a row of a table says: its words, the text beside them, and whose table it is."""

    words: tuple[str, ...]
    text: str
    where: str


def lesson_words(ps: ProblemSet) -> list[Meaning]:
    """Return the rows of a lesson's table "Key terms"."""
    text = next(cell.stub for cell in ps.cells if "## Key terms" in cell.stub)
    return _rows(_section(text, "## Key terms"), f"[problem set {ps.exercises[0].id.partition('.')[0]}](lessons/{ps.name})")


def staff_words(page: str) -> list[Meaning]:
    """Return the rows of the first table of docs/maintainers/words.md."""
    return _rows(_section(page, "# Words"), STAFF)


def _section(text: str, heading: str) -> str:
    """Return the text below a heading, up to the next heading of any kind."""
    return text.partition(heading)[2].partition("\n#")[0]


def _rows(text: str, where: str) -> list[Meaning]:
    rows = [(words, meaning) for words, meaning in ROW.findall(text) if words != "word" and not set(words) <= set("-:")]
    return [Meaning(tuple(words.split(", ")), meaning, where) for words, meaning in rows]


def glossary(meanings: list[Meaning]) -> str:
    """Return the entries as Sphinx's glossary directive reads them, in alphabetical order; a word has one entry.

    A lesson's row of several words ("state, action, ply") adds an entry for those that no lesson explains alone.
    """
    entries: dict[str, dict[str, list[str]]] = {}
    for meaning in sorted(meanings, key=lambda entry: len(_names(entry))):
        names = _names(meaning)
        several = len(names) > 1
        for name in names:
            if several and name in entries and meaning.where != STAFF:
                continue
            symbols = [word for word in meaning.words if word not in names]
            before = f"*{', '.join(names)}*: " if several else "".join(f"{symbol}: " for symbol in symbols)
            text = f"{before}{meaning.text}"
            entries.setdefault(name, {}).setdefault(text, []).append(meaning.where)
    lines = []
    for name in sorted(entries, key=str.casefold):
        lines.append(name)
        for text, places in entries[name].items():
            named = ", ".join(dict.fromkeys(filter(None, places)))
            lines += [f"  {text}", *([f"  ({named})"] if named else []), ""]
    return "\n".join(lines)


def _names(meaning: Meaning) -> list[str]:
    """Return the words that are not symbols; for a row of symbols alone, what the symbol is called."""
    names = [word for word in meaning.words if not SYMBOL.fullmatch(word)]
    return names or [SYMBOL_NAMES[word] for word in meaning.words]

