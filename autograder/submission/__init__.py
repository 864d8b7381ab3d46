"""From a folder to one `Submission`: found, read and hashed once, parsed."""
