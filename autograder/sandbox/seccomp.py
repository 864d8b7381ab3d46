"""The system calls that student code has no business with, as a filter that bubblewrap loads."""

from __future__ import annotations

import ctypes
import errno
import os
import signal
import tempfile
from functools import lru_cache

# Each is a way out of a sandbox, into another process, or to memory that no limit counts.
FORBIDDEN = (
    *("keyctl", "add_key", "request_key"),
    *("shmget", "shmat", "shmctl", "shmdt", "msgget", "msgsnd", "msgrcv", "msgctl", "semget", "semop", "semtimedop", "semctl"),
    *("syslog", "ptrace", "process_vm_readv", "process_vm_writev", "kcmp", "process_madvise", "pidfd_getfd"),
    *("unshare", "setns", "mount", "umount2", "pivot_root", "chroot", "open_tree", "move_mount", "fsopen", "fsmount"),
    *("bpf", "perf_event_open", "userfaultfd", "memfd_create", "memfd_secret", "mbind", "migrate_pages", "move_pages"),
    *("io_uring_setup", "io_uring_enter", "io_uring_register"),
    *("splice", "tee", "vmsplice", "modify_ldt", "fanotify_init", "fspick", "fsconfig", "mount_setattr", "iopl", "acct"),
    *("init_module", "finit_module", "delete_module", "kexec_load", "open_by_handle_at", "quotactl", "swapon", "swapoff"),
)
CLONE_NEWUSER, AF_UNIX = 0x10000000, 1
MSG_OOB, FLAGS_OF = 1, {"sendto": 3, "sendmsg": 2, "sendmmsg": 3, "recvfrom": 3, "recvmsg": 2, "recvmmsg": 3}
_ALLOW, _ERRNO, _NOT_EQUAL, _EQUAL, _MASKED_EQUAL = 0x7FFF0000, 0x00050000, 1, 4, 7


class _Comparison(ctypes.Structure):
    _fields_ = [("arg", ctypes.c_uint), ("op", ctypes.c_int), ("a", ctypes.c_uint64), ("b", ctypes.c_uint64)]


class SeccompMissing(OSError):
    """libseccomp is not on this host."""


@lru_cache(maxsize=1)
def filter_bytes() -> bytes:
    """Return the compiled filter: EPERM for the calls above, for new user namespaces and for the limits of others;
    no sockets but the unix ones (a network namespace does not cover vsock); ENOSYS for clone3; EPERM for another answer to
    SIGCHLD: who ignores it has children that end without an account, and their CPU time would be nobody's.

    Raises:
        SeccompMissing: libseccomp.so.2 is not installed.
    """
    try:
        library = ctypes.CDLL("libseccomp.so.2")
    except OSError as error:
        raise SeccompMissing("libseccomp.so.2 was not found: install the system package libseccomp2") from error
    library.seccomp_init.restype = ctypes.c_void_p
    library.seccomp_rule_add_array.argtypes = [ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int, ctypes.c_uint, ctypes.c_void_p]
    library.seccomp_export_bpf.argtypes = [ctypes.c_void_p, ctypes.c_int]
    context = library.seccomp_init(_ALLOW)
    for name in FORBIDDEN:
        _add(library, context, name, errno.EPERM)
    new_user = _Comparison(0, _MASKED_EQUAL, CLONE_NEWUSER, CLONE_NEWUSER)
    _add(library, context, "clone", errno.EPERM, new_user)
    _add(library, context, "prlimit64", errno.EPERM, _Comparison(0, _NOT_EQUAL, 0, 0))  # the zygote's, where both are one user
    _add(library, context, "socket", errno.EAFNOSUPPORT, _Comparison(0, _NOT_EQUAL, AF_UNIX, 0))
    for name, place in FLAGS_OF.items():  # urgent bytes on a unix socket: nobody needs them, and kernels had holes there
        _add(library, context, name, errno.EPERM, _Comparison(place, _MASKED_EQUAL, MSG_OOB, MSG_OOB))
    of_children = _Comparison(0, _EQUAL, signal.SIGCHLD, 0), _Comparison(1, _NOT_EQUAL, 0, 0)  # with 0 it only asks
    _add(library, context, "rt_sigaction", errno.EPERM, *of_children)
    _add(library, context, "clone3", errno.ENOSYS)  # its flags lie in memory, where no filter looks; libc falls back to clone
    with tempfile.TemporaryFile() as file:
        if library.seccomp_export_bpf(context, file.fileno()) != 0:
            raise SeccompMissing("libseccomp could not compile the filter")
        os.lseek(file.fileno(), 0, os.SEEK_SET)
        return file.read()


def _add(library: ctypes.CDLL, context: int, name: str, error: int, *comparisons: _Comparison) -> None:
    number = library.seccomp_syscall_resolve_name(name.encode())
    if number < 0:
        return  # this libseccomp or this architecture has no such call
    array = (_Comparison * len(comparisons))(*comparisons) if comparisons else None
    if library.seccomp_rule_add_array(context, _ERRNO | error, number, len(comparisons), array) != 0:
        raise SeccompMissing(f"libseccomp refused the rule for {name}")
