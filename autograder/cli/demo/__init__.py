"""A demonstration: a course with a sample class, from build to report."""
