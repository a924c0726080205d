# expect: apply_attention_scores raised
# told: Index 3 is out of range: axis 0 has size 3.
import numpy as np


def apply_attention_scores(attention_weights, annotations):
    result = np.array(annotations, dtype=float)
    for i, w in enumerate(attention_weights):
        result[i] *= w
    return result
