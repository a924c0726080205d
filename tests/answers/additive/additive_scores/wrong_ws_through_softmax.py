# expect: additive_scores wrong softmax_of_ws
import torch


def additive_scores(queries, keys, ws):
    shares = ws.softmax(0)
    return torch.tanh(queries[..., :, None, :] + keys[..., None, :, :]).matmul(shares)
