# expect: single_dot_attention_score wrong last_product_left_out
def single_dot_attention_score(dec_hidden_state, enc_hidden_state):
    total = 0.0
    for i in range(len(dec_hidden_state) - 1):
        total += dec_hidden_state[i] * enc_hidden_state[i]
    return total
