# expect: LlamaBlock wrong repeated_before_the_cache
# like: ../parts.py
# edit: if cache is not None: -> nothing
# edit:     k, v = cache.append(k, v) -> nothing
# edit: scores = q @ (k -> if cache is not None:
# +     k, v = cache.append(k, v)
# + scores = q @ (k
