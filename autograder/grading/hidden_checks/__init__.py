"""The hidden checks of one problem set: collecting them, running them against a student's code, and the tools of a check."""
