"""Imported by the server that workers are forked from: whatever every worker would import otherwise, the checks too."""

import gc
import os

from autograder.grading.checks import hidden_suite
from autograder.grading.crew import WARM_FOR

hidden_suite(os.environ[WARM_FOR])
gc.collect()
gc.freeze()  # no worker looks for garbage among what we have imported, nor writes into the pages that it shares with us
