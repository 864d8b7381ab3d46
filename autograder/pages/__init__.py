"""The HTML pages: `course` for staff, `student` for a student, drawings for both; templates/ and scripts/ have the texts."""
