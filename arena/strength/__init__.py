"""How strength at Connect Four is measured: openings that favour nobody, and mistakes at solved positions."""
