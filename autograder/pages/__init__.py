"""What people read: the page of a class."""

from autograder.pages.class_page import class_page

__all__ = ["class_page"]
