# expect: linear_attention wrong
# like: wrong_epsilon.py
# edit: S)[..., 0, :] / ((q[..., i, :] * z).sum(-1, keepdim=True) + 1e-3) -> (S / z[..., None]))[..., 0, :]
"""The state is divided, not the output."""
