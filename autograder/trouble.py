"""Errors that a person must put right: one sentence, never a traceback."""

import errno


class Trouble(Exception):
    """Something the user can mend; the text is one clear sentence. `exit_code` is what the command line returns."""

    exit_code = 2


class Busy(Trouble):
    """Another grader is at work on the same course."""

    exit_code = 3


class Interrupted(Trouble):
    """Ctrl-C, or a polite SIGTERM: what was finished is kept."""

    exit_code = 130


def explain_os_error(error: OSError) -> str:
    """Say in one sentence what the machine refused, and about which file."""
    where = f" ({error.filename})" if error.filename else ""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"the disk is full{where}: make room and run again, what is finished is kept"
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return f"no permission to write or read{where}: change its owner or mode and run again"
    return f"{error.strerror or error}{where}"
