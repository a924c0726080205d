"""The worker's process: the only part of the kit that shares a process with an answer."""
