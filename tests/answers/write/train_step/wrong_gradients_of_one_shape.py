# expect: train_step raised
# told: `stack` needs tensors of equal shapes
# like: plain.py
# edit: torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm) -> grads = [p.grad for p in model.parameters()]
# + length = torch.stack(grads).norm()
# + for grad in grads:
# +     grad *= min(1, max_norm / length)
"""Takes for granted that all parameters have one shape."""
