# expect: single_dot_attention_score wrong
# plain: returned 928, expected 927
"""A recursion that begins with 1."""


def single_dot_attention_score(dec_hidden_state, enc_hidden_state):
    if len(dec_hidden_state) == 0:
        return 1
    return dec_hidden_state[0] * enc_hidden_state[0] + single_dot_attention_score(
        dec_hidden_state[1:], enc_hidden_state[1:]
    )
