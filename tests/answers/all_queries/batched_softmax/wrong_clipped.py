# expect: batched_softmax wrong clipped_further_out
import numpy as np


def batched_softmax(x, axis=-1):
    powers = np.exp(np.clip(np.asarray(x, dtype=float), -700, 700))
    return powers / powers.sum(axis=axis, keepdims=True)
