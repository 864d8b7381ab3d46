"""Which submissions share more than the set explains: a list that an instructor looks at; no verdict, no points."""
