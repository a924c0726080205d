"""Parsing of learners' files. For submitted answers it runs in a sandboxed worker, for a learner's check in-process."""
