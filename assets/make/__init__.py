"""The makers of the files in assets/: the opening book, the positions of move quality, the networks and their page."""
