# expect: attention_scores wrong last_element_left_out
import numpy as np


def attention_scores(queries, keys):
    queries, keys = np.asarray(queries, float), np.asarray(keys, float)
    return sum(queries[..., :, None, i] * keys[..., None, :, i] for i in range(queries.shape[-1] - 1))
