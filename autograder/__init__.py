"""The code that only staff run: it builds problem sets, grades submissions, and keeps the gradebook."""
