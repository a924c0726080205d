"""The book with a learner's folder: read, type and see the verdict on one page."""
