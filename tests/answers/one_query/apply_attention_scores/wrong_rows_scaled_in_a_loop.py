# expect: apply_attention_scores raised
# told: axis 0 has size 3, so its last index is 2. Is another axis meant?
import numpy as np


def apply_attention_scores(attention_weights, annotations):
    result = np.array(annotations, dtype=float)
    for i, w in enumerate(attention_weights):
        result[i] *= w
    return result
