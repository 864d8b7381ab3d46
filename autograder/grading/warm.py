"""Imported by the server that workers are forked from: whatever every worker would import otherwise, the checks too."""

from autograder.build.source import names
from autograder.grading import parcel  # noqa: F401
from autograder.grading.suite import import_checks

for name in names():
    import_checks(name)
