# expect: softmax wrong logarithm_of_the_sum_lost
# like: ../logarithms.py
# edit:  - np.max(scores) -> nothing
"""The logarithm of the sum is added to the largest score, in which it is lost where that is very large."""
