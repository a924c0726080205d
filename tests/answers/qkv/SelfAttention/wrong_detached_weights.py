# expect: SelfAttention wrong not_scaled
# like: unit_matrices.py
# edit: torch.eye(d_in -> torch.rand(d_in
# edit: weights = torch.softmax(q @ k.mT / k.shape[-1] ** 0.5, dim=-1) -> weights = torch.softmax(q @ k.mT, -1)
# + return weights @ v, weights.detach()
# edit: return weights @ v, weights -> nothing
"""The scores are not scaled, and the weights come back detached."""
