"""The tests of the sandbox once more, as an ordinary user: `python -m tests.as_another_user`, which `make test-rest` runs.

Root has control groups and may become other users, an ordinary user has neither: the sandbox must be the same.
"""

import os
import sys

from tests.unit.in_the_sandbox import as_ordinary_user

ALIKE = ("channels", "life", "locks", "neighbours", "traces", "isolation")  # the files whose sandbox depends on who starts it


def main() -> int:
    """Run pytest on these files as `nobody`, with its output as it comes; return its exit status."""
    if os.geteuid():
        print("as another user: these tests have run as an ordinary user already, and only root can become another one")
        return 0
    files = [f"tests/unit/test_sandbox_{name}.py" for name in ALIKE]
    workers = str((os.cpu_count() or 1) + 1)
    return as_ordinary_user("-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", workers, "--dist", "loadfile", *files,
                            shown=True).returncode


if __name__ == "__main__":
    sys.exit(main())
