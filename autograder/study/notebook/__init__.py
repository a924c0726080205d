"""Checks inside a notebook: `%check`, `%predict` and the other magics."""
