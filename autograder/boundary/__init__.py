"""The grader's side of the wire: workers, their sandbox, and the forms of their replies."""
