"""Self-play: hundreds of games side by side, with one network call for all of them.

The method is that of problem set 5, with changes that teach more in the same time. With `considered`, the root is searched by
sequential halving, and the policy to learn is the corrected prior (`arena.players.puct.halving`). Without it, a share of the
moves may get a quick search, and examples come only from positions with a full search. The value to learn is a mean of the values
that the searches found from this ply on, with smaller weights for later plies, and of the game's result (the lambda-return). The
network is not asked about results that the search has proved.

Sources: Silver et al. (2017, 2018); Danihelka et al., "Policy improvement by planning with Gumbel" (2022), for the root; Wu,
"Accelerating self-play learning in Go" (2019), for the two kinds of search; Sutton, "Learning to predict by the methods of
temporal differences" (1988), for the targets of values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.players.network import Asking, Network
from arena.players.puct import MAX_PLIES, Settings, completed_values, improved_policy, new_forest, plant, root_policy, root_value
from arena.players.rules import OPEN, CompiledRules, legal, outcome, play


@dataclass(frozen=True)
class PlaySettings:
    """The parameters of games to learn from; all shares are in [0, 1]."""

    games: int = 256  # side by side, in one process
    simulations: int = 128  # of a full search, with noise at the root
    quick_simulations: int = 24  # of a quick search, without noise
    full_share: float = 0.25  # of all moves get a full search
    c: float = 1.5
    reduction: float = 0.2  # see arena.players.puct.Settings
    considered: int = 0  # actions that sequential halving begins with at a root; 0 for PUCT with Dirichlet noise
    value_scale: float = 0.3  # see arena.players.puct.Settings
    answers: int = 1 << 18  # of the network that a process keeps, a power of two
    noise_weight: float = 0.25
    noise_total: float = 10.0  # Dirichlet's alpha is this divided by the number of legal actions
    random_share: float = 0.25  # of all games begin with random moves
    random_plies: tuple[int, int] = (2, 6)  # number of random moves, both ends included
    drawn_plies: int = 12  # counted with the random ones: in these plies the move is drawn, in later ones it is the best one
    trace_decay: float = 0.85  # lambda: weight of the next ply's target in a ply's value target; the rest is its own search


@dataclass
class Examples:
    """Positions to learn from, in the order in which their games ended."""

    own: NDArray[np.int64]  # (n,), stones of the player to move
    theirs: NDArray[np.int64]  # (n,)
    policies: NDArray[np.float32]  # (n, A)
    values: NDArray[np.float32]  # (n,), for the player to move

    def __len__(self) -> int:
        return len(self.own)

    @staticmethod
    def none(num_actions: int) -> Examples:
        """Return an empty set of examples."""
        stones, values = np.zeros(0, np.int64), np.zeros(0, np.float32)
        return Examples(stones, stones, np.zeros((0, num_actions), np.float32), values)

    @staticmethod
    def joined(parts: list[Examples]) -> Examples:
        """Return the examples of all parts."""
        return Examples(*(np.concatenate([getattr(part, name) for part in parts]) for name in ARRAYS))

    def newest(self, count: int) -> Examples:
        """Return the last `count` examples."""
        return Examples(*(getattr(self, name)[-count:] for name in ARRAYS))


ARRAYS = ("own", "theirs", "policies", "values")


class SelfPlay:
    """Games in progress. They continue from one call of `play` to the next, also with another network.

    All random numbers come from one generator; `state` and `restore` transfer everything on which the next move depends.
    """

    def __init__(self, rules: CompiledRules, settings: PlaySettings, seed: int) -> None:
        self.rules, self.settings = rules, settings
        self.rng = np.random.Generator(np.random.PCG64(seed))
        games, actions = settings.games, rules.num_actions
        self.forest = new_forest(games, max(settings.simulations, settings.quick_simulations), actions)
        self.budgets = np.zeros(games, np.int32)
        self.full = np.zeros(games, np.bool_)
        self.plies = np.zeros(games, np.int32)
        self.kept = np.zeros(games, np.int32)  # examples of the game so far
        self.kept_ply = np.zeros((games, MAX_PLIES), np.int32)
        self.kept_own = np.zeros((games, MAX_PLIES), np.int64)
        self.kept_theirs = np.zeros((games, MAX_PLIES), np.int64)
        self.kept_policy = np.zeros((games, MAX_PLIES, actions), np.float32)
        self.kept_value = np.zeros((games, MAX_PLIES), np.float32)
        self._asking = Asking(rules, games, settings.answers)
        self.finished_games = self.simulations = 0
        for game in range(games):
            self._begin(game)

    def play(self, network: Network, examples: int) -> Examples:
        """Play until games have ended with at least `examples` examples together; return these examples."""
        batches: list[Examples] = []
        self._asking.forget()  # this network may be another one than the last
        while sum(map(len, batches)) < examples:
            ends = (self.forest.simulations >= self.budgets) | (self.forest.proved[:, 0] != OPEN)
            for game in np.flatnonzero(ends).tolist():
                ended = self._move(game)
                if ended is not None:
                    batches.append(ended)
            self._asking.step(self.forest, self.budgets, self._settings(), network)
        return Examples.joined(batches)

    def state(self) -> dict[str, Any]:
        """Return everything: arrays by name, the generator's state, and the counters."""
        arrays = {f"forest.{name}": array for name, array in self.forest._asdict().items()}
        arrays |= {name: getattr(self, name) for name in KEPT}
        return {"arrays": arrays, "rng": self.rng.bit_generator.state, "counts": (self.finished_games, self.simulations)}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a `state`, with the same rules and settings."""
        for name, array in self.forest._asdict().items():
            array[...] = state["arrays"][f"forest.{name}"]
        for name in KEPT:
            getattr(self, name)[...] = state["arrays"][name]
        self.rng.bit_generator.state = state["rng"]
        self.finished_games, self.simulations = state["counts"]

    def _settings(self) -> Settings:
        return Settings(self.settings.c, 1.0, self.settings.reduction, self.settings.value_scale)

    def _begin(self, game: int) -> None:
        """Begin a game, some of them with random moves; if the random moves end the game, begin it again."""
        number, given = self.rules.number, self.settings
        while True:
            own, theirs = self.rules.bits_of(self.rules.game.start())
            plies = 0
            if self.rng.random() < given.random_share:
                plies = int(self.rng.integers(given.random_plies[0], given.random_plies[1] + 1))
            for _ in range(plies):
                if outcome(number, own, theirs) == OPEN:
                    actions = self._members(legal(number, own, theirs))
                    own, theirs = play(number, own, theirs, actions[int(self.rng.integers(len(actions)))])
            if outcome(number, own, theirs) == OPEN:
                break
        self.plies[game], self.kept[game] = plies, 0
        self._search(game, own, theirs)

    def _search(self, game: int, own: int, theirs: int) -> None:
        """Begin the search of a game's next move."""
        plant(self.rules.number, self.forest, game, own, theirs)
        self.full[game] = self.rng.random() < self.settings.full_share
        self.budgets[game] = self.settings.simulations if self.full[game] else self.settings.quick_simulations
        actions = self._members(int(self.forest.actions[game, 0]))
        if self.settings.considered:
            self.forest.plan[game] = min(self.settings.considered, len(actions))
            self.forest.noise[game] = self.rng.gumbel(size=self.rules.num_actions) if self._is_drawn(game) else 0
        elif self.full[game]:
            noise = self.rng.dirichlet(np.full(len(actions), self.settings.noise_total / len(actions)))
            self.forest.noise[game] = 0
            self.forest.noise[game, actions] = noise
            self.forest.epsilon[game] = self.settings.noise_weight

    def _members(self, actions: int) -> list[int]:
        """Return the actions in a set of bits."""
        return [action for action in range(self.rules.num_actions) if actions >> action & 1]

    def _move(self, game: int) -> Examples | None:
        """Make the move of a finished search; if it ends the game, return the game's examples."""
        forest, number = self.forest, self.rules.number
        ply = int(self.plies[game])
        policy, value, action = self._result(game)
        own, theirs = int(forest.own[game, 0]), int(forest.theirs[game, 0])
        self.simulations += max(0, int(forest.simulations[game]))
        if self.full[game]:
            row = self.kept[game]
            self.kept_ply[game, row], self.kept_own[game, row], self.kept_theirs[game, row] = ply, own, theirs
            self.kept_policy[game, row], self.kept_value[game, row] = policy, value
            self.kept[game] += 1
        own, theirs = play(number, own, theirs, action)
        self.plies[game] += 1
        result = outcome(number, own, theirs)
        if result == OPEN:
            self._search(game, own, theirs)
            return None
        ended = self._examples(game, result)
        self.finished_games += 1
        self._begin(game)
        return ended

    def _is_drawn(self, game: int) -> bool:
        """Say whether a game's next move is drawn, and not simply the best one."""
        return bool(self.plies[game] < self.settings.drawn_plies)

    def _result(self, game: int) -> tuple[NDArray[np.float64], float, int]:
        """Return what the search of a game found: the policy to learn, the value of the position, and the move to play."""
        forest = self.forest
        if not self.settings.considered or forest.proved[game, 0] != OPEN:
            policy = root_policy(forest, game)
            action = int(self.rng.choice(len(policy), p=policy)) if self._is_drawn(game) else int(policy.argmax())
            return policy, root_value(forest, game), action
        settings = self._settings()
        policy = improved_policy(forest, game, settings)
        visits = forest.visits[game, 0]
        left = (visits == visits.max()) & (policy > 0)  # none, if the most visited actions were proved to lose
        scores = np.where(left, np.log(policy + 1e-30) + forest.noise[game], -np.inf) if left.any() else policy
        return policy, float(policy @ completed_values(forest, game)), int(scores.argmax())

    def _examples(self, game: int, result: int) -> Examples:
        """Return the examples of a game that ended with `result` for the player who would move next.

        A target is w times the next target, in this mover's view, plus 1 - w times the value of this search; w is `trace_decay`
        to the power of the plies between, and the result takes the place of the target after the last one.
        """
        kept = slice(0, self.kept[game])
        searched, plies = self.kept_value[game, kept], self.kept_ply[game, kept]
        values, target, after = np.zeros(len(searched), np.float32), float(result), int(self.plies[game])
        for row in range(len(searched) - 1, -1, -1):
            steps = after - int(plies[row])
            weight = self.settings.trace_decay**steps
            target = weight * target * (-1) ** steps + (1 - weight) * float(searched[row])
            values[row], after = target, int(plies[row])
        return Examples(self.kept_own[game, kept].copy(), self.kept_theirs[game, kept].copy(),
                        self.kept_policy[game, kept].copy(), values)  # fmt: skip


KEPT = ("budgets", "full", "plies", "kept", "kept_ply", "kept_own", "kept_theirs", "kept_policy", "kept_value")
