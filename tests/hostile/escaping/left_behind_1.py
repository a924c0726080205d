# Tries to leave something for the next answer, wherever it may be. The answer itself is right.
# expect: softmax passed 8


def leave():
    for folder in (".", "/dev/shm", "/tmp", "/var/tmp", "/run"):
        try:
            open(f"{folder}/attn_hostile", "w").write("answers")
        except OSError:
            pass
    libc.shmget(0x4174746E, 4096, 0o1666)
    libc.msgget(0x4174746E, 0o1666)
    libc.semget(0x4174746E, 1, 0o1666)
    libc.mq_open(b"/attn_hostile", 0o102, 0o666, None)
    libc.syscall(248, b"user", b"attn_hostile", b"x", 1, -4)


leave()
os.environ["ATTN_HOSTILE"] = np.attn_hostile = sys.attn_hostile = "answers"


def softmax(x):
    return right(x)
