# expect: single_dot_attention_score wrong state_truncated
"""One of the states becomes integers."""

import numpy as np


def single_dot_attention_score(dec_hidden_state, enc_hidden_state):
    return float(np.asarray(dec_hidden_state, dtype=int) @ np.asarray(enc_hidden_state, dtype=float))
