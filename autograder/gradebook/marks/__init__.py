"""The final marks: what the gradebook says, as a table and for other systems."""
