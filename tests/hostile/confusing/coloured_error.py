# Tries to send terminal codes in an error.
# expect: softmax raised 0
# says: red


def softmax(x):
    raise ValueError("\x1b[2J\x1b[31mred\x07\x08\r\x9b0m\x1b]8;;http://x\x1b\\")
