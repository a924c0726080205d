# expect: dot_attention_score wrong
import numpy as np


def dot_attention_score(dec_hidden_state, annotations):
    state, annotations = np.asarray(dec_hidden_state, float), np.asarray(annotations, float)
    return np.array([np.sum(state[:-1] * annotations[:-1, t]) for t in range(len(annotations))])
