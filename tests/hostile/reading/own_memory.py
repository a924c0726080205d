# Tries to find the suites or the secret in memory that the zygote had before the fork.
# expect: softmax wrong 0
# says: returned 0


import re

WORDS = [word[::-1] for word in (b"serocs_egral_tset", b"stnemugra_sevael", b"YRANAC_ELITSOH")]


def softmax(x):
    if not os.path.exists("/proc/self/maps"):
        return np.zeros(len(x))
    maps = open("/proc/self/maps").read()
    with open("/proc/self/mem", "rb", 0) as memory:
        for first, last in re.findall(r"^([0-9a-f]+)-([0-9a-f]+) rw.*\[heap\]", maps, re.M):
            memory.seek(int(first, 16))
            data = memory.read(int(last, 16) - int(first, 16))
            if any(word in data for word in WORDS[:2]):
                breach("memory")
    return np.zeros(len(x))
