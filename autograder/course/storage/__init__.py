"""What a course folder keeps between runs: cache, reports, attempts, and the lock."""
