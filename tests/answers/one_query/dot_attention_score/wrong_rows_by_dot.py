# expect: dot_attention_score raised rows_used_as_time_steps
"""A row for a time step, with `np.dot` in a loop."""

import numpy as np


def dot_attention_score(dec_hidden_state, annotations):
    return np.array([np.dot(annotation, dec_hidden_state) for annotation in annotations])
