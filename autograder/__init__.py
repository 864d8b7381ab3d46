"""What only staff run: building the problem sets, grading submissions, keeping the gradebook."""
