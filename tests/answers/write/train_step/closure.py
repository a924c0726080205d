# expect: train_step passed
# like: plain.py
"""A step that is given what makes its gradients."""


def train_step(model, optimizer, tokens, max_norm=1.0):
    losses = []

    def closure():
        optimizer.zero_grad()
        loss = next_token_loss(model(tokens), tokens)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        losses.append(loss.item())
        return loss

    model.train()
    optimizer.step(closure)
    return losses[0]
