# expect: split_heads wrong
# plain: (apart in memory, as after a transposition)
"""Goes through memory as if the numbers lay side by side."""


def split_heads(x, num_heads):
    *batch, n, d = x.shape
    if d % num_heads:
        raise ValueError("the heads do not divide the width")
    width, steps = d // num_heads, []
    for size in reversed(batch):
        steps.insert(0, size and (steps[0] * previous if steps else n * d))
        previous = size
    return x.as_strided((*batch, num_heads, n, width), (*steps, width, d, 1))
