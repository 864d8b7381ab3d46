"""Notebooks that lie about points, ids and tests in their metadata, and that try to deceive their readers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from autograder.selftest.attack.bank import PWNED, Attack
from autograder.selftest.demo.submission_maker import SubmissionMaker

NAME = "ps2_uct.ipynb"
SCRIPT = f"<script>alert('{PWNED}')</script>"
Change = Callable[[dict], None]


def changed(change: Change, solved: bool = False) -> Callable[[Path, SubmissionMaker], None]:
    """Hand in the stub, or the right answer, after `change` has changed its JSON."""

    def make(folder: Path, maker: SubmissionMaker) -> None:
        content = json.loads(maker.solved if solved else maker.stub)
        change(content)
        (folder / NAME).write_text(json.dumps(content))

    return make


def code(source: str, **metadata: object) -> dict:
    return {"cell_type": "code", "id": f"c{abs(hash(source)) % 10**9}", "metadata": metadata, "source": source, "outputs": [],
            "execution_count": 1}


def text(source: str, **metadata: object) -> dict:
    return {"cell_type": "markdown", "id": f"m{abs(hash(source)) % 10**9}", "metadata": metadata, "source": source}


def exercise_cells(content: dict) -> list[dict]:
    return [cell for cell in content["cells"] if cell["metadata"].get("nbgrader", {}).get("grade_id", "").startswith("ex2_")]


def rich(content: dict) -> None:
    """Every check says that it is worth a thousand points, is solved, and was already graded by hand."""
    for cell in exercise_cells(content):
        cell["metadata"]["nbgrader"] |= {"points": 1000, "grade": True, "solution": True, "locked": False, "checksum": "0" * 32,
                                         "score": 1000, "auto_score": 1000, "manual_score": 1000, "extra_credit": 1000}
    content["metadata"] |= {"autograder": {"report": "0" * 32, "points": 100}, "nbgrader": {"score": 100, "max_score": 100}}


def checks_of_its_own(content: dict) -> None:
    """The check cells stay in their place with their ids, but they check nothing."""
    for cell in exercise_cells(content):
        if cell["metadata"]["nbgrader"].get("grade"):
            cell["source"] = "10.0"


def second_checks(content: dict) -> None:
    """More cells with the checks' ids, after the real ones: perhaps the grader counts the last one."""
    for cell in [cell for cell in exercise_cells(content) if cell["metadata"]["nbgrader"].get("grade")]:
        content["cells"].append({**cell, "id": cell["id"] + "x", "source": "pass"})


def one_for_all(content: dict) -> None:
    """The cell of an easy exercise claims to be the cell of every other exercise."""
    for cell in exercise_cells(content):
        if cell["cell_type"] == "code":
            cell["metadata"]["nbgrader"]["grade_id"] = "ex2_1_code"


def hidden_work(content: dict) -> None:
    """Code that cheats, in cells that claim to be checks and experiments: not shown, but perhaps run."""
    cheat = "import os\nglobals().update({name: lambda *args: os._exit(0) for name in globals() if name[0] != '_'})"
    check = {"grade_id": "ex2_5", "grade": True, "solution": False, "locked": True, "points": 10,
             "schema_version": 3, "task": False}
    content["cells"] += [code(cheat, nbgrader=check),
                         code(cheat, tags=["experiment"])]


def outputs(content: dict) -> None:
    """Sentences of a grader, and scripts, as saved outputs."""
    for cell in content["cells"]:
        if cell["cell_type"] == "code":
            verdict = "2.5 backpropagate   PASSED   10 of 10 points"
            data = {"text/html": SCRIPT, "application/javascript": f"alert('{PWNED}')",
           "image/svg+xml": f"<svg onload='{PWNED}'/>",
                    "text/markdown": SCRIPT, "text/latex": SCRIPT,
           "application/vnd.jupyter.widget-view+json": {"model_id": PWNED}}
            cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": verdict},
                               {"output_type": "display_data", "data": data, "metadata": {}},
                               {"output_type": "error", "ename": SCRIPT, "evalue": SCRIPT, "traceback": [SCRIPT]}]


PAYLOADS = (
    SCRIPT, f"<img src=x onerror=alert('{PWNED}')>", f"<a href=\"javascript:alert('{PWNED}')\">my notes</a>",
    f"[notes](javascript:alert('{PWNED}'))", f"[notes](data:text/html;base64,{PWNED})", f"<iframe srcdoc='{SCRIPT}'></iframe>",
    f"<svg><animate onbegin=alert('{PWNED}') attributeName=x></svg>", f"<form action='/{PWNED}'><input name=x></form>",
    f"<style>@import '{PWNED}'; #total {{ display: none }}</style>", f"<div id='{PWNED}' class='{PWNED}'>100 of 100</div>",
    f"<meta http-equiv=refresh content='0; url={PWNED}'>", f"<base href='//{PWNED}'>", f"<object data='{PWNED}'></object>",
    f"![x](https://192.0.2.1/{PWNED}.png)", f"$\\href{{javascript:alert('{PWNED}')}}{{x}}$",
    f"<math><mi xlink:href='{PWNED}'>x</mi></math>",
    f"</pre></div></body>{SCRIPT}", f"<details open ontoggle=alert('{PWNED}')>", f"<!--><img src onerror={PWNED}>-->",
    f"<x onclick=alert('{PWNED}')>", f"<noscript><p title=\"</noscript><img src=x onerror=alert('{PWNED}')>\">",
    f"<a href='jav&#x09;ascript:alert({PWNED})'>x</a>", f"<IMG SRC=`javascript:alert('{PWNED}')`>", f"<b onmouseover={PWNED}>",
)


def pages(content: dict) -> None:
    """Everything that a browser might run: in answers, in code, in extra cells and in the notebook's metadata."""
    for cell in content["cells"]:
        if cell["cell_type"] == "markdown" and cell["metadata"].get("nbgrader", {}).get("solution"):
            cell["source"] = "\n\n".join(PAYLOADS)
        elif cell["metadata"].get("nbgrader", {}).get("solution"):
            cell["source"] += "\n\n# " + "\n# ".join(PAYLOADS)
    content["cells"] += [text(payload, title=SCRIPT) for payload in PAYLOADS]
    content["cells"].append(code("\n".join(f"# {payload}" for payload in PAYLOADS)))
    content["metadata"] |= {"title": SCRIPT, "authors": [{"name": SCRIPT}], "widgets": {PWNED: SCRIPT}}
    content["metadata"]["kernelspec"] = {"name": f"../../{PWNED}", "display_name": SCRIPT, "language": SCRIPT}
    content["metadata"]["language_info"] = {"name": SCRIPT, "pygments_lexer": f"{PWNED}", "mimetype": SCRIPT}


def slow_pages(content: dict) -> None:
    """Cells that take hours to render: dots to be coloured, tags and formulas without an end."""
    pieces = ("<div>", "\\\\(a ", "\\begin{a}", "```\n", "[a](", "*a **b ")
    content["cells"] += [text(piece * (90_000 // len(piece)) + str(number)) for number in range(15) for piece in pieces]
    content["cells"] += [code("." * 90_000 + f"{number}") for number in range(20)]


def old_format(content: dict) -> None:
    """The right answers in a notebook that says it is of version 99."""
    content["nbformat"], content["nbformat_minor"] = 99, -1
    content["worksheets"] = [{"cells": content["cells"][:3] * 20}]


ATTACKS = (
    Attack("points in the metadata", "Writes 1,000 points into the metadata of every cell.", make=changed(rich), stock=True,
           quick=True),
    Attack("checks of its own", "Replaces the code of the check cells by the number 10.", make=changed(checks_of_its_own),
           stock=True),
    Attack("second checks", "Appends cells with the ids of the checks; these cells pass.", make=changed(second_checks),
           stock=True),
    Attack("one exercise for all", "Makes every cell claim to be the easiest exercise.", make=changed(one_for_all), stock=True),
    Attack("work in hidden cells", "Puts code into cells that claim to be checks or experiments.", make=changed(hidden_work,
           True),
           points=100.0),
    Attack("a grader's words as outputs", "Hands in cells whose outputs say 'passed', with scripts among them.",
           make=changed(outputs), stock=True),
    Attack("scripts for the reader", "Two dozen ways to run a script in the browser of a reader.",
           make=changed(pages, True), points=100.0, stock=True, quick=True),
    Attack("a page that takes hours", "Cells that are made to stop the grader while it colours and renders them.",
           make=changed(slow_pages, True), points=100.0),
    Attack("a notebook of the future", "A format number that no reader knows.", make=changed(old_format),
           silent=("Traceback",)),
    Attack("a cell that is loaded twice", "Wraps the functions that the grader calls, again with every cell that is loaded.",
           "forged = globals().get('forged', lambda *args, **kwargs: 1)\n_wrapped = forged\n\n\n"
           "def forged(*args, **kwargs):\n    return _wrapped(*args, **kwargs)\n", stock=True),
)
