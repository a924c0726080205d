# Tries to send halves of characters, which cannot be written to a file.
# expect: softmax raised 0
# says: raised ValueError


def softmax(x):
    raise ValueError("\ud800 \udfff \x00")
