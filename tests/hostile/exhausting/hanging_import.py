# Tries to hang while the file is loaded: what is defined above counts, and what stands below is told why not.
# expect: softmax timeout 0
# says: did not come to an end and was stopped


import threading

del softmax  # noqa: F821

lock = threading.Lock()
lock.acquire()
lock.acquire()


def softmax(x):
    return x
