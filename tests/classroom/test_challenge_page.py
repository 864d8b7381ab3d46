"""The page that a student reads after the challenge, and the command that shows a game again."""

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from arena.board.known_address import PORT, position_link
from arena.board.positions import open_position
from arena.challenge.ladder import load_ladder
from arena.challenge.replay import replay
from arena.challenge.report import (
    NOT_READY,
    PLAYED,
    ChallengeReport,
    MistakeReport,
    QualityReport,
    RungReport,
    Verdict,
)
from arena.challenge.report_text import in_short, report_text
from arena.errors import UserError
from arena.games import after
from arena.games.boards import rows
from arena.games.connect_four import HEIGHT
from arena.result import Fault, MatchResult, PlayedGame
from arena.show.connect_four import GAME, position_svg
from arena.strength import STRATA
from autograder.pages.replay_data import MOST_PICTURES, data_of, small_picture
from autograder.pages.student.challenge_page import challenge_page
from autograder.pages.student.ladder_svg import ladder_svg

ATTACK = "<script>alert(1)</script><img src=x onerror=alert(2)>"
GAMES = (
    PlayedGame((3, 0, 3, 0, 3, 0, 6, 0), 6, 0, 0.0),
    PlayedGame((3, 0, 3, 0, 3, 0), 6, 1, 0.0, Fault(0, ATTACK)),
)
SENTENCE = "move 7: column 6 loses in 2; column 3 wins in 1"


class Tags(HTMLParser):
    """Collects the tags of a page, and everything in the page that would act."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.acts: list[str] = []
        self.scripts: list[str] = []

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1] == "script" and self.rawdata:
            self.scripts += [data] if data.strip() else []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.acts += [name for name, value in attributes if name.startswith("on") or (value or "").startswith("javascript:")]


def report() -> ChallengeReport:
    rung = RungReport.of("Stone", 400, MatchResult(("you", "Stone"), GAMES), (0.0, 0.4), Verdict("failed", 0.0, 10.0, -7.0))
    return ChallengeReport(
        "ps3_connect_four", "a" * 64, PLAYED, ATTACK, 5.0, simulations=400, rungs=(rung,),
        quality=QualityReport(75, dict.fromkeys(STRATA, 0.25), 5.0, 10.0, {ATTACK: 1}),
        mistakes=(MistakeReport("Stone", 0, 7, 6, 3, SENTENCE),), overruns=(ATTACK,),
    )


def page(challenge: ChallengeReport, student: str = "ada") -> str:
    return challenge_page(student, challenge, None, load_ladder())


def test_the_page_shows_the_ladder_the_worst_moves_and_every_game() -> None:
    text = page(report())
    assert text.count('<th scope="row">Stone<') == 2, "on the ladder, and in the table of scores"
    assert SENTENCE in text and "game 1 against Stone, you are X" in text and "8 X" not in text
    assert "6 X lost 30303060" in text and "not reached" in text and "Move quality: 5 of 10 points" in text


def climbed(*verdicts: str) -> ChallengeReport:
    """A report whose matches ended so, from the lowest rung on; an undecided one has half the points."""
    share = {"passed": 1.0, "failed": 0.0, "undecided": 0.5}
    stone = report().rungs[0]
    rungs = tuple(replace(stone, name=rung.name, verdict=verdict, points=share[verdict] * rung.points, score=0.25)
                  for rung, verdict in zip(load_ladder().rungs, verdicts, strict=False))
    return replace(report(), rungs=rungs, mistakes=(), points=5.0 + sum(rung.points for rung in rungs))


def ladder_of(text: str) -> list[str]:
    """The rows of the ladder as words, the highest first."""
    table = text.split('<table class="rungs"')[1].split("<tbody>")[1].split("</tbody>")[0]
    return [" ".join(re.sub("<[^>]*>", " ", row).split()) for row in table.strip().splitlines()]


def test_the_ladder_shows_every_rung_what_was_reached_on_it_and_which_one_is_next() -> None:
    rows = ladder_of(page(climbed("passed", "passed", "failed")))
    assert rows == [
        "Perfect – for games not lost 0 of 5", "Mountain 6,400 not reached 0 of 7", "Boulder 1,600 not reached 0 of 8",
        "Stone 400 not reached 0 of 10", "Pebble 100 ✗ failed ◀ next 0 of 25", "Sand 25 ✓ passed 20 of 20",
        "Random – ✓ passed 15 of 15", "Move quality 5 of 10"]
    most = sum(float(row.rpartition(" of ")[2]) for row in rows)
    reached = sum(float(row.rpartition(" of ")[0].split()[-1]) for row in rows)
    assert (reached, most) == (40.0, 100.0), "the rows add up to the points and to what can be reached"


@pytest.mark.parametrize("verdicts, beaten, following", [
    (["failed"], "none of 6 bots.", "Random plays at random; a score (wins, and half the draws) of 0.70 or more passes, 0.55"),
    (["passed", "undecided"], "1 of 6 bots: Random.", "Sand plays with 25 simulations a move; a score"),
])
def test_it_says_in_words_how_far_the_student_is_and_what_the_next_rung_needs(
    verdicts: list[str], beaten: str, following: str
) -> None:
    text = page(climbed(*verdicts))
    assert f"You have beaten {beaten}" in text and f"Next: {following}" in text and "Yours was 0.25." in text


def test_who_has_beaten_every_bot_has_no_next_one() -> None:
    whole = climbed(*["passed"] * 6)
    assert "You have beaten every bot.</p>" in page(whole) and "◀ next" not in page(whole)
    short = challenge_page("ada", climbed(*["passed"] * 3), None, replace(load_ladder(), highest="Pebble"))
    assert "You have beaten every bot that this class plays." in short and "◀ next" not in short


def test_nothing_on_the_page_acts() -> None:
    parser = Tags()
    parser.feed(page(report(), student=ATTACK))
    assert not {"img", "iframe", "object", "embed", "link"} & set(parser.tags) and parser.acts == []
    assert parser.tags.count("script") == 2 and "alert" not in "".join(parser.scripts[1:]), "the data, and the page's own script"
    assert "<" not in parser.scripts[0] and json.loads(parser.scripts[0])["worst"][0][4] == SENTENCE
    assert "svg" in parser.tags and "default-src 'none'" in page(report())


def test_the_score_against_each_bot_stands_on_one_scale() -> None:
    picture = ladder_svg(report(), load_ladder())
    assert "Stone: failed, score 0.00, interval 0.00 to 0.40" in picture and "Mountain: not played" in picture
    assert picture.count('class="score"') == 1 and picture.count('class="fail"') == len(load_ladder().rungs)


def test_the_data_of_a_page_has_every_game_with_its_values() -> None:
    stone = replace(report().rungs[0], values=("VVVVVVV", ""))
    data = json.loads(data_of(replace(report(), rungs=(stone,)), alone=True))
    assert data["matches"][0]["games"][0] == "6 X lost 30303060" and data["matches"][0]["values"] == {"0": "VVVVVVV"}
    assert data["worst"] == [[0, 0, 7, "", SENTENCE]]
    assert json.loads(data_of(report()))["matches"][0]["values"] == {}, "a report from before there were values"


def test_every_game_has_its_line_and_the_first_ones_not_won_their_picture() -> None:
    many = replace(report().rungs[0], games=("6 X won 30303060",) * 200 + ("6 O lost 3030306",) * 3)
    text = page(replace(report(), rungs=(many,)))
    assert text.count("6 X won 30303060\n") == 200 and text.count('<svg viewBox="-.5 0 7 6"') == MOST_PICTURES
    assert text.index("game 201, O, lost") < text.index("game 1, X, won") and "150 pictures for 203 games" in text


def test_an_older_report_is_read_and_shown() -> None:
    old = json.loads(report().to_json())
    for entry in (*old["rungs"], *old["mistakes"]):
        del entry["values"]
    assert ChallengeReport.from_json(json.dumps(old)) == report()


def test_who_is_not_ready_reads_what_to_do_and_no_empty_headings() -> None:
    text = page(ChallengeReport("ps3_connect_four", "a" * 64, NOT_READY, "Not entered yet: the joint check."))
    assert "Not entered yet: the joint check." in text
    assert "The worst moves" not in text and "Every game" not in text and 'id="quality"' not in text
    assert "You have beaten" not in text and "◀ next" not in text


def test_a_fault_of_ours_is_undecided_and_shows_no_points() -> None:
    fault = ChallengeReport.fault("ps3_connect_four", "a" * 64)
    text = page(fault)
    assert "Undecided: " in text and "no points are given or taken" in text and "of 100 points" not in text
    assert in_short(fault) == "undecided (grader fault)"
    assert "undecided" in report_text(fault) and "of 100 points" not in report_text(fault)


def test_a_class_that_plays_no_further_is_told() -> None:
    text = challenge_page("ada", report(), None, replace(load_ladder(), highest="Stone"))
    assert text.count("not in this class") == 2 and "for games not lost" in text
    assert "of 80 points that can be reached: this class plays up to Stone" in text and "can be reached" not in page(report())


def test_the_picture_marks_both_columns_where_their_stones_would_lie() -> None:
    state = (0b0000111 << 21, 0b0000111)  # X to move: three X in column 3, three O in column 0
    picture = position_svg(state, played=6, better=3, words=SENTENCE)
    assert picture.count(">XXX<") == picture.count(">OOO<") == 1 and picture.count("✗") == picture.count("✓") == 1
    assert f'x="{6 * 26 + 13}" y="{5 * 26 + 18}"' in picture  # the cross, on the ground of column 6
    assert f'x="{3 * 26 + 13}" y="{2 * 26 + 18}"' in picture  # the tick, on the three stones of column 3


def test_a_small_picture_has_every_stone_of_the_final_position() -> None:
    game = PlayedGame(tuple(map(int, "3354424410661")), 6, 0, 0.5)
    board = reversed(rows(GAME, after(GAME, game.actions)))
    first, second = re.findall('<path [^>]*d="([^"]*)"', small_picture(game, "o1"))
    stones = {(column, row): sign for row, line in enumerate(board) for column, sign in enumerate(line) if sign != "."}
    assert dotted(first) == set(stones) and dotted(second) == {square for square, sign in stones.items() if sign == "O"}


def dotted(path: str) -> set[tuple[int, int]]:
    """Return (column, row from the bottom) of each square that a line of the path goes through."""
    lines = [tuple(map(int, line)) for line in re.findall(r"M(\d) (\d)v-(\d)", path)]
    assert len(lines) == path.count("M")
    return {(column, HEIGHT - low + step) for column, low, length in lines for step in range(length)}


# -- replay ---------------------------------------------------------------------------------------


def shown(path: Path, rung: str | None = None, game: int = 1) -> str:
    lines: list[str] = []
    replay(path, rung, game, lines.append)
    return "\n".join(lines)


def test_a_game_is_shown_move_by_move_with_the_mistake_marked(tmp_path: Path) -> None:
    path = tmp_path / "challenge.json"
    path.write_text(report().to_json())
    text = shown(path, "stone")
    assert "Stone, game 1: you were X and lost" in text and "6: opening" in text and "7: X 6 mistake" in text and "8: O 0" in text
    assert SENTENCE in text
    assert ATTACK in shown(path, game=2)


@pytest.mark.parametrize("rung, game, sentence", [("Rock", 1, "no match was played against 'Rock'; choose from Stone"),
                                              (None, 3, "Stone has no game 3; choose from 1 to 2")])
def test_what_is_not_there_is_one_sentence(tmp_path: Path, rung: str | None, game: int, sentence: str) -> None:
    path = tmp_path / "challenge.json"
    path.write_text(report().to_json())
    with pytest.raises(UserError, match=sentence):
        shown(path, rung, game)


@pytest.mark.parametrize("content", ["", "{}", "[1]", '{"rungs": 3}', "\udc80"])
def test_what_is_no_report_is_one_sentence(tmp_path: Path, content: str) -> None:
    path = tmp_path / "challenge.json"
    path.write_bytes(content.encode("utf-8", "surrogateescape"))
    with pytest.raises(UserError, match="is not a report of the challenge"):
        shown(path)
    with pytest.raises(UserError, match="no report was found at"):
        shown(tmp_path / "nothing.json")


def test_the_command_under_a_picture_opens_the_position_before_the_move() -> None:
    (moves,) = re.findall(r"arena play --moves (\d+)", page(report()))
    assert moves == "303030" and open_position("connect_four", moves).legal


def test_the_only_links_of_the_page_lead_to_the_board_on_this_machine() -> None:
    links = re.findall(r'<a [^>]*href="([^"]*)"', page(report()))
    assert links == [f"http://127.0.0.1:{PORT}/#connect_four/303030", "#Stone-1/6"], "the second stays in the page"
    addresses = set(re.findall(r"\w+://[^/\s\"']*", page(report())))
    assert addresses <= {f"http://127.0.0.1:{PORT}", "http://www.w3.org"}, "the second is the name of SVG, in the script"
    assert position_link("othello", "") == f"http://127.0.0.1:{PORT}/#othello"
