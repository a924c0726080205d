# expect: SelfAttentionBlock wrong token_added_once_more_after_the_norm
# expect: block_state wrong norm_named_inside_attention
# expect: rank_by_similarity wrong
# like: wrong_sides.py
"""The token once more, the norm in the attention, and an order that is no order."""

import torch.nn.functional as F


class SelfAttentionBlock(Blk):
    def forward(self, x, m):
        f, w = self.attention(x, x, x, self.mask(m))
        return x + self.norm(x + f), w


def block_state(c, layer):
    return {("attention." + k if k.startswith("norm") else k): v for k, v in st(c, layer).items()}


def rank_by_similarity(q, s):
    v, i = F.cosine_similarity(q[None], s).sort(descending=True)
    return i.float(), v
