"""A wrong name, and the name that was probably meant."""

from collections.abc import Iterable
from difflib import get_close_matches

from arena.shipped import set_number


def near_miss(asked: str, known: Iterable[str]) -> str:
    """Return the one of the names `known` that `asked` probably means; "" if none or several are near.

    Of a problem set its number is enough: "ps2", "PS2", "2" and "ps2_utc" are near to ps2_uct.
    """
    names, asked = list(known), asked.casefold()
    number = set_number(f"ps{asked.removeprefix('ps').partition('_')[0]}_")
    by_number = [name for name in names if number and set_number(name) == number]
    by_begin = [name for name in names if asked and name.casefold().startswith(asked)]
    alike = get_close_matches(asked, names, n=1)
    return next((matches[0] for matches in (by_number, by_begin, alike) if len(matches) == 1), "")


def did_you_mean(asked: str, known: Iterable[str]) -> str:
    """Return ": did you mean ps2_uct?", to be added to a sentence; "" if nothing is near."""
    near = near_miss(asked, known)
    return f": did you mean {near}?" if near else ""


def meant_or_listed(asked: str, known: Iterable[str]) -> str:
    """Return the same, or "; choose from" and all names if nothing is near."""
    names = list(known)
    return did_you_mean(asked, names) or f"; choose from {', '.join(names)}"
