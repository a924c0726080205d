# Tries to hang where its result is described.
# expect: softmax timeout 0
# says: gave no result within


class Hanging:
    def __repr__(self):
        while True:
            pass


def softmax(x):
    return Hanging()
