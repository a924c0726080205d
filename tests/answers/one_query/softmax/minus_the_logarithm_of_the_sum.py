# expect: softmax passed
# like: ../logarithms.py
# edit:  - np.max(scores) -> nothing
"""The logarithm of the sum is added to the largest score, in which it is lost where that is very large."""
