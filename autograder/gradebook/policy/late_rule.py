"""The late rule of course.toml as nbgrader's plugin; nbgrader_config.py names it if the file has a table [late]."""

from dataclasses import asdict
from datetime import timedelta

from nbgrader.plugins import BasePlugin
from traitlets import Float

from autograder.gradebook.policy.course_file import LateRule


class CourseLateRule(BasePlugin):
    """Deduct points from late work as course.toml says.

    For each field of `LateRule` the plugin has a value of the same name, which `settings.configure` sets from that file.
    """

    vars().update({name: Float(default).tag(config=True) for name, default in asdict(LateRule()).items()})

    def late_submission_penalty(self, student_id: str, score: float, total_seconds_late: float) -> float:
        """Return the points that are deducted from `score`. `total_seconds_late` counts from the student's own due date."""
        rule = LateRule(**{name: getattr(self, name) for name in asdict(LateRule())})
        return rule.penalty(score, timedelta(seconds=total_seconds_late))
