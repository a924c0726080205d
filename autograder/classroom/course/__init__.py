"""The folder of a course: its plan, its dates, and the secret from which hidden inputs are generated."""
