# expect: TrainableAttention wrong causal_without_being_asked
# like: plain.py
# edit: weights = torch.softmax(q @ k.mT / k.shape[-1] ** 0.5, -1) -> scores = q @ k.mT / k.shape[-1] ** 0.5
# + future = torch.ones_like(scores, dtype=torch.bool).triu(1)
# + weights = torch.softmax(scores.masked_fill(future, -torch.inf), -1)
