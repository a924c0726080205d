"""What the tests found, and one explanation of it, in words."""
