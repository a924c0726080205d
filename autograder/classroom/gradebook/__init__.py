"""nbgrader's gradebook: what it needs around every call."""
