# expect: calculate_attention_vector wrong
# told: The result has the expected numbers in other positions.
"""The units from the last to the first."""

import numpy as np


def calculate_attention_vector(applied_attention):
    return np.sum(applied_attention, axis=1)[::-1]
