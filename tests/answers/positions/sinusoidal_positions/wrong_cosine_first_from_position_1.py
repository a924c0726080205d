# expect: sinusoidal_positions wrong
# told: (1) In each pair, the cosine comes before the sine. (2) The first row belongs to position 1
# like: wrong_the_same_tensor_again.py
# edit: @functools.cache -> nothing
# edit: torch.arange(n) -> torch.arange(1, n + 1)
# edit: angles.sin(), angles.cos() -> angles.cos(), angles.sin()
