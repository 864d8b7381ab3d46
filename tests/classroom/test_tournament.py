"""The tournament of a class: the same table for any workers and any number of stops, and no student's name in it."""

import csv
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from players import ILLEGAL, a_course, hand_in_player, module

from arena.errors import Interrupted, UserError
from arena.result import PlayedGame
from arena.show.connect_four import diagram
from autograder.challenge.model import Conditions
from autograder.course.challenge.class_exams import course_ladder
from autograder.course.challenge.entrants import entrants
from autograder.course.challenge.tournament import hold_tournament, tournament_of, write_leaderboard
from autograder.grading.edition import course_secret
from autograder.grading.report import Outcome
from autograder.progress import Watcher
from autograder.tournament import store as hall
from autograder.tournament.meeting import Meeting, MeetingResult, play
from autograder.tournament.participants import Participant, bots, players
from autograder.tournament.store import Archive, play_all
from autograder.tournament.tournament import Standing, Table, Tournament
from tests.ladders import quick_ladder

ROOT = Path(__file__).resolve().parents[2]
GREEDY = "simulations = 60 * simulations"
CLASS = {"ada": "", "bela-lovelace": GREEDY, "carl": Outcome.NOT_YET, "dora": ILLEGAL}
MEETINGS = 21  # of ada, bela, dora, emil's two players and two bots
OPEN = "\n\n# %%\ndef open_player(game, state, rng):\n    return uct(game, state, rng, simulations=30)[0]\n"


def a_class(folder: Path) -> Path:
    """A class of four, of whom one may not enter, and a ladder of two bots."""
    course = a_course(folder, CLASS)
    hand_in_player(course, "emil", module() + OPEN)
    text = (course / "rungs.toml").read_text()
    kept = re.sub(r'\[\[rung\]\]\nname = "(?!Random|Sand)[^\[]*', "", text)
    (course / "rungs.toml").write_text(kept)
    # With openings of chance the strong one lost to Sand once in some forty runs: twelve games are few.
    (course / "edition.secret").write_text("the edition of these tests")
    return course


class Stopper(Watcher):
    """Presses Ctrl-C after this many meetings, and counts the meetings that were played."""

    def __init__(self, after: int = 10**9) -> None:
        self.after, self.played = after, 0

    def step(self, student: str) -> None:
        self.played += 1
        if self.played == self.after:
            raise KeyboardInterrupt


def pages(course: Path) -> dict[str, bytes]:
    folder = course / "tournament"
    files = (path for path in sorted(folder.rglob("*")) if path.suffix in (".html", ".csv"))
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


@pytest.fixture(scope="module")
def held(processes, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Table]:
    course = a_class(tmp_path_factory.mktemp("tournament") / "course")
    return course, hold_tournament(course, 2)


def again(held: tuple[Path, Table], folder: Path) -> Path:
    """The same class in another folder, before any game."""
    course = a_class(folder / "course")
    shutil.copy(held[0] / "edition.secret", course)
    return course


@pytest.mark.usefixtures("processes")
def test_everybody_met_everybody_with_both_colours(held: tuple[Path, Table]) -> None:
    _, table = held
    assert len(table.standings) == 7 and len(table.results) == MEETINGS and table.not_played == 0
    assert all(standing.games == 12 for standing in table.standings)
    for _, played in table.results:
        first, other = played.games
        assert (first.colour, other.colour) == (0, 1) and first.num_opening == other.num_opening == 8
        assert first.actions[:8] == other.actions[:8]
    lines = [meeting.line for meeting, _ in table.results]
    assert len(set(lines)) >= MEETINGS - 3  # drawn from more than 3,000, and one can come twice


def test_the_strong_stand_above_the_weak(held: tuple[Path, Table]) -> None:
    table = held[1]
    order = [standing.participant.id for standing in table.standings]
    assert order[0] == "bela-lovelace/uct" and order[-1] == "dora/uct"
    values = [standing.rating.value for standing in table.standings]
    assert values == sorted(values, reverse=True)
    assert table.standings[-1].faults and all("9" in reason for reason in table.standings[-1].faults)
    assert [standing.open_class for standing in table.standings if standing.participant.id == "emil/open_player"] == [True]


@pytest.mark.usefixtures("repetition")
def test_stopped_and_continued_it_ends_as_it_would_have(held: tuple[Path, Table], tmp_path: Path) -> None:
    course = again(held, tmp_path)
    stopped = []
    for after in (2, 9, 1):
        watcher = Stopper(after)
        with pytest.raises(Interrupted, match=r"stopped: meetings played and kept so far: \d+"):
            hold_tournament(course, 2, watcher=watcher)
        stopped.append(watcher.played)
    last = Stopper()
    hold_tournament(course, 1, watcher=last)
    assert stopped == [2, 9, 1] and last.played == MEETINGS - 12
    assert pages(course) == pages(held[0])
    once_more = Stopper()
    hold_tournament(course, 2, watcher=once_more)
    assert once_more.played == 0 and pages(course) == pages(held[0])


@pytest.mark.usefixtures("repetition")
def test_a_broken_record_is_played_again(held: tuple[Path, Table]) -> None:
    course, before = held[0], pages(held[0])
    files = sorted((course / "tournament" / "meetings").rglob("*.json"))
    assert len(files) == MEETINGS
    files[3].write_text("{")
    files[5].write_text('{"games": [], "overruns": {}, "uncounted": {}, "seconds": 1.0, "trouble": ""}')
    watcher = Stopper()
    hold_tournament(course, 2, watcher=watcher)
    assert watcher.played == 2 and pages(course) == before


@pytest.mark.usefixtures("repetition")
def test_who_joins_later_changes_no_game_of_the_others(held: tuple[Path, Table], tmp_path: Path) -> None:
    course = tmp_path / "course"
    shutil.copytree(held[0], course)
    hand_in_player(course, "fred", module("rng.random()"))
    watcher = Stopper()
    hold_tournament(course, 2, watcher=watcher)
    assert watcher.played == 7
    hand_in_player(course, "fred", module("rng.random()"), joint=Outcome.NOT_YET)
    hold_tournament(course, 2)
    assert pages(course) == pages(held[0])  # fred's page is gone too


class Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list) -> None:
        self.links += [value for name, value in attrs if name in ("href", "src")]
        inline = ({"type": "module"}, {"type": "application/json", "id": "games-data"})  # the viewer, and its games
        assert tag != "script" or dict(attrs) in inline


def test_no_name_is_on_the_pages_and_every_link_leads_somewhere(held: tuple[Path, Table]) -> None:
    board = held[0] / "tournament" / "leaderboard"
    files = sorted(board.iterdir())
    assert len(files) == 8
    for path in files:
        text = path.read_text()
        for student in ("ada", "bela", "lovelace", "carl", "dora", "emil"):
            assert not re.search(rf"\b{student}\b", text + path.name, re.IGNORECASE)
        links = Links()
        links.feed(text)
        pages = [link for link in links.links if not link.startswith("#")]  # the others lead to a move on this page
        assert pages and all((board / page).is_file() for page in pages)
    assert (board / "sand.html").read_text().count("<figure>") == 12


def test_the_instructor_s_file_says_who_is_who_and_is_theirs_alone(held: tuple[Path, Table]) -> None:
    path = held[0] / "tournament" / "players.csv"
    assert path.stat().st_mode & 0o777 == 0o600
    with path.open(newline="") as file:
        rows = {(row["student"], row["class"]): row for row in csv.DictReader(file)}
    assert {student for student, _ in rows} == {"ada", "bela-lovelace", "dora", "emil"}
    assert "9" in rows["dora", "search"]["lost_off_the_board"]
    assert rows["emil", "open"]["handle"] == rows["emil", "search"]["handle"] + " (open)"
    page = (held[0] / "tournament" / "leaderboard" / "index.html").read_text()
    assert all(row["handle"] in page for row in rows.values())


def test_minutes_decide_how_many_rounds_are_played(held: tuple[Path, Table], tmp_path: Path) -> None:
    course = tmp_path / "course"
    shutil.copytree(held[0], course)
    assert tournament_of(course, 2, minutes=0).run().rounds == 3
    tournament = tournament_of(course, 2, minutes=5)
    tournament._play(tournament._round(0), "first round")
    fit = tournament._rounds_that_fit()
    seconds = sum(played.seconds for _, played in tournament.results) / 2
    assert fit == int(300 / seconds)


def test_a_few_rounds_pair_equals(held: tuple[Path, Table], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    course = tmp_path / "course"
    shutil.copytree(held[0], course)
    monkeypatch.setattr(Tournament, "_rounds_that_fit", lambda self: 3)
    tables = [tournament_of(course, workers).run() for workers in (1, 2)]
    assert tables[0].rounds == 3 and len(tables[0].results) == 9
    games = [[(meeting, played.games) for meeting, played in table.results] for table in tables]
    assert games[0] == games[1]
    assert [standing.rating for standing in tables[0].standings] == [standing.rating for standing in tables[1].standings]


def test_where_nobody_may_enter_it_says_what_to_do_first(tmp_path: Path) -> None:
    course = a_course(tmp_path / "course", {"carl": Outcome.NOT_YET})
    with pytest.raises(UserError, match="no player in .* may enter yet.*make grade COURSE="):
        hold_tournament(course, 1)
    with pytest.raises(UserError, match="no such course folder"):
        hold_tournament(tmp_path / "nowhere", 1)


def test_perfect_plays_where_a_class_may_climb_up_to_it(tmp_path: Path) -> None:
    (tmp_path / "low").mkdir()
    (tmp_path / "high").mkdir()
    (tmp_path / "low" / "rungs.toml").write_text(quick_ladder("Stone"))
    (tmp_path / "high" / "rungs.toml").write_text(quick_ladder("Mountain"))
    low, high = ([bot.handle for bot in bots(course_ladder(tmp_path / name))] for name in ("low", "high"))
    assert low == ["Random", "Sand", "Pebble", "Stone", "Boulder", "Mountain"] and high == [*low, "Perfect"]


# -- meetings and workers -----------------------------------------------------------------------------


def a_meeting(course: Path, first: str, other: str, seed: int = 5) -> tuple[Meeting, Conditions]:
    ladder, secret = course_ladder(course), course_secret(course)
    everybody = [*bots(ladder), *players(entrants(course, "", {}), ladder, secret)]
    known: dict[str, Participant] = {each.id: each for each in everybody}
    return Meeting(known[first], known[other], (3, 3, 3, 3, 2, 4, 2, 4), seed), Conditions(secret, ladder)


def test_a_meeting_is_the_same_every_time_and_survives_its_file(held: tuple[Path, Table], tmp_path: Path) -> None:
    meeting, conditions = a_meeting(held[0], "ada/uct", "dora/uct")
    first, other = play(meeting, conditions), play(meeting, conditions)
    assert first.games == other.games and first.points == 2.0
    assert all(game.fault.by == 1 and "LostGame" not in game.fault.reason for game in first.games)
    archive = Archive(tmp_path, "grader")
    archive.put(meeting, first)
    assert archive.get(meeting) == first
    assert Archive(tmp_path, "another grader").get(meeting) is None
    assert archive.get(a_meeting(held[0], "ada/uct", "dora/uct", seed=6)[0]) is None


def test_a_player_that_cannot_be_made_loses_and_is_told_why(held: tuple[Path, Table], tmp_path: Path) -> None:
    course = tmp_path / "course"
    shutil.copytree(held[0], course)
    hand_in_player(course, "ada", "x = 1\n")
    meeting, conditions = a_meeting(course, "ada/uct", "bot/Sand")
    played = play(meeting, conditions)
    assert played.points == 0 and "not written" in played.games[0].fault.reason


def dies(meeting: Meeting, conditions: Conditions) -> MeetingResult:
    """A job that ends its worker whenever the seed is 2, and once when it is 3."""
    mark = meeting.first.folder / "mark"
    if meeting.seed == 2 or (meeting.seed == 3 and not mark.exists()):
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    if meeting.seed == 4:
        raise RuntimeError("not the players' doing")
    return MeetingResult(seconds=float(meeting.seed))


@pytest.mark.usefixtures("repetition")
def test_workers_that_die_cost_only_the_bout_that_kills_them(held: tuple[Path, Table], tmp_path: Path) -> None:
    meeting, conditions = a_meeting(held[0], "ada/uct", "bot/Sand")
    meetings = [replace(meeting, first=replace(meeting.first, folder=tmp_path), seed=seed) for seed in range(8)]
    ended = dict(play_all(meetings, conditions, 2, job=dies))
    assert set(ended) == set(meetings)
    troubled = {meeting.seed: played.failure for meeting, played in ended.items() if played.failure}
    assert troubled == {2: "the meeting ended the worker process 2 times",
                        4: "the meeting failed: RuntimeError: not the players' doing 2 times"}


@pytest.mark.usefixtures("repetition")
def test_what_the_host_would_not_let_us_play_is_left_out_and_tried_again(
    held: tuple[Path, Table], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    course = again(held, tmp_path)
    genuine = hall.play_all
    monkeypatch.setattr("autograder.tournament.tournament.play_all", _with_trouble(genuine))
    table = hold_tournament(course, 2)
    assert table.not_played == 2 and len(table.results) == MEETINGS - 2
    assert "2 meetings could not be played" in pages(course)["leaderboard/index.html"].decode()
    monkeypatch.setattr("autograder.tournament.tournament.play_all", genuine)
    assert hold_tournament(course, 2).not_played == 0
    assert pages(course) == pages(held[0])


def test_a_tournament_of_which_nothing_could_be_played_says_so(held, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(meetings, conditions, workers):
        yield from ((meeting, MeetingResult(failure="the host ran out of memory")) for meeting in meetings)

    monkeypatch.setattr("autograder.tournament.tournament.play_all", nothing)
    with pytest.raises(UserError, match="not one game of the tournament could be played: the host ran out of memory"):
        hold_tournament(again(held, tmp_path), 2)


def _with_trouble(genuine):
    def some(meetings, conditions, workers):
        for number, (meeting, played) in enumerate(genuine(meetings, conditions, workers)):
            yield meeting, MeetingResult(failure="the host ran out of memory") if number % 9 == 3 else played

    return some


@pytest.mark.usefixtures("whole_world")
def test_ctrl_c_at_the_command_line_keeps_what_is_played(held: tuple[Path, Table], tmp_path: Path) -> None:
    course = again(held, tmp_path)
    command = [sys.executable, "-m", "autograder", "tournament", str(course), "--workers", "2"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    process = subprocess.Popen(
        command, cwd=ROOT, start_new_session=True, **pipes,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # ignored in a shell's background
    )  # fmt: skip
    meetings = course / "tournament" / "meetings"
    while len(list(meetings.rglob("*.json"))) < 3 and process.poll() is None:
        time.sleep(0.1)
    os.killpg(process.pid, signal.SIGINT)  # a terminal's Ctrl-C reaches the workers too
    _, output = process.communicate(timeout=120)
    assert process.returncode == 130 and "the same command continues from here" in output and "Traceback" not in output
    kept = len(list(meetings.rglob("*.json")))
    assert 3 <= kept < MEETINGS
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0 and "leaderboard/index.html" in done.stdout
    assert pages(course) == pages(held[0])


# -- the page --------------------------------------------------------------------------------------


def test_who_asked_for_far_more_than_the_budget_stands_in_the_open_class_with_a_star(
    held: tuple[Path, Table], tmp_path: Path
) -> None:
    def page_and_file(standings: list[Standing]) -> tuple[str, str]:
        page = write_leaderboard(tmp_path, replace(held[1], standings=tuple(standings)))
        return page.read_text(), (tmp_path / "players.csv").read_text()

    standings = [replace(standing, overruns=[]) for standing in held[1].standings]  # whatever was seen in this edition
    honest, _ = page_and_file(standings)
    remark = "with 9 stones on the board one move called game.play at least 9,001 times"
    page, file = page_and_file([replace(standing, overruns=[remark]) if standing.participant.id == "ada/uct" else standing
                                for standing in held[1].standings])
    assert ">open*<" in page and ">open*<" not in honest
    assert "used far more than its budget" in page and "used far more" not in honest
    assert remark in file and remark not in page


def test_a_game_is_drawn_with_the_numbers_of_its_moves_and_its_four() -> None:
    picture = diagram(PlayedGame((3, 0, 3, 0, 3, 0, 3), 2, 0, 1.0))
    assert re.findall(r">(\d)</text>", picture) == ["2", "4", "6", "1", "3", "5", "7"]  # column by column, from the bottom
    assert picture.count("stroke-width") == 4 and picture.count("fill-opacity") == 2
    drawn = diagram(PlayedGame((0, 1), 2, 0, 0.5))
    assert drawn.count("stroke-width") == 0 and drawn.count("<circle") == 42
