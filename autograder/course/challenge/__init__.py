"""The final challenge of a class: who may enter, the exams, the tournament, and networks that are too near."""
