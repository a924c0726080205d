"""The feedback pages for learners."""
