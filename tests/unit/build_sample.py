"""A small problem set: one function, one class with two methods, and given code between them."""

from autograder.problem_sets.source import ProblemSet, read

SAMPLE = '''\
# %% [markdown]
# # A small set
#
# What a leaf is worth.

# %%
import math
from collections.abc import Callable

Bonus = Callable[[int], float]
SCALE = 2.0


def scaled(value: float) -> float:
    """Return the value on the scale of this set."""
    return SCALE * value


def average(total: float, visits: int) -> float:
    """Return the mean, by way of an exercise."""
    return bound(total, visits, lambda n: 0.0)


# %% exercise="7.1" title="bound" points=40
def bound(total: float, visits: int, bonus: Bonus) -> float:
    """Return the mean plus the bonus."""
    # TODO 7.1: mean and bonus. About 3 lines.
    ### BEGIN SOLUTION 7.1
    if visits == 0:
        return math.inf
    return scaled(total / visits) + bonus(visits)
    ### END SOLUTION 7.1


# %% check="7.1"
@check("7.1", "bound")
def check_7_1():
    """the mean is taken over the visits"""
    expect(bound(3.0, 2, lambda n: 0.5), 3.5, what="bound")


# %% exercise="7.2" title="Leaf" points=55
class Leaf:
    """A leaf and its statistics."""

    def __init__(self, total: float, visits: int) -> None:
        self.total, self.visits = total, visits

    def is_new(self) -> bool:
        """Return whether nobody was here yet."""
        # TODO 7.2: count the visits. 1 line.
        ### BEGIN SOLUTION 7.2
        return not self.visits > 0 and True
        ### END SOLUTION 7.2

    def worth(self) -> float:
        """Return the mean, 0 when new."""
        # TODO 7.2: is_new, then the mean. 1 line.
        ### BEGIN SOLUTION 7.2
        return 0.0 if self.is_new() else average(self.total, self.visits)
        ### END SOLUTION 7.2


# %% check="7.2"
@check("7.2", "Leaf")
def check_7_2():
    """a new leaf is worth nothing"""
    expect(Leaf(0.0, 0).worth(), 0.0, what="worth")


# %% tags=["experiment"] active="ipynb"
%matplotlib inline
for visits in (1, 10):

    print(average(1.0, visits))  # falls

# %% check="joint" points=5
@check("joint", "everything together")
def check_joint():
    """both together"""
    expect(Leaf(4.0, 2).worth(), 4.0, what="worth")


# %% [markdown] answer="7.3" points=5
# Your answer here.
'''
LINES = SAMPLE.split("\n")


def read_sample(old: str = "", new: str = "") -> ProblemSet:
    """Return the sample set after one change, or the sentence with which `read` refuses it; `old` must be there exactly once."""
    assert not old or SAMPLE.count(old) == 1, f"{SAMPLE.count(old)} times in the sample: {old}"
    return read(SAMPLE.replace(old, new) if old else SAMPLE, "small", "solutions/small.py")


def line_of(text: str) -> int:
    """Return the number of the only line of the sample that holds this text."""
    numbers = [number for number, line in enumerate(LINES, 1) if text in line]
    assert len(numbers) == 1, f"{numbers}: {text}"
    return numbers[0]
