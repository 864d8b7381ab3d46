"""The demo classes: for each problem set 30 invented students, from a right answer to a forgery."""

from autograder.selftest.demo.course import build_demo
from autograder.selftest.demo.members import demo_sets

__all__ = ["build_demo", "demo_sets"]
