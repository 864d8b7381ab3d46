"""Imports of the server that workers are forked from: everything that each worker would import, the checks included."""

import gc
import os

import autograder.grading.grade  # noqa: F401
from autograder.grading.hidden_checks.collect import hidden_suite
from autograder.workers.forkserver import WARM_FOR

hidden_suite(os.environ[WARM_FOR])
gc.collect()
gc.freeze()  # a worker's collector skips these objects, and so does not write into pages that all workers share
