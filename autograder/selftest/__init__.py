"""Tests of the grader: verify, repeat, mutants, attack, broken and the demo classes. No grading code imports this package."""
