"""The grading of submissions, whose results are entered into the gradebook."""
