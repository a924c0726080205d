# Tries to be a number under the name of the exercise.
# expect: softmax wrong 0
# says: softmax is not a function


softmax = 5
