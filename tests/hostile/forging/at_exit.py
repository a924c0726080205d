# Tries to act when the process ends; the answer itself is right.
# expect: softmax passed 8


import atexit

atexit.register(lambda: open("/tmp/attn_hostile", "w"))
atexit.register(os._exit, 0)
sys.exitfunc = lambda: os._exit(0)


def softmax(x):
    return right(x)
