# Tries to put HTML into the feedback by the names of types.
# expect: softmax wrong 0
# says: object


def softmax(x):
    kind = type("<script>alert(1)</script>", (), {"__repr__": lambda self: "<h1>`8 of 8`</h1>"})
    return kind()
