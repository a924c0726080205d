"""Entry point of the zygote, a process that forks one child for each answer.

`autograder.boundary` starts it as ``python -I -S -u autograder/worker SETTINGS``, with a socket as standard
input and SETTINGS as JSON (`autograder.boundary.sandbox`). The zygote imports the libraries that answers need once, so
each answer takes only a fork.
"""

import importlib.util
import json
import os
import shutil
import sys


def _import_package(folder: str) -> None:
    """Import one package without making its parent folder importable, because that folder may contain answers."""
    file = os.path.join(folder, "__init__.py")
    if os.path.exists(file):
        name = os.path.basename(folder)
        spec = importlib.util.spec_from_file_location(name, file, submodule_search_locations=[folder])
        assert spec is not None and spec.loader is not None
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])


def main() -> None:
    settings = json.loads(sys.argv[1])
    try:
        _start_worker(settings)
    finally:
        if not settings["sandboxed"]:
            shutil.rmtree(settings["home"], ignore_errors=True)


def _start_worker(settings: dict) -> None:
    folder = os.path.dirname(os.path.abspath(sys.path[0]))
    sys.path[0] = folder  # so that `worker` is a top-level package in this process
    sys.path += settings["packages"]
    worker = importlib.import_module("worker.loop" if "port" in settings else "worker.zygote")
    sys.path.remove(folder)  # answers must not be able to import the kit
    for library in settings["libraries"]:
        importlib.import_module(library)
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].switch_backend("module://worker.canvas")
    _import_package(settings["given"])
    worker.run_worker(settings)


if __name__ == "__main__":
    main()
