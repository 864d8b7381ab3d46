"""What runs inside the sandbox. Nothing here imports the rest of the project, and nothing here knows an answer."""
