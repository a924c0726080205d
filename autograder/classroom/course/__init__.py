"""A course's folder: its plan, its dates, and the secret from which hidden inputs are generated."""
