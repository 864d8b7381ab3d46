"""Texts that are made to cost time: families of any length, and a measure of whether twice the text costs twice the time."""

from __future__ import annotations

import time
from collections.abc import Callable

# The piece that a family repeats; and the piece that follows once, so that a greedy pattern fails at the end.
REPEATED = {
    "blanks": " ", "tabs": "\t", "percents": "%", "dollars": "$", "question marks": "?", "dots": ".", "letters": "a",
    "digits": "1", "brackets": "(", "square brackets": "[", "braces": "{", "pairs": "()", "quotes": "'", "double quotes": '"',
    "triples": '"""', "backslashes": "\\", "plus items": "+ a\n", "new lines": "\n", "carriage returns": "\r", "equals": "a =",
    "commas": "a, ", "hashes": "#", "cells": "# %%\n", "options": 'check="', "merges": "<<<<<<< ", "merge lines": "<<<<<<<\n",
    "imports": "from ps2_uct ", "async": "async def ", "names": "def ucb", "blank lines": " \n", "minus": "-", "at": "@a.",
    "magics": "%%\n", "asked": "a? ", "underscores": "_", "tags": "<a ", "entities": "&", "emphasis": "*a", "links": "[a](",
    "form feeds": "\f", "braced": 'f"{', "wide": "\u2028", "exclamations": "!", "continued": "\\\n", "colons": "a: ",
}
ENDS = {"nothing": "", "dollar": "$", "new line": "\nx", "letter": "x"}
SLACK = 2.2  # four times the text may take four times as long, plus a part for caches and a busy host; quadratic time is 16
QUICK_S = 0.002  # a function that takes less for the longest text is not measured further


def made(unit: str, end: str, letters: int) -> str:
    """Return a text of a family, about so long."""
    return unit * (letters // len(unit)) + end


def growth(function: Callable[[str], object], unit: str, end: str, letters: int) -> float:
    """Return how many times as long the function takes for four times the text; 1.0 if its time is too short to measure.

    The smallest of several measurements of CPU time counts, so that a busy host changes little.
    """
    long, short = made(unit, end, 4 * letters), made(unit, end, letters)
    ratio = 1.0
    for _ in range(4):
        taken = _cpu_s(function, long)
        if taken < QUICK_S:
            return 1.0
        # the short text as often as needed for a measurable time
        ratio_now = taken / max(_cpu_s(function, short), QUICK_S / 20)
        ratio = ratio_now if ratio == 1.0 else min(ratio, ratio_now)
        if ratio <= 4 * SLACK:
            break
    return ratio


def _cpu_s(function: Callable[[str], object], text: str) -> float:
    start = time.process_time()
    function(text)
    return time.process_time() - start
