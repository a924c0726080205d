# expect: MultiHeadAttention wrong nan_in_the_gradients
# like: ../einsum.py
# edit: scores = torch.where(mask, scores, -torch.inf) -> scores = scores + torch.where(mask, 0.0, -torch.inf)
"""NaN in the weights of a row that may attend to nothing becomes 0, and stays in the gradients."""
