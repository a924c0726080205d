# Tries to put HTML into the feedback by the name of an error.
# expect: softmax raised 0
# says: iframe


def softmax(x):
    raise type("<iframe src=//x>", (Exception,), {})("`<b>`")
