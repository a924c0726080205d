"""A parser of learners' files. It runs in a sandboxed worker or, for a learner's own check, in-process."""
