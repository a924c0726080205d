# Tries to change its result in a thread, after it was returned.
# expect: softmax wrong 0
# says: returned


import threading


def softmax(x):
    result = np.zeros(len(x))

    def change():
        for _ in range(200):
            result[:] = np.random.rand()
            time.sleep(0.001)

    threading.Thread(target=change, daemon=True).start()
    return result
