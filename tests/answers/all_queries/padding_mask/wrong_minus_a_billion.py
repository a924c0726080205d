# expect: padding_mask wrong added_as_a_large_number
# like: wrong_ones_for_padding.py
# edit: np.ones((len(lengths), 1, max_length)) -> np.full((len(lengths), 1, max_length), -1e9)
