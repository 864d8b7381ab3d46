"""The settings of a course folder's nbgrader_config.py, with which nbgrader's own commands grade as the autograder does.

nbgrader reads the file in every command and in formgrader, so nothing slow is imported here.
"""
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from autograder.problem_sets.notebook import RELEASE_STEPS
from autograder.problem_sets.source import names

OURS = "autograder.gradebook.preprocessors"
THEIRS = "nbgrader.preprocessors"

CONFIG_FILE = '''"""Read by every nbgrader command that runs in this folder, and by formgrader."""
from autograder.gradebook.settings import configure

c = get_config()
c.CourseDirectory.course_id = {course_id!r}
configure(c)  # the autograder's part; your own settings go below this line
'''

# Only the autograder's working folders: their files belong to no student's assignment.
IGNORE = [".ipynb_checkpoints", "*.pyc", "__pycache__", "feedback", ".work", ".cache", "*.tmp"]


def configure(c: Any) -> None:
    """Set the values that grading by reports needs in an nbgrader configuration.

    Args:
        c: the configuration object, `get_config()` in nbgrader_config.py.
    """
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
    c.HTMLExporter.sanitize_html = True
    # our templates come first: nbconvert's templates load MathJax from another server
    c.HTMLExporter.extra_template_basedirs = [str(Path(__file__).parent / "templates"), *_nbgraders_templates()]
    # nbgrader's templates ignore sanitize_html when they render markdown
    c.HTMLExporter.filters = {
        "markdown2html": "autograder.gradebook.feedback.filters.markdown",
        "highlight_code": "autograder.gradebook.feedback.filters.highlight",
    }


def _nbgraders_templates() -> list[str]:
    """The folders of nbgrader's templates for feedback and formgrader; nbgrader drops them if a course names a folder."""
    found = find_spec("nbgrader")  # without importing it
    places = found.submodule_search_locations if found else None
    return [str(Path(place, "server_extensions", "formgrader", "templates")) for place in places or ()]
