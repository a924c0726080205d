# expect: calculate_attention_vector wrong first_time_step_left_out
import numpy as np


def calculate_attention_vector(applied_attention):
    applied = np.array(applied_attention, dtype=float)
    context = np.zeros(len(applied))
    for t in range(1, applied.shape[1]):
        context += applied[:, t]
    return context
