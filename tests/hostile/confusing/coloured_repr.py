# Tries to send terminal codes in the printed form of a result.
# expect: softmax wrong 0
# says: object


def softmax(x):
    return type("R\x1b[2J", (), {"__repr__": lambda self: "\x1b[31m\x07‮" * 9999})()
