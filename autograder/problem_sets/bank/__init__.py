"""Banks of code whose grades are known: read from cells of `# %% title`, with edits of our solution written out."""
