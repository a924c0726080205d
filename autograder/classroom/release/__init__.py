"""Releases: the notebooks that are handed out, and their restoration in submissions."""
