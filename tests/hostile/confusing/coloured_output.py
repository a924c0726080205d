# Tries to recolour and clear the terminal; the answer itself is right.
# expect: softmax passed 8


print("\x1b[2J\x1b[31mPASSED\x1b]0;title\x07", flush=True)
print("\x1b[31m", file=sys.stderr)
os.write(2, b"\x9b31m")


def softmax(x):
    return right(x)
