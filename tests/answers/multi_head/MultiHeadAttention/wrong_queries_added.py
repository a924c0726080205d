# expect: MultiHeadAttention wrong queries_added
# like: two_helpers.py
# edit: return self.Wo(merged), weights -> return self.Wo(merged) + queries, weights
