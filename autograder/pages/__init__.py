"""What people read: the feedback of one exercise, the page of a class."""

from autograder.pages.class_page import class_page
from autograder.pages.feedback import feedback_lines

__all__ = ["class_page", "feedback_lines"]
