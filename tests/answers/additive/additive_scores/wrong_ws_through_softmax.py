# expect: additive_scores wrong ws_as_shares
import torch


def additive_scores(queries, keys, ws):
    shares = ws.softmax(0)
    return torch.tanh(queries[..., :, None, :] + keys[..., None, :, :]).matmul(shares)
