# expect: Translator wrong
# told: The numbers in `weights` are correct in every call, but those in `words` are not.
# like: ../by_hand.py
# edit: words[:, 1:], torch -> words[:, :-1], torch
"""The start word in front, and the last word lost."""
