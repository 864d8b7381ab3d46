"""The pages that a student reads, in a real browser: stepped by keys and buttons, exact values, and no text that acts."""

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Page, expect

from arena.board import known_address
from arena.board.server import BoardServer, Handler
from arena.challenge.ladder import load_ladder
from arena.challenge.mistakes import lessons
from arena.challenge.move_values import letters
from arena.challenge.report import PLAYED, ChallengeReport, MistakeReport, QualityReport, RungReport, Verdict, game_of
from arena.games import ConnectFour, after
from arena.match import play_match
from arena.players.perfect import PerfectPlayer
from arena.players.solver import Solver, plies_to_end
from arena.players.uct import UCTPlayer
from arena.result import PlayedGame
from arena.strength import STRATA
from arena.strength.openings import line_to, practice
from assets.make.search_trees import our_tree
from autograder.challenge.exam.exact_values import FROM_STONES, exact_values
from autograder.grading.edition import public_secret
from autograder.grading.hidden_checks.shown_search import shown_search
from autograder.grading.report import Check, ExerciseReport, Outcome, Report, SearchTree
from autograder.pages.student.challenge_page import challenge_page, short_challenge_page
from autograder.pages.student.report_page import ByHand, report_page
from autograder.pages.student.small_page import small_page
from autograder.problem_sets.source import load
from solutions import ps2_uct
from tests.board_server import running_server
from tests.browser.looks import SCHEMES, fits, no_serious_fault, screenshot

pytestmark = pytest.mark.usefixtures("processes")

PS, GAME = "ps2_uct", ConnectFour()
SLIDER, MATCH, GAME_BOX = "#viewer input[type=range]", "#viewer select >> nth=0", "#viewer select >> nth=1"
ENDS = {1.0: "you won", 0.5: "a draw", 0.0: "you lost"}
HOSTILE = {
    "a script": "</script><script>document.title = 'PWNED'</script><img src=x onerror=\"document.title = 'PWNED'\">",
    "right to left": "\u202edesrever\u2066 \u05d0\u05d1\u05d2 <bdo dir=rtl>abc</bdo>",
    "10,000 letters": "x" * 10_000,
}


@cache
def played() -> ChallengeReport:
    """An exam of two short matches with real mistakes, valued by the solver."""
    lines = [line_to(state) for state in random.Random(1).sample(practice(public_secret()), 4)]
    budgets = {"Sand": (400, 25), "Stone": (60, 400)}
    matches = [(name, play_match(GAME, UCTPlayer(), UCTPlayer(), 8, pair, 5, openings=lines, progress=False))
               for name, pair in budgets.items()]
    perfect = PerfectPlayer(Solver(18))
    values = exact_values(matches, perfect.solver)
    verdicts = {"Sand": Verdict("passed", 20.0, 20.0, 7.0), "Stone": Verdict("failed", 0.0, 10.0, -7.0)}
    rungs = tuple(replace(RungReport.of(name, budgets[name][1], match, match.interval, verdicts[name]), values=values[name])
                  for name, match in matches)
    worst = tuple(MistakeReport(lesson.rung, lesson.game, mistake.number, mistake.played, mistake.best, mistake.sentence(),
                                letters(map(mistake.scores.get, range(7))))
                  for lesson in lessons(matches, perfect) for mistake in [lesson.mistake])
    quality = QualityReport(75, dict.fromkeys(STRATA, 0.25), 5.0, 10.0, {})
    return ChallengeReport("ps3_connect_four", "a" * 64, PLAYED, "", 25.0, simulations=400, rungs=rungs, quality=quality,
                           mistakes=worst)


def report_with(text: str = "") -> Report:
    """A report in which each outcome occurs; `text` stands where a submission's own words may."""
    outcomes = {"2.2": Outcome.NOT_YET, "2.5": Outcome.NOT_YET, "2.6": Outcome.TOO_SLOW, "2.9": Outcome.NOT_WRITTEN}
    hint = "Which way round?" if not text else f"KeyError in cell 3, line 2: `{text}`"
    exercises = []
    for exercise in load(PS).exercises:
        outcome = outcomes.get(exercise.id, Outcome.PASSED)
        checks = (Check("test_a", f"a property of {exercise.title} {text}", outcome, None if outcome == Outcome.PASSED else hint),
                  Check("test_b", f"another property {text}", outcome), Check("test_c", "a third", Outcome.PASSED))
        points = float(exercise.points)
        earned = points * (outcome == Outcome.PASSED)
        exercises.append(ExerciseReport(exercise.id, exercise.title, outcome, earned, points, checks))
    exercises.append(ExerciseReport("joint", "everything together", Outcome.NOT_YET, 0.0, 5.0, (), ("2.5",)))
    report = Report(PS, "notebook", "b" * 64, 0.0, 100.0, text, ()).with_exercises(exercises)
    return replace(report, tree=tree_with_a_mistake())


@cache
def tree_with_a_mistake() -> SearchTree:
    """The tree of a search whose rollouts give the value of the other player."""
    right, shown = ps2_uct.simulate, shown_search(PS)
    assert shown is not None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ps2_uct, "simulate", lambda *all, **named: -right(*all, **named))
        return our_tree(PS, shown, 7)


def feedback_page(text: str = "") -> str:
    before = replace(report_with(), points=20.0, sha256="c" * 64)
    source = f"def backpropagate(node, value):\n    {text or 'return seen[value]'}"
    by_hand = ByHand({"2.5": 2.0}, {"2.5": text or "Nearly."}, 60.0)
    links = {"the whole notebook": "ps2_uct.html"}
    return report_page(text or "ada", load(PS), report_with(text), before, {"2.5": source}, by_hand, links)


@pytest.fixture
def show(new_page: Callable[..., Page], tmp_path: Path) -> Callable[..., Page]:
    """Return a function that opens a page of this text from a file."""
    def open_text(text: str, **settings: object) -> Page:
        file = tmp_path / "page.html"
        file.write_text(text, encoding="utf-8")
        page = new_page(**settings)
        page.goto(file.as_uri())
        return page

    return open_text


@pytest.fixture
def challenge(show: Callable[..., Page]) -> Page:
    return show(challenge_page("ada", played(), None, load_ladder()))


def shown_stones(page: Page) -> tuple[int, int]:
    """The number of stones of X and of O on the board."""
    return page.locator(".square.x").count(), page.locator(".square.o").count()


def at(page: Page) -> int:
    return int(page.locator(SLIDER).input_value())


def choose(page: Page, match: str, game: int) -> None:
    page.locator(MATCH).select_option(label=match)
    page.locator(GAME_BOX).select_option(value=str(game))


# -- looks ------------------------------------------------------------------------------------------


@pytest.mark.first_shows
@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_feedback_page_can_be_read_by_all_and_on_a_phone(show, scheme):
    page = show(feedback_page(), color_scheme=scheme)
    fits(page)
    no_serious_fault(page)
    screenshot(page, f"feedback_{scheme}", whole=True)


@pytest.mark.first_shows
@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_challenge_page_can_be_read_by_all_and_on_a_phone(show, scheme):
    page = show(challenge_page("ada", played(), None, load_ladder()), color_scheme=scheme)
    page.keyboard.press("v")
    fits(page)
    no_serious_fault(page)
    screenshot(page, f"challenge_{scheme}", whole=True)


@pytest.mark.first_shows
@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_small_pages_can_be_read_by_all_and_on_a_phone(show, scheme):
    for text in (small_page("ada", load(PS), report_with()), short_challenge_page("ada", played())):
        page = show(text, color_scheme=scheme)
        fits(page)
        no_serious_fault(page)


# -- the challenge page -----------------------------------------------------------------------------


def test_the_page_opens_before_the_worst_move(challenge):
    worst = played().mistakes[0]
    assert at(challenge) == worst.number - 1 and sum(shown_stones(challenge)) == worst.number - 1
    expect(challenge.locator(".worst")).to_contain_text(worst.sentence)
    expect(challenge.locator(".moves button").nth(worst.number - 1)).to_contain_text("✗")


def test_a_game_is_stepped_with_keys(challenge):
    choose(challenge, "Stone", 0)
    game = game_of(played().rungs[1].games[0])
    challenge.locator(".squares").click()     # away from the list of games, which has its own use for keys
    assert at(challenge) == game.num_opening
    for key, ply in (("ArrowRight", game.num_opening + 1), ("ArrowLeft", game.num_opening), ("End", len(game.actions)),
                     ("ArrowRight", len(game.actions)), ("Home", 0), ("ArrowLeft", 0)):
        challenge.keyboard.press(key)
        assert at(challenge) == ply and shown_stones(challenge) == ((ply + 1) // 2, ply // 2)


def test_a_game_is_stepped_with_buttons_the_slider_and_the_list_of_moves(challenge):
    choose(challenge, "Sand", 1)
    game = game_of(played().rungs[0].games[1])
    for name, ply in (("one move on", game.num_opening + 1), ("one move back", game.num_opening),
                      ("last position", len(game.actions)), ("first position", 0)):
        challenge.get_by_role("button", name=name).click()
        assert at(challenge) == ply
    assert challenge.get_by_role("button", name="first position").is_disabled()
    assert challenge.get_by_role("button", name="one move on").is_enabled()
    challenge.locator(SLIDER).fill("11")
    assert sum(shown_stones(challenge)) == 11
    challenge.locator(".moves button").nth(9).click()
    assert at(challenge) == 10
    expect(challenge.locator(".moves [aria-current=step]")).to_have_count(1)
    expect(challenge.locator("#viewer .status")).to_contain_text("After move 10,")


def test_one_key_goes_from_worst_move_to_worst_move(challenge):
    worst = played().mistakes
    assert len(worst) > 1
    for mistake in (*worst[1:], worst[0]):
        challenge.keyboard.press("w")
        assert at(challenge) == mistake.number - 1
        assert challenge.locator(f"{MATCH} >> option:checked").inner_text() == mistake.rung
        expect(challenge.locator(".worst")).to_contain_text(mistake.sentence)
    challenge.get_by_role("link", name="step through").nth(1).click()
    assert at(challenge) == worst[1].number - 1


def test_exact_values_are_shown_on_request_and_are_the_solver_s(challenge):
    game, solver = game_of(played().rungs[1].games[0]), Solver(18)
    choose(challenge, "Stone", 0)
    assert not challenge.locator(".values").is_visible()
    shows = challenge.get_by_role("button", name="show exact values (v)")
    shows.click()
    assert shows.get_attribute("aria-pressed") == "true"
    for ply in (FROM_STONES + 1, len(game.actions) - 1):
        challenge.locator(SLIDER).fill(str(ply))
        state = after(GAME, game.actions[:ply])
        scores = solver.scores(state)
        best = max(score for score in scores if score is not None)
        cells = challenge.locator(".exact td").all_inner_texts()
        for score, cell in zip(scores, cells, strict=True):
            words = cell.replace("\n", " ").split("✓")[0]
            if score is None:
                assert words == "full"
            elif score == 0:
                assert words.startswith("draws")
            else:
                assert words.startswith(f"{'wins' if score > 0 else 'loses'} in {plies_to_end(state, score)}")
            assert ("✓ best" in cell) == (score == best)
        assert "played" in cells[game.actions[ply]]
    worst = played().mistakes[0]
    choose(challenge, worst.rung, worst.game)
    challenge.locator(SLIDER).fill(str(worst.number - 1))
    challenge.set_viewport_size({"width": 1000, "height": 640})
    challenge.locator("#viewer").evaluate("viewer => viewer.scrollIntoView()")
    screenshot(challenge, "challenge_viewer")
    challenge.locator(SLIDER).fill("9")
    expect(challenge.locator(".values .soft")).to_have_text("The values of this position are not in the report.")
    challenge.keyboard.press("v")
    assert not challenge.locator(".values").is_visible()


def test_the_mistakes_that_are_marked_are_those_that_the_solver_finds(challenge):
    marked = {(mistake.rung, mistake.game, mistake.number) for mistake in played().mistakes}
    for rung, game, number in marked:
        choose(challenge, rung, game)
        expect(challenge.locator(".moves button").nth(number - 1)).to_have_class("mistake")


def test_the_address_names_game_and_position_and_the_browser_s_back_goes_to_the_game_before(challenge):
    game = game_of(played().rungs[1].games[0])
    choose(challenge, "Stone", 0)
    challenge.locator(SLIDER).fill("11")
    expect(challenge).to_have_url(re.compile("#Stone-1/11$"))
    challenge.reload()
    assert at(challenge) == 11 and challenge.locator(f"{MATCH} >> option:checked").inner_text() == "Stone"
    challenge.locator(MATCH).select_option(label="Sand")
    challenge.get_by_role("button", name="last position").click()
    challenge.go_back()
    expect(challenge.locator(SLIDER)).to_have_value("11")
    expect(challenge.locator(GAME_BOX)).to_have_value("0")
    challenge.goto(f"{challenge.url.partition('#')[0]}#Stone-1/{len(game.actions)}")
    expect(challenge.locator(SLIDER)).to_have_value(str(len(game.actions)))
    for wrong in ("#Nobody-1/3", "#Stone-99/3", "#Stone-1/x", "#"):
        challenge.goto(f"{challenge.url.partition('#')[0]}{wrong}")
        challenge.evaluate("new Promise(done => setTimeout(done))")  # the page has seen the address by then
        assert sum(shown_stones(challenge)) == at(challenge)


def test_at_the_end_of_a_game_that_was_not_won_the_page_says_which_move_gave_it_away(challenge):
    """the decisive move as the solver sees it; where the values are known, and only there"""
    solver, decided = Solver(18), 0
    for rung in played().rungs:
        for number, line in enumerate(rung.games):
            game = game_of(line)
            choose(challenge, rung.name, number)
            challenge.get_by_role("button", name="last position").click()
            words = challenge.locator("#viewer .status").inner_text()
            heading = challenge.locator("#viewer-head").inner_text()
            if "gave" not in words:
                assert heading == f"Game {number + 1} against {rung.name}: {ENDS[game.score]}"
                continue
            decided += 1
            move = int(words.rpartition("move ")[2].split()[0])
            before, later = (sign_for(solver, game, ply) for ply in (move - 1, move))
            assert before > later == 2 * game.score - 1 and (move - 1) % 2 == game.colour
            assert ("gave it away" in words) == (game.score == 0)
            made = f"Your move {move} ({'XO'[game.colour]} in column {game.actions[move - 1]})"
            how = "lost" if game.score == 0 else "gave away the win in"
            assert heading == f"{made} {how} game {number + 1} against {rung.name}"
    assert decided


def sign_for(solver: Solver, game: PlayedGame, ply: int) -> int:
    """The value with perfect play before a move, for the student: 1, 0 or -1."""
    if ply == len(game.actions):
        return int(2 * game.score - 1)
    best = max(score for score in solver.scores(after(GAME, game.actions[:ply])) if score is not None)
    return ((best > 0) - (best < 0)) * (1 if ply % 2 == game.colour else -1)


def test_a_click_on_the_curve_goes_to_its_move(challenge):
    choose(challenge, "Stone", 0)
    box = challenge.locator(".chart > svg").bounding_box()
    challenge.mouse.click(box["x"] + box["width"] - 12, box["y"] + box["height"] / 2)
    assert at(challenge) == len(game_of(played().rungs[1].games[0]).actions)


def test_without_scripts_every_game_is_there_as_a_line_and_a_picture(show):
    page = show(challenge_page("ada", played(), None, load_ladder()), java_script_enabled=False)
    for summary in page.locator("summary").all():
        summary.click()
    for rung in played().rungs:
        for line in rung.games:
            assert page.locator("pre", has_text=line).count() == 1
    assert page.locator(".games svg").count() == sum(len(rung.games) for rung in played().rungs)
    assert not page.locator("#viewer").is_visible() and not page.locator("a.step").first.is_visible()


def test_a_report_without_games_or_values_makes_a_page_that_works(show):
    older = replace(played(), mistakes=(), rungs=tuple(replace(rung, values=()) for rung in played().rungs))
    page = show(challenge_page("ada", older, None, load_ladder()))
    page.keyboard.press("v")
    assert at(page) == 8 and page.locator(".values .soft").is_visible()
    assert not page.get_by_role("button", name="next worst move").is_visible()
    page.keyboard.press("w")
    page.keyboard.press("End")
    expect(page.locator(".values .soft")).to_have_text("The game is over here.")
    show(challenge_page("ada", replace(played(), rungs=(), mistakes=()), None, load_ladder()))


# -- the link to the board --------------------------------------------------------------------------


@pytest.fixture
def linked_board(monkeypatch: pytest.MonkeyPatch) -> Iterator[BoardServer]:
    """A board to whose port the links of pages lead; a free one, for the real one may be in use here."""
    with running_server() as server:
        monkeypatch.setattr(known_address, "PORT", server.server_port)
        yield server


def clicked(page: Page) -> Page:
    """The tab that the link of the worst move opens."""
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="open on the board").first.click()
    return opened.value


def test_the_link_of_a_worst_move_opens_its_position_on_the_board(show, linked_board):
    page = show(challenge_page("ada", played(), None, load_ladder()))
    file = page.url
    page.goto(linked_board.url)
    expect(page.locator(".status")).to_contain_text("to move")
    page.goto(file)
    board, worst = clicked(page), played().mistakes[0]
    game = game_of(next(rung for rung in played().rungs if rung.name == worst.rung).games[worst.game])
    moves = "".join(map(str, game.actions[: worst.number - 1]))
    expect(board.get_by_label("moves so far")).to_have_value(moves)
    expect(board.locator(".square.x, .square.o")).to_have_count(worst.number - 1)
    expect(board).to_have_url(f"{linked_board.url}#connect_four/{moves}")
    assert page.url == file
    assert board.evaluate("document.cookie") == "" and board.evaluate("window.opener") is None
    no_serious_fault(page)


def test_in_another_browser_the_link_says_how_to_open_the_board(show, linked_board):
    stranger = clicked(show(challenge_page("ada", played(), None, load_ladder())))
    expect(stranger.locator("body")).to_contain_text("Open the address that `arena play` shows")
    assert linked_board.token not in stranger.content() + stranger.url


@pytest.fixture
def other_site(tmp_path: Path) -> Iterator[str]:
    """The address of an empty page that another program of this machine serves."""
    (tmp_path / "index.html").write_text("<!doctype html><title>other</title><link rel=icon href=data:,><body>")
    handler = partial(SimpleHTTPRequestHandler, directory=tmp_path)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as other:
        thread = Thread(target=other.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{other.server_port}/"
        other.shutdown()
        thread.join()


def test_a_page_of_another_port_can_open_the_board_and_cannot_load_it(new_page, linked_board, other_site, monkeypatch):
    """for a browser every port of 127.0.0.1 is the same site, so the cookie is sent with each of these requests"""
    page, address = new_page(), f"http://127.0.0.1:{linked_board.server_port}/"
    page.goto(linked_board.url)
    page.goto(other_site)
    answers: list[tuple[int, bool]] = []
    # of the board's own page an answer may still be on its way
    monkeypatch.setattr(Handler, "log_request",
                        lambda self, code: answers.append((code.value, "Cookie" in self.headers)) if self.path == "/" else None)
    page.evaluate("address => { fetch(address, {mode: 'no-cors', credentials: 'include'}).catch(() => 0) }", address)
    page.evaluate("address => { document.body.append(Object.assign(document.createElement('iframe'), {src: address})) }", address)
    for _ in range(600):
        page.wait_for_timeout(100)
        if len(answers) > 1:
            break
    assert answers == [(403, True)] * 2
    page.evaluate("address => { location = address }", f"{address}#tic_tac_toe/04")
    page.wait_for_url(f"{linked_board.url}#tic_tac_toe/04")
    expect(page.locator(".square.x, .square.o")).to_have_count(2)
    page.faults[:] = [fault for fault in page.faults if not fault.startswith("console: ")]


# -- the bar of exercises ---------------------------------------------------------------------------


def test_the_outcomes_differ_by_their_pattern_also_in_print_and_each_field_has_a_name(show):
    page = show(feedback_page())
    page.emulate_media(media="print", color_scheme="light")
    looks = page.locator(".key i").evaluate_all("""keys => keys.map(key => {
        const {backgroundImage, boxShadow, printColorAdjust} = getComputedStyle(key);
        return [(backgroundImage + boxShadow).replace(/rgba?\\([^)]*\\)/g, "colour"), printColorAdjust];
    })""")
    assert len(looks) == 5 == len({pattern for pattern, _ in looks}), looks
    assert {adjust for _, adjust in looks} == {"exact"}
    fields = page.get_by_role("navigation", name="the exercises by their points").get_by_role("link")
    assert fields.count() == len(report_with().exercises)
    expect(fields.first).to_have_accessible_name("2.0 bandits: passed")


# -- the tree ---------------------------------------------------------------------------------------


def test_the_trees_stand_side_by_side_and_what_differs_is_marked(show):
    page = show(feedback_page())
    yours, ours = page.locator("svg.tree").all()
    assert yours.bounding_box()["y"] == ours.bounding_box()["y"]
    assert yours.locator(".differs").count() > 0 == ours.locator(".differs").count()
    page.locator("summary", has_text="the same numbers as a table").click()
    page.set_viewport_size({"width": 1000, "height": 900})
    page.locator(".trees").scroll_into_view_if_needed()
    screenshot(page, "feedback_trees")
    best = next(node for node in tree_with_a_mistake().nodes if node.path == (4,))
    row = page.locator("#tree ~ details tr", has=page.get_by_role("rowheader", name="4", exact=True))
    expect(row).to_contain_text("yes")
    expect(row.locator("td").first).to_have_text(str(best.visits))
    page.set_viewport_size({"width": 360, "height": 800})
    assert yours.bounding_box()["y"] < ours.bounding_box()["y"]


# -- what students wrote ----------------------------------------------------------------------------


def hostile_pages(text: str) -> dict[str, str]:
    """Every page of a student, with a text in each place where a student's or a stranger's words may stand."""
    games = (f"8 X lost 000001 {text}", *played().rungs[1].games[1:])
    faulty = replace(played().rungs[1], faults={text: 1}, games=games, values=())
    report = replace(played(), note=text, rungs=(played().rungs[0], faulty), mistakes=(), overruns=(text,))
    return {"feedback": feedback_page(text), "challenge": challenge_page(text, report, None, load_ladder()),
            "small": small_page(text, load(PS), report_with(text)), "short": short_challenge_page(text, report)}


@pytest.mark.first_shows
@pytest.mark.parametrize("what", HOSTILE)
def test_what_others_wrote_is_only_text(show, what):
    text = HOSTILE[what]
    for name, made in hostile_pages(text).items():
        page = show(made)
        assert page.title() != "PWNED" and page.locator("img, bdo").count() == 0, name
        assert not set(page.content()) & set("\u202e\u2066"), f"{name}: it turns the text around it"
        visible = page.evaluate("document.body.innerText")
        assert text.split("\u2066")[0].lstrip("\u202e")[:200] in visible, name
        fits(page)
        if name == "challenge":
            choose(page, "Stone", 0)
            expect(page.locator("#viewer .status")).to_contain_text(text.split("\u2066")[0].lstrip("\u202e")[:200])
            fits(page)
            assert page.title() != "PWNED"


def test_the_policy_stops_a_script_that_is_not_the_page_s_own(show):
    made = challenge_page("ada", played(), None, load_ladder())
    page = show(made.replace("<main>", "<main><script>document.title = 'PWNED'</script>", 1))
    assert page.title() != "PWNED" and "Content Security Policy" in page.faults[0]
    page.faults.clear()
