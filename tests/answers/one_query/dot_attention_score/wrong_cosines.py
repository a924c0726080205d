# expect: dot_attention_score wrong cosine_similarity
import numpy as np


def dot_attention_score(dec_hidden_state, annotations):
    state = np.array(dec_hidden_state, dtype=float)
    state /= np.linalg.norm(state)
    return [state @ column / np.sqrt(np.sum(np.square(column))) for column in np.transpose(annotations)]
