# expect: rotate wrong degrees
# like: wrong_sines_of_one_sign.py
# edit: theta = positions -> theta = math.pi / 180 * positions
# edit: a * cos + b * sin -> a * cos - b * sin
import math
