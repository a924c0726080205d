"""An installed kit: the wheel, unpacked into the libraries of an environment outside the clone."""

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

from autograder.chapters.curriculum import ROOT


class InstalledWheel:
    """An environment with `wheel`, built like `make wheel`, unpacked in `library`.

    All other libraries are those of the tests' environment.
    """

    def __init__(self, folder):
        venv.create(folder / "environment", symlinks=os.name != "nt")
        paths = {"base": str(folder / "environment"), "platbase": str(folder / "environment")}
        self.python = Path(sysconfig.get_path("scripts", "venv", paths)) / Path(sys.executable).name
        self.library = Path(sysconfig.get_path("purelib", "venv", paths))
        command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder / "wheel"]
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
        (self.wheel,) = (folder / "wheel").glob("*.whl")
        with zipfile.ZipFile(self.wheel) as wheel:
            wheel.extractall(self.library)
        (self.library / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")

    def run(self, *arguments, cwd, module="autograder.cli.main", seconds=240, **environment):
        """Run the installed command line, and return the finished process with its combined output."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COV"))}
        kept["PATH"] = os.pathsep.join([sysconfig.get_path("scripts"), kept["PATH"]])  # nbgrader starts alembic.
        kept["JUPYTER_PATH"] = str(Path(sysconfig.get_path("data"), "share", "jupyter"))  # nbconvert finds files here.
        return subprocess.run(
            [self.python, "-m", module, *map(str, arguments)],
            cwd=cwd,
            env=kept | {"COLUMNS": "200"} | environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            timeout=seconds,
            check=False,
        )
