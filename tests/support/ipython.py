"""An IPython shell in the process of the tests."""

import os
import sys
from contextlib import contextmanager
from unittest import mock

from IPython.core.interactiveshell import InteractiveShell


@contextmanager
def fresh_shell(folder):
    """Yield a new IPython shell, the only one in this process, with its files in a folder."""
    main = sys.modules["__main__"]  # A shell replaces `__main__` with a module from which no pool can start.
    with mock.patch.dict(os.environ, IPYTHONDIR=str(folder)):
        InteractiveShell.clear_instance()
        shell = InteractiveShell.instance()
        shell.history_manager.enabled = False
        try:
            yield shell
        finally:
            InteractiveShell.clear_instance()
            sys.modules["__main__"] = main
