# expect: next_token_loss wrong
# like: wrong_mask_of_the_reader.py
# edit: losses.mean() -> losses.sum()
"""Summed without a mask; with one it is a mean of the wrong guesses."""
