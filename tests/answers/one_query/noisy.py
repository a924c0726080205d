# expect: all passed
# ruff: noqa
"""Right, and left as it was when it first worked: prints, warnings, logs, plots and trials at the top level."""

import logging
import sys
import warnings

import matplotlib.pyplot as plt
import numpy as np

logging.basicConfig(level=logging.DEBUG)
np.set_printoptions(precision=2)
np.seterr(all="warn")


def single_dot_attention_score(dec_hidden_state, enc_hidden_state):
    print("scores", dec_hidden_state, enc_hidden_state, file=sys.stderr)
    return np.array([np.dot(dec_hidden_state, enc_hidden_state)])


print(single_dot_attention_score([5, 1, 20], [3, 12, 45]))


def dot_attention_score(dec_hidden_state, annotations):
    logging.debug("annotations: %s", annotations)
    return np.array([single_dot_attention_score(dec_hidden_state, a)[0] for a in np.array(annotations).T])


def normalize_by_sum(scores):
    warnings.warn("is this stable?")
    return np.array(scores) / np.sum(scores)


def softmax(scores):
    np.exp(np.array(scores, dtype=float))  # overflows, and warns; the result is not used
    x = scores - np.max(scores)
    print("\x1b[31mx\x1b[0m", x, flush=True)
    return np.exp(x) / np.sum(np.exp(x))


def apply_attention_scores(attention_weights, annotations):
    plt.imshow(np.array(annotations))
    plt.show()
    plt.close()
    return np.array(attention_weights) * np.array(annotations)


def calculate_attention_vector(applied_attention):
    sys.stdout.write("x" * 100_000)
    return np.array(applied_attention).sum(1)


def attend(dec_hidden_state, annotations):
    weights = softmax(dot_attention_score(dec_hidden_state, annotations))
    context = calculate_attention_vector(apply_attention_scores(weights, annotations))
    assert context.shape == (len(annotations),), "shape!"
    return context, weights


attend("not", "numbers")  # an old trial that fails

if __name__ == "__main__":
    print(attend(eval(input("state: ")), eval(input("annotations: "))))
