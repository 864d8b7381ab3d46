"""Python reads this at its start, and then resembles Python on Windows: what only Unix has is gone, and `arena` sees "win32".

Packages of others stay on Linux: those that look at the system while they are imported are imported before.
"""

import asyncio.selector_events  # noqa: F401
import builtins
import os
import select
import signal
import sys
import sysconfig
import warnings

import numpy.random  # noqa: F401
import platformdirs  # noqa: F401

INSTALLED = os.environ.get("ANOTHER_MACHINE_HAS", "").split()  # of the packages that students of the first sets lack
ABSENT = ("fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "syslog", "curses", "readline",  # modules of Unix
          *({"torch", "numba", "rich", "typer", "nbgrader"} - set(INSTALLED)))
for name in INSTALLED:
    __import__(name)
OF_UNIX = {
    os: "chown chroot fchmod fchown fork forkpty getegid geteuid getgid getloadavg getpgid getsid getuid killpg lchown mkfifo "
        "nice pread pwrite sched_getaffinity sched_setaffinity setsid setuid statvfs sysconf uname wait3 wait4 "
        "O_CLOEXEC O_DIRECTORY O_NOFOLLOW O_NONBLOCK",
    select: "epoll poll",
    signal: "alarm getitimer pause pthread_kill pthread_sigmask setitimer sigwait "
            "SIGALRM SIGCHLD SIGHUP SIGKILL SIGPIPE SIGQUIT SIGUSR1",
}
sysconfig.get_config_vars()
for name in ABSENT:
    sys.modules[name] = None  # type: ignore[assignment]  # an import raises ModuleNotFoundError
for module, names in OF_UNIX.items():
    for name in names.split():
        if hasattr(module, name):
            delattr(module, name)
signal.SIGBREAK = signal.SIGUSR2  # type: ignore[attr-defined]  # any other signal does

_import = builtins.__import__


def _importing(name, globals=None, locals=None, fromlist=(), level=0):  # type: ignore[no-untyped-def]
    whose = (globals or {}).get("__name__", "") if level else name
    before, sys.platform = sys.platform, "win32" if whose.partition(".")[0] == "arena" else "linux"
    try:
        return _import(name, globals, locals, fromlist, level)
    finally:
        sys.platform = before


builtins.__import__ = _importing
warnings.filterwarnings("error", category=EncodingWarning, module=r"arena(\.|$)")  # a text file without `encoding=`
