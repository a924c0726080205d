# expect: all passed
"""Nested lists and recursion for the shift; products of broadcast tables for attention."""

import torch


def moved(row, start):
    if row and isinstance(row[0], list):
        return [moved(each, start) for each in row]
    return [start, *row[:-1]]


def shift_right(targets, start):
    return torch.tensor(moved(targets.tolist(), start), dtype=targets.dtype)


def cross_attention(queries, keys, values):
    table = queries[..., :, None, :] * keys[..., None, :, :]
    scores = table.sum(dim=-1) / queries.shape[-1] ** 0.5
    powers = torch.pow(torch.e, scores - scores.amax(dim=-1, keepdim=True))
    weights = powers / powers.sum(dim=-1, keepdim=True)
    return (weights[..., None] * values[..., None, :, :]).sum(dim=-2), weights
