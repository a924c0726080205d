# expect: train wrong counted_from_zero
# like: ../loops.py
# edit: min((t + 1) / warmup, -> min(t / warmup,
