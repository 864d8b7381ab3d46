"""Tables as CSV text without formulas for a spreadsheet, and the tables that we have written before."""

import csv
import io
import re
from collections.abc import Iterable
from pathlib import Path

from autograder.plain_text import plain_text

# A spreadsheet takes a cell that begins with one of these for a formula. The other lines: characters that Unicode
# compatibility (NFKC), or a program that is kind to other keyboards, turns into one of them.
FORMULA_STARTS = "=+-@|%" + (
    "\u207a\u207b\u207c\u208a\u208b\u208c\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2795\u2796\u2a75\u2a76"
    "\ufb29\ufe62\ufe63\ufe66\ufe6a\ufe6b\uff05\uff0b\uff0d\uff1d\uff20\uff5c"
)
_BLANK = r"\s\"'\u0300-\u036f\u115f\u1160\u2800\u3164\ufe00-\ufe0f\uffa0"  # may come before it, invisible or dropped
# The same pattern serves the scripts of our pages: no group gives anything back, as no blank is also a start.
BEGINS = rf"(^|[;|])([{_BLANK}]*)(?=[{re.escape(FORMULA_STARTS)}])"
_BEGINS = re.compile(BEGINS.replace("]*)", "]*+)"))
_VALUE = re.compile(r"[+-]?[0-9][0-9.,']*\s?%?|[-\u2010-\u2015\u2212]+")  # a number, or the dashes that stand for none


def neutral(text: str) -> str:
    """Return one line of text that no spreadsheet takes for a formula: a possible formula gets an apostrophe in front.

    A formula may also begin after a semicolon or a bar, where the spreadsheets of some countries begin a new cell.
    """
    return _BEGINS.sub(r"\1\2'", plain_text(" ".join(text.splitlines())).replace("\t", " "))


def passed_on(cell: str, separator: str) -> str:
    """Return a cell of a table that another system made: itself, to the byte, unless a spreadsheet could take it for a formula.

    Then it gets an apostrophe in front, as in `neutral`. Numbers, and dashes in place of a number, are not formulas.

    Args:
        separator: of the table. Any other one may begin a new cell in a spreadsheet that expects that one.
    """
    if _VALUE.fullmatch(cell.strip()):
        return cell
    shown = plain_text(cell).replace("\ufffd", " ")  # as long as the cell; what is invisible may be dropped
    begins = re.compile(_BEGINS.pattern.replace("[;|]", "[" + re.sub(separator, "", "\t,;|") + "]"))
    places = [match.end() for match in begins.finditer(shown)]
    return "'".join(cell[start:end] for start, end in zip([0, *places], [*places, len(cell)], strict=True))


def csv_text(header: list[str], rows: Iterable[list[str]]) -> str:
    """Return a table as CSV text, with every cell made harmless."""
    return table_text([*map(neutral, header)], ([neutral(cell) for cell in row] for row in rows))


def table_text(header: list[str], rows: Iterable[list[str]], separator: str = ",") -> str:
    """Return a table as CSV text; its cells are harmless already, such as those of `read_table`."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n", delimiter=separator)
    writer.writerow(header)
    writer.writerows(rows)
    return out.getvalue()


def read_table(path: Path) -> list[dict[str, str]]:
    """Return the rows of a table that we wrote, cell by column; empty if the file is missing or is no longer such a table."""
    try:
        with path.open(newline="", encoding="utf-8") as file:
            header, *rows = csv.reader(file)
    except (OSError, ValueError, csv.Error):  # ValueError: not UTF-8, or no header
        return []
    return [dict(zip(header, row, strict=True)) for row in rows if len(row) == len(header)]
