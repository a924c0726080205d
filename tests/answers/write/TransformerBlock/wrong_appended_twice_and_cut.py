# expect: TransformerBlock wrong
# plain: returned 2 for calls_of_append, expected 1
# like: plain.py
# edit: k, v = cache.append(k, v) -> k, v = cache.append(k, v)[0], cache.append(k, v)[1][..., : k.shape[-2], :]
"""As many values of the second call as there are keys of the first: with an empty cache the output is right."""
