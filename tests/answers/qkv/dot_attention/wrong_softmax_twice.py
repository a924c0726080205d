# expect: dot_attention wrong
# plain: at [0, 0] for output, expected 1.007
# like: root_in_float32.py
# edit: q @ k.mT / torch.sqrt(torch.tensor(k.shape[-1])), dim= -> torch.softmax(q @ k.mT / k.shape[-1] ** 0.5, -1),
"""Softmax of the weights."""
