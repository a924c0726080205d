# expect: sinusoidal_positions wrong one_frequency_for_all_pairs
# like: wrong_the_same_tensor_again.py
# edit: @functools.cache -> nothing
# edit: 2) / d) -> 2) // d)
