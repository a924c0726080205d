# Tries to outlive its process: double fork, own session, all signals ignored. The answer is right.
# expect: softmax passed 8


import contextlib
import signal

if os.fork() == 0:
    with contextlib.suppress(OSError):
        os.setsid()
        breach("a session of its own")
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    if os.fork() == 0:
        libc.prctl(15, b"attn_hostile", 0, 0, 0)
        os.close(3)
        time.sleep(600)
    os._exit(0)


def softmax(x):
    return right(x)
