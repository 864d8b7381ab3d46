"""The feedback pages that nbgrader makes, from text that is safe to show."""
