# expect: LlamaBlock wrong layer_norm
# like: ../by_hand.py
# edit: return x / torch.sqrt -> x = x - x.mean(dim=-1, keepdim=True); return x / torch.sqrt
