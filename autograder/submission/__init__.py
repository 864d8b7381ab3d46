"""Turn a folder into one `Submission`: find its files, read and hash them once, and parse them."""
