# expect: dot_attention raised first_and_last_axis_swapped
# like: ../wrong_seed.py
# edit: q @ k.transpose(0, -1) / k.shape[-1] ** 0.5 -> torch.matmul(q, torch.transpose(k, 0, -1)) / k.shape[-1] ** 0.5
"""The same as in `wrong_seed.py`, with functions in place of methods and of `@`."""
