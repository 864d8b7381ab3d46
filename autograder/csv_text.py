"""Tables as CSV text in which no spreadsheet finds a formula."""

import csv
import io
import re
from collections.abc import Iterable

from autograder.plain_text import plain_text

# A spreadsheet takes a cell that begins with one of these for a formula. The second line: what compatibility (NFKC), or a
# program that is kind to other keyboards, takes for one of them.
FORMULA_STARTS = "=+-@|%" + (
    "\u207a\u207b\u207c\u208a\u208b\u208c\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2795\u2796\u2a75\u2a76"
    "\ufb29\ufe62\ufe63\ufe66\ufe6a\ufe6b\uff05\uff0b\uff0d\uff1d\uff20\uff5c"
)
_BLANK = r"\s\"'\u0300-\u036f\u115f\u1160\u2800\u3164\ufe00-\ufe0f\uffa0"  # what may stand before it and is not seen, or not kept
_BEGINS = re.compile(rf"(^|[;|])([{_BLANK}]*+)(?=[{re.escape(FORMULA_STARTS)}])")


def neutral(text: str) -> str:
    """One line of text that no spreadsheet takes for a formula: an apostrophe goes before what looks like the begin of one.

    Also behind a semicolon or a bar, where the spreadsheets of some countries begin a new cell.
    """
    return _BEGINS.sub(r"\1\2'", plain_text(" ".join(text.splitlines())).replace("\t", " "))


def csv_text(header: list[str], rows: Iterable[list[str]]) -> str:
    """A table as CSV text, every cell made harmless."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([neutral(cell) for cell in row] for row in rows)
    return out.getvalue()
