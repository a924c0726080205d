"""A few letters that stand for what a wrong answer does: two that reply the same to the same requests have the same.

Nothing can be read from them: they are a digest. Numbers count to their first four digits, so that answers which differ
by rounding alone are alike.
"""

import hashlib
from collections.abc import Iterator

import numpy as np

from autograder.judging.ask.evidence import Evidence
from autograder.judging.values.leaves import results_in, to_array
from autograder.worker.values import Described, Opaque

LETTERS = 16
DIGITS = 3  # behind the first


def fingerprint(evidence: Evidence) -> str:
    """Of the calls that came to something wrong; empty where none did."""
    digest, calls = hashlib.blake2b(digest_size=LETTERS // 2), 0
    for number, (call, is_wrong) in enumerate(zip(evidence.calls, evidence.wrong, strict=True)):
        if is_wrong:
            calls += 1
            parts = [("raised", call.error["type"], call.error["message"])] if call.error else _parts(call.value)
            for part in (number, call.kind, call.changed, *parts):
                text = repr(part).encode("utf-8", "surrogatepass")
                digest.update(len(text).to_bytes(8, "big") + text)
    return digest.hexdigest() if calls else ""


def _parts(value: object) -> Iterator[object]:
    """What matters of a value, part by part, as plain data."""
    if isinstance(value, Described):
        yield value.kind
        yield from _parts(value.parts)
    elif isinstance(value, dict):
        for key, part in value.items():
            yield "key", key
            yield from _parts(part)
    elif (results := results_in(value)) is not None:
        yield type(value).__name__, len(results)
        for part in results:
            yield from _parts(part)
    elif (array := to_array(value)) is not None:
        yield from _numbers(array)
    else:
        yield value.type_name if isinstance(value, Opaque) else repr(value)


def _numbers(array: np.ndarray) -> Iterator[object]:
    yield array.shape, "b" if array.dtype == bool else "number"
    if array.dtype.kind not in "biuf":
        yield array.dtype.kind
        return
    array = array.astype(float)
    largest = np.abs(array[np.isfinite(array)]).max(initial=0.0)
    scale = 10.0 ** np.floor(np.log10(largest)) if largest > 0 else 1.0
    with np.errstate(all="ignore"):
        yield hashlib.blake2b((np.round(array / scale, DIGITS) + 0.0).tobytes(), digest_size=8).hexdigest(), scale
