# expect: dot_attention_score wrong
# told: The result is as long as axis -1 of dec_hidden_state, and should be as long as axis -1 of annotations.
import numpy as np


def dot_attention_score(dec_hidden_state, annotations):
    state, annotations = np.asarray(dec_hidden_state, float), np.asarray(annotations, float)
    return np.array([np.sum(state[:-1] * annotations[:-1, t]) for t in range(len(annotations))])
