# expect: single_dot_attention_score wrong
# told: The result is the expected one without its signs.
import numpy as np


def single_dot_attention_score(state, annotation):
    return float(np.abs(np.dot(state, annotation)))
