"""The demo classes: for each problem set 30 made-up students, from a right answer to a forgery."""

from autograder.demo.cast import demo_sets
from autograder.demo.course import build_demo

__all__ = ["build_demo", "demo_sets"]
