# expect: embed_sentence wrong
# told: Your code changes its argument `embeddings`.
# like: ../loops.py
# edit: for form in (word, word.lower()): -> if word.lower() in table:
# +     table.setdefault(word, table[word.lower()])
# + for form in (word,):
