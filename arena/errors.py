"""Errors that a person must put right: one sentence, never a traceback."""

import errno


class UserError(Exception):
    """An error that the user can correct; its text is one clear sentence. `exit_code` is for the command line."""

    exit_code = 2


class Busy(UserError):
    """Another grader is at work on the same course."""

    exit_code = 3


class Interrupted(UserError):
    """Ctrl-C, or SIGTERM: finished work is kept."""

    exit_code = 130


_IN_THE_WAY = {
    errno.ENOENT: "no such file or folder",
    errno.EEXIST: "a file is where a folder is needed",
    errno.ENOTDIR: "a file is where a folder is needed",
    errno.EISDIR: "a folder is where a file must be written",
    errno.ENAMETOOLONG: "the path is too long",
    errno.ELOOP: "the symbolic links in the path form a circle",
}


def explain_os_error(error: OSError) -> str:
    """Return one sentence: what the machine refused, and for which file."""
    path = error.filename2 or error.filename  # os.replace names two paths; the first is our own draft
    where = f" ({path})" if path else ""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"the disk is full{where}: make room and run again, what is finished is kept"
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return f"no permission to write or read{where}: change its owner or mode and run again"
    if error.errno in _IN_THE_WAY:
        return f"{_IN_THE_WAY[error.errno]}{where}: correct the path and run again"
    return f"{error.strerror or error}{where}"
