"""The teacher's report: what a class knows."""
