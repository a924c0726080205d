"""The loop in which a worker handles the grader's requests, one after another."""

from __future__ import annotations

import functools
import os
from typing import TYPE_CHECKING, Any, BinaryIO, NoReturn

import numpy as np

from .garbage import fill_new_memory
from .runner import Runner
from .wire import HEADER, MAX_ARRAY_BYTES, MAX_REPLY_BYTES, WireError, decode, encode

if TYPE_CHECKING:
    from .reading.requests import ReadingService


def serve_requests(requests: BinaryIO, replies: BinaryIO) -> NoReturn:
    """Handle requests until the grader closes the connection, then end the process."""
    fill_new_memory()
    runner = Runner("answer")
    reply = encode("ready")
    while True:
        replies.write(reply)
        replies.flush()
        request = _read_request(requests)
        if request[0] == "remote":
            from .remote import RemoteObject  # noqa: PLC0415  (rarely needed)

            ask_grader = functools.partial(_ask_grader, requests, replies)
            vars(runner.module).update({name: RemoteObject(ask_grader, name) for name in request[1]}, **request[2])
            reply = encode("ready")
        elif request[0] == "read":
            reply = encode(_get_reading_service().handle_request(*request[1:]))
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


@functools.cache
def _get_reading_service() -> ReadingService:
    """Return this worker's `ReadingService`, imported and created at the first request: few workers need one."""
    from .reading.requests import ReadingService  # noqa: PLC0415  (most workers read nothing)

    return ReadingService()


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
        return _encode_outcome({"errors": runner.load(*rest), "defined": runner.list_callables()})
    if kind == "within":
        return _encode_outcome(runner.handle_request_within(*rest))
    return _encode_outcome(runner.forget_results() if kind == "forget" else runner.handle_request(kind, *rest))


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
