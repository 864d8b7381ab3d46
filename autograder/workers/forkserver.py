"""The server that workers are forked from. It imports nothing heavy first, so that it starts and warms up early."""

import multiprocessing
import os
import signal
from multiprocessing import forkserver, resource_tracker
from multiprocessing.context import BaseContext

WARM_FOR = "MCTS_AUTOGRADER_WARM_FOR"  # names the problem set to the server


def warm_up(ps: str) -> BaseContext:
    """Start the server if it is not running, and return the context that starts workers.

    The server imports the modules for grading while this process goes on. It starts from an empty state, so that a
    worker cannot depend on earlier work of the grader.
    """
    os.environ[WARM_FOR] = ps
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["autograder.workers.preload"])
    resource_tracker.ensure_running()  # first, because its start lets the signals through again
    # Ctrl-C reaches every process of the terminal, and the server imports for a second before it ignores it: so the server and
    # its workers begin with the signal blocked. For this process it only waits.
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        forkserver.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    return context
