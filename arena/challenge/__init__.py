"""The final Connect-Four challenge: the ladder (rungs.toml), its matches and their verdicts, the report, and the exam at home."""
