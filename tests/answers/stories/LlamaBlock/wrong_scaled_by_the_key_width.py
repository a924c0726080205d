# expect: LlamaBlock wrong
# told: scale
# like: ../einsum.py
# edit: / d**0.5 -> / (g * d) ** 0.5
