"""The source of the course, and answers to it: files, cells and names. Nothing in this package runs that code."""
