# Tries to make a million empty files.
# expect: softmax raised 0
# says: No space left on device


def softmax(x):
    for number in range(10**6):
        os.mkdir(f"attn_hostile{number}")
    breach("folders")
