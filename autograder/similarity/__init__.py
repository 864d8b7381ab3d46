"""Similar submissions: those that share more than the problem set explains. A list for the instructor, with no verdict."""
