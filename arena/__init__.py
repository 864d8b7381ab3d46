"""What a student may import: the rules of games, the visible checks, pictures and a few players."""
