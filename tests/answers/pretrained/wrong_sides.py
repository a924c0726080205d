# expect: SelfAttentionBlock wrong words_hidden_and_nan
# expect: block_state wrong value_and_output_swapped
# expect: rank_by_similarity wrong sorted_by_dot_products
# like: flat.py
"""The mask turned round, two parts swapped, and the order of another measure."""

N = {
    "attention.Wq": "self.query",
    "attention.Wk": "self.key",
    "attention.Wv": "self.value",
    "attention.Wo": "output.dense",
    "norm": "output.LayerNorm",
}


def st(c, layer, n=N, ends=("weight", "bias"), pre="encoder.layer.{}.attention."):
    return {f"{m}.{e}": c[pre.format(layer) + f"{t}.{e}"] for m, t in n.items() for e in ends}


class SelfAttentionBlock(Blk):
    def mask(self, m):
        return ~m[..., None, None, :]


def block_state(c, layer):
    return st(c, layer, N | {"attention.Wv": "output.dense", "attention.Wo": "self.value"})


def rank_by_similarity(q, s):
    c = F.cosine_similarity(q[None], s)
    o = (s @ q).argsort(descending=True)
    return o, c[o]
