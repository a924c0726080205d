# expect: online_softmax_attention wrong maximum_starts_at_a_number
# like: plain.py
# edit: -torch.inf -> -1e4
"""Below all scores that were tried."""
