# expect: split_heads raised not_checked
# expect: merge_heads raised view_of_a_non_contiguous_tensor
# expect: ConcatMultiHeadAttention wrong heads_in_a_list
# expect: MultiHeadAttention forbidden
# like: wrong_masks.py
# edit: return x.transpose(-3, -2).flatten(-2) -> *batch, h, n, d_h = x.shape
# + return x.transpose(-2, -3).view(*batch, n, h * d_h)
# edit: transpose(0, -1) -> mT
# edit: nn.ModuleList(Head(d_in, d_k) for _ in range(num_heads)) -> [Head(d_in, d_k) for _ in range(num_heads)]
"""Nearly there: no check, a view, a list, and torch's own module inside."""


def split_heads(x, num_heads):
    return x.view(*x.shape[:-1], num_heads, x.shape[-1] // num_heads).transpose(-2, -3)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.attention = nn.MultiheadAttention(d_model, num_heads, batch_first=True)

    def forward(self, queries, keys, values, mask=None):
        hidden = None if mask is None else ~mask
        return self.attention(queries, keys, values, attn_mask=hidden, average_attn_weights=False)
