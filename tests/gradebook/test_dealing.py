"""Answers are dealt evenly and stay with their marker; second marks come in blind, and the difference is told."""

import json

import pytest

from arena.errors import UserError
from autograder.gradebook.course import prepare
from autograder.gradebook.dealing import BY_EXERCISE, BY_STUDENT, FILE, Marking, deal, key_of, marking_of, second_marks
from autograder.log import log
from autograder.pages.course.class_page import Background, class_page
from tests.commands import autograder_here
from tests.gradebook.conftest import PS, SmallClass
from tests.tables import rows_of

ANSWER = "ex2_13"
STUDENTS = [f"s{number}" for number in range(7)]


@pytest.fixture
def course(small_class: SmallClass) -> SmallClass:
    """Seven have an answer to mark, one of them for a team, and one has written none."""
    (small_class.folder / "course.toml").write_text(f"[course]\nsets = ['{PS}']\n")
    people = "".join(f"{id},Name{id}\n" for id in (*STUDENTS, "mate", "none"))
    (small_class.folder / "roster.csv").write_text(f"id,first_name\n{people}")
    (small_class.folder / "teams.csv").write_text("id,team\ns0,red\nmate,red\n")
    prepare(small_class.folder, PS)
    for student in STUDENTS:
        small_class.hand_in(student, {ANSWER: f"{student}: a plot"})
    small_class.hand_in("none")
    small_class.record(**{student: small_class.report(student) for student in (*STUDENTS, "none")}, mate=small_class.report("s0"))
    return small_class


def dealt_in(course: SmallClass, among: list[str], by: str = BY_STUDENT, twice: int = 0) -> dict[str, list[str]]:
    with course.gradebook() as gradebook:
        dealt = deal(course.folder, gradebook, PS, among, by, twice)
    return {marker: sorted(student for (student, _), is_second in dealt.of(marker) if not is_second) for marker in among}


def test_answers_are_dealt_evenly_and_stay_where_they_are(course: SmallClass) -> None:
    first = dealt_in(course, ["kim", "lee"])
    assert sorted(map(len, first.values())) == [3, 4] and sorted([*first["kim"], *first["lee"]]) == STUDENTS
    orders = [sorted(STUDENTS, key=lambda student: key_of(secret, PS, (student, ANSWER))) for secret in (b"this", b"another")]
    assert orders[0] != orders[1] != STUDENTS != orders[0], "the course's secret decides the order, and no name"
    assert dealt_in(course, ["lee", "kim"]) == {marker: first[marker] for marker in ("lee", "kim")}
    course.hand_in("late", {ANSWER: "a plot"})
    course.record(late=course.report("late"))
    more = dealt_in(course, ["kim", "lee"])
    assert sorted(map(len, more.values())) == [4, 4] and all(set(first[who]) <= set(more[who]) for who in first)
    without = dealt_in(course, ["kim", "mo"])  # lee is ill: all of hers are dealt anew, and kim keeps his own
    assert set(more["kim"]) <= set(without["kim"]) and sorted(map(len, without.values())) == [4, 4]
    (course.folder / FILE).unlink()
    assert dealt_in(course, ["kim", "lee"], BY_EXERCISE) == {"kim": [*["late"], *STUDENTS], "lee": []}


def test_who_has_marked_what_is_told(course: SmallClass) -> None:
    whose = dealt_in(course, ["kim", "lee"])
    with course.gradebook() as gradebook:
        assert marking_of(course.folder, gradebook, "ps2_uct").rows[0].marked == 0
    for student in (whose["kim"][0], whose["lee"][0]):
        course.mark_by_hand(student, ANSWER, 3.0)
        log(course.folder, "mark", who="kim", ps=PS, student=student, cell=ANSWER, old=None, new=3.0, answer="")
    with course.gradebook() as gradebook:
        marking = marking_of(course.folder, gradebook, PS)
    rows = {row.marker: (row.dealt, row.marked, row.by_others) for row in marking.rows}
    assert rows == {"kim": (len(whose["kim"]), 1, 0), "lee": (len(whose["lee"]), 1, 1)}
    assert marking.others == (f"{whose['lee'][0]!r} {ANSWER} was dealt to lee, and kim has marked it",)
    page = class_page(course.folder, PS, "Set 2", {"s1": course.report("s1")}, [], None, Background(marking=marking))
    assert "was dealt to lee, and kim has marked it" in page and '<th scope="row"><bdi>lee</bdi></th>' in page
    assert 'id="marking"' not in class_page(course.folder, PS, "Set 2", {"s1": course.report("s1")}, [], None, Background())


def staff(*words: object, status: int = 0) -> str:
    done = autograder_here("staff", *words)
    assert done.returncode == status and "Traceback" not in done.stderr, done.stdout + done.stderr
    assert status == 0 or len(done.stderr.splitlines()) == 1
    return done.stdout + done.stderr


def test_second_marks_come_from_a_table_without_names(course: SmallClass) -> None:
    folder = course.folder
    said = staff("deal", folder, "--among", "kim,lee", "--twice", "3", "--ps", PS)
    assert f"7 answers of {PS} are dealt, 7 of them new" in said and "second marks" in said
    tables = {marker: folder / "dealt" / f"{PS}-{marker}.csv" for marker in ("kim", "lee")}
    rows = {marker: rows_of(path) for marker, path in tables.items()}
    assert sum(row["mark"] == "second" for table in rows.values() for row in table) == 3
    text = "".join(path.read_text() for path in tables.values())
    assert not [id for id in STUDENTS if f"{id}," in text or f"Name{id}" in text], "marking is blind"
    with course.gradebook() as gradebook:
        known = second_marks(folder, gradebook, PS)
        pages = {row["page"].rpartition("/")[2] for table in rows.values() for row in table}
        assert pages == {gradebook.find_submission_notebook(PS, PS, student).id for student in STUDENTS}
    assert len(known) == 3 and {most for _, most in known.values()} == {5.0}
    for (student, cell), _ in known.values():
        course.mark_by_hand(student, cell, 3.0)
    table = rows_of(tables["kim"])
    asked = next(row for row in table if row["mark"])
    tables["kim"].write_text(tables["kim"].read_text().replace(",second,", ",second,2.5", 1))
    staff("deal", folder, "--among", "kim,lee", "--twice", "3", "--ps", PS)
    assert rows_of(tables["kim"]) == [row | {"score": "2.5"} if row is asked else row for row in table], "what is written stays"
    for number, (marker, path) in enumerate(tables.items()):
        own = [row["id"] for row in rows[marker] if row["mark"]]
        lines = [f"{row['id']};{'4,5' if row['id'] in own else ''}" for row in rows[marker]]
        path.write_text("id;score\n" + "\n".join(lines) + "\n")
        assert not own or f"{len(own)} second mark" in staff("second", folder, path, "--ps", PS), number
    with course.gradebook() as gradebook:
        marking = marking_of(folder, gradebook, PS)
    assert marking.differences == (1.5,) * 3 and marking.apart == ()
    assert marking.twice_in_words == ("3 of 3 answers that two people mark have both marks: the second mark is +1.50 points from "
                                      "the first on average, and they differ by 1.50 points.")
    assert [course.grade_row(place[0], place[1])["manual_score"] for place, _ in known.values()] == [3.0] * 3
    (student, cell), _ = next(iter(known.values()))
    course.mark_by_hand(student, cell, 2.0)
    with course.gradebook() as gradebook:
        marking = marking_of(folder, gradebook, PS)
    page = class_page(folder, PS, "Set 2", {"s1": course.report("s1")}, [], None, Background(marking=marking))
    (sentence,) = marking.apart
    assert sentence.startswith(f"{student!r} {cell} has 2 and, from ") and ", 4.5: talk about it" in sentence
    assert page.count("talk about it, and correct the score in formgrader") == 1
    first = next(key for key in (row["id"] for row in rows["kim"] if not row["mark"]) if key not in known)
    path = tables["kim"]
    path.write_text(f"id,score\n{first},4\nnobody,4\n{next(iter(known))},6\n")
    said = staff("second", folder, path, "--ps", PS, status=2)
    assert all(why in said for why in (f"line 2: {first!r} is no answer", "line 3: 'nobody' is no answer", "line 4: '6' is not a "
                                       "score, 0 to 5"))
    path.write_text(f"id,score\n{first},\n")
    assert "has no scores" in staff("second", folder, path, "--ps", PS, status=2)
    assert json.loads((folder / "log.jsonl").read_text().splitlines()[-1])["command"] == "second"


def test_differences_of_both_signs_are_told_apart() -> None:
    assert Marking(differences=(1.0, -1.0, 0.0), twice=5).twice_in_words == (
        "3 of 5 answers that two people mark have both marks: the second mark is +0.00 points from the first on average, and "
        "they differ by 0.67 points.")
    assert Marking(twice=2).twice_in_words == "0 of 2 answers that two people mark have both marks."


def test_wrong_markers_are_told(course: SmallClass) -> None:
    for among in ([], ["kim", "kim"], ["kim", ""]):
        with pytest.raises(UserError, match="name each marker once"):
            dealt_in(course, among)
    with pytest.raises(UserError, match="a second mark needs a second marker"):
        dealt_in(course, ["kim"], BY_STUDENT, 1)
    assert not (course.folder / FILE).exists()


def test_wrong_words_are_told(course: SmallClass) -> None:
    assert "--by is student or exercise, not 'name'" in staff("deal", course.folder, "--among", "kim", "--by", "name", "--ps", PS,
                                                              status=2)
    assert "is not the name of a marker" in staff("deal", course.folder, "--among", "../x", "--ps", PS, status=2)
