"""The findings of the tests, and one explanation, in words."""
