"""The edition of the trees in the lessons; `autograder rotate --trees` writes another text here, and its trees."""

EDITION = "public edition"
