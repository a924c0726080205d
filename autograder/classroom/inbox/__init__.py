"""Incoming submissions, brought to the names and places that nbgrader expects."""
