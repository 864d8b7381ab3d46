"""The system calls that student code must not use, as a filter that bubblewrap loads."""

from __future__ import annotations

import ctypes
import errno
import os
import resource
import signal
import tempfile
from collections.abc import Callable
from functools import lru_cache

from autograder.sandbox.bubblewrap import INSTALL_HINT, SandboxUnavailable

# Each is a way out of a sandbox, into another process, or to memory that no limit counts.
FORBIDDEN = (
    *("keyctl", "add_key", "request_key"),
    *("shmget", "shmat", "shmctl", "shmdt", "msgget", "msgsnd", "msgrcv", "msgctl", "semget", "semop", "semtimedop", "semctl"),
    *("syslog", "ptrace", "process_vm_readv", "process_vm_writev", "kcmp", "process_madvise", "pidfd_getfd"),
    *("unshare", "setns", "mount", "umount2", "pivot_root", "open_tree", "move_mount", "fsopen", "fsmount"),
    *("bpf", "perf_event_open", "userfaultfd", "memfd_create", "memfd_secret", "mbind", "migrate_pages", "move_pages"),
    *("io_uring_setup", "io_uring_enter", "io_uring_register"),
    *("splice", "tee", "vmsplice", "modify_ldt", "fanotify_init", "fspick", "fsconfig", "mount_setattr", "iopl", "acct"),
    *("init_module", "finit_module", "delete_module", "kexec_load", "open_by_handle_at", "quotactl", "quotactl_fd", "swapon",
      "swapoff"),
)
# A worker has one socket, made by the grader, in the host's network; nothing else is sent, named or set. A new pipe or socket
# would take the next of the numbers that the kernel counts for the whole host, and another sandbox could read how many were
# taken. Messages with descriptors in them count for the user.
ONE_SOCKET = ("pipe", "pipe2", "socket", "socketpair", "bind", "connect", "listen", "accept", "accept4", "setsockopt", "sendmsg",
              "sendmmsg")
# The mounted files belong to the host, and other sandboxes see the same files. Each of these calls leaves a trace at such a
# file, waits there for others, asks what others did with it, or keeps the host busy with it.
LEAVING_TRACES = (
    *("utime", "utimes", "futimesat", "utimensat", "chmod", "fchmod", "fchmodat", "chown", "fchown", "lchown", "fchownat"),
    *("setxattr", "lsetxattr", "fsetxattr", "removexattr", "lremovexattr", "fremovexattr"),
    *("flock", "inotify_init", "inotify_init1", "inotify_add_watch", "fanotify_mark"),
    *("fadvise64", "readahead", "mincore", "sync", "syncfs", "fsync", "fdatasync", "sync_file_range"),
    *("mq_open", "mq_unlink", "mq_timedsend", "mq_timedreceive", "mq_notify", "mq_getsetattr"),
)
# Numbers that the kernel counts for the whole host: processes, mounts, memory, load.
COUNTERS = ("pidfd_open", "name_to_handle_at", "sysinfo", "ustat", "sysfs", "io_setup", "remap_file_pages", "process_mrelease",
            "membarrier")
# Calls that tell whether a page was in memory, and nothing else that the older calls could not do: as on a kernel without them.
MISSING = ("preadv2", "pwritev2", "clone3", "futex_waitv")
# Calls that the kernel got after this list was written: ENOSYS, as from an older kernel. Their numbers are the same on every
# machine; the last call that was checked is 450, set_mempolicy_home_node.
UNKNOWN = range(451, 640)
# The allowed uses of fcntl: copies of a descriptor, its flags, and a pipe's size (no locks, leases, notes, or signals).
DESCRIPTORS_ONLY = (0, 1, 2, 3, 4, 1030, 1031)
CLONE_NEWUSER, CLONE_PIDFD, SOL_SOCKET = 0x10000000, 0x1000, 1
MSG_OOB, FLAGS_OF = 1, {"sendto": 3, "recvfrom": 3, "recvmsg": 2, "recvmmsg": 3}
SO_COOKIE, SO_PEERPIDFD = 57, 77
MAP_KIND, MAP_SHARED, MAP_SHARED_VALIDATE, MAP_ANONYMOUS, MAP_HUGETLB = 0x0F, 1, 3, 0x20, 0x40000
# Advice about memory that only its own process feels. The rest changes pages that others use too, or looks for equal ones.
ADVICE = (0, 1, 2, 3, 4, 8, 10, 11, 14, 15, 16, 17, 18, 19)
# The kernel's futex operations. Without the private flag, one on a page of a mounted file reaches all who use this file.
FUTEX_OPERATIONS, FUTEX_PRIVATE, FUTEX_WAITS = range(14), 0x80, (0, 9)
# Who may be made faster or slower: 0, which is oneself.
SCHEDULING = ("sched_setaffinity", "sched_setscheduler", "sched_setparam", "sched_setattr")
PRIO_USER, PR_SCHED_CORE, PR_SET_MEMORY_MERGE, GRND_RANDOM = 2, 62, 67, 2
# By the second byte of its number, a request asks the host's network for its settings and counters, or the random devices.
IOCTL_KIND, ASKING_THE_HOST = 0xFF00, (0x8900, 0x5200)
_ALLOW, _ERRNO, _NOT_EQUAL, _GREATER, _MASKED_EQUAL = 0x7FFF0000, 0x00050000, 1, 6, 7
_OPTIMIZE, _TREE = 8, 2
_INT = 0xFFFFFFFF  # the kernel reads an int, and the upper half of the register may hold anything


class _Comparison(ctypes.Structure):
    _fields_ = [("arg", ctypes.c_uint), ("op", ctypes.c_int), ("a", ctypes.c_uint64), ("b", ctypes.c_uint64)]


class SeccompMissing(SandboxUnavailable):
    """libseccomp is not installed on this host."""


@lru_cache(maxsize=1)
def filter_bytes() -> bytes:
    """Return the compiled filter: EPERM for the calls above, and the special cases of `_add_special_cases`.

    Raises:
        SeccompMissing: libseccomp.so.2 is not installed.
    """
    library = _library()
    context = library.seccomp_init(_ALLOW)
    library.seccomp_attr_set(context, _OPTIMIZE, _TREE)  # it runs often; an older libseccomp has no tree, and is only slower
    for name in (*FORBIDDEN, *ONE_SOCKET, *LEAVING_TRACES, *COUNTERS):
        _add(library, context, name, errno.EPERM)
    for name in MISSING:
        _add(library, context, name, errno.ENOSYS)
    for number in UNKNOWN:
        _add_number(library, context, number, errno.ENOSYS)
    _add_special_cases(library, context)
    with tempfile.TemporaryFile() as file:
        if library.seccomp_export_bpf(context, file.fileno()) != 0:
            raise SeccompMissing("libseccomp could not compile the filter")
        os.lseek(file.fileno(), 0, os.SEEK_SET)
        return file.read()


def _library() -> ctypes.CDLL:
    try:
        library = ctypes.CDLL("libseccomp.so.2")
    except OSError as error:
        raise SeccompMissing(f"libseccomp (libseccomp.so.2) was not found: {INSTALL_HINT}") from error
    library.seccomp_init.restype = ctypes.c_void_p
    library.seccomp_rule_add_array.argtypes = [ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int, ctypes.c_uint, ctypes.c_void_p]
    library.seccomp_attr_set.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_uint32]
    library.seccomp_export_bpf.argtypes = [ctypes.c_void_p, ctypes.c_int]
    return library


def _add_special_cases(library: ctypes.CDLL, context: int) -> None:
    """Forbid some uses of calls that all programs need."""

    def forbid(name: str, *comparisons: _Comparison, error: int = errno.EPERM) -> None:
        _add(library, context, name, error, *comparisons)

    forbid("clone", _has(0, CLONE_NEWUSER))
    forbid("clone", _has(0, CLONE_PIDFD))
    for name, place in FLAGS_OF.items():  # urgent bytes on a unix socket: nobody needs them, and kernels had security holes there
        forbid(name, _has(place, MSG_OOB))
    # If a process ignores SIGCHLD, its children end without an account, and nobody counts their CPU time. With 0 it only asks.
    forbid("rt_sigaction", _is(0, signal.SIGCHLD), _Comparison(1, _NOT_EQUAL, 0, 0))
    forbid("prlimit64", _Comparison(0, _NOT_EQUAL, 0, 0))  # for example the zygote's, if both run as one user
    forbid("prlimit64", _is(1, resource.RLIMIT_CORE), _Comparison(2, _NOT_EQUAL, 0, 0))  # see NO_CRASH_REPORT in sandbox.py
    forbid("setrlimit", _is(0, resource.RLIMIT_CORE))
    _forbid_all_but("fcntl", 1, DESCRIPTORS_ONLY, forbid)
    for kind in (MAP_SHARED, MAP_SHARED_VALIDATE):  # of a file: a futex in it wakes processes elsewhere that use the file
        forbid("mmap", _Comparison(3, _MASKED_EQUAL, MAP_KIND | MAP_ANONYMOUS, kind))
    for clock in ("clock_gettime", "clock_getres", "clock_nanosleep", "timer_create"):
        forbid(clock, _has(0, 1 << 31))  # a negative number is the clock of another process
    for option in (SO_COOKIE, SO_PEERPIDFD):  # both are numbers that the kernel counts for the whole host
        forbid("getsockopt", _is(1, SOL_SOCKET), _is(2, option))
    for kind in ASKING_THE_HOST:
        forbid("ioctl", _Comparison(1, _MASKED_EQUAL, IOCTL_KIND, kind))
    forbid("mmap", _has(3, MAP_HUGETLB))  # from a pool of the whole host
    forbid("getrandom", _has(2, GRND_RANDOM))  # on old kernels this empties a pool of the whole host
    for option in (PR_SCHED_CORE, PR_SET_MEMORY_MERGE):
        forbid("prctl", _is(0, option))
    _forbid_all_but("madvise", 2, ADVICE, forbid)
    _forbid_scheduling_of_others(forbid)
    _forbid_shared_futexes(forbid)


def _forbid_scheduling_of_others(forbid: Callable[..., None]) -> None:
    """Forbid to pin, renice or idle any process by its number: in an ordinary user's sandbox also the first one would obey."""
    for name in SCHEDULING:
        forbid(name, _Comparison(0, _NOT_EQUAL, 0, 0))
    forbid("setpriority", _is(0, PRIO_USER))
    forbid("setpriority", _Comparison(1, _NOT_EQUAL, 0, 0))
    forbid("ioprio_set", _is(0, PRIO_USER + 1))  # it counts from 1
    forbid("ioprio_set", _Comparison(1, _NOT_EQUAL, 0, 0))


def _forbid_shared_futexes(forbid: Callable[..., None]) -> None:
    """Forbid operations on futexes that are not private to one process.

    The C library waits with a shared futex for the end of a thread, and the kernel itself wakes it. Here such a wait returns at
    once with the answer that the value has changed, so the C library looks again. A wait for another sandbox returns at once too.
    """
    for operation in FUTEX_OPERATIONS:
        error = errno.EAGAIN if operation in FUTEX_WAITS else errno.EPERM
        forbid("futex", _Comparison(1, _MASKED_EQUAL, FUTEX_PRIVATE | 0x7F, operation), error=error)


def _forbid_all_but(name: str, place: int, allowed: tuple[int, ...], forbid: Callable[..., None]) -> None:
    """Forbid all values of an argument that are not allowed.

    A rule can compare an argument only once, and one rule for each number would be slow. So one rule forbids the values above the
    largest allowed one. One rule for each bit that no allowed value has forbids the values with this bit. The few values that
    are left have a rule each.
    """
    forbid(name, _Comparison(place, _GREATER, max(allowed), 0))
    used = 0
    for command in allowed:
        used |= command
    for bit in (1 << place for place in range(max(allowed).bit_length())):
        if not used & bit:
            forbid(name, _has(place, bit))
    for command in range(max(allowed)):
        if command not in allowed and not command & ~used:
            forbid(name, _is(place, command))


def _is(place: int, value: int) -> _Comparison:
    return _Comparison(place, _MASKED_EQUAL, _INT, value)


def _has(place: int, bit: int) -> _Comparison:
    return _Comparison(place, _MASKED_EQUAL, bit, bit)


def _add(library: ctypes.CDLL, context: int, name: str, error: int, *comparisons: _Comparison) -> None:
    number = library.seccomp_syscall_resolve_name(name.encode())
    if number >= 0:  # else this libseccomp or this architecture has no such call
        _add_number(library, context, number, error, *comparisons)


def _add_number(library: ctypes.CDLL, context: int, number: int, error: int, *comparisons: _Comparison) -> None:
    array = (_Comparison * len(comparisons))(*comparisons) if comparisons else None
    if library.seccomp_rule_add_array(context, _ERRNO | error, number, len(comparisons), array) != 0:
        raise SeccompMissing(f"libseccomp refused the rule for system call {number}")
