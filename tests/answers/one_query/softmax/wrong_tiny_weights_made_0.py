# expect: softmax wrong
# plain: weights correct to all digits, even tiny ones
# like: wrong_lifted_to_be_positive.py
# edit: np.maximum(powers / powers.sum(), 1e-8) -> np.where(powers < 1e-12, 0, powers) / powers.sum()
