"""The pages of one student: the feedback on a set, the challenge with its games, and small pages as substitutes."""
