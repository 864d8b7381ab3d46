"""The server that workers are forked from. Nothing heavy is imported here: the sooner it starts, the sooner it is warm."""

import multiprocessing
import os
from multiprocessing import forkserver
from multiprocessing.context import BaseContext

WARM_FOR = "MCTS_AUTOGRADER_WARM_FOR"  # names the problem set to the server


def warm_up(ps: str) -> BaseContext:
    """Start the server, if it does not run yet, and return how to start workers.

    It imports what grading needs while this process goes on with something else. It begins from nothing, so a
    worker cannot depend on what the grader did before.
    """
    os.environ[WARM_FOR] = ps
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["autograder.workers.preload"])
    forkserver.ensure_running()
    return context
