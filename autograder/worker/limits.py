"""Constants that the grader and the worker share. Importing them does not import NumPy."""

STILL_RUNNING = "StillRunning"  # error type of a cell that was interrupted
NOT_RUN = "not run"  # message of a `StillRunning` error if the cell was never started, because no time was left
MAX_TEXT = 100_000  # characters of one string or cell
