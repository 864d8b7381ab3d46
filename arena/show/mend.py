"""Small functions with a mistake, one in each problem set, and the judge of their repair: practice in finding a mistake.

They are no exercises, and nothing of an exercise is in them. The judge says how many random inputs come out wrong, and no more:
which ones, and why, is what one practises.

Two of the functions live here, `groups` and `expected_line`, so that a student can call them before reading them; the lessons
show the others.
"""

import copy
import inspect
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

INPUTS, SEED, DAY = 300, 20, 24 * 60 * 60


@dataclass(frozen=True)
class Task:
    """A function to repair.

    Attributes:
        draw: gives one input, the arguments of the function.
        is_right: (arguments, answer) -> whether the answer keeps what the function's docstring promises.
    """

    draw: Callable[[random.Random], tuple[Any, ...]]
    is_right: Callable[[tuple[Any, ...], Any], bool]


def judge(repaired: Callable[..., Any]) -> None:
    """Print for how many random inputs a repaired function is right; its name says which one it is.

    Raises:
        ValueError: no function to repair has this name.
    """
    name = repaired.__name__
    if name not in TASKS:
        raise ValueError(f"there is nothing to repair in {name}; the functions are {', '.join(TASKS)}")
    wrong = count_wrong(repaired, TASKS[name])
    print(f"{name}: right for all {INPUTS} random inputs" if not wrong else
          f"{name}: not yet. {wrong} of {INPUTS} random inputs come out wrong")


def show_code(given: Callable[..., Any]) -> None:
    """Print the code of `groups` or `expected_line` as it was given, mistake and all, to be copied and repaired.

    Raises:
        ValueError: no function of this name is given here.
    """
    name = given.__name__
    if name not in GIVEN:
        raise ValueError(f"the code of {name} is not here; the functions are {', '.join(GIVEN)}")
    print(inspect.getsource(GIVEN[name]))


def groups(rows: list[str]) -> int:
    """Return how many groups of X a board such as ["X.X", "XX."] has; stones that touch along a side are one group."""
    stones = [(r, c) for r, row in enumerate(rows) for c, sign in enumerate(row) if sign == "X"]
    seen, count = set(), 0
    for stone in stones:
        if stone not in seen:
            count += 1
            waiting = [stone]
            while waiting:
                r, c = waiting.pop()
                seen.add((r, c))
                for near in ((r, c + 1), (r + 1, c)):
                    if near in stones and near not in seen:
                        waiting.append(near)
    return count


def expected_line(children: "Children") -> list[int]:
    """Return the moves of the line with most visits.

    At each node comes the child with most visits, and of several the lowest move. A child without a visit is in no line.

    Args:
        children: {move: (visits, the children below)}.
    """
    line = []
    while children:
        move = max(children, key=lambda move: (children[move][0], -move))
        line.append(move)
        children = children[move][1]
    return line


GIVEN: dict[str, Callable[..., Any]] = {"groups": groups, "expected_line": expected_line}


def count_wrong(repaired: Callable[..., Any], task: Task) -> int:
    """Return for how many random inputs the answer is wrong; an exception is a wrong answer."""
    rng, wrong = random.Random(SEED), 0
    for _ in range(INPUTS):
        arguments = task.draw(rng)
        try:
            answer = repaired(*copy.deepcopy(arguments))
            wrong += not task.is_right(arguments, answer)
        except Exception:
            wrong += 1
    return wrong


def _board(rng: random.Random) -> tuple[list[str]]:
    height, width = rng.randint(1, 5), rng.randint(1, 5)
    return (["".join(rng.choice("X.") for _ in range(width)) for _ in range(height)],)


def _are_groups(arguments: tuple[Any, ...], answer: Any) -> bool:
    """Count again, by giving touching squares one name until nothing changes."""
    (rows,) = arguments
    names = {(r, c): (r, c) for r, row in enumerate(rows) for c, sign in enumerate(row) if sign == "X"}
    changing = True
    while changing:
        changing = False
        for (r, c), name in names.items():
            least = min([name, *(names[near] for near in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)) if near in names)])
            changing |= least != name
            names[r, c] = least
    return bool(answer == len(set(names.values())))


Children = Mapping[int, tuple[int, Any]]  # {move: (visits, the children below)}


def _tree(rng: random.Random, plies: int = 4) -> tuple[Children]:
    moves = rng.sample(range(9), rng.randint(1, 4)) if plies else []
    return ({move: (rng.choice([0, 1, 2, 3, 8]), _tree(rng, plies - 1)[0]) for move in moves},)


def _is_expected(arguments: tuple[Any, ...], answer: Any) -> bool:
    (children,) = arguments
    line = list(answer)
    for move in line:
        seen = [(-visits, other) for other, (visits, _) in children.items() if visits]
        if not seen or min(seen)[1] != move:
            return False
        children = children[move][1]
    return all(visits == 0 for visits, _ in children.values())


def _readings(rng: random.Random) -> tuple[list[str]]:
    now, readings = rng.randrange(DAY), []
    for _ in range(rng.randint(1, 12)):
        readings.append(f"{now // 3600:02}:{now // 60 % 60:02}:{now % 60:02}")
        now = (now + rng.choice([0, 7, 300, 5000, 40_000])) % DAY
    return (readings,)


def _is_time(arguments: tuple[Any, ...], answer: Any) -> bool:
    (readings,) = arguments
    clock = [sum(int(part) * unit for part, unit in zip(text.split(":"), (3600, 60, 1), strict=True)) for text in readings]
    midnights = sum(later < earlier for earlier, later in zip(clock, clock[1:], strict=False))
    return bool(answer == midnights * DAY + clock[-1] - clock[0])


def _visits(rng: random.Random) -> tuple[dict[int, int]]:
    visits = {action: rng.choice([0, 1, 2, 3, 5, 10, 20, 50]) for action in rng.sample(range(37), rng.randint(1, 8))}
    return (visits if any(visits.values()) else {0: 1},)


def _are_percent(arguments: tuple[Any, ...], answer: Any) -> bool:
    (visits,) = arguments
    total = sum(visits.values())
    return (answer.keys() == visits.keys() and sum(answer.values()) == 100
            and all(isinstance(share, int) and abs(share * total - 100 * visits[action]) < total
                    for action, share in answer.items()))


@dataclass
class Step:
    """A step of a training, as a function: it adds `change` to the weights in place, and returns `loss`."""

    change: tuple[float, float]
    loss: float

    def __call__(self, weights: list[float]) -> float:
        """Change the weights and return the loss."""
        for place, change in enumerate(self.change):
            weights[place] += change
        return self.loss


def _training(rng: random.Random) -> tuple[list[Step]]:
    return ([Step((rng.randint(-3, 3), rng.randint(-3, 3)), rng.randint(1, 9)) for _ in range(rng.randint(1, 6))],)


def _are_best(arguments: tuple[Any, ...], answer: Any) -> bool:
    (steps,) = arguments
    losses = [step.loss for step in steps]
    until = steps[:losses.index(min(losses)) + 1]
    return list(answer) == [sum(step.change[place] for step in until) for place in (0, 1)]


TASKS = {
    "groups": Task(_board, _are_groups),
    "expected_line": Task(_tree, _is_expected),
    "thinking_time": Task(_readings, _is_time),
    "percent": Task(_visits, _are_percent),
    "best_weights": Task(_training, _are_best),
}
