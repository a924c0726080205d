# Tries to start processes that start processes.
# expect: softmax timeout 0
# says: gave no result within


def softmax(x):
    while True:
        try:
            os.fork()
        except OSError:
            time.sleep(0.05)
