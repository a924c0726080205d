"""Constants for both sides of the wire, importable without NumPy."""

STILL_RUNNING = "StillRunning"  # type of the error of a cell that was interrupted
NOT_RUN = "not run"  # message of that error for cells that did not run because no time was left
MAX_TEXT = 100_000  # characters of one string or cell
