# expect: next_token_loss raised losses_over_the_positions
# like: wrong_over_the_positions.py
# edit: functional.cross_entropy( -> torch.nn.CrossEntropyLoss(reduction="none")(input=
# edit: tokens[:, 1:], reduction="none") -> target=tokens[:, 1:])
"""The same as in `wrong_over_the_positions.py`, with the module and keywords."""
