# expect: Translator wrong words_sampled_at_random
# like: ../by_hand.py
# edit: .max(dim=-1).indices -> .multinomial(1)[:, 0]
"""As where a text is sampled."""
