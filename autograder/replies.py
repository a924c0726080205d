"""What a worker may reply, checked once on arrival.

The answer shares a process with the worker and can forge its replies. A forged value is judged like any other, but a
reply of the wrong form would fail somewhere inside the grader and look like a fault of ours.
"""


def is_load_reply(reply, request):
    """One error or None for each cell, and the names that are defined."""
    if not isinstance(reply, dict) or set(reply) != {"errors", "defined"}:
        return False
    errors, defined = reply["errors"], reply["defined"]
    return (
        isinstance(errors, list)
        and len(errors) == len(request[1])
        and all(error is None or _is_error(error) for error in errors)
        and isinstance(defined, list)
        and all(isinstance(name, str) for name in defined)
    )


def is_call_reply(reply, request):
    """A value or an error, and which arguments changed."""
    if not isinstance(reply, dict) or len({"value", "error"} & set(reply)) != 1:
        return False
    changed = reply.get("changed", [])
    return (
        ("error" not in reply or _is_error(reply["error"]))
        and isinstance(changed, list)
        and all(isinstance(position, int) for position in changed)
    )


def _is_error(error):
    if not isinstance(error, dict) or set(error) != {"type", "message", "where"}:
        return False
    steps = error["where"]
    return (
        isinstance(error["type"], str)
        and isinstance(error["message"], str)
        and isinstance(steps, list)
        and all(isinstance(step, list) and [type(part) for part in step] == [str, int, str, str] for step in steps)
    )
