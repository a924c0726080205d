"""Installer of the kit into `.venv`: `python install.py [learn | all | weights]`, on every system. `make` runs it, too.

`learn` is what `make check`, `make watch` and `make book` need, some 50 packages; `all` adds PyTorch, notebooks,
courses and tests; `weights` adds a sentence encoder. requirements.txt has the versions and digests: nothing is
resolved, and no file can be swapped for another. Only PyTorch has no digest, because its builds differ.

uv takes a fraction of pip's time. If it is not on the path, pip installs its wheel first. uv does not read pip's
settings, so they are passed on: otherwise it would fetch gigabytes of CUDA where pip finds PyTorch for CPUs.
"""

import argparse
import ast
import os
import queue
import re
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV, LOG = ROOT / ".venv", ROOT / ".venv" / "install.log"
PROGRAMS, SUFFIX = (VENV / "Scripts", ".exe") if os.name == "nt" else (VENV / "bin", "")
PYTHON = str(PROGRAMS / f"python{SUFFIX}")
LOUD_MB = 20  # from this size on, a download is reported on a separate line
LAST_LINES = 15

# Setting of pip -> the environment variable with which uv is configured in the same way.
UV_VARIABLES = {
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "no-index": "UV_NO_INDEX",
    "constraint": "UV_CONSTRAINT",
    "trusted-host": "UV_INSECURE_HOST",
    "cert": "SSL_CERT_FILE",
    "client-cert": "SSL_CLIENT_CERT",
    "proxy": "ALL_PROXY",
    "timeout": "UV_HTTP_TIMEOUT",
    "default-timeout": "UV_HTTP_TIMEOUT",
}


def uv_environment(listed: str) -> "dict[str, str]":
    """Return an environment in which uv has pip's settings (`pip config list`). The user's own uv settings win."""
    variables = {}
    for section in ("global.", "install.", ":env:."):  # in pip's order: later sections override earlier ones
        for line in listed.splitlines():
            name, _, value = line.partition("=")
            variable = UV_VARIABLES.get(name[len(section) :]) if name.startswith(section) else None
            if variable:
                separator = "," if variable == "UV_FIND_LINKS" else " "
                variables[variable] = separator.join(ast.literal_eval(value).split())
    if "UV_INDEX" in variables:
        variables["UV_INDEX_STRATEGY"] = "unsafe-best-match"  # like pip: choose the best file of all indexes
    return {**variables, **os.environ}


def news(line: str) -> str:
    """Return the line to print for a line of pip's or uv's output, or "" to print nothing."""
    if re.match(r"(Resolved|Prepared|Installed) \d+ packages? in", line):
        return line.strip()
    if line.startswith("Installing collected packages:"):
        return f"Unpacking {line.count(',') + 1} packages: the longest step, and a quiet one"
    download = re.match(r"\s*Downloading ([A-Za-z0-9_.]+?)(?:-\d\S*)? \(([\d.]+) ?M(?:i?B)\)", line)
    return f"Downloading {download[1]}, {download[2]} MB" if download and float(download[2]) >= LOUD_MB else ""


def run(command: "list[str]", environment: "dict[str, str]") -> int:
    """Run a command, print its progress, write its output to `LOG`, and return its exit code."""
    began, lines, has_cuda = time.monotonic(), queue.Queue(), False
    piped = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True, "errors": "replace"}
    with (
        subprocess.Popen(command, cwd=ROOT, env=environment, **piped) as process,
        LOG.open("w", encoding="utf-8") as log,
    ):
        threading.Thread(target=lambda: [*map(lines.put, process.stdout), lines.put(None)], daemon=True).start()
        line = ""
        while line is not None:
            try:
                line = lines.get(timeout=1)
            except queue.Empty:
                line = ""
            log.write(line or "")
            if said := news(line or ""):
                print(f"\r  {said}", flush=True)
            if "nvidia" in said and not has_cuda:
                has_cuda = True
                print("  This is CUDA's, which no computer without an NVIDIA card needs: README.md, Without a GPU.")
            if sys.stdout.isatty():
                print(f"\r  {time.monotonic() - began:.0f} s ", end="", flush=True)
    return process.returncode


def pins(kind: str) -> str:
    """Return the lines of requirements.txt below "# For `kind`", up to the next part."""
    text = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    return text.partition(f"\n# For {kind}")[2].partition("\n# For ")[0].partition("\n\n")[0].partition("\n")[2]


class Installer:
    """The installer: uv, or pip if uv is not available."""

    def __init__(self) -> None:
        self.command, self.environment = [PYTHON, "-m", "pip", "install", "--progress-bar", "off"], dict(os.environ)
        uv = shutil.which("uv") or str(PROGRAMS / f"uv{SUFFIX}")
        if not Path(uv).exists():
            (wheel,) = re.findall(r"^uv==.*(?:\n .*)*", pins("learners"), re.MULTILINE)
            self.install(wheel, must=False)
        if Path(uv).exists():
            # With the user's PIP_QUIET, pip would not print the settings.
            aloud = {**os.environ, "PIP_QUIET": "0"}
            listed = subprocess.check_output([PYTHON, "-m", "pip", "config", "list"], text=True, env=aloud, cwd=ROOT)
            self.command, self.environment = [uv, "pip", "install", "--python", PYTHON], uv_environment(listed)

    def install(self, pinned: str, must: bool = True) -> None:
        """Install the pinned versions if their files have the pinned digests.

        pip's setting `constraint` is left out: uv would refuse it without digests, and the versions are fixed already.
        """
        listed = VENV / "pins.txt"
        listed.write_text(pinned + "\n", encoding="utf-8")
        environment = {name: value for name, value in self.environment.items() if name != "UV_CONSTRAINT"}
        self._run(["--no-deps", "--require-hashes", "--requirement", str(listed)], environment, must)

    def run(self, *arguments: str) -> None:
        self._run(list(arguments), self.environment, must=True)

    def _run(self, arguments: "list[str]", environment: "dict[str, str]", must: bool) -> None:
        if run([*self.command, *arguments], environment) and must:
            print("\r" + "".join(LOG.read_text(encoding="utf-8").splitlines(keepends=True)[-LAST_LINES:]))
            sys.exit(f"That did not work. All that was said is in {LOG}; the same command tries again.")


def compile_torch() -> None:
    """Write PyTorch's bytecode, as pip does and uv does not. Sandboxes cannot store it, so each would compile it."""
    print("  Compiling PyTorch", flush=True)
    folder = "sysconfig.get_path('platlib') + '/torch'"
    code = f"import compileall, sysconfig; compileall.compile_dir({folder}, quiet=2, workers=0)"
    run([PYTHON, "-I", "-c", code], dict(os.environ))


def main() -> None:
    if sys.version_info < (3, 10):  # noqa: UP036  (older versions end with this message)
        sys.exit("Python 3.10 or later is needed; name one: make setup PYTHON=python3.12")
    parser = argparse.ArgumentParser(description="Install the kit into .venv.")
    parser.add_argument("kind", nargs="?", choices=("learn", "all", "weights"), default="all")
    kind = parser.parse_args().kind
    if not (VENV / "learn").exists():
        print(f"Installing the kit into .venv, once{', some 300 MB.' if kind == 'learn' else ':'}", flush=True)
        if subprocess.call([sys.executable, "-m", "venv", str(VENV)], cwd=ROOT):
            sys.exit("Debian and Ubuntu keep venv apart: apt-get install python3-venv")
    if kind == "all":
        print("PyTorch, JupyterLab, nbgrader and what these need, 1.6 GB on disk, in a minute or two.", flush=True)
    installer = Installer()
    if kind == "weights":
        installer.install(re.findall(r"^gt-.*(?:\n .*)*", pins("its own step"), re.MULTILINE)[0])
        return
    installer.install(pins("learners"))
    installer.run("--no-deps", "--no-build-isolation", "--editable", ".")
    if kind == "all":
        installer.install(pins("everything else"))
        installer.run(*re.findall(r"^torch==.*", pins("its own step"), re.MULTILINE))
        compile_torch()
    for done in ("learn", "all")[: 1 + (kind == "all")]:
        (VENV / done).touch()
    print("\r  Ready.        ")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("\nStopped. The same command goes on.")
