# expect: calculate_attention_vector wrong
# plain: returned shape (4,), expected shape (3,)


def calculate_attention_vector(applied_attention):
    total = applied_attention[0]
    for row in applied_attention[1:]:
        total = total + row
    return total
