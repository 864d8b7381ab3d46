"""`make mutants`: small mistakes put into our own solutions, one at a time, to see which of them the hidden checks miss."""
