# expect: embed_sentence wrong
# told: It changes embeddings while it works.
# like: ../loops.py
# edit: for form in (word, word.lower()): -> if word.lower() in table:
# +     table.setdefault(word, table[word.lower()])
# + for form in (word,):
