"""The pages of feedback that nbgrader makes, from text that is safe to show."""
