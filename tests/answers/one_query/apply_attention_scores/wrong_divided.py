# expect: apply_attention_scores wrong divided_by_the_weights
import numpy as np


def apply_attention_scores(attention_weights, annotations):
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.array(annotations, dtype=float) / np.array(attention_weights, dtype=float)
