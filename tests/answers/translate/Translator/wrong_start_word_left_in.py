# expect: Translator wrong
# told: The numbers of `weights` are correct in every call, but those of `words` in none.
# like: ../by_hand.py
# edit: words[:, 1:], torch -> words[:, :-1], torch
"""The start word in front, and the last word lost."""
