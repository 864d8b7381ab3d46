"""The HTML pages of a class, a challenge, a tournament and similar submissions; templates/ has the texts."""

from autograder.pages.class_page import class_page

__all__ = ["class_page"]
