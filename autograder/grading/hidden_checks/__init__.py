"""The hidden checks of one problem set: to collect them, to run them against a student's code, and the tools of a check."""
