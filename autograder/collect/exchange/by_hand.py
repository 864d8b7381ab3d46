"""nbgrader's zip_collect as staff run it by hand: its own plugin, except that it takes no file with nbgrader's time or key."""

from __future__ import annotations

import os
from pathlib import PurePath

from nbgrader.plugins import FileNameCollectorPlugin

from autograder.plain_text import one_line
from autograder.submission.gate import SECRET, TIMESTAMP


class GuardedCollector(FileNameCollectorPlugin):
    """nbgrader's collector; `c.FileNameCollectorPlugin` configures it as usual."""

    def collect(self, submitted_file: str) -> dict[str, str] | None:
        """Return what nbgrader's own returns; None for a file that would become nbgrader's, or would be outside its folder."""
        answer: dict[str, str] | None = super().collect(submitted_file)
        if answer is None or not isinstance(answer.get("file_id"), str):
            return answer
        # the name that zip_collect makes of it, after its last transformation
        name = os.path.normpath(os.path.splitext(answer["file_id"])[0] + os.path.splitext(submitted_file)[1])
        if name.casefold() in (TIMESTAMP, SECRET) or PurePath(name).is_absolute() or ".." in PurePath(name).parts:
            self.log.warning(f"not collected: {one_line(submitted_file)}: students may not hand in {one_line(name)!r}")
            return None
        return answer
