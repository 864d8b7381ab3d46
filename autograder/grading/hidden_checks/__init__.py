"""The hidden checks of one problem set: collected, run against a student's code, and what a check works with."""
