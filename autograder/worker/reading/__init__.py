"""Reading of learners' files: in a sandboxed worker for a grader, in-process for a learner's own check."""
