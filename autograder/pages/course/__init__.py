"""The pages about a whole class: its sets, its front page, its tournament, its similar submissions."""
