"""Export of the grader as a Gradescope autograder. It runs in Gradescope's container and computes the points there."""
