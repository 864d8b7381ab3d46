"""The board that thinks in the page against Python: the same rules, the same random numbers, the same searches.

What is compared is made by Python when the test runs, and a browser does the same with the scripts of `arena/board/in_page`.
"""

import base64
import json
import random
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch
from playwright.sync_api import Page

from arena import nets
from arena.board.bundle import IN_PAGE, bundle
from arena.board.engines import Net
from arena.board.minds import UCT
from arena.board.network_minds import PUCT
from arena.board.offline import catalogue, shipped_files
from arena.board.opponents import bots
from arena.board.positions import GAMES, describe, start
from arena.board.positions import Position as PythonPosition
from arena.board.session import Session
from arena.challenge.ladder import load_ladder
from arena.players.network import asking, load_net, search_all
from arena.players.rules import compiled
from tests.speeds import again

pytestmark = pytest.mark.usefixtures("processes")

EACH_GAME = [again(game) if game == "othello" else game for game in GAMES]
POSITIONS = 10_000  # of each game; Tic-Tac-Toe has 5,478, and all of them are compared
SEARCHED = 50
ASKED = 1_000
APART = 1e-4  # probabilities and values


def load(page: Page, scripts: str, names: str) -> None:
    """Put these exports of scripts, with all that they import, into `engine` of a blank page; both are lists with blanks."""
    script = bundle(*(f"{name}.js" for name in scripts.split()), folder=IN_PAGE)
    page.add_script_tag(content=f"{script}\nglobalThis.engine = {{{', '.join(names.split())}}};")


def ask(page: Page, function: str, data: Any) -> Any:
    """Return what a function of the page returns for `data`; both travel as one text, which is ten times as fast."""
    return json.loads(page.evaluate(f"async text => JSON.stringify(await ({function})(JSON.parse(text)))", json.dumps(data)))


def plain(data: Any) -> Any:
    """Return data as it comes out of JSON."""
    return json.loads(json.dumps(data))


def lines_of(game: str, seed: int) -> Iterator[PythonPosition]:
    """Yield finished random games, each another."""
    rng, seen = random.Random(seed), set()
    while True:
        position = start(game)
        while not position.over:
            position = position.play(rng.choice(position.legal))
        if position.actions not in seen:
            seen.add(position.actions)
            yield position


def some_positions(game: str, count: int, seed: int) -> list[PythonPosition]:
    """Return positions where the game goes on, each another, drawn evenly from random games."""
    rng, drawn = random.Random(seed), {}
    for line in lines_of(game, seed):
        position = line.back_to(rng.randrange(len(line.actions)))
        drawn[position.state] = position
        if len(drawn) == count:
            return list(drawn.values())
    raise AssertionError("there are always more games")


def all_positions(game: str) -> list[PythonPosition]:
    """Return every position of a game, each after one line of moves that leads there."""
    found = {start(game).state: start(game)}
    for position in (waiting := list(found.values())):
        for action in position.legal:
            after = position.play(action)
            if after.state not in found:
                found[after.state] = after
                waiting.append(after)
    return waiting


def many_positions(game: str, count: int, seed: int) -> list[PythonPosition]:
    """Return at least `count` different positions of whole random games, the last of each game included."""
    found: dict[Any, PythonPosition] = {}
    for line in lines_of(game, seed):
        found.update((state, line.back_to(ply)) for ply, state in enumerate(line.states))
        if len(found) >= count:
            return list(found.values())
    raise AssertionError("there are always more games")


@pytest.mark.parametrize("game", EACH_GAME)
def test_rules_and_outcomes_are_those_of_python(browser_page: Page, game: str) -> None:
    load(browser_page, "positions", "openPosition describe")
    positions = all_positions(game) if game == "tic_tac_toe" else many_positions(game, POSITIONS, 1)
    print(f"{game}: {len(positions):,} different positions")
    there = ask(browser_page, "([game, lines]) => lines.map(moves => engine.describe(engine.openPosition(game, moves)))",
                [game, [position.moves for position in positions]])
    assert there == plain([describe(position) for position in positions])


def test_random_numbers_are_those_of_python(browser_page: Page) -> None:
    load(browser_page, "random", "Random")
    seeds, limits = [0, 1, 5, 2**32 - 1, 2**32, 2**53 - 1], [1, 2, 3, 7, 9, 36, 1000, 2**31]
    expected = []
    for seed in seeds:
        rng = random.Random(seed)
        expected.append([[rng.getrandbits(32) for _ in range(1300)], [rng.randrange(limit) for limit in limits],
                         rng.choice("abcdefg")])
    assert ask(browser_page, """([seeds, limits]) => seeds.map(seed => {
      const rng = new engine.Random(seed);
      return [Array.from({length: 1300}, () => rng.word()), limits.map(limit => rng.below(limit)), rng.choice([..."abcdefg"])];
    })""", [seeds, limits]) == expected


@pytest.mark.parametrize("game", EACH_GAME)
def test_a_search_with_a_seed_makes_the_same_tree(browser_page: Page, game: str) -> None:
    load(browser_page, "random uct positions", "Random UCT openPosition")
    positions = some_positions(game, SEARCHED, 2)
    expected = []
    for seed, position in enumerate(positions):
        mind = UCT(position.game, position.state, random.Random(seed), root_first=seed % 2 == 1)
        thoughts = []
        for steps in (1, 99, 300):
            mind.step(steps)
            thoughts.append(mind.thought().to_json())
        expected.append(thoughts)
    assert ask(browser_page, """([game, lines]) => lines.map((moves, seed) => {
      const position = engine.openPosition(game, moves);
      const mind = new engine.UCT(position.game, position.state, new engine.Random(seed), seed % 2 === 1);
      return [1, 99, 300].map(steps => { mind.step(steps); return mind.thought(); });
    })""", [game, [position.moves for position in positions]]) == plain(expected)


@pytest.fixture(scope="module", params=EACH_GAME)
def net(request: pytest.FixtureRequest) -> Net:
    """The network of a game that ships, as the live board asks it."""
    torch.set_num_threads(1)
    rules = compiled(request.param)
    return Net(rules, asking(load_net(rules, nets.find(request.param))))


@pytest.fixture
def net_page(net: Net, browser_page: Page) -> Page:
    """A page with the same network, read from the same file, as `net`."""
    load(browser_page, "archive network puct positions", "bytesOf readArchive Network PUCT Prior openPosition hasBit")
    ask(browser_page, """async ([name, file]) => {
      const arrays = await engine.readArchive(engine.bytesOf(file));
      globalThis.net = new engine.Network(engine.openPosition(name, "").game, arrays);
      return "";
    }""", [net.rules.name, base64.b64encode(nets.find(net.rules.name).read_bytes()).decode()])
    return browser_page


def test_a_network_s_answers_are_those_of_python(net: Net, net_page: Page) -> None:
    game = net.rules.name
    positions = all_positions(game) if game == "tic_tac_toe" else many_positions(game, ASKED, 3)
    positions = [position for position in positions if not position.over]
    priors, values = search_all(net.rules, net.network, [position.state for position in positions], 0)
    there = ask(net_page, """([game, lines]) => lines.map(moves => {
      const {state, legal} = engine.openPosition(game, moves), {priors, value} = net.answer(state, legal);
      return [...priors, value];
    })""", [game, [position.moves for position in positions]])
    apart = np.abs(np.array(there) - np.column_stack([priors, values])).max()
    print(f"{game}: {len(positions):,} positions, at most {apart:.1e} apart")
    assert apart < APART


def test_with_recorded_answers_the_search_is_the_same(net: Net, net_page: Page) -> None:
    recorded: dict[str, list[Any]] = {}

    def recording(planes: Any, legal: Any) -> Any:
        priors, values = net.network(planes, legal)
        for board, prior, value in zip(planes.astype(int), priors, values, strict=True):
            recorded["".join(map(str, board.ravel()))] = [prior.tolist(), float(value)]
        return priors, values

    positions, expected = some_positions(net.rules.name, SEARCHED // 2, 4), []
    for position in positions:
        mind = PUCT(net.rules, recording, position.state)
        expected.append([mind.thought().to_json()])
        for steps in (1, 49, 150):
            mind.step(steps)
            expected[-1].append(mind.thought().to_json())
    assert ask(net_page, """([game, recorded, lines]) => {
      const {height, width, bit} = engine.openPosition(game, "").game;
      const signs = (low, high) => Array.from({length: height * width},
        (_, i) => engine.hasBit(low, high, bit(Math.floor(i / width), i % width))).join("");
      const net = {answer: ({own, ownHigh, theirs, theirsHigh}) => {
        const [priors, value] = recorded[signs(own, ownHigh) + signs(theirs, theirsHigh)];
        return {priors, value};
      }};
      return lines.map(moves => {
        const position = engine.openPosition(game, moves), mind = new engine.PUCT(position.game, net, position.state);
        return [0, 1, 49, 150].map(steps => { mind.step(steps); return mind.thought(); });
      });
    }""", [net.rules.name, recorded, [position.moves for position in positions]]) == plain(expected)


@pytest.mark.parametrize("count", [25, again(100)])
def test_with_its_own_network_the_search_plays_the_same_moves(net: Net, net_page: Page, count: int) -> None:
    positions = some_positions(net.rules.name, count, 5)
    policies, _ = search_all(net.rules, net.network, [position.state for position in positions], 200)
    there = ask(net_page, """([game, lines]) => lines.map(moves => {
      const position = engine.openPosition(game, moves), mind = new engine.PUCT(position.game, net, position.state);
      mind.step(200);
      return mind.thought().best;
    })""", [net.rules.name, [position.moves for position in positions]])
    same = int((np.array(there) == policies.argmax(axis=1)).sum())
    print(f"{net.rules.name}: the same move in {same} of {len(positions)} positions")
    assert same >= 0.99 * count


def told(session: Session, request: Any) -> dict[str, Any]:
    """Ask until nothing is being loaded, and return the answer as JSON has it."""
    while True:
        answer = session.answer(request)
        if "waiting" not in answer and not any("waiting" in mind for mind in answer.get("minds", {}).values()):
            return plain(answer)  # type: ignore[no-any-return]
        time.sleep(0.05)


def a_session(game: str, opponent: str, seed: int) -> Iterator[tuple[Any, dict[str, Any]]]:
    """Yield requests of a reader who plays a whole game, looks around in it and asks the four minds; and Python's answers."""
    session, rng = Session(lambda name: bots(load_ladder()) if name == "connect_four" else [], seed=seed), random.Random(seed)

    def ask_python(**request: Any) -> tuple[Any, dict[str, Any]]:
        return request, told(session, request)

    asked = ask_python(do="new", game=game, opponent=opponent, you=rng.choice("XO"))
    while True:
        yield asked
        board = asked[1]["board"]
        if board["over"]:
            break
        if board["turn"] == "opponent":
            asked = ask_python(do="think", simulations=rng.choice([7, 50, 1000]))
        elif rng.random() < 0.15 and len(board["line"]) > 2:
            yield ask_python(do="step", to=rng.randrange(len(board["line"]) + 1))
            asked = ask_python(do="undo") if rng.random() < 0.5 else ask_python(do="step", to=len(board["line"]))
        else:
            asked = ask_python(do="play", action=rng.choice(board["legal"]))
    for request in ({"do": "play", "action": 0}, {"do": "minds"}, {"do": "think"}, {"do": "summary"}, {"do": "curve"}):
        yield ask_python(**request)
    ply = max(0, len(board["line"]) - rng.randrange(5, 9))
    moves = (("." if game == "othello" else "").join(map(str, board["line"][:ply])))
    yield ask_python(do="position", game=game, moves=moves, to=ply)
    answer = ask_python(do="minds")
    while not answer[1]["minds"]["solver"]["done"]:
        answer = ask_python(do="minds")
    yield "until done", answer[1]
    yield ask_python(do="minds", step=40)
    yield ask_python(do="curve")


IN_THE_PAGE = """async ([catalogue, files, seed, requests]) => {
  engine.give(files);
  const session = new engine.Session(catalogue, seed), answers = [];
  const told = async request => {
    while (true) {
      const answer = session.answer(request);
      if (!answer.waiting && !Object.values(answer.minds ?? {}).some(mind => mind.waiting)) return answer;
      await new Promise(resolve => setTimeout(resolve, 20));
    }
  };
  for (const request of requests) {
    let answer;
    do answer = await told(request === "until done" ? {do: "minds"} : request);
    while (request === "until done" && !answer.minds.solver.done);
    answers.push(JSON.parse(JSON.stringify(answer)));
  }
  return answers;
}"""


def apart(here: Any, there: Any, at: str = "") -> list[str]:
    """Return the places where two answers differ; numbers with a fraction may differ by APART."""
    if isinstance(here, dict) and isinstance(there, dict) and here.keys() == there.keys():
        return [place for key in here for place in apart(here[key], there[key], f"{at}.{key}")]
    if isinstance(here, list) and isinstance(there, list) and len(here) == len(there):
        return [place for i, (a, b) in enumerate(zip(here, there, strict=True)) for place in apart(a, b, f"{at}[{i}]")]
    if isinstance(here, float) and isinstance(there, float | int) and abs(here - there) < APART:
        return []
    return [] if here == there else [f"{at}: {here!r}, in the page {there!r}"]


OPPONENTS = [("tic_tac_toe", "uct"), ("tic_tac_toe", "perfect"), ("connect_four", "random"), ("connect_four", "sand"),
             ("connect_four", "stone"), ("connect_four", "perfect"), ("connect_four", "connect_four-alone"), ("othello", "uct"),
             ("othello", "othello-alone"), ("tic_tac_toe", "nobody")]
FIRST = {("tic_tac_toe", "perfect"), ("connect_four", "stone"), ("connect_four", "connect_four-alone"), ("othello", "uct")}


@pytest.mark.parametrize("game, opponent", [pair if pair in FIRST else again(*pair) for pair in OPPONENTS])
def test_a_session_gives_the_answers_of_python(browser_page: Page, game: str, opponent: str) -> None:
    """A game, steps back, the four minds, the curve and the summary: each answer is the one that the server would give."""
    seed = sum(map(ord, game + opponent))
    asked = list(a_session(game, opponent, seed))
    load(browser_page, "session", "Session give")
    files = {name: base64.b64encode(path.read_bytes()).decode() for name, path in shipped_files().items()}
    there = ask(browser_page, IN_THE_PAGE, [catalogue(), files, seed, [request for request, _ in asked]])
    for (request, here), answer in zip(asked, there, strict=True):
        assert not apart(here, answer), request


def test_the_solver_finds_the_move_that_decided_a_game(browser_page: Page) -> None:
    """A game of Connect Four that O lost by its tenth move: the sentence and the marks of the board."""
    requests = [{"do": "position", "moves": "6234332243433440466260555", "you": "O", "opponent": "uct"}, {"do": "summary"}]
    session = Session(seed=1)
    here = [told(session, request) for request in requests]
    assert here[1]["summary"] == "You lost: move 20 gave it away." and here[1]["board"]["mistakes"]
    load(browser_page, "session", "Session give")
    files = {"book": base64.b64encode(shipped_files()["book"].read_bytes()).decode()}
    assert not apart(here, ask(browser_page, IN_THE_PAGE, [catalogue(), files, 1, requests]))


REFUSED = [
    None, 3, "play", {}, {"do": 3}, {"do": "dance"}, {"do": "play"}, {"do": "play", "action": 7}, {"do": "play", "action": True},
    {"do": "play", "action": 1.5}, {"do": "undo"}, {"do": "step", "to": 1}, {"do": "new", "you": "Z"}, {"do": "think"},
    {"do": "new", "opponent": "none"}, {"do": "new", "opponent": None}, {"do": "new", "opponent": "uct", "simulations": 0},
    {"do": "new", "opponent": "uct", "simulations": 100_001}, {"do": "position", "moves": "33333333"},
    {"do": "position", "moves": "x"}, {"do": "position", "game": "othello", "moves": "99"},
]


@pytest.mark.parametrize("request_", REFUSED)
def test_a_request_that_cannot_be_carried_out_gets_the_same_sentence(browser_page: Page, request_: Any) -> None:
    session = Session(lambda name: bots(load_ladder()) if name == "connect_four" else [], seed=1)
    load(browser_page, "session", "Session give")
    there = ask(browser_page, IN_THE_PAGE, [catalogue(), {}, 1, [request_]])
    here = told(session, request_)
    assert here["error"]
    assert not apart(here, there[0])
