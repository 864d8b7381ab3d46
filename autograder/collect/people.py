"""Find the student of a member: what a platform says about the student is compared with the roster, without guessing."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from autograder.collect.platforms import Handed, Platform
from autograder.gradebook.policy.roster_file import EMAIL, ID, Person
from autograder.plain_text import plain_text
from autograder.submission.gate import LONGEST_NAME

_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"})


@dataclass(frozen=True)
class Match:
    """The student's id, or why there is none."""

    student: str = ""
    why: str = ""


def words_of(name: str) -> list[str]:
    """Return the words of a name without case, accents and marks: "Müller-Lüdenscheidt" is muller, ludenscheidt."""
    apart = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold()).translate(_LETTERS)
    return re.findall(r"[^\W_]+", "".join(letter for letter in apart if not unicodedata.combining(letter)))


def _keys(*parts: str) -> set[str]:
    """Return what a name is compared by: all words in one, with first and last part in both orders, and the sorted words."""
    words = [words_of(part) for part in parts]
    orders = ("".join(word for part in order for word in part) for order in (words, words[::-1]))
    return {*orders, " ".join(sorted(word for part in words for word in part))} - {""}


class People:
    """The people of a roster, and how to find one of them. None for a roster: a login is the id."""

    def __init__(self, roster: Sequence[Person] | None) -> None:
        self.roster = roster
        self._by_key: dict[str, dict[str, Person]] = {}
        self._by_cell: dict[tuple[str, str], list[Person]] = {}
        self._by_number: dict[tuple[str, str], list[Person]] = {}
        for person in roster or ():
            for key in _keys(person.first_name, person.last_name):
                self._by_key.setdefault(key, {})[person.id] = person
            for column in (ID, EMAIL, *(person.others or ())):
                self._by_cell.setdefault((column, _cell(person, column).casefold()), []).append(person)
                self._by_number.setdefault((column, _number(person, column)), []).append(person)
        self._ids = [(person.id, re.compile(rf"(?<![^\W_]){re.escape(person.id)}(?![^\W_])", re.IGNORECASE))
                     for person in roster or ()]

    def find(self, platform: Platform, handed: Handed, numbers_count: bool) -> Match:
        """Return the student of one member.

        Args:
            numbers_count: whether the roster's numbers are those of this zip; then they count more than names.
        """
        return self._by_login(platform, handed.login) if handed.login else self._by_name(platform, handed, numbers_count)

    def numbers_count(self, platform: Platform, clear: Iterable[Handed]) -> bool:
        """Whether the roster's numbers are those of this zip; `clear` are its names that can be read in one way only.

        If the platform numbers people anew in each assignment, they are if at least one person has both the name and the number.
        No student can bring this about, because a student can choose a name but not a number.
        """
        return platform.lasting or any(self._with(platform.columns, handed.number, self._named(handed.person))
                                       for handed in clear)

    def _named(self, person: str) -> list[Person]:
        return list({same.id: same for key in _keys(person) for same in self._by_key.get(key, {}).values()}.values())

    def ids_in(self, name: str) -> list[str]:
        """Return the ids of the roster that are separate words in a file's name; of "ada" and "ada-l", only the longer one."""
        matches = {id: match for id, pattern in self._ids if (match := pattern.search(name))}
        return [id for id, match in matches.items() if not any(
            other.start() <= match.start() and match.end() <= other.end() and other.group() != match.group()
            for other in matches.values())]

    def _by_name(self, platform: Platform, handed: Handed, numbers_count: bool) -> Match:
        who = f"{plain_text(handed.person)!r} (number {handed.number})"
        numbered = list({person.id: person for column in platform.columns
                         for person in self._by_number.get((column, handed.number), ())}.values())
        if numbers_count and numbered:
            return _only(numbered, f"several lines of roster.csv have {platform.name}'s number {handed.number}")
        if handed.nameless:
            return _only(numbered, f"{platform.name} hides the name of number {handed.number}: download the zip with names")
        named = self._named(handed.person)
        if numbers_count:  # a person with another number is another person of the same name
            named = [person for person in named if not any(map(person.cell, platform.columns))]
        if not named:
            return Match(why=f"no {who} in roster.csv")
        same = self._with((*platform.columns, ID), handed.number, named)
        may_be = " or ".join(repr(person.id) for person in named)
        return _only(same or named, f"{who} may be {may_be}: same name in roster.csv")

    def _by_login(self, platform: Platform, login: str) -> Match:
        if self.roster is None:
            return Match(login) if _is_folder(login) else Match(why=f"{plain_text(login)!r} is not a valid folder name")
        people = {person.id: person for ending in _endings(login, platform)
                  for person in self._first_column(platform.columns, ending)}
        if not people:
            return Match(why=f"no {plain_text(login)!r} in roster.csv")
        return _only(list(people.values()), f"{plain_text(login)!r} may be {' or '.join(map(repr, people))}")

    def _first_column(self, columns: Sequence[str], text: str) -> list[Person]:
        for column in columns:
            people = self._by_cell.get((column, text.casefold()), [])
            if people:
                return [person for person in people if _cell(person, column) == text] or people
        return []

    def _with(self, columns: Sequence[str], number: str, among: Iterable[Person]) -> list[Person]:
        """The people with this number in one of the columns."""
        return [person for person in among if any(_number(person, column) == number for column in columns)]


def _only(people: Sequence[Person], otherwise: str) -> Match:
    return Match(people[0].id) if len(people) == 1 else Match(why=otherwise)


def _cell(person: Person, column: str) -> str:
    known = {ID: person.id, EMAIL: person.email}
    return known[column] if column in known else person.cell(column)


def _number(person: Person, column: str) -> str:
    """The number in a cell, which may also say "Participant 123"."""
    return _cell(person, column).rpartition(" ")[2]


def _endings(login: str, platform: Platform) -> list[str]:
    """The possible user names: a folder's whole name; on Blackboard also what follows any _, because a title comes first."""
    pieces = login.split("_") if platform.titled else [login]
    return ["_".join(pieces[start:]) for start in range(len(pieces))]


def _is_folder(name: str) -> bool:
    usual = name.isprintable() and not name.startswith(".") and name == name.rstrip(". ")
    return usual and len(name.encode()) <= LONGEST_NAME and "/" not in name
