"""The command that starts a zygote, in bubblewrap if possible, and the list of files that a zygote can see.

`autograder.worker.confine` restricts each answer further.
"""

import functools
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from os.path import abspath
from pathlib import Path

from autograder.chapters.curriculum import EXERCISES, KIT, PACKAGE
from autograder.chapters.errors import MissingSandboxError

WORKER = PACKAGE / "worker"
GIVEN = EXERCISES / "given"  # package with the chapters' data, which answers may import
LIMITS = {"AS": 4 << 30, "FSIZE": 64 << 20, "CPU": 60, "NOFILE": 64, "NPROC": 64}
LIMITS |= dict.fromkeys(("CORE", "MEMLOCK", "MSGQUEUE"), 0)
NAMESPACES = sys.platform == "linux"
HOME = "/answer"  # the only folder to which an answer in bubblewrap can write

# Each worker has one thread, because many workers share the machine and threads do not speed up small matrices.
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache", "/etc/alternatives")


@functools.cache
def find_obstacle() -> str:
    """Return a sentence on why bubblewrap does not work on this system and what to do, or "" if it works."""
    if shutil.which("bwrap") is None:
        return "bubblewrap is missing: install it (Debian and Ubuntu: apt-get install bubblewrap)"
    try:
        trial = subprocess.run([*_build_bubblewrap_command(HOME), "true"], capture_output=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bubblewrap is installed and does not start ({error})"
    message = trial.stderr.decode("utf-8", "replace").strip() or f"exit code {trial.returncode}"
    advice = "this system does not let it make namespaces. docs/security.md says how to allow them"
    return f"bubblewrap is installed and does not work here ({message}): {advice}" if trial.returncode else ""


def is_available() -> bool:
    return not find_obstacle()


def get_name() -> str:
    return "bubblewrap" if is_available() else "none"


def require_sandbox(no_sandbox: bool) -> None:
    """Raise `MissingSandboxError` if other people's code would run without the sandbox, unless the user allows it."""
    if not no_sandbox and not is_available():
        raise MissingSandboxError(
            f"{find_obstacle()}. Without it other people's code would run with your permissions: add --no-sandbox "
            "(nbgrader: --GradeAnswers.no_sandbox=True) if you trust every answer. `attn doctor` shows "
            "which promises hold"
        )


def build_command(libraries: Sequence[str], home: str, **settings_of_zygote: object) -> list[str]:
    settings = {
        "libraries": libraries,
        "packages": find_package_folders(),
        "given": str(GIVEN),
        "home": home,
        "limits": LIMITS,
        "sandboxed": is_available(),
        "namespaces": NAMESPACES,
        **settings_of_zygote,
    }
    # Package folders are added by hand (-S), so that no .pth file puts this repository on the worker's path. The
    # system's preferred encoding stays in effect (utf8=0): answers must pass `encoding="utf-8"` (`worker/inputs.py`).
    python = [abspath(sys.executable), "-I", "-S", "-u", "-X", "utf8=0", str(WORKER), json.dumps(settings)]
    if not is_available():
        return python
    variables = build_environment(home) | {"PATH": "/usr/bin:/bin:/usr/sbin:/sbin"}
    words = [word for pair in variables.items() for word in ("--setenv", *pair)]
    return [*_build_bubblewrap_command(home), *words, *python]


def build_environment(home: str) -> dict[str, str]:
    """Return the environment variables of a zygote. bubblewrap sets them by options, with a different PATH."""
    inherited = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    folders = dict.fromkeys(("HOME", "TMPDIR", "TEMP", "TMP", "MPLCONFIGDIR"), home)
    fixed = {"MPLBACKEND": "Agg", "PYTHONDONTWRITEBYTECODE": "1"}
    return inherited | folders | fixed | dict.fromkeys(_THREADS, "1")


def find_package_folders() -> list[str]:
    """Return the absolute paths of the folders with libraries, which answers may import."""
    return [abspath(folder) for folder in sys.path if Path(folder).name in ("site-packages", "dist-packages")]


def _build_bubblewrap_command(home: str) -> list[str]:
    words = ["bwrap", "--die-with-parent", "--new-session", "--clearenv", "--hostname", "worker"]
    words += ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
    if os.getuid() == 0:  # The zygote needs these capabilities to become the user "nobody".
        words += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    interpreter = [Path(abspath(folder)) for folder in (sys.base_prefix, sys.prefix, *find_package_folders())]
    visible = [folder for folder in interpreter if not any(folder.is_relative_to(path) for path in _SYSTEM)]
    words += _make_parents([*visible, WORKER, GIVEN, *map(Path, _SYSTEM)])
    for path in _SYSTEM:
        if os.path.islink(path):
            words += ["--symlink", os.readlink(path), path]
        else:
            words += ["--ro-bind-try", path, path]
    words += _make_visible(visible)
    words += ["--dev", "/dev", "--proc", "/proc", "--perms", "0777", "--tmpfs", home]
    words += ["--dev-bind", "/dev/null", "/dev/zero"]  # Memory mapped from /dev/zero would escape its limit.
    folders: list[Path] = []
    if any(KIT.is_relative_to(folder) for folder in (*interpreter, *_SYSTEM)):  # KIT may be in site-packages
        folders = [folder for folder in (*interpreter, WORKER, GIVEN) if folder.is_relative_to(KIT)]
        words += ["--tmpfs", str(KIT), *_make_parents(folders)]
    words += _make_visible([*folders, WORKER, GIVEN])
    return [*words, "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", home]


def _make_visible(folders: Iterable[Path]) -> list[str]:
    return [word for folder in dict.fromkeys(map(str, folders)) for word in ("--ro-bind-try", folder, folder)]


def _make_parents(folders: Iterable[Path]) -> list[str]:
    """Return options that create the parents of these folders with mode 755 instead of 700, bubblewrap's default."""
    parents = {str(parent) for folder in folders for parent in folder.parents} - {"/"}
    return [word for parent in sorted(parents) for word in ("--perms", "0755", "--dir", parent)]


def make_home() -> str | None:
    """Create a private folder for a zygote outside bubblewrap and return its path, or None if bubblewrap is used."""
    return None if is_available() else tempfile.mkdtemp(prefix="answers-")
