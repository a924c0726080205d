# expect: softmax passed
import inspect

import numpy as np


def softmax(scores):
    exponentials = np.exp(np.asarray(scores, dtype=float) - np.max(scores))
    return exponentials / exponentials.sum()


assert inspect.getsource(softmax).startswith("def softmax(scores):")
