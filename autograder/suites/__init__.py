"""Hidden suites, one for each exercise. They only import `autograder.suite`, and never an answer."""
