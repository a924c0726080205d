"""Export of the grader to Gradescope, which grades there and shows its own points."""
