# expect: sample wrong zero_taken_for_no_top_k
# like: multinomial.py
# edit: (top_k is not None and -> (top_k and
# edit: if top_k is not None: -> if top_k:
