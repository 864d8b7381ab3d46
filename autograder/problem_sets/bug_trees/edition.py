"""Which trees stand in the lessons now; `autograder rotate --trees` writes another text here, and the trees of it."""

EDITION = "public edition"
