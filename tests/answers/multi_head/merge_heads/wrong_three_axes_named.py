# expect: merge_heads raised
# told: You name 3 axes, but the tensor has 4, and `permute` needs all of them.


def merge_heads(x):
    return x.permute(1, 0, 2).reshape(x.shape[1], -1)
