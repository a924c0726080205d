# Tries to hold the grader beyond its deadline with one byte at a time.
# expect: softmax timeout 0
# says: gave no result within


def softmax(x):
    os.write(3, struct.pack("!II", 100, 60 << 20))
    while True:
        os.write(3, b" ")
        time.sleep(0.0002)
