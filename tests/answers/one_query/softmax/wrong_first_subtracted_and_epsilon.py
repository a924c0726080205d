# expect: softmax wrong first_score_subtracted
# plain: scores far above it still overflow. softmax(
import numpy as np


def softmax(scores):
    scores = np.asarray(scores, dtype=float)
    exponentials = np.exp(scores - scores[0])
    return exponentials / (exponentials.sum() + 1e-7)
