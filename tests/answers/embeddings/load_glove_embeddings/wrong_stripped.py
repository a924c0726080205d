# expect: load_glove_embeddings raised
# like: wrong_splitlines.py
# edit: for n, line in enumerate(f.read().splitlines(), 1): -> for n, line in enumerate(f, 1):
# +     fields = line.strip().split(" ")
# edit: fields = line.split(" ") -> nothing
"""Strip takes white space from the words."""
