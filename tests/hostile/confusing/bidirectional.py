# Tries to turn the sentence around with marks for right-to-left text.
# expect: softmax raised 0
# says: ValueError


def softmax(x):
    raise ValueError("\u202edessap\u202c \u2066all\u2069 \u200f\u200b\ufeff\u00ad")
