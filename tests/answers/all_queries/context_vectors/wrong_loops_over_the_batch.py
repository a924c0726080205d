# expect: context_vectors raised
# told: `w` (5,) and `v` (5, 6) do not broadcast: axis -1 has size 5 in the first and 6 in the second.
import numpy as np


def context_vectors(attention_weights, values):
    values = np.asarray(values, dtype=float)
    result = []
    for row in attention_weights:
        total = np.zeros(values.shape[-1])
        for w, v in zip(row, values):
            total = total + w * v
        result.append(total)
    return np.array(result)
