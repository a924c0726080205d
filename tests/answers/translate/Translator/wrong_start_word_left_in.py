# expect: Translator wrong
# told: The numbers of weights are right in every call tried, those of words in
# like: ../by_hand.py
# edit: words[:, 1:], torch -> words[:, :-1], torch
"""The start word in front, and the last word lost."""
