# expect: rotate wrong second_sum_has_the_wrong_sign
# like: wrong_sines_of_one_sign.py
# edit: a * cos + b * sin, b * cos + a * sin -> a * cos - b * sin, a * sin - b * cos
