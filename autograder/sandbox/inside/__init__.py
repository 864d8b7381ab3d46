"""The code that runs inside the sandbox. It imports nothing else of the project, and it knows no answers."""
