"""Run many jobs side by side, in a pool of processes or on the workers of a Dask cluster. Jobs of a dead worker run again."""
