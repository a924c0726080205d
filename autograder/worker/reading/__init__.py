"""Reads what learners hand in. A grader reads in a worker that is shut in; a learner's own check where it is."""
