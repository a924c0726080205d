# expect: single_dot_attention_score wrong only_the_last_product


def single_dot_attention_score(dec_hidden_state, enc_hidden_state):
    score = 0
    for i in range(len(dec_hidden_state)):
        score = dec_hidden_state[i] * enc_hidden_state[i]
    return score
