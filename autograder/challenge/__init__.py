"""The final Connect-Four challenge: ladder (rungs.toml), player/ (a student's player), exam/ (its matches), reports, practice."""
