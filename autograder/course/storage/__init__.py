"""The stored state of a course folder: cache, reports, attempts, and the lock."""
