"""Commands of students with a Unix account of their own, as on a machine that a class shares."""

import subprocess
import sys
import sysconfig
from pathlib import Path

USERS = ("daemon", "games", "nobody")  # accounts that every Linux has
ROOMS = ("/mnt", "/media", "/srv")  # where Python can be shown to them: its own folder may be closed


def as_user(user: str, home: Path, *arguments: str, repository: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run this Python with `arguments` as another user, in `home`. Only for root; the mounts end with the command.

    Args:
        repository: a working copy that this user may import, such as the account of the grader.
    """
    shown = "" if repository is None else "$ROOM/repository:"
    mounted = "" if repository is None else f"mkdir $ROOM/repository; mount --bind '{repository}' $ROOM/repository"
    base, site = Path(sys.base_prefix), Path(sysconfig.get_path("purelib"))
    room = next(path for path in map(Path, ROOMS) if path.is_dir() and path not in (*base.parents, *site.parents, *home.parents))
    script = f"""
        ROOM={room}
        mount -t tmpfs -o mode=0755 tmpfs {room}
        mkdir {room}/python {room}/site
        mount --bind '{base}' {room}/python
        mount --bind '{site}' {room}/site
        {mounted}
        cd '{home}'
        exec setpriv --reuid {user} --regid "$(id -g {user})" --clear-groups \\
            env -i PATH=/usr/bin:/bin HOME='{home}' LANG=C.UTF-8 PYTHONPATH={shown}{room}/site PYTHONHOME={room}/python \\
            LD_LIBRARY_PATH={room}/python/lib PYTHONDONTWRITEBYTECODE=1 \\
            {room}/python/bin/{Path(sys.executable).resolve().name} "$@"
    """
    command = ["unshare", "--mount", "--propagation", "private", "sh", "-euc", script, "sh", *arguments]
    return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=300)
