"""Feedback pages for learners."""
