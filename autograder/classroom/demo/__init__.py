"""A course with a sample class, from first to last."""
