"""Broken hand-ins of honest students (tests/broken/): graded as a real class by the real pipeline, with known results."""
