"""Fuzzing the grader: workers that lie, and answers of every odd kind."""
