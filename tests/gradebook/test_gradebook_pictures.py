"""Pictures pasted into answers, as Jupyter writes them: pictures are shown, other things get a sentence, and no error."""

import base64
import json
import struct
import zlib

import pytest

from autograder.course.feedback import feedback
from autograder.gradebook.feedback.filters import safe_markdown
from autograder.gradebook.pictures import LARGEST_BYTES, data_address
from autograder.problem_sets.source import load
from autograder.submission.parse import MOST_PICTURES, notebook_cells
from tests.gradebook.tools import growth, tags

PS = "ps2_uct"
MISSING = "is missing or cannot be shown"


def png(width=1, height=1, more=b""):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0\0") + more) + chunk(b"IEND", b"")


def gif(screen=(1, 1), frame=(1, 1)):
    image = b"\x2c" + struct.pack("<HHHH", 0, 0, *frame) + b"\x00" + b"\x02\x02\x44\x01\x00"
    return b"GIF89a" + struct.pack("<HH", *screen) + b"\x80\x00\x00" + b"\0" * 6 + b"\x21\xf9\x04\0\0\0\0\0" + image + b"\x3b"


def jpeg(width=1, height=1):
    frame = b"\xff\xc0\x00\x0b\x08" + struct.pack(">HH", height, width) + b"\x01\x01\x11\x00"
    return b"\xff\xd8\xff\xe0\x00\x04\0\0" + frame + b"\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00\x00\xff\xd9"


def text(data):
    return base64.b64encode(data).decode()


def hand_in(small_class, answer, attachments, student="ada"):
    """Hand in a notebook whose free answer has something pasted into it."""
    path = small_class.hand_in(student, {"ex2_13": answer}) / f"{PS}.ipynb"
    notebook = json.loads(path.read_text(encoding="utf-8"))
    cell = next(cell for cell in notebook["cells"] if cell["metadata"].get("nbgrader", {}).get("grade_id") == "ex2_13")
    cell["attachments"] = attachments
    path.write_text(json.dumps(notebook), encoding="utf-8")


@pytest.mark.usefixtures("repetition")
def test_a_pasted_picture_is_shown_by_our_run_and_by_nbgraders(small_class):
    answer = "See ![the tree](attachment:my%20tree.png), ![a table](attachment:b.png) and ![](attachment:gone.png)."
    hand_in(small_class, answer, {"my tree.png": {"image/png": text(png())}, "b.png": {"image/jpeg": text(jpeg())}})
    small_class.record(ada=small_class.report("ada"))
    feedback(small_class.folder, PS)
    shown = ['alt="the tree"', f'src="data:image/png;base64,{text(png())}"',
             'alt="a table"', f'src="data:image/jpeg;base64,{text(jpeg())}"', f"(The picture “gone.png” {MISSING}"]
    assert [piece for piece in shown if piece not in small_class.page()] == []
    done = small_class.nbgrader("generate_feedback", PS, "--force")
    assert done.returncode == 0, done.stderr
    assert [piece for piece in shown if piece not in small_class.page()] == []


def test_another_picture_under_the_same_name_is_another_answer(small_class):
    for width in (1, 2):
        hand_in(small_class, "![](attachment:image.png)", {"image.png": {"image/png": text(png(width))}})
        small_class.record(ada=small_class.report("ada"))
        row = small_class.grade_row("ada", "ex2_13")
        assert row["needs_manual_grade"]
        small_class.mark_by_hand("ada", "ex2_13", 4.0)


BROKEN = {
    "none": None, "a list": [], "a word": {"x.png": "picture"}, "no kind": {"x.png": {}}, "a number": {"x.png": {"image/png": 7}},
    "a list of what not": {"x.png": {"image/png": [1, None, {}]}}, "no base64": {"x.png": {"image/png": "*" * 100}},
    "not ascii": {"x.png": {"image/png": "\u00e9\ud800"}}, "a page": {"x.png": {"text/html": "<script>alert(1)</script>"}},
    "a drawing": {"x.png": {"image/svg+xml": text(b"<svg onload=alert(1)/>")}},
    "a drawing that says it is none": {"x.png": {"image/png": text(b"<svg onload=alert(1)/>")}},
    "broken off": {"x.png": {"image/png": text(png()[:20])}}, "empty": {"x.png": {"image/png": ""}},
    "of gigabytes": {"x.png": {"image/png": text(png(60_000, 60_000))}},
    "too large": {"x.png": {"image/png": text(png(more=b"\0" * LARGEST_BYTES))}},
    "a quote in its kind": {"x.png": {'image/png" onerror="alert(1)': text(png())}},
}


@pytest.mark.first_shows
@pytest.mark.parametrize("what", BROKEN)
def test_what_is_no_picture_is_a_sentence(small_class, what):
    hand_in(small_class, "![x](attachment:x.png) and more", BROKEN[what])
    small_class.record(ada=small_class.report("ada"))
    feedback(small_class.folder, PS)
    text = small_class.page()
    assert MISSING in text and "and more" in text and "<img" not in text and "alert(1)" not in text


@pytest.mark.parametrize("kind, make", [("image/png", png), ("image/jpeg", jpeg)])
def test_a_picture_is_what_it_says_it_is_and_of_a_size_that_can_be_shown(kind, make):
    assert data_address(kind, text(make())) == f"data:{kind};base64,{text(make())}"
    assert data_address(kind, text(make(5000, 4000))) is not None
    assert data_address(kind, text(make(50_000, 40_000))) is None and data_address(kind, text(make(0, 1))) is None
    assert data_address("image/gif", text(make())) is None
    whole = make()
    assert all(data_address(kind, text(whole[:end])) is None for end in range(20))


def test_every_frame_of_a_moving_picture_is_measured():
    assert data_address("image/gif", text(gif())) is not None
    assert data_address("image/gif", text(gif(frame=(60_000, 60_000)))) is None
    assert data_address("image/gif", text(gif(screen=(60_000, 60_000)))) is None
    assert all(data_address("image/gif", text(gif()[:end])) is None for end in range(len(gif()) - 1))


def test_lines_of_base64_are_put_together():
    lines = "\n".join(text(png())[start : start + 20] for start in range(0, 100, 20))
    assert data_address("image/png", lines + text(png())[100:]) == f"data:image/png;base64,{text(png())}"


def test_a_picture_stands_once_on_a_page():
    pasted = {"x.png": {"image/png": text(png())}}
    shown = safe_markdown("![x](attachment:x.png) " * 50, pasted)
    assert shown.count("base64,") == 1 and shown.count("again.)") == 49


WAYS = ["![{}](attachment:x.png)", "<img alt='{}' src='attachment:x.png'>", '<img src="attachment:x.png" alt="{}">']
WORDS = ['" onerror=alert(1) x="', "<b>", "&quot; onerror=alert(1) x=&quot;", "[x](y)", "'\"><script>alert(1)</script>"]


@pytest.mark.parametrize("words", WORDS)
@pytest.mark.parametrize("way", WAYS)
def test_what_a_picture_shows_in_words_is_only_words(way, words):
    shown = tags(safe_markdown(way.format(words), {"x.png": {"image/png": text(png())}}))
    assert {name for name, _ in shown} <= {"p", "img", "b"}
    assert all(set(attributes) <= {"alt", "src"} for _, attributes in shown)
    assert {attributes["src"][:22] for name, attributes in shown if name == "img"} <= {"data:image/png;base64,"}


def test_a_cell_keeps_so_many_attachments_of_reasonable_names():
    many = {f"{number}.png": {"image/png": "A"} for number in range(500)} | {"n" * 10_000: {"image/png": "A"}}
    cell = {"cell_type": "markdown", "metadata": {}, "source": "x", "attachments": many}
    [read] = notebook_cells(json.dumps({"cells": [cell]}).encode(), load(PS))
    assert len(read.pictures) == MOST_PICTURES and all(len(name) < 10 for name, _, _ in read.pictures)


def test_pictures_of_a_submission_are_no_more_than_a_page_can_bear(small_class):
    large = text(png(more=bytes(1_300_000)))
    names = [f"{number}.png" for number in range(8)]
    hand_in(small_class, " ".join(f"![](attachment:{name})" for name in names), {name: {"image/png": large} for name in names})
    small_class.record(ada=small_class.report("ada"))
    feedback(small_class.folder, PS)
    assert small_class.page().count("base64,") == 4 and small_class.page().count(MISSING) == 4


@pytest.mark.parametrize("make", [png, jpeg, gif])
def test_a_picture_is_measured_in_linear_time(make):
    body = {png: lambda size: png(more=b"\xff" * size), jpeg: lambda size: b"\xff\xd8\xff\xe0" + b"\0\2\xff\xe0" * (size // 4),
            gif: lambda size: gif()[:19] + b"\x21\xff" + b"\1\0" * (size // 2)}[make]
    assert growth(lambda size: data_address(f"image/{make.__name__}", text(body(size))), 200_000) < 3
