"""The loop in which a worker handles the grader's requests, one after another."""

import builtins
import functools
import os
import socket
import sys
from collections.abc import Callable
from typing import Any, BinaryIO, NoReturn

import numpy as np

from .inputs import fill_new_memory, materialize
from .runner import Runner
from .wire import HEADER, MAX_ARRAY_BYTES, MAX_REPLY_BYTES, WireError, decode, encode


def run_worker(settings: dict) -> None:
    """Become the worker of one answer, on systems that cannot fork. `autograder.boundary.zygote` starts it."""
    word = sys.stdin.buffer.readline().strip()
    channel = socket.create_connection(("127.0.0.1", settings["port"]))
    channel.sendall(word)
    discard_standard_streams()
    os.chdir(settings["home"])
    serve_requests(channel.makefile("rb"), channel.makefile("wb"))


def discard_standard_streams() -> None:
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    os.close(null)


def serve_requests(requests: BinaryIO, replies: BinaryIO) -> NoReturn:
    """Handle requests until the grader closes the connection, then end the process."""
    fill_new_memory()
    runner, reading = Runner("answer"), None
    reply = encode("ready")
    while True:
        replies.write(reply)
        replies.flush()
        request = _read_request(requests)
        if request[0] == "remote":
            ask_grader = functools.partial(_ask_grader, requests, replies)
            vars(runner.module).update({name: RemoteObject(ask_grader, name) for name in request[1]}, **request[2])
            reply = encode("ready")
        elif request[0] == "read":
            from .reading.requests import ReadingService  # noqa: PLC0415  (most workers read nothing)

            reading = reading or ReadingService()
            reply = encode(reading.handle_request(*request[1:]))
        else:
            reply = _handle_request(runner, request)


def _ask_grader(requests: BinaryIO, replies: BinaryIO, *request: object) -> Any:
    """Send a request to the grader, which is waiting for a reply, and return the grader's response."""
    replies.write(encode({"asks": list(request)}))
    replies.flush()
    return _read_request(requests)


def _read_request(requests: BinaryIO) -> Any:
    header = requests.read(HEADER.size)
    if len(header) < HEADER.size:
        os._exit(0)  # The grader has closed the connection.
    tree_size, raw_size = HEADER.unpack(header)
    return decode(requests.read(tree_size), requests.read(raw_size))


def _try_edits(runner: Runner, edits: list, seconds: float, *batch: Any) -> bytes:
    """Play a batch once per edit. Return an encoded list: an edit's replies as a byte array, or None if it failed."""
    play = functools.partial(_play_batch, runner, *batch)
    replies = [runner.try_edit(name, text, play, seconds) for name, text in edits]
    return _encode_outcome(
        [None if played is None else np.frombuffer(played, np.uint8, offset=HEADER.size) for played in replies],
        MAX_ARRAY_BYTES,
    )


def _handle_request(runner: Runner, request: list) -> bytes:
    kind, *rest = request
    if kind == "play":
        return _play_batch(runner, *rest)
    if kind == "try":
        return _try_edits(runner, *rest)
    if kind == "load":
        errors, variables = runner.load(*rest), list(vars(runner.module).items())
        defined = [name for name, value in variables if isinstance(name, str) and callable(value)]
        return _encode_outcome({"errors": errors, "defined": defined})
    if kind == "within":
        return _encode_outcome(runner.handle_request_within(*rest))
    if kind == "forget":
        runner.results.clear()
        return _encode_outcome(None)
    return _encode_outcome(runner.handle_request(kind, *rest))


def _play_batch(runner: Runner, name: str, steps: list) -> bytes:
    """Return all replies to a batch as one message, with tracebacks at the end (`autograder.judging.run.batch`)."""
    refs: list[int | None] = []
    played: list[bytes] = []
    trails: list[tuple[int, list]] = []
    size = 0
    for kind, subject, method, *rest in steps:
        target = name if subject is None else refs[subject]
        outcome: dict = {}
        if target is None:  # The step that should have created the called object has failed.
            played.append(encode(None))
        else:
            outcome = runner.handle_request(kind, [target, method] if method else target, *rest)
            if "error" in outcome:
                trails.append((len(played), outcome["error"].pop("where")))
            played.append(_encode_outcome(outcome))
        refs.append(outcome.get("ref"))
        size += len(played[-1])
        if size > MAX_REPLY_BYTES:  # The grader will send the requests one by one instead.
            return HEADER.pack(0, 0)
    played.append(encode(trails))
    return HEADER.pack(0, size + len(played[-1])) + b"".join(played)


def _encode_outcome(outcome: object, max_bytes: int = MAX_REPLY_BYTES) -> bytes:
    try:
        return encode(outcome, max_bytes)
    except WireError as error:
        return encode({"error": {"type": "TooLarge", "message": f"the result is {error}", "where": []}})
    except MemoryError:
        return encode({"error": {"type": "MemoryError", "message": "no memory left for the result", "where": []}})


class RemoteObject:
    """A reference with which a teacher's test uses a function, class, object or method of the answer.

    The test runs in a process of the kit, to which only plain data, arrays and tensors are sent, never the answer's
    code. Calls are made in the answer's worker.
    """

    def __init__(self, ask_grader: Callable, target: str | int | list) -> None:
        self._ask_grader, self._target = ask_grader, target

    def __call__(self, *args: object, **kwargs: object) -> Any:
        """Call the target in the worker. Calling a class returns a `RemoteObject`, other calls return plain data."""
        reply = self._ask_grader(self._target, list(args), kwargs)
        if "error" in reply:
            raise _make_error(reply["error"])
        # Results of other calls become plain data: an object's `==` would run the answer's own code.
        is_class = isinstance(self._target, str) and self._target[:1].isupper()
        return RemoteObject(self._ask_grader, reply["ref"]) if is_class else materialize(reply["value"])

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or not isinstance(self._target, int):
            raise AttributeError(f"a test can call this, but it cannot ask for its {name}")
        reply = self._ask_grader([self._target, "__getattribute__"], [name], {})
        if "error" in reply:
            raise _make_error(reply["error"])
        return (
            RemoteObject(self._ask_grader, [self._target, name]) if reply["is_opaque"] else materialize(reply["value"])
        )


def _make_error(error: dict) -> Exception:
    """Return the answer's error as an exception of the same built-in type if possible, otherwise as `Exception`."""
    kinds = [getattr(builtins, name, None) for name in (error["type"], *error.get("kinds", ()))]
    kind = next((kind for kind in kinds if isinstance(kind, type) and issubclass(kind, Exception)), Exception)
    if issubclass(kind, (StopIteration, StopAsyncIteration)):  # These would end a loop of the test silently.
        kind = RuntimeError
    return kind(error["message"])
