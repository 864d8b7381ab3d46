"""Many jobs side by side: a pool of processes, or the workers of a Dask cluster. Work of a dead worker is tried again."""
