"""A package of its own, so that no other package `tests` on the path can take its place in grading."""
