# expect: plot_attention wrong
# plain: has the tokens of the queries on the x axis and those of the keys on the y axis
# like: plain.py
# edit: xticklabels=key_tokens, yticklabels=query_tokens -> xticklabels=query_tokens, yticklabels=key_tokens
# edit: , title="attention" -> nothing
