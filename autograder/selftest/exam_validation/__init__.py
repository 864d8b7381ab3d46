"""Validation of the exam: strong players pass, broken players fail; and a search for mistakes of the perfect player."""
