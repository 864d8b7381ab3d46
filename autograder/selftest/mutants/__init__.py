"""`make mutants`: put small mistakes into our own solutions, one at a time, and find those that the hidden checks miss."""
