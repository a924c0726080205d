# expect: load_glove_embeddings raised
# told: The argument is a `Path`, not a string. Pass it to `open` directly, or convert it with `str`.
# like: wrong_splitlines.py
# edit: open(glove_file, -> open("" + glove_file,
# edit: enumerate(f.read().splitlines(), 1) -> enumerate(f.read().removesuffix("\n").split("\n"), 1)
