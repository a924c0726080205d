# expect: all passed
# like: flat.py
"""A norm of one's own, parts of names, and an order turned round."""


class Norm(nn.LayerNorm):
    def forward(self, x):
        c = x - x.mean(-1, keepdim=True)
        return c / torch.sqrt(c.pow(2).mean(-1, keepdim=True) + self.eps) * self.weight + self.bias


class SelfAttentionBlock(Blk):
    def __init__(self, d, h):
        super().__init__(d, h)
        self.norm = Norm(d, 1e-12)


def block_state(checkpoint, layer):
    state = {}
    for key, t in checkpoint.items():
        parts = key.split(".")
        if parts[:2] == ["encoder", "layer"] and parts[2] == str(layer) and parts[3] == "attention":
            state[
                {
                    "query": "attention.Wq",
                    "key": "attention.Wk",
                    "value": "attention.Wv",
                    "dense": "attention.Wo",
                    "LayerNorm": "norm",
                }[parts[-2]]
                + "."
                + parts[-1]
            ] = t.detach()
    return state


def rank_by_similarity(query, sentences):
    c = nn.CosineSimilarity(dim=1)(sentences, query.expand_as(sentences))
    o = c.argsort().flip(0)
    return o, c[o]
