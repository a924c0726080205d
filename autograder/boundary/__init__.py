"""The grader's end of the wire: workers, what shuts them in, and what they may reply."""
