# expect: padding_mask wrong added_to_the_scores
# like: wrong_ones_for_padding.py
# edit: np.ones((len(lengths), 1, max_length)) -> np.full((len(lengths), 1, max_length), -np.inf)
