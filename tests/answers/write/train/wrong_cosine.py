# expect: train wrong cosine_decay
# like: ../compact.py
# edit: (steps - t) / (steps - warmup)) for t -> 0.5 + 0.5
# + * torch.cos(torch.tensor(torch.pi * (t - warmup) / (steps - warmup))).item()) for t
