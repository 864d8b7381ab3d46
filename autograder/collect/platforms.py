r"""How learning platforms name the members of a bulk download: a regular expression for each, and what its groups mean.

    person   the student's name, as the platform writes it
    number   the platform's number of the student
    login    the student's user name, perhaps with a part of the assignment's name before it
    late     present if the platform calls the submission late
    order    grows from upload to upload
    time     of the attempt, in the time zone of the course
    file     the path that the student chose

Sources, read in November 2026:

Canvas, its own code, lib/content_zipper.rb in github.com/instructure/canvas-lms (`get_filename`, `add_upload_submission`):
`<sortable name>[_LATE]_<user id>_<attachment id>_<file>`. The name is in small letters, without all that is no letter, digit
or underscore. Text and links are `..._text.html` and `..._link.html`. An anonymous assignment has `[LATE_]anon_<code>` in
place of name and number. A file with a known name gets `-1`, `-2` (`make_unique_filename` in app/models/attachment.rb). The
members' dates are those of the download.

Moodle, its own code, mod/assign/classes/downloader.php in github.com/moodle/moodle (`get_student_prefix`,
`load_submissionplugin_filelist`): a folder `<full name>_<number>_assignsubmission_<plugin>/`, or the same before the file's
name and `_`; the folder of older versions ended in `_`. The number belongs to this one assignment: it is the `Identifier` of
the grading worksheet, and no user id. Anonymous submissions have the word Participant, in the site's language, for a name. The
members' dates are those of the download (`add_file_from_stored_file` in lib/classes of the zip writer); in older versions they
were those of the files.

Blackboard, whose code is not public: the example in nbgrader's own zip_collect plugin, and the tools BBGradebookOrganiser
(docs.vangef.net/BBGradebookOrganiser) and parselearn: `gradebook_<course>_<assignment>_<user name>_attempt_<time>_<file>`, and
`..._attempt_<time>.txt` for each attempt, a note with `Name:`, `Date Submitted:` and the names of the files. Other languages have
another word for "attempt".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Platform:
    """How one platform names what it hands out.

    typed: what a student wrote on the platform itself, or the platform's own notes; there is no file in it.
    columns: of the roster, with what `number` or `login` holds; the first one that has it counts.
    lasting: whether `number` is the person's in all assignments.
    roster: whether nobody can be placed without one.
    titled: whether the assignment's title stands before `login`.
    versions: whether `-1`, `-2` before the ending say that a name had been used before.
    """

    name: str
    files: re.Pattern[str] | None = None
    typed: re.Pattern[str] | None = None
    nameless: re.Pattern[str] | None = None
    columns: tuple[str, ...] = ()
    lasting: bool = False
    roster: bool = False
    titled: bool = False
    versions: bool = False


@dataclass(frozen=True)
class Handed:
    """What the name of a member says; the fields are the groups above, "" where a group is missing."""

    person: str = ""
    number: str = ""
    login: str = ""
    late: str = ""
    order: str = ""
    time: str = ""
    file: str = ""
    nameless: bool = False


_TIME = r"\d{4}(?:-\d\d){5}"

CANVAS = Platform(
    "Canvas",
    files=re.compile(r"(?P<person>\w*?)(?P<late>_LATE)?_(?P<number>\d+)_(?P<order>\d{1,18})_(?P<file>[^/]+)"),
    typed=re.compile(r"(?P<person>\w*?)(?P<late>_LATE)?_(?P<number>\d+)_(?:text|link)\.html"),
    nameless=re.compile(r"(?P<late>LATE_)?anon_(?P<number>[^\W_]+)_(?:(?P<order>\d{1,18})_(?P<file>[^/]+)|(?:text|link)\.html)"),
    columns=("canvas_id", "canvas_user_id"), lasting=True, roster=True, versions=True,
)  # fmt: skip
_STUDENT = r"(?P<person>[^/]*?)_(?P<number>\d+)_assignsubmission_"
MOODLE = Platform(
    "Moodle",
    files=re.compile(_STUDENT + r"file(?:_?/|_)(?P<file>.+)"),
    typed=re.compile(_STUDENT + r"(?!file)[a-z]+(?:_?/|_).+"),
    nameless=re.compile(r"(?P<person>Participant)_(?P<number>\d+)_assignsubmission_file(?:_?/|_)(?P<file>.+)", re.IGNORECASE),
    columns=("moodle_id",), roster=True,
)  # fmt: skip
_ATTEMPT = rf"(?P<login>[^/]+?)_[^\W\d_]+_(?P<time>{_TIME})"
BLACKBOARD = Platform(
    "Blackboard",
    files=re.compile(_ATTEMPT + r"_(?P<file>[^/]+)"),
    typed=re.compile(_ATTEMPT + r"\.txt"),
    columns=("username", "blackboard_username", "sis_login_id", "id"), titled=True,
)  # fmt: skip
PLAIN = Platform("plain", columns=("id", "username", "sis_login_id", "sis_user_id", "id_number", "email"))
_KNOWN = (CANVAS, MOODLE, BLACKBOARD)


def read_name(platform: Platform, path: str) -> Handed | None:
    """Return what a member's path says on this platform; None if the platform writes no such name."""
    for pattern in (platform.nameless, platform.files, platform.typed):
        match = pattern.fullmatch(path) if pattern else None
        if match:
            groups = {name: text or "" for name, text in match.groupdict().items()}
            return Handed(**groups, nameless=pattern is platform.nameless)
    return None


def recognise(paths: Sequence[str]) -> tuple[Platform, str]:
    """Return the platform that named at least half of these members, and the folder around all of them: "download/" or "".

    A zip that no platform named is plain; its folder, if there is one, stays a part of the paths.
    """
    top = paths[0].partition("/")[0] + "/" if paths else ""
    around = top if len(top) > 1 and all(path.startswith(top) for path in paths) else ""
    for folder in dict.fromkeys(("", around)):
        counts = {one: sum(read_name(one, path.removeprefix(folder)) is not None for path in paths) for one in _KNOWN}
        best = max(_KNOWN, key=counts.__getitem__)
        if counts[best] and 2 * counts[best] >= len(paths):
            return best, folder
    return PLAIN, ""
