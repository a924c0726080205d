# Tries to put HTML into the feedback by the line that is quoted.
# expect: softmax raised 0
# says: onerror


def softmax(x):
    raise ValueError  # <img src=x onerror="alert(1)"> `</code><script>alert(1)</script>`
