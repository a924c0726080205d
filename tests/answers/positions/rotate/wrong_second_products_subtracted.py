# expect: rotate wrong second_products_subtracted
# like: wrong_sines_of_one_sign.py
# edit: a * cos + b * sin, b * cos + a * sin -> a * cos - b * sin, a * sin - b * cos
