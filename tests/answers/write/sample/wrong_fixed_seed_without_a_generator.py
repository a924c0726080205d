# expect: sample wrong seed_fixed_without_a_generator
import torch


def sample(logits, temperature=1.0, top_k=None, generator=None):
    c = logits.shape[-1]
    if temperature < 0:
        raise ValueError("temperature")
    if top_k is not None and not 1 <= top_k <= c:
        raise ValueError("top_k")
    if temperature == 0:
        return logits.argmax(dim=-1)
    if generator is None:
        torch.manual_seed(0)
    scaled = logits / temperature
    if top_k is not None:
        kth = scaled.topk(top_k, dim=-1).values[..., -1:]
        scaled = scaled.masked_fill(scaled < kth, float("-inf"))
    p = scaled.softmax(-1)
    return torch.multinomial(p.reshape(-1, c), 1, generator=generator).reshape(p.shape[:-1])
