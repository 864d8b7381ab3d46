"""How near a right answer comes to the time limit of an exercise: CPU time of the student's code, for all banks of right answers.

A right answer that needs most of the limit loses points on a slow machine. So the checks ask for sizes that a plain way can
do as well, and this figure says how much room is left.
"""
from concurrent.futures import ProcessPoolExecutor

from autograder.grading.config import Settings
from autograder.grading.edition import public_secret
from autograder.grading.grade import grade_read
from autograder.grading.hidden_checks.collect import hidden_suite
from autograder.grading.hidden_checks.suite_run import cpu_limit
from autograder.grading.reference import module_submission
from autograder.paths import REPOSITORY
from autograder.problem_sets.bank.answers import Answer, load_bank, submission_text
from autograder.problem_sets.source import load, released
from autograder.workers.capacity import workers_that_fit
from bench import LIMIT, Row, must


def rows() -> list[Row]:
    """The seconds of a right answer to each set where it comes nearest to an exercise's limit, against that limit."""
    return [_row(name) for name in released()]


def _row(name: str) -> Row:
    right = load_bank(REPOSITORY / "tests" / "right" / f"{name}.py")
    with ProcessPoolExecutor(workers_that_fit()) as pool:
        _, seconds, limit, id, title = max(pool.map(_nearest, [name] * len(right), right))
    how = f"peer: the limit of {id}; of {len(right)} right answers {title!r} comes nearest to a limit"
    return Row(f"slowest_right_answer_{name.partition('_')[0]}", seconds, limit, "s", 2.0, how, LIMIT)


def _nearest(name: str, answer: Answer) -> tuple[float, float, float, str, str]:
    """Return where an answer comes nearest to a limit: the share, CPU seconds, the limit, the exercise, the answer's title."""
    ps = load(name)
    graded = grade_read(module_submission(ps, submission_text(ps, answer)), Settings(public_secret()))
    parts = graded.parts["parts"] if graded.parts else {}
    must(graded.report.points == ps.max_points and bool(parts),
         f"{name}: the right answer {answer.title!r} earned {graded.report.points:g} points")
    suite = hidden_suite(name).checks
    limits = {id: cpu_limit([check for check in suite if check.exercise == id]) for id in {check.exercise for check in suite}}
    return max((parts[id]["cpu_s"] / limit, parts[id]["cpu_s"], limit, id, answer.title) for id, limit in limits.items())
