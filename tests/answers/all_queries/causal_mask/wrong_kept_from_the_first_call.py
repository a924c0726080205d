# expect: causal_mask wrong
# told: This call is correct when it runs first, but earlier calls change its result.
import numpy as np

_tables = []


def causal_mask(n):
    if not _tables:
        _tables.append(np.tri(n, dtype=bool))
    return _tables[0]
