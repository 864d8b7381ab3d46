"""Folder names that a person takes for one and the same, or that mix alphabets: remarks for staff, and nobody's fault.

Two names are alike where their skeletons are equal: without what cannot be seen, in one case, and with the Latin letter in
the place of each letter that looks like it.

Source: Unicode Technical Standard 39, "Unicode Security Mechanisms", sections 4 (confusable detection) and 5.1 (mixed
scripts), and of its confusables.txt those single letters of Cyrillic, Greek and Armenian, and those digits, that look like
a Latin letter. Unlike its skeleton ours makes no difference between cases, as people do not, and none of spaces at an end.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

_ALIKE = str.maketrans(
    # Cyrillic, Greek and Armenian letters after casefold; the capitals that alone look Latin (В, Н, К, М, Т; Β, Η, Ζ) with them
    "абвгԁеѕіїјкӏмнопԛрстуүхһԝ" "αβγεηικμνορστυχω" "աոսցքօհ" "01|ıǀ",
    "a6brdesiijkimhonqpctyyxhw" "abyenikuvopotuxw" "wnugpoh" "oiiii",
)
_UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")  # printable for Python, and shown as nothing
_SCRIPTS = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE")
MOST_NAMED = 20  # of either kind


def skeleton(name: str) -> str:
    """Return what a name looks like: names with the same skeleton are taken for one another."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    seen = "".join(letter for letter in folded if not _is_unseen(letter))
    return " ".join(seen.replace("l", "i").translate(_ALIKE).split()).rstrip(". ")


def _is_unseen(letter: str) -> bool:
    if letter in _UNSEEN or unicodedata.category(letter) == "Cf":
        return True
    return unicodedata.name(letter, "").startswith("VARIATION SELECTOR")


def mixed_scripts(name: str) -> tuple[str, ...]:
    """Return the alphabets that share a word of the name although their letters look alike, () where none do."""
    words = "".join(letter if unicodedata.category(letter)[0] in "LM" else " " for letter in name).split()
    for word in words:
        found = {script for letter in word for script in _SCRIPTS if unicodedata.name(letter, "").startswith(script)}
        if len(found) > 1:
            return tuple(script.capitalize() for script in _SCRIPTS if script in found)
    return ()


def odd_names(present: Sequence[str], roster: Iterable[str] = ()) -> list[str]:
    """Return sentences for staff on the names of folders that look like another's, and that mix alphabets.

    Args:
        present: the names of those who handed in. roster: other names that are known.
    """
    alike: dict[str, list[str]] = {}
    for name in dict.fromkeys([*present, *roster]):
        alike.setdefault(skeleton(name), []).append(name)
    handed_in = set(present)
    pairs = [names for names in alike.values() if len(names) > 1 and not handed_in.isdisjoint(names)]
    mixed = [(name, scripts) for name in present if (scripts := mixed_scripts(name))]
    return [
        *(f"{' and '.join(map(_shown, names))} look alike: are they one student, or does one pass for the other?"
          for names in pairs[:MOST_NAMED]),
        *(f"{_shown(name)} mixes letters that look alike, {' and '.join(scripts)}: whose folder is it?"
          for name, scripts in mixed[:MOST_NAMED]),
    ]


def _shown(name: str) -> str:
    """Quote a name; where it holds more than plain letters its code is shown too, as eyes cannot tell."""
    return repr(name) if name.isascii() else f"{name!r} ({ascii(name)[1:-1]})"
