# expect: sample raised
# like: multinomial.py
# edit: p = torch.softmax(logits / temperature, dim=-1) -> p = torch.exp(logits / temperature)
"""Exponentials as they are, which overflow where a logit is large: the draw needs no shares."""
