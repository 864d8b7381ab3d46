"""Find submissions that share more than the problem set explains. The list is for the instructor and is not a verdict."""
