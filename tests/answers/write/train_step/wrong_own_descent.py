# expect: train_step wrong
# like: plain.py
# edit: optimizer.step() -> with torch.no_grad():
# +     for p in model.parameters():
# +         p -= optimizer.param_groups[0]["lr"] * p.grad
"""Plain gradient descent, whatever the optimizer is."""
