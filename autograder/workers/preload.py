"""Imports of the server that workers are forked from: everything that each worker would import, the checks included."""

import gc
import os

import autograder.grading.grade  # noqa: F401
from autograder.grading.hidden_checks.collect import hidden_suite
from autograder.workers.forkserver import WARM_FOR

hidden_suite(os.environ[WARM_FOR])
gc.collect()
gc.freeze()  # a worker's collector skips these objects, and so does not write into pages that all workers share
gc.set_threshold(10_000)  # Python's 700 means a search for garbage every few messages, and a check leaves hardly any
