"""Hidden suites, one for each exercise. They import `autograder.suite` alone, and never an answer."""
