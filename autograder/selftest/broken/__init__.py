"""Honest mess: the hand-ins of tests/broken/ as a real class, graded by the real pipeline, and what each of them gets."""
