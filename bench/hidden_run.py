"""The cost of grading one submission of each set by all hidden checks, in a warm process: CPU time of grader and sandbox."""
from statistics import median

from autograder.grading.config import Settings
from autograder.grading.edition import public_secret
from autograder.problem_sets.source import load, module_text, released
from autograder.sandbox.profiles import profile_of
from autograder.selftest.regrade import gradings
from autograder.submission.payload import module_payload
from bench import LIMIT, Row, must

GOAL_S, GOAL_WITH_TORCH_S = 0.5, 1.5
TURNS = 5


def rows() -> list[Row]:
    """Core-seconds for our own solution of each set, against the goal."""
    return [_row(name) for name in released()]


def _row(name: str) -> Row:
    ps, seconds = load(name), []
    payload = module_payload(name, module_text(ps, solution=True))
    for cost, graded in gradings(payload, Settings(public_secret()), 1 + TURNS):
        must(graded.report.points == ps.max_points, f"our solution of {name} earned {graded.report.points:g} points")
        seconds.append(cost)
    warm = seconds[1:]     # the first one starts the sandbox
    goal = GOAL_WITH_TORCH_S if "torch" in profile_of(ps.facts).packages else GOAL_S
    how = f"peer: the goal; {name}'s solution by all hidden checks, the least of {TURNS} turns (median {median(warm):.2f} s)"
    return Row(f"hidden_run_{name.partition('_')[0]}", min(warm), goal, "s", 1.0, how, LIMIT)
