# expect: attention_scores wrong
# told: The result is only the diagonal of the expected one.
"""Query i with key i alone."""

import numpy as np


def attention_scores(queries, keys):
    return np.einsum("...id,...id->...i", np.asarray(queries), np.asarray(keys))
