# expect: softmax_backward wrong difference_of_weights_and_gradient


def softmax_backward(weights, grad):
    prediction, target = weights, grad
    return prediction - target
