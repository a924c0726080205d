"""The worker process: reads requests, runs the answer, writes replies.

Started by `autograder.process` as ``python -I -S -u autograder/worker LIMITS LIBRARIES GIVEN SITE...``. Requests come
on standard input and replies leave on standard output; both are moved away before the answer runs, so that what it
prints goes to the captured error stream. Requests are ``["load", ...]`` and those that `Runner.answer` knows.
"""

import importlib.util
import os
import sys


def main():
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(2, 1)
    sys.path.pop(0)  # this folder: the answer shall not import it
    runner = Runner("answer")
    reply = encode("ready")
    while True:
        replies.write(reply)
        replies.flush()
        header = requests.read(HEADER.size)
        if len(header) < HEADER.size:
            os._exit(0)  # the grader has gone
        tree_size, raw_size = HEADER.unpack(header)
        reply = _reply(runner, decode(requests.read(tree_size), requests.read(raw_size)))


def _reply(runner, request):
    kind, *rest = request
    try:
        if kind == "load":
            return encode({"errors": runner.load(*rest), "defined": runner.defined()})
        return encode(runner.answer(kind, *rest))
    except WireError as error:
        return encode({"error": {"type": "TooLarge", "message": f"the result is {error}", "where": []}})
    except MemoryError:
        return encode({"error": {"type": "MemoryError", "message": "no memory left for the result", "where": []}})


def _limit(memory_bytes, file_bytes):
    try:
        import resource
    except ImportError:  # Windows has no such limits
        return
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _provide(folder):
    """Make one package importable without its neighbours, which are answers."""
    file = os.path.join(folder, "__init__.py")
    if os.path.exists(file):
        name = os.path.basename(folder)
        spec = importlib.util.spec_from_file_location(name, file, submodule_search_locations=[folder])
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])


if __name__ == "__main__":
    _limit(*map(int, sys.argv[1].split(",")))
    sys.path[0] = os.path.dirname(sys.path[0])  # this folder is a package of its own here, whatever lies above it
    sys.path += sys.argv[4:]
    from worker.runner import Runner
    from worker.wire import HEADER, WireError, decode, encode

    for library in filter(None, sys.argv[2].split(",")):
        importlib.import_module(library)
    _provide(sys.argv[3])
    main()
