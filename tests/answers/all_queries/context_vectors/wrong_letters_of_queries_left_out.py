# expect: context_vectors wrong queries_added_up
import numpy as np


def context_vectors(attention_weights, values):
    return np.einsum("...qk,...kd->...kd", np.array(attention_weights), np.array(values))
