"""The list of mutation operators: a new kind of mutant is a function in one of these modules, and its name here."""

from collections.abc import Callable, Iterator

from autograder.selftest.mutants import expressions, habits, statements
from autograder.selftest.mutants.places import Place, Replacement
from autograder.selftest.mutants.scope import Scope

OPERATORS: tuple[Callable[[Place, Scope], Iterator[Replacement]], ...] = (
    expressions.arithmetic, expressions.minus_zero, expressions.comparison, expressions.boolean, expressions.constant,
    expressions.one_off, expressions.arguments, expressions.unwrapped, expressions.neighbour, expressions.branch,
    statements.dropped, statements.condition, statements.loop, statements.cut_short, statements.assignment, statements.order,
    statements.error, statements.default, habits.shared, habits.chance, expressions.variable,
)  # the order matters: if two operators make the same mistake, it counts for the first one
