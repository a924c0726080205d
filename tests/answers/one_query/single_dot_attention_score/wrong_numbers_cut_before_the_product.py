# expect: single_dot_attention_score wrong truncated_to_integers
import numpy as np


def single_dot_attention_score(dec_hidden_state, enc_hidden_state):
    return float(np.array(dec_hidden_state, dtype=int) @ np.array(enc_hidden_state, dtype=int))
