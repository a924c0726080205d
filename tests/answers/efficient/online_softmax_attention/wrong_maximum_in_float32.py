# expect: online_softmax_attention wrong
# plain: returned -0.1369
# like: plain.py
# edit: p @ values, new -> p @ values, new.float().to(q.dtype)
"""A maximum that loses its last digits in single precision."""
