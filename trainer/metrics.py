"""The figures of a training run: one record for each iteration, and one line of log.jsonl for each record."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class Played:
    """What all self-play processes together did in one iteration."""

    games: int = 0
    simulations: int = 0
    core_s: float = 0.0

    def __add__(self, other: Played) -> Played:
        return Played(self.games + other.games, self.simulations + other.simulations, self.core_s + other.core_s)


@dataclass(frozen=True)
class Losses:
    """Means over the batches of one iteration: cross-entropy (nats), squared error, entropy of the policy targets (nats)."""

    policy: float
    value: float
    entropy: float


@dataclass(frozen=True)
class Metrics:
    """One iteration.

    minutes: from the start of the run to the end of this iteration. examples: new ones. window: examples to learn from;
    `unique` is the share of different positions among them. losses: None in an iteration without learning. strength: what was
    measured after the iteration, by name.
    """

    iteration: int
    minutes: float
    examples: int
    played: Played
    losses: Losses | None
    window: int
    unique: float
    games_so_far: int
    simulations_so_far: int
    strength: dict[str, float] = field(default_factory=dict)

    @property
    def rate(self) -> float:
        """Simulations a second of a core."""
        return self.played.simulations / self.played.core_s if self.played.core_s else 0.0

    def row(self) -> dict[str, float]:
        """Return all figures side by side, by the names of log.jsonl and of the curves."""
        data = asdict(self)
        return {
            "iteration": self.iteration, "minutes": self.minutes, "examples": self.examples, **data["played"],
            **(data["losses"] or {}), "window": self.window, "unique": self.unique, "games so far": self.games_so_far,
            "simulations so far": self.simulations_so_far, "rate": self.rate, **self.strength,
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Metrics:
        """Read what `dataclasses.asdict` gave; KeyError or TypeError when it is something else."""
        losses = data["losses"] and Losses(**data["losses"])
        return cls(**data | {"played": Played(**data["played"]), "losses": losses})
