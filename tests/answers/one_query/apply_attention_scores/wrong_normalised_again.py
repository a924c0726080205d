# expect: apply_attention_scores wrong weights_normalised_again
import numpy as np


def apply_attention_scores(attention_weights, annotations):
    return np.asarray(annotations, dtype=float) * (np.asarray(attention_weights) / sum(attention_weights))
