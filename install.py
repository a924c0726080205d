"""Installs the kit with all its extras into `.venv`: `make setup`, on every system also `python install.py`.

uv does it where it is installed, in a third of pip's time. It does not read pip's settings, so it is told them: else it
would fetch gigabytes of CUDA where pip finds PyTorch's build for CPUs.
"""

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
WHAT = ("--constraint", "constraints.txt", "--editable", ".[dev]")
LOUD_MB = 20  # downloads of as much are told one by one
LAST_LINES = 15

# A setting of pip's -> the variable from which uv takes the same.
UV_VARIABLES = {
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "no-index": "UV_NO_INDEX",
    "cert": "SSL_CERT_FILE",
}


def uv_environment(listed: str) -> "dict[str, str]":
    """The variables that tell uv what `pip config list` says; what the user has set for uv stands."""
    variables = {}
    for section in ("global.", "install.", ":env:."):  # as pip reads them: the last one wins
        for line in listed.splitlines():
            name, _, value = line.partition("=")
            variable = UV_VARIABLES.get(name[len(section) :]) if name.startswith(section) else None
            if variable:
                separator = "," if variable == "UV_FIND_LINKS" else " "
                variables[variable] = separator.join(ast.literal_eval(value).split())
    if "UV_INDEX" in variables:
        variables["UV_INDEX_STRATEGY"] = "unsafe-best-match"  # pip's way: the best file of all indexes
    return {**variables, **os.environ}


def news(line: str) -> str:
    """What a line of pip's or uv's output says that is worth a line of ours; else empty."""
    if re.match(r"(Resolved|Prepared|Installed) \d+ packages? in", line):
        return line.strip()
    if line.startswith("Installing collected packages:"):
        return f"Unpacking {line.count(',') + 1} packages: the longest step, and a quiet one"
    download = re.match(r"\s*Downloading ([A-Za-z0-9_.]+?)(?:-\d\S*)? \(([\d.]+) ?M(?:i?B)\)", line)
    return f"Downloading {download[1]}, {download[2]} MB" if download and float(download[2]) >= LOUD_MB else ""


def run(command: "list[str]", environment: "dict[str, str]") -> int:
    """Run it and say how far it is; its whole output goes into `LOG`. Its exit code."""
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


def main() -> None:
    if sys.version_info < (3, 10):  # noqa: UP036  (whoever has an older one is told so)
        sys.exit("Python 3.10 or later is needed; name one: make setup PYTHON=python3.12")
    ready, uv = VENV / "ready", shutil.which("uv")
    if ready.exists():
        print("Bringing .venv up to date.")
    else:
        takes = "one or two minutes" if uv else "three to six minutes, and a third of that where uv is installed"
        print("Installing into .venv, once: the kit, PyTorch, JupyterLab, nbgrader and what these need, some 180")
        print(f"packages, 1.6 GB on disk. That takes {takes}.", flush=True)
    if subprocess.call([sys.executable, "-m", "venv", str(VENV)]):
        sys.exit("Debian and Ubuntu keep venv apart: apt-get install python3-venv")
    python = str(VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))
    if uv:
        listed = subprocess.run([python, "-m", "pip", "config", "list"], stdout=subprocess.PIPE, text=True, check=True)
        code = run([uv, "pip", "install", "--python", python, *WHAT], uv_environment(listed.stdout))
    else:
        code = run([python, "-m", "pip", "install", "--progress-bar", "off", *WHAT], dict(os.environ))
    if code:
        print("\r" + "".join(LOG.read_text(encoding="utf-8").splitlines(keepends=True)[-LAST_LINES:]))
        sys.exit(f"That did not work. All that was said is in {LOG}; the same command tries again.")
    ready.touch()
    print("\r  Ready.        ")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("\nStopped. The same command goes on.")
