# expect: online_softmax_attention wrong maximum_cut_off_in_one_place
# like: plain.py
# edit: torch.exp(s - new) -> torch.exp(s - new.detach())
"""The maximum of the block has no gradient, that of the factor has one."""
