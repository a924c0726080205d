# expect: SelfAttentionBlock forbidden
# expect: block_state wrong biases_forgotten
# expect: rank_by_similarity wrong least_similar_first
# like: wrong_ideas.py
# edit: scores = q @ k.mT / math.sqrt(q.shape[-1]) -> found = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
# + weights = F.scaled_dot_product_attention(q, k, torch.eye(k.shape[-2], dtype=q.dtype), attn_mask=mask)
# + return self.Wo(found.transpose(-3, -2).flatten(-2)), weights
# edit: weights = scores.masked_fill(mask == 0, -1e9).softmax(dim=-1) -> nothing
# edit: return self.Wo((weights @ v).transpose(-3, -2).flatten(-2)), weights -> nothing
# edit: normal = self.norm(x) -> found, weights = self.attention(x, x, x, is_word[..., None, None, :])
# + return self.norm(x + found), weights
# edit: found, weights = self.attention(normal, normal, normal, is_word[..., None, None, :]) -> nothing
# edit: return x + found, weights -> nothing
"""torch's own attention in the block, matrices without biases, and the order of argsort as it comes."""

import torch.nn.functional as F


def block_state(checkpoint, layer):
    names = {"attention.Wq": "self.query", "attention.Wk": "self.key", "attention.Wv": "self.value"}
    names |= {"attention.Wo": "output.dense", "norm": "output.LayerNorm"}
    prefix = f"encoder.layer.{layer}.attention"
    return {f"{mine}.weight": checkpoint[f"{prefix}.{theirs}.weight"] for mine, theirs in names.items()}


def rank_by_similarity(query, sentences):
    cosines = torch.cosine_similarity(sentences, query.unsqueeze(0), dim=-1)
    order = torch.argsort(cosines)
    return order, cosines[order]
