# expect: sample wrong top_k_0_taken_for_none
# like: multinomial.py
# edit: (top_k is not None and -> (top_k and
# edit: if top_k is not None: -> if top_k:
