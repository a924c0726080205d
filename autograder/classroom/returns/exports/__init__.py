"""Scores on their way out of the gradebook, and the grader on its way to Gradescope."""
