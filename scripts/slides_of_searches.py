"""The pictures of problem sets 2 and 3 for `python -m scripts.slides`: bandits, trees, proofs and exams."""

from __future__ import annotations

import math
import random

from arena.challenge.ladder import load_ladder
from arena.challenge.sprt import SequentialTest
from arena.games import TicTacToe
from scripts.slide_canvas import GREEN, LINES, PALE, PURPLE, SOFT, Chart, Slide
from solutions import ps2_uct, ps3_connect_four

GAME = TicTacToe()
STEP = 186  # from a node of a tree to the next
BLOCK, TRAP = "XOX/.O./...", ".../X.O/.X."


def bounds() -> Slide:
    """The bound of three arms in a run of UCB1."""
    slide = Slide(
        "Problem set 2: UCB of three arms",
        "Three falling and jumping curves, the bounds of three slot machines over 120 "
        "pulls. A pull lowers the bound of its arm; an arm that is not pulled rises slowly until it is the highest.",
    )
    chances, rng, pulls = (0.3, 0.5, 0.7), random.Random(4), 120
    counts, totals = [0, 0, 0], [0.0, 0.0, 0.0]
    curves: list[list[tuple[float, float]]] = [[], [], []]
    for pull in range(1, pulls + 1):
        arm = ps2_uct.ucb1(counts, totals, 1.0, rng)
        counts[arm] += 1
        totals[arm] += rng.random() < chances[arm]
        if min(counts):
            for machine in range(3):
                bound = totals[machine] / counts[machine] + math.sqrt(math.log(pull) / counts[machine])
                curves[machine].append((pull, min(bound, 2.0)))
    chart = Chart(slide, (90, 100, 650, 450), (0, 30, 60, 90, 120), (0.5, 1, 1.5, 2), "pulls of all arms", "mean + bonus")
    for machine, points in enumerate(curves):
        chart.curve(points, LINES[machine], thick=3)
        pays = f"pays {100 * chances[machine]:.0f} %"
        slide.text(675, 180 + 90 * machine, pays, 24, anchor="start", bold=True, colour=LINES[machine])
        mean = totals[machine] / counts[machine]
        slide.text(675, 212 + 90 * machine, f"{counts[machine]} pulls, mean {mean:.2f}", 22, anchor="start")
    return slide


def four_phases() -> Slide:
    """The fourth simulation at a position with three empty squares, phase by phase."""
    slide = Slide(
        "Problem set 2: one simulation, four phases (W/n at each node)",
        "Four pictures of one small tree with W over n at each node: select goes "
        "down to a child, expand adds a node, a rollout values it, backpropagate changes W and n on the way up.",
    )
    rng = random.Random(1)
    _, root = ps2_uct.search(GAME, GAME.parse("XOX/OXO/..."), 3, 1.0, rng)
    frames = [(30, 75), (500, 75), (30, 315), (500, 315)]
    chosen = ps2_uct.select(GAME, root, 1.0, rng)
    _panel(slide, frames[0], "1 select: the highest bound", root, path=[root, chosen])
    leaf = ps2_uct.expand(GAME, chosen, rng)
    _panel(slide, frames[1], "2 expand: one new node", root, path=[root, chosen], new=leaf)
    value = ps2_uct.simulate(GAME, leaf.state, ps2_uct.random_policy, rng)
    mover = "XO"[GAME.player(leaf.state)]
    _panel(
        slide, frames[2], f"3 rollout: {value:+g} for {mover}, to move there", root, path=[root, chosen], new=leaf, rollout=value
    )
    ps2_uct.backpropagate(leaf, value)
    _panel(slide, frames[3], "4 backpropagate: the sign flips", root, path=[root, chosen, leaf])
    return slide


def _panel(
    slide: Slide,
    corner: tuple[float, float],
    words: str,
    root: ps2_uct.TreeNode,
    path: list[ps2_uct.TreeNode],
    new: ps2_uct.TreeNode | None = None,
    rollout: float | None = None,
) -> None:
    left, top = corner
    slide.rect(left, top, 440, 220, PALE, PALE)
    slide.text(left + 12, top + 28, words, 22, anchor="start", bold=True)
    spots = {id(root): (left + 220, top + 66)}
    for place, child in enumerate(root.children.values()):
        spots[id(child)] = (left + 100 + 120 * place, top + 126)
        for grandchild in child.children.values():
            spots[id(grandchild)] = (left + 100 + 120 * place, top + 188)
    nodes = [root, *root.children.values(), *(below for child in root.children.values() for below in child.children.values())]
    for node in nodes:
        if node.parent is not None:
            marked = any(node is other for other in path)
            slide.line([spots[id(node.parent)], spots[id(node)]], GREEN if marked else "#9aa5b1", 5 if marked else 2)
    for node in nodes:
        x, y = spots[id(node)]
        colour = PURPLE if node is new else GREEN if any(node is other for other in path) else "#9aa5b1"
        slide.circle(x, y, 27, "white", colour, 4 if colour != "#9aa5b1" else 2)
        slide.text(x, y + 7, f"{node.total_value + 0.0:g}/{node.num_visits}".replace("-", "−"), 20)
        if node is new and rollout is not None:
            slide.line([(x + 27, y), (x + 70, y)], PURPLE, 4, "5 5")
            slide.text(x + 76, y + 8, f"{rollout:+g}".replace("-", "−"), 24, bold=True, colour=PURPLE, anchor="start")


def tree(simulations: int) -> Slide:
    """The root and two lines of a search where X must block."""
    slide = Slide(
        f"Problem set 2: the tree after {simulations} simulations",
        f"A search tree of Tic-Tac-Toe after {simulations} "
        "simulations: X must block below. Under each board n, W for the player to move, and the bound (UCB).",
    )
    _, root = ps2_uct.search(GAME, GAME.parse(BLOCK), simulations, 1.0, random.Random(2))
    best = max(root.children.values(), key=lambda child: child.num_visits)
    for node, top, below in ((root, 153, 174), (best, 322, 362)):
        begin = (
            480
            if node is root
            else 480 + STEP * ([child is best for child in root.children.values()].index(True) - (len(root.children) - 1) / 2)
        )
        for place in range(len(node.children)):
            slide.line([(begin, top), (480 + STEP * (place - (len(node.children) - 1) / 2), below)])
    _nodes(slide, [root], 66, best, text_beside=True)
    _nodes(slide, list(root.children.values()), 180, best)
    _nodes(slide, list(best.children.values()), 368, best)
    return slide


def _nodes(slide: Slide, nodes: list[ps2_uct.TreeNode], top: float, best: ps2_uct.TreeNode, text_beside: bool = False) -> None:
    side = 27
    for place, node in enumerate(nodes):
        x = 480 + STEP * (place - (len(nodes) - 1) / 2)
        if node is best or node.parent is None:
            slide.rect(x - 48, top - 6, 96, 93, "#e6f6f0", GREEN, 3)
        slide.board(GAME, node.state, x - 1.5 * side, top, side)
        counted = f"n {node.num_visits}  W {node.total_value + 0.0:g}".replace("-", "−")
        if text_beside:
            slide.text(x + 62, top + 48, counted, 22, anchor="start", bold=True)
            continue
        slide.text(x, top + 112, counted, 22, bold=node is best)
        bound = ps2_uct.ucb(node, 1.0)
        slide.text(x, top + 136, "UCB ∞" if math.isinf(bound) else f"UCB {bound:.2f}".replace("-", "−"), 20, colour=SOFT)


def trap() -> Slide:
    """The trap of the lesson, and the visits of O's moves over the simulations."""
    slide = Slide(
        "Problem set 2: the trap",
        "Left a board with O to move; square 2 loses by force although it has the best mean of "
        "random games. Right the share of visits: square 2 leads at first, then falls; squares 0 and 6 rise.",
    )
    state = GAME.parse(TRAP)
    slide.board(GAME, state, 40, 110, 90, {(0, 2): "#f9d7cc", (0, 0): "#d5eee5", (2, 0): "#d5eee5"})
    slide.text(175, 420, "O to move", 26, bold=True)
    slide.text(175, 456, "2 loses, 0 and 6 draw", 24)
    chart = Chart(
        slide,
        (420, 110, 920, 430),
        (30, 100, 300, 1000, 3000),
        (0, 0.25, 0.5, 0.75, 1),
        "simulations",
        "share of visits",
        log=True,
    )
    shares: dict[str, list[tuple[float, float]]] = {"2": [], "0 and 6": []}
    for number in (30, 60, 100, 150, 200, 300, 450, 600, 1000, 1600, 3000):
        _, root = ps2_uct.search(GAME, state, number, 1.0, random.Random(61))
        visits = {action: child.num_visits / number for action, child in root.children.items()}
        shares["2"].append((number, visits[2]))
        shares["0 and 6"].append((number, visits[0] + visits[6]))
    chart.curve(shares["2"], LINES[1])
    chart.curve(shares["0 and 6"], LINES[2], "12 6")
    slide.text(440, 140, "square 2: loses by force", 22, anchor="start", colour=LINES[1], bold=True)
    slide.text(440, 170, "squares 0 and 6 (dashed): draw", 22, anchor="start", colour=LINES[2], bold=True)
    return slide


def proofs() -> Slide:
    """MCTS-Solver on the blocking position: what is proven for whom."""
    slide = Slide(
        "Problem set 3: means become proofs",
        "X must block. After 300 simulations of the solver each other move is proven: "
        "+1 for O, to move there, so lost for X. The right move is not proven, and is played.",
    )
    action, root = ps3_connect_four.solve(GAME, GAME.parse(BLOCK), 300, random.Random(3))
    side = 40
    slide.board(GAME, root.state, 480 - 1.5 * side, 80, side)
    slide.text(560, 145, f"X to move, n {root.num_visits}", 24, anchor="start", bold=True)
    for place, move in enumerate(sorted(root.children)):
        child, x = root.children[move], 110 + 185 * place
        slide.line([(480, 206), (x, 262)], GREEN if move == action else "#9aa5b1", 5 if move == action else 2)
        if move == action:
            slide.rect(x - 70, 262, 140, 140, "#e6f6f0", GREEN, 4)
        slide.board(GAME, child.state, x - 1.5 * side, 272, side)
        slide.text(x, 436, f"n {child.num_visits}", 24, bold=move == action)
        proof = "not proven" if child.proven is None else f"proven {child.proven:+g} for O"
        slide.text(x, 468, proof, 20, colour=SOFT if child.proven is None else LINES[1], bold=child.proven is not None)
    slide.text(480, 518, "+1 for the player to move below is -1 for X: never play there, whatever the mean says", 22)
    return slide


def exams() -> Slide:
    """The chance to pass exams of several lengths, over the true strength."""
    slide = Slide(
        "Problem set 3: how many games do you need?",
        "Three curves over the true chance to win a game. An exam of 10 games "
        "passes many weak and fails many strong players; an exam of 400 games separates .55 from .65 nearly always.",
    )
    chart = Chart(
        slide,
        (90, 100, 690, 450),
        (0.4, 0.5, 0.6, 0.7, 0.8),
        (0, 0.25, 0.5, 0.75, 1),
        "true chance to win one game",
        "chance to win 60 % of the exam",
    )
    for number, games in enumerate((10, 50, 400)):
        strengths = [0.4 + 0.01 * step for step in range(41)]
        points = [(p, ps3_connect_four.pass_probability(p, games, math.ceil(0.6 * games))) for p in strengths]
        chart.curve(points, LINES[number], ("", "12 6", "3 5")[number])
        weak = ps3_connect_four.pass_probability(0.5, games, math.ceil(0.6 * games))
        slide.text(710, 170 + 100 * number, f"{games} games", 26, anchor="start", bold=True, colour=LINES[number])
        slide.text(
            710, 202 + 100 * number, f"at .5: {100 * weak:.1f} %" if weak > 0.0005 else "at .5: below .1 %", 22, anchor="start"
        )
    return slide


def sequential() -> Slide:
    """The ratio of the challenge's sequential test along simulated exams against the bot Pebble."""
    rung = next(rung for rung in load_ladder().rungs if rung.name == "Pebble")
    limit = math.log(load_ladder().error_odds)
    slide = Slide(
        "Problem set 3: the exam stops when it knows",
        "The log-likelihood ratio of three simulated exams over the games: a "
        "strong player's path rises to the upper limit, a weak player's falls to the lower, one in between goes on long.",
    )
    chart = Chart(
        slide, (90, 100, 690, 450), (0, 60, 120, 180, 240), (-8, -4, 0, 4, 8), "games", "logarithm of the likelihood ratio"
    )
    for y in (limit, -limit):
        chart.curve([(0, y), (240, y)], SOFT, "4 4", 2)
    for number, strength in enumerate((0.79, 0.63, 0.5)):
        test = SequentialTest(rung.fail, rung.pass_, 240, load_ladder().error_odds)
        rng, points, verdict = random.Random(5), [(0.0, 0.0)], test.verdict
        while verdict is None:
            verdict = test.add_pair(float(rng.random() < strength), float(rng.random() < strength))
            points.append((test.played, test.ratio))
        chart.curve(points, LINES[number], ("", "12 6", "3 5")[number])
        slide.text(710, 150 + 90 * number, f"wins {100 * strength:.0f} %", 26, anchor="start", bold=True, colour=LINES[number])
        slide.text(710, 182 + 90 * number, f"{verdict}, {test.played} games", 22, anchor="start")
    slide.text(710, 430, "thin lines: 999 to 1", 22, anchor="start", colour=SOFT)
    return slide
