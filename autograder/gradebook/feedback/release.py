"""nbgrader's steps that put something into the exchange, where students can read it although the course is closed to them."""
from pathlib import Path

from nbgrader.exchange.default import ExchangeReleaseAssignment, ExchangeReleaseFeedback
from nbgrader.utils import self_owned

from autograder.modes import for_students


class ReleaseAssignment(ExchangeReleaseAssignment):
    """nbgrader's release_assignment; everybody can also open the folders above a new exchange."""

    def start(self) -> None:
        """Release the set."""
        with for_students():
            super().start()


class ReleaseFeedback(ExchangeReleaseFeedback):
    """nbgrader's release_feedback, which would leave the pages in the exchange with the mode that they have in the course.

    A page has an unguessable name there, in a folder that cannot be listed: its student alone finds it.
    """

    def start(self) -> None:
        """Release the pages."""
        with for_students():
            super().start()

    def copy_files(self) -> None:
        """Copy the pages, and open those that are ours; another instructor's are open already."""
        super().copy_files()
        for page in Path(self.dest_path).glob("*.html"):
            if self_owned(page):
                page.chmod(page.stat().st_mode & 0o777 | 0o444)
