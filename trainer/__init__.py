"""Training of the networks that the course ships: compiled self-play, the student's kind of network, one command."""
