# expect: sinusoidal_positions wrong one_speed_for_all_hands
# like: wrong_the_same_tensor_again.py
# edit: @functools.cache -> nothing
# edit: 2) / d) -> 2) // d)
