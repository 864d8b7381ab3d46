"""The late rule of course.toml as nbgrader's plugin; nbgrader_config.py names it if the file has a table [late]."""

from datetime import timedelta

from nbgrader.plugins import BasePlugin
from traitlets import Float

from autograder.gradebook.policy.course_file import LateRule


class CourseLateRule(BasePlugin):
    """Deduct points from late work as course.toml says; `settings.configure` sets the four values from that file."""

    grace_minutes = Float(LateRule.grace_minutes).tag(config=True)
    percent_per_day = Float(LateRule.percent_per_day).tag(config=True)
    most_percent = Float(LateRule.most_percent).tag(config=True)
    last_day = Float(LateRule.last_day).tag(config=True)

    def late_submission_penalty(self, student_id: str, score: float, total_seconds_late: float) -> float:
        """Return the points that are deducted from `score`. `total_seconds_late` counts from the student's own due date."""
        rule = LateRule(self.grace_minutes, self.percent_per_day, self.most_percent, self.last_day)
        return rule.penalty(score, timedelta(seconds=total_seconds_late))
