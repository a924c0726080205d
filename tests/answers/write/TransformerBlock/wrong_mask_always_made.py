# expect: TransformerBlock wrong causal_if_no_mask_is_given
# like: plain.py
# edit: if mask is not None: -> if mask is None:
# +     mask = torch.ones(s.shape[-2:], dtype=torch.bool).tril(s.shape[-1] - s.shape[-2])
# + s = s.masked_fill(~mask, -math.inf)
# edit: s = s.masked_fill(~mask, -math.inf) -> nothing
"""A causal mask of its own, whatever is asked."""

import torch.nn.functional as F
