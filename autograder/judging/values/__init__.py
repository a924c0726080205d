"""Traversal, comparison and display of values that answers return."""
