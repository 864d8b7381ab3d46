"""Find submissions that have more in common than the problem set explains. The list is for the instructor; it is no verdict."""
