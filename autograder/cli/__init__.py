"""The command line: `python -m autograder`, and the commands for staff."""
