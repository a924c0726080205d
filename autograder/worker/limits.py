"""What workers and those who ask them both know; here, where it can be known without NumPy."""

STILL_RUNNING = "StillRunning"  # the error of a cell that took all the time it has
NOT_RUN = "not run"  # its message at the cells for which no time was left
MAX_TEXT = 100_000  # characters of one text, or of one cell
