"""Similar submissions: copies are found under new names and in another order, independent work is not reported."""

import json
import os
import random
import re
import stat
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from rich.console import Console

from arena.errors import UserError
from autograder.course import similarity as look
from autograder.course.similarity import SimilarPairs, look_over
from autograder.pages.course import similarity_page as page_module
from autograder.pages.course.similarity_page import MOST_SHOWN, similarity_page
from autograder.paths import REPOSITORY
from autograder.problem_sets.bank.answers import load_bank, right_answers
from autograder.problem_sets.source import load
from autograder.progress import ProgressBar
from autograder.selftest.similarity_measured import answers_of, draw_class
from autograder.similarity.fingerprints import K, Vocabulary
from autograder.similarity.identical import Identical
from autograder.similarity.pairs import LEAST_SCORE, Pair, Work, similar_pairs, worth
from autograder.submission import read as submissions
from autograder.submission.parse import Cell
from tests.commands import autograder
from tests.students import hand_in, own_answers, solved, stub

PS = "ps2_uct"
RIGHT = load_bank(REPOSITORY / "tests" / "right" / f"{PS}.py")
NOBODY = Identical((), {}, 2)
HOSTILE = '<script>alert("1")<\u2215script> =cmd'  # not a slash of ours: it is part of a folder's name
ACTING = "</pre></mark><script>alert(2)</script><img src=x onerror=alert(3)>"


def module(cells: list[str]) -> str:
    return stub(PS) + "".join(f"\n\n# %%\n{cell}" for cell in cells)


def disguised(cells: list[str]) -> list[str]:
    """The same work with other names, texts, comments, white space and docstrings, in another order."""
    names = {"node": "knot", "child": "kid", "rng": "dice", "counts": "pulls", "totals": "sums", "means": "avg", "best": "top",
             "bounds": "limits", "arm": "lever", "value": "worth", "legal": "moves", "total": "t", "count": "c"}
    words = "|".join(names)
    cells = [re.sub(rf"(?<![.\w])({words})\b", lambda name: names[name[1]], cell) for cell in reversed(cells)]
    cells = [re.sub(r"(?m)^(def .*:)$", r'\1\n    """My own idea."""', cell) for cell in cells]
    return [re.sub(r'"[^"\n]*"', '"mine"', cell.replace(" = ", "  =   ").replace("\n", "   # as I see it\n\n\n"))
            if '"""' not in cell else re.sub(r"(?m)(?<!\")$", "  # as I see it\n", cell) for cell in cells]


@pytest.fixture(scope="module")
def looked(processes, tmp_path_factory: pytest.TempPathFactory) -> SimilarPairs:
    """A class in which two students have copied."""
    course = tmp_path_factory.mktemp("similar")
    for number in range(8):
        hand_in(course, f"own{number}", PS, module(own_answers(PS, number)))
    hand_in(course, "verbatim", PS, module(own_answers(PS, 0)))
    hand_in(course, "disguised", PS, module(disguised(own_answers(PS, 1))))
    hand_in(course, "right1", PS, solved(PS, RIGHT[2].code))
    hand_in(course, "right2", PS, solved(PS, RIGHT[3].code))
    for student in ("stub1", "stub2", "stub3"):
        hand_in(course, student, PS, stub(PS))
    hand_in(course, "broken", PS, '{"cells": [', f"{PS}.ipynb")
    hand_in(course, "endless", PS, module(["x = 1  " * (look.MOST_LETTERS // 7)]))
    hand_in(course, "zeros", PS, b"\0" * 5000)
    acting = [f'def hint{number}(a, b):\n    return [a ^ b, "{ACTING}", a @ b, a >> {number}, b << a, ~a, a % 7]\n'
              for number in range(9)]
    for student in (HOSTILE, "=HYPERLINK(1)"):
        hand_in(course, student, PS, module([*acting, "# \u202eright to left\n" + acting[0]]))
    return look_over(course, PS, right_answers=right_answers(PS))


def pairs_of(findings: SimilarPairs) -> list[set[str]]:
    return [{pair.first.student, pair.second.student} for pair in findings.pairs]


@pytest.mark.usefixtures("processes")
def test_copies_are_listed_and_nobody_else(looked: SimilarPairs):
    assert sorted(map(sorted, pairs_of(looked))) == sorted(
        map(sorted, [{"own0", "verbatim"}, {"own1", "disguised"}, {HOSTILE, "=HYPERLINK(1)"}])
    )


def test_new_names_comments_texts_and_another_order_change_nothing(looked: SimilarPairs):
    shares = {frozenset((pair.first.student, pair.second.student)): pair.share for pair in looked.pairs}
    assert shares[frozenset(("own0", "verbatim"))] == pytest.approx(1)
    assert shares[frozenset(("own1", "disguised"))] > 0.97  # a comment can end in a new line, and then a piece can too


@pytest.mark.usefixtures("repetition")
def test_copies_stand_far_above_the_highest_pair_of_independent_work(looked: SimilarPairs):
    vocabulary = Vocabulary(load(PS))
    works = [Work(f"{number}", vocabulary.pieces([(None, cell) for cell in own_answers(PS, number)])) for number in range(8)]
    explained = look.what_the_set_explains(load(PS), vocabulary, right_answers(PS))
    highest = max(pair.score for pair in similar_pairs(works, explained, least_score=0.01))
    copied = [pair.score for pair in looked.pairs if pair.first.student.startswith(("own", "disg"))]
    assert len(copied) == 2 and min(copied) > 5 * highest and highest < LEAST_SCORE


@pytest.mark.usefixtures("computing")
def test_in_a_measured_class_the_functions_of_one_author_belong_to_one_student():
    answers = answers_of(PS, Vocabulary(load(PS)), frozenset())
    students = [set(work.values()) for work in draw_class(answers, random.Random(1))]
    given = [answer for answer in answers if any(set(answer.values()) & work for work in students)]
    assert len(given) > len(answers) / 2
    assert [answer for answer in given if sum(bool(set(answer.values()) & work) for work in students) != 1] == []


def test_who_cannot_be_compared_is_named_with_the_reason(looked: SimilarPairs):
    reasons = dict(looked.unread)
    assert set(reasons) == {"broken", "endless", "zeros"}
    assert "JSON" in reasons["broken"] and "letters" in reasons["endless"] and all(reasons.values())
    assert looked.works == 17 and looked.untouched == 5  # three stubs; the two right answers are known ones
    ours = "2 identical to the published solution"
    assert looked.line() == f"compared 17 submissions: 3 pairs to look at, {ours}, 3 could not be read"
    assert set(looked.identical.by_student) == {"right1", "right2"} and looked.identical.unread == ("broken", "zeros")


def test_the_page_shows_students_text_as_text_and_marks_what_is_shared(looked: SimilarPairs):
    page = looked.page.read_text()
    assert "not a verdict" in page and "http-equiv" in page
    assert "<script" not in page and "<img" not in page and "onerror" in page and "&lt;script&gt;" in page
    assert "\u202e" not in page
    assert "<mark>" in page and page.count("<pre ") == page.count("</pre>") and page.count("<mark>") == page.count("</mark>")
    shown = re.search(r"<div id=\"pair-1\".*?</details>", page, re.DOTALL)[0]
    marked = "".join(re.findall(r"<mark>(.*?)</mark>", shown, re.DOTALL))
    assert "return" in marked and "def random_policy" not in marked
    assert "TODO" not in page and "Sutton" not in page  # stubs, and released docstrings


@pytest.mark.usefixtures("processes")
def test_a_notebook_and_a_module_with_the_same_answers_are_the_same_work(tmp_path: Path):
    cells = [{"cell_type": "code", "source": cell, "metadata": {}, "outputs": []} for cell in own_answers(PS, 0)]
    hand_in(tmp_path, "a", PS, json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}), f"{PS}.ipynb")
    hand_in(tmp_path, "b", PS, module(own_answers(PS, 0)).replace("\n", "\r\n"))
    looked = look_over(tmp_path, PS, right_answers=right_answers(PS))
    assert looked.unread == () and [pair.share for pair in looked.pairs] == [pytest.approx(1)]


def test_what_two_share_in_different_exercises_is_shown_where_it_stands():
    vocabulary = Vocabulary(load(PS))
    helper = "    return [a ^ b, a @ b, a >> b, b << a, ~a, a % 7, a | b, a & b, a // b, a ** b, -a, +b]\n"
    works = [Work(student, vocabulary.pieces([(None, f"def {name}(a, b):\n{helper}")]))
             for student, name in (("a", "expand"), ("b", "mine"))]
    pairs = similar_pairs(works, frozenset())
    page = similarity_page(SimilarPairs(PS, "T", tuple(pairs), 2, 0, (), NOBODY, Path("page.html"), Path("page.csv")))
    assert len(pairs) == 1 and page.count("<pre ") == 2
    assert page.count("In this work the shared code is in another exercise.") == 2


def test_page_and_table_are_for_their_owner_and_no_formula_begins_a_cell(looked: SimilarPairs):
    for path in (looked.page, looked.table):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    rows = looked.table.read_text().splitlines()
    assert len(rows) == 4 and not any(cell.startswith("=") for row in rows for cell in row.split(","))
    assert not list((looked.page.parents[1] / "submitted").rglob("similarity*"))
    entry = json.loads((looked.page.parents[1] / "log.jsonl").read_text().splitlines()[-1])
    assert entry["command"] == "similarity" and entry["pairs"] == 3


def test_another_look_writes_the_same(looked: SimilarPairs, capsys: pytest.CaptureFixture):
    before = looked.page.read_bytes(), looked.table.read_bytes()
    again = look_over(looked.page.parents[1], PS, ProgressBar(Console()), right_answers(PS))
    assert (again.page.read_bytes(), again.table.read_bytes()) == before
    assert "reading submissions: 20" in capsys.readouterr().out


def test_what_a_third_of_the_class_shares_is_no_evidence_and_what_two_share_counts_full():
    for students in (2, 3, 30, 600):
        values = worth(np.arange(1, students + 1), students)
        assert values[0] == values[min(1, students - 1)] == 1 and (np.diff(values) <= 0).all()
        assert (values[-(-students // 3) + 2:] == 0).all()


def test_what_everybody_has_is_not_marked_in_a_pair():
    own = [f"copied {number}" for number in range(60)]
    works = [Work(student, (SimpleNamespace(fingerprints=("everybody's", *words)),))
             for student, words in [("a", own), ("b", own), *[(f"other {number}", (f"of {number}",)) for number in range(8)]]]
    (pair,) = similar_pairs(works, frozenset())
    assert (pair.first.student, pair.second.student, pair.common) == ("a", "b", frozenset(own))


@pytest.mark.usefixtures("computing")
def test_short_answers_make_nobody_suspicious():
    vocabulary = Vocabulary(load(PS))
    short = "def is_terminal(self, game):\n    over = game.outcome(self.state)\n    return not (over is None)\n"
    works = [Work(f"{number}", vocabulary.pieces([("2.2", short)])) for number in range(2)]
    explained = look.what_the_set_explains(load(PS), vocabulary, right_answers(PS))
    assert works[0].fingerprints - explained and not similar_pairs(works, explained)


@pytest.mark.usefixtures("computing")
def test_two_alone_who_copied_everything_are_listed_and_a_class_of_one_is_not():
    vocabulary = Vocabulary(load(PS))
    work = [(None, cell) for cell in own_answers(PS, 0)]
    pair = [Work(student, vocabulary.pieces(work)) for student in "ab"]
    explained = look.what_the_set_explains(load(PS), vocabulary, right_answers(PS))
    assert len(similar_pairs(pair, explained)) == 1
    assert similar_pairs(pair[:1], explained) == similar_pairs([], explained) == []


def test_a_page_shows_so_many_pairs_and_says_that_there_are_more(looked: SimilarPairs):
    many = SimilarPairs(PS, "T", looked.pairs[:1] * (MOST_SHOWN + 1), 99, 0, (), NOBODY, looked.page, looked.table)
    assert f"The {MOST_SHOWN} highest of {MOST_SHOWN + 1}" in similarity_page(many)


def test_a_pair_that_cannot_be_shown_is_said_beside_the_others(looked: SimilarPairs, monkeypatch: pytest.MonkeyPatch):
    def failing(title: str, id: str, pair: Pair, genuine=page_module._exercise) -> dict:
        if pair is looked.pairs[0]:
            raise ZeroDivisionError
        return genuine(title, id, pair)

    assert len(looked.pairs) > 1
    monkeypatch.setattr(page_module, "_exercise", failing)
    page = similarity_page(looked)
    assert page.count("cannot be shown side by side (raised ZeroDivisionError") == 1 and "<mark>" in page


@pytest.mark.usefixtures("computing")
@pytest.mark.parametrize("text", ["\n ", "x.", "(", '"""', "'", "@a.", "\\", 'f"{', "\u2028", "\x0c \n", "1e"])
def test_text_that_is_made_to_cost_time_is_read_all_the_same(text: str):
    vocabulary = Vocabulary(load(PS))
    vocabulary.pieces([(None, text * (20_000 // len(text)))])
    assert vocabulary.pieces([(None, "x = [1, 2, 3, 4, 5, 6, 7]\n")])[0].places[0] == (0, 1)


def test_names_that_can_be_chosen_are_one_word_and_those_of_the_lesson_are_words():
    vocabulary = Vocabulary(load(PS))

    def words(code: str) -> str:
        return vocabulary.pieces([(None, code)])[0].words

    first = "def f(node):  # mine\n    for child in node.children.values():\n        print(child.total_value / 2, 'a')\n"
    second = 'def g(  x):\n    """Doc."""\n    for y in x.children.values():\n\n        print(y.total_value / 2, "b" "c")\n'
    assert words(first) == words(second) and len(words(first)) > 2 * K
    assert words(first.replace("children", "kids")) == words(first.replace("children", "sons")) != words(first)
    assert words(first.replace("total_value", "num_visits")) != words(first)


@pytest.mark.usefixtures("processes")
def test_the_command_says_what_came_of_it_and_where_it_lies(looked: SimilarPairs):
    done = autograder("similarity", looked.page.parents[1], "--ps", PS)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-2:] == [looked.line(), str(looked.page)]


def test_a_wrong_name_or_folder_is_said_in_a_sentence(tmp_path: Path):
    with pytest.raises(UserError, match="no problem set is called"):
        look_over(tmp_path, "ps9")
    with pytest.raises(UserError, match="not a course folder"):
        look_over(tmp_path, PS, right_answers=right_answers(PS))
    assert not os.listdir(tmp_path)


@pytest.mark.usefixtures("repetition")
def test_whoever_costs_too_much_or_cannot_be_taken_apart_is_named_and_the_table_is_made(tmp_path: Path, monkeypatch):
    """a lexer that does not end for one text, and a fault in reading another text, affect no other submission"""
    for number in range(2):
        hand_in(tmp_path, f"own{number}", PS, module(own_answers(PS, 0)))
    hand_in(tmp_path, "endless", PS, module(["endless = 1"]))
    hand_in(tmp_path, "strange", PS, module(["x = 1"]))
    monkeypatch.setattr(look, "LEXER_CPU_S", 1.0)
    read, words = submissions.read_folder, Vocabulary._words

    def endless_for_one(vocabulary: Vocabulary, text: str) -> object:
        while "endless" in text:
            pass
        return words(vocabulary, text)

    monkeypatch.setattr(Vocabulary, "_words", endless_for_one)

    def broken_for_one(folder: Path, ps: str) -> submissions.Submission:
        submission = read(folder, ps)
        if "strange" in str(folder):
            return submissions.Submission(load(ps), "module", (Cell("cell 1", None, None, "code"),), "", "0")
        return submission

    monkeypatch.setattr(look, "read_folder", broken_for_one)
    looked = look_over(tmp_path, PS, right_answers=right_answers(PS))
    assert pairs_of(looked) == [{"own0", "own1"}] and looked.works == 2 and looked.page.exists() and looked.table.exists()
    reasons = dict(looked.unread)
    assert reasons.keys() == {"endless", "strange"} and "raised AttributeError" in reasons["strange"]
    assert reasons["endless"] == "Its code cannot be parsed: took more than 1 s of CPU time."
