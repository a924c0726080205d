"""The book with a learner's folder behind it: read, type and see the verdict on one page."""
