# Tries to start more threads than there may be.
# expect: softmax raised 0
# says: raised RuntimeError: can't start new thread


import threading


def softmax(x):
    for _ in range(5000):
        threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
    breach("threads")
