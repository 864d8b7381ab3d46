"""Make the stored games and the two networks of problem set 4, and measure them: `python -m assets.make.ps4_nets`.

Three stages; each reads the output of the one before, and can run alone:

    python -m assets.make.ps4_nets games     plain UCT (problem set 2's search) against itself: othello6_games.npz
    python -m assets.make.ps4_nets nets      problem set 4's networks, trained on these games: othello6_policy.npz, _value.npz
    python -m assets.make.ps4_nets table     each player against random, and the search against each: README.md

The games are the same on every machine; the weights are the same on one machine with one version of torch.
"""

import argparse
import random
import time
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from arena import nets
from arena.games import Othello, State, result_for
from arena.match import MatchResult, Player, play_match
from arena.players.network import NetworkPlayer, asking, load_net
from arena.players.random import RandomPlayer
from arena.players.rules import compiled
from arena.progress import Progress
from assets.make.nets_page import FOLDER, write_section
from solutions import ps2_uct, ps4_puct

SEED, GAMES, SIMULATIONS = 6, 1200, 100
VARIED_PLIES, CARELESS = 8, 0.1  # the first moves are drawn by visits; later moves are random with this probability
HELD_BACK, EPOCHS, BATCH, RATE = 100, 24, 256, 2e-3
MATCH_GAMES, MATCH_SIMULATIONS = 200, 50
GAME = Othello()


def play_stored_game(number: int) -> list[int]:
    """Return the actions of game `number`; the same number gives the same game."""
    rng = random.Random(f"othello6 {SEED} {number}")
    state = GAME.start()
    actions: list[int] = []
    while GAME.outcome(state) is None:
        best, root = ps2_uct.search(GAME, state, SIMULATIONS, 1.0, rng, lambda leaf: rollout(leaf, rng))
        if len(actions) < VARIED_PLIES:
            tried = list(root.children)
            best = rng.choices(tried, weights=[root.children[action].num_visits for action in tried])[0]
        elif rng.random() < CARELESS:
            best = rng.choice(GAME.legal_actions(state))
        actions.append(best)
        state = GAME.play(state, best)
    return actions


def rollout(state: State, rng: random.Random) -> float:
    """Play at random to the end; return the result for the player to move at `state`. As in problem set 2, without options."""
    mover = GAME.player(state)
    while legal := GAME.legal_actions(state):
        state = GAME.play(state, legal[int(rng.random() * len(legal))])
    return result_for(GAME, state, mover)


def make_games() -> None:
    bar, games, began = Progress(GAMES, "games"), [], time.process_time()
    for number in range(GAMES):
        games.append(play_stored_game(number))
        bar.step()
    table = np.full((GAMES, max(map(len, games))), -1, dtype=np.int8)
    for row, actions in zip(table, games, strict=True):
        row[:len(actions)] = actions
    save("othello6_games", {"actions": table})
    write_section("The games", "\n".join([
        f"`othello6_games.npz`: {GAMES} games, {len(set(map(tuple, games)))} of them different, {sum(map(len, games))} moves.",
        f"Each move is chosen by {SIMULATIONS} simulations of UCT with random rollouts (`ps2_uct.search`, c = 1); the first",
        f"{VARIED_PLIES} in proportion to the visits, later ones at random with probability {CARELESS}. Seed {SEED}.",
        f"Made in {time.process_time() - began:.0f} s of one core."]))


def save(name: str, arrays: dict[str, NDArray[Any]]) -> None:
    """Write arrays as `name`.npz: numbers only, so that nothing is unpickled."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"{name}.npz"
    np.savez_compressed(path, allow_pickle=False, **arrays)
    print(f"wrote {path.name}: {path.stat().st_size / 1000:.0f} kB")


Tensors = tuple[torch.Tensor, torch.Tensor, torch.Tensor]  # planes (n, 2, 6, 6), actions (n,), results (n,)


def tensors(games: list[list[int]]) -> Tensors:
    """Return all examples of `games`, in the form of problem set 4."""
    examples = [example for game in games for example in ps4_puct.examples(GAME, game)]
    states, actions, results = zip(*examples, strict=True)
    return ps4_puct.planes_of(GAME, list(states)), torch.tensor(actions), torch.tensor(results)


def turned(examples: Tensors, rng: np.random.Generator) -> Tensors:
    """Return the examples, each turned or mirrored by one of the eight symmetries; the action turns with its square."""
    planes, actions, results = examples
    turns = np.stack([policy for _, policy in GAME.symmetries(GAME.start(), np.arange(37))])
    turn = torch.from_numpy(turns[rng.integers(len(turns), size=len(actions))])  # (n, 37): the action that moves to each
    squares = turn[:, None, :36].expand(-1, 2, -1)
    moved = torch.gather(planes.flatten(2), 2, squares).view_as(planes)
    return moved, (turn == actions[:, None]).int().argmax(dim=1), results


def train(net: torch.nn.Module, loss: Callable[..., torch.Tensor], kind: int, examples: Tensors, held: Tensors) -> str:
    """Train `net` on tensor number `kind` of the examples, with a rate that falls to 0; return a line of figures."""
    optimizer = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=1e-2)
    falling = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, EPOCHS)
    rng, turns = random.Random(SEED), np.random.default_rng(SEED)
    for epoch in range(EPOCHS):
        batch = turned(examples, turns)
        seen = ps4_puct.train_epoch(net, loss, batch[0], batch[kind], optimizer, BATCH, rng)
        falling.step()
        net.eval()
        with torch.no_grad():
            answers = net(held[0])
            line = f"loss {seen:.3f}, on {HELD_BACK} games held back {loss(answers, held[kind]).item():.3f}"
        print(f"  epoch {epoch + 1}: {line}", flush=True)
    decided = held[2] != 0
    right = answers.argmax(dim=1) == held[1] if kind == 1 else ((answers > 0) == (held[2] > 0))[decided]
    return f"{line}; {'the move played' if kind == 1 else 'the winner'} is guessed in {right.float().mean():.1%}"


def make_nets() -> None:
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    games, began = nets.games(), time.process_time()
    examples, held = tensors(games[:-HELD_BACK]), tensors(games[-HELD_BACK:])
    print(f"{len(examples[1])} examples, {len(held[1])} held back")
    lines = []
    for name, net, loss, kind in [("policy", ps4_puct.PolicyNet(), ps4_puct.policy_loss, 1),
                                  ("value", ps4_puct.ValueNet(), ps4_puct.value_loss, 2)]:
        lines.append(f"{name}: {train(net, loss, kind, examples, held)}")
        save(f"othello6_{name}", {key: weight.numpy() for key, weight in net.state_dict().items()})
    write_section("The networks", "\n".join([
        f"`ps4_puct.PolicyNet` and `ValueNet` with 32 channels, {EPOCHS} epochs over {len(examples[1])} examples, each turned or",
        f"mirrored anew in every epoch; AdamW, batches of {BATCH}, rate {RATE} falling to 0. Seed {SEED}.", "",
        *(f"- {line}" for line in lines), "", f"Trained in {time.process_time() - began:.0f} s of one core."]))


def players() -> dict[str, ps4_puct.Player]:
    """Return problem set 4's players with the stored networks; the networks' answers are cached."""
    both = ps4_puct.PolicyAndValue(ps4_puct.PolicyNet(), ps4_puct.ValueNet())
    for net, name in ((both.policy, "othello6_policy"), (both.value, "othello6_value")):
        net.load_state_dict({key: torch.from_numpy(array) for key, array in nets.load(name).items()})

    @cache
    def evaluate(state: State) -> tuple[ps4_puct.Priors, float]:
        return ps4_puct.evaluate_leaf(GAME, both, state)

    return {"MCTS": ps4_puct.MCTSPlayer(GAME, evaluate), "value": ps4_puct.ValuePlayer(GAME, evaluate),
            "policy": ps4_puct.PolicyPlayer(GAME, evaluate), "Monte Carlo": ps4_puct.MonteCarloPlayer(GAME, evaluate)}


def self_taught() -> NetworkPlayer:
    """Return the compiled search over the network of `make train GAME=othello`; it plays out the end by the rules."""
    rules = compiled("othello")
    return NetworkPlayer(rules, asking(load_net(rules, nets.find("othello"))))


def make_table() -> None:
    torch.set_num_threads(1)
    ours, dice = players(), RandomPlayer(GAME)
    everyone: dict[str, Player] = {"random": dice, **ours}
    matches: list[tuple[str, Player, str, Player]] = [(name, player, "random", dice) for name, player in ours.items()]
    matches += [("MCTS", ours["MCTS"], name, player) for name, player in ours.items() if name != "MCTS"]
    strong = self_taught()
    matches += [("self-taught", strong, name, player) for name, player in everyone.items()]
    rows = ["| player | against | won | drawn | lost | score | 95 % interval | as X | as O |",
            "|---|---|---|---|---|---|---|---|---|"]
    for name, player, other_name, other in matches:
        result = play_match(GAME, player, other, MATCH_GAMES, MATCH_SIMULATIONS, SEED)
        if result.faults:
            raise RuntimeError(f"{name} against {other_name} is not a measurement: {result.faults[0]}")
        rows.append(row(name, other_name, result))
        print(rows[-1], flush=True)
    write_section("The table", "\n".join([
        f"{MATCH_GAMES} games each, {MATCH_SIMULATIONS} simulations a move for MCTS, seed {SEED}; every opening of 4 random",
        "moves is played with both colours; the interval is that of `arena.match.play_match`, over the pairs. Self-taught is",
        "the compiled search of `arena.players.puct` over `othello.npz`, below; it plays out the end by the rules.", "", *rows]))


def row(name: str, other_name: str, result: MatchResult) -> str:
    low, high = result.interval
    both = zip(result.wins, result.draws, strict=True)
    as_x, as_o = ((won + drawn / 2) / (len(result.games) / 2) for won, drawn in both)
    return (f"| {name} | {other_name} | {sum(result.wins)} | {sum(result.draws)} | {sum(result.losses)} | {result.score:.1%} "
            f"| {low:.1%} to {high:.1%} | {as_x:.1%} | {as_o:.1%} |")


STAGES = {"games": make_games, "nets": make_nets, "table": make_table}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stages", nargs="*", metavar="stage", help="games, nets, table; all of them when none is named")
    stages = parser.parse_args().stages or list(STAGES)
    if unknown := [stage for stage in stages if stage not in STAGES]:
        parser.error(f"no stage {unknown[0]}: {', '.join(STAGES)}")
    for stage in stages:
        STAGES[stage]()


if __name__ == "__main__":
    main()
