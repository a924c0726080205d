"""Calls of an answer with their replies, and comparison with the same calls of the solution."""
