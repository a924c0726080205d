"""A few letters that stand for what a wrong answer does: two that reply the same to the same requests have the same.

Nothing can be read from them: they are a digest. Numbers count to their first four digits, so that answers which differ
by rounding alone are alike.
"""

import hashlib

import numpy as np

from autograder.judging.values.leaves import are_several, as_numbers
from autograder.worker.values import Described, Opaque, Tensor

LETTERS = 16
DIGITS = 3  # behind the first


def fingerprint(evidence):
    """Of the calls that came to something wrong.

    Parameters
    ----------
    evidence : autograder.judging.diagnosis.Evidence

    Returns
    -------
    str
        Empty where no call was wrong.
    """
    digest, calls = hashlib.blake2b(digest_size=LETTERS // 2), 0
    for number, (call, is_wrong) in enumerate(zip(evidence.calls, evidence.wrong, strict=True)):
        if is_wrong:
            calls += 1
            told = [("raised", call.error["type"], call.error["message"])] if call.error else _parts(call.value)
            for part in (number, call.kind, call.changed, *told):
                text = repr(part).encode("utf-8", "surrogatepass")
                digest.update(len(text).to_bytes(8, "big") + text)
    return digest.hexdigest() if calls else ""


def _parts(value):
    """What matters of a value, part by part, as plain data."""
    if isinstance(value, Tensor):
        yield value.requires_grad
        value = value.array
    if isinstance(value, (bool, int, float, np.generic, np.ndarray)):
        yield from _numbers(np.asarray(value))
    elif isinstance(value, Described):
        yield value.kind
        yield from _parts(value.parts)
    elif are_several(value):
        yield type(value).__name__, len(value)
        for part in value:
            yield from _parts(part)
    elif isinstance(value, (list, tuple)):  # of numbers alone, which counts like an array of them
        yield from _numbers(as_numbers(value))
    elif isinstance(value, dict):
        for key, part in value.items():
            yield "key", key
            yield from _parts(part)
    else:
        yield value.type_name if isinstance(value, Opaque) else repr(value)


def _numbers(array):
    yield array.shape, "b" if array.dtype == bool else "number"
    if array.dtype.kind not in "biuf":
        yield array.dtype.kind
        return
    array = array.astype(float)
    largest = np.abs(array[np.isfinite(array)]).max(initial=0.0)
    scale = 10.0 ** np.floor(np.log10(largest)) if largest > 0 else 1.0
    with np.errstate(all="ignore"):
        yield hashlib.blake2b((np.round(array / scale, DIGITS) + 0.0).tobytes(), digest_size=8).hexdigest(), scale
