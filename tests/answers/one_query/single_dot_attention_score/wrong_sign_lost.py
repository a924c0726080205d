# expect: single_dot_attention_score wrong
# told: times -1
import numpy as np


def single_dot_attention_score(state, annotation):
    return float(np.abs(np.dot(state, annotation)))
