"""The exam of one player: matches against the ladder, the sequential test, move quality and mistakes."""
