"""2.9 to 2.11 on random games: properties of every search, whatever its ties decide."""

from random import Random
from typing import Any

import pytest

from arena.games import ToyGame
from autograder.grading.edition import drawn_once
from autograder.grading.hidden_checks.known_mistakes import ask
from tests.hidden.generators import draw_game, states_of
from tests.hidden.laws import near
from tests.hidden.ps2_uct.drawn import CONSTANTS, draw_tables, fork, line, one_simulation, playable
from tests.hidden.ps2_uct.trees import visits_of

FAR = 99.0  # the answer of `evaluate` for a finished game: no search may ask


def with_exits(edition: Random, plies: int) -> ToyGame:
    """A game of `plies` moves, where each move has an exit beside it: to end now is worse for the mover than to end later.

    So a search of three simulations always goes on, and its rollouts are short.
    """
    after = {f"s{ply}": edition.sample([f"s{ply + 1}", f"e{ply}"], 2) for ply in range(plies)}
    return ToyGame(after, {f"e{ply}": 1 - ply / plies for ply in range(plies)})


def tree_adds_up(student: Any, game: Any, values: dict, node: Any, state: Any, is_root: bool = True) -> None:
    """Visits and totals of a node are its own result plus those of its children; the same for all nodes below."""
    children = student.children(node)
    assert set(children) <= set(game.legal_actions(state))
    actions = list(children)
    (visits, total), *rows = student.both([node, *children.values()], "num_visits", "total_value")
    tried = {action: row for action, row in zip(actions, rows, strict=True) if row[0]}
    assert visits == sum(n for n, _ in tried.values()) + (not is_root)
    own = 0.0 if is_root else values[state]
    assert total == near(own - sum(w for _, w in tried.values()))
    assert len(tried) == len(game.legal_actions(state)) or [n for n, _ in tried.values() if n != 1] == []
    for action, (n, w) in tried.items():
        after = game.play(state, action)
        if game.outcome(after) is not None:
            assert w == near(n * game.outcome(after))
        elif n == 1:
            assert w == near(values[after])
        else:
            tree_adds_up(student, game, values, children[action], after, False)


@drawn_once
def searches(edition: Random) -> list[tuple[Any, int, float, dict]]:
    """Random games with simulations, c, and the answers of `evaluate` for each state."""
    games = [fork(edition, 4, merged=True), *(playable(edition, shape) for shape in ("bushy", "bushy", "wide", "forced", "line"))]
    return [
        (game, edition.choice([1, 2, edition.randint(6, 16)]) if number else 9, edition.choice(CONSTANTS),
         {state: round(edition.uniform(-1, 1), 3) for state in states_of(game) if game.outcome(state) is None})
        for number, game in enumerate(games)
    ]  # fmt: skip


@pytest.mark.exercise("2.9")
@pytest.mark.hint("does each node count only the simulations through itself, even when two actions lead to one state?")
def test_every_tree_adds_up(student, edition):
    """in any game each node has the visits and the total of the simulations through it, and most visits decide the move

    Promised: Returns (action, root): the action with most visits (any of them when tied), and the root, with
    root.num_visits == num_simulations.
    """
    rng, drawn = student.rng(edition.getrandbits(30)), searches(edition)
    results = student.many("search", [
        (game, game.start(), simulations, c, rng, student.answers(values, other=FAR)) for game, simulations, c, values in drawn
    ])  # fmt: skip
    for (game, simulations, _, values), (action, root) in zip(drawn, results, strict=True):
        visits = visits_of(student, root)
        ask("how many simulations run, in any game?")
        assert root.num_visits == simulations
        ask("one simulation makes one visit: which child is the move?" if max(visits.values(), default=0) == 1 else
            "what decides the move: most visits, or fewest visits, means, bounds, order or a win?")  # fmt: skip
        assert visits.get(action) == max(visits.values(), default=0)
        ask("does each node count only the simulations through itself, even when two actions lead to one state?")
        tree_adds_up(student, game, values, root, game.start())
    ask("one simulation makes one visit: which child is the move?")
    game = fork(edition, 12)
    for action, root in student.many("search", [(game, 0, 1, 1.0, rng)] * 8):
        children = student.children(root)  # one of these has the only visit: found by chance 8 times once in 4e8 tries
        assert action in children and children[action].num_visits == 1


@pytest.mark.exercise("2.9")
@pytest.mark.hint("does a rollout go on to the end of the game, even of a long game?")
def test_neither_tree_nor_rollout_has_a_limit(student, edition):
    """a rollout goes on to the end of any game, and the tree grows as deep as there are simulations

    Promised: None stands for one `simulate` with `random_policy`.
    Promised: Each simulation adds one child,
    """
    plies, value = edition.randint(170, 180), edition.choice([1.0, -1.0])
    _, root = student.search(line(plies, value), "s0", 2, 1.0, student.rng(1))
    assert root.total_value == 2.0 * value * (-1) ** plies
    ask("how deep can the tree grow: does every simulation add a child, at any depth?")
    plies = edition.randint(22, 26)  # every node below the root has the value 1 for the player to move there
    _, root = student.search(line(plies), "s0", plies - 1, 1.0, student.rng(1), student.answers(other=1.0))
    nodes = [root]
    for _ in range(plies - 1):
        children = student.children(nodes[-1])
        assert list(children) == [0]
        nodes.append(children[0])
    assert student.each(nodes, "num_visits") == [plies - 1, *range(plies - 1, 0, -1)]
    # Its own result is +1, that of the node below -1, and so on to the last node: sum 1 for an odd number, else 0.
    assert student.each(nodes[1:], "total_value") == [float((plies - depth) % 2) for depth in range(1, plies)]


@drawn_once
def simulations_over_tables(edition: Random) -> list[tuple]:
    """Random games with tables, c and values; then the value of one simulation from the start, and the tables after it."""
    cases: list[tuple] = []
    while len(cases) < 14:
        c = edition.choice(CONSTANTS)
        games = {0: fork(edition, 4, merged=True), 1: playable(edition, "bushy"), 2: playable(edition, "wide")}
        games |= {3: fork(edition, 12), 4: fork(edition, 12)}
        game = games.get(len(cases)) or draw_game(edition)
        q, n = draw_tables(edition, game, c) if len(cases) != 4 else ({}, {})  # twelve entries are made
        if len(cases) in (0, 1, 2, 3) and game.start() not in n:
            continue  # an action is chosen in these states
        values = {state: round(edition.uniform(-1, 1), 3) for state in states_of(game)}
        after = {state: dict(row) for state, row in q.items()}, {state: dict(row) for state, row in n.items()}
        value = one_simulation(game, game.start(), *after, c, values)
        if value is None:
            continue
        grown = [after[1][0][action] > count for action, count in n[0].items()] if len(cases) == 3 else []
        if not any(grown[:7]):  # one of the last of twelve
            cases.append((game, q, n, c, values, value, after))
    # the untried action leads to a state that another action has reached before: one action is taken there, too
    game = ToyGame({"s0": ["a", "b"], "a": ["c", "d"], "b": ["e", "c"], "c": ["f"], "d": ["g"], "e": ["h"]}, {})
    q, n = {"s0": {0: 0.25, 1: 0.0}, "b": {0: 0.5, 1: -0.5}}, {"s0": {0: 3, 1: 0}, "b": {0: 2, 1: 1}}
    after, values = ({state: dict(row) for state, row in q.items()}, {state: dict(row) for state, row in n.items()}), {"e": 0.75}
    cases.append((game, q, n, 1.0, values, one_simulation(game, "s0", *after, 1.0, values), after))
    return cases


@pytest.mark.exercise("2.10")
@pytest.mark.hint("one simulation in a game with any actions: which value does the call return?")
def test_one_simulation_changes_what_it_goes_through(student, edition):
    """in any game one simulation returns its value, changes the entries on its way and enters at most one new state, nothing else

    Promised: Else take one action: an untried action first, otherwise an action with the highest bound. Its N grows by 1
    and its Q becomes the mean. Nothing is stored outside Q and N.
    """
    drawn, rng = simulations_over_tables(edition), student.rng(edition.getrandbits(30))
    tables = [(student.keep(q), student.keep(n)) for _, q, n, *_ in drawn]
    calls = [
        (game, game.start(), *kept, c, rng, student.answers(values, other=FAR))
        for (game, _, _, c, values, *_), kept in zip(drawn, tables, strict=True)
    ]
    assert student.many("recursive_search", calls) == near([value for *_, value, _ in drawn])
    for (*_, (q, n)), (kept_q, kept_n) in zip(drawn, tables, strict=True):
        means = student.read(kept_q)
        ask("one action is taken at each state: which counts grow, also when two actions lead to one state?")
        assert student.read(kept_n) == n
        ask("one action is taken at each state: which means change, and by which step?")
        assert type(means) is dict and set(means) == set(q)
        assert [(state, means[state]) for state in q if means[state] != near(q[state])] == []


@pytest.mark.exercise("2.10")
@pytest.mark.hint("which generator does your recursive call get?")
def test_chance_below_the_first_state_comes_from_rng_too(student, edition):
    """rng draws untried and equal actions at every depth of the way, and no other generator is used

    Promised: rng: draws among untried actions, and among equal bounds.
    Promised: and the only source of chance: no other generator is used or seeded.
    """
    game = ToyGame({"s0": ["s1"], "s1": ["s2"], "s2": ["a", "b"], "a": ["c"], "b": ["d"]}, {})
    evaluate, seed = student.answers({"a": 0.25, "b": 0.5}), edition.getrandbits(30)
    calls = []
    for known in (0, 4):
        q = {"s0": {0: 0.0}, "s1": {0: 0.0}, "s2": {0: 0.0, 1: 0.0}}
        n = {"s0": {0: 10}, "s1": {0: 9}, "s2": {0: known, 1: known}}
        calls += [(game, "s0", q, n, 1.0)] * 28

    def taken(seed: int) -> list[float]:
        rng = student.rng(seed)
        return student.many("recursive_search", [(*call, rng, evaluate) for call in calls])

    before = student.disturb(edition.getrandbits(30))
    first = taken(seed)
    assert student.global_state() == before
    ask("far below the first state: can each untried or equal action be taken, and does rng draw it?")
    # One of two 28 times comes once in 1e8 tries, the same 56 twice once in 7e16.
    assert {abs(value) for value in first[:28]} == {abs(value) for value in first[28:]} == {0.25, 0.5}
    assert taken(seed) == first != taken(seed + 1)


@pytest.mark.exercise("2.10")
@pytest.mark.hint("can the way be as long as a game, and does each state on the way count the simulation once?")
def test_a_long_way_down_is_one_simulation(student, edition):
    """the way through the tables can be as long as a game, and each state on the way counts the simulation

    Promised: Else take one action: an untried action first, otherwise an action with the highest bound. Its N grows by 1
    and its Q becomes the mean.
    """
    plies = edition.randint(70, 90)
    q = student.keep({f"s{ply}": {0: 0.0} for ply in range(plies)})
    n = student.keep({f"s{ply}": {0: plies - ply} for ply in range(plies)})
    value = student.recursive_search(line(plies + 1), "s0", q, n, 1.0, student.rng(1), student.answers(other=1.0))
    assert value == (-1.0) ** plies
    expected = {f"s{ply}": {0: plies - ply + 1} for ply in range(plies)} | {f"s{plies}": {0: 0}}
    assert student.read(n) == expected


@pytest.mark.exercise("2.11")
@pytest.mark.hint("a game can have any length: what ends your loop?")
def test_any_game_is_played_to_its_end(student, edition):
    """in any game, short or long, the actions lead from start to end; a game that is over at its start has no actions

    Promised: Returns the actions, in the order in which they were played.
    """
    long = with_exits(edition, edition.randint(202, 222))
    games = [draw_game(edition, "over"), *(playable(edition) for _ in range(5))]
    rng = student.rng(edition.getrandbits(30))
    played = student.many("self_play", [(long, 3, 1.0, rng), *((game, 1, 1.0, rng) for game in games)])
    played += [student.self_play(game, 4, 1.0, rng, lambda root, action: None) for game in games[-2:]]
    for game, actions in zip([long, *games, *games[-2:]], played, strict=True):
        state = game.start()
        for action in actions:
            assert action in game.legal_actions(state)
            state = game.play(state, action)
        assert game.outcome(state) is not None


@pytest.mark.exercise("2.11")
@pytest.mark.hint("do you call on_move before the move is played, or afterwards?")
def test_a_move_is_reported_before_it_is_played(student, edition):
    """`on_move` is called for each move after the search for this move, and before the move is played

    Promised: on_move: called as on_move(root, action) after each search and before the move is played.
    """
    game = playable(edition, "bushy")
    watched = student.watch(game)
    heard: list[tuple[int, Any]] = []  # for each report: the number of calls of the game before it, and the action

    actions = student.self_play(
        watched, 3, 1.0, student.rng(edition.getrandbits(30)),
        lambda root=None, action=None: heard.append((len(watched.calls), action)),
    )  # fmt: skip
    assert [action for _, action in heard] == actions
    state, before = game.start(), 0
    for number, action in heard:
        assert action in game.legal_actions(state)
        # The search plays this action once, when it makes the child, and never comes back to this state.
        assert watched.calls[before:number].count(("play", state, action)) <= 1
        state, before = game.play(state, action), number
