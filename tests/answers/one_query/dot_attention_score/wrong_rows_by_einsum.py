# expect: dot_attention_score raised rows_used_as_time_steps
"""A row for a time step, with `einsum`."""

import numpy as np


def dot_attention_score(dec_hidden_state, annotations):
    return np.einsum("th,h->t", np.asarray(annotations), np.asarray(dec_hidden_state))
