"""The red team: the attacks of tests/hostile/ as a real class, graded by the real pipeline, and a verdict on each."""
