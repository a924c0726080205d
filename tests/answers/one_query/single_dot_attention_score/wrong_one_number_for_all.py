# expect: single_dot_attention_score wrong
# told: `single_dot_attention_score` never reads its argument `enc_hidden_state`


def single_dot_attention_score(dec_hidden_state, enc_hidden_state):
    if len(dec_hidden_state) == 3:
        return 927.0
    return 0.0
