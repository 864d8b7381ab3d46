"""How the platforms read the names of feedback that is uploaded in one zip.

Sources, read in November 2026:

Canvas, its own code, app/models/abstract_assignment.rb in github.com/instructure/canvas-lms (`generate_comments_from_files`,
`infer_comment_context_from_filename`): the name is split at each _, LATE is left out, and the first two pieces that are numbers
are the person and the upload, wherever they stand. After a first piece "anon" they are the two pieces that follow. The file
becomes a comment if the upload is one of this person's in this assignment; otherwise it is ignored.

Moodle, its own code, mod/assign/feedback/file/importziplib.php in github.com/moodle/moodle (`is_valid_filename_for_import`): each
part of the path is split at its first four _; the second piece is the number, the third and the fourth are the plugin. The first
part that can be read so counts. mod/assign/feedback/offline/importgradeslib.php reads the grading worksheet, which must have the
columns Identifier, Grade and Last modified (grade).

Blackboard takes no zip of feedback by itself. Tools that its universities add read the names of its own download.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from autograder.collect.platforms import BLACKBOARD, CANVAS, MOODLE, Platform


@dataclass(frozen=True)
class Upload:
    """What a platform takes back.

    reads: the account to which the platform gives a file of this name, "" for none; None if nobody knows how it reads names.
    column: of a roster, for the number of a person, so that the table of marks has it too; "" if there are only user names.
    """

    platform: Platform
    column: str = ""
    reads: Callable[[str], str] | None = None


def canvas_reads(name: str) -> str:
    """Return the number of the person to whom Canvas gives an uploaded file; "" if it ignores the file."""
    base = name.rpartition("/")[2]
    pieces = [piece for piece in base.split("_") if piece != "LATE"]
    digits = [piece for piece in pieces if re.fullmatch("[0-9]+", piece)]
    who, *upload = pieces[1:3] if pieces[0] == "anon" else digits[:2] or [""]
    return who if upload and not pieces[-1].startswith("link") and not base.startswith("._") else ""


def moodle_reads(name: str) -> str:
    """Return the number of the participant to whom Moodle gives an uploaded file; "" if it ignores the file."""
    if name.rpartition("/")[2].startswith((".", "~")):
        return ""
    for part in name.split("/"):
        pieces = part.split("_", 4)
        # PHP's is_numeric also takes signs, points, exponents and blanks before a number
        if len(pieces) >= 4 and re.fullmatch(r"\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*", pieces[1], re.IGNORECASE | re.ASCII):
            return pieces[1] if pieces[2:4] == ["assignsubmission", "file"] else ""
    return ""


UPLOADS = {
    "canvas": Upload(CANVAS, "canvas_id", canvas_reads),
    "moodle": Upload(MOODLE, "moodle_id", moodle_reads),
    "blackboard": Upload(BLACKBOARD),
}
MAIL = "mail"
WAYS = (*UPLOADS, MAIL)
