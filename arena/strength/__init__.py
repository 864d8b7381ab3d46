"""Strength at Connect Four: openings that favour neither player, and mistakes at solved positions."""

STRATA = ("begin-easy", "begin-medium", "begin-hard", "middle-easy", "middle-medium", "end-easy")
"""The kinds of solved positions: the phase of the game, and how hard a mistake is to see."""
