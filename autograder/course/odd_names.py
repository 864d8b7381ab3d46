"""Folder names that look the same to a person, or that mix alphabets: remarks for staff, without effect on grades.

Two names are alike if their skeletons are equal. A skeleton has no invisible characters, has one case, and has Latin letters
instead of letters that look like them.

Source: Unicode Technical Standard 39, "Unicode Security Mechanisms", sections 4 (confusable detection) and 5.1 (mixed
scripts). From its confusables.txt we take the single Cyrillic, Greek and Armenian letters, and the digits, that look like a
Latin letter. Unlike the standard's skeleton, ours ignores case and spaces at the ends, as people do.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

_ALIKE = str.maketrans(
    # Cyrillic, Greek and Armenian letters after casefold, also letters with only a Latin-like capital (В, Н, К, М, Т; Β, Η, Ζ)
    "абвгԁеѕіїјкӏмнопԛрстуүхһԝ" "αβγεηικμνορστυχω" "աոսցքօհ" "01|ıǀ",
    "a6brdesiijkimhonqpctyyxhw" "abyenikuvopotuxw" "wnugpoh" "oiiii",
)
_UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")  # printable for Python, but shown as nothing
_SCRIPTS = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE")
MOST_NAMED = 20  # remarks of each kind


def skeleton(name: str) -> str:
    """Return the skeleton of a name; names with the same skeleton look the same."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    seen = "".join(letter for letter in folded if not _is_unseen(letter))
    return " ".join(seen.replace("l", "i").translate(_ALIKE).split()).rstrip(". ")


def _is_unseen(letter: str) -> bool:
    if letter in _UNSEEN or unicodedata.category(letter) == "Cf":
        return True
    return unicodedata.name(letter, "").startswith("VARIATION SELECTOR")


def mixed_scripts(name: str) -> tuple[str, ...]:
    """Return the alphabets with similar letters that are mixed in one word of the name; () if there is no mix."""
    words = "".join(letter if unicodedata.category(letter)[0] in "LM" else " " for letter in name).split()
    for word in words:
        scripts = {script for letter in word for script in _SCRIPTS if unicodedata.name(letter, "").startswith(script)}
        if len(scripts) > 1:
            return tuple(script.capitalize() for script in _SCRIPTS if script in scripts)
    return ()


def odd_names(present: Sequence[str], roster: Iterable[str] = ()) -> list[str]:
    """Return sentences for staff about folder names that look like another name or mix alphabets.

    Args:
        present: the folder names of the submissions. roster: other known names.
    """
    alike: dict[str, list[str]] = {}
    for name in dict.fromkeys([*present, *roster]):
        alike.setdefault(skeleton(name), []).append(name)
    handed_in = set(present)
    pairs = [names for names in alike.values() if len(names) > 1 and not handed_in.isdisjoint(names)]
    mixed = [(name, scripts) for name in present if (scripts := mixed_scripts(name))]
    return [
        *(f"{' and '.join(map(_shown, names))} look alike: are they one student, or does one imitate the other?"
          for names in pairs[:MOST_NAMED]),
        *(f"{_shown(name)} mixes letters that look alike, {' and '.join(scripts)}: whose folder is it?"
          for name, scripts in mixed[:MOST_NAMED]),
    ]


def _shown(name: str) -> str:
    """Quote a name; if it contains more than plain letters, add its escaped form, which shows the difference."""
    return repr(name) if name.isascii() else f"{name!r} ({ascii(name)[1:-1]})"
