# Has torch's own attention do the work, under a name that stands nowhere in the text, and catches the refusal.
# chapter: qkv
# expect: DotProductAttention forbidden 0
# says: which this exercise does not allow


class DotProductAttention(torch.nn.Module):
    def forward(self, q, k, v, mask=None):
        name = "_".join(["scaled", "dot", "product", "attention"])
        try:
            vars(torch.nn.functional)[name](q, k, v)
        except Exception:
            pass
        weights = torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, -1)
        return weights @ v, weights
