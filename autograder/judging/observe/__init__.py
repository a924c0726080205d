"""Observations: relations between a wrong result and the expected one, for answers without a known mistake."""
