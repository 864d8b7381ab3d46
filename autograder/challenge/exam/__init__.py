"""The exam of one player: openings, pairs of games, the sequential test, move quality, the worst moves."""
