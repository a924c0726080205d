# expect: embed_sentence wrong
# like: ../loops.py
# edit: (word, word.lower()) -> (word, word.capitalize())
