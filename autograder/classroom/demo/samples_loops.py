"""Answers to the chapter one_query as somebody writes them who does not use NumPy, for the sample class."""

import math


def single_dot_attention_score(dec_hidden_state, enc_hidden_state):
    total = 0.0
    for position, number in enumerate(dec_hidden_state):
        total = total + number * enc_hidden_state[position]
    print("score:", total)
    return total


def dot_attention_score(dec_hidden_state, annotations):
    scores = []
    for step in range(len(annotations[0])):
        column = [row[step] for row in annotations]
        scores.append(single_dot_attention_score(dec_hidden_state, column))
    return scores


def normalize_by_sum(scores):
    total = 0.0
    for score in scores:
        total = total + score
    return [score / total for score in scores]


def softmax(scores):
    largest = sorted(scores)[-1]
    powers = [math.exp(score - largest) for score in scores]
    total = math.fsum(powers)
    return [power / total for power in powers]


def apply_attention_scores(attention_weights, annotations):
    applied = []
    for row in annotations:
        applied.append([attention_weights[step] * row[step] for step in range(len(row))])
    return applied


def calculate_attention_vector(applied_attention):
    context = []
    for row in applied_attention:
        context.append(math.fsum(row))
    return context
