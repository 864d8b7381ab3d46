"""The documentation as a site that opens from a folder: `make docs` builds build/docs."""
