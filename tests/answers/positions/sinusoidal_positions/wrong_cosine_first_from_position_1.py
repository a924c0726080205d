# expect: sinusoidal_positions wrong
# like: wrong_the_same_tensor_again.py
# edit: @functools.cache -> nothing
# edit: torch.arange(n) -> torch.arange(1, n + 1)
# edit: angles.sin(), angles.cos() -> angles.cos(), angles.sin()
