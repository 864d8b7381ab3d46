"""Training of the networks that the course ships: compiled self-play, networks like the students', one command."""
