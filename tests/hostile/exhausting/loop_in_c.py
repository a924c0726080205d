# Tries to loop where no Python code can interrupt it.
# expect: softmax timeout 0
# says: gave no result within


def softmax(x):
    return pow(3, 2**40)
