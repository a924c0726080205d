# expect: attend raised
# told: A Python list has no `T`. Convert it first, with `np.asarray` or `torch.tensor`.
import numpy as np


def softmax(scores):
    scores = np.asarray(scores, dtype=float)
    exponentials = np.exp(scores - scores.max())
    return exponentials / exponentials.sum()


def attend(dec_hidden_state, annotations):
    scores = annotations.T @ dec_hidden_state
    weights = softmax(scores)
    return annotations @ weights, weights
