# expect: context_vectors wrong
# told: The result is the expected one, transposed.
import numpy as np


def context_vectors(attention_weights, values):
    return np.swapaxes(np.asarray(attention_weights) @ np.asarray(values), -1, -2)
