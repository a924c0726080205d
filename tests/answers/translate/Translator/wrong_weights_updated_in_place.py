# expect: Translator raised
# told: If this is the update of the weights, put it under `torch.no_grad()`; otherwise create a new tensor.
# like: ../loops.py
# edit: parameter.data = parameter.data - learning_rate * parameter.grad -> parameter -= learning_rate * parameter.grad
"""The weights are updated in place, without `no_grad`."""
