"""Reports into nbgrader's gradebook: the plan, the clean notebook, one serial pass."""
