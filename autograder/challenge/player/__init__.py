"""A student's player in the sandbox: its weights, its query budget, and our own player as the reference."""
