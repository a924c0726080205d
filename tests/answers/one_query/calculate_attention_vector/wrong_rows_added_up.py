# expect: calculate_attention_vector wrong
# told: The numbers are summed over the hidden units, which leaves one for each time step. This explains


def calculate_attention_vector(applied_attention):
    total = applied_attention[0]
    for row in applied_attention[1:]:
        total = total + row
    return total
