# expect: AdditiveAttention wrong default_dimensions_swapped
# like: wrong_columns_without_bias.py
# edit: num_in_features=300, num_out_features=256 -> num_in_features=256, num_out_features=300
# edit: dim=-2 -> dim=-1
