# expect: sample wrong
# told: The numbers are correct, but the result has another shape.
# like: multinomial.py
# edit: .reshape(logits.shape[:-1]) -> .reshape(*logits.shape[:-1], 1).squeeze()
"""Squeezed."""
