# expect: train_step wrong loss_after_the_step
# like: plain.py
# edit: loss = next_token_loss(model(tokens), tokens) -> next_token_loss(model(tokens), tokens).backward()
# edit: loss.backward() -> nothing
# edit: return loss.item() -> with torch.no_grad():
# +     return next_token_loss(model(tokens), tokens).item()
"""The loss is measured when the step is over."""
