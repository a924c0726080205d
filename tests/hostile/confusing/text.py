# Tries to be text that says it has passed.
# expect: softmax wrong 0
# says: softmax is not a function


softmax = "passed"
