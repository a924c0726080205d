# Tries to return the wire's tensors in a chapter without torch.
# expect: softmax wrong 0
# says: a tensor


def softmax(x):
    return sys.modules["worker.wire"].Tensor(right(x), True)
