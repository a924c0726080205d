"""An IPython shell in this process."""

import os
from contextlib import contextmanager
from unittest import mock

from IPython.core.interactiveshell import InteractiveShell


@contextmanager
def fresh_shell(folder):
    """The one instance that IPython shows things through, with its files in a folder; nothing has run in it."""
    with mock.patch.dict(os.environ, IPYTHONDIR=str(folder)):
        InteractiveShell.clear_instance()
        shell = InteractiveShell.instance()
        shell.history_manager.enabled = False
        yield shell
        InteractiveShell.clear_instance()
