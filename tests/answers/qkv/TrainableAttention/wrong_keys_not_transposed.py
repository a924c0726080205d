# expect: TrainableAttention raised
# told: (3). Did you mean `k.T`?
# like: plain.py
# edit: q @ k.mT -> q @ k
"""The keys are not transposed."""
