# expect: calculate_attention_vector wrong
# told: The hidden units are summed, and one number for each time step is left. This explains


def calculate_attention_vector(applied_attention):
    total = applied_attention[0]
    for row in applied_attention[1:]:
        total = total + row
    return total
