"""The grader's side of its communication with workers: processes, the sandbox, and checks of replies."""
