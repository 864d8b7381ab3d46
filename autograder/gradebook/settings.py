"""The settings of a course folder's nbgrader_config.py, with which nbgrader's own commands grade as the autograder does.

nbgrader reads the file in every command and in formgrader, so nothing slow is imported here.
"""
import os
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from arena.errors import UserError
from autograder.gradebook.policy.course_file import read_course_file
from autograder.modes import umask_of
from autograder.problem_sets.notebook import RELEASE_STEPS
from autograder.problem_sets.source import names

OURS = "autograder.gradebook.preprocessors"
THEIRS = "nbgrader.preprocessors"
COLLECT = "autograder.collect.exchange.step.GuardedCollect"  # by name, because they are in a higher layer
ZIP_COLLECTOR = "autograder.collect.exchange.by_hand.GuardedCollector"
RELEASE = "autograder.gradebook.feedback.release"

CONFIG_FILE = '''"""Read by every nbgrader command that runs in this folder, and by formgrader."""
from autograder.gradebook.settings import configure

c = get_config()
c.CourseDirectory.course_id = {course_id!r}
configure(c, __file__)  # the autograder's settings, and those of course.toml; put your own settings below this line
'''

LATE_RULE = "autograder.gradebook.policy.late_rule.CourseLateRule"
EXPORT = "nbgrader_grades.csv"  # of `nbgrader export`: with marks by hand and late penalties

# Only the autograder's working folders: their files are not part of any assignment.
IGNORE = [".ipynb_checkpoints", "*.pyc", "__pycache__", "feedback", ".work", ".cache", "*.tmp"]


def configure(c: Any, config_file: str | None = None) -> None:
    """Set the values that grading by reports needs in an nbgrader configuration.

    Args:
        c: the configuration object, `get_config()` in nbgrader_config.py.
        config_file: the path of nbgrader_config.py; the late rule of the course.toml beside it becomes nbgrader's late plugin,
            and what this process writes from now on is for those who may read the folder beside it.

    Raises:
        SystemExit: course.toml cannot be read. nbgrader would go on after any other error, and without these settings.
    """
    from autograder.gradebook.nbgrader_patches import guard_commands  # imported late: it needs nbgrader

    guard_commands()
    c.ExchangeFactory.collect = COLLECT
    c.ZipCollectApp.collector_plugin = ZIP_COLLECTOR
    c.CourseDirectory.ignore = IGNORE
    c.GenerateAssignment.preprocessors = RELEASE_STEPS
    # Execute is missing, because a student's code runs only in the sandbox. CheckCellMetadata is missing, because the clean
    # notebook has the release's metadata, which were checked there; the check would cost a third of a recording.
    c.Autograde.sanitize_preprocessors = [
        f"{OURS}.CleanSubmission",
        f"{THEIRS}.OverwriteKernelspec",
        f"{THEIRS}.OverwriteCells",
    ]
    c.Autograde.autograde_preprocessors = [f"{OURS}.ApplyReport", f"{THEIRS}.AssignLatePenalties"]
    # students edit the released module; nbgrader would overwrite it with the stub
    c.Autograde.exclude_overwriting = {name: [f"{name}.py", "pytest.ini"] for name in names()}
    c.ExportPlugin.to = EXPORT  # nbgrader's own choice is grades.csv, which is ours
    c.HTMLExporter.sanitize_html = True
    # our templates come first: nbconvert's templates load MathJax from another server
    c.HTMLExporter.extra_template_basedirs = [str(Path(__file__).parent / "templates"), *_nbgraders_templates()]
    # nbgrader's templates ignore sanitize_html when they render markdown
    c.HTMLExporter.filters = {
        "markdown2html": "autograder.gradebook.feedback.filters.markdown",
        "highlight_code": "autograder.gradebook.feedback.filters.highlight",
        "marking": "autograder.gradebook.marking.marking",
    }
    c.HTMLExporter.extra_template_paths = [str(Path(folder).parent) for folder in _nbgraders_templates()]
    if config_file is not None:
        _late_rule(c, Path(config_file).parent)
        _modes(c, umask_of(Path(config_file).parent))


def _modes(c: Any, umask: int) -> None:
    """Give nbgrader's files the modes of the course; nbgrader sets its own, whatever the umask says.

    Files in the exchange are for students, who could not read a copy with the mode of our file.
    """
    os.umask(umask)
    for converter, mode in {"Autograde": 0o440, "GenerateFeedback": 0o660, "GenerateSolution": 0o660}.items():
        c[converter].permissions = int(f"{mode & ~umask:o}")  # nbgrader reads the decimal digits as octal ones
    c.ExchangeFactory.release_assignment = f"{RELEASE}.ReleaseAssignment"
    c.ExchangeFactory.release_feedback = f"{RELEASE}.ReleaseFeedback"


def _nbgraders_templates() -> list[str]:
    """The folders of nbgrader's templates for feedback and formgrader; nbgrader drops them if a course names a folder."""
    package = find_spec("nbgrader")  # without importing it
    places = package.submodule_search_locations if package else None
    return [str(Path(place, "server_extensions", "formgrader", "templates")) for place in places or ()]


def _late_rule(c: Any, course: Path) -> None:
    """Make the late rule of course.toml nbgrader's late plugin."""
    try:
        rule = read_course_file(course).late
    except UserError as error:
        raise SystemExit(f"autograder: {error}") from None
    if rule is not None:
        c.AssignLatePenalties.plugin_class = LATE_RULE
        c.CourseLateRule.update(asdict(rule))
