# expect: context_vectors wrong
import numpy as np


def context_vectors(attention_weights, values):
    return np.maximum(attention_weights, 0) @ np.asarray(values, dtype=float)
