# Tries to sleep.
# expect: softmax timeout 0
# says: gave no result within


def softmax(x):
    time.sleep(10**6)
