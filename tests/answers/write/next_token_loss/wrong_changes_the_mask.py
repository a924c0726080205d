# expect: next_token_loss wrong
"""Changes the mask."""


def next_token_loss(logits, tokens, mask=None):
    logs = logits[:, :-1].log_softmax(dim=-1)
    picked = -logs.gather(-1, tokens[:, 1:, None]).squeeze(-1)
    if mask is None:
        return picked.mean()
    mask[:, 0] = False
    m = mask[:, 1:]
    if not m.any():
        return logits.sum() * 0.0
    return (picked * m).sum() / m.sum()
