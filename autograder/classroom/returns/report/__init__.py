"""The teacher's report on a class."""
