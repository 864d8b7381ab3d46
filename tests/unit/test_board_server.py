"""The board's server: only the reader's own page on this machine is answered; commands end with a sentence."""

import http.client
import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest

from arena.board import command, known_address
from arena.board.known_address import CLOSED, PORT
from arena.board.opponents import bots
from arena.board.own import own_opponents
from arena.board.server import LONGEST_REQUEST, MOST_TABS, BoardServer
from arena.board.session import Session
from arena.challenge.ladder import load_ladder
from arena.errors import UserError
from autograder.challenge.board import own_opponent
from autograder.challenge.practice import player_at
from autograder.problem_sets.source import load, module_text
from tests.board_server import running_server

pytestmark = pytest.mark.usefixtures("processes")

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def server() -> Iterator[BoardServer]:
    with running_server() as made:
        yield made


def send(server: BoardServer, method: str = "POST", path: str | None = None, body: bytes = b'{"do": "games"}',
         **changed: str | None) -> tuple[int, str, dict[str, str]]:
    """Send a request as the page does, but for what is changed; return status, text and headers."""
    host = f"127.0.0.1:{server.server_port}"
    headers = {"Host": host, "Origin": f"http://{host}", "Content-Type": "application/json", "Content-Length": str(len(body))}
    headers |= {name.replace("_", "-"): value for name, value in changed.items()}
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=30)
    connection.putrequest(method, f"/{server.token}/ask?tab=one" if path is None else path, skip_host=True)
    for name, value in headers.items():
        if value is not None:
            connection.putheader(name, value)
    connection.endheaders(body if method == "POST" else None)
    answer = connection.getresponse()
    return answer.status, answer.read().decode(), dict(answer.headers)


def test_the_page_is_answered(server: BoardServer) -> None:
    status, text, _ = send(server)
    assert status == 200 and json.loads(text)["board"]["game"] == "connect_four"


@pytest.mark.parametrize("changed", [
    {"Host": "evil.example"}, {"Host": "evil.example:80"}, {"Host": None}, {"Host": "127.0.0.1.evil.example"},
    {"Origin": None}, {"Origin": "null"}, {"Origin": "http://evil.example"}, {"Origin": "http://127.0.0.1:1"},
    {"Origin": "https://127.0.0.1"}, {"path": "/ask?tab=one"}, {"path": "/guess/ask?tab=one"}, {"path": "//ask"},
])
def test_another_page_is_refused(server: BoardServer, changed: dict[str, Any]) -> None:
    status, text, _ = send(server, **changed)
    assert status == 403 and "board" not in json.dumps(text[:1])


@pytest.mark.parametrize("changed", [{"Host": "evil.example"}, {"path": "/"}, {"path": "/board.js"}, {"path": "/guess/"}])
def test_without_the_token_not_even_the_page_is_sent(server: BoardServer, changed: dict[str, Any]) -> None:
    changed = {"path": f"/{server.token}/", **changed}
    assert send(server, "GET", **changed)[0] == 403


@pytest.mark.parametrize("status, changed", [
    (400, {"body": b"{"}), (400, {"body": b"[" * 60_000}), (400, {"body": b"\xff"}),
    (413, {"body": b" " * (LONGEST_REQUEST + 1)}),
    (413, {"Content_Length": None}), (413, {"Content_Length": "-1"}), (415, {"Content_Type": "text/plain"}),
])
def test_damaged_questions_are_refused(server: BoardServer, status: int, changed: dict[str, Any]) -> None:
    assert send(server, **changed)[0] == status


def test_a_question_must_name_its_tab_and_only_ask_can_be_asked(server: BoardServer) -> None:
    assert send(server, path=f"/{server.token}/ask")[0] == 400
    assert send(server, path=f"/{server.token}/board.js")[0] == 404
    assert send(server, "GET", path=f"/{server.token}/../session.py")[0] == 404
    assert send(server, "GET", path=f"/{server.token}/%2e%2e/session.py")[0] == 404


def test_the_page_may_load_nothing_from_elsewhere(server: BoardServer) -> None:
    status, text, headers = send(server, "GET", path=f"/{server.token}/")
    assert status == 200 and "default-src 'none'" in headers["Content-Security-Policy"]
    assert "http" not in text.replace("http-equiv", "")


def test_every_tab_has_a_game_of_its_own_and_the_oldest_is_forgotten(server: BoardServer) -> None:
    def moves_in(tab: str, request: dict[str, Any]) -> str:
        body = json.dumps(request).encode()
        moves: str = json.loads(send(server, path=f"/{server.token}/ask?tab={tab}", body=body)[1])["board"]["moves"]
        return moves

    assert moves_in("a", {"do": "play", "action": 3}) == "3"
    assert moves_in("b", {"do": "play", "action": 4}) == "4"
    assert moves_in("a", {"do": "games"}) == "3"
    for number in range(MOST_TABS):
        moves_in(f"more {number}".replace(" ", ""), {"do": "games"})
    assert moves_in("a", {"do": "games"}) == ""


def test_the_board_listens_on_this_machine_only(server: BoardServer) -> None:
    assert server.server_address[0] == "127.0.0.1"


# ---- the known address


@pytest.fixture
def known(server: BoardServer, monkeypatch: pytest.MonkeyPatch) -> BoardServer:
    """The server, as if its free port were the one to which links lead."""
    monkeypatch.setattr(known_address, "PORT", server.server_port)
    return server


def cookie_of(server: BoardServer) -> str:
    """The cookie that a browser would send back."""
    return send(server, "GET", path=f"/{server.token}/")[2]["Set-Cookie"].partition(";")[0]


def test_the_page_gives_a_cookie_that_no_script_and_no_other_site_can_use(known: BoardServer) -> None:
    given = send(known, "GET", path=f"/{known.token}/")[2]["Set-Cookie"]
    name, *rules = given.split("; ")
    assert rules == ["HttpOnly", "SameSite=Lax", "Path=/"] and name.startswith(f"board-{known.server_port}=")
    assert known.token not in given
    assert "Set-Cookie" not in send(known, "GET", path=f"/{known.token}/board.js")[2]


def test_with_the_cookie_the_known_address_leads_to_the_page(known: BoardServer) -> None:
    own = cookie_of(known)
    for header in (own, f"a=b; {own}", f'{own}; x="y', f"_xsrf=2|c|d; user[name]={{1}};{own}", f"board-1=x; {own}"):
        status, text, headers = send(known, "GET", path="/", Cookie=header)
        assert (status, text, headers["Location"]) == (303, "", f"/{known.token}/"), header
    assert send(known, "GET", path="/", Cookie=own, Sec_Fetch_Dest="document")[0] == 303
    assert send(known, "GET", path=headers["Location"])[0] == 200


def strangers(server: BoardServer) -> list[dict[str, str | None]]:
    """Requests for the known address that must learn nothing."""
    own = cookie_of(server)
    name, _, secret = own.partition("=")
    cookies = [None, "", name, f"{name}=", f"{own}x", own[:-1], f"x{own}", f"{name}=\u00e9", f"{name}={server.token}",
               f"board-1={secret}"]
    others = [("Host", "evil.example"), ("Host", f"evil.example:{server.server_port}"), ("Host", None),
              ("Sec-Fetch-Dest", "iframe"), ("Sec-Fetch-Dest", "empty")]
    return [*({"Cookie": cookie} for cookie in cookies), *({"Cookie": own, header: value} for header, value in others)]


def test_without_the_cookie_the_known_address_reveals_nothing(known: BoardServer) -> None:
    for headers in strangers(known):
        status, text, got = send(known, "GET", path="/", **headers)
        assert status == 403 and not {"Location", "Set-Cookie"} & got.keys(), headers
        assert text in (CLOSED, "this board answers this machine only"), headers
        assert known.token not in text + str(got) and known.cookie not in text + str(got)


def test_the_cookie_opens_nothing_but_the_known_address(known: BoardServer) -> None:
    own = cookie_of(known)
    for method, path in (("POST", "/"), ("POST", "/ask?tab=one"), ("GET", "/board.js"), ("GET", "/guess/")):
        assert send(known, method, path=path, Cookie=own)[0] == 403, path


def test_a_board_at_another_port_gives_no_cookie(server: BoardServer) -> None:
    """a foreign program at the port of the links would be sent the cookie by the browser, and could use the board with it"""
    assert not server.is_known and "Set-Cookie" not in send(server, "GET", path=f"/{server.token}/")[2]
    assert send(server, "GET", path="/")[:2] == (403, CLOSED)


def test_the_port_of_links_is_taken_if_it_is_free_and_else_any(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        port = other.getsockname()[1]
        monkeypatch.setattr(known_address, "PORT", port)
        monkeypatch.setattr(command, "PORT", port)
        with command.open_server(Session, None) as second:
            assert second.server_port != port and not second.is_known
        with pytest.raises(UserError, match=f"the board cannot use port {port}: Address already in use"):
            command.open_server(Session, port)
    with command.open_server(Session, None) as first:
        assert first.server_port == port and first.is_known


def test_a_second_board_says_that_links_do_not_reach_it() -> None:
    with socket.socket() as other:
        latest = time.monotonic() + 60.0
        while time.monotonic() < latest:  # another program may have the port, for as long as a board takes, or for good
            try:
                other.bind(("127.0.0.1", PORT))
                other.listen()
                break
            except OSError:
                time.sleep(0.2)
        lines = board_that_ends(["othello"])
    assert lines[0].startswith("the board: http://127.0.0.1:") and f":{PORT}/" not in lines[0]
    assert lines[1:] == [command.TAKEN, "", "the board is closed"] and "links" in lines[1] and "Ctrl-C" in lines[1]


# ---- the commands


@pytest.mark.first_shows
@pytest.mark.parametrize("module", ["arena", "autograder"])
@pytest.mark.parametrize("words", [["--moves", "44x"], ["--moves", "0000000"], ["chess"], ["--player", "nowhere.py"],
                                   ["--port", "99999999"], ["--port", "-1"]])
def test_a_command_that_cannot_be_carried_out_ends_with_a_sentence(module: str, words: list[str]) -> None:
    run = subprocess.run([sys.executable, "-m", module, "play", *words, "--no-browser"], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 2 and "Traceback" not in run.stderr and run.stderr.strip()


def board_that_ends(words: list[str]) -> list[str]:
    """The lines that a board says until Ctrl-C ends it, but for the one that names Ctrl-C."""
    called = [sys.executable, "-u", "-m", "arena", "play", *words, "--no-browser"]
    # tests in the background are started with Ctrl-C ignored, and what they start would ignore it too
    with subprocess.Popen(called, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)) as process:
        try:
            assert process.stdout is not None
            lines = list(takewhile(lambda line: line not in ("", "Ctrl-C ends it\n"), iter(process.stdout.readline, None)))
            process.send_signal(signal.SIGINT)
            more, wrong = process.communicate(timeout=60)
        finally:
            process.kill()
    assert (process.returncode, wrong) == (0, "")
    return "".join([*lines, more]).splitlines()


def test_ctrl_c_closes_the_board_with_a_sentence() -> None:
    first, *_, last = lines = board_that_ends(["othello", "--moves", "13.9", "--port", "0"])
    assert first.startswith("the board: http://127.0.0.1:") and first.endswith("/#othello/13.9")
    assert last == "the board is closed" and command.TAKEN not in lines, "who names a port wants that one"


# ---- one's own player


@pytest.mark.parametrize("ps", ["ps2_uct", "ps3_connect_four"])
def test_one_s_own_search_plays_and_shows_its_visits(ps: str, tmp_path: Path) -> None:
    (tmp_path / f"{ps}.py").write_text(module_text(load(ps), solution=True))
    messages: list[str] = []
    session = Session(own_opponents(tmp_path, messages.append), game="tic_tac_toe", seed=1)
    session.answer({"do": "new", "you": "O", "simulations": 50})
    answer = session.answer({"do": "think"})
    assert messages == [] and answer["board"]["opponent"]["name"] == "Your player"
    assert answer["thought"]["simulations"] == 50 == sum(move["visits"] for move in answer["thought"]["moves"])


def test_a_stub_says_at_its_first_move_what_is_not_written(tmp_path: Path) -> None:
    (tmp_path / "ps2_uct.py").write_text(module_text(load("ps2_uct"), solution=False))
    session = Session(own_opponents(tmp_path / "ps2_uct.py", print), game="tic_tac_toe")
    session.answer({"do": "new", "you": "O"})
    assert "your player cannot play yet: exercise 2.9 (search) is not written yet" in session.answer({"do": "think"})["error"]


def test_a_file_without_a_search_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("x = 1\n")
    with pytest.raises(UserError, match="has no player"):
        own_opponents(tmp_path / "mine.py", print)


def test_one_s_own_player_plays_in_the_sandbox_and_after_a_step_back(tmp_path: Path) -> None:
    path = tmp_path / "ps3_connect_four.py"
    path.write_text(module_text(load("ps3_connect_four"), solution=True))
    ladder = load_ladder()
    player = player_at(path, ladder)
    try:
        session = Session(lambda game: [own_opponent(player, ladder), *bots(ladder)] if game == "connect_four" else [])
        for column in (3, 4):
            session.answer({"do": "play", "action": column})
            assert len(session.answer({"do": "think"})["board"]["actions"]) == 2
            assert session.answer({"do": "undo"})["board"]["actions"] == []
        assert player.games == 2
    finally:
        player.end()
        player.runner.close()


def test_the_bots_of_the_ladder_have_their_own_budgets() -> None:
    budgets = {bot.name: bot.simulations for bot in bots(load_ladder())}
    assert budgets == {"Sand": 25, "Pebble": 100, "Stone": 400, "Boulder": 1600, "Mountain": 6400}
    assert not any(bot.adjustable for bot in bots(load_ladder()))


def test_a_question_that_comes_too_late_ends_with_its_connection() -> None:
    """a page whose program ends must notice it, and not wait for ever"""
    with running_server() as short:
        host = f"127.0.0.1:{short.server_port}"
        kept = http.client.HTTPConnection(host, timeout=30)
        kept.request("GET", f"/{short.token}/", headers={"Host": host})
        kept.getresponse().read()
        short.stop()
        assert short.ended.wait(30)
        headers = {"Host": host, "Origin": f"http://{host}", "Content-Type": "application/json"}
        kept.request("POST", f"/{short.token}/ask?tab=one", b'{"do": "games"}', headers)
        with pytest.raises(http.client.RemoteDisconnected):
            kept.getresponse()
