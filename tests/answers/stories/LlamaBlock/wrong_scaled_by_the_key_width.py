# expect: LlamaBlock wrong
# plain: for weights, expected
# like: ../einsum.py
# edit: / d**0.5 -> / (g * d) ** 0.5
