# expect: SelfAttentionBlock wrong
# plain: was made, but its attribute attention.Wq.weight is missing
# like: unflattened.py
# edit: self.attention = -> self.attend =
# edit: self.attention(x -> self.attend(x
"""Right, and found under another name."""
