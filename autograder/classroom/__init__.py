"""The classroom: nbgrader assignments from the chapters, and what comes back graded, returned and reported."""
