# expect: embed_sentence wrong
# told: is what was expected without the row 0
# like: ../loops.py
# edit: (word, word.lower()) -> (word, word.capitalize())
