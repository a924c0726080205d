# expect: online_softmax_attention wrong
# plain: returned nan
# like: plain.py
# edit: p @ values, new -> p @ values, new.float().to(q.dtype)
"""A maximum that is no number in single precision."""
