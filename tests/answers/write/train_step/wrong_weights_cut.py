# expect: train_step raised
# like: wrong_second_pass.py
"""The weights lose a row."""


def train_step(model, optimizer, tokens, max_norm=1.0):
    model.train()
    optimizer.zero_grad()
    loss = next_token_loss(model(tokens), tokens)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    for parameter in model.parameters():
        parameter.data = parameter.data[:-1]
    return loss.item()
