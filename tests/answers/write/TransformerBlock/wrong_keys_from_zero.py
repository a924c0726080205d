# expect: TransformerBlock wrong only_the_keys_begin_at_zero
# like: ../compact.py
# edit: rotate(k, at) -> rotate(k, at - start)
"""Only the queries begin at `start`."""
