# Tries to hang where its error is described.
# expect: softmax timeout 0
# says: gave no result within


class Hanging(Exception):
    def __str__(self):
        time.sleep(10**6)


def softmax(x):
    raise Hanging
