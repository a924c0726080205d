# expect: TransformerBlock raised
# told: In the tensor on the right, the batch axis and the last but one should be 6 and 3
# plain: are 6 and 9. TransformerBlock(12, 3)(float64 tensor
# like: plain.py
# edit: k, v = cache.append(k, v) -> k, v = cache.append(k, v)[0], [cache.append(k, v), cache.append(k, v)][-1][1]
"""Values that come back from the third call: what came in were pieces, which are not shown."""
