"""The engine: one submission -> one report. `grade.grade_submission(folder, ps, settings)` is its one entrance."""
