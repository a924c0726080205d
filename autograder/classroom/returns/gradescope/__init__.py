"""The grader on its way to Gradescope, which grades there and hands out its own points."""
