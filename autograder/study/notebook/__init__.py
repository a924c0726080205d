"""Checks inside a notebook: `%check` and `%predict`."""
