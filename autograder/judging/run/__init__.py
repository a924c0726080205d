"""Running of suites in the grader, and of the kit's own solutions and mistakes in workers."""
