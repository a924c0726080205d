# Tries to ignore and block every signal.
# expect: softmax timeout 0
# says: gave no result within


import signal


def softmax(x):
    for number in signal.valid_signals():
        try:
            signal.signal(number, signal.SIG_IGN)
        except OSError:
            pass
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    while True:
        pass
