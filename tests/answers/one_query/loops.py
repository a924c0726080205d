# expect: all passed
"""Plain Python: loops, lists in, lists out, no NumPy at all."""

import math


def single_dot_attention_score(dec_hidden_state, enc_hidden_state):
    total = 0
    for i in range(len(dec_hidden_state)):
        total += dec_hidden_state[i] * enc_hidden_state[i]
    return total


def dot_attention_score(dec_hidden_state, annotations):
    scores = []
    for column in zip(*annotations, strict=True):
        scores.append(single_dot_attention_score(dec_hidden_state, column))
    return scores


def normalize_by_sum(scores):
    total = sum(scores)
    return [score / total for score in scores]


def softmax(scores):
    largest = max(scores)
    powers = [math.exp(score - largest) for score in scores]
    total = sum(powers)
    return [power / total for power in powers]


def apply_attention_scores(attention_weights, annotations):
    applied = []
    for row in annotations:
        applied.append([])
        for t in range(len(row)):
            applied[-1].append(row[t] * attention_weights[t])
    return applied


def calculate_attention_vector(applied_attention):
    return [sum(row) for row in applied_attention]


def attend(dec_hidden_state, annotations):
    weights = softmax(dot_attention_score(dec_hidden_state, annotations))
    context = calculate_attention_vector(apply_attention_scores(weights, annotations))
    return context, weights
