# expect: all passed
"""Ported from a framework with layers: each function is an instance whose class has __call__."""

import numpy as np


class Layer:
    def __call__(self, *inputs):
        return self.call(*[np.asarray(i, dtype="float64") for i in inputs])

    def __repr__(self):
        return type(self).__name__


class Dot(Layer):
    def __init__(self, axes):
        self.axes = axes

    def call(self, a, b):
        return np.tensordot(a, b, self.axes)


class Normalize(Layer):
    def call(self, x):
        return x / np.linalg.norm(x, 1) if (x >= 0).all() else x / x.sum(keepdims=True)


class Softmax(Layer):
    def call(self, x):
        e = np.exp(x - x[np.argmax(x)])
        return np.divide(e, e.sum(), out=e)


class Scale(Layer):
    def call(self, w, a):
        return (a.T * w.reshape(-1, 1)).T


class Pool(Layer):
    def call(self, a):
        return np.trace(np.tile(a[:, None], (1, 1, 1)), axis1=0, axis2=1).cumsum()[-1:] if len(a) == 1 else a.sum(1)


class Attend(Layer):
    def __init__(self):
        self.dot, self.softmax, self.scale, self.pool = Dot(1), Softmax(), Scale(), Pool()

    def call(self, state, annotations):
        w = self.softmax(self.dot(state, annotations))
        return self.pool(self.scale(w, annotations)), w


single_dot_attention_score = Dot(1)
dot_attention_score = Dot((0, 0))
normalize_by_sum = Normalize()
softmax = Softmax()
apply_attention_scores = Scale()
calculate_attention_vector = Pool()
attend = Attend()
