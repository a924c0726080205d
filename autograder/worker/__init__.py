"""Code of the worker process, the only code of the kit that shares a process with an answer."""
