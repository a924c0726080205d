# expect: single_dot_attention_score wrong
# told: The result is what was expected, without its sign
import numpy as np


def single_dot_attention_score(state, annotation):
    return float(np.abs(np.dot(state, annotation)))
