"""A digest of what a wrong answer does: two answers that reply the same to the same requests have the same.

Numbers count to their first four digits, so that answers which differ by rounding alone are alike.
"""

import hashlib
from collections.abc import Iterator

import numpy as np

from autograder.judging.ask.evidence import Evidence, error_key
from autograder.judging.values.leaves import leaves
from autograder.worker.values import Described, Opaque

FINGERPRINT_LETTERS = 16
DIGITS_BEHIND_FIRST = 3  # behind the first


def fingerprint(evidence: Evidence) -> str:
    """Return a digest of what came back wrong; empty if nothing did, or all calls lack a name: of many causes."""
    digest = hashlib.blake2b(digest_size=FINGERPRINT_LETTERS // 2)
    wrong = [(number, call) for number, (call, _, is_wrong, _) in enumerate(evidence.pairs) if is_wrong]
    if all(call.error and call.error["type"] == "NameError" for _, call in wrong):
        return ""
    for number, call in wrong:
        parts = [("raised", *error_key(call.error))] if call.error else _parts(call.value)
        for part in (number, call.kind, call.changed, *parts):
            text = repr(part).encode("utf-8", "surrogatepass")
            digest.update(len(text).to_bytes(8, "big") + text)
    return digest.hexdigest()


def _parts(value: object) -> Iterator[object]:
    """What matters of a value, part by part, as plain data."""
    if isinstance(value, Described):
        yield from (value.kind, *_parts(value.parts))
    keys = repr([*value]) if isinstance(value, dict) else ""
    for leaf in () if isinstance(value, Described) else (keys, *leaves(value)):
        if isinstance(leaf, np.ndarray):
            yield from _numbers(leaf)
        else:
            yield leaf.type_name if isinstance(leaf, Opaque) else repr(leaf)


def _numbers(array: np.ndarray) -> Iterator[object]:
    yield array.shape, "b" if array.dtype == bool else "number"
    if array.dtype.kind not in "biuf":
        yield array.dtype.kind
        return
    array = array.astype(float)
    largest = np.abs(array[np.isfinite(array)]).max(initial=0.0)
    scale = 10.0 ** np.floor(np.log10(largest)) if largest > 0 else 1.0
    with np.errstate(all="ignore"):
        rounded = np.round(array / scale, DIGITS_BEHIND_FIRST) + 0.0
    yield hashlib.blake2b(rounded.tobytes(), digest_size=8).hexdigest(), scale
