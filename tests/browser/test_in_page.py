"""The board that thinks in the page against Python: the same rules, the same random numbers, the same searches.

What is compared is made by Python when the test runs, and a browser does the same with the scripts of `arena/board/in_page`.
"""

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page

from arena.board.bundle import IN_PAGE, bundle
from arena.board.minds import UCT
from arena.board.positions import GAMES, describe, start
from arena.board.positions import Position as PythonPosition

pytestmark = pytest.mark.usefixtures("processes")

POSITIONS = 10_000  # of each game; Tic-Tac-Toe has 5,478, and all of them are compared
SEARCHED = 50


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


@pytest.mark.parametrize("game", GAMES)
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


@pytest.mark.parametrize("game", GAMES)
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
