# Tries to return a list of a hundred thousand levels.
# expect: softmax wrong 0
# says: returned


def softmax(x):
    result = []
    for _ in range(10**5):
        result = [result]
    return result
