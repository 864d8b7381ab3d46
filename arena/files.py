"""Files that are whole or absent: atomic writes, and careful reads of files that others wrote."""
import os
import stat
from pathlib import Path

# Windows has O_BINARY in place of the others: without it, line ends change on the way.
_CAREFUL = sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"))


def write_atomic(path: Path | str, content: str | bytes, mode: int = 0o666) -> None:
    """Replace `path` by `content` in one step: a reader, also after a killed run, finds the old file or the new one.

    Args:
        content: text (written as UTF-8, newlines as they are) or bytes.
        mode: the permissions at most, from the first moment; the umask of the process takes away from them, as from those of
            every new file.

    Parent folders are made. A symlink at `path` is replaced, not followed.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    data = content.encode() if isinstance(content, str) else content
    # in the same folder because a rename is atomic only within one file system
    temporary = path.with_name(f".{path.name[:40]}.{os.urandom(6).hex()}.tmp")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _CAREFUL, mode)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def write_if_changed(path: Path | str, content: str | bytes, mode: int = 0o666) -> bool:
    """Write `content` atomically unless the file holds it already; return whether the file was written."""
    data = content.encode() if isinstance(content, str) else content
    if read_regular(path, len(data) + 1) == data:
        return False
    write_atomic(path, data, mode)
    return True


def read_regular(path: Path | str, limit: int, dir_fd: int | None = None) -> bytes | None:
    """Read a regular file of at most `limit` bytes; None if it is absent, larger, a link, a pipe or unreadable.

    For files in folders that students fill: it follows no link, and a pipe does not block it. With `dir_fd` the path begins in
    this open folder.
    """
    try:
        if not hasattr(os, "O_NOFOLLOW") and Path(path).is_symlink():
            return None
        descriptor = os.open(path, os.O_RDONLY | _CAREFUL, dir_fd=dir_fd)
    except (OSError, ValueError):  # ValueError: a name with a null byte
        return None
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode) or status.st_size > limit:
        os.close(descriptor)  # fdopen would raise for a folder
        return None
    with os.fdopen(descriptor, "rb") as file:
        data = file.read(limit + 1)
    return data if len(data) <= limit else None
