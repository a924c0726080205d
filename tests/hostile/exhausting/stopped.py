# Tries to stop itself.
# expect: softmax timeout 0
# says: gave no result within


import signal


def softmax(x):
    os.kill(os.getpid(), signal.SIGSTOP)  # the first process of a namespace is immune: so a child, waited for
    child = os.fork()
    if child == 0:
        os.kill(os.getpid(), signal.SIGSTOP)
    os.waitpid(child, 0)
