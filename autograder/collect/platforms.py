r"""How learning platforms name the members of a bulk download, and every way in which such a name can be read.

A name has a head and a tail. The tail begins with a _ and with what the platform itself writes, a number or a time. It ends with
the path that the student chose, which can contain anything, even a second text that looks like the platform's. The head contains
the platform's name for the student; a student who may choose a display name chooses most of it. So a name may be read in more
than one way, and `readings` returns all of them. The parts are:

    person   the student's name, as the platform writes it
    number   the platform's number of the student
    login    the student's user name, perhaps with a part of the assignment's name before it
    late     present if the platform calls the submission late
    order    the platform's number of the upload; it grows from upload to upload
    time     of the attempt, in the time zone of the course
    file     the path that the student chose; "" for a text typed on the platform itself, or for the platform's own note

Sources, read in November 2026:

Canvas, its own code, lib/content_zipper.rb in github.com/instructure/canvas-lms (`get_filename`, `add_upload_submission`):
`<sortable name>[_LATE]_<user id>_<attachment id>_<file>`. The name is in small letters, with only letters, digits and
underscores. Canvas removes `_<digits>_` from a name first and punctuation afterwards, so that the name `x_-4242_-99_z` is
written `x_4242_99_z`. Text and links are `..._text.html` and `..._link.html`. An anonymous assignment has
`[LATE_]anon_<code>` in place of name and number. A file with a known name gets `-1`, `-2` (`make_unique_filename` in
app/models/attachment.rb). The members' dates are those of the download.

Moodle, its own code, mod/assign/classes/downloader.php in github.com/moodle/moodle (`get_student_prefix`,
`load_submissionplugin_filelist`): a folder `<full name>_<number>_assignsubmission_<plugin>/`, or the same before the file's
name and `_`; the folder of older versions ended in `_`. Each _ of the full name becomes a blank. The number belongs to this one
assignment: it is the `Identifier` of the grading worksheet, not a user id. Anonymous submissions have the word Participant, in
the site's language, for a name. The members' dates are those of the download (`add_file_from_stored_file` in lib/classes of the
zip writer); in older versions they were those of the files.

Blackboard, whose code is not public: the example in nbgrader's own zip_collect plugin, and the tools BBGradebookOrganiser
(docs.vangef.net/BBGradebookOrganiser) and parselearn: `gradebook_<course>_<assignment>_<user name>_attempt_<time>_<file>`, and
`..._attempt_<time>.txt` for each attempt, a note with `Name:`, `Date Submitted:` and the names of the files. Other languages have
another word for "attempt".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True)
class Platform:
    """How one platform names the files in its downloads.

    head, tail: of a name; every _ may be the first letter of the tail.
    nameless: whole names without a student's name.    nobody: the word for a person whose name is hidden.
    columns: of the roster, which may contain `number` or `login`; the first one that does counts.
    lasting: whether `number` is the person's in all assignments.
    roster: whether nobody can be placed without one.
    titled: whether the assignment's title comes before `login`.
    versions: whether `-1`, `-2` before the ending mean that a name had been used before.
    """

    name: str
    head: re.Pattern[str] | None = None
    tail: re.Pattern[str] | None = None
    nameless: re.Pattern[str] | None = None
    nobody: str = ""
    columns: tuple[str, ...] = ()
    lasting: bool = False
    roster: bool = False
    titled: bool = False
    versions: bool = False


@dataclass(frozen=True)
class Handed:
    """What the name of a member says; the fields are the parts above, "" where a part is missing."""

    person: str = ""
    number: str = ""
    login: str = ""
    late: str = ""
    order: str = ""
    time: str = ""
    file: str = ""
    nameless: bool = False

    @property
    def who(self) -> tuple[str, str, str]:
        """The person of the platform."""
        return self.person, self.number, self.login


_ID = "(?:0|[1-9][0-9]{0,17})"  # as databases number their rows
_UPLOAD = rf"(?:(?P<order>{_ID})_(?P<file>.+)|(?:text|link)\.html)"
CANVAS = Platform(
    "Canvas",
    head=re.compile(r"(?P<person>\w*?)(?P<late>_LATE)?"),
    tail=re.compile(rf"_(?P<number>{_ID})_{_UPLOAD}", re.DOTALL),
    nameless=re.compile(rf"(?P<late>LATE_)?anon_(?P<number>[^\W_]+)_{_UPLOAD}", re.DOTALL),
    columns=("canvas_id", "canvas_user_id"), lasting=True, roster=True, versions=True,
)  # fmt: skip
MOODLE = Platform(
    "Moodle",
    head=re.compile(r"(?P<person>[^/]*)"),
    tail=re.compile(r"_(?P<number>[0-9]+)_assignsubmission_(?:file(?:_?/|_)(?P<file>.+)|(?!file)[a-z]+(?:_?/|_).+)", re.DOTALL),
    nobody="participant", columns=("moodle_id",), roster=True,
)  # fmt: skip
BLACKBOARD = Platform(
    "Blackboard",
    head=re.compile(r"(?P<login>[^/]+)"),
    tail=re.compile(r"_[^\W\d_]+_(?P<time>[0-9]{4}(?:-[0-9]{2}){5})(?:_(?P<file>.+)|\.txt)", re.DOTALL),
    columns=("username", "blackboard_username", "sis_login_id", "id"), titled=True,
)  # fmt: skip
PLAIN = Platform("plain", columns=("id", "username", "sis_login_id", "sis_user_id", "id_number", "email"))
MOST_WAYS = 20
_KNOWN = (CANVAS, MOODLE, BLACKBOARD)


def readings(platform: Platform, path: str) -> list[Handed]:
    """Return every way in which a member's path can be read on this platform; none if the platform writes no such name.

    A name with MOST_WAYS readings is not given to anybody; it may have more.
    """
    if platform.head is None or platform.tail is None:
        return []
    ways = []
    if platform.nameless and (whole := platform.nameless.fullmatch(path)):
        ways.append(replace(Handed(**_parts(whole)), nameless=True))
    for underscore in re.finditer("_", path):
        tail = platform.tail.fullmatch(path, underscore.start())
        head = platform.head.fullmatch(path, 0, underscore.start()) if tail else None
        if head and tail:
            handed = Handed(**(_parts(head) | _parts(tail)))
            ways.append(replace(handed, nameless=bool(platform.nobody) and handed.person.casefold() == platform.nobody))
        if len(ways) >= MOST_WAYS:
            break
    return ways


def _parts(match: re.Match[str]) -> dict[str, Any]:
    return {name: text or "" for name, text in match.groupdict().items()}


def recognise(paths: Sequence[str]) -> tuple[Platform, str]:
    """Return the platform that named at least half of these members, and the folder around all of them: "download/" or "".

    A zip that no platform named is plain; its folder, if there is one, stays a part of the paths.
    """
    top = paths[0].partition("/")[0] + "/" if paths else ""
    around = top if len(top) > 1 and all(path.startswith(top) for path in paths) else ""
    for folder in dict.fromkeys(("", around)):
        counts = {known: sum(bool(readings(known, path.removeprefix(folder))) for path in paths) for known in _KNOWN}
        best = max(_KNOWN, key=counts.__getitem__)
        if counts[best] and 2 * counts[best] >= len(paths):
            return best, folder
    return PLAIN, ""
