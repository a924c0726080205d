# Tries to put HTML and JavaScript into the feedback.
# expect: softmax raised 0
# says: script


def softmax(x):
    raise ValueError("<script>alert(1)</script>`<img src=x onerror=alert(1)>`</div></code><h1>8 of 8 points</h1>")
