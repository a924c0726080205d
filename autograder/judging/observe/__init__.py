"""Observations on how a wrong result relates to the expected one, if no mistake is named."""
