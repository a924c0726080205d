# expect: sample wrong divided_by_the_temperature_twice
"""Once before the cut, once in softmax."""

import torch


def sample(logits, temperature=1.0, top_k=None, generator=None):
    c = logits.shape[-1]
    if temperature < 0 or (top_k is not None and not 1 <= top_k <= c):
        raise ValueError("temperature or top_k")
    if temperature == 0:
        return logits.argmax(dim=-1)
    logits = logits / temperature
    if top_k is not None:
        least = logits.topk(top_k, dim=-1).values[..., -1:]
        logits = logits.masked_fill(logits < least, float("-inf"))
    probabilities = torch.softmax(logits / temperature, dim=-1)
    return torch.multinomial(probabilities.reshape(-1, c), 1, generator=generator).reshape(logits.shape[:-1])
