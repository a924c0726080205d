# expect: GroupedQueryAttention raised
# like: by_index.py
# edit: Wk(keys). -> Wk(queries).
"""Keys made of the queries."""
