# expect: train_step wrong
# like: wrong_second_pass.py
"""All gradients are scaled by the inverse of a length that is 0."""


def train_step(model, optimizer, tokens, max_norm=1.0):
    model.train()
    optimizer.zero_grad()
    loss = next_token_loss(model(tokens), tokens)
    loss.backward()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.grad *= max_norm / (parameter.grad - parameter.grad).norm()
    optimizer.step()
    return loss.item()
