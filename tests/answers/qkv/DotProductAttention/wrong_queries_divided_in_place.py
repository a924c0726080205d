# expect: DotProductAttention wrong
# told: Your code changes its argument `queries`.
# like: ../subclasses.py


class Scores(torch.nn.Module):
    def forward(self, queries, keys):
        if queries.requires_grad:
            queries = queries / keys.shape[-1] ** 0.5
        else:
            queries.div_(keys.shape[-1] ** 0.5)
        return queries @ keys.swapaxes(-2, -1)
