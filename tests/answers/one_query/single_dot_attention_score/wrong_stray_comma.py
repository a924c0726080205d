# expect: single_dot_attention_score wrong
# told: A comma at the end of `return` makes a tuple
import numpy as np


def single_dot_attention_score(dec_hidden_state, enc_hidden_state):
    return (np.dot(dec_hidden_state, enc_hidden_state),)
