"""Find the bug in this tree: trees that a search with one mistake has grown, and the solver that knows the only right answer.

Nothing here is handed out. The lessons of `solutions/` hold one tree each, as data; the hidden checks ask the solver.
"""

from autograder.problem_sets.bug_trees.puzzle import FAMILIES, Answer, Puzzle, answers, draw, drawn

__all__ = ["FAMILIES", "Answer", "Puzzle", "answers", "draw", "drawn"]
