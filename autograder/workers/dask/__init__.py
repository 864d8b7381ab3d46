"""Grading on a Dask cluster: executor; registry (the workers in use, and why others are not); worker (the code on a worker)."""
