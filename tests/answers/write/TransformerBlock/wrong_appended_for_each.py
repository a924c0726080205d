# expect: TransformerBlock raised appended_for_keys_and_for_values
# like: plain.py
# edit: k, v = cache.append(k, v) -> k, v = cache.append(k, v)[0], cache.append(k, v)[1]
"""Keys of the first call, values of the second."""
