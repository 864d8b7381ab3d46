"""The demo class: 30 made-up students, from a right answer to a forgery."""

from autograder.demo.course import build_demo

__all__ = ["build_demo"]
