# expect: dot_attention_score raised annotations_read_as_rows
"""A row for a time step, with `einsum`."""

import numpy as np


def dot_attention_score(dec_hidden_state, annotations):
    return np.einsum("th,h->t", np.asarray(annotations), np.asarray(dec_hidden_state))
