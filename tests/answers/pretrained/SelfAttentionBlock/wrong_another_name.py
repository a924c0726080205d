# expect: SelfAttentionBlock wrong
# plain: was created without attention.Wq.weight
# like: unflattened.py
# edit: self.attention = -> self.attend =
# edit: self.attention(x -> self.attend(x
"""Right, and found under another name."""
