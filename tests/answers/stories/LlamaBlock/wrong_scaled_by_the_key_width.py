# expect: LlamaBlock wrong
# told: times
# like: ../einsum.py
# edit: / d**0.5 -> / (g * d) ** 0.5
