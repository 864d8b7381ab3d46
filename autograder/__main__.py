"""`python -m autograder`."""

import sys

from arena.interrupts import while_it_ends, while_it_starts, while_it_works

if __name__ == "__main__":
    while_it_starts("autograder")
    from autograder.cli.app import main  # the imports of the command line take a while

    while_it_works()
    try:
        main()
    finally:
        while_it_ends()
        if (pool := sys.modules.get("autograder.workers.pool")) is not None:  # only the commands that grade have imported it
            pool.wait_for_dismissed()
