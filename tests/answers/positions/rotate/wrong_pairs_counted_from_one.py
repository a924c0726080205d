# expect: rotate wrong pairs_counted_from_one
# like: ../loops.py
# edit: base ** (-2 * i / x.shape[-1]) -> base ** (-2 * (i + 1) / x.shape[-1])
