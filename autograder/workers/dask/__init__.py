"""Grading on a Dask cluster: executor, registry of workers, and what each worker does."""
