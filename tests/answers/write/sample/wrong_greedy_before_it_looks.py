# expect: sample wrong temperature_zero_comes_first
# like: multinomial.py
# edit: if temperature < 0 or -> if temperature == 0:
# +     return logits.argmax(-1)
# + if temperature < 0 or
