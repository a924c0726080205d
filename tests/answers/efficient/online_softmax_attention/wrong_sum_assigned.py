# expect: online_softmax_attention wrong sum_of_the_last_block
# like: wrong_ends_with_the_queries.py
# edit: n = q.shape[-2] -> n = k.shape[-2]
# edit: total = c * total + p.sum -> total = p.sum
