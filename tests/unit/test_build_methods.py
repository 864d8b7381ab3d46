"""A class that grows from cell to cell: @method_of, and classes that are given."""

from autograder.problem_sets.source import ProblemSet, read

SCRIPT = '''\
# %% [markdown]
# # A class in parts

# %%
def method_of(owner):
    """Put the function below into a class."""
    return lambda function: setattr(owner, function.__name__, function)


class Pair:
    """A given class."""


class Small:
    """A game."""


class Large:
    """Another."""

# %% exercise="7.1" title="size" points=40
@method_of(Small)
def size(self) -> Pair:
    """Return the size."""
    # TODO 7.1: 1 line.
    ### BEGIN SOLUTION 7.1
    return Pair()
    ### END SOLUTION 7.1


@method_of(Large)
def size(self) -> Pair:
    """Return the size."""
    # TODO 7.1: 1 line.
    ### BEGIN SOLUTION 7.1
    return Pair()
    ### END SOLUTION 7.1

# %% check="7.1"
@check("7.1", "size")
def check_7_1():
    """sizes"""

# %% exercise="7.2" title="twice" points=55
def twice(game) -> tuple:
    """Return the size, twice."""
    # TODO 7.2: 1 line.
    ### BEGIN SOLUTION 7.2
    return game.size(), game.size()
    ### END SOLUTION 7.2

# %% check="7.2"
@check("7.2", "twice")
def check_7_2():
    """twice"""

# %% check="joint" points=5
@check("joint", "all")
def check_joint():
    """all"""
'''


def sample() -> ProblemSet:
    return read(SCRIPT, "ps7_sample", "solutions/ps7_sample.py")


def test_a_function_under_method_of_is_a_method_of_the_class():
    ps = sample()
    assert ps.exercise("7.1").functions == ("Small.size", "Large.size")
    assert ps.exercise("7.2").calls == ("7.1",)


def test_the_stub_keeps_the_decorator_and_names_the_exercise():
    stub = next(cell.stub for cell in sample().cells if cell.role == "exercise")
    assert stub.count("@method_of(") == 2
    assert stub.count('raise NotImplementedError("exercise 7.1 (size) is not written yet")') == 2


def test_ours_goes_into_the_class_by_the_grader_s_hand_alone():
    assert all(source.startswith("def size(self)") for _, source in sample().reference(["7.1"]).functions)


def test_given_classes_are_the_student_s_own():
    """objects of our class would equal none of the student's objects"""
    assert "class Pair" not in sample().reference(["7.1"]).imports
