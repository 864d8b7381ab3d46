"""Grading on a Dask cluster: executor; registry (which workers are used, and why others are not); worker (code on a worker)."""
