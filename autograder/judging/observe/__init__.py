"""Observations: sentences on how a wrong result is related to the expected one, if no known mistake explains it."""
