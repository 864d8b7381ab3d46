"""Grading on a Dask cluster: executor, registry (which workers are used, and why not), worker (what each does, and refuses)."""
