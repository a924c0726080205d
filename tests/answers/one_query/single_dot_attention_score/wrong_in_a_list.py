# expect: single_dot_attention_score wrong
import numpy as np


def single_dot_attention_score(dec_hidden_state, enc_hidden_state):
    return [float(np.dot(dec_hidden_state, enc_hidden_state))]
