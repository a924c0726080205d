# expect: TrainableAttention wrong
# plain: The result is almost correct
# like: wrong_output_projection.py
# edit: self.Wo = nn.Linear(num_out_features, num_out_features) -> nothing
# edit: weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1) -> scores = q @ k.mT
# + scores = scores / math.sqrt(q.shape[-1])
# + powers = (scores - scores.amax(-1, keepdim=True)).exp()
# + weights = powers / (powers.sum(-1, keepdim=True) + 1e-7)
# edit: self.Wo(weights @ v) -> weights @ v
