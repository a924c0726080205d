# expect: embed_sentence wrong
# told: is right but for 1 row too few
# like: ../loops.py
# edit: (word, word.lower()) -> (word, word.capitalize())
