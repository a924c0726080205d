# expect: train_step wrong each_group_clipped_separately
from torch import nn
from torch.nn import functional


def next_token_loss(logits, tokens, mask=None):
    return functional.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten())


def train_step(model, optimizer, tokens, max_norm=1.0):
    model.train()
    optimizer.zero_grad()
    loss = next_token_loss(model(tokens), tokens)
    loss.backward()
    for group in optimizer.param_groups:
        nn.utils.clip_grad_norm_(group["params"], max_norm)
    optimizer.step()
    return loss.item()
