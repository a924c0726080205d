# Tries to loop, deaf to every error on the way.
# expect: softmax timeout 0
# says: gave no result within


def softmax(x):
    while True:
        try:
            time.sleep(0.01)
        except BaseException:
            pass
