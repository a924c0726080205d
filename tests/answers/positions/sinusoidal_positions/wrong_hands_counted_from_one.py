# expect: sinusoidal_positions wrong frequencies_counted_from_one
# like: ../loops.py
# edit: 2 * pair / d -> 2 * (pair + 1) / d
