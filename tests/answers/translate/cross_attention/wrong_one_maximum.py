# expect: cross_attention wrong one_maximum_for_everything
# like: ../by_hand.py
# edit: torch.amax(scores, dim=-1, keepdim=True) -> torch.max(scores)
