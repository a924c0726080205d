"""Suites and the kit's own code, run in workers."""
