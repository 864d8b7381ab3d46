"""Our code against other projects, measured side by side in one run: `make bench [ONLY=name]`.

A benchmark is a module here with one function `rows() -> list[Row]`; `__main__.BENCHMARKS` lists it. Our code and the peer
take turns, so that a busy minute slows both; a figure is the median over the turns.

A side that did nothing is fast. So each benchmark proves by `must` that both sides did the work that the row counts.
"""
import math
from dataclasses import dataclass
from statistics import median

# What a figure is held against. Only the first says how we compare with others.
OTHERS = "another project"
LIMIT = "a limit"
OWN_SLOW_WAY = "our own slow way"
AGAINST = (OTHERS, LIMIT, OWN_SLOW_WAY)


class NothingMeasured(RuntimeError):
    """A side of a benchmark did not do its work, so that its figure means nothing; the text says what is missing."""


def must(done: bool, otherwise: str) -> None:
    """Raise NothingMeasured, with the words of `otherwise`, unless the work was done."""
    if not done:
        raise NothingMeasured(otherwise)


@dataclass(frozen=True)
class Row:
    """One line of the table and one entry of build/bench.json. More is better, unless the unit is seconds.

    how: in words, what both sides did; also where one of them is a general engine and the other a special one.
    against: one of AGAINST.

    Raises:
        NothingMeasured: a side is not above 0, so that it did nothing.
    """
    name: str
    ours: float
    peer: float
    unit: str
    goal: float
    how: str
    against: str = OTHERS

    def __post_init__(self) -> None:
        for side, figure in (("our side", self.ours), ("the peer", self.peer)):
            must(math.isfinite(figure) and figure > 0, f"{self.name}: {side} did nothing, its figure is {figure:g} {self.unit}")

    @property
    def ratio(self) -> float:
        """How many times better our code is; above 1 it is better."""
        return self.peer / self.ours if self.unit == "s" else self.ours / self.peer

    def to_dict(self) -> dict[str, str | float]:
        """The entry in build/bench.json."""
        return {"name": self.name, "ours": round(self.ours, 1), "peer": round(self.peer, 1), "unit": self.unit,
                "ratio": round(self.ratio, 2), "goal": self.goal, "against": self.against,
                "how": self.how}


def rate(count: int, seconds: list[float]) -> float:
    """Return things per second, by the median turn; `count` things took `seconds` in each turn."""
    return count / median(seconds)
