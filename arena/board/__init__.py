"""Boards and trees on the screen, in a notebook and in a page of its own."""
