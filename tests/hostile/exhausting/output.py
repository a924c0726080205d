# Tries to print 500 MB; the answer itself is right.
# expect: softmax passed 8


for _ in range(250):
    print("x" * 10**6)
    print("y" * 10**6, file=sys.stderr)
os.write(1, b"z" * 10**6)


def softmax(x):
    return right(x)
