"""Requests to an exercise: calls with their replies, and the evidence of an answer's calls next to the solution's."""
