"""Find the bug in this tree: one answer of a submission, judged by the solver, and remembered for the course that limits them."""

from autograder.grading.hidden_checks.known_mistakes import recognise
from autograder.grading.hidden_checks.one_answer import remember
from autograder.grading.hidden_checks.student_proxy import Student
from autograder.problem_sets.bug_trees import FAMILIES, answers, drawn
from autograder.problem_sets.bug_trees.edition import EDITION


def names_the_mistake(student: Student, ps: str) -> None:
    """Insist that `first_wrong_node` gives the only right answer to the tree of the present edition."""
    rows = drawn(ps).rows
    (right,) = answers(ps, rows)
    node, kind = student.first_wrong_node()
    names, kinds = [row[0] for row in rows], FAMILIES[ps].kinds
    recognise(kind in names and node in kinds,
              {"Which of the two comes first in your answer: the name of the node, or the mistake?": True})
    if node in names and kind in kinds:  # no guess else: it cannot be right
        remember(EDITION, f"{node}: {kind}")
    assert (node, kind) == right
