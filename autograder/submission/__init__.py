"""A folder -> one `Submission`: found, read and hashed once, parsed."""
