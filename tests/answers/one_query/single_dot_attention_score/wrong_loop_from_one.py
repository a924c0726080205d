# expect: single_dot_attention_score wrong first_product_left_out
def single_dot_attention_score(dec_hidden_state, enc_hidden_state):
    total = 0.0
    for unit in range(1, len(dec_hidden_state)):
        total += float(dec_hidden_state[unit]) * float(enc_hidden_state[unit])
    return total
