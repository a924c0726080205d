# expect: causal_mask wrong
# told: Made alone, this call is right: something is kept from the calls before it.
import numpy as np

_tables = []


def causal_mask(n):
    if not _tables:
        _tables.append(np.tri(n, dtype=bool))
    return _tables[0]
