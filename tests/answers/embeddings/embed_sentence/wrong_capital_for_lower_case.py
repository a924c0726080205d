# expect: embed_sentence wrong
# told: 1 row is missing at the beginning of the result `vectors`
# like: ../loops.py
# edit: (word, word.lower()) -> (word, word.capitalize())
