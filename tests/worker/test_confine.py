"""Each layer of confinement works if another layer is not available."""

import os
import subprocess
import sys

from autograder.chapters.curriculum import ROOT

AFTER_AN_ERROR = """
import ctypes, errno, os, sys
from autograder.worker.confine import _make_file_restriction

restrict = _make_file_restriction()
if restrict is None:
    sys.exit("no landlock")
ctypes.set_errno(errno.EPERM)  # as a kernel that makes no namespaces leaves it
restrict(os.getcwd())
open("mine", "w").close()
try:
    open("/tmp/not_mine", "w")
except PermissionError:
    print("shut in")
"""


def test_landlock_holds_without_namespaces(tmp_path):
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", AFTER_AN_ERROR]
    process = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60)
    assert process.stdout == "shut in\n" or process.stderr == "no landlock\n", process.stderr
