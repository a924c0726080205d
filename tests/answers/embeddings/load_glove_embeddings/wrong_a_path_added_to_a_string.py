# expect: load_glove_embeddings raised
# told: What came in is a `Path`, which is no string
# like: wrong_splitlines.py
# edit: open(glove_file, -> open("" + glove_file,
# edit: enumerate(f.read().splitlines(), 1) -> enumerate(f.read().removesuffix("\n").split("\n"), 1)
