# expect: dot_attention_score wrong state_truncated
"""The hidden state becomes integers."""

import numpy as np


def dot_attention_score(dec_hidden_state, annotations):
    return np.asarray(dec_hidden_state, dtype=int) @ np.asarray(annotations)
