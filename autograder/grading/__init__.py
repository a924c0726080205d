"""Grading of many answers in parallel, and checks of the kit itself."""
