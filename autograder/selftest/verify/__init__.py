"""`make verify`: prove the grading with answers whose grades are known."""
