"""The targets of the Makefile."""

import re

from autograder.paths import REPOSITORY

TARGETS = set(re.findall(r"^([a-z-]+):", (REPOSITORY / "Makefile").read_text(), re.M))
