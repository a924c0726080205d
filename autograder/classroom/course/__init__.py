"""A course's folder: what it asks, until when, and the secret that hidden inputs are drawn from."""
