# Tries to fill the disk with one file, then with many.
# expect: softmax raised 0
# says: No space left on device


def softmax(x):
    refused(open("one", "wb").write, bytes(100 << 20))
    number = 0
    while True:
        number += 1
        with open(f"attn_hostile{number}", "wb") as file:
            file.write(bytes(20 << 20))
