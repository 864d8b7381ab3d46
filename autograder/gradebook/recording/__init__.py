"""Reports into nbgrader's gradebook: what is to be recorded, the clean notebook, one serial pass."""
