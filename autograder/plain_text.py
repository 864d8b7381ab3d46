"""Text that a stranger wrote, such as a file's name or a label, made safe for a report, a table or a terminal."""

import unicodedata

HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
KEPT = frozenset("\n\t")


def plain_text(text: str, most: int | None = None) -> str:
    """Return a text of visible characters only, without control characters for a terminal.

    Control characters, characters that turn the direction of a line, invisible ones, halves of surrogate pairs and undefined
    ones become U+FFFD; new lines and tabs stay.

    Args:
        most: the number of characters to keep, from the beginning; None for all.
    """
    text = text if most is None else text[:most]
    if text.isprintable():  # nearly always; it also refuses spaces other than " ", which are harmless
        return text
    return "".join(letter if letter.isprintable() or letter in KEPT or unicodedata.category(letter) not in HIDDEN else "\ufffd"
                   for letter in text)


def one_line(text: str) -> str:
    """Return a stranger's text as one line that is safe on a terminal."""
    return " ".join(plain_text(text).split())
