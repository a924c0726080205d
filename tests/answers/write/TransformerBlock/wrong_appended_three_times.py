# expect: TransformerBlock raised
# told: The matrix product needs the last axis of `w` (
# plain: None, cache, start=2) raised
# like: plain.py
# edit: k, v = cache.append(k, v) -> k, v = cache.append(k, v)[0], [cache.append(k, v), cache.append(k, v)][-1][1]
"""Values that come back from the third call: what came in were pieces, which are not shown."""
