"""The engine: from one submission to one report. `grade.grade_submission(folder, ps, settings)` is its one entrance."""
